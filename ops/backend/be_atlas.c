/* ATLAS through CBLAS.  Promise: IEEE arithmetic, any order; it is known to multiply whole sums,
 * beta C included, by alpha, so that it is tried under that reading as well. */
#include "cblas_library.h"

static const char *const paths[] = {"/usr/lib/x86_64-linux-gnu/atlas/libblas.so.3", "libatlas.so.3",
                                    NULL};

static const CblasSource source = {
    .paths = paths,
    .package = "libatlas3-base",
};

static bool open_library(Backend *backend, Text *error)
{
    return cblas_open(backend, &source, error);
}

const BackendKind be_atlas = {
    .name = "atlas",
    .summary = "ATLAS of the system, or @/path/lib.so",
    .open = open_library,
    .close = cblas_close,
    .set_threads = cblas_set_threads,
    .offers = cblas_offers,
    .run = cblas_run,
    .emit = cblas_emit,
    .illegal_argument = cblas_illegal_argument,
    .promise = {models_ieee, models_wide_readings},
};
