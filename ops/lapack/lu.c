/* LU factors element by element. */
#include "lu.h"

#include "kernel.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "solve.h"

/* from[i] becomes the row in which step k left the multiplier that L has in row i, for i > k. */
static void find_origins(int64_t rows, const int64_t *pivots, int64_t steps, int64_t k,
                         int64_t *from)
{
    for (int64_t i = 0; i < rows; i++)
        from[i] = i;
    for (int64_t s = k + 1; s < steps; s++) {
        int64_t with = pivots[s], kept = from[s];
        if (with < s || with >= rows)
            continue;
        from[s] = from[with];
        from[with] = kept;
    }
}

void lapack_exchange_multipliers(Matrix *lu, const int64_t *pivots, Arena *arena)
{
    int64_t steps = lu->rows < lu->columns ? lu->rows : lu->columns;
    int64_t *from = arena_take(arena, (size_t)lu->rows + 1, sizeof *from);
    Scalar *column = arena_take(arena, (size_t)lu->rows + 1, sizeof *column);
    for (int64_t k = 0; k < steps; k++) {
        find_origins(lu->rows, pivots, steps, k, from);
        for (int64_t i = k + 1; i < lu->rows; i++)
            column[i] = *matrix_at(lu, from[i], k);
        for (int64_t i = k + 1; i < lu->rows; i++)
            *matrix_at(lu, i, k) = column[i];
    }
}

/* A as it counts. */
static Matrix given_matrix(const LapackLu *l, Arena *arena)
{
    Matrix a = matrix_read(l->a, arena);
    for (int64_t i = 0; i < a.rows && l->band; i++)
        for (int64_t j = i + l->ku + 1; j < a.columns; j++)
            *matrix_at(&a, i, j) = (Scalar){0, 0};
    return a;
}

int64_t *lapack_row_order(const int64_t *pivots, int64_t steps, int64_t rows, bool ahead,
                          Arena *arena)
{
    int64_t *order = arena_take(arena, (size_t)rows + 1, sizeof *order);
    for (int64_t i = 0; i < rows; i++)
        order[i] = i;
    for (int64_t k = 0; k < steps; k++) {
        int64_t with = pivots[k], kept = order[k];
        if (with < (ahead ? k : 0) || with >= rows)
            return NULL;
        order[k] = order[with];
        order[with] = kept;
    }
    return order;
}

/* P A, or false where an index is none. */
static bool exchange(const Matrix *a, const int64_t *pivots, int64_t steps, Matrix *exchanged,
                     Arena *arena)
{
    const int64_t *order = lapack_row_order(pivots, steps, a->rows, true, arena);
    if (!order)
        return false;
    *exchanged = matrix_zeros(a->rows, a->columns, arena);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->columns; j++)
            *matrix_at(exchanged, i, j) = *matrix_at(a, order[i], j);
    return true;
}

/* Expects the largest element that pivoting admits where the one of L is larger. */
static void limit_multiplier(Ref *ref, size_t at, Scalar got, Scalar pivot)
{
    int components = dtype_components(ref->dtype);
    const Format *format = dtype_format(ref->dtype);
    double size = hypot(got.re, got.im), limit = 1 + 4 * format->unit;
    if (components == 2)
        limit = (scalar_size(pivot) < format->largest ? sqrt(2) : 2) * (1 + 32 * format->unit);
    if (!(size > limit) || !isfinite(size))
        return;
    ref_put_bounded(ref, at, got.re / size * limit, 0, 0);
    if (components == 2)
        ref_put_bounded(ref, at + 1, got.im / size * limit, 0, 0);
}

/* Element (i, j) of the factors, which lies in row `place` of what is stored. */
static void put_element(Ref *ref, const Matrix *before, const Matrix *lu, bool ordered, int64_t i,
                        int64_t j, int64_t place)
{
    Scalar got = *matrix_at(lu, i, j), divisor = {1, 0};
    Equation equation = equation_of(*matrix_at(before, i, j), END_QUOTIENT);
    size_t at = matrix_element(ref, place, j);
    for (int64_t k = 0; k < i && k < j; k++)
        equation_subtract(&equation, *matrix_at(lu, i, k), *matrix_at(lu, k, j));
    if (i > j)
        divisor = *matrix_at(lu, j, j);
    if (scalar_is_zero(divisor))
        equation_put_rest(&equation, ref, at, got);
    else
        equation_put(&equation, ref, at, divisor, got);
    if (i > j && ordered)
        limit_multiplier(ref, at, got, divisor);
}

/* All elements that are stored. */
static void put_elements(const LapackLu *l, const Matrix *exchanged, const Matrix *lu,
                         const int64_t *pivots, bool ordered, Arena *arena)
{
    int64_t *from = arena_take(arena, (size_t)lu->rows + 1, sizeof *from);
    for (int64_t j = 0; j < lu->columns; j++) {
        for (int64_t i = 0; i < lu->rows; i++)
            from[i] = i;
        if (l->band)
            find_origins(lu->rows, pivots, l->ipiv->extent[0], j, from);
        for (int64_t i = 0; i < lu->rows; i++) {
            TensorRow row = tensor_row(l->a, from[i]);
            if (j >= row.first && j < row.end)
                put_element(l->a_ref, exchanged, lu, ordered, i, j, from[i]);
        }
    }
}

