/* Calls of functions as C source. */
#ifndef OPS_BACKEND_MATH_EMIT_H
#define OPS_BACKEND_MATH_EMIT_H

#include "math_library.h"

/* BackendKind.emit and BackendKind.emit_brief. */
void math_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);
void math_emit_brief(const Backend *backend, const Operands *operands, BriefCall *call);

#endif
