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

/* Off-diagonals that are small beside the diagonal, or any. */
static const char *const definite_matrices[] = {"definite", "free", NULL};
#define DEFINITE                                                                                   \
    P_CHOICE(Lapack, matrix, definite_matrices, "what the data of d and e are made into")
#define A_OF_N LAPACK_N("rows and columns of A")

static const Param factor_params[] = {LAPACK_DTYPE, A_OF_N, P_END};
static const Param solve_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_TRANS, LAPACK_N("rows and columns of A"),
    LAPACK_NRHS,        LAPACK_LDB,   P_END};
static const Param driver_params[] = {LAPACK_DTYPE_ORDER, A_OF_N, LAPACK_NRHS, LAPACK_LDB, P_END};
static const Param definite_factor_params[] = {LAPACK_DTYPE, A_OF_N, DEFINITE, P_END};
static const Param definite_solve_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_UPLO, LAPACK_N("rows and columns of A"), LAPACK_NRHS, LAPACK_LDB,
    DEFINITE,           P_END};
static const Param definite_driver_params[] = {LAPACK_DTYPE_ORDER, A_OF_N,   LAPACK_NRHS,
                                               LAPACK_LDB,         DEFINITE, P_END};
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

static TensorSpec diagonal_of(const Lapack *q, DType dtype, int64_t beside, TensorRole role)
{
    int64_t length = q->n > beside ? q->n - beside : 0;
    return blas_role(blas_vector(&(Blas){.dtype = dtype}, length, 1), role);
}

