/* Equations of factors as they are stored. */
#include "factors.h"

#include <math.h>

#include "reference/equation.h"
#include "reference/function.h"

/* One triangle of what is stored, or a trapezoid of as many rows or columns as there are steps. */
static StoredMatrix triangle_of(const Tensor *a, bool lower, bool unit)
{
    StoredMatrix t = {.view = *a, .expansion = EXPAND_TRIANGULAR};
    int64_t rows = a->extent[0], columns = a->extent[1], steps = rows < columns ? rows : columns;
    t.view.extent[lower ? 1 : 0] = steps;
    t.view.limited = true;
    t.view.below = lower ? rows : unit ? -1 : 0;
    t.view.above = lower ? (unit ? -1 : 0) : columns;
    return t;
}

static StoredMatrix turned(StoredMatrix t, bool conjugate)
{
    t.view = tensor_transposed(t.view);
    t.conjugate = conjugate;
    return t;
}

/* gamma for sums of so many products, and what underflow may add to an element (equation.h): half a
 * smallest subnormal for each product and quotient, times a divisor and an unknown of usual sizes.
 */
static void put_bounds(FactorEquation *e, double depth, double roundings, int solves)
{
    const Format *format = dtype_format(e->right.view.dtype);
    bool complex = dtype_components(e->right.view.dtype) == 2;
    double count = complex ? 2 * depth + 10 + roundings : depth + roundings;
    double gamma = equation_gamma(format, count);
    gamma = solves == 2 ? gamma * (2 + gamma) * (1 + 0x1p-50) : gamma;
    e->gamma = complex ? 2 * gamma : gamma;
    e->largest = 0x1p24;
    e->least = complex ? 0x1p-24 : 0;
    e->underflow = format->smallest_subnormal * 8 * (count + 8) * 0x1p56;
    e->range = ldexp(1, format->maximum_exponent - 4);
    e->most = INFINITY;
}

void lapack_check_lu(FactorChecks *checks, const ReferenceInput *input, int a, const int64_t *order)
{
    const Tensor *lu = &input->computed[a];
    const Format *format = dtype_format(lu->dtype);
    FactorEquation *e = &checks->equation[checks->count++];
    *e = (FactorEquation){.factor = {triangle_of(lu, true, true), triangle_of(lu, false, false)},
                          .factors = 2,
                          .right.view = input->tensors[a],
                          .order = order,
                          .divisor = DIVISOR_BELOW,
                          .operand = a,
                          .stored = *lu};
    put_bounds(e, (double)e->factor[0].view.extent[1], 2, 1);
    e->most =
        dtype_components(lu->dtype) == 2 ? sqrt(2) * (1 + 32 * format->unit) : 1 + 4 * format->unit;
}

static void put_cholesky_factors(FactorEquation *e, const Tensor *a, bool lower)
{
    StoredMatrix stored = {.view = *a};
    e->factor[0] = lower ? stored : turned(stored, true);
    e->factor[1] = lower ? turned(stored, true) : stored;
}

void lapack_check_cholesky(FactorChecks *checks, const ReferenceInput *input, int a, bool lower)
{
    FactorEquation *e = &checks->equation[checks->count++];
    *e = (FactorEquation){
        .factors = 2,
        .right = {.view = input->tensors[a], .expansion = EXPAND_HERMITIAN, .real_diagonal = true},
        .divisor = DIVISOR_TRIANGLE,
        .has_positive_roots = true,
        .operand = a,
        .stored = input->computed[a]};
    put_cholesky_factors(e, &input->computed[a], lower);
    put_bounds(e, (double)e->stored.extent[0], 4, 1);
}

/* The equation of the solution X, by factors that stand in A. */
static void put_solution(FactorEquation *e, const Tensor *a, const Tensor *x, const LargeSolve *s)
{
    *e = (FactorEquation){.factors = 3,
                          .order = s->order,
                          .orders_solution = s->transposed,
                          .divisor = DIVISOR_ROW,
                          .operand = s->b,
                          .stored = *x};
    StoredMatrix lower = triangle_of(a, true, true), upper = triangle_of(a, false, false);
    if (s->cholesky)
        put_cholesky_factors(e, a, s->lower);
    else {
        e->factor[0] = s->transposed ? turned(upper, s->conjugate) : lower;
        e->factor[1] = s->transposed ? turned(lower, s->conjugate) : upper;
    }
    e->factor[2].view = e->right.view = *x;
    put_bounds(e, (double)a->extent[0], 2, 2);
}

