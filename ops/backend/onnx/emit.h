/* C source that runs a case's model with ONNX Runtime alone. */
#ifndef OPS_BACKEND_ORT_EMIT_H
#define OPS_BACKEND_ORT_EMIT_H

#include "ops/backend/backend.h"

/* BackendKind.emit and BackendKind.emit_brief. */
void ort_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);
void ort_emit_brief(const Backend *backend, const Operands *operands, BriefCall *call);

#endif
