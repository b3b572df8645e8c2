/* Elements of operands, which may have any strides. */
#include <stdio.h>
#include <string.h>

#include "native.h"

int64_t native_count(const RequestTensor *tensor)
{
    int64_t count = 1;
    for (int axis = 0; axis < tensor->rank; axis++)
        count *= tensor->extent[axis];
    return count;
}

/* Copies elements of size bytes from one set of strides, in bytes, to another. */
static void copy_elements(const RequestTensor *shape, size_t size, char *to,
                          const int64_t *to_strides, const char *from, const int64_t *from_strides)
{
    int64_t place[TENSOR_RANK_MAX] = {0};
    int rank = shape->rank;
    for (int64_t left = native_count(shape); left > 0; left--) {
        memcpy(to, from, size);
        for (int axis = rank - 1; axis >= 0; axis--) {
            to += to_strides[axis];
            from += from_strides[axis];
            if (++place[axis] < shape->extent[axis])
                break;
            to -= to_strides[axis] * place[axis];
            from -= from_strides[axis] * place[axis];
            place[axis] = 0;
        }
    }
}

static bool dense_strides(const RequestTensor *shape, size_t size, int64_t *strides,
                          const int64_t *given)
{
    int64_t step = (int64_t)size;
    bool same = given != NULL;
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
        strides[axis] = step;
        same = same && (given[axis] == step || shape->extent[axis] == 1);
        step *= shape->extent[axis];
    }
    return same;
}

void native_gather(const NativeRequest *request, int operand, void *dense)
{
    const RequestTensor *shape = &request->tensors[operand];
    size_t size = dtype_size((DType)shape->dtype);
    int64_t strides[TENSOR_RANK_MAX];
    if (native_count(shape) == 0)
        return;
    if (dense_strides(shape, size, strides, shape->stride))
        memcpy(dense, native_data(request, operand), size * (size_t)native_count(shape));
    else
        copy_elements(shape, size, dense, strides, native_data(request, operand), shape->stride);
}

void native_scatter(const NativeRequest *request, int operand, const void *from,
                    const int64_t *strides)
{
    const RequestTensor *shape = &request->tensors[operand];
    size_t size = dtype_size((DType)shape->dtype);
    int64_t dense[TENSOR_RANK_MAX];
    /* Libraries have no memory for no elements. */
    if (native_count(shape) == 0)
        return;
    if (dense_strides(shape, size, dense, shape->stride) &&
        dense_strides(shape, size, dense, strides))
        memcpy(native_data(request, operand), from, size * (size_t)native_count(shape));
    else
        copy_elements(shape, size, native_data(request, operand), shape->stride, from, strides);
}

uint32_t native_different(const NativeRequest *request, const char *what)
{
    (void)snprintf(request->message, REPLY_TEXT, "gives %s", what);
    return REPLY_DIFFERENT;
}
