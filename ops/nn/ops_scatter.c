/* Elements of x combined with updates that come to their places by index, in any order: each result
 * is a reduction of the element and of all updates that meet it (reference/reduce.h). */
#include "nn_index.h"

typedef struct ScatterRow {
    const char *name, *summary;
    Reduction reduction;
    bool lines; /* one index for a whole slice, not for each element */
} ScatterRow;

static const ScatterRow rows[] = {
    {"scatter_add", "elements plus the updates that an index brings there", REDUCE_SUM, false},
    {"scatter_mul", "elements times the updates that an index brings there", REDUCE_PRODUCT, false},
    {"scatter_max", "greatest of elements and updates by index", REDUCE_GREATEST, false},
    {"scatter_min", "least of elements and updates by index", REDUCE_LEAST, false},
    {"index_add", "slices of an axis plus the updates that an index brings there", REDUCE_SUM,
     true},
    {"index_mul", "slices of an axis times the updates that an index brings there", REDUCE_PRODUCT,
     true},
    {"index_max", "greatest of slices and updates by index", REDUCE_GREATEST, true},
    {"index_min", "least of slices and updates by index", REDUCE_LEAST, true},
};

static const Param params[] = {NN_DTYPE(Index), P_SHAPE(Index, shape, 1, 4, "extents of x"),
                               NN_AXIS(Index), NN_NUM_INDICES("indices along the axis"), P_END};
static const char *const tensors[] = {"x", "indices", "updates", "y", NULL};

static void shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    const Index *q = params_of_case;
    const ScatterRow *row = op->detail;
    Shape updates = q->shape, line = {1, {q->num_indices}};
    updates.extent[q->axis] = q->num_indices;
    *shapes = (Shapes){.count = 4, .depth = q->num_indices + 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(DT_I64, row->lines ? &line : &updates, ROLE_IN);
    shapes->tensor[1].index_below = q->shape.extent[q->axis];
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &updates, ROLE_IN);
    shapes->tensor[3] = nn_tensor(nn_dtype(q), &q->shape, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const Index *q = params_of_case;
    return 64.0 * (double)shape_count(&q->shape) * (double)(q->num_indices + 1);
}

/* Where update number i goes. */
static int64_t destination(const ScatterRow *row, const Index *q, const Split *s,
                           const Tensor *indices, int64_t i)
{
    int64_t at = (int64_t)tensor_value(indices, row->lines ? i / s->inner % q->num_indices : i);
    return nn_split_place(s, i, q->num_indices, at);
}

/* The values that meet in each element, one list after the other: list i begins at first[i]. */
static double *collect(const ScatterRow *row, const ReferenceInput *input, size_t *first,
                       size_t count, Arena *arena)
{
    const Tensor *t = input->tensors;
    Split s = nn_split(&t[0], ((const Index *)input->params)->axis);
    int64_t updates = tensor_count(&t[2]);
    double *values = arena_take(arena, count + (size_t)updates + 1, sizeof *values);
    size_t *end = arena_take(arena, count + 1, sizeof *end);
    for (size_t i = 0; i <= count; i++)
        first[i] = i;
    for (int64_t i = 0; i < updates; i++)
        first[destination(row, input->params, &s, &t[1], i) + 1]++;
    /* Lengths minus one are summed up onto i. */
    size_t more = 0;
    for (size_t i = 0; i <= count; i++) {
        more += first[i] - i;
        first[i] = i + more;
    }
    for (size_t i = 0; i < count; i++) {
        values[first[i]] = tensor_value(&t[0], (int64_t)i);
        end[i] = first[i] + 1;
    }
    for (int64_t i = 0; i < updates; i++)
        values[end[destination(row, input->params, &s, &t[1], i)]++] = tensor_value(&t[2], i);
    return values;
}

static void put_all(Ref *ref, Reduction reduction, const Tensor *y, const double *values,
                    const size_t *first, bool other, Arena *arena)
{
    ReduceInput in = {.reduction = reduction};
    ref_allocate_bounded(ref, y->dtype, y, arena);
    if (dtype_is_integer(ref->dtype))
        ref->candidates = arena_take_zeroed(arena, ref->count * REF_CANDIDATES + 1, sizeof(double));
    bool has_empty = reduction == REDUCE_SUM || reduction == REDUCE_PRODUCT;
    for (size_t i = 0; i < ref->count; i++)
        if (first[i + 1] > first[i] || has_empty)
            reduce_put(ref, i, &in, values + first[i], (int64_t)(first[i + 1] - first[i]), other);
        else
            ref_admit_anything(ref, i);
}

void nn_put_lists(Ref *ref, Reduction reduction, const Tensor *y, const double *values,
                  const size_t *first, Arena *arena)
{
    const char *policy = reduce_policy(reduction);
    Ref other;
    put_all(ref, reduction, y, values, first, false, arena);
    if (!policy)
        return;
    put_all(&other, reduction, y, values, first, true, arena);
    ref_add_alternative(ref, &other, policy, arena);
}

const char *nn_nan_of_lists(Reduction reduction)
{
    return reduction == REDUCE_GREATEST || reduction == REDUCE_LEAST ? NAN_OF_GREATEST : NULL;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ScatterRow *row = input->op->detail;
    const Tensor *y = &input->tensors[3];
    size_t count = (size_t)tensor_count(y);
    size_t *first = arena_take(arena, count + 2, sizeof *first);
    double *values = collect(row, input, first, count, arena);
    nn_put_lists(&refs[3], row->reduction, y, values, first, arena);
}

OP_TABLE(ops_scatter)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP(Index, 2),
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = params,
            .tensors = tensors,
            .dtypes =
                DTYPES_REAL | DTYPES_WHOLE | (rows[i].reduction == REDUCE_SUM ? DTYPES_COMPLEX : 0),
            .by_parts = true,
            .normalise = nn_normalise_index,
            .shape_of_row = shape,
            .work = work,
            .reference = reference,
            .illegal = rows[i].reduction == REDUCE_SUM ? nn_illegal_axis_and_index : NULL,
            .policy = reduce_policy(rows[i].reduction),
            .nan = nn_nan_of_lists(rows[i].reduction),
            .detail = &rows[i],
        };
    return table;
}
