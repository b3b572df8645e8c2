/* Reads a row: buffers for its operands, and the arguments of its two calls. */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings.h"

#include <math.h>

/* A case and a row on their way to a plan. */
typedef struct Planner {
    XnnPlan *plan;
    XnnCall *call; /* that words go to */
    const Operands *o;
    bool channels_last;          /* images have their channels last */
    int buffers[OP_TENSORS_MAX]; /* by number of the operand; -1 where it is ignored or has none */
} Planner;

static XnnArgument *add(Planner *p, XnnArgumentKind kind)
{
    if (p->call->count == XNN_ARGUMENTS_MAX)
        BUG("%s has too many arguments", p->call->function);
    XnnArgument *argument = &p->call->arguments[p->call->count++];
    *argument = (XnnArgument){.kind = kind};
    return argument;
}

static void add_integer(Planner *p, XnnArgumentKind kind, int64_t value)
{
    add(p, kind)->integer = value;
}

/* Buffers. */

/* The operand with its axes in an order; order is NULL for as they are. */
static XnnBuffer buffer_of(const Operands *o, int operand, const int *order)
{
    const Tensor *view = &o->view[operand];
    XnnBuffer buffer = {
        .operand = operand, .rank = view->rank, .plain = !order && tensor_is_dense(view)};
    for (int axis = 0; axis < view->rank; axis++) {
        int from = order ? order[axis] : axis;
        buffer.extent[axis] = view->extent[from];
        buffer.stride[axis] = view->stride[from];
    }
    return buffer;
}

/* Weights by groups, with the inputs of each innermost. */
static XnnBuffer buffer_from_inputs(const Operands *o, int operand)
{
    const Tensor *w = &o->view[operand];
    int64_t groups = case_int(o->source, "groups"), inputs = w->extent[0] / groups;
    XnnBuffer buffer = {
        .operand = operand,
        .rank = 5,
        .extent = {groups, w->extent[1], w->extent[2], w->extent[3], inputs},
        .stride = {inputs * w->stride[0], w->stride[1], w->stride[2], w->stride[3], w->stride[0]}};
    return buffer;
}

static XnnBuffer buffer_of_form(const Operands *o, int operand, const char *form)
{
    static const int channels_last[TENSOR_RANK_MAX] = {0, 2, 3, 1};
    static const int transposed[TENSOR_RANK_MAX] = {1, 0};
    if (!strcmp(form, "from_inputs"))
        return buffer_from_inputs(o, operand);
    return buffer_of(o, operand,
                     !strcmp(form, "channels_last") ? channels_last
                     : !strcmp(form, "transposed")  ? transposed
                                                    : NULL);
}

/* Reads OPERAND or FORM(OPERAND); -1 where the word is no operand. */
static int read_operand(const OpDesc *op, const char *word, char form[ROW_WORD_BYTES])
{
    char name[ROW_WORD_BYTES];
    if (!row_cut(word, '(', form, name)) {
        (void)snprintf(name, sizeof name, "%s", word);
        form[0] = '\0';
    }
    name[strcspn(name, ")")] = '\0';
    for (int i = 0; op->tensors[i]; i++)
        if (!strcmp(op->tensors[i], name))
            return i;
    return -1;
}

static void make_buffers(Planner *p, const RowWords *create, const RowWords *setup)
{
    const OpDesc *op = p->o->source->op;
    for (int operand = 0; op->tensors[operand]; operand++) {
        p->buffers[operand] = -1;
        for (int i = 0; i < create->count + setup->count; i++) {
            const char *word = i < create->count ? create->word[i] : setup->word[i - create->count];
            char form[ROW_WORD_BYTES];
            if (read_operand(op, word, form) != operand || !strcmp(form, "shape") ||
                p->o->shapes.tensor[operand].ignored)
                continue;
            p->plan->buffers[p->plan->buffer_count] = buffer_of_form(p->o, operand, form);
            p->buffers[operand] = p->plan->buffer_count++;
        }
    }
}

