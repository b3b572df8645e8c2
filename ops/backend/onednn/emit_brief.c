/* C source of a plan with the library's header, as its documentation writes it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emit.h"
#include "emit_cpp.h"
#include "emit_parts.h"
#include "onednn_library.h"
#include "ops/backend/c_source.h"
#include "ops/backend/library.h"
#include "reference/escape.h"

static const char header[] = "oneapi/dnnl/dnnl.h";
enum { PATH_BYTES = 1024 };

/* True when the folder of headers has those of the library's version, and this one. */
static bool has_headers(const char *folder, const char *version, const char *wanted)
{
    char path[PATH_BYTES], line[256];
    long major = -1;
    (void)snprintf(path, sizeof path, "%s/oneapi/dnnl/dnnl.%s", folder, wanted);
    bool there = access(path, R_OK) == 0;
    (void)snprintf(path, sizeof path, "%s/oneapi/dnnl/dnnl_version.h", folder);
    FILE *file = there ? fopen(path, "re") : NULL;
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "#define DNNL_VERSION_MAJOR", strlen("#define DNNL_VERSION_MAJOR")))
            major = strtol(line + strlen("#define DNNL_VERSION_MAJOR"), NULL, 10);
    if (file)
        (void)fclose(file);
    return major >= 0 && major == strtol(version, NULL, 10);
}

/* Those that make backends fetched for the version, or the system's, with dnnl.h or dnnl.hpp. */
static bool find_headers(const Backend *backend, const char *wanted, Text *words)
{
    char fetched[PATH_BYTES - 128], folder[PATH_BYTES];
    const char *version = backend->facts.version;
    library_fetched_folder(fetched, sizeof fetched);
    (void)snprintf(folder, sizeof folder, "%s/dnnl-headers-%s/include", fetched, version);
    if (has_headers(folder, version, wanted)) {
        text_put(words, " -I");
        escape_put_shell(words, folder);
        return true;
    }
    return has_headers("/usr/include", version, wanted);
}

static void put_dims(Text *text, const int64_t *values, int count)
{
    text_put(text, "(dnnl_dims_t){");
    for (int i = 0; i < count; i++)
        text_printf(text, "%s%lld", i ? ", " : "", (long long)values[i]);
    text_put(text, "}");
}

/* scale|shift: dnnl_use_scale | dnnl_use_shift; others have dnnl_ in front. */
static void put_enumerator(Text *text, const char *word)
{
    bool flags = strchr(word, '|') != NULL;
    while (*word) {
        size_t length = strcspn(word, "|");
        bool statistics = !strncmp(word, "statistics", length);
        text_printf(text, "dnnl_%s%.*s%s", flags ? "use_" : "",
                    statistics ? (int)strlen("global_stats") : (int)length,
                    statistics ? "global_stats" : word, word[length] ? " | " : "");
        word += length + (word[length] == '|');
    }
}

static void put_argument(const DnnlPlan *plan, const Operands *o, const DnnlArgument *a, Text *text)
{
    char name[DNNL_WORD_BYTES];
    switch (a->kind) {
    case DNNL_BLOB:
        text_put(text, "&operation");
        break;
    case DNNL_RESULT:
        text_put(text, "&descriptor");
        break;
    case DNNL_ENGINE:
        text_put(text, "engine");
        break;
    case DNNL_MEMORY:
        if (a->integer >= 0)
            dnnl_spell_memory(plan, o, (int)a->integer, name);
        text_printf(text, a->integer < 0 ? "NULL" : plan->version == 2 ? "&%s_md" : "%s_md", name);
        break;
    case DNNL_DIMENSIONS:
        put_dims(text, a->dimensions, (int)case_shape(o->source, "input_size")->rank);
        break;
    case DNNL_ATTRIBUTES:
        text_put(text, plan->activation[0] ? "attributes" : "NULL");
        break;
    case DNNL_NOTHING:
        text_put(text, "NULL");
        break;
    case DNNL_NUMBER:
        c_put_number(text, DT_F32, (double)(float)a->number);
        break;
    case DNNL_ALGORITHM:
        text_printf(text, "dnnl_%s", a->algorithm);
        break;
    case DNNL_INTEGER:
    case DNNL_DIMENSION:
        if (a->name)
            put_enumerator(text, a->name);
        else
            text_put_integer(text, a->integer);
        break;
    }
}

static void put_list(const DnnlPlan *plan, const Operands *o, const char *type, const char *suffix,
                     bool arguments_alone, Text *text)
{
    const char *before = "";
    text_printf(text, "%s ", type);
    for (int i = 0; i < plan->memory_count; i++) {
        char name[DNNL_WORD_BYTES];
        if (arguments_alone && plan->memories[i].argument == 0)
            continue;
        dnnl_spell_memory(plan, o, i, name);
        text_printf(text, "%s%s%s", before, name, suffix);
        before = ", ";
    }
    text_put(text, ";\n    ");
}

/* dnnl_KIND_desc_t of version 2: the function's name without its direction. */
static void put_operation_type(const DnnlPlan *plan, Text *text)
{
    const char *kind = plan->function + strlen("dnnl_");
    kind += !strncmp(kind, "dilated_", strlen("dilated_")) ? strlen("dilated_") : 0;
    const char *end = strstr(kind, "_forward");
    end = end ? end : strstr(kind, "_backward");
    end = end ? end : strstr(kind, "_desc_init");
    text_printf(text, "dnnl_%.*s_desc_t operation;\n    ", (int)(end - kind), kind);
}

