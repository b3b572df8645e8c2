/* Makes what a plan describes, runs it, and copies results back. */
#include "call.h"

#include <ffi.h>
#include <stdio.h>
#include <string.h>

#include "onednn_library.h"

enum { BLOB_BYTES = 1 << 16, MEMORY_BYTES = 4096 };
enum { STATUS_SUCCESS = 0, STATUS_INVALID = 2, STATUS_UNIMPLEMENTED = 3 };

/* Everything that one run makes, released in the end.  plain describes the operands as they lie,
 * descriptors what the primitive is described with: the same, or no layout at all.  inner are
 * copies in the layouts of the primitive, where it takes those. */
typedef struct Run {
    unsigned char blob[BLOB_BYTES], memory_blobs[DNNL_MEMORIES_MAX][MEMORY_BYTES],
        any_blobs[DNNL_MEMORIES_MAX][MEMORY_BYTES];
    const void *plain[DNNL_MEMORIES_MAX], *descriptors[DNNL_MEMORIES_MAX];
    void *attributes, *result, *primitive, *memories[DNNL_MEMORIES_MAX], *inner[DNNL_MEMORIES_MAX];
} Run;

static int describe_memories(const DnnlLibrary *l, const DnnlPlan *plan, Run *run)
{
    for (int i = 0; i < plan->memory_count; i++) {
        const DnnlMemory *m = &plan->memories[i];
        void *made = run->memory_blobs[i], *any = run->any_blobs[i];
        int status = l->version == 2 ? l->strides_2(made, m->rank, m->extent, m->type, m->stride)
                                     : l->strides_3(&made, m->rank, m->extent, m->type, m->stride);
        if (status != STATUS_SUCCESS)
            return status;
        run->plain[i] = run->descriptors[i] = made;
        if (!dnnl_chooses(l, plan))
            continue;
        status = l->version == 2 ? l->tag_2(any, m->rank, m->extent, m->type, DNNL_TAG_ANY)
                                 : l->tag_3(&any, m->rank, m->extent, m->type, DNNL_TAG_ANY);
        if (status != STATUS_SUCCESS)
            return status;
        run->descriptors[i] = any;
    }
    return STATUS_SUCCESS;
}

typedef union Cell {
    int integer;
    int64_t dimension;
    float number;
    const void *address;
} Cell;

static void fill_cell(DnnlLibrary *l, const DnnlArgument *a, Run *run, Cell *cell, ffi_type **type)
{
    *type = &ffi_type_pointer;
    switch (a->kind) {
    case DNNL_BLOB:
        cell->address = run->blob;
        break;
    case DNNL_RESULT:
        cell->address = &run->result;
        break;
    case DNNL_ENGINE:
        cell->address = l->engine;
        break;
    case DNNL_MEMORY:
        cell->address = a->integer < 0 ? NULL : run->descriptors[a->integer];
        break;
    case DNNL_DIMENSIONS:
        cell->address = a->dimensions;
        break;
    case DNNL_ATTRIBUTES:
        cell->address = run->attributes;
        break;
    case DNNL_NOTHING:
        cell->address = NULL;
        break;
    case DNNL_DIMENSION:
        cell->dimension = a->integer;
        *type = &ffi_type_sint64;
        break;
    case DNNL_NUMBER:
        cell->number = (float)a->number;
        *type = &ffi_type_float;
        break;
    default:
        cell->integer =
            a->kind == DNNL_ALGORITHM ? dnnl_algorithm(l, a->algorithm) : (int)a->integer;
        *type = &ffi_type_sint;
    }
}

/* Calls the function that describes the primitive; version 2 needs one call more. */
static int describe_primitive(DnnlLibrary *l, const DnnlPlan *plan, Run *run)
{
    Cell cells[DNNL_ARGUMENTS_MAX] = {{0}};
    void *values[DNNL_ARGUMENTS_MAX];
    ffi_type *types[DNNL_ARGUMENTS_MAX];
    ffi_cif cif;
    ffi_arg status = STATUS_UNIMPLEMENTED;
    void (*function)(void);
    *(void **)&function = dnnl_find(l, plan->function);
    for (int i = 0; i < plan->argument_count; i++) {
        values[i] = &cells[i];
        fill_cell(l, &plan->arguments[i], run, &cells[i], &types[i]);
        if (plan->arguments[i].kind == DNNL_ALGORITHM && cells[i].integer < 0)
            return STATUS_UNIMPLEMENTED;
    }
    if (!function || ffi_prep_cif(&cif, FFI_DEFAULT_ABI, (unsigned)plan->argument_count,
                                  &ffi_type_sint, types) != FFI_OK)
        return STATUS_UNIMPLEMENTED;
    ffi_call(&cif, function, &status, values);
    if ((int)status == STATUS_SUCCESS && l->version == 2)
        return l->describe(&run->result, run->blob, run->attributes, l->engine, NULL);
    return (int)status;
}

/* The memory that the primitive gets for number i: the operand, or a copy in the library's layout.
 */
static int make_memory(const DnnlLibrary *l, const DnnlPlan *plan, const Operands *o, Run *run,
                       int i)
{
    void *const allocate = (void *)(uintptr_t)-1;
    const DnnlMemory *m = &plan->memories[i];
    int status =
        l->memory_create(&run->memories[i], run->plain[i], l->engine, o->block[m->operand].data);
    if (status != STATUS_SUCCESS || !dnnl_copies(l, plan, i))
        return status;
    const void *chosen = l->query(run->result, DNNL_QUERY_ARGUMENT, m->argument);
    if (!chosen)
        return STATUS_UNIMPLEMENTED;
    status = l->memory_create(&run->inner[i], chosen, l->engine, allocate);
    if (status == STATUS_SUCCESS && !operands_is_output(o, m->operand))
        status = dnnl_reorder(l, run->plain[i], run->memories[i], chosen, run->inner[i]);
    return status;
}

