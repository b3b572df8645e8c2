/* A = L L^H or U^H U, A hermitian and positive definite, of which one triangle is stored and
 * overwritten by the factor, whose diagonal is real and positive.
 *
 * |A - L L^H| is bounded element by element (reference/equation.h).  info is the order of a leading
 * minor that was found not to be positive definite, and may be what reference/definite.h says; then
 * nothing is promised of the triangle.  The other triangle must neither be read nor written.  Of
 * numbers that are not finite info is open. */
#include "kernel.h"
#include "lapack.h"
#include "reference/definite.h"
#include "reference/equation.h"
#include "reference/function.h"

static const Param params[] = {
    LAPACK_DTYPE,
    LAPACK_UPLO,
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    LAPACK_HERMITIAN_MATRIX,
    P_END,
};
static const char *const tensors[] = {"a", "info", NULL};
enum { A, INFO };

static double work(const void *of)
{
    const Lapack *q = of;
    return 4 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
}

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

/* The lower triangle of A, whichever is stored. */
static Matrix lower_triangle(const Matrix *a, bool lower, Arena *arena)
{
    Matrix triangle = matrix_zeros(a->rows, a->columns, arena);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j <= i; j++)
            *matrix_at(&triangle, i, j) =
                lower ? *matrix_at(a, i, j) : scalar_conjugate(*matrix_at(a, j, i));
    return triangle;
}

static void judge_info(Ref *ref, const Matrix *a, DType dtype, int64_t info, bool lower,
                       Arena *arena)
{
    Matrix triangle = lower_triangle(a, lower, arena);
    DefiniteRange range = definite_range(&(DefiniteInput){triangle.values, a->rows, dtype}, arena);
    int64_t last = range.last < a->rows ? range.last : a->rows;
    if (range.may_succeed && (info <= 0 || range.first > last))
        lapack_put_integer(ref, 0, info, 0, 0);
    else
        lapack_put_integer(ref, 0, info, range.first, last);
}

static void judge(Ref *refs, const ReferenceInput *input, bool lower, Arena *arena)
{
    Matrix a = matrix_read(&input->tensors[A], arena);
    Matrix factor = matrix_read(&input->computed[A], arena);
    int64_t info = lapack_integer(&input->computed[INFO], 0);
    for (int64_t i = 0; i < a.rows; i++) {
        TensorRow row = tensor_row(&input->tensors[A], i);
        for (int64_t j = row.first; j < row.end; j++)
            if (info == 0)
                put_element(&refs[A], &a, &factor, lower, i, j);
            else
                matrix_admit(&refs[A], i, j);
    }
    judge_info(&refs[INFO], &a, refs[A].dtype, info, lower, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *a = &input->tensors[A];
    bool lower = q->uplo == UPLO_LOWER;
    ref_allocate_bounded(&refs[A], a->dtype, a, arena);
    ref_allocate_exact(&refs[INFO], &input->tensors[INFO], arena);
    if (input->computed) {
        judge(refs, input, lower, arena);
    } else {
        Matrix factor = matrix_read(a, arena);
        int64_t info = kernel_potrf(&(Kernel){.dtype = a->dtype}, &factor, lower);
        matrix_put(&factor, &refs[A]);
        lapack_put_integer(&refs[INFO], 0, info, 0, q->n);
    }
    ref_limit(&refs[A], a);
}

const OpDesc op_potrf = {
    .name = "potrf",
    .summary = "Cholesky factorization",
    LAPACK_OP_TABLES,
    .shape = lapack_hermitian_shape,
    .work = work,
    .reference = reference,
};
