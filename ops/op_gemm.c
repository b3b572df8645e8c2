/* C = alpha op(A) op(B) + beta C, op one of identity, transpose, conjugate transpose.
 *
 * Edge rules (BLAS technical forum standard, section 2.7): beta = 0 must not read C, alpha = 0 or
 * k = 0 must not read A and B.  Bound: the reduction lemma (oracle/bound.h) per component. */
#include "op.h"
#include "reference/affine.h"

static const char *const orders[] = {"col", "row", NULL};
static const char *const transposes[] = {"n", "t", "c", NULL};

typedef struct Gemm {
    int64_t dtype, order, ta, tb, m, n, k, lda, ldb, ldc;
    Scalar alpha, beta;
} Gemm;

static const Param params[] = {
    P_DTYPE(Gemm, dtype, "element type of A, B and C"),
    P_CHOICE(Gemm, order, orders, "storage of all matrices"),
    P_CHOICE(Gemm, ta, transposes, "A is transposed, or conjugate transposed"),
    P_CHOICE(Gemm, tb, transposes, "B is transposed, or conjugate transposed"),
    P_DIM(Gemm, m, 0, 1024, "rows of op(A) and of C"),
    P_DIM(Gemm, n, 0, 1024, "columns of op(B) and of C"),
    P_DIM(Gemm, k, 0, 1024, "columns of op(A), rows of op(B)"),
    P_PAD(Gemm, lda, 1024, "leading dimension of A beyond its minimum"),
    P_PAD(Gemm, ldb, 1024, "leading dimension of B beyond its minimum"),
    P_PAD(Gemm, ldc, 1024, "leading dimension of C beyond its minimum"),
    P_SCALAR(Gemm, alpha, 1, "factor of the product"),
    P_SCALAR(Gemm, beta, 0, "factor of C"),
    P_END,
};

static const char *const tensors[] = {"a", "b", "c", NULL};

static TensorSpec matrix(const Gemm *q, TensorPart part, bool transposed, int64_t rows,
                         int64_t columns, int64_t pad)
{
    bool rows_contiguous = (q->order == 1) != transposed;
    int64_t line = rows_contiguous ? columns : rows, leading = (line > 1 ? line : 1) + pad;
    return (TensorSpec){
        .role = part == PART_ADDEND ? ROLE_INOUT : ROLE_IN,
        .part = part,
        .layout = {(DType)q->dtype,
                   2,
                   {rows, columns},
                   {rows_contiguous ? leading : 1, rows_contiguous ? 1 : leading},
                   NULL},
        .leading = leading,
        .contraction = part == PART_LEFT    ? 1
                       : part == PART_RIGHT ? 0
                                            : -1,
    };
}

static void shape(const void *parameters, Shapes *shapes)
{
    const Gemm *q = parameters;
    bool product_ignored = q->alpha.re == 0 && q->alpha.im == 0;
    *shapes = (Shapes){.count = 3, .depth = q->k};
    shapes->tensor[0] = matrix(q, PART_LEFT, q->ta != 0, q->m, q->k, q->lda);
    shapes->tensor[1] = matrix(q, PART_RIGHT, q->tb != 0, q->k, q->n, q->ldb);
    shapes->tensor[2] = matrix(q, PART_ADDEND, false, q->m, q->n, q->ldc);
    shapes->tensor[0].ignored = shapes->tensor[1].ignored = product_ignored;
    shapes->tensor[2].ignored = q->beta.re == 0 && q->beta.im == 0;
}

static double work(const void *parameters)
{
    const Gemm *q = parameters;
    double parts = dtype_components((DType)q->dtype) == 2 ? 4 : 1;
    return parts * (double)(q->m * q->n) * (double)(q->k + 8);
}

static void reference(Ref *ref, const ReferenceInput *input, Arena *arena)
{
    const Gemm *q = input->params;
    AffineInput affine = {
        .a = input->tensors[0],
        .b = input->tensors[1],
        .c = input->tensors[2],
        .conjugate_a = q->ta == 2,
        .conjugate_b = q->tb == 2,
        .alpha = q->alpha,
        .beta = q->beta,
        .want_square = input->exchangeable,
        .signs_drawn = input->signs_drawn,
    };
    affine_reference(ref, &affine, arena);
}

const OpDesc op_gemm = {
    .name = "gemm",
    .version = 1,
    .summary = "matrix times matrix",
    .size = sizeof(Gemm),
    .params = params,
    .tensors = tensors,
    .shape = shape,
    .work = work,
    .reference = reference,
};
