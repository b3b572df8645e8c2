/* Writes the C source of a call, for reproducers. */
#ifndef OPS_BACKEND_BLAS_EMIT_H
#define OPS_BACKEND_BLAS_EMIT_H

#include "cblas_library.h"

/* BackendKind.emit and BackendKind.emit_brief. */
void cblas_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);
void cblas_emit_brief(const Backend *backend, const Operands *operands, BriefCall *call);

#endif
