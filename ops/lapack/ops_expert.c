/* Systems A X = B and with the transpose by expert drivers, and solutions by factors that are
 * given, refined: A general, a band, hermitian positive definite, in a square, packed or as a band,
 * and symmetric or hermitian.
 *
 * The system is scaled first where FACT says so (expert.h).  Its factors are judged as those of
 * getrf, potrf and sytrf are (lu.h, cholesky.h, indefinite.h), or they are given: those of a kernel
 * of our own of the A that is given.  X is refined, berr and ferr are those of the X that the
 * kernel gave (refine.h), and rcond is the estimate of gecon and its like for the norm of columns,
 * or of a transpose of rows (condition.h), with a norm of A that is off by n roundings.
 *
 * info is what the factorization says: then rcond is 0 and the rest open; n + 1 where rcond is
 * below the unit roundoff, 0 elsewhere (dgesvx.f).  Of factors that are given and singular nothing
 * is said. */
#include <limits.h>
#include <math.h>

#include "cholesky.h"
#include "expert.h"
#include "indefinite_factors.h"
#include "kernel.h"
#include "lu.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "refine.h"
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
    DType real = dtype_component((DType)q->dtype);
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
    shapes->tensor[shapes->count++] =
        lapack_matrix(q, q->n, q->nrhs, q->ldx, row->refines ? ROLE_INOUT : ROLE_OUT);
    if (!row->refines)
        shapes->tensor[shapes->count++] = blas_number(real, ROLE_OUT);
    for (int i = 0; i < 2; i++)
        shapes->tensor[shapes->count++] = lapack_real_vector(q, q->nrhs);
    shapes->tensor[shapes->count++] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    (void)op;
    return 6 * lapack_parts(q) * (double)((q->n + 2) * (q->n + 2)) * (double)(q->n + 8) *
           (double)(q->nrhs + 3);
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
    const Lapack *q;
    const ReferenceInput *input;
    Ref *refs;
    ExpertSystem system;
    int64_t info;        /* that was computed, or 0 where it is n + 1 */
    Matrix whole;        /* A as a whole matrix */
    Condition condition; /* as rcond is estimated */
    Matrix factors[3], unordered;
    bool usable;
    int64_t failed; /* info of a factorization by the reference that ended early */
    Ref *info_ref;
} Expert;

static int place(const Expert *e, const char *name)
{
    return op_operand(e->input->op, name);
}

static void refer_lu(Expert *e, const Matrix *a, LuFactors *lu, Arena *arena)
{
    const Tensor *before = e->input->tensors, *after = e->input->computed;
    int32_t stood_for = (int32_t)e->info;
    Tensor info = before[place(e, "info")], a_view = before[AF];
    bool band = e->row->task == TASK_BAND;
    info.origin = &stood_for;
    a_view.stride[0] = e->q->n;
    a_view.stride[1] = 1;
    a_view.storage = a_view.before = 0;
    a_view.origin =
        arena_take_zeroed(arena, (size_t)(e->q->n * e->q->n) + 1, dtype_size((DType)e->q->dtype));
    matrix_write(a, &a_view);
    const LapackLu of = {.a_ref = &e->refs[AF],
                         .ipiv_ref = &e->refs[IPIV],
                         .info_ref = e->info_ref,
                         .a = &a_view,
                         .ipiv = &before[IPIV],
                         .info = &info,
                         .computed_a = after ? &after[AF] : NULL,
                         .computed_ipiv = after ? &after[IPIV] : NULL,
                         .computed_info = after ? &info : NULL,
                         .band = band,
                         .kl = e->q->kl,
                         .ku = e->q->ku};
    e->usable = lapack_lu_reference(&of, lu, arena);
}

