/* Reads rows, and opens the library that they are for. */
#include "kernel_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/backend/binding/row_lines.h"
#include "ops/backend/library.h"
#include "ops/backend/own_promise.h"
#include "ops/case/condition.h"

static void append_entry(KernelLibrary *library, KernelEntry *entry)
{
    KernelEntry **list = &library->entries[op_number(entry->op)][entry->dtype];
    while (*list)
        list = &(*list)->next;
    *list = entry;
}

/* The functions of a row for one operator: one for each element type.  Where there is none, the
 * reason is that of the last. */
static bool add_op_of_row(KernelLibrary *library, const KernelRow *row, const OpDesc *op,
                          const DebugInfo *info, Text *error)
{
    Text why = {0};
    bool any = false, wrong = false;
    uint32_t dtypes = op_dtypes(op) & (row->dtypes ? row->dtypes : ~0u);
    for (int dtype = 0; dtype < DT_COUNT && !wrong; dtype++) {
        bool other = false;
        if (!(dtypes >> dtype & 1))
            continue;
        text_clear(&why);
        KernelEntry *entry = kernel_entry_make(row, op, (DType)dtype, info, &other, &why);
        if (entry)
            append_entry(library, entry);
        any = any || entry;
        wrong = !entry && !other;
    }
    if (!dtypes)
        text_printf(&why, "%s does not exist in these element types", op->name);
    text_put(error, any && !wrong ? "" : text_string(&why));
    text_release(&why);
    library->functions += any;
    return any && !wrong;
}

static bool add_row_of_source(KernelLibrary *library, const KernelRow *row, const DebugInfo *info,
                              Text *error)
{
    char *copy = memory_duplicate(row->binding.ops), *rest = copy;
    bool ok = true;
    for (char *name; ok && (name = strsep(&rest, " "));) {
        if (!*name)
            continue;
        const OpDesc *op = op_find(name);
        if (!op) {
            Nearest nearest = nearest_begin(name, strlen(name));
            op_offer_names(&nearest);
            text_printf(error, "there is no operator %s", name);
            nearest_put(&nearest, error);
        }
        Text call = {0};
        row_put_call(&call, row->binding.call, name);
        KernelRow of_op = *row;
        of_op.binding.call = text_string(&call);
        ok = op && add_op_of_row(library, &of_op, op, info, error);
        text_release(&call);
    }
    free(copy);
    return ok;
}

static void release_entries(KernelLibrary *library)
{
    for (int i = 0; i < OP_MAX * DT_COUNT; i++)
        for (KernelEntry *entry = library->entries[i / DT_COUNT][i % DT_COUNT], *next; entry;
             entry = next) {
            next = entry->next;
            kernel_entry_release(entry);
        }
    free(library);
}

KernelLibrary *kernel_library_read(KernelSource *source, Text *error)
{
    KernelLibrary *library = memory_allocate(1, sizeof *library);
    DebugInfo *info = debug_info_open(source->library, error);
    bool ok = info != NULL;
    for (int i = 0; ok && i < source->count; i++) {
        Text why = {0};
        ok = add_row_of_source(library, &source->rows[i], info, &why);
        if (!ok) {
            kernel_source_put_place(source, &source->rows[i], error);
            text_put(error, text_string(&why));
        }
        text_release(&why);
    }
    if (info)
        library->typed = debug_info_has_types(info);
    memcpy(library->path, source->library, sizeof library->path);
    debug_info_close(info);
    kernel_source_release(source);
    if (ok)
        return library;
    release_entries(library);
    return NULL;
}

static KernelLibrary *read_place(const char *where, Text *error)
{
    KernelSource *source = memory_allocate(1, sizeof *source);
    KernelLibrary *library =
        kernel_source_read(source, where, error) ? kernel_library_read(source, error) : NULL;
    free(source);
    return library;
}

static bool find_addresses(KernelLibrary *library, Text *error)
{
    for (int i = 0; i < OP_MAX * DT_COUNT; i++)
        for (KernelEntry *entry = library->entries[i / DT_COUNT][i % DT_COUNT]; entry;
             entry = entry->next) {
            void *address = dlsym(library->handle, entry->function);
            if (!entry->address)
                *(void **)&entry->address = address;
            if (address && address == *(void **)&entry->address)
                continue;
            text_printf(error, "%s: %s is another function, or none that can be called",
                        library->path, entry->function);
            return false;
        }
    return true;
}

bool kernel_open(Backend *backend, Text *error)
{
    if (!backend->where[0]) {
        text_printf(error, "kernel: name a library and its functions: "
                           "kernel@./libsoft.so:'softmax=my_softmax(x, y, rows, cols)'");
        return false;
    }
    KernelLibrary *library = read_place(backend->where, error);
    return library && kernel_library_open(library, backend, error);
}

bool kernel_library_open(KernelLibrary *library, Backend *backend, Text *error)
{
    bool ok = own_promise_read(backend, error);
    if (ok && !(library->handle = dlopen(library->path, RTLD_NOW | RTLD_LOCAL))) {
        text_printf(error, "%s", dlerror());
        ok = false;
    }
    if (!ok || !find_addresses(library, error)) {
        if (library->handle)
            (void)dlclose(library->handle);
        release_entries(library);
        return false;
    }
    backend->context = library;
    backend->facts.threads = 1;
    const char *slash = strrchr(library->path, '/');
    (void)snprintf(backend->facts.version, sizeof backend->facts.version, "%.63s",
                   slash ? slash + 1 : library->path);
    (void)snprintf(backend->facts.path, sizeof backend->facts.path, "%.511s", library->path);
    (void)snprintf(backend->facts.build, sizeof backend->facts.build, "functions of a user");
    (void)snprintf(backend->facts.interface, sizeof backend->facts.interface,
                   "%d function%s of C%s", library->functions, library->functions == 1 ? "" : "s",
                   library->typed ? ", types from debug information" : "");
    return true;
}

void kernel_close(Backend *backend)
{
    KernelLibrary *library = backend->context;
    if (!library)
        return;
    (void)dlclose(library->handle);
    release_entries(library);
    backend->context = NULL;
}

bool kernel_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    const KernelLibrary *library = backend->context;
    return library->entries[op_number(op)][dtype] != NULL;
}

void kernel_library_limit(KernelLibrary *library, Limits *limits)
{
    for (int i = 0; i < OP_MAX * DT_COUNT; i++)
        for (const KernelEntry *entry = library->entries[i / DT_COUNT][i % DT_COUNT]; entry;
             entry = entry->next)
            limits_add(limits, entry->op, 1u << entry->dtype, entry->conditions);
    release_entries(library);
}

bool kernel_limits(const Backend *backend, Limits *limits, Text *error)
{
    KernelLibrary *library = read_place(backend->where, error);
    if (library)
        kernel_library_limit(library, limits);
    return library != NULL;
}

KernelEntry *kernel_entry_for(const KernelLibrary *library, const Case *c, Text *why)
{
    KernelEntry *entry = library->entries[op_number(c->op)][case_dtype(c)];
    int held;
    for (; entry; entry = entry->next) {
        text_clear(why);
        if (conditions_hold(entry->conditions, c, NULL, &held, why))
            return entry;
    }
    return NULL;
}
