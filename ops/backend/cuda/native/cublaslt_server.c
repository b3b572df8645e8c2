/* opconform-cublaslt: serves the products of cuBLASLt on the first device. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "cublas.h"
#include "cublaslt.h"
#include "ops/backend/cuda/cublaslt_bindings.h"

static const char *const libraries[] = {"libcublasLt.so.13", "libcublasLt.so.12",
                                        "libcublasLt.so.11", "libcublasLt.so", NULL};

static LtLibrary library;
static LtSession session;
static uint32_t dtypes[OP_MAX];

static bool find_functions(CublasLt *lt, void *handle, Text *error)
{
    const NativeSymbol symbols[] = {
        {"cublasLtCreate", &lt->create},
        {"cublasLtGetVersion", &lt->version},
        {"cublasLtGetStatusName", &lt->status_name},
        {"cublasLtMatmulDescCreate", &lt->product_create},
        {"cublasLtMatmulDescSetAttribute", &lt->product_set},
        {"cublasLtMatmulDescDestroy", &lt->product_destroy},
        {"cublasLtMatrixLayoutCreate", &lt->matrix_create},
        {"cublasLtMatrixLayoutSetAttribute", &lt->matrix_set},
        {"cublasLtMatrixLayoutDestroy", &lt->matrix_destroy},
        {"cublasLtMatmulPreferenceCreate", &lt->preference_create},
        {"cublasLtMatmulPreferenceSetAttribute", &lt->preference_set},
        {"cublasLtMatmulPreferenceDestroy", &lt->preference_destroy},
        {"cublasLtMatrixTransformDescCreate", &lt->transform_create},
        {"cublasLtMatrixTransformDescSetAttribute", &lt->transform_set},
        {"cublasLtMatrixTransformDescDestroy", &lt->transform_destroy},
        {"cublasLtMatrixTransform", &lt->transform},
        {"cublasLtMatmulAlgoGetHeuristic", &lt->heuristics},
        {"cublasLtMatmul", &lt->multiply},
    };
    return native_find(handle, "the library", symbols, COUNT_OF(symbols), error);
}

static void ask_device(const void *context, CudaAnswer *answer)
{
    const LtLibrary *asked = context;
    void *handle = NULL;
    int status = asked->lt.create(&handle);
    if (status != STATUS_SUCCESS) {
        (void)snprintf(answer->error, sizeof answer->error, "cublasLtCreate: %s",
                       asked->lt.status_name(status));
        return;
    }
    cuda_describe(&asked->cuda, "cuBLASLt", (int)asked->lt.version(), &answer->facts);
    cublas_ask_unit(&asked->cuda, asked->folder, &answer->facts);
    answer->ok = true;
}

static bool load_library(LtLibrary *loaded, const char *folder, const char *mode,
                         BackendFacts *facts, Text *error)
{
    *loaded = (LtLibrary){.folder = folder};
    if (!cublaslt_read_mode(&loaded->mode, mode, error))
        return false;
    if (cublas_is_emulated(&loaded->mode.words))
        (void)setenv(CUBLAS_EMULATION_VARIABLE, CUBLAS_EMULATION_EAGER, 1);
    void *cuda = cuda_load(&loaded->cuda, folder, error);
    void *lt = cuda ? cuda_load_first(folder, libraries, error) : NULL;
    if (!lt || !find_functions(&loaded->lt, lt, error) ||
        !cuda_ask(&loaded->cuda, ask_device, loaded, facts, error))
        return false;
    cuda_locate(cuda, (void *)loaded->lt.create, facts);
    return true;
}

static bool load(const char *path, const char *mode, BackendFacts *facts, Text *error)
{
    if (!load_library(&library, path, mode, facts, error))
        return false;
    for (int op = 0; op_registry[op]; op++) {
        const LtRow *row = cublaslt_row(op_registry[op]);
        dtypes[op] = row ? row->dtypes & op_dtypes(op_registry[op]) : 0;
    }
    return true;
}

static void start(void)
{
    cublaslt_begin(&session, &library);
}

static uint32_t run(const NativeRequest *request)
{
    return cublaslt_call(&session, request);
}

int main(int count, char **arguments)
{
    static const NativeLibrary native = {
        .file = "", .dtypes = dtypes, .load = load, .start = start, .run = run};
    return native_main(&native, count, arguments);
}
