/* y = x in another element type: rounded to nearest even, truncated towards 0 for integers, 0 or 1
 * for booleans.  What the type cannot hold is not judged, but for infinities of floating point. */
#include <math.h>

#include "nn.h"

static const Param params[] = {NN_DTYPE, NN_INPUT_SHAPE,
                               P_CHOICE(Nn, to, dtype_names, "element type of y"), P_END};
static const char *const tensors[] = {"x", "y", NULL};

static void normalise(void *params_of_case)
{
    Nn *q = params_of_case;
    if (dtype_components((DType)q->to) == 2)
        q->to = dtype_component((DType)q->to);
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

static void put(Ref *ref, size_t i, double x)
{
    double value = dtype_is_integer(ref->dtype) ? trunc(x) : dtype_round(ref->dtype, x);
    if (ref->dtype == DT_BOOL)
        value = x != 0;
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
        put(&refs[1], i, tensor_value(x, (int64_t)i));
}

const OpDesc op_cast = {
    NN_OP_TABLES,           .name = "cast",     .summary = "another element type",
    .params = params,       .tensors = tensors, NN_ANY_ELEMENT,
    .normalise = normalise, .shape = shape,     .work = work,
    .reference = reference,
};
