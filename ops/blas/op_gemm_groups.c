/* C_i = alpha op(A_i) op(B_i) + beta C_i for groups of matrices that are given by their addresses
 * (an extension).  All groups have one shape here; each takes its own arguments.  Rules as for
 * gemm, matrix by matrix. */
#include "blas_batch.h"

static const Param params[] = {BLAS_PARAMS_BATCH, P_DIM(Blas, batch, 1, 8, "matrices of a group"),
                               P_DIM(Blas, groups, 1, 4, "groups"), P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_batch(q, shapes, q->batch * q->groups);
}

static double work(const void *params_of_case)
{
    const Blas *q = params_of_case;
    return blas_work_batch(q, q->batch * q->groups);
}

static void products(ProductBlocks *product, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    blas_product_batch(product, input, q->batch * q->groups, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    blas_batch(refs, input, q->batch * q->groups, arena);
}

const OpDesc op_gemm_groups = {
    .name = "gemm_groups",
    .summary = "products of groups of matrices by address (extension)",
    BLAS_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
    .product = products,
};
