/* Quantisation to 8 bits without a sign, by a scale and a zero point that follow from the data
 * (ONNX, DynamicQuantizeLinear; PyTorch, quantize_per_tensor_dynamic):
 *
 *     scale      = (max(0, x) - min(0, x)) / 255
 *     zero point = nearest(0 - min(0, x) / scale), within 0 to 255
 *     y          = nearest(x / scale) + zero point, within 0 to 255
 *
 * Extremes are exact, so that the scale takes two roundings: it is within 2 u + u^2.  The zero
 * point is judged by the scale that was computed, and may be taken from either end, which differ by
 * 255 times what the scale is off: integers that are nearest to a number within (2 u + u^2) 256 of
 * the quotient are right.  y is judged by both (nn_quantize.h).  Where all numbers are 0 a quotient
 * of zeros decides, and where one is not finite nothing is said. */
#include <math.h>

#include "nn_quantize.h"
#include "reference/ball.h"

enum { X, Y, SCALE, ZERO_POINT, TOP = 255 };

typedef struct DynamicQuantize {
    int64_t dtype;
    Shape shape;
} DynamicQuantize;

static const Param params[] = {NN_DTYPE(DynamicQuantize),
                               P_SHAPE(DynamicQuantize, shape, 1, 4, "extents of the input"),
                               P_END};
static const char *const tensors[] = {"x", "y", "scale", "zero_point", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const DynamicQuantize *q = params_of_case;
    const Shape none = {0};
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    nn_add_operand(shapes, DT_U8, &q->shape, ROLE_OUT);
    nn_add_operand(shapes, DT_F32, &none, ROLE_OUT);
    nn_add_operand(shapes, DT_U8, &none, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const DynamicQuantize *)params_of_case)->shape, 32);
}

/* The extremes, 0 among them; NaN where a number is not finite. */
typedef struct Ends {
    double low, high;
} Ends;

static Ends ends_of(const Tensor *x)
{
    Ends ends = {0, 0};
    for (int64_t i = 0, count = tensor_count(x); i < count; i++) {
        double value = tensor_value(x, i);
        if (!isfinite(value))
            return (Ends){NAN, NAN};
        ends.low = fmin(ends.low, value);
        ends.high = fmax(ends.high, value);
    }
    return ends;
}

static void put_scale(Ref *ref, const Ends *ends)
{
    const Format *f = dtype_format(DT_F32);
    Ball span = ball_subtract(f, ball_exact(ends->high), ball_exact(ends->low));
    ref_put_ball(ref, 0, ball_divide(f, span, ball_exact(TOP)));
}

static void put_zero_point(Ref *ref, const Ends *ends, double scale)
{
    const double unit = dtype_format(DT_F32)->unit;
    long double quotient = -(long double)ends->low / scale, reach = (2 + unit) * unit * (TOP + 1);
    const long double values[REF_CANDIDATES] = {quotient, quotient - reach, quotient + reach};
    for (int k = 0; k < REF_CANDIDATES; k++)
        ref->candidates[k] = fmin(fmax((double)rintl(values[k]), 0), TOP);
    ref->high[0] = ref->candidates[0];
    ref->match[0] = MATCH_SET;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *t = input->tensors, *computed = input->computed;
    Ends ends = ends_of(&t[X]);
    for (int i = Y; i <= ZERO_POINT; i++) {
        ref_allocate_bounded(&refs[i], t[i].dtype, &t[i], arena);
        nn_allocate_candidates(&refs[i], arena);
    }
    double scale = (double)((float)(ends.high - ends.low) / (float)TOP);
    scale = computed ? tensor_value(&computed[SCALE], 0) : scale;
    /* Below that a scale is subnormal, or a quotient beyond the range. */
    bool known = ends.high - ends.low >= 0x1p-100 && scale >= 0x1p-110 && scale <= 0x1p110;
    put_scale(&refs[SCALE], &ends);
    put_zero_point(&refs[ZERO_POINT], &ends, known ? scale : 1);
    double zero = computed ? tensor_value(&computed[ZERO_POINT], 0) : refs[ZERO_POINT].high[0];
    for (size_t i = 0; i < refs[Y].count; i++)
        nn_put_quantized(
            &refs[Y], i,
            &(Quantization){known ? scale : 1, zero, dtype_format(DT_F32)->unit, false},
            tensor_value(&t[X], (int64_t)i));
    if (ends.low < ends.high && known)
        return;
    for (size_t i = 0; i < refs[Y].count; i++)
        ref_admit_anything(&refs[Y], i);
    ref_admit_anything(&refs[ZERO_POINT], 0);
    if (!(ends.low < ends.high))
        ref_admit_anything(&refs[SCALE], 0);
}

const OpDesc op_dynamic_quantize = {
    NN_OP(DynamicQuantize, 1),
    .name = "dynamic_quantize",
    .summary = "8 bits by a scale and a zero point that follow from the data",
    .params = params,
    .tensors = tensors,
    .dtypes = 1u << DT_F32,
    .fills = nn_function_fills,
    .judged_by_residual = true,
    .shape = shape,
    .work = work,
    .reference = reference,
};
