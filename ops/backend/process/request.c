/* Calls with their attributes, of operators, of gradients and of the steps of chains. */
#include "request.h"

#include <stdio.h>
#include <string.h>

#include "ops/case/attribute.h"
#include "ops/case/gradient.h"

/* Gives a number, or all those of a tuple, another value; false where it is neither. */
static bool spoil(Attribute *attribute, const Illegal *illegal)
{
    if (illegal->is_real) {
        attribute->real = illegal->real;
        return attribute->kind == ATTRIBUTE_REAL;
    }
    attribute->integer = attribute->kind == ATTRIBUTE_INTEGER ? illegal->value : attribute->integer;
    for (int i = 0; i < attribute->count; i++)
        attribute->list[i] = illegal->value;
    return attribute->kind == ATTRIBUTE_INTEGER || attribute->count > 0;
}

/* Whether the call has what is spoilt. */
static bool can_spoil(const BindingCall *call, const Case *c, const Illegal *illegal, Text *why)
{
    Attribute value;
    bool any =
        !illegal || illegal->attribute < 0 ||
        (illegal->attribute < call->attribute_count &&
         attribute_get(c, call->attributes[illegal->attribute], &value) && spoil(&value, illegal));
    text_put(why, any ? "" : "the call has no such number");
    return any;
}

/* Appends the call of a case, and the attributes in it. */
static void put_call(const BindingCall *call, const Case *c, const Illegal *illegal, Text *text)
{
    text_put(text, "\ncall ");
    text_put(text, call->expression.text);
    text_put(text, "\nwith ");
    for (int i = 0; i < call->attribute_count; i++) {
        Attribute value;
        if (!attribute_get(c, call->attributes[i], &value))
            BUG("%s has no %s", c->op->name, call->attributes[i]);
        text_put(text, i ? ", " : "");
        text_put(text, call->attributes[i]);
        text_put(text, "=");
        if (illegal && illegal->attribute == i)
            (void)spoil(&value, illegal);
        attribute_print(&value, text);
    }
}

static void put_names(const char *const *names, Text *text)
{
    for (; *names; names++) {
        text_put(text, " ");
        text_put(text, *names);
    }
}

static bool put_gradient(const Bindings *bindings, const Case *c, const OpDesc *forward,
                         const Illegal *illegal, Text *text, Text *why)
{
    Case of;
    gradient_forward_case(c, forward, &of);
    const BindingCall *call =
        bindings_choose_gradient(bindings, c, &of, illegal ? illegal->name : NULL, why);
    if (!call || !can_spoil(call, &of, illegal, why))
        return false;
    put_call(call, &of, illegal, text);
    text_put(text, "\ngradient");
    gradient_put_inputs(c->op, forward, text);
    text_put(text, forward->in_place ? "\npointwise" : "");
    return true;
}

static bool put_direct(const Bindings *bindings, const Case *c, const Illegal *illegal, Text *text,
                       Text *why)
{
    const BindingCall *call =
        bindings_choose(bindings, TARGET_PYTHON, c, illegal ? illegal->name : NULL, why);
    if (!call || !can_spoil(call, c, illegal, why))
        return false;
    put_call(call, c, illegal, text);
    if (call->is_gradient) {
        text_put(text, "\ngradient");
        gradient_put_inputs(c->op, NULL, text);
    }
    return true;
}

static int64_t step_value(const Case *chain, const char *what, int number)
{
    char name[16];
    (void)snprintf(name, sizeof name, "%s%d", what, number);
    return case_int(chain, name);
}

static void set_integer(Case *c, const char *name, int64_t value)
{
    const Param *param = op_param(c->op, name, strlen(name));
    if (param)
        *param_integer(param, c->params) = value;
}

/* A step as a case of its own: its second number is the other operand, or the axis by whether it is
 * even, the shift and the diagonal. */
static void make_step(const Case *chain, int number, const OpDesc *op, Case *step)
{
    int64_t with = step_value(chain, "with", number), n = case_int(chain, "n");
    const Param *shape = op_param(op, "shape", strlen("shape"));
    case_init(step, op);
    set_integer(step, "dtype", case_dtype(chain));
    set_integer(step, "axis", with % 2);
    set_integer(step, "rotate", with % 2);
    set_integer(step, "shifts", with);
    set_integer(step, "diagonal", with);
    if (shape)
        *param_shape(shape, step->params) = (Shape){2, {n, n}};
}

