/* ATLAS through CBLAS.  Promise: IEEE arithmetic, any order; it is known to multiply whole sums,
 * beta C included, by alpha, so that it is tried under that reading as well. */
#include "cblas.h"

static const char *const paths[] = {"/usr/lib/x86_64-linux-gnu/atlas/libblas.so.3", "libatlas.so.3",
                                    NULL};

static const LibrarySource source = {
    .paths = paths,
    .package = "Debian: apt-get install libatlas3-base",
    .settings = cblas_settings,
};

const BackendKind be_atlas = {
    .name = "atlas",
    .summary = "ATLAS of the system, :fortran, or @/path/lib.so",
    CBLAS_FUNCTIONS(source),
    .promise = {.models = models_ieee, .readings = models_wide_readings},
};
