/* PyTorch in worker processes, in Python or in C (ops/backend/framework/native/torch_shim.c).
 * Promise: IEEE arithmetic. */
#include "ops/backend/process/process.h"

const BackendKind be_torch = {
    .name = "torch",
    .summary = "PyTorch, eager, as make frameworks fetches it, or @/path/venv; :shim calls its "
               "dispatcher from C; :script, :trace, :inductor and others compile calls and "
               "programs",
    FRAMEWORK(.native_mode = "shim", .native_program = "opconform-torch"),
    .promise = {.models = models_ieee, .readings = models_flush_readings},
};
