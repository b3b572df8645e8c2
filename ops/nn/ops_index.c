/* Operators that take the places of elements from a tensor of indices: all values to the bit. */
#include "nn_index.h"

#define INDEX(low, high, ...) NN_DTYPE(Index), P_SHAPE(Index, shape, low, high, __VA_ARGS__)

static const Param gather_params[] = {INDEX(1, 3, "extents of x"), NN_AXIS(Index),
                                      NN_INDICES_SHAPE(2), P_END};
static const Param take_params[] = {INDEX(1, 4, "extents of x"), NN_AXIS(Index),
                                    NN_NUM_INDICES("indices along the axis"), P_END};
static const Param flat_params[] = {INDEX(1, 4, "extents of x", .full = "indices are of elements"),
                                    NN_INDICES_SHAPE(2), P_END};
static const Param embedding_params[] = {INDEX(2, 2, "rows and columns"), NN_INDICES_SHAPE(3),
                                         P_END};
static const char *const tensors[] = {"x", "indices", "y", NULL};
static const char *const scatter_tensors[] = {"x", "indices", "updates", "y", NULL};

void nn_normalise_index(void *params)
{
    Index *q = params;
    nn_fit_axis(&q->shape, &q->axis);
    nn_fill_axis(&q->shape, q->axis);
}

static void normalise_select(void *params)
{
    Index *q = params;
    nn_normalise_index(params);
    q->indices_shape = (Shape){1, {q->num_indices}};
}

/* Scattered indices are the axis itself or its front, so that none comes twice. */
static void normalise_scatter(void *params)
{
    Index *q = params;
    nn_normalise_index(params);
    int64_t extent = q->shape.extent[q->axis];
    q->num_indices = q->num_indices < extent ? q->num_indices : extent;
}

static Shape along(const Index *q)
{
    Shape shape = q->shape;
    shape.extent[q->axis] = q->num_indices;
    return shape;
}

static TensorSpec indices_of(const Index *q, const Shape *shape)
{
    TensorSpec spec = nn_tensor(DT_I64, shape, ROLE_IN);
    spec.index_below = q->shape.extent[q->axis];
    return spec;
}

static void gather_shape(const void *params, Shapes *shapes)
{
    const Index *q = params;
    Shape y = {0};
    for (int64_t axis = 0; axis < q->shape.rank; axis++) {
        for (int64_t i = 0; axis == q->axis && i < q->indices_shape.rank; i++)
            y.extent[y.rank++] = q->indices_shape.extent[i];
        if (axis != q->axis)
            y.extent[y.rank++] = q->shape.extent[axis];
    }
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = indices_of(q, &q->indices_shape);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

static void take_shape(const void *params, Shapes *shapes)
{
    const Index *q = params;
    Shape y = along(q);
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = indices_of(q, &y);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

static void flat_shape(const void *params, Shapes *shapes)
{
    const Index *q = params;
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(DT_I64, &q->indices_shape, ROLE_IN);
    shapes->tensor[1].index_below = shape_count(&q->shape);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &q->indices_shape, ROLE_OUT);
}

static void scatter_shape(const void *params, Shapes *shapes)
{
    const Index *q = params;
    Shape some = along(q);
    *shapes = (Shapes){.count = 4, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = indices_of(q, &some);
    shapes->tensor[1].index_axis = (int)q->axis + 1;
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &some, ROLE_IN);
    shapes->tensor[3] = nn_tensor(nn_dtype(q), &q->shape, ROLE_OUT);
}

static double gather_work(const void *params)
{
    const Index *q = params;
    int64_t indices = shape_count(&q->indices_shape);
    return 64.0 * (double)shape_count(&q->shape) * (double)(indices > 1 ? indices : 1);
}

static double take_work(const void *params)
{
    const Index *q = params;
    return 64.0 * (double)shape_count(&q->shape) * (double)(q->num_indices + 1);
}

static void gather_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Index *q = input->params;
    const Tensor *x = &input->tensors[0], *indices = &input->tensors[1], *y = &input->tensors[2];
    Split s = nn_split(x, q->axis);
    int64_t count = tensor_count(indices);
    ref_allocate_exact(&refs[2], y, arena);
    for (size_t i = 0; i < refs[2].count; i++) {
        int64_t inner = (int64_t)i % s.inner, rest = (int64_t)i / s.inner;
        int64_t at = (int64_t)tensor_value(indices, rest % count);
        ref_set_exact(&refs[2], i,
                      tensor_value(x, (rest / count * s.extent + at) * s.inner + inner),
                      MATCH_BITS);
    }
}

