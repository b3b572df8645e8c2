/* Tridiagonal systems of equations: factors with partial pivoting of a general matrix, with dl
 * below, d on and du above the diagonal and du2 above that, as the factors of a band have them
 * (lu.h); factors L D L^H of a hermitian positive definite one, d > 0 and e below or above it,
 * element by element (reference/equation.h); solutions by factors that are given (solve.h), where
 * L D is rounded to binary64; and both.
 *
 * gtsv leaves no multipliers.  Theorem.  M the largest |re| + |im| of A,
 *     |b - A x|_i <= 80 (n + 1) gamma_5 M |x|_1.
 * Proof.  A step subtracts f times the pivot's row from the other one, |f| <= sqrt 2, of which at
 * least one is a row of A; so no |re| + |im| in the rows of U is above 3 M (growth is at most 2 for
 * real numbers: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 9.6).  Its
 * roundings are an error of that other row, at most 8 M gamma_3 in three columns, and of its right
 * side; each row of A gets at most three of the former in a column.  Right sides at the end are U
 * x, at most 9 M |x|_1, and those before are sums of these times f, so that their errors are at
 * most 55 M |x|_1 gamma_3 in each of n steps; substitution is that of U + E, |E| <= gamma_5 |U|
 * (theorem 8.5), multiplied by numbers of L.  QED.  Of complex types gamma is 2 gamma of twice the
 * count. info is the number of the first element of U's diagonal that is exactly 0, which no matrix
 * has whose least singular value is above that bound.  Nothing is said of what is left of dl, d and
 * du.
 *
 * info of pttrf and ptsv is the number of the first d that is not positive, which with those before
 * it is as the equations say; nothing is said of what follows. */
#include <limits.h>
#include <math.h>

#include "kernel.h"
#include "lapack.h"
#include "lu.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "singular.h"
#include "solve.h"
#include "tridiagonal.h"

#define A_OF_N LAPACK_N("rows and columns of A")

static const Param factor_params[] = {LAPACK_DTYPE, A_OF_N, P_END};
static const Param solve_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_TRANS, LAPACK_N("rows and columns of A"),
    LAPACK_NRHS,        LAPACK_LDB,   P_END};
static const Param driver_params[] = {LAPACK_DTYPE_ORDER, A_OF_N, LAPACK_NRHS, LAPACK_LDB, P_END};
static const Param definite_factor_params[] = {LAPACK_DTYPE, A_OF_N, TRIDIAGONAL_DEFINITE, P_END};
static const Param definite_solve_params[] = {
    LAPACK_DTYPE_ORDER,   LAPACK_UPLO, LAPACK_N("rows and columns of A"), LAPACK_NRHS, LAPACK_LDB,
    TRIDIAGONAL_DEFINITE, P_END};
static const Param definite_driver_params[] = {
    LAPACK_DTYPE_ORDER, A_OF_N, LAPACK_NRHS, LAPACK_LDB, TRIDIAGONAL_DEFINITE, P_END};
static const char *const factor_tensors[] = {"dl", "d", "du", "du2", "ipiv", "info", NULL};
static const char *const solve_tensors[] = {"dl", "d", "du", "du2", "ipiv", "b", "info", NULL};
static const char *const driver_tensors[] = {"dl", "d", "du", "b", "info", NULL};
static const char *const definite_factor_tensors[] = {"d", "e", "info", NULL};
static const char *const definite_solve_tensors[] = {"d", "e", "b", "info", NULL};
enum { DL, D, DU, DU2, IPIV };
enum { DEFINITE_D, DEFINITE_E };

typedef struct TridiagonalRow {
    LapackRow op;
    bool definite, factors, solves;
} TridiagonalRow;

static const TridiagonalRow rows[] = {
    {{"gtsv", "tridiagonal systems of equations", driver_params, driver_tensors, DTYPES_BLAS},
     false,
     true,
     true},
    {{"gttrf", "LU factorization of a tridiagonal matrix", factor_params, factor_tensors,
      DTYPES_BLAS},
     false,
     true,
     false},
    {{"gttrs", "systems of equations by LU factors of a tridiagonal matrix", solve_params,
      solve_tensors, DTYPES_BLAS},
     false,
     false,
     true},
    {{"ptsv", "definite tridiagonal systems of equations", definite_driver_params,
      definite_solve_tensors, DTYPES_BLAS},
     true,
     true,
     true},
    {{"pttrf", "factorization of a definite tridiagonal matrix", definite_factor_params,
      definite_factor_tensors, DTYPES_BLAS},
     true,
     true,
     false},
    {{"pttrs", "systems of equations by the factors of a definite tridiagonal matrix",
      definite_solve_params, definite_solve_tensors, DTYPES_BLAS},
     true,
     false,
     true},
};

/* Real matrices know no conjugate, so that it does not matter on which side e is. */
static void normalise(const OpDesc *op, void *of)
{
    const TridiagonalRow *row = op->detail;
    Lapack *q = of;
    if (row->definite && lapack_is_real(q))
        q->uplo = UPLO_UPPER;
}