static void put_variables(const DnnlPlan *plan, const Operands *o, Text *text)
{
    text_put(text, "dnnl_engine_t engine;\n    dnnl_stream_t stream;\n    ");
    put_list(plan, o, "dnnl_memory_desc_t", "_md", false, text);
    put_list(plan, o, "dnnl_memory_t", "_memory", true, text);
    if (plan->version == 2)
        put_operation_type(plan, text);
    text_put(text, "dnnl_primitive_desc_t descriptor;\n    dnnl_primitive_t primitive;\n    ");
    if (plan->activation[0])
        text_put(text, "dnnl_primitive_attr_t attributes;\n    dnnl_post_ops_t operations;\n    ");
}

/* The layout: dnnl_abc, or the strides. */
static void put_descriptor(const DnnlPlan *plan, const DnnlMemory *m, const char *name, Text *text)
{
    bool old = plan->version == 2, dense = dnnl_is_dense(m);
    text_printf(text, "CHECK(dnnl_memory_desc_%s_%s(&%s_md, %d, ", old ? "init_by" : "create_with",
                dense ? "tag" : "strides", name, m->rank);
    put_dims(text, m->extent, m->rank);
    text_printf(text, ", dnnl_%s, ", dnnl_type_name(m->type));
    if (dense)
        text_printf(text, "dnnl_%.*s", m->rank, "abcdefghijkl");
    else
        put_dims(text, m->stride, m->rank);
    text_put(text, "));\n    ");
}

static void put_memories(const DnnlPlan *plan, const Operands *o, Text *text)
{
    for (int i = 0; i < plan->memory_count; i++) {
        const DnnlMemory *m = &plan->memories[i];
        char name[DNNL_WORD_BYTES];
        dnnl_spell_memory(plan, o, i, name);
        put_descriptor(plan, m, name, text);
        if (m->argument)
            text_printf(text, "CHECK(dnnl_memory_create(&%s_memory, %s%s_md, engine, %s));\n    ",
                        name, plan->version == 2 ? "&" : "", name,
                        o->source->op->tensors[m->operand]);
    }
}

static void put_attributes(const DnnlPlan *plan, Text *text)
{
    if (!plan->activation[0])
        return;
    text_printf(text,
                "CHECK(dnnl_primitive_attr_create(&attributes));\n    "
                "CHECK(dnnl_post_ops_create(&operations));\n    "
                "CHECK(dnnl_post_ops_append_eltwise(operations, %sdnnl_%s, 0, ",
                plan->version == 2 ? "1, " : "", plan->activation);
    c_put_number(text, DT_F32, plan->activation_end);
    text_put(text,
             "));\n    CHECK(dnnl_primitive_attr_set_post_ops(attributes, operations));\n    ");
}

static void put_primitive(const DnnlPlan *plan, const Operands *o, Text *text)
{
    text_printf(text, "CHECK(%s(", plan->function);
    for (int i = 0; i < plan->argument_count; i++) {
        text_put(text, i ? ", " : "");
        put_argument(plan, o, &plan->arguments[i], text);
    }
    text_put(text, "));\n    ");
    if (plan->version == 2)
        text_printf(text,
                    "CHECK(dnnl_primitive_desc_create(&descriptor, &operation, %s, engine, "
                    "NULL));\n    ",
                    plan->activation[0] ? "attributes" : "NULL");
    text_put(text, "CHECK(dnnl_primitive_create(&primitive, descriptor));\n    ");
}

static void put_execution(const DnnlPlan *plan, const Operands *o, Text *text)
{
    int count = 0;
    Text arguments = {0};
    for (int i = 0; i < plan->memory_count; i++) {
        char name[DNNL_WORD_BYTES];
        if (plan->memories[i].argument == 0)
            continue;
        dnnl_spell_memory(plan, o, i, name);
        text_printf(&arguments, "%s{DNNL_ARG_", count++ ? ", " : "");
        for (const char *at = dnnl_argument_name(plan->memories[i].argument); *at; at++)
            text_printf(&arguments, "%c", toupper((unsigned char)*at));
        text_printf(&arguments, ", %s_memory}", name);
    }
    text_printf(text,
                "dnnl_exec_arg_t arguments[] = {%s};\n    "
                "CHECK(dnnl_primitive_execute(primitive, stream, %d, arguments));\n    "
                "CHECK(dnnl_stream_wait(stream));",
                text_string(&arguments), count);
    text_release(&arguments);
}

void onednn_emit_brief(const Backend *backend, const Operands *o, BriefCall *call)
{
    const DnnlLibrary *library = backend->context;
    DnnlPlan plan;
    Text why = {0};
    bool planned = dnnl_plan(&plan, library->version, o, &why);
    text_release(&why);
    if (!planned)
        call->obstacle = "the library does not take the case";
    for (int i = 0; !call->obstacle && i < plan.memory_count; i++)
        if (dnnl_copies(library, &plan, i))
            call->obstacle = "operands are copied to other layouts";
    if (call->obstacle)
        return;
    (void)snprintf(call->function, sizeof call->function, "%s", plan.function);
    call->refuses = true;
    call->cpp = call->may_be_cpp && find_headers(backend, "hpp", &call->words);
    if (call->cpp) {
        dnnl_put_cpp(&plan, o, call);
        return;
    }
    if (!find_headers(backend, "h", &call->words)) {
        call->obstacle = "oneDNN's headers of this version are not there: make backends";
        return;
    }
    call->header = header;
    text_put(&call->head, "#define CHECK(call) if ((call) != dnnl_success) return 2\n");
    put_variables(&plan, o, &call->call);
    text_put(&call->call,
             "CHECK(dnnl_engine_create(&engine, dnnl_cpu, 0));\n    "
             "CHECK(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));\n    ");
    put_memories(&plan, o, &call->call);
    put_attributes(&plan, &call->call);
    put_primitive(&plan, o, &call->call);
    put_execution(&plan, o, &call->call);
}
