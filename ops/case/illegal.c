/* How each kind of rule changes a call. */
#include "illegal.h"

#include <math.h>
#include <string.h>

#include "gradient.h"

static int64_t *field(const IllegalRule *rule, Illegal *illegal)
{
    for (const Param *param = illegal->altered.op->params; param->name; param++)
        if (!strcmp(param->name, rule->what))
            return (int64_t *)(void *)(illegal->altered.params + param->offset);
    return NULL;
}

static Shape *tuple_of(Illegal *illegal, const char *name)
{
    const IllegalRule rule = {ILLEGAL_TUPLE, name, 0};
    return (Shape *)(void *)field(&rule, illegal);
}

static int operand(const IllegalRule *rule, const OpDesc *op)
{
    for (int i = 0; op->tensors[i]; i++)
        if (!strcmp(op->tensors[i], rule->what))
            return i;
    return -1;
}

/* The axis behind the last one. */
static bool put_axis(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    int64_t *axis = field(rule, illegal);
    if (!axis || shapes->tensor[0].layout.rank == 0)
        return false;
    *axis = shapes->tensor[0].layout.rank;
    return true;
}

/* No text says that operands are looked at where there is nothing to compute. */
static bool has_results(const Shapes *shapes)
{
    for (int i = 0; i < shapes->count; i++)
        if (shapes->tensor[i].role != ROLE_IN && !tensor_is_empty(&shapes->tensor[i].layout))
            return true;
    return false;
}

/* A value for each axis of a tuple. */
static bool put_tuple(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    Shape *tuple = (Shape *)(void *)field(rule, illegal);
    if (!has_results(shapes))
        return false;
    for (int axis = 0; tuple && axis < tuple->rank; axis++)
        tuple->extent[axis] = rule->value;
    return tuple && tuple->rank > 0;
}

/* Windows that reach beyond the padded image by some elements: by one there are none. */
static bool put_kernel(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    Shape *kernel = (Shape *)(void *)field(rule, illegal);
    const Shape *before = case_shape(&illegal->altered, "pads_begin"),
                *after = case_shape(&illegal->altered, "pads_end");
    if (!kernel || case_int(&illegal->altered, "ceil_mode"))
        return false;
    for (int axis = 0; axis < kernel->rank; axis++)
        kernel->extent[axis] = shapes->tensor[0].layout.extent[2 + axis] + before->extent[axis] +
                               after->extent[axis] + rule->value;
    illegal->may_be_empty = rule->value == 1;
    return true;
}

/* More groups than channels, or the least number of them that does not divide these. */
static bool put_groups(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    int64_t *groups = field(rule, illegal), channels = shapes->tensor[0].layout.extent[1], number;
    if (!groups || !has_results(shapes))
        return false;
    for (number = 2; number < channels && channels % number == 0;)
        number++;
    *groups = rule->value == 1 ? number : channels + 1;
    return rule->value != 1 || number < channels;
}

/* Windows that may lie in the padding alone, or an image that is cut. */
static bool put_padding(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    Shape *pads[] = {tuple_of(illegal, "pads_begin"), tuple_of(illegal, "pads_end")};
    const Shape *kernel = case_shape(&illegal->altered, "kernel_size"),
                *dilation = case_shape(&illegal->altered, "dilation");
    if (!has_results(shapes))
        return false;
    illegal->name = rule->value < 0 ? "negative_padding" : "wide_padding";
    for (size_t side = 0; side < COUNT_OF(pads); side++)
        for (int axis = 0; axis < kernel->rank; axis++)
            pads[side]->extent[axis] =
                rule->value < 0 ? rule->value
                                : (kernel->extent[axis] - 1) * dilation->extent[axis] + 1;
    return kernel->rank > 0;
}

static bool put_output_padding(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    Shape *padding = tuple_of(illegal, rule->what);
    const Shape *stride = case_shape(&illegal->altered, "stride"),
                *dilation = case_shape(&illegal->altered, "dilation");
    for (int axis = 0; axis < padding->rank; axis++)
        padding->extent[axis] = stride->extent[axis] > dilation->extent[axis]
                                    ? stride->extent[axis]
                                    : dilation->extent[axis];
    return has_results(shapes);
}

/* The upper end of numbers that are drawn, below the lower one; of whole ones equal to it, as
 * between them there is none. */
