/* Finds the library and its functions, and asks it about the device. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "cublas.h"

enum { NAME_BYTES = 64 };

static const char *const libraries[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                        "libcublas.so", NULL};

static bool find_cublas(Cublas *blas, void *library, Text *error)
{
    const NativeSymbol symbols[] = {{"cublasCreate_v2", &blas->create},
                                    {"cublasGetVersion_v2", &blas->version},
                                    {"cublasSetStream_v2", &blas->set_stream},
                                    {"cublasSetPointerMode_v2", &blas->set_pointer_mode},
                                    {"cublasSetMathMode", &blas->set_math_mode},
                                    {"cublasGetStatusName", &blas->status_name}};
    return native_find(library, "the library", symbols, COUNT_OF(symbols), error);
}

/* With _v2 where the first version of the interface has the plain name. */
static void *find_function(void *library, const char *name, bool wide)
{
    static const char *const versions[] = {"_v2", ""};
    for (size_t i = 0; i < COUNT_OF(versions); i++) {
        char symbol[NAME_BYTES + 8];
        (void)snprintf(symbol, sizeof symbol, "%s%s%s", name, versions[i], wide ? "_64" : "");
        void *function = dlsym(library, symbol);
        if (function)
            return function;
    }
    return NULL;
}

static void find_routines(CublasLibrary *library, void *blas)
{
    for (int op = 0; op_registry[op]; op++) {
        const CblasRoutine *routine = cublas_routine(op_registry[op]->name, &library->mode);
        for (int dtype = 0; routine && dtype < DT_COUNT; dtype++) {
            char name[NAME_BYTES];
            if ((op_dtypes(op_registry[op]) & 1u << dtype) &&
                cublas_symbol(routine, (DType)dtype, name, sizeof name))
                library->functions[op][dtype] =
                    find_function(blas, name, library->mode.wide && cublas_has_integers(routine));
        }
    }
}

/* Loads the library and what it has beside its routines; NULL with one sentence in *error. */
static void *open_library(CublasLibrary *library, const char *folder, Text *error)
{
    void *blas = cuda_load_first(folder, libraries, error);
    if (!blas || !find_cublas(&library->blas, blas, error))
        return NULL;
    library->gemm_ex = dlsym(blas, "cublasGemmEx");
    *(void **)&library->blas.set_workspace = dlsym(blas, "cublasSetWorkspace_v2");
    if (library->mode.workspace && !library->blas.set_workspace) {
        text_printf(error, "the library has no cublasSetWorkspace: version 11.1 has");
        return NULL;
    }
    return blas;
}

static void ask_device(const void *context, CudaAnswer *answer)
{
    const CublasLibrary *library = context;
    void *handle = NULL;
    int version = 0, status = library->blas.create(&handle);
    if (status != STATUS_SUCCESS) {
        (void)snprintf(answer->error, sizeof answer->error, "cublasCreate: %s",
                       library->blas.status_name(status));
        return;
    }
    (void)library->blas.version(handle, &version);
    cuda_describe(&library->cuda, "cuBLAS", version, &answer->facts);
    cublas_probe(library, handle, &answer->facts);
    answer->ok = true;
}

bool cublas_load(CublasLibrary *library, const char *folder, const char *mode, BackendFacts *facts,
                 Text *error)
{
    *library = (CublasLibrary){0};
    if (!cublas_read_mode(&library->mode, mode, error))
        return false;
    if (cublas_is_emulated(&library->mode))
        (void)setenv(CUBLAS_EMULATION_VARIABLE, CUBLAS_EMULATION_EAGER, 1);
    void *cuda = cuda_load(&library->cuda, folder, error);
    void *blas = cuda ? open_library(library, folder, error) : NULL;
    if (!blas || !cuda_ask(&library->cuda, ask_device, library, facts, error))
        return false;
    find_routines(library, blas);
    cuda_locate(cuda, (void *)library->blas.create, facts);
    return true;
}

void cublas_ask_unit(const CudaRuntime *cuda, const char *folder, BackendFacts *facts)
{
    CublasLibrary library = {.cuda = *cuda};
    Text ignored = {0};
    void *handle = NULL;
    if (open_library(&library, folder, &ignored) && library.blas.create(&handle) == STATUS_SUCCESS)
        cublas_probe(&library, handle, facts);
    text_release(&ignored);
}
