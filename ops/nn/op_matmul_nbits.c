/* y[i, j] = sum over p of a[i, p] (w[j, p] - zero[j, g]) scale[j, g], g = p / block_size, of
 * weights of few bits (ONNX Runtime, MatMulNBits; PyTorch, _weight_int8pack_mm).  Without zero
 * points they are 2^(bits - 1).
 *
 * The difference of two weights is exact.  A kernel may multiply it by the scale first, or sums of
 * its products by the scale of their block: of each product two roundings at most, and a node more
 * for each block than the tree of a sum has (oracle/bound.h); where the type of a is narrow, what
 * differences times scales are rounded to in it, which units of matrices take.  Underflow of a
 * factor costs what multiplies it, at most max |a| or the greatest difference.  Scales between
 * 2^-40 and 2^40, or 0, and sums below 2^100 keep all of it in the range of binary32; of others
 * nothing is claimed.
 *
 * activations=int8: a may be rounded to 8 bits in whichever groups (ONNX Runtime, accuracy_level:
 * "the input A can be quantized or downcast to that accuracy level").  By the greatest of its row,
 * which is the widest, an element is off by that over 254; zero points may be subtracted behind the
 * product, so that weights count as w + zero. */
#include <math.h>

#include "nn.h"
#include "reference/mag.h"
#include "reference/reduce.h"

enum { AS_FLOAT, AS_INT8 };
static const char *const activations[] = {"float", "int8", NULL};

typedef struct NBits {
    int64_t dtype, m, n, k, bits, block_size, zero_points, activations;
} NBits;

static const Param params[] = {
    NN_DTYPE(NBits),
    P_DIM(NBits, m, 1, 64, "rows of a and y"),
    P_DIM(NBits, n, 1, 256, "columns of y"),
    P_DIM(NBits, k, 1, 512, "columns of a"),
    P_INTEGER(NBits, bits, 4, 8, 4, "bits of a weight"),
    P_INTEGER(NBits, block_size, 16, 1024, 16, "weights of a scale"),
    P_CHOICE(NBits, zero_points, nn_yes_no, "a zero point for each scale"),
    P_CHOICE(NBits, activations, activations, "what a may be rounded to"),
    P_END};
static const char *const tensors[] = {"a", "w", "scale", "zero", "y", NULL};
enum { A, W, SCALE, ZERO, Y };

static void normalise(void *params_of_case)
{
    NBits *q = params_of_case;
    int64_t size = 16;
    q->bits = q->bits > 4 ? 8 : 4;
    while (2 * size <= q->block_size)
        size *= 2;
    q->block_size = size;
}

