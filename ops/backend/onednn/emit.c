/* C source of a plan: the same calls, without the library's headers. */
#include "emit.h"

#include <stdio.h>

#include "onednn_library.h"

extern const char onednn_expect_c_in[], onednn_reorder_c_in[], onednn_session_c_in[];

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
    case DNNL_ATTRIBUTES:
        text_printf(text, "attributes");
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
    case DNNL_DIMENSION:
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
    case DNNL_DIMENSION:
        return "long";
    case DNNL_BLOB:
        return "void *";
    default:
        return "const void *";
    }
}

static void put_declarations(const DnnlPlan *plan, Text *declaration)
{
    text_put(declaration, onednn_session_c_in);
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
    if (plan->activation[0])
        text_printf(
            declaration,
            "int dnnl_primitive_attr_create(void **attributes);\n"
            "int dnnl_post_ops_create(void **operations);\n"
            "int dnnl_post_ops_append_eltwise(void *operations, %sint algorithm, float alpha, "
            "float beta);\n"
            "int dnnl_primitive_attr_set_post_ops(void *attributes, const void "
            "*operations);\n",
            plan->version == 2 ? "float scale, " : "");
    text_printf(declaration, "int %s(", plan->function);
    for (int i = 0; i < plan->argument_count; i++)
        text_printf(declaration, "%s%s", i ? ", " : "", type_of(plan->arguments[i].kind));
    text_printf(declaration, ");\n\n%s", onednn_expect_c_in);
}

static void put_descriptors(const DnnlLibrary *l, const DnnlPlan *plan, Text *call)
{
    bool old = l->version == 2;
    for (int i = 0; i < plan->memory_count; i++) {
        const DnnlMemory *m = &plan->memories[i];
        text_printf(call, "    plain[%d] = memory_blob[%d];\n    expect(%splain[%d], %d, ", i, i,
                    old ? "dnnl_memory_desc_init_by_strides("
                        : "dnnl_memory_desc_create_with_strides(&",
                    i, m->rank);
        put_dims(call, m->extent, m->rank);
        text_printf(call, ", %d, ", m->type);
        put_dims(call, m->stride, m->rank);
        text_printf(call, "));\n    described[%d] = plain[%d];\n", i, i);
        if (!dnnl_chooses(l, plan))
            continue;
        text_printf(call, "    described[%d] = any_blob[%d];\n    expect(%sdescribed[%d], %d, ", i,
                    i, old ? "dnnl_memory_desc_init_by_tag(" : "dnnl_memory_desc_create_with_tag(&",
                    i, m->rank);
        put_dims(call, m->extent, m->rank);
        text_printf(call, ", %d, %d));\n", m->type, DNNL_TAG_ANY);
    }
}

static void put_memories(const DnnlLibrary *l, const DnnlPlan *plan, const Operands *o, Text *call)
{
    for (int i = 0; i < plan->memory_count; i++) {
        const DnnlMemory *m = &plan->memories[i];
        if (m->argument == 0)
            continue;
        text_printf(call,
                    "    expect(dnnl_memory_create(&memory[%d], plain[%d], engine, %s));\n"
                    "    used[%d] = memory[%d];\n",
                    i, i, o->source->op->tensors[m->operand], i, i);
        if (!dnnl_copies(l, plan, i))
            continue;
        text_printf(call,
                    "    chosen[%d] = dnnl_primitive_desc_query_md(result, %d, %d);\n"
                    "    expect(dnnl_memory_create(&used[%d], chosen[%d], engine, (void *)-1));\n",
                    i, DNNL_QUERY_ARGUMENT, m->argument, i, i);
        if (!operands_is_output(o, m->operand))
            text_printf(call,
                        "    reorder(engine, stream, plain[%d], memory[%d], chosen[%d], "
                        "used[%d]);\n",
                        i, i, i, i);
    }
}

