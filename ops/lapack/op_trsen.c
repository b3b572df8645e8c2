/* Moves eigenvalues of a Schur form T that `select` chooses to its front, T = Z T' Z^H, and
 * multiplies q by Z where `compq` says that one is given; of a pair either or both may be chosen.
 * m is how many they are, and as `job` says s and sep are condition numbers of them together.
 *
 * Which value stands where, s and sep are judged by reorder.h; the order of those in front, and of
 * those behind them, no text says.  w and wi are the values on the diagonal of T'.  info is 1 where
 * two neighbours were too close to be exchanged, of which one is a block of two, and s and sep are
 * 0 then (dtrsen.f). */

#include "eigenvalues.h"
#include "lapack.h"
#include "reference/function.h"
#include "reorder.h"

static const char *const vectors[] = {"nothing", "given", NULL};
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, job, lapack_senses, "what condition numbers are found of"),
    P_CHOICE_AS("compq", Lapack, compz, vectors, "T alone, or Q Z as well"),
    LAPACK_N("rows and columns of T"),
    P_PAD(Lapack, ldt, 1 << 16, "leading dimension of T beyond its minimum"),
    P_ROW("ldq", PARAM_PAD, Lapack, ldu, int64_t, "leading dimension of Q beyond its minimum",
          .maximum = 1 << 16),
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"select", "t", "q", "w", "wi", "m", "s", "sep", "info", NULL};
enum { SELECT, T, Q, W, WI, FOUND, S, SEP, INFO };

static bool senses(const Lapack *q, int of)
{
    return q->job == 3 || q->job == of - S + 1;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    int64_t order = q->compz ? q->n : 0;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    shapes->tensor[SELECT] = lapack_selection(q->n);
    shapes->tensor[T] = lapack_matrix(q, q->n, q->n, q->ldt, ROLE_INOUT);
    shapes->tensor[T].arrangement = ARRANGED_SCHUR;
    shapes->tensor[Q] = lapack_matrix(q, order, order, q->ldu, ROLE_INOUT);
    shapes->tensor[W] = blas_role(blas_vector(&(Blas){.dtype = q->dtype}, q->n, 1), ROLE_OUT);
    shapes->tensor[WI] = lapack_real_vector(q, lapack_is_real(q) ? q->n : 0);
    shapes->tensor[FOUND] = shapes->tensor[INFO] = lapack_integers(1);
    for (int i = S; i <= SEP; i++)
        shapes->tensor[i] = lapack_real_vector(q, senses(q, i) ? 1 : 0);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 300 * (double)(q->n * q->n) * (double)(q->n + 8);
}

static void put_failure(Ref *refs, const Lapack *q)
{
    for (int i = S; i <= SEP; i++)
        if (senses(q, i))
            ref_set_exact(&refs[i], 0, 0, MATCH_VALUE);
}

static void judge_results(Ref *refs, const ReferenceInput *input, const EigenProblem *p,
                          Arena *arena)
{
    const Lapack *q = input->params;
    bool real = lapack_is_real(q), has_q = q->compz != 0;
    Matrix t = reorder_judge_factors(&refs[T], has_q ? &refs[Q] : NULL, &input->computed[T],
                                     &input->computed[Q], &input->tensors[Q], p, arena);
    schur_judge_diagonal(&refs[W], &t, real);
    SchurChoice choice = schur_choice(p->a, &input->tensors[SELECT], real, arena);
    const Reordering reordering = {p, choice.labels, choice.at, has_q};
    if (lapack_integer(&input->computed[INFO], 0) != 0) {
        put_failure(refs, q);
        return;
    }
    reorder_judge(&refs[T], &reordering, &t, arena);
    reorder_judge_conditions(senses(q, S) ? &refs[S] : NULL, senses(q, SEP) ? &refs[SEP] : NULL, &t,
                             p->dtype, choice.count, arena);
}

static void allocate(Ref *refs, const Tensor *given, Arena *arena)
{
    for (int i = T; i < INFO; i++)
        if (i != FOUND)
            lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[FOUND], &given[FOUND], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *t, Arena *arena)
{
    const Lapack *q = input->params;
    EigenProblem p = eigen_problem(t, (DType)q->dtype, arena);
    SchurChoice choice = schur_choice(t, &input->tensors[SELECT], lapack_is_real(q), arena);
    int64_t info = lapack_integer(&input->computed[INFO], 0);
    lapack_put_integer(&refs[INFO], 0, info, 0, choice.has_pairs || !p.known ? 1 : 0);
    lapack_put_integer(&refs[FOUND], 0, choice.count, choice.count, choice.count);
    if (!p.known)
        return;
    static const SchurRoutine routine = {allocate, judge_results, FOUND};
    schur_judge(refs, input, &p, &routine, arena);
}

/* One right result. */
static void compute(Ref *refs, const ReferenceInput *input, const Matrix *t, Arena *arena)
{
    const Lapack *q = input->params;
    bool real = lapack_is_real(q), moved = true;
    SchurForm form = {matrix_copy(t, arena), matrix_identity(q->n, arena)};
    SchurChoice choice = schur_choice(t, &input->tensors[SELECT], real, arena);
    for (int64_t i = 0, to = 0; i < q->n && moved && matrix_is_finite(t); i++) {
        int64_t last = schur_block_last(t, real, i);
        if (choice.labels[i]) {
            moved = reorder_move(&form, real, i, to, arena);
            to += last - i + 1;
        }
        i = last;
    }
    lapack_put_integer(&refs[INFO], 0, !moved, !moved, !moved);
    lapack_put_integer(&refs[FOUND], 0, choice.count, choice.count, choice.count);
    matrix_put_rounded(&form.t, &refs[T]);
    schur_put_values(&refs[W], &form.t, real);
    if (q->compz)
        schur_put_product(&refs[Q], &input->tensors[Q], &form.z, arena);
    if (!moved)
        put_failure(refs, q);
    else if (matrix_is_finite(t))
        reorder_put_conditions(senses(q, S) ? &refs[S] : NULL, senses(q, SEP) ? &refs[SEP] : NULL,
                               &form.t, (DType)q->dtype, choice.count, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    Matrix t = matrix_read(&input->tensors[T], arena);
    allocate(refs, input->tensors, arena);
    if (input->computed)
        judge(refs, input, &t, arena);
    else
        compute(refs, input, &t, arena);
}

const OpDesc op_trsen = {
    .name = "trsen",
    .summary = "Schur form with chosen eigenvalues in front, and their condition numbers",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
    .policy = "absolute-deflation",
};
