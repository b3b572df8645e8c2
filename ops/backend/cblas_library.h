/* A library with the CBLAS interface, opened at run time with private symbols, so that several
 * versions of one library run side by side. */
#ifndef OPS_BACKEND_CBLAS_LIBRARY_H
#define OPS_BACKEND_CBLAS_LIBRARY_H

#include "ops/backend.h"

typedef struct CblasLibrary {
    void *handle;
    const char *prefix; /* of its symbols, such as "scipy_" */
    void *gemm[DT_COUNT], *gemv[DT_COUNT];
    void (*set_threads)(int);
    void (*set_threads_long)(long);
} CblasLibrary;

/* Where to look and what to ask: one row per library we know. */
typedef struct CblasSource {
    const char *const *paths; /* tried in order when no path is given, ended by NULL */
    const char *package;      /* the distribution's package, for the message when it is absent */
    const char *reject;       /* a symbol that must not be there: an alternative posing as this */
} CblasSource;

/* Implement BackendKind for a backend whose context is a CblasLibrary. */
bool cblas_open(Backend *backend, const CblasSource *source, Text *error);
void cblas_close(Backend *backend);
void cblas_set_threads(Backend *backend, int threads);
extern const BackendOp cblas_ops[];

/* Defined in cblas_calls.c. */
RunStatus cblas_run_gemm(Backend *backend, const Operands *operands);
RunStatus cblas_run_gemv(Backend *backend, const Operands *operands);
void cblas_emit_gemm(const Backend *backend, const Operands *o, Text *declaration, Text *call);
void cblas_emit_gemv(const Backend *backend, const Operands *o, Text *declaration, Text *call);

#endif
