/* TensorFlow through its C interface for eager execution (tensorflow/c/eager/c_api.h of its wheel).
 * The context has threads, so that each worker makes its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/backend/process/native/native.h"

typedef void *Object;

typedef struct Api {
    Object (*new_status)(void);
    int (*code)(Object status);
    const char *(*message)(Object status);
    Object (*new_options)(void);
    void (*set_config)(Object options, const void *proto, size_t length, Object status);
    Object (*new_context)(Object options, Object status);
    Object (*new_op)(Object context, const char *name, Object status);
    void (*delete_op)(Object op);
    void (*add_input)(Object op, Object handle, Object status);
    void (*add_inputs)(Object op, Object *handles, int count, Object status);
    void (*set_bool)(Object op, const char *name, unsigned char value);
    void (*set_int)(Object op, const char *name, int64_t value);
    void (*set_float)(Object op, const char *name, float value);
    void (*execute)(Object op, Object *results, int *count, Object status);
    Object (*new_tensor)(int dtype, const int64_t *extents, int rank, void *data, size_t bytes,
                         void (*release)(void *data, size_t bytes, void *argument), void *argument);
    Object (*allocate)(int dtype, const int64_t *extents, int rank, size_t bytes);
    void *(*data)(Object tensor);
    int (*dtype)(Object tensor);
    int (*rank)(Object tensor);
    int64_t (*extent)(Object tensor, int axis);
    void (*delete_tensor)(Object tensor);
    Object (*new_handle)(Object tensor, Object status);
    void (*delete_handle)(Object handle);
    Object (*resolve)(Object handle, Object status);
    const char *(*version)(void);
    Object context, status;
} Api;

static Api api;

/* TF_DataType, 0 for what it lacks. */
static const int dtypes[DT_COUNT] = {
    [DT_F32] = 1,   [DT_F64] = 2, [DT_F16] = 19, [DT_BF16] = 14, [DT_I8] = 6,
    [DT_U8] = 4,    [DT_I32] = 3, [DT_I64] = 9,  [DT_BOOL] = 10, [DT_C64] = 8,
    [DT_C128] = 18, [DT_I16] = 5, [DT_U16] = 17, [DT_U32] = 22,  [DT_U64] = 23};
enum { INT32 = 3, NOT_FOUND = 5, UNIMPLEMENTED = 12, ALIGNMENT = 64, HANDLES_MAX = 8 };
static const char *const code_names[] = {"OK",
                                         "CancelledError",
                                         "UnknownError",
                                         "InvalidArgumentError",
                                         "DeadlineExceededError",
                                         "NotFoundError",
                                         "AlreadyExistsError",
                                         "PermissionDeniedError",
                                         "ResourceExhaustedError",
                                         "FailedPreconditionError",
                                         "AbortedError",
                                         "OutOfRangeError",
                                         "UnimplementedError",
                                         "InternalError",
                                         "UnavailableError",
                                         "DataLossError"};

static const NativeSymbol symbols[] = {
    {"TF_NewStatus", &api.new_status},
    {"TF_GetCode", &api.code},
    {"TF_Message", &api.message},
    {"TFE_NewContextOptions", &api.new_options},
    {"TFE_ContextOptionsSetConfig", &api.set_config},
    {"TFE_NewContext", &api.new_context},
    {"TFE_NewOp", &api.new_op},
    {"TFE_DeleteOp", &api.delete_op},
    {"TFE_OpAddInput", &api.add_input},
    {"TFE_OpAddInputList", &api.add_inputs},
    {"TFE_OpSetAttrBool", &api.set_bool},
    {"TFE_OpSetAttrInt", &api.set_int},
    {"TFE_OpSetAttrFloat", &api.set_float},
    {"TFE_Execute", &api.execute},
    {"TF_NewTensor", &api.new_tensor},
    {"TF_AllocateTensor", &api.allocate},
    {"TF_TensorData", &api.data},
    {"TF_TensorType", &api.dtype},
    {"TF_NumDims", &api.rank},
    {"TF_Dim", &api.extent},
    {"TF_DeleteTensor", &api.delete_tensor},
    {"TFE_NewTensorHandle", &api.new_handle},
    {"TFE_DeleteTensorHandle", &api.delete_handle},
    {"TFE_TensorHandleResolve", &api.resolve},
    {"TF_Version", &api.version},
};

