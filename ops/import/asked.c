/* A row is matched with a call part by part: names of operands take the call's operands, names of
 * attributes its constants, calls within it the calls that give its operands. */
#include "asked.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/case/condition.h"
#include "reference/list.h"
#include "wanted.h"

enum { NO_VALUE = -1, NESTED_MAX = 16 };

typedef struct Match {
    const Asked *asked;
    const Expression *e;
    Wanted wanted;
    int value[OP_TENSORS_MAX]; /* bound to each operand */
    bool is_output[OP_TENSORS_MAX];
    int nested;
    int64_t distance; /* of the nearest case; DISTANCE_FAR where the row is not that of the call */
    Draft *draft;
} Match;

#define DISTANCE_FAR INT64_MAX

/* Why the row that came nearest has no case. */
typedef struct Nearness {
    int64_t distance;
    Text why;
} Nearness;

static bool match(Match *m, int term, int value);

int asked_value(Asked *asked)
{
    asked->values =
        list_grow(asked->values, asked->value_count, &asked->value_room, sizeof *asked->values);
    asked->values[asked->value_count] = (AskedValue){.maker = -1};
    return (int)asked->value_count++;
}

AskedCall *asked_call(Asked *asked, const char *name)
{
    asked->calls =
        list_grow(asked->calls, asked->call_count, &asked->call_room, sizeof *asked->calls);
    AskedCall *call = &asked->calls[asked->call_count++];
    *call = (AskedCall){.argument_count = 0};
    (void)snprintf(call->name, sizeof call->name, "%s", name);
    return call;
}

bool asked_argument(AskedCall *call, const char *keyword, int value)
{
    if (call->argument_count == ASKED_ARGUMENTS_MAX)
        return false;
    AskedArgument *argument = &call->arguments[call->argument_count++];
    (void)snprintf(argument->keyword, sizeof argument->keyword, "%s", keyword);
    argument->value = value;
    return true;
}

void asked_release(Asked *asked)
{
    free(asked->values);
    free(asked->calls);
    asked->values = NULL;
    asked->calls = NULL;
}

static const Term *term_at(const Match *m, int term)
{
    return &m->e->terms[term];
}

/* A constant of the row's language: numbers, texts, lists of numbers, and - in front of a number.
 * False for names and calls. */
static bool literal(const Expression *e, int term, Attribute *value)
{
    const Term *t = &e->terms[term];
    char text[EXPRESSION_NAME_BYTES];
    Attribute part;
    expression_copy(e, t->text, text);
    *value = (Attribute){.kind = ATTRIBUTE_INTEGER};
    switch (t->kind) {
    case TERM_INTEGER:
        value->integer = strtoll(text, NULL, 10);
        return true;
    case TERM_BOOLEAN:
        *value = (Attribute){.kind = ATTRIBUTE_BOOLEAN, .integer = *text == 'T'};
        return true;
    case TERM_NAME:
    case TERM_REAL:
        *value = (Attribute){.kind = ATTRIBUTE_REAL, .real = strtod(text, NULL)};
        return t->kind == TERM_REAL || !strcmp(text, "inf") || !strcmp(text, "nan");
    case TERM_TEXT:
        value->kind = ATTRIBUTE_TEXT;
        memcpy(value->text, text, sizeof text);
        return true;
    case TERM_LIST:
        value->kind = ATTRIBUTE_TUPLE;
        for (int at = t->first; at >= 0; at = e->terms[at].next) {
            if (!literal(e, at, &part) || part.kind != ATTRIBUTE_INTEGER ||
                value->count == ATTRIBUTE_LIST_MAX)
                return false;
            value->list[value->count++] = part.integer;
        }
        return true;
    case TERM_OPERATION:
        if (e->terms[t->first].next >= 0 || !literal(e, t->first, value))
            return false;
        value->integer = value->integer == INT64_MIN ? INT64_MIN : -value->integer;
        value->real = -value->real;
        return true;
    default:
        return false;
    }
}

/* A function of the library's in C. */
static bool is_native(const Match *m, int term)
{
    char name[EXPRESSION_NAME_BYTES];
    expression_copy(m->e, term_at(m, term)->text, name);
    return strstr(name, "::") != NULL;
}

