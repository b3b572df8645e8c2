/* y = f(a, b) element by element, with axes of either repeated: one operator for each function of
 * two variables (reference/function.h). */
#include "nn.h"
#include "reference/function.h"

enum { BINARY_MAX = 48 };

static const Param params[] = {NN_DTYPE, NN_SHAPE, NN_EXPAND_A, NN_EXPAND_B, P_END};
static const char *const tensors[] = {"a", "b", "y", NULL};

static double work(const void *params_of_case)
{
    return nn_work_elements(params_of_case, 32);
}

static void shape_as(const Nn *q, DType result, Shapes *shapes)
{
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_expanded(nn_dtype(q), &q->shape, q->expand_a);
    shapes->tensor[1] = nn_expanded(nn_dtype(q), &q->shape, q->expand_b);
    shapes->tensor[2] = nn_tensor(result, &q->shape, ROLE_OUT);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    shape_as(q, nn_dtype(q), shapes);
}

static void predicate_shape(const void *params_of_case, Shapes *shapes)
{
    shape_as(params_of_case, DT_BOOL, shapes);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *y = &input->tensors[2];
    Tensor a = nn_broadcast(&input->tensors[0], y), b = nn_broadcast(&input->tensors[1], y);
    function_pair_reference(&refs[2], input->op->detail, &a, &b, y->dtype, arena);
}

static void normalise(void *params_of_case)
{
    Nn *q = params_of_case;
    q->expand_a = nn_expansion(&q->shape, q->expand_a, 0);
    q->expand_b = nn_expansion(&q->shape, q->expand_b, q->expand_a);
}

static OpDesc describe(const Function *f)
{
    return (OpDesc){
        NN_OP_TABLES,
        .name = f->name,
        .summary = f->summary,
        .params = params,
        .tensors = tensors,
        .dtypes = nn_dtypes_of(f),
        .fills = nn_function_fills,
        .in_place = !f->is_predicate,
        .normalise = normalise,
        .shape = f->is_predicate ? predicate_shape : shape,
        .work = work,
        .reference = reference,
        .policy = function_policy(f),
        .detail = f,
    };
}

const OpDesc *ops_binary(void)
{
    static OpDesc table[BINARY_MAX + 1];
    for (int i = 0; functions_of_pairs[i].name; i++)
        table[i] = describe(&functions_of_pairs[i]);
    return table;
}
