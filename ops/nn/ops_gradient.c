/* dx = dy f'(x) element by element: the vector-Jacobian products of functions of one variable
 * (reference/function.h, reference/derivative.h).  At a kink either one-sided value is right. */
#include <stdio.h>

#include "nn.h"
#include "reference/derivative.h"

enum { GRADIENT_MAX = 64, NAME_MAX_LENGTH = 32 };

static const Param params[] = {NN_DTYPE(Unary), NN_SHAPE(Unary), P_END};
static const char *const tensors[] = {"dy", "x", "dx", NULL};

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Unary *)params_of_case)->shape, 64);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Unary *q = params_of_case;
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

static void derivative_of_row(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Unary *q = input->params;
    FunctionParams parameters = {.alpha = q->alpha.re, .beta = q->beta.re};
    derivative_reference(&refs[2], input->op->detail, &parameters, &input->tensors[0],
                         &input->tensors[1], arena);
}

static OpDesc describe(const char *name, const char *summary)
{
    return (OpDesc){
        NN_OP(Unary, 1),    .name = name,           .summary = summary,         .params = params,
        .tensors = tensors, .dtypes = DTYPES_FLOAT, .fills = nn_moderate_fills, .shape = shape,
        .work = work,
    };
}

static void describe_derivative(OpDesc *op, const Derivative *derivative)
{
    static char names[GRADIENT_MAX][2][NAME_MAX_LENGTH];
    static int count;
    const Function *function = function_named(derivative->function);
    char *name = names[count][0], *summary = names[count++][1];
    (void)snprintf(name, NAME_MAX_LENGTH, "%s_backward", derivative->function);
    (void)snprintf(summary, NAME_MAX_LENGTH, "gradient of %s", derivative->function);
    *op = describe(name, summary);
    nn_describe_function(op, function);
    op->reference = derivative_of_row;
    op->policy = "absolute-accuracy";
    op->detail = derivative;
}

OP_TABLE(ops_gradient)
{
    static OpDesc table[2 * GRADIENT_MAX + 1];
    int count = 0;
    for (const Function *f = function_gradients; f->name; f++) {
        table[count] = describe(f->name, f->summary);
        table[count].reference = reference;
        table[count++].detail = f;
    }
    for (const Derivative *d = derivatives; d->function; d++)
        describe_derivative(&table[count++], d);
    return table;
}
