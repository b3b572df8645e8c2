/* A user's own functions in C, by rows of bindings.  Promise: IEEE arithmetic, any order, unless
 * the mode says otherwise. */
#include "emit.h"

const BackendKind be_kernel = {
    .name = "kernel",
    .summary =
        "functions of your own: kernel@./lib.so:'softmax=f(x, y, rows, cols)' or kernel@FILE; "
        ":flush, :faithful, :absolute, :unordered, :narrow say what they promise",
    .needs_more = true,
    .large = true,
    .open = kernel_open,
    .close = kernel_close,
    .offers = kernel_offers,
    .limits = kernel_limits,
    .run = kernel_run,
    .emit = kernel_emit,
    .emit_brief = kernel_emit_brief,
    .promise = {.models = models_ieee, .readings = models_readings},
};
