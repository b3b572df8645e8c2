/* y = alpha op(A) x + beta y, op one of identity, transpose, conjugate transpose; A is m x n as
 * stored.  A vector with a negative increment is stored from its last element to its first.
 *
 * Edge rules and bound as for gemm, with one more: where m or n is 0 the routine returns at once
 * and y keeps its bits, whatever beta is (BLAS technical forum standard, section 2.5.3; the
 * reference implementation of xGEMV). */
#include "op.h"
#include "reference/affine.h"

static const char *const orders[] = {"col", "row", NULL};
static const char *const transposes[] = {"n", "t", "c", NULL};

typedef struct Gemv {
    int64_t dtype, order, ta, m, n, lda, incx, incy;
    Scalar alpha, beta;
} Gemv;

static const Param params[] = {
    P_DTYPE(Gemv, dtype, "element type of A, x and y"),
    P_CHOICE(Gemv, order, orders, "storage of A"),
    P_CHOICE(Gemv, ta, transposes, "A is transposed, or conjugate transposed"),
    P_DIM(Gemv, m, 0, 1024, "rows of A"),
    P_DIM(Gemv, n, 0, 1024, "columns of A"),
    P_PAD(Gemv, lda, 1024, "leading dimension of A beyond its minimum"),
    P_INCREMENT(Gemv, incx, 64, "elements from one of x to the next"),
    P_INCREMENT(Gemv, incy, 64, "elements from one of y to the next"),
    P_SCALAR(Gemv, alpha, 1, "factor of the product"),
    P_SCALAR(Gemv, beta, 0, "factor of y"),
    P_END,
};

static const char *const tensors[] = {"a", "x", "y", NULL};

static TensorSpec vector(const Gemv *q, TensorPart part, int64_t length, int64_t increment)
{
    return (TensorSpec){
        .role = part == PART_ADDEND ? ROLE_INOUT : ROLE_IN,
        .part = part,
        .layout = {(DType)q->dtype, 2, {length, 1}, {increment, 1}, NULL},
        .leading = increment,
        .contraction = part == PART_RIGHT ? 0 : -1,
    };
}

static void shape(const void *parameters, Shapes *shapes)
{
    const Gemv *q = parameters;
    bool transposed = q->ta != 0;
    bool rows_contiguous = q->order == 1;
    int64_t line = rows_contiguous ? q->n : q->m, leading = (line > 1 ? line : 1) + q->lda;
    Tensor stored = {(DType)q->dtype,
                     2,
                     {q->m, q->n},
                     {rows_contiguous ? leading : 1, rows_contiguous ? 1 : leading},
                     NULL};
    int64_t outputs = transposed ? q->n : q->m, depth = transposed ? q->m : q->n;
    *shapes = (Shapes){.count = 3, .depth = depth};
    shapes->tensor[0] = (TensorSpec){
        .role = ROLE_IN,
        .part = PART_LEFT,
        .layout = transposed ? tensor_transposed(stored) : stored,
        .leading = leading,
        .contraction = 1,
    };
    shapes->tensor[1] = vector(q, PART_RIGHT, depth, q->incx);
    shapes->tensor[2] = vector(q, PART_ADDEND, outputs, q->incy);
    shapes->tensor[0].ignored = shapes->tensor[1].ignored = q->alpha.re == 0 && q->alpha.im == 0;
    shapes->tensor[2].ignored = q->beta.re == 0 && q->beta.im == 0 && q->m > 0 && q->n > 0;
}

static double work(const void *parameters)
{
    const Gemv *q = parameters;
    return 8.0 * (double)(q->m * q->n) * dtype_components((DType)q->dtype);
}

static void reference(Ref *ref, const ReferenceInput *input, Arena *arena)
{
    const Gemv *q = input->params;
    AffineInput affine = {
        .a = input->tensors[0],
        .b = input->tensors[1],
        .c = input->tensors[2],
        .conjugate_a = q->ta == 2,
        .alpha = q->alpha,
        .beta = q->beta,
        .want_square = input->exchangeable,
        .signs_drawn = input->signs_drawn,
    };
    if (q->m == 0 || q->n == 0) {
        affine.alpha = (Scalar){0, 0};
        affine.beta = (Scalar){1, 0};
    }
    affine_reference(ref, &affine, arena);
}

const OpDesc op_gemv = {
    .name = "gemv",
    .version = 1,
    .summary = "matrix times vector",
    .size = sizeof(Gemv),
    .params = params,
    .tensors = tensors,
    .shape = shape,
    .work = work,
    .reference = reference,
};
