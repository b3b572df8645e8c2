/* Views of operands: how many elements they have, how much memory they span, and a walk over them.
 */
#include "tensor.h"

#include "base.h"

Tensor tensor_matrix(DType dtype, int64_t rows, int64_t columns, int64_t row_stride,
                     int64_t column_stride, void *origin)
{
    REQUIRE(rows >= 0 && columns >= 0);
    return (Tensor){.dtype = dtype,
                    .rank = 2,
                    .extent = {rows, columns},
                    .stride = {row_stride, column_stride},
                    .origin = origin};
}

bool tensor_is_empty(const Tensor *tensor)
{
    for (int axis = 0; axis < tensor->rank; axis++)
        if (tensor->extent[axis] == 0)
            return true;
    return false;
}

TensorRow tensor_row(const Tensor *tensor, int64_t i)
{
    REQUIRE(tensor->rank == 2);
    TensorRow row = {0, tensor->extent[1]};
    if (!tensor->limited)
        return row;
    if (row.first < i - tensor->below)
        row.first = i - tensor->below;
    if (row.end > i + tensor->above + 1)
        row.end = i + tensor->above + 1;
    if (row.end < row.first)
        row.end = row.first;
    return row;
}

int64_t tensor_count(const Tensor *tensor)
{
    REQUIRE(tensor->rank >= 0 && tensor->rank <= TENSOR_RANK_MAX);
    int64_t count = 1;
    if (tensor_is_empty(tensor))
        return 0;
    for (int axis = 0; axis < tensor->rank; axis++)
        count *= tensor->extent[axis];
    if (!tensor->limited)
        return count;
    count = 0;
    for (int64_t i = 0; i < tensor->extent[0]; i++) {
        TensorRow row = tensor_row(tensor, i);
        count += row.end - row.first;
    }
    return count;
}

int64_t tensor_span(const Tensor *tensor)
{
    int64_t span = 1;
    if (tensor_is_empty(tensor))
        return 0;
    if (tensor->packing != PACKING_NONE)
        return tensor->extent[0] * (tensor->extent[0] + 1) / 2;
    if (tensor->storage != 0)
        return tensor->storage;
    for (int axis = 0; axis < tensor->rank; axis++) {
        int64_t stride = tensor->stride[axis] < 0 ? -tensor->stride[axis] : tensor->stride[axis];
        span += (tensor->extent[axis] - 1) * stride;
    }
    return span;
}

int64_t tensor_origin_offset(const Tensor *tensor)
{
    int64_t offset = 0;
    if (tensor->packing != PACKING_NONE)
        return 0;
    if (tensor->storage != 0)
        return tensor->before;
    for (int axis = 0; axis < tensor->rank; axis++)
        if (tensor->stride[axis] < 0 && tensor->extent[axis] > 0)
            offset -= (tensor->extent[axis] - 1) * tensor->stride[axis];
    return offset;
}

int64_t tensor_offset(const Tensor *tensor, int64_t i, int64_t j)
{
    REQUIRE(tensor->rank == 2);
    int64_t n = tensor->extent[0];
    switch (tensor->packing) {
    case PACKING_UPPER_COLUMNS:
        return i + j * (j + 1) / 2;
    case PACKING_LOWER_COLUMNS:
        return i - j + j * (2 * n - j + 1) / 2;
    case PACKING_UPPER_ROWS:
        return j - i + i * (2 * n - i + 1) / 2;
    case PACKING_LOWER_ROWS:
        return j + i * (i + 1) / 2;
    default:
        return i * tensor->stride[0] + j * tensor->stride[1];
    }
}

Tensor tensor_existing_row(const Tensor *tensor, int64_t i, int64_t *first)
{
    TensorRow existing = tensor_row(tensor, i);
    Tensor row = *tensor;
    REQUIRE(tensor->rank == 2 && tensor->packing == PACKING_NONE);
    *first = existing.first;
    row.limited = false;
    row.extent[0] = 1;
    row.extent[1] = existing.end - existing.first;
    row.origin = (char *)tensor->origin +
                 tensor_offset(tensor, i, existing.first) * (int64_t)dtype_size(tensor->dtype);
    return row;
}

Tensor tensor_one_row(const Tensor *tensor, int64_t i)
{
    REQUIRE(tensor->rank > 0 && tensor->packing == PACKING_NONE && tensor->storage == 0);
    Tensor row = *tensor;
    row.origin =
        (char *)tensor->origin + i * tensor->stride[0] * (int64_t)dtype_size(tensor->dtype);
    row.extent[0] = 1;
    row.below -= i;
    row.above += i;
    return row;
}

static TensorPacking packing_transposed(TensorPacking packing)
{
    switch (packing) {
    case PACKING_UPPER_COLUMNS:
        return PACKING_LOWER_ROWS;
    case PACKING_LOWER_COLUMNS:
        return PACKING_UPPER_ROWS;
    case PACKING_UPPER_ROWS:
        return PACKING_LOWER_COLUMNS;
    case PACKING_LOWER_ROWS:
        return PACKING_UPPER_COLUMNS;
    default:
        return PACKING_NONE;
    }
}

Tensor tensor_transposed(Tensor tensor)
{
    REQUIRE(tensor.rank == 2);
    Tensor swapped = tensor;
    swapped.extent[0] = tensor.extent[1];
    swapped.extent[1] = tensor.extent[0];
    swapped.stride[0] = tensor.stride[1];
    swapped.stride[1] = tensor.stride[0];
    swapped.below = tensor.above;
    swapped.above = tensor.below;
    swapped.packing = packing_transposed(tensor.packing);
    return swapped;
}

