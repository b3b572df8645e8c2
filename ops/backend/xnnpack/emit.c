/* The calls as C source. */
#include "emit.h"

#include <math.h>
#include <stdio.h>

#include "ops/backend/c_source.h"
#include "plan.h"

extern const char xnnpack_arrange_c_in[];

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
    Text why = {0};
    bool planned = xnnpack_plan(&plan, o, &why);
    text_release(&why);
    if (!planned)
        return;
    text_printf(declaration, "int xnn_initialize(const void *allocator);\n"
                             "int xnn_run_operator(void *instance, void *threads);\n");
    put_prototype(&plan.create, declaration);
    put_prototype(&plan.setup, declaration);
    text_printf(declaration, "\n%s", xnnpack_arrange_c_in);
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

/* True when the library takes the operand where it lies. */
static bool is_in_order(const XnnBuffer *b)
{
    int64_t step = 1;
    bool in_order = true;
    for (int axis = b->rank - 1; axis >= 0; axis--) {
        in_order = in_order && (b->extent[axis] == 1 || b->stride[axis] == step);
        step *= b->extent[axis];
    }
    return in_order;
}

static void put_brief_call(const XnnPlan *plan, const XnnCall *c, Text *text)
{
    text_printf(text, "CHECK(%s(", c->function);
    for (int i = 0; i < c->count; i++) {
        const XnnArgument *a = &c->arguments[i];
        text_put(text, i ? ", " : "");
        if (a->kind == XNN_BUFFER && a->integer >= 0)
            text_put(text, plan->operands->source->op->tensors[plan->buffers[a->integer].operand]);
        else if (a->kind == XNN_FLOAT && !isinf(a->number))
            c_put_number(text, DT_F32, (double)(float)a->number);
        else
            put_argument(a, text);
    }
    text_put(text, "));\n    ");
}

static void put_declarations(const XnnPlan *plan, BriefCall *call)
{
    /* The header includes the other one, which Debian has in a package of its own. */
    if (c_header_is_installed("xnnpack.h") && c_header_is_installed("pthreadpool.h")) {
        call->header = "xnnpack.h";
    } else {
        text_put(&call->head, "int xnn_initialize(const void *allocator);\n"
                              "int xnn_run_operator(void *instance, void *threads);\n");
        put_prototype(&plan->create, &call->head);
        put_prototype(&plan->setup, &call->head);
    }
    text_put(&call->head, "#define CHECK(call) if ((call) != 0) return 2\n");
    text_put(&call->call, call->header ? "xnn_operator_t instance = NULL;\n    "
                                       : "void *instance = NULL;\n    ");
}

void xnnpack_emit_brief(const Backend *backend, const Operands *o, BriefCall *call)
{
    XnnPlan plan;
    Text why = {0};
    (void)backend;
    if (!xnnpack_plan(&plan, o, &why))
        call->obstacle = "the library does not take the case";
    text_release(&why);
    for (int i = 0; !call->obstacle && i < plan.buffer_count; i++)
        if (!is_in_order(&plan.buffers[i]))
            call->obstacle = "operands are copied to another order of their axes";
    if (call->obstacle)
        return;
    (void)snprintf(call->function, sizeof call->function, "%s", plan.create.function);
    call->refuses = true;
    call->slack = XNN_EXTRA_BYTES;
    put_declarations(&plan, call);
    text_put(&call->call, "CHECK(xnn_initialize(NULL));\n    ");
    put_brief_call(&plan, &plan.create, &call->call);
    put_brief_call(&plan, &plan.setup, &call->call);
    text_put(&call->call, "CHECK(xnn_run_operator(instance, NULL));");
}