/* Words. */

static int64_t tuple(const Planner *p, const char *name, int axis)
{
    return case_shape(p->o->source, name)->extent[axis];
}

static void add_tuple(Planner *p, const char *name)
{
    add_integer(p, XNN_NUMBER, tuple(p, name, 0));
    add_integer(p, XNN_NUMBER, tuple(p, name, 1));
}

static void put_padding(Planner *p)
{
    add_integer(p, XNN_NUMBER, tuple(p, "pads_begin", 0));
    add_integer(p, XNN_NUMBER, tuple(p, "pads_end", 1));
    add_integer(p, XNN_NUMBER, tuple(p, "pads_end", 0));
    add_integer(p, XNN_NUMBER, tuple(p, "pads_begin", 1));
}

static void put_kernel(Planner *p)
{
    add_tuple(p, "kernel_size");
}

static void put_stride(Planner *p)
{
    add_tuple(p, "stride");
}

static void put_dilation(Planner *p)
{
    add_tuple(p, "dilation");
}

static void put_output_padding(Planner *p)
{
    add_tuple(p, "output_padding");
}

static int64_t channels_of(const Planner *p)
{
    const Tensor *x = &p->o->view[0];
    return p->channels_last ? x->extent[1] : x->rank > 0 ? x->extent[x->rank - 1] : 1;
}

static void put_channels(Planner *p)
{
    add_integer(p, XNN_SIZE, channels_of(p));
}

static void put_rows(Planner *p)
{
    int64_t channels = channels_of(p);
    add_integer(p, XNN_SIZE, channels > 0 ? tensor_count(&p->o->view[0]) / channels : 0);
}

/* Of the result: its channels are the outputs. */
static int64_t outputs_of(const Planner *p)
{
    const Tensor *y = &p->o->view[p->o->shapes.count - 1];
    return p->channels_last ? y->extent[1] : y->extent[y->rank - 1];
}

static void put_outputs(Planner *p)
{
    add_integer(p, XNN_SIZE, outputs_of(p));
}

static void put_group_inputs(Planner *p)
{
    add_integer(p, XNN_SIZE, channels_of(p) / case_int(p->o->source, "groups"));
}

static void put_group_outputs(Planner *p)
{
    add_integer(p, XNN_SIZE, outputs_of(p) / case_int(p->o->source, "groups"));
}

static void put_groups(Planner *p)
{
    add_integer(p, XNN_NUMBER, case_int(p->o->source, "groups"));
}

static void put_batch(Planner *p)
{
    add_integer(p, XNN_SIZE, p->o->view[0].extent[0]);
}

static void put_image(Planner *p)
{
    add_integer(p, XNN_SIZE, p->o->view[0].extent[2]);
    add_integer(p, XNN_SIZE, p->o->view[0].extent[3]);
}

static void put_result_image(Planner *p)
{
    add_integer(p, XNN_SIZE, p->o->view[1].extent[2]);
    add_integer(p, XNN_SIZE, p->o->view[1].extent[3]);
}

static void put_pixels(Planner *p)
{
    add_integer(p, XNN_SIZE, p->o->view[0].extent[2] * p->o->view[0].extent[3]);
}

static void put_limits(Planner *p)
{
    const char *activation = case_choice(p->o->source, "activation");
    add(p, XNN_FLOAT)->number = !strcmp(activation, "none") ? -INFINITY : 0;
    add(p, XNN_FLOAT)->number = !strcmp(activation, "relu6") ? 6 : INFINITY;
}

static void put_null(Planner *p)
{
    add_integer(p, XNN_BUFFER, -1);
}

static const struct {
    const char *word;
    void (*put)(Planner *p);
} words[] = {{"channels", put_channels},
             {"rows", put_rows},
             {"inputs", put_channels},
             {"outputs", put_outputs},
             {"group_inputs", put_group_inputs},
             {"group_outputs", put_group_outputs},
             {"groups", put_groups},
             {"padding", put_padding},
             {"kernel", put_kernel},
             {"stride", put_stride},
             {"dilation", put_dilation},
             {"output_padding", put_output_padding},
             {"batch", put_batch},
             {"image", put_image},
             {"result_image", put_result_image},
             {"pixels", put_pixels},
             {"limits", put_limits},
             {"NULL", put_null}};

