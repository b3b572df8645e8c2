/* oneDNN 2 and 3 on the CPU, in the layouts of the operands.  Promise: IEEE arithmetic. */
#include <stdio.h>
#include <string.h>

#include "bindings.h"
#include "call.h"
#include "emit.h"
#include "onednn_library.h"

/* True when it describes any operator's simplest case in this element type. */
static bool has_primitives(Backend *backend, Workspace *workspace, DType dtype)
{
    for (const OpDesc *const *op = op_registry; *op; op++) {
        Case c;
        Operands operands;
        if (!(op_dtypes(*op) >> dtype & 1) || !dnnl_knows(*op, dtype))
            continue;
        case_init(&c, *op);
        case_set_dtype(&c, dtype);
        case_normalise(&c, NULL);
        operands_build(&operands, workspace, &c);
        if (onednn_describes(backend, &operands))
            return true;
    }
    return false;
}

/* Which element types it has primitives for on this processor: it has none of bfloat16 without
 * AVX-512, and of binary16 without AVX512-FP16 (oneDNN, Data Types).  What it lacks is told beside
 * its interface. */
static bool open_library(Backend *backend, Text *error)
{
    Workspace workspace;
    if (!onednn_open(backend, error))
        return false;
    if (!workspace_init(&workspace)) {
        text_printf(error, "%s: no memory", backend->name);
        onednn_close(backend);
        return false;
    }
    DnnlLibrary *library = backend->context;
    char *interface = backend->facts.interface;
    for (int dtype = 0; dtype < DT_COUNT; dtype++) {
        size_t length = strlen(interface);
        if (has_primitives(backend, &workspace, (DType)dtype))
            library->dtypes |= 1u << dtype;
        else if (dnnl_knows(op_find("relu"), (DType)dtype))
            (void)snprintf(interface + length, sizeof backend->facts.interface - length,
                           ", no %s here", dtype_names[dtype]);
    }
    workspace_release(&workspace);
    return true;
}

static bool onednn_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    const DnnlLibrary *library = backend->context;
    return library->dtypes >> dtype & 1 && dnnl_knows(op, dtype);
}

const BackendKind be_onednn = {
    .name = "onednn",
    .pinned = "onednn",
    .summary = "oneDNN: of the system, :VERSION as make backends fetches it; core=AVX2 limits the "
               "instructions, +blocked lets it choose layouts",
    .large = true,
    .open = open_library,
    .close = onednn_close,
    .offers = onednn_offers,
    .describe = dnnl_describe,
    .takes = onednn_takes,
    .run = onednn_run,
    .emit = onednn_emit,
    .emit_brief = onednn_emit_brief,
    .promise = {.models = models_ieee, .readings = models_flush_results_readings},
};
