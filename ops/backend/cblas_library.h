/* A library with the CBLAS interface, opened at run time with private symbols, so that several
 * versions of one library run side by side. */
#ifndef OPS_BACKEND_CBLAS_LIBRARY_H
#define OPS_BACKEND_CBLAS_LIBRARY_H

#include "cblas_routines.h"
#include "ops/backend.h"

/* A routine for one element type, prepared for calls. */
typedef struct CblasEntry CblasEntry;

enum { CBLAS_OPS_MAX = 256 };

typedef struct CblasLibrary {
    void *handle;
    const char *prefix, *suffix; /* of its symbols, such as "scipy_" and "64_" */
    bool wide_integers;          /* integers have 64 bits */
    /* By number of the operator in the registry; NULL where the library has none. */
    CblasEntry *entries[CBLAS_OPS_MAX][DT_COUNT];
    bool reports_caught;      /* its reports of illegal arguments can be seen */
    const int *called_from_c; /* of the reference CBLAS, else NULL */
    void (*set_threads)(int);
    void (*set_threads_long)(long);
} CblasLibrary;

/* A build of the same library under a name, as distributions install them side by side. */
typedef struct CblasVariant {
    const char *mode, *path;
} CblasVariant;

/* Where to look and what to ask: one row per library we know. */
typedef struct CblasSource {
    const char *const *paths; /* tried in order when no path is given, ended by NULL */
    const char *package;      /* the distribution's package, for the message when it is absent */
    const char *reject;       /* a symbol that must not be there: an alternative posing as this */
    const CblasVariant *variants; /* ended by a NULL mode, or NULL */
    const char *const *fetched;   /* file names in the folders that make backends fills, or NULL */
    const char *core_variable;    /* environment variable that picks the kernels, or NULL */
} CblasSource;

/* A library's file; empty to try the usual paths.  A private copy is an instance of its own, for
 * settings that are read while a library loads. */
typedef struct CblasPlace {
    char path[4096], core[32]; /* core: as it was asked for, else empty */
    bool private_copy;
} CblasPlace;

/* Reads the backend's mode (variants, versions and core=NAME, with + between them) and place;
 * false with one sentence in *error. */
bool cblas_find(CblasPlace *place, const Backend *backend, const CblasSource *source, Text *error);
/* Loads path as the place says; NULL when it cannot. */
void *cblas_load(const CblasPlace *place, const char *path);

/* Implement BackendKind for a backend whose source is a CblasSource and whose context becomes a
 * CblasLibrary. */
bool cblas_open(Backend *backend, Text *error);
void cblas_close(Backend *backend);
void cblas_set_threads(Backend *backend, int threads);
bool cblas_offers(const Backend *backend, const OpDesc *op, DType dtype);
RunStatus cblas_run(Backend *backend, const Operands *operands);
void cblas_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);
const char *cblas_illegal_argument(const Backend *backend, const Operands *operands);

#define CBLAS_FUNCTIONS(cblas_source)                                                              \
    .open = cblas_open, .close = cblas_close, .set_threads = cblas_set_threads,                    \
    .offers = cblas_offers, .run = cblas_run, .emit = cblas_emit,                                  \
    .illegal_argument = cblas_illegal_argument, .source = &(cblas_source)

/* The prepared routine, NULL if the library has none. */
CblasEntry *cblas_entry(const CblasLibrary *library, const OpDesc *op, DType dtype);
/* Prepares a routine; released with free. */
CblasEntry *cblas_entry_make(const CblasLibrary *library, const CblasRoutine *routine,
                             const OpDesc *op, DType dtype, void *function);
/* The full symbol of a routine as the library has it; empty if it has none. */
void cblas_symbol_name(const CblasLibrary *library, const OpDesc *op, DType dtype, char *name,
                       size_t size);

#endif
