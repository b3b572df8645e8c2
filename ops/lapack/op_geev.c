/* Eigenvalues of a square matrix, and where `jobvl` and `jobvr` say so left and right eigenvectors;
 * the matrix is destroyed.  Of a real matrix w has the real parts and wi the imaginary ones, pairs
 * stand together, the positive imaginary part first, and two columns have the parts of a pair's
 * first vector; of a complex one w has the values, and wi nothing.
 *
 * Judged as eigen.h says: each vector by its residual, each value without right vectors by the
 * distance of A - w I to singularity, all values by the trace.  Pairs are conjugate bit by bit.
 * Vectors have Euclid's norm 1, within 8 n u, and their largest element is real (dgeev.f, zgeev.f:
 * VL and VR); which one is, where several are as large within 8 n u, is open.  That the iterations
 * converge, so that info is 0, is a convention, as for other spectra.  Where numbers are not
 * finite, or so large or small that a norm may leave the range, nothing is said. */
#include "eigenvectors.h"
#include "reference/function.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, jobvl, lapack_jobs, "values alone, or left vectors as well"),
    P_CHOICE(Lapack, jobvr, lapack_jobs, "values alone, or right vectors as well"),
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    EIGENVECTORS_LEADING,
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a", "w", "wi", "vl", "vr", "info", NULL};
enum { A, W, WI, VL, VR, INFO };

static void shape(const void *of, Shapes *shapes)
{
    eigenvectors_shape(of, shapes, INFO);
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *a, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    EigenProblem p = eigen_problem(a, (DType)q->dtype, arena);
    const EigenvectorRefs vectors = {&refs[W], &refs[VL], &refs[VR]};
    lapack_put_known(&refs[INFO], &computed[INFO], p.known, 0);
    if (p.known)
        eigenvectors_judge(&vectors, q, p, &computed[W], &computed[VL], &computed[VR], arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix a = matrix_read(&given[A], arena);
    for (int i = A; i < INFO; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    if (input->computed) {
        judge(refs, input, &a, arena);
        return;
    }
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    if (!matrix_is_finite(&a))
        return;
    const EigenvectorRefs vectors = {&refs[W], &refs[VL], &refs[VR]};
    eigenvectors_put(&vectors, q, &a, arena);
}

const OpDesc op_geev = {
    .name = "geev",
    .summary = "eigenvalues and vectors of a square matrix",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = eigenvectors_work,
    .reference = reference,
};
