/* Finds, opens and describes CBLAS libraries. */
#include "cblas_library.h"
#include "blocks.h"
#include "xerbla.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "reference/product.h"

static void *symbol(const CblasLibrary *library, const char *name)
{
    char full[96];
    (void)snprintf(full, sizeof full, "%s%s%s", library->prefix, name, library->suffix);
    return dlsym(library->handle, full);
}

/* The first row of an operator whose function the library has for an element type, which goes into
 * *function; NULL if there is none. */
static const CblasRoutine *find_routine(const CblasLibrary *library, const OpDesc *op, DType dtype,
                                        void **function)
{
    const CblasRoutine *routine = cblas_routine(op->name);
    for (; routine; routine = cblas_next_routine(routine)) {
        char word[64], name[80];
        if (!cblas_spell(routine, dtype, word, sizeof word))
            continue;
        (void)snprintf(name, sizeof name, "cblas_%s", word);
        *function = symbol(library, name);
        if (*function)
            return routine;
    }
    return NULL;
}

static bool has_routine(const CblasLibrary *library)
{
    void *function;
    for (int i = 0; i < OP_MAX * DT_COUNT && op_registry[i / DT_COUNT]; i++)
        if (find_routine(library, op_registry[i / DT_COUNT], (DType)(i % DT_COUNT), &function))
            return true;
    return false;
}

/* How builds decorate the names, and whether their integers have 64 bits: as the first of these
 * spellings in which there is a routine. */
static bool detect_names(CblasLibrary *library)
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
        library->prefix = rows[i].prefix;
        library->suffix = rows[i].suffix;
        library->wide_integers = rows[i].wide_integers;
        if (has_routine(library))
            return true;
    }
    return false;
}

static void prepare(CblasLibrary *library, const OpDesc *op, DType dtype)
{
    void *function = NULL;
    const CblasRoutine *routine = find_routine(library, op, dtype, &function);
    if (routine)
        library->entries[op_number(op)][dtype] =
            cblas_entry_make(routine, op, dtype, library->wide_integers, function);
}

static bool find_routines(CblasLibrary *library, const char *path, Text *error)
{
    if (!detect_names(library)) {
        text_printf(error, "%s: no function of the CBLAS, such as cblas_sgemm, is in it", path);
        return false;
    }
    for (const OpDesc *const *op = op_registry; *op; op++)
        for (int dtype = 0; dtype < DT_COUNT; dtype++)
            if (op_dtypes(*op) & 1u << dtype)
                prepare(library, *op, (DType)dtype);
    library->called_from_c = dlsym(library->handle, "CBLAS_CallFromC");
    char handler[96];
    (void)snprintf(handler, sizeof handler, "%sxerbla_%s", library->prefix, library->suffix);
    library->reports_caught = xerbla_catch(&(ReportSource){
        .sgemm = symbol(library, "cblas_sgemm"),
        .set_handler = symbol(library, "openblas_set_xerbla"),
        .handler = dlsym(library->handle, handler),
        .wide_integers = library->wide_integers,
    });
    *(void **)&library->set_threads = symbol(library, "openblas_set_num_threads");
    *(void **)&library->set_threads_long = dlsym(library->handle, "bli_thread_set_num_threads");
    if (!library->set_threads)
        *(void **)&library->set_threads = dlsym(library->handle, "MKL_Set_Num_Threads");
    return true;
}

CblasEntry *cblas_entry(const CblasLibrary *library, const OpDesc *op, DType dtype)
{
    return library->entries[op_number(op)][dtype];
}

bool cblas_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    return cblas_entry(backend->context, op, dtype) != NULL;
}

void cblas_symbol_name(const CblasLibrary *library, const OpDesc *op, DType dtype, char *name,
                       size_t size)
{
    char word[64] = "";
    void *function = NULL;
    const CblasRoutine *routine = find_routine(library, op, dtype, &function);
    if (routine && cblas_spell(routine, dtype, word, sizeof word))
        (void)snprintf(name, size, "%scblas_%s%s", library->prefix, word, library->suffix);
    else
        name[0] = '\0';
}

static void copy_text(char *to, size_t size, const char *from)
{
    (void)snprintf(to, size, "%s", from ? from : "");
}

/* The number inside a build string such as "OpenBLAS 0.3.21 DYNAMIC_ARCH ...". */
static void version_from_build(BackendFacts *facts)
{
    const char *digits = strpbrk(facts->build, "0123456789");
    size_t length = digits ? strspn(digits, "0123456789.") : 0;
    (void)snprintf(facts->version, sizeof facts->version, "%.*s", (int)length,
                   digits ? digits : "");
}

static void describe(const CblasLibrary *library, BackendFacts *facts)
{
    char *(*config)(void);
    char *(*core)(void);
    int (*threads)(void);
    const char *(*blis_version)(void);
    const char *(*blis_arch)(int);
    int (*blis_query)(void);
    void (*mkl_version)(char *, int);
    *(void **)&config = symbol(library, "openblas_get_config");
    *(void **)&core = symbol(library, "openblas_get_corename");
    *(void **)&threads = symbol(library, "openblas_get_num_threads");
    *(void **)&blis_version = dlsym(library->handle, "bli_info_get_version_str");
    *(void **)&blis_query = dlsym(library->handle, "bli_arch_query_id");
    *(void **)&blis_arch = dlsym(library->handle, "bli_arch_string");
    *(void **)&mkl_version = dlsym(library->handle, "MKL_Get_Version_String");
    facts->threads = threads ? threads() : 1;
    if (config)
        copy_text(facts->build, sizeof facts->build, config());
    if (core)
        copy_text(facts->core, sizeof facts->core, core());
    if (blis_version) {
        (void)snprintf(facts->build, sizeof facts->build, "BLIS %s", blis_version());
        if (blis_query && blis_arch)
            copy_text(facts->core, sizeof facts->core, blis_arch(blis_query()));
    }
    if (mkl_version)
        mkl_version(facts->build, (int)sizeof facts->build);
    version_from_build(facts);
    (void)snprintf(facts->interface, sizeof facts->interface, "%scblas_*%s, %d-bit integers%s",
                   library->prefix, library->suffix, library->wide_integers ? 64 : 32,
                   library->reports_caught ? "" : ", error handler out of reach");
}

