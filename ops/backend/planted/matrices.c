/* Copies between operands and matrices. */
#include "matrices.h"

#include <string.h>

const Tensor *planted_view_of(const PlantedCall *call, const char *operand)
{
    return &call->operands->view[op_operand(call->operands->source->op, operand)];
}

void *planted_place_of(const Tensor *view, int64_t i, int64_t j)
{
    return (char *)view->origin + tensor_offset(view, i, j) * (int64_t)dtype_size(view->dtype);
}

int64_t planted_extent_of(const PlantedCall *call, int axis)
{
    return planted_view_of(call, "a")->extent[axis];
}

bool planted_is_stored(const Tensor *view, int64_t i, int64_t j)
{
    if (i < 0 || j < 0 || i >= view->extent[0] || j >= view->extent[1])
        return false;
    TensorRow row = tensor_row(view, i);
    return j >= row.first && j < row.end;
}

int64_t planted_load_integer(const PlantedCall *call, const char *operand, int64_t i)
{
    return (int64_t)dtype_load(DT_I32, planted_view_of(call, operand)->origin, i);
}

void planted_store_integer(const PlantedCall *call, const char *operand, int64_t i, int64_t value)
{
    dtype_store(DT_I32, planted_view_of(call, operand)->origin, i, (double)value);
}

void planted_store_matrix(const Tensor *view, const Matrix *matrix)
{
    matrix_write(matrix, view);
}

Tensor planted_view_before(const PlantedCall *call, const char *operand)
{
    Tensor before = *planted_view_of(call, operand);
    const unsigned char *kept =
        call->operands->pristine[op_operand(call->operands->source->op, operand)];
    before.origin =
        arena_take(call->arena, (size_t)tensor_span(&before) + 1, dtype_size(before.dtype));
    memcpy(before.origin, kept, (size_t)tensor_span(&before) * dtype_size(before.dtype));
    before.origin =
        (char *)before.origin + tensor_origin_offset(&before) * (int64_t)dtype_size(before.dtype);
    return before;
}

Matrix planted_before_of(const PlantedCall *call, const char *operand)
{
    Tensor before = planted_view_before(call, operand);
    return matrix_read(&before, call->arena);
}

void planted_scale_solution(const PlantedCall *call, int64_t i, int64_t j, double factor)
{
    const Tensor *b = planted_view_of(call, "b");
    if (!planted_is_stored(b, i, j))
        return;
    void *at = planted_place_of(b, i, j);
    dtype_store(b->dtype, at, 0, factor * dtype_load(b->dtype, at, 0));
}

void planted_finish_pivots_from_zero(PlantedCall *call)
{
    for (int64_t k = 0; k < planted_view_of(call, "ipiv")->extent[0]; k++)
        planted_store_integer(call, "ipiv", k, planted_load_integer(call, "ipiv", k) - 1);
}

void planted_finish_info_from_zero(PlantedCall *call)
{
    if (planted_load_integer(call, "info", 0) > 0)
        planted_store_integer(call, "info", 0, planted_load_integer(call, "info", 0) - 1);
}

void planted_finish_info_lost(PlantedCall *call)
{
    planted_store_integer(call, "info", 0, 0);
}

void planted_finish_last_right_side(PlantedCall *call)
{
    const Tensor *b = planted_view_of(call, "b");
    int64_t last = b->extent[1] - 1;
    Tensor before = planted_view_before(call, "b");
    for (int64_t i = 0; i < b->extent[0] && last > 0; i++)
        memcpy(planted_place_of(b, i, last), planted_place_of(&before, i, last),
               dtype_size(b->dtype));
}
