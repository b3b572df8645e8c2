/* Where MKL lies, for the rows of its BLAS, its sparse and its vector functions. */
#ifndef OPS_BACKEND_MKL_LIBRARY_H
#define OPS_BACKEND_MKL_LIBRARY_H

#include "library.h"

/* Names of its file, each list ended by NULL. */
extern const char *const mkl_library_paths[], *const mkl_library_fetched[];

/* Initialisers of a LibrarySource: all but the words of a mode. */
#define MKL_LIBRARY                                                                                \
    .paths = mkl_library_paths, .package = "Debian: apt-get install intel-mkl",                    \
    .fetched = mkl_library_fetched, .core_variable = "MKL_ENABLE_INSTRUCTIONS",                    \
    .layer_variable = "MKL_THREADING_LAYER"

#endif
