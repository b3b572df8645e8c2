/* y = the nearest integer to x / scale, ties to even, plus the zero point, between the ends of the
 * type; or the nearest number of 8 bits of floating point, without a zero point.  The quotient may
 * be rounded, or be a product with a rounded reciprocal: integers that are nearest to a number
 * within 2 u |x / scale| of it are right, up to u^2.  Scales of 0, infinity, NaN, negative ones,
 * and such whose reciprocal is no normal number follow from that (nn_quantize.h). */
#include "nn_quantize.h"

static const char *const targets[] = {"i8", "u8", "e4m3", "e5m2", NULL};
static const DType target_dtypes[] = {DT_I8, DT_U8, DT_E4M3, DT_E5M2};
typedef struct Quantize {
    int64_t dtype;
    Shape shape;
    int64_t to;
    Scalar scale;
    int64_t zero_point;
} Quantize;

static const Param params[] = {
    NN_DTYPE(Quantize),
    NN_INPUT_SHAPE(Quantize),
    P_CHOICE(Quantize, to, targets, "element type of y"),
    P_REAL(Quantize, scale, 1, "scale", .formerly = "alpha"),
    P_INTEGER(Quantize, zero_point, -128, 255, 0, "zero point", .formerly = "start"),
    P_END};
static const char *const tensors[] = {"x", "y", NULL};

static void normalise(void *params_of_case)
{
    Quantize *q = params_of_case;
    nn_fit_zero_point(&q->zero_point, target_dtypes[q->to]);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Quantize *q = params_of_case;
    nn_shape_same(nn_dtype(q), &q->shape, shapes);
    shapes->tensor[1].layout.dtype = target_dtypes[q->to];
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Quantize *)params_of_case)->shape, 32);
}

static void put_all(Ref *ref, const ReferenceInput *input, bool halves_up, Arena *arena)
{
    const Quantize *q = input->params;
    const Tensor *x = &input->tensors[0], *y = &input->tensors[1];
    const Quantization to = {q->scale.re, (double)q->zero_point, dtype_format(x->dtype)->unit,
                             halves_up};
    ref_allocate_bounded(ref, y->dtype, y, arena);
    nn_allocate_candidates(ref, arena);
    for (size_t i = 0; i < ref->count; i++)
        nn_put_quantized(ref, i, &to, tensor_value(x, (int64_t)i));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    Ref other;
    put_all(&refs[1], input, false, arena);
    put_all(&other, input, true, arena);
    if (dtype_is_integer(refs[1].dtype))
        ref_add_alternative(&refs[1], &other, nn_halves_up, arena);
}

const OpDesc op_quantize = {
    NN_OP(Quantize, 2),
    .name = "quantize",
    .summary = "8 bits by a scale and a zero point",
    .params = params,
    .tensors = tensors,
    .dtypes = 1u << DT_F32,
    .fills = nn_moderate_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .policy = "halves-up",
    .illegal = nn_illegal_zero_point,
};
