/* Calls of a user's functions as C source. */
#ifndef OPS_BACKEND_KERNEL_EMIT_H
#define OPS_BACKEND_KERNEL_EMIT_H

#include "call.h"

/* BackendKind.emit and BackendKind.emit_brief. */
void kernel_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);
void kernel_emit_brief(const Backend *backend, const Operands *operands, BriefCall *call);

#endif
