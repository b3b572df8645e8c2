/* result = zero-based index of the first element with the smallest |re| + |im|; 0 for an increment
 * below 1. NaN: as the reference implementation compares, or one of two named policies
 * (reference/norm.h). */
#include "blas_vectors.h"
#include "reference/norm.h"

static const Param params[] = {BLAS_DTYPE, BLAS_LENGTH, BLAS_INCX, P_END};
static const char *const tensors[] = {"x", "result", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    blas_shape_reduce(params_of_case, shapes, DT_F64);
}

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
    .family = "blas",
    .version = 1,
    .summary = "index of the smallest element",
    .size = sizeof(Blas),
    .params = params,
    .tensors = tensors,
    .shape = shape,
    .work = blas_work_vector,
    .reference = reference,
};
