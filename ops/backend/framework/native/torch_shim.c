/* PyTorch through the C interface of its dispatcher (torch/csrc/stable/c/shim.h of its wheel): each
 * argument is 64 bits, tensors and lists are handles that the call takes over, and what is optional
 * is the address of such a value, or 0. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "ops/backend/process/native/native.h"

typedef uint64_t StableValue;
typedef void *Handle;
typedef int32_t Error; /* 0: none */

typedef struct Shim {
    Error (*call)(const char *operator, const char * overload, StableValue *stack);
    Error (*create)(void *data, int64_t rank, const int64_t *extents, const int64_t *strides,
                    int64_t offset, int32_t dtype, int32_t device_type, int32_t device,
                    Handle *tensor);
    Error (*release)(Handle tensor);
    Error (*data)(Handle tensor, void **data);
    Error (*rank)(Handle tensor, int64_t *rank);
    Error (*extents)(Handle tensor, int64_t **extents);
    Error (*strides)(Handle tensor, int64_t **strides);
    Error (*dtype)(Handle tensor, int32_t *dtype);
    Error (*new_list)(size_t size, Handle *list);
    Error (*push)(Handle list, StableValue value);
    Error (*new_value)(StableValue **value);
    Error (*new_string)(const char *text, size_t length, Handle *string);
    void (*set_gradients)(bool enabled);
    const char *(*what)(void);
    int32_t dtypes[DT_COUNT], processor;
} Shim;

static Shim shim;

static const struct {
    DType dtype;
    const char *symbol;
} dtype_symbols[] = {
    {DT_F32, "float32"}, {DT_F64, "float64"},   {DT_F16, "float16"},     {DT_BF16, "bfloat16"},
    {DT_I8, "int8"},     {DT_U8, "uint8"},      {DT_I32, "int32"},       {DT_I64, "int64"},
    {DT_BOOL, "bool"},   {DT_C64, "complex64"}, {DT_C128, "complex128"}, {DT_I16, "int16"},
    {DT_U16, "uint16"},  {DT_U32, "uint32"},    {DT_U64, "uint64"},
};

static const NativeSymbol symbols[] = {
    {"aoti_torch_call_dispatcher", &shim.call},
    {"aoti_torch_create_tensor_from_blob", &shim.create},
    {"aoti_torch_delete_tensor_object", &shim.release},
    {"aoti_torch_get_data_ptr", &shim.data},
    {"aoti_torch_get_dim", &shim.rank},
    {"aoti_torch_get_sizes", &shim.extents},
    {"aoti_torch_get_strides", &shim.strides},
    {"aoti_torch_get_dtype", &shim.dtype},
    {"torch_new_list_reserve_size", &shim.new_list},
    {"torch_list_push_back", &shim.push},
    {"torch_new_stable_ivalue", &shim.new_value},
    {"torch_new_string_handle", &shim.new_string},
    {"aoti_torch_grad_mode_set_enabled", &shim.set_gradients},
    {"torch_exception_get_what_without_backtrace", &shim.what},
};

static bool find_number(void *library, const char *prefix, const char *name, int32_t *number,
                        Text *error)
{
    char symbol[64];
    int32_t (*function)(void);
    (void)snprintf(symbol, sizeof symbol, "aoti_torch_%s_%s", prefix, name);
    void *address = dlsym(library, symbol);
    memcpy(&function, &address, sizeof address);
    if (!address) {
        text_printf(error, "PyTorch has no %s", symbol);
        return false;
    }
    *number = function();
    return true;
}

static bool find_numbers(void *library, Text *error)
{
    for (size_t i = 0; i < COUNT_OF(dtype_symbols); i++)
        if (!find_number(library, "dtype", dtype_symbols[i].symbol,
                         &shim.dtypes[dtype_symbols[i].dtype], error))
            return false;
    return find_number(library, "device_type", "cpu", &shim.processor, error);
}

/* The version is in a file of the package only: __version__ = '2.15.0'. */
static void read_version(const char *path, char *version, size_t size)
{
    char line[256], name[4096];
    (void)snprintf(name, sizeof name, "%.*s/../version.py", (int)(strrchr(path, '/') - path), path);
    FILE *file = fopen(name, "re");
    while (file && fgets(line, sizeof line, file)) {
        char *start = strchr(line, '\'');
        if (!strncmp(line, "__version__", 11) && start)
            (void)snprintf(version, size, "%.*s", (int)strcspn(start + 1, "'"), start + 1);
    }
    if (file)
        (void)fclose(file);
}

static bool load(const char *path, const char *mode, BackendFacts *facts, Text *error)
{
    (void)mode;
    void *library = native_open(path, symbols, COUNT_OF(symbols), error);
    if (!library)
        return false;
    read_version(path, facts->version, sizeof facts->version);
    (void)snprintf(facts->build, sizeof facts->build, "PyTorch, its dispatcher from C");
    (void)snprintf(facts->path, sizeof facts->path, "%.*s", (int)sizeof facts->path - 1, path);
    return find_numbers(library, error);
}

static void start(void)
{
    shim.set_gradients(false);
}