static void take_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Index *q = input->params;
    const Tensor *x = &input->tensors[0], *indices = &input->tensors[1], *y = &input->tensors[2];
    Split s = nn_split(x, q->axis);
    ref_allocate_exact(&refs[2], y, arena);
    for (size_t i = 0; i < refs[2].count; i++) {
        int64_t inner = (int64_t)i % s.inner, outer = (int64_t)i / s.inner / q->num_indices;
        int64_t at = (int64_t)tensor_value(indices, (int64_t)i);
        ref_set_exact(&refs[2], i, tensor_value(x, (outer * s.extent + at) * s.inner + inner),
                      MATCH_BITS);
    }
}

static void flat_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *t = input->tensors;
    ref_allocate_exact(&refs[2], &t[2], arena);
    for (size_t i = 0; i < refs[2].count; i++)
        ref_set_exact(&refs[2], i, tensor_value(&t[0], (int64_t)tensor_value(&t[1], (int64_t)i)),
                      MATCH_BITS);
}

static void scatter_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Index *q = input->params;
    const Tensor *t = input->tensors;
    Split s = nn_split(&t[0], q->axis);
    ref_allocate_exact(&refs[3], &t[3], arena);
    for (size_t i = 0; i < refs[3].count; i++)
        ref_set_exact(&refs[3], i, tensor_value(&t[0], (int64_t)i), MATCH_BITS);
    for (int64_t i = 0; i < tensor_count(&t[2]); i++) {
        int64_t inner = i % s.inner, outer = i / s.inner / q->num_indices;
        int64_t to = (outer * s.extent + (int64_t)tensor_value(&t[1], i)) * s.inner + inner;
        ref_set_exact(&refs[3], (size_t)to, tensor_value(&t[2], i), MATCH_BITS);
    }
}

static const IllegalRule illegal_index[] = {{ILLEGAL_INDEX, "indices", 0}, {0}};

#define INDEX_OP NN_OP(Index, 2), NN_ANY_ELEMENT, .zeros = nn_zeros_copied

static const OpDesc table[] = {
    {INDEX_OP, .name = "gather",
     .summary = "slices of an axis by index, as an embedding takes rows", .params = gather_params,
     .tensors = tensors, .normalise = nn_normalise_index, .shape = gather_shape,
     .work = gather_work, .reference = gather_reference, .illegal = nn_illegal_axis_and_index},
    {INDEX_OP, .name = "index_select", .summary = "slices of an axis by a line of indices",
     .params = take_params, .tensors = tensors, .normalise = normalise_select,
     .shape = gather_shape, .work = gather_work, .reference = gather_reference,
     .illegal = nn_illegal_axis_and_index},
    {INDEX_OP, .name = "embedding", .summary = "rows of a table by index",
     .params = embedding_params, .tensors = tensors, .normalise = nn_normalise_index,
     .shape = gather_shape, .work = gather_work, .reference = gather_reference,
     .illegal = illegal_index},
    {INDEX_OP, .name = "take", .summary = "elements by their row-major number",
     .params = flat_params, .tensors = tensors, .normalise = nn_normalise_index,
     .shape = flat_shape, .work = gather_work, .reference = flat_reference,
     .illegal = illegal_index},
    {INDEX_OP, .name = "take_along_axis", .summary = "elements of an axis by index",
     .params = take_params, .tensors = tensors, .normalise = nn_normalise_index,
     .shape = take_shape, .work = take_work, .reference = take_reference,
     .illegal = nn_illegal_axis_and_index},
    {INDEX_OP, .name = "scatter", .summary = "elements of an axis replaced by index",
     .params = take_params, .tensors = scatter_tensors, .normalise = normalise_scatter,
     .shape = scatter_shape, .work = take_work, .reference = scatter_reference,
     .illegal = nn_illegal_axis_and_index},
    {.name = NULL},
};

OP_TABLE(ops_index)
{
    return table;
}
