/* A = L L^H or U^H U, A hermitian and positive definite, of which one triangle is stored, in a
 * square, packed or as a band: its factors, systems A X = B by factors that are given, and both.
 * The triangle is overwritten by the factor, whose diagonal is real and positive, and B by X.
 *
 * |A - L L^H| is bounded element by element (reference/equation.h), and each row of B - A X given
 * the factor (solve.h).  info is the order of a leading minor that was found not to be positive
 * definite, and may be what reference/definite.h says; then nothing is promised of the triangle and
 * of B.  The other triangle must neither be read nor written.  Of numbers that are not finite info
 * is open.  Factors that are given are any triangles with a real diagonal. */
#include "kernel.h"
#include "lapack.h"
#include "reference/definite.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "solve.h"

#define A_OF_N LAPACK_DTYPE_ORDER, LAPACK_UPLO, LAPACK_N("rows and columns of A")

static const Param factor_params[] = {A_OF_N, LAPACK_LDA, LAPACK_HERMITIAN_MATRIX, P_END};
static const Param packed_params[] = {A_OF_N, LAPACK_HERMITIAN_MATRIX, P_END};
static const Param band_params[] = {A_OF_N, LAPACK_K, LAPACK_LDA, LAPACK_HERMITIAN_MATRIX, P_END};
static const Param solve_params[] = {
    A_OF_N, LAPACK_NRHS, LAPACK_LDA, LAPACK_LDB, LAPACK_HERMITIAN_MATRIX, P_END};
static const Param packed_solve_params[] = {A_OF_N, LAPACK_NRHS, LAPACK_LDB,
                                            LAPACK_HERMITIAN_MATRIX, P_END};
static const Param band_solve_params[] = {
    A_OF_N, LAPACK_K, LAPACK_NRHS, LAPACK_LDA, LAPACK_LDB, LAPACK_HERMITIAN_MATRIX, P_END};
static const char *const factor_tensors[] = {"a", "info", NULL};
static const char *const solve_tensors[] = {"a", "b", "info", NULL};
enum { A, B };

typedef struct CholeskyRow {
    LapackRow op;
    LapackStorage storage;
    bool factors, solves;
} CholeskyRow;

static const CholeskyRow rows[] = {
    {{"pbsv", "systems of equations by Cholesky factorization, A a band", band_solve_params,
      solve_tensors, DTYPES_BLAS},
     STORAGE_BAND,
     true,
     true},
    {{"pbtrf", "Cholesky factorization of a band matrix", band_params, factor_tensors, DTYPES_BLAS},
     STORAGE_BAND,
     true,
     false},
    {{"pbtrs", "systems of equations by the Cholesky factor of a band matrix", band_solve_params,
      solve_tensors, DTYPES_BLAS},
     STORAGE_BAND,
     false,
     true},
    {{"posv", "systems of equations by Cholesky factorization", solve_params, solve_tensors,
      DTYPES_BLAS},
     STORAGE_FULL,
     true,
     true},
    {{"potrf", "Cholesky factorization", factor_params, factor_tensors, DTYPES_BLAS},
     STORAGE_FULL,
     true,
     false},
    {{"potrs", "systems of equations by a Cholesky factor", solve_params, solve_tensors,
      DTYPES_BLAS},
     STORAGE_FULL,
     false,
     true},
    {{"ppsv", "systems of equations by Cholesky factorization, A packed", packed_solve_params,
      solve_tensors, DTYPES_BLAS},
     STORAGE_PACKED,
     true,
     true},
    {{"pptrf", "Cholesky factorization of a packed matrix", packed_params, factor_tensors,
      DTYPES_BLAS},
     STORAGE_PACKED,
     true,
     false},
    {{"pptrs", "systems of equations by a packed Cholesky factor", packed_solve_params,
      solve_tensors, DTYPES_BLAS},
     STORAGE_PACKED,
     false,
     true},
};

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const CholeskyRow *row = op->detail;
    const Lapack *q = of;
    *shapes = (Shapes){.count = row->solves ? 3 : 2, .depth = q->n};
    shapes->tensor[A] =
        lapack_stored_triangle(q, row->storage, row->factors ? ROLE_INOUT : ROLE_IN);
    shapes->tensor[A].arrangement = lapack_hermitian_arrangement(q);
    if (row->solves)
        shapes->tensor[B] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_INOUT);
    shapes->tensor[row->solves ? B + 1 : B] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const CholeskyRow *row = op->detail;
    const Lapack *q = of;
    double factor = 4 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
    return (row->factors ? factor : 0) + (row->solves ? lapack_solve_work(of) : 0);
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

static void judge_info(Ref *ref, const Matrix *a, DType dtype, int64_t info, bool lower,
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

/* The factor's references; the factor itself, and info. */
static int64_t refer_factor(Ref *ref, Ref *info_ref, const ReferenceInput *input, bool lower,
                            Matrix *factor, Arena *arena)
{
    const Tensor *given = &input->tensors[A];
    int info_at = op_operand(input->op, "info");
    Matrix a = matrix_read(given, arena);
    ref_allocate_bounded(ref, given->dtype, given, arena);
    if (!input->computed) {
        *factor = matrix_copy(&a, arena);
        int64_t info = kernel_potrf(&(Kernel){.dtype = given->dtype}, factor, lower);
        matrix_put(factor, ref);
        lapack_put_integer(info_ref, 0, info, 0, a.rows);
        return info;
    }
    *factor = matrix_read(&input->computed[A], arena);
    int64_t info = lapack_integer(&input->computed[info_at], 0);
    for (int64_t i = 0; i < a.rows; i++) {
        TensorRow row = tensor_row(given, i);
        for (int64_t j = row.first; j < row.end; j++)
            if (info == 0)
                put_element(ref, &a, factor, lower, i, j);
            else
                matrix_admit(ref, i, j);
    }
    judge_info(info_ref, &a, ref->dtype, info, lower, arena);
    return info;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const CholeskyRow *row = input->op->detail;
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    bool lower = q->uplo == UPLO_LOWER;
    Ref *info_ref = &refs[row->solves ? B + 1 : B];
    int64_t info = 0;
    Matrix factor;
    ref_allocate_exact(info_ref, &given[row->solves ? B + 1 : B], arena);
    if (row->factors) {
        info = refer_factor(&refs[A], info_ref, input, lower, &factor, arena);
        ref_limit(&refs[A], &given[A]);
    } else {
        factor = matrix_read(&given[A], arena);
        lapack_put_integer(info_ref, 0, 0, 0, 0);
    }
    if (!row->solves)
        return;
    if (info != 0) {
        lapack_admit_all(&refs[B], &given[B], arena);
        return;
    }
    Matrix turned = lapack_transposed(&factor, true, arena);
    lapack_solve_reference(&(LapackSolve){.b_ref = &refs[B],
                                          .f = lower ? &factor : &turned,
                                          .g = lower ? &turned : &factor,
                                          .b = &given[B],
                                          .computed = input->computed ? &input->computed[B] : NULL},
                           arena);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL, .shape_of_row = shape, .work_of_row = work,
                              .reference = reference};

OP_TABLE(ops_cholesky)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
