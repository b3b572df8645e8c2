/* Quantisation by a scale and a zero point for each place along an axis, its inverse, and
 * quantisation in the type itself, which training uses, with its gradients.
 *
 *     quantize_axis    y = nearest(x / scale) + zero point, within the ends of the type
 * (nn_quantize.h) dequantize_axis  y = (x - zero point) scale fake_quantize    y = (q - zero point)
 * scale, q = nearest(x / scale) + zero point between quant_min and quant_max
 *
 * Halves go to the even neighbour (ONNX, QuantizeLinear; PyTorch, fake_quantize_per_tensor_affine:
 * nearbyint).  The quotient may be a product with a rounded reciprocal: integers that are nearest
 * to a number within 2 u + u^2 of it are right; the difference of integers is exact, so that the
 * product is rounded once.  The gradient is dy where q was inside before it was limited, else 0
 * (Jacob et al., Quantization and Training of Neural Networks, 2018, 3: straight through); where
 * two integers are right, of which one is inside, it is either; where the slope is 0, or x is NaN,
 * NaN and infinities of dy become 0 or NaN.  NaN, also as a quotient, becomes NaN or a multiple of
 * the scale within the ends.  Scales of 0, infinity, NaN, and such whose reciprocal is no normal
 * number follow from that (nn_quantize.h). */
#include <math.h>

#include "nn_exact.h"
#include "nn_quantize.h"
#include "nn_split.h"
#include "reference/ball.h"

/* Parameters have the names of PyTorch in lines: quant_min is `start`, quant_max `step`. */
static const char *const targets[] = {"i8", "u8", NULL};
static const char *const axis_tensors[] = {"x", "scale", "zero_point", "y", NULL};
static const char *const one_tensors[] = {"x", "y", NULL};
static const char *const axis_gradient_tensors[] = {"dy", "x", "scale", "zero_point", "dx", NULL};
static const char *const one_gradient_tensors[] = {"dy", "x", "dx", NULL};

#define LINE NN_DTYPE(Exact), P_SHAPE(Exact, shape, 1, 4, "extents of the input"), NN_AXIS(Exact)
#define ENDS                                                                                       \
    P_INTEGER_AS("quant_min", Exact, start, -128, 0, -128, "least integer"),                       \
        P_INTEGER_AS("quant_max", Exact, step, 1, 255, 127, "greatest integer")
static const Param quantize_params[] = {
    LINE, P_CHOICE_AS("to", Exact, mode, targets, "element type of y"), P_END};
static const Param dequantize_params[] = {LINE, P_END};
static const Param fake_axis_params[] = {LINE, ENDS, P_END};
static const Param fake_params[] = {
    NN_DTYPE(Exact),
    NN_INPUT_SHAPE(Exact),
    P_REAL_AS("scale", Exact, value, 1, "scale"),
    P_INTEGER_AS("zero_point", Exact, offset, -128, 255, 0, "zero point"),
    ENDS,
    P_END};

static DType target_of(const Exact *q)
{
    return q->mode ? DT_U8 : DT_I8;
}

static void normalise_line(void *params)
{
    Exact *q = params;
    nn_fit_axis(&q->shape, &q->axis);
}

/* The zero point lies between the ends. */
static void normalise_zero(void *params)
{
    Exact *q = params;
    q->offset = q->offset < q->start ? q->start : q->offset > q->step ? q->step : q->offset;
}

/* One scale and one zero point for each place along the axis. */
static void add_line(const Exact *q, DType zero, Shapes *shapes)
{
    Shape line = {1, {q->shape.extent[q->axis]}};
    nn_add_operand(shapes, DT_F32, &line, ROLE_IN);
    shapes->tensor[shapes->count - 1].positive = true;
    nn_add_operand(shapes, zero, &line, ROLE_IN);
}

static void quantize_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    add_line(q, target_of(q), shapes);
    nn_add_operand(shapes, target_of(q), &q->shape, ROLE_OUT);
}

static void dequantize_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    add_line(q, nn_dtype(q), shapes);
    nn_add_operand(shapes, DT_F32, &q->shape, ROLE_OUT);
}

