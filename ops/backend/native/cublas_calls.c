/* One call: all that the device is to see is laid out in an image of its memory, with the guard
 * pattern around each operand, copied there at once, and back after the call.
 *
 * The image: a cell for each factor and each index that the routine returns, arrays of addresses,
 * and the operands, each as far from a multiple of WORKER_ALIGNMENT as it lies here. */
#include <ffi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cublas.h"
#include "reference/guard.h"

enum { PLACE_ALIGNMENT = 256, ZONE_BYTES = 512, CELL_BYTES = 16 };
enum { POINTER_MODE_DEVICE = 1, GROUPS_MAX = 4 };

typedef union Cell {
    int32_t integer;
    int64_t wide_integer;
    double numbers[2];
    void *address;
    unsigned char bytes[CELL_BYTES];
} Cell;

/* Where an operand is: in the image at `at`, or only here. */
typedef struct Place {
    unsigned char *host;
    size_t at, bytes, element;
    GuardWidth width;
    bool on_device;
} Place;

/* The array behind an argument with one entry per group. */
typedef union List {
    int32_t integers[GROUPS_MAX];
    int64_t wide_integers[GROUPS_MAX];
    unsigned char factors[GROUPS_MAX * CELL_BYTES];
} List;

typedef struct Call {
    CublasSession *session;
    const NativeRequest *request;
    const Case *c;
    DType dtype, factors; /* of the case; of alpha and beta */
    Shapes shapes;
    int count, index; /* index: operand that takes a position, or -1 */
    CblasArgument arguments[CBLAS_ARGUMENTS_MAX];
    Place places[OP_TENSORS_MAX];
    Cell cells[CBLAS_ARGUMENTS_MAX]; /* factors and positions, where they lie here */
    Cell passed[CBLAS_ARGUMENTS_MAX];
    List lists[CBLAS_ARGUMENTS_MAX];
    size_t used;
} Call;

void cublas_begin(CublasSession *session, const CublasLibrary *library)
{
    void *stream = NULL, *memory = NULL;
    *session = (CublasSession){.library = library};
    int status = library->blas.create(&session->handle);
    int error = status ? 0 : library->cuda.allocate(&memory, DEVICE_BYTES);
    if (!status && !error && library->mode.stream)
        error = library->cuda.stream_create(&stream);
    if (!status && !error && stream)
        status = library->blas.set_stream(session->handle, stream);
    if (!status && !error && library->mode.device)
        status = library->blas.set_pointer_mode(session->handle, POINTER_MODE_DEVICE);
    if (!status && !error)
        status = library->blas.set_math_mode(session->handle, cublas_math_mode(&library->mode));
    if (status || error)
        (void)snprintf(session->failure, sizeof session->failure, "no session: %s",
                       status ? library->blas.status_name(status)
                              : library->cuda.error_name(error));
    session->device = memory;
    if (posix_memalign((void **)&session->image, PLACE_ALIGNMENT, DEVICE_BYTES) != 0 ||
        posix_memalign((void **)&session->image_after, PLACE_ALIGNMENT, DEVICE_BYTES) != 0)
        BUG("out of memory");
}

static size_t reserve(Call *call, size_t bytes)
{
    size_t at = (call->used + PLACE_ALIGNMENT - 1) / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
    call->used = at + bytes;
    return at;
}

static bool is_as_scalar(const Call *call, int tensor)
{
    for (int i = 0; i < call->count; i++)
        if (call->arguments[i].as_scalar && call->arguments[i].tensor == tensor)
            return true;
    return false;
}

/* Finds each operand here and gives it a place in the image; false where there is no room. */
static bool place_operands(Call *call)
{
    bool device_factors = call->session->library->mode.device;
    for (int i = 0; i < call->shapes.count; i++) {
        const Tensor *layout = &call->shapes.tensor[i].layout;
        Place *place = &call->places[i];
        place->element = dtype_size(layout->dtype);
        place->width = dtype_component_size(layout->dtype);
        place->bytes = (size_t)tensor_span(layout) * place->element;
        place->host = (unsigned char *)native_data(call->request, i) -
                      (size_t)tensor_origin_offset(layout) * place->element;
        place->on_device = i != call->index && (device_factors || !is_as_scalar(call, i));
        size_t shift = (size_t)(place->host - call->request->memory) % WORKER_ALIGNMENT;
        if (place->on_device)
            place->at = reserve(call, place->bytes + 2 * ZONE_BYTES + shift) + ZONE_BYTES + shift;
        if (call->used > DEVICE_BYTES)
            return false;
    }
    return true;
}

