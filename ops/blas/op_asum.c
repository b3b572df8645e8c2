/* result = sum of |re x_i| + |im x_i|, by the reduction lemma; 0 for an increment below 1
 * (reference implementation). */
#include "blas_shapes.h"
#include "blas_vectors.h"
#include "reference/norm.h"

static const Param params[] = {BLAS_PARAMS_ASUM, P_END};
static const char *const tensors[] = {"x", "result", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    Ref sum;
    magnitude_sum_reference(&sum, &input->tensors[0], arena);
    if (q->incx > 0) {
        refs[1] = sum;
        return;
    }
    zero_reference(&refs[1], blas_real_dtype(q), arena);
    ref_add_alternative(&refs[1], &sum, "backwards-counts", arena);
}

const OpDesc op_asum = {
    .name = "asum",
    .summary = "sum of magnitudes",
    BLAS_OP_TABLES,
    .shape = blas_shape_of_asum,
    .work = blas_work_vector,
    .reference = reference,
};
