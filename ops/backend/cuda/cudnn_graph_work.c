/* The axes of operands, in the numbers and orders that the engines take. */
#include "cudnn_graph_work.h"

const Tensor *graph_layout(const GraphWork *work, int operand)
{
    return &work->shapes->tensor[operand].layout;
}

void graph_append_axis(GraphShape *shape, int64_t extent, int64_t stride)
{
    shape->extent[shape->rank] = extent;
    shape->stride[shape->rank++] = stride;
}

GraphShape graph_image_shape(const Tensor *t)
{
    enum { SAMPLE_AXES = 2, LEAST = 4 };
    GraphShape shape = {0};
    for (int axis = 0; axis < t->rank; axis++) {
        if (axis == SAMPLE_AXES && t->rank < LEAST)
            graph_append_axis(&shape, 1, t->extent[axis] * t->stride[axis]);
        graph_append_axis(&shape, t->extent[axis], t->stride[axis]);
    }
    return shape;
}

int graph_put(const GraphWork *work, int operand, const GraphShape *shape)
{
    return graph_operand(work->plan, operand, graph_layout(work, operand)->dtype, shape);
}

int graph_put_image(const GraphWork *work, int operand)
{
    GraphShape shape = graph_image_shape(graph_layout(work, operand));
    return graph_put(work, operand, &shape);
}

static void remove_axis(GraphShape *shape, int axis)
{
    shape->rank--;
    for (int i = axis; i < shape->rank; i++) {
        shape->extent[i] = shape->extent[i + 1];
        shape->stride[i] = shape->stride[i + 1];
    }
}

static bool is_one_axis(const GraphShape *shape, int outer)
{
    int64_t first = shape->extent[outer], second = shape->extent[outer + 1];
    if (first == 1 || second == 1)
        return first == second;
    return shape->stride[outer] == second * shape->stride[outer + 1];
}

/* True where an axis and the one inside it are one in all shapes. */
static bool is_one_axis_of_all(const GraphShape *shapes, int count, int outer)
{
    for (int i = 0; i < count; i++)
        if (!is_one_axis(&shapes[i], outer))
            return false;
    return true;
}

static bool is_of_extent_one(const GraphShape *shapes, int count, int axis)
{
    for (int i = 0; i < count; i++)
        if (shapes[i].extent[axis] != 1)
            return false;
    return true;
}

/* Four axes at least, the innermost in the place of channels, where engines for functions want it;
 * those of extent 1 have the strides that they would have if the others were packed. */
static void put_channels_second(GraphShape *shape)
{
    enum { LEAST = 4 };
    GraphShape from = *shape;
    int ones = from.rank < LEAST ? LEAST - from.rank : 0;
    *shape = (GraphShape){.rank = from.rank + ones};
    int64_t packed = 1;
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        int to = axis == shape->rank - 1 ? 1 : axis > 0 ? axis + 1 : 0;
        int64_t extent = axis < ones ? 1 : from.extent[axis - ones];
        shape->extent[to] = extent;
        shape->stride[to] = extent == 1 ? packed : from.stride[axis - ones];
        packed = extent * shape->stride[to];
    }
}

void graph_merge_axes(GraphShape *shapes, int count)
{
    for (int axis = shapes[0].rank - 1; axis >= 0; axis--) {
        bool one = is_of_extent_one(shapes, count, axis);
        bool merged = !one && axis + 1 < shapes[0].rank && is_one_axis_of_all(shapes, count, axis);
        for (int i = 0; i < count && merged; i++) {
            shapes[i].extent[axis + 1] *= shapes[i].extent[axis];
            shapes[i].stride[axis] = shapes[i].stride[axis + 1];
        }
        for (int i = 0; i < count && (one || merged); i++)
            remove_axis(&shapes[i], axis);
    }
    for (int i = 0; i < count; i++)
        put_channels_second(&shapes[i]);
}

GraphShape graph_plain_shape(const Tensor *t, int rank)
{
    GraphShape shape = {0};
    for (int axis = t->rank; axis < rank; axis++)
        graph_append_axis(&shape, 1, tensor_count(t));
    for (int axis = 0; axis < t->rank; axis++)
        graph_append_axis(&shape, t->extent[axis], t->stride[axis]);
    return shape;
}

GraphShape graph_dense(int rank, const int64_t *extents)
{
    GraphShape shape = {.rank = rank};
    int64_t step = 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
        shape.extent[axis] = extents[axis];
        shape.stride[axis] = step;
        step *= extents[axis];
    }
    return shape;
}
