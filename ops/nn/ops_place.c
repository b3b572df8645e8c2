/* Elements that a mask or an index replaces or takes, and operands that are put together: every
 * element of a result is one of an operand, to the bit, or a number of the case. */
#include <string.h>

#include "nn_exact.h"
#include "nn_split.h"

#define ANY_ELEMENT DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_BOOLEAN | DTYPES_COMPLEX, nn_function_fills

static void put_bits(Ref *ref, int64_t i, double value)
{
    ref_set_exact(ref, (size_t)i, value, MATCH_BITS);
}

/* A zero that no operand has. */
static void put_zero(Ref *ref, int64_t i)
{
    ref_set_exact(ref, (size_t)i, 0, MATCH_USUAL);
}

static void copy_all(Ref *ref, const Tensor *from)
{
    for (size_t i = 0; i < ref->count; i++)
        put_bits(ref, (int64_t)i, tensor_value(from, (int64_t)i));
}

/* Masks. */
#define MASKED                                                                                     \
    NN_DTYPE(Exact), NN_INPUT_SHAPE(Exact),                                                        \
        P_INTEGER(Exact, broadcast_mask, 0, 63, 0, "axes of the mask that are broadcast, as bits")
static const Param masked_params[] = {MASKED, P_END};
static const Param masked_fill_params[] = {MASKED, P_REAL(Exact, value, 0, "what is put there"),
                                           P_END};
static const Param dense_mask_params[] = {NN_DTYPE(Exact), NN_INPUT_SHAPE(Exact), P_END};
static const char *const masked_tensors[] = {"x", "mask", "y", NULL};
static const char *const source_tensors[] = {"x", "mask", "source", "y", NULL};

static void normalise_mask(void *params)
{
    Exact *q = params;
    q->broadcast_mask = nn_broadcast_axes(&q->shape, q->broadcast_mask, 0);
}

static void normalise_masked_fill(void *params)
{
    normalise_mask(params);
    nn_normalise_value(params);
}

static void begin_masked(const Exact *q, Shapes *shapes)
{
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_broadcast_operand(DT_BOOL, &q->shape, q->broadcast_mask);
}

static void masked_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    begin_masked(q, shapes);
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_OUT);
}

static void put_masked_fill(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Tensor mask = nn_broadcast(&t[1], &t[2]);
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[0]); i++)
        put_bits(&refs[2], i, tensor_value(&mask, i) != 0 ? q->value.re : tensor_value(&t[0], i));
}

static void source_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    begin_masked(q, shapes);
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_OUT);
}

/* The elements of the source one after the other. */
static void put_masked_scatter(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Tensor mask = nn_broadcast(&t[1], &t[3]);
    int64_t taken = 0;
    (void)q;
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[0]); i++)
        put_bits(&refs[3], i,
                 tensor_value(&mask, i) != 0 ? tensor_value(&t[2], taken++)
                                             : tensor_value(&t[0], i));
}

static void selected_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape line = {1, {shape_count(&q->shape)}};
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    nn_add_operand(shapes, DT_BOOL, &q->shape, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &line, ROLE_OUT);
}

/* Zeros behind them. */
static void put_masked_select(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    int64_t taken = 0, count = tensor_count(&t[0]);
    (void)q;
    (void)arena;
    for (int64_t i = 0; i < count; i++)
        if (tensor_value(&t[1], i) != 0)
            put_bits(&refs[2], taken++, tensor_value(&t[0], i));
    while (taken < count)
        put_zero(&refs[2], taken++);
}

/* Slices of an axis that an index replaces; none comes twice. */
#define INDEXED                                                                                    \
    NN_DTYPE(Exact), P_SHAPE(Exact, shape, 1, 4, "extents of x"), NN_AXIS(Exact),                  \
        P_DIM(Exact, num_indices, 0, 512, "indices along the axis")
static const Param copy_params[] = {INDEXED, P_END};
static const Param index_fill_params[] = {INDEXED, P_REAL(Exact, value, 0, "what is put there"),
                                          P_END};
static const Param put_params[] = {NN_DTYPE(Exact), P_SHAPE(Exact, shape, 1, 4, "extents of x"),
                                   P_DIM(Exact, num_indices, 0, 512, "indices"), P_END};
static const char *const indexed_tensors[] = {"x", "indices", "y", NULL};
static const char *const update_tensors[] = {"x", "indices", "updates", "y", NULL};

static void normalise_indexed(void *params)
{
    Exact *q = params;
    nn_fit_axis(&q->shape, &q->axis);
    int64_t extent = q->shape.extent[q->axis];
    q->num_indices = q->num_indices < extent ? q->num_indices : extent;
}

static void normalise_index_fill(void *params)
{
    normalise_indexed(params);
    nn_normalise_value(params);
}

static void normalise_put(void *params)
{
    Exact *q = params;
    int64_t count = shape_count(&q->shape);
    q->num_indices = q->num_indices < count ? q->num_indices : count;
}

