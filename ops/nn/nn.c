/* Shapes of operands. */
#include <math.h>

#include "nn.h"

const char *const nn_yes_no[] = {"no", "yes", NULL};
const char *const nn_mean_or_sum[] = {"mean", "sum", NULL};

DType nn_dtype(const Nn *q)
{
    return (DType)q->dtype;
}

TensorSpec nn_tensor(DType dtype, const Shape *shape, TensorRole role)
{
    TensorSpec spec = {
        .role = role,
        .layout = {.dtype = dtype, .rank = (int)shape->rank},
        .contraction = -1,
    };
    for (int axis = 0; axis < spec.layout.rank; axis++)
        spec.layout.extent[axis] = shape->extent[axis];
    tensor_pack(&spec.layout);
    return spec;
}

double nn_work_elements(const Nn *q, double each)
{
    return each * (double)shape_count(&q->shape);
}

enum { EXPAND_DROPS = 32 };

int64_t nn_expansion(const Shape *shape, int64_t mask, int64_t taken)
{
    int64_t axes = mask & ((1 << shape->rank) - 1) & ~taken;
    bool drops = (mask & EXPAND_DROPS) && shape->rank > 0 && (axes >> (shape->rank - 1) & 1);
    return axes | (drops ? EXPAND_DROPS : 0);
}

TensorSpec nn_expanded(DType dtype, const Shape *shape, int64_t mask)
{
    Shape own = *shape;
    for (int64_t axis = 0; axis < own.rank; axis++)
        if (mask >> (own.rank - 1 - axis) & 1)
            own.extent[axis] = 1;
    while ((mask & EXPAND_DROPS) && own.rank > 0 && (mask >> (own.rank - 1) & 1)) {
        for (int64_t axis = 1; axis < own.rank; axis++)
            own.extent[axis - 1] = own.extent[axis];
        own.extent[--own.rank] = 0;
    }
    return nn_tensor(dtype, &own, ROLE_IN);
}

Tensor nn_broadcast(const Tensor *operand, const Tensor *result)
{
    Tensor view = *operand;
    int missing = result->rank - operand->rank;
    view.rank = result->rank;
    for (int axis = 0; axis < result->rank; axis++) {
        bool own = axis >= missing && operand->extent[axis - missing] == result->extent[axis];
        view.extent[axis] = result->extent[axis];
        view.stride[axis] = own ? operand->stride[axis - missing] : 0;
    }
    return view;
}

uint32_t nn_dtypes_of(const Function *f)
{
    if (f->of_booleans)
        return DTYPES_BOOLEAN;
    if (f->only_integers)
        return DTYPES_INTEGER;
    return f->of_integers ? DTYPES_FLOAT | DTYPES_INTEGER : DTYPES_FLOAT;
}

void nn_fill_empty(Shape *shape)
{
    for (int64_t axis = 0; axis < shape->rank; axis++)
        shape->extent[axis] = shape->extent[axis] > 1 ? shape->extent[axis] : 1;
}

void nn_need_axis(Shape *shape)
{
    if (shape->rank == 0)
        *shape = (Shape){1, {1}};
}

void nn_normalise_axis(void *params)
{
    Nn *q = params;
    nn_need_axis(&q->shape);
    q->axis %= q->shape.rank;
}

void nn_normalise_axes(Nn *q)
{
    int64_t all = (1 << q->shape.rank) - 1;
    q->axes &= all;
    if (q->axes == 0)
        q->axes = all;
}

void nn_shape_reduced(const void *params, Shapes *shapes)
{
    const Nn *q = params;
    Shape kept = {0};
    for (int64_t axis = 0; axis < q->shape.rank; axis++) {
        bool reduced = q->axes >> (q->shape.rank - 1 - axis) & 1;
        if (!reduced || q->keepdims)
            kept.extent[kept.rank++] = reduced ? 1 : q->shape.extent[axis];
    }
    *shapes = (Shapes){.count = 2, .depth = shape_count(&q->shape)};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &kept, ROLE_OUT);
}

Tensor nn_reduced_last(const Tensor *x, int64_t axes, int *reduced)
{
    Tensor view = *x;
    int at = 0;
    *reduced = 0;
    for (int last = 0; last < 2; last++)
        for (int axis = 0; axis < x->rank; axis++) {
            if ((axes >> (x->rank - 1 - axis) & 1) != last)
                continue;
            view.extent[at] = x->extent[axis];
            view.stride[at++] = x->stride[axis];
            *reduced += last;
        }
    return view;
}

Tensor nn_axis_last(const Tensor *x, int axis)
{
    Tensor moved = *x;
    for (int i = axis; i + 1 < x->rank; i++) {
        moved.extent[i] = x->extent[i + 1];
        moved.stride[i] = x->stride[i + 1];
    }
    moved.extent[x->rank - 1] = x->extent[axis];
    moved.stride[x->rank - 1] = x->stride[axis];
    return moved;
}

/* The moved reference is numbered like a dense tensor with the axis at the end. */
void nn_axis_back(Ref *ref, const Ref *moved, const Tensor *y, int axis, Arena *arena)
{
    Tensor order = *y;
    int64_t stride = y->extent[axis];
    for (int i = y->rank - 1; i >= 0; i--) {
        order.stride[i] = i == axis ? 1 : stride;
        stride *= i == axis ? 1 : y->extent[i];
    }
    ref_gather(ref, moved, &order, arena);
}

void nn_shape_same(const Nn *q, Shapes *shapes)
{
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &q->shape, ROLE_OUT);
}

void nn_normalise_order(Nn *q)
{
    double p = fabs(q->alpha.re);
    q->alpha.re = p >= 0.5 && p <= 8 ? p : 2;
}

void nn_normalise_epsilon(Nn *q)
{
    double e = q->epsilon.re < 0 ? -q->epsilon.re : q->epsilon.re;
    q->epsilon.re = e >= 0x1p-20 && e <= 1 ? (double)(float)e : (double)1e-5f;
}
