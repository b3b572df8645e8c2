/* JAX in worker processes.  Promise: XLA's CPU code flushes subnormal numbers, inputs and results;
 * half precision may be computed in itself.  Every operator is compiled for every shape. */
#include "ops/backend/process/process.h"

const BackendKind be_jax = {
    .name = "jax",
    .summary = "JAX, one operation at a time, as make frameworks fetches it, or @/path/venv",
    FRAMEWORK(.patience = 20),
    .promise = {.models = models_flushing,
                .readings = models_flush_readings,
                .narrow = true,
                .inputs = readings_flushed},
};
