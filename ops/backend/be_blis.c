/* BLIS through CBLAS.  Promise: IEEE arithmetic, sums in the element type, any order. */
#include "cblas_library.h"

static const char *const paths[] = {"libblis.so.4", "libblis.so.3", "libblis.so", NULL};

static const CblasSource source = {
    .paths = paths,
    .package = "libblis4-pthread",
    .core_variable = "BLIS_ARCH_TYPE",
};

static bool open_library(Backend *backend, Text *error)
{
    return cblas_open(backend, &source, error);
}

const BackendKind be_blis = {
    .name = "blis",
    .summary = "BLIS of the system, or @/path/lib.so",
    .open = open_library,
    .close = cblas_close,
    .set_threads = cblas_set_threads,
    .offers = cblas_offers,
    .run = cblas_run,
    .emit = cblas_emit,
    .illegal_argument = cblas_illegal_argument,
    .promise = {models_ieee, models_readings},
};
