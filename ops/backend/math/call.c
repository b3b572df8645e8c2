/* Calls element by element, vector by vector or array by array. */
#include "call.h"

#include <stdio.h>
#include <string.h>

/* One call on arrays: of one argument, or of two. */
typedef struct MathCall {
    void *function;
    const char *a, *b; /* b is NULL for functions of one argument */
    char *y;
    int64_t count;
} MathCall;

static void run_scalar_f32(const MathCall *call)
{
    float (*one)(float), (*two)(float, float);
    const float *a = (const void *)call->a, *b = (const void *)call->b;
    float *y = (void *)call->y;
    memcpy(&one, &call->function, sizeof one);
    memcpy(&two, &call->function, sizeof two);
    for (int64_t i = 0; i < call->count; i++)
        y[i] = b ? two(a[i], b[i]) : one(a[i]);
}

static void run_scalar_f64(const MathCall *call)
{
    double (*one)(double), (*two)(double, double);
    const double *a = (const void *)call->a, *b = (const void *)call->b;
    double *y = (void *)call->y;
    memcpy(&one, &call->function, sizeof one);
    memcpy(&two, &call->function, sizeof two);
    for (int64_t i = 0; i < call->count; i++)
        y[i] = b ? two(a[i], b[i]) : one(a[i]);
}

static void run_array(const MathCall *call)
{
    void (*one)(int, const void *, void *), (*two)(int, const void *, const void *, void *);
    memcpy(&one, &call->function, sizeof one);
    memcpy(&two, &call->function, sizeof two);
    if (call->b)
        two((int)call->count, call->a, call->b, call->y);
    else
        one((int)call->count, call->a, call->y);
}

#ifdef __x86_64__
typedef float Floats __attribute__((vector_size(32)));
typedef double Doubles __attribute__((vector_size(32)));

/* The rest of an array goes through a padded vector. */
__attribute__((target("avx2"))) static void run_vector_f32(const MathCall *call)
{
    Floats (*one)(Floats), (*two)(Floats, Floats);
    enum { LANES = 8 };
    memcpy(&one, &call->function, sizeof one);
    memcpy(&two, &call->function, sizeof two);
    for (int64_t i = 0; i < call->count; i += LANES) {
        size_t bytes = sizeof(float) * (size_t)(call->count - i < LANES ? call->count - i : LANES);
        Floats a = {0}, b = {0};
        memcpy(&a, call->a + i * (int64_t)sizeof(float), bytes);
        if (call->b)
            memcpy(&b, call->b + i * (int64_t)sizeof(float), bytes);
        Floats y = call->b ? two(a, b) : one(a);
        memcpy(call->y + i * (int64_t)sizeof(float), &y, bytes);
    }
}

__attribute__((target("avx2"))) static void run_vector_f64(const MathCall *call)
{
    Doubles (*one)(Doubles), (*two)(Doubles, Doubles);
    enum { LANES = 4 };
    memcpy(&one, &call->function, sizeof one);
    memcpy(&two, &call->function, sizeof two);
    for (int64_t i = 0; i < call->count; i += LANES) {
        size_t bytes = sizeof(double) * (size_t)(call->count - i < LANES ? call->count - i : LANES);
        Doubles a = {0}, b = {0};
        memcpy(&a, call->a + i * (int64_t)sizeof(double), bytes);
        if (call->b)
            memcpy(&b, call->b + i * (int64_t)sizeof(double), bytes);
        Doubles y = call->b ? two(a, b) : one(a);
        memcpy(call->y + i * (int64_t)sizeof(double), &y, bytes);
    }
}
#else
static void run_vector_f32(const MathCall *call)
{
    BUG("no vectors of 32 bytes here (%p)", call->function);
}

static void run_vector_f64(const MathCall *call)
{
    run_vector_f32(call);
}
#endif

bool math_takes(const Backend *backend, const Operands *o, Text *why)
{
    bool dense = tensor_span(&o->view[0]) == tensor_count(&o->view[0]), alike = true;
    (void)backend;
    for (int i = 1; i < o->shapes.count; i++)
        alike = alike && tensor_same_layout(&o->view[0], &o->view[i]);
    text_put(why, !dense ? "operands with gaps" : !alike ? "operands that are broadcast" : "");
    return dense && alike;
}

RunStatus math_run(Backend *backend, const Operands *o)
{
    const MathLibrary *library = backend->context;
    DType dtype = o->view[0].dtype;
    int last = o->shapes.count - 1;
    Text why = {0};
    bool taken = math_takes(backend, o, &why);
    (void)snprintf(backend->message, sizeof backend->message, "%s", text_string(&why));
    text_release(&why);
    if (!taken)
        return RUN_DECLINED;
    MathCall call = {
        .function = math_function(backend, o->source->op, dtype),
        .a = (const char *)o->block[0].data,
        .b = last == 2 ? (const char *)o->block[1].data : NULL,
        .y = (char *)o->block[last].data,
        .count = tensor_count(&o->view[0]),
    };
    if (library->style == MATH_ARRAY)
        run_array(&call);
    else if (library->style == MATH_VECTOR && dtype == DT_F32)
        run_vector_f32(&call);
    else if (library->style == MATH_VECTOR)
        run_vector_f64(&call);
    else if (dtype == DT_F32)
        run_scalar_f32(&call);
    else
        run_scalar_f64(&call);
    return RUN_DONE;
}
