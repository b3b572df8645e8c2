/* P A = L U with rows exchanged so that no element of L exceeds 1 (partial pivoting); A is
 * overwritten by L, without its diagonal of ones, and U.
 *
 * Given the rows as ipiv exchanges them, |P A - L U| is bounded element by element (reference/
 * equation.h), which needs no bound on the growth of U.  ipiv(k) is at least k and at most m.
 * Elements of L are at most 1, and sqrt 2 for complex types, whose pivots are the largest by
 * |re| + |im| (i?amax), but for the roundings of a reciprocal and a product; not where A has
 * numbers that are not finite, since NaN have no order.  info is the number of the first element of
 * U's diagonal that is exactly 0: the column of L below it is not computed. A diagonal with NaN
 * leaves info open. */
#include "kernel.h"
#include "lapack.h"
#include "reference/equation.h"
#include "reference/function.h"

static const Param params[] = {
    LAPACK_DTYPE, LAPACK_M("rows of A"), LAPACK_N("columns of A"), LAPACK_LDA, LAPACK_MATRIX, P_END,
};
static const char *const tensors[] = {"a", "ipiv", "info", NULL};
enum { A, IPIV, INFO };

static int64_t steps_of(const Lapack *q)
{
    return q->m < q->n ? q->m : q->n;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 3, .depth = steps_of(q)};
    shapes->tensor[A] = lapack_matrix(q, q->m, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[IPIV] = lapack_integers(steps_of(q));
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 2 * lapack_parts(q) * (double)(q->m * q->n) * (double)(steps_of(q) + 8);
}

/* P A, or false where an index is none. */
static bool exchange(const Matrix *a, const Tensor *ipiv, Matrix *exchanged, Arena *arena)
{
    int64_t *order = arena_take(arena, (size_t)a->rows + 1, sizeof *order), steps = ipiv->extent[0];
    for (int64_t i = 0; i < a->rows; i++)
        order[i] = i;
    for (int64_t k = 0; k < steps; k++) {
        int64_t with = lapack_integer(ipiv, k) - 1, kept = order[k];
        if (with < k || with >= a->rows)
            return false;
        order[k] = order[with];
        order[with] = kept;
    }
    *exchanged = matrix_zeros(a->rows, a->columns, arena);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->columns; j++)
            *matrix_at(exchanged, i, j) = *matrix_at(a, order[i], j);
    return true;
}

/* Expects the largest element that pivoting admits where the one of L is larger. */
static void limit_multiplier(Ref *ref, size_t at, Scalar got)
{
    int components = dtype_components(ref->dtype);
    double size = hypot(got.re, got.im), unit = dtype_format(ref->dtype)->unit;
    double limit = components == 2 ? sqrt(2) * (1 + 32 * unit) : 1 + 4 * unit;
    if (!(size > limit) || !isfinite(size))
        return;
    ref_put_bounded(ref, at, got.re / size * limit, 0, 0);
    if (components == 2)
        ref_put_bounded(ref, at + 1, got.im / size * limit, 0, 0);
}

static void put_element(Ref *ref, const Matrix *before, const Matrix *lu, bool ordered, int64_t i,
                        int64_t j)
{
    Scalar got = *matrix_at(lu, i, j), divisor = {1, 0};
    Equation equation = equation_of(*matrix_at(before, i, j), END_QUOTIENT);
    size_t at = matrix_element(ref, i, j);
    for (int64_t k = 0; k < i && k < j; k++)
        equation_subtract(&equation, *matrix_at(lu, i, k), *matrix_at(lu, k, j));
    if (i > j)
        divisor = *matrix_at(lu, j, j);
    if (scalar_is_zero(divisor))
        equation_put_rest(&equation, ref, at, got);
    else
        equation_put(&equation, ref, at, divisor, got);
    if (i > j && ordered)
        limit_multiplier(ref, at, got);
}

static void judge(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *ipiv = &input->computed[IPIV];
    Matrix a = matrix_read(&input->tensors[A], arena), exchanged;
    Matrix lu = matrix_read(&input->computed[A], arena);
    int64_t steps = ipiv->extent[0], zero = 0, info = lapack_integer(&input->computed[INFO], 0);
    bool finite = true, ordered = matrix_is_finite(&a),
         permutes = exchange(&a, ipiv, &exchanged, arena);
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t j = 0; j < a.columns; j++)
            if (permutes)
                put_element(&refs[A], &exchanged, &lu, ordered, i, j);
            else
                matrix_admit(&refs[A], i, j);
    for (int64_t k = 0; k < steps; k++) {
        Scalar diagonal = *matrix_at(&lu, k, k);
        lapack_put_integer(&refs[IPIV], k, lapack_integer(ipiv, k), k + 1, a.rows);
        finite = finite && scalar_is_finite(diagonal);
        zero = scalar_is_zero(diagonal) && !zero ? k + 1 : zero;
    }
    lapack_put_integer(&refs[INFO], 0, info, finite ? zero : 0, finite ? zero : steps);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *tensors_of = input->tensors;
    ref_allocate_bounded(&refs[A], tensors_of[A].dtype, &tensors_of[A], arena);
    ref_allocate_exact(&refs[IPIV], &tensors_of[IPIV], arena);
    ref_allocate_exact(&refs[INFO], &tensors_of[INFO], arena);
    if (input->computed) {
        judge(refs, input, arena);
        return;
    }
    Kernel kernel = {.dtype = tensors_of[A].dtype};
    Matrix a = matrix_read(&tensors_of[A], arena);
    int64_t steps = tensors_of[IPIV].extent[0];
    int64_t *pivots = arena_take(arena, (size_t)steps + 1, sizeof *pivots);
    int64_t info = kernel_getrf(&kernel, &a, pivots);
    matrix_put(&a, &refs[A]);
    for (int64_t k = 0; k < steps; k++)
        lapack_put_integer(&refs[IPIV], k, pivots[k] + 1, 1, a.rows);
    lapack_put_integer(&refs[INFO], 0, info, 0, steps);
}

const OpDesc op_getrf = {
    .name = "getrf",
    .summary = "LU factorization with partial pivoting",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
