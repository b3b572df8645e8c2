/* BLIS through CBLAS.  Promise: IEEE arithmetic, sums in the element type, any order. */
#include "cblas.h"

static const char *const paths[] = {"libblis.so.4", "libblis.so.3", "libblis.so", NULL};

static const LibraryVariant variants[] = {{"64", "/usr/lib/x86_64-linux-gnu/libblis64.so.4"},
                                          {NULL, NULL}};

static const LibrarySource source = {
    .paths = paths,
    .package = "Debian: apt-get install libblis4-pthread",
    .core_variable = "BLIS_ARCH_TYPE",
    .variants = variants,
    .settings = cblas_settings,
};

const BackendKind be_blis = {
    .name = "blis",
    .summary = "BLIS of the system, :64 :fortran, or @/path/lib.so",
    CBLAS_FUNCTIONS(source),
    .promise = {.models = models_ieee, .readings = models_readings},
};