/* P^T L and U, and the inverse of their product in binary64. */
static void take_lu(Expert *e, const LuFactors *lu, Arena *arena)
{
    const Kernel kernel = {.dtype = lapack_is_real(e->q) ? DT_F64 : DT_C128, .style = KERNEL_WIDE};
    e->factors[0] = lapack_factor(&lu->lu, true, true, arena);
    e->factors[1] = lapack_factor(&lu->lu, false, false, arena);
    e->factors[2] = matrix_identity(e->q->n, arena);
    lapack_exchange(&e->factors[2], lu->pivots, false);
    kernel_trsm(&kernel, &e->factors[0], true, &e->factors[2]);
    kernel_trsm(&kernel, &e->factors[1], false, &e->factors[2]);
    e->unordered = matrix_copy(&e->factors[0], arena);
    lapack_exchange(&e->factors[0], lu->pivots, true);
    e->condition.singular = lapack_first_zero(&e->factors[1]) > 0;
    if (e->row->task == TASK_BAND)
        return;
    /* gecon takes no notice of exchanges. */
    e->condition.f = &e->unordered;
    e->condition.inverse = NULL;
}

static void take_cholesky(Expert *e, const Matrix *stored, Arena *arena)
{
    const Kernel kernel = {.dtype = lapack_is_real(e->q) ? DT_F64 : DT_C128, .style = KERNEL_WIDE};
    bool lower = e->q->uplo == UPLO_LOWER;
    Matrix triangle = lapack_factor(stored, lower, false, arena);
    for (int64_t i = 0; i < e->q->n; i++)
        matrix_at(&triangle, i, i)->im = 0;
    Matrix turned = lapack_transposed(&triangle, true, arena);
    e->factors[0] = lower ? triangle : turned;
    e->factors[1] = lower ? turned : triangle;
    e->factors[2] = matrix_identity(e->q->n, arena);
    kernel_trsm(&kernel, &e->factors[0], true, &e->factors[2]);
    kernel_trsm(&kernel, &e->factors[1], false, &e->factors[2]);
    e->condition.singular = lapack_first_zero(&triangle) > 0;
    e->condition.inverse = NULL;
}

static void find_factors(Expert *e, Arena *arena)
{
    const Tensor *before = e->input->tensors, *after = e->input->computed;
    bool lower = e->q->uplo == UPLO_LOWER, hermitian = e->row->task == TASK_HERMITIAN;
    if (e->row->task == TASK_GENERAL || e->row->task == TASK_BAND) {
        LuFactors lu;
        refer_lu(e, &e->system.a, &lu, arena);
        if (e->usable)
            take_lu(e, &lu, arena);
    } else if (e->row->task == TASK_DEFINITE) {
        Matrix found;
        const LapackCholesky of = {.factor_ref = &e->refs[AF],
                                   .info_ref = e->info_ref,
                                   .place = &before[AF],
                                   .a = &e->system.a,
                                   .lower = lower,
                                   .computed = after ? &after[AF] : NULL,
                                   .info = e->info};
        e->failed = lapack_cholesky_reference(&of, &found, arena);
        e->usable = e->failed == 0;
        if (e->usable)
            take_cholesky(e, &found, arena);
    } else {
        Indefinite found;
        const IndefiniteFactors of = {.a_ref = &e->refs[AF],
                                      .ipiv_ref = &e->refs[IPIV],
                                      .info_ref = e->info_ref,
                                      .place = &before[AF],
                                      .ipiv = &before[IPIV],
                                      .stored = &e->system.a,
                                      .lower = lower,
                                      .hermitian = hermitian,
                                      .computed = after ? &after[AF] : NULL,
                                      .computed_ipiv = after ? &after[IPIV] : NULL,
                                      .info = e->info};
        e->failed = indefinite_factors_reference(&of, &found, arena);
        e->usable = e->failed == 0;
        if (e->usable)
            indefinite_condition(&found, lower, &e->condition, e->factors, arena);
    }
}

