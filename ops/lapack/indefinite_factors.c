/* References of factors by diagonal pivoting, and their condition. */
#include "indefinite_factors.h"

#include <limits.h>
#include <math.h>

#include "reference/function.h"
#include "reference/wide_complex.h"

static void put_pivots(Ref *ref, const Tensor *ipiv, const Indefinite *f, bool lower)
{
    for (int64_t k = 0; k < f->n; k++) {
        bool second = k > 0 && f->pairs[k - 1], pair = second || f->pairs[k];
        int64_t at = lower ? k : f->n - 1 - k, got = lapack_integer(ipiv, at);
        int64_t from = k + 1 + (f->pairs[k] ? 1 : 0);
        int64_t low = lower ? from : 1, high = lower ? f->n : f->n + 1 - from;
        lapack_put_integer(ref, at, got, pair ? -high : low, pair ? -low : high);
    }
}

int64_t indefinite_factors_compute(DType dtype, Matrix *stored, bool lower, bool hermitian,
                                   int64_t *pivots, Arena *arena)
{
    Matrix a = indefinite_lower(stored, lower, arena);
    int64_t zero = indefinite_factor(dtype, &a, hermitian, PIVOT_PARTIAL, pivots);
    *stored = matrix_zeros(a.rows, a.rows, arena);
    return indefinite_store(&a, zero, lower, pivots, stored);
}

static int64_t put_computed(const IndefiniteFactors *of, Indefinite *factors, Arena *arena)
{
    int64_t n = of->stored->rows, *pivots = arena_take(arena, (size_t)n + 1, sizeof *pivots);
    int32_t *numbers = arena_take(arena, (size_t)n + 1, sizeof *numbers);
    DType dtype = of->place->dtype;
    Matrix stored = matrix_copy(of->stored, arena);
    int64_t zero =
        indefinite_factors_compute(dtype, &stored, of->lower, of->hermitian, pivots, arena);
    for (int64_t k = 0; k < n; k++) {
        numbers[k] = (int32_t)pivots[k];
        ref_set_exact(of->ipiv_ref, (size_t)k, numbers[k], MATCH_VALUE);
    }
    matrix_put_rounded(&stored, of->a_ref);
    ref_limit(of->a_ref, of->place);
    lapack_put_integer(of->info_ref, 0, zero, zero, zero);
    Tensor ipiv = tensor_matrix(DT_I32, n, 1, 1, 1, numbers);
    *factors = indefinite_read(&stored, &ipiv, of->lower, of->hermitian, dtype, arena);
    return zero;
}

int64_t indefinite_factors_reference(const IndefiniteFactors *of, Indefinite *factors, Arena *arena)
{
    Matrix a = indefinite_lower(of->stored, of->lower, arena);
    lapack_admit_all(of->a_ref, of->place, arena);
    ref_allocate_exact(of->ipiv_ref, of->ipiv, arena);
    if (!of->computed)
        return put_computed(of, factors, arena);
    Matrix found = matrix_read(of->computed, arena);
    *factors = indefinite_read(&found, of->computed_ipiv, of->lower, of->hermitian,
                               of->place->dtype, arena);
    int64_t zero = indefinite_put_factors(of->a_ref, factors, &a, of->lower, arena);
    ref_limit(of->a_ref, of->place);
    if (matrix_is_finite(&a))
        put_pivots(of->ipiv_ref, of->computed_ipiv, factors, of->lower);
    else
        for (int64_t k = 0; k < a.rows; k++)
            ref_set_classes(of->ipiv_ref, (size_t)k, CLASS_ANY);
    lapack_put_integer(of->info_ref, 0, of->info, zero < 0 ? INT_MIN : zero,
                       zero < 0 ? INT_MAX : zero);
    return factors->legal ? of->info : 1;
}

void indefinite_condition(const Indefinite *f, bool lower, Condition *c, Matrix factors[3],
                          Arena *arena)
{
    int64_t n = f->n;
    double *inverse, *sizes = indefinite_block_sizes(f, &inverse, arena), largest = 0;
    Matrix x = matrix_identity(n, arena);
    c->astray = !f->hermitian && dtype_components(f->dtype) == 2;
    for (int i = 0; i < 3; i++)
        factors[i] = matrix_zeros(n, n, arena);
    indefinite_solve(f, &x, arena);
    for (int64_t i = 0; i < n; i++) {
        int64_t to = lower ? f->order[i] : n - 1 - f->order[i];
        c->singular = c->singular || (!f->pairs[i] && !(i > 0 && f->pairs[i - 1]) &&
                                      scalar_is_zero(*matrix_at(&f->d, i, i)));
        for (int64_t k = 0; k < n; k++) {
            double sum = 0;
            for (int64_t l = k > 0 ? k - 1 : 0; l < n && l <= k + 1; l++)
                sum += sizes[k * n + l] * scalar_size(*matrix_at(&f->l, i, l));
            largest += scalar_size(*matrix_at(&f->l, i, k));
            *matrix_at(&factors[0], to, k) = *matrix_at(&f->l, i, k);
            matrix_at(&factors[1], k, to)->re = INDEFINITE_WEIGHT * sum;
            int64_t row_of = lower ? i : n - 1 - i, column = lower ? k : n - 1 - k;
            *matrix_at(&factors[2], row_of, column) = *matrix_at(&x, i, k);
        }
    }
    for (int64_t i = 0; i < n * n; i++)
        c->reach = fmax(c->reach, inverse[i] * largest);
    c->inverse = &factors[2];
}
