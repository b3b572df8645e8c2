/* The rules, each with the operators that it holds for. */
#include "illegal.h"

#include <string.h>

typedef struct Rule {
    const char *name;
    const char *ops;  /* patterns with spaces between */
    const char *what; /* a parameter or an operand */
    bool (*apply)(const struct Rule *rule, Illegal *illegal, const Shapes *shapes);
    int64_t value;
} Rule;

static int64_t *field(const Rule *rule, Illegal *illegal)
{
    for (const Param *param = illegal->altered.op->params; param->name; param++)
        if (!strcmp(param->name, rule->what))
            return (int64_t *)(void *)(illegal->altered.params + param->offset);
    return NULL;
}

static int operand(const Rule *rule, const OpDesc *op)
{
    for (int i = 0; op->tensors[i]; i++)
        if (!strcmp(op->tensors[i], rule->what))
            return i;
    return -1;
}

/* The axis behind the last one. */
static bool put_axis(const Rule *rule, Illegal *illegal, const Shapes *shapes)
{
    int64_t *axis = field(rule, illegal);
    if (!axis || shapes->tensor[0].layout.rank == 0)
        return false;
    *axis = shapes->tensor[0].layout.rank;
    return true;
}

/* A value for each axis of a tuple. */
static bool put_tuple(const Rule *rule, Illegal *illegal, const Shapes *shapes)
{
    Shape *tuple = (Shape *)(void *)field(rule, illegal);
    (void)shapes;
    for (int axis = 0; tuple && axis < tuple->rank; axis++)
        tuple->extent[axis] = rule->value;
    return tuple != NULL;
}

/* Windows that reach beyond the padded image by some elements: by one there are none. */
static bool put_kernel(const Rule *rule, Illegal *illegal, const Shapes *shapes)
{
    Shape *kernel = (Shape *)(void *)field(rule, illegal);
    const Shape *before = case_shape(&illegal->altered, "before"),
                *after = case_shape(&illegal->altered, "after");
    if (!kernel || case_int(&illegal->altered, "ceil_mode"))
        return false;
    for (int axis = 0; axis < kernel->rank; axis++)
        kernel->extent[axis] = shapes->tensor[0].layout.extent[2 + axis] + before->extent[axis] +
                               after->extent[axis] + rule->value;
    illegal->may_be_empty = rule->value == 1;
    return true;
}

/* More groups than channels. */
static bool put_groups(const Rule *rule, Illegal *illegal, const Shapes *shapes)
{
    int64_t *groups = field(rule, illegal);
    if (!groups)
        return false;
    *groups = shapes->tensor[0].layout.extent[1] + 1;
    return true;
}

/* One element less along an axis, which counts from the end where it is negative; never so few that
 * they are repeated. */
static bool shorten(const Rule *rule, Illegal *illegal, const Shapes *shapes)
{
    int i = operand(rule, illegal->altered.op);
    if (i < 0 || shapes->tensor[i].ignored)
        return false;
    const Tensor *layout = &shapes->tensor[i].layout;
    int axis = (int)(rule->value < 0 ? layout->rank + rule->value : rule->value);
    if (axis < 0 || axis >= layout->rank || layout->extent[axis] < 3)
        return false;
    illegal->shortened = i;
    illegal->axis = axis;
    return true;
}

/* The innermost axes of two operands that nothing repeats. */
static bool mismatch(const Rule *rule, Illegal *illegal, const Shapes *shapes)
{
    const Tensor *a = &shapes->tensor[0].layout, *b = &shapes->tensor[1].layout;
    if (a->rank == 0 || b->rank == 0 || a->extent[a->rank - 1] != b->extent[b->rank - 1])
        return false;
    return shorten(rule, illegal, shapes);
}

static bool put_index(const Rule *rule, Illegal *illegal, const Shapes *shapes)
{
    int i = operand(rule, illegal->altered.op);
    if (i < 0 || shapes->tensor[i].index_below == 0 || tensor_is_empty(&shapes->tensor[i].layout))
        return false;
    illegal->indexed = i;
    return true;
}

static const Rule rules[] = {
    {"axis",
     "softmax log_softmax cumsum cumprod flip sort concat index_select take_along_axis scatter "
     "scatter_add index_add gather split",
     "axis", put_axis, 0},
    {"extent", "add sub mul div pow maximum minimum atan2 eq ne lt le gt ge logical_and logical_or",
     "b", mismatch, -1},
    {"extent", "matmul", "b", shorten, -2},
    {"extent", "linear", "w", shorten, 1},
    {"extent", "conv[123]d", "w", shorten, 1},
    {"extent", "conv_transpose[123]d", "w", shorten, 0},
    {"extent", "layer_norm rms_norm batch_norm group_norm instance_norm", "scale", shorten, -1},
    {"extent", "attention", "k", shorten, -1},
    {"extent", "nll_loss cross_entropy", "target", shorten, 0},
    {"index", "gather index_select take take_along_axis embedding scatter scatter_add index_add",
     "indices", put_index, 0},
    {"stride", "conv[123]d conv_transpose[123]d max_pool[123]d avg_pool[123]d", "stride", put_tuple,
     0},
    {"dilation", "conv[123]d conv_transpose[123]d max_pool[123]d", "dilation", put_tuple, 0},
    {"kernel", "max_pool[123]d avg_pool[123]d", "kernel", put_kernel, 1},
    {"kernel", "max_pool[123]d avg_pool[123]d", "kernel", put_kernel, 2},
    {"groups", "group_norm", "groups", put_groups, 0},
};

static bool holds_for(const Rule *rule, const OpDesc *op)
{
    char patterns[256], *rest = patterns;
    memcpy(patterns, rule->ops, strlen(rule->ops) + 1);
    for (char *pattern = strsep(&rest, " "); pattern; pattern = strsep(&rest, " "))
        if (op_matches(op, pattern))
            return true;
    return false;
}

bool illegal_make(const Case *c, const Shapes *shapes, Illegal *illegal)
{
    int64_t number = 0;
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        if (!holds_for(&rules[i], c->op))
            continue;
        *illegal = (Illegal){
            .name = rules[i].name, .shortened = -1, .axis = -1, .indexed = -1, .altered = *c};
        if (rules[i].apply(&rules[i], illegal, shapes) && ++number == c->exec.illegal)
            return true;
    }
    return false;
}
