/* The conditions, and comparisons of attributes. */
#include "condition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/case/attribute.h"

enum { CONDITION_BYTES = 64 };

static bool pads_evenly(const Case *c)
{
    return !memcmp(case_shape(c, "pads_begin"), case_shape(c, "pads_end"), sizeof(Shape));
}

static bool pads_within_half(const Case *c)
{
    const Shape *pads = case_shape(c, "pads_begin"), *kernel = case_shape(c, "kernel_size");
    for (int axis = 0; axis < pads->rank; axis++)
        if (2 * pads->extent[axis] > kernel->extent[axis])
            return false;
    return true;
}

static bool has_pixels(const Case *c)
{
    return shape_count(case_shape(c, "input_size")) != 1;
}

static bool has_samples_or_pixels(const Case *c)
{
    return case_int(c, "batch") * shape_count(case_shape(c, "input_size")) != 1;
}

static bool masks_squarely(const Case *c)
{
    return !case_int(c, "is_causal") ||
           case_int(c, "q_sequence_length") == case_int(c, "kv_sequence_length");
}

static bool reduces(const Case *c)
{
    return case_int(c, "axes") != 0;
}

static bool is_innermost(const Case *c)
{
    return case_int(c, "axis") == case_shape(c, "shape")->rank - 1;
}

static bool has_equal_windows(const Case *c)
{
    const Shape *in = case_shape(c, "input_size"), *out = case_shape(c, "output_size");
    for (int axis = 0; axis < in->rank; axis++)
        if (in->extent[axis] % out->extent[axis] != 0)
            return false;
    return true;
}

static bool has_larger_output(const Case *c)
{
    const Shape *in = case_shape(c, "input_size"), *out = case_shape(c, "output_size");
    for (int axis = 0; axis < in->rank; axis++)
        if (out->extent[axis] < in->extent[axis])
            return false;
    return true;
}

static bool has_elements(const Case *c)
{
    return shape_count(case_shape(c, "shape")) != 0;
}

static bool reduces_elements(const Case *c)
{
    const Shape *shape = case_shape(c, "shape");
    for (int axis = 0; axis < shape->rank; axis++)
        if (shape->extent[axis] == 0 && case_int(c, "axes") >> (shape->rank - 1 - axis) & 1)
            return false;
    return true;
}

static bool starts_above(const Case *c)
{
    return case_int(c, "diagonal") >= 0;
}

static bool starts_below(const Case *c)
{
    return case_int(c, "diagonal") <= 0;
}

static bool is_binary32(const Case *c)
{
    double slope = case_scalar(c, "negative_slope").re;
    return slope == (double)(float)slope;
}

const ConditionRow condition_rows[] = {
    {"even-padding", "padding that differs in front and behind", pads_evenly,
     "stride pads_begin pads_end"},
    {"half-padding", "padding of more than half a kernel", pads_within_half,
     "pads_begin kernel_size"},
    {"several-pixels", "one element for each channel", has_pixels, "input_size"},
    {"several-elements", "one element for each channel of the batch", has_samples_or_pixels,
     "batch input_size"},
    {"square-mask", "a causal mask that is not square", masks_squarely,
     "is_causal q_sequence_length kv_sequence_length"},
    {"some-axes", "a reduction over no axes", reduces, "axes"},
    {"last-axis", "an axis that is not the last", is_innermost, "axis shape"},
    {"equal-windows", "windows of different extents", has_equal_windows, "input_size output_size"},
    {"enlarged", "fewer elements than the input has", has_larger_output, "input_size output_size"},
    {"elements", "an operand without elements", has_elements, "shape"},
    {"reduced-elements", "a reduction over no elements", reduces_elements, "axes shape"},
    {"diagonal-above", "a diagonal below the main one", starts_above, "diagonal"},
    {"diagonal-below", "a diagonal above the main one", starts_below, "diagonal"},
    {"short-slope", "a slope that binary32 does not hold", is_binary32, "negative_slope"},
    {0}};

