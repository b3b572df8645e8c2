/* TensorFlow in worker processes, in Python or in C
 * (ops/backend/framework/native/tensorflow_tfe.c).  Promise: IEEE arithmetic, though its threads
 * flush subnormal numbers, inputs and results, which its documentation does not say. */
#include "ops/backend/process/process.h"

const BackendKind be_tensorflow = {
    .name = "tensorflow",
    .summary =
        "TensorFlow, eager, as make frameworks fetches it, or @/path/venv; :tfe calls it from C; "
        ":function and :xla compile calls and programs, :saved programs",
    FRAMEWORK(.native_mode = "tfe", .native_program = "opconform-tensorflow",
              .exception = "InvalidArgumentError", .patience = 5),
    .promise = {.models = models_ieee,
                .readings = models_flush_readings,
                .inputs = readings_flushed},
};
