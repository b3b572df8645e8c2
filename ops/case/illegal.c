/* How each kind of rule changes a call. */
#include "illegal.h"

#include <string.h>

static int64_t *field(const IllegalRule *rule, Illegal *illegal)
{
    for (const Param *param = illegal->altered.op->params; param->name; param++)
        if (!strcmp(param->name, rule->what))
            return (int64_t *)(void *)(illegal->altered.params + param->offset);
    return NULL;
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

/* A value for each axis of a tuple. */
static bool put_tuple(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    Shape *tuple = (Shape *)(void *)field(rule, illegal);
    (void)shapes;
    for (int axis = 0; tuple && axis < tuple->rank; axis++)
        tuple->extent[axis] = rule->value;
    return tuple != NULL;
}

/* A number that has no meaning. */
static bool put_number(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    Scalar *number = (Scalar *)(void *)field(rule, illegal);
    (void)shapes;
    if (number)
        *number = (Scalar){(double)rule->value, 0};
    return number != NULL;
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

/* More groups than channels. */
static bool put_groups(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    int64_t *groups = field(rule, illegal);
    if (!groups)
        return false;
    *groups = shapes->tensor[0].layout.extent[1] + 1;
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

/* One element less along an axis, which counts from the end where it is negative; never so few that
 * they are repeated. */
static bool shorten(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    int i = operand(rule, illegal->altered.op);
    if (i < 0 || shapes->tensor[i].ignored || !has_results(shapes))
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
static bool mismatch(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    const Tensor *a = &shapes->tensor[0].layout, *b = &shapes->tensor[1].layout;
    if (a->rank == 0 || b->rank == 0 || a->extent[a->rank - 1] != b->extent[b->rank - 1])
        return false;
    return shorten(rule, illegal, shapes);
}

static bool put_index(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes)
{
    int i = operand(rule, illegal->altered.op);
    if (i < 0 || shapes->tensor[i].index_below == 0 || tensor_is_empty(&shapes->tensor[i].layout))
        return false;
    illegal->indexed = i;
    return true;
}

typedef bool Apply(const IllegalRule *rule, Illegal *illegal, const Shapes *shapes);

/* By IllegalKind; a tuple and a number go by the name of their parameter. */
static const struct {
    const char *name;
    Apply *apply;
} kinds[] = {
    [ILLEGAL_AXIS] = {"axis", put_axis},       [ILLEGAL_TUPLE] = {NULL, put_tuple},
    [ILLEGAL_KERNEL] = {"kernel", put_kernel}, [ILLEGAL_GROUPS] = {"groups", put_groups},
    [ILLEGAL_EXTENT] = {"extent", shorten},    [ILLEGAL_MISMATCH] = {"extent", mismatch},
    [ILLEGAL_INDEX] = {"index", put_index},    [ILLEGAL_NUMBER] = {NULL, put_number},
};

bool illegal_make(const Case *c, const Shapes *shapes, Illegal *illegal)
{
    int64_t number = 0;
    for (const IllegalRule *rule = c->op->illegal; rule && rule->kind; rule++) {
        const char *name = kinds[rule->kind].name;
        *illegal = (Illegal){.name = name ? name : rule->what,
                             .shortened = -1,
                             .axis = -1,
                             .indexed = -1,
                             .altered = *c};
        if (kinds[rule->kind].apply(rule, illegal, shapes) && ++number == c->exec.illegal)
            return true;
    }
    return false;
}
