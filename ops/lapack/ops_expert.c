/* Systems A X = B and with the transpose by expert drivers, and solutions by factors that are
 * given, refined: A general, a band, hermitian positive definite, in a square, packed or as a band,
 * and symmetric or hermitian.
 *
 * The system is scaled first where FACT says so (expert.h).  Its factors are judged as those of
 * getrf, potrf and sytrf are (lu.h, cholesky.h, indefinite.h), or they are given: those of a kernel
 * of our own of the A that is given.  What follows of them is told in expert_call.h. */
#include <limits.h>
#include <math.h>

#include "cholesky.h"
#include "expert_call.h"
#include "indefinite_factors.h"
#include "kernel.h"
#include "lu.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "solve.h"

#define OF_N      LAPACK_N("rows and columns of A")
#define SIDES     LAPACK_NRHS, LAPACK_LDA, LAPACK_LDAF, LAPACK_LDB, LAPACK_LDX
#define UPLO_OF_N LAPACK_DTYPE_ORDER, LAPACK_UPLO, OF_N
#define SCALED    EXPERT_FACT, EXPERT_DEFINITE_EQUED, P_END

static const Param general_params[] = {LAPACK_DTYPE_ORDER, LAPACK_TRANS, OF_N,         SIDES,
                                       LAPACK_MATRIX,      EXPERT_FACT,  EXPERT_EQUED, P_END};
static const Param band_params[] = {LAPACK_DTYPE_ORDER, LAPACK_TRANS, OF_N,          LAPACK_KL,
                                    LAPACK_KU,          SIDES,        LAPACK_MATRIX, EXPERT_FACT,
                                    EXPERT_EQUED,       P_END};
static const Param band_refine_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_TRANS, OF_N, LAPACK_KL, LAPACK_KU, SIDES, LAPACK_MATRIX, P_END};
static const Param definite_params[] = {UPLO_OF_N, SIDES, LAPACK_HERMITIAN_MATRIX, SCALED};
static const Param definite_packed_params[] = {
    UPLO_OF_N, LAPACK_NRHS, LAPACK_LDB, LAPACK_LDX, LAPACK_HERMITIAN_MATRIX, SCALED};
static const Param definite_band_params[] = {UPLO_OF_N, LAPACK_K, SIDES, LAPACK_HERMITIAN_MATRIX,
                                             SCALED};
static const Param symmetric_params[] = {UPLO_OF_N,         SIDES, LAPACK_MATRIX, LAPACK_LWORK,
                                         EXPERT_SHORT_FACT, P_END};
static const Param symmetric_refine_params[] = {UPLO_OF_N, SIDES, LAPACK_MATRIX, P_END};
static const Param hermitian_params[] = {
    UPLO_OF_N, SIDES, LAPACK_HERMITIAN_MATRIX, LAPACK_LWORK, EXPERT_SHORT_FACT, P_END};
static const Param hermitian_refine_params[] = {UPLO_OF_N, SIDES, LAPACK_HERMITIAN_MATRIX, P_END};
static const char *const general_tensors[] = {"a", "af",    "ipiv", "equed", "r",    "c", "b",
                                              "x", "rcond", "ferr", "berr",  "info", NULL};
static const char *const definite_tensors[] = {"a",     "af",   "equed", "s",    "b", "x",
                                               "rcond", "ferr", "berr",  "info", NULL};
static const char *const symmetric_tensors[] = {"a",     "af",   "ipiv", "b",    "x",
                                                "rcond", "ferr", "berr", "info", NULL};
static const char *const refine_tensors[] = {"a",    "af",   "ipiv", "b", "x",
                                             "ferr", "berr", "info", NULL};
enum { A, AF, IPIV };

typedef enum ExpertTask {
    TASK_GENERAL,
    TASK_BAND,
    TASK_DEFINITE,
    TASK_SYMMETRIC,
    TASK_HERMITIAN
} ExpertTask;

typedef struct ExpertRow {
    LapackRow op;
    ExpertTask task;
    LapackStorage storage;
    bool refines;
} ExpertRow;

#define ROW(name, what, params, tensors, dtypes, task, storage, refines)                           \
    {                                                                                              \
        {name, what, params, tensors, dtypes}, task, storage, refines                              \
    }
