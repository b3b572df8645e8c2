/* The vector functions of MKL in their high accuracy; :la and :ep choose the others.  Promise: IEEE
 * arithmetic. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "math_functions.h"
#include "ops/backend/mkl_library.h"

static const char *const settings[] = {"la", "ep", NULL};

static void spell(const Backend *backend, const char *word, DType dtype, char *symbol, size_t size)
{
    (void)backend;
    (void)snprintf(symbol, size, "v%c%s", dtype == DT_F32 ? 's' : 'd', word);
}

static MathStyle style(const Backend *backend)
{
    (void)backend;
    return MATH_ARRAY;
}

/* Numbers of the library's interface: VML_LA 1, VML_HA 2, VML_EP 3; errors are not to be printed:
 * VML_ERRMODE_IGNORE 0x100. */
static void prepare(Backend *backend, void *handle)
{
    unsigned (*set_mode)(unsigned);
    unsigned accuracy = library_has_setting(backend, "ep")   ? 3
                        : library_has_setting(backend, "la") ? 1
                                                             : 2;
    *(void **)&set_mode = dlsym(handle, "vmlSetMode");
    if (set_mode)
        (void)set_mode(accuracy | 0x100);
    (void)snprintf(backend->facts.build, sizeof backend->facts.build, "MKL vector mathematics");
    (void)snprintf(backend->facts.interface, sizeof backend->facts.interface, "arrays, %s",
                   accuracy == 2   ? "high accuracy"
                   : accuracy == 1 ? "low accuracy"
                                   : "enhanced performance");
}

static const MathSource source = {
    .library = {.paths = mkl_library_paths,
                .fetched = mkl_library_fetched,
                .settings = settings,
                .layer_variable = "MKL_THREADING_LAYER"},
    .column = MATH_VML,
    .spell = spell,
    .style = style,
    .prepare = prepare,
};

const BackendKind be_vml = {
    .name = "vml",
    .summary = "MKL's vector functions: :VERSION as make backends fetches it, with +la or +ep",
    .pinned = "mkl",
    .seen_by_others = true,
    MATH_FUNCTIONS(source),
    .promise = {.models = models_faithful, .readings = models_readings},
};
