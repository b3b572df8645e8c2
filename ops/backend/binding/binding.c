/* Rows as they are read, and as they are asked for. */
#include "binding.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/case/attribute.h"
#include "ops/case/condition.h"
#include "ops/case/gradient.h"
#include "ops/case/illegal.h"
#include "row_lines.h"

struct Bindings {
    const char *name;
    char *text;        /* the rows, cut up */
    const char *names; /* of the library, with spaces between */
    bool differentiates;
    uint32_t forms;   /* mask of FormKind */
    uint32_t refused; /* mask of illegal_written */
    BindingCall *calls[TARGET_COUNT][OP_MAX];
};

/* CALL [requires CONDITIONS] [gradient requires CONDITIONS]; call is NULL where a row has none. */
typedef struct Form {
    char *call;
    const char *conditions, *gradient_conditions;
} Form;

/* One row: its parts, and where it stands. */
typedef struct Row {
    char *ops;
    uint32_t dtypes;
    Form forms[TARGET_COUNT];
    int line;
} Row;

typedef struct Reader {
    Bindings *bindings;
    RowLines lines;
    Text *error;
} Reader;

static bool row_error(const Reader *r, const char *what, const char *which)
{
    text_printf(r->error, "%s.bindings, line %d: %s%s", r->bindings->name, r->lines.line, what,
                which);
    return false;
}

static bool is_native(const char *form)
{
    const char *colons = strstr(form, "::");
    return colons && colons < form + strcspn(form, "('");
}

/* Cuts off what stands behind a mark; empty where it is not there. */
static const char *cut_behind(char *text, const char *mark)
{
    char *at = strstr(text, mark);
    if (!at)
        return "";
    *at = '\0';
    return row_trim(at + strlen(mark));
}

static Form cut_form(char *text)
{
    Form form = {text, "", cut_behind(text, " gradient requires ")};
    form.conditions = cut_behind(text, " requires ");
    form.call = row_trim(text);
    return form;
}

/* Cuts OPERATORS | TYPES | CALL [| CALL OF A WORKER IN C]. */
static bool cut_row(const Reader *r, char *text, Row *row)
{
    *row = (Row){.ops = row_next_part(&text), .line = r->lines.line};
    char *types = row_next_part(&text);
    if (!text)
        return row_error(r, "expected OPERATORS | TYPES | CALL, got ", row->ops);
    const char *unknown;
    if (!row_types_read(types, &row->dtypes, &unknown))
        return row_error(r, "there is no element type ", unknown);
    for (char *form = row_next_part(&text); form; form = row_next_part(&text)) {
        BindingTarget target = is_native(form) ? TARGET_NATIVE : TARGET_PYTHON;
        if (row->forms[target].call)
            return row_error(r, "two calls of one kind: ", form);
        row->forms[target] = cut_form(form);
        if (strstr(row->forms[target].conditions, " requires "))
            return row_error(r, "conditions behind two words requires: ", row->ops);
    }
    return true;
}

static void add_attribute(BindingCall *call, const char *name)
{
    for (int i = 0; i < call->attribute_count; i++)
        if (!strcmp(call->attributes[i], name))
            return;
    if (call->attribute_count == BINDING_ATTRIBUTES_MAX)
        BUG("a call with more than %d attributes: %s", BINDING_ATTRIBUTES_MAX,
            call->expression.text);
    memcpy(call->attributes[call->attribute_count++], name, strlen(name) + 1);
}

static void find_attributes(BindingCall *call, const OpDesc *op)
{
    const Expression *e = &call->expression;
    char name[EXPRESSION_NAME_BYTES];
    for (int i = 0; i < e->count; i++) {
        expression_copy(e, e->terms[i].text, name);
        if (e->terms[i].kind == TERM_NAME && op_operand(op, name) < 0 && attribute_exists(op, name))
            add_attribute(call, name);
    }
}

static void append_call(BindingCall **list, BindingCall *call)
{
    while (*list)
        list = &(*list)->next;
    *list = call;
}

/* The text of a call; a worker in C that is given a function alone takes the arguments of the call
 * in Python. */
