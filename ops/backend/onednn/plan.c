/* Reads a row: memories for its operands, and the arguments of its call. */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings.h"

static int dnnl_type(DType dtype)
{
    static const int types[DT_COUNT] = {[DT_F16] = 1, [DT_BF16] = 2, [DT_F32] = DNNL_TYPE_F32,
                                        [DT_I32] = 4, [DT_I8] = 5,   [DT_U8] = 6};
    return types[dtype];
}

/* The numbers of the interface: those of version 2 where they are others. */
typedef struct Name {
    const char *name;
    int number, number_2; /* number_2: 0 where it is the same */
} Name;

static const Name arguments[] = {
    {"src", DNNL_ARGUMENT_SRC, 0},
    {"src_1", 2, 0},
    {"dst", DNNL_ARGUMENT_DST, 0},
    {"weights", 33, 0},
    {"bias", 41, 0},
    {"mean", 49, 0},
    {"variance", 50, 0},
    {"scale", 51, 0},
    {"shift", 52, 0},
    {"diff_src", 129, 0},
    {"diff_dst", 145, 0},
    {"diff_weights", 161, 0},
    {"diff_scale", 255, 0},
    {"diff_shift", 256, 0},
    {NULL, 0, 0},
};

static const Name enumerators[] = {
    {"forward_inference", 96, 0},
    {"backward", 128, 0},
    {"convolution_direct", 1, 0},
    {"deconvolution_direct", 10, 0},
    {"scale|shift", 0x2 | 0x4, 0x8 | 0x10},
    {"statistics|scale|shift", 0x1 | 0x2 | 0x4, 0x1 | 0x8 | 0x10},
    {NULL, 0, 0},
};

static const Name *find_name(const Name *list, const char *name)
{
    while (list->name && strcmp(list->name, name) != 0)
        list++;
    return list->name ? list : NULL;
}

const char *dnnl_argument_name(int argument)
{
    const Name *found = arguments;
    while (found->name && found->number != argument)
        found++;
    if (!found->name)
        BUG("no argument of a primitive has the number %d", argument);
    return found->name;
}

/* Primitives that version 2 has under other names. */
static const char *name_of_version(const char *name, int version)
{
    static const struct {
        const char *name, *name_2;
    } others[] = {
        {"convolution_forward", "dilated_convolution_forward"},
        {"convolution_backward_data", "dilated_convolution_backward_data"},
        {"convolution_backward_weights", "dilated_convolution_backward_weights"},
        {"deconvolution_forward", "dilated_deconvolution_forward"},
        {"pooling_forward", "pooling_v2_forward"},
        {"pooling_backward", "pooling_v2_backward"},
    };
    for (size_t i = 0; version == 2 && i < COUNT_OF(others); i++)
        if (!strcmp(others[i].name, name))
            return others[i].name_2;
    return name;
}

/* An operand in a row: its number, the argument that it is, and its form. */
typedef struct Mention {
    int operand, argument; /* argument: 0 where it is only described */
    bool described;        /* stands in the call, not behind it */
    char form[ROW_WORD_BYTES];
} Mention;

enum { MENTIONS_MAX = DNNL_MEMORIES_MAX };

/* A case and a row on their way to a plan. */
typedef struct Planner {
    DnnlPlan *plan;
    const Operands *o;
    char primitive[ROW_WORD_BYTES];
    Mention mentions[MENTIONS_MAX];
    int memories[MENTIONS_MAX]; /* numbers in the plan, -1 for operands that are ignored */
    int count;
} Planner;

static int operand_of(const OpDesc *op, const char *name)
{
    for (int i = 0; op->tensors[i]; i++)
        if (!strcmp(op->tensors[i], name))
            return i;
    return -1;
}

/* The word without brackets. */
static void put_bare(char bare[ROW_WORD_BYTES], const char *word)
{
    word += word[0] == '[';
    (void)snprintf(bare, ROW_WORD_BYTES, "%.*s", (int)strcspn(word, "]"), word);
}

/* Reads ARGUMENT=OPERAND, ARGUMENT=FORM(OPERAND) or FORM(OPERAND), perhaps in brackets; false where
 * the word is no operand. */