/* x, and a line of indices that differ. */
static void begin_indexed(const Exact *q, int64_t below, Shapes *shapes)
{
    Shape line = {1, {q->num_indices}};
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    nn_add_operand(shapes, DT_I64, &line, ROLE_IN);
    shapes->tensor[1].index_below = below;
    shapes->tensor[1].index_axis = 1;
}

static void index_copy_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape some = q->shape;
    some.extent[q->axis] = q->num_indices;
    begin_indexed(q, q->shape.extent[q->axis], shapes);
    nn_add_operand(shapes, nn_dtype(q), &some, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_OUT);
}

static void put_index_copy(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Split s = nn_split(&t[0], q->axis);
    (void)arena;
    copy_all(&refs[3], &t[0]);
    for (int64_t i = 0; i < tensor_count(&t[2]); i++) {
        int64_t at = (int64_t)tensor_value(&t[1], i / s.inner % q->num_indices);
        put_bits(&refs[3], nn_split_place(&s, i, q->num_indices, at), tensor_value(&t[2], i));
    }
}

static void index_fill_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    begin_indexed(q, q->shape.extent[q->axis], shapes);
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_OUT);
}

static void put_index_fill(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Split s = nn_split(&t[0], q->axis);
    int64_t slices = s.outer * q->num_indices * s.inner;
    (void)arena;
    copy_all(&refs[2], &t[0]);
    for (int64_t i = 0; i < slices; i++) {
        int64_t at = (int64_t)tensor_value(&t[1], i / s.inner % q->num_indices);
        put_bits(&refs[2], nn_split_place(&s, i, q->num_indices, at), q->value.re);
    }
}

static void put_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape line = {1, {q->num_indices}};
    begin_indexed(q, shape_count(&q->shape), shapes);
    nn_add_operand(shapes, nn_dtype(q), &line, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_OUT);
}

static void put_put(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    copy_all(&refs[3], &t[0]);
    for (int64_t i = 0; i < q->num_indices; i++)
        put_bits(&refs[3], (int64_t)tensor_value(&t[1], i), tensor_value(&t[2], i));
}

/* max_unpool: the elements of each line at their indices of a longer one, zeros elsewhere. */
static const Param unpool_params[] = {
    NN_DTYPE(Exact),
    P_DIM_AS("batch", Exact, rows, 0, 8, "samples"),
    P_DIM_AS("channels", Exact, columns, 1, 8, "channels"),
    P_DIM(Exact, steps, 1, 128, "elements of a line"),
    P_INTEGER_AS("kernel_size", Exact, step, 1, 5, 2, "by which lines grow"),
    P_END};
static const char *const unpool_tensors[] = {"x", "indices", "y", NULL};

static void unpool_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape x = {3, {q->rows, q->columns, q->steps}}, y = x;
    y.extent[2] *= q->step;
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &x, ROLE_IN);
    nn_add_operand(shapes, DT_I64, &x, ROLE_IN);
    shapes->tensor[1].index_below = y.extent[2];
    shapes->tensor[1].index_axis = 3;
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

static void put_unpool(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[2]); i++)
        put_zero(&refs[2], i);
    for (int64_t i = 0; i < tensor_count(&t[0]); i++) {
        int64_t line = i / q->steps, place = (int64_t)tensor_value(&t[1], i);
        put_bits(&refs[2], line * q->steps * q->step + place, tensor_value(&t[0], i));
    }
}

/* Two operands in one result. */
static const Param matrices_params[] = {NN_DTYPE(Exact),
                                        P_SHAPE(Exact, shape, 2, 2, "extents of a"),
                                        P_SHAPE(Exact, shape_b, 2, 2, "extents of b"), P_END};
static const Param lines_params[] = {NN_DTYPE(Exact), P_SHAPE(Exact, shape, 1, 1, "elements of a"),
                                     P_SHAPE(Exact, shape_b, 1, 1, "elements of b"), P_END};
static const char *const pair_tensors[] = {"a", "b", "y", NULL};
static const char *const grid_tensors[] = {"a", "b", "rows", "columns", NULL};

static void begin_pair(const Exact *q, Shapes *shapes)
{
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &q->shape_b, ROLE_IN);
}

static void block_diag_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape y = {
        2, {q->shape.extent[0] + q->shape_b.extent[0], q->shape.extent[1] + q->shape_b.extent[1]}};
    begin_pair(q, shapes);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

static void put_block_diag(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    int64_t columns = t[2].extent[1];
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[2]); i++) {
        int64_t row = i / columns, column = i % columns;
        bool below = row >= q->shape.extent[0], beside = column >= q->shape.extent[1];
        const Tensor *from = &t[below];
        int64_t own = (below ? row - q->shape.extent[0] : row) * from->extent[1] +
                      (beside ? column - q->shape.extent[1] : column);
        if (below == beside)
            put_bits(&refs[2], i, tensor_value(from, own));
        else
            put_zero(&refs[2], i);
    }
}

