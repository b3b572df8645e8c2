/* C = alpha A + beta C (an extension).  beta = 0 must not read C as in gemm; no text says so, which
 * makes it a policy of its own only where a library disagrees.  Real types: one of three outcomes;
 * complex types: the reduction lemma. */
#include "blas_vectors.h"
#include "reference/elementwise.h"

static const Param params[] = {
    BLAS_DTYPE,
    BLAS_ORDER,
    P_DIM(Blas, m, 1, 1024, "rows of A and of C"),
    P_DIM(Blas, n, 1, 1024, "columns of A and of C"),
    BLAS_LDA,
    BLAS_LDC,
    BLAS_ALPHA,
    BLAS_BETA,
    P_END,
};
static const char *const tensors[] = {"a", "c", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = blas_matrix(q, q->m, q->n, q->lda);
    shapes->tensor[1] = blas_role(blas_matrix(q, q->m, q->n, q->ldc), ROLE_INOUT);
    shapes->tensor[1].part = PART_ADDEND;
}

/* The matrix times a scalar, as the sum of one product per element. */
static AffineInput scaled(const Blas *q, const Tensor *matrix, Scalar factor)
{
    return (AffineInput){
        .a = blas_shape_only(blas_dtype(q), q->m, 0),
        .b = blas_shape_only(blas_dtype(q), 0, q->n),
        .c = *matrix,
        .alpha = {1, 0},
        .beta = factor,
    };
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    const Tensor *a = &input->tensors[0], *c = &input->tensors[1];
    if (dtype_components(blas_dtype(q)) == 1) {
        combination_reference(&refs[1], &(CombinationInput){*a, *c, q->alpha.re, q->beta.re},
                              arena);
        return;
    }
    Ref addend;
    AffineInput first = scaled(q, a, q->alpha), second = scaled(q, c, q->beta);
    affine_reference(&refs[1], &first, arena);
    affine_reference(&addend, &second, arena);
    ref_add(&refs[1], &addend, ADD_PLAIN);
}

const OpDesc op_geadd = {
    .name = "geadd",
    .summary = "combination of two matrices (extension)",
    BLAS_OP_TABLES,
    .shape = shape,
    .work = blas_work_matrix,
    .reference = reference,
};
