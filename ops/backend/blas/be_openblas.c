/* OpenBLAS through CBLAS.  Promise: IEEE arithmetic, sums in the element type, any order. */
#include "cblas.h"

static const char *const paths[] = {"libopenblas.so.0", "libopenblas.so", NULL};

static const LibraryVariant variants[] = {
    {"pthread", "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0"},
    {"openmp", "/usr/lib/x86_64-linux-gnu/openblas-openmp/libopenblas.so.0"},
    {"serial", "/usr/lib/x86_64-linux-gnu/openblas-serial/libopenblas.so.0"},
    {"64", "/usr/lib/x86_64-linux-gnu/libopenblas64.so.0"},
    {NULL, NULL},
};

static const char *const fetched[] = {"libscipy_openblas.so", "libscipy_openblas64_.so", NULL};

static const LibrarySource source = {
    .paths = paths,
    .package = "Debian: apt-get install libopenblas0-pthread",
    .variants = variants,
    .fetched = fetched,
    .core_variable = "OPENBLAS_CORETYPE",
    .settings = cblas_settings,
};

const BackendKind be_openblas = {
    .name = "openblas",
    .summary = "OpenBLAS: of the system, :serial :openmp :pthread :64 :fortran :VERSION "
               ":core=NAME, or @/path",
    .pinned = "openblas",
    .usual_modes = "openmp serial",
    CBLAS_FUNCTIONS(source),
    .promise = {.models = models_ieee, .readings = models_readings},
};
