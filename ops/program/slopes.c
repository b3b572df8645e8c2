/* Gradients of sums that a program takes, by their formulas: balls hold what any order of the
 * products and sums gives that a derivation by the rules of products makes of them. */
#include <math.h>

#include "effects.h"

Ball ball_clipped(Ball x)
{
    Ball below = ball_negate(ball_max(ball_negate(x), ball_exact(-64)));
    return ball_max(below, ball_exact(-64));
}

static void bind_clipped(Machine *m, const uint8_t *number, Vector slope)
{
    for (int i = 0; i < m->n; i++)
        slope.at[i] = ball_clipped(slope.at[i]);
    bind_variable(m, number, slope);
}

/* The sum of u u w. */
void run_slope_square(Machine *m, const uint8_t *number)
{
    Vector slope = combined(m, variable(m, number, 1), variable(m, number, 2), ball_multiply);
    bind_clipped(m, number, combined(m, &slope, &slope, ball_add));
}

/* One of the larger, 0 of the smaller; of two that are equal, no text says how much. */
static Ball share_of_larger(const Format *format, Ball x, Ball y)
{
    (void)format;
    if (!ball_is_known(x) || !ball_is_known(y) || !isfinite((double)x.value) ||
        !isfinite((double)y.value))
        return ball_unknown();
    if (fabsl(x.value - y.value) > (long double)x.radius + (long double)y.radius)
        return ball_exact(x.value > y.value);
    Ball tie = ball_exact(0.5);
    tie.radius = 0.5;
    return tie;
}

/* The sum of max(u, w). */
void run_slope_maximum(Machine *m, const uint8_t *number)
{
    bind_clipped(m, number,
                 combined(m, variable(m, number, 1), variable(m, number, 2), share_of_larger));
}

/* The sum of u w without its first term. */
void run_slope_slice(Machine *m, const uint8_t *number)
{
    Vector slope = *variable(m, number, 2);
    slope.at[0] = ball_exact(0);
    bind_clipped(m, number, slope);
}

/* The sum of u times the sum of u w. */
void run_slope_product(Machine *m, const uint8_t *number)
{
    const Vector *u = variable(m, number, 1), *w = variable(m, number, 2);
    Vector products = combined(m, u, w, ball_multiply);
    Ball sum = ball_sum(m->format, u->at, (size_t)m->n),
         of_products = ball_sum(m->format, products.at, (size_t)m->n);
    Vector slope = combined_with(m, w, sum, ball_multiply);
    bind_clipped(m, number, combined_with(m, &slope, of_products, ball_add));
}

/* The sum of w and the gradient of the sum of u u u, which is six u w: sums of up to six products,
 * or a product of such a sum, which rounds no oftener than a sum of six does in the worst order. */
void run_slope_twice(Machine *m, const uint8_t *number)
{
    Vector slope = combined(m, variable(m, number, 1), variable(m, number, 2), ball_multiply);
    for (int i = 0; i < m->n; i++) {
        Ball product = slope.at[i];
        const Ball terms[] = {product, product, product, product, product, product};
        slope.at[i] = ball_sum(m->format, terms, COUNT_OF(terms));
    }
    bind_clipped(m, number, slope);
}

/* The sum of u v v ..., v so often as the loop has rounds, where v is held. */
void run_slope_loop(Machine *m, const uint8_t *number)
{
    Vector slope = {0};
    for (int i = 0; i < m->n; i++)
        slope.at[i] = ball_exact(1);
    for (int round = 0; round < number[2]; round++)
        slope = combined(m, &slope, variable(m, number, 1), ball_multiply);
    bind_clipped(m, number, slope);
}

/* The sum of u u, or of u. */
void run_slope_branch(Machine *m, const uint8_t *number)
{
    const Vector *u = variable(m, number, 1);
    Vector slope = combined(m, u, u, ball_add);
    for (int i = 0; m->i <= number[2] && i < m->n; i++)
        slope.at[i] = ball_exact(1);
    bind_clipped(m, number, slope);
}
