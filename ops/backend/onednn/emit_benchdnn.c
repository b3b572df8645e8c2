/* A row for each driver.  Source: oneDNN's documentation of benchdnn, driver_*.md and
 * knob_strides.md. */
#include "emit_benchdnn.h"

#include <string.h>

#include "emit_parts.h"
#include "ops/backend/c_source.h"

enum { OPERANDS_MAX = 3 };

typedef struct Driver {
    const char *function, *name;        /* function: the beginning of that of the plan */
    const char *operands[OPERANDS_MAX]; /* arguments, in the order of types and layouts */
    const char *types[OPERANDS_MAX];    /* knobs; NULL: the one before has it too */
    const char *tags[OPERANDS_MAX];
    int shapes;   /* how many of them the problem names */
    bool strides; /* takes them in place of layouts */
} Driver;

static const Driver drivers[] = {
    {"eltwise_forward", "eltwise", {"src"}, {"dt"}, {"tag"}, 1, false},
    {"eltwise_backward", "eltwise", {"diff_src"}, {"dt"}, {"tag"}, 1, false},
    {"softmax_forward", "softmax", {"src", "dst"}, {"sdt", "ddt"}, {"stag", "dtag"}, 1, false},
    {"binary",
     "binary",
     {"src", "src_1", "dst"},
     {"sdt", NULL, "ddt"},
     {"stag", NULL, "dtag"},
     2,
     true},
    {"reduction", "reduction", {"src", "dst"}, {"sdt", "ddt"}, {"stag", "dtag"}, 2, false},
    {"matmul",
     "matmul",
     {"src", "weights", "dst"},
     {"dt", NULL, NULL},
     {"stag", "wtag", "dtag"},
     2,
     true},
};

static const Driver *driver_of(const DnnlPlan *plan)
{
    const char *name = plan->function + strlen("dnnl_");
    for (size_t i = 0; i < COUNT_OF(drivers); i++)
        if (!strncmp(name, drivers[i].function, strlen(drivers[i].function)))
            return &drivers[i];
    return NULL;
}

static const DnnlMemory *memory_of(const DnnlPlan *plan, const char *argument)
{
    for (int i = 0; i < plan->memory_count; i++)
        if (plan->memories[i].argument &&
            !strcmp(dnnl_argument_name(plan->memories[i].argument), argument))
            return &plan->memories[i];
    return NULL;
}

/* Whether any numbers do. */
static bool is_of_any_numbers(const Operands *o)
{
    const Case *c = o->source;
    for (int i = 0; i < op_tensor_count(c->op); i++) {
        const Fill *fill = &c->fill[i];
        bool any = fill->kind == FILL_ONES || fill->kind == FILL_INT || fill->kind == FILL_NORMAL;
        if (o->shapes.tensor[i].role != ROLE_OUT && (!any || fill->special || fill->scale))
            return false;
    }
    return true;
}

static void put_extents(Text *line, const int64_t *extents, int rank)
{
    for (int i = 0; i < rank; i++)
        text_printf(line, "%s%lld", i ? "x" : "", (long long)extents[i]);
}

/* " --stag=ab:ab --dtag=ab", where a knob that is NULL goes on with the one before. */
static void put_knobs(Text *line, const Driver *driver, const DnnlMemory *const *memories,
                      bool types)
{
    const char *const *knobs = types ? driver->types : driver->tags;
    for (int i = 0; i < OPERANDS_MAX && driver->operands[i]; i++) {
        if (knobs[i])
            text_printf(line, " --%s=", knobs[i]);
        else
            text_put(line, ":");
        if (types)
            text_put(line, dnnl_type_name(memories[i]->type));
        else
            text_printf(line, "%.*s", memories[i]->rank, "abcdefghijkl");
    }
}

static void put_strides(Text *line, const Driver *driver, const DnnlMemory *const *memories)
{
    text_put(line, " --strides=");
    for (int i = 0; i < OPERANDS_MAX && driver->operands[i]; i++) {
        text_put(line, i ? ":" : "");
        put_extents(line, memories[i]->stride, memories[i]->rank);
    }
}

/* Algorithm and numbers of the description, and the axis, as the driver names them. */
static void put_arguments(Text *line, const DnnlPlan *plan, const Driver *driver)
{
    static const char *const numbers[][2] = {{"alpha", "beta"}, {"p", "eps"}};
    bool reduces = !strcmp(driver->name, "reduction");
    int number = 0;
    for (int i = 0; i < plan->argument_count; i++) {
        const DnnlArgument *a = &plan->arguments[i];
        if (a->kind == DNNL_ALGORITHM)
            text_printf(line, " --alg=%s", a->algorithm);
        else if (a->kind == DNNL_NUMBER && number < 2) {
            text_printf(line, " --%s=", numbers[reduces][number++]);
            c_put_number(line, DT_F32, (double)(float)a->number);
        } else if (a->kind == DNNL_INTEGER && !a->name && !strcmp(driver->name, "softmax"))
            text_printf(line, " --axis=%lld", (long long)a->integer);
    }
    if (plan->activation[0]) {
        text_printf(line, " --attr-post-ops=%s:0:", plan->activation);
        c_put_number(line, DT_F32, plan->activation_end);
    }
}

static const char *direction_of(const DnnlPlan *plan)
{
    return dnnl_is_backward(plan)               ? " --dir=BWD_D"
           : strstr(plan->function, "_forward") ? " --dir=FWD_I"
                                                : "";
}

const char *dnnl_put_benchdnn(const DnnlPlan *plan, const Operands *o, Text *line)
{
    const Driver *driver = driver_of(plan);
    const DnnlMemory none = {0}, *memories[OPERANDS_MAX] = {&none, &none, &none};
    bool dense = true;
    if (!driver)
        return "not written for this primitive";
    if (!is_of_any_numbers(o))
        return "it fills operands itself, and the case needs its own numbers";
    for (int i = 0; i < OPERANDS_MAX && driver->operands[i]; i++) {
        const DnnlMemory *named = memory_of(plan, driver->operands[i]);
        if (!named)
            return "an operand has no name there";
        memories[i] = named;
        dense = dense && dnnl_is_dense(memories[i]);
    }
    if (!dense && !driver->strides)
        return "its driver takes no strides";
    text_printf(line, "--%s%s", driver->name, direction_of(plan));
    put_knobs(line, driver, memories, true);
    if (dense)
        put_knobs(line, driver, memories, false);
    else
        put_strides(line, driver, memories);
    put_arguments(line, plan, driver);
    for (int i = 0; i < OPERANDS_MAX && i < driver->shapes; i++) {
        text_put(line, i ? ":" : " ");
        put_extents(line, memories[i]->extent, memories[i]->rank);
    }
    return NULL;
}
