/* The vector functions of MKL in their high accuracy; :la and :ep choose the others.  Promise: IEEE
 * arithmetic. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "math_library.h"

static const char *const paths[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so", NULL};
static const char *const fetched[] = {"libmkl_rt.so.3", NULL};
static const char *const settings[] = {"la", "ep", NULL};

static const MathRow rows[] = {
    {"abs", "Abs"},         {"acos", "Acos"},     {"acosh", "Acosh"}, {"add", "Add"},
    {"asin", "Asin"},       {"asinh", "Asinh"},   {"atan", "Atan"},   {"atan2", "Atan2"},
    {"atanh", "Atanh"},     {"cbrt", "Cbrt"},     {"ceil", "Ceil"},   {"cos", "Cos"},
    {"cosh", "Cosh"},       {"div", "Div"},       {"erf", "Erf"},     {"erfc", "Erfc"},
    {"exp", "Exp"},         {"exp2", "Exp2"},     {"expm1", "Expm1"}, {"floor", "Floor"},
    {"fmod", "Fmod"},       {"log", "Ln"},        {"log10", "Log10"}, {"log1p", "Log1p"},
    {"log2", "Log2"},       {"mul", "Mul"},       {"pow", "Pow"},     {"reciprocal", "Inv"},
    {"round", "NearbyInt"}, {"rsqrt", "InvSqrt"}, {"sin", "Sin"},     {"sinh", "Sinh"},
    {"sqrt", "Sqrt"},       {"square", "Sqr"},    {"sub", "Sub"},     {"tan", "Tan"},
    {"tanh", "Tanh"},       {"trunc", "Trunc"},   {NULL, NULL},
};

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
    .library = {.paths = paths,
                .package = "fetch it with make backends and use vml:2026.2",
                .fetched = fetched,
                .fetched_as = "mkl",
                .settings = settings},
    .rows = rows,
    .spell = spell,
    .style = style,
    .prepare = prepare,
};

const BackendKind be_vml = {
    .name = "vml",
    .summary = "MKL's vector functions: :2026.2 as make backends fetches it, with +la or +ep",
    MATH_FUNCTIONS(source),
    .promise = {.models = models_faithful, .readings = models_readings},
};
