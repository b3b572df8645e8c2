/* JAX in worker processes.  Promise: IEEE arithmetic; XLA's CPU code flushes subnormal numbers,
 * inputs and results, which its documentation says.  Every operator is compiled for every shape. */
#include "ops/backend/process/process.h"

const BackendKind be_jax = {
    .name = "jax",
    .summary = "JAX, one operation at a time, as make frameworks fetches it, or @/path/venv; :jit "
               "compiles calls and programs, :lax, :vmap, :donate and others programs",
    FRAMEWORK(.patience = 20),
    .promise = {.models = models_ieee,
                .readings = models_flush_readings,
                .inputs = readings_flushed},
};
