/* C++ source of a plan with the library's header for C++, which takes fewer statements than that
 * for C. */
#include "emit_cpp.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "emit_benchdnn.h"
#include "emit_parts.h"
#include "ops/backend/c_source.h"

/* eltwise_forward: the function's name without what surrounds the primitive's. */
static void put_class(const DnnlPlan *plan, const char *direction, Text *text)
{
    const char *name = plan->function + strlen("dnnl_");
    name += !strncmp(name, "dilated_", strlen("dilated_")) ? strlen("dilated_") : 0;
    const char *end = strstr(name, plan->version == 2 ? "_desc_init" : "_primitive_desc_create");
    const char *backward = strstr(name, "_backward");
    if (direction && backward)
        end = backward;
    text_printf(text, "%.*s%s", (int)(end - name), name, direction && backward ? direction : "");
}

static void put_dims(Text *text, const char *type, const int64_t *values, int count)
{
    text_printf(text, "%s{", type);
    for (int i = 0; i < count; i++)
        text_printf(text, "%s%lld", i ? ", " : "", (long long)values[i]);
    text_put(text, "}");
}

/* Extents, type and layout. */
static void put_descriptor(const DnnlMemory *m, Text *text)
{
    put_dims(text, "", m->extent, m->rank);
    text_printf(text, ", memory::data_type::%s, ", dnnl_type_name(m->type));
    if (dnnl_is_dense(m))
        text_printf(text, "memory::format_tag::%.*s", m->rank, "abcdefghijkl");
    else
        put_dims(text, "memory::dims", m->stride, m->rank);
}

static bool is_alike(const DnnlMemory *a, const DnnlMemory *b)
{
    Text of_a = {0}, of_b = {0};
    put_descriptor(a, &of_a);
    put_descriptor(b, &of_b);
    bool alike = !strcmp(text_string(&of_a), text_string(&of_b));
    text_release(&of_a);
    text_release(&of_b);
    return alike;
}

/* The first memory with the description of this one; *count: how many have it. */
static int first_alike(const DnnlPlan *plan, int number, int *count)
{
    int first = -1;
    *count = 0;
    for (int i = 0; i < plan->memory_count; i++)
        if (is_alike(&plan->memories[i], &plan->memories[number])) {
            first = first < 0 ? i : first;
            ++*count;
        }
    return first;
}

/* A description that several memories have is declared once: under the first one's name, or without
 * a name where there is no other one. */
static void put_description_name(const DnnlPlan *plan, const Operands *o, int number, Text *text)
{
    char name[DNNL_WORD_BYTES];
    int count, first = first_alike(plan, number, &count);
    dnnl_spell_memory(plan, o, first, name);
    if (count == plan->memory_count && count > 1)
        text_put(text, "md");
    else if (count > 1 || !plan->memories[number].argument)
        text_printf(text, "%s_md", name);
    else
        text_printf(text, "%s_memory.get_desc()", name);
}

/* The memories of one description, in one declaration. */
static void put_alike(const DnnlPlan *plan, const Operands *o, int first, Text *text)
{
    const char *between = "memory ";
    for (int i = first; i < plan->memory_count; i++) {
        const DnnlMemory *m = &plan->memories[i];
        char name[DNNL_WORD_BYTES];
        if (!m->argument || !is_alike(m, &plan->memories[first]))
            continue;
        dnnl_spell_memory(plan, o, i, name);
        text_printf(text, "%s%s_memory(", between, name);
        put_description_name(plan, o, first, text);
        text_printf(text, ", cpu, %s)", o->source->op->tensors[m->operand]);
        between = ", ";
    }
    if (between[0] == ',')
        text_put(text, ";\n    ");
}

