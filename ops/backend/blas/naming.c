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
    size_t prefix = strlen(naming->prefix), suffix = strlen(naming->suffix);
    size_t length = length_before_suffix(naming, name);
    if (prefix + length + suffix >= size)
        BUG("%s: too long a name", name);
    memcpy(full, naming->prefix, prefix);
    memcpy(full + prefix, name, length);
    memcpy(full + prefix + length, naming->suffix, suffix + 1);
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

/* Counts the routines of each step-th row that the library has by each decoration that is not left
 * out. */
static void count_routines(const CblasNaming tried[CBLAS_DECORATIONS], const bool *left_out,
                           int step, int counts[CBLAS_DECORATIONS])
{
    char name[80];
    const CblasRoutine *routine;
    for (int i = 0; (routine = cblas_routine_number(step * (i / DT_COUNT))) != NULL; i++)
        for (int interface = 0; interface < INTERFACE_COUNT; interface++) {
            if (!cblas_spell_symbol(routine, (CblasInterface)interface, (DType)(i % DT_COUNT), name,
                                    sizeof name))
                continue;
            for (int d = 0; d < CBLAS_DECORATIONS; d++)
                counts[d] += !left_out[d] && naming_symbol(&tried[d], name);
        }
}

/* Leaves out the decorations by which some rows find nothing, where these find something by another
 * one: names that are not there take longest to look for, and every process that opens a library
 * does so.  The only one that is left, or -1. */
static int leave_out_unused(const CblasNaming tried[CBLAS_DECORATIONS],
                            bool left_out[CBLAS_DECORATIONS])
{
    enum { STEP = 12 };
    int counts[CBLAS_DECORATIONS] = {0}, all = 0, left = 0, only = -1;
    count_routines(tried, left_out, STEP, counts);
    for (int i = 0; i < CBLAS_DECORATIONS; i++)
        all += counts[i];
    for (int i = 0; i < CBLAS_DECORATIONS; i++)
        left_out[i] = left_out[i] || (all > 0 && counts[i] == 0);
    for (int i = 0; i < CBLAS_DECORATIONS && all > 0; i++)
        if (!left_out[i]) {
            left++;
            only = i;
        }
    return left == 1 ? only : -1;
}

bool naming_detect(CblasNaming *naming, void *handle, bool wide)
{
    CblasNaming tried[CBLAS_DECORATIONS];
    bool left_out[CBLAS_DECORATIONS];
    int counts[CBLAS_DECORATIONS] = {0}, most = 0;
    for (int i = 0; i < CBLAS_DECORATIONS; i++) {
        const CblasDecoration *row = &cblas_decorations[i];
        tried[i] = (CblasNaming){handle, row->prefix, row->suffix, row->wide_integers, false};
        left_out[i] = wide && !row->wide_integers;
    }
    int only = leave_out_unused(tried, left_out);
    if (only >= 0)
        counts[only] = 1;
    else
        count_routines(tried, left_out, 1, counts);
    /* Some that decorate their names have a few without. */
    for (int i = 0; i < CBLAS_DECORATIONS; i++)
        if (counts[i] > most) {
            most = counts[i];
            *naming = tried[i];
        }
    if (most > 0) {
        naming->wide_integers =
            naming->wide_integers || cblas_has_wide_integers(naming_symbol(naming, "cblas_isamax"));
        naming->hidden_results = fortran_hides_results(naming_symbol(naming, "cdotu_"));
        return true;
    }
    return wide && naming_detect(naming, handle, false) && naming->wide_integers;
}
