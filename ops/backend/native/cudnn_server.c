/* opconform-cudnn: serves the operators of cuDNN on the first device, call by call of their plans.
 */
#include <dlfcn.h>
#include <ffi.h>
#include <stdio.h>
#include <string.h>

#include "cublas.h"
#include "ops/backend/cudnn_plan.h"

static const char *const libraries[] = {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so", NULL};

enum { FUNCTIONS_MAX = 32, UNSUPPORTED = 9, UNSUPPORTED_FROM = 3000, UNSUPPORTED_END = 4000 };

/* Types as in cudnn.h, with handles, descriptors and streams as addresses and enumerations as int.
 */
typedef struct DnnLibrary {
    const char *folder; /* of the libraries, or empty */
    CudaRuntime cuda;
    DnnMode mode;
    int (*create)(void **handle);
    int (*set_stream)(void *handle, void *stream);
    size_t (*version)(void);
    const char *(*error_text)(int status);
    void *functions[FUNCTIONS_MAX]; /* as cudnn_functions names them; NULL where it has none */
} DnnLibrary;

typedef struct DnnSession {
    CudaSession cuda;
    void *handle, *workspace;
} DnnSession;

static DnnLibrary library;
static DnnSession session;
static NativeRow offered[OP_MAX + 1];

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
    int count = 0;
    library.folder = folder;
    if (!cudnn_read_mode(&library.mode, mode, error))
        return false;
    void *cuda = cuda_load(&library.cuda, folder, error);
    void *dnn = cuda ? cuda_load_first(folder, libraries, error) : NULL;
    if (!dnn || !native_find(dnn, "the library", symbols, COUNT_OF(symbols), error) ||
        !cuda_ask(&library.cuda, ask_device, &library, facts, error))
        return false;
    for (int i = 0; cudnn_functions[i]; i++)
        library.functions[i] = dlsym(dnn, cudnn_functions[i]);
    for (int op = 0; op_registry[op]; op++)
        if (cudnn_dtypes(op_registry[op]))
            offered[count++] =
                (NativeRow){op_registry[op]->name, cudnn_dtypes(op_registry[op]), "", "", "", NULL};
    cuda_locate(cuda, (void *)library.create, facts);
    return true;
}

static void start(void)
{
    int status = library.create(&session.handle);
    cuda_begin(&session.cuda, &library.cuda, library.mode.stream);
    if (!status && session.cuda.stream)
        status = library.set_stream(session.handle, session.cuda.stream);
    int error = library.cuda.allocate(&session.workspace, DNN_WORKSPACE_SIZE);
    if (status || error)
        (void)snprintf(session.cuda.failure, sizeof session.cuda.failure, "no session: %s",
                       status ? library.error_text(status) : library.cuda.error_name(error));
}

typedef struct Call {
    CudaImage image;
    DnnPlan plan;
    void *descriptors[DNN_DESCRIPTORS_MAX];
    size_t needed; /* bytes of the workspace */
} Call;

typedef union Value {
    void *address;
    int integer;
    double real;
    size_t bytes;
} Value;

static void *factor(const Call *call, bool one)
{
    static float narrow[] = {0, 1};
    static double wide[] = {0, 1};
    return call->plan.wide ? (void *)&wide[one] : (void *)&narrow[one];
}

static ffi_type *put_value(Call *call, DnnArgument *argument, Value *value)
{
    switch (argument->kind) {
    case DNN_INTEGER:
        value->integer = argument->number;
        return &ffi_type_sint;
    case DNN_REAL:
        value->real = argument->real;
        return &ffi_type_double;
    case DNN_WORKSPACE_BYTES:
        value->bytes = DNN_WORKSPACE_SIZE;
        return &ffi_type_uint64;
    case DNN_HANDLE:
        value->address = session.handle;
        break;
    case DNN_NEW:
        value->address = &call->descriptors[argument->number];
        break;
    case DNN_DESCRIPTOR:
        value->address = call->descriptors[argument->number];
        break;
    case DNN_ARRAY:
        value->address = argument->array;
        break;
    case DNN_OPERAND:
        value->address = image_address(&call->image, call->image.places[argument->number].at);
        break;
    case DNN_WORKSPACE:
        value->address = session.workspace;
        break;
    case DNN_NEEDED_BYTES:
        value->address = &call->needed;
        break;
    default:
        value->address = factor(call, argument->kind == DNN_ONE);
    }
    return &ffi_type_pointer;
}

static void *function_of(const char *name)
{
    int i = 0;
    while (strcmp(cudnn_functions[i], name) != 0)
        i++;
    return library.functions[i];
}

static int make_call(Call *call, DnnCall *planned)
{
    ffi_type *types[DNN_ARGUMENTS_MAX];
    Value values[DNN_ARGUMENTS_MAX];
    void *addresses[DNN_ARGUMENTS_MAX], *found = function_of(planned->function);
    ffi_cif cif;
    ffi_arg status = 0;
    if (!found)
        return UNSUPPORTED;
    for (int i = 0; i < planned->count; i++) {
        types[i] = put_value(call, &planned->arguments[i], &values[i]);
        addresses[i] = &values[i];
    }
    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, (unsigned)planned->count, &ffi_type_sint, types) !=
        FFI_OK)
        BUG("libffi rejects the signature of %s", planned->function);
    void (*function)(void);
    *(void **)&function = found;
    ffi_call(&cif, function, &status, addresses);
    return (int)status;
}

static int invoke(void *context)
{
    Call *call = context;
    int status = 0;
    for (int i = 0; i < call->plan.count && !status; i++) {
        status = make_call(call, &call->plan.calls[i]);
        if (!status && call->needed > DNN_WORKSPACE_SIZE)
            status = UNSUPPORTED;
    }
    for (int i = 0; i < call->plan.descriptor_count; i++) {
        int (*destroy)(void *);
        *(void **)&destroy = function_of(call->plan.descriptors[i]->destroy);
        if (destroy && call->descriptors[i])
            (void)destroy(call->descriptors[i]);
    }
    return status;
}

static uint32_t run(const NativeRequest *request)
{
    const Case *c = &request->call->c;
    Call call = {.image = {.session = &session.cuda, .request = request}};
    int status = 0;
    if (session.cuda.failure[0])
        return cuda_fail(request, REPLY_LOST, session.cuda.failure);
    op_shape(c->op, c->params, &call.image.shapes);
    if (!image_is_plain(&call.image) ||
        !cudnn_plan(&call.plan, c, &call.image.shapes, &library.mode))
        return cuda_fail(request, REPLY_DECLINED, "no such function");
    for (int i = 0; i < call.image.shapes.count; i++)
        if (!image_place(&call.image, i, true))
            return cuda_fail(request, REPLY_DECLINED, "larger than the device's arena");
    uint32_t reply = image_run(&call.image, invoke, &call, &status);
    if (reply != REPLY_DONE || status == 0)
        return reply;
    bool declined =
        status == UNSUPPORTED || (status >= UNSUPPORTED_FROM && status < UNSUPPORTED_END);
    return cuda_fail(request, declined ? REPLY_DECLINED : REPLY_RAISED, library.error_text(status));
}

int main(int count, char **arguments)
{
    static const NativeLibrary native = {
        .file = "", .rows = offered, .load = load, .start = start, .run = run};
    return native_main(&native, count, arguments);
}