static void put_operands(const Call *call)
{
    for (int i = 0; i < call->shapes.count; i++) {
        const Place *place = &call->places[i];
        unsigned char *at = call->session->image + place->at;
        if (!place->on_device)
            continue;
        guard_fill(at - ZONE_BYTES, ZONE_BYTES, place->width);
        memcpy(at, place->host, place->bytes);
        guard_fill(at + place->bytes, ZONE_BYTES, place->width);
    }
}

/* Copies operands back; the first whose zones were written, or -1. */
static int take_operands(const Call *call)
{
    int breached = -1;
    for (int i = 0; i < call->shapes.count; i++) {
        const Place *place = &call->places[i];
        const unsigned char *at = call->session->image_after + place->at;
        if (!place->on_device)
            continue;
        memcpy(place->host, at, place->bytes);
        if (breached < 0 && (!guard_is_pattern(at - ZONE_BYTES, ZONE_BYTES, place->width) ||
                             !guard_is_pattern(at + place->bytes, ZONE_BYTES, place->width)))
            breached = i;
    }
    return breached;
}

/* The address of something in the image, as the device has it. */
static void *device_address(const Call *call, size_t at)
{
    return call->session->device + at;
}

/* A factor or a position, here or in the image. */
static void *put_cell(Call *call, int argument)
{
    size_t at = (size_t)argument * CELL_BYTES;
    if (!call->session->library->mode.device)
        return &call->cells[argument];
    memcpy(call->session->image + at, &call->cells[argument], CELL_BYTES);
    return device_address(call, at);
}

static void *put_factor(Call *call, int i)
{
    const Param *param = call->arguments[i].param;
    Scalar factor = *(const Scalar *)(const void *)(call->c->params + param->offset);
    dtype_store(call->factors, &call->cells[i], 0, factor.re);
    if (dtype_components(call->factors) == 2 && param->maximum == 0)
        dtype_store(call->factors, &call->cells[i], 1, factor.im);
    return put_cell(call, i);
}

/* The addresses of all matrices of a batch. */
static void *put_addresses(Call *call, int tensor)
{
    const Place *place = &call->places[tensor];
    size_t count = (size_t)cublas_matrices(call->c);
    size_t step = (size_t)call->shapes.tensor[tensor].batch_stride * place->element;
    size_t at = reserve(call, (count + 1) * sizeof(void *));
    for (size_t i = 0; i < count; i++) {
        void *address = device_address(call, place->at + i * step);
        memcpy(call->session->image + at + i * sizeof address, &address, sizeof address);
    }
    return device_address(call, at);
}

/* Integers are read here, factors where the pointer mode says. */
static void *put_list(Call *call, int i)
{
    const CblasArgument *argument = &call->arguments[i];
    const CublasMode *mode = &call->session->library->mode;
    List *list = &call->lists[i];
    size_t size = dtype_size(call->factors);
    for (int64_t group = 0; group < case_int(call->c, "groups"); group++) {
        if (argument->kind == ARGUMENT_SCALAR) {
            (void)put_factor(call, i);
            memcpy(list->factors + (size_t)group * size, &call->cells[i], size);
        } else if (mode->wide && argument->kind != ARGUMENT_CHOICE) {
            list->wide_integers[group] = cublas_integer(argument, mode, &call->shapes, call->c);
        } else {
            list->integers[group] = (int32_t)cublas_integer(argument, mode, &call->shapes, call->c);
        }
    }
    if (argument->kind != ARGUMENT_SCALAR || !mode->device)
        return list;
    size_t at = reserve(call, sizeof list->factors);
    memcpy(call->session->image + at, list->factors, sizeof list->factors);
    return device_address(call, at);
}

static ffi_type *type_of(const Call *call, const CblasArgument *argument)
{
    if (argument->by_group)
        return &ffi_type_pointer;
    switch (argument->kind) {
    case ARGUMENT_OPERAND:
    case ARGUMENT_SCALAR:
        return &ffi_type_pointer;
    case ARGUMENT_CHOICE:
    case ARGUMENT_CONSTANT:
    case ARGUMENT_TYPE:
    case ARGUMENT_COMPUTE:
    case ARGUMENT_ALGORITHM:
        return &ffi_type_sint32;
    case ARGUMENT_STRIDE:
        return &ffi_type_sint64;
    default:
        return call->session->library->mode.wide ? &ffi_type_sint64 : &ffi_type_sint32;
    }
}

