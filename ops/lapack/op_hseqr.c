/* Eigenvalues of an upper Hessenberg matrix H, and as `job` says its Schur form T in place of it, H
 * = Z T Z^H; Z, or as `compz` says Q Z for a given Q, in z.  Of a real matrix w has the real parts
 * and wi the imaginary ones, pairs stand together, the positive imaginary part first, and T has a
 * block of two for each, with an equal diagonal and others of different sign.
 *
 * T and Z are judged together: with what Z was before, Q, which is the identity where none is
 * given, and outside rows and columns ilo to ihi otherwise (dhseqr.f: assumed),
 *     |Z T Z^H - Q H Q^H|_F <= p(n) u |Q|^2 |H|_F,  |Z Z^H - Q Q^H| <= p(n) u |Q|^2,
 * as steps are reflections of T and of Z, each with an error of a few roundings (Higham, Accuracy
 * and Stability of Numerical Algorithms, 2nd ed., lemma 19.3).  How many there are no theorem says:
 * p(n) is that of spectrum.h, a convention, and so is it that the iterations converge, so that info
 * is 0.  T's diagonal is w and below its blocks it is 0 (dhseqr.f); wi is the root of the product
 * of the others of a block within 8 u.
 *
 * Values without both T and Z are judged each by itself, by the distance of H - w I to singularity
 * and all by the trace (eigen.h; nothing is balanced), T without Z by its norm as well, Z without T
 * by its products alone, and nothing is said of H where T is not wanted.  Where numbers are not
 * finite, or a norm may leave the range, nothing is said.
 *
 * Reference LAPACK takes an element below the diagonal, or of a spike, for 0 where it is at most
 * s = n safmin / ulp (dlahqr.f and dlaqr3.f: SMLNUM), however small H is.  That is another reading,
 * absolute-deflation: each of at most 2 n such elements adds s to the error, sqrt(2 n) s together
 * in Frobenius' norm. */
#include <math.h>

#include "eigenvalues.h"
#include "lapack.h"
#include "reference/function.h"
#include "schur_judge.h"

static const char *const jobs[] = {"eigenvalues", "schur", NULL};
static const char *const vectors[] = {"nothing", "identity", "given", NULL};
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, job, jobs, "values alone, or T as well"),
    P_CHOICE(Lapack, compz, vectors, "no Z, or Z, or its product with what z has"),
    LAPACK_N("rows and columns of H"),
    LAPACK_BLOCK,
    P_ROW("ldh", PARAM_PAD, Lapack, lda, int64_t, "leading dimension of H beyond its minimum",
          .maximum = 1 << 16),
    P_ROW("ldz", PARAM_PAD, Lapack, ldb, int64_t, "leading dimension of Z beyond its minimum",
          .maximum = 1 << 16),
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"h", "w", "wi", "z", "info", NULL};
enum { H, W, WI, Z, INFO };
enum { JOB_VALUES, JOB_SCHUR };
enum { COMPZ_NOTHING, COMPZ_IDENTITY, COMPZ_GIVEN };

static void normalise(void *of)
{
    Lapack *q = of;
    lapack_normalise_block(q, q->n);
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    int64_t order = q->compz == COMPZ_NOTHING ? 0 : q->n;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    shapes->tensor[H] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[H].arrangement = lapack_arrangement(q);
    shapes->tensor[H].block = lapack_block(q);
    shapes->tensor[H].block.narrow = true;
    shapes->tensor[W] = blas_role(blas_vector(&(Blas){.dtype = q->dtype}, q->n, 1), ROLE_OUT);
    shapes->tensor[WI] = lapack_real_vector(q, lapack_is_real(q) ? q->n : 0);
    shapes->tensor[Z] =
        lapack_matrix(q, order, order, q->ldb, q->compz == COMPZ_GIVEN ? ROLE_INOUT : ROLE_OUT);
    if (q->compz == COMPZ_GIVEN) {
        shapes->tensor[Z].block = lapack_block(q);
        shapes->tensor[Z].block.unit = true;
    }
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    bool is_whole = q->job == JOB_SCHUR && q->compz != COMPZ_NOTHING;
    return 8 * (double)(q->n * q->n) * (double)(q->n + 8) * (double)(is_whole ? 64 : q->n + 8);
}

static void judge_results(Ref *refs, const ReferenceInput *input, const EigenProblem *p,
                          Arena *arena)
{
    const Lapack *q = input->params;
    bool real = lapack_is_real(q), has_t = q->job == JOB_SCHUR, has_z = q->compz != COMPZ_NOTHING;
    Matrix t = matrix_read(&input->computed[H], arena);
    if (has_z) {
        Matrix z = matrix_read(&input->computed[Z], arena);
        Matrix given = q->compz == COMPZ_GIVEN ? matrix_read(&input->tensors[Z], arena)
                                               : matrix_identity(q->n, arena);
        if (matrix_is_finite(&given))
            schur_judge_vectors(&refs[Z], p, &z, has_t ? &t : NULL, &given, arena);
    }
    if (!has_t || !has_z)
        eigenvalues_judge(&refs[W], p, eigenvalues_read(&input->computed[W], q->n, arena), false,
                          arena);
    if (!has_t)
        return;
    if (!has_z)
        schur_judge_norm(&refs[H], p, &t);
    schur_judge_form(&refs[H], &t, real);
    schur_judge_diagonal(&refs[W], &t, real);
}

static void allocate(Ref *refs, const Tensor *given, Arena *arena)
{
    for (int i = H; i < INFO; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *h, Arena *arena)
{
    const Lapack *q = input->params;
    EigenProblem p = eigen_problem(h, (DType)q->dtype, arena);
    lapack_put_known(&refs[INFO], &input->computed[INFO], p.known, 0);
    if (!p.known)
        return;
    static const SchurRoutine routine = {allocate, judge_results, INFO};
    schur_judge(refs, input, &p, &routine, arena);
}

/* One right result. */
static void compute(Ref *refs, const ReferenceInput *input, const Matrix *h, Arena *arena)
{
    const Lapack *q = input->params;
    bool real = lapack_is_real(q);
    SchurForm form = real ? schur_real_form_of(h, arena) : schur_form_of(h, arena);
    matrix_put_rounded(&form.t, &refs[H]);
    schur_put_values(&refs[W], &form.t, real);
    if (q->compz == COMPZ_NOTHING)
        return;
    if (q->compz == COMPZ_GIVEN)
        schur_put_product(&refs[Z], &input->tensors[Z], &form.z, arena);
    else
        matrix_put_rounded(&form.z, &refs[Z]);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *given = input->tensors;
    Matrix h = matrix_read(&given[H], arena);
    allocate(refs, given, arena);
    if (input->computed) {
        judge(refs, input, &h, arena);
        return;
    }
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    if (matrix_is_finite(&h))
        compute(refs, input, &h, arena);
}

const OpDesc op_hseqr = {
    .name = "hseqr",
    .summary = "eigenvalues and Schur form of a Hessenberg matrix",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .policy = "absolute-deflation",
};
