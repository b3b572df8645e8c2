/* Schur form of a square matrix, A = Z T Z^H: T in place of it, its eigenvalues in w, and wi of
 * real types, and where `jobvs` says so Z in vs.  Of a real matrix pairs stand together, the
 * positive imaginary part first, and T has a block of two for each, with an equal diagonal and
 * others of different sign.  Nothing is sorted: sdim is 0, and no function of the caller's is
 * asked.
 *
 * T, w and Z are judged as those of hseqr are (op_hseqr.c), with A for H and the identity for Q:
 * the reduction to Hessenberg form before it has a bound of the same kind (op_gehrd.c), and
 * interchanges and scaling by the largest element of A have none of their own (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd ed., lemma 19.3). */
#include <math.h>

#include "eigenvalues.h"
#include "lapack.h"
#include "reference/function.h"
#include "schur_judge.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE_AS("jobvs", Lapack, job, lapack_jobs, "T alone, or Z as well"),
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    P_ROW("ldvs", PARAM_PAD, Lapack, ldv, int64_t, "leading dimension of Z beyond its minimum",
          .maximum = 1 << 16),
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a", "w", "wi", "vs", "sdim", "info", NULL};
enum { A, W, WI, VS, SDIM, INFO };

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
    shapes->tensor[SDIM] = lapack_integers(1);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 500 * (double)(q->n * q->n) * (double)(q->n + 8);
}

static void allocate(Ref *refs, const Tensor *given, Arena *arena)
{
    for (int i = A; i < SDIM; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    for (int i = SDIM; i <= INFO; i++) {
        ref_allocate_exact(&refs[i], &given[i], arena);
        lapack_put_integer(&refs[i], 0, 0, 0, 0);
    }
}

static void judge_results(Ref *refs, const ReferenceInput *input, const EigenProblem *p,
                          Arena *arena)
{
    const Lapack *q = input->params;
    (void)schur_judge_whole(&refs[A], &input->computed[A], p, q->job != 0, arena);
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *a, Arena *arena)
{
    const Lapack *q = input->params;
    EigenProblem p = eigen_problem(a, (DType)q->dtype, arena);
    for (int i = SDIM; i <= INFO; i++)
        lapack_put_known(&refs[i], &input->computed[i], p.known, 0);
    if (!p.known)
        return;
    static const SchurRoutine routine = {allocate, judge_results, SDIM};
    schur_judge(refs, input, &p, &routine, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    bool real = lapack_is_real(q);
    Matrix a = matrix_read(&input->tensors[A], arena);
    allocate(refs, input->tensors, arena);
    if (input->computed) {
        judge(refs, input, &a, arena);
        return;
    }
    if (!matrix_is_finite(&a))
        return;
    SchurForm form = real ? schur_real_form_of(&a, arena) : schur_form_of(&a, arena);
    matrix_put_rounded(&form.t, &refs[A]);
    schur_put_values(&refs[W], &form.t, real);
    if (q->job)
        matrix_put_rounded(&form.z, &refs[VS]);
}

const OpDesc op_gees = {
    .name = "gees",
    .summary = "Schur form of a square matrix",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
    .policy = "absolute-deflation",
};
