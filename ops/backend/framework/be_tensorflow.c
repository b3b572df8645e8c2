/* TensorFlow in worker processes, in Python or in C
 * (ops/backend/framework/native/tensorflow_tfe.c).  Promise: its threads flush subnormal numbers,
 * inputs and results; half precision is computed in itself (Eigen::half, Eigen::bfloat16). */
#include "ops/backend/process/process.h"

const BackendKind be_tensorflow = {
    .name = "tensorflow",
    .summary =
        "TensorFlow, eager, as make frameworks fetches it, or @/path/venv; :tfe calls it from C; "
        ":function, :xla, :saved compile programs",
    FRAMEWORK(.native_mode = "tfe", .native_program = "opconform-tensorflow",
              .exception = "InvalidArgumentError", .patience = 5),
    .promise = {.models = models_flushing,
                .readings = models_flush_readings,
                .narrow = true,
                .inputs = readings_flushed},
};