void lapack_lu_integers(const LapackLu *l, const Scalar *diagonal)
{
    const Tensor *ipiv = l->computed_ipiv;
    int64_t steps = ipiv->extent[0], rows = l->a->extent[0], zero = 0;
    int64_t info = lapack_integer(l->computed_info, 0);
    bool finite = true;
    for (int64_t k = 0; k < steps; k++) {
        int64_t last = l->band && k + 1 + l->kl < rows ? k + 1 + l->kl : rows;
        lapack_put_integer(l->ipiv_ref, k, lapack_integer(ipiv, k), k + 1, last);
        finite = finite && scalar_is_finite(diagonal[k]);
        zero = scalar_is_zero(diagonal[k]) && !zero ? k + 1 : zero;
    }
    lapack_put_integer(l->info_ref, 0, info, finite ? zero : 0, finite ? zero : steps);
}

static bool judge(const LapackLu *l, LuFactors *to, Arena *arena)
{
    Matrix a = given_matrix(l, arena), exchanged, *lu = &to->lu;
    *lu = matrix_read(l->computed_a, arena);
    int64_t steps = l->ipiv->extent[0];
    Scalar *diagonal = arena_take(arena, (size_t)steps + 1, sizeof *diagonal);
    bool ordered = matrix_is_finite(&a);
    bool permutes = exchange(&a, to->pivots, steps, &exchanged, arena);
    if (permutes && l->band)
        lapack_exchange_multipliers(lu, to->pivots, arena);
    if (permutes)
        put_elements(l, &exchanged, lu, to->pivots, ordered, arena);
    else
        lapack_admit_all(l->a_ref, l->a, arena);
    for (int64_t k = 0; k < steps; k++)
        diagonal[k] = *matrix_at(lu, k, k);
    lapack_lu_integers(l, diagonal);
    return permutes && lapack_integer(l->computed_info, 0) == 0;
}

int64_t lapack_lu_compute(const Matrix *a, DType dtype, bool band, LuFactors *to, Matrix *stored,
                          Arena *arena)
{
    int64_t steps = a->rows < a->columns ? a->rows : a->columns;
    to->lu = matrix_copy(a, arena);
    to->pivots = arena_take(arena, (size_t)steps + 1, sizeof *to->pivots);
    int64_t info = kernel_getrf(&(Kernel){.dtype = dtype}, &to->lu, to->pivots);
    int64_t *from = arena_take(arena, (size_t)a->rows + 1, sizeof *from);
    *stored = matrix_copy(&to->lu, arena);
    for (int64_t k = 0; k < steps && band; k++) {
        find_origins(a->rows, to->pivots, steps, k, from);
        for (int64_t i = k + 1; i < a->rows; i++)
            *matrix_at(stored, from[i], k) = *matrix_at(&to->lu, i, k);
    }
    return info;
}

/* One right result. */
static int64_t compute(const LapackLu *l, LuFactors *to, Arena *arena)
{
    Matrix a = given_matrix(l, arena), stored;
    int64_t info = lapack_lu_compute(&a, l->a->dtype, l->band, to, &stored, arena);
    matrix_put(&stored, l->a_ref);
    return info;
}

bool lapack_lu_reference(const LapackLu *l, LuFactors *factors, Arena *arena)
{
    int64_t steps = l->ipiv->extent[0];
    LuFactors own = {0};
    LuFactors *to = factors ? factors : &own;
    ref_allocate_bounded(l->a_ref, l->a->dtype, l->a, arena);
    ref_allocate_exact(l->ipiv_ref, l->ipiv, arena);
    ref_allocate_exact(l->info_ref, l->info, arena);
    if (l->computed_a) {
        to->pivots = arena_take(arena, (size_t)steps + 1, sizeof *to->pivots);
        for (int64_t k = 0; k < steps; k++)
            to->pivots[k] = lapack_integer(l->computed_ipiv, k) - 1;
        bool usable = judge(l, to, arena);
        ref_limit(l->a_ref, l->a);
        return usable;
    }
    int64_t info = compute(l, to, arena);
    for (int64_t k = 0; k < steps; k++)
        lapack_put_integer(l->ipiv_ref, k, to->pivots[k] + 1, 1, l->a->extent[0]);
    lapack_put_integer(l->info_ref, 0, info, 0, steps);
    return info == 0;
}

void lapack_lu_solve(Ref *b_ref, const LuFactors *factors, int64_t trans, const Tensor *b,
                     const Tensor *computed, Arena *arena)
{
    bool plain = trans == TRANSPOSE_NONE, conjugate = trans == TRANSPOSE_CONJUGATE;
    Matrix lower = lapack_factor(&factors->lu, true, true, arena);
    Matrix upper = lapack_factor(&factors->lu, false, false, arena);
    Matrix f = plain ? lower : lapack_transposed(&upper, conjugate, arena);
    Matrix g = plain ? upper : lapack_transposed(&lower, conjugate, arena);
    lapack_solve_reference(
        &(LapackSolve){.b_ref = b_ref,
                       .f = &f,
                       .g = &g,
                       .b = b,
                       .computed = computed,
                       .pivots = factors->pivots,
                       .exchanges = plain ? EXCHANGE_RIGHT_SIDES : EXCHANGE_SOLUTIONS},
        arena);
}
