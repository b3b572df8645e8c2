/* result = sqrt(sum |x_i|^2), see reference/norm.h.  A negative increment runs through the vector
 * backwards and one of 0 has its first element n times (reference implementation since LAPACK 3.10)
 * or, before, both give 0: the policy backwards-is-empty. */
#include "blas_shapes.h"
#include "blas_vectors.h"
#include "reference/norm.h"

static const Param params[] = {BLAS_PARAMS_ASUM, P_END};
static const char *const tensors[] = {"x", "result", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    Ref zero;
    euclidean_norm_reference(&refs[1], &input->tensors[0], arena);
    if (q->incx > 0)
        return;
    zero_reference(&zero, blas_real_dtype(q), arena);
    ref_add_alternative(&refs[1], &zero, "backwards-is-empty", arena);
}

const OpDesc op_nrm2 = {
    .name = "nrm2",
    .summary = "euclidean norm",
    BLAS_OP_TABLES,
    .shape = blas_shape_of_asum,
    .work = blas_work_vector,
    .reference = reference,
};
