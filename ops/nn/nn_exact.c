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
    Exact q = *(const Exact *)input->params;
    q.part = input->part;
    q.value.re = q.part ? q.value.im : q.value.re;
    row->put(&q, input->tensors, refs, arena);
}

Scalar nn_element(const Tensor *t, int64_t i)
{
    if (dtype_components(t->dtype) == 1)
        return (Scalar){tensor_value(t, i), 0};
    Tensor re = tensor_part(*t, 0), im = tensor_part(*t, 1);
    return (Scalar){tensor_value(&re, i), tensor_value(&im, i)};
}

void nn_normalise_value(void *params)
{
    Exact *q = params;
    q->value.re = nn_whole_number(nn_dtype(q), q->value.re);
}

bool nn_is_nonzero(Scalar x)
{
    return x.re != 0 || x.im != 0;
}

static void describe(OpDesc *table, const ExactRow *rows, bool by_parts)
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
            .by_parts = by_parts,
        };
}

void nn_describe_exact(OpDesc *table, const ExactRow *rows)
{
    describe(table, rows, true);
}

void nn_describe_whole(OpDesc *table, const ExactRow *rows)
{
    describe(table, rows, false);
}
