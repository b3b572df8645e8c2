/* C source of calls of cuBLAS, for programs that need the CUDA toolkit alone. */
#ifndef OPS_BACKEND_CUBLAS_EMIT_H
#define OPS_BACKEND_CUBLAS_EMIT_H

#include "ops/backend.h"

/* BackendKind.emit of a backend whose mode cublas_read_mode reads. */
void cublas_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);

#endif
