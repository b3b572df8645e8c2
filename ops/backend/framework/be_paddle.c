/* PaddlePaddle in worker processes.  Promise: IEEE arithmetic. */
#include "ops/backend/process/process.h"

const BackendKind be_paddle = {
    .name = "paddle",
    .summary = "PaddlePaddle, eager, as make frameworks fetches it, or @/path/venv; "
               ":ast, :sot, :predictor and others compile programs",
    FRAMEWORK(.patience = 1),
    .promise = {.models = models_ieee, .readings = models_flush_readings},
};
