/* Each parameter is told to the function, or is kept to what the function takes it for. */
#include "kernel_conditions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/case/condition.h"
#include "ops/case/extent.h"

/* simplest is the simplest case in the element type. */
typedef struct Teller {
    const KernelEntry *entry;
    const char *required;
    Case simplest;
    Text *conditions, *error;
} Teller;

static void add(const Teller *t, const char *condition)
{
    text_printf(t->conditions, "%s%s", t->conditions->length ? "," : "", condition);
}

/* What a function is not told is one sentence. */
static bool untold(const Teller *t, const char *what, const char *how)
{
    text_printf(t->error, "%s is not told %s: %s", t->entry->function, what, how);
    return false;
}

/* True when a condition of the row is about the name. */
static bool is_required(const Teller *t, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = t->required; *at; at += strcspn(at, ",")) {
        at += strspn(at, ", ");
        if (!strncmp(at, name, length) && strchr("=!%", at[length]) && at[length])
            return true;
    }
    return false;
}

static bool requires_word(const Teller *t, const char *condition)
{
    const char *at = strstr(t->required, condition);
    return at && strchr(", ", at[strlen(condition)]);
}

/* The argument that is an attribute, whole or number `index` of it; NULL where there is none. */
static const KernelArgument *find_told(const Teller *t, const char *name, int index)
{
    for (int i = 0; i < t->entry->count; i++) {
        const KernelArgument *argument = &t->entry->arguments[i];
        bool attribute = argument->kind == KERNEL_ATTRIBUTE || argument->kind == KERNEL_LEADING;
        if (attribute && argument->index == index && !strcmp(argument->name, name))
            return argument;
    }
    return NULL;
}

static bool is_told(const Teller *t, const char *name)
{
    return find_told(t, name, -1) != NULL;
}

/* How many numbers of a tuple are told, from the first on. */
static int numbers_told(const Teller *t, const char *name)
{
    int count = 0;
    while (find_told(t, name, count))
        count++;
    return count;
}

static bool has_param(const Teller *t, const char *name)
{
    return op_param(t->entry->op, name, strlen(name)) != NULL;
}

static bool tells_rank(const Teller *t)
{
    for (int i = 0; i < t->entry->count; i++)
        if (t->entry->arguments[i].kind == KERNEL_RANK)
            return true;
    return is_told(t, "rank") || is_required(t, "rank");
}

static void add_rank(const Teller *t, int rank)
{
    char condition[32];
    (void)snprintf(condition, sizeof condition, "rank=%d", rank);
    if (!is_required(t, "rank"))
        add(t, condition);
}

/* The axes that flat arrays have are in order: what is worked along lies innermost. */
static void add_inner_columns(const Teller *t)
{
    bool along = has_param(t, "axis") || has_param(t, "axes");
    if (along)
        add(t, "inner-columns");
    else if (!t->entry->op->in_place)
        add_rank(t, 2);
}

/* outer, axis_extent and inner: what is missing is 1. */
static bool tell_around_axis(const Teller *t)
{
    if (!is_told(t, "axis_extent"))
        return untold(t, "the extent of the axis", "pass axis_extent");
    if (!is_told(t, "outer"))
        add(t, "outer=1");
    if (!is_told(t, "inner"))
        add(t, "inner=1");
    return true;
}

/* The parameter `shape`, and with it the axes where they follow from flat words. */
static bool tell_shape(const Teller *t)
{
    int numbers = numbers_told(t, "shape");
    bool axis = is_told(t, "axis") || is_required(t, "axis");
    if (is_told(t, "shape"))
        return tells_rank(t) || untold(t, "the number of axes", "pass rank, or require rank=2");
    if (numbers > 0)
        add_rank(t, numbers);
    else if (is_told(t, "rows") && is_told(t, "cols") && axis)
        add_rank(t, 2);
    else if (is_told(t, "rows") && is_told(t, "cols"))
        add_inner_columns(t);
    else if (is_told(t, "outer") || is_told(t, "inner") || is_told(t, "axis_extent"))
        return tell_around_axis(t);
    else if (is_told(t, "cols")) {
        add_inner_columns(t);
        add(t, "rows=1");
    } else if (is_told(t, "n")) {
        if (!t->entry->op->in_place)
            add_rank(t, 1);
        if (has_param(t, "axes") && !is_required(t, "axes"))
            add(t, "some-axes");
    } else if (!is_required(t, "shape"))
        return untold(t, "the extents", "pass rows and cols, n, or shape[0], shape[1], ...");
    return true;
}

