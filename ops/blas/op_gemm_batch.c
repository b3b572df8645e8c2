/* C_i = alpha op(A_i) op(B_i) + beta C_i for a batch of matrices of one shape (an extension); their
 * storage is in blas_batch.h.  Rules as for gemm, matrix by matrix. */
#include "blas_batch.h"

static const Param params[] = {BLAS_PARAMS_BATCH, P_DIM(Blas, batch, 0, 16, "matrices"), P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_batch(q, shapes, q->batch);
}

static double work(const void *params_of_case)
{
    const Blas *q = params_of_case;
    return blas_work_batch(q, q->batch);
}

static void products(ProductBlocks *product, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    blas_product_batch(product, input, q->batch, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    blas_batch(refs, input, q->batch, arena);
}

const OpDesc op_gemm_batch = {
    .name = "gemm_batch",
    .summary = "products of a batch of matrices (extension)",
    BLAS_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
    .product = products,
};
