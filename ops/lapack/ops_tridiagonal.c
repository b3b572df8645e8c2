/* Tridiagonal systems of equations: factors with partial pivoting of a general matrix, with dl
 * below, d on and du above the diagonal and du2 above that, as the factors of a band have them
 * (lu.h); factors L D L^H of a hermitian positive definite one, d > 0 and e below or above it,
 * element by element (reference/equation.h); solutions by factors that are given (solve.h), where
 * L D is rounded to binary64; and both.
 *
 * gtsv leaves no multipliers.  Theorem.  Rows count from 1; c = 1, or sqrt 2 of complex types; and
 *     p_k = max(c |d_k| + c^2 |du_k-1|, |dl_k|), q_k = max(c |du_k|, |d_k+1|), s_k = |du_k+1|,
 *     S_k = p_k |x_k| + q_k |x_k+1| + s_k |x_k+2|.
 * Then |b - A x|_i <= gamma (S_k + ... + S_n), k = max(i - 1, 1), gamma = gamma_10, or 2 gamma_24
 * of complex types, but for underflow.
 * Proof.  Step k has a row w of the elimination, with columns k and k + 1 alone, and row k + 1 of
 * A; U_k is the one whose column k is larger, and the other less f U_k the next w, |f| <= c (of
 * complex numbers |re| + |im| is compared).  So w has f du_k or du_k itself in column k + 1, and
 * in column k that of the step before and d_k, of which one is times f: U_k and w are at most p_k,
 * q_k, s_k (growth is at most 2 for real numbers: Higham, Accuracy and Stability of Numerical
 * Algorithms, 2nd ed., section 9.6).  f, f U_k and the difference are rounded, and so for the right
 * side, y_k = U_k x: u (2 |f| S_k + 2 S_k+1) of real types.  Substitution is that of U + E, |E| <=
 * gamma_4 |U| (theorem 8.5, by reciprocals).  Row i of A is U_i-1, or the sum of f U_k from k = i -
 * 1 on as long as rows are exchanged and of the last U_k, so that it gets each step's roundings
 * once: 8 gamma_1 (S_k + ... + S_n), 9 with reciprocals, and right sides are off by as much, times
 * u, in each step, which gamma_10 has as long as 9 n gamma_10 <= 1.  Of complex types a product's
 * error is sqrt 2 gamma_2 and a quotient's sqrt 2 gamma_7, or sqrt 2 gamma_9 by reciprocals, and
 * their sum at most 45 u.  QED.  A step loses 8 eta (2 + p_k + 3 (|x_k| + |x_k+1| + |x_k+2|)) at
 * most to underflow, where no complex pivot is subnormal, whose quotients have no digits.
 *
 * info is the number of the first element of U's diagonal that is exactly 0, which no matrix has
 * whose least singular value is above 8 gamma n |A|, since each column gets the errors of three
 * steps.  Nothing is said of what is left of dl, d and du.
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

static double driver_gamma(DType dtype)
{
    const Format *format = dtype_format(dtype);
    return dtype_components(dtype) == 2 ? 2 * equation_gamma(format, 24)
                                        : equation_gamma(format, 10);
}

/* The size of element (i, j), which may lie outside. */
static double size_at(const Matrix *a, int64_t i, int64_t j)
{
    bool inside = i >= 0 && j >= 0 && i < a->rows && j < a->columns;
    return inside ? scalar_size(*matrix_at(a, i, j)) : 0;
}

/* What step k, from 0, adds to the bound of the rows that it has a part in, over the largest
 * element of A. */
static double step_bound(DType dtype, const Matrix *a, const Matrix *x, int64_t j, int64_t k,
                         double largest)
{
    double squared = dtype_components(dtype) == 2 ? 2 : 1, root = sqrt(squared);
    double p = fmax(root * size_at(a, k, k) + squared * size_at(a, k - 1, k), size_at(a, k + 1, k));
    double q = fmax(root * size_at(a, k, k + 1), size_at(a, k + 1, k + 1));
    double s = size_at(a, k + 1, k + 2);
    double x_k[3] = {size_at(x, k, j), size_at(x, k + 1, j), size_at(x, k + 2, j)};
    double size = p / largest * x_k[0] + q / largest * x_k[1] + s / largest * x_k[2];
    double least = 8 * dtype_format(dtype)->smallest_subnormal;
    double lost = (2 / largest + p / largest) + 3 * (x_k[0] + x_k[1] + x_k[2]) / largest;
    return driver_gamma(dtype) * size + least * lost;
}

/* What A is solved with: its largest element, and whether the theorem holds for the pivots. */
typedef struct Elimination {
    const Matrix *a;
    double largest;
    bool divides;
} Elimination;

static Elimination elimination_of(DType dtype, const Matrix *a, const Matrix *d)
{
    const Format *format = dtype_format(dtype);
    double largest = largest_of(a), n = (double)a->rows;
    Elimination e = {.a = a, .largest = largest};
    e.divides = largest > format->smallest_normal && largest < format->largest / 16 &&
                9 * n * driver_gamma(dtype) <= 1;
    for (int64_t i = 0; dtype_components(dtype) == 2 && i < d->rows; i++)
        e.divides = e.divides && scalar_size(*matrix_at(d, i, 0)) >= format->smallest_normal;
    return e;
}

/* B - A X of row i over the largest element of A, each part; or finite numbers where the theorem
 * says nothing. */
static void put_row(Ref *ref, const Elimination *e, const Matrix *b, const Matrix *x, int64_t i,
                    int64_t j, double bound)
{
    const Matrix *a = e->a;
    Scalar given = *matrix_at(b, i, j), got = *matrix_at(x, i, j);
    WideComplex rest = {{given.re, 0}, {given.im, 0}};
    for (int64_t k = i > 0 ? i - 1 : 0; k < a->rows && k <= i + 1 && bound >= 0; k++)
        wide_complex_add_product(&rest, -1, *matrix_at(a, i, k), *matrix_at(x, k, j));
    for (int part = 0; part < dtype_components(ref->dtype); part++) {
        size_t at = matrix_element(ref, i, j) + (size_t)part;
        double off = (part ? rest.im.high : rest.re.high) / e->largest;
        if (bound >= 0)
            matrix_put_rest(ref, at, part ? got.im : got.re, off, 0x1p-20 * bound, bound);
        else
            ref_set_classes(ref, at, CLASS_ANY);
    }
}

static void judge_column(Ref *ref, const Elimination *e, const Matrix *b, const Matrix *x,
                         int64_t j)
{
    const Format *format = dtype_format(ref->dtype);
    int64_t n = x->rows;
    double sum = 0, bound = 0;
    for (int64_t i = 0; i < n; i++)
        sum += size_at(x, i, j);
    double size = e->largest * sum * (double)(n + 1);
    bool known = e->divides && isfinite(sum) && size < format->largest / 64;
    if (n > 0)
        bound = step_bound(ref->dtype, e->a, x, j, n - 1, e->largest);
    for (int64_t i = n - 1; i >= 0; i--) {
        if (i > 0)
            bound += step_bound(ref->dtype, e->a, x, j, i - 1, e->largest);
        put_row(ref, e, b, x, i, j, known ? bound : -1);
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
        zero =
            s.known && least > 8 * driver_gamma(dtype) * s.norm * (double)a.rows + step ? 0 : zero;
    }
    lapack_put_integer(&refs[INFO], 0, info, zero, zero);
    Elimination elimination = elimination_of(dtype, &a, &d);
    for (int64_t j = 0; j < x.columns && info == 0 && matrix_is_finite(&b); j++)
        judge_column(&refs[B], &elimination, &b, &x, j);
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