static void put_argument(Call *call, int i)
{
    const CblasArgument *argument = &call->arguments[i];
    Cell *passed = &call->passed[i];
    if (argument->by_group)
        passed->address = argument->kind == ARGUMENT_OPERAND ? put_addresses(call, argument->tensor)
                                                             : put_list(call, i);
    else if (argument->kind == ARGUMENT_SCALAR)
        passed->address = put_factor(call, i);
    else if (argument->kind != ARGUMENT_OPERAND)
        passed->wide_integer =
            cublas_integer(argument, &call->session->library->mode, &call->shapes, call->c);
    else if (argument->tensor == call->index)
        passed->address = put_cell(call, i);
    else if (call->places[argument->tensor].on_device)
        passed->address = device_address(call, call->places[argument->tensor].at);
    else
        passed->address = call->places[argument->tensor].host;
}

static int invoke(Call *call)
{
    ffi_type *types[CBLAS_ARGUMENTS_MAX + 1] = {&ffi_type_pointer};
    void *values[CBLAS_ARGUMENTS_MAX + 1] = {&call->session->handle};
    ffi_cif cif;
    ffi_arg status = 0;
    for (int i = 0; i < call->count; i++) {
        types[i + 1] = type_of(call, &call->arguments[i]);
        values[i + 1] = &call->passed[i];
    }
    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, (unsigned)call->count + 1, &ffi_type_sint32, types) !=
        FFI_OK)
        BUG("libffi rejects the signature of %s", call->c->op->name);
    void (*function)(void);
    *(void **)&function = call->session->library->functions[op_number(call->c->op)][call->dtype];
    ffi_call(&cif, function, &status, values);
    return (int)status;
}

/* Positions count from 1, and 0 says that there is none; here they count from 0. */
static void take_index(const Call *call)
{
    for (int i = 0; i < call->count && call->index >= 0; i++) {
        if (call->arguments[i].tensor != call->index || !call->arguments[i].as_scalar)
            continue;
        bool device = call->session->library->mode.device;
        Cell cell = call->cells[i];
        if (device)
            memcpy(&cell, call->session->image_after + (size_t)i * CELL_BYTES, sizeof cell);
        int64_t position = call->session->library->mode.wide ? cell.wide_integer : cell.integer;
        dtype_store(call->shapes.tensor[call->index].layout.dtype, call->places[call->index].host,
                    0, (double)(position > 0 ? position - 1 : 0));
    }
}

static uint32_t fail(const Call *call, uint32_t reply, const char *what, const char *why)
{
    (void)snprintf(call->request->message, REPLY_TEXT, "%s%s", what, why);
    return reply;
}

static uint32_t prepare(Call *call)
{
    const CublasMode *mode = &call->session->library->mode;
    const CblasRoutine *routine = cublas_routine(call->c->op->name, mode);
    op_shape(call->c->op, call->c->params, &call->shapes);
    call->count = cblas_arguments(routine, call->c->op, call->arguments);
    call->factors = cublas_factor_dtype(routine, call->c->op, call->dtype, mode);
    call->index = routine->names[0] == 'I' ? cblas_operand(call->c->op, "result", 6) : -1;
    call->used = CBLAS_ARGUMENTS_MAX * CELL_BYTES;
    if (!place_operands(call))
        return fail(call, REPLY_DECLINED, "larger than the device's arena", "");
    for (int i = 0; i < call->count; i++)
        put_argument(call, i);
    put_operands(call);
    return REPLY_DONE;
}

uint32_t cublas_call(CublasSession *session, const NativeRequest *request)
{
    const CublasLibrary *library = session->library;
    const CudaRuntime *cuda = &library->cuda;
    Call call = {.session = session,
                 .request = request,
                 .c = &request->call->c,
                 .dtype = case_dtype(&request->call->c)};
    if (session->failure[0])
        return fail(&call, REPLY_LOST, session->failure, "");
    if (!library->functions[op_number(call.c->op)][call.dtype])
        return fail(&call, REPLY_DECLINED, "not in this version of the library", "");
    uint32_t reply = prepare(&call);
    if (reply != REPLY_DONE)
        return reply;
    int error = cuda->copy(session->device, session->image, call.used, COPY_TO_DEVICE);
    int status = error ? 0 : invoke(&call);
    if (!error)
        error = cuda->synchronise();
    if (!error)
        error = cuda->copy(session->image_after, session->device, call.used, COPY_FROM_DEVICE);
    if (error)
        return fail(&call, REPLY_LOST, "", cuda->error_name(error));
    if (status == STATUS_NOT_SUPPORTED || status == STATUS_ALLOC_FAILED)
        return fail(&call, REPLY_DECLINED, "", library->blas.status_name(status));
    int breached = take_operands(&call);
    take_index(&call);
    if (breached >= 0)
        return fail(&call, REPLY_BREACH, call.c->op->tensors[breached], "");
    if (status != STATUS_SUCCESS)
        return fail(&call, REPLY_RAISED, "", library->blas.status_name(status));
    return REPLY_DONE;
}
