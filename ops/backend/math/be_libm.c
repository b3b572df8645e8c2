/* The C library's functions.  Promise: IEEE arithmetic. */
#include <gnu/libc-version.h>
#include <stdio.h>

#include "math_functions.h"

static const char *const paths[] = {"libm.so.6", NULL};

static void spell(const Backend *backend, const char *word, DType dtype, char *symbol, size_t size)
{
    (void)backend;
    (void)snprintf(symbol, size, "%s%s", word, dtype == DT_F32 ? "f" : "");
}

static MathStyle style(const Backend *backend)
{
    (void)backend;
    return MATH_SCALAR;
}

static void prepare(Backend *backend, void *handle)
{
    (void)handle;
    (void)snprintf(backend->facts.version, sizeof backend->facts.version, "%s",
                   gnu_get_libc_version());
    (void)snprintf(backend->facts.build, sizeof backend->facts.build, "glibc");
    (void)snprintf(backend->facts.interface, sizeof backend->facts.interface, "one number a call");
}

static const MathSource source = {
    .library = {.paths = paths, .package = "the C library"},
    .column = MATH_LIBM,
    .spell = spell,
    .style = style,
    .prepare = prepare,
};

const BackendKind be_libm = {
    .name = "libm",
    .summary = "the C library's functions, or those of @/path/libm.so",
    MATH_FUNCTIONS(source),
    .promise = {.models = models_ieee, .readings = models_readings},
};