static bool load(const char *path, const char *mode, BackendFacts *facts, Text *error)
{
    (void)mode;
    (void)setenv("TF_CPP_MIN_LOG_LEVEL", "3", 1);
    if (!native_open(path, symbols, COUNT_OF(symbols), error))
        return false;
    (void)snprintf(facts->version, sizeof facts->version, "%s", api.version());
    (void)snprintf(facts->build, sizeof facts->build, "TensorFlow, eager, from C");
    (void)snprintf(facts->path, sizeof facts->path, "%.*s", (int)sizeof facts->path - 1, path);
    return true;
}

/* One thread for each kind of work: fields 2 and 5 of ConfigProto. */
static void start(void)
{
    static const unsigned char config[] = {0x10, 1, 0x28, 1};
    api.status = api.new_status();
    Object options = api.new_options();
    api.set_config(options, config, sizeof config, api.status);
    api.context = api.new_context(options, api.status);
    if (api.code(api.status) != 0)
        BUG("no context: %s", api.message(api.status));
}

static uint32_t raise(const NativeRequest *request)
{
    const char *message = api.message(api.status);
    int code = api.code(api.status);
    bool lacks = code == NOT_FOUND || code == UNIMPLEMENTED ||
                 strstr(message, "is not in the list of allowed values") != NULL;
    const char *name =
        code > 0 && code < (int)COUNT_OF(code_names) ? code_names[code] : "UnknownError";
    (void)snprintf(request->message, REPLY_TEXT, "%s: %.*s", name, (int)strcspn(message, "\n"),
                   message);
    return lacks ? REPLY_DECLINED : REPLY_RAISED;
}

static void keep(void *data, size_t bytes, void *argument)
{
    (void)data;
    (void)bytes;
    (void)argument;
}

static bool is_dense(const RequestTensor *tensor)
{
    int64_t step = (int64_t)dtype_size((DType)tensor->dtype);
    for (int axis = tensor->rank - 1; axis >= 0; axis--) {
        if (tensor->extent[axis] != 1 && tensor->stride[axis] != step)
            return false;
        step *= tensor->extent[axis];
    }
    return true;
}

/* Takes the tensor over. */
static Object handle_of(Object tensor)
{
    Object handle = tensor ? api.new_handle(tensor, api.status) : NULL;
    if (tensor)
        api.delete_tensor(tensor);
    return handle;
}

/* An operand where it lies, or a copy of what is not dense and aligned. */
static Object operand_handle(const NativeRequest *request, int operand)
{
    const RequestTensor *tensor = &request->tensors[operand];
    size_t bytes = dtype_size((DType)tensor->dtype) * (size_t)native_count(tensor);
    void *data = native_data(request, operand);
    int dtype = dtypes[tensor->dtype];
    if (bytes > 0 && is_dense(tensor) && (uintptr_t)data % ALIGNMENT == 0)
        return handle_of(
            api.new_tensor(dtype, tensor->extent, tensor->rank, data, bytes, keep, NULL));
    Object copy = api.allocate(dtype, tensor->extent, tensor->rank, bytes);
    native_gather(request, operand, api.data(copy));
    return handle_of(copy);
}

/* Numbers that the operator takes as a tensor. */
static Object number_handle(const NativeValue *value)
{
    int64_t extent = value->count;
    int rank = value->kind == VALUE_INTEGERS, count = rank ? value->count : 1;
    Object tensor = api.allocate(INT32, &extent, rank, sizeof(int32_t) * (size_t)count);
    for (int i = 0; i < count; i++)
        ((int32_t *)api.data(tensor))[i] = (int32_t)value->list[i];
    return handle_of(tensor);
}

