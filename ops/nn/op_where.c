/* y = a where the condition holds, else b; axes of all three may be repeated. */
#include "nn.h"

static const Param params[] = {
    NN_DTYPE,
    NN_SHAPE,
    NN_EXPAND_A,
    NN_EXPAND_B,
    P_INTEGER(Nn, expand_c, 0, 63, 0, "axes of the condition that are repeated, as bits"),
    P_END};
static const char *const tensors[] = {"condition", "a", "b", "y", NULL};

/* An axis must come from some operand. */
static void normalise(void *params_of_case)
{
    Nn *q = params_of_case;
    q->expand_a = nn_expansion(&q->shape, q->expand_a, 0);
    q->expand_b = nn_expansion(&q->shape, q->expand_b, 0);
    q->expand_c = nn_expansion(&q->shape, q->expand_c, q->expand_a & q->expand_b);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    *shapes = (Shapes){.count = 4, .depth = 1};
    shapes->tensor[0] = nn_expanded(DT_BOOL, &q->shape, q->expand_c);
    shapes->tensor[1] = nn_expanded(nn_dtype(q), &q->shape, q->expand_a);
    shapes->tensor[2] = nn_expanded(nn_dtype(q), &q->shape, q->expand_b);
    shapes->tensor[3] = nn_tensor(nn_dtype(q), &q->shape, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(params_of_case, 64);
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
    NN_OP_TABLES,           .name = "where",    .summary = "one of two, by a condition",
    .params = params,       .tensors = tensors, NN_ANY_ELEMENT,
    .normalise = normalise, .shape = shape,     .work = work,
    .reference = reference,
};
