/* dx = dy f'(x) element by element: the vector-Jacobian products of functions of one variable
 * (reference/function.h).  At a kink either one-sided value is right. */
#include "nn.h"
#include "reference/function.h"

enum { GRADIENT_MAX = 32 };

static const Param params[] = {NN_DTYPE, NN_SHAPE, P_END};
static const char *const tensors[] = {"dy", "x", "dx", NULL};

static double work(const void *params_of_case)
{
    return nn_work_elements(params_of_case, 64);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &q->shape, ROLE_OUT);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    function_pair_reference(&refs[2], input->op->detail, &input->tensors[0], &input->tensors[1],
                            input->tensors[2].dtype, arena);
}

const OpDesc *ops_gradient(void)
{
    static OpDesc table[GRADIENT_MAX + 1];
    for (int i = 0; function_gradients[i].name; i++)
        table[i] = (OpDesc){
            NN_OP_TABLES,
            .name = function_gradients[i].name,
            .summary = function_gradients[i].summary,
            .params = params,
            .tensors = tensors,
            .dtypes = DTYPES_FLOAT,
            .fills = nn_moderate_fills,
            .shape = shape,
            .work = work,
            .reference = reference,
            .detail = &function_gradients[i],
        };
    return table;
}
