/* SLEEF: numbers, or vectors of 32 bytes with :avx2; the functions of 1 ulp, or of 3.5 with :u35.
 * Promise: IEEE arithmetic. */
#include <stdio.h>
#include <string.h>

#include "math_functions.h"

static const char *const paths[] = {"libsleef.so.3", "libsleef.so", NULL};
static const char *const settings[] = {"avx2", "u35", NULL};

static void spell(const Backend *backend, const char *word, DType dtype, char *symbol, size_t size)
{
    bool avx2 = library_has_setting(backend, "avx2"), narrow = dtype == DT_F32;
    const char *star = strchr(word, '*'), *accuracy = star + 1;
    const char *lanes = avx2 ? (narrow ? "f8" : "d4") : narrow ? "f1" : "d1";
    if (library_has_setting(backend, "u35") && !strcmp(accuracy, "_u10"))
        accuracy = "_u35";
    (void)snprintf(symbol, size, "Sleef_%.*s%s%s%s", (int)(star - word), word, lanes, accuracy,
                   avx2 ? "avx2" : "purec");
}

static MathStyle style(const Backend *backend)
{
    return library_has_setting(backend, "avx2") ? MATH_VECTOR : MATH_SCALAR;
}

static void prepare(Backend *backend, void *handle)
{
    (void)handle;
    (void)snprintf(backend->facts.build, sizeof backend->facts.build, "SLEEF");
    (void)snprintf(backend->facts.interface, sizeof backend->facts.interface, "%s",
                   style(backend) == MATH_VECTOR ? "vectors of 32 bytes" : "one number a call");
}

static const MathSource source = {
    .library = {.paths = paths,
                .package = "Debian: apt-get install libsleef3",
                .settings = settings},
    .column = MATH_SLEEF,
    .spell = spell,
    .style = style,
    .prepare = prepare,
};

const BackendKind be_sleef = {
    .name = "sleef",
    .summary = "SLEEF: numbers, :avx2 for vectors, :u35 for the functions of 3.5 ulp",
    MATH_FUNCTIONS(source),
    .promise = {.models = models_ieee, .readings = models_readings},
};