static bool read_mention(const Planner *planner, const char *word, Mention *mention)
{
    char bare[ROW_WORD_BYTES], front[ROW_WORD_BYTES], rest[ROW_WORD_BYTES], name[ROW_WORD_BYTES];
    put_bare(bare, word);
    *mention = (Mention){0};
    bool is_argument = row_cut(bare, '=', front, rest);
    if (!row_cut(is_argument ? rest : bare, '(', mention->form, name)) {
        (void)snprintf(name, sizeof name, "%s", mention->form);
        mention->form[0] = '\0';
        if (!is_argument)
            return false;
    }
    name[strcspn(name, ")")] = '\0';
    mention->operand = operand_of(planner->o->source->op, name);
    const Name *argument = is_argument ? find_name(arguments, front) : NULL;
    if (mention->operand < 0 || (is_argument && !argument))
        BUG("%s: no operand in '%s'", planner->o->source->op->name, word);
    mention->argument = argument ? argument->number : 0;
    return true;
}

static void add_mentions(Planner *planner, const RowWords *words, bool described)
{
    for (int i = 0; i < words->count; i++) {
        if (planner->count == MENTIONS_MAX)
            BUG("%s: more operands than there is room for", planner->o->source->op->name);
        Mention *mention = &planner->mentions[planner->count];
        planner->count += read_mention(planner, words->word[i], mention);
        mention->described = described;
    }
}

static void swap_axes(DnnlMemory *memory, int a, int b)
{
    int64_t extent = memory->extent[a], stride = memory->stride[a];
    memory->extent[a] = memory->extent[b];
    memory->stride[a] = memory->stride[b];
    memory->extent[b] = extent;
    memory->stride[b] = stride;
}

static void put_transposed(DnnlMemory *memory, const Operands *o)
{
    (void)o;
    swap_axes(memory, 0, 1);
}

/* Weights with an axis of groups in front: of outputs and inputs of each group. */
static void put_groups(DnnlMemory *memory, const Operands *o)
{
    int64_t groups = case_int(o->source, "groups");
    for (int axis = memory->rank; axis > 0; axis--) {
        memory->extent[axis] = memory->extent[axis - 1];
        memory->stride[axis] = memory->stride[axis - 1];
    }
    memory->rank++;
    memory->extent[1] /= groups;
    memory->extent[0] = groups;
    memory->stride[0] = memory->extent[1] * memory->stride[1];
}

static void put_groups_from_inputs(DnnlMemory *memory, const Operands *o)
{
    put_groups(memory, o);
    swap_axes(memory, 1, 2);
}

/* Reduced axes stay with an extent of 1. */
static void put_kept(DnnlMemory *memory, const Operands *o)
{
    int rank = o->view[0].rank;
    int64_t axes = case_int(o->source, "axes"), step = 1;
    memory->rank = rank > 0 ? rank : 1;
    for (int axis = rank - 1; axis >= 0; axis--) {
        memory->extent[axis] = axes >> (rank - 1 - axis) & 1 ? 1 : o->view[0].extent[axis];
        memory->stride[axis] = step;
        step *= memory->extent[axis];
    }
}

/* Of binary32, without the last axis. */
static void put_statistics(DnnlMemory *memory, const Operands *o)
{
    const Tensor *view = &o->view[memory->operand];
    int64_t last = view->extent[view->rank - 1];
    memory->type = DNNL_TYPE_F32;
    memory->rank--;
    for (int axis = memory->rank - 1; axis >= 0; axis--)
        memory->stride[axis] /= last > 0 ? last : 1;
}

static const struct {
    const char *name;
    void (*put)(DnnlMemory *memory, const Operands *o);
} forms[] = {{"transposed", put_transposed},
             {"by_groups", put_groups},
             {"from_inputs", put_groups_from_inputs},
             {"kept", put_kept},
             {"statistics", put_statistics}};

/* The operand in its form; numbers are vectors of one element. */
static DnnlMemory memory_of(const Operands *o, const Mention *mention)
{
    const Tensor *view = &o->view[mention->operand];
    int rank = !strcmp(mention->form, "aligned") ? o->view[o->shapes.count - 1].rank : view->rank;
    DnnlMemory memory = {.operand = mention->operand,
                         .argument = mention->argument,
                         .described = mention->described,
                         .type = dnnl_type(view->dtype),
                         .rank = rank > 0 ? rank : 1};
    for (int axis = 0; axis < memory.rank; axis++) {
        int own = axis - (memory.rank - view->rank);
        memory.extent[axis] = own >= 0 ? view->extent[own] : 1;
        memory.stride[axis] = own >= 0 ? view->stride[own] : tensor_count(view);
    }
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if (!strcmp(forms[i].name, mention->form))
            forms[i].put(&memory, o);
    return memory;
}

