/* The calls as C source. */
#include <math.h>

#include "xnnpack_plan.h"

static const char *const arrange_source =
    "/* Between a dense array and an operand whose axes have other strides. */\n"
    "static void arrange(char *dense, char *operand, int rank, const long *extent,\n"
    "                    const long *stride, size_t size, int back)\n{\n"
    "    long count = 1;\n    for (int axis = 0; axis < rank; axis++)\n"
    "        count *= extent[axis];\n"
    "    for (long i = 0; i < count; i++) {\n        long number = i, offset = 0;\n"
    "        for (int axis = rank - 1; axis >= 0; axis--) {\n"
    "            offset += number % extent[axis] * stride[axis];\n"
    "            number /= extent[axis];\n        }\n"
    "        char *here = operand + offset * (long)size, *there = dense + i * (long)size;\n"
    "        memcpy(back ? here : there, back ? there : here, size);\n    }\n}\n\n"
    "static void expect(int status)\n{\n    if (status == 0)\n        return;\n"
    "    printf(\"status %d\\n\", status);\n    exit(2);\n}\n";

static const char *type_of(XnnArgumentKind kind)
{
    static const char *const types[] = {
        [XNN_SIZE] = "size_t",        [XNN_NUMBER] = "unsigned",
        [XNN_FLOAT] = "float",        [XNN_SIGNED_BYTE] = "signed char",
        [XNN_BYTE] = "unsigned char", [XNN_SIZES] = "const size_t *",
        [XNN_BUFFER] = "void *",      [XNN_OPERATOR] = "void *",
        [XNN_CREATED] = "void **"};
    return types[kind];
}

static void put_float(double value, Text *text)
{
    if (isinf(value))
        text_printf(text, value < 0 ? "-INFINITY" : "INFINITY");
    else
        text_printf(text, "%af", value);
}

static void put_argument(const XnnArgument *a, Text *text)
{
    switch (a->kind) {
    case XNN_FLOAT:
        put_float(a->number, text);
        break;
    case XNN_SIZES:
        text_printf(text, "(const size_t[]){");
        for (int64_t i = 0; i < a->integer; i++)
            text_printf(text, "%zu, ", a->sizes[i]);
        text_printf(text, "0}");
        break;
    case XNN_BUFFER:
        if (a->integer < 0)
            text_printf(text, "NULL");
        else
            text_printf(text, "buffer%d", (int)a->integer);
        break;
    case XNN_OPERATOR:
        text_printf(text, "instance");
        break;
    case XNN_CREATED:
        text_printf(text, "&instance");
        break;
    default:
        text_printf(text, "%lld", (long long)a->integer);
    }
}

static void put_prototype(const XnnCall *c, Text *text)
{
    text_printf(text, "int %s(", c->function);
    for (int i = 0; i < c->count; i++)
        text_printf(text, "%s%s", i ? ", " : "", type_of(c->arguments[i].kind));
    text_printf(text, ");\n");
}

static void put_call(const XnnCall *c, Text *text)
{
    text_printf(text, "    expect(%s(", c->function);
    for (int i = 0; i < c->count; i++) {
        text_printf(text, i ? ", " : "");
        put_argument(&c->arguments[i], text);
    }
    text_printf(text, "));\n");
}

static void put_list(const int64_t *values, int count, Text *text)
{
    text_printf(text, "(const long[]){");
    for (int i = 0; i < count; i++)
        text_printf(text, "%lld, ", (long long)values[i]);
    text_printf(text, "0}");
}

static void put_arrange(const XnnPlan *plan, int number, bool back, Text *text)
{
    const XnnBuffer *b = &plan->buffers[number];
    text_printf(text, "    arrange(buffer%d, (char *)%s, %d, ", number,
                plan->operands->source->op->tensors[b->operand], b->rank);
    put_list(b->extent, b->rank, text);
    text_printf(text, ", ");
    put_list(b->stride, b->rank, text);
    text_printf(text, ", %zu, %d);\n", dtype_size(plan->operands->view[b->operand].dtype), back);
}

void xnnpack_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    XnnPlan plan;
    (void)backend;
    if (!xnnpack_plan(&plan, o))
        return;
    text_printf(declaration, "int xnn_initialize(const void *allocator);\n"
                             "int xnn_run_operator(void *instance, void *threads);\n");
    put_prototype(&plan.create, declaration);
    put_prototype(&plan.setup, declaration);
    text_printf(declaration, "\n%s", arrange_source);
    text_printf(call, "{\n    void *instance = NULL;\n");
    for (int i = 0; i < plan.buffer_count; i++) {
        const XnnBuffer *b = &plan.buffers[i];
        const Tensor *view = &o->view[b->operand];
        text_printf(call, "    static _Alignas(64) char buffer%d[%zu];\n", i,
                    (size_t)tensor_count(view) * dtype_size(view->dtype) + XNN_EXTRA_BYTES);
        if (!operands_is_output(o, b->operand))
            put_arrange(&plan, i, false, call);
    }
    text_printf(call, "    expect(xnn_initialize(NULL));\n");
    put_call(&plan.create, call);
    put_call(&plan.setup, call);
    text_printf(call, "    expect(xnn_run_operator(instance, NULL));\n");
    for (int i = 0; i < plan.buffer_count; i++)
        if (operands_is_output(o, plan.buffers[i].operand))
            put_arrange(&plan, i, true, call);
    text_printf(call, "    }");
}