/* The name of what a term calls, with dots; where calls are those of functions in C the name of
 * that function. */
static void callee(const Match *m, int term, char name[ASKED_NAME_BYTES])
{
    const Term *t = term_at(m, term);
    char last[EXPRESSION_NAME_BYTES], front[ASKED_NAME_BYTES] = "";
    const char *space = m->asked->space ? m->asked->space : "";
    expression_copy(m->e, t->text, last);
    if (t->kind == TERM_MEMBER)
        callee(m, t->first, front);
    bool overload = *space && strstr(front, "::") && term_at(m, t->first)->kind == TERM_NAME &&
                    is_native(m, t->first);
    if (overload)
        (void)snprintf(name, ASKED_NAME_BYTES, "%s", front);
    else if (*space)
        (void)snprintf(name, ASKED_NAME_BYTES, "%s%s", is_native(m, term) ? "" : space, last);
    else
        (void)snprintf(name, ASKED_NAME_BYTES, "%s%s%s", front, *front ? "." : "", last);
}

static bool is_text(const Match *m, int term, const char *word)
{
    char text[EXPRESSION_NAME_BYTES];
    expression_copy(m->e, term_at(m, term)->text, text);
    return !strcmp(text, word);
}

static bool is_of_axes(const char *name)
{
    return strstr(name, "axis") || strstr(name, "axes");
}

static const AskedValue *first_operand(const Match *m)
{
    for (int i = 0; i < OP_TENSORS_MAX; i++)
        if (m->value[i] != NO_VALUE && !m->is_output[i])
            return &m->asked->values[m->value[i]];
    return NULL;
}

/* Axes that are counted from the end are counted from the front. */
static void mend_axes(const Match *m, Attribute *value)
{
    const AskedValue *x = first_operand(m);
    int64_t rank = x && x->shaped ? x->shape.rank : 0;
    value->integer += value->kind == ATTRIBUTE_INTEGER && value->integer < 0 ? rank : 0;
    for (int i = 0; value->kind == ATTRIBUTE_TUPLE && i < value->count; i++)
        value->list[i] += value->list[i] < 0 ? rank : 0;
}

static bool want(Match *m, const char *name, const Attribute *given)
{
    Attribute value = *given;
    if (is_of_axes(name))
        mend_axes(m, &value);
    return wanted_attribute(&m->wanted, name, &value) ||
           draft_refuse(m->draft, "there are too many attributes");
}

/* A constant of the call, where the row has a name, a literal or a list of these. */
static bool match_constant(Match *m, int term, const Attribute *given)
{
    const Term *t = term_at(m, term);
    Attribute own;
    char name[EXPRESSION_NAME_BYTES];
    expression_copy(m->e, t->text, name);
    if (literal(m->e, term, &own))
        return attribute_is(&own, given) || draft_refuse(m->draft, "a constant is another one");
    if (t->kind == TERM_NAME)
        return want(m, name, given);
    if (t->kind == TERM_OPERATION && term_at(m, t->first)->next < 0) {
        Attribute negative = *given;
        negative.integer = given->integer == INT64_MIN ? INT64_MIN : -given->integer;
        negative.real = -given->real;
        return given->kind <= ATTRIBUTE_REAL && match_constant(m, t->first, &negative);
    }
    if (t->kind != TERM_LIST || given->kind != ATTRIBUTE_TUPLE)
        return draft_refuse(m->draft, "an argument is computed otherwise");
    int count = 0;
    for (int at = t->first; at >= 0; at = term_at(m, at)->next, count++) {
        if (count == given->count)
            return draft_refuse(m->draft, "a list has fewer numbers");
        Attribute number = {.kind = ATTRIBUTE_INTEGER, .integer = given->list[count]};
        if (!match_constant(m, at, &number))
            return false;
    }
    return count == given->count || draft_refuse(m->draft, "a list has more numbers");
}

