/* Any library that exports standard cblas_* symbols.  Promise: IEEE arithmetic, any order. */
#include "cblas.h"

static const char *const paths[] = {NULL};

static const LibrarySource source = {
    .paths = paths,
    .settings = cblas_settings,
};

const BackendKind be_cblas = {
    .name = "cblas",
    .summary = "any library with cblas_* symbols, :fortran, :64: cblas@/path/lib.so",
    .needs_more = true,
    CBLAS_FUNCTIONS(source),
    .promise = {.models = models_ieee, .readings = models_readings},
};
