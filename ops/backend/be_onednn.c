/* oneDNN 2 and 3 on the CPU, in the layouts of the operands.  Promise: IEEE arithmetic. */
#include <dlfcn.h>
#include <ffi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "onednn_library.h"

enum { BLOB_BYTES = 1 << 16, MEMORY_BYTES = 4096, ENGINE_CPU = 1, STREAM_DEFAULT = 1 };
enum { STATUS_SUCCESS = 0, STATUS_INVALID = 2, STATUS_UNIMPLEMENTED = 3 };

static const char *const paths[] = {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so", NULL};
static const char *const fetched[] = {"libdnnl.so.3.2", NULL};

static const char *const settings[] = {"blocked", NULL};

static const LibrarySource source = {
    .paths = paths,
    .package =
        "Debian: apt-get install libdnnl2, or fetch it with make backends and use onednn:3.2.0",
    .fetched = fetched,
    .core_variable = "ONEDNN_MAX_CPU_ISA",
    .settings = settings,
};

/* By their names: their numbers differ between versions. */
static int search_algorithm(const DnnlLibrary *library, const char *name)
{
    static const struct {
        int first, end;
    } ranges[] = {{0, 0x400}, {0x1fff0, 0x20020}, {0x2fff0, 0x30010}};
    for (size_t i = 0; i < COUNT_OF(ranges); i++)
        for (int number = ranges[i].first; number < ranges[i].end; number++)
            if (!strcmp(library->algorithm_name(number), name))
                return number;
    return -1;
}

int dnnl_algorithm(DnnlLibrary *library, const char *name)
{
    for (int i = 0; i < library->algorithm_count; i++)
        if (!strcmp(library->algorithms[i].name, name))
            return library->algorithms[i].number;
    int number = search_algorithm(library, name);
    if (library->algorithm_count < DNNL_ALGORITHMS_MAX) {
        library->algorithms[library->algorithm_count].name = name;
        library->algorithms[library->algorithm_count++].number = number;
    }
    return number;
}

static void *find(const DnnlLibrary *library, const char *name)
{
    return dlsym(library->handle, name);
}

static bool find_functions(DnnlLibrary *l)
{
    *(void **)&l->engine_create = find(l, "dnnl_engine_create");
    *(void **)&l->stream_create = find(l, "dnnl_stream_create");
    *(void **)&l->stream_wait = find(l, "dnnl_stream_wait");
    *(void **)&l->strides_2 = find(l, "dnnl_memory_desc_init_by_strides");
    *(void **)&l->strides_3 = find(l, "dnnl_memory_desc_create_with_strides");
    *(void **)&l->describe = find(l, "dnnl_primitive_desc_create");
    *(void **)&l->primitive_create = find(l, "dnnl_primitive_create");
    *(void **)&l->execute = find(l, "dnnl_primitive_execute");
    *(void **)&l->memory_create = find(l, "dnnl_memory_create");
    *(void **)&l->destroy_memory = find(l, "dnnl_memory_destroy");
    *(void **)&l->destroy_descriptor = find(l, "dnnl_primitive_desc_destroy");
    *(void **)&l->destroy_primitive = find(l, "dnnl_primitive_destroy");
    *(void **)&l->destroy_memory_descriptor = find(l, "dnnl_memory_desc_destroy");
    *(void **)&l->algorithm_name = find(l, "dnnl_alg_kind2str");
    *(void **)&l->tag_2 = find(l, "dnnl_memory_desc_init_by_tag");
    *(void **)&l->tag_3 = find(l, "dnnl_memory_desc_create_with_tag");
    *(void **)&l->query = find(l, "dnnl_primitive_desc_query_md");
    *(void **)&l->reorder = find(l, "dnnl_reorder_primitive_desc_create");
    *(void **)&l->attributes_create = find(l, "dnnl_primitive_attr_create");
    *(void **)&l->attributes_destroy = find(l, "dnnl_primitive_attr_destroy");
    *(void **)&l->operations_create = find(l, "dnnl_post_ops_create");
    *(void **)&l->operations_destroy = find(l, "dnnl_post_ops_destroy");
    *(void **)&l->append_2 = *(void **)&l->append_3 = find(l, "dnnl_post_ops_append_eltwise");
    *(void **)&l->set_operations = find(l, "dnnl_primitive_attr_set_post_ops");
    l->version = l->strides_3 ? 3 : 2;
    return l->engine_create && l->stream_create && l->stream_wait && l->primitive_create &&
           l->execute && l->memory_create && l->algorithm_name && (l->strides_3 || l->strides_2) &&
           (l->tag_3 || l->tag_2) && l->query && l->reorder && l->attributes_create &&
           l->attributes_destroy && l->operations_create && l->operations_destroy && l->append_2 &&
           l->set_operations;
}

static void describe(const DnnlLibrary *library, BackendFacts *facts)
{
    typedef struct Version {
        int major, minor, patch;
        const char *hash;
    } Version;
    const Version *(*get)(void);
    int (*isa)(void);
    *(void **)&get = find(library, "dnnl_version");
    *(void **)&isa = find(library, "dnnl_get_effective_cpu_isa");
    const Version *v = get ? get() : NULL;
    if (v)
        (void)snprintf(facts->version, sizeof facts->version, "%d.%d.%d", v->major, v->minor,
                       v->patch);
    /* Asked for at once, so that it is fixed while the environment says what it should be. */
    (void)snprintf(facts->core, sizeof facts->core, "isa %#x", (unsigned)(isa ? isa() : 0));
    (void)snprintf(facts->build, sizeof facts->build, "oneDNN");
    (void)snprintf(facts->interface, sizeof facts->interface, "C interface %d", library->version);
    facts->threads = 1;
    library_describe(library->handle, facts);
}

static void onednn_close(Backend *backend)
{
    DnnlLibrary *library = backend->context;
    /* The library's threads and caches do not survive being unloaded. */
    free(library);
    backend->context = NULL;
}

static bool onednn_open(Backend *backend, Text *error)
{
    DnnlLibrary *library = calloc(1, sizeof *library);
    if (!library)
        BUG("out of memory");
    (void)setenv("OMP_NUM_THREADS", "1", 0);
    library->handle = library_open(backend, &source, error);
    if (!library->handle) {
        free(library);
        return false;
    }
    if (!find_functions(library) || library->engine_create(&library->engine, ENGINE_CPU, 0) != 0 ||
        library->stream_create(&library->stream, library->engine, STREAM_DEFAULT) != 0) {
        text_printf(error, "%s: no engine for this processor", backend->name);
        free(library);
        return false;
    }
    backend->context = library;
    library->blocked = library_has_setting(backend, "blocked");
    describe(library, &backend->facts);
    return true;
}

static bool onednn_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    (void)backend;
    return dnnl_knows(op, dtype);
}