static void visit_limited(const Tensor *tensor, TensorVisit *visit, void *context)
{
    int64_t size = (int64_t)dtype_size(tensor->dtype);
    for (int64_t i = 0; i < tensor->extent[0]; i++) {
        TensorRow row = tensor_row(tensor, i);
        int64_t step = tensor->packing == PACKING_NONE ? row.end - row.first : 1;
        for (int64_t j = row.first; j < row.end; j += step)
            visit(context, i * tensor->extent[1] + j, step,
                  (char *)tensor->origin + tensor_offset(tensor, i, j) * size, tensor->stride[1]);
    }
}

void tensor_visit_runs(const Tensor *tensor, TensorVisit *visit, void *context)
{
    if (tensor_is_empty(tensor))
        return;
    if (tensor->limited) {
        visit_limited(tensor, visit, context);
        return;
    }
    int last = tensor->rank - 1;
    int64_t run = last < 0 ? 1 : tensor->extent[last], index[TENSOR_RANK_MAX] = {0};
    int64_t size = (int64_t)dtype_size(tensor->dtype);
    for (int64_t first = 0;; first += run) {
        int64_t offset = 0;
        for (int axis = 0; axis < last; axis++)
            offset += index[axis] * tensor->stride[axis];
        visit(context, first, run, (char *)tensor->origin + offset * size,
              last < 0 ? 1 : tensor->stride[last]);
        int axis = last - 1;
        while (axis >= 0 && ++index[axis] == tensor->extent[axis])
            index[axis--] = 0;
        if (axis < 0)
            return;
    }
}

typedef struct Marks {
    uint8_t *marks;
    const char *memory;
    int64_t size;
} Marks;

static void mark_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const Marks *marks = context;
    (void)first;
    for (int64_t i = 0; i < count; i++)
        marks->marks[(at - marks->memory) / marks->size + i * stride] = 1;
}

void tensor_mark(const Tensor *tensor, const void *memory, uint8_t *marks)
{
    Marks where = {marks, memory, (int64_t)dtype_size(tensor->dtype)};
    tensor_visit_runs(tensor, mark_run, &where);
}

bool tensor_same_layout(const Tensor *a, const Tensor *b)
{
    for (int axis = 0; axis < a->rank && a->rank == b->rank; axis++)
        if (a->extent[axis] != b->extent[axis] || a->stride[axis] != b->stride[axis])
            return false;
    return a->dtype == b->dtype && a->rank == b->rank && a->limited == b->limited &&
           a->packing == b->packing && a->below == b->below && a->above == b->above &&
           a->storage == b->storage && a->before == b->before;
}

int64_t tensor_take_index(int64_t *number, int64_t extent)
{
    REQUIRE(extent > 0);
    int64_t index = *number % extent;
    *number /= extent;
    return index;
}

int64_t tensor_offset_of_part(const Tensor *tensor, int axes, int64_t number)
{
    REQUIRE(number >= 0);
    int64_t offset = 0;
    for (int axis = axes - 1; axis >= 0; axis--)
        offset += tensor_take_index(&number, tensor->extent[axis]) * tensor->stride[axis];
    return offset;
}

int64_t tensor_offset_of(const Tensor *tensor, int64_t number)
{
    return tensor_offset_of_part(tensor, tensor->rank, number);
}

double tensor_value(const Tensor *tensor, int64_t number)
{
    REQUIRE(dtype_components(tensor->dtype) == 1 && tensor->origin);
    return dtype_load(tensor->dtype, tensor->origin, tensor_offset_of(tensor, number));
}

void tensor_pack(Tensor *t)
{
    int64_t stride = 1;
    for (int axis = t->rank - 1; axis >= 0; axis--) {
        t->stride[axis] = stride;
        /* Extents beside one of 0 may be any. */
        if (axis > 0 && t->extent[axis] > 1)
            stride *= t->extent[axis];
    }
}

bool tensor_is_dense(const Tensor *t)
{
    Tensor packed = *t;
    tensor_pack(&packed);
    for (int axis = 0; axis < t->rank; axis++)
        if (t->extent[axis] > 1 && t->stride[axis] != packed.stride[axis])
            return false;
    return true;
}

Tensor tensor_converted(const Tensor *tensor, DType dtype, Arena *arena)
{
    REQUIRE(dtype_components(tensor->dtype) == 1 && dtype_components(dtype) == 1);
    Tensor copy = *tensor;
    int64_t count = tensor_count(tensor);
    copy.dtype = dtype;
    copy.origin = arena_take(arena, (size_t)count + 1, dtype_size(dtype));
    tensor_pack(&copy);
    for (int64_t i = 0; i < count; i++)
        dtype_store(dtype, copy.origin, i, tensor_value(tensor, i));
    return copy;
}

Tensor tensor_part(Tensor tensor, int part)
{
    REQUIRE(!tensor.limited && tensor.packing == PACKING_NONE && tensor.storage == 0);
    if (dtype_components(tensor.dtype) == 1)
        return tensor;
    tensor.dtype = dtype_component(tensor.dtype);
    if (tensor.origin)
        tensor.origin = (char *)tensor.origin + (size_t)part * dtype_size(tensor.dtype);
    for (int axis = 0; axis < tensor.rank; axis++)
        tensor.stride[axis] *= 2;
    return tensor;
}
