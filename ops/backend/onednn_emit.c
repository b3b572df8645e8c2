/* C source of a plan: the same calls, without the library's headers. */
#include "onednn_library.h"

static void put_dims(Text *text, const int64_t *values, int count)
{
    text_printf(text, "(const long[12]){");
    for (int i = 0; i < count; i++)
        text_printf(text, "%s%lld", i ? ", " : "", (long long)values[i]);
    text_printf(text, "}");
}

static void put_argument(DnnlLibrary *l, const DnnlArgument *a, Text *text)
{
    switch (a->kind) {
    case DNNL_BLOB:
        text_printf(text, "blob");
        break;
    case DNNL_RESULT:
        text_printf(text, "&result");
        break;
    case DNNL_ENGINE:
        text_printf(text, "engine");
        break;
    case DNNL_MEMORY:
        text_printf(text, a->integer < 0 ? "NULL" : "described[%lld]", (long long)a->integer);
        break;
    case DNNL_DIMENSIONS:
        put_dims(text, a->dimensions, DNNL_DIMS_MAX);
        break;
    case DNNL_NOTHING:
        text_printf(text, "NULL");
        break;
    case DNNL_NUMBER:
        text_printf(text, "%af", a->number);
        break;
    case DNNL_ALGORITHM:
        text_printf(text, "%d /* %s */", dnnl_algorithm(l, a->algorithm), a->algorithm);
        break;
    case DNNL_INTEGER:
        text_printf(text, "%lld", (long long)a->integer);
        break;
    }
}

static const char *type_of(DnnlArgumentKind kind)
{
    switch (kind) {
    case DNNL_RESULT:
        return "void **";
    case DNNL_NUMBER:
        return "float";
    case DNNL_ALGORITHM:
    case DNNL_INTEGER:
        return "int";
    case DNNL_BLOB:
        return "void *";
    default:
        return "const void *";
    }
}

static void put_declarations(const DnnlPlan *plan, Text *declaration)
{
    text_printf(declaration,
                "int dnnl_engine_create(void **engine, int kind, size_t index);\n"
                "int dnnl_stream_create(void **stream, void *engine, unsigned flags);\n"
                "int dnnl_stream_wait(void *stream);\n"
                "int dnnl_primitive_create(void **primitive, const void *descriptor);\n"
                "int dnnl_memory_create(void **memory, const void *descriptor, void *engine, "
                "void *data);\n"
                "typedef struct ExecArgument {\n    int argument;\n    void *memory;\n"
                "} ExecArgument;\n"
                "int dnnl_primitive_execute(const void *primitive, void *stream, int count,\n"
                "                           const ExecArgument *arguments);\n");
    if (plan->version == 2)
        text_printf(declaration,
                    "int dnnl_memory_desc_init_by_strides(void *blob, int rank, const long *dims, "
                    "int type,\n"
                    "                                     const long *strides);\n"
                    "int dnnl_primitive_desc_create(void **result, const void *blob, const void "
                    "*attributes,\n"
                    "                               void *engine, const void *hint);\n");
    else
        text_printf(declaration,
                    "int dnnl_memory_desc_create_with_strides(void **memory, int rank, const "
                    "long *dims, int type,\n"
                    "                                         const long *strides);\n");
    text_printf(declaration, "int %s(", plan->function);
    for (int i = 0; i < plan->argument_count; i++)
        text_printf(declaration, "%s%s", i ? ", " : "", type_of(plan->arguments[i].kind));
    text_printf(declaration,
                ");\n\nstatic void expect(int status)\n{\n    if (status == 0)\n"
                "        return;\n    printf(\"status %%d\\n\", status);\n    exit(2);\n}\n");
}

void onednn_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    DnnlLibrary *l = backend->context;
    DnnlPlan plan;
    if (!dnnl_plan(&plan, l->version, o))
        return;
    put_declarations(&plan, declaration);
    text_printf(
        call,
        "{\n    static _Alignas(64) char blob[1 << 16], memory_blob[%d][4096];\n"
        "    void *engine, *stream, *result = NULL, *primitive, *described[%d], *memory[%d];\n"
        "    expect(dnnl_engine_create(&engine, 1, 0));\n"
        "    expect(dnnl_stream_create(&stream, engine, 1));\n    (void)blob;\n",
        plan.memory_count, plan.memory_count, plan.memory_count);
    for (int i = 0; i < plan.memory_count; i++) {
        const DnnlMemory *m = &plan.memories[i];
        text_printf(call, "    described[%d] = memory_blob[%d];\n    expect(%s%s[%d], %d, ", i, i,
                    l->version == 2 ? "dnnl_memory_desc_init_by_strides("
                                    : "dnnl_memory_desc_create_with_strides(&",
                    "described", i, m->rank);
        put_dims(call, m->extent, m->rank);
        text_printf(call, ", %d, ", m->type);
        put_dims(call, m->stride, m->rank);
        text_printf(call, "));\n");
    }
    text_printf(call, "    expect(%s(", plan.function);
    for (int i = 0; i < plan.argument_count; i++) {
        text_printf(call, i ? ", " : "");
        put_argument(l, &plan.arguments[i], call);
    }
    text_printf(call, "));\n");
    if (l->version == 2)
        text_printf(call,
                    "    expect(dnnl_primitive_desc_create(&result, blob, NULL, engine, NULL));\n");
    text_printf(call, "    expect(dnnl_primitive_create(&primitive, result));\n");
    int count = 0;
    for (int i = 0; i < plan.memory_count; i++) {
        count += plan.memories[i].argument != 0;
        if (plan.memories[i].argument != 0)
            text_printf(call,
                        "    expect(dnnl_memory_create(&memory[%d], described[%d], engine, %s));\n",
                        i, i, o->source->op->tensors[plan.memories[i].operand]);
    }
    text_printf(call,
                "    expect(dnnl_primitive_execute(primitive, stream, %d, (const ExecArgument[]){",
                count);
    for (int i = 0, put = 0; i < plan.memory_count; i++)
        if (plan.memories[i].argument != 0)
            text_printf(call, "%s{%d, memory[%d]}", put++ ? ", " : "", plan.memories[i].argument,
                        i);
    text_printf(call, "}));\n    expect(dnnl_stream_wait(stream));\n    }");
}
