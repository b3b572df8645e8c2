/* PyTorch in worker processes, in Python or in C (ops/backend/native/torch_shim.c).  Promise: IEEE
 * arithmetic. */
#include "worker.h"

static const WorkerSource source = {
    .adapter = "torch",
    .fetched = "torch-2.15.0",
    .native_mode = "shim",
    .native_program = "opconform-torch",
    .package = "make frameworks FRAMEWORKS=torch, or torch@/path/venv",
};

const BackendKind be_torch = {
    .name = "torch",
    .summary = "PyTorch, eager, as make frameworks fetches it, or @/path/venv; :shim calls its "
               "dispatcher from C; :script, :dynamo, :inductor and others compile programs",
    .open = worker_open,
    .close = worker_close,
    .offers = worker_offers,
    .expect = worker_expect,
    .illegal_argument = worker_illegal_argument,
    .run = worker_run,
    .script = worker_script,
    .promise = {.models = models_absolute, .readings = models_flush_readings},
    .source = &source,
};
