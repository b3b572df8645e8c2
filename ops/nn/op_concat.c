/* Two tensors one after the other along an axis, to the bit. */
#include "nn.h"

typedef struct Concat {
    int64_t dtype;
    Shape shape;
    int64_t axis, extent_b;
} Concat;

static const Param params[] = {
    NN_DTYPE(Concat), P_SHAPE(Concat, shape, 1, 4, "extents of a"), NN_AXIS(Concat),
    P_DIM(Concat, extent_b, 0, 512, "extent of b along the axis", .formerly = "n"), P_END};
static const char *const tensors[] = {"a", "b", "y", NULL};

static void normalise(void *params_of_case)
{
    Concat *q = params_of_case;
    q->axis %= q->shape.rank;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Concat *q = params_of_case;
    Shape b = q->shape, y = q->shape;
    b.extent[q->axis] = q->extent_b;
    y.extent[q->axis] += q->extent_b;
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &b, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const Concat *q = params_of_case;
    return 64.0 * (double)shape_count(&q->shape) * (double)(q->extent_b + 1);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Concat *q = input->params;
    const Tensor *a = &input->tensors[0], *y = &input->tensors[2];
    int64_t inner = 1, first = a->extent[q->axis], total = y->extent[q->axis];
    for (int axis = (int)q->axis + 1; axis < y->rank; axis++)
        inner *= y->extent[axis];
    ref_allocate_exact(&refs[2], y, arena);
    for (size_t i = 0; i < refs[2].count; i++) {
        int64_t in = (int64_t)i % inner, along = (int64_t)i / inner % total;
        int64_t out = (int64_t)i / inner / total, own = along < first ? first : total - first;
        const Tensor *from = &input->tensors[along < first ? 0 : 1];
        int64_t number = (out * own + (along < first ? along : along - first)) * inner + in;
        ref_set_exact(&refs[2], i, tensor_value(from, number), MATCH_BITS);
    }
}

const OpDesc op_concat = {
    NN_OP(Concat, 2),       .name = "concat",         .summary = "one tensor after another",
    .params = params,       .tensors = tensors,       NN_ANY_ELEMENT,
    .normalise = normalise, .shape = shape,           .work = work,
    .reference = reference, .zeros = nn_zeros_copied, .illegal = nn_illegal_axis,
};