static bool load(CblasLibrary *library, const LibraryPlace *place, const char *path,
                 const LibrarySource *source, Text *error)
{
    library->handle = library_load(place, path);
    if (!library->handle) {
        const char *reason = dlerror();
        text_printf(error, "%s", reason ? reason : "cannot be loaded as a private copy");
        return false;
    }
    if (source->reject && dlsym(library->handle, source->reject))
        text_printf(error, "%s: another library stands in its place", path);
    else if (find_routines(library, path, error))
        return true;
    (void)dlclose(library->handle);
    library->handle = NULL;
    return false;
}

static const char sequential[] = "SEQUENTIAL";

/* Libraries read their thread count when they load: one, unless the user says otherwise. */
static void limit_threads(const LibrarySource *source)
{
    static const char *const variables[] = {"OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS",
                                            "OMP_NUM_THREADS", "MKL_NUM_THREADS"};
    if (source->layer_variable)
        (void)setenv(source->layer_variable, sequential, 0);
    for (size_t i = 0; i < COUNT_OF(variables); i++)
        (void)setenv(variables[i], "1", 0);
}

/* The first of the paths that can be loaded; NULL with the reason where none can. */
static const char *load_first(CblasLibrary *library, const LibraryPlace *place,
                              const LibrarySource *source, const char *const *paths, Text *reason)
{
    for (; *paths; paths++) {
        if (load(library, place, *paths, source, reason))
            return *paths;
        if (paths[1])
            text_clear(reason);
    }
    return NULL;
}

/* Takes away routines whose calling sequence is another one in this version. */
static void drop_changed(CblasLibrary *library, const BackendFacts *facts)
{
    if (strncmp(facts->build, "OpenBLAS", 8) != 0)
        return;
    for (int op = 0; op_registry[op]; op++) {
        const CblasRoutine *routine = cblas_routine(op_registry[op]->name);
        const char *until = routine ? cblas_until(routine) : NULL;
        if (!until || strverscmp(facts->version, until) < 0)
            continue;
        for (int dtype = 0; dtype < DT_COUNT; dtype++) {
            free(library->entries[op][dtype]);
            library->entries[op][dtype] = NULL;
        }
    }
}

/* A library that does not know a core type takes another one in silence; numbers cannot be told. */
static bool took_core(const LibraryPlace *place, const Backend *backend, Text *error)
{
    const char *core = backend->facts.core;
    if (!place->core[0] || !core[0] || strspn(place->core, "0123456789") == strlen(place->core) ||
        !strcasecmp(place->core, core))
        return true;
    text_printf(error, "%s: the library took core %s instead: use a name or a number that it knows",
                backend->name, core);
    return false;
}

/* Appends NAME=VALUE where there is a name. */
static void put_setting(BackendFacts *facts, const char *name, const char *value)
{
    size_t length = strlen(facts->setting);
    if (name)
        (void)snprintf(facts->setting + length, sizeof facts->setting - length, "%s%s=%s",
                       length ? " " : "", name, value);
}

bool cblas_open(Backend *backend, Text *error)
{
    const LibrarySource *source = backend->kind->source;
    LibraryPlace place;
    Text reason = {0};
    CblasLibrary *library = memory_allocate(1, sizeof *library);
    limit_threads(source);
    bool found = library_find(&place, backend, source, &reason);
    const char *given[] = {place.path, NULL};
    const char *const *paths = place.path[0] ? given : source->paths;
    if (found && !paths[0])
        text_printf(&reason, "give the library as %s@/path/lib.so", backend->kind->name);
    const char *loaded = found ? load_first(library, &place, source, paths, &reason) : NULL;
    if (!loaded) {
        text_printf(error, "%s: %s", backend->name, text_string(&reason));
        if (found && !place.path[0])
            library_advise(backend, source, error);
        text_release(&reason);
        free(library);
        return false;
    }
    text_release(&reason);
    backend->context = library;
    describe(library, &backend->facts);
    library_describe(library->handle, &backend->facts);
    drop_changed(library, &backend->facts);
    cblas_read_blocks(library->handle, &backend->facts);
    if (!took_core(&place, backend, error)) {
        cblas_close(backend);
        return false;
    }
    if (place.private_copy)
        copy_text(backend->facts.path, sizeof backend->facts.path, library_copied(loaded));
    put_setting(&backend->facts, place.core[0] ? source->core_variable : NULL, place.core);
    put_setting(&backend->facts, source->layer_variable, sequential);
    return true;
}

void cblas_close(Backend *backend)
{
    CblasLibrary *library = backend->context;
    if (!library)
        return;
    for (int op = 0; op < OP_MAX; op++)
        for (int dtype = 0; dtype < DT_COUNT; dtype++)
            free(library->entries[op][dtype]);
    (void)dlclose(library->handle);
    free(library);
    backend->context = NULL;
}

void cblas_set_threads(Backend *backend, int threads)
{
    const CblasLibrary *library = backend->context;
    if (library->set_threads)
        library->set_threads(threads);
    if (library->set_threads_long)
        library->set_threads_long(threads);
}

void *cblas_function(const Backend *backend, const char *name)
{
    const CblasLibrary *library = backend->context;
    return library->wide_integers ? NULL : symbol(library, name);
}
