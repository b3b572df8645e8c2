/* Finds the runtime, and asks a process of its own what the device is. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuda.h"
#include "reference/child.h"

enum { PATH_BYTES = 4096 };

static const char *const runtimes[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0",
                                       "libcudart.so", NULL};

/* The error of a file that exists but does not load tells more than that other files are absent. */
void *cuda_load_first(const char *folder, const char *const *names, Text *error)
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

void *cuda_load(CudaRuntime *cuda, const char *folder, Text *error)
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
    void *library = cuda_load_first(folder, runtimes, error);
    return library && native_find(library, "the library", symbols, COUNT_OF(symbols), error)
               ? library
               : NULL;
}

static void answer_question(const CudaRuntime *cuda, CudaQuestion *question, const void *library,
                            CudaAnswer *answer)
{
    int count = 0, error = cuda->count(&count);
    if (error == 0 && count > 0)
        question(library, answer);
    else
        (void)snprintf(answer->error, sizeof answer->error, "no device: %s",
                       error ? cuda->error_name(error) : "the driver counts none");
}

typedef struct Asked {
    const CudaRuntime *cuda;
    CudaQuestion *question;
    const void *library;
} Asked;

static int question_child(const void *context, int to)
{
    const Asked *asked = context;
    CudaAnswer answer = {0};
    answer_question(asked->cuda, asked->question, asked->library, &answer);
    return write(to, &answer, sizeof answer) == (ssize_t)sizeof answer ? 0 : 1;
}

bool cuda_ask(const CudaRuntime *cuda, CudaQuestion *question, const void *library,
              BackendFacts *facts, Text *error)
{
    Child child;
    CudaAnswer answer = {0};
    if (!child_start(&child, question_child, &(Asked){cuda, question, library})) {
        text_printf(error, "%s", strerror(errno));
        return false;
    }
    bool whole = child_read(&child, &answer, sizeof answer, -1) == sizeof answer;
    (void)child_wait(&child);
    if (whole && answer.ok)
        *facts = answer.facts;
    else
        text_printf(error, "%s", whole ? answer.error : "the device ended the process that asked");
    return whole && answer.ok;
}

void cuda_describe(const CudaRuntime *cuda, const char *name, int version, BackendFacts *facts)
{
    int major = 0, minor = 0, runtime = 0, driver = 0;
    (void)cuda->attribute(&major, ATTRIBUTE_MAJOR, 0);
    (void)cuda->attribute(&minor, ATTRIBUTE_MINOR, 0);
    (void)cuda->runtime_version(&runtime);
    (void)cuda->driver_version(&driver);
    (void)snprintf(facts->version, sizeof facts->version, "%d", version);
    (void)snprintf(facts->core, sizeof facts->core, "sm_%d%d", major, minor);
    (void)snprintf(facts->build, sizeof facts->build, "%s %d, CUDA runtime %d, driver %d", name,
                   version, runtime, driver);
}

void cuda_describe_unit(BackendFacts *facts)
{
    size_t length = strlen(facts->build);
    if (facts->step)
        (void)snprintf(facts->build + length, sizeof facts->build - length,
                       ", adds %d products at once, keeps %d bits", facts->step, facts->kept);
}

void cuda_locate(void *runtime, void *function, BackendFacts *facts)
{
    const char *simulator = dlsym(runtime, "cuda_simulator");
    if (simulator)
        (void)snprintf(facts->build, sizeof facts->build, "%s", simulator);
    Dl_info file;
    if (dladdr(function, &file))
        (void)snprintf(facts->path, sizeof facts->path, "%s", file.dli_fname);
}
