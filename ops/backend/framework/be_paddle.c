/* PaddlePaddle in worker processes.  Promise: IEEE arithmetic. */
#include "ops/backend/process/process.h"

const BackendKind be_paddle = {
    .name = "paddle",
    .summary = "PaddlePaddle, eager, as make frameworks fetches it, or @/path/venv; "
               ":ast and :sot compile calls and programs, :predictor and others programs",
    FRAMEWORK(.patience = 1),
    .promise = {.models = models_ieee, .readings = models_flush_readings},
};
