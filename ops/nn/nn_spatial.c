/* Extents of windows, and tables of operators over one to three axes. */
#include "nn_spatial.h"

#include <stdio.h>

int64_t nn_reach(const Window *w, int axis)
{
    return w->dilation.extent[axis] * (w->kernel_size.extent[axis] - 1) + 1;
}

static int64_t padded(const Window *w, int axis)
{
    return w->input_size.extent[axis] + w->pads_begin.extent[axis] + w->pads_end.extent[axis];
}

static int64_t output_along(const Window *w, int axis)
{
    int64_t room = padded(w, axis) - nn_reach(w, axis), stride = w->stride.extent[axis];
    int64_t steps = (room + (w->ceil_mode ? stride - 1 : 0)) / stride;
    if (w->ceil_mode && steps * stride >= w->input_size.extent[axis] + w->pads_begin.extent[axis])
        steps--;
    return steps + 1;
}

void nn_fit_kernel(Window *w)
{
    for (int axis = 0; axis < w->input_size.rank; axis++) {
        if (nn_reach(w, axis) > padded(w, axis))
            w->dilation.extent[axis] = 1;
        if (nn_reach(w, axis) > padded(w, axis))
            w->kernel_size.extent[axis] = padded(w, axis);
    }
}

Shape nn_image(int64_t batch, int64_t channels, const Shape *extents)
{
    Shape shape = {extents->rank + 2, {batch, channels}};
    for (int64_t axis = 0; axis < extents->rank; axis++)
        shape.extent[axis + 2] = extents->extent[axis];
    return shape;
}

Shape nn_outputs(const Window *w)
{
    Shape outputs = {.rank = w->input_size.rank};
    for (int axis = 0; axis < w->input_size.rank; axis++)
        outputs.extent[axis] = output_along(w, axis);
    return outputs;
}

ConvInput nn_conv_input(const Window *w, int64_t groups)
{
    ConvInput in = {.groups = groups};
    for (int axis = 0; axis < w->input_size.rank; axis++) {
        in.stride[axis] = w->stride.extent[axis];
        in.dilation[axis] = w->dilation.extent[axis];
        in.before[axis] = w->pads_begin.extent[axis];
    }
    return in;
}

/* Puts the number of axes in the place of NN_ANY_AXES. */
static Param param_over(const Param *row, int axes)
{
    Param param = *row;
    if (param.kind == PARAM_TUPLE && param.rank == NN_ANY_AXES)
        param.rank = axes;
    if (param.kind == PARAM_SHAPE && param.maximum == NN_ANY_AXES)
        param.minimum = param.maximum = axes;
    return param;
}

static OpDesc op_over(const OpDesc *row, SpreadOp *own, int axes)
{
    OpDesc op = *row;
    int count = 0;
    (void)snprintf(own->name, sizeof own->name, row->name, axes);
    (void)snprintf(own->summary, sizeof own->summary, row->summary, axes);
    for (; row->params[count].name; count++) {
        if (count == NN_SPREAD_ROWS_MAX - 1)
            BUG("%s has more than %d parameters", own->name, NN_SPREAD_ROWS_MAX - 1);
        own->params[count] = param_over(&row->params[count], axes);
    }
    op.name = own->name;
    op.summary = own->summary;
    op.params = own->params;
    return op;
}

void nn_spread_axes(OpDesc *table, SpreadOp *storage, const OpDesc *rows, size_t count)
{
    for (size_t i = 0; i < 3 * count; i++)
        table[i] = op_over(&rows[i / 3], &storage[i], (int)(i % 3) + 1);
}
