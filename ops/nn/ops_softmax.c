/* Softmax and its logarithm along one axis (reference/softmax.h has the bounds). */
#include "nn.h"
#include "reference/softmax.h"

static const char *const tensors[] = {"x", "y", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const OneAxis *q = params_of_case;
    nn_shape_same(nn_dtype(q), &q->shape, shapes);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const OneAxis *)params_of_case)->shape, 96);
}

static void run(Ref *refs, const ReferenceInput *input, bool logarithm, Arena *arena)
{
    const OneAxis *q = input->params;
    Tensor x = nn_axis_last(&input->tensors[0], (int)q->axis);
    Ref moved;
    softmax_reference(&moved, &x, logarithm, arena);
    nn_axis_back(&refs[1], &moved, &input->tensors[1], (int)q->axis, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    run(refs, input, false, arena);
}

static void log_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    run(refs, input, true, arena);
}

#define SOFTMAX_OP                                                                                 \
    NN_OP(OneAxis, 1), .params = nn_one_axis_params, .tensors = tensors, .dtypes = DTYPES_FLOAT,   \
                       .fills = nn_moderate_fills, .normalise = nn_normalise_one_axis,             \
                       .shape = shape, .work = work

static const OpDesc table[] = {
    {SOFTMAX_OP, .name = "softmax", .summary = "exponentials over their sum",
     .reference = reference, .illegal = nn_illegal_axis},
    {SOFTMAX_OP, .name = "log_softmax", .summary = "logarithm of softmax",
     .reference = log_reference, .illegal = nn_illegal_axis},
    {.name = NULL},
};

OP_TABLE(ops_softmax)
{
    return table;
}