static void shape_general(const TridiagonalRow *row, const Lapack *q, Shapes *shapes)
{
    DType dtype = (DType)q->dtype;
    TensorRole role = row->factors ? ROLE_INOUT : ROLE_IN;
    bool keeps = !(row->factors && row->solves);
    shapes->tensor[DL] = tridiagonal_diagonal(q, dtype, 1, role);
    shapes->tensor[D] = tridiagonal_diagonal(q, dtype, 0, role);
    shapes->tensor[DU] = tridiagonal_diagonal(q, dtype, 1, role);
    shapes->count = DU + 1;
    if (keeps) {
        shapes->tensor[DU2] = tridiagonal_diagonal(q, dtype, 2, row->factors ? ROLE_OUT : ROLE_IN);
        shapes->tensor[IPIV] = row->factors ? lapack_integers(q->n) : lapack_pivots(q->n);
        if (!row->factors)
            shapes->tensor[IPIV].arrangement = ARRANGED_NEAR_PIVOTS;
        shapes->count = IPIV + 1;
    }
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const TridiagonalRow *row = op->detail;
    const Lapack *q = of;
    *shapes = (Shapes){.depth = q->n};
    if (row->definite) {
        TensorRole role = row->factors ? ROLE_INOUT : ROLE_IN;
        shapes->tensor[DEFINITE_D] =
            tridiagonal_diagonal(q, dtype_component((DType)q->dtype), 0, role);
        shapes->tensor[DEFINITE_E] = tridiagonal_diagonal(q, (DType)q->dtype, 1, role);
        shapes->count = DEFINITE_E + 1;
        if (q->matrix == 0) {
            shapes->tensor[DEFINITE_D].arrangement = ARRANGED_ABOVE_ONE;
            shapes->tensor[DEFINITE_E].arrangement = ARRANGED_BELOW_HALF;
        }
    } else {
        shape_general(row, q, shapes);
    }
    if (row->solves)
        shapes->tensor[shapes->count++] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_INOUT);
    shapes->tensor[shapes->count++] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const TridiagonalRow *row = op->detail;
    const Lapack *q = of;
    double factor = 2 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
    return (row->factors && !row->definite ? factor : 0) +
           (row->solves ? lapack_solve_work(of) : 8 * lapack_parts(q) * (double)(q->n + 1));
}

static void refer_factors(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { INFO = IPIV + 1 };
    const Tensor *before = input->tensors, *after = input->computed;
    Matrix a = tridiagonal_whole(before, NULL, arena);
    const TridiagonalLu of = {.refs = refs,
                              .info_ref = &refs[INFO],
                              .places = before,
                              .info = &before[INFO],
                              .computed = after,
                              .computed_info = after ? &after[INFO] : NULL};
    LuFactors factors;
    (void)tridiagonal_lu(&of, &a, &factors, arena);
}

static void refer_solution(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { B = IPIV + 1 };
    const Lapack *q = input->params;
    LuFactors factors = {.lu = tridiagonal_whole(input->tensors, &input->tensors[DU2], arena),
                         .pivots = lapack_read_pivots(&input->tensors[IPIV], arena)};
    lapack_exchange_multipliers(&factors.lu, factors.pivots, arena);
    ref_allocate_exact(&refs[B + 1], &input->tensors[B + 1], arena);
    lapack_put_integer(&refs[B + 1], 0, 0, 0, 0);
    lapack_lu_solve(&refs[B], &factors, q->trans, &input->tensors[B],
                    input->computed ? &input->computed[B] : NULL, arena);
}

static double largest_of(const Matrix *a)
{
    double largest = 0;
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        largest = fmax(largest, scalar_size(a->values[i]));
    return largest;
}

/* 80 (n + 1) gamma_5. */
static double driver_factor(DType dtype, int64_t n)
{
    const Format *format = dtype_format(dtype);
    double gamma =
        dtype_components(dtype) == 2 ? 2 * equation_gamma(format, 10) : equation_gamma(format, 5);
    return 80 * (double)(n + 1) * gamma;
}

/* B - A X of one column over M, or finite numbers where that says nothing. */
static void judge_column(Ref *ref, const Matrix *a, const Matrix *b, const Matrix *x, int64_t j)
{
    const Format *format = dtype_format(ref->dtype);
    double largest = largest_of(a), sum = 0, n = (double)a->rows;
    for (int64_t i = 0; i < a->rows; i++)
        sum += scalar_size(*matrix_at(x, i, j));
    double size = largest * sum * (n + 1), low = format->smallest_normal;
    bool known = isfinite(sum) && size < format->largest / 64 && largest > low;
    double bound = driver_factor(ref->dtype, a->rows) * sum +
                   16 * (n + 4) * format->smallest_subnormal * (1 + 1 / largest);
    for (int64_t i = 0; i < a->rows; i++) {
        Scalar given = *matrix_at(b, i, j), got = *matrix_at(x, i, j);
        WideComplex rest = {{given.re, 0}, {given.im, 0}};
        for (int64_t k = i > 0 ? i - 1 : 0; k < a->rows && k <= i + 1 && known; k++)
            wide_complex_add_product(&rest, -1, *matrix_at(a, i, k), *matrix_at(x, k, j));
        for (int part = 0; part < dtype_components(ref->dtype); part++) {
            size_t at = matrix_element(ref, i, j) + (size_t)part;
            double off = (part ? rest.im.high : rest.re.high) / largest;
            if (known)
                matrix_put_rest(ref, at, part ? got.im : got.re, off, 0x1p-20 * bound, bound);
            else
                ref_set_classes(ref, at, CLASS_ANY);
        }
    }
}

