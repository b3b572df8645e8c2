/* Finds the libraries and their functions, and asks a process of its own what the device is: a
 * context does not survive a fork, and workers are forked from this process. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cublas.h"

enum { NAME_BYTES = 64, PATH_BYTES = 4096 };

static const char *const runtimes[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0",
                                       "libcudart.so", NULL};
static const char *const libraries[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                        "libcublas.so", NULL};

/* The first of the names that can be loaded, from the folder if there is one.  What is said of a
 * file that is there counts more than that others are not. */
static void *load_first(const char *folder, const char *const *names, Text *error)
{
    for (const char *const *name = names; *name; name++) {
        char path[PATH_BYTES];
        (void)snprintf(path, sizeof path, "%s%s%s", folder, folder[0] ? "/" : "", *name);
        void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
        const char *reason = library ? NULL : dlerror();
        if (library) {
            text_clear(error);
            return library;
        }
        if (strncmp(reason, path, strlen(path)) != 0 || access(path, R_OK) == 0) {
            text_clear(error);
            text_printf(error, "%s", reason);
        }
    }
    if (error->length == 0)
        text_printf(error, "no %s%s%s", names[0], folder[0] ? " nor older in " : " nor older",
                    folder);
    return NULL;
}

static bool find_runtime(CudaRuntime *cuda, void *library, Text *error)
{
    const NativeSymbol symbols[] = {{"cudaGetDeviceCount", &cuda->count},
                                    {"cudaDeviceGetAttribute", &cuda->attribute},
                                    {"cudaRuntimeGetVersion", &cuda->runtime_version},
                                    {"cudaDriverGetVersion", &cuda->driver_version},
                                    {"cudaMalloc", &cuda->allocate},
                                    {"cudaMemcpy", &cuda->copy},
                                    {"cudaDeviceSynchronize", &cuda->synchronise},
                                    {"cudaStreamCreate", &cuda->stream_create},
                                    {"cudaGetErrorName", &cuda->error_name}};
    return native_find(library, "the library", symbols, COUNT_OF(symbols), error);
}

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

/* What the device answers, in a process that makes a context. */
typedef struct Answer {
    BackendFacts facts;
    char error[128];
    bool ok;
} Answer;

static void ask_device(const CublasLibrary *library, void *gemm_ex, Answer *answer)
{
    const CudaRuntime *cuda = &library->cuda;
    int count = 0, major = 0, minor = 0, runtime = 0, driver = 0, version = 0;
    void *handle = NULL;
    int error = cuda->count(&count);
    if (error != 0 || count < 1) {
        (void)snprintf(answer->error, sizeof answer->error, "no device: %s",
                       error ? cuda->error_name(error) : "the driver counts none");
        return;
    }
    int status = library->blas.create(&handle);
    if (status != STATUS_SUCCESS) {
        (void)snprintf(answer->error, sizeof answer->error, "cublasCreate: %s",
                       library->blas.status_name(status));
        return;
    }
    (void)library->blas.version(handle, &version);
    (void)cuda->attribute(&major, ATTRIBUTE_MAJOR, 0);
    (void)cuda->attribute(&minor, ATTRIBUTE_MINOR, 0);
    (void)cuda->runtime_version(&runtime);
    (void)cuda->driver_version(&driver);
    BackendFacts *facts = &answer->facts;
    (void)snprintf(facts->version, sizeof facts->version, "%d", version);
    (void)snprintf(facts->core, sizeof facts->core, "sm_%d%d", major, minor);
    (void)snprintf(facts->build, sizeof facts->build, "cuBLAS %d, CUDA runtime %d, driver %d",
                   version, runtime, driver);
    cublas_probe(library, handle, gemm_ex, facts);
    answer->ok = true;
}

static bool probe_device(const CublasLibrary *library, void *gemm_ex, BackendFacts *facts,
                         Text *error)
{
    int ends[2];
    Answer answer = {0};
    if (pipe(ends) != 0) {
        text_printf(error, "%s", strerror(errno));
        return false;
    }
    pid_t child = fork();
    if (child == 0) {
        ask_device(library, gemm_ex, &answer);
        _exit(write(ends[1], &answer, sizeof answer) == (ssize_t)sizeof answer ? 0 : 1);
    }
    (void)close(ends[1]);
    bool whole = child > 0 && read(ends[0], &answer, sizeof answer) == (ssize_t)sizeof answer;
    (void)close(ends[0]);
    if (child > 0)
        (void)waitpid(child, NULL, 0);
    if (whole && answer.ok)
        *facts = answer.facts;
    else
        text_printf(error, "%s", whole ? answer.error : "the device ended the process that asked");
    return whole && answer.ok;
}

bool cublas_load(CublasLibrary *library, const char *folder, const char *mode, BackendFacts *facts,
                 Text *error)
{
    *library = (CublasLibrary){0};
    if (!cublas_read_mode(&library->mode, mode, error))
        return false;
    void *cuda = load_first(folder, runtimes, error);
    void *blas = cuda ? load_first(folder, libraries, error) : NULL;
    if (!blas || !find_runtime(&library->cuda, cuda, error) ||
        !find_cublas(&library->blas, blas, error) ||
        !probe_device(library, dlsym(blas, "cublasGemmEx"), facts, error))
        return false;
    find_routines(library, blas);
    const char *simulator = dlsym(cuda, "cuda_simulator");
    if (simulator)
        (void)snprintf(facts->build, sizeof facts->build, "%s", simulator);
    Dl_info file;
    if (dladdr((void *)library->blas.create, &file))
        (void)snprintf(facts->path, sizeof facts->path, "%s", file.dli_fname);
    return true;
}
