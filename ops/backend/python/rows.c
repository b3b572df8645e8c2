/* From the words of a function to its row, and to the conditions of its cases. */
#include "rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/backend/binding/expression.h"
#include "ops/backend/binding/row_lines.h"
#include "ops/backend/row.h"
#include "ops/case/attribute.h"
#include "ops/case/comparison.h"
#include "ops/case/condition.h"

enum { TOLD_MAX = 64 };

/* A function as it computes one operator.  simplest is the operator's simplest case. */
typedef struct Function {
    const OpDesc *op;
    const char *name;
    const char *required; /* conditions of the user */
    Case simplest;
    uint32_t dtypes, passed, optional; /* element types; operands by their bits */
    int told_count;
    char told[TOLD_MAX][EXPRESSION_NAME_BYTES]; /* attributes */
    Text call, conditions;
    Text *error;
} Function;

static void add(Function *f, const char *condition)
{
    text_printf(&f->conditions, "%s%s", f->conditions.length ? ", " : "", condition);
}

static bool untold(const Function *f, const char *what, const char *how)
{
    text_printf(f->error, "%s is not told %s of %s: %s", f->name, what, f->op->name, how);
    return false;
}

static bool refuse_name(const Function *f, const char *name)
{
    Nearest nearest = nearest_begin(name, strlen(name));
    comparison_offer_names(f->op, &nearest);
    text_printf(f->error, "%s is no operand and no attribute of %s", name, f->op->name);
    nearest_put(&nearest, f->error);
    return false;
}

/* What is written and not read is the value of the function. */
static bool is_pure_output(const Function *f, int operand)
{
    Shapes shapes;
    op_shape(f->op, f->simplest.params, &shapes);
    return operand < shapes.count && shapes.tensor[operand].role == ROLE_OUT;
}

/* A name in a word.  *unknown: the operator has nothing of it. */
static bool take_name(Function *f, const char *name, bool optional, bool *unknown)
{
    int operand = op_operand(f->op, name);
    bool attribute = attribute_exists(f->op, name);
    *unknown = operand < 0 && !attribute;
    if (*unknown)
        return optional || refuse_name(f, name);
    if (operand >= 0 && is_pure_output(f, operand)) {
        text_printf(f->error, "%s of %s is what %s returns, not what it takes", name, f->op->name,
                    f->name);
        return false;
    }
    if (operand >= 0) {
        f->passed |= 1u << operand;
        f->optional |= (uint32_t)optional << operand;
    }
    if (attribute && f->told_count < TOLD_MAX)
        (void)snprintf(f->told[f->told_count++], EXPRESSION_NAME_BYTES, "%s", name);
    return true;
}

/* The value behind NAME= in a word. */
static const char *value_of(const char *word)
{
    size_t length = 0;
    while (isalnum((unsigned char)word[length]) || word[length] == '_')
        length++;
    return word[length] == '=' ? word + length + 1 : word;
}

static bool take_word(Function *f, char *word)
{
    Expression e;
    char name[EXPRESSION_NAME_BYTES];
    size_t length = strlen(word);
    bool optional = length > 0 && word[length - 1] == '?', left_out = false;
    if (optional)
        word[length - 1] = '\0';
    if (!expression_parse(&e, value_of(word), f->error))
        return false;
    for (int i = 0; i < e.count; i++) {
        bool unknown;
        if (e.terms[i].kind != TERM_NAME)
            continue;
        expression_copy(&e, e.terms[i].text, name);
        if (!take_name(f, name, optional, &unknown))
            return false;
        left_out = left_out || unknown;
    }
    if (!left_out)
        text_printf(&f->call, "%s%s", f->call.data[f->call.length - 1] == '(' ? "" : ", ", word);
    return true;
}

static bool is_told(const Function *f, const char *name)
{
    for (int i = 0; i < f->told_count; i++)
        if (!strcmp(f->told[i], name))
            return true;
    return false;
}

/* True when a word of a list begins with the name. */
static bool has_word(const char *list, const char *name, const char *ends)
{
    size_t length = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ", ")) {
        at += strspn(at, ", ");
        if (!strncmp(at, name, length) && strchr(ends, at[length]))
            return true;
    }
    return false;
}

