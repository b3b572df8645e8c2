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

#include "reference/escape.h"
#include "reference/product.h"

const char *const cblas_settings[] = {"64", "fortran", NULL};

static void *symbol(const CblasLibrary *library, const char *name)
{
    return naming_symbol(&library->naming, name);
}

/* False for a row whose calling sequence is another one in this version of a library. */
static bool is_current_row(const CblasRoutine *routine, const BackendFacts *facts)
{
    const char *until = cblas_until(routine);
    return !until || strncmp(facts->build, "OpenBLAS", 8) != 0 ||
           strverscmp(facts->version, until) < 0;
}

static bool has_function(const CblasLibrary *library, const CblasFunctions *functions,
                         const void *function)
{
    for (int i = 0; i < functions->count; i++)
        if (library->list[functions->first + i].function == function)
            return true;
    return false;
}

/* The address that the object with the function is loaded at, or NULL.  dladdr searches all its
 * symbols as well, which takes longer than all else that opens a library. */
static const void *object_of(const void *function)
{
    struct dl_find_object found;
    if (_dl_find_object((void *)(uintptr_t)function, &found) != 0)
        return NULL;
    return (const void *)found.dlfo_link_map->l_addr; // NOLINT(performance-no-int-to-ptr)
}

/* True for what is another library's, which this one depends on: dlsym finds that as well. */
static bool is_of_other_library(const CblasLibrary *library, const CblasFunctions *functions,
                                const void *function)
{
    return functions->count > 0 &&
           object_of(library->list[functions->first].function) != object_of(function);
}

static void add_function(CblasLibrary *library, CblasFunctions *functions,
                         const CblasFunction *function)
{
    if (library->count == library->room) {
        library->room = 2 * library->room + 1024;
        library->list = memory_resize(library->list, (size_t)library->room, sizeof *library->list);
    }
    if (functions->count == 0)
        functions->first = library->count;
    library->list[library->count++] = *function;
    functions->count++;
}

/* Finds the functions that one interface has for an operator in an element type. */
static void find(CblasLibrary *library, const BackendFacts *facts, CblasInterface interface,
                 const CblasRoutine *routine, const OpDesc *op, DType dtype)
{
    CblasFunctions *functions = &library->functions[op_number(op)][dtype];
    for (; routine; routine = cblas_next_routine(routine)) {
        char name[80];
        void *function = NULL;
        if (is_current_row(routine, facts) &&
            cblas_spell_symbol(routine, interface, dtype, name, sizeof name))
            function = symbol(library, name);
        if (function && library->only_from && object_of(function) != library->only_from)
            continue;
        if (!function || has_function(library, functions, function) ||
            is_of_other_library(library, functions, function))
            continue;
        if (functions->count == EXEC_FUNCTIONS)
            BUG("%s: more than %d functions", op->name, EXEC_FUNCTIONS);
        add_function(library, functions, &(CblasFunction){function, routine, interface, NULL});
    }
}

static void find_all(CblasLibrary *library, const BackendFacts *facts)
{
    for (const OpDesc *const *op = op_registry; *op; op++) {
        const CblasRoutine *routine = cblas_routine((*op)->name);
        for (int i = 0; routine && i < DT_COUNT * INTERFACE_COUNT; i++) {
            int turn = i % INTERFACE_COUNT, dtype = i / INTERFACE_COUNT;
            if (op_dtypes(*op) & 1u << dtype)
                find(library, facts, (CblasInterface)((library->own + turn) % INTERFACE_COUNT),
                     routine, *op, (DType)dtype);
        }
    }
}

static void find_settings(CblasLibrary *library)
{
    library->called_from_c = dlsym(library->naming.handle, "CBLAS_CallFromC");
    const ReportSource reports = {
        .sgemm = symbol(library, "cblas_sgemm"),
        .fortran_sgemm = symbol(library, "sgemm_"),
        .set_handler = symbol(library, "openblas_set_xerbla"),
        .handler = symbol(library, "xerbla_"),
        .wide_integers = library->naming.wide_integers,
    };
    library->reports_caught[INTERFACE_C] = xerbla_catch(&reports);
    library->reports_caught[INTERFACE_FORTRAN] = xerbla_catches_fortran(&reports);
    library->reports_caught[INTERFACE_LAPACKE] = library->reports_caught[INTERFACE_FORTRAN];
    library->reports_caught[INTERFACE_LAPACKE_WORK] = library->reports_caught[INTERFACE_FORTRAN];
    *(void **)&library->set_nancheck = symbol(library, "LAPACKE_set_nancheck");
    library->refuses_nan = !library->set_nancheck;
    if (library->set_nancheck)
        library->set_nancheck(0);
    *(void **)&library->set_threads = symbol(library, "openblas_set_num_threads");
    *(void **)&library->set_threads_long =
        dlsym(library->naming.handle, "bli_thread_set_num_threads");
    if (!library->set_threads)
        *(void **)&library->set_threads = dlsym(library->naming.handle, "MKL_Set_Num_Threads");
}