static bool bind(Match *m, int operand, int value)
{
    if (m->value[operand] != NO_VALUE && m->value[operand] != value)
        return draft_refuse(m->draft, "two operands are different ones");
    m->value[operand] = value;
    return true;
}

/* type_of(operand): the library's number of its element type. */
static bool match_type(Match *m, int term, const Attribute *given)
{
    char name[EXPRESSION_NAME_BYTES];
    int argument = term_at(m, term_at(m, term)->first)->next;
    expression_copy(m->e, term_at(m, argument)->text, name);
    int operand = op_operand(m->wanted.op, name);
    DType dtype;
    if (operand < 0 || !m->asked->dtype || !m->asked->dtype(given->integer, &dtype))
        return draft_refuse(m->draft, "element type %lld is none of ours",
                            (long long)given->integer);
    WantedOperand *wanted = &m->wanted.operand[operand];
    *wanted = (WantedOperand){.bound = true, .typed = true, .dtype = dtype};
    return true;
}

static const AskedArgument *find_keyword(const AskedCall *call, const char *keyword)
{
    for (int i = 0; i < call->argument_count; i++)
        if (*call->arguments[i].keyword && !strcmp(call->arguments[i].keyword, keyword))
            return &call->arguments[i];
    return NULL;
}

/* The number-th argument without a keyword; NO_VALUE where it is left out. */
static int positional(const Match *m, const AskedCall *call, int number)
{
    for (int i = 0; i < call->argument_count; i++)
        if (!*call->arguments[i].keyword && number-- == 0)
            return m->asked->values[call->arguments[i].value].present ? call->arguments[i].value
                                                                      : NO_VALUE;
    return NO_VALUE;
}

/* The next term behind `at` that has the keyword; -1 where there is none. */
static int next_default(const Expression *defaults, int at, const char *keyword)
{
    while ((at = defaults->terms[at].next) >= 0) {
        char name[EXPRESSION_NAME_BYTES];
        expression_copy(defaults, defaults->terms[at].keyword, name);
        if (!strcmp(name, keyword))
            break;
    }
    return at;
}

/* The term in which the library's documentation has what is taken for a missing argument. */
static int find_default(const Match *m, const AskedCall *call, const char *keyword,
                        Expression *defaults)
{
    const char *text = m->asked->defaults ? m->asked->defaults(call->name) : NULL;
    Text error = {0};
    if (!text)
        return -1;
    if (!expression_parse(defaults, text, &error))
        BUG("%s", text_string(&error));
    return next_default(defaults, defaults->terms[defaults->root].first, keyword);
}

/* all and reversed are the axes of the first operand. */
static bool named_default(const Match *m, const Expression *e, int term, Attribute *value)
{
    char name[EXPRESSION_NAME_BYTES];
    const AskedValue *x = first_operand(m);
    expression_copy(e, e->terms[term].text, name);
    bool all = !strcmp(name, "all");
    if (e->terms[term].kind != TERM_NAME || (!all && strcmp(name, "reversed") != 0))
        return literal(e, term, value);
    *value = (Attribute){.kind = ATTRIBUTE_TUPLE};
    for (int64_t i = 0; x && x->shaped && i < x->shape.rank; i++)
        value->list[value->count++] = all ? i : x->shape.rank - 1 - i;
    return x && x->shaped;
}

/* An argument that the call leaves out. */
static bool match_default(Match *m, const AskedCall *call, const char *keyword, int term)
{
    Expression *defaults = memory_allocate(1, sizeof *defaults);
    Attribute value;
    int at = find_default(m, call, keyword, defaults);
    bool follows = at >= 0 && defaults->terms[at].kind == TERM_NONE;
    bool ok = follows || (at >= 0 && named_default(m, defaults, at, &value) &&
                          match_constant(m, term, &value));
    free(defaults);
    bool text = term_at(m, term)->kind == TERM_TEXT;
    return ok || (at < 0 && draft_refuse(m->draft, "%s%s is not known",
                                         text ? "whether it is " : "", keyword));
}

/* An argument that the row has not must be what it is when it is left out, or one that does not
 * matter then. */
