/* MKL through CBLAS, as its wheel has it.  Promise: IEEE arithmetic, any order. */
#include "cblas.h"
#include "ops/backend/mkl_library.h"

static const LibrarySource source = {
    MKL_LIBRARY,
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