static const ExpertRow rows[] = {
    ROW("gbrfs", "refined solutions and their bounds by the LU factors of a band",
        band_refine_params, refine_tensors, DTYPES_BLAS, TASK_BAND, STORAGE_BAND, true),
    ROW("gbsvx", "refined solutions of band systems with condition numbers and error bounds",
        band_params, general_tensors, DTYPES_BLAS, TASK_BAND, STORAGE_BAND, false),
    ROW("gesvx", "refined solutions of systems with condition numbers and error bounds",
        general_params, general_tensors, DTYPES_BLAS, TASK_GENERAL, STORAGE_FULL, false),
    ROW("herfs", "refined solutions and their bounds by the factors of a hermitian matrix",
        hermitian_refine_params, refine_tensors, DTYPES_COMPLEX, TASK_HERMITIAN, STORAGE_FULL,
        true),
    ROW("hesvx", "refined solutions of hermitian systems with condition numbers and error bounds",
        hermitian_params, symmetric_tensors, DTYPES_COMPLEX, TASK_HERMITIAN, STORAGE_FULL, false),
    ROW("pbsvx", "refined solutions of definite band systems with condition numbers and bounds",
        definite_band_params, definite_tensors, DTYPES_BLAS, TASK_DEFINITE, STORAGE_BAND, false),
    ROW("posvx", "refined solutions of definite systems with condition numbers and error bounds",
        definite_params, definite_tensors, DTYPES_BLAS, TASK_DEFINITE, STORAGE_FULL, false),
    ROW("ppsvx", "refined solutions of packed definite systems with condition numbers and bounds",
        definite_packed_params, definite_tensors, DTYPES_BLAS, TASK_DEFINITE, STORAGE_PACKED,
        false),
    ROW("syrfs", "refined solutions and their bounds by the factors of a symmetric matrix",
        symmetric_refine_params, refine_tensors, DTYPES_BLAS, TASK_SYMMETRIC, STORAGE_FULL, true),
    ROW("sysvx", "refined solutions of symmetric systems with condition numbers and error bounds",
        symmetric_params, symmetric_tensors, DTYPES_BLAS, TASK_SYMMETRIC, STORAGE_FULL, false),
};

static bool is_pivoted(const ExpertRow *row)
{
    return row->task != TASK_DEFINITE;
}

/* Whether factors are given; a short list of choices has them in the second place. */
static bool has_factors(const ExpertRow *row, const Lapack *q)
{
    bool is_short = row->op.tensors == symmetric_tensors;
    return row->refines || q->fact == (is_short ? 1 : FACT_FACTORED);
}

static bool is_scaled(const ExpertRow *row)
{
    return row->op.tensors == general_tensors || row->op.tensors == definite_tensors;
}

/* Scaling that is given belongs to factors that are. */
static void normalise(const OpDesc *op, void *of)
{
    const ExpertRow *row = op->detail;
    Lapack *q = of;
    if (is_scaled(row) && q->fact != FACT_FACTORED)
        q->equed = EQUED_NONE;
}

/* A, or the place of its factors; of a band these have kl diagonals more. */
static TensorSpec matrix_of(const ExpertRow *row, const Lapack *of, bool factors, TensorRole role)
{
    Lapack q = *of;
    q.lda = factors ? q.ldaf : q.lda;
    if (row->task == TASK_GENERAL)
        return lapack_matrix(&q, q.n, q.n, q.lda, role);
    if (row->task == TASK_BAND)
        return lapack_band(&q, q.n, q.n, q.kl, q.ku + (factors ? q.kl : 0), role);
    return lapack_stored_triangle(&q, row->storage, role);
}

static bool takes_any_matrix(const ExpertRow *row)
{
    return row->task != TASK_DEFINITE && row->task != TASK_HERMITIAN;
}

