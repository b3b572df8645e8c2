/* Any library that exports standard cblas_* symbols.  Promise: IEEE arithmetic, any order. */
#include "cblas_library.h"

static const char *const paths[] = {NULL};

static const LibrarySource source = {
    .paths = paths,
};

const BackendKind be_cblas = {
    .name = "cblas",
    .summary = "any library with cblas_* symbols: cblas@/path/lib.so",
    CBLAS_FUNCTIONS(source),
    .promise = {.models = models_ieee, .readings = models_readings},
};
