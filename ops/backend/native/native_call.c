/* Calls from the rows of a library and the text of a case. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(words, word); at; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

const NativeRow *native_row(const NativeLibrary *library, const OpDesc *op)
{
    for (const NativeRow *row = library->rows; row->ops; row++)
        if (has_word(row->ops, op->name))
            return row;
    return NULL;
}

static void put_integer(NativeValue *value, int64_t integer)
{
    value->kind = VALUE_INTEGER;
    value->list[0] = integer;
}

static void append(NativeValue *value, int64_t integer)
{
    value->kind = VALUE_INTEGERS;
    value->list[value->count++] = integer;
}

/* The reduced axes: bit 0 is the innermost. */
static void put_axes(NativeValue *value, const Case *c)
{
    int64_t bits = case_int(c, "axes");
    int rank = case_shape(c, "shape")->rank;
    value->kind = VALUE_INTEGERS;
    for (int axis = 0; axis < rank; axis++)
        if (bits >> (rank - 1 - axis) & 1)
            append(value, axis);
}

/* The axes of a transposition. */
static void put_order(NativeValue *value, const Case *c)
{
    int rank = case_shape(c, "shape")->rank;
    int64_t first = case_int(c, "axis");
    bool backwards = case_int(c, "backwards") != 0;
    value->kind = VALUE_INTEGERS;
    for (int i = 0; i < rank; i++) {
        int axis = (int)((first + i) % rank);
        append(value, backwards ? rank - 1 - axis : axis);
    }
}

/* How often each axis is repeated. */
static void put_copies(NativeValue *value, const Case *c)
{
    int rank = case_shape(c, "shape")->rank;
    value->kind = VALUE_INTEGERS;
    for (int axis = 0; axis < rank; axis++)
        append(value, axis == case_int(c, "axis") ? case_int(c, "step") : 1);
}

/* The extents from an axis on. */
static void put_normalised(NativeValue *value, const Case *c)
{
    const Shape *shape = case_shape(c, "shape");
    value->kind = VALUE_INTEGERS;
    for (int axis = (int)case_int(c, "axis"); axis < shape->rank; axis++)
        append(value, shape->extent[axis]);
}

static void put_reduction(NativeValue *value, const Case *c)
{
    put_integer(value, !strcmp(case_choice(c, "mode"), "mean") ? 1 : 2);
}

static void put_descending(NativeValue *value, const Case *c)
{
    put_integer(value, !strcmp(case_choice(c, "mode"), "greatest"));
    value->boolean = true;
}

static void put_right(NativeValue *value, const Case *c)
{
    put_integer(value, !strcmp(case_choice(c, "mode"), "right"));
    value->boolean = true;
}

static const struct {
    const char *name;
    void (*put)(NativeValue *value, const Case *c);
} native_conversions[] = {
    {"axes", put_axes},           {"order", put_order},
    {"copies", put_copies},       {"normalised", put_normalised},
    {"reduction", put_reduction}, {"descending", put_descending},
    {"right", put_right},
};

static void convert(NativeValue *value, const Case *c, const char *name)
{
    for (size_t i = 0; i < COUNT_OF(native_conversions); i++)
        if (!strcmp(native_conversions[i].name, name)) {
            native_conversions[i].put(value, c);
            return;
        }
    BUG("no conversion %s", name);
}

static int operand_named(const OpDesc *op, const char *name, size_t length)
{
    for (int i = 0; op->tensors[i]; i++)
        if (strlen(op->tensors[i]) == length && !strncmp(op->tensors[i], name, length))
            return i;
    BUG("%s has no operand %s", op->name, name);
}

static void put_operands(NativeValue *value, const Case *c, const Request *request,
                         const char *word)
{
    value->kind = strchr(word, '&') ? VALUE_TENSORS : VALUE_TENSOR;
    while (*word) {
        size_t length = strcspn(word, "&");
        value->list[value->count++] = operand_named(c->op, word, length);
        word += length + (word[length] == '&');
    }
    if (value->optional && request->tensors[value->list[0]].role == REQUEST_IGNORED)
        value->kind = VALUE_NONE;
}

static void put_tuple(NativeValue *value, const Shape *shape)
{
    value->kind = VALUE_INTEGERS;
    for (int i = 0; i < shape->rank; i++)
        append(value, shape->extent[i]);
}

