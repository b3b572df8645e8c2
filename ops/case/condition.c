/* The conditions with their changes of cases, and lists of them. */
#include "condition.h"

#include <math.h>
#include <string.h>

#include "comparison.h"
#include "extent.h"
#include "operands.h"

static Shape *shape_at(Case *c, const char *name)
{
    return param_shape(case_param(c, name), c->params);
}

static int64_t *integer_at(Case *c, const char *name)
{
    return param_integer(case_param(c, name), c->params);
}

/* No extent of 0. */
static void fill_empty(Shape *shape)
{
    for (int axis = 0; axis < shape->rank; axis++)
        shape->extent[axis] = shape->extent[axis] > 1 ? shape->extent[axis] : 1;
}

static bool pads_evenly(const Case *c)
{
    return !memcmp(case_shape(c, "pads_begin"), case_shape(c, "pads_end"), sizeof(Shape));
}

static void mend_pads(Case *c)
{
    *shape_at(c, "pads_end") = *case_shape(c, "pads_begin");
}

static bool pads_within_half(const Case *c)
{
    const Shape *pads = case_shape(c, "pads_begin"), *kernel = case_shape(c, "kernel_size");
    for (int axis = 0; axis < pads->rank; axis++)
        if (2 * pads->extent[axis] > kernel->extent[axis])
            return false;
    return true;
}

static void mend_half_padding(Case *c)
{
    Shape *pads = shape_at(c, "pads_begin");
    const Shape *kernel = case_shape(c, "kernel_size");
    for (int axis = 0; axis < pads->rank; axis++)
        if (2 * pads->extent[axis] > kernel->extent[axis])
            pads->extent[axis] = kernel->extent[axis] / 2;
}

static bool is_padded(const Case *c)
{
    const Shape *begin = case_shape(c, "pads_begin"), *end = case_shape(c, "pads_end");
    for (int axis = 0; axis < begin->rank; axis++)
        if (begin->extent[axis] > 0 || end->extent[axis] > 0)
            return true;
    return false;
}

/* Padding of -infinity ties with such elements. */
static bool is_above_padding(const Case *c)
{
    int image = op_operand(c->op, "x");
    return image < 0 || !is_padded(c) || !operands_hold(c, image, -INFINITY);
}

static void mend_above_padding(Case *c)
{
    if (!is_above_padding(c))
        c->fill[op_operand(c->op, "x")] = (Fill){.kind = FILL_ONES};
}

static bool has_pixels(const Case *c)
{
    return shape_count(case_shape(c, "input_size")) != 1;
}

static void mend_pixels(Case *c)
{
    Shape *size = shape_at(c, "input_size");
    if (shape_count(size) == 1)
        size->extent[size->rank - 1] = 2;
}

static bool has_samples_or_pixels(const Case *c)
{
    return case_int(c, "batch") * shape_count(case_shape(c, "input_size")) != 1;
}

static void mend_samples_or_pixels(Case *c)
{
    if (!has_samples_or_pixels(c))
        *integer_at(c, "batch") = 2;
}

static bool masks_squarely(const Case *c)
{
    return !case_int(c, "is_causal") ||
           case_int(c, "q_sequence_length") == case_int(c, "kv_sequence_length");
}

static void mend_mask(Case *c)
{
    if (case_int(c, "is_causal"))
        *integer_at(c, "q_sequence_length") = case_int(c, "kv_sequence_length");
}

static bool has_one_head_size(const Case *c)
{
    return case_int(c, "head_size") == case_int(c, "v_head_size");
}

static void mend_head_size(Case *c)
{
    *integer_at(c, "v_head_size") = case_int(c, "head_size");
}

static bool reduces(const Case *c)
{
    return case_int(c, "axes") != 0;
}

static void mend_axes(Case *c)
{
    Shape *shape = shape_at(c, "shape");
    if (shape->rank == 0)
        *shape = (Shape){1, {1}};
    if (case_int(c, "axes") == 0)
        *integer_at(c, "axes") = 1;
}

