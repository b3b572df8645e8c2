/* Strided views: counting, spanning, walking. */
#include "tensor.h"

int64_t tensor_count(const Tensor *tensor)
{
    int64_t count = 1;
    for (int axis = 0; axis < tensor->rank; axis++)
        count *= tensor->extent[axis];
    return count;
}

int64_t tensor_span(const Tensor *tensor)
{
    int64_t span = 1;
    for (int axis = 0; axis < tensor->rank; axis++) {
        int64_t stride = tensor->stride[axis] < 0 ? -tensor->stride[axis] : tensor->stride[axis];
        if (tensor->extent[axis] == 0)
            return 0;
        span += (tensor->extent[axis] - 1) * stride;
    }
    return span;
}

int64_t tensor_origin_offset(const Tensor *tensor)
{
    int64_t offset = 0;
    for (int axis = 0; axis < tensor->rank; axis++)
        if (tensor->stride[axis] < 0 && tensor->extent[axis] > 0)
            offset -= (tensor->extent[axis] - 1) * tensor->stride[axis];
    return offset;
}

Tensor tensor_transposed(Tensor tensor)
{
    Tensor swapped = tensor;
    swapped.extent[0] = tensor.extent[1];
    swapped.extent[1] = tensor.extent[0];
    swapped.stride[0] = tensor.stride[1];
    swapped.stride[1] = tensor.stride[0];
    return swapped;
}

void tensor_visit_runs(const Tensor *tensor, TensorVisit *visit, void *context)
{
    if (tensor_count(tensor) == 0)
        return;
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
