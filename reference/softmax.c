/* The references of softmax, its logarithm and its gradient: row by row in 64 bits, with the
 * bounds of softmax.h. */
#include "softmax.h"

#include <math.h>

#include "ball.h"
#include "mag.h"

/* An element of a row with NaN, with infinity, or of nothing but -infinity: infinity over infinity,
 * or less infinity, and 0 over 0, are NaN; a number beside infinity is NaN where the greatest is
 * subtracted first, and the limit by the plain formula. */
static void put_special(Ref *ref, size_t i, const Exponentials *e, double x, bool logarithm)
{
    ref_set_classes(ref, i, CLASS_NAN);
    if (e->has_nan || x == e->greatest)
        return;
    ref_set_exact(ref, i, logarithm ? -INFINITY : 0, MATCH_VALUE);
    ref_set_classes(ref, i, ref->classes[i] | CLASS_NAN);
}

static void put_row(Ref *ref, size_t row, const double *x, bool logarithm)
{
    const Format *format = dtype_format(ref->accumulator);
    Exponentials e = exponentials_of(x, (int64_t)ref->columns);
    if (e.has_nan || !isfinite(e.greatest)) {
        for (size_t k = 0; k < ref->columns; k++)
            put_special(ref, row * ref->columns + k, &e, x[k], logarithm);
        return;
    }
    double u = format->unit, spread = exponentials_error(&e, (int64_t)ref->columns, format);
    long double log_sum = logl(e.sum);
    for (size_t k = 0; k < ref->columns; k++) {
        size_t i = row * ref->columns + k;
        long double d = (long double)x[k] - e.greatest, y = expl(d) / e.sum;
        double distance = (double)fabsl(d), weight = (double)y;
        double bound = weight * (u * distance + 8 * u + spread) * (1 + 8 * u + 2 * u * distance) +
                       2 * format->smallest_normal;
        if (logarithm) {
            y = d - log_sum;
            bound = spread * (1 + spread) +
                    u * (distance + 4 * (double)fabsl(log_sum) +
                         fabs(e.greatest + (double)log_sum) + 2 * (double)fabsl(y));
        }
        if (isinf(x[k]))
            y = logarithm ? -INFINITY : 0;
        ref_put_bounded(ref, i, y, 0x1p-57L * (logarithm ? fabsl(y) + fabsl(log_sum) + 1 : y),
                        isinf(x[k]) ? 0 : bound);
    }
}

void softmax_reference(Ref *ref, const Tensor *x, bool logarithm, Arena *arena)
{
    ref_allocate_bounded(ref, x->dtype, x, arena);
    double *row = arena_take(arena, ref->columns + 1, sizeof *row);
    for (size_t i = 0; i < ref->rows; i++) {
        for (size_t k = 0; k < ref->columns; k++) {
            int64_t number = (int64_t)(i * ref->columns + k);
            row[k] = tensor_value(x, number);
        }
        put_row(ref, i, row, logarithm);
    }
}

/* The gradients of a row that is not finite, by their formulas. */
static void put_special_gradient(Ref *ref, size_t row, const double *dy, const double *y,
                                 bool logarithm, Ball *terms)
{
    const Format *format = dtype_format(ref->accumulator);
    const Function *exponential = function_named("exp");
    for (size_t k = 0; k < ref->columns; k++) {
        terms[k] = ball_exact(dy[k]);
        if (!logarithm)
            terms[k] = ball_multiply(format, terms[k], ball_exact(y[k]));
    }
    Ball sum = ball_sum(format, terms, ref->columns);
    for (size_t k = 0; k < ref->columns; k++) {
        Ball own = ball_exact(dy[k]), weight = ball_exact(y[k]);
        if (logarithm) {
            weight = ball_function(format, exponential, weight, false);
            own = ball_subtract(format, own, ball_multiply(format, weight, sum));
        } else {
            own = ball_multiply(format, weight, ball_subtract(format, own, sum));
        }
        ref_put_ball(ref, row * ref->columns + k, own);
    }
}

static void put_gradient(Ref *ref, size_t row, const double *dy, const double *y, bool logarithm,
                         Ball *terms)
{
    const Format *format = dtype_format(ref->accumulator);
    double u = format->unit, size = 0, count = (double)ref->columns;
    long double sum = 0;
    bool finite = true;
    for (size_t k = 0; k < ref->columns; k++) {
        long double term = logarithm ? (long double)dy[k] : (long double)dy[k] * y[k];
        sum += term;
        size = add_up(size, double_up(fabsl(term)));
        finite = finite && isfinite(dy[k]) && isfinite(y[k]);
    }
    if (!finite) {
        put_special_gradient(ref, row, dy, y, logarithm, terms);
        return;
    }
    double off = reduction_error(count, size, double_up(fabsl(sum)), u);
    off = add_up(add_up(off, mul_up(u, size)), mul_up(count, format->smallest_subnormal));
    for (size_t k = 0; k < ref->columns; k++) {
        size_t i = row * ref->columns + k;
        long double factor = logarithm ? expl(y[k]) : (long double)y[k];
        long double value = logarithm ? dy[k] - factor * sum : factor * (dy[k] - sum);
        double weight = (double)fabsl(factor), whole = fabs(dy[k]) + (double)fabsl(sum) + off;
        double bound = logarithm
                           ? weight * off * (1 + 8 * u) + 8 * u * weight * (double)fabsl(sum) +
                                 u * (fabs(dy[k]) + weight * whole)
                           : weight * (off + u * whole) * (1 + 2 * u) + u * (double)fabsl(value);
        /* exp(y) may overflow though it multiplies 0, and dy - sum though y makes it small. */
        double greatest = logarithm ? weight * fmax(whole, 1) : whole * fmax(weight, 1);
        greatest = fmax(size, greatest);
        if (!(greatest < format->largest / 4)) {
            ref_set_classes(ref, i, CLASS_ANY);
            continue;
        }
        ref_put_bounded(ref, i, value,
                        0x1p-57L * (fabsl(factor * sum) + fabsl(factor * dy[k]) + fabs(dy[k])),
                        bound + 2 * format->smallest_normal);
    }
}

void softmax_gradient_reference(Ref *ref, const Tensor *dy, const Tensor *y, bool logarithm,
                                Arena *arena)
{
    REQUIRE(tensor_count(dy) == tensor_count(y) && dy->rank == y->rank);
    ref_allocate_bounded(ref, dy->dtype, dy, arena);
    double *rows = arena_take(arena, 2 * ref->columns + 2, sizeof *rows);
    Ball *terms = arena_take(arena, ref->columns + 1, sizeof *terms);
    for (size_t i = 0; i < ref->rows; i++) {
        for (size_t k = 0; k < ref->columns; k++) {
            int64_t number = (int64_t)(i * ref->columns + k);
            rows[k] = tensor_value(dy, number);
            rows[ref->columns + k] = tensor_value(y, number);
        }
        put_gradient(ref, i, rows, rows + ref->columns, logarithm, terms);
    }
}
