/* Finds the functions and calls them element by element, vector by vector or array by array. */
#include "math_library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct MathLibrary {
    void *handle;
    MathStyle style;
    void *functions[OP_MAX][2]; /* by number of the operator; binary32, binary64 */
} MathLibrary;

static const MathRow *find_row(const MathSource *source, const OpDesc *op)
{
    for (const MathRow *row = source->rows; row->op; row++)
        if (!strcmp(row->op, op->name))
            return row;
    return NULL;
}

static void find_functions(const Backend *backend, const MathSource *source, MathLibrary *library)
{
    for (int i = 0; op_registry[i]; i++) {
        const MathRow *row = find_row(source, op_registry[i]);
        for (int wide = 0; row && wide < 2; wide++) {
            char symbol[96];
            source->spell(backend, row->word, wide ? DT_F64 : DT_F32, symbol, sizeof symbol);
            library->functions[i][wide] = dlsym(library->handle, symbol);
        }
    }
}

bool math_open(Backend *backend, Text *error)
{
    const MathSource *source = backend->kind->source;
    MathLibrary *library = calloc(1, sizeof *library);
    if (!library)
        BUG("out of memory");
    library->handle = library_open(backend, &source->library, error);
    if (!library->handle) {
        free(library);
        return false;
    }
    backend->context = library;
    backend->facts.threads = 1;
    library->style = source->style(backend);
    if (source->prepare)
        source->prepare(backend, library->handle);
    library_describe(library->handle, &backend->facts);
    find_functions(backend, source, library);
    return true;
}

void math_close(Backend *backend)
{
    MathLibrary *library = backend->context;
    if (!library)
        return;
    (void)dlclose(library->handle);
    free(library);
    backend->context = NULL;
}

static void *function_of(const Backend *backend, const OpDesc *op, DType dtype)
{
    const MathLibrary *library = backend->context;
    if (dtype != DT_F32 && dtype != DT_F64)
        return NULL;
    return library->functions[op_number(op)][dtype == DT_F64];
}

bool math_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    return function_of(backend, op, dtype) != NULL;
}

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

static void run_array(const MathCall *call, bool wide_counts)
{
    void (*one)(int, const void *, void *), (*two)(int, const void *, const void *, void *);
    void (*long_one)(long, const void *, void *);
    memcpy(&one, &call->function, sizeof one);
    memcpy(&two, &call->function, sizeof two);
    memcpy(&long_one, &call->function, sizeof long_one);
    if (call->b)
        two((int)call->count, call->a, call->b, call->y);
    else if (wide_counts)
        long_one(call->count, call->a, call->y);
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

/* Operands that are broadcast or have gaps are not what these functions take. */
static bool same_extents(const Operands *o)
{
    if (tensor_span(&o->view[0]) != tensor_count(&o->view[0]))
        return false;
    for (int i = 1; i < o->shapes.count; i++)
        if (!tensor_same_layout(&o->view[0], &o->view[i]))
            return false;
    return true;
}

RunStatus math_run(Backend *backend, const Operands *o)
{
    const MathSource *source = backend->kind->source;
    const MathLibrary *library = backend->context;
    DType dtype = o->view[0].dtype;
    int last = o->shapes.count - 1;
    if (!same_extents(o))
        return RUN_DECLINED;
    MathCall call = {
        .function = function_of(backend, o->source->op, dtype),
        .a = (const char *)o->block[0].data,
        .b = last == 2 ? (const char *)o->block[1].data : NULL,
        .y = (char *)o->block[last].data,
        .count = tensor_count(&o->view[0]),
    };
    if (library->style == MATH_ARRAY)
        run_array(&call, source->counts_are_long);
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

void math_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    const MathSource *source = backend->kind->source;
    const MathLibrary *library = backend->context;
    const char *const *names = o->source->op->tensors;
    const char *type = o->view[0].dtype == DT_F32 ? "float" : "double";
    bool two = o->shapes.count == 3, avx = library->style == MATH_VECTOR;
    long long count = (long long)tensor_count(&o->view[0]);
    char symbol[96];
    source->spell(backend, find_row(source, o->source->op)->word, o->view[0].dtype, symbol,
                  sizeof symbol);
    if (library->style == MATH_ARRAY) {
        text_printf(declaration, "void %s(int n, const %s *a, %s%s*y);\n", symbol, type,
                    two ? "const void *b, " : "", type);
        text_printf(call, "%s(%lld, %s, %s%s%s);", symbol, count, names[0], two ? names[1] : "",
                    two ? ", " : "", names[o->shapes.count - 1]);
        return;
    }
    if (avx)
        text_printf(declaration, "typedef %s Vector __attribute__((vector_size(32)));\n", type);
    text_printf(declaration, "%s %s(%s%s);\n", avx ? "Vector" : type, symbol, avx ? "Vector" : type,
                !two  ? ""
                : avx ? ", Vector"
                      : (o->view[0].dtype == DT_F32 ? ", float" : ", double"));
    text_printf(call, "for (int i = 0; i < %lld; i++)\n        %s[i] = ", count,
                names[o->shapes.count - 1]);
    if (avx)
        text_printf(call,
                    two ? "%s((Vector){%s[i]}, (Vector){%s[i]})[0];" : "%s((Vector){%s[i]})[0];",
                    symbol, names[0], names[1]);
    else
        text_printf(call, two ? "%s(%s[i], %s[i]);" : "%s(%s[i]);", symbol, names[0], names[1]);
}
