/* Calls of operators as C source. */
#ifndef OPS_BACKEND_XNNPACK_EMIT_H
#define OPS_BACKEND_XNNPACK_EMIT_H

#include "ops/backend/backend.h"

/* BackendKind.emit and BackendKind.emit_brief. */
void xnnpack_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);
void xnnpack_emit_brief(const Backend *backend, const Operands *operands, BriefCall *call);

#endif
