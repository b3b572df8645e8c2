/* Generalized Schur form of a square pencil, A = Q S Z^H and B = Q T Z^H: S and T in place of them,
 * eigenvalues alpha / beta, and where `jobvsl` and `jobvsr` say so Q in vsl and Z in vsr.  Those
 * whose real part is negative stand in front where `sort` says some: the function of the caller's
 * looks for a negative alpha.  sdim is how many they are, both of a pair.
 *
 * The form is judged as pencil_form.h and pencil_schur.h say.  Of a row by itself alpha and beta
 * are the elements of the diagonals, of a pair of a real pencil any whose quotient is right.  Which
 * of them are negative is a question of those that were found, as in op_geesx.c: info = n + 2 says
 * that the order was lost, n + 3 that some were too close to be exchanged (dgges.f).  QZ iterations
 * may fail as in op_ggev.c, which info = 1 to n says. */
#include <limits.h>
#include <math.h>

#include "lapack.h"
#include "pencil_schur.h"
#include "reference/function.h"

static const char *const orders[] = {"nothing", "some", NULL};
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE_AS("jobvsl", Lapack, jobvl, lapack_jobs, "S and T alone, or Q as well"),
    P_CHOICE_AS("jobvsr", Lapack, jobvr, lapack_jobs, "S and T alone, or Z as well"),
    P_CHOICE_AS("sort", Lapack, fact, orders, "any order, or chosen eigenvalues in front"),
    LAPACK_N("rows and columns of A and B"),
    LAPACK_LDA,
    LAPACK_LDB,
    P_ROW("ldvsl", PARAM_PAD, Lapack, ldu, int64_t, "leading dimension of Q beyond its minimum",
          .maximum = 1 << 16),
    P_ROW("ldvsr", PARAM_PAD, Lapack, ldv, int64_t, "leading dimension of Z beyond its minimum",
          .maximum = 1 << 16),
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a",    "b",   "sdim", "alpha", "alphai",
                                      "beta", "vsl", "vsr",  "info",  NULL};
enum { A, B, SDIM, ALPHA, ALPHAI, BETA, VSL, VSR, INFO };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    int64_t left = q->jobvl ? q->n : 0, right = q->jobvr ? q->n : 0;
    TensorSpec numbers = blas_role(blas_vector(&(Blas){.dtype = q->dtype}, q->n, 1), ROLE_OUT);
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[B] = lapack_matrix(q, q->n, q->n, q->ldb, ROLE_INOUT);
    for (int i = A; i <= B; i++)
        shapes->tensor[i].arrangement = lapack_arrangement(q);
    shapes->tensor[ALPHA] = shapes->tensor[BETA] = numbers;
    shapes->tensor[ALPHAI] = lapack_real_vector(q, lapack_is_real(q) ? q->n : 0);
    shapes->tensor[VSL] = lapack_matrix(q, left, left, q->ldu, ROLE_OUT);
    shapes->tensor[VSR] = lapack_matrix(q, right, right, q->ldv, ROLE_OUT);
    shapes->tensor[SDIM] = shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 40 * (double)(q->n * q->n) * (double)(q->n + 8) * (double)(q->n + 8);
}

static PencilForm form_of(Ref *refs, const ReferenceInput *input)
{
    static const int operands[] = {A, B, VSL, VSR};
    const Lapack *q = input->params;
    return pencil_form_of(refs, input, operands, q->jobvl ? PENCIL_IDENTITY : PENCIL_NOTHING,
                          q->jobvr ? PENCIL_IDENTITY : PENCIL_NOTHING);
}

static bool is_negative(const void *context, PencilValue value)
{
    const DType *dtype = context;
    return dtype_round(*dtype, value.alpha.re) < 0;
}

/* sdim, and info where iterations did not fail. */
static void judge_order(Ref *refs, const Lapack *q, const PencilValue *values, int64_t info,
                        int64_t sdim)
{
    int64_t count = 0;
    bool is_lost = false;
    for (int64_t i = 0; i < q->n && q->fact; i++) {
        is_lost = is_lost || (values[i].alpha.re < 0 && count < i);
        count += values[i].alpha.re < 0;
    }
    int64_t right = is_lost ? q->n + 2 : 0;
    if (q->fact && info == q->n + 3)
        right = info;
    lapack_put_integer(&refs[INFO], 0, info, right, right);
    lapack_put_integer(&refs[SDIM], 0, sdim, count, count);
}

static void judge(Ref *refs, const ReferenceInput *input, const Pencil *p, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    int64_t info = lapack_integer(&computed[INFO], 0), sdim = lapack_integer(&computed[SDIM], 0);
    bool near = pencil_is_even(p);
    if (!p->known || (!near && info > 0 && info <= q->n)) {
        lapack_put_integer(&refs[INFO], 0, info, INT_MIN, INT_MAX);
        lapack_put_integer(&refs[SDIM], 0, sdim, INT_MIN, INT_MAX);
        return;
    }
    PencilForm form = form_of(refs, input);
    const PencilValues values = {&refs[ALPHA], &computed[ALPHA]};
    judge_order(refs, q, pencil_values_read(&computed[ALPHA], q->n, arena), info, sdim);
    if (pencil_form_judge(&form, arena))
        pencil_schur_judge(&form, &values, p, true, arena);
}

static void compute(Ref *refs, const ReferenceInput *input, const Pencil *p, Arena *arena)
{
    const Lapack *q = input->params;
    PencilForm form = form_of(refs, input);
    PencilSchur schur = pencil_schur_form(p, q->fact ? is_negative : NULL, &p->dtype, arena);
    PencilValue *rounded = arena_take(arena, (size_t)q->n + 1, sizeof *rounded);
    for (int64_t i = 0; i < q->n; i++)
        rounded[i].alpha.re = dtype_round(p->dtype, schur.values[i].alpha.re);
    pencil_schur_put(&form, &refs[ALPHA], &schur, arena);
    judge_order(refs, q, rounded, 0, 0);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix a = matrix_read(&given[A], arena), b = matrix_read(&given[B], arena);
    Pencil p = pencil_problem(&a, &b, (DType)q->dtype, arena);
    for (int i = A; i < INFO; i++)
        if (i != SDIM)
            lapack_admit_all(&refs[i], &given[i], arena);
    for (int i = SDIM; i <= INFO; i += INFO - SDIM) {
        ref_allocate_exact(&refs[i], &given[i], arena);
        lapack_put_integer(&refs[i], 0, 0, 0, 0);
    }
    if (input->computed)
        judge(refs, input, &p, arena);
    else if (p.known)
        compute(refs, input, &p, arena);
}

const OpDesc op_gges = {
    .name = "gges",
    .summary = "generalized Schur form of a square pencil",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
