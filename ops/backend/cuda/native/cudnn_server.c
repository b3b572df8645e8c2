/* opconform-cudnn: serves the operators of cuDNN on the first device, call by call of their plans.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "cublas.h"
#include "cudnn.h"

static const char *const libraries[] = {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so", NULL};

static DnnLibrary library;
static DnnSession session;
static uint32_t dtypes[OP_MAX];

static void ask_device(const void *context, CudaAnswer *answer)
{
    const DnnLibrary *asked = context;
    void *handle = NULL;
    int status = asked->create(&handle);
    if (status != 0) {
        (void)snprintf(answer->error, sizeof answer->error, "cudnnCreate: %s",
                       asked->error_text(status));
        return;
    }
    cuda_describe(&asked->cuda, "cuDNN", (int)asked->version(), &answer->facts);
    cublas_ask_unit(&asked->cuda, asked->folder, &answer->facts);
    answer->ok = true;
}

static bool load(const char *folder, const char *mode, BackendFacts *facts, Text *error)
{
    const NativeSymbol symbols[] = {{"cudnnCreate", &library.create},
                                    {"cudnnSetStream", &library.set_stream},
                                    {"cudnnGetVersion", &library.version},
                                    {"cudnnGetErrorString", &library.error_text}};
    DnnGraphs *graphs = &library.graphs;
    const NativeSymbol of_graphs[] = {{"cudnnBackendCreateDescriptor", &graphs->create},
                                      {"cudnnBackendDestroyDescriptor", &graphs->destroy},
                                      {"cudnnBackendSetAttribute", &graphs->set},
                                      {"cudnnBackendGetAttribute", &graphs->get},
                                      {"cudnnBackendFinalize", &graphs->finalize},
                                      {"cudnnBackendExecute", &graphs->execute}};
    library.folder = folder;
    if (!cudnn_read_mode(&library.mode, mode, error))
        return false;
    void *cuda = cuda_load(&library.cuda, folder, error);
    void *dnn = cuda ? cuda_load_first(folder, libraries, error) : NULL;
    if (!dnn || !native_find(dnn, "the library", symbols, COUNT_OF(symbols), error) ||
        (library.mode.graph &&
         !native_find(dnn, "the library", of_graphs, COUNT_OF(of_graphs), error)) ||
        !cuda_ask(&library.cuda, ask_device, &library, facts, error))
        return false;
    for (int i = 0; cudnn_functions[i]; i++)
        library.functions[i] = dlsym(dnn, cudnn_functions[i]);
    for (int op = 0; op_registry[op]; op++)
        dtypes[op] = library.mode.graph ? cudnn_graph_dtypes(op_registry[op])
                                        : cudnn_dtypes(op_registry[op]);
    cuda_locate(cuda, (void *)library.create, facts);
    return true;
}

static void start(void)
{
    session.library = &library;
    int status = library.create(&session.handle);
    cuda_begin(&session.cuda, &library.cuda, library.mode.stream);
    if (!status && session.cuda.stream)
        status = library.set_stream(session.handle, session.cuda.stream);
    int error = library.cuda.allocate(&session.workspace, DNN_WORKSPACE_SIZE);
    if (status || error)
        (void)snprintf(session.cuda.failure, sizeof session.cuda.failure, "no session: %s",
                       status ? library.error_text(status) : library.cuda.error_name(error));
}

static uint32_t run(const NativeRequest *request)
{
    if (session.cuda.failure[0])
        return cuda_fail(request, REPLY_LOST, session.cuda.failure);
    return library.mode.graph ? cudnn_graph_call(&session, request) : cudnn_call(&session, request);
}

int main(int count, char **arguments)
{
    static const NativeLibrary native = {
        .file = "", .dtypes = dtypes, .load = load, .start = start, .run = run};
    return native_main(&native, count, arguments);
}
