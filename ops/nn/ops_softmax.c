/* Softmax and its logarithm along one axis (reference/softmax.h has the bounds). */
#include "nn.h"
#include "reference/softmax.h"

static const Param params[] = {NN_DTYPE, NN_INPUT_SHAPE, NN_AXIS, P_END};
static const char *const tensors[] = {"x", "y", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    nn_shape_same(params_of_case, shapes);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(params_of_case, 96);
}

static void run(Ref *refs, const ReferenceInput *input, bool logarithm, Arena *arena)
{
    const Nn *q = input->params;
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
    NN_OP_TABLES, .params = params, .tensors = tensors, .dtypes = DTYPES_FLOAT,                    \
                  .fills = nn_moderate_fills, .normalise = nn_normalise_axis, .shape = shape,      \
                  .work = work

static const OpDesc table[] = {
    {SOFTMAX_OP, .name = "softmax", .summary = "exponentials over their sum",
     .reference = reference},
    {SOFTMAX_OP, .name = "log_softmax", .summary = "logarithm of softmax",
     .reference = log_reference},
    {.name = NULL},
};

const OpDesc *ops_softmax(void)
{
    return table;
}
