/* The front and the rest of an axis as two tensors. */
#include "nn_split.h"

typedef struct SplitInTwo {
    int64_t dtype;
    Shape shape;
    int64_t axis, split_size;
} SplitInTwo;

static const Param params[] = {
    NN_DTYPE(SplitInTwo), P_SHAPE(SplitInTwo, shape, 1, TENSOR_RANK_MAX, "extents of x"),
    NN_AXIS(SplitInTwo),
    P_DIM(SplitInTwo, split_size, 0, 512, "elements of the front", .formerly = "k"), P_END};
static const char *const tensors[] = {"x", "front", "rest", NULL};

static void normalise(void *params_of_case)
{
    SplitInTwo *q = params_of_case;
    nn_fit_axis(&q->shape, &q->axis);
    int64_t extent = q->shape.extent[q->axis];
    q->split_size = q->split_size < extent ? q->split_size : extent;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const SplitInTwo *q = params_of_case;
    Shape front = q->shape, rest = q->shape;
    front.extent[q->axis] = q->split_size;
    rest.extent[q->axis] -= q->split_size;
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &front, ROLE_OUT);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &rest, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const SplitInTwo *)params_of_case)->shape, 64);
}

static void put_part(Ref *ref, const Tensor *x, const Tensor *y, int64_t axis, int64_t first,
                     Arena *arena)
{
    Split s = nn_split(y, axis);
    int64_t whole = x->extent[axis];
    ref_allocate_exact(ref, y, arena);
    for (size_t i = 0; i < ref->count; i++) {
        int64_t number = (int64_t)i, inner = tensor_take_index(&number, s.inner);
        int64_t along = tensor_take_index(&number, s.extent);
        ref_set_exact(ref, i, tensor_value(x, (number * whole + first + along) * s.inner + inner),
                      MATCH_BITS);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const SplitInTwo *q = input->params;
    const Tensor *t = input->tensors;
    put_part(&refs[1], &t[0], &t[1], q->axis, 0, arena);
    put_part(&refs[2], &t[0], &t[2], q->axis, q->split_size, arena);
}

const OpDesc op_split = {
    NN_OP(SplitInTwo, 2),   .name = "split",          .summary = "an axis in two parts",
    .params = params,       .tensors = tensors,       NN_ANY_ELEMENT,
    .normalise = normalise, .shape = shape,           .work = work,
    .reference = reference, .zeros = nn_zeros_copied, .illegal = nn_illegal_axis,
};
