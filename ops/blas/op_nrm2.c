/* result = sqrt(sum |x_i|^2), see reference/norm.h.  A negative increment runs through the vector
 * backwards (reference implementation since LAPACK 3.10) or, before, gives 0: the policy
 * backwards-is-empty. */
#include "blas_vectors.h"
#include "reference/norm.h"

static const Param params[] = {BLAS_DTYPE, BLAS_LENGTH, BLAS_INCX, P_END};
static const char *const tensors[] = {"x", "result", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_reduce(q, shapes, blas_real_dtype(q));
}

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
    .family = "blas",
    .version = 1,
    .summary = "euclidean norm",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .shape = shape,
    .work = blas_work_vector,
    .reference = reference,
};