/* Factors that are given are those of A where it is not singular to them. */
static void read_factors(Expert *e, Arena *arena)
{
    const Tensor *given = e->input->tensors;
    bool lower = e->q->uplo == UPLO_LOWER, hermitian = e->row->task == TASK_HERMITIAN;
    Matrix stored = matrix_copy(&e->system.a, arena);
    LuFactors lu = {.pivots = arena_take_zeroed(arena, (size_t)e->q->n + 1, sizeof *lu.pivots)};
    e->usable = factor(e->row, e->q, &stored, lu.pivots, arena) == 0;
    if (!e->usable)
        return;
    stored = matrix_read(&given[AF], arena);
    if (e->row->task == TASK_DEFINITE) {
        take_cholesky(e, &stored, arena);
    } else if (e->row->task == TASK_SYMMETRIC || hermitian) {
        Indefinite found =
            indefinite_read(&stored, &given[IPIV], lower, hermitian, (DType)e->q->dtype, arena);
        indefinite_condition(&found, lower, &e->condition, e->factors, arena);
    } else {
        lu.lu = stored;
        lu.pivots = lapack_read_pivots(&given[IPIV], arena);
        if (e->row->task == TASK_BAND)
            lapack_exchange_multipliers(&lu.lu, lu.pivots, arena);
        take_lu(e, &lu, arena);
    }
}

/* The whole of A, of which a triangle may be stored. */
static Matrix whole_of(const Expert *e, Arena *arena)
{
    bool lower = e->q->uplo == UPLO_LOWER, symmetric = e->row->task == TASK_SYMMETRIC;
    if (e->row->task == TASK_GENERAL || e->row->task == TASK_BAND)
        return matrix_copy(&e->system.a, arena);
    Matrix to = matrix_zeros(e->q->n, e->q->n, arena);
    for (int64_t i = 0; i < e->q->n; i++)
        for (int64_t j = 0; j < e->q->n; j++) {
            bool stored = i == j || (j < i) == lower;
            Scalar x = stored ? *matrix_at(&e->system.a, i, j) : *matrix_at(&e->system.a, j, i);
            *matrix_at(&to, i, j) = stored || symmetric ? x : scalar_conjugate(x);
            if (i == j && !symmetric)
                matrix_at(&to, i, j)->im = 0;
        }
    return to;
}

/* rcond of the factors, and what info makes of the one that was computed. */
static void put_condition(Expert *e, Arena *arena)
{
    const Format *format = dtype_format((DType)e->q->dtype);
    const Tensor *after = e->input->computed;
    int at = place(e, "rcond"), info_at = place(e, "info");
    int64_t n = e->q->n;
    bool by_rows = e->condition.by_rows;
    Matrix turned = lapack_transposed(&e->whole, true, arena);
    e->condition.norm = condition_norm(by_rows ? &turned : &e->whole);
    e->condition.norm_error = equation_gamma(format, (double)n + 16);
    condition_put(&e->refs[at], &e->condition, arena);
    const Ref *ref = &e->refs[at];
    double rcond = after ? dtype_load(after[at].dtype, after[at].origin, 0)
                         : dtype_round(ref->dtype, ref->high[0] + ref->low[0]);
    int64_t small = rcond < format->unit ? n + 1 : 0;
    int64_t info = after ? lapack_integer(&after[info_at], 0) : small;
    bool open = !matrix_is_finite(&e->whole) || isnan(rcond);
    lapack_put_integer(e->info_ref, 0, info, open ? 0 : small, open ? n + 1 : small);
}

/* nz of rows of a whole matrix or a band. */
static double nonzeros_of(const Expert *e)
{
    int64_t whole = e->q->n + 1, band = whole;
    if (e->row->task == TASK_BAND)
        band = e->q->kl + e->q->ku + 2;
    else if (e->row->storage == STORAGE_BAND)
        band = 2 * e->q->k + 2;
    return (double)(band < whole ? band : whole);
}

