/* Kernels of plug-ins, called as functions of a user's own are (ops/backend/kernel/).  Words of the
 * mode with + between: a variant, and those of kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/backend/kernel/emit.h"
#include "ops/plugin/plugin.h"

static const char *variant_of(const opconform_kernel *kernel)
{
    return kernel->variant ? kernel->variant : "";
}

/* The first word of a mode that is no promise is the variant, which is taken off the mode. */
static void take_variant(const Plugin *plugin, char *mode, char variant[64])
{
    char rest[64] = "", *at = mode;
    variant[0] = '\0';
    for (char *word; (word = strsep(&at, "+"));) {
        bool is_variant = false;
        const opconform_kernel *kernel;
        for (int i = 0; (kernel = plugin_kernel(plugin, i)); i++)
            is_variant = is_variant || !strcmp(variant_of(kernel), word);
        if (is_variant && !variant[0])
            (void)snprintf(variant, 64, "%s", word);
        else
            (void)snprintf(rest + strlen(rest), sizeof rest - strlen(rest), "%s%s",
                           rest[0] ? "+" : "", word);
    }
    (void)snprintf(mode, 64, "%s", rest);
}

/* The rows of a variant. */
static bool add_kernels(KernelSource *source, const Plugin *plugin, const char *variant,
                        Text *error)
{
    const opconform_kernel *kernel;
    for (int i = 0; (kernel = plugin_kernel(plugin, i)); i++) {
        if (strcmp(variant_of(kernel), variant) != 0)
            continue;
        if (!kernel_source_add(source, memory_duplicate(kernel->row), 0, error))
            return false;
        source->rows[source->count - 1].address = kernel->function;
    }
    return true;
}

/* The functions of the variant that the mode names; the other words stay in `mode`. */
static KernelLibrary *read_kernels(const Backend *backend, char mode[64], Text *error)
{
    char variant[64];
    KernelSource *source = memory_allocate(1, sizeof *source);
    KernelLibrary *library = NULL;
    const Plugin *plugin = backend->where[0] ? plugin_load(backend->where, error) : NULL;
    if (!backend->where[0])
        text_put(error, "plugin: name it: plugin@./mine.so");
    (void)snprintf(mode, 64, "%s", backend->mode);
    if (plugin) {
        take_variant(plugin, mode, variant);
        (void)snprintf(source->library, sizeof source->library, "%s", plugin->path);
        if (add_kernels(source, plugin, variant, error))
            library = kernel_library_read(source, error);
    }
    free(source);
    return library;
}

/* Says which variants there are beside a mode that is neither one nor a promise. */
static void put_variants(const Backend *backend, Text *error)
{
    const Plugin *plugin = plugin_load(backend->where, error);
    const opconform_kernel *kernel;
    Nearest nearest = nearest_begin(backend->mode, strcspn(backend->mode, "+"));
    text_put(error, ", or a variant of the plug-in:");
    for (int i = 0; plugin && (kernel = plugin_kernel(plugin, i)); i++) {
        if (!variant_of(kernel)[0] || strstr(text_string(error), kernel->variant))
            continue;
        text_printf(error, " %s", kernel->variant);
        nearest_offer(&nearest, kernel->variant);
    }
    nearest_put(&nearest, error);
}

static bool plugin_open(Backend *backend, Text *error)
{
    char mode[64], whole[64];
    KernelLibrary *library = read_kernels(backend, mode, error);
    (void)snprintf(whole, sizeof whole, "%s", backend->mode);
    if (!library)
        return false;
    (void)snprintf(backend->mode, sizeof backend->mode, "%s", mode);
    bool ok = kernel_library_open(library, backend, error);
    (void)snprintf(backend->mode, sizeof backend->mode, "%s", whole);
    if (!ok && mode[0])
        put_variants(backend, error);
    if (!ok)
        return false;
    const opconform_plugin *given = plugin_load(backend->where, error)->given;
    (void)snprintf(backend->facts.version, sizeof backend->facts.version, "%s %s", given->name,
                   given->version ? given->version : "");
    return true;
}

static bool limits_of_kernels(const Backend *backend, Limits *limits, Text *error)
{
    char mode[64];
    KernelLibrary *library = read_kernels(backend, mode, error);
    if (library)
        kernel_library_limit(library, limits);
    return library != NULL;
}

static bool announce(const Backend *backend, Text *error)
{
    return !backend->where[0] || plugin_load(backend->where, error);
}

const BackendKind be_plugin = {
    .name = "plugin",
    .summary = "kernels and operators of a plug-in: plugin@./mine.so, plugin:VARIANT@./mine.so",
    .needs_more = true,
    .open = plugin_open,
    .close = kernel_close,
    .offers = kernel_offers,
    .limits = limits_of_kernels,
    .announce = announce,
    .run = kernel_run,
    .emit = kernel_emit,
    .emit_brief = kernel_emit_brief,
    .link = "-Wl,--allow-shlib-undefined",
    .promise = {.models = models_ieee, .readings = models_readings},
};