static bool is_default(Match *m, const AskedCall *call, const AskedArgument *argument)
{
    const AskedValue *value = &m->asked->values[argument->value];
    Expression *defaults = memory_allocate(1, sizeof *defaults);
    Attribute usual;
    bool ok = false;
    for (int at = find_default(m, call, argument->keyword, defaults); at >= 0 && !ok;
         at = next_default(defaults, at, argument->keyword))
        ok = defaults->terms[at].kind == TERM_NONE ||
             (value->constant && named_default(m, defaults, at, &usual) &&
              attribute_is(&usual, &value->number));
    free(defaults);
    if (ok)
        return true;
    Text text = {0};
    if (value->constant)
        attribute_print(&value->number, &text);
    (void)draft_refuse(m->draft, "%s has %s=%s, which no row has", call->name, argument->keyword,
                       value->constant ? text_string(&text) : "...");
    text_release(&text);
    return false;
}

/* Names that the row has in place of a keyword count too: earlier versions of a library had as an
 * attribute what is an input now. */
static bool row_has(const Match *m, int term, const char *keyword)
{
    for (int at = term_at(m, term_at(m, term)->first)->next; at >= 0; at = term_at(m, at)->next) {
        char name[EXPRESSION_NAME_BYTES];
        Slice own = term_at(m, at)->keyword;
        expression_copy(m->e, own.length ? own : term_at(m, at)->text, name);
        if (!strcmp(name, keyword))
            return true;
    }
    return false;
}

static bool match_named(Match *m, const AskedCall *call, int term, const char *keyword)
{
    const AskedArgument *argument = find_keyword(call, keyword);
    if (!argument)
        return match_default(m, call, keyword, term);
    return match(m, term, argument->value);
}

/* One argument of the row: told by its name, or in its place. */
static bool match_argument(Match *m, const AskedCall *call, int term, int *place)
{
    char name[EXPRESSION_NAME_BYTES];
    const Term *t = term_at(m, term);
    if (t->keyword.length > 0) {
        expression_copy(m->e, t->keyword, name);
        return !strcmp(name, "opset") || match_named(m, call, term, name);
    }
    int value = positional(m, call, (*place)++);
    expression_copy(m->e, t->text, name);
    if (value != NO_VALUE)
        return match(m, term, value);
    if (t->kind == TERM_NONE)
        return true;
    int operand = t->kind == TERM_NAME ? op_operand(m->wanted.op, name) : -1;
    if (operand < 0)
        return match_named(m, call, term, name);
    m->wanted.operand[operand] = (WantedOperand){.bound = true, .absent = true};
    return true;
}

/* A method's own operand is the first argument of the function in C. */
static bool match_self(Match *m, const AskedCall *call, int function, int *place)
{
    char name[EXPRESSION_NAME_BYTES];
    const Term *t = term_at(m, function);
    if (!m->asked->space || t->kind != TERM_MEMBER)
        return true;
    expression_copy(m->e, term_at(m, t->first)->text, name);
    if (term_at(m, t->first)->kind != TERM_NAME || op_operand(m->wanted.op, name) < 0)
        return true;
    int value = positional(m, call, (*place)++);
    return value != NO_VALUE && match(m, t->first, value);
}

static bool match_call(Match *m, int term, int number)
{
    const AskedCall *call = &m->asked->calls[number];
    char name[EXPRESSION_NAME_BYTES];
    int first = term_at(m, term)->first, place = 0;
    callee(m, first, name);
    if (strcmp(name, call->name) != 0)
        return draft_refuse(m->draft, "%s is no %s", call->name, name);
    if (m->nested++ == NESTED_MAX)
        return draft_refuse(m->draft, "calls are nested too deep");
    if (!match_self(m, call, first, &place))
        return false;
    for (int at = term_at(m, first)->next; at >= 0; at = term_at(m, at)->next)
        if (!match_argument(m, call, at, &place))
            return false;
    if (positional(m, call, place) != NO_VALUE)
        return draft_refuse(m->draft, "%s has more arguments than a row", call->name);
    for (int i = 0; i < call->argument_count; i++)
        if (*call->arguments[i].keyword && !row_has(m, term, call->arguments[i].keyword) &&
            !is_default(m, call, &call->arguments[i]))
            return false;
    return true;
}

