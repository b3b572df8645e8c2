/* Moves the block of a Schur form T that begins in row `from` to row `to`, by exchanges of
 * neighbours, T = Z T' Z^H, and multiplies q by Z where `compq` says that one is given.  A row of a
 * real block of two stands for both; ifst and ilst tell then where the block began, and where it
 * begins.
 *
 * Which value stands where is judged by reorder.h.  info is 1 where two neighbours were too close
 * to be exchanged, of which one is a block of two (dlaexc.f); then T' may have any order.  ifst is
 * the first row of the block, ilst that at the end of the way: blocks of two are not parted. */

#include "lapack.h"
#include "reference/function.h"
#include "reorder.h"

static const char *const vectors[] = {"nothing", "given", NULL};
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE_AS("compq", Lapack, compz, vectors, "T alone, or Q Z as well"),
    LAPACK_N("rows and columns of T"),
    P_ROW("from", PARAM_DIM, Lapack, ilo, int64_t, "row of the block that moves", .minimum = 1,
          .maximum = 4096, .simplest = 1),
    P_ROW("to", PARAM_DIM, Lapack, ihi, int64_t, "row that it moves to", .minimum = 1,
          .maximum = 4096, .simplest = 1),
    P_PAD(Lapack, ldt, 1 << 16, "leading dimension of T beyond its minimum"),
    P_ROW("ldq", PARAM_PAD, Lapack, ldu, int64_t, "leading dimension of Q beyond its minimum",
          .maximum = 1 << 16),
    P_END,
};
static const char *const tensors[] = {"t", "q", "ifst", "ilst", "info", NULL};
enum { T, Q, IFST, ILST, INFO };

static void normalise(void *of)
{
    Lapack *q = of;
    int64_t n = q->n > 1 ? q->n : 1;
    q->ilo = q->ilo < 1 ? 1 : q->ilo > n ? n : q->ilo;
    q->ihi = q->ihi < 1 ? 1 : q->ihi > n ? n : q->ihi;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    int64_t order = q->compz ? q->n : 0;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    shapes->tensor[T] = lapack_matrix(q, q->n, q->n, q->ldt, ROLE_INOUT);
    shapes->tensor[T].arrangement = ARRANGED_SCHUR;
    shapes->tensor[Q] = lapack_matrix(q, order, order, q->ldu, ROLE_INOUT);
    for (int i = IFST; i <= INFO; i++)
        shapes->tensor[i] = lapack_integers(1);
    for (int i = IFST; i <= ILST; i++) {
        shapes->tensor[i].role = lapack_is_real(q) ? ROLE_INOUT : ROLE_IN;
        shapes->tensor[i].has_head = true;
        shapes->tensor[i].head = (double)(i == IFST ? q->ilo : q->ihi);
    }
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 200 * (double)(q->n * q->n) * (double)(q->n + 8);
}

/* Rows of T in their new order, and where the block begins, from 0. */
typedef struct Move {
    int64_t first, target, *labels, *at;
    bool has_pairs;
} Move;

static Move move_of(const Matrix *t, const Lapack *q, Arena *arena)
{
    bool real = lapack_is_real(q);
    int64_t n = t->rows, next = 0;
    Move to = {.labels = arena_take(arena, (size_t)n + 1, sizeof *to.labels),
               .at = arena_take(arena, (size_t)n + 1, sizeof *to.at)};
    to.first = schur_block_first(t, real, q->ilo - 1);
    to.target = schur_block_first(t, real, q->ihi - 1);
    int64_t height = schur_block_last(t, real, to.first) - to.first + 1;
    if (to.first < to.target)
        to.target = schur_block_last(t, real, to.target) - height + 1;
    for (int64_t i = 0; i < n; i++) {
        to.labels[i] = i;
        to.has_pairs = to.has_pairs || schur_block_last(t, real, i) > i;
    }
    for (int64_t i = 0; i < n; i++) {
        next += next == to.first ? height : 0;
        bool inside = i >= to.target && i < to.target + height;
        to.at[i] = inside ? to.first + i - to.target : next++;
    }
    return to;
}

static void judge_results(Ref *refs, const ReferenceInput *input, const EigenProblem *p,
                          Arena *arena)
{
    const Lapack *q = input->params;
    bool has_q = q->compz != 0;
    Matrix t = reorder_judge_factors(&refs[T], has_q ? &refs[Q] : NULL, &input->computed[T],
                                     &input->computed[Q], &input->tensors[Q], p, arena);
    Move move = move_of(p->a, q, arena);
    const Reordering reordering = {p, move.labels, move.at, has_q};
    if (lapack_integer(&input->computed[INFO], 0) == 0)
        reorder_judge(&refs[T], &reordering, &t, arena);
}

static void allocate(Ref *refs, const Tensor *given, Arena *arena)
{
    for (int i = T; i <= Q; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    for (int i = IFST; i <= INFO; i++)
        ref_allocate_exact(&refs[i], &given[i], arena);
}

/* Where the block began and begins, as far as that is known. */
static void put_rows(Ref *refs, const ReferenceInput *input, const Matrix *t, int64_t info,
                     Arena *arena)
{
    const Lapack *q = input->params;
    if (q->n < 2 || !lapack_is_real(q)) {
        lapack_put_integer(&refs[IFST], 0, q->ilo, q->ilo, q->ilo);
        lapack_put_integer(&refs[ILST], 0, q->ihi, q->ihi, q->ihi);
        return;
    }
    Move move = move_of(t, q, arena);
    int64_t got = input->computed ? lapack_integer(&input->computed[ILST], 0) : move.target + 1;
    lapack_put_integer(&refs[IFST], 0, move.first + 1, move.first + 1, move.first + 1);
    lapack_put_integer(&refs[ILST], 0, got, info ? 1 : move.target + 1,
                       info ? q->n : move.target + 1);
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *t, Arena *arena)
{
    const Lapack *q = input->params;
    EigenProblem p = eigen_problem(t, (DType)q->dtype, arena);
    int64_t info = lapack_integer(&input->computed[INFO], 0);
    bool has_pairs = q->n > 1 && move_of(t, q, arena).has_pairs;
    lapack_put_integer(&refs[INFO], 0, info, 0, has_pairs || !p.known ? 1 : 0);
    put_rows(refs, input, t, p.known ? info : 1, arena);
    if (!p.known)
        return;
    static const SchurRoutine routine = {allocate, judge_results, IFST};
    if (q->n > 0)
        schur_judge(refs, input, &p, &routine, arena);
}

/* One right result. */
static void compute(Ref *refs, const ReferenceInput *input, const Matrix *t, Arena *arena)
{
    const Lapack *q = input->params;
    SchurForm form = {matrix_copy(t, arena), matrix_identity(q->n, arena)};
    bool moved = true;
    if (q->n > 1 && matrix_is_finite(t)) {
        Move move = move_of(t, q, arena);
        bool real = lapack_is_real(q);
        int64_t end = move.target + schur_block_last(t, real, move.first) - move.first;
        moved = reorder_move(&form, real, move.first, move.first < move.target ? end : move.target,
                             arena);
    }
    lapack_put_integer(&refs[INFO], 0, !moved, !moved, !moved);
    put_rows(refs, input, t, !moved, arena);
    matrix_put_rounded(&form.t, &refs[T]);
    if (q->compz)
        schur_put_product(&refs[Q], &input->tensors[Q], &form.z, arena);
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

const OpDesc op_trexc = {
    .name = "trexc",
    .summary = "Schur form with a block in another place",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .policy = "absolute-deflation",
};
