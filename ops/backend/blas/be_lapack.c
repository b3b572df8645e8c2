/* Reference LAPACK, by the interface of Fortran, over the reference BLAS.  Debian links
 * libblas.so.3 to whichever BLAS is preferred, so that the reference package is loaded first.
 * Promise: IEEE arithmetic, any order. */
#include "cblas.h"

static const char *const paths[] = {"/usr/lib/x86_64-linux-gnu/lapack/liblapack.so.3",
                                    "/usr/lib/aarch64-linux-gnu/lapack/liblapack.so.3",
                                    "liblapack.so.3", NULL};

static const char *const below[] = {"/usr/lib/x86_64-linux-gnu/blas/libblas.so.3",
                                    "/usr/lib/aarch64-linux-gnu/blas/libblas.so.3", NULL};

static const LibrarySource source = {
    .paths = paths,
    .below = below,
    .package = "Debian: apt-get install liblapack3 libblas3",
    .settings = cblas_settings,
};

const BackendKind be_lapack = {
    .name = "lapack",
    .summary = "Reference LAPACK of the system, or @/path/lib.so",
    CBLAS_FUNCTIONS(source),
    .promise = {.models = models_ieee, .readings = models_readings},
};