static bool is_call_of(const Match *m, int term, const char *name)
{
    return term_at(m, term)->kind == TERM_CALL && is_text(m, term_at(m, term)->first, name);
}

/* The first argument of a call. */
static int argument_of(const Match *m, int term)
{
    return term_at(m, term_at(m, term)->first)->next;
}

/* Calls of the rows' language that are none of the library. */
static bool match_wrapped(Match *m, int term, int value, bool *is_wrapped)
{
    const AskedValue *given = &m->asked->values[value];
    *is_wrapped = true;
    if (is_call_of(m, term, "f32"))
        return match(m, argument_of(m, term), value);
    if (is_call_of(m, term, "like"))
        return match(m, term_at(m, argument_of(m, term))->next, value);
    if (is_call_of(m, term, "type_of"))
        return given->constant && match_type(m, term, &given->number);
    *is_wrapped = false;
    return false;
}

static bool match(Match *m, int term, int value)
{
    const Term *t = term_at(m, term);
    const AskedValue *given = &m->asked->values[value];
    char name[EXPRESSION_NAME_BYTES];
    bool is_wrapped;
    expression_copy(m->e, t->text, name);
    if (t->kind == TERM_NAME && op_operand(m->wanted.op, name) >= 0)
        return bind(m, op_operand(m->wanted.op, name), value);
    if (given->free)
        return true;
    bool matched = match_wrapped(m, term, value, &is_wrapped);
    if (is_wrapped)
        return matched;
    if (t->kind == TERM_CALL)
        return given->maker >= 0 ? match_call(m, term, given->maker)
                                 : draft_refuse(m->draft, "an operand is not computed");
    if (t->kind == TERM_NONE)
        return !given->present || draft_refuse(m->draft, "an argument is given");
    if (!given->constant)
        return draft_refuse(m->draft, "an attribute is not known: %s", name);
    return match_constant(m, term, &given->number);
}

/* Outputs in the order of the operator are those of the call. */
static void bind_outputs(Match *m, const AskedCall *call)
{
    Case simplest;
    Shapes shapes;
    int output = 0;
    case_init(&simplest, m->wanted.op);
    op_normalise(simplest.op, simplest.params);
    op_shape(simplest.op, simplest.params, &shapes);
    for (int i = 0; i < shapes.count; i++) {
        m->is_output[i] = shapes.tensor[i].role != ROLE_IN;
        m->value[i] =
            m->is_output[i] && output < call->output_count ? call->outputs[output++] : NO_VALUE;
    }
}

/* What is known of the operands that were bound; without shapes of inputs nothing is found. */
static bool want_operands(Match *m)
{
    for (int i = 0; i < OP_TENSORS_MAX && m->wanted.op->tensors[i]; i++) {
        const AskedValue *value = m->value[i] == NO_VALUE ? NULL : &m->asked->values[m->value[i]];
        if (!value || !value->present)
            continue;
        if (!value->shaped && !m->is_output[i])
            return draft_refuse(m->draft, "the shape of an operand is not known");
        WantedOperand *wanted = &m->wanted.operand[i];
        wanted->typed = wanted->typed || value->typed;
        wanted->dtype = value->typed ? value->dtype : wanted->dtype;
        wanted->bound = true;
        wanted->shaped = value->shaped;
        wanted->shape = value->shape;
    }
    return true;
}

/* Without what may follow a product: that is a call of its own. */
static int skip_activated(Match *m, int root)
{
    const Attribute none = {.kind = ATTRIBUTE_TEXT, .text = "none"};
    if (!is_call_of(m, root, "activated"))
        return root;
    int inner = term_at(m, term_at(m, root)->first)->next;
    return match_constant(m, term_at(m, inner)->next, &none) ? inner : root;
}

