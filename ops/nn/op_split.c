/* The front and the rest of an axis as two tensors. */
#include "nn_split.h"

static const Param params[] = {NN_DTYPE, P_SHAPE(Nn, shape, 1, TENSOR_RANK_MAX, "extents of x"),
                               NN_AXIS, P_DIM(Nn, k, 0, 512, "elements of the front"), P_END};
static const char *const tensors[] = {"x", "front", "rest", NULL};

static void normalise(void *params_of_case)
{
    Nn *q = params_of_case;
    nn_normalise_axis(q);
    int64_t extent = q->shape.extent[q->axis];
    q->k = q->k < extent ? q->k : extent;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    Shape front = q->shape, rest = q->shape;
    front.extent[q->axis] = q->k;
    rest.extent[q->axis] -= q->k;
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &front, ROLE_OUT);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &rest, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(params_of_case, 64);
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
    const Nn *q = input->params;
    const Tensor *t = input->tensors;
    put_part(&refs[1], &t[0], &t[1], q->axis, 0, arena);
    put_part(&refs[2], &t[0], &t[2], q->axis, q->k, arena);
}

const OpDesc op_split = {
    NN_OP_TABLES,           .name = "split",    .summary = "an axis in two parts",
    .params = params,       .tensors = tensors, NN_ANY_ELEMENT,
    .normalise = normalise, .shape = shape,     .work = work,
    .reference = reference,
};
