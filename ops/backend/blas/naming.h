/* How builds decorate the names of the BLAS, and what their interfaces leave open: prefixes and
 * suffixes, the width of integers, the way in which Fortran returns complex numbers. */
#ifndef OPS_BACKEND_BLAS_NAMING_H
#define OPS_BACKEND_BLAS_NAMING_H

#include "bindings.h"

typedef struct CblasNaming {
    void *handle;
    const char *prefix, *suffix; /* such as "scipy_" and "64_" */
    bool wide_integers;          /* integers have 64 bits */
    bool hidden_results; /* Fortran puts complex values where a hidden first argument says */
} CblasNaming;

/* The decorations that builds are known to have. */
enum { CBLAS_DECORATIONS = 5 };
typedef struct CblasDecoration {
    const char *prefix, *suffix;
    bool wide_integers; /* it stands for integers of 64 bits */
} CblasDecoration;
extern const CblasDecoration cblas_decorations[CBLAS_DECORATIONS];

/* Finds the decoration; with wide, that of 64-bit integers where a library has both.  Calls a few
 * functions of the library.  False where there is no routine by any of the known names. */
bool naming_detect(CblasNaming *naming, void *handle, bool wide);

/* The full name of a function that is called `name` without decoration. */
void naming_spell(const CblasNaming *naming, const char *name, char *full, size_t size);
/* Its address, or NULL. */
void *naming_symbol(const CblasNaming *naming, const char *name);
/* The name without its decoration; false where it has none of this. */
bool naming_strip(const CblasNaming *naming, const char *full, char *name, size_t size);

#endif
