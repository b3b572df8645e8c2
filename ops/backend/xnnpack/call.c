/* Copies operands where the library wants them, makes an operator, runs it, and copies results
 * back. Kernels may read some bytes behind their inputs, which are copied for that reason; what
 * they read there must not matter. */
#include "call.h"

#include <dlfcn.h>
#include <ffi.h>
#include <stdio.h>
#include <string.h>

#include "plan.h"

/* Between a dense array and the operand in its order. */
static void arrange(const XnnBuffer *b, size_t size, char *dense, char *operand, bool back)
{
    int64_t count = 1;
    for (int axis = 0; axis < b->rank; axis++)
        count *= b->extent[axis];
    for (int64_t i = 0; i < count; i++) {
        int64_t number = i, offset = 0;
        for (int axis = b->rank - 1; axis >= 0; axis--)
            offset += tensor_take_index(&number, b->extent[axis]) * b->stride[axis];
        char *here = operand + offset * (int64_t)size, *there = dense + i * (int64_t)size;
        memcpy(back ? here : there, back ? there : here, size);
    }
}

/* Everything that one run makes. */
typedef struct Run {
    void *buffers[XNN_BUFFERS_MAX];
    void *instance;
} Run;

static void make_buffers(Xnnpack *library, const XnnPlan *plan, Run *run)
{
    const Operands *o = plan->operands;
    arena_reset(&library->arena);
    for (int i = 0; i < plan->buffer_count; i++) {
        const XnnBuffer *b = &plan->buffers[i];
        const Tensor *view = &o->view[b->operand];
        size_t size = dtype_size(view->dtype), bytes = (size_t)tensor_count(view) * size;
        bool output = operands_is_output(o, b->operand);
        run->buffers[i] = view->origin;
        if (output && b->plain)
            continue;
        char *copy = arena_take(&library->arena, bytes + XNN_EXTRA_BYTES, 1);
        memset(copy + bytes, 0xff, XNN_EXTRA_BYTES);
        if (!output)
            arrange(b, size, copy, view->origin, false);
        run->buffers[i] = copy;
    }
}

static void put_results(const XnnPlan *plan, const Run *run)
{
    const Operands *o = plan->operands;
    for (int i = 0; i < plan->buffer_count; i++) {
        const XnnBuffer *b = &plan->buffers[i];
        const Tensor *view = &o->view[b->operand];
        if (operands_is_output(o, b->operand) && !b->plain)
            arrange(b, dtype_size(view->dtype), run->buffers[i], view->origin, true);
    }
}

typedef union Cell {
    size_t size;
    uint32_t number;
    float real;
    int8_t signed_byte;
    uint8_t byte;
    const void *address;
} Cell;

static void fill_cell(const XnnArgument *a, Run *run, Cell *cell, ffi_type **type)
{
    *type = &ffi_type_pointer;
    switch (a->kind) {
    case XNN_SIZE:
        cell->size = (size_t)a->integer;
        *type = &ffi_type_uint64;
        break;
    case XNN_NUMBER:
        cell->number = (uint32_t)a->integer;
        *type = &ffi_type_uint32;
        break;
    case XNN_FLOAT:
        cell->real = (float)a->number;
        *type = &ffi_type_float;
        break;
    case XNN_SIGNED_BYTE:
        cell->signed_byte = (int8_t)a->integer;
        *type = &ffi_type_sint8;
        break;
    case XNN_BYTE:
        cell->byte = (uint8_t)a->integer;
        *type = &ffi_type_uint8;
        break;
    case XNN_SIZES:
        cell->address = a->sizes;
        break;
    case XNN_BUFFER:
        cell->address = a->integer < 0 ? NULL : run->buffers[a->integer];
        break;
    case XNN_OPERATOR:
        cell->address = run->instance;
        break;
    case XNN_CREATED:
        cell->address = &run->instance;
    }
}

static int call(const Xnnpack *library, const XnnCall *c, Run *run)
{
    Cell cells[XNN_ARGUMENTS_MAX] = {{0}};
    void *values[XNN_ARGUMENTS_MAX];
    ffi_type *types[XNN_ARGUMENTS_MAX];
    ffi_cif cif;
    ffi_arg status = XNN_UNSUPPORTED_PARAMETER;
    void (*function)(void);
    *(void **)&function = dlsym(library->handle, c->function);
    for (int i = 0; i < c->count; i++) {
        values[i] = &cells[i];
        fill_cell(&c->arguments[i], run, &cells[i], &types[i]);
    }
    if (function &&
        ffi_prep_cif(&cif, FFI_DEFAULT_ABI, (unsigned)c->count, &ffi_type_sint, types) == FFI_OK)
        ffi_call(&cif, function, &status, values);
    return (int)status;
}

/* False where the library has no such operator; then backend->message says why. */
static bool make_plan(Backend *backend, const Operands *o, XnnPlan *plan)
{
    Text why = {0};
    bool planned = xnnpack_plan(plan, o, &why);
    (void)snprintf(backend->message, sizeof backend->message, "%s",
                   planned ? "" : text_string(&why));
    text_release(&why);
    return planned;
}

bool xnnpack_takes(const Backend *backend, const Operands *o, Text *why)
{
    XnnPlan plan;
    (void)backend;
    return xnnpack_plan(&plan, o, why);
}

RunStatus xnnpack_run(Backend *backend, const Operands *o)
{
    Xnnpack *library = backend->context;
    XnnPlan plan;
    Run run = {0};
    if (!make_plan(backend, o, &plan))
        return RUN_DECLINED;
    make_buffers(library, &plan, &run);
    int status = call(library, &plan.create, &run);
    if (status == 0)
        status = call(library, &plan.setup, &run);
    if (status == 0)
        status = library->run(run.instance, NULL);
    if (run.instance)
        (void)library->destroy(run.instance);
    backend->message[0] = '\0';
    if (status == XNN_UNSUPPORTED_PARAMETER || status == XNN_UNSUPPORTED_HARDWARE) {
        (void)snprintf(backend->message, sizeof backend->message,
                       "XNNPACK %s has no such operator: status %d", backend->facts.version,
                       status);
        return RUN_DECLINED;
    }
    if (status != 0) {
        (void)snprintf(backend->message, sizeof backend->message, "status %d", status);
        return RUN_REFUSED;
    }
    put_results(&plan, &run);
    return RUN_DONE;
}
