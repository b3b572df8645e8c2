/* MKL's Inspector-Executor Sparse BLAS.  Promise: IEEE arithmetic, any order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings.h"
#include "call.h"
#include "emit.h"
#include "ops/backend/mkl_library.h"

#include <dlfcn.h>

static const LibrarySource source = {MKL_LIBRARY};

/* "... Version 2026.2-Product Build ...": the number of a release, where the file has that of its
 * interface. */
static void describe(void *handle, BackendFacts *facts)
{
    void (*version)(char *, int);
    char text[256] = "";
    *(void **)&version = dlsym(handle, "MKL_Get_Version_String");
    if (version)
        version(text, sizeof text - 1);
    const char *number = strstr(text, "Version ");
    if (number)
        (void)snprintf(facts->version, sizeof facts->version, "%.*s",
                       (int)strspn(number + 8, "0123456789."), number + 8);
    library_describe(handle, facts);
}

static bool mkl_sparse_open(Backend *backend, Text *error)
{
    MklSparse *library = memory_allocate(1, sizeof *library);
    /* One thread: a library of threads may end the process where it cannot share memory. */
    (void)setenv(source.layer_variable, "SEQUENTIAL", 0);
    if (!arena_init(&library->arena, (size_t)1 << 30))
        BUG("out of memory");
    library->handle = library_open(backend, &source, error);
    if (!library->handle || !dlsym(library->handle, "mkl_sparse_d_create_csr")) {
        if (library->handle)
            text_printf(error, "%s: not MKL, or without mkl_sparse_d_create_csr", backend->name);
        arena_release(&library->arena);
        free(library);
        return false;
    }
    backend->context = library;
    backend->facts.threads = 1;
    (void)snprintf(backend->facts.build, sizeof backend->facts.build,
                   "MKL Inspector-Executor Sparse BLAS");
    (void)snprintf(backend->facts.interface, sizeof backend->facts.interface,
                   "integers of 32 and 64 bits");
    (void)snprintf(backend->facts.setting, sizeof backend->facts.setting, "%s=%s",
                   source.layer_variable, getenv(source.layer_variable));
    describe(library->handle, &backend->facts);
    return true;
}

static void mkl_sparse_close(Backend *backend)
{
    MklSparse *library = backend->context;
    if (!library)
        return;
    arena_release(&library->arena);
    free(library);
    backend->context = NULL;
}

static bool mkl_sparse_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    (void)backend;
    return mkl_sparse_knows(op, dtype);
}

const BackendKind be_mkl_sparse = {
    .name = "mkl_sparse",
    .summary = "MKL's sparse routines: of the system, :VERSION as make backends fetches it, or "
               "@/path/libmkl_rt.so",
    .pinned = "mkl",
    .seen_by_others = true,
    .open = mkl_sparse_open,
    .close = mkl_sparse_close,
    .offers = mkl_sparse_offers,
    .takes = mkl_sparse_takes,
    .describe = mkl_sparse_describe,
    .run = mkl_sparse_run,
    .emit = mkl_sparse_emit,
    .emit_brief = mkl_sparse_emit_brief,
    .promise = {.models = models_ieee, .readings = models_readings},
    .source = &source,
};
