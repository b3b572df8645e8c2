/* Calls of MKL's sparse routines through libffi. */
#ifndef OPS_BACKEND_MKL_SPARSE_CALL_H
#define OPS_BACKEND_MKL_SPARSE_CALL_H

#include "ops/backend/backend.h"

/* The library, as it is opened; context of its backend. */
typedef struct MklSparse {
    void *handle;
    Arena arena;
} MklSparse;

/* BackendKind.takes and BackendKind.run. */
bool mkl_sparse_takes(const Backend *backend, const Operands *operands, Text *why);
RunStatus mkl_sparse_run(Backend *backend, const Operands *operands);

#endif