void lapack_check_solution(FactorChecks *checks, const ReferenceInput *input, const LargeSolve *s)
{
    FactorEquation *e = &checks->equation[checks->count++];
    put_solution(e, &input->computed[s->a], &input->computed[s->b], s);
    e->right.view = input->tensors[s->b];
}

void lapack_check_inverse(FactorChecks *checks, const ReferenceInput *input, int a,
                          const int64_t *order)
{
    checks->either = true;
    for (int side = 0; side < 2; side++) {
        FactorEquation *e = &checks->equation[checks->count++];
        const Tensor *x = &input->computed[a], turned_x = tensor_transposed(*x);
        put_solution(e, &input->tensors[a], side ? &turned_x : x,
                     &(LargeSolve){.b = a, .transposed = side == 1, .order = order});
        e->identity = true;
        e->turned = side == 1;
    }
}

/* Of a triangle T with the diagonal D and the rest N an unknown of an exact solution is at most v_i
 * times b's largest element, |D| v = e + |N| v, and a partial sum (e + |N| v)_i (Higham, ibid.,
 * section 8.3); of a computed one gamma more for each of the coefficients, (1 + gamma)^(2 n) in v,
 * for which there is a factor of 2^16. */
static bool substitution_may_overflow(const FactorEquation *e, Arena *arena)
{
    const StoredMatrix *t = &e->factor[0];
    int64_t n = t->view.extent[0], columns = e->right.view.extent[1];
    double *v = arena_take_zeroed(arena, (size_t)n + 1, sizeof *v), most = 0;
    double largest = e->identity ? 1 : 0;
    bool lower = t->view.above <= 0;
    for (int64_t i = 0; i < n && !e->identity; i++)
        for (int64_t j = 0; j < columns; j++)
            largest = fmax(largest, scalar_size(stored_element(&e->right, i, j)));
    for (int64_t step = 0; step < n; step++) {
        int64_t i = lower ? step : n - 1 - step;
        double sum = 1;
        for (int64_t k = lower ? 0 : i + 1; k < (lower ? i : n); k++)
            sum += scalar_size(stored_element(t, i, k)) * v[k];
        v[i] = sum / scalar_size(stored_element(t, i, i));
        most = fmax(most, fmax(v[i], sum));
    }
    return !(most * largest < e->range * 0x1p-16);
}

void lapack_check_triangle(FactorChecks *checks, const ReferenceInput *input,
                           const LargeTriangle *s)
{
    const Tensor *a = &input->tensors[s->a], *x = &input->computed[s->b];
    FactorEquation *e = &checks->equation[checks->count++];
    StoredMatrix triangle = triangle_of(a, s->lower, s->unit);
    *e = (FactorEquation){.factors = 2,
                          .right.view = input->tensors[s->b],
                          .divisor = DIVISOR_ROW,
                          .operand = s->b,
                          .stored = *x};
    e->factor[0] = s->transposed ? turned(triangle, s->conjugate) : triangle;
    e->factor[1].view = *x;
    e->may_overflow = substitution_may_overflow;
    put_bounds(e, (double)a->extent[0], 2, 1);
    e->least = 0;
}

void lapack_check_triangle_inverse(FactorChecks *checks, const ReferenceInput *input,
                                   const LargeTriangle *s)
{
    const StoredMatrix t = triangle_of(&input->tensors[s->a], s->lower, s->unit);
    const StoredMatrix x = triangle_of(&input->computed[s->b], s->lower, s->unit);
    checks->either = true;
    for (int side = 0; side < 2; side++) {
        FactorEquation *e = &checks->equation[checks->count++];
        *e = (FactorEquation){.factor = {side ? turned(t, false) : t, side ? turned(x, false) : x},
                              .factors = 2,
                              .identity = true,
                              .turned = side == 1,
                              .divisor = DIVISOR_ROW,
                              .operand = s->b,
                              .may_overflow = substitution_may_overflow};
        e->right.view = e->stored = e->factor[1].view;
        put_bounds(e, (double)t.view.extent[0], 2, 1);
        e->least = 0;
    }
}

bool lapack_is_plain_matrix(const void *params)
{
    return ((const Lapack *)params)->matrix == 0;
}

void lapack_make_plain(void *params)
{
    ((Lapack *)params)->matrix = 0;
}
