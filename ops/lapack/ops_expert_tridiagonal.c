/* Tridiagonal systems by expert drivers, general with dl, d and du or hermitian positive definite
 * with d and e, and their solutions by factors that are given, refined.
 *
 * The factors, in dlf, df, duf, du2 and ipiv or in df and ef, are judged as those of gttrf and
 * pttrf are (tridiagonal.h), or they are given: those of a kernel of our own of the A that is
 * given.  What follows of them is told in expert_call.h.  No row has more than three elements, so
 * that nz is 4 of any order (dgtrfs.f). rcond and ferr of definite systems are those of ptcon,
 * whose norm of the inverse is no estimate (condition.h).
 *
 * ptsvx has e below the diagonal. */
#include <math.h>

#include "expert_call.h"
#include "tridiagonal.h"

#define OF_N  LAPACK_N("rows and columns of A")
#define SIDES LAPACK_NRHS, LAPACK_LDB, LAPACK_LDX

static const Param driver_params[] = {LAPACK_DTYPE_ORDER, LAPACK_TRANS, OF_N, SIDES,
                                      EXPERT_SHORT_FACT,  P_END};
static const Param refine_params[] = {LAPACK_DTYPE_ORDER, LAPACK_TRANS, OF_N, SIDES, P_END};
static const Param definite_driver_params[] = {
    LAPACK_DTYPE_ORDER, OF_N, SIDES, TRIDIAGONAL_DEFINITE, EXPERT_SHORT_FACT, P_END};
static const Param definite_refine_params[] = {LAPACK_DTYPE_ORDER,   LAPACK_UPLO, OF_N, SIDES,
                                               TRIDIAGONAL_DEFINITE, P_END};
static const char *const driver_tensors[] = {"dl",    "d",    "du",   "dlf",  "df",
                                             "duf",   "du2",  "ipiv", "b",    "x",
                                             "rcond", "ferr", "berr", "info", NULL};
static const char *const refine_tensors[] = {"dl",   "d", "du", "dlf",  "df",   "duf",  "du2",
                                             "ipiv", "b", "x",  "ferr", "berr", "info", NULL};
static const char *const definite_driver_tensors[] = {"d",     "e",    "df",   "ef",   "b", "x",
                                                      "rcond", "ferr", "berr", "info", NULL};
static const char *const definite_refine_tensors[] = {"d", "e",    "df",   "ef",   "b",
                                                      "x", "ferr", "berr", "info", NULL};
/* Of A, and from there on its factors. */
enum { DL, D, DU, FACTORS, IPIV = FACTORS + 4 };
enum { DEFINITE_D, DEFINITE_E, DEFINITE_FACTORS };

typedef struct TridiagonalRow {
    LapackRow op;
    bool definite, refines;
} TridiagonalRow;

static const TridiagonalRow rows[] = {
    {{"gtrfs", "refined solutions and their bounds by the LU factors of a tridiagonal matrix",
      refine_params, refine_tensors, DTYPES_BLAS},
     false,
     true},
    {{"gtsvx", "refined solutions of tridiagonal systems with condition numbers and error bounds",
      driver_params, driver_tensors, DTYPES_BLAS},
     false,
     false},
    {{"ptrfs", "refined solutions and their bounds by the factors of a definite tridiagonal matrix",
      definite_refine_params, definite_refine_tensors, DTYPES_BLAS},
     true,
     true},
    {{"ptsvx",
      "refined solutions of definite tridiagonal systems with condition numbers and bounds",
      definite_driver_params, definite_driver_tensors, DTYPES_BLAS},
     true,
     false},
};

static bool has_factors(const TridiagonalRow *row, const Lapack *q)
{
    return row->refines || q->fact != FACT_NOTHING;
}

/* Real matrices know no conjugate, so that it does not matter on which side e is. */
static void normalise(const OpDesc *op, void *of)
{
    const TridiagonalRow *row = op->detail;
    Lapack *q = of;
    if (row->definite && lapack_is_real(q))
        q->uplo = UPLO_UPPER;
}