static void put_memories(const DnnlPlan *plan, const Operands *o, Text *text)
{
    for (int i = 0; i < plan->memory_count; i++) {
        const DnnlMemory *m = &plan->memories[i];
        int count, first = first_alike(plan, i, &count);
        char name[DNNL_WORD_BYTES];
        dnnl_spell_memory(plan, o, i, name);
        if (count > 1 && first != i)
            continue;
        bool lone = m->argument && count == 1;
        text_put(text, lone ? "memory " : "memory::desc ");
        if (lone)
            text_printf(text, "%s_memory({", name);
        else
            put_description_name(plan, o, i, text);
        text_put(text, lone ? "" : "(");
        put_descriptor(m, text);
        if (lone)
            text_printf(text, "}, cpu, %s", o->source->op->tensors[m->operand]);
        text_put(text, ");\n    ");
        if (count > 1)
            put_alike(plan, o, i, text);
    }
}

/* scale|shift: normalization_flags::use_scale | normalization_flags::use_shift. */
static void put_flags(const char *word, Text *text)
{
    while (*word) {
        size_t length = strcspn(word, "|");
        bool statistics = !strncmp(word, "statistics", length);
        text_printf(text, "normalization_flags::use_%.*s%s",
                    statistics ? (int)strlen("global_stats") : (int)length,
                    statistics ? "global_stats" : word, word[length] ? " | " : "");
        word += length + (word[length] == '|');
    }
}

static void put_enumerator(const char *word, bool hint, Text *text)
{
    if (strchr(word, '|'))
        put_flags(word, text);
    else if (strstr(word, "_direct"))
        text_printf(text, "algorithm::%s", word);
    else
        text_printf(text, "prop_kind::%s", hint ? "forward_training" : word);
}

/* An argument of the description; false where the language has none. */
static bool put_argument(const DnnlPlan *plan, const Operands *o, const DnnlArgument *a, bool hint,
                         Text *text)
{
    switch (a->kind) {
    case DNNL_ENGINE:
        text_put(text, "cpu");
        return true;
    case DNNL_MEMORY:
        if (a->integer < 0)
            return false;
        put_description_name(plan, o, (int)a->integer, text);
        return true;
    case DNNL_DIMENSIONS:
        put_dims(text, "memory::dims", a->dimensions,
                 (int)case_shape(o->source, "input_size")->rank);
        return true;
    case DNNL_NUMBER:
        c_put_number(text, DT_F32, (double)(float)a->number);
        text_put(text, isfinite(a->number) && a->number != floor(a->number) ? "f" : "");
        return true;
    case DNNL_ALGORITHM:
        text_printf(text, "algorithm::%s", a->algorithm);
        return true;
    case DNNL_INTEGER:
    case DNNL_DIMENSION:
        if (a->name)
            put_enumerator(a->name, hint, text);
        else
            text_put_integer(text, a->integer);
        return true;
    case DNNL_ATTRIBUTES:
        text_put(text, plan->activation[0] ? "attributes" : "");
        return plan->activation[0] != '\0';
    case DNNL_BLOB:
    case DNNL_RESULT:
    case DNNL_NOTHING:
        break;
    }
    return false;
}

static int without_gradient(int argument)
{
    enum { GRADIENT = 128 }; /* DNNL_ARG_DIFF_SRC is 129, and so on */
    return argument > GRADIENT ? argument - GRADIENT : argument;
}

/* True when the forward primitive is not told of a memory: a result that is taken, of which it has
 * the gradient's description, and what has the place of one before. */
static bool is_described(const DnnlPlan *plan, int argument)
{
    int number = (int)plan->arguments[argument].integer;
    if (plan->arguments[argument].kind != DNNL_MEMORY || number < 0)
        return false;
    if (plan->memories[number].argument == DNNL_ARGUMENT_DST)
        return true;
    for (int i = 0; i < argument; i++) {
        const DnnlArgument *before = &plan->arguments[i];
        if (before->kind == DNNL_MEMORY && before->integer >= 0 &&
            without_gradient(plan->memories[before->integer].argument) ==
                without_gradient(plan->memories[number].argument))
            return true;
    }
    return false;
}

static bool names_kind(const DnnlPlan *plan)
{
    for (int i = 0; i < plan->argument_count; i++)
        if (plan->arguments[i].name && !strcmp(plan->arguments[i].name, "backward"))
            return true;
    return false;
}

