/* Operands are copied to the device with a pattern around them, and back; a write beside one on the
 * device counts as wrong as one here does. */
#include "cublas_emit.h"

#include <stdio.h>
#include <string.h>

#include "cublas_bindings.h"
#include "ops/backend/c_source.h"
#include "reference/template.h"

extern const char cuda_alignment_c_in[], cuda_device_c_in[];

typedef struct Emission {
    const Operands *o;
    const CblasRoutine *routine;
    CublasMode mode;
    DType dtype, factors; /* of the case; of alpha and beta */
    int count, index;
    CblasArgument arguments[CBLAS_ARGUMENTS_MAX];
    Text *call;
} Emission;

static bool is_on_device(const Emission *e, int tensor)
{
    for (int i = 0; i < e->count; i++)
        if (e->arguments[i].tensor == tensor && e->arguments[i].as_scalar)
            return e->mode.device && tensor != e->index;
    return true;
}

void cublas_emit_helpers(Text *declaration)
{
    text_put(declaration, cuda_device_c_in);
}

void cublas_emit_alignment(int most, Text *declaration)
{
    const TemplateValue values[] = {{"MOST", NULL, most}, {0}};
    text_put(declaration, "\n");
    template_put(declaration, cuda_alignment_c_in, values);
}

void cublas_emit_environment(const CublasMode *mode, Text *call)
{
    if (cublas_is_emulated(mode))
        text_printf(call, "    setenv(\"%s\", \"%s\", 1);\n", CUBLAS_EMULATION_VARIABLE,
                    CUBLAS_EMULATION_EAGER);
}

void cublas_emit_factor(const char *name, DType dtype, Scalar factor, int64_t times, bool device,
                        Text *call)
{
    size_t size = dtype_component_size(dtype);
    text_printf(call, "    static const %s %s_value[] = {",
                dtype == DT_I32 ? "int"
                : size == 2     ? "unsigned short"
                : size == 4     ? "float"
                                : "double",
                name);
    for (int64_t i = 0; i < times; i++) {
        c_put_number(call, dtype, factor.re);
        text_printf(call, ", ");
        if (dtype_components(dtype) == 2)
            c_put_number(call, dtype, factor.im);
        text_printf(call, dtype_components(dtype) == 2 ? ", " : "");
    }
    text_printf(call, "};\n    const void *%s = ", name);
    text_printf(call, device ? "upload(%s_value, sizeof %s_value);\n" : "%s_value;\n", name, name);
}

void cublas_emit_scratch(const char *name, int64_t bytes, const Text *fill, Text *call)
{
    enum { ALIGNMENT = 256 };
    long long whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    text_printf(call,
                "    char *%s = aligned_alloc(%d, %lld);\n"
                "    memset(%s, 0, %lld);\n"
                "%s"
                "    void *device_%s = upload(%s, %lld);\n",
                name, ALIGNMENT, whole, name, (long long)bytes, text_string(fill), name, name,
                (long long)bytes);
}

static void put_upload(const Operands *o, int operand, Text *call)
{
    const char *name = o->source->op->tensors[operand];
    text_printf(call, "    void *device_%s = upload(%s, %zu);\n", name, name,
                o->block[operand].bytes);
}

static void put_download(const Operands *o, int operand, Text *call)
{
    const char *name = o->source->op->tensors[operand];
    text_printf(call, "    bad += download(%s, device_%s, %zu, \"%s\");\n", name, name,
                o->block[operand].bytes, name);
}

void cublas_emit_uploads(const Operands *o, Text *call)
{
    for (int i = 0; i < o->shapes.count; i++)
        put_upload(o, i, call);
}

void cublas_emit_downloads(const Operands *o, Text *call)
{
    for (int i = 0; i < o->shapes.count; i++)
        put_download(o, i, call);
}

static void put_factor(const Emission *e, const CblasArgument *a, int64_t times)
{
    Scalar factor = *(const Scalar *)(const void *)(e->o->source->params + a->param->offset);
    cublas_emit_factor(a->name, e->factors, factor, times, e->mode.device, e->call);
}

/* Addresses of all matrices, or one number for each group. */
static void put_list(const Emission *e, const CblasArgument *a)
{
    const Case *c = e->o->source;
    if (a->kind == ARGUMENT_OPERAND) {
        long long matrices = (long long)cublas_matrices(c);
        text_printf(e->call,
                    "    void *list_%s[%lld];\n"
                    "    for (int i = 0; i < %lld; i++)\n"
                    "        list_%s[i] = (char *)device_%s + %zu * i;\n",
                    a->name, matrices + 1, matrices, a->name, a->name,
                    (size_t)e->o->shapes.tensor[a->tensor].batch_stride * dtype_size(e->dtype));
        return;
    }
    text_printf(e->call, "    static const %s list_%s[] = {",
                e->mode.wide && a->kind != ARGUMENT_CHOICE ? "int64_t" : "int", a->name);
    for (int64_t i = 0; i < case_int(c, "groups"); i++)
        text_printf(e->call, "%lld, ",
                    (long long)cublas_integer(a, &e->mode, &e->o->shapes, e->o->source));
    text_printf(e->call, "};\n");
}

