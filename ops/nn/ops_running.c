/* Running sums along one axis, forwards or backwards, with or without the element itself: the lemma
 * for the sum of each prefix (reference/reduce.h). */
#include "nn.h"
#include "reference/reduce.h"

static const Param params[] = {NN_DTYPE,
                               NN_INPUT_SHAPE,
                               NN_AXIS,
                               P_CHOICE(Nn, backwards, nn_yes_no, "from the last to the first"),
                               P_CHOICE(Nn, exclusive, nn_yes_no, "without the element itself"),
                               P_END};
static const char *const tensors[] = {"x", "y", NULL};

static void normalise(void *params_of_case)
{
    Nn *q = params_of_case;
    nn_need_axis(&q->shape);
    q->axis %= q->shape.rank;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    nn_shape_same(params_of_case, shapes);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(params_of_case, 16);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    Tensor x = nn_axis_last(&input->tensors[0], (int)q->axis);
    Ref moved;
    running_sum_reference(&moved, &x, q->backwards, q->exclusive, arena);
    nn_axis_back(&refs[1], &moved, &input->tensors[1], (int)q->axis, arena);
}

const OpDesc op_cumsum = {
    NN_OP_TABLES,
    .name = "cumsum",
    .summary = "running sums along an axis",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_FLOAT | 1u << DT_I32 | 1u << DT_I64,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
