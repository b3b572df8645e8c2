/* y = a where the condition holds, else b; axes of all three may be broadcast. */
#include "nn.h"

typedef struct Where {
    int64_t dtype;
    Shape shape;
    int64_t broadcast_a, broadcast_b, broadcast_condition;
} Where;

static const Param params[] = {
    NN_DTYPE(Where),
    NN_SHAPE(Where),
    NN_BROADCAST_A(Where),
    NN_BROADCAST_B(Where),
    NN_BROADCAST(Where, broadcast_condition, "the condition", "expand_c"),
    P_END};
static const char *const tensors[] = {"condition", "a", "b", "y", NULL};

/* An axis must come from some operand. */
static void normalise(void *params_of_case)
{
    Where *q = params_of_case;
    q->broadcast_a = nn_broadcast_axes(&q->shape, q->broadcast_a, 0);
    q->broadcast_b = nn_broadcast_axes(&q->shape, q->broadcast_b, 0);
    q->broadcast_condition =
        nn_broadcast_axes(&q->shape, q->broadcast_condition, q->broadcast_a & q->broadcast_b);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Where *q = params_of_case;
    *shapes = (Shapes){.count = 4, .depth = 1};
    shapes->tensor[0] = nn_broadcast_operand(DT_BOOL, &q->shape, q->broadcast_condition);
    shapes->tensor[1] = nn_broadcast_operand(nn_dtype(q), &q->shape, q->broadcast_a);
    shapes->tensor[2] = nn_broadcast_operand(nn_dtype(q), &q->shape, q->broadcast_b);
    shapes->tensor[3] = nn_tensor(nn_dtype(q), &q->shape, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Where *)params_of_case)->shape, 64);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *y = &input->tensors[3];
    Tensor view[3];
    for (int i = 0; i < 3; i++)
        view[i] = nn_broadcast(&input->tensors[i], y);
    ref_allocate_exact(&refs[3], y, arena);
    for (size_t i = 0; i < refs[3].count; i++) {
        int64_t at = (int64_t)i;
        bool holds = tensor_value(&view[0], at) != 0;
        const Tensor *from = &view[holds ? 1 : 2];
        ref_set_exact(&refs[3], i, tensor_value(from, at), MATCH_BITS);
    }
}

const OpDesc op_where = {
    NN_OP(Where, 2),        .name = "where",          .summary = "one of two, by a condition",
    .params = params,       .tensors = tensors,       NN_ANY_ELEMENT,
    .normalise = normalise, .shape = shape,           .work = work,
    .reference = reference, .zeros = nn_zeros_copied,
};
