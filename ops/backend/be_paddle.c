/* PaddlePaddle in worker processes.  Promise: IEEE arithmetic. */
#include "worker.h"

static const WorkerSource source = {
    .adapter = "paddle",
    .fetched = "paddle-3.3.1",
    .package = "make frameworks FRAMEWORKS=paddle, or paddle@/path/venv",
};

const BackendKind be_paddle = {
    .name = "paddle",
    .summary = "PaddlePaddle, eager, as make frameworks fetches it, or @/path/venv; "
               ":ast, :sot, :predictor and others compile programs",
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
