/* The model as an array of bytes, and a few functions of the library's table. */
#include "ort_emit.h"

#include "library.h"
#include "onnx_rows.h"
#include "ort_api.h"

enum { BYTES_PER_LINE = 16 };

static const char *const session_source =
    "/* ONNX Runtime's functions are called by their numbers in its table. */\n"
    "typedef struct OrtApiBase {\n    void *const *(*api)(unsigned version);\n"
    "    const char *(*version)(void);\n} OrtApiBase;\n"
    "const OrtApiBase *OrtGetApiBase(void);\n\n"
    "static void *const *api;\n\n"
    "static void expect(void *status)\n{\n"
    "    if (!status)\n        return;\n"
    "    printf(\"%%s\\n\", ((const char *(*)(void *))api[%d])(status));\n"
    "    exit(2);\n}\n\n"
    "static void *session(void)\n{\n"
    "    void *environment, *options, *session;\n"
    "    api = OrtGetApiBase()->api(%d);\n"
    "    expect(((void *(*)(int, const char *, void **))api[%d])(%d, \"case\", &environment));\n"
    "    expect(((void *(*)(void **))api[%d])(&options));\n"
    "    expect(((void *(*)(void *, int))api[%d])(options, %d));\n"
    "    expect(((void *(*)(void *, int))api[%d])(options, 1));\n"
    "    expect(((void *(*)(void *, const void *, size_t, void *, void **))api[%d])(\n"
    "        environment, model, sizeof model, options, &session));\n"
    "    return session;\n}\n\n"
    "static void *tensor(void *data, size_t bytes, const long *shape, size_t rank, int type)\n{\n"
    "    static void *memory;\n    void *value = NULL;\n"
    "    if (!memory)\n        expect(((void *(*)(int, int, void **))api[%d])(1, 0, &memory));\n"
    "    expect(((void *(*)(void *, void *, size_t, const long *, size_t, int, void **))api[%d])(\n"
    "        memory, data, bytes, shape, rank, type, &value));\n"
    "    return value;\n}\n\n"
    "static void run(void *session, const char *const *in, void **inputs, size_t input_count,\n"
    "                const char *const *out, void **outputs, size_t output_count)\n{\n"
    "    expect(((void *(*)(void *, void *, const char *const *, void **, size_t,\n"
    "                       const char *const *, size_t, void **))api[%d])(\n"
    "        session, NULL, in, inputs, input_count, out, output_count, outputs));\n}\n";

static void put_model(const Operands *o, Text *declaration)
{
    Text model = {0};
    (void)onnx_write(onnx_row(o->source->op), o, &model);
    text_printf(declaration, "static const unsigned char model[] = {");
    for (size_t i = 0; i < model.length; i++)
        text_printf(declaration, "%s%d,", i % BYTES_PER_LINE ? " " : "\n    ",
                    (unsigned char)model.data[i]);
    text_printf(declaration, "\n};\n\n");
    text_release(&model);
}

static void put_values(const Operands *o, bool outputs, Text *call)
{
    int count = 0;
    text_printf(call, "const char *const %s_names[] = {", outputs ? "output" : "input");
    for (int i = 0; i < o->shapes.count; i++)
        if (outputs ? operands_is_output(o, i) : onnx_takes(o, i))
            text_printf(call, "\"%s\", ", o->source->op->tensors[i]);
    text_printf(call, "NULL};\n    void *%s[] = {", outputs ? "outputs" : "inputs");
    for (int i = 0; i < o->shapes.count; i++) {
        if (!(outputs ? operands_is_output(o, i) : onnx_takes(o, i)))
            continue;
        text_printf(call, "%stensor(%s, %zu, (const long[]){", count++ ? ",\n        " : "",
                    o->source->op->tensors[i], o->block[i].bytes);
        for (int axis = 0; axis < o->view[i].rank; axis++)
            text_printf(call, "%lld, ", (long long)o->view[i].extent[axis]);
        text_printf(call, "0}, %d, %d)", o->view[i].rank, onnx_type(o->view[i].dtype));
    }
    text_printf(call, "%sNULL};\n    ", count ? ", " : "");
}

void ort_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    int counts[2] = {0, 0};
    for (int i = 0; i < o->shapes.count; i++) {
        counts[0] += onnx_takes(o, i);
        counts[1] += operands_is_output(o, i);
    }
    put_model(o, declaration);
    text_printf(declaration, session_source, ORT_ERROR_MESSAGE, ORT_API_VERSION,
                ORT_CREATE_ENVIRONMENT, ORT_LOG_FATAL, ORT_CREATE_OPTIONS, ORT_SET_OPTIMISATION,
                library_has_setting(backend, "noopt") ? 0 : ORT_OPTIMISE_ALL, ORT_SET_INTRA_THREADS,
                ORT_CREATE_SESSION, ORT_CREATE_CPU_MEMORY, ORT_CREATE_TENSOR, ORT_RUN);
    text_printf(call, "{\n    void *made = session();\n    ");
    put_values(o, false, call);
    put_values(o, true, call);
    text_printf(call, "run(made, input_names, inputs, %d, output_names, outputs, %d);\n    }",
                counts[0], counts[1]);
}