static bool put_ends(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    static const IllegalRule low = {ILLEGAL_ENDS, "low", 0}, place = {ILLEGAL_ENDS, "place", 0};
    int64_t *whole = field(&low, illegal);
    void *lower = whole ? whole : field(&place, illegal), *upper = field(rule, illegal);
    if (!upper || !lower || !has_results(shapes))
        return false;
    if (whole)
        *(int64_t *)upper = *whole;
    else
        *(Scalar *)upper = (Scalar){((const Scalar *)lower)->re - 1, 0};
    return true;
}

/* A number that has no meaning. */
static bool put_number(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    Scalar *number = (Scalar *)(void *)field(rule, illegal);
    if (!number || !has_results(shapes) || tensor_is_empty(&shapes->tensor[0].layout))
        return false;
    *number = (Scalar){(double)rule->value, 0};
    return true;
}

/* One channel less of the weights makes other groups of all channels, where a library takes their
 * number from the extents. */
static bool makes_groups(const Case *c, int64_t channels)
{
    return case_has(c, "groups") && case_int(c, "groups") * channels % (channels - 1) == 0;
}

/* One element less along an axis, which counts from the end where it is negative; never so few that
 * they are repeated. */
static bool shorten(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    int i = operand(rule, illegal->altered.op);
    if (i < 0 || shapes->tensor[i].ignored || !has_results(shapes))
        return false;
    const Tensor *layout = &shapes->tensor[i].layout;
    int axis = (int)(rule->value < 0 ? layout->rank + rule->value : rule->value);
    if (axis < 0 || axis >= layout->rank || layout->extent[axis] < 3 ||
        makes_groups(&illegal->altered, layout->extent[axis]))
        return false;
    illegal->reshaped = i;
    illegal->reshape = RESHAPE_SHORTER;
    illegal->axis = axis;
    return true;
}

/* The innermost axes of two operands that nothing repeats. */
static bool mismatch(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    const Tensor *a = &shapes->tensor[0].layout, *b = &shapes->tensor[1].layout;
    if (a->rank == 0 || b->rank == 0 || a->extent[a->rank - 1] != b->extent[b->rank - 1])
        return false;
    return shorten(rule, illegal, shapes);
}

/* Of bags: the first index lies behind all of them, and is not looked at. */
static bool is_unused(const Case *c)
{
    return case_has(c, "unused") && case_int(c, "unused") >= case_int(c, "num_indices");
}

static bool put_index(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    int i = operand(rule, illegal->altered.op);
    if (i < 0 || shapes->tensor[i].index_below == 0 || tensor_is_empty(&shapes->tensor[i].layout) ||
        !has_results(shapes) || is_unused(&illegal->altered))
        return false;
    int64_t below = shapes->tensor[i].index_below;
    if (rule->value < 0)
        illegal->name = "negative_index";
    illegal->indexed = i;
    illegal->index = rule->value < 0 ? -below - 1 : below;
    return true;
}

static bool put_rank(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    int i = operand(rule, illegal->altered.op);
    if (i < 0 || shapes->tensor[i].ignored || tensor_is_empty(&shapes->tensor[i].layout) ||
        !has_results(shapes))
        return false;
    illegal->reshaped = i;
    illegal->reshape = RESHAPE_SCALAR;
    return true;
}

static bool put_integer(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    int64_t *number = field(rule, illegal);
    if (!number || !has_results(shapes))
        return false;
    *number = rule->value;
    return true;
}

/* The extent of the axis that the case names; -1 where it names none. */
static int64_t named_extent(const Illegal *illegal, const Shapes *shapes)
{
    const Tensor *x = &shapes->tensor[0].layout;
    int64_t axis = case_int(&illegal->altered, "axis");
    return axis < x->rank ? x->extent[axis] : -1;
}

static bool put_beyond(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    int64_t *number = field(rule, illegal), extent = named_extent(illegal, shapes);
    if (!number || extent < 0)
        return false;
    *number = extent + 1;
    return true;
}

static bool put_crop(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    int64_t *before = field(rule, illegal), extent = named_extent(illegal, shapes);
    if (!before || extent < 0 || strcmp(case_choice(&illegal->altered, "mode"), "constant") != 0)
        return false;
    *before = -extent - case_int(&illegal->altered, "pads_end") - 1;
    return true;
}