static bool put_step(const Bindings *bindings, const Case *chain, int number, const OpDesc *op,
                     Text *text, Text *why)
{
    static const char *const taken[] = {"from", "with"};
    Case step;
    make_step(chain, number, op, &step);
    const BindingCall *call = bindings_choose(bindings, TARGET_PYTHON, &step, NULL, why);
    if (!call)
        return false;
    text_put(text, "\nstep");
    for (int i = 0; op->tensors[i + 1] && i < (int)COUNT_OF(taken); i++)
        text_printf(text, "%s %s=%lld", i ? "," : "", op->tensors[i],
                    (long long)step_value(chain, taken[i], number));
    put_call(call, &step, NULL, text);
    return true;
}

/* The steps of a chain, up to the first that is none. */
static bool put_steps(const Bindings *bindings, const Case *c, Text *text, Text *why)
{
    char name[16];
    for (int number = 1;; number++) {
        (void)snprintf(name, sizeof name, "step%d", number);
        const OpDesc *op = case_has(c, name) ? op_find(case_choice(c, name)) : NULL;
        if (!op)
            return true;
        if (!put_step(bindings, c, number, op, text, why))
            return false;
    }
}

/* How the call is written, where the library has that form, or must refuse it. */
static void put_form(const Bindings *bindings, const Case *c, const Illegal *illegal, Text *text)
{
    if (illegal && illegal->is_written)
        text_printf(text, "\nillegal\nform %s", illegal->name);
    else if (c->exec.form != FORM_PLAIN && bindings_have_form(bindings, c->exec.form))
        text_printf(text, "\nform %s", form_names[c->exec.form]);
}

static bool is_chain(const OpDesc *op)
{
    return op_has_params(op, "step1 from1 with1");
}

static void put_line(const Case *c, const Illegal *illegal, Text *text)
{
    case_print_call(c, text);
    if (illegal)
        text_printf(text, " illegal=%s", illegal->name);
    case_put_source(c, text);
    text_put(text, " |");
    put_names(c->op->tensors, text);
}

bool request_put(const Bindings *bindings, const Case *c, const Illegal *illegal, Text *text,
                 Text *why)
{
    const OpDesc *forward = gradient_forward(c->op);
    bool is_stray = illegal && illegal->is_stray;
    if (is_stray && (!bindings || is_chain(c->op))) {
        text_put(why, "stray calls are those of rows of bindings");
        return false;
    }
    if (!bindings || c->op->source) {
        put_line(c, illegal, text);
        return true;
    }
    text_put(text, "rows ");
    text_put(text, c->op->name);
    text_put(text, "\noperands");
    put_names(c->op->tensors, text);
    put_form(bindings, c, illegal, text);
    text_put(text, is_stray ? "\nstray" : "");
    if (is_chain(c->op))
        return put_steps(bindings, c, text, why);
    if (forward && !bindings_calls(bindings, TARGET_PYTHON, c->op))
        return put_gradient(bindings, c, forward, illegal, text, why);
    return put_direct(bindings, c, illegal, text, why);
}

static bool is_operand(const Expression *e, const Operands *o, const Term *t)
{
    char name[EXPRESSION_NAME_BYTES];
    expression_copy(e, t->text, name);
    int operand = t->kind == TERM_NAME ? op_operand(o->source->op, name) : -1;
    return operand >= 0 && !o->shapes.tensor[operand].ignored;
}

/* Whether all arguments of a call, and of those in it, are operands, none of which is a default. */
static bool takes_only_operands(const Expression *e, const Operands *o, int term)
{
    const Term *t = &e->terms[term];
    if (t->kind == TERM_NAME)
        return is_operand(e, o, t);
    if (t->kind != TERM_CALL && t->kind != TERM_OPERATION)
        return false;
    bool only = true;
    for (int at = t->first; only && at >= 0; at = e->terms[at].next) {
        const Term *part = &e->terms[at];
        bool is_function = t->kind == TERM_CALL && at == t->first;
        bool is_owned = is_function && part->kind == TERM_MEMBER;
        TermKind owner = is_owned ? e->terms[part->first].kind : TERM_NAME;
        if (!is_function)
            only = takes_only_operands(e, o, at);
        else if (owner == TERM_CALL || owner == TERM_OPERATION)
            only = takes_only_operands(e, o, part->first);
    }
    return only;
}

