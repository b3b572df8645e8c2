/* A library with the CBLAS interface, opened at run time with private symbols, so that several
 * versions of one library run side by side. */
#ifndef OPS_BACKEND_CBLAS_LIBRARY_H
#define OPS_BACKEND_CBLAS_LIBRARY_H

#include "entry.h"
#include "ops/backend/library.h"

typedef struct CblasLibrary {
    void *handle;
    const char *prefix, *suffix; /* of its symbols, such as "scipy_" and "64_" */
    bool wide_integers;          /* integers have 64 bits */
    /* By number of the operator in the registry; NULL where the library has none. */
    CblasEntry *entries[OP_MAX][DT_COUNT];
    bool reports_caught;      /* its reports of illegal arguments can be seen */
    const int *called_from_c; /* of the reference CBLAS, else NULL */
    void (*set_threads)(int);
    void (*set_threads_long)(long);
} CblasLibrary;

/* Implement BackendKind for a backend whose source is a LibrarySource and whose context becomes a
 * CblasLibrary. */
bool cblas_open(Backend *backend, Text *error);
void cblas_close(Backend *backend);
void cblas_set_threads(Backend *backend, int threads);
bool cblas_offers(const Backend *backend, const OpDesc *op, DType dtype);
/* A function of the library with 32-bit integers, or NULL. */
void *cblas_function(const Backend *backend, const char *name);

/* The prepared routine, NULL if the library has none. */
CblasEntry *cblas_entry(const CblasLibrary *library, const OpDesc *op, DType dtype);
/* The full symbol of a routine as the library has it; empty if it has none. */
void cblas_symbol_name(const CblasLibrary *library, const OpDesc *op, DType dtype, char *name,
                       size_t size);

#endif