static void put_form(Text *text, const Row *row, BindingTarget target, const char *op)
{
    const char *call = row->forms[target].call, *other = row->forms[TARGET_PYTHON].call;
    row_put_call(text, call, op);
    if (!strchr(call, '(') && other && strchr(other, '('))
        row_put_call(text, strchr(other, '('), op);
}

/* Adds the call of one operator of a row. */
static bool add_call(const Reader *r, const Row *row, BindingTarget target, const OpDesc *op)
{
    static const char mark[] = "gradient of ";
    Text text = {0}, error = {0};
    BindingCall *call = memory_allocate(1, sizeof *call);
    put_form(&text, row, target, op->name);
    const char *source = text_string(&text);
    call->is_gradient = !strncmp(source, mark, strlen(mark));
    call->dtypes = row->dtypes;
    call->conditions = row->forms[target].conditions;
    call->gradient_conditions = row->forms[target].gradient_conditions;
    call->line = row->line;
    bool ok = expression_parse(&call->expression, source + (call->is_gradient ? strlen(mark) : 0),
                               &error) ||
              row_error(r, "", text_string(&error));
    if (ok) {
        find_attributes(call, op);
        append_call(&r->bindings->calls[target][op_number(op)], call);
    } else {
        free(call);
    }
    text_release(&text);
    text_release(&error);
    return ok;
}

static bool add_row(const Reader *r, char *text)
{
    Row row;
    if (!cut_row(r, text, &row))
        return false;
    for (char *name = strsep(&row.ops, " "); name; name = strsep(&row.ops, " ")) {
        const OpDesc *op = op_find(name);
        if (*name && !op)
            return row_error(r, "there is no operator ", name);
        for (int target = 0; op && target < TARGET_COUNT; target++)
            if (row.forms[target].call && !add_call(r, &row, target, op))
                return false;
    }
    return true;
}

/* The place of a word among names, or that of their end. */
static int place_of(const char *const *names, const char *word)
{
    int place = 0;
    while (names[place] && strcmp(names[place], word) != 0)
        place++;
    return place;
}

/* Sets the bits of words that are among the names. */
static bool read_words(const Reader *r, char *words, const char *const *names, uint32_t *mask)
{
    for (char *word = strsep(&words, " "); word; word = strsep(&words, " ")) {
        int place = place_of(names, word);
        if (!names[place])
            return row_error(r, "there is no form ", word);
        *mask |= 1u << place;
    }
    return true;
}

static bool read_row(Reader *r, char *row)
{
    static const char names[] = "names ", forms[] = "forms ", refuses[] = "refuses ";
    if (!strncmp(row, forms, strlen(forms)))
        return read_words(r, row + strlen(forms), form_names, &r->bindings->forms);
    if (!strncmp(row, refuses, strlen(refuses)))
        return read_words(r, row + strlen(refuses), illegal_written, &r->bindings->refused);
    if (!strncmp(row, names, strlen(names)))
        r->bindings->names = row + strlen(names);
    else if (!strcmp(row, "gradients"))
        r->bindings->differentiates = true;
    else
        return add_row(r, row);
    return true;
}

Bindings *bindings_read(const char *name, const char *text, Text *error)
{
    Bindings *bindings = memory_allocate(1, sizeof *bindings);
    bindings->text = memory_duplicate(text);
    bindings->name = name;
    bindings->names = "";
    Reader r = {bindings, row_lines_begin(bindings->text), error};
    for (char *row; (row = row_lines_next(&r.lines));)
        if (!read_row(&r, row)) {
            bindings_release(bindings);
            return NULL;
        }
    return bindings;
}

void bindings_release(Bindings *bindings)
{
    for (int target = 0; target < TARGET_COUNT; target++)
        for (int op = 0; op < OP_MAX; op++)
            for (BindingCall *call = bindings->calls[target][op], *next; call; call = next) {
                next = call->next;
                free(call);
            }
    free(bindings->text);
    free(bindings);
}

const Bindings *bindings_find(const char *name)
{
    enum { FILES_MAX = 32 };
    static const Bindings *known[FILES_MAX];
    for (int i = 0; binding_files[i].name; i++) {
        if (strcmp(binding_files[i].name, name) != 0)
            continue;
        Text error = {0};
        if (!known[i])
            known[i] = bindings_read(name, binding_files[i].text, &error);
        if (!known[i])
            BUG("%s", text_string(&error));
        return known[i];
    }
    return NULL;
}