static bool reduces_all(const Case *c)
{
    return case_int(c, "axes") == (1 << case_shape(c, "shape")->rank) - 1;
}

/* An operator that reduces one axis only has one. */
static void mend_all_axes(Case *c)
{
    Shape *shape = shape_at(c, "shape");
    *integer_at(c, "axes") = (1 << shape->rank) - 1;
    Case normal = *c;
    case_normalise(&normal, NULL);
    if (reduces_all(&normal))
        return;
    *shape = (Shape){1, {shape->extent[shape->rank - 1]}};
    *integer_at(c, "axes") = 1;
}

static bool is_innermost(const Case *c)
{
    return case_int(c, "axis") == case_shape(c, "shape")->rank - 1;
}

static void mend_axis(Case *c)
{
    *integer_at(c, "axis") = case_shape(c, "shape")->rank - 1;
}

/* The columns of ops/case/extent.h are the innermost axes. */
static bool has_inner_columns(const Case *c)
{
    bool columns = false;
    for (int axis = 0; axis < case_shape(c, "shape")->rank; axis++) {
        if (columns && !extent_is_column(c, axis))
            return false;
        columns = columns || extent_is_column(c, axis);
    }
    return true;
}

/* Of a mask of axes the bits below the highest one are set. */
static void mend_columns(Case *c)
{
    if (has_inner_columns(c))
        return;
    if (!case_has(c, "axes")) {
        mend_axis(c);
        return;
    }
    int64_t rank = case_shape(c, "shape")->rank, axes = case_int(c, "axes") & ((1 << rank) - 1);
    for (int64_t shift = 1; shift < rank; shift++)
        axes |= axes >> shift;
    *integer_at(c, "axes") = axes;
}

static bool has_equal_windows(const Case *c)
{
    const Shape *in = case_shape(c, "input_size"), *out = case_shape(c, "output_size");
    for (int axis = 0; axis < in->rank; axis++)
        if (out->extent[axis] == 0 || in->extent[axis] % out->extent[axis] != 0)
            return false;
    return true;
}

static void mend_windows(Case *c)
{
    const Shape *in = case_shape(c, "input_size");
    Shape *out = shape_at(c, "output_size");
    for (int axis = 0; axis < in->rank; axis++) {
        out->extent[axis] = out->extent[axis] > 1 ? out->extent[axis] : 1;
        while (in->extent[axis] % out->extent[axis] != 0)
            out->extent[axis]--;
    }
}

static bool has_larger_output(const Case *c)
{
    const Shape *in = case_shape(c, "input_size"), *out = case_shape(c, "output_size");
    for (int axis = 0; axis < in->rank; axis++)
        if (out->extent[axis] < in->extent[axis])
            return false;
    return true;
}

/* Where the result would be larger than it may be, the input shrinks. */
static void mend_enlarged(Case *c)
{
    Shape *in = shape_at(c, "input_size"), *out = shape_at(c, "output_size");
    const Shape drawn = *out;
    for (int axis = 0; axis < in->rank; axis++)
        if (out->extent[axis] < in->extent[axis])
            out->extent[axis] = in->extent[axis];
    Case normal = *c;
    case_normalise(&normal, NULL);
    if (has_larger_output(&normal))
        return;
    *out = drawn;
    for (int axis = 0; axis < in->rank; axis++)
        if (out->extent[axis] < in->extent[axis])
            in->extent[axis] = out->extent[axis];
}

static bool has_elements(const Case *c)
{
    return shape_count(case_shape(c, "shape")) != 0;
}

static void mend_elements(Case *c)
{
    fill_empty(shape_at(c, "shape"));
}

static bool reduces_elements(const Case *c)
{
    const Shape *shape = case_shape(c, "shape");
    for (int axis = 0; axis < shape->rank; axis++)
        if (shape->extent[axis] == 0 && case_int(c, "axes") >> (shape->rank - 1 - axis) & 1)
            return false;
    return true;
}