/* Copies of operands and factors where the call wants them. */
static void put_preparation(const Emission *e)
{
    for (int i = 0; i < e->o->shapes.count; i++)
        if (is_on_device(e, i))
            put_upload(e->o, i, e->call);
    for (int i = 0; i < e->count; i++) {
        const CblasArgument *a = &e->arguments[i];
        if (a->kind == ARGUMENT_SCALAR)
            put_factor(e, a, a->by_group ? case_int(e->o->source, "groups") : 1);
        else if (a->by_group)
            put_list(e, a);
    }
    if (e->index >= 0)
        text_printf(e->call, "    %s position = 0;\n    void *at = %s;\n",
                    e->mode.wide ? "int64_t" : "int",
                    e->mode.device ? "upload(&position, sizeof position)" : "&position");
}

static void put_argument(const Emission *e, const CblasArgument *a)
{
    if (a->kind == ARGUMENT_SCALAR)
        text_printf(e->call, "%s", a->name);
    else if (a->kind == ARGUMENT_OPERAND && a->by_group)
        text_printf(e->call, "upload(list_%s, sizeof list_%s)", a->name, a->name);
    else if (a->kind == ARGUMENT_OPERAND)
        text_printf(e->call,
                    a->tensor == e->index        ? "at"
                    : is_on_device(e, a->tensor) ? "device_%s"
                                                 : "%s",
                    a->name);
    else if (a->by_group)
        text_printf(e->call, "(void *)list_%s", a->name);
    else
        text_printf(e->call, "%lld",
                    (long long)cublas_integer(a, &e->mode, &e->o->shapes, e->o->source));
}

/* Writes the downloads of the results: operands, and a position, which cuBLAS counts from 1. */
static void put_results(const Emission *e)
{
    const OpDesc *op = e->o->source->op;
    for (int i = 0; i < e->o->shapes.count; i++)
        if (is_on_device(e, i))
            put_download(e->o, i, e->call);
    if (e->index < 0)
        return;
    if (e->mode.device)
        text_printf(e->call,
                    "    bad += download(&position, at, sizeof position, \"position\");\n");
    text_printf(e->call, "    *%s = position > 0 ? position - 1 : 0;\n", op->tensors[e->index]);
}

void cublas_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    Emission e = {.o = o, .dtype = case_dtype(o->source), .call = call};
    char name[64];
    Text error = {0};
    if (!cublas_read_mode(&e.mode, backend->mode, &error))
        BUG("%s", text_string(&error));
    e.routine = cublas_routine(o->source->op->name, &e.mode);
    e.factors = cublas_factor_dtype(e.routine, o->source->op, e.dtype, &e.mode);
    e.count = cblas_arguments(e.routine, o->source->op, e.arguments);
    (void)cublas_symbol(e.routine, e.dtype, name, sizeof name);
    e.index = cblas_position(e.routine, o->source->op);
    cublas_emit_helpers(declaration);
    text_printf(call, "{\n");
    cublas_emit_environment(&e.mode, call);
    text_printf(call, "    cublasHandle_t handle;\n"
                      "    must(cublasCreate(&handle), \"cublasCreate\");\n");
    text_printf(call, "    must(cublasSetMathMode(handle, %d), \"cublasSetMathMode\");\n",
                cublas_math_mode(&e.mode));
    if (e.mode.stream)
        text_printf(call, "    cudaStream_t stream;\n"
                          "    must(cudaStreamCreate(&stream), \"cudaStreamCreate\");\n"
                          "    must(cublasSetStream(handle, stream), \"cublasSetStream\");\n");
    if (e.mode.workspace)
        text_printf(
            call,
            "    void *workspace;\n"
            "    must(cudaMalloc(&workspace, %d), \"cudaMalloc\");\n"
            "    must(cublasSetWorkspace(handle, workspace, %d), \"cublasSetWorkspace\");\n",
            CUBLAS_WORKSPACE, CUBLAS_WORKSPACE);
    if (e.mode.device)
        text_printf(call, "    must(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), "
                          "\"cublasSetPointerMode\");\n");
    put_preparation(&e);
    int64_t illegal = o->source->exec.illegal;
    text_printf(call, "    %s%s%s(handle", illegal ? "reported = " : "must(", name,
                e.mode.wide && cublas_has_integers(e.routine) ? "_64" : "");
    for (int i = 0; i < e.count; i++) {
        text_printf(call, ", ");
        if (i + 1 == illegal)
            text_printf(call, "%lld",
                        (long long)cublas_illegal_integer(&e.arguments[i], &o->shapes, o->source));
        else
            put_argument(&e, &e.arguments[i]);
    }
    if (illegal)
        text_printf(call, ") == CUBLAS_STATUS_INVALID_VALUE ? %d : 0", (int)illegal);
    else
        text_printf(call, "), \"%s\")", name);
    text_printf(call, ";\n    must(cudaDeviceSynchronize(), \"the kernel\");\n");
    put_results(&e);
    text_printf(call, "    }");
}