/* True when a condition of the user is about the name. */
static bool is_required(const Function *f, const char *name)
{
    return has_word(f->required, name, "=!%.");
}

/* True where an attribute that is computed from the parameter is told. */
static bool is_told_derived(const Function *f, const char *name)
{
    for (const AttributeRow *row = attribute_rows; row->name; row++)
        if (is_told(f, row->name) && op_has_params(f->op, row->needs) &&
            has_word(row->needs, name, ": "))
            return true;
    return false;
}

/* Whether the inputs of two cases have other extents. */
static bool inputs_differ(const OpDesc *op, const Case *a, const Case *b)
{
    Shapes first, second;
    op_shape(op, a->params, &first);
    op_shape(op, b->params, &second);
    for (int i = 0; i < first.count; i++) {
        const Tensor *x = &first.tensor[i].layout, *y = &second.tensor[i].layout;
        if (first.tensor[i].role == ROLE_OUT)
            continue;
        if (x->rank != y->rank ||
            memcmp(x->extent, y->extent, (size_t)x->rank * sizeof *x->extent) != 0)
            return true;
    }
    return false;
}

/* Makes the extents that a parameter holds larger by a number. */
static void enlarge(const Param *param, Case *c, int64_t by)
{
    Shape *shape = param_shape(param, c->params);
    if (param->kind == PARAM_DIM)
        *param_integer(param, c->params) += by;
    else if (shape->rank == 0)
        *shape = (Shape){1, {1 + by}};
    else
        for (int64_t axis = 0; axis < shape->rank; axis++)
            shape->extent[axis] += by;
    case_normalise(c, NULL);
}

/* A case with room: a kernel may be larger in it than in the simplest one. */
static Case roomy_case(const Function *f)
{
    enum { ROOM = 3 };
    Case c = f->simplest;
    for (const Param *param = f->op->params; param->name; param++)
        if (param->kind == PARAM_DIM || param->kind == PARAM_SHAPE)
            enlarge(param, &c, ROOM);
    return c;
}

/* True when arrays tell an extent: inputs have other shapes where it is another one; or that axes
 * of theirs are repeated, as NumPy repeats those of extent 1. */
static bool shapes_tell(const Function *f, const Param *param)
{
    static const char repeated[] = "broadcast_";
    if (param->kind == PARAM_INTEGER)
        return !strncmp(param->name, repeated, strlen(repeated));
    if (param->kind != PARAM_DIM && param->kind != PARAM_TUPLE && param->kind != PARAM_SHAPE)
        return false;
    /* Other parameters may keep it from being larger. */
    Case roomy = roomy_case(f), larger = roomy, smaller = roomy;
    enlarge(param, &larger, 1);
    enlarge(param, &smaller, -1);
    return inputs_differ(f->op, &roomy, &larger) || inputs_differ(f->op, &roomy, &smaller);
}

/* Whether a choice changes more of the operands than their strides. */
static bool changes_parts(const Function *f, const Param *param)
{
    Shapes first, other;
    Case roomy = roomy_case(f), c = roomy;
    op_shape(f->op, roomy.params, &first);
    for (int64_t choice = 0; choice <= param->maximum; choice++) {
        *param_integer(param, c.params) = choice;
        op_shape(f->op, c.params, &other);
        for (int i = 0; i < first.count; i++)
            if (first.tensor[i].part != other.tensor[i].part)
                return true;
        if (inputs_differ(f->op, &roomy, &c))
            return true;
    }
    return false;
}

/* Where operands lie is in their strides; choices that compute something are not. */
static bool strides_tell(Function *f, const Param *param)
{
    if (param->kind == PARAM_PAD || param->kind == PARAM_INCREMENT)
        return true;
    if (!param->placement || param->kind != PARAM_CHOICE ||
        (condition_has_no_usual(param->name) && changes_parts(f, param)))
        return false;
    Text condition = {0};
    text_printf(&condition, "%s=", param->name);
    for (int64_t i = 0; i < param->computing; i++)
        text_printf(&condition, "%s%s", i ? "|" : "", param->names[i]);
    if (param->computing)
        add(f, text_string(&condition));
    text_release(&condition);
    return true;
}

/* A factor of 0 keeps operands from being read: then they are absent, which a function must allow.
 */
