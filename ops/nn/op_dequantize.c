/* y = (x - zero point) scale, rounded once, or the difference of two rounded products, whatever the
 * scale is. */
#include "nn_quantize.h"

typedef struct Dequantize {
    int64_t dtype;
    Shape shape;
    Scalar scale;
    int64_t zero_point;
} Dequantize;

static const Param params[] = {
    NN_DTYPE(Dequantize), NN_INPUT_SHAPE(Dequantize),
    P_REAL(Dequantize, scale, 1, "scale", .formerly = "alpha"),
    P_INTEGER(Dequantize, zero_point, -128, 255, 0, "zero point", .formerly = "start"), P_END};
static const char *const tensors[] = {"x", "y", NULL};

static void normalise(void *params_of_case)
{
    Dequantize *q = params_of_case;
    nn_fit_zero_point(&q->zero_point, nn_dtype(q));
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Dequantize *q = params_of_case;
    nn_shape_same(nn_dtype(q), &q->shape, shapes);
    shapes->tensor[1].layout.dtype = DT_F32;
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Dequantize *)params_of_case)->shape, 32);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Dequantize *q = input->params;
    const Tensor *x = &input->tensors[0], *y = &input->tensors[1];
    Ref *ref = &refs[1];
    double scale = q->scale.re, zero = (double)q->zero_point;
    ref_allocate_bounded(ref, y->dtype, y, arena);
    nn_allocate_candidates(ref, arena);
    for (size_t i = 0; i < ref->count; i++)
        nn_put_dequantized(ref, i, tensor_value(x, (int64_t)i), scale, zero);
}

const OpDesc op_dequantize = {
    NN_OP(Dequantize, 2),
    .name = "dequantize",
    .summary = "numbers of 8 bits by a scale",
    .params = params,
    .tensors = tensors,
    .dtypes = 1u << DT_I8 | 1u << DT_U8 | DTYPES_F8,
    .fills = 1u << FILL_BITS | 1u << FILL_INT,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
