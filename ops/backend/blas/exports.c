/* Names from the dynamic symbols of the library, against the names that rows spell. */
#include "exports.h"

#include <ctype.h>
#include <dlfcn.h>
#include <fnmatch.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/list.h"

/* Names of the BLAS and of what extends it, by Fortran and by interfaces of the library's own;
 * everything that begins with cblas_ belongs to them too. */
static const char *const fortran_names[] = {
    "?axpy*",    "?copy*",    "*dot*",  "*asum",     "*nrm2",       "*amax",     "*amin",
    "*max",      "*min",      "*sum",   "?rot*",     "[cz][sd]rot", "*scal",     "?swap",
    "*cabs1",    "?gthr*",    "?sctr",  "?ge*mv*",   "?gbmv",       "?s[ybp]mv", "?h[ebp]mv",
    "?t[rbp]mv", "?t[rbp]sv", "?ger",   "?ger[uc]",  "?her",        "?her2*",    "?herk*",
    "?hpr",      "?hpr2",     "?syr",   "?syr2*",    "?syrk*",      "?spr",      "?spr2",
    "*gemm*",    "?symm*",    "?hemm*", "?trmm*",    "?trsm*",      "?geadd",    "?dgmm*",
    "*matcopy*", "*matadd*",  "sb*16*", "[sd]bf16*",
};

/* Names of what libraries have beside these two interfaces. */
static const char *const own_names[] = {
    "cblas_*",   "mkl_*matcopy*",        "mkl_*matadd*",          "mkl_*gemm*", "mkl_*trsm*",
    "mkl_*jit*", "mkl_?ge*pack_compact", "mkl_?get_size_compact", "bli_[sdcz]*"};

/* Why no case reaches a routine, by patterns of names. */
static const struct {
    const char *pattern, *reason;
} reasons[] = {
    {"cblas_xerbla", "the handler of illegal arguments, which the tool takes the place of"},
    {"cblas_errprn", "the handler of illegal arguments, which the tool takes the place of"},
    {"*sub", "what the C interface of the reference implementation calls: its cases reach it"},
    {"mkl_blas_*", "another name of a function, or its form for other devices"},
    {"[qx]*", "numbers of more than 64 bits, which the reference has no wider arithmetic for"},
};

typedef struct Names {
    char (*list)[64];
    size_t count, room;
} Names;

