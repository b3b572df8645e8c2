/* oneDNN 2 and 3 on the CPU, in the layouts of the operands.  Promise: IEEE arithmetic. */
#include "bindings.h"
#include "call.h"
#include "emit.h"
#include "onednn_library.h"

static bool onednn_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    (void)backend;
    return dnnl_knows(op, dtype);
}

const BackendKind be_onednn = {
    .name = "onednn",
    .pinned = "onednn",
    .summary = "oneDNN: of the system, :VERSION as make backends fetches it; core=AVX2 limits the "
               "instructions, +blocked lets it choose layouts",
    .open = onednn_open,
    .close = onednn_close,
    .offers = onednn_offers,
    .describe = dnnl_describe,
    .run = onednn_run,
    .emit = onednn_emit,
    .emit_brief = onednn_emit_brief,
    .promise = {.models = models_ieee, .readings = models_flush_readings},
};