static void put_constant(NativeValue *value, const char *word)
{
    value->boolean = !strcmp(word, "yes") || !strcmp(word, "no");
    put_integer(value, value->boolean ? word[0] == 'y' : strtol(word, NULL, 10));
}

static bool is_flag(const OpDesc *op, const char *name)
{
    for (const Param *param = op->params; param->name; param++)
        if (!strcmp(param->name, name))
            return param->kind == PARAM_CHOICE && !strcmp(param->names[0], "no");
    return false;
}

static void put_value(NativeValue *value, const Case *c, const Request *request, char *word)
{
    char *equals = strchr(word, '=');
    if (equals) {
        *equals = '\0';
        (void)snprintf(value->attribute, sizeof value->attribute, "%s", word);
        word = equals + 1;
    }
    size_t last = strlen(word) - 1;
    value->optional = word[last] == '?';
    if (value->optional)
        word[last] = '\0';
    switch (*word) {
    case '#':
        put_integer(value, case_int(c, word + 1));
        value->boolean = is_flag(c->op, word + 1);
        break;
    case '$':
        value->kind = VALUE_REAL;
        value->real = case_scalar(c, word + 1).re;
        break;
    case '~':
        value->kind = VALUE_REAL;
        value->real = strtod(word + 1, NULL);
        break;
    case '[':
        append(value, case_int(c, word + 1));
        break;
    case '@':
        put_tuple(value, case_shape(c, word + 1));
        break;
    case '!':
        put_constant(value, word + 1);
        break;
    case '\'':
        value->kind = VALUE_TEXT;
        (void)snprintf(value->text, sizeof value->text, "%s", word + 1);
        break;
    case ':':
        convert(value, c, word + 1);
        break;
    case '-':
        value->kind = VALUE_NONE;
        break;
    default:
        put_operands(value, c, request, word);
    }
}

static void put_values(NativeCall *call, const Request *request)
{
    char words[256], *rest = NULL;
    (void)snprintf(words, sizeof words, "%s", call->row->arguments);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        if (call->count == NATIVE_VALUES_MAX)
            BUG("%s has too many arguments", call->row->function);
        put_value(&call->values[call->count++], &call->c, request, word);
    }
}

/* The function's name, with the operator's for %s, and that with a capital for %S. */
static void put_function(NativeCall *call)
{
    const char *function = call->row->function, *name = call->c.op->name,
               *mark = strchr(function, '%');
    int before = mark ? (int)(mark - function) : 0;
    char first = mark && mark[1] == 'S' ? (char)toupper((unsigned char)name[0]) : name[0];
    (void)(mark ? snprintf(call->function, sizeof call->function, "%.*s%c%s%s", before, function,
                           first, name + 1, mark + 2)
                : snprintf(call->function, sizeof call->function, "%s", function));
}

/* Takes the number of an argument that is to be illegal off the text. */
static int take_illegal(char *text)
{
    static const char *const mark = " illegal=";
    char *word = strstr(text, mark), *end;
    long number = word ? strtol(word + strlen(mark), &end, 10) : 0;
    if (!word || number < 1 || number > INT_MAX || (*end && *end != ' '))
        return 0;
    memmove(word, end, strlen(end) + 1);
    return (int)number;
}

bool native_call(const NativeLibrary *library, const Request *request, NativeCall *call,
                 Text *error)
{
    char text[WORKER_TEXT + 1];
    size_t length = strcspn(request->text, "|");
    memset(call, 0, sizeof *call);
    if (request->length > WORKER_TEXT || length > request->length)
        length = 0;
    memcpy(text, request->text, length);
    text[length] = '\0';
    call->illegal = take_illegal(text);
    if (!case_parse(&call->c, text, error))
        return false;
    call->row = native_row(library, call->c.op);
    if (!call->row || (call->row->takes && !call->row->takes(&call->c))) {
        call->row = NULL;
        return true;
    }
    put_function(call);
    put_values(call, request);
    while (call->first_output < (int)request->count &&
           request->tensors[call->first_output].role != REQUEST_OUTPUT)
        call->first_output++;
    call->outputs = (int)request->count - call->first_output;
    return true;
}
