/* OneFlow in worker processes, which import it themselves: it has threads from the start.  Promise:
 * IEEE arithmetic. */
#include "worker.h"

static const WorkerSource source = {
    .adapter = "oneflow",
    .fetched = "oneflow-0.9.0",
    .package = "make frameworks FRAMEWORKS=oneflow with Python 3.10, or oneflow@/path/venv",
    .imports_each = true,
    .patience = 10,
};

const BackendKind be_oneflow = {
    .name = "oneflow",
    .summary = "OneFlow, eager, as make frameworks fetches it, or @/path/venv; :graph "
               "compiles programs",
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