/* dy where it is a gradient, x, the line where there is an axis, and the result. */
static void fake_shapes(const Exact *q, bool gradient, bool line, Shapes *shapes)
{
    *shapes = (Shapes){.depth = 1};
    for (int i = 0; i < (gradient ? 2 : 1); i++)
        nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    if (line) {
        add_line(q, DT_I32, shapes);
        TensorSpec *zero = &shapes->tensor[shapes->count - 1];
        zero->index_below = q->step - q->start + 1;
        zero->index_first = q->start;
    }
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_OUT);
}

static void fake_shape(const void *params, Shapes *shapes)
{
    fake_shapes(params, false, false, shapes);
}

static void fake_axis_shape(const void *params, Shapes *shapes)
{
    fake_shapes(params, false, true, shapes);
}

static void fake_gradient_shape(const void *params, Shapes *shapes)
{
    fake_shapes(params, true, false, shapes);
}

static void fake_axis_gradient_shape(const void *params, Shapes *shapes)
{
    fake_shapes(params, true, true, shapes);
}

/* The scale and the zero point of an element. */
typedef struct Step {
    double scale, zero;
} Step;

/* t[line] and t[line + 1] are scale and zero point. */
static Step step_of(const Exact *q, const Tensor *t, int line, int64_t i)
{
    Split s = nn_split(&t[line - 1], q->axis);
    int64_t place = i / s.inner % s.extent;
    return (Step){tensor_value(&t[line], place), tensor_value(&t[line + 1], place)};
}

static void put_rounded(const Exact *q, const Tensor *t, Ref *ref, bool halves_up, Arena *arena)
{
    nn_allocate_candidates(ref, arena);
    for (size_t i = 0; i < ref->count; i++) {
        Step step = step_of(q, t, 1, (int64_t)i);
        const Quantization to = {step.scale, step.zero, dtype_format(t[0].dtype)->unit, halves_up};
        nn_put_quantized(ref, i, &to, tensor_value(&t[0], (int64_t)i));
    }
}

static void put_quantized(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Ref other;
    put_rounded(q, t, &refs[3], false, arena);
    ref_allocate_bounded(&other, t[3].dtype, &t[3], arena);
    put_rounded(q, t, &other, true, arena);
    ref_add_alternative(&refs[3], &other, nn_halves_up, arena);
}

static void put_dequantized(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Ref *ref = &refs[3];
    nn_allocate_candidates(ref, arena);
    for (size_t i = 0; i < ref->count; i++) {
        Step step = step_of(q, t, 1, (int64_t)i);
        nn_put_dequantized(ref, i, tensor_value(&t[0], (int64_t)i), step.scale, step.zero);
    }
}

/* NaN, or any multiple of the scale within the ends, as numbers or infinities. */
static void put_some_multiple(const Exact *q, Ref *ref, size_t i, Step step)
{
    double low = dtype_round(ref->dtype, ((double)q->start - step.zero) * step.scale);
    double high = dtype_round(ref->dtype, ((double)q->step - step.zero) * step.scale);
    double half = (high - low) / 2;
    Ball some = isfinite(half) ? (Ball){low + half, fabs(half) * (1 + 0x1p-20), CLASS_FINITE}
                               : ball_or(ball_exact(low), value_class(high));
    if (!isfinite(half) && isfinite(step.scale))
        some = ball_unknown();
    ref_put_ball(ref, i, ball_or(some, CLASS_NAN));
}

/* Element i of dx: the gradient where an integer that x may become is inside; where NaN is compared
 * with the ends either. */
static void put_slope(Ref *ref, size_t i, const bool *inside, bool is_nan, double gradient)
{
    double results[QUOTIENTS + 2];
    int count = 0;
    bool vanishes = is_nan;
    for (int k = 0; k < QUOTIENTS; k++) {
        vanishes = vanishes || !inside[k];
        results[count++] = inside[k] ? gradient : 0;
    }
    if (is_nan)
        results[count++] = gradient;
    if (is_nan || (vanishes && !isfinite(gradient)))
        results[count++] = NAN;
    ref_put_one_of(ref, i, results, count);
}