static void keep_factor(Function *f, const Param *param)
{
    char condition[EXPRESSION_NAME_BYTES + 8];
    Case zero = f->simplest;
    Shapes without;
    if (param->kind != PARAM_SCALAR || is_required(f, param->name))
        return;
    *param_scalar(param, zero.params) = (Scalar){0};
    op_shape(f->op, zero.params, &without);
    (void)snprintf(condition, sizeof condition, "%s!=0", param->name);
    for (int i = 0; i < without.count; i++)
        if (without.tensor[i].ignored && without.tensor[i].role == ROLE_IN &&
            (f->passed & ~f->optional) >> i & 1) {
            add(f, condition);
            return;
        }
}

/* The input that a choice adds to the simplest case, -1 where it adds none. */
static int input_of_choice(const Function *f, const Param *param)
{
    Case other = f->simplest;
    Shapes without, with;
    if (param->kind != PARAM_CHOICE || param->maximum != 1)
        return -1;
    *param_integer(param, other.params) = 1 - *param_integer(param, other.params);
    case_normalise(&other, NULL);
    op_shape(f->op, f->simplest.params, &without);
    op_shape(f->op, other.params, &with);
    for (int i = 0; i < without.count; i++)
        if (without.tensor[i].ignored && !with.tensor[i].ignored)
            return i;
    return -1;
}

/* A choice whether an operand is there. */
static bool keep_presence(Function *f, const Param *param)
{
    int operand = input_of_choice(f, param);
    if (operand < 0 || !(f->passed >> operand & 1))
        return false;
    Text condition = {0};
    int64_t absent = *(const int64_t *)(const void *)(f->simplest.params + param->offset);
    text_printf(&condition, "%s=%s", param->name, param->names[1 - absent]);
    if (!(f->optional >> operand & 1))
        add(f, text_string(&condition));
    text_release(&condition);
    return true;
}

/* Without an axis a function works along the last one, without several over all elements. */
static bool keep_axes(Function *f, const Param *param)
{
    bool one = !strcmp(param->name, "axis"), several = !strcmp(param->name, "axes");
    if (one && case_has(&f->simplest, "shape"))
        add(f, "axis=last");
    else if (several)
        add(f, "all-axes");
    else
        return false;
    return true;
}

static void keep_simplest(Function *f, const Param *param)
{
    Text condition = {0};
    condition_put_simplest(&f->simplest, param, &condition);
    add(f, text_string(&condition));
    text_release(&condition);
}

static bool settle_param(Function *f, const Param *param)
{
    char how[96];
    const char *name = param->name;
    (void)snprintf(how, sizeof how, "take it as a parameter, or require %s=...", name);
    keep_factor(f, param);
    if (param->kind == PARAM_DTYPE || is_told(f, name) || is_told_derived(f, name) ||
        is_required(f, name))
        return true;
    if (param->kind == PARAM_LIST || param->kind == PARAM_CODE || param->kind == PARAM_SEED)
        return untold(f, name, "functions of one's own cannot be told it");
    if (shapes_tell(f, param) || strides_tell(f, param) || keep_presence(f, param) ||
        keep_axes(f, param))
        return true;
    if (param->kind == PARAM_SHAPE || param->kind == PARAM_DIM || condition_has_no_usual(name))
        return untold(f, name, how);
    keep_simplest(f, param);
    return true;
}

/* An operand that is not passed must be one that the case leaves out, or whose data the function
 * takes for granted. */
static bool settle_operands(Function *f)
{
    Shapes shapes;
    op_shape(f->op, f->simplest.params, &shapes);
    for (int i = 0; i < shapes.count; i++) {
        const char *name = f->op->tensors[i];
        char how[96];
        if (shapes.tensor[i].role == ROLE_OUT || f->passed >> i & 1 || shapes.tensor[i].ignored)
            continue;
        if (!is_required(f, name)) {
            (void)snprintf(how, sizeof how, "take it as a parameter, or require %s=ones", name);
            return untold(f, name, how);
        }
    }
    return true;
}

