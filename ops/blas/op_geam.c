/* C = alpha op(A) + beta op(B), op one of identity, transpose, conjugate transpose (an extension of
 * cuBLAS).  No text says whether a factor of 0 multiplies: both are admitted. */
#include "blas_copies.h"

static const Param params[] = {
    BLAS_DTYPE,
    BLAS_ORDER,
    BLAS_TA,
    BLAS_TB,
    P_DIM(Blas, m, 1, 1024, "rows of C"),
    P_DIM(Blas, n, 1, 1024, "columns of C"),
    BLAS_LDA,
    BLAS_LDB,
    BLAS_LDC,
    BLAS_ALPHA,
    BLAS_BETA,
    P_END,
};
static const char *const tensors[] = {"a", "b", "c", NULL};

static TensorSpec operand(const Blas *q, int64_t transpose, int64_t pad)
{
    bool plain = transpose == TRANSPOSE_NONE;
    int64_t rows = plain ? q->m : q->n, columns = plain ? q->n : q->m;
    return blas_operated(blas_matrix(q, rows, columns, pad), transpose);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = operand(q, q->ta, q->lda);
    shapes->tensor[1] = operand(q, q->tb, q->ldb);
    shapes->tensor[1].part = PART_ADDEND;
    shapes->tensor[2] = blas_role(blas_matrix(q, q->m, q->n, q->ldc), ROLE_OUT);
}

static Tensor zeros_like(const Tensor *t, Arena *arena)
{
    size_t bytes = (size_t)(t->extent[0] * t->extent[1]) * dtype_size(t->dtype);
    return tensor_matrix(t->dtype, t->extent[0], t->extent[1], t->extent[1], 1,
                         arena_take_zeroed(arena, bytes, 1));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    const Scalar factors[] = {q->alpha, q->beta};
    Tensor read[2];
    for (int i = 0; i < 2; i++)
        read[i] =
            scalar_is_zero(factors[i]) ? zeros_like(&input->tensors[i], arena) : input->tensors[i];
    blas_matrix_sum(&refs[2], q, &read[0], &read[1], arena);
    for (int i = 0; i < 2; i++)
        if (scalar_is_zero(factors[i]))
            blas_admit_zero_products(&refs[2], &input->tensors[i]);
}

const OpDesc op_geam = {
    .name = "geam",
    .summary = "combination of two matrices or their transposes (extension)",
    BLAS_OP_TABLES,
    .shape = shape,
    .work = blas_work_matrix,
    .reference = reference,
};
