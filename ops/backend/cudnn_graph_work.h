/* Graphs in the making, and those of layers. */
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

/* cudnnBackendNormMode_t. */
enum { NORM_LAYER = 0, NORM_INSTANCE = 1, NORM_BATCH = 2, NORM_ROOT = 4 };
/* False where there is no such graph; mode is one of these. */
bool graph_plan_layer(const GraphWork *work, int mode);
bool graph_plan_channels(const GraphWork *work, int mode);
bool graph_plan_norm_gradient(const GraphWork *work, int mode);
bool graph_plan_attention(const GraphWork *work);

#endif