bool bindings_differentiates(const Bindings *bindings)
{
    return bindings->differentiates;
}

uint32_t bindings_forms(const Bindings *bindings)
{
    return bindings->forms;
}

bool bindings_have_form(const Bindings *bindings, int64_t form)
{
    return bindings->forms >> form & 1;
}

bool bindings_refuse(const Bindings *bindings, const char *written)
{
    return bindings->refused >> place_of(illegal_written, written) & 1;
}

const BindingCall *bindings_calls(const Bindings *bindings, BindingTarget target, const OpDesc *op)
{
    return bindings->calls[target][op_number(op)];
}

/* A case that a call is looked for.  gradient is NULL, or the case of the gradient for which c, the
 * case of what is differentiated, is called. */
typedef struct Asked {
    const Case *c, *gradient;
    const char *illegal;
} Asked;

/* Functions such as hstack have the axis in their name: another one is another function's. */
static bool is_told(const BindingCall *call, const char *illegal)
{
    bool told = !illegal || strcmp(illegal, "axis") != 0;
    for (int i = 0; i < call->attribute_count && !told; i++)
        told = strstr(call->attributes[i], "axis") != NULL;
    return told;
}

/* Whether a row takes a case; if not, the reason, and how many of its conditions held. */
static bool call_takes(const BindingCall *call, const Asked *asked, int *held, Text *reason)
{
    const Case *c = asked->c;
    int of_gradient = 0;
    *held = 0;
    if (!(call->dtypes >> case_dtype(c) & 1)) {
        text_printf(reason, "no elements of %s", dtype_names[case_dtype(c)]);
        return false;
    }
    if (!is_told(call, asked->illegal)) {
        text_put(reason, "its call names no axis");
        return false;
    }
    bool takes = conditions_hold(call->conditions, c, asked->illegal, held, reason);
    if (takes && asked->gradient)
        takes = conditions_hold(call->gradient_conditions, asked->gradient, asked->illegal,
                                &of_gradient, reason);
    *held += of_gradient;
    return takes;
}

/* Of the rows that take the case, by exec.function modulo their number. */
static const BindingCall *choose_form(const BindingCall *calls, const Asked *asked)
{
    enum { FORMS_MAX = 64 };
    const BindingCall *forms[FORMS_MAX];
    Text ignored = {0};
    int count = 0, held;
    for (; calls && count < FORMS_MAX; calls = calls->next)
        if (call_takes(calls, asked, &held, &ignored))
            forms[count++] = calls;
    text_release(&ignored);
    return count > 0 ? forms[asked->c->exec.function % count] : NULL;
}

/* Of the reasons the one of the row whose conditions hold furthest; none where a row takes the
 * case. */
static const BindingCall *choose_call(const BindingCall *call, const Asked *asked, Text *why)
{
    if (call && asked->c->exec.function > 0) {
        const BindingCall *form = choose_form(call, asked);
        if (form)
            return form;
    }
    int furthest = -1;
    text_put(why, call ? "" : "not in the table");
    for (; call; call = call->next) {
        Text reason = {0};
        int held = 0;
        if (call_takes(call, asked, &held, &reason)) {
            text_clear(why);
            return call;
        }
        if (held > furthest) {
            text_clear(why);
            text_put(why, text_string(&reason));
            furthest = held;
        }
        text_release(&reason);
    }
    return NULL;
}

const BindingCall *bindings_choose(const Bindings *bindings, BindingTarget target, const Case *c,
                                   const char *illegal, Text *why)
{
    return choose_call(bindings_calls(bindings, target, c->op), &(Asked){c, NULL, illegal}, why);
}

const BindingCall *bindings_choose_gradient(const Bindings *bindings, const Case *gradient,
                                            const Case *forward, const char *illegal, Text *why)
{
    const BindingCall *calls = bindings_calls(bindings, TARGET_PYTHON, forward->op);
    return choose_call(calls, &(Asked){forward, gradient, illegal}, why);
}

/* words are names, or patterns of the shell for them. */
static bool has_word(const char *words, const char *name)
{
    char word[EXPRESSION_NAME_BYTES];
    while (*(words += strspn(words, " "))) {
        size_t length = strcspn(words, " ");
        if (length < sizeof word) {
            memcpy(word, words, length);
            word[length] = '\0';
            if (fnmatch(word, name, 0) == 0)
                return true;
        }
        words += length;
    }
    return false;
}