static void set_attribute(Object op, const NativeValue *value)
{
    if (value->kind == VALUE_REAL)
        api.set_float(op, value->attribute, (float)value->real);
    else if (value->kind != VALUE_INTEGER)
        BUG("no attribute %s", value->attribute);
    else if (value->boolean)
        api.set_bool(op, value->attribute, value->list[0] != 0);
    else
        api.set_int(op, value->attribute, value->list[0]);
}

/* Adds an input; false with the status where it cannot. */
static bool put_input(const NativeRequest *request, Object op, const NativeValue *value)
{
    Object handles[HANDLES_MAX];
    int count = value->kind == VALUE_TENSORS ? value->count : 1;
    for (int i = 0; i < count; i++)
        handles[i] = value->kind == VALUE_TENSOR || value->kind == VALUE_TENSORS
                         ? operand_handle(request, (int)value->list[i])
                         : number_handle(value);
    if (value->kind == VALUE_TENSORS)
        api.add_inputs(op, handles, count, api.status);
    else
        api.add_input(op, handles[0], api.status);
    for (int i = 0; i < count; i++)
        api.delete_handle(handles[i]);
    return api.code(api.status) == 0;
}

static uint32_t take_tensor(const NativeRequest *request, Object result, int operand)
{
    const RequestTensor *tensor = &request->tensors[operand];
    int64_t strides[TENSOR_RANK_MAX], step = (int64_t)dtype_size((DType)tensor->dtype);
    bool same = api.dtype(result) == dtypes[tensor->dtype] && api.rank(result) == tensor->rank;
    for (int axis = 0; same && axis < tensor->rank; axis++)
        same = api.extent(result, axis) == tensor->extent[axis];
    if (!same)
        return native_different(request, "another type or other extents");
    for (int axis = tensor->rank - 1; axis >= 0; axis--) {
        strides[axis] = step;
        step *= tensor->extent[axis];
    }
    native_scatter(request, operand, api.data(result), strides);
    return REPLY_DONE;
}

static uint32_t take_result(const NativeRequest *request, Object handle, int operand)
{
    Object tensor = api.resolve(handle, api.status);
    if (!tensor)
        return raise(request);
    uint32_t status = take_tensor(request, tensor, operand);
    api.delete_tensor(tensor);
    return status;
}

static uint32_t execute(const NativeRequest *request, Object op)
{
    const NativeCall *call = request->call;
    Object results[HANDLES_MAX];
    int count = HANDLES_MAX;
    uint32_t status = REPLY_DONE;
    for (int i = 0; i < call->count; i++)
        if (call->values[i].attribute[0])
            set_attribute(op, &call->values[i]);
        else if (!put_input(request, op, &call->values[i]))
            return raise(request);
    api.execute(op, results, &count, api.status);
    if (api.code(api.status) != 0)
        return raise(request);
    for (int i = 0; i < count; i++) {
        if (i < call->outputs && status == REPLY_DONE)
            status = take_result(request, results[i], call->first_output + i);
        api.delete_handle(results[i]);
    }
    return status;
}

static uint32_t run(const NativeRequest *request)
{
    static const char prefix[] = "tfe::";
    Object op = api.new_op(api.context, request->call->function + strlen(prefix), api.status);
    if (!op)
        return raise(request);
    uint32_t status = execute(request, op);
    api.delete_op(op);
    return status;
}

int main(int count, char **arguments)
{
    static const NativeLibrary library = {.file = "tensorflow/libtensorflow_cc.so.2",
                                          .bindings = "tensorflow",
                                          .load = load,
                                          .start = start,
                                          .run = run};
    return native_main(&library, count, arguments);
}
