/* The descriptions of operators with exact results. */
#include "nn_exact.h"

static void shape(const OpDesc *op, const void *params, Shapes *shapes)
{
    ((const ExactRow *)op->detail)->shape(params, shapes);
}

/* No row compares more often than each element of one operand with each of another one. */
static double work(const OpDesc *op, const void *params)
{
    Shapes shapes;
    double sum = 1, product = 1;
    shape(op, params, &shapes);
    for (int i = 0; i < shapes.count; i++) {
        double count = (double)tensor_count(&shapes.tensor[i].layout);
        sum += count;
        product *= shapes.tensor[i].role == ROLE_IN ? count + 1 : 1;
    }
    return 64 * sum + (shapes.count > 2 ? product : 0);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ExactRow *row = input->op->detail;
    Shapes shapes;
    row->shape(input->params, &shapes);
    for (int i = 0; i < shapes.count; i++) {
        const Tensor *t = &input->tensors[i];
        if (shapes.tensor[i].role == ROLE_IN)
            continue;
        if (row->bounded)
            ref_allocate_bounded(&refs[i], t->dtype, t, arena);
        else
            ref_allocate_exact(&refs[i], t, arena);
    }
    row->put(input->params, input->tensors, refs, arena);
}

void nn_describe_exact(OpDesc *table, const ExactRow *rows)
{
    for (int i = 0; rows[i].name; i++)
        table[i] = (OpDesc){
            NN_OP(Exact, 1),
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = rows[i].params,
            .tensors = rows[i].tensors,
            .dtypes = rows[i].dtypes,
            .fills = rows[i].fills,
            .normalise = rows[i].normalise,
            .shape_of_row = shape,
            .work_of_row = work,
            .reference = reference,
            .zeros = rows[i].zeros,
            .illegal = rows[i].illegal,
            .detail = &rows[i],
            .by_parts = true,
        };
}