static bool match_row(Match *m, int number, const BindingCall *row, Case *found)
{
    Text why = {0};
    int held;
    if (!match_call(m, skip_activated(m, m->e->root), number) || !want_operands(m) ||
        !wanted_find(&m->wanted, found, &m->distance, m->draft))
        return false;
    Case mended = *found;
    conditions_mend(row->conditions, &mended);
    if (wanted_holds(&m->wanted, &mended))
        *found = mended;
    bool ok = conditions_hold(row->conditions, found, NULL, &held, &why) ||
              draft_refuse(m->draft, "%s", text_string(&why));
    text_release(&why);
    return ok;
}

static bool find_by_row(const Asked *asked, int number, const OpDesc *op, const BindingCall *row,
                        Case *found, Draft *draft, Nearness *nearest)
{
    Match *m = memory_allocate(1, sizeof *m);
    *m = (Match){.asked = asked,
                 .e = &row->expression,
                 .wanted.op = op,
                 .draft = draft,
                 .distance = DISTANCE_FAR};
    for (int i = 0; i < OP_TENSORS_MAX; i++)
        m->value[i] = NO_VALUE;
    bind_outputs(m, &asked->calls[number]);
    bool ok = match_row(m, number, row, found);
    if (!ok && (nearest->why.length == 0 || m->distance < nearest->distance)) {
        nearest->distance = m->distance;
        text_clear(&nearest->why);
        text_put(&nearest->why, text_string(&draft->why));
    }
    free(m);
    return ok;
}

/* How many calls a row has, its own and those within it; 0 where its own is not of this name. */
static int count_calls(const Asked *asked, const BindingCall *row, const char *name)
{
    Match m = {.asked = asked, .e = &row->expression};
    char own[ASKED_NAME_BYTES];
    int root = m.e->root, count = 0;
    if (is_call_of(&m, root, "activated"))
        root = term_at(&m, term_at(&m, root)->first)->next;
    if (term_at(&m, root)->kind != TERM_CALL || row->is_gradient)
        return 0;
    callee(&m, term_at(&m, root)->first, own);
    for (int i = 0; i < m.e->count; i++)
        count += m.e->terms[i].kind == TERM_CALL;
    return strcmp(own, name) ? 0 : count;
}

/* The rows of so many calls. */
static bool find_by_rows(const Asked *asked, int number, BindingTarget target, int calls,
                         Case *found, Draft *draft, Nearness *nearest)
{
    const Bindings *bindings = bindings_find(asked->bindings);
    for (int i = 0; op_registry[i]; i++) {
        const BindingCall *row = bindings_calls(bindings, target, op_registry[i]);
        for (; row; row = row->next)
            if (count_calls(asked, row, asked->calls[number].name) == calls &&
                find_by_row(asked, number, op_registry[i], row, found, draft, nearest))
                return true;
    }
    return false;
}

bool asked_find(const Asked *asked, int call, Case *found, Draft *draft)
{
    Nearness nearest = {0};
    bool ok = false;
    for (int calls = NESTED_MAX; asked->space && calls > 0 && !ok; calls--)
        ok = find_by_rows(asked, call, TARGET_NATIVE, calls, found, draft, &nearest);
    bool is_native_only = nearest.why.length > 0;
    for (int calls = NESTED_MAX; calls > 0 && !ok && !is_native_only; calls--)
        ok = find_by_rows(asked, call, TARGET_PYTHON, calls, found, draft, &nearest);
    if (!ok)
        (void)draft_refuse(draft, "%s",
                           nearest.why.length ? text_string(&nearest.why) : ASKED_NO_ROW);
    text_release(&nearest.why);
    return ok;
}

void asked_put_outputs(Asked *asked, int call, const Case *found)
{
    Shapes shapes;
    int output = 0;
    op_shape(found->op, found->params, &shapes);
    for (int i = 0; i < shapes.count && output < asked->calls[call].output_count; i++) {
        if (shapes.tensor[i].role == ROLE_IN)
            continue;
        AskedValue *value = &asked->values[asked->calls[call].outputs[output++]];
        const Tensor *layout = &shapes.tensor[i].layout;
        value->dtype = value->typed ? value->dtype : layout->dtype;
        if (!value->shaped)
            value->shape = shape_of_tensor(layout);
        value->typed = value->shaped = true;
    }
}
