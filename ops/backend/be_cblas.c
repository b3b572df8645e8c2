/* Any library that exports standard cblas_* symbols.  Promise: IEEE arithmetic, any order. */
#include "cblas_library.h"

static const char *const paths[] = {NULL};

static const CblasSource source = {
    .paths = paths,
};

static bool open_library(Backend *backend, Text *error)
{
    return cblas_open(backend, &source, error);
}

const BackendKind be_cblas = {
    .name = "cblas",
    .summary = "any library with cblas_* symbols: cblas@/path/lib.so",
    .open = open_library,
    .close = cblas_close,
    .set_threads = cblas_set_threads,
    .offers = cblas_offers,
    .run = cblas_run,
    .emit = cblas_emit,
    .illegal_argument = cblas_illegal_argument,
    .promise = {models_ieee, models_readings},
};
