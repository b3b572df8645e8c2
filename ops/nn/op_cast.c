/* y = x in another element type: rounded to nearest even, truncated towards 0 for integers, 0 or 1
 * for booleans.  What an integer cannot hold is not judged.  In 8 bits of floating point what is
 * beyond the largest number becomes that number, or an infinity or NaN (OCP OFP8, 5.2). */
#include <math.h>

#include "nn.h"

static const Param params[] = {NN_DTYPE, NN_INPUT_SHAPE,
                               P_CHOICE(Nn, to, dtype_names, "element type of y"),
                               P_CHOICE(Nn, saturate, nn_yes_no,
                                        "8 bits of floating point end at "
                                        "their largest number"),
                               P_END};
static const char *const tensors[] = {"x", "y", NULL};

static void normalise(void *params_of_case)
{
    Nn *q = params_of_case;
    if (dtype_components((DType)q->to) == 2)
        q->to = dtype_component((DType)q->to);
    if (!(DTYPES_F8 >> q->to & 1))
        q->saturate = 0;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    nn_shape_same(q, shapes);
    shapes->tensor[1].layout.dtype = (DType)q->to;
}

static double work(const void *params_of_case)
{
    return nn_work_elements(params_of_case, 32);
}

static void put(Ref *ref, size_t i, double x, bool saturate)
{
    double value = dtype_is_integer(ref->dtype) ? trunc(x) : dtype_round(ref->dtype, x);
    if (ref->dtype == DT_BOOL)
        value = x != 0;
    if (saturate && isinf(value))
        value = copysign(dtype_format(ref->dtype)->largest, x);
    /* It has no infinity. */
    if (ref->dtype == DT_E4M3 && isinf(value))
        value = NAN;
    bool fits = value >= dtype_lowest(ref->dtype) && value <= dtype_format(ref->dtype)->largest;
    if (dtype_is_integer(ref->dtype) && !fits)
        ref_set_classes(ref, i, CLASS_ANY);
    else
        ref_set_exact(ref, i, value, dtype_is_integer(ref->dtype) ? MATCH_VALUE : MATCH_BITS);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *x = &input->tensors[0], *y = &input->tensors[1];
    ref_allocate_exact(&refs[1], y, arena);
    for (size_t i = 0; i < refs[1].count; i++)
        put(&refs[1], i, tensor_value(x, (int64_t)i), ((const Nn *)input->params)->saturate);
}

const OpDesc op_cast = {
    NN_OP_TABLES,
    .name = "cast",
    .summary = "another element type",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_FLOAT | DTYPES_INTEGER | DTYPES_BOOLEAN | DTYPES_F8,
    .fills = nn_function_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