static const CblasFunctions *functions_of(const CblasLibrary *library, const OpDesc *op,
                                          DType dtype)
{
    return &library->functions[op_number(op)][dtype];
}

/* Prepares the functions of an operator for their calls.  A library has thousands, of which most
 * processes that open it call a few. */
static const CblasFunctions *prepare(const CblasLibrary *library, const OpDesc *op, DType dtype)
{
    const CblasNaming *naming = &library->naming;
    const CblasFunctions *functions = functions_of(library, op, dtype);
    for (int i = 0; i < functions->count; i++) {
        CblasFunction *f = &library->list[functions->first + i];
        CblasCalling calling = {f->interface, naming->wide_integers, naming->hidden_results};
        if (!f->entry)
            f->entry = cblas_entry_make(f->routine, op, dtype, calling, f->function);
    }
    return functions;
}

CblasEntry *cblas_entry_of(const CblasLibrary *library, const Case *c)
{
    const CblasFunctions *functions = prepare(library, c->op, case_dtype(c));
    const CblasFunction *all = library->list + functions->first;
    CblasEntry *taking[EXEC_FUNCTIONS];
    const char *why;
    int count = 0;
    bool chosen = cblas_by_rows(c) && library->own != INTERFACE_FORTRAN;
    for (int i = 0; i < functions->count && chosen; i++)
        if (!cblas_declines(all[i].entry, c, &why))
            taking[count++] = all[i].entry;
    if (count > 0)
        return taking[c->exec.function % count];
    return functions->count ? all[c->exec.function % functions->count].entry : NULL;
}

/* Whoever asks calls it next, and has no memory to spare during calls. */
bool cblas_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    return prepare(backend->context, op, dtype)->count > 0;
}

void cblas_symbol_name(const CblasLibrary *library, const CblasRoutine *routine,
                       CblasInterface interface, DType dtype, char *name, size_t size)
{
    char word[80] = "";
    (void)cblas_spell_symbol(routine, interface, dtype, word, sizeof word);
    naming_spell(&library->naming, word, name, size);
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
    facts->marks_calls_from_c = library->called_from_c != NULL;
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
    *(void **)&blis_version = dlsym(library->naming.handle, "bli_info_get_version_str");
    *(void **)&blis_query = dlsym(library->naming.handle, "bli_arch_query_id");
    *(void **)&blis_arch = dlsym(library->naming.handle, "bli_arch_string");
    *(void **)&mkl_version = dlsym(library->naming.handle, "MKL_Get_Version_String");
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
    (void)snprintf(facts->interface, sizeof facts->interface, "%scblas_*%s, %d-bit integers%s%s",
                   library->naming.prefix, library->naming.suffix,
                   library->naming.wide_integers ? 64 : 32,
                   library->own == INTERFACE_FORTRAN ? ", called as Fortran does" : "",
                   library->reports_caught[library->own] ? "" : ", error handler out of reach");
}

static bool load(CblasLibrary *library, const LibraryPlace *place, const char *path,
                 const LibrarySource *source, Text *error)
{
    library->naming.handle = library_load(place, path);
    if (!library->naming.handle) {
        const char *reason = dlerror();
        text_printf(error, "%s", reason ? reason : "cannot be loaded as a private copy");
        return false;
    }
    if (source->reject && dlsym(library->naming.handle, source->reject))
        text_printf(error, "%s: another library stands in its place", path);
    else if (naming_detect(&library->naming, library->naming.handle, library->wide))
        return true;
    else
        text_printf(error, "%s: no function of the CBLAS, such as cblas_sgemm,%s is in it", path,
                    library->wide ? " with integers of 64 bits" : "");
    (void)dlclose(library->naming.handle);
    library->naming.handle = NULL;
    return false;
}