static void put_execution(const DnnlLibrary *l, const DnnlPlan *plan, const Operands *o, Text *call)
{
    int count = 0;
    for (int i = 0; i < plan->memory_count; i++)
        count += plan->memories[i].argument != 0;
    text_printf(call,
                "    expect(dnnl_primitive_execute(primitive, stream, %d, (const ExecArgument[]){",
                count);
    for (int i = 0, put = 0; i < plan->memory_count; i++)
        if (plan->memories[i].argument != 0)
            text_printf(call, "%s{%d, used[%d]}", put++ ? ", " : "", plan->memories[i].argument, i);
    text_printf(call, "}));\n    expect(dnnl_stream_wait(stream));\n");
    for (int i = 0; i < plan->memory_count; i++)
        if (dnnl_copies(l, plan, i) && operands_is_output(o, plan->memories[i].operand))
            text_printf(call,
                        "    reorder(engine, stream, chosen[%d], used[%d], plain[%d], "
                        "memory[%d]);\n",
                        i, i, i, i);
    text_printf(call, "    }");
}

static void put_attributes(DnnlLibrary *l, const DnnlPlan *plan, Text *call)
{
    text_printf(call, "    void *attributes = NULL;\n    (void)attributes;\n");
    if (plan->activation[0])
        text_printf(call,
                    "    void *operations = NULL;\n"
                    "    expect(dnnl_primitive_attr_create(&attributes));\n"
                    "    expect(dnnl_post_ops_create(&operations));\n"
                    "    expect(dnnl_post_ops_append_eltwise(operations, %s%d /* %s */, 0, %af));\n"
                    "    expect(dnnl_primitive_attr_set_post_ops(attributes, operations));\n",
                    plan->version == 2 ? "1, " : "", dnnl_algorithm(l, plan->activation),
                    plan->activation, plan->activation_end);
}

/* Appends the functions that copies between layouts need. */
static void put_copying(const DnnlLibrary *l, const DnnlPlan *plan, Text *declaration)
{
    bool copies = false;
    for (int i = 0; i < plan->memory_count; i++)
        copies = copies || dnnl_copies(l, plan, i);
    if (copies)
        text_printf(declaration, "\n%s", onednn_reorder_c_in);
    if (dnnl_chooses(l, plan))
        text_printf(declaration, "\nint %s\n",
                    l->version == 2 ? "dnnl_memory_desc_init_by_tag(void *blob, int rank, const "
                                      "long *dims, int type, int tag);"
                                    : "dnnl_memory_desc_create_with_tag(void **memory, int rank, "
                                      "const long *dims, int type, int tag);");
}

void onednn_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    DnnlLibrary *l = backend->context;
    DnnlPlan plan;
    Text why = {0};
    bool planned = dnnl_plan(&plan, l->version, o, &why);
    text_release(&why);
    if (!planned)
        return;
    int n = plan.memory_count;
    put_declarations(&plan, declaration);
    put_copying(l, &plan, declaration);
    text_printf(call,
                "{\n    static _Alignas(64) char blob[1 << 16], memory_blob[%d][4096], "
                "any_blob[%d][4096];\n"
                "    void *engine, *stream, *result = NULL, *primitive, *plain[%d], "
                "*described[%d], *memory[%d], *used[%d];\n    const void *chosen[%d];\n"
                "    expect(dnnl_engine_create(&engine, 1, 0));\n"
                "    expect(dnnl_stream_create(&stream, engine, 1));\n"
                "    (void)blob, (void)any_blob, (void)chosen;\n",
                n, n, n, n, n, n, n);
    put_attributes(l, &plan, call);
    put_descriptors(l, &plan, call);
    text_printf(call, "    expect(%s(", plan.function);
    for (int i = 0; i < plan.argument_count; i++) {
        text_printf(call, i ? ", " : "");
        put_argument(l, &plan.arguments[i], call);
    }
    text_printf(call, "));\n");
    if (l->version == 2)
        text_printf(
            call,
            "    expect(dnnl_primitive_desc_create(&result, blob, attributes, engine, NULL));\n");
    text_printf(call, "    expect(dnnl_primitive_create(&primitive, result));\n");
    put_memories(l, &plan, o, call);
    put_execution(l, &plan, o, call);
}