static void mend_reduced_elements(Case *c)
{
    if (!reduces_elements(c))
        fill_empty(shape_at(c, "shape"));
}

static bool starts_above(const Case *c)
{
    return case_int(c, "diagonal") >= 0;
}

static void mend_diagonal(Case *c)
{
    *integer_at(c, "diagonal") = -case_int(c, "diagonal");
}

static bool starts_below(const Case *c)
{
    return case_int(c, "diagonal") <= 0;
}

static void mend_diagonal_above(Case *c)
{
    if (!starts_above(c))
        mend_diagonal(c);
}

static void mend_diagonal_below(Case *c)
{
    if (!starts_below(c))
        mend_diagonal(c);
}

static bool is_binary32(const Case *c)
{
    double slope = case_scalar(c, "negative_slope").re;
    return slope == (double)(float)slope;
}

static void mend_slope(Case *c)
{
    Scalar *slope = param_scalar(case_param(c, "negative_slope"), c->params);
    slope->re = (double)(float)slope->re;
}

static bool is_contiguous(const Case *c)
{
    return c->exec.layout == LAYOUT_DENSE;
}

static void mend_layout(Case *c)
{
    c->exec.layout = LAYOUT_DENSE;
}

/* Against the guard page in front of them operands begin with a page. */
static bool is_aligned(const Case *c)
{
    return c->exec.align == 0 && c->exec.guard == 1;
}

static void mend_alignment(Case *c)
{
    c->exec.align = 0;
    c->exec.guard = 1;
}

/* The front has the greater half, and neither is empty, as chunk has it. */
static bool splits_in_halves(const Case *c)
{
    int64_t extent = case_shape(c, "shape")->extent[case_int(c, "axis")];
    return extent >= 2 && case_int(c, "split_size") == (extent + 1) / 2;
}

static void mend_halves(Case *c)
{
    int64_t *extent = &shape_at(c, "shape")->extent[case_int(c, "axis")];
    *extent = *extent > 2 ? *extent : 2;
    *integer_at(c, "split_size") = (*extent + 1) / 2;
}

static bool begins_inside(const Case *c)
{
    return case_int(c, "start") < case_shape(c, "shape")->extent[case_int(c, "axis")];
}

static void mend_begin(Case *c)
{
    int64_t *extent = &shape_at(c, "shape")->extent[case_int(c, "axis")];
    *extent = *extent > 1 ? *extent : 1;
    *integer_at(c, "start") %= *extent;
}

static bool has_ordered_ends(const Case *c)
{
    return case_scalar(c, "min").re <= case_scalar(c, "max").re;
}

static void mend_ends(Case *c)
{
    Scalar *low = param_scalar(case_param(c, "min"), c->params),
           *high = param_scalar(case_param(c, "max"), c->params), drawn = *low;
    if (has_ordered_ends(c))
        return;
    *low = isnan(low->re) || isnan(high->re) ? (Scalar){0, 0} : *high;
    *high = isnan(drawn.re) || isnan(high->re) ? (Scalar){1, 0} : drawn;
}

/* Of no case: rows whose functions have no derivative ask it of their gradient. */
static bool is_differentiable(const Case *c)
{
    (void)c;
    return false;
}

