/* A graph in the making: its operands become tensors with the axes that an engine takes. */
#ifndef OPS_BACKEND_CUDNN_GRAPH_WORK_H
#define OPS_BACKEND_CUDNN_GRAPH_WORK_H

#include "cudnn_graph_parts.h"

typedef struct GraphWork {
    GraphPlan *plan;
    const Case *c;
    const Shapes *shapes;
    int sums;
} GraphWork;

const Tensor *graph_layout(const GraphWork *work, int operand);
/* The tensor of an operand with such axes. */
int graph_put(const GraphWork *work, int operand, const GraphShape *shape);
/* Samples, channels, and two more axes at least: a single one is the last of them. */
GraphShape graph_image_shape(const Tensor *t);
int graph_put_image(const GraphWork *work, int operand);
/* Dense axes of these extents in their order. */
GraphShape graph_dense(int rank, const int64_t *extents);
/* The axes as they are, `rank` of them at least: those that it lacks have extent 1, in front. */
GraphShape graph_plain_shape(const Tensor *t, int rank);
void graph_append_axis(GraphShape *shape, int64_t extent, int64_t stride);
/* For functions of elements, to which all axes are alike: joins those that are one axis in all
 * shapes. */
void graph_merge_axes(GraphShape *shapes, int count);

#endif
