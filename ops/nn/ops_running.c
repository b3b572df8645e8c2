/* Running sums and products along one axis, forwards or backwards, with or without the element
 * itself: every result has the bound of the reduction of its prefix (reference/reduce.h). */
#include "nn.h"
#include "reference/reduce.h"

static const Param params[] = {NN_DTYPE,
                               NN_INPUT_SHAPE,
                               NN_AXIS,
                               P_CHOICE(Nn, backwards, nn_yes_no, "from the last to the first"),
                               P_CHOICE(Nn, exclusive, nn_yes_no, "without the element itself"),
                               P_END};
static const char *const tensors[] = {"x", "y", NULL};
static const char *const backward_tensors[] = {"dy", "dx", NULL};

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
    RunningInput in = {nn_axis_last(&input->tensors[0], (int)q->axis),
                       *(const Reduction *)input->op->detail == REDUCE_PRODUCT, q->backwards,
                       q->exclusive};
    Ref moved;
    running_reference(&moved, &in, arena);
    nn_axis_back(&refs[1], &moved, &input->tensors[1], (int)q->axis, arena);
}

/* Every element went into the sums of those behind it, or in front of it. */
static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    Nn turned = *(const Nn *)input->params;
    ReferenceInput other = *input;
    turned.backwards = !turned.backwards;
    other.params = &turned;
    reference(refs, &other, arena);
}

static const Reduction sum = REDUCE_SUM, product = REDUCE_PRODUCT;

#define RUNNING_OP                                                                                 \
    NN_OP_TABLES, .params = params, .normalise = nn_normalise_axis, .shape = shape, .work = work

static const OpDesc table[] = {
    {RUNNING_OP, .name = "cumsum", .summary = "running sums along an axis", .tensors = tensors,
     .dtypes = DTYPES_FLOAT | 1u << DT_I32 | 1u << DT_I64, .reference = reference, .detail = &sum},
    {RUNNING_OP, .name = "cumprod", .summary = "running products along an axis", .tensors = tensors,
     .dtypes = DTYPES_FLOAT | 1u << DT_I32 | 1u << DT_I64, .reference = reference,
     .detail = &product},
    {RUNNING_OP, .name = "cumsum_backward", .summary = "gradient of cumsum",
     .tensors = backward_tensors, .dtypes = DTYPES_FLOAT, .reference = backward_reference,
     .detail = &sum},
    {.name = NULL},
};

const OpDesc *ops_running(void)
{
    return table;
}
