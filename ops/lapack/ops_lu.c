/* P A = L U with rows exchanged so that no element of L exceeds 1 (partial pivoting), of a whole
 * matrix or of a band: the factors, systems op(A) X = B by factors that are given, and both.  A is
 * overwritten by L, without its diagonal of ones, and U, and B by X.
 *
 * The factors are judged as lu.h says, and X by the residual of each row given the factors that
 * were computed (solve.h).  Where info says that U has a 0 on its diagonal, nothing is said of B.
 * Factors that are given are any numbers, and ipiv any rows: those of B are exchanged in their
 * order, and of X backwards where A is transposed.  Of a band ipiv(k) is k or k + 1. */
#include "factors.h"
#include "lu.h"
#include "reference/function.h"
#include "solve.h"

#define SQUARE LAPACK_DTYPE_ORDER, LAPACK_N("rows and columns of A")

static const Param factor_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_M("rows of A"), LAPACK_N("columns of A"),
    LAPACK_LDA,         LAPACK_MATRIX,         P_END};
static const Param band_params[] = {LAPACK_DTYPE_ORDER,
                                    LAPACK_M("rows of A"),
                                    LAPACK_N("columns of A"),
                                    LAPACK_KL,
                                    LAPACK_KU,
                                    LAPACK_LDA,
                                    LAPACK_MATRIX,
                                    P_END};
static const Param driver_params[] = {SQUARE,     LAPACK_NRHS,   LAPACK_LDA,
                                      LAPACK_LDB, LAPACK_MATRIX, P_END};
static const Param band_driver_params[] = {SQUARE,     LAPACK_KL,  LAPACK_KU,     LAPACK_NRHS,
                                           LAPACK_LDA, LAPACK_LDB, LAPACK_MATRIX, P_END};
static const Param solve_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_TRANS, LAPACK_N("rows and columns of A"), LAPACK_NRHS,
    LAPACK_LDA,         LAPACK_LDB,   LAPACK_HERMITIAN_MATRIX,           P_END,
};
static const Param band_solve_params[] = {
    LAPACK_DTYPE_ORDER,
    LAPACK_TRANS,
    LAPACK_N("rows and columns of A"),
    LAPACK_KL,
    LAPACK_KU,
    LAPACK_NRHS,
    LAPACK_LDA,
    LAPACK_LDB,
    LAPACK_MATRIX,
    P_END,
};
static const char *const factor_tensors[] = {"a", "ipiv", "info", NULL};
static const char *const solve_tensors[] = {"a", "ipiv", "b", "info", NULL};
enum { A, IPIV, B };

typedef struct LuRow {
    LapackRow op;
    bool band, factors, solves;
} LuRow;

static const LuRow rows[] = {
    {{"gbsv", "systems of equations by LU factorization, A a band", band_driver_params,
      solve_tensors, DTYPES_BLAS},
     true,
     true,
     true},
    {{"gbtrf", "LU factorization of a band matrix with partial pivoting", band_params,
      factor_tensors, DTYPES_BLAS},
     true,
     true,
     false},
    {{"gbtrs", "systems of equations by the LU factors of a band matrix", band_solve_params,
      solve_tensors, DTYPES_BLAS},
     true,
     false,
     true},
    {{"gesv", "systems of equations by LU factorization", driver_params, solve_tensors,
      DTYPES_BLAS},
     false,
     true,
     true},
    {{"getrf", "LU factorization with partial pivoting", factor_params, factor_tensors,
      DTYPES_BLAS},
     false,
     true,
     false},
    {{"getrs", "systems of equations by LU factors", solve_params, solve_tensors, DTYPES_BLAS},
     false,
     false,
     true},
};

static int64_t rows_of(const LuRow *row, const Lapack *q)
{
    return row->solves ? q->n : q->m;
}

static int info_of(const LuRow *row)
{
    return row->solves ? B + 1 : B;
}

/* Without a diagonal below the main one there is nothing to exchange.  Columns that lie beyond a
 * band are empty: for more than one of them gbtrf clears room that no element has. */
static void normalise(const OpDesc *op, void *of)
{
    const LuRow *row = op->detail;
    Lapack *q = of;
    if (row->band && !row->factors && q->kl == 0)
        q->kl = 1;
    if (row->band && !row->solves && q->n > q->m + q->ku + 1)
        q->n = q->m + q->ku + 1;
}

/* Of a band there is room for U, which gains kl diagonals. */
static TensorSpec matrix_of(const LuRow *row, const Lapack *q)
{
    TensorRole role = row->factors ? ROLE_INOUT : ROLE_IN;
    int64_t m = rows_of(row, q);
    if (!row->band)
        return lapack_matrix(q, m, q->n, q->lda, role);
    return lapack_band(q, m, q->n, q->kl, q->kl + q->ku, role);
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const LuRow *row = op->detail;
    const Lapack *q = of;
    int64_t m = rows_of(row, q), steps = m < q->n ? m : q->n;
    *shapes = (Shapes){.count = info_of(row) + 1, .depth = steps};
    shapes->tensor[A] = matrix_of(row, q);
    shapes->tensor[A].arrangement =
        row->factors || row->band ? lapack_arrangement(q) : lapack_hermitian_arrangement(q);
    shapes->tensor[IPIV] = row->factors ? lapack_integers(steps) : lapack_pivots(q->n);
    if (row->band && !row->factors)
        shapes->tensor[IPIV].arrangement = ARRANGED_NEAR_PIVOTS;
    if (row->solves)
        shapes->tensor[B] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_INOUT);
    shapes->tensor[info_of(row)] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const LuRow *row = op->detail;
    const Lapack *q = of;
    int64_t m = rows_of(row, q), steps = m < q->n ? m : q->n;
    double factor = 2 * lapack_parts(q) * (double)(m * q->n) * (double)(steps + 8);
    return (row->factors ? factor : 0) + (row->solves ? lapack_solve_work(of) : 0);
}

