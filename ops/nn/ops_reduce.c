/* Reductions over any axes (reference/reduce.h has the bounds). */
#include <string.h>

#include "nn.h"
#include "reference/reduce.h"

typedef struct ReduceRow {
    const char *name, *summary;
    Reduction reduction;
    uint32_t dtypes;
    bool one_axis;    /* the result tells a place along one axis */
    bool takes_empty; /* has a value for no elements */
    const char *policy;
} ReduceRow;

static const ReduceRow rows[] = {
    {"sum", "sum", REDUCE_SUM, DTYPES_FLOAT | DTYPES_INTEGER, false, true, NULL},
    {"mean", "mean", REDUCE_MEAN, DTYPES_FLOAT, false, false, NULL},
    {"prod", "product", REDUCE_PRODUCT, DTYPES_FLOAT | DTYPES_INTEGER, false, true, NULL},
    {"amax", "greatest", REDUCE_GREATEST, DTYPES_FLOAT | DTYPES_INTEGER, false, false,
     "nan-by-comparison"},
    {"amin", "least", REDUCE_LEAST, DTYPES_FLOAT | DTYPES_INTEGER, false, false,
     "nan-by-comparison"},
    {"norm1", "sum of magnitudes", REDUCE_NORM_1, DTYPES_FLOAT, false, true, NULL},
    {"norm2", "root of the sum of squares", REDUCE_NORM_2, DTYPES_FLOAT, false, true, NULL},
    {"sum_squares", "sum of squares", REDUCE_SQUARES, DTYPES_FLOAT, false, true, NULL},
    {"logsumexp", "log of the sum of exponentials", REDUCE_LOG_SUM_EXP, DTYPES_FLOAT, false, false,
     NULL},
    {"var", "variance", REDUCE_VARIANCE, DTYPES_FLOAT, false, false, "one-pass-variance"},
    {"std", "standard deviation", REDUCE_DEVIATION, DTYPES_FLOAT, false, false,
     "one-pass-variance"},
    {"all", "whether all are true", REDUCE_ALL, DTYPES_BOOLEAN, false, false, NULL},
    {"any", "whether one is true", REDUCE_ANY, DTYPES_BOOLEAN, false, false, NULL},
    {"argmax", "place of the first greatest", REDUCE_PLACE_OF_GREATEST,
     DTYPES_FLOAT | DTYPES_INTEGER, true, false, NULL},
    {"argmin", "place of the first least", REDUCE_PLACE_OF_LEAST, DTYPES_FLOAT | DTYPES_INTEGER,
     true, false, NULL},
};

static const Param params[] = {NN_DTYPE, NN_INPUT_SHAPE, NN_AXES, NN_KEEPDIMS, P_END};
static const Param variance_params[] = {
    NN_DTYPE,
    NN_INPUT_SHAPE,
    NN_AXES,
    NN_KEEPDIMS,
    P_INTEGER(Nn, correction, 0, 1, 0, "what is subtracted from the count"),
    P_END};
static const char *const tensors[] = {"x", "y", NULL};

static double work(const void *params_of_case)
{
    return nn_work_elements(params_of_case, 16);
}

/* Without any axis all are reduced. */
static void normalise_axes(Nn *q, bool one)
{
    int64_t all = (1 << q->shape.rank) - 1;
    q->axes &= all;
    if (q->axes == 0)
        q->axes = all;
    if (one)
        q->axes &= -q->axes;
}

static void normalise(void *params_of_case)
{
    normalise_axes(params_of_case, false);
}

static void normalise_full(void *params_of_case)
{
    Nn *q = params_of_case;
    nn_fill_empty(&q->shape);
    normalise_axes(q, false);
}

static void normalise_one(void *params_of_case)
{
    Nn *q = params_of_case;
    nn_fill_empty(&q->shape);
    normalise_axes(q, true);
}

static void shape_as(const Nn *q, DType result, Shapes *shapes)
{
    Shape kept = {0};
    for (int64_t axis = 0; axis < q->shape.rank; axis++) {
        bool reduced = q->axes >> (q->shape.rank - 1 - axis) & 1;
        if (!reduced || q->keepdims)
            kept.extent[kept.rank++] = reduced ? 1 : q->shape.extent[axis];
    }
    *shapes = (Shapes){.count = 2, .depth = shape_count(&q->shape)};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(result, &kept, ROLE_OUT);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    shape_as(q, nn_dtype(q), shapes);
}

static void place_shape(const void *params_of_case, Shapes *shapes)
{
    shape_as(params_of_case, DT_I64, shapes);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    const ReduceRow *row = input->op->detail;
    const Tensor *x = &input->tensors[0];
    ReduceInput in = {row->reduction, *x, input->tensors[1], 0, (double)q->correction, 0};
    int at = 0;
    for (int reduced = 0; reduced < 2; reduced++)
        for (int axis = 0; axis < x->rank; axis++) {
            if ((q->axes >> (x->rank - 1 - axis) & 1) != reduced)
                continue;
            in.x.extent[at] = x->extent[axis];
            in.x.stride[at++] = x->stride[axis];
            in.reduced += reduced;
        }
    reduce_reference(&refs[1], &in, arena);
}

static OpDesc describe(const ReduceRow *row)
{
    bool variance = row->reduction == REDUCE_VARIANCE || row->reduction == REDUCE_DEVIATION;
    return (OpDesc){
        NN_OP_TABLES,
        .name = row->name,
        .summary = row->summary,
        .params = variance ? variance_params : params,
        .tensors = tensors,
        .dtypes = row->dtypes,
        .normalise = row->one_axis      ? normalise_one
                     : row->takes_empty ? normalise
                                        : normalise_full,
        .shape = row->one_axis ? place_shape : shape,
        .work = work,
        .reference = reference,
        .policy = row->policy,
        .detail = row,
    };
}

const OpDesc *ops_reduce(void)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = describe(&rows[i]);
    return table;
}
