/* Gradients of softmax and of its logarithm from the saved result (reference/softmax.h). */
#include "nn.h"
#include "reference/softmax.h"

static const char *const tensors[] = {"dy", "y", "dx", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const OneAxis *q = params_of_case;
    *shapes = (Shapes){.count = 3, .depth = 1};
    for (int i = 0; i < 3; i++)
        shapes->tensor[i] = nn_tensor(nn_dtype(q), &q->shape, i == 2 ? ROLE_OUT : ROLE_IN);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const OneAxis *)params_of_case)->shape, 64);
}

static void run(Ref *refs, const ReferenceInput *input, bool logarithm, Arena *arena)
{
    const OneAxis *q = input->params;
    Tensor dy = nn_axis_last(&input->tensors[0], (int)q->axis);
    Tensor y = nn_axis_last(&input->tensors[1], (int)q->axis);
    Ref moved;
    softmax_gradient_reference(&moved, &dy, &y, logarithm, arena);
    nn_axis_back(&refs[2], &moved, &input->tensors[2], (int)q->axis, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    run(refs, input, false, arena);
}

static void log_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    run(refs, input, true, arena);
}

#define SOFTMAX_BACKWARD                                                                           \
    NN_OP(OneAxis, 1), .params = nn_one_axis_params, .tensors = tensors, .dtypes = DTYPES_FLOAT,   \
                       .fills = 1u << FILL_POSITIVE | 1u << FILL_NORMAL | 1u << FILL_INT,          \
                       .normalise = nn_normalise_one_axis, .shape = shape, .work = work

static const OpDesc table[] = {
    {SOFTMAX_BACKWARD, .name = "softmax_backward", .summary = "gradient of softmax",
     .reference = reference},
    {SOFTMAX_BACKWARD, .name = "log_softmax_backward", .summary = "gradient of log_softmax",
     .reference = log_reference},
    {.name = NULL},
};

OP_TABLE(ops_softmax_backward)
{
    return table;
}
