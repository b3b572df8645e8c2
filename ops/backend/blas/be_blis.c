/* BLIS through CBLAS.  Promise: IEEE arithmetic, sums in the element type, any order. */
#include "cblas.h"

static const char *const paths[] = {"libblis.so.4", "libblis.so.3", "libblis.so", NULL};

static const LibrarySource source = {
    .paths = paths,
    .package = "Debian: apt-get install libblis4-pthread",
    .core_variable = "BLIS_ARCH_TYPE",
};

const BackendKind be_blis = {
    .name = "blis",
    .summary = "BLIS of the system, or @/path/lib.so",
    CBLAS_FUNCTIONS(source),
    .promise = {.models = models_ieee, .readings = models_readings},
};
