/* numexpr in a worker process: expressions over arrays of NumPy.  Promise: IEEE arithmetic. */
#include "ops/backend/process/process.h"

const BackendKind be_numexpr = {
    .name = "numexpr",
    .summary = "numexpr of the system's Python, or @/path/venv",
    FRAMEWORK(.package = "Debian: apt-get install python3-numexpr"),
    .promise = {.models = models_ieee, .readings = models_readings},
};