static void put_arguments(const DnnlPlan *plan, const Operands *o, bool hint, Text *text)
{
    const char *between = "";
    for (int i = 0; i < plan->argument_count; i++) {
        const DnnlArgument *a = &plan->arguments[i];
        Text words = {0};
        if (!(hint && is_described(plan, i)) && put_argument(plan, o, a, hint, &words)) {
            text_printf(text, "%s%s", between, text_string(&words));
            between = ", ";
        }
        if ((a->kind == DNNL_ENGINE || a->kind == DNNL_BLOB) && hint && !names_kind(plan)) {
            text_printf(text, "%sprop_kind::forward_training", between);
            between = ", ";
        }
        text_release(&words);
    }
}

static void put_words(const DnnlPlan *plan, const Operands *o, bool hint, Text *text)
{
    bool old = plan->version == 2;
    text_put(text, old ? "{" : "");
    put_arguments(plan, o, hint, text);
    text_put(text, old ? "}" : "");
    if (old && plan->activation[0])
        text_put(text, ", attributes");
    text_put(text, old ? ", cpu" : "");
}

/* Gradients are told of the forward primitive, whose description has the same words. */
static void put_hint(const DnnlPlan *plan, const Operands *o, Text *text)
{
    if (!dnnl_is_backward(plan))
        return;
    put_class(plan, "_forward", text);
    text_put(text, "::primitive_desc forward(");
    put_words(plan, o, true, text);
    text_put(text, ");\n    ");
}

static void put_attributes(const DnnlPlan *plan, Text *text)
{
    if (!plan->activation[0])
        return;
    text_printf(text, "post_ops operations;\n    operations.append_eltwise(%salgorithm::%s, 0, ",
                plan->version == 2 ? "1, " : "", plan->activation);
    c_put_number(text, DT_F32, plan->activation_end);
    text_put(text, ");\n    primitive_attr attributes;\n    "
                   "attributes.set_post_ops(operations);\n    ");
}

static void put_execution(const DnnlPlan *plan, const Operands *o, Text *text)
{
    const char *between = "";
    put_class(plan, NULL, text);
    text_put(text, "({");
    put_words(plan, o, false, text);
    text_put(text, dnnl_is_backward(plan) ? ", forward}).execute(queue, {" : "}).execute(queue, {");
    for (int i = 0; i < plan->memory_count; i++) {
        char name[DNNL_WORD_BYTES];
        if (plan->memories[i].argument == 0)
            continue;
        dnnl_spell_memory(plan, o, i, name);
        text_printf(text, "%s{DNNL_ARG_", between);
        for (const char *at = dnnl_argument_name(plan->memories[i].argument); *at; at++)
            text_printf(text, "%c", toupper((unsigned char)*at));
        text_printf(text, ", %s_memory}", name);
        between = ", ";
    }
    text_put(text, "});\n    queue.wait();");
}

/* A comment that the library's people may paste. */
static void put_benchdnn(const DnnlPlan *plan, const Operands *o, Text *text)
{
    Text line = {0};
    const char *reason = dnnl_put_benchdnn(plan, o, &line);
    if (reason)
        text_printf(text, "/* no benchdnn line: %s */\n    ", reason);
    else
        text_printf(text, "/* benchdnn %s */\n    ", text_string(&line));
    text_release(&line);
}

void dnnl_put_cpp(const DnnlPlan *plan, const Operands *o, BriefCall *call)
{
    Text name = {0};
    put_class(plan, NULL, &name);
    (void)snprintf(call->function, sizeof call->function, "dnnl::%s", text_string(&name));
    text_release(&name);
    call->header = "oneapi/dnnl/dnnl.hpp";
    text_put(&call->head, "using namespace dnnl;\n");
    put_benchdnn(plan, o, &call->call);
    text_put(&call->call, "engine cpu(engine::kind::cpu, 0);\n    stream queue(cpu);\n    ");
    put_memories(plan, o, &call->call);
    put_attributes(plan, &call->call);
    put_hint(plan, o, &call->call);
    put_execution(plan, o, &call->call);
}
