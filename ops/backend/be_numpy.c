/* NumPy in a worker process.  Promise: IEEE arithmetic; it stands beside the references of
 * operators that move, order and index elements, which have no other library on a bare machine. */
#include "worker.h"

static const WorkerSource source = {
    .adapter = "numpy",
    .exception = "AxisError",
    .package = "Debian: apt-get install python3-numpy",
};

const BackendKind be_numpy = {
    .name = "numpy",
    .summary = "NumPy of the system's Python, or @/path/venv",
    .open = worker_open,
    .close = worker_close,
    .offers = worker_offers,
    .expect = worker_expect,
    .illegal_argument = worker_illegal_argument,
    .run = worker_run,
    .script = worker_script,
    .promise = {.models = models_ieee, .readings = models_readings},
    .source = &source,
};