static void refer_driver(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { B = DU + 1, INFO };
    const Tensor *given = input->tensors, *after = input->computed;
    DType dtype = given[D].dtype;
    Matrix a = tridiagonal_whole(given, NULL, arena), b = matrix_read(&given[B], arena);
    for (int i = DL; i < B; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    if (!after) {
        LuFactors factors = {.lu = matrix_copy(&a, arena),
                             .pivots = arena_take(arena, (size_t)a.rows + 1, sizeof(int64_t))};
        int64_t zero = kernel_getrf(&(Kernel){.dtype = dtype}, &factors.lu, factors.pivots);
        lapack_put_integer(&refs[INFO], 0, zero, zero, zero);
        for (int64_t i = 0; i < a.rows; i++)
            for (int part = 0; part < dtype_components(dtype); part++) {
                Scalar u = *matrix_at(&factors.lu, i, i);
                ref_set_exact(&refs[D], matrix_element(&refs[D], i, 0) + (size_t)part,
                              part ? u.im : u.re, MATCH_VALUE);
            }
        if (zero)
            lapack_admit_all(&refs[B], &given[B], arena);
        else
            lapack_lu_solve(&refs[B], &factors, TRANSPOSE_NONE, &given[B], NULL, arena);
        return;
    }
    lapack_admit_all(&refs[B], &given[B], arena);
    Matrix d = matrix_read(&after[D], arena), x = matrix_read(&after[B], arena);
    int64_t info = lapack_integer(&after[INFO], 0), zero = 0;
    for (int64_t i = a.rows - 1; i >= 0; i--)
        zero = scalar_is_zero(*matrix_at(&d, i, 0)) ? i + 1 : zero;
    if (!matrix_is_finite(&a) || !matrix_is_finite(&d)) {
        lapack_put_integer(&refs[INFO], 0, info, 0, INT_MAX);
        return;
    }
    if (zero) {
        Spectrum s = singular_spectrum(&a, arena);
        double least = s.values[a.rows] - s.error;
        double step = 16 * (double)(a.rows + 4) * dtype_format(dtype)->smallest_subnormal;
        zero = s.known && least > driver_factor(dtype, a.rows) * s.norm * (double)a.rows + step
                   ? 0
                   : zero;
    }
    lapack_put_integer(&refs[INFO], 0, info, zero, zero);
    for (int64_t j = 0; j < x.columns && info == 0 && matrix_is_finite(&b); j++)
        judge_column(&refs[B], &a, &b, &x, j);
}

static void refer_definite(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { B = DEFINITE_E + 1 };
    const TridiagonalRow *row = input->op->detail;
    const Lapack *q = input->params;
    const Tensor *given = input->tensors, *after = input->computed;
    int info_at = row->solves ? B + 1 : B;
    Matrix d = matrix_read(&given[DEFINITE_D], arena), e = matrix_read(&given[DEFINITE_E], arena);
    int64_t info = 0;
    ref_allocate_exact(&refs[info_at], &given[info_at], arena);
    const TridiagonalCholesky of = {.refs = refs,
                                    .info_ref = &refs[info_at],
                                    .places = given,
                                    .computed = after,
                                    .info = after ? lapack_integer(&after[info_at], 0) : 0};
    if (row->factors)
        info = tridiagonal_cholesky(&of, &d, &e, arena);
    else
        lapack_put_integer(&refs[info_at], 0, 0, 0, 0);
    if (!row->solves)
        return;
    if (info != 0) {
        lapack_admit_all(&refs[B], &given[B], arena);
        return;
    }
    Matrix f, g;
    tridiagonal_definite_factors(&d, &e, !row->factors && q->uplo == UPLO_UPPER, &f, &g, arena);
    lapack_solve_reference(&(LapackSolve){.b_ref = &refs[B],
                                          .f = &f,
                                          .g = &g,
                                          .b = &given[B],
                                          .computed = input->computed ? &input->computed[B] : NULL},
                           arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const TridiagonalRow *row = input->op->detail;
    if (row->definite)
        refer_definite(refs, input, arena);
    else if (row->factors && row->solves)
        refer_driver(refs, input, arena);
    else if (row->factors)
        refer_factors(refs, input, arena);
    else
        refer_solution(refs, input, arena);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL, .normalise_of_row = normalise,
                              .shape_of_row = shape, .work_of_row = work, .reference = reference};

OP_TABLE(ops_tridiagonal)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
