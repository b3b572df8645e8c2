/* The calls of a plan, one by one. */
#include <ffi.h>
#include <string.h>

#include "cudnn.h"

typedef struct Call {
    DnnSession *session;
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
        value->address = call->session->handle;
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
    case DNN_NOTHING:
        value->address = NULL;
        break;
    case DNN_WORKSPACE:
        value->address = call->session->workspace;
        break;
    case DNN_NEEDED_BYTES:
        value->address = &call->needed;
        break;
    default:
        value->address = factor(call, argument->kind == DNN_ONE);
    }
    return &ffi_type_pointer;
}

static void *function_of(const Call *call, const char *name)
{
    int i = 0;
    while (strcmp(cudnn_functions[i], name) != 0)
        i++;
    return call->session->library->functions[i];
}

static int make_call(Call *call, DnnCall *planned)
{
    ffi_type *types[DNN_ARGUMENTS_MAX];
    Value values[DNN_ARGUMENTS_MAX];
    void *addresses[DNN_ARGUMENTS_MAX], *found = function_of(call, planned->function);
    ffi_cif cif;
    ffi_arg status = 0;
    if (!found)
        return DNN_UNSUPPORTED;
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
            status = DNN_UNSUPPORTED;
    }
    for (int i = 0; i < call->plan.descriptor_count; i++) {
        int (*destroy)(void *);
        *(void **)&destroy = function_of(call, call->plan.descriptors[i]->destroy);
        if (destroy && call->descriptors[i])
            (void)destroy(call->descriptors[i]);
    }
    return status;
}

uint32_t cudnn_reply(const DnnSession *session, const NativeRequest *request, uint32_t reply,
                     int status)
{
    if (reply != REPLY_DONE || status == 0)
        return reply;
    bool declined = status == DNN_UNSUPPORTED ||
                    (status >= DNN_UNSUPPORTED_FROM && status < DNN_UNSUPPORTED_END);
    return cuda_fail(request, declined ? REPLY_DECLINED : REPLY_RAISED,
                     session->library->error_text(status));
}

uint32_t cudnn_call(DnnSession *session, const NativeRequest *request)
{
    const Case *c = &request->call->c;
    Call call = {.session = session, .image = {.session = &session->cuda, .request = request}};
    int status = 0;
    op_shape(c->op, c->params, &call.image.shapes);
    if (!image_is_plain(&call.image) ||
        !cudnn_plan(&call.plan, c, &call.image.shapes, &session->library->mode))
        return cuda_fail(request, REPLY_DECLINED, "no such function");
    if (!image_place_all(&call.image))
        return cuda_fail(request, REPLY_DECLINED, "larger than the device's arena");
    uint32_t reply = image_run(&call.image, invoke, &call, &status);
    return cudnn_reply(session, request, reply, status);
}
