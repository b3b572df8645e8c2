/* Calls of primitives as C source. */
#ifndef OPS_BACKEND_ONEDNN_EMIT_H
#define OPS_BACKEND_ONEDNN_EMIT_H

#include "ops/backend/backend.h"

/* BackendKind.emit and BackendKind.emit_brief; the context is a DnnlLibrary. */
void onednn_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);
void onednn_emit_brief(const Backend *backend, const Operands *operands, BriefCall *call);

#endif
