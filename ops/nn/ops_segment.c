/* Slices of the outermost axis that belong to one segment, which an index tells, are combined, in
 * any order (reference/reduce.h).  The sum of no slice is 0 and their product 1; of their mean,
 * their greatest and their least texts say different things (TensorFlow: 0, or the end of the
 * range; JAX and PyTorch: an infinity, or NaN), so that there nothing is claimed.  Gradients are
 * those of the reductions (nn_reduce.h). */
#include "nn_index.h"
#include "nn_reduce.h"

typedef struct SegmentRow {
    const char *name, *summary, *backward, *backward_summary;
    Reduction reduction;
} SegmentRow;

static const SegmentRow rows[] = {
    {"segment_sum", "sums of the slices of each segment", "segment_sum_backward",
     "gradient of segment_sum", REDUCE_SUM},
    {"segment_mean", "means of the slices of each segment", "segment_mean_backward",
     "gradient of segment_mean", REDUCE_MEAN},
    {"segment_prod", "products of the slices of each segment", "segment_prod_backward",
     "gradient of segment_prod", REDUCE_PRODUCT},
    {"segment_max", "greatest of the slices of each segment", "segment_max_backward",
     "gradient of segment_max", REDUCE_GREATEST},
    {"segment_min", "least of the slices of each segment", "segment_min_backward",
     "gradient of segment_min", REDUCE_LEAST},
};

static const Param params[] = {NN_DTYPE(Index), P_SHAPE(Index, shape, 1, 4, "extents of x"),
                               P_DIM_AS("num_segments", Index, num_indices, 0, 64, "segments"),
                               P_END};
static const char *const tensors[] = {"x", "segments", "y", NULL};
static const char *const gradient_tensors[] = {"dy", "x", "segments", "dx", NULL};
enum { DY, X, SEGMENTS, DX };

/* tf.math.unsorted_segment_sum: on the CPU an error is thrown for ids out of bounds. */
static const IllegalRule illegal[] = {{ILLEGAL_INDEX, "segments", 0}, {0}};

/* Each slice is in a segment. */
static void normalise(void *params_of_case)
{
    Index *q = params_of_case;
    if (q->num_indices == 0 && q->shape.extent[0] > 0)
        q->num_indices = 1;
}

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

static void gradient_shape(const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    shape(params_of_case, &forward);
    *shapes = (Shapes){.count = 4, .depth = forward.depth};
    shapes->tensor[DY] = forward.tensor[2];
    shapes->tensor[DY].role = ROLE_IN;
    shapes->tensor[X] = shapes->tensor[DX] = forward.tensor[0];
    shapes->tensor[SEGMENTS] = forward.tensor[1];
    shapes->tensor[DX].role = ROLE_OUT;
}

static double work(const void *params_of_case)
{
    const Index *q = params_of_case;
    return 64.0 * (double)(shape_count(&q->shape) + q->num_indices);
}

/* Where in x the values stand that meet in each element, one list after the other: list i begins at
 * first[i]. */
static size_t *collect(const Tensor *x, const Tensor *of, int64_t segments, size_t *first,
                       Arena *arena)
{
    Split s = nn_split(x, 0);
    size_t inner = (size_t)s.inner, count = (size_t)segments * inner;
    size_t *places = arena_take(arena, (size_t)s.extent * inner + 1, sizeof *places);
    size_t *end = arena_take(arena, count + 1, sizeof *end);
    memset(first, 0, (count + 1) * sizeof *first);
    for (int64_t k = 0; k < s.extent; k++)
        for (size_t j = 0; j < inner; j++)
            first[(size_t)tensor_value(of, k) * inner + j + 1]++;
    for (size_t i = 0; i < count; i++)
        first[i + 1] += first[i];
    memcpy(end, first, count * sizeof *end);
    for (int64_t i = 0; i < s.extent * s.inner; i++)
        places[end[(size_t)tensor_value(of, i / s.inner) * inner + (size_t)i % inner]++] =
            (size_t)i;
    return places;
}

static double *values_at(const Tensor *x, const size_t *places, Arena *arena)
{
    size_t count = (size_t)tensor_count(x);
    double *values = arena_take(arena, count + 1, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = tensor_value(x, (int64_t)places[i]);
    return values;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const SegmentRow *row = input->op->detail;
    const Tensor *t = input->tensors;
    size_t *first = arena_take(arena, (size_t)tensor_count(&t[2]) + 1, sizeof *first);
    size_t *places =
        collect(&t[0], &t[1], ((const Index *)input->params)->num_indices, first, arena);
    nn_put_lists(&refs[2], row->reduction, &t[2], values_at(&t[0], places, arena), first, arena);
}

static void gradient_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const SegmentRow *row = input->op->detail;
    const Tensor *t = input->tensors;
    int64_t segments = ((const Index *)input->params)->num_indices, results = tensor_count(&t[DY]);
    size_t *first = arena_take(arena, (size_t)results + 1, sizeof *first);
    size_t *places = collect(&t[X], &t[SEGMENTS], segments, first, arena);
    double *values = values_at(&t[X], places, arena);
    Ball *gradients = arena_take(arena, (size_t)tensor_count(&t[X]) + 1, sizeof *gradients);
    ref_allocate_bounded(&refs[DX], t[DX].dtype, &t[DX], arena);
    const Format *f = dtype_format(refs[DX].accumulator);
    for (int64_t i = 0; i < results; i++) {
        size_t from = first[i], count = first[i + 1] - from;
        nn_reduce_gradient(row->reduction, f, ball_exact(tensor_value(&t[DY], i)), values + from,
                           count, gradients, arena);
        for (size_t k = 0; k < count; k++)
            ref_put_ball(&refs[DX], places[from + k], gradients[k]);
    }
}

OP_TABLE(ops_segment)
{
    static OpDesc table[2 * COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        table[2 * i] = (OpDesc){
            NN_OP(Index, 1),
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = params,
            .tensors = tensors,
            .dtypes = DTYPES_REAL | (rows[i].reduction == REDUCE_MEAN ? 0 : DTYPES_WHOLE) |
                      (rows[i].reduction == REDUCE_SUM ? DTYPES_COMPLEX : 0),
            .by_parts = true,
            .normalise = normalise,
            .shape = shape,
            .work = work,
            .reference = reference,
            .policy = reduce_policy(rows[i].reduction),
            .nan = nn_nan_of_lists(rows[i].reduction),
            .illegal = illegal,
            .detail = &rows[i],
        };
        table[2 * i + 1] = (OpDesc){
            NN_OP(Index, 1),
            .name = rows[i].backward,
            .summary = rows[i].backward_summary,
            .params = params,
            .tensors = gradient_tensors,
            .dtypes = DTYPES_REAL,
            .fills = rows[i].reduction == REDUCE_PRODUCT ? nn_product_fills : nn_moderate_fills,
            .normalise = normalise,
            .shape = gradient_shape,
            .work = work,
            .reference = gradient_reference,
            .detail = &rows[i],
        };
    }
    return table;
}