/* Operands in their order, and behind them what is only described. */
static void make_memories(Planner *planner)
{
    DnnlPlan *plan = planner->plan;
    const Operands *o = planner->o;
    for (int operand = 0; operand <= o->shapes.count; operand++)
        for (int i = 0; i < planner->count; i++) {
            const Mention *mention = &planner->mentions[i];
            if (operand != (mention->argument ? mention->operand : o->shapes.count))
                continue;
            planner->memories[i] = -1;
            if (o->shapes.tensor[mention->operand].ignored)
                continue;
            plan->memories[plan->memory_count] = memory_of(o, mention);
            planner->memories[i] = plan->memory_count++;
        }
}

static DnnlArgument *add(DnnlPlan *plan, DnnlArgumentKind kind)
{
    if (plan->argument_count == DNNL_ARGUMENTS_MAX)
        BUG("%s has too many arguments", plan->function);
    DnnlArgument *argument = &plan->arguments[plan->argument_count++];
    *argument = (DnnlArgument){.kind = kind};
    return argument;
}

/* The number of the operand that is given as this argument, which the row must have. */
static int mentioned(const Planner *planner, const char *name, const char *other)
{
    int wanted = find_name(arguments, name)->number,
        else_wanted = find_name(arguments, other)->number;
    for (int i = 0; i < planner->count; i++)
        if (planner->mentions[i].argument == wanted || planner->mentions[i].argument == else_wanted)
            return planner->mentions[i].operand;
    BUG("%s: neither %s nor %s", planner->plan->function, name, other);
}

/* A number of the operator's window along an axis.  Dilations are counted from 0 there; padding
 * behind is what the extents of source and result ask for. */
static int64_t window_number(const Planner *planner, const char *word, int axis)
{
    const Operands *o = planner->o;
    int64_t stride = case_shape(o->source, "stride")->extent[axis];
    int64_t kernel = case_shape(o->source, "kernel_size")->extent[axis];
    int64_t dilation = case_shape(o->source, "dilation")->extent[axis];
    int64_t before = case_shape(o->source, "pads_begin")->extent[axis];
    if (!strcmp(word, "strides"))
        return stride;
    if (!strcmp(word, "kernel"))
        return kernel;
    if (!strcmp(word, "dilates"))
        return dilation - 1;
    if (!strcmp(word, "padding_l"))
        return before;
    int64_t in = o->view[mentioned(planner, "src", "diff_src")].extent[axis + 2];
    int64_t out = o->view[mentioned(planner, "dst", "diff_dst")].extent[axis + 2];
    bool transposed = strstr(planner->primitive, "deconvolution") != NULL;
    int64_t few = transposed ? in : out, many = transposed ? out : in;
    return (few - 1) * stride + dilation * (kernel - 1) + 1 - many - before;
}

static bool add_window(Planner *planner, const char *word)
{
    static const char *const words[] = {"strides", "kernel", "dilates", "padding_l", "padding_r"};
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strcmp(words[i], word) != 0)
            continue;
        DnnlArgument *argument = add(planner->plan, DNNL_DIMENSIONS);
        for (int axis = 0; axis < (int)case_shape(planner->o->source, "input_size")->rank; axis++)
            argument->dimensions[axis] = window_number(planner, word, axis);
        return true;
    }
    return false;
}

/* NAME:int64, an integral parameter as an argument of 64 bits. */
static bool add_dimension(Planner *planner, const char *word)
{
    char name[ROW_WORD_BYTES], type[ROW_WORD_BYTES];
    if (!row_cut(word, ':', name, type))
        return false;
    add(planner->plan, DNNL_DIMENSION)->integer = case_int(planner->o->source, name);
    return true;
}

static bool add_param(Planner *planner, const char *word)
{
    const Case *c = planner->o->source;
    const Param *param = row_param(c->op, word);
    if (!param)
        return false;
    if (param->kind == PARAM_SCALAR)
        add(planner->plan, DNNL_NUMBER)->number = case_scalar(c, word).re;
    else
        add(planner->plan, DNNL_INTEGER)->integer = case_int(c, word);
    return true;
}

