/* result = zero-based index of the first element with the smallest |re| + |im|; 0 for an increment
 * below 1. NaN: as the reference implementation compares, or one of two named policies
 * (reference/norm.h). */
#include "blas_shapes.h"
#include "blas_vectors.h"
#include "reference/norm.h"

static const Param params[] = {BLAS_PARAMS_ASUM, P_END};
static const char *const tensors[] = {"x", "result", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    Ref found;
    extreme_index_reference(&found, &input->tensors[0], EXTREME_SMALLEST, arena);
    if (q->incx > 0) {
        refs[1] = found;
        return;
    }
    zero_reference(&refs[1], DT_F64, arena);
    ref_add_alternative(&refs[1], &found, "backwards-counts", arena);
}

const OpDesc op_iamin = {
    .name = "iamin",
    .summary = "index of the smallest element",
    BLAS_OP_TABLES,
    .shape = blas_shape_of_iamax,
    .work = blas_work_vector,
    .reference = reference,
    .policy = "index-first-nan",
};
