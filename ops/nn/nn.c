/* Shapes of operands. */
#include "nn.h"

const uint32_t nn_function_fills = 1u << FILL_INT | 1u << FILL_NORMAL | 1u << FILL_POSITIVE |
                                   1u << FILL_EXPONENTS | 1u << FILL_BITS | 1u << FILL_NEAR |
                                   1u << FILL_TINY | 1u << FILL_SPARSE;

DType nn_dtype(const Nn *q)
{
    return (DType)q->dtype;
}

TensorSpec nn_tensor(DType dtype, const Shape *shape, TensorRole role)
{
    TensorSpec spec = {
        .role = role,
        .layout = {.dtype = dtype, .rank = (int)shape->rank},
        .contraction = -1,
    };
    int64_t stride = 1;
    for (int axis = spec.layout.rank - 1; axis >= 0; axis--) {
        spec.layout.extent[axis] = shape->extent[axis];
        spec.layout.stride[axis] = stride;
        stride *= shape->extent[axis] > 1 ? shape->extent[axis] : 1;
    }
    return spec;
}

double nn_work_elements(const Nn *q, double each)
{
    return each * (double)shape_count(&q->shape);
}