/* EQUED and the factors that scale. */
static void shape_scaling(const ExpertRow *row, const Lapack *q, Shapes *shapes)
{
    bool given = has_factors(row, q);
    TensorRole role = given ? ROLE_IN : ROLE_OUT;
    TensorSpec *equed = &shapes->tensor[shapes->count++];
    *equed = blas_number(DT_U8, role);
    equed->derived = given;
    for (int i = is_pivoted(row) ? 0 : 1; i < 2; i++) {
        TensorSpec *factors = &shapes->tensor[shapes->count++];
        *factors = lapack_real_vector(q, q->fact == FACT_NOTHING ? 0 : q->n);
        factors->role = role;
        factors->arrangement = given ? ARRANGED_ABOVE_ONE : ARRANGED_FREELY;
    }
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const ExpertRow *row = op->detail;
    const Lapack *q = of;
    bool given = has_factors(row, q), scaled = is_scaled(row);
    bool scales = scaled && q->fact == FACT_EQUILIBRATE;
    *shapes = (Shapes){.count = AF + 1, .depth = q->n};
    shapes->tensor[A] = matrix_of(row, q, false, scales ? ROLE_INOUT : ROLE_IN);
    shapes->tensor[A].arrangement =
        takes_any_matrix(row) ? lapack_arrangement(q) : lapack_hermitian_arrangement(q);
    shapes->tensor[AF] = matrix_of(row, q, true, given ? ROLE_IN : ROLE_OUT);
    shapes->tensor[AF].derived = given;
    if (is_pivoted(row)) {
        shapes->tensor[IPIV] = given ? lapack_pivots(q->n) : lapack_integers(q->n);
        shapes->tensor[IPIV].derived = given;
        shapes->count++;
    }
    if (scaled)
        shape_scaling(row, q, shapes);
    shapes->tensor[shapes->count++] =
        lapack_matrix(q, q->n, q->nrhs, q->ldb, scaled ? ROLE_INOUT : ROLE_IN);
    expert_shape_results(q, row->refines, shapes);
}

/* Numbers that are not finite have no order, and name no rows. */
static int64_t factor_symmetric(const ExpertRow *row, const Lapack *q, Matrix *stored,
                                int64_t *pivots, Arena *arena)
{
    bool finite = matrix_is_finite(stored);
    int64_t info = indefinite_factors_compute((DType)q->dtype, stored, q->uplo == UPLO_LOWER,
                                              row->task == TASK_HERMITIAN, pivots, arena);
    finite = finite && matrix_is_finite(stored);
    for (int64_t k = 0; k < q->n && !finite; k++)
        pivots[k] = k + 1;
    return info;
}

/* Factors of our own of A: as they are stored, and pivots from 1 as ipiv has them.  info. */
static int64_t factor(const ExpertRow *row, const Lapack *q, Matrix *stored, int64_t *pivots,
                      Arena *arena)
{
    DType dtype = (DType)q->dtype;
    Matrix a = matrix_copy(stored, arena);
    LuFactors lu;
    if (row->task == TASK_DEFINITE)
        return kernel_potrf(&(Kernel){.dtype = dtype}, stored, q->uplo == UPLO_LOWER);
    if (row->task == TASK_SYMMETRIC || row->task == TASK_HERMITIAN)
        return factor_symmetric(row, q, stored, pivots, arena);
    int64_t info = lapack_lu_compute(&a, dtype, row->task == TASK_BAND, &lu, stored, arena);
    for (int64_t k = 0; k < q->n; k++)
        pivots[k] = lu.pivots[k] + 1;
    return info;
}

static void derive(const OpDesc *op, const void *of, const Tensor *views, Arena *arena)
{
    const ExpertRow *row = op->detail;
    const Lapack *q = of;
    if (!has_factors(row, q))
        return;
    Matrix stored = matrix_read(&views[A], arena);
    int64_t *pivots = arena_take_zeroed(arena, (size_t)q->n + 1, sizeof *pivots);
    (void)factor(row, q, &stored, pivots, arena);
    matrix_write(&stored, &views[AF]);
    for (int64_t k = 0; k < q->n && is_pivoted(row); k++)
        dtype_store(DT_I32, views[IPIV].origin, k, (double)pivots[k]);
    bool definite = row->task == TASK_DEFINITE;
    if (is_scaled(row))
        dtype_store(DT_U8, views[op_operand(op, "equed")].origin, 0,
                    expert_letter(expert_equed(q, definite), definite));
}

/* One call: what its factors say, those of the kernel or our own. */
typedef struct Expert {
    const ExpertRow *row;
    ExpertCall of;
    bool usable;
    int64_t failed; /* info of a factorization by the reference that ended early */
} Expert;

