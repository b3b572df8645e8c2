/* Calls of primitives through libffi. */
#ifndef OPS_BACKEND_ONEDNN_CALL_H
#define OPS_BACKEND_ONEDNN_CALL_H

#include "ops/backend/backend.h"

/* BackendKind.takes and BackendKind.run; the context is a DnnlLibrary. */
bool onednn_takes(const Backend *backend, const Operands *operands, Text *why);
RunStatus onednn_run(Backend *backend, const Operands *operands);

/* Whether the library describes the primitive of these operands, which is not run. */
bool onednn_describes(Backend *backend, const Operands *operands);

#endif
