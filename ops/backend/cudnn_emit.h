/* C source of calls of cuDNN, for programs that need it and the CUDA toolkit alone. */
#ifndef OPS_BACKEND_CUDNN_EMIT_H
#define OPS_BACKEND_CUDNN_EMIT_H

#include "cudnn_plan.h"
#include "ops/backend.h"

/* BackendKind.emit of a backend whose mode cudnn_read_mode reads. */
void cudnn_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);

/* Appends the calls of a plan, whose operands on the device are device_NAME, and what they use. */
void cudnn_emit_plan(const DnnPlan *plan, const char *const *tensors, bool stream, Text *call);

#endif