static int copy_back(const DnnlLibrary *l, const DnnlPlan *plan, const Operands *o, const Run *run)
{
    int status = STATUS_SUCCESS;
    for (int i = 0; i < plan->memory_count && status == STATUS_SUCCESS; i++)
        if (run->inner[i] && operands_is_output(o, plan->memories[i].operand))
            status = dnnl_reorder(
                l, l->query(run->result, DNNL_QUERY_ARGUMENT, plan->memories[i].argument),
                run->inner[i], run->plain[i], run->memories[i]);
    return status;
}

static int execute(const DnnlLibrary *l, const DnnlPlan *plan, const Operands *o, Run *run)
{
    DnnlExecArgument arguments[DNNL_MEMORIES_MAX];
    int status = l->primitive_create(&run->primitive, run->result), count = 0;
    for (int i = 0; i < plan->memory_count && status == STATUS_SUCCESS; i++) {
        if (plan->memories[i].argument == 0)
            continue;
        status = make_memory(l, plan, o, run, i);
        arguments[count++] = (DnnlExecArgument){plan->memories[i].argument,
                                                run->inner[i] ? run->inner[i] : run->memories[i]};
    }
    if (status == STATUS_SUCCESS)
        status = l->execute(run->primitive, l->stream, count, arguments);
    if (status == STATUS_SUCCESS)
        status = l->stream_wait(l->stream);
    return status == STATUS_SUCCESS ? copy_back(l, plan, o, run) : status;
}

static void clean(const DnnlLibrary *l, const DnnlPlan *plan, Run *run)
{
    for (int i = 0; i < plan->memory_count; i++) {
        if (run->memories[i])
            (void)l->destroy_memory(run->memories[i]);
        if (run->inner[i])
            (void)l->destroy_memory(run->inner[i]);
        if (l->version == 2)
            continue;
        if (run->descriptors[i] != run->plain[i])
            (void)l->destroy_memory_descriptor((void *)(uintptr_t)run->descriptors[i]);
        if (run->plain[i])
            (void)l->destroy_memory_descriptor((void *)(uintptr_t)run->plain[i]);
    }
    if (run->attributes)
        (void)l->attributes_destroy(run->attributes);
    if (run->primitive)
        (void)l->destroy_primitive(run->primitive);
    if (run->result)
        (void)l->destroy_descriptor(run->result);
}

static bool plan_call(const Backend *backend, const Operands *o, DnnlPlan *plan, Text *why)
{
    const DnnlLibrary *library = backend->context;
    bool expanded = o->source->exec.layout == LAYOUT_EXPANDED;
    text_put(why, expanded ? "strides of 0" : "");
    return !expanded && dnnl_plan(plan, library->version, o, why);
}

bool onednn_takes(const Backend *backend, const Operands *o, Text *why)
{
    DnnlPlan plan;
    return plan_call(backend, o, &plan, why);
}

/* False where the library has no such primitive; then backend->message says why. */
static bool make_plan(Backend *backend, const Operands *o, DnnlPlan *plan)
{
    Text why = {0};
    bool planned = plan_call(backend, o, plan, &why);
    (void)snprintf(backend->message, sizeof backend->message, "%s",
                   planned ? "" : text_string(&why));
    text_release(&why);
    return planned;
}

/* Plans what is to run and describes its memories and the primitive, with the library's status.
 * False where there is no plan; else the run must be cleaned. */
static bool begin_run(Backend *backend, const Operands *o, DnnlPlan *plan, Run *run, int *status)
{
    DnnlLibrary *library = backend->context;
    if (!make_plan(backend, o, plan))
        return false;
    memset(run->plain, 0, sizeof run->plain);
    memset(run->descriptors, 0, sizeof run->descriptors);
    memset(run->memories, 0, sizeof run->memories);
    memset(run->inner, 0, sizeof run->inner);
    run->attributes = run->result = run->primitive = NULL;
    *status = describe_memories(library, plan, run);
    if (*status == STATUS_SUCCESS && plan->activation[0])
        *status = dnnl_make_attributes(library, plan, &run->attributes);
    if (*status == STATUS_SUCCESS)
        *status = describe_primitive(library, plan, run);
    return true;
}

/* Too large for a stack; a process has one run at a time. */
static Run only_run;

bool onednn_describes(Backend *backend, const Operands *o)
{
    DnnlPlan plan;
    int status;
    if (!begin_run(backend, o, &plan, &only_run, &status))
        return false;
    clean(backend->context, &plan, &only_run);
    return status == STATUS_SUCCESS;
}

RunStatus onednn_run(Backend *backend, const Operands *o)
{
    DnnlLibrary *library = backend->context;
    DnnlPlan plan;
    int status;
    if (!begin_run(backend, o, &plan, &only_run, &status))
        return RUN_DECLINED;
    bool described = status == STATUS_SUCCESS;
    if (described)
        status = execute(library, &plan, o, &only_run);
    clean(library, &plan, &only_run);
    backend->message[0] = '\0';
    if (status == STATUS_SUCCESS)
        return RUN_DONE;
    /* Tensors that a descriptor cannot describe are declined. */
    if (described)
        (void)snprintf(backend->message, sizeof backend->message, "status %d", status);
    else
        (void)snprintf(backend->message, sizeof backend->message,
                       "oneDNN %s has no such primitive: status %d", backend->facts.version,
                       status);
    return described ? RUN_REFUSED : RUN_DECLINED;
}