static const char sequential[] = "SEQUENTIAL";

/* Libraries read their thread count when they load: one, unless the user says otherwise. OpenBLAS's
 * threads look for work without pause for 2 to the power of their timeout in cycles after a call, a
 * tenth of a second by default, and take the processor from other work; with this, both those that
 * look and those that sleep are given work. */
static void limit_threads(const LibrarySource *source)
{
    static const char *const variables[] = {"OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS",
                                            "OMP_NUM_THREADS", "MKL_NUM_THREADS"};
    if (source->layer_variable)
        (void)setenv(source->layer_variable, sequential, 0);
    for (size_t i = 0; i < COUNT_OF(variables); i++)
        (void)setenv(variables[i], "1", 0);
    (void)setenv("OPENBLAS_THREAD_TIMEOUT", "18", 0);
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

/* Appends NAME=VALUE where there is a name, the value as a word of the shell. */
static void put_setting(BackendFacts *facts, const char *name, const char *value)
{
    size_t length = strlen(facts->setting);
    Text word = {0};
    escape_put_shell(&word, value);
    if (name)
        (void)snprintf(facts->setting + length, sizeof facts->setting - length, "%s%s=%s",
                       length ? " " : "", name, text_string(&word));
    text_release(&word);
}

/* Loads what the library is to be bound to; the same folder comes first in reproducers. */
static void load_below(CblasLibrary *library, const LibrarySource *source, BackendFacts *facts)
{
    const LibraryPlace place = {0};
    const char *const *path = source->below;
    for (; path && *path && !library->below; path++)
        if ((library->below = library_load(&place, *path))) {
            char folder[sizeof place.path];
            (void)snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(*path, '/') - *path),
                           *path);
            put_setting(facts, "LD_LIBRARY_PATH", folder);
        }
}

/* Says which BLAS a library of LAPACK is bound to. */
static void bind_to_itself(CblasLibrary *library, BackendFacts *facts)
{
    struct link_map *map = NULL;
    Dl_info info;
    void *gemm = symbol(library, "dgemm_");
    if (dlinfo(library->naming.handle, RTLD_DI_LINKMAP, &map) != 0 || !map)
        return;
    library->only_from = (const void *)map->l_addr; // NOLINT(performance-no-int-to-ptr)
    size_t length = strlen(facts->interface);
    if (gemm && dladdr(gemm, &info))
        (void)snprintf(facts->interface + length, sizeof facts->interface - length, ", over %s",
                       info.dli_fname);
}

bool cblas_open(Backend *backend, Text *error)
{
    const LibrarySource *source = backend->kind->source;
    LibraryPlace place;
    Text reason = {0};
    CblasLibrary *library = memory_allocate(1, sizeof *library);
    library->wide = library_has_setting(backend, "64");
    library->own = library_has_setting(backend, "fortran") ? INTERFACE_FORTRAN : INTERFACE_C;
    limit_threads(source);
    bool found = library_find(&place, backend, source, &reason);
    const char *given[] = {place.path, NULL};
    const char *const *paths = place.path[0] ? given : source->paths;
    if (found && !paths[0])
        text_printf(&reason, "give the library as %s@/path/lib.so", backend->kind->name);
    if (found && !place.path[0])
        load_below(library, source, &backend->facts);
    const char *loaded = found ? load_first(library, &place, source, paths, &reason) : NULL;
    if (!loaded) {
        text_printf(error, "%s: %s", backend->name, text_string(&reason));
        if (found && !place.path[0])
            library_advise(backend, source, error);
        text_release(&reason);
        if (library->below)
            (void)dlclose(library->below);
        free(library);
        return false;
    }
    text_release(&reason);
    backend->context = library;
    find_settings(library);
    describe(library, &backend->facts);
    backend->facts.threaded =
        !source->layer_variable && (library->set_threads || library->set_threads_long);
    if (source->below)
        bind_to_itself(library, &backend->facts);
    library_describe(library->naming.handle, &backend->facts);
    find_all(library, &backend->facts);
    cblas_read_blocks(library->naming.handle, &backend->facts);
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
    for (int i = 0; i < library->count; i++)
        free(library->list[i].entry);
    free(library->list);
    scratch_release(&library->scratch);
    (void)dlclose(library->naming.handle);
    if (library->below)
        (void)dlclose(library->below);
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
    return library->naming.wide_integers ? NULL : symbol(library, name);
}