static void cartesian_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape y = {2, {q->shape.extent[0] * q->shape_b.extent[0], 2}};
    begin_pair(q, shapes);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

static void put_cartesian(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    int64_t columns = q->shape_b.extent[0];
    (void)arena;
    for (int64_t i = 0; i < t[2].extent[0]; i++) {
        put_bits(&refs[2], 2 * i, tensor_value(&t[0], i / columns));
        put_bits(&refs[2], 2 * i + 1, tensor_value(&t[1], i % columns));
    }
}

static void meshgrid_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape y = {2, {q->shape.extent[0], q->shape_b.extent[0]}};
    begin_pair(q, shapes);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

static void put_meshgrid(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    int64_t columns = q->shape_b.extent[0];
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[2]); i++) {
        put_bits(&refs[2], i, tensor_value(&t[0], i / columns));
        put_bits(&refs[3], i, tensor_value(&t[1], i % columns));
    }
}

/* NaN and infinities as numbers of the case. */
static const char *const plain_tensors[] = {"x", "y", NULL};
static const Param nan_params[] = {NN_DTYPE(Exact),
                                   NN_INPUT_SHAPE(Exact),
                                   P_REAL_AS("nan_value", Exact, nan, 0, "in place of NaN"),
                                   P_REAL(Exact, posinf, 1, "in place of infinity"),
                                   P_REAL(Exact, neginf, -1, "in place of -infinity"),
                                   P_END};

static void same_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    nn_shape_same(nn_dtype(q), &q->shape, shapes);
}

static void put_nan_to_num(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[0]); i++) {
        double x = tensor_value(&t[0], i);
        switch (value_class(x)) {
        case CLASS_NAN:
            x = q->nan.re;
            break;
        case CLASS_POSITIVE_INFINITY:
            x = q->posinf.re;
            break;
        case CLASS_NEGATIVE_INFINITY:
            x = q->neginf.re;
            break;
        default:
            break;
        }
        put_bits(&refs[1], i, x);
    }
}

static const IllegalRule illegal_index[] = {{ILLEGAL_INDEX, "indices", 0}, {0}};

static const ExactRow rows[] = {
    {"masked_fill", "a number where a mask is set", masked_tensors, masked_fill_params,
     normalise_masked_fill, masked_shape, ANY_ELEMENT, put_masked_fill, false, NULL,
     nn_zeros_copied},
    {"masked_scatter", "elements of a source where a mask is set", source_tensors, masked_params,
     normalise_mask, source_shape, ANY_ELEMENT, put_masked_scatter, false, NULL, nn_zeros_copied},
    {"masked_select", "elements where a mask is set, zeros behind them", masked_tensors,
     dense_mask_params, NULL, selected_shape, ANY_ELEMENT, put_masked_select, false, NULL,
     nn_zeros_beside},
    {"index_copy", "slices of an axis replaced by index", update_tensors, copy_params,
     normalise_indexed, index_copy_shape, ANY_ELEMENT, put_index_copy, false,
     nn_illegal_axis_and_index, nn_zeros_copied},
    {"index_fill", "a number in slices of an axis by index", indexed_tensors, index_fill_params,
     normalise_index_fill, index_fill_shape, ANY_ELEMENT, put_index_fill, false,
     nn_illegal_axis_and_index, nn_zeros_copied},
    {"put", "elements replaced by their row-major number", update_tensors, put_params,
     normalise_put, put_shape, ANY_ELEMENT, put_put, false, illegal_index, nn_zeros_copied},
    {"max_unpool", "elements at their indices of longer lines", unpool_tensors, unpool_params, NULL,
     unpool_shape, DTYPES_FLOAT, nn_function_fills, put_unpool, false, illegal_index,
     nn_zeros_beside},
    {"block_diag", "two matrices as blocks of a diagonal", pair_tensors, matrices_params, NULL,
     block_diag_shape, ANY_ELEMENT, put_block_diag, false, NULL, nn_zeros_beside},
    {"cartesian_prod", "all pairs of elements", pair_tensors, lines_params, NULL, cartesian_shape,
     ANY_ELEMENT, put_cartesian, false, NULL, nn_zeros_copied},
    {"meshgrid", "the coordinates of a grid", grid_tensors, lines_params, NULL, meshgrid_shape,
     ANY_ELEMENT, put_meshgrid, false, NULL, nn_zeros_copied},
    {"nan_to_num", "numbers in place of NaN and infinities", plain_tensors, nan_params, NULL,
     same_shape, ANY_ELEMENT, put_nan_to_num, false, NULL, nn_zeros_copied},
    {.name = NULL},
};

OP_TABLE(ops_place)
{
    static OpDesc table[COUNT_OF(rows)];
    nn_describe_exact(table, rows);
    return table;
}
