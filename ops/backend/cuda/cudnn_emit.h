/* C source of calls of cuDNN, for programs that need it and the CUDA toolkit alone. */
#ifndef OPS_BACKEND_CUDNN_EMIT_H
#define OPS_BACKEND_CUDNN_EMIT_H

#include "cudnn_graph.h"
#include "cudnn_plan.h"
#include "ops/backend/backend.h"

/* BackendKind.emit of a backend whose mode cudnn_read_mode reads. */
void cudnn_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);

/* Appends the handle and the workspace that calls use; the calls of a plan; and those of a graph,
 * with the functions that it needs.  Operands on the device are device_NAME. */
void cudnn_emit_session(const DnnMode *mode, Text *call);
void cudnn_emit_plan(const DnnPlan *plan, const char *const *tensors, Text *call);
void cudnn_emit_graph_helpers(Text *declaration);
void cudnn_emit_graph(const GraphPlan *plan, const DnnMode *mode, const Case *c,
                      const Shapes *shapes, Text *call);

#endif
