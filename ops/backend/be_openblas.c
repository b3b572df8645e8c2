/* OpenBLAS through CBLAS.  Promise: IEEE arithmetic, sums in the element type, any order. */
#include "cblas_library.h"

static const char *const paths[] = {"libopenblas.so.0", "libopenblas.so", NULL};

static const CblasSource source = {
    .paths = paths,
    .package = "libopenblas0-pthread",
};

static bool open_library(Backend *backend, Text *error)
{
    return cblas_open(backend, &source, error);
}

const BackendKind be_openblas = {
    .name = "openblas",
    .summary = "OpenBLAS of the system, or @/path/lib.so",
    .open = open_library,
    .close = cblas_close,
    .set_threads = cblas_set_threads,
    .offers = cblas_offers,
    .run = cblas_run,
    .emit = cblas_emit,
    .illegal_argument = cblas_illegal_argument,
    .promise = {models_ieee, models_readings},
};
