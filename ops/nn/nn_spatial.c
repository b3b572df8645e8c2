/* Extents of windows. */
#include "nn_spatial.h"

int64_t nn_reach(const Nn *q, int axis)
{
    return q->dilation.extent[axis] * (q->kernel.extent[axis] - 1) + 1;
}

int64_t nn_output(const Nn *q, int axis)
{
    int64_t padded = q->size.extent[axis] + q->before.extent[axis] + q->after.extent[axis];
    int64_t room = padded - nn_reach(q, axis), stride = q->stride.extent[axis];
    int64_t steps = (room + (q->ceil_mode ? stride - 1 : 0)) / stride;
    if (q->ceil_mode && steps * stride >= q->size.extent[axis] + q->before.extent[axis])
        steps--;
    return steps + 1;
}

void nn_fit_kernel(Nn *q)
{
    nn_fill_empty(&q->size);
    for (int axis = 0; axis < q->size.rank; axis++) {
        int64_t padded = q->size.extent[axis] + q->before.extent[axis] + q->after.extent[axis];
        if (nn_reach(q, axis) > padded)
            q->dilation.extent[axis] = 1;
        if (nn_reach(q, axis) > padded)
            q->kernel.extent[axis] = padded;
    }
}

Shape nn_image(int64_t batch, int64_t channels, const Shape *extents)
{
    Shape shape = {extents->rank + 2, {batch, channels}};
    for (int64_t axis = 0; axis < extents->rank; axis++)
        shape.extent[axis + 2] = extents->extent[axis];
    return shape;
}

Shape nn_outputs(const Nn *q)
{
    Shape outputs = {.rank = q->size.rank};
    for (int axis = 0; axis < q->size.rank; axis++)
        outputs.extent[axis] = nn_output(q, axis);
    return outputs;
}

ConvInput nn_conv_input(const Nn *q)
{
    ConvInput in = {.groups = q->groups};
    for (int axis = 0; axis < q->size.rank; axis++) {
        in.stride[axis] = q->stride.extent[axis];
        in.dilation[axis] = q->dilation.extent[axis];
        in.before[axis] = q->before.extent[axis];
    }
    return in;
}
