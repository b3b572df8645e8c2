/* JAX in worker processes.  Promise: XLA's CPU code flushes subnormal numbers, inputs and results;
 * half precision may be computed in itself.  Every operator is compiled for every shape. */
#include "worker.h"

static const WorkerSource source = {
    .adapter = "jax",
    .fetched = "jax-0.10.2",
    .package = "make frameworks FRAMEWORKS=jax, or jax@/path/venv",
    .patience = 20,
};

const BackendKind be_jax = {
    .name = "jax",
    .summary = "JAX, one operation at a time, as make frameworks fetches it, or @/path/venv",
    .open = worker_open,
    .close = worker_close,
    .offers = worker_offers,
    .expect = worker_expect,
    .illegal_argument = worker_illegal_argument,
    .run = worker_run,
    .script = worker_script,
    .promise = {.models = models_flushing,
                .readings = models_flush_readings,
                .narrow = true,
                .inputs = readings_flushed},
    .source = &source,
};
