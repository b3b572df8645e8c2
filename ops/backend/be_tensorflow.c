/* TensorFlow in worker processes, in Python or in C (ops/backend/native/tensorflow_tfe.c). Promise:
 * its threads flush subnormal numbers, inputs and results; half precision is computed in itself
 * (Eigen::half, Eigen::bfloat16). */
#include "worker.h"

static const WorkerSource source = {
    .adapter = "tensorflow",
    .fetched = "tensorflow-2.21.0",
    .native_mode = "tfe",
    .native_program = "opconform-tensorflow",
    .package = "make frameworks FRAMEWORKS=tensorflow, or tensorflow@/path/venv",
    .exception = "InvalidArgumentError",
    .patience = 5,
};

const BackendKind be_tensorflow = {
    .name = "tensorflow",
    .summary =
        "TensorFlow, eager, as make frameworks fetches it, or @/path/venv; :tfe calls it from C; "
        ":function, :xla, :saved compile programs",
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