static void add_name(Names *names, const char *name)
{
    names->list = list_grow(names->list, names->count, &names->room, sizeof *names->list);
    (void)snprintf(names->list[names->count++], sizeof *names->list, "%s", name);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Sorts, and leaves each name once. */
static void settle(Names *names)
{
    size_t kept = 0;
    if (names->count == 0)
        return;
    qsort(names->list, names->count, sizeof *names->list, compare_names);
    for (size_t i = 1; i < names->count; i++)
        if (strcmp(names->list[i], names->list[kept]) != 0)
            memmove(names->list[++kept], names->list[i], sizeof *names->list);
    names->count = kept + 1;
}

static bool has_name(const Names *names, const char *name)
{
    char key[64];
    (void)snprintf(key, sizeof key, "%s", name);
    return names->count > 0 &&
           bsearch(key, names->list, names->count, sizeof *names->list, compare_names);
}

/* One spelling for all of a routine: small letters, without the decoration of the build, what says
 * that integers have 64 bits, and Fortran's underscore. */
static void fold(const CblasNaming *naming, const char *full, char name[64])
{
    static const char *const tails[] = {"64_", "_64", "_"};
    if (!naming_strip(naming, full, name, 64))
        (void)snprintf(name, 64, "%s", full);
    for (char *at = name; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    for (size_t i = 0; i < COUNT_OF(tails); i++) {
        size_t length = strlen(name), tail = strlen(tails[i]);
        if (length > tail && !strcmp(name + length - tail, tails[i]))
            name[length - tail] = '\0';
    }
}

static bool matches(const char *name, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!fnmatch(patterns[i], name, 0))
            return true;
    return false;
}

/* True for what belongs to the BLAS; functions of Fortran end with an underscore. */
static bool is_of_blas(const CblasNaming *naming, const char *full, const char *name)
{
    char word[64];
    bool fortran = naming_strip(naming, full, word, sizeof word) && strchr(word, '_') &&
                   strchr(word, '_') == word + strlen(word) - 1;
    return matches(name, own_names, COUNT_OF(own_names)) ||
           (fortran && matches(name, fortran_names, COUNT_OF(fortran_names)));
}

/* The number of dynamic symbols, which only the chains of the hash table tell. */
static size_t count_symbols(const uint32_t *hash)
{
    uint32_t buckets = hash[0], offset = hash[1], words = hash[2], last = 0;
    const uint32_t *bucket = hash + 4 + words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
    const uint32_t *chain = bucket + buckets;
    for (uint32_t i = 0; i < buckets; i++)
        last = bucket[i] > last ? bucket[i] : last;
    if (last < offset)
        return 0;
    while (!(chain[last - offset] & 1))
        last++;
    return (size_t)last + 1;
}

/* The functions that a library exports. */
static void read_exports(const CblasNaming *naming, Names *names)
{
    struct link_map *map = NULL;
    const ElfW(Sym) *symbols = NULL;
    const char *strings = NULL;
    size_t count = 0;
    if (dlinfo(naming->handle, RTLD_DI_LINKMAP, &map) != 0 || !map)
        return;
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        const void *at = (const void *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_SYMTAB)
            symbols = at;
        else if (entry->d_tag == DT_STRTAB)
            strings = at;
        else if (entry->d_tag == DT_HASH)
            count = ((const uint32_t *)at)[1];
        else if (entry->d_tag == DT_GNU_HASH && count == 0)
            count = count_symbols(at);
    }
    for (size_t i = 0; symbols && strings && i < count; i++) {
        int type = ELF64_ST_TYPE(symbols[i].st_info);
        if (symbols[i].st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC))
            continue;
        char name[64];
        fold(naming, strings + symbols[i].st_name, name);
        if (is_of_blas(naming, strings + symbols[i].st_name, name))
            add_name(names, name);
    }
    settle(names);
}

/* The names of all routines that rows call in this library. */
static void read_reached(const CblasLibrary *library, Names *names)
{
    for (int i = 0; i < OP_MAX * DT_COUNT; i++) {
        DType dtype = (DType)(i % DT_COUNT);
        const CblasFunctions *functions = &library->functions[i / DT_COUNT][dtype];
        for (int k = 0; k < functions->count; k++) {
            char full[96], name[64];
            const CblasFunction *f = &library->list[functions->first + k];
            cblas_symbol_name(library, f->routine, f->interface, dtype, full, sizeof full);
            fold(&library->naming, full, name);
            add_name(names, name);
        }
    }
    settle(names);
}

static const char *reason_of(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(reasons); i++)
        if (!fnmatch(reasons[i].pattern, name, 0))
            return reasons[i].reason;
    return NULL;
}

void cblas_list_exports(const Backend *backend, Text *text)
{
    const CblasLibrary *library = backend->context;
    Names exported = {0}, reached = {0};
    Text missing = {0};
    size_t hits = 0;
    read_exports(&library->naming, &exported);
    read_reached(library, &reached);
    for (size_t i = 0; i < exported.count; i++) {
        const char *name = exported.list[i], *reason = reason_of(name);
        if (has_name(&reached, name))
            hits++;
        else
            text_printf(&missing, "%s%s%s\n", name, reason ? ": " : "", reason ? reason : "");
    }
    text_printf(text, "%zu routines, of which cases reach %zu\n%s", exported.count, hits,
                text_string(&missing));
    text_release(&missing);
    free(exported.list);
    free(reached.list);
}
