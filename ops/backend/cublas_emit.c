/* Operands are copied to the device with a pattern around them, and back; a write beside one on the
 * device counts as wrong as one here does. */
#include "cublas_emit.h"

#include <stdio.h>
#include <string.h>

#include "cublas_routines.h"

static const char *const helpers =
    "#include <cublas_v2.h>\n"
    "#include <cuda_runtime_api.h>\n"
    "\n"
    "enum { ZONE = 512, ALIGNMENT = 64 };\n"
    "\n"
    "static void must(int error, const char *what)\n"
    "{\n"
    "    if (error == 0)\n"
    "        return;\n"
    "    printf(\"%s: error %d\\n\", what, error);\n"
    "    fflush(stdout);\n"
    "    _exit(1);\n"
    "}\n"
    "\n"
    "static size_t shift_of(const void *host)\n"
    "{\n"
    "    return (size_t)host % ALIGNMENT;\n"
    "}\n"
    "\n"
    "/* A copy on the device, as far from a multiple of ALIGNMENT, with 0xA5 around it. */\n"
    "static void *upload(const void *host, size_t bytes)\n"
    "{\n"
    "    size_t whole = bytes + 2 * ZONE + ALIGNMENT;\n"
    "    unsigned char *image = malloc(whole), *device;\n"
    "    if (!image)\n"
    "        exit(2);\n"
    "    memset(image, 0xA5, whole);\n"
    "    memcpy(image + ZONE + shift_of(host), host, bytes);\n"
    "    must(cudaMalloc((void **)&device, whole), \"cudaMalloc\");\n"
    "    must(cudaMemcpy(device, image, whole, cudaMemcpyHostToDevice), \"cudaMemcpy\");\n"
    "    free(image);\n"
    "    return device + ZONE + shift_of(host);\n"
    "}\n"
    "\n"
    "/* Copies it back; 1 where something beside it was written, else 0. */\n"
    "static int download(void *host, void *device, size_t bytes, const char *name)\n"
    "{\n"
    "    unsigned char zone[ZONE];\n"
    "    int written = 0;\n"
    "    must(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), \"cudaMemcpy\");\n"
    "    for (int side = 0; side < 2; side++) {\n"
    "        unsigned char *at = (unsigned char *)device + (side ? (long)bytes : -ZONE);\n"
    "        must(cudaMemcpy(zone, at, ZONE, cudaMemcpyDeviceToHost), \"cudaMemcpy\");\n"
    "        for (int i = 0; i < ZONE; i++)\n"
    "            written |= zone[i] != 0xA5;\n"
    "    }\n"
    "    if (written)\n"
    "        printf(\"bytes beside %s were written on the device\\n\", name);\n"
    "    return written;\n"
    "}\n";

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
    text_printf(declaration, "%s", helpers);
}

void cublas_emit_alignment(int most, Text *declaration)
{
    text_printf(declaration,
                "\n"
                "static uint32_t alignment_of(const void *device)\n"
                "{\n"
                "    uint32_t aligned = %d;\n"
                "    while ((size_t)device %% aligned)\n"
                "        aligned /= 2;\n"
                "    return aligned;\n"
                "}\n",
                most);
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
        cblas_emit_number(dtype, factor.re, call);
        text_printf(call, ", ");
        if (dtype_components(dtype) == 2)
            cblas_emit_number(dtype, factor.im, call);
        text_printf(call, dtype_components(dtype) == 2 ? ", " : "");
    }
    text_printf(call, "};\n    const void *%s = ", name);
    text_printf(call, device ? "upload(%s_value, sizeof %s_value);\n" : "%s_value;\n", name, name);
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

/* What comes back: operands, and the position that counts from 1. */
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
    Emission e = {.o = o, .dtype = case_dtype(o->source), .call = call, .index = -1};
    char name[64];
    Text error = {0};
    if (!cublas_read_mode(&e.mode, backend->mode, &error))
        BUG("%s", text_string(&error));
    e.routine = cublas_routine(o->source->op->name, &e.mode);
    e.factors = cublas_factor_dtype(e.routine, o->source->op, e.dtype, &e.mode);
    e.count = cblas_arguments(e.routine, o->source->op, e.arguments);
    (void)cublas_symbol(e.routine, e.dtype, name, sizeof name);
    if (e.routine->names[0] == 'I')
        e.index = cblas_operand(o->source->op, "result", strlen("result"));
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
