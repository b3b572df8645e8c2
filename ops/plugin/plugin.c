/* Loading: first in a child, then here. */
#include "plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/child.h"
#include "self_check.h"

enum { PLUGINS_MAX = 16, CHECK_SECONDS = 60 };

static const char symbol[] = "opconform_plugin_1";
static Plugin plugins[PLUGINS_MAX];
static int plugin_count;

const Plugin *plugin_loaded(int number)
{
    return number < plugin_count ? &plugins[number] : NULL;
}

static const Plugin *find_path(const char *path)
{
    for (int i = 0; i < plugin_count; i++)
        if (!strcmp(plugins[i].path, path))
            return &plugins[i];
    return NULL;
}

/* What a plug-in that is there says of its sizes: none may be larger than this program knows. */
static bool check_head(const opconform_plugin *given, const char *path, Text *error)
{
    static const opconform_plugin own = {OPCONFORM_HEAD, .name = NULL};
    bool fits = given->plugin_size <= own.plugin_size && given->param_size <= own.param_size &&
                given->operand_size <= own.operand_size &&
                given->relation_size <= own.relation_size &&
                given->operator_size <= own.operator_size && given->kernel_size <= own.kernel_size;
    if (given->abi != OPCONFORM_ABI || !fits) {
        text_printf(
            error,
            "%s was built with %s opconform.h (ABI %d, this program has %d): compile it again",
            path, given->abi == OPCONFORM_ABI ? "a later" : "another", given->abi, OPCONFORM_ABI);
        return false;
    }
    if (given->name && *given->name &&
        strspn(given->name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(given->name))
        return true;
    text_printf(error, "%s: the name of a plug-in is letters, digits and _", path);
    return false;
}

static bool add_operators(const opconform_plugin *given, bool check, Text *error)
{
    const char *at = (const char *)given->operators;
    for (; at && ((const opconform_operator *)(const void *)at)->name; at += given->operator_size) {
        const opconform_operator *row =
            plugin_whole_row(at, given->operator_size, sizeof(opconform_operator));
        const PluginOperator *made = plugin_operator_make(given, row, error);
        if (!made || !op_add(&made->op, error) || (check && !plugin_self_check(&made->op, error)))
            return false;
    }
    return true;
}

static bool load_here(Plugin *plugin, bool check, Text *error)
{
    plugin->handle = dlopen(plugin->path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin->handle) {
        text_printf(error, "%s", dlerror());
        return false;
    }
    const opconform_plugin *given = dlsym(plugin->handle, symbol);
    if (!given) {
        text_printf(error, "%s is no plug-in: it does not define OPCONFORM_PLUGIN", plugin->path);
        return false;
    }
    plugin->given = given;
    return check_head(given, plugin->path, error) && add_operators(given, check, error);
}

/* Writes what is wrong, and nothing but a point where nothing is. */
static int check_child(const void *context, int to)
{
    Plugin plugin = *(const Plugin *)context;
    Text error = {0};
    if (load_here(&plugin, true, &error))
        text_put(&error, ".");
    return write(to, text_string(&error), error.length) == (ssize_t)error.length ? 0 : 1;
}

static bool check_in_child(const Plugin *plugin, Text *error)
{
    Child child;
    char words[1024];
    if (!child_start(&child, check_child, plugin)) {
        text_printf(error, "%s: %s", plugin->path, strerror(errno));
        return false;
    }
    size_t length = child_read(&child, words, sizeof words - 1, CHECK_SECONDS * 1000);
    bool answered = length > 0;
    if (!answered)
        child_kill(&child);
    int status = child_wait(&child);
    words[length] = '\0';
    if (answered && !strcmp(words, "."))
        return true;
    if (answered)
        text_put(error, words);
    else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        text_printf(error, "%s crashes while it is loaded and checked (signal %d, %s)",
                    plugin->path, WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        text_printf(error, "%s does not end while it is loaded and checked, or ends the process",
                    plugin->path);
    return false;
}

const Plugin *plugin_load(const char *path, Text *error)
{
    Plugin *plugin = &plugins[plugin_count];
    if (plugin_count == PLUGINS_MAX) {
        text_printf(error, "more than %d plug-ins", PLUGINS_MAX);
        return NULL;
    }
    *plugin = (Plugin){0};
    if (!realpath(path, plugin->path)) {
        text_printf(error, "%s: %s", path, strerror(errno));
        return NULL;
    }
    const Plugin *known = find_path(plugin->path);
    if (known)
        return known;
    if (!check_in_child(plugin, error) || !load_here(plugin, false, error))
        return NULL;
    plugin_count++;
    return plugin;
}

const opconform_kernel *plugin_kernel(const Plugin *plugin, int i)
{
    const char *at = (const char *)plugin->given->kernels;
    for (; at && ((const opconform_kernel *)(const void *)at)->row;
         at += plugin->given->kernel_size)
        if (i-- == 0)
            return (const void *)at;
    return NULL;
}
