/* C source of calls of cuBLASLt, for programs that need the CUDA toolkit alone. */
#ifndef OPS_BACKEND_CUBLASLT_EMIT_H
#define OPS_BACKEND_CUBLASLT_EMIT_H

#include "ops/backend/backend.h"

/* BackendKind.emit of a backend whose mode cublaslt_read_mode reads. */
void cublaslt_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);

#endif