/* True where words of flat arrays say along which axes the function works. */
static bool axes_follow(const Teller *t)
{
    return (is_told(t, "cols") || is_told(t, "axis_extent") || is_told(t, "n") ||
            requires_word(t, "last-axis") || requires_word(t, "inner-columns")) &&
           numbers_told(t, "shape") == 0;
}

/* True where a product of extents, such as in_channels, tells the parameter. */
static bool follows_from_product(const Teller *t, const char *name)
{
    for (const ExtentRow *row = extent_rows; row->name; row++) {
        const char *last = row->factors ? strrchr(row->factors, ' ') : NULL;
        bool whole = row->of && row->side == EXTENT_ALL && !has_param(t, "kernel_size") &&
                     !has_param(t, "output_size") && !strcmp(row->of, name);
        if (extent_row(t->entry->op, row->name) && is_told(t, row->name) &&
            (whole || (last && !strcmp(last + 1, name))))
            return true;
    }
    return false;
}

static bool ends_with(const char *name, const char *end)
{
    return strlen(name) >= strlen(end) && !strcmp(name + strlen(name) - strlen(end), end);
}

static void keep_simplest(const Teller *t, const Param *param)
{
    Text condition = {0};
    condition_put_simplest(&t->simplest, param, &condition);
    add(t, text_string(&condition));
    text_release(&condition);
}

/* Complex factors are told by address; by value only the real part is. */
static void keep_real(const Teller *t, const Param *param)
{
    Text condition = {0};
    text_printf(&condition, "%s=-inf..inf", param->name);
    if (dtype_components(t->entry->dtype) == 2 && param->maximum == 0 &&
        !find_told(t, param->name, -1)->type.pointers)
        add(t, text_string(&condition));
    text_release(&condition);
}

/* A choice whether an operand is there, which has the operand's name. */
static bool keep_presence(const Teller *t, const Param *param)
{
    int operand = op_operand(t->entry->op, param->name);
    bool passed = false, optional = false;
    if (operand < 0 || param->kind != PARAM_CHOICE)
        return false;
    for (int i = 0; i < t->entry->count; i++)
        if (t->entry->arguments[i].kind == KERNEL_OPERAND &&
            t->entry->arguments[i].operand == operand) {
            passed = true;
            optional = t->entry->arguments[i].optional;
        }
    Text condition = {0};
    text_printf(&condition, "%s=%s", param->name, passed ? "yes" : "no");
    if (!optional)
        add(t, text_string(&condition));
    text_release(&condition);
    return true;
}

static bool refuse_choice(const Teller *t, const Param *param)
{
    Text how = {0};
    text_put(&how, "pass it, or require");
    for (int64_t i = 0; i <= param->maximum; i++)
        text_printf(&how, "%s %s=%s", i ? " or" : "", param->name, param->names[i]);
    (void)untold(t, param->name, text_string(&how));
    text_release(&how);
    return false;
}

static bool tell_tuple(const Teller *t, const Param *param, const char *how)
{
    int numbers = numbers_told(t, param->name);
    int64_t rank = param->kind == PARAM_TUPLE         ? param->rank
                   : param->minimum == param->maximum ? param->minimum
                                                      : -1;
    if (numbers > 0 && numbers != rank)
        return untold(t, param->name, "pass all of its numbers");
    if (is_told(t, param->name) && rank < 0)
        return untold(t, "the number of axes", "pass area");
    if (numbers > 0 || is_told(t, param->name) || is_required(t, param->name) ||
        follows_from_product(t, param->name))
        return true;
    if (ends_with(param->name, "_size"))
        return untold(t, param->name, how);
    keep_simplest(t, param);
    return true;
}