static int64_t blocks_of(const NBits *q)
{
    return (q->k + q->block_size - 1) / q->block_size;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const NBits *q = params_of_case;
    Shape a = {2, {q->m, q->k}}, w = {2, {q->n, q->k}}, y = {2, {q->m, q->n}};
    Shape blocks = {2, {q->n, blocks_of(q)}};
    *shapes = (Shapes){.depth = q->k};
    nn_add_operand(shapes, nn_dtype(q), &a, ROLE_IN);
    nn_add_operand(shapes, DT_U8, &w, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &blocks, ROLE_IN);
    nn_add_operand(shapes, DT_U8, &blocks, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
    shapes->tensor[A].part = PART_LEFT;
    shapes->tensor[SCALE].positive = true;
    shapes->tensor[ZERO].ignored = !q->zero_points;
    shapes->tensor[W].index_below = shapes->tensor[ZERO].index_below = (int64_t)1 << q->bits;
}

static double work(const void *params_of_case)
{
    const NBits *q = params_of_case;
    return 24.0 * (double)(q->m * q->n * (q->k + 8) + q->m * q->k + q->k * q->n);
}

/* A row of a, and its weights and scales. */
typedef struct Line {
    const NBits *q;
    const double *a, *scale;
    const Tensor *w, *zero;
    int64_t row, column;
    int lattice;
} Line;

/* What a bound needs beside a sum: of a the greatest, of scaled weights their sum and what the type
 * of y leaves of them, and of products with w + zero their sum. */
typedef struct Sizes {
    double greatest, weights, narrowed, grown, widest;
    bool moderate;
} Sizes;

static Sum sum_of(const Line *line, DType dtype, Sizes *sizes)
{
    const NBits *q = line->q;
    int64_t blocks = blocks_of(q);
    Sum sum = sum_begin();
    sum.lattice = line->lattice;
    *sizes = (Sizes){.moderate = true};
    for (int64_t p = 0; p < q->k; p++) {
        int64_t block = line->column * blocks + p / q->block_size;
        double a = line->a[line->row * q->k + p], scale = line->scale[block];
        double zero = q->zero_points ? tensor_value(line->zero, block) : ldexp(1, (int)q->bits - 1);
        double w = tensor_value(line->w, line->column * q->k + p), factor = (w - zero) * scale;
        double lost = fabs(dtype_round(dtype, factor) - factor);
        sum_add_product(&sum, a, factor);
        sizes->moderate = sizes->moderate && (scale == 0 || (scale >= 0x1p-40 && scale <= 0x1p40));
        sizes->greatest = fmax(sizes->greatest, fabs(a));
        sizes->weights = add_up(sizes->weights, fabs(factor));
        sizes->narrowed = add_up(sizes->narrowed, mul_up(fabs(a), lost));
        sizes->widest = fmax(sizes->widest, scale);
        sizes->grown = add_up(sizes->grown, mul_up(fabs(a), (w + zero) * scale));
    }
    return sum;
}

/* Of one element, as at the head; 0 where no order rounds. */
static double error_of(const NBits *q, const Sum *sum, const Sizes *sizes, const Format *f)
{
    bool narrow = dtype_size(nn_dtype(q)) < sizeof(float), rounded = q->activations == AS_INT8;
    bool exact = sum->lattice > f->minimum_exponent - f->precision &&
                 sum->size <= ldexp(1, sum->lattice + f->precision);
    if (exact && !narrow && !rounded)
        return 0;
    double size = rounded ? sizes->grown : sum->size;
    double leaves = mul_up(4 * f->unit, mul_up(size, 1 + 8 * f->unit));
    double nodes = (double)(q->k + blocks_of(q) * 2);
    double error = add_up(leaves, reduction_error(nodes, size, size, f->unit));
    double factors = add_up(sizes->greatest, mul_up(512, add_up(1, sizes->widest)));
    error = add_up(error, mul_up(2 * nodes, mul_up(f->smallest_subnormal, factors)));
    if (narrow)
        error = add_up(error, sizes->narrowed);
    if (rounded)
        error = add_up(error, mul_up(mul_up(sizes->greatest, sizes->weights), 1.001 / 254));
    return error;
}

/* Whether nothing leaves the range of binary32, by the sizes of its parts. */
static bool is_in_range(const NBits *q, const Sum *sum, const Sizes *sizes)
{
    double size = sizes->greatest * 512 * (1 + sizes->widest) * (double)q->k;
    bool finite = sum->classes == 0;
    if (q->activations == AS_INT8 &&
        (!finite || (sizes->greatest > 0 && sizes->greatest < 0x1p-60)))
        return false;
    return sizes->moderate && (!finite || size < 0x1p100);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const NBits *q = input->params;
    const Tensor *t = input->tensors;
    int of_a = 0, of_scale = 0;
    Line line = {.q = q, .w = &t[W], .zero = &t[ZERO]};
    line.a = tensor_read(&t[A], &of_a, arena);
    line.scale = tensor_read(&t[SCALE], &of_scale, arena);
    line.lattice = of_a + of_scale;
    ref_allocate_bounded(&refs[Y], nn_dtype(q), &t[Y], arena);
    const Format *f = dtype_format(refs[Y].accumulator);
    for (line.row = 0; line.row < q->m; line.row++)
        for (line.column = 0; line.column < q->n; line.column++) {
            Sizes sizes;
            Sum sum = sum_of(&line, nn_dtype(q), &sizes);
            size_t i = (size_t)(line.row * q->n + line.column);
            if (is_in_range(q, &sum, &sizes))
                ref_put_sum(&refs[Y], i, &sum, 1, error_of(q, &sum, &sizes, f));
            else
                ref_set_classes(&refs[Y], i, CLASS_ANY);
        }
}

const OpDesc op_matmul_nbits = {
    NN_OP(NBits, 1),
    .name = "matmul_nbits",
    .summary = "product with weights of few bits, by a scale for each block",
    .params = params,
    .tensors = tensors,
    .dtypes = 1u << DT_F32 | 1u << DT_F16 | 1u << DT_BF16,
    .fills = 1 << FILL_INT | 1 << FILL_NORMAL | 1 << FILL_POSITIVE | 1 << FILL_NEAR |
             1 << FILL_ONES | 1 << FILL_SPARSE,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