/* Takes the next condition off a list; false at its end. */
static bool next_condition(const char **list, char condition[CONDITION_BYTES])
{
    const char *at = *list + strspn(*list, ", ");
    size_t length = strcspn(at, ",");
    *list = at + length;
    while (length > 0 && at[length - 1] == ' ')
        length--;
    if (length == 0)
        return false;
    if (length >= CONDITION_BYTES)
        length = CONDITION_BYTES - 1;
    memcpy(condition, at, length);
    condition[length] = '\0';
    return true;
}

static const ConditionRow *find_condition(const char *name)
{
    for (const ConditionRow *row = condition_rows; row->name; row++)
        if (!strcmp(row->name, name))
            return row;
    return NULL;
}

/* Cuts NAME=WORD or NAME!=WORD into its two parts; the word is NULL where it is no comparison. */
static const char *cut_comparison(char *condition, bool *equal)
{
    char *mark = strchr(condition, '=');
    if (!mark)
        return NULL;
    *equal = mark == condition || mark[-1] != '!';
    mark[*equal ? 0 : -1] = '\0';
    return mark + 1;
}

static bool is_value(const Attribute *value, const char *word)
{
    switch (value->kind) {
    case ATTRIBUTE_TEXT:
        return !strcmp(value->text, word);
    case ATTRIBUTE_BOOLEAN:
        return value->integer == !strcmp(word, "yes");
    case ATTRIBUTE_REAL:
        return value->real == strtod(word, NULL);
    case ATTRIBUTE_INTEGER:
        return value->integer == strtoll(word, NULL, 10);
    case ATTRIBUTE_TUPLE:
        for (int i = 0; i < value->count; i++)
            if (value->list[i] != strtoll(word, NULL, 10))
                return false;
    }
    return true;
}

static bool comparison_holds(const char *name, const char *word, bool equal, const Case *c,
                             const char *illegal, Text *why)
{
    Attribute value;
    if (!strcmp(name, "illegal")) {
        bool holds = illegal && !strcmp(illegal, word) ? equal : !equal;
        text_put(why, holds ? "" : "the library gives that a meaning");
        return holds;
    }
    if (!attribute_get(c, name, &value))
        BUG("%s has no %s to compare", c->op->name, name);
    if (is_value(&value, word) == equal)
        return true;
    text_printf(why, "%s is ", name);
    attribute_print(&value, why);
    return false;
}

bool conditions_hold(const char *list, const Case *c, const char *illegal, int *held, Text *why)
{
    char condition[CONDITION_BYTES];
    bool equal = true;
    for (*held = 0; next_condition(&list, condition); ++*held) {
        const ConditionRow *row = find_condition(condition);
        const char *word = row ? NULL : cut_comparison(condition, &equal);
        if (!row && !word)
            BUG("no condition %s", condition);
        if (row ? row->holds(c) : comparison_holds(condition, word, equal, c, illegal, why))
            continue;
        text_put(why, row ? row->reason : "");
        return false;
    }
    return true;
}

/* A word that a choice has not can never be its value. */
static bool is_comparable(const OpDesc *op, const char *name, const char *word)
{
    char need[2 * CONDITION_BYTES];
    Attribute simplest;
    Case c;
    if (!strcmp(name, "illegal"))
        return true;
    case_init(&c, op);
    if (!attribute_get(&c, name, &simplest))
        return false;
    (void)snprintf(need, sizeof need, "%s:%s", name, word);
    return simplest.kind != ATTRIBUTE_TEXT || op_has_params(op, need);
}

bool conditions_fit(const char *list, const OpDesc *op, Text *error)
{
    char condition[CONDITION_BYTES];
    bool equal;
    while (next_condition(&list, condition)) {
        const ConditionRow *row = find_condition(condition);
        const char *word = row ? NULL : cut_comparison(condition, &equal);
        if (!row && !word)
            text_printf(error, "there is no condition %s", condition);
        else if (row ? !op_has_params(op, row->needs) : !is_comparable(op, condition, word))
            text_printf(error, "%s has nothing for the condition %s", op->name, condition);
        else
            continue;
        return false;
    }
    return true;
}