static void refer_lu(Expert *e, const Matrix *a, LuFactors *lu, Arena *arena)
{
    const Tensor *before = e->of.input->tensors, *after = e->of.input->computed;
    int32_t stood_for = (int32_t)e->of.info;
    Tensor info = before[expert_place(&e->of, "info")], a_view = before[AF];
    bool band = e->row->task == TASK_BAND;
    info.origin = &stood_for;
    a_view.stride[0] = e->of.q->n;
    a_view.stride[1] = 1;
    a_view.storage = a_view.before = 0;
    a_view.origin = arena_take_zeroed(arena, (size_t)(e->of.q->n * e->of.q->n) + 1,
                                      dtype_size((DType)e->of.q->dtype));
    matrix_write(a, &a_view);
    const LapackLu of = {.a_ref = &e->of.refs[AF],
                         .ipiv_ref = &e->of.refs[IPIV],
                         .info_ref = e->of.info_ref,
                         .a = &a_view,
                         .ipiv = &before[IPIV],
                         .info = &info,
                         .computed_a = after ? &after[AF] : NULL,
                         .computed_ipiv = after ? &after[IPIV] : NULL,
                         .computed_info = after ? &info : NULL,
                         .band = band,
                         .kl = e->of.q->kl,
                         .ku = e->of.q->ku};
    e->usable = lapack_lu_reference(&of, lu, arena);
}

static void take_cholesky(Expert *e, const Matrix *stored, Arena *arena)
{
    bool lower = e->of.q->uplo == UPLO_LOWER;
    Matrix triangle = lapack_factor(stored, lower, false, arena);
    for (int64_t i = 0; i < e->of.q->n; i++)
        matrix_at(&triangle, i, i)->im = 0;
    Matrix turned = lapack_transposed(&triangle, true, arena);
    expert_take_triangles(&e->of, lower ? &triangle : &turned, lower ? &turned : &triangle, arena);
    e->of.condition.inverse = NULL;
}

static void find_factors(Expert *e, Arena *arena)
{
    const Tensor *before = e->of.input->tensors, *after = e->of.input->computed;
    bool lower = e->of.q->uplo == UPLO_LOWER, hermitian = e->row->task == TASK_HERMITIAN;
    if (e->row->task == TASK_GENERAL || e->row->task == TASK_BAND) {
        LuFactors lu;
        refer_lu(e, &e->of.system.a, &lu, arena);
        if (e->usable)
            expert_take_lu(&e->of, &lu, e->row->task == TASK_BAND, arena);
    } else if (e->row->task == TASK_DEFINITE) {
        Matrix found;
        const LapackCholesky of = {.factor_ref = &e->of.refs[AF],
                                   .info_ref = e->of.info_ref,
                                   .place = &before[AF],
                                   .a = &e->of.system.a,
                                   .lower = lower,
                                   .computed = after ? &after[AF] : NULL,
                                   .info = e->of.info};
        e->failed = lapack_cholesky_reference(&of, &found, arena);
        e->usable = e->failed == 0;
        if (e->usable)
            take_cholesky(e, &found, arena);
    } else {
        Indefinite found;
        const IndefiniteFactors of = {.a_ref = &e->of.refs[AF],
                                      .ipiv_ref = &e->of.refs[IPIV],
                                      .info_ref = e->of.info_ref,
                                      .place = &before[AF],
                                      .ipiv = &before[IPIV],
                                      .stored = &e->of.system.a,
                                      .lower = lower,
                                      .hermitian = hermitian,
                                      .computed = after ? &after[AF] : NULL,
                                      .computed_ipiv = after ? &after[IPIV] : NULL,
                                      .info = e->of.info};
        e->failed = indefinite_factors_reference(&of, &found, arena);
        e->usable = e->failed == 0;
        if (e->usable)
            indefinite_condition(&found, lower, &e->of.condition, e->of.factors, arena);
    }
}