/* Whether an argument may be a default; of a gradient that is not looked for. */
static bool may_omit(const Bindings *bindings, const Operands *o)
{
    Text ignored = {0};
    const BindingCall *call =
        bindings_calls(bindings, TARGET_PYTHON, o->source->op)
            ? bindings_choose(bindings, TARGET_PYTHON, o->source, NULL, &ignored)
            : NULL;
    text_release(&ignored);
    return !call || !takes_only_operands(&call->expression, o, call->expression.root);
}

/* Element types of the operands, a mask of 1 << DType. */
static uint32_t given_dtypes(const Operands *o)
{
    uint32_t dtypes = 0;
    for (int i = 0; i < o->shapes.count; i++)
        if (!operands_is_output(o, i) && !o->shapes.tensor[i].ignored)
            dtypes |= 1u << o->view[i].dtype;
    return dtypes;
}

bool request_may_have_form(const Bindings *bindings, const Operands *o, Text *why)
{
    const uint32_t negated = 1u << DT_F32 | 1u << DT_F64 | DTYPES_COMPLEX;
    const Case *c = o->source;
    bool may = true;
    if (!bindings || c->op->source || is_chain(c->op) || c->exec.illegal ||
        !bindings_have_form(bindings, c->exec.form))
        return true;
    switch (c->exec.form) {
    case FORM_OMITTED:
        may = may_omit(bindings, o);
        break;
    case FORM_VIEW:
    case FORM_BATCHED:
        may = given_dtypes(o) != 0;
        break;
    case FORM_LAZY:
        may = (given_dtypes(o) & negated) != 0;
        break;
    case FORM_RECORDED:
        may = (given_dtypes(o) & ~(DTYPES_INTEGER | 1u << DT_BOOL)) != 0;
        break;
    case FORM_OUT: /* no result of which a gradient is asked is written there */
        may = bindings_calls(bindings, TARGET_PYTHON, c->op) || !gradient_forward(c->op);
        break;
    default:
        break;
    }
    if (!may)
        text_printf(why, "its call has no form %s", form_names[c->exec.form]);
    return may;
}

bool request_fill(Request *request, Text *words, const Bindings *bindings, const Case *c,
                  const Illegal *illegal, Text *why)
{
    text_clear(words);
    bool fits =
        request_put(bindings, c, illegal, words, why) && words->length < sizeof request->text;
    if (fits)
        memcpy(request->text, text_string(words), words->length);
    request->length = fits ? (uint32_t)words->length : 0;
    return fits;
}

const char *request_illegal(const Bindings *bindings, const Operands *o)
{
    Illegal illegal;
    bool made = illegal_make(o->source, &o->shapes, &illegal),
         taken =
             made && illegal.is_written && !(bindings && bindings_refuse(bindings, illegal.name));
    return made && !taken ? illegal.name : NULL;
}

void request_reshape(const Illegal *illegal, RequestTensor *tensor)
{
    int rank = tensor->rank;
    illegal_reshape(illegal, &rank, tensor->extent, tensor->stride);
    tensor->rank = (uint8_t)rank;
}

static uint32_t dtypes_of(const Bindings *bindings, const OpDesc *op)
{
    uint32_t dtypes = 0;
    const BindingCall *call = bindings_calls(bindings, TARGET_PYTHON, op);
    for (; call; call = call->next)
        dtypes |= call->dtypes;
    return dtypes;
}

uint32_t request_dtypes(const Bindings *bindings, const OpDesc *op)
{
    uint32_t dtypes = dtypes_of(bindings, op);
    const OpDesc *forward =
        dtypes || !bindings_differentiates(bindings) ? NULL : gradient_forward(op);
    if (is_chain(op))
        return DTYPES_REAL;
    return forward ? dtypes_of(bindings, forward) & (DTYPES_FLOAT | DTYPES_COMPLEX) : dtypes;
}

void request_put_plain(Request *request)
{
    static const char line[] = "\nplain";
    size_t size = sizeof line - 1;
    if (request->length + size > sizeof request->text)
        return;
    memcpy(request->text + request->length, line, size);
    request->length += (uint32_t)size;
}
