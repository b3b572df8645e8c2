/* opconform-cublas: serves the routines of cuBLAS on the first device. */
#include <string.h>

#include "cublas.h"

static CublasLibrary library;
static CublasSession session;
static uint32_t dtypes[OP_MAX];

/* cuBLAS stores by columns only. */
static bool is_by_columns(const Case *c)
{
    return !case_has(c, "order") || !strcmp(case_choice(c, "order"), "col");
}

static bool load(const char *path, const char *mode, BackendFacts *facts, Text *error)
{
    if (!cublas_load(&library, path, mode, facts, error))
        return false;
    for (int op = 0; op_registry[op]; op++)
        for (int dtype = 0; dtype < DT_COUNT; dtype++)
            dtypes[op] |= library.functions[op][dtype] ? 1u << dtype : 0;
    return true;
}

static void start(void)
{
    cublas_begin(&session, &library);
}

static uint32_t run(const NativeRequest *request)
{
    return cublas_call(&session, request);
}

int main(int count, char **arguments)
{
    static const NativeLibrary native = {.file = "",
                                         .dtypes = dtypes,
                                         .takes = is_by_columns,
                                         .load = load,
                                         .start = start,
                                         .run = run};
    return native_main(&native, count, arguments);
}
