/* Graphs of normalisations, of their gradients, and of attention. */
#ifndef OPS_BACKEND_CUDNN_GRAPH_LAYERS_H
#define OPS_BACKEND_CUDNN_GRAPH_LAYERS_H

#include "cudnn_bindings.h"
#include "cudnn_graph_work.h"

/* False where there is no such graph; mode is one of these. */
bool graph_plan_layer(const GraphWork *work, int mode);
bool graph_plan_channels(const GraphWork *work, int mode);
bool graph_plan_norm_gradient(const GraphWork *work, int mode);
bool graph_plan_attention(const GraphWork *work);

#endif
