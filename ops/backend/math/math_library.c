/* Opens libraries and finds their functions. */
#include "math_library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void find_functions(const Backend *backend, const MathSource *source, MathLibrary *library)
{
    for (int i = 0; op_registry[i]; i++) {
        const char *word = math_word(op_registry[i], source->column);
        for (int wide = 0; word && wide < 2; wide++) {
            char symbol[96];
            source->spell(backend, word, wide ? DT_F64 : DT_F32, symbol, sizeof symbol);
            library->functions[i][wide] = dlsym(library->handle, symbol);
        }
    }
}

bool math_open(Backend *backend, Text *error)
{
    const MathSource *source = backend->kind->source;
    MathLibrary *library = memory_allocate(1, sizeof *library);
    /* One thread: a library of threads may end the process where it cannot share memory. */
    if (source->library.layer_variable)
        (void)setenv(source->library.layer_variable, "SEQUENTIAL", 0);
    library->handle = library_open(backend, &source->library, error);
    if (!library->handle) {
        free(library);
        return false;
    }
    backend->context = library;
    backend->facts.threads = 1;
    library->style = source->style(backend);
    if (source->prepare)
        source->prepare(backend, library->handle);
    library_describe(library->handle, &backend->facts);
    find_functions(backend, source, library);
    return true;
}

void math_close(Backend *backend)
{
    MathLibrary *library = backend->context;
    if (!library)
        return;
    (void)dlclose(library->handle);
    free(library);
    backend->context = NULL;
}

void *math_function(const Backend *backend, const OpDesc *op, DType dtype)
{
    const MathLibrary *library = backend->context;
    if (dtype != DT_F32 && dtype != DT_F64)
        return NULL;
    return library->functions[op_number(op)][dtype == DT_F64];
}

bool math_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    return math_function(backend, op, dtype) != NULL;
}
