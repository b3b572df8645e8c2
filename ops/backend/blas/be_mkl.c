/* MKL through CBLAS, as its wheel has it.  Promise: IEEE arithmetic, any order. */
#include "cblas.h"

static const char *const paths[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so", NULL};

static const char *const fetched[] = {"libmkl_rt.so.3", NULL};

static const LibrarySource source = {
    .paths = paths,
    .package = "Debian: apt-get install intel-mkl",
    .fetched = fetched,
    .core_variable = "MKL_ENABLE_INSTRUCTIONS",
    .layer_variable = "MKL_THREADING_LAYER",
    .settings = cblas_settings,
};

const BackendKind be_mkl = {
    .name = "mkl",
    .summary = "MKL: of the system, :VERSION as make backends fetches it, :64 :fortran, or "
               "@/path/libmkl_rt.so",
    .pinned = "mkl",
    .seen_by_others = true,
    CBLAS_FUNCTIONS(source),
    .promise = {.models = models_ieee, .readings = models_readings},
};