static void shape_general(const TridiagonalRow *row, const Lapack *q, Shapes *shapes)
{
    DType dtype = (DType)q->dtype;
    TensorRole role = row->factors ? ROLE_INOUT : ROLE_IN;
    bool keeps = !(row->factors && row->solves);
    shapes->tensor[DL] = diagonal_of(q, dtype, 1, role);
    shapes->tensor[D] = diagonal_of(q, dtype, 0, role);
    shapes->tensor[DU] = diagonal_of(q, dtype, 1, role);
    shapes->count = DU + 1;
    if (keeps) {
        shapes->tensor[DU2] = diagonal_of(q, dtype, 2, row->factors ? ROLE_OUT : ROLE_IN);
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
        shapes->tensor[DEFINITE_D] = diagonal_of(q, dtype_component((DType)q->dtype), 0, role);
        shapes->tensor[DEFINITE_E] = diagonal_of(q, (DType)q->dtype, 1, role);
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

/* Sets the elements of a diagonal, from (row, column) on. */
static void set_diagonal(Matrix *a, int64_t row, int64_t column, const Tensor *values, Arena *arena)
{
    Matrix from = matrix_read(values, arena);
    for (int64_t i = 0; i < from.rows; i++)
        *matrix_at(a, row + i, column + i) = *matrix_at(&from, i, 0);
}

/* The whole matrix; du2: NULL where there is none. */
static Matrix whole(const Tensor *tensors, const Tensor *du2, Arena *arena)
{
    int64_t n = tensors[D].extent[0];
    Matrix a = matrix_zeros(n, n, arena);
    set_diagonal(&a, 0, 0, &tensors[D], arena);
    if (n > 1) {
        set_diagonal(&a, 1, 0, &tensors[DL], arena);
        set_diagonal(&a, 0, 1, &tensors[DU], arena);
    }
    if (du2 && n > 2)
        set_diagonal(&a, 0, 2, du2, arena);
    return a;
}

/* The same as an operand. */
static Tensor stored(const Matrix *a, DType dtype, Arena *arena)
{
    Tensor to = tensor_matrix(
        dtype, a->rows, a->columns, a->columns, 1,
        arena_take_zeroed(arena, (size_t)(a->rows * a->columns) + 1, dtype_size(dtype)));
    for (int64_t i = 0; i < a->rows * a->columns; i++) {
        char *at = (char *)to.origin + i * (int64_t)dtype_size(dtype);
        dtype_store(dtype, at, 0, a->values[i].re);
        if (dtype_components(dtype) == 2)
            dtype_store(dtype, at, 1, a->values[i].im);
    }
    return to;
}

/* A diagonal of the reference of the whole matrix. */
static void gather(Ref *ref, const Ref *all, int64_t row, int64_t column, int64_t length,
                   Arena *arena)
{
    int64_t n = (int64_t)all->columns;
    Tensor order = tensor_matrix(all->dtype, length, 1, n + 1, 1, NULL);
    ref_gather_from(ref, all, length > 0 ? (size_t)(row * n + column) : 0, &order, arena);
}

static void refer_factors(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { INFO = IPIV + 1 };
    const Tensor *before = input->tensors, *after = input->computed;
    DType dtype = before[D].dtype;
    int64_t n = before[D].extent[0];
    Matrix a = whole(before, NULL, arena);
    Tensor a_view = stored(&a, dtype, arena), lu_view = {0};
    Ref all = {0};
    if (after) {
        Matrix lu = whole(after, &after[DU2], arena);
        lu_view = stored(&lu, dtype, arena);
    }
    (void)lapack_lu_reference(&(LapackLu){.a_ref = &all,
                                          .ipiv_ref = &refs[IPIV],
                                          .info_ref = &refs[INFO],
                                          .a = &a_view,
                                          .ipiv = &before[IPIV],
                                          .info = &before[INFO],
                                          .computed_a = after ? &lu_view : NULL,
                                          .computed_ipiv = after ? &after[IPIV] : NULL,
                                          .computed_info = after ? &after[INFO] : NULL,
                                          .band = true,
                                          .kl = 1,
                                          .ku = 1},
                              NULL, arena);
    gather(&refs[DL], &all, 1, 0, before[DL].extent[0], arena);
    gather(&refs[D], &all, 0, 0, n, arena);
    gather(&refs[DU], &all, 0, 1, before[DU].extent[0], arena);
    gather(&refs[DU2], &all, 0, 2, before[DU2].extent[0], arena);
}

static void refer_solution(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { B = IPIV + 1 };
    const Lapack *q = input->params;
    LuFactors factors = {.lu = whole(input->tensors, &input->tensors[DU2], arena),
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
    Matrix a = whole(given, NULL, arena), b = matrix_read(&given[B], arena);
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

/* d and e of a definite matrix; info, or 0. */
static int64_t compute_definite(DType dtype, Matrix *d, Matrix *e)
{
    const Kernel kernel = {.dtype = dtype};
    for (int64_t i = 0; i < d->rows; i++) {
        Scalar pivot = *matrix_at(d, i, 0);
        if (!(pivot.re > 0))
            return i + 1;
        if (i + 1 == d->rows)
            break;
        Scalar before = *matrix_at(e, i, 0);
        *matrix_at(e, i, 0) = kernel_sum(&kernel, &(KernelSum){.given = before, .divisor = pivot});
        Scalar next = kernel_sum(&kernel, &(KernelSum){.given = *matrix_at(d, i + 1, 0),
                                                       .divisor = {1, 0},
                                                       .x = matrix_at(e, i, 0),
                                                       .y = &before,
                                                       .count = 1,
                                                       .conjugate_y = true});
        *matrix_at(d, i + 1, 0) = (Scalar){next.re, 0};
    }
    return 0;
}

/* Elements up to the first d that is not positive, whose number is returned. */
static int64_t judge_definite(Ref *refs, const Matrix *d, const Matrix *e, const Matrix *found_d,
                              const Matrix *found_e)
{
    for (int64_t i = 0; i < d->rows; i++) {
        Scalar pivot = *matrix_at(found_d, i, 0);
        Equation equation =
            equation_of(*matrix_at(d, i, 0), i > 0 ? END_QUOTIENT_BY_ROOT : END_QUOTIENT);
        if (i > 0)
            equation_subtract(&equation, *matrix_at(found_e, i - 1, 0),
                              scalar_conjugate(*matrix_at(e, i - 1, 0)));
        equation_put(&equation, &refs[DEFINITE_D], (size_t)i, (Scalar){1, 0}, pivot);
        if (!(pivot.re > 0))
            return i + 1;
        if (i + 1 == d->rows)
            break;
        equation = equation_of(*matrix_at(e, i, 0), END_QUOTIENT);
        equation_put(&equation, &refs[DEFINITE_E], matrix_element(&refs[DEFINITE_E], i, 0), pivot,
                     *matrix_at(found_e, i, 0));
    }
    return 0;
}

/* The factors in d and e; info. */
static int64_t refer_definite_factors(Ref *refs, const ReferenceInput *input, int info_at,
                                      Matrix *d, Matrix *e, Arena *arena)
{
    const Tensor *given = input->tensors, *after = input->computed;
    DType dtype = given[DEFINITE_E].dtype;
    Ref *info_ref = &refs[info_at];
    lapack_admit_all(&refs[DEFINITE_D], &given[DEFINITE_D], arena);
    lapack_admit_all(&refs[DEFINITE_E], &given[DEFINITE_E], arena);
    if (!after) {
        int64_t info = compute_definite(dtype, d, e);
        matrix_put(d, &refs[DEFINITE_D]);
        matrix_put(e, &refs[DEFINITE_E]);
        lapack_put_integer(info_ref, 0, info, info, info);
        return info;
    }
    bool finite = matrix_is_finite(d) && matrix_is_finite(e);
    Matrix found_d = matrix_read(&after[DEFINITE_D], arena);
    Matrix found_e = matrix_read(&after[DEFINITE_E], arena);
    int64_t info = lapack_integer(&after[info_at], 0);
    finite = finite && matrix_is_finite(&found_d) && matrix_is_finite(&found_e);
    int64_t stopped = judge_definite(refs, d, e, &found_d, &found_e);
    lapack_put_integer(info_ref, 0, info, finite ? stopped : 0, finite ? stopped : d->rows);
    *d = found_d;
    *e = found_e;
    return info;
}

static void refer_definite(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { B = DEFINITE_E + 1 };
    const TridiagonalRow *row = input->op->detail;
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    int info_at = row->solves ? B + 1 : B;
    Matrix d = matrix_read(&given[DEFINITE_D], arena), e = matrix_read(&given[DEFINITE_E], arena);
    int64_t info = 0;
    ref_allocate_exact(&refs[info_at], &given[info_at], arena);
    if (row->factors)
        info = refer_definite_factors(refs, input, info_at, &d, &e, arena);
    else
        lapack_put_integer(&refs[info_at], 0, 0, 0, 0);
    if (!row->solves)
        return;
    if (info != 0) {
        lapack_admit_all(&refs[B], &given[B], arena);
        return;
    }
    bool above = !row->factors && q->uplo == UPLO_UPPER;
    Matrix f = matrix_zeros(q->n, q->n, arena), g = matrix_identity(q->n, arena);
    for (int64_t i = 0; i < q->n; i++) {
        double pivot = matrix_at(&d, i, 0)->re;
        *matrix_at(&f, i, i) = (Scalar){pivot, 0};
        if (i + 1 == q->n)
            break;
        Scalar beside = *matrix_at(&e, i, 0);
        Scalar below = above ? scalar_conjugate(beside) : beside;
        *matrix_at(&f, i + 1, i) = (Scalar){below.re * pivot, below.im * pivot};
        *matrix_at(&g, i, i + 1) = scalar_conjugate(below);
    }
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
