/* The functions of a backend whose library has the CBLAS interface. */
#ifndef OPS_BACKEND_BLAS_CBLAS_H
#define OPS_BACKEND_BLAS_CBLAS_H

#include "call.h"
#include "cblas_library.h"
#include "emit.h"
#include "exports.h"

/* The members of a BackendKind; cblas_source is its LibrarySource. */
#define CBLAS_FUNCTIONS(cblas_source)                                                              \
    .large = true, .open = cblas_open, .close = cblas_close, .set_threads = cblas_set_threads,     \
    .offers = cblas_offers, .describe = cblas_describe, .known_function = cblas_known_function,    \
    .list_exports = cblas_list_exports, .takes = cblas_takes, .run = cblas_run,                    \
    .emit = cblas_emit, .emit_brief = cblas_emit_brief,                                            \
    .illegal_argument = cblas_illegal_argument, .source = &(cblas_source)

#endif
