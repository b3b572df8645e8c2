/* Slices of the outermost axis that belong to one segment, which an index tells, are combined, in
 * any order (reference/reduce.h).  The sum of no slice is 0 and their product 1; of their mean,
 * their greatest and their least texts say different things (TensorFlow: 0, or the end of the
 * range; JAX and PyTorch: an infinity, or NaN), so that there nothing is claimed. */
#include "nn_index.h"

typedef struct SegmentRow {
    const char *name, *summary;
    Reduction reduction;
} SegmentRow;

static const SegmentRow rows[] = {
    {"segment_sum", "sums of the slices of each segment", REDUCE_SUM},
    {"segment_mean", "means of the slices of each segment", REDUCE_MEAN},
    {"segment_prod", "products of the slices of each segment", REDUCE_PRODUCT},
    {"segment_max", "greatest of the slices of each segment", REDUCE_GREATEST},
    {"segment_min", "least of the slices of each segment", REDUCE_LEAST},
};

static const Param params[] = {NN_DTYPE(Index), P_SHAPE(Index, shape, 1, 4, "extents of x"),
                               P_DIM_AS("num_segments", Index, num_indices, 1, 64, "segments"),
                               P_END};
static const char *const tensors[] = {"x", "segments", "y", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Index *q = params_of_case;
    Shape y = q->shape, line = {1, {q->shape.extent[0]}};
    y.extent[0] = q->num_indices;
    *shapes = (Shapes){.count = 3, .depth = q->shape.extent[0]};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(DT_I64, &line, ROLE_IN);
    shapes->tensor[1].index_below = q->num_indices;
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const Index *q = params_of_case;
    return 64.0 * (double)(shape_count(&q->shape) + q->num_indices);
}

/* The values that meet in each element, one list after the other: list i begins at first[i]. */
static double *collect(const Tensor *t, int64_t segments, size_t *first, Arena *arena)
{
    Split s = nn_split(&t[0], 0);
    size_t inner = (size_t)s.inner, count = (size_t)segments * inner;
    double *values = arena_take(arena, (size_t)s.extent * inner + 1, sizeof *values);
    size_t *end = arena_take(arena, count + 1, sizeof *end);
    memset(first, 0, (count + 1) * sizeof *first);
    for (int64_t k = 0; k < s.extent; k++)
        for (size_t j = 0; j < inner; j++)
            first[(size_t)tensor_value(&t[1], k) * inner + j + 1]++;
    for (size_t i = 0; i < count; i++)
        first[i + 1] += first[i];
    memcpy(end, first, count * sizeof *end);
    for (int64_t i = 0; i < s.extent * s.inner; i++) {
        size_t at = (size_t)tensor_value(&t[1], i / s.inner) * inner + (size_t)i % inner;
        values[end[at]++] = tensor_value(&t[0], i);
    }
    return values;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const SegmentRow *row = input->op->detail;
    const Tensor *t = input->tensors;
    size_t *first = arena_take(arena, (size_t)tensor_count(&t[2]) + 1, sizeof *first);
    double *values = collect(t, ((const Index *)input->params)->num_indices, first, arena);
    nn_put_lists(&refs[2], row->reduction, &t[2], values, first, arena);
}

OP_TABLE(ops_segment)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP(Index, 1),
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = params,
            .tensors = tensors,
            .dtypes = DTYPES_REAL | (rows[i].reduction == REDUCE_MEAN ? 0 : DTYPES_INTEGER),
            .shape = shape,
            .work = work,
            .reference = reference,
            .policy = reduce_policy(rows[i].reduction),
            .nan = nn_nan_of_lists(rows[i].reduction),
            .detail = &rows[i],
        };
    return table;
}
