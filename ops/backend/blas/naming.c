/* Decorations are tried in turn; what cannot be read off the names is asked of small routines. */
#include "naming.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

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

/* The position of the larger of two numbers, where their count is 2 for 32-bit integers and
 * negative for those of 64 bits: 1 or 0. */
static bool probe_wide_integers(const CblasNaming *naming)
{
    typedef int64_t Largest(int64_t, const float *, int64_t);
    static const float numbers[] = {1, 2};
    Largest *largest;
    *(void **)&largest = naming_symbol(naming, "cblas_isamax");
    return largest && (int)largest(-((int64_t)1 << 32) + 2, numbers, 1) == 0;
}

/* Calls cdotu as a function of GNU Fortran.  One that takes the address of its result first reads
 * the arguments one further: then the first number of x is its count, which is 0, and that of y its
 * increment, and it overwrites what stands for the count. */
static bool probe_hidden_results(const CblasNaming *naming)
{
    typedef float _Complex Product(const void *, const void *, const void *, const void *,
                                   const void *, const void *);
    Product *product;
    *(void **)&product = naming_symbol(naming, "cdotu_");
    if (!product)
        return false;
    int64_t count[2] = {1, 0}, increment = 1;
    union {
        int64_t integer;
        float parts[2];
    } x = {0}, y = {1};
    (void)product(count, &x, &increment, &y, &increment, &increment);
    return count[0] != 1;
}

/* True when the library has a routine by this decoration. */
static bool has_routine(const CblasNaming *naming)
{
    char name[80];
    for (int i = 0; i < OP_MAX * DT_COUNT && op_registry[i / DT_COUNT]; i++) {
        const CblasRoutine *routine = cblas_routine(op_registry[i / DT_COUNT]->name);
        for (; routine; routine = cblas_next_routine(routine))
            for (int interface = 0; interface < INTERFACE_COUNT; interface++)
                if (cblas_spell_symbol(routine, (CblasInterface)interface, (DType)(i % DT_COUNT),
                                       name, sizeof name) &&
                    naming_symbol(naming, name))
                    return true;
    }
    return false;
}

bool naming_detect(CblasNaming *naming, void *handle, bool wide)
{
    static const struct {
        const char *prefix, *suffix;
        bool wide_integers;
    } rows[] = {{"", "", false},
                {"scipy_", "", false},
                {"scipy_", "64_", true},
                {"", "64_", true},
                {"", "_64", true}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        *naming = (CblasNaming){handle, rows[i].prefix, rows[i].suffix, rows[i].wide_integers, 0};
        if ((wide && !rows[i].wide_integers) || !has_routine(naming))
            continue;
        naming->wide_integers = naming->wide_integers || probe_wide_integers(naming);
        naming->hidden_results = probe_hidden_results(naming);
        return true;
    }
    return wide && naming_detect(naming, handle, false) && naming->wide_integers;
}