static LapackLu lu_of(const LuRow *row, Ref *refs, const ReferenceInput *input)
{
    const Lapack *q = input->params;
    const Tensor *before = input->tensors, *after = input->computed;
    int info = info_of(row);
    return (LapackLu){.a_ref = &refs[A],
                      .ipiv_ref = &refs[IPIV],
                      .info_ref = &refs[info],
                      .a = &before[A],
                      .ipiv = &before[IPIV],
                      .info = &before[info],
                      .computed_a = after ? &after[A] : NULL,
                      .computed_ipiv = after ? &after[IPIV] : NULL,
                      .computed_info = after ? &after[info] : NULL,
                      .band = row->band,
                      .kl = q->kl,
                      .ku = q->ku};
}

static bool refer_factors(const LuRow *row, Ref *refs, const ReferenceInput *input,
                          LuFactors *factors, Arena *arena)
{
    const LapackLu lu = lu_of(row, refs, input);
    return lapack_lu_reference(&lu, factors, arena);
}

static void read_factors(const LuRow *row, Ref *refs, const ReferenceInput *input,
                         LuFactors *factors, Arena *arena)
{
    const Tensor *given = input->tensors;
    factors->lu = matrix_read(&given[A], arena);
    factors->pivots = lapack_read_pivots(&given[IPIV], arena);
    if (row->band)
        lapack_exchange_multipliers(&factors->lu, factors->pivots, arena);
    ref_allocate_exact(&refs[info_of(row)], &given[info_of(row)], arena);
    lapack_put_integer(&refs[info_of(row)], 0, 0, 0, 0);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const LuRow *row = input->op->detail;
    const Lapack *q = input->params;
    bool solvable = true;
    LuFactors factors;
    if (row->factors)
        solvable = refer_factors(row, refs, input, &factors, arena);
    else
        read_factors(row, refs, input, &factors, arena);
    if (!row->solves)
        return;
    if (!solvable) {
        lapack_admit_all(&refs[B], &input->tensors[B], arena);
        return;
    }
    lapack_lu_solve(&refs[B], &factors, row->factors ? TRANSPOSE_NONE : q->trans,
                    &input->tensors[B], input->computed ? &input->computed[B] : NULL, arena);
}

/* Integers, and whether they say that there are factors. */
static bool check_integers(const LuRow *row, FactorChecks *checks, const ReferenceInput *input,
                           Arena *arena)
{
    int info = info_of(row);
    const Tensor *a = &input->computed[A], *given = input->tensors;
    ref_allocate_exact(&checks->refs[info], &given[info], arena);
    checks->judged |= 1u << info;
    if (!row->factors) {
        lapack_put_integer(&checks->refs[info], 0, 0, 0, 0);
        return true;
    }
    ref_allocate_exact(&checks->refs[IPIV], &given[IPIV], arena);
    checks->judged |= 1u << IPIV;
    int64_t steps = given[IPIV].extent[0];
    Scalar *diagonal = arena_take(arena, (size_t)steps + 1, sizeof *diagonal);
    for (int64_t k = 0; k < steps; k++)
        diagonal[k] = stored_element(&(StoredMatrix){.view = *a}, k, k);
    const LapackLu lu = lu_of(row, checks->refs, input);
    lapack_lu_integers(&lu, diagonal);
    return lapack_integer(&input->computed[info], 0) == 0;
}

static void check_factors(FactorChecks *checks, const ReferenceInput *input, Arena *arena)
{
    const LuRow *row = input->op->detail;
    const Lapack *q = input->params;
    const Tensor *ipiv = &input->computed[IPIV];
    const int64_t *pivots = lapack_read_pivots(ipiv, arena);
    const int64_t *order =
        lapack_row_order(pivots, ipiv->extent[0], input->tensors[A].extent[0], row->factors, arena);
    if (!check_integers(row, checks, input, arena) || !order)
        return;
    if (row->factors)
        lapack_check_lu(checks, input, A, order);
    if (row->solves)
        lapack_check_solution(
            checks, input,
            &(LargeSolve){.a = A,
                          .b = B,
                          .transposed = !row->factors && q->trans != TRANSPOSE_NONE,
                          .conjugate = q->trans == TRANSPOSE_CONJUGATE,
                          .order = order});
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL,     .normalise_of_row = normalise,
                              .shape_of_row = shape,  .work_of_row = work,
                              .reference = reference, .is_product = lapack_is_plain_matrix};

OP_TABLE(ops_lu)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        table[i].factors = rows[i].band ? NULL : check_factors;
        table[i].well_posed = rows[i].band || rows[i].factors ? NULL : lapack_make_plain;
    }
    return table;
}