/* A number, or a fraction such as 1/6. */
static bool add_number(Planner *planner, const char *word)
{
    char *end = NULL;
    double number = strtod(word, &end);
    if (end == word)
        return false;
    add(planner->plan, DNNL_NUMBER)->number = *end == '/' ? number / strtod(end + 1, NULL) : number;
    return true;
}

/* Algorithms begin with the kind of their primitive, as its function does behind dnnl_. */
static void add_algorithm(Planner *planner, const char *word)
{
    const char *kind = planner->plan->function + strlen("dnnl_");
    if (strncmp(kind, word, strcspn(word, "_") + 1) != 0)
        BUG("%s: no meaning of '%s'", planner->plan->function, word);
    (void)snprintf(add(planner->plan, DNNL_ALGORITHM)->algorithm, DNNL_NAME_BYTES, "%s", word);
}

/* An argument that is no operand. */
static void add_word(Planner *planner, const char *word)
{
    DnnlPlan *plan = planner->plan;
    const Name *name = find_name(enumerators, word);
    if (!strcmp(word, "NULL"))
        (void)add(plan, DNNL_NOTHING);
    else if (name) {
        DnnlArgument *argument = add(plan, DNNL_INTEGER);
        bool other = plan->version == 2 && name->number_2;
        argument->integer = other ? name->number_2 : name->number;
        argument->name = name->name;
    } else if (!add_window(planner, word) && !add_dimension(planner, word) &&
               !add_param(planner, word) && !add_number(planner, word))
        add_algorithm(planner, word);
}

/* dnnl_NAME_desc_init(blob, ...) of version 2, or dnnl_NAME_primitive_desc_create(&result, engine,
 * ...) of version 3; gradients take a hint about the forward primitive there, which none needs. */
static void add_arguments(Planner *planner, const RowWords *words)
{
    DnnlPlan *plan = planner->plan;
    bool old = plan->version == 2;
    (void)snprintf(plan->function, sizeof plan->function, "dnnl_%s_%s",
                   name_of_version(planner->primitive, plan->version),
                   old ? "desc_init" : "primitive_desc_create");
    (void)add(plan, old ? DNNL_BLOB : DNNL_RESULT);
    if (!old)
        (void)add(plan, DNNL_ENGINE);
    for (int i = 0, number = 0; i < words->count; i++) {
        const char *word = words->word[i];
        Mention mention;
        bool operand = read_mention(planner, word, &mention);
        int memory = operand ? planner->memories[number++] : -1;
        if (old && word[0] == '[')
            continue;
        char bare[ROW_WORD_BYTES];
        put_bare(bare, word);
        if (operand)
            add(plan, DNNL_MEMORY)->integer = memory;
        else
            add_word(planner, bare);
    }
    if (!old && strstr(planner->primitive, "backward"))
        (void)add(plan, DNNL_NOTHING);
    if (!old)
        (void)add(plan, DNNL_ATTRIBUTES);
}

bool dnnl_knows(const OpDesc *op, DType dtype)
{
    return dnnl_type(dtype) != 0 && dnnl_has_row(op, dtype);
}

static void put_activation(DnnlPlan *plan, const char *algorithm, double end)
{
    (void)snprintf(plan->activation, sizeof plan->activation, "%s", algorithm);
    plan->activation_end = end;
}

static void plan_activation(DnnlPlan *plan, const BindingRow *row, const Case *c)
{
    const char *name = case_has(c, "activation") ? case_choice(c, "activation") : "none";
    RowWords then;
    row_clause(row, "then", &then);
    if (then.count > 0)
        put_activation(plan, then.word[0], 0);
    else if (!strcmp(name, "relu"))
        put_activation(plan, "eltwise_relu", 0);
    else if (!strcmp(name, "relu6"))
        put_activation(plan, "eltwise_clip", 6);
}

bool dnnl_plan(DnnlPlan *plan, int version, const Operands *o, Text *why)
{
    const BindingRow *row = dnnl_row(o, version, why);
    Planner planner = {.plan = plan, .o = o};
    RowWords words, with;
    if (!row)
        return false;
    *plan = (DnnlPlan){.version = version};
    row_name(row, planner.primitive);
    row_words(row, &words);
    row_clause(row, "with", &with);
    add_mentions(&planner, &words, true);
    add_mentions(&planner, &with, false);
    make_memories(&planner);
    add_arguments(&planner, &words);
    plan_activation(plan, row, o->source);
    return true;
}
