/* Reference BLAS through CBLAS.  Debian links libblas.so.3 to whichever BLAS is preferred, so that
 * the file of the reference package is asked for, and OpenBLAS in its place is rejected. */
#include "cblas_library.h"

static const char *const paths[] = {"/usr/lib/x86_64-linux-gnu/blas/libblas.so.3",
                                    "/usr/lib/aarch64-linux-gnu/blas/libblas.so.3", "libblas.so.3",
                                    NULL};

static const CblasSource source = {
    .paths = paths,
    .package = "libblas3",
    .reject = "openblas_get_config",
};

static bool open_library(Backend *backend, Text *error)
{
    return cblas_open(backend, &source, error);
}

const BackendKind be_netlib = {
    .name = "netlib",
    .summary = "reference BLAS of the system, or @/path/lib.so",
    .open = open_library,
    .close = cblas_close,
    .set_threads = cblas_set_threads,
    .offers = cblas_offers,
    .run = cblas_run,
    .emit = cblas_emit,
    .illegal_argument = cblas_illegal_argument,
    .promise = {models_ieee, models_readings},
};