static bool put_written(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    const Tensor *x = &shapes->tensor[0].layout;
    bool of_nothing = !strcmp(rule->what, "inferred"), is_text = !strcmp(rule->what, "text");
    if (x->rank < rule->value || (of_nothing && !tensor_is_empty(x)) ||
        (is_text && tensor_is_empty(x)))
        return false;
    illegal->is_written = true;
    return true;
}

typedef bool Apply(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes);

/* By IllegalKind; a number goes by the name of its parameter. */
static const struct {
    const char *name;
    Apply *apply;
} kinds[] = {
    [ILLEGAL_AXIS] = {"axis", put_axis},
    [ILLEGAL_TUPLE] = {NULL, put_tuple},
    [ILLEGAL_KERNEL] = {"kernel", put_kernel},
    [ILLEGAL_GROUPS] = {"groups", put_groups},
    [ILLEGAL_EXTENT] = {"extent", shorten},
    [ILLEGAL_MISMATCH] = {"extent", mismatch},
    [ILLEGAL_INDEX] = {"index", put_index},
    [ILLEGAL_NUMBER] = {NULL, put_number},
    [ILLEGAL_RANK] = {"rank", put_rank},
    [ILLEGAL_INTEGER] = {NULL, put_integer},
    [ILLEGAL_BEYOND] = {NULL, put_beyond},
    [ILLEGAL_CROP] = {NULL, put_crop},
    [ILLEGAL_WRITTEN] = {NULL, put_written},
    [ILLEGAL_PADDING] = {NULL, put_padding},
    [ILLEGAL_ENDS] = {NULL, put_ends},
    [ILLEGAL_OUTPUT_PADDING] = {NULL, put_output_padding},
};

const char *const illegal_written[] = {"first_axis", "text", "order", "inferred", NULL};

static void begin(Illegal *illegal, const char *name, const Case *c)
{
    *illegal = (Illegal){
        .name = name, .reshaped = -1, .axis = -1, .indexed = -1, .attribute = -1, .altered = *c};
}

bool illegal_is_stray(const Case *c)
{
    return c->exec.illegal > ILLEGAL_RULES_MAX;
}

void illegal_reshape(const Illegal *illegal, int *rank, int64_t *extent, int64_t *stride)
{
    int deeper = illegal->reshape == RESHAPE_DEEPER ? 1 : 0;
    int flatter = illegal->reshape == RESHAPE_FLATTER  ? 1
                  : illegal->reshape == RESHAPE_SCALAR ? *rank
                                                       : 0;
    if (illegal->reshape == RESHAPE_SHORTER)
        extent[illegal->axis]--;
    else if (illegal->reshape == RESHAPE_EMPTY)
        extent[illegal->axis] = 0;
    size_t kept = (size_t)(*rank - flatter);
    memmove(extent + deeper, extent + flatter, kept * sizeof *extent);
    memmove(stride + deeper, stride + flatter, kept * sizeof *stride);
    if (deeper)
        extent[0] = stride[0] = 1;
    *rank += deeper - flatter;
}

/* The changes of the shape of an operand, of which each that it admits has a number; true where
 * *number counts down to it. */
static bool stray_shape(const Tensor *layout, int64_t *number, Illegal *illegal)
{
    const struct {
        bool admitted;
        const char *name;
        Reshape reshape;
        int axis;
    } changes[] = {
        {layout->rank > 0 && !tensor_is_empty(layout), "lower rank", RESHAPE_FLATTER, 0},
        {layout->rank > 1 && !tensor_is_empty(layout), "rank 0", RESHAPE_SCALAR, 0},
        {layout->rank < TENSOR_RANK_MAX, "higher rank", RESHAPE_DEEPER, 0},
        {layout->rank > 0 && !tensor_is_empty(layout), "operand without elements", RESHAPE_EMPTY,
         0},
        {layout->rank > 1 && !tensor_is_empty(layout), "operand without elements", RESHAPE_EMPTY,
         layout->rank - 1},
    };
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        if (!changes[i].admitted || --*number > 0)
            continue;
        illegal->name = changes[i].name;
        illegal->reshape = changes[i].reshape;
        illegal->axis = changes[i].axis;
        return true;
    }
    return false;
}

