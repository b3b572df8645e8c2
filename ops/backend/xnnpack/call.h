/* Calls of operators through libffi. */
#ifndef OPS_BACKEND_XNNPACK_CALL_H
#define OPS_BACKEND_XNNPACK_CALL_H

#include "ops/backend/backend.h"

/* The library, as it is opened; context of its backend. */
typedef struct Xnnpack {
    void *handle;
    int (*run)(void *instance, void *threads);
    int (*destroy)(void *instance);
    Arena arena;
} Xnnpack;

/* BackendKind.takes and BackendKind.run. */
bool xnnpack_takes(const Backend *backend, const Operands *operands, Text *why);
RunStatus xnnpack_run(Backend *backend, const Operands *operands);

#endif