static void add_shape(Planner *p, int operand)
{
    const Tensor *view = &p->o->view[operand];
    add_integer(p, XNN_SIZE, view->rank);
    XnnArgument *argument = add(p, XNN_SIZES);
    argument->integer = view->rank;
    for (int i = 0; i < view->rank; i++)
        argument->sizes[i] = (size_t)view->extent[i];
}

/* The value of a number, or of a parameter of the operator. */
static double value_of(const Planner *p, const char *word)
{
    const Case *c = p->o->source;
    const Param *param = row_param(c->op, word);
    char *end = NULL;
    double number = strtod(word, &end);
    if (end != word && !*end)
        return number;
    if (!param)
        BUG("%s: '%s' is no parameter", p->call->function, word);
    return param->kind == PARAM_SCALAR ? case_scalar(c, word).re : (double)case_int(c, word);
}

/* int8(VALUE) and uint8(VALUE); false where the word is neither. */
static bool add_byte(Planner *p, const char *word)
{
    char type[ROW_WORD_BYTES], value[ROW_WORD_BYTES];
    bool is_signed, is_byte = row_cut(word, '(', type, value);
    is_signed = is_byte && !strcmp(type, "int8");
    if (!is_byte || (!is_signed && strcmp(type, "uint8") != 0))
        return false;
    value[strcspn(value, ")")] = '\0';
    add_integer(p, is_signed ? XNN_SIGNED_BYTE : XNN_BYTE, (int64_t)value_of(p, value));
    return true;
}

static void add_word(Planner *p, const char *word)
{
    char form[ROW_WORD_BYTES];
    int operand = read_operand(p->o->source->op, word, form);
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (!strcmp(words[i].word, word)) {
            words[i].put(p);
            return;
        }
    if (operand >= 0 && !strcmp(form, "shape"))
        add_shape(p, operand);
    else if (operand >= 0)
        add_integer(p, XNN_BUFFER, p->buffers[operand]);
    else if (!add_byte(p, word))
        add(p, XNN_FLOAT)->number = value_of(p, word);
}

static void add_words(Planner *p, const RowWords *list)
{
    for (int i = 0; i < list->count; i++)
        add_word(p, list->word[i]);
}

static void begin_call(Planner *p, XnnCall *call, const char *step, const char *name)
{
    (void)snprintf(call->function, sizeof call->function, "xnn_%s_%s", step, name);
    p->call = call;
}

bool xnnpack_plan(XnnPlan *plan, const Operands *o, Text *why)
{
    const BindingRow *row = xnnpack_row(o, why);
    Planner p = {.plan = plan, .o = o};
    RowWords create, setup, flags;
    char name[ROW_WORD_BYTES];
    for (int i = 0; row && i < o->shapes.count; i++)
        if (tensor_count(&o->view[i]) == 0) {
            text_printf(why, "an operand without elements");
            return false;
        }
    if (!row)
        return false;
    *plan = (XnnPlan){.operands = o};
    row_name(row, name);
    row_words(row, &create);
    row_clause(row, "setup", &setup);
    row_clause(row, "flags", &flags);
    p.channels_last = strstr(name, "_nhwc") || strstr(name, "_nwc");
    make_buffers(&p, &create, &setup);
    begin_call(&p, &plan->create, "create", name);
    add_words(&p, &create);
    add_integer(&p, XNN_NUMBER, flags.count > 0 ? strtol(flags.word[0], NULL, 10) : 0);
    (void)add(&p, XNN_CREATED);
    begin_call(&p, &plan->setup, "setup", name);
    (void)add(&p, XNN_OPERATOR);
    add_words(&p, &setup);
    put_null(&p);
    return true;
}
