/* One call: the image of the device's memory holds a cell for each factor and each index that the
 * routine returns, arrays of addresses, and the operands. */
#include <ffi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cublas.h"

enum { CELL_BYTES = 16 };
enum { POINTER_MODE_DEVICE = 1, GROUPS_MAX = 4 };

typedef union Cell {
    int32_t integer;
    int64_t wide_integer;
    double numbers[2];
    void *address;
    unsigned char bytes[CELL_BYTES];
} Cell;

/* The array behind an argument with one entry per group. */
typedef union List {
    int32_t integers[GROUPS_MAX];
    int64_t wide_integers[GROUPS_MAX];
    unsigned char factors[GROUPS_MAX * CELL_BYTES];
} List;

typedef struct Call {
    CublasSession *session;
    CudaImage image;
    const Case *c;
    DType dtype, factors; /* of the case; of alpha and beta */
    int count, index;     /* index: operand that takes a position, or -1 */
    CblasArgument arguments[CBLAS_ARGUMENTS_MAX];
    Cell cells[CBLAS_ARGUMENTS_MAX]; /* factors and positions, where they lie here */
    Cell passed[CBLAS_ARGUMENTS_MAX];
    List lists[CBLAS_ARGUMENTS_MAX];
} Call;

/* Behind the stream, which takes a workspace back. */
static int give_workspace(CublasSession *session)
{
    const CublasLibrary *library = session->library;
    void *workspace = NULL;
    if (library->cuda.allocate(&workspace, CUBLAS_WORKSPACE) != 0)
        return STATUS_ALLOC_FAILED;
    return library->blas.set_workspace(session->handle, workspace, CUBLAS_WORKSPACE);
}

void cublas_begin(CublasSession *session, const CublasLibrary *library)
{
    const Cublas *blas = &library->blas;
    *session = (CublasSession){.library = library};
    int status = blas->create(&session->handle);
    cuda_begin(&session->cuda, &library->cuda, library->mode.stream);
    if (!status && session->cuda.stream)
        status = blas->set_stream(session->handle, session->cuda.stream);
    if (!status && library->mode.workspace)
        status = give_workspace(session);
    if (!status && library->mode.device)
        status = blas->set_pointer_mode(session->handle, POINTER_MODE_DEVICE);
    if (!status)
        status = blas->set_math_mode(session->handle, cublas_math_mode(&library->mode));
    if (status)
        (void)snprintf(session->cuda.failure, sizeof session->cuda.failure, "no session: %s",
                       blas->status_name(status));
}

static bool is_as_scalar(const Call *call, int tensor)
{
    for (int i = 0; i < call->count; i++)
        if (call->arguments[i].as_scalar && call->arguments[i].tensor == tensor)
            return true;
    return false;
}

static bool place_operands(Call *call)
{
    bool device_factors = call->session->library->mode.device;
    for (int i = 0; i < call->image.shapes.count; i++)
        if (!image_place(&call->image, i,
                         i != call->index && (device_factors || !is_as_scalar(call, i))))
            return false;
    return true;
}

/* A factor or a position, here or in the image. */
static void *put_cell(Call *call, int argument)
{
    size_t at = (size_t)argument * CELL_BYTES;
    if (!call->session->library->mode.device)
        return &call->cells[argument];
    memcpy(call->session->cuda.image + at, &call->cells[argument], CELL_BYTES);
    return image_address(&call->image, at);
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
    const CudaPlace *place = &call->image.places[tensor];
    size_t count = (size_t)cublas_matrices(call->c);
    size_t step = (size_t)call->image.shapes.tensor[tensor].batch_stride * place->element;
    size_t at = image_reserve(&call->image, (count + 1) * sizeof(void *));
    for (size_t i = 0; i < count; i++) {
        void *address = image_address(&call->image, place->at + i * step);
        memcpy(call->session->cuda.image + at + i * sizeof address, &address, sizeof address);
    }
    return image_address(&call->image, at);
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
            list->wide_integers[group] =
                cublas_integer(argument, mode, &call->image.shapes, call->c);
        } else {
            list->integers[group] =
                (int32_t)cublas_integer(argument, mode, &call->image.shapes, call->c);
        }
    }
    if (argument->kind != ARGUMENT_SCALAR || !mode->device)
        return list;
    size_t at = image_reserve(&call->image, sizeof list->factors);
    memcpy(call->session->cuda.image + at, list->factors, sizeof list->factors);
    return image_address(&call->image, at);
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
    else if (argument->kind != ARGUMENT_OPERAND && i + 1 == call->image.request->call->illegal)
        passed->wide_integer = cublas_illegal_integer(argument, &call->image.shapes, call->c);
    else if (argument->kind != ARGUMENT_OPERAND)
        passed->wide_integer =
            cublas_integer(argument, &call->session->library->mode, &call->image.shapes, call->c);
    else if (argument->tensor == call->index)
        passed->address = put_cell(call, i);
    else if (call->image.places[argument->tensor].on_device)
        passed->address = image_address(&call->image, call->image.places[argument->tensor].at);
    else
        passed->address = call->image.places[argument->tensor].host;
}

static int invoke(void *context)
{
    Call *call = context;
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
            memcpy(&cell, call->session->cuda.image_after + (size_t)i * CELL_BYTES, sizeof cell);
        int64_t position = call->session->library->mode.wide ? cell.wide_integer : cell.integer;
        dtype_store(call->image.shapes.tensor[call->index].layout.dtype,
                    call->image.places[call->index].host, 0,
                    (double)(position > 0 ? position - 1 : 0));
    }
}

static bool prepare(Call *call)
{
    const CublasMode *mode = &call->session->library->mode;
    const CblasRoutine *routine = cublas_routine(call->c->op->name, mode);
    op_shape(call->c->op, call->c->params, &call->image.shapes);
    call->count = cblas_arguments(routine, call->c->op, call->arguments);
    call->factors = cublas_factor_dtype(routine, call->c->op, call->dtype, mode);
    call->index = cblas_position(routine, call->c->op);
    call->image.used = CBLAS_ARGUMENTS_MAX * CELL_BYTES;
    if (!place_operands(call))
        return false;
    for (int i = 0; i < call->count; i++)
        put_argument(call, i);
    return true;
}

uint32_t cublas_call(CublasSession *session, const NativeRequest *request)
{
    const CublasLibrary *library = session->library;
    Call call = {.session = session,
                 .image = {.session = &session->cuda, .request = request},
                 .c = &request->call->c,
                 .dtype = case_dtype(&request->call->c)};
    int status = 0;
    if (session->cuda.failure[0])
        return cuda_fail(request, REPLY_LOST, session->cuda.failure);
    if (!library->functions[op_number(call.c->op)][call.dtype])
        return cuda_fail(request, REPLY_DECLINED, "not in this version of the library");
    if (!prepare(&call))
        return cuda_fail(request, REPLY_DECLINED, "larger than the device's arena");
    uint32_t reply = image_run(&call.image, invoke, &call, &status);
    if (reply == REPLY_LOST)
        return reply;
    if (status == STATUS_NOT_SUPPORTED || status == STATUS_ALLOC_FAILED)
        return cuda_fail(request, REPLY_DECLINED, library->blas.status_name(status));
    take_index(&call);
    if (reply == REPLY_DONE && status != STATUS_SUCCESS)
        return cuda_fail(request, REPLY_RAISED, library->blas.status_name(status));
    return reply;
}