static void shape_factors(const TridiagonalRow *row, const Lapack *q, Shapes *shapes)
{
    static const int64_t beside[] = {1, 0, 1, 2}, definite_beside[] = {0, 1};
    DType dtype = (DType)q->dtype;
    bool given = has_factors(row, q);
    for (int i = 0; i < (row->definite ? 2 : 4); i++) {
        DType of = row->definite && i == 0 ? dtype_component(dtype) : dtype;
        TensorSpec *to = &shapes->tensor[shapes->count++];
        *to = tridiagonal_diagonal(q, of, row->definite ? definite_beside[i] : beside[i],
                                   given ? ROLE_IN : ROLE_OUT);
        to->derived = given;
    }
    if (row->definite)
        return;
    TensorSpec *pivots = &shapes->tensor[shapes->count++];
    *pivots = given ? lapack_pivots(q->n) : lapack_integers(q->n);
    pivots->derived = given;
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const TridiagonalRow *row = op->detail;
    const Lapack *q = of;
    DType dtype = (DType)q->dtype, real = dtype_component(dtype);
    *shapes = (Shapes){.depth = q->n};
    if (row->definite) {
        shapes->tensor[DEFINITE_D] = tridiagonal_diagonal(q, real, 0, ROLE_IN);
        shapes->tensor[DEFINITE_E] = tridiagonal_diagonal(q, dtype, 1, ROLE_IN);
        if (q->matrix == 0) {
            shapes->tensor[DEFINITE_D].arrangement = ARRANGED_ABOVE_ONE;
            shapes->tensor[DEFINITE_E].arrangement = ARRANGED_BELOW_HALF;
        }
        shapes->count = DEFINITE_FACTORS;
    } else {
        for (int i = DL; i <= DU; i++)
            shapes->tensor[i] = tridiagonal_diagonal(q, dtype, i != D, ROLE_IN);
        shapes->count = FACTORS;
    }
    shape_factors(row, q, shapes);
    shapes->tensor[shapes->count++] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_IN);
    expert_shape_results(q, row->refines, shapes);
}

/* Factors of our own as they are stored, pivots from 1; info. */
static int64_t factor(const Lapack *q, const Tensor *views, Matrix *stored, int64_t *pivots,
                      Arena *arena)
{
    Matrix a = tridiagonal_whole(views, NULL, arena);
    LuFactors lu;
    int64_t info = lapack_lu_compute(&a, (DType)q->dtype, true, &lu, stored, arena);
    for (int64_t k = 0; k < q->n; k++)
        pivots[k] = lu.pivots[k] + 1;
    return info;
}

static void derive(const OpDesc *op, const void *of, const Tensor *views, Arena *arena)
{
    const TridiagonalRow *row = op->detail;
    const Lapack *q = of;
    if (!has_factors(row, q))
        return;
    if (row->definite) {
        Matrix d = matrix_read(&views[DEFINITE_D], arena);
        Matrix e = matrix_read(&views[DEFINITE_E], arena);
        (void)tridiagonal_compute_definite((DType)q->dtype, &d, &e);
        matrix_write(&d, &views[DEFINITE_FACTORS]);
        matrix_write(&e, &views[DEFINITE_FACTORS + 1]);
        return;
    }
    Matrix stored;
    int64_t *pivots = arena_take_zeroed(arena, (size_t)q->n + 1, sizeof *pivots);
    (void)factor(q, views, &stored, pivots, arena);
    tridiagonal_write(&stored, &views[FACTORS]);
    for (int64_t k = 0; k < q->n; k++)
        dtype_store(DT_I32, views[IPIV].origin, k, (double)pivots[k]);
}

/* The factors of a general matrix, where they can be used. */
static bool take_general(ExpertCall *e, bool given, Arena *arena)
{
    const Tensor *views = e->input->tensors, *after = e->input->computed;
    int64_t *pivots = arena_take_zeroed(arena, (size_t)e->q->n + 1, sizeof *pivots);
    LuFactors lu;
    bool usable;
    if (given) {
        usable = factor(e->q, views, &lu.lu, pivots, arena) == 0;
        lu.lu = tridiagonal_whole(&views[FACTORS], &views[FACTORS + 3], arena);
        lu.pivots = lapack_read_pivots(&views[IPIV], arena);
        lapack_exchange_multipliers(&lu.lu, lu.pivots, arena);
    } else {
        int32_t stood_for = (int32_t)e->info;
        Tensor info = views[expert_place(e, "info")];
        info.origin = &stood_for;
        const TridiagonalLu of = {.refs = &e->refs[FACTORS],
                                  .info_ref = e->info_ref,
                                  .places = &views[FACTORS],
                                  .info = &info,
                                  .computed = after ? &after[FACTORS] : NULL,
                                  .computed_info = after ? &info : NULL};
        usable = tridiagonal_lu(&of, &e->whole, &lu, arena);
    }
    if (usable)
        expert_take_lu(e, &lu, true, arena);
    return usable;
}

