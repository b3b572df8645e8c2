/* From the name of a backend to a file: the system's, a variant of the distribution, a version that
 * make backends fetched; and loading it with what it reads only while it loads. */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "library.h"
#include "reference/nearest.h"

/* The variable that the last library was loaded with, if it was set here. */
static const char *set_here;

void library_program_folder(char *folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
}

void library_fetched_folder(char *folder, size_t size)
{
    const char *given = getenv("OPCONFORM_DEPS");
    char program[3072];
    library_program_folder(program, sizeof program);
    char *slash = strrchr(program, '/');
    if (slash)
        *slash = '\0';
    (void)snprintf(folder, size, "%s%s", given ? given : program, given ? "" : "/.deps");
}

const char *library_pinned_version(const char *name, int number)
{
    size_t length = strlen(name);
    for (const char *const *folder = library_pinned; *folder; folder++)
        if (!strncmp(*folder, name, length) && (*folder)[length] == '-' && number-- == 0)
            return *folder + length + 1;
    return NULL;
}

void library_advise(const Backend *backend, const LibrarySource *source, Text *error)
{
    const char *name = backend->kind->name, *pinned = backend->kind->pinned, *newest = NULL;
    for (int i = 0; pinned && library_pinned_version(pinned, i); i++)
        newest = library_pinned_version(pinned, i);
    if (!source->package && !newest)
        return;
    text_printf(error, " (%s", source->package ? source->package : "");
    if (newest)
        text_printf(error, "%smake backends fetches %s:%s", source->package ? "; " : "", name,
                    newest);
    text_printf(error, ")");
}

/* A fetched library: one of the source's file names in the folder NAME-VERSION.  A version with a
 * slash would lead out of that folder. */
static bool find_fetched(const LibrarySource *source, const char *name, const char *version,
                         char *path, size_t size)
{
    char folder[3072];
    library_fetched_folder(folder, sizeof folder);
    for (const char *const *file = source->fetched; file && *file && !strchr(version, '/');
         file++) {
        (void)snprintf(path, size, "%s/%s-%s/%s", folder, name, version, *file);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static bool is_pinned(const char *pinned, const char *version)
{
    const char *known = NULL;
    for (int i = 0; pinned && (known = library_pinned_version(pinned, i)); i++)
        if (!strcmp(known, version))
            return true;
    return false;
}

/* Says that a version is not where fetched ones are. */
static void miss_version(const char *version, Text *error)
{
    char folder[3072];
    library_fetched_folder(folder, sizeof folder);
    text_printf(error, "version %s is not in %s: 'make backends' fetches it", version, folder);
}

/* Says which variants, settings and versions there are beside a part of a mode that is none. */
static void refuse_part(const LibrarySource *source, const char *pinned, const char *part,
                        Text *error)
{
    Nearest nearest = nearest_begin(part, strlen(part));
    const char *version;
    text_printf(error, "no variant '%s': known are", part);
    for (const LibraryVariant *variant = source->variants; variant && variant->mode; variant++) {
        text_printf(error, " %s", variant->mode);
        nearest_offer(&nearest, variant->mode);
    }
    for (const char *const *word = source->settings; word && *word; word++) {
        text_printf(error, " %s", *word);
        nearest_offer(&nearest, *word);
    }
    text_printf(error, "%s%s", source->core_variable ? " core=NAME" : "",
                source->fetched ? " and the versions that 'make backends' fetches" : "");
    for (int i = 0; pinned && (version = library_pinned_version(pinned, i)); i++)
        nearest_offer(&nearest, version);
    nearest_put(&nearest, error);
}

static bool apply_part(LibraryPlace *place, const LibrarySource *source, const char *pinned,
                       const char *part, Text *error)
{
    if (!strncmp(part, "core=", 5) && source->core_variable) {
        (void)setenv(source->core_variable, part + 5, 1);
        set_here = source->core_variable;
        (void)snprintf(place->core, sizeof place->core, "%s", part + 5);
        place->private_copy = true;
        return true;
    }
    for (const LibraryVariant *variant = source->variants; variant && variant->mode; variant++)
        if (!strcmp(variant->mode, part)) {
            (void)snprintf(place->path, sizeof place->path, "%s", variant->path);
            return true;
        }
    for (const char *const *word = source->settings; word && *word; word++)
        if (!strcmp(*word, part))
            return true;
    if (pinned && find_fetched(source, pinned, part, place->path, sizeof place->path))
        return true;
    if (is_pinned(pinned, part))
        miss_version(part, error);
    else
        refuse_part(source, pinned, part, error);
    return false;
}

bool library_find(LibraryPlace *place, const Backend *backend, const LibrarySource *source,
                  Text *error)
{
    char mode[sizeof backend->mode], *rest = mode;
    *place = (LibraryPlace){0};
    (void)snprintf(mode, sizeof mode, "%s", backend->mode);
    (void)snprintf(place->path, sizeof place->path, "%s", backend->where);
    /* A setting that was made for another instance must not reach this one; the user's own settings
     * stay. */
    if (set_here)
        (void)unsetenv(set_here);
    set_here = NULL;
    for (char *part; (part = strsep(&rest, "+")) != NULL;)
        if (*part && !apply_part(place, source, backend->kind->pinned, part, error))
            return false;
    return true;
}

/* Loads a copy of the file, so that the loader makes a second instance of the library. */
static void *open_private(const char *path)
{
    struct stat facts;
    char copy[64];
    int from = open(path, O_RDONLY | O_CLOEXEC), to = memfd_create("library", 0);
    bool ok = from >= 0 && to >= 0 && fstat(from, &facts) == 0;
    void *bytes =
        ok ? mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, from, 0) : MAP_FAILED;
    ok = bytes != MAP_FAILED && write(to, bytes, (size_t)facts.st_size) == facts.st_size;
    if (bytes != MAP_FAILED)
        (void)munmap(bytes, (size_t)facts.st_size);
    if (from >= 0)
        (void)close(from);
    (void)snprintf(copy, sizeof copy, "/proc/self/fd/%d", to);
    return ok ? dlopen(copy, RTLD_NOW | RTLD_LOCAL) : NULL;
}

/* Files of names that were resolved before a private copy answered to the same name. */
enum { RESOLVED_MAX = 8 };
static struct {
    char name[64], path[4096];
} resolved[RESOLVED_MAX];
static int resolved_count;

static const char *known_path(const char *name)
{
    for (int i = 0; i < resolved_count; i++)
        if (!strcmp(resolved[i].name, name))
            return resolved[i].path;
    return NULL;
}

/* The file that the loader takes for a name; it is loaded for a moment, without the setting. */
static const char *resolve_path(const char *name)
{
    const char *known = known_path(name);
    char *value = set_here ? getenv(set_here) : NULL,
         *kept = value ? memory_duplicate(value) : NULL;
    struct link_map *map = NULL;
    if (known || resolved_count == RESOLVED_MAX || strlen(name) >= sizeof resolved[0].name) {
        free(kept);
        return known ? known : name;
    }
    if (set_here)
        (void)unsetenv(set_here);
    void *plain = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (plain && dlinfo(plain, RTLD_DI_LINKMAP, &map) == 0 &&
        realpath(map->l_name, resolved[resolved_count].path)) {
        (void)snprintf(resolved[resolved_count].name, sizeof resolved[0].name, "%s", name);
        known = resolved[resolved_count++].path;
    }
    if (plain)
        (void)dlclose(plain);
    if (kept)
        (void)setenv(set_here, kept, 1);
    free(kept);
    return known;
}

/* Libraries that were loaded from a given file.  The loader takes each for any name that it calls
 * itself, though another file has that name among the system's. */
enum { GIVEN_MAX = 32 };
static void *given_handles[GIVEN_MAX];
static int given_count;

static void *load_given(const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle && given_count < GIVEN_MAX)
        given_handles[given_count++] = handle;
    return handle;
}

