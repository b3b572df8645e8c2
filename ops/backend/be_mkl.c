/* MKL through CBLAS, as its wheel has it.  Promise: IEEE arithmetic, any order. */
#include "cblas_library.h"

static const char *const paths[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so", NULL};

static const char *const fetched[] = {"libmkl_rt.so.3", NULL};

static const LibrarySource source = {
    .paths = paths,
    .package = "intel-mkl, or fetch it with make backends and use mkl:2026.2",
    .fetched = fetched,
    .core_variable = "MKL_ENABLE_INSTRUCTIONS",
};

const BackendKind be_mkl = {
    .name = "mkl",
    .summary = "MKL: of the system, :2026.2 as make backends fetches it, or @/path/libmkl_rt.so",
    CBLAS_FUNCTIONS(source),
    .promise = {.models = models_ieee, .readings = models_readings},
};
