/* A library with the CBLAS interface, opened at run time with private symbols, so that several
 * versions of one library run side by side. */
#ifndef OPS_BACKEND_CBLAS_LIBRARY_H
#define OPS_BACKEND_CBLAS_LIBRARY_H

#include "entry.h"
#include "naming.h"
#include "ops/backend/library.h"
#include "scratch.h"

/* A function that the library has for an operator in one element type. */
typedef struct CblasFunction {
    void *function;
    const CblasRoutine *routine;
    CblasInterface interface;
    CblasEntry *entry; /* NULL before its operator is asked for */
} CblasFunction;

/* Those for an operator in one element type stand together: those of the interface that the
 * backend's mode names first, then those of the other one. */
typedef struct CblasFunctions {
    int first, count;
} CblasFunctions;

typedef struct CblasLibrary {
    CblasNaming naming;
    const void *only_from; /* the object that functions must lie in, NULL: any */
    void *below;           /* the library that was loaded before, NULL: none */
    bool wide;             /* its mode asks for integers of 64 bits */
    CblasInterface own;    /* the interface that its mode asks for */
    CblasFunctions functions[OP_MAX][DT_COUNT]; /* by number of the operator in the registry */
    CblasFunction *list;                        /* those that they name */
    int count, room;
    bool refuses_nan;                     /* its LAPACKE looks for NaN, and cannot be told not to */
    void (*set_nancheck)(int flag);       /* tells it, or NULL */
    bool reports_caught[INTERFACE_COUNT]; /* its reports of illegal arguments can be seen */
    CblasScratch scratch;                 /* arrays that routines work in */
    const int *called_from_c;             /* of the reference CBLAS, else NULL */
    void (*set_threads)(int);
    void (*set_threads_long)(long);
} CblasLibrary;

/* Other words of the modes of these backends, for LibrarySource.settings. */
extern const char *const cblas_settings[];

/* Implement BackendKind for a backend whose source is a LibrarySource and whose context becomes a
 * CblasLibrary. */
bool cblas_open(Backend *backend, Text *error);
void cblas_close(Backend *backend);
void cblas_set_threads(Backend *backend, int threads);
bool cblas_offers(const Backend *backend, const OpDesc *op, DType dtype);
/* A function of the library with 32-bit integers, or NULL. */
void *cblas_function(const Backend *backend, const char *name);

/* The function that a case asks for by Exec.function, which counts around, of matrices by rows
 * among those that take them, unless the mode asks for Fortran; NULL if there is none. */
CblasEntry *cblas_entry_of(const CblasLibrary *library, const Case *c);
/* The full symbol of a function. */
void cblas_symbol_name(const CblasLibrary *library, const CblasRoutine *routine,
                       CblasInterface interface, DType dtype, char *name, size_t size);

#endif