static bool settle(Function *f)
{
    if (f->required[0]) {
        if (!conditions_fit(f->required, f->op, f->error))
            return false;
        add(f, f->required);
    }
    for (const Param *param = f->op->params; param->name; param++)
        if (!settle_param(f, param))
            return false;
    if (f->op->random)
        return untold(f, "the random numbers", "functions of one's own cannot be told them");
    add(f, "exec.illegal=0, exec.threads=1");
    return settle_operands(f);
}

/* Types that arrays of NumPy have: those with a fraction, where the operator has such. */
static uint32_t usual_dtypes(const OpDesc *op)
{
    uint32_t real = op_dtypes(op) & DTYPES_REAL;
    return real ? real : op_dtypes(op) & (DTYPES_INTEGER | DTYPES_BOOLEAN);
}

static void begin(Function *f, DType dtype)
{
    case_init(&f->simplest, f->op);
    case_set_dtype(&f->simplest, dtype);
    case_normalise(&f->simplest, NULL);
    text_printf(&f->call, "%s(", f->name);
}

static void put_row(const Function *f, Text *rows)
{
    text_printf(rows, "%s |", f->op->name);
    for (int dtype = 0; dtype < DT_COUNT; dtype++)
        if (f->dtypes >> dtype & 1)
            text_printf(rows, " %s", dtype_names[dtype]);
    text_printf(rows, " | %s) requires %s\n", text_string(&f->call), text_string(&f->conditions));
}

/* The row of one operator; words is cut up. */
static bool add_operator(Function *f, const RowWords *given, Text *rows)
{
    RowWords words = *given;
    f->dtypes &= op_dtypes(f->op);
    f->dtypes = f->dtypes ? f->dtypes : usual_dtypes(f->op);
    bool ok = f->dtypes != 0;
    if (ok)
        begin(f, (DType)__builtin_ctz(f->dtypes));
    else
        text_printf(f->error, "%s has no element types that arrays have", f->op->name);
    for (int i = 0; ok && i < words.count; i++)
        ok = take_word(f, words.word[i]);
    ok = ok && settle(f);
    if (ok)
        put_row(f, rows);
    text_release(&f->call);
    text_release(&f->conditions);
    return ok;
}

/* The parts of a line, cut off it. */
typedef struct Line {
    char *ops, *types, *call, *conditions;
    RowWords words;
    char function[ROW_WORD_BYTES];
} Line;

static bool cut_line(char *text, Line *line, Text *error)
{
    line->ops = row_next_part(&text);
    line->types = row_next_part(&text);
    line->call = row_next_part(&text);
    line->conditions = row_next_part(&text);
    if (!line->conditions) {
        text_printf(error, "expected OPERATORS | TYPES | CALL | CONDITIONS, got %s", line->ops);
        return false;
    }
    if (!row_check(line->call, error))
        return false;
    const BindingRow row = {line->ops, line->call};
    row_words(&row, &line->words);
    row_name(&row, line->function);
    return true;
}

static bool add_named(const Line *line, const char *name, uint32_t dtypes, Text *rows, Text *error)
{
    const OpDesc *op = op_find(name);
    Function *f = memory_allocate(1, sizeof *f);
    *f = (Function){.op = op,
                    .name = line->function,
                    .required = line->conditions,
                    .dtypes = dtypes,
                    .error = error};
    bool ok = op && add_operator(f, &line->words, rows);
    if (!op) {
        Nearest nearest = nearest_begin(name, strlen(name));
        op_offer_names(&nearest);
        text_printf(error, "there is no operator %s", name);
        nearest_put(&nearest, error);
    }
    free(f);
    return ok;
}

bool python_put_rows(const char *text, Text *rows, Text *error)
{
    static const char mark[] = "kernel ";
    if (strncmp(text, mark, strlen(mark)) != 0)
        return true;
    Line line;
    char *copy = memory_duplicate(text + strlen(mark));
    uint32_t dtypes = 0;
    const char *unknown = "";
    bool ok = cut_line(copy, &line, error);
    if (ok && !row_types_read(line.types, &dtypes, &unknown)) {
        text_printf(error, "%s: there is no element type %s", line.function, unknown);
        ok = false;
    }
    char *rest = ok ? line.ops : NULL;
    for (char *name; ok && (name = strsep(&rest, " "));)
        ok = *name == '\0' || add_named(&line, name, dtypes, rows, error);
    free(copy);
    return ok;
}
