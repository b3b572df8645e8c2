/* From lines to descriptions as plug-ins have them, and from these to operators. */
#include "operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/backend/binding/row_lines.h"
#include "ops/plugin/operator.h"
#include "reference.h"

enum { PARAMS_MAX = 36, OPERANDS_MAX = 12, CHOICES = 32, CHOICE_HIGH = 4095 };

/* A description with its rows; `given` comes first, so that an operator leads to it.  body: its
 * cases are choices. */
typedef struct OwnOperator {
    opconform_operator given;
    opconform_param params[PARAMS_MAX + 1];
    opconform_operand_row operands[OPERANDS_MAX + 1];
    int param_count, operand_count;
    bool body;
    Backend file; /* its name and place */
} OwnOperator;

/* The operator whose lines are read. */
static OwnOperator *open_operator;

static const opconform_plugin family = {OPCONFORM_HEAD, .name = "python"};

static const OwnOperator *own_of(const OpDesc *op)
{
    const PluginOperator *made = op->detail;
    return (const OwnOperator *)(const void *)made->given;
}

static void refer(opconform_call *call)
{
    const OwnOperator *own = own_of(call->op);
    if (own->body)
        opconform_put_bounded(&call->tensors[0], 0, 1, 0, 0, 0);
    else
        python_refer(&own->file, call);
}

/* A part of a line as a string of its own. */
static const char *part_of(char **rest)
{
    const char *part = row_next_part(rest);
    return memory_duplicate(part ? part : "");
}

/* The word in front of a line's parts; *rest begins behind it. */
static bool begins(const char *line, const char *word, const char **rest)
{
    size_t length = strlen(word);
    *rest = line + length;
    return !strncmp(line, word, length);
}

static void begin_operator(const Backend *backend, char *rest)
{
    open_operator = memory_allocate(1, sizeof *open_operator);
    open_operator->file = *backend;
    open_operator->given.name = part_of(&rest);
    const char *unknown, *types = part_of(&rest);
    char *copy = memory_duplicate(types);
    uint32_t dtypes = 0;
    if (row_types_read(copy, &dtypes, &unknown))
        open_operator->given.dtypes = dtypes;
    free(copy);
    open_operator->given.legal = part_of(&rest);
    open_operator->given.summary = part_of(&rest);
    if (!*open_operator->given.legal)
        open_operator->given.legal = NULL;
}

static opconform_param_kind kind_named(const char *word)
{
    static const struct {
        const char *word;
        opconform_param_kind kind;
    } kinds[] = {{"extent", OPCONFORM_EXTENT},
                 {"integer", OPCONFORM_INTEGER},
                 {"choice", OPCONFORM_CHOICE},
                 {"real", OPCONFORM_REAL}};
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (!strcmp(kinds[i].word, word))
            return kinds[i].kind;
    return OPCONFORM_END;
}

static bool full(const char *what, Text *error)
{
    text_printf(error, "operator %s: too many %s", open_operator->given.name, what);
    return false;
}

static bool add_param(char *rest, Text *error)
{
    if (open_operator->param_count == PARAMS_MAX)
        return full("parameters", error);
    opconform_param *param = &open_operator->params[open_operator->param_count++];
    const char *kind = strsep(&rest, " ");
    param->kind = kind_named(kind);
    param->name = part_of(&rest);
    param->low = strtol(part_of(&rest), NULL, 10);
    param->high = strtol(part_of(&rest), NULL, 10);
    param->words = part_of(&rest);
    param->help = "";
    return true;
}

static bool add_operand(char *rest, Text *error)
{
    if (open_operator->operand_count == OPERANDS_MAX)
        return full("operands", error);
    opconform_operand_row *row = &open_operator->operands[open_operator->operand_count++];
    row->role = !strcmp(strsep(&rest, " "), "out") ? OPCONFORM_OUT : OPCONFORM_IN;
    row->name = part_of(&rest);
    row->shape = part_of(&rest);
    row->below = part_of(&rest);
    if (!*row->below)
        row->below = NULL;
    else
        row->dtype = 1 + DT_I64;
    return true;
}

/* Of a file that two backends name, the operator is the same. */
static bool is_known(const OwnOperator *own)
{
    const OpDesc *op = op_find(own->given.name);
    return op && !strcmp(op->family, family.name) &&
           !strcmp(own_of(op)->file.where, own->file.where);
}

static bool finish_operator(Text *error)
{
    OwnOperator *own = open_operator;
    open_operator = NULL;
    if (is_known(own))
        return true;
    own->given.params = own->params;
    own->given.operands = own->operands;
    own->given.reference = refer;
    PluginOperator *made = plugin_operator_make(&family, &own->given, error);
    return made && op_add(&made->op, error);
}

/* A body: choices, and a number that says whether frameworks agree. */
static bool add_body(const Backend *backend, char *rest, Text *rows, Text *error)
{
    static char names[CHOICES][8];
    OwnOperator *own = open_operator = memory_allocate(1, sizeof *own);
    own->file = *backend;
    own->body = true;
    own->given.name = part_of(&rest);
    const char *function = part_of(&rest);
    own->given.summary = part_of(&rest);
    own->given.dtypes = 1u << DT_F32;
    text_printf(rows, "%s | f32 | %s(", own->given.name, function);
    for (int i = 0; i < CHOICES; i++) {
        (void)snprintf(names[i], sizeof names[i], "c%d", i + 1);
        own->params[own->param_count++] =
            (opconform_param){.name = names[i],
                              .kind = OPCONFORM_INTEGER,
                              .high = CHOICE_HIGH,
                              .help = "what the body's draws are made of"};
        text_printf(rows, "%s%s", i ? ", " : "", names[i]);
    }
    own->operands[0] =
        (opconform_operand_row){.name = "agreement", .shape = "", .role = OPCONFORM_OUT};
    text_put(rows, ") requires exec.illegal=0, exec.threads=1, exec.repeat=1\n");
    return finish_operator(error);
}

bool python_take_operator(const Backend *backend, const char *line, Text *rows, Text *error)
{
    const char *rest;
    bool ok = true;
    char *copy = NULL;
    if (begins(line, "body ", &rest))
        ok = add_body(backend, copy = memory_duplicate(rest), rows, error);
    else if (begins(line, "operator ", &rest))
        begin_operator(backend, copy = memory_duplicate(rest));
    else if (open_operator && begins(line, "param ", &rest))
        ok = add_param(copy = memory_duplicate(rest), error);
    else if (open_operator && begins(line, "operand ", &rest))
        ok = add_operand(copy = memory_duplicate(rest), error);
    else if (open_operator && !strcmp(line, "end"))
        ok = finish_operator(error);
    free(copy);
    return ok;
}
