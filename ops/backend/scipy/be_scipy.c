/* SciPy's sparse arrays in a worker process.  Promise: IEEE arithmetic. */
#include "ops/backend/process/process.h"

const BackendKind be_scipy = {
    .name = "scipy",
    .summary = "sparse arrays of SciPy, as make frameworks fetches it, or @/path/venv",
    FRAMEWORK(.exception = "LinAlgError"),
    .promise = {.models = models_ieee, .readings = models_readings},
};
