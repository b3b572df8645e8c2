/* Finds the library and its functions, and makes one engine and one stream on the CPU. */
#include "onednn_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/backend/library.h"

enum { ENGINE_CPU = 1, STREAM_DEFAULT = 1 };

static const char *const paths[] = {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so", NULL};
static const char *const fetched[] = {"libdnnl.so.3.2", NULL};

static const char *const settings[] = {"blocked", NULL};

static const LibrarySource source = {
    .paths = paths,
    .package = "Debian: apt-get install libdnnl2",
    .fetched = fetched,
    .core_variable = "ONEDNN_MAX_CPU_ISA",
    .settings = settings,
};

/* By their names: their numbers differ between versions. */
static int search_algorithm(const DnnlLibrary *library, const char *name)
{
    static const struct {
        int first, end;
    } ranges[] = {{0, 0x1000}, {0x1fff0, 0x20020}, {0x2fff0, 0x30010}};
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
        (void)snprintf(library->algorithms[library->algorithm_count].name, DNNL_NAME_BYTES, "%s",
                       name);
        library->algorithms[library->algorithm_count++].number = number;
    }
    return number;
}

void *dnnl_find(const DnnlLibrary *library, const char *name)
{
    return dlsym(library->handle, name);
}

static bool find_functions(DnnlLibrary *l)
{
    *(void **)&l->engine_create = dnnl_find(l, "dnnl_engine_create");
    *(void **)&l->stream_create = dnnl_find(l, "dnnl_stream_create");
    *(void **)&l->stream_wait = dnnl_find(l, "dnnl_stream_wait");
    *(void **)&l->strides_2 = dnnl_find(l, "dnnl_memory_desc_init_by_strides");
    *(void **)&l->strides_3 = dnnl_find(l, "dnnl_memory_desc_create_with_strides");
    *(void **)&l->describe = dnnl_find(l, "dnnl_primitive_desc_create");
    *(void **)&l->primitive_create = dnnl_find(l, "dnnl_primitive_create");
    *(void **)&l->execute = dnnl_find(l, "dnnl_primitive_execute");
    *(void **)&l->memory_create = dnnl_find(l, "dnnl_memory_create");
    *(void **)&l->destroy_memory = dnnl_find(l, "dnnl_memory_destroy");
    *(void **)&l->destroy_descriptor = dnnl_find(l, "dnnl_primitive_desc_destroy");
    *(void **)&l->destroy_primitive = dnnl_find(l, "dnnl_primitive_destroy");
    *(void **)&l->destroy_memory_descriptor = dnnl_find(l, "dnnl_memory_desc_destroy");
    *(void **)&l->algorithm_name = dnnl_find(l, "dnnl_alg_kind2str");
    *(void **)&l->tag_2 = dnnl_find(l, "dnnl_memory_desc_init_by_tag");
    *(void **)&l->tag_3 = dnnl_find(l, "dnnl_memory_desc_create_with_tag");
    *(void **)&l->query = dnnl_find(l, "dnnl_primitive_desc_query_md");
    *(void **)&l->reorder = dnnl_find(l, "dnnl_reorder_primitive_desc_create");
    *(void **)&l->attributes_create = dnnl_find(l, "dnnl_primitive_attr_create");
    *(void **)&l->attributes_destroy = dnnl_find(l, "dnnl_primitive_attr_destroy");
    *(void **)&l->operations_create = dnnl_find(l, "dnnl_post_ops_create");
    *(void **)&l->operations_destroy = dnnl_find(l, "dnnl_post_ops_destroy");
    *(void **)&l->append_2 = *(void **)&l->append_3 = dnnl_find(l, "dnnl_post_ops_append_eltwise");
    *(void **)&l->set_operations = dnnl_find(l, "dnnl_primitive_attr_set_post_ops");
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
    *(void **)&get = dnnl_find(library, "dnnl_version");
    *(void **)&isa = dnnl_find(library, "dnnl_get_effective_cpu_isa");
    const Version *v = get ? get() : NULL;
    if (v)
        (void)snprintf(facts->version, sizeof facts->version, "%d.%d.%d", v->major, v->minor,
                       v->patch);
    /* Asked for at once, so that it is fixed while the environment says what it should be. */
    (void)snprintf(facts->core, sizeof facts->core, "isa %#x", (unsigned)(isa ? isa() : 0));
    (void)snprintf(facts->build, sizeof facts->build, "oneDNN");
    (void)snprintf(facts->interface, sizeof facts->interface, "C interface %d", library->version);
    facts->threads = 1;
    facts->threaded = true;
    library_describe(library->handle, facts);
}

void onednn_close(Backend *backend)
{
    DnnlLibrary *library = backend->context;
    /* The library's threads and caches do not survive being unloaded. */
    free(library);
    backend->context = NULL;
}

bool onednn_open(Backend *backend, Text *error)
{
    DnnlLibrary *library = memory_allocate(1, sizeof *library);
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