const ConditionRow condition_rows[] = {
    {"even-padding", "padding that differs in front and behind", pads_evenly, mend_pads,
     "stride pads_begin pads_end"},
    {"half-padding", "padding of more than half a kernel", pads_within_half, mend_half_padding,
     "pads_begin kernel_size"},
    {"above-padding", "elements of -infinity, which tie with padding that is added first",
     is_above_padding, mend_above_padding, "pads_begin pads_end"},
    {"several-pixels", "one element for each channel", has_pixels, mend_pixels, "input_size"},
    {"several-elements", "one element for each channel of the batch", has_samples_or_pixels,
     mend_samples_or_pixels, "batch input_size"},
    {"square-mask", "a causal mask that is not square", masks_squarely, mend_mask,
     "is_causal q_sequence_length kv_sequence_length"},
    {"one-head-size", "values of another size than the keys", has_one_head_size, mend_head_size,
     "head_size v_head_size"},
    {"some-axes", "a reduction over no axes", reduces, mend_axes, "axes shape"},
    {"all-axes", "a reduction over some axes only", reduces_all, mend_all_axes, "axes shape"},
    {"last-axis", "an axis that is not the last", is_innermost, mend_axis, "axis shape"},
    {"inner-columns", "axes that are not the innermost", has_inner_columns, mend_columns, "shape"},
    {"equal-windows", "windows of different extents", has_equal_windows, mend_windows,
     "input_size output_size"},
    {"enlarged", "fewer elements than the input has", has_larger_output, mend_enlarged,
     "input_size output_size"},
    {"elements", "an operand without elements", has_elements, mend_elements, "shape"},
    {"reduced-elements", "a reduction over no elements", reduces_elements, mend_reduced_elements,
     "axes shape"},
    {"diagonal-above", "a diagonal below the main one", starts_above, mend_diagonal_above,
     "diagonal"},
    {"diagonal-below", "a diagonal above the main one", starts_below, mend_diagonal_below,
     "diagonal"},
    {"short-slope", "a slope that binary32 does not hold", is_binary32, mend_slope,
     "negative_slope"},
    {"halves", "parts that are no halves", splits_in_halves, mend_halves, "axis split_size shape"},
    {"begins-inside", "a slice that begins behind the last element", begins_inside, mend_begin,
     "axis start shape"},
    {"ordered-ends", "a lower end that is not below the upper one", has_ordered_ends, mend_ends,
     "min max"},
    {"contiguous", "operands that are not dense", is_contiguous, mend_layout, ""},
    {"differentiable", "a function that has no derivative", is_differentiable, NULL, ""},
    {"aligned", "operands that are not aligned to 64 bytes", is_aligned, mend_alignment, ""},
    {0}};