static void put_solution(Expert *e, Arena *arena)
{
    const Tensor *given = e->input->tensors, *after = e->input->computed;
    int at = place(e, "x"), ferr = place(e, "ferr");
    DType dtype = (DType)e->q->dtype;
    Matrix a = refine_transposed(&e->whole, e->q->trans, arena);
    Refinement r = {.dtype = dtype,
                    .a = &a,
                    .factors = {.dtype = dtype,
                                .f = &e->factors[0],
                                .g = &e->factors[1],
                                .by_rows = e->q->trans == TRANSPOSE_NONE,
                                .inverse = &e->factors[2],
                                .singular = e->condition.singular,
                                .astray = e->condition.astray,
                                .reach = e->condition.reach},
                    .nonzeros = nonzeros_of(e),
                    .most_nonzeros = nonzeros_of(e),
                    .factors_of_x = e->system.factors_of_x,
                    .ratio = e->system.ratio};
    Matrix found =
        after ? matrix_read(&after[at], arena) : refine_solve(&r, &e->system.b, e->q->trans, arena);
    Matrix x = after ? expert_unscaled(&e->system, &found, dtype, arena) : found;
    Matrix before = e->row->refines ? matrix_read(&given[at], arena) : x;
    if (after) {
        r.scaled = r.factors_of_x ? &found : NULL;
        refine_put_solution(&e->refs[at], &r, &e->system.b, &before, &x, arena);
        refine_put_bounds(&e->refs[ferr], &e->refs[ferr + 1], &r, &e->system.b, &x, arena);
        return;
    }
    refine_put_bounds(&e->refs[ferr], &e->refs[ferr + 1], &r, &e->system.b, &x, arena);
    for (int64_t i = 0; i < x.rows * x.columns && r.factors_of_x; i++) {
        double factor = r.factors_of_x[i / x.columns];
        x.values[i] = (Scalar){x.values[i].re * factor, x.values[i].im * factor};
    }
    matrix_put_rounded(&x, &e->refs[at]);
}

/* Allocates references of the results, which admit anything. */
static void allocate(Expert *e, Arena *arena)
{
    const Tensor *given = e->input->tensors;
    int info = place(e, "info");
    e->info_ref = &e->refs[info];
    for (int i = place(e, "x"); i < info; i++)
        lapack_admit_all(&e->refs[i], &given[i], arena);
    ref_allocate_exact(e->info_ref, &given[info], arena);
    lapack_put_integer(e->info_ref, 0, 0, 0, 0);
}

static void scale(Expert *e, Arena *arena)
{
    bool pivoted = is_pivoted(e->row);
    const ExpertScaling scaling = {.q = e->q,
                                   .given = e->input->tensors,
                                   .computed = e->input->computed,
                                   .refs = e->refs,
                                   .definite = !pivoted,
                                   .a = A,
                                   .equed = place(e, "equed"),
                                   .r = place(e, pivoted ? "r" : "s"),
                                   .c = place(e, pivoted ? "c" : "s"),
                                   .b = place(e, "b")};
    e->system = expert_scale(&scaling, arena);
    e->whole = whole_of(e, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ExpertRow *row = input->op->detail;
    const Lapack *q = input->params;
    Expert e = {.row = row, .q = q, .input = input, .refs = refs};
    int info_at = place(&e, "info");
    int64_t info = input->computed ? lapack_integer(&input->computed[info_at], 0) : 0;
    bool given = has_factors(row, q);
    e.info = info > q->n ? 0 : info;
    e.condition = (Condition){.dtype = (DType)q->dtype,
                              .f = &e.factors[0],
                              .g = &e.factors[1],
                              .by_rows = q->trans != TRANSPOSE_NONE,
                              .inverse = &e.factors[2],
                              .adds_columns = row->storage != STORAGE_FULL};
    allocate(&e, arena);
    scale(&e, arena);
    if (given)
        read_factors(&e, arena);
    else
        find_factors(&e, arena);
    if (e.usable) {
        if (!row->refines)
            put_condition(&e, arena);
        put_solution(&e, arena);
        return;
    }
    bool told = matrix_is_finite(&e.whole) && q->n > 0 && !given;
    int rcond = place(&e, "rcond");
    for (int i = place(&e, "x"); i < info_at; i++)
        for (size_t k = 0; k < refs[i].count && i != rcond; k++)
            ref_leave(&refs[i], k, arena);
    if (told)
        ref_set_exact(&refs[rcond], 0, 0, MATCH_VALUE);
    if (given || !matrix_is_finite(&e.whole))
        lapack_put_integer(e.info_ref, 0, input->computed ? info : e.failed, 0,
                           row->refines ? 0 : q->n + 1);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL,    .normalise_of_row = normalise,
                              .shape_of_row = shape, .work_of_row = work,
                              .derive = derive,      .reference = reference};

OP_TABLE(ops_expert)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
