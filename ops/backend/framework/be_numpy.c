/* NumPy in a worker process.  Promise: IEEE arithmetic; it stands beside the references of
 * operators that move, order and index elements, which have no other library on a bare machine. */
#include "ops/backend/process/process.h"

const BackendKind be_numpy = {
    .name = "numpy",
    .summary = "NumPy of the system's Python, or @/path/venv",
    FRAMEWORK(.package = "Debian: apt-get install python3-numpy", .exception = "AxisError"),
    .promise = {.models = models_ieee, .readings = models_readings},
};