/* Element i of y, or of dx where dy is given. */
static void put_fake(const Exact *q, Ref *ref, size_t i, double x, Step step, const Tensor *dy)
{
    Quotients quotients = nn_quotients(x, step.scale, dtype_format(ref->dtype)->unit);
    double multiples[QUOTIENTS];
    bool inside[QUOTIENTS], is_nan = false;
    for (int k = 0; k < QUOTIENTS; k++) {
        double whole = (double)rintl(quotients.values[k]) + step.zero;
        double limited = fmin(fmax(whole, (double)q->start), (double)q->step);
        is_nan = is_nan || isnan(whole);
        inside[k] = limited == whole;
        multiples[k] = dtype_round(ref->dtype, (limited - step.zero) * step.scale);
    }
    if (dy)
        put_slope(ref, i, inside, is_nan, tensor_value(dy, (int64_t)i));
    else if (is_nan)
        put_some_multiple(q, ref, i, step);
    else
        ref_put_one_of(ref, i, multiples, QUOTIENTS);
}

static void put_all_fake(const Exact *q, const Tensor *t, Ref *ref, int x, const Tensor *dy,
                         bool line, Arena *arena)
{
    nn_allocate_candidates(ref, arena);
    for (size_t i = 0; i < ref->count; i++) {
        Step step =
            line ? step_of(q, t, x + 1, (int64_t)i) : (Step){q->value.re, (double)q->offset};
        put_fake(q, ref, i, tensor_value(&t[x], (int64_t)i), step, dy);
    }
}

static void put_fake_one(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    put_all_fake(q, t, &refs[1], 0, NULL, false, arena);
}

static void put_fake_axis(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    put_all_fake(q, t, &refs[3], 0, NULL, true, arena);
}

static void put_fake_gradient(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    put_all_fake(q, t, &refs[2], 1, &t[0], false, arena);
}

static void put_fake_axis_gradient(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    put_all_fake(q, t, &refs[4], 1, &t[0], true, arena);
}

enum { SINGLE = 1 << DT_F32, BYTES = 1 << DT_I8 | 1 << DT_U8, FUNCTION = nn_function_fills };

#define ROW(name, summary, tensors, params, normalise, shape, dtypes, put)                         \
    {                                                                                              \
        name, summary, tensors, params, normalise, shape, dtypes, FUNCTION, put, true, NULL, NULL  \
    }

/* The first row has another reading of halves. */
enum { QUANTIZE_ROW = 0, FAKE_ROW = 2 };
static const ExactRow rows[] = {
    ROW("quantize_axis", "8 bits by a scale and a zero point for each place along an axis",
        axis_tensors, quantize_params, normalise_line, quantize_shape, SINGLE, put_quantized),
    ROW("dequantize_axis", "numbers of 8 bits by a scale for each place along an axis",
        axis_tensors, dequantize_params, normalise_line, dequantize_shape, BYTES, put_dequantized),
    ROW("fake_quantize", "multiples of a scale that few bits hold", one_tensors, fake_params,
        normalise_zero, fake_shape, SINGLE, put_fake_one),
    ROW("fake_quantize_axis",
        "multiples that few bits hold of a scale for each place along an axis", axis_tensors,
        fake_axis_params, normalise_line, fake_axis_shape, SINGLE, put_fake_axis),
    ROW("fake_quantize_backward", "gradients of fake_quantize, straight through",
        one_gradient_tensors, fake_params, normalise_zero, fake_gradient_shape, SINGLE,
        put_fake_gradient),
    ROW("fake_quantize_axis_backward", "gradients of fake_quantize_axis, straight through",
        axis_gradient_tensors, fake_axis_params, normalise_line, fake_axis_gradient_shape, SINGLE,
        put_fake_axis_gradient),
    {.name = NULL},
};

OP_TABLE(ops_quantize_axis)
{
    static OpDesc table[COUNT_OF(rows)];
    nn_describe_exact(table, rows);
    table[QUANTIZE_ROW].policy = nn_halves_up;
    table[FAKE_ROW].illegal = nn_illegal_zero_point;
    return table;
}
