/* The functions of a backend whose library has functions of numbers. */
#ifndef OPS_BACKEND_MATH_FUNCTIONS_H
#define OPS_BACKEND_MATH_FUNCTIONS_H

#include "call.h"
#include "emit.h"
#include "math_library.h"

/* The members of a BackendKind; math_source is its MathSource. */
#define MATH_FUNCTIONS(math_source)                                                                \
    .open = math_open, .close = math_close, .offers = math_offers, .describe = math_describe,      \
    .takes = math_takes, .run = math_run, .emit = math_emit, .emit_brief = math_emit_brief,        \
    .source = &(math_source)

#endif
