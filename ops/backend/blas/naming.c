/* Decorations are tried in turn; what cannot be read off the names is asked of small routines. */
#include "naming.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "convention.h"

const CblasDecoration cblas_decorations[CBLAS_DECORATIONS] = {{"", "", false},
                                                              {"scipy_", "", false},
                                                              {"scipy_", "64_", true},
                                                              {"", "64_", true},
                                                              {"", "_64", true}};

/* A suffix that begins with an underscore takes the place of Fortran's. */
static size_t length_before_suffix(const CblasNaming *naming, const char *name)
{
    size_t length = strlen(name);
    bool doubled = naming->suffix[0] == '_' && length > 0 && name[length - 1] == '_';
    return doubled ? length - 1 : length;
}

void naming_spell(const CblasNaming *naming, const char *name, char *full, size_t size)
{
    (void)snprintf(full, size, "%s%.*s%s", naming->prefix, (int)length_before_suffix(naming, name),
                   name, naming->suffix);
}

void *naming_symbol(const CblasNaming *naming, const char *name)
{
    char full[96];
    naming_spell(naming, name, full, sizeof full);
    return dlsym(naming->handle, full);
}

bool naming_strip(const CblasNaming *naming, const char *full, char *name, size_t size)
{
    size_t length = strlen(full), prefix = strlen(naming->prefix), suffix = strlen(naming->suffix);
    if (length < prefix + suffix || strncmp(full, naming->prefix, prefix) != 0 ||
        strcmp(full + length - suffix, naming->suffix) != 0)
        return false;
    return (size_t)snprintf(name, size, "%.*s", (int)(length - prefix - suffix), full + prefix) <
           size;
}

/* How many routines the library has by this decoration. */
static int count_routines(const CblasNaming *naming)
{
    char name[80];
    int count = 0;
    const CblasRoutine *routine;
    for (int i = 0; (routine = cblas_routine_number(i / DT_COUNT)) != NULL; i++)
        for (int interface = 0; interface < INTERFACE_COUNT; interface++)
            count += cblas_spell_symbol(routine, (CblasInterface)interface, (DType)(i % DT_COUNT),
                                        name, sizeof name) &&
                     naming_symbol(naming, name);
    return count;
}

bool naming_detect(CblasNaming *naming, void *handle, bool wide)
{
    /* Some that decorate their names have a few without. */
    int most = 0;
    for (int i = 0; i < CBLAS_DECORATIONS; i++) {
        const CblasDecoration *row = &cblas_decorations[i];
        CblasNaming tried = {handle, row->prefix, row->suffix, row->wide_integers, false};
        int count = wide && !row->wide_integers ? 0 : count_routines(&tried);
        if (count <= most)
            continue;
        most = count;
        *naming = tried;
    }
    if (most > 0) {
        naming->wide_integers =
            naming->wide_integers || cblas_has_wide_integers(naming_symbol(naming, "cblas_isamax"));
        naming->hidden_results = fortran_hides_results(naming_symbol(naming, "cdotu_"));
        return true;
    }
    return wide && naming_detect(naming, handle, false) && naming->wide_integers;
}
