/* Reference BLAS through CBLAS.  Debian links libblas.so.3 to whichever BLAS is preferred, so that
 * the file of the reference package is asked for, and OpenBLAS in its place is rejected. */
#include "cblas.h"

static const char *const paths[] = {"/usr/lib/x86_64-linux-gnu/blas/libblas.so.3",
                                    "/usr/lib/aarch64-linux-gnu/blas/libblas.so.3", "libblas.so.3",
                                    NULL};

static const LibraryVariant variants[] = {{"64", "/usr/lib/x86_64-linux-gnu/blas64/libblas64.so.3"},
                                          {NULL, NULL}};

static const LibrarySource source = {
    .paths = paths,
    .package = "Debian: apt-get install libblas3",
    .reject = "openblas_get_config",
    .variants = variants,
    .settings = cblas_settings,
};

const BackendKind be_netlib = {
    .name = "netlib",
    .summary = "reference BLAS of the system, :64 :fortran, or @/path/lib.so",
    CBLAS_FUNCTIONS(source),
    .promise = {.models = models_ieee, .readings = models_readings},
};