static bool stray_operand(const Shapes *shapes, int64_t *number, Illegal *illegal)
{
    for (int i = 0; i < shapes->count; i++) {
        const TensorSpec *spec = &shapes->tensor[i];
        if (spec->role != ROLE_IN || spec->ignored)
            continue;
        if (stray_shape(&spec->layout, number, illegal)) {
            illegal->reshaped = i;
            return true;
        }
        if (tensor_is_empty(&spec->layout))
            continue;
        bool divides = spec->nonzero && dtype_is_integer(spec->layout.dtype);
        if ((spec->index_below > 0 || divides) && --*number == 0) {
            illegal->name = divides ? "divisor of 0" : "index far below 0";
            illegal->indexed = i;
            illegal->index = divides ? 0 : INT32_MIN;
            return true;
        }
    }
    return false;
}

/* What fewer calls exclude: 0, and numbers that are not whole and that no factor is. */
static bool make_further(Illegal *illegal, int64_t number)
{
    static const double values[] = {-1, NAN, INFINITY, 0};
    int64_t each = 1 + (int64_t)COUNT_OF(values), place = number % each;
    illegal->attribute = (int)(number / each);
    illegal->value = 0;
    illegal->is_real = place > 0;
    illegal->real = place > 0 ? values[place - 1] : 0;
    return true;
}

/* Numbers that no extent is: negative ones, and such that are cut to 0 in 32 bits or overflow in 64
 * as soon as anything is added to them.  No memory holds as many elements. */
static bool make_stray(const Case *c, const Shapes *shapes, Illegal *illegal)
{
    static const int64_t values[] = {-1, INT64_C(1) << 40, INT64_MAX, INT64_MIN};
    int64_t number = c->exec.illegal - ILLEGAL_RULES_MAX;
    begin(illegal, "number", c);
    illegal->is_stray = true;
    if (c->op->source)
        return false;
    if (c->exec.illegal > ILLEGAL_WHOLE_MAX)
        return make_further(illegal, c->exec.illegal - ILLEGAL_WHOLE_MAX - 1);
    if (stray_operand(shapes, &number, illegal))
        return true;
    illegal->attribute = (int)((number - 1) / (int64_t)COUNT_OF(values));
    illegal->value = values[(number - 1) % (int64_t)COUNT_OF(values)];
    return true;
}

/* Rules are tried in their order. */
typedef struct Search {
    const Case *c;
    const Shapes *shapes;
    int64_t number, found; /* the one that is asked for; how many fitted */
    Illegal *illegal;
} Search;

static bool try_rule(Search *search, const IllegalRule *rule)
{
    const char *name = kinds[rule->kind].name;
    begin(search->illegal, name ? name : rule->what, search->c);
    return kinds[rule->kind].apply(rule, search->illegal, search->shapes) &&
           ++search->found == search->number;
}

/* Of all operators: an index before the axis where one behind it is illegal, and what no function
 * takes. */
static bool try_general_rules(Search *search)
{
    static const IllegalRule first_axis = {ILLEGAL_WRITTEN, "first_axis", 0},
                             text = {ILLEGAL_WRITTEN, "text", 0};
    const OpDesc *op = search->c->op;
    for (const IllegalRule *rule = op->illegal; rule && rule->kind; rule++) {
        IllegalRule before = *rule;
        before.value = -1;
        if (rule->kind == ILLEGAL_INDEX && try_rule(search, &before))
            return true;
    }
    if (!op->any_layout || op->random || op->source || gradient_forward(op) ||
        op_has_params(op, "step1"))
        return false;
    bool has_axis = op_has_params(op, "axis") || op_has_params(op, "axes");
    return (has_axis && try_rule(search, &first_axis)) || try_rule(search, &text);
}

static bool search_rules(Search *search)
{
    for (const IllegalRule *rule = search->c->op->illegal; rule && rule->kind; rule++)
        if (try_rule(search, rule))
            return true;
    return try_general_rules(search);
}

bool illegal_make(const Case *c, const Shapes *shapes, Illegal *illegal)
{
    Search search = {.c = c, .shapes = shapes, .number = c->exec.illegal, .illegal = illegal};
    return illegal_is_stray(c) ? make_stray(c, shapes, illegal) : search_rules(&search);
}

void illegal_settle(Case *c)
{
    Shapes shapes;
    Illegal illegal;
    if (!c->exec.illegal || illegal_is_stray(c))
        return;
    op_shape(c->op, c->params, &shapes);
    Search search = {.c = c, .shapes = &shapes, .number = c->exec.illegal, .illegal = &illegal};
    if (!search_rules(&search) && search.found > 0)
        c->exec.illegal = 1 + (c->exec.illegal - 1) % search.found;
}
