/* Calls of functions on the elements of operands. */
#ifndef OPS_BACKEND_MATH_CALL_H
#define OPS_BACKEND_MATH_CALL_H

#include "math_library.h"

/* BackendKind.takes and BackendKind.run. */
bool math_takes(const Backend *backend, const Operands *operands, Text *why);
RunStatus math_run(Backend *backend, const Operands *operands);

#endif
