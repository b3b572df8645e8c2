/* C source that runs a case's model with ONNX Runtime alone. */
#ifndef OPS_BACKEND_ORT_EMIT_H
#define OPS_BACKEND_ORT_EMIT_H

#include "ops/backend/backend.h"

/* BackendKind.emit. */
void ort_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);

#endif
