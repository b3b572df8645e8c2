/* OneFlow in worker processes, which import it themselves: it has threads from the start.  Promise:
 * IEEE arithmetic. */
#include "ops/backend/process/process.h"

const BackendKind be_oneflow = {
    .name = "oneflow",
    .summary = "OneFlow, eager, as make frameworks fetches it, or @/path/venv; :graph "
               "compiles programs",
    FRAMEWORK(.package =
                  "make frameworks FRAMEWORKS=oneflow with Python 3.10, or oneflow@/path/venv",
              .imports_each = true, .opens_sockets = true, .patience = 10),
    .freedom = "sockets",
    .promise = {.models = models_ieee, .readings = models_flush_readings},
};