/* Takes the next condition off a list; false at its end. */
static bool next_condition(const char **list, char condition[COMPARISON_BYTES])
{
    const char *at = *list + strspn(*list, ", ");
    size_t length = strcspn(at, ",");
    *list = at + length;
    while (length > 0 && at[length - 1] == ' ')
        length--;
    if (length == 0)
        return false;
    if (length >= COMPARISON_BYTES)
        length = COMPARISON_BYTES - 1;
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

/* A condition of a list that was found to fit. */
static Comparison comparison_of(const char *condition)
{
    Comparison comparison;
    Text error = {0};
    if (!comparison_read(&comparison, condition, &error))
        BUG("%s", text_string(&error));
    return comparison;
}

/* What a condition's text means of an operator: a row of the table, or a comparison where that is
 * NULL. */
typedef struct Meaning {
    char text[COMPARISON_BYTES];
    const OpDesc *op;
    const ConditionRow *row;
    Comparison comparison;
} Meaning;

/* The same few texts are asked of each case: they are read again only where another one with the
 * same place took theirs. */
static const Meaning *meaning_of(const char *condition, const OpDesc *op)
{
    enum { PLACES = 512, FACTOR = 31 };
    static _Thread_local Meaning meanings[PLACES];
    unsigned place = (unsigned)op_number(op);
    for (const char *at = condition; *at; at++)
        place = place * FACTOR + (unsigned char)*at;
    Meaning *meaning = &meanings[place % PLACES];
    if (meaning->op == op && !strcmp(meaning->text, condition))
        return meaning;
    meaning->op = op;
    meaning->row = find_condition(condition);
    if (!meaning->row) {
        meaning->comparison = comparison_of(condition);
        comparison_bind(&meaning->comparison, op);
    }
    memcpy(meaning->text, condition, strlen(condition) + 1);
    return meaning;
}

/* `illegal` compares the kind of the case's illegal argument, with one word or several. */
static bool is_of_illegal(const Comparison *comparison)
{
    return !strcmp(comparison->name, "illegal");
}

static bool compared_holds(const Meaning *meaning, const Case *c, const char *illegal, Text *why)
{
    const Comparison *q = &meaning->comparison;
    if (is_of_illegal(q)) {
        bool holds = illegal ? comparison_admits_word(q, illegal) : q->unequal;
        if (!holds)
            text_put(why, "the library gives that a meaning");
        return holds;
    }
    if (comparison_holds(q, c))
        return true;
    text_printf(why, "needs %s", meaning->text);
    return false;
}

/* Padding that the library must refuse is what the condition of its row excludes. */
static bool holds_row(const ConditionRow *row, const Case *c, const char *illegal)
{
    bool is_wide = illegal && !strcmp(illegal, "wide_padding");
    return (is_wide && row->holds == pads_within_half) || row->holds(c);
}

bool conditions_hold(const char *list, const Case *c, const char *illegal, int *held, Text *why)
{
    char condition[COMPARISON_BYTES];
    for (*held = 0; next_condition(&list, condition); ++*held) {
        const Meaning *meaning = meaning_of(condition, c->op);
        const ConditionRow *row = meaning->row;
        if (row ? holds_row(row, c, illegal) : compared_holds(meaning, c, illegal, why))
            continue;
        text_put(why, row ? row->reason : "");
        return false;
    }
    return true;
}

void conditions_mend(const char *list, Case *c)
{
    char condition[COMPARISON_BYTES];
    while (next_condition(&list, condition)) {
        const Meaning *meaning = meaning_of(condition, c->op);
        if (meaning->row && meaning->row->mend)
            meaning->row->mend(c);
        else if (!meaning->row && !is_of_illegal(&meaning->comparison))
            comparison_mend(&meaning->comparison, c);
    }
}

void condition_put_simplest(const Case *simplest, const Param *param, Text *condition)
{
    const void *at = simplest->params + param->offset;
    const Shape *shape = at;
    text_printf(condition, "%s=", param->name);
    if (param->kind == PARAM_CHOICE)
        text_put(condition, param->names[*(const int64_t *)at]);
    else if (param->kind == PARAM_SCALAR)
        text_printf(condition, "%.17g", ((const Scalar *)at)->re);
    else if (param->kind == PARAM_SHAPE)
        text_put(condition, "1");
    else
        text_put_integer(condition,
                         param->kind == PARAM_TUPLE ? shape->extent[0] : *(const int64_t *)at);
}

bool condition_has_no_usual(const char *name)
{
    static const char *const names[] = {"order", "uplo", "side"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static bool condition_fits(const char *condition, const OpDesc *op, Text *error)
{
    const ConditionRow *row = find_condition(condition);
    Comparison comparison;
    if (row && op_has_params(op, row->needs))
        return true;
    if (row)
        text_printf(error, "%s has nothing for the condition %s", op->name, condition);
    else if (strchr(condition, '='))
        return comparison_read(&comparison, condition, error) &&
               (is_of_illegal(&comparison) || comparison_fits(&comparison, op, error));
    else {
        Nearest nearest = nearest_begin(condition, strlen(condition));
        conditions_offer_names(op, &nearest);
        text_printf(error, "there is no condition %s", condition);
        nearest_put(&nearest, error);
    }
    return false;
}

bool condition_is_of(const char *condition, const OpDesc *op)
{
    const ConditionRow *row = find_condition(condition);
    Comparison comparison;
    Text error = {0};
    bool known =
        row ? op_has_params(op, row->needs)
            : comparison_read(&comparison, condition, &error) && comparison_is_of(&comparison, op);
    text_release(&error);
    return known;
}

void conditions_offer_names(const OpDesc *op, Nearest *nearest)
{
    for (const ConditionRow *row = condition_rows; row->name; row++)
        if (op_has_params(op, row->needs))
            nearest_offer(nearest, row->name);
    comparison_offer_names(op, nearest);
}

bool conditions_fit(const char *list, const OpDesc *op, Text *error)
{
    char condition[COMPARISON_BYTES];
    while (next_condition(&list, condition))
        if (!condition_fits(condition, op, error))
            return false;
    return true;
}
