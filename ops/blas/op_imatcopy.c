/* A = alpha op(A) in place for a square A and one leading dimension (an extension); in general the
 * result may have other extents than A, and what it does not cover is undefined.  Rules as for
 * omatcopy. */
#include "blas_copies.h"

static const Param params[] = {
    BLAS_DTYPE, BLAS_ORDER, BLAS_TA, P_DIM(Blas, m, 1, 1024, "order of A"),
    BLAS_LDA,   BLAS_ALPHA, P_END,
};
static const char *const tensors[] = {"a", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    *shapes = (Shapes){.count = 1, .depth = 1};
    shapes->tensor[0] = blas_role(blas_matrix(q, q->m, q->m, q->lda), ROLE_INOUT);
}

static double work(const void *params_of_case)
{
    const Blas *q = params_of_case;
    return 8.0 * (double)(q->m * q->m) * dtype_components(blas_dtype(q));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    Tensor a = input->tensors[0];
    if (q->ta != TRANSPOSE_NONE)
        a = tensor_transposed(a);
    blas_scaled_copy(&refs[0], q, &a, arena);
}

const OpDesc op_imatcopy = {
    .name = "imatcopy",
    .summary = "scaling or transposition of a matrix in place (extension)",
    BLAS_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
