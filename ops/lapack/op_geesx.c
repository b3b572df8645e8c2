/* Schur form of a square matrix, A = Z T Z^H, as gees gives it (op_gees.c), with eigenvalues whose
 * real part is negative in front where `sort` says some: the function of the caller's looks for
 * these.  sdim is how many they are, both of a pair, and as `sense` says s and sep are condition
 * numbers of them together, which reorder.h has the bounds of.
 *
 * Which values these are is a question of those that were found: they are judged as gees's are, and
 * where info is 0 the negative ones stand in front and sdim counts them.  After an exchange values
 * may be others, so that the order is lost, which info = n + 2 says; n + 1 says that some of a real
 * matrix were too close to be exchanged (dgeesx.f), and then nothing is said of the order, nor of
 * s and sep.  Those of an empty matrix are left, too. */
#include <math.h>

#include "eigenvalues.h"
#include "lapack.h"
#include "reference/function.h"
#include "reorder.h"

static const char *const orders[] = {"nothing", "some", NULL};
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE_AS("jobvs", Lapack, job, lapack_jobs, "T alone, or Z as well"),
    P_CHOICE_AS("sort", Lapack, fact, orders, "any order, or chosen eigenvalues in front"),
    P_CHOICE(Lapack, sense, lapack_senses, "what condition numbers are found of"),
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    P_ROW("ldvs", PARAM_PAD, Lapack, ldv, int64_t, "leading dimension of Z beyond its minimum",
          .maximum = 1 << 16),
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a", "w", "wi", "vs", "sdim", "s", "sep", "info", NULL};
enum { A, W, WI, VS, SDIM, S, SEP, INFO };

/* Condition numbers are those of chosen eigenvalues. */
static void normalise(void *of)
{
    Lapack *q = of;
    if (!q->fact)
        q->sense = 0;
}

static bool senses(const Lapack *q, int of)
{
    return q->sense == 3 || q->sense == of - S + 1;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    int64_t order = q->job ? q->n : 0;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[W] = blas_role(blas_vector(&(Blas){.dtype = q->dtype}, q->n, 1), ROLE_OUT);
    shapes->tensor[WI] = lapack_real_vector(q, lapack_is_real(q) ? q->n : 0);
    shapes->tensor[VS] = lapack_matrix(q, order, order, q->ldv, ROLE_OUT);
    shapes->tensor[SDIM] = shapes->tensor[INFO] = lapack_integers(1);
    for (int i = S; i <= SEP; i++)
        shapes->tensor[i] = lapack_real_vector(q, senses(q, i) ? 1 : 0);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 600 * (double)(q->n * q->n) * (double)(q->n + 8);
}

static void allocate(Ref *refs, const Tensor *given, Arena *arena)
{
    for (int i = A; i < INFO; i++)
        if (i != SDIM)
            lapack_admit_all(&refs[i], &given[i], arena);
    for (int i = SDIM; i <= INFO; i += INFO - SDIM)
        ref_allocate_exact(&refs[i], &given[i], arena);
    for (int i = S; i <= SEP && given[A].extent[0] == 0; i++)
        for (size_t k = 0; k < refs[i].count; k++)
            ref_leave(&refs[i], k, arena);
}

/* How many are negative; whether one stands behind one that is not. */
typedef struct Order {
    int64_t count;
    bool is_lost;
} Order;

static Order order_of(const Scalar *w, int64_t n)
{
    Order to = {0};
    for (int64_t i = 0; i < n; i++) {
        to.is_lost = to.is_lost || (w[i].re < 0 && to.count < i);
        to.count += w[i].re < 0;
    }
    return to;
}

static void judge_results(Ref *refs, const ReferenceInput *input, const EigenProblem *p,
                          Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    Matrix t = schur_judge_whole(refs, computed, p, q->job != 0, arena);
    int64_t info = lapack_integer(&computed[INFO], 0);
    if (q->n > 0 && (info == 0 || info == q->n + 2))
        reorder_judge_conditions(senses(q, S) ? &refs[S] : NULL, senses(q, SEP) ? &refs[SEP] : NULL,
                                 &t, p->dtype, lapack_integer(&computed[SDIM], 0), arena);
}

