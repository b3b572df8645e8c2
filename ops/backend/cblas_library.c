/* Finds, opens and describes CBLAS libraries. */
#include "cblas_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reference/product.h"

const BackendOp cblas_ops[] = {
    {"gemm", cblas_run_gemm, cblas_emit_gemm},
    {"gemv", cblas_run_gemv, cblas_emit_gemv},
    {NULL, NULL, NULL},
};

static const char dtype_letters[DT_COUNT] = {
    [DT_F32] = 's', [DT_F64] = 'd', [DT_C64] = 'c', [DT_C128] = 'z'};

static void *symbol(const CblasLibrary *library, const char *name)
{
    char full[96];
    (void)snprintf(full, sizeof full, "%s%s", library->prefix, name);
    return dlsym(library->handle, full);
}

static const char *detect_prefix(void *handle)
{
    static const char *const prefixes[] = {"", "scipy_"};
    for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%scblas_sgemm", prefixes[i]);
        if (dlsym(handle, name))
            return prefixes[i];
    }
    return NULL;
}

static bool find_routines(CblasLibrary *library, const char *path, Text *error)
{
    library->prefix = detect_prefix(library->handle);
    if (!library->prefix) {
        text_printf(error, "%s: no symbol cblas_sgemm: not a CBLAS library", path);
        return false;
    }
    for (int dtype = 0; dtype < DT_COUNT; dtype++) {
        char name[32];
        (void)snprintf(name, sizeof name, "cblas_%cgemm", dtype_letters[dtype]);
        library->gemm[dtype] = symbol(library, name);
        (void)snprintf(name, sizeof name, "cblas_%cgemv", dtype_letters[dtype]);
        library->gemv[dtype] = symbol(library, name);
        if (!library->gemm[dtype] || !library->gemv[dtype]) {
            text_printf(error, "%s: no symbol %scblas_%cgemm or %scblas_%cgemv", path,
                        library->prefix, dtype_letters[dtype], library->prefix,
                        dtype_letters[dtype]);
            return false;
        }
    }
    *(void **)&library->set_threads = symbol(library, "openblas_set_num_threads");
    *(void **)&library->set_threads_long = dlsym(library->handle, "bli_thread_set_num_threads");
    if (!library->set_threads)
        *(void **)&library->set_threads = dlsym(library->handle, "MKL_Set_Num_Threads");
    return true;
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
}

/* Where the loader found it, and the version in the file's name when the library tells none. */
static void describe_file(const CblasLibrary *library, BackendFacts *facts)
{
    struct link_map *map = NULL;
    char real[4096] = "";
    if (dlinfo(library->handle, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name)
        copy_text(facts->path, sizeof facts->path, map->l_name);
    if (facts->version[0] || !realpath(facts->path, real))
        return;
    const char *suffix = strstr(real, ".so.");
    copy_text(facts->version, sizeof facts->version, suffix ? suffix + 4 : "");
}

static bool load(CblasLibrary *library, const char *path, const CblasSource *source, Text *error)
{
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library->handle) {
        text_printf(error, "%s", dlerror());
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

/* Libraries read their thread count when they load: one, unless the user says otherwise. */
static void limit_threads(void)
{
    static const char *const variables[] = {"OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS",
                                            "OMP_NUM_THREADS", "MKL_NUM_THREADS"};
    for (size_t i = 0; i < COUNT_OF(variables); i++)
        (void)setenv(variables[i], "1", 0);
}

bool cblas_open(Backend *backend, const CblasSource *source, Text *error)
{
    const char *given[] = {backend->where, NULL};
    const char *const *paths = backend->where[0] ? given : source->paths;
    CblasLibrary *library = calloc(1, sizeof *library);
    Text reason = {0};
    if (!library)
        BUG("out of memory");
    if (backend->mode[0])
        text_printf(&reason, "it has no modes, so ':%s' means nothing", backend->mode);
    if (!paths[0])
        text_printf(&reason, "give the library as %s@/path/lib.so", backend->kind->name);
    limit_threads();
    bool loaded = false;
    for (; !reason.length && *paths && !loaded; paths++) {
        loaded = load(library, *paths, source, &reason);
        if (!loaded && paths[1])
            text_clear(&reason);
    }
    if (!loaded) {
        text_printf(error, "%s: %s", backend->name, text_string(&reason));
        if (source->package && !backend->where[0])
            text_printf(error, " (Debian: apt-get install %s)", source->package);
        text_release(&reason);
        free(library);
        return false;
    }
    text_release(&reason);
    backend->context = library;
    describe(library, &backend->facts);
    describe_file(library, &backend->facts);
    return true;
}

void cblas_close(Backend *backend)
{
    CblasLibrary *library = backend->context;
    if (!library)
        return;
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

typedef void RealDgemm(int, int, int, int, int, int, double, const double *, int, const double *,
                       int, double, double *, int);
static RealDgemm *lent_dgemm;

static void lend(size_t m, size_t n, size_t k, const double *a, const double *b, double *c)
{
    enum { ROW_MAJOR = 101, NO_TRANS = 111 };
    lent_dgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, (int)m, (int)n, (int)k, 1, a, (int)k, b, (int)n, 0, c,
               (int)n);
}

void backend_lend_dgemm(void)
{
    static const char *const names[] = {"openblas", "blis"};
    static Backend lender;
    for (size_t i = 0; i < COUNT_OF(names) && !lender.kind; i++) {
        Text error = {0};
        if (!backend_open(&lender, names[i], &error))
            lender.kind = NULL;
        text_release(&error);
    }
    if (!lender.kind)
        return;
    const CblasLibrary *library = lender.context;
    *(void **)&lent_dgemm = library->gemm[DT_F64];
    product_use_dgemm(lend);
}
