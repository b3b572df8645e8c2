/* The model as an array of bytes, and a few functions of the library's table. */
#include "emit.h"

#include <stdio.h>

#include "dialect.h"
#include "form.h"
#include "graph.h"
#include "model.h"
#include "ops/backend/library.h"
#include "ort_api.h"
#include "reference/template.h"

extern const char ort_session_c_in[];

enum { BYTES_PER_LINE = 16 };

static void put_model(const Operands *o, int opset, Text *declaration)
{
    Text model = {0}, why = {0};
    (void)onnx_write(o, opset, &model, NULL, &why);
    text_release(&why);
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
        /* As in a campaign: the library makes room for what an illegal call gives. */
        if (outputs && o->source->exec.illegal) {
            text_printf(call, "%sNULL", count++ ? ", " : "");
            continue;
        }
        text_printf(call, "%stensor(%s, %zu, (const long[]){", count++ ? ",\n        " : "",
                    o->source->op->tensors[i], o->block[i].bytes);
        for (int axis = 0; axis < o->view[i].rank; axis++)
            text_printf(call, "%lld, ", (long long)o->view[i].extent[axis]);
        text_printf(call, "0}, %d, %d)", o->view[i].rank, onnx_type(o->view[i].dtype));
    }
    text_printf(call, "%sNULL};\n    ", count ? ", " : "");
}

/* illegal: the number of the argument that the library is to refuse, or 0. */
static void put_session(const Backend *backend, int api, int64_t illegal, Text *declaration)
{
    char refused[32] = "exit(2)";
    if (illegal)
        (void)snprintf(refused, sizeof refused, "reported = %lld", (long long)illegal);
    const TemplateValue values[] = {
        {"ERROR_MESSAGE", NULL, ORT_ERROR_MESSAGE},
        {"API_VERSION", NULL, api},
        {"CREATE_ENVIRONMENT", NULL, ORT_CREATE_ENVIRONMENT},
        {"LOG_FATAL", NULL, ORT_LOG_FATAL},
        {"CREATE_OPTIONS", NULL, ORT_CREATE_OPTIONS},
        {"SET_OPTIMISATION", NULL, ORT_SET_OPTIMISATION},
        {"OPTIMISATION", NULL, library_has_setting(backend, "noopt") ? 0 : ORT_OPTIMISE_ALL},
        {"SET_INTRA_THREADS", NULL, ORT_SET_INTRA_THREADS},
        {"CREATE_SESSION", NULL, ORT_CREATE_SESSION},
        {"CREATE_CPU_MEMORY", NULL, ORT_CREATE_CPU_MEMORY},
        {"CREATE_TENSOR", NULL, ORT_CREATE_TENSOR},
        {"RUN", NULL, ORT_RUN},
        {"REFUSED", refused, 0},
        {"REPORTED", illegal ? "static int reported;\n" : "", 0},
        {"GUARD", illegal ? "    if (reported)\n        return;\n" : "", 0},
        {0}};
    template_put(declaration, ort_session_c_in, values);
}

void ort_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call)
{
    Illegal illegal;
    Operands altered;
    const Operands *o = onnx_spoilt(operands, &illegal, &altered);
    OnnxDialect dialect = onnx_dialect(backend->facts.version);
    int counts[2] = {0, 0};
    for (int i = 0; i < o->shapes.count; i++) {
        counts[0] += onnx_takes(o, i);
        counts[1] += operands_is_output(o, i);
    }
    put_model(o, dialect.opset, declaration);
    put_session(backend, dialect.api, operands->source->exec.illegal, declaration);
    text_printf(call, "{\n    void *made = session();\n    ");
    put_values(o, false, call);
    put_values(o, true, call);
    text_printf(call, "run(made, input_names, inputs, %d, output_names, outputs, %d);\n    }",
                counts[0], counts[1]);
}
