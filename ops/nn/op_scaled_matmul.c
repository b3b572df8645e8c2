/* y[i, j] = scale_a scale_b sum over p of a[i, p] b[p, j], of numbers of 8 bits and scales in
 * binary32: of a whole matrix, or of each row of a and each column of b (PyTorch, scaled_mm).
 *
 * A product of two such numbers has six bits or eight and is exact in binary32.  Scales may
 * multiply the factors, the products or the sum, in any order: four roundings of each product at
 * most, and the sum is one of rounded products in any order (oracle/bound.h); with scales that are
 * powers of two nothing but sums is rounded.  Scales between 2^-40 and 2^40 keep all of it within
 * binary32; of others, but 0, nothing is claimed.  A scale of 0 makes 0, or NaN of what is not
 * finite (IEEE 754-2019, 7.2). */
#include <math.h>

#include "nn.h"
#include "reference/mag.h"
#include "reference/reduce.h"

enum { BY_MATRIX, BY_ROWS };
static const char *const scalings[] = {"tensor", "rows", NULL};

typedef struct ScaledMatmul {
    int64_t dtype, m, n, k, scaling;
} ScaledMatmul;

static const Param params[] = {
    NN_DTYPE(ScaledMatmul),
    P_DIM(ScaledMatmul, m, 0, 512, "rows of a and y"),
    P_DIM(ScaledMatmul, n, 0, 512, "columns of b and y"),
    P_DIM(ScaledMatmul, k, 0, 512, "columns of a, rows of b"),
    P_CHOICE(ScaledMatmul, scaling, scalings, "a scale for each matrix, or row and column"),
    P_END};
static const char *const tensors[] = {"a", "b", "scale_a", "scale_b", "y", NULL};
enum { A, B, SCALE_A, SCALE_B, Y };

static void shape(const void *params_of_case, Shapes *shapes)
{
    const ScaledMatmul *q = params_of_case;
    bool rows = q->scaling == BY_ROWS;
    Shape a = {2, {q->m, q->k}}, b = {2, {q->k, q->n}}, y = {2, {q->m, q->n}}, one = {0, {0}};
    Shape of_rows = {2, {q->m, 1}}, of_columns = {2, {1, q->n}};
    *shapes = (Shapes){.depth = q->k};
    nn_add_operand(shapes, nn_dtype(q), &a, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &b, ROLE_IN);
    nn_add_operand(shapes, DT_F32, rows ? &of_rows : &one, ROLE_IN);
    nn_add_operand(shapes, DT_F32, rows ? &of_columns : &one, ROLE_IN);
    nn_add_operand(shapes, DT_F32, &y, ROLE_OUT);
    shapes->tensor[A].part = PART_LEFT;
    shapes->tensor[B].part = PART_RIGHT;
    shapes->tensor[SCALE_A].positive = shapes->tensor[SCALE_B].positive = true;
}

static double work(const void *params_of_case)
{
    const ScaledMatmul *q = params_of_case;
    return 16.0 * (double)(q->m * q->n * (q->k + 8) + q->m * q->k + q->k * q->n);
}

/* Each within 2^-40..2^40, or 0. */
static bool is_moderate(double scale)
{
    return scale == 0 || (scale >= 0x1p-40 && scale <= 0x1p40);
}

static bool is_power_of_two(double scale)
{
    int exponent;
    return frexp(scale, &exponent) == 0.5;
}

static void put_scaled(Ref *ref, size_t i, const Sum *sum, double left, double right)
{
    const Format *f = dtype_format(ref->accumulator);
    long double factor = (long double)left * right;
    if (!is_moderate(left) || !is_moderate(right)) {
        ref_set_classes(ref, i, CLASS_ANY);
        return;
    }
    if (factor == 0) {
        if (sum->classes)
            ref_set_classes(ref, i, CLASS_NAN);
        else
            ref_set_exact(ref, i, 0, MATCH_VALUE);
        return;
    }
    bool rounds = !is_power_of_two(left) || !is_power_of_two(right);
    double error = sum_error(sum, f);
    if (rounds) {
        double leaves = mul_up(4 * f->unit, mul_up(sum->size, 1 + 8 * f->unit));
        double size = add_up(sum->size, leaves);
        error = add_up(leaves, reduction_error((double)sum->terms, size, size, f->unit));
    }
    ref_put_sum(ref, i, sum, factor, mul_up(error, mul_up((double)factor, 1 + 0x1p-50)));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ScaledMatmul *q = input->params;
    const Tensor *t = input->tensors;
    int of_a = 0, of_b = 0;
    const double *a = tensor_read(&t[A], &of_a, arena), *b = tensor_read(&t[B], &of_b, arena);
    ref_allocate_bounded(&refs[Y], DT_F32, &t[Y], arena);
    for (int64_t i = 0; i < q->m; i++)
        for (int64_t j = 0; j < q->n; j++) {
            Sum sum = sum_begin();
            sum.lattice = of_a + of_b;
            for (int64_t p = 0; p < q->k; p++)
                sum_add_product(&sum, a[i * q->k + p], b[p * q->n + j]);
            bool rows = q->scaling == BY_ROWS;
            put_scaled(&refs[Y], (size_t)(i * q->n + j), &sum,
                       tensor_value(&t[SCALE_A], rows ? i : 0),
                       tensor_value(&t[SCALE_B], rows ? j : 0));
        }
}

const OpDesc op_scaled_matmul = {
    NN_OP(ScaledMatmul, 1),
    .name = "scaled_matmul",
    .summary = "product of matrices of 8 bits of floating point, by scales",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_F8,
    .fills = 1 << FILL_INT | 1 << FILL_NORMAL | 1 << FILL_POSITIVE | 1 << FILL_NEAR |
             1 << FILL_ONES | 1 << FILL_SPARSE,
    .shape = shape,
    .work = work,
    .reference = reference,
};
