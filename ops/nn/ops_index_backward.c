/* Gradients of operators that follow indices: every element of dx is the sum of those of dy that
 * the indices took from it, in any order (the lemma of oracle/bound.h). */
#include "nn_index.h"
#include "reference/reduce.h"

enum { DY, INDICES, DX };

#define INDEX(low, high, ...) NN_DTYPE(Index), P_SHAPE(Index, shape, low, high, __VA_ARGS__)

static const Param gather_params[] = {INDEX(1, 3, "extents of dx"), NN_AXIS(Index),
                                      NN_NUM_INDICES("indices along the axis"), P_END};
static const Param embedding_params[] = {INDEX(2, 2, "rows and columns"), NN_NUM_INDICES("indices"),
                                         P_END};
static const Param flat_params[] = {INDEX(1, 4, "extents of dx", .full = "indices are of elements"),
                                    NN_INDICES_SHAPE(2), P_END};
static const char *const tensors[] = {"dy", "indices", "dx", NULL};

/* detail is not NULL where every element has an index of its own. */
static void shape(const OpDesc *op, const void *params, Shapes *shapes)
{
    const Index *q = params;
    Shape dy = q->shape, line = {1, {q->num_indices}};
    dy.extent[q->axis] = q->num_indices;
    *shapes = (Shapes){.count = 3, .depth = q->num_indices};
    shapes->tensor[DY] = nn_tensor(nn_dtype(q), &dy, ROLE_IN);
    shapes->tensor[INDICES] = nn_tensor(DT_I64, op->detail ? &dy : &line, ROLE_IN);
    shapes->tensor[INDICES].index_below = q->shape.extent[q->axis];
    shapes->tensor[DX] = nn_tensor(nn_dtype(q), &q->shape, ROLE_OUT);
}

static void flat_shape(const void *params, Shapes *shapes)
{
    const Index *q = params;
    *shapes = (Shapes){.count = 3, .depth = shape_count(&q->indices_shape)};
    shapes->tensor[DY] = nn_tensor(nn_dtype(q), &q->indices_shape, ROLE_IN);
    shapes->tensor[INDICES] = nn_tensor(DT_I64, &q->indices_shape, ROLE_IN);
    shapes->tensor[INDICES].index_below = shape_count(&q->shape);
    shapes->tensor[DX] = nn_tensor(nn_dtype(q), &q->shape, ROLE_OUT);
}

static double flat_work(const void *params)
{
    const Index *q = params;
    return 64.0 * (double)(shape_count(&q->shape) + shape_count(&q->indices_shape) + 1);
}

static double work(const void *params)
{
    const Index *q = params;
    return 64.0 * (double)shape_count(&q->shape) * (double)(q->num_indices + 1);
}

/* The element of dx that element i of dy belongs to. */
static int64_t place_of(const ReferenceInput *input, int64_t i)
{
    const Index *q = input->params;
    const Tensor *indices = &input->tensors[INDICES];
    if (input->op->shape)
        return (int64_t)tensor_value(indices, i);
    Split s = nn_split(&input->tensors[DX], q->axis);
    int64_t at =
        (int64_t)tensor_value(indices, input->op->detail ? i : i / s.inner % q->num_indices);
    return nn_split_place(&s, i, q->num_indices, at);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *t = input->tensors;
    Ref *ref = &refs[DX];
    ref_allocate_bounded(ref, t[DX].dtype, &t[DX], arena);
    Sum *sums = arena_take(arena, ref->count + 1, sizeof *sums);
    for (size_t i = 0; i < ref->count; i++)
        sums[i] = sum_begin();
    for (int64_t i = 0; i < tensor_count(&t[DY]); i++)
        sum_add(&sums[place_of(input, i)], tensor_value(&t[DY], i));
    for (size_t i = 0; i < ref->count; i++)
        ref_put_sum(ref, i, &sums[i], 1, sum_error(&sums[i], dtype_format(ref->accumulator)));
}

static const bool elementwise = true;

#define INDEX_BACKWARD_OP                                                                          \
    NN_OP(Index, 2), .tensors = tensors, .dtypes = DTYPES_REAL, .normalise = nn_normalise_index,   \
                     .reference = reference
#define ALONG_AXIS .shape_of_row = shape, .work = work

static const OpDesc table[] = {
    {INDEX_BACKWARD_OP, .name = "index_select_backward", .summary = "gradient of index_select",
     .params = gather_params, ALONG_AXIS},
    {INDEX_BACKWARD_OP, .name = "embedding_backward", .summary = "gradient of embedding",
     .params = embedding_params, ALONG_AXIS},
    {INDEX_BACKWARD_OP, .name = "take_backward", .summary = "gradient of take",
     .params = flat_params, .shape = flat_shape, .work = flat_work},
    {INDEX_BACKWARD_OP, .name = "take_along_axis_backward",
     .summary = "gradient of take_along_axis", .params = gather_params, .detail = &elementwise,
     ALONG_AXIS},
    {.name = NULL},
};

OP_TABLE(ops_index_backward)
{
    return table;
}
