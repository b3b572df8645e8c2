/* Parameters and shapes of reductions. */
#include "nn_reduce.h"

#include <math.h>

const Param nn_reduce_params[] = {NN_REDUCE, P_END};
const Param nn_norm_params[] = {
    NN_REDUCE, P_REAL(Reduce, ord, 2, "order of the norm", .formerly = "alpha"), P_END};

void nn_fit_axes(Reduce *q)
{
    int64_t all = (1 << q->shape.rank) - 1;
    q->axes &= all;
    if (q->axes == 0)
        q->axes = all;
}

void nn_fill_axes(Reduce *q)
{
    for (int64_t axis = 0; axis < q->shape.rank; axis++)
        if (q->axes >> (q->shape.rank - 1 - axis) & 1)
            nn_fill_axis(&q->shape, axis);
}

void nn_fill_axes_for_ord(Reduce *q)
{
    if (!(q->ord.re >= 0 && isfinite(q->ord.re)))
        nn_fill_axes(q);
}

void nn_normalise_ord(Reduce *q)
{
    q->ord.re = isnan(q->ord.re) ? 2 : dtype_round(nn_dtype(q), q->ord.re);
}

void nn_shape_reduced(const void *params, Shapes *shapes)
{
    const Reduce *q = params;
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