/* The whole of a hermitian matrix; above: e is above the diagonal. */
static Matrix hermitian_of(const Matrix *d, const Matrix *e, bool above, Arena *arena)
{
    Matrix to = matrix_zeros(d->rows, d->rows, arena);
    for (int64_t i = 0; i < d->rows; i++) {
        *matrix_at(&to, i, i) = *matrix_at(d, i, 0);
        if (i + 1 == d->rows)
            break;
        Scalar beside = *matrix_at(e, i, 0);
        *matrix_at(&to, i + 1, i) = above ? scalar_conjugate(beside) : beside;
        *matrix_at(&to, i, i + 1) = above ? beside : scalar_conjugate(beside);
    }
    return to;
}

/* The factors of a definite matrix, where all of d are above 0. */
static bool take_definite(ExpertCall *call, bool given, Matrix *d, Matrix *e, Arena *arena)
{
    const Tensor *views = call->input->tensors, *after = call->input->computed;
    bool above = call->refines && call->q->uplo == UPLO_UPPER;
    const TridiagonalCholesky of = {.refs = &call->refs[DEFINITE_FACTORS],
                                    .info_ref = call->info_ref,
                                    .places = &views[DEFINITE_FACTORS],
                                    .computed = after ? &after[DEFINITE_FACTORS] : NULL,
                                    .info = call->info};
    if (given) {
        *d = matrix_read(&views[DEFINITE_FACTORS], arena);
        *e = matrix_read(&views[DEFINITE_FACTORS + 1], arena);
    } else {
        call->info = tridiagonal_cholesky(&of, d, e, arena);
        if (call->info)
            return false;
    }
    for (int64_t i = 0; i < d->rows; i++)
        if (!(matrix_at(d, i, 0)->re > 0))
            return false;
    Matrix f, g;
    tridiagonal_definite_factors(d, e, above, &f, &g, arena);
    expert_take_triangles(call, &f, &g, arena);
    call->condition.exact = true;
    return true;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const TridiagonalRow *row = input->op->detail;
    const Lapack *q = input->params;
    const Tensor *views = input->tensors;
    ExpertCall call = {.q = q,
                       .input = input,
                       .refs = refs,
                       .refines = row->refines,
                       .nonzeros = q->n < 3 ? (double)q->n + 1 : 4,
                       .most_nonzeros = 4};
    bool given = has_factors(row, q), usable;
    Matrix d = {0}, e = {0};
    expert_begin(&call, arena);
    call.system = (ExpertSystem){.ratio = 1};
    call.system.b = matrix_read(&views[expert_place(&call, "b")], arena);
    if (row->definite) {
        d = matrix_read(&views[DEFINITE_D], arena);
        e = matrix_read(&views[DEFINITE_E], arena);
        call.whole = hermitian_of(&d, &e, row->refines && q->uplo == UPLO_UPPER, arena);
        usable = take_definite(&call, given, &d, &e, arena);
    } else {
        call.whole = tridiagonal_whole(views, NULL, arena);
        usable = take_general(&call, given, arena);
    }
    if (usable) {
        expert_put(&call, arena);
        return;
    }
    expert_leave(&call, given, call.info, arena);
    /* Numbers that left the range on the way. */
    if (row->definite && !given && call.info == 0)
        ref_set_classes(&refs[expert_place(&call, "rcond")], 0, CLASS_ANY);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL,    .normalise_of_row = normalise,
                              .shape_of_row = shape, .work_of_row = expert_work,
                              .derive = derive,      .reference = reference};

OP_TABLE(ops_expert_tridiagonal)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