/* Everything that one run makes, released in the end.  plain describes the operands as they lie,
 * descriptors what the primitive is described with: the same, or no layout at all; then inner are
 * memories in the layouts that the library chose. */
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
    *(void **)&function = find(l, plan->function);
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
    if (status != STATUS_SUCCESS || !dnnl_chooses(l, plan))
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

static RunStatus onednn_run(Backend *backend, const Operands *o)
{
    DnnlLibrary *library = backend->context;
    static Run run;
    DnnlPlan plan;
    /* Strides of 0 are none that the library takes. */
    if (o->source->exec.layout == LAYOUT_EXPANDED || !dnnl_plan(&plan, library->version, o))
        return RUN_DECLINED;
    memset(run.plain, 0, sizeof run.plain);
    memset(run.descriptors, 0, sizeof run.descriptors);
    memset(run.memories, 0, sizeof run.memories);
    memset(run.inner, 0, sizeof run.inner);
    run.attributes = run.result = run.primitive = NULL;
    int status = describe_memories(library, &plan, &run);
    if (status == STATUS_SUCCESS && plan.activation)
        status = dnnl_make_attributes(library, &plan, &run.attributes);
    if (status == STATUS_SUCCESS)
        status = describe_primitive(library, &plan, &run);
    bool described = status == STATUS_SUCCESS;
    if (described)
        status = execute(library, &plan, o, &run);
    clean(library, &plan, &run);
    backend->message[0] = '\0';
    if (status == STATUS_SUCCESS)
        return RUN_DONE;
    (void)snprintf(backend->message, sizeof backend->message, "status %d", status);
    /* What cannot be described is not offered. */
    return described ? RUN_REFUSED : RUN_DECLINED;
}

const BackendKind be_onednn = {
    .name = "onednn",
    .summary = "oneDNN: of the system, :3.2.0 as make backends fetches it; core=AVX2 limits the "
               "instructions, +blocked lets it choose layouts",
    .open = onednn_open,
    .close = onednn_close,
    .offers = onednn_offers,
    .run = onednn_run,
    .emit = onednn_emit,
    .promise = {.models = models_ieee, .readings = models_flush_readings},
    .source = &source,
};