static bool is_given(void *handle)
{
    for (int i = 0; i < given_count; i++)
        if (given_handles[i] == handle)
            return true;
    return false;
}

/* The file of this name among the system's, as a program finds it that has loaded nothing. */
static void *load_afresh(const char *name)
{
    struct link_map *map = NULL;
    char path[4096];
    void *handle = dlmopen(LM_ID_NEWLM, name, RTLD_LAZY | RTLD_LOCAL);
    bool found =
        handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && realpath(map->l_name, path);
    if (handle)
        (void)dlclose(handle);
    return found ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static void *load_named(const char *name)
{
    void *present = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    bool other = present && is_given(present);
    if (present)
        (void)dlclose(present);
    return other ? load_afresh(name) : dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

void *library_load(const LibraryPlace *place, const char *path)
{
    const char *known = known_path(path);
    if (!place->private_copy && !known)
        return strchr(path, '/') ? load_given(path) : load_named(path);
    if (!place->private_copy)
        return dlopen(known, RTLD_NOW | RTLD_LOCAL);
    known = resolve_path(path);
    return known ? open_private(known) : NULL;
}

const char *library_copied(const char *path)
{
    const char *known = known_path(path);
    return known ? known : path;
}

void library_describe(void *handle, BackendFacts *facts)
{
    struct link_map *map = NULL;
    char real[4096] = "";
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name)
        (void)snprintf(facts->path, sizeof facts->path, "%s", map->l_name);
    if (facts->version[0] || !realpath(facts->path, real))
        return;
    const char *suffix = strstr(real, ".so.");
    (void)snprintf(facts->version, sizeof facts->version, "%.*s", (int)sizeof facts->version - 1,
                   suffix ? suffix + 4 : "");
}

bool library_has_setting(const Backend *backend, const char *word)
{
    char mode[sizeof backend->mode], *rest = mode;
    (void)snprintf(mode, sizeof mode, "%s", backend->mode);
    for (char *part; (part = strsep(&rest, "+")) != NULL;)
        if (!strcmp(part, word))
            return true;
    return false;
}

void *library_open(const Backend *backend, const LibrarySource *source, Text *error)
{
    LibraryPlace place;
    Text reason = {0};
    void *handle = NULL;
    bool found = library_find(&place, backend, source, &reason);
    const char *given[] = {place.path, NULL};
    for (const char *const *path = place.path[0] ? given : source->paths; found && !handle && *path;
         path++) {
        handle = library_load(&place, *path);
        text_clear(&reason);
        if (!handle)
            text_printf(&reason, "%s", dlerror());
    }
    if (!handle) {
        text_printf(error, "%s: %s", backend->name, text_string(&reason));
        if (found && !place.path[0])
            library_advise(backend, source, error);
    }
    text_release(&reason);
    return handle;
}