static bool is_input(const OpDesc *op, const char *name)
{
    char gradient[EXPRESSION_NAME_BYTES + 1];
    (void)snprintf(gradient, sizeof gradient, "d%s", name);
    return op_operand(op, name) >= 0 || op_operand(op, gradient) >= 0;
}

static void check_names(const Bindings *bindings, const OpDesc *op, const BindingCall *call,
                        Text *problems)
{
    const Expression *e = &call->expression;
    char name[EXPRESSION_NAME_BYTES];
    for (int i = 0; i < e->count; i++) {
        expression_copy(e, e->terms[i].text, name);
        if (e->terms[i].kind == TERM_NAME && !strstr(name, "::") && !is_input(op, name) &&
            !attribute_exists(op, name) && !has_word(bindings->names, name) &&
            !has_word("inf nan", name))
            text_printf(problems,
                        "%s.bindings, line %d: %s is no operand and no attribute of %s, and no "
                        "name of the library\n",
                        bindings->name, call->line, name, op->name);
    }
}

/* A call in C has no operators and no methods in its arguments. */
static void check_native(const Bindings *bindings, const BindingCall *call, Text *problems)
{
    const Expression *e = &call->expression;
    bool plain = e->terms[e->root].kind == TERM_CALL;
    for (int i = 0; i < e->count; i++)
        plain = plain && e->terms[i].kind != TERM_OPERATION &&
                (e->terms[i].kind != TERM_MEMBER || e->terms[e->terms[i].first].kind == TERM_NAME);
    if (!plain)
        text_printf(problems, "%s.bindings, line %d: C cannot make the call %s\n", bindings->name,
                    call->line, e->text);
}

/* A row of element types that the operator does not have, or with the call of one before it, is
 * never taken. */
static void check_reach(const Bindings *bindings, const OpDesc *op, const BindingCall *first,
                        const BindingCall *call, Text *problems)
{
    bool taken = (call->dtypes & op_dtypes(op)) != 0;
    for (const BindingCall *before = first; before != call; before = before->next)
        taken = taken && (strcmp(before->expression.text, call->expression.text) != 0 ||
                          *before->conditions || *before->gradient_conditions ||
                          (call->dtypes & ~before->dtypes));
    if (!taken)
        text_printf(problems, "%s.bindings, line %d: this row of %s is never taken\n",
                    bindings->name, call->line, op->name);
}

static void put_problem(const Bindings *bindings, const BindingCall *call, Text *error,
                        Text *problems)
{
    text_printf(problems, "%s.bindings, line %d: %s\n", bindings->name, call->line,
                text_string(error));
    text_clear(error);
}

/* Conditions are asked of cases of the operator, or of those of its gradients. */
static void check_conditions(const Bindings *bindings, const OpDesc *op, const BindingCall *call,
                             Text *problems)
{
    Text error = {0};
    bool differentiable = !*call->gradient_conditions;
    if (!conditions_fit(call->conditions, op, &error))
        put_problem(bindings, call, &error, problems);
    for (int i = 0; op_registry[i] && *call->gradient_conditions; i++) {
        if (gradient_forward(op_registry[i]) != op)
            continue;
        differentiable = true;
        if (!conditions_fit(call->gradient_conditions, op_registry[i], &error))
            put_problem(bindings, call, &error, problems);
    }
    text_put(&error, differentiable ? "" : "asks of gradients, of which there are none");
    if (!differentiable)
        put_problem(bindings, call, &error, problems);
    text_release(&error);
}

void bindings_check(const Bindings *bindings, Text *problems)
{
    for (int target = 0; target < TARGET_COUNT; target++)
        for (int i = 0; op_registry[i]; i++) {
            const BindingCall *first = bindings->calls[target][i];
            for (const BindingCall *call = first; call; call = call->next) {
                check_names(bindings, op_registry[i], call, problems);
                if (target == TARGET_NATIVE)
                    check_native(bindings, call, problems);
                check_reach(bindings, op_registry[i], first, call, problems);
                check_conditions(bindings, op_registry[i], call, problems);
            }
        }
}
