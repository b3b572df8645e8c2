/* C = alpha op(A) op(B) + beta C with A and B in bfloat16, C and all sums in binary32 (an
 * extension).  Products of bfloat16 are exact in binary32; bound and rules otherwise as for gemm.
 */
#include "blas_matrices.h"
#include "blas_shapes.h"

static const Param params[] = {BLAS_PARAMS_GEMM, P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    blas_shape_of_gemm(params_of_case, shapes);
    shapes->tensor[0].layout.dtype = shapes->tensor[1].layout.dtype = DT_BF16;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    blas_gemm(refs, input, arena);
}

const OpDesc op_sbgemm = {
    .name = "sbgemm",
    .summary = "product of bfloat16 matrices in single precision (extension)",
    BLAS_OP_TABLES,
    .dtypes = 1u << DT_F32,
    .shape = shape,
    .work = blas_work_mnk,
    .reference = reference,
};
