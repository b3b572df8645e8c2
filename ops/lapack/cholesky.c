/* Cholesky factors element by element. */
#include "cholesky.h"

#include <math.h>

#include "kernel.h"
#include "reference/definite.h"
#include "reference/equation.h"
#include "reference/function.h"

/* The divisor of the square root is itself; the least number stands for a root that is none. */
static void put_diagonal(Ref *ref, const Equation *equation, size_t at, Scalar got)
{
    double rest = equation->rest.re.high;
    double root = sqrt(fmax(rest, dtype_format(ref->dtype)->smallest_subnormal));
    bool usable = isfinite(got.re) && got.re > 0;
    equation_put(equation, ref, at, (Scalar){usable ? got.re : root, 0}, (Scalar){got.re, 0});
    if (dtype_components(ref->dtype) == 2)
        ref_set_exact(ref, at + 1, 0, MATCH_VALUE);
}

/* Element (i, j) of the stored triangle. */
static void put_element(Ref *ref, const Matrix *a, const Matrix *factor, bool lower, int64_t i,
                        int64_t j)
{
    int64_t steps = i < j ? i : j;
    Scalar before = *matrix_at(a, i, j), got = *matrix_at(factor, i, j);
    Equation equation = i == j ? equation_of((Scalar){before.re, 0}, END_ROOT)
                               : equation_of(before, END_QUOTIENT_BY_ROOT);
    size_t at = matrix_element(ref, i, j);
    for (int64_t k = 0; k < steps; k++) {
        Scalar x = lower ? *matrix_at(factor, i, k) : scalar_conjugate(*matrix_at(factor, k, i));
        Scalar y = lower ? scalar_conjugate(*matrix_at(factor, j, k)) : *matrix_at(factor, k, j);
        equation_subtract(&equation, x, y);
    }
    if (i == j)
        put_diagonal(ref, &equation, at, got);
    else
        equation_put(&equation, ref, at, (Scalar){matrix_at(factor, steps, steps)->re, 0}, got);
}

void lapack_judge_definite(Ref *ref, const Matrix *a, DType dtype, int64_t info, bool lower,
                           Arena *arena)
{
    Matrix triangle = lapack_lower_triangle(a, lower, arena);
    DefiniteRange range = definite_range(&(DefiniteInput){triangle.values, a->rows, dtype}, arena);
    int64_t last = range.last < a->rows ? range.last : a->rows;
    if (range.may_succeed && (info <= 0 || range.first > last))
        lapack_put_integer(ref, 0, info, 0, 0);
    else
        lapack_put_integer(ref, 0, info, range.first, last);
}

int64_t lapack_cholesky_reference(const LapackCholesky *c, Matrix *factor, Arena *arena)
{
    const Tensor *place = c->place;
    ref_allocate_bounded(c->factor_ref, place->dtype, place, arena);
    if (!c->computed) {
        *factor = matrix_copy(c->a, arena);
        int64_t info = kernel_potrf(&(Kernel){.dtype = place->dtype}, factor, c->lower);
        matrix_put(factor, c->factor_ref);
        lapack_put_integer(c->info_ref, 0, info, 0, c->a->rows);
        ref_limit(c->factor_ref, place);
        return info;
    }
    *factor = matrix_read(c->computed, arena);
    for (int64_t i = 0; i < c->a->rows; i++) {
        TensorRow row = tensor_row(place, i);
        for (int64_t j = row.first; j < row.end; j++)
            if (c->info == 0)
                put_element(c->factor_ref, c->a, factor, c->lower, i, j);
            else
                matrix_admit(c->factor_ref, i, j);
    }
    lapack_judge_definite(c->info_ref, c->a, place->dtype, c->info, c->lower, arena);
    ref_limit(c->factor_ref, place);
    return c->info;
}