static uint32_t raise(const NativeRequest *request)
{
    const char *what = shim.what();
    bool lacks = strstr(what, "not implemented for") != NULL;
    (void)snprintf(request->message, REPLY_TEXT, "%s%.*s",
                   lacks ? "" : "RuntimeError: ", (int)strcspn(what, "\n"), what);
    return lacks ? REPLY_DECLINED : REPLY_RAISED;
}

/* A view of an operand where it lies. */
static bool view(const NativeRequest *request, int operand, StableValue *value)
{
    const RequestTensor *tensor = &request->tensors[operand];
    int64_t strides[TENSOR_RANK_MAX], size = (int64_t)dtype_size((DType)tensor->dtype);
    Handle handle;
    for (int axis = 0; axis < tensor->rank; axis++)
        strides[axis] = tensor->stride[axis] / size;
    if (shim.create(native_data(request, operand), tensor->rank, tensor->extent, strides, 0,
                    shim.dtypes[tensor->dtype], shim.processor, 0, &handle))
        return false;
    *value = (StableValue)(uintptr_t)handle;
    return true;
}

static bool list_of(const NativeRequest *request, const NativeValue *from, StableValue *value)
{
    Handle list;
    bool ok = !shim.new_list((size_t)from->count, &list);
    for (int i = 0; ok && i < from->count; i++) {
        StableValue element = (StableValue)from->list[i];
        if (from->kind == VALUE_TENSORS)
            ok = view(request, (int)from->list[i], &element);
        ok = ok && !shim.push(list, element);
    }
    *value = (StableValue)(uintptr_t)list;
    return ok;
}

static bool plain_value(const NativeRequest *request, const NativeValue *from, StableValue *value)
{
    Handle string;
    switch (from->kind) {
    case VALUE_TENSOR:
        return view(request, (int)from->list[0], value);
    case VALUE_TENSORS:
    case VALUE_INTEGERS:
        return list_of(request, from, value);
    case VALUE_INTEGER:
        *value = (StableValue)from->list[0];
        return true;
    case VALUE_REAL:
        memcpy(value, &from->real, sizeof *value);
        return true;
    case VALUE_TEXT:
        if (shim.new_string(from->text, strlen(from->text), &string))
            return false;
        *value = (StableValue)(uintptr_t)string;
        return true;
    default:
        *value = 0;
        return true;
    }
}

static bool put_argument(const NativeRequest *request, const NativeValue *from, StableValue *value)
{
    StableValue *boxed;
    if (!from->optional || from->kind == VALUE_NONE)
        return plain_value(request, from, value);
    if (shim.new_value(&boxed) || !plain_value(request, from, boxed))
        return false;
    *value = (StableValue)(uintptr_t)boxed;
    return true;
}

/* Says in words what the library returned in place of the output; false where it is the output. */
static bool differs(const NativeRequest *request, Handle result, int operand)
{
    const RequestTensor *tensor = &request->tensors[operand];
    int64_t rank = -1, *extents = NULL;
    int32_t dtype = -1;
    char what[128];
    (void)shim.rank(result, &rank);
    (void)shim.extents(result, &extents);
    (void)shim.dtype(result, &dtype);
    bool same = rank == tensor->rank && dtype == shim.dtypes[tensor->dtype] &&
                memcmp(extents, tensor->extent, sizeof *extents * tensor->rank) == 0;
    if (same)
        return false;
    size_t used = (size_t)snprintf(what, sizeof what, "elements of type %d and extents", dtype);
    for (int axis = 0; axis < rank && used < sizeof what; axis++)
        used +=
            (size_t)snprintf(what + used, sizeof what - used, " %lld", (long long)extents[axis]);
    (void)native_different(request, what);
    return true;
}

static uint32_t take_result(const NativeRequest *request, Handle result, int operand)
{
    int64_t *strides, bytes[TENSOR_RANK_MAX];
    void *data;
    if (differs(request, result, operand))
        return REPLY_DIFFERENT;
    if (shim.strides(result, &strides) || shim.data(result, &data))
        return raise(request);
    const RequestTensor *tensor = &request->tensors[operand];
    for (int axis = 0; axis < tensor->rank; axis++)
        bytes[axis] = strides[axis] * (int64_t)dtype_size((DType)tensor->dtype);
    native_scatter(request, operand, data, bytes);
    return REPLY_DONE;
}

static uint32_t run(const NativeRequest *request)
{
    const NativeCall *call = request->call;
    StableValue stack[NATIVE_VALUES_MAX];
    uint32_t status = REPLY_DONE;
    for (int i = 0; i < call->count; i++)
        if (!put_argument(request, &call->values[i], &stack[i]))
            return raise(request);
    if (shim.call(call->function, call->overload, stack))
        return raise(request);
    for (int i = 0; i < call->outputs; i++) {
        Handle result;
        uintptr_t address = (uintptr_t)stack[i];
        memcpy(&result, &address, sizeof result);
        if (status == REPLY_DONE)
            status = take_result(request, result, call->first_output + i);
        (void)shim.release(result);
    }
    return status;
}

int main(int count, char **arguments)
{
    static const NativeLibrary library = {.file = "torch/lib/libtorch_cpu.so",
                                          .bindings = "torch",
                                          .load = load,
                                          .start = start,
                                          .run = run};
    return native_main(&library, count, arguments);
}