static bool tell_param(const Teller *t, const Param *param)
{
    const char *name = param->name;
    char how[96];
    (void)snprintf(how, sizeof how, "pass it, or require %s=4", name);
    if (param->kind == PARAM_DTYPE)
        return true;
    if (param->kind == PARAM_LIST || param->kind == PARAM_CODE || param->kind == PARAM_SEED)
        return untold(t, name, "functions of one's own cannot be told it");
    if (!strcmp(name, "shape") && param->kind == PARAM_SHAPE)
        return tell_shape(t);
    if (param->kind == PARAM_SHAPE || param->kind == PARAM_TUPLE)
        return tell_tuple(t, param, how);
    if (param->kind == PARAM_SCALAR && is_told(t, name))
        keep_real(t, param);
    if (is_told(t, name) || is_required(t, name) || follows_from_product(t, name))
        return true;
    if ((!strcmp(name, "axis") || !strcmp(name, "axes")) && axes_follow(t))
        return true;
    if (param->kind == PARAM_DIM)
        return untold(t, name, how);
    if (condition_has_no_usual(name))
        return refuse_choice(t, param);
    if (!keep_presence(t, param))
        keep_simplest(t, param);
    return true;
}

static bool is_passed(const Teller *t, int operand)
{
    if (t->entry->result == KERNEL_VALUE_OPERAND && t->entry->result_operand == operand)
        return true;
    for (int i = 0; i < t->entry->count; i++)
        if (t->entry->arguments[i].kind == KERNEL_OPERAND &&
            t->entry->arguments[i].operand == operand)
            return true;
    return false;
}

/* An operand that is not passed must be one that the case leaves out, or whose data the function
 * takes for granted. */
static bool tell_operands(const Teller *t)
{
    const OpDesc *op = t->entry->op;
    Shapes shapes;
    op_shape(op, t->simplest.params, &shapes);
    for (int i = 0; i < shapes.count; i++) {
        const char *name = op->tensors[i];
        if (is_passed(t, i) || shapes.tensor[i].ignored)
            continue;
        if (is_required(t, name)) {
            add(t, "exec.overlap=none|output");
            continue;
        }
        if (shapes.tensor[i].role != ROLE_IN)
            return untold(t, name, "pass its address, or let it be the function's value");
        char how[96];
        (void)snprintf(how, sizeof how, "pass its address, or require %s=ones", name);
        return untold(t, name, how);
    }
    return true;
}

/* True when the function is told how each operand with several axes lies: by all its strides, or by
 * its leading dimension. */
static bool knows_layout(const Teller *t, bool by_strides)
{
    Case c = t->simplest;
    Shapes shapes;
    op_shape(c.op, c.params, &shapes);
    for (int i = 0; i < shapes.count; i++) {
        bool known = !is_passed(t, i);
        for (int k = 0; k < t->entry->count; k++) {
            const KernelArgument *argument = &t->entry->arguments[k];
            known = known || (argument->operand == i &&
                              argument->kind == (by_strides ? KERNEL_STRIDE : KERNEL_LEADING));
        }
        if (!known)
            return false;
    }
    return true;
}

static void keep_driving(const Teller *t)
{
    const KernelEntry *entry = t->entry;
    add(t, "exec.illegal=0,exec.threads=1");
    if (entry->op->any_layout && !is_required(t, "layout") && !knows_layout(t, true))
        add(t, knows_layout(t, false) ? "exec.layout=dense|sliced" : "exec.layout=dense");
    for (int i = 0; i < entry->count; i++)
        if (entry->arguments[i].type.restricted && entry->op->in_place) {
            add(t, "exec.overlap=none|inputs");
            return;
        }
}

bool kernel_conditions(const KernelEntry *entry, const char *required, Text *conditions,
                       Text *error)
{
    Teller t = {.entry = entry, .required = required, .conditions = conditions, .error = error};
    case_init(&t.simplest, entry->op);
    case_set_dtype(&t.simplest, entry->dtype);
    case_normalise(&t.simplest, NULL);
    if (*required)
        add(&t, required);
    for (const Param *param = entry->op->params; param->name; param++)
        if (!tell_param(&t, param))
            return false;
    if (entry->op->random)
        return untold(&t, "the random numbers", "functions of one's own cannot be told them");
    if (entry->result == KERNEL_VALUE_OPERAND && has_param(&t, "axes"))
        add(&t, "rows=1");
    if (!tell_operands(&t))
        return false;
    keep_driving(&t);
    return true;
}