/* Factors that are given are those of A where it is not singular to them. */
static void read_factors(Expert *e, Arena *arena)
{
    const Tensor *given = e->of.input->tensors;
    bool lower = e->of.q->uplo == UPLO_LOWER, hermitian = e->row->task == TASK_HERMITIAN;
    Matrix stored = matrix_copy(&e->of.system.a, arena);
    LuFactors lu = {.pivots = arena_take_zeroed(arena, (size_t)e->of.q->n + 1, sizeof *lu.pivots)};
    e->usable = factor(e->row, e->of.q, &stored, lu.pivots, arena) == 0;
    if (!e->usable)
        return;
    stored = matrix_read(&given[AF], arena);
    if (e->row->task == TASK_DEFINITE) {
        take_cholesky(e, &stored, arena);
    } else if (e->row->task == TASK_SYMMETRIC || hermitian) {
        Indefinite found =
            indefinite_read(&stored, &given[IPIV], lower, hermitian, (DType)e->of.q->dtype, arena);
        indefinite_condition(&found, lower, &e->of.condition, e->of.factors, arena);
    } else {
        lu.lu = stored;
        lu.pivots = lapack_read_pivots(&given[IPIV], arena);
        if (e->row->task == TASK_BAND)
            lapack_exchange_multipliers(&lu.lu, lu.pivots, arena);
        expert_take_lu(&e->of, &lu, e->row->task == TASK_BAND, arena);
    }
}

/* The whole of A, of which a triangle may be stored. */
static Matrix whole_of(const Expert *e, Arena *arena)
{
    bool lower = e->of.q->uplo == UPLO_LOWER, symmetric = e->row->task == TASK_SYMMETRIC;
    if (e->row->task == TASK_GENERAL || e->row->task == TASK_BAND)
        return matrix_copy(&e->of.system.a, arena);
    Matrix to = matrix_zeros(e->of.q->n, e->of.q->n, arena);
    for (int64_t i = 0; i < e->of.q->n; i++)
        for (int64_t j = 0; j < e->of.q->n; j++) {
            bool stored = i == j || (j < i) == lower;
            Scalar x =
                stored ? *matrix_at(&e->of.system.a, i, j) : *matrix_at(&e->of.system.a, j, i);
            *matrix_at(&to, i, j) = stored || symmetric ? x : scalar_conjugate(x);
            if (i == j && !symmetric)
                matrix_at(&to, i, j)->im = 0;
        }
    return to;
}

/* nz of rows of a whole matrix or a band. */
static double nonzeros_of(const Expert *e)
{
    int64_t whole = e->of.q->n + 1, band = whole;
    if (e->row->task == TASK_BAND)
        band = e->of.q->kl + e->of.q->ku + 2;
    else if (e->row->storage == STORAGE_BAND)
        band = 2 * e->of.q->k + 2;
    return (double)(band < whole ? band : whole);
}

static void scale(Expert *e, Arena *arena)
{
    bool pivoted = is_pivoted(e->row);
    const ExpertScaling scaling = {.q = e->of.q,
                                   .given = e->of.input->tensors,
                                   .computed = e->of.input->computed,
                                   .refs = e->of.refs,
                                   .definite = !pivoted,
                                   .a = A,
                                   .equed = expert_place(&e->of, "equed"),
                                   .r = expert_place(&e->of, pivoted ? "r" : "s"),
                                   .c = expert_place(&e->of, pivoted ? "c" : "s"),
                                   .b = expert_place(&e->of, "b")};
    e->of.system = expert_scale(&scaling, arena);
    e->of.whole = whole_of(e, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ExpertRow *row = input->op->detail;
    const Lapack *q = input->params;
    Expert e = {.row = row, .of = {.q = q, .input = input, .refs = refs, .refines = row->refines}};
    bool given = has_factors(row, q);
    e.of.nonzeros = e.of.most_nonzeros = nonzeros_of(&e);
    expert_begin(&e.of, arena);
    e.of.condition.adds_columns = row->storage != STORAGE_FULL;
    scale(&e, arena);
    if (given)
        read_factors(&e, arena);
    else
        find_factors(&e, arena);
    if (e.usable)
        expert_put(&e.of, arena);
    else
        expert_leave(&e.of, given, e.failed, arena);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL,    .normalise_of_row = normalise,
                              .shape_of_row = shape, .work_of_row = expert_work,
                              .derive = derive,      .reference = reference};

OP_TABLE(ops_expert)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