static void judge_order(Ref *refs, const Lapack *q, const Tensor *computed, Arena *arena)
{
    Order order = order_of(eigenvalues_read(&computed[W], q->n, arena), q->n);
    int64_t info = lapack_integer(&computed[INFO], 0), sdim = lapack_integer(&computed[SDIM], 0);
    bool sorted = q->fact != 0;
    int64_t right = sorted && order.is_lost ? q->n + 2 : 0;
    if (sorted && lapack_is_real(q) && info == q->n + 1)
        right = info;
    int64_t least = sorted ? order.count : 0, most = least;
    if (right == q->n + 1) {
        least = 0;
        most = q->n;
    }
    lapack_put_integer(&refs[INFO], 0, info, right, right);
    lapack_put_integer(&refs[SDIM], 0, sdim, least, most);
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *a, Arena *arena)
{
    const Lapack *q = input->params;
    EigenProblem p = eigen_problem(a, (DType)q->dtype, arena);
    if (!p.known) {
        for (int i = SDIM; i <= INFO; i += INFO - SDIM)
            lapack_put_known(&refs[i], &input->computed[i], false, 0);
        return;
    }
    static const SchurRoutine routine = {allocate, judge_results, SDIM};
    judge_order(refs, q, input->computed, arena);
    schur_judge(refs, input, &p, &routine, arena);
}

/* The negative values that are left when all are rounded to the type. */
static Order order_of_form(const Matrix *t, DType dtype, Arena *arena)
{
    Scalar *w = arena_take(arena, (size_t)t->rows + 1, sizeof *w);
    for (int64_t i = 0; i < t->rows; i++)
        w[i] = (Scalar){dtype_round(dtype, matrix_at(t, i, i)->re), 0};
    return order_of(w, t->rows);
}

/* One right result. */
static void compute(Ref *refs, const Lapack *q, const Matrix *a, Arena *arena)
{
    bool real = lapack_is_real(q), moved = true;
    DType dtype = (DType)q->dtype;
    SchurForm form = real ? schur_real_form_of(a, arena) : schur_form_of(a, arena);
    for (int64_t i = 0, to = 0; i < q->n && q->fact && moved; i++) {
        int64_t last = schur_block_last(&form.t, real, i);
        if (dtype_round(dtype, matrix_at(&form.t, i, i)->re) < 0) {
            moved = reorder_move(&form, real, i, to, arena);
            to += last - i + 1;
        }
        i = last;
    }
    matrix_put_rounded(&form.t, &refs[A]);
    schur_put_values(&refs[W], &form.t, real);
    if (q->job)
        matrix_put_rounded(&form.z, &refs[VS]);
    Order order = order_of_form(&form.t, dtype, arena);
    int64_t count = q->fact ? order.count : 0;
    int64_t info = !moved ? q->n + 1 : q->fact && order.is_lost ? q->n + 2 : 0;
    lapack_put_integer(&refs[SDIM], 0, count, count, count);
    lapack_put_integer(&refs[INFO], 0, info, info, info);
    if (moved && q->n > 0)
        reorder_put_conditions(senses(q, S) ? &refs[S] : NULL, senses(q, SEP) ? &refs[SEP] : NULL,
                               &form.t, dtype, count, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    Matrix a = matrix_read(&input->tensors[A], arena);
    allocate(refs, input->tensors, arena);
    if (input->computed)
        judge(refs, input, &a, arena);
    else if (matrix_is_finite(&a))
        compute(refs, q, &a, arena);
}

const OpDesc op_geesx = {
    .name = "geesx",
    .summary = "Schur form with chosen eigenvalues in front, and their condition numbers",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .policy = "absolute-deflation",
};
