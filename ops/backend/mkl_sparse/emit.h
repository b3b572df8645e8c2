/* Calls of sparse routines as C source. */
#ifndef OPS_BACKEND_MKL_SPARSE_EMIT_H
#define OPS_BACKEND_MKL_SPARSE_EMIT_H

#include "ops/backend/backend.h"

/* BackendKind.emit and BackendKind.emit_brief. */
void mkl_sparse_emit(const Backend *backend, const Operands *operands, Text *declaration,
                     Text *call);
void mkl_sparse_emit_brief(const Backend *backend, const Operands *operands, BriefCall *call);

#endif
