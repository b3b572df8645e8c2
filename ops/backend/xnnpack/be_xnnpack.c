/* XNNPACK on the CPU.  Promise: IEEE arithmetic. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "bindings.h"
#include "call.h"
#include "emit.h"
#include "ops/backend/library.h"

static const char *const paths[] = {"libXNNPACK.so.0", "libXNNPACK.so", NULL};

static const LibrarySource source = {
    .paths = paths,
    .package = "Debian: apt-get install libxnnpack0",
};

static bool xnnpack_open(Backend *backend, Text *error)
{
    int (*initialize)(const void *allocator) = NULL;
    Xnnpack *library = memory_allocate(1, sizeof *library);
    if (!arena_init(&library->arena, (size_t)1 << 30))
        BUG("out of memory");
    library->handle = library_open(backend, &source, error);
    if (library->handle) {
        *(void **)&initialize = dlsym(library->handle, "xnn_initialize");
        *(void **)&library->run = dlsym(library->handle, "xnn_run_operator");
        *(void **)&library->destroy = dlsym(library->handle, "xnn_delete_operator");
    }
    if (!initialize || !library->run || !library->destroy || initialize(NULL) != 0) {
        if (library->handle)
            text_printf(error, "%s: not XNNPACK, or not for this processor", backend->name);
        arena_release(&library->arena);
        free(library);
        return false;
    }
    backend->context = library;
    backend->facts.threads = 1;
    (void)snprintf(backend->facts.build, sizeof backend->facts.build, "XNNPACK");
    (void)snprintf(backend->facts.interface, sizeof backend->facts.interface, "create, setup, run");
    library_describe(library->handle, &backend->facts);
    return true;
}

static void xnnpack_close(Backend *backend)
{
    Xnnpack *library = backend->context;
    if (!library)
        return;
    arena_release(&library->arena);
    free(library);
    backend->context = NULL;
}

static bool xnnpack_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    (void)backend;
    return xnnpack_knows(op, dtype);
}

const BackendKind be_xnnpack = {
    .name = "xnnpack",
    .summary = "XNNPACK of the system, operators of binary32 and of quantised integers",
    .large = true,
    .open = xnnpack_open,
    .close = xnnpack_close,
    .offers = xnnpack_offers,
    .takes = xnnpack_takes,
    .describe = xnnpack_describe,
    .run = xnnpack_run,
    .emit = xnnpack_emit,
    .emit_brief = xnnpack_emit_brief,
    .promise = {.models = models_ieee,
                .readings = models_clamping_readings,
                .inputs = readings_flushed},
    .source = &source,
};
