/* Parameters and shapes of reductions. */
#include "nn_reduce.h"

#include <math.h>

#include "nn_exact.h"
#include "reference/ball.h"
#include "reference/mag.h"
#include "reference/wide_complex.h"

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

static Ball least_of(const Ball *x, int64_t count)
{
    Ball least = ball_negate(x[0]);
    for (int64_t k = 1; k < count; k++)
        least = ball_max(least, ball_negate(x[k]));
    return ball_negate(least);
}

static Ball greatest_of(const Ball *x, int64_t count)
{
    Ball greatest = x[0];
    for (int64_t k = 1; k < count; k++)
        greatest = ball_max(greatest, x[k]);
    return greatest;
}

Ball nn_norm_of(const Format *f, Ball *x, int64_t count, Ball order)
{
    if (isinf(ball_number(order)))
        return ball_number(order) > 0 ? greatest_of(x, count) : least_of(x, count);
    bool counts = ball_is_known(order) && order.value == 0;
    for (int64_t k = 0; k < count; k++)
        x[k] = counts ? ball_exact(ball_number(x[k]) != 0) : ball_power(f, x[k], order);
    Ball sum = ball_sum(f, x, (size_t)count);
    return counts ? sum : ball_power(f, sum, ball_divide(f, ball_exact(1), order));
}

Ball nn_size_of(const Format *f, Scalar x)
{
    if (x.im == 0)
        return ball_abs(ball_exact(x.re));
    long double size = hypotl(x.re, x.im);
    if (!scalar_is_finite(x))
        return isnan((double)size) ? ball_exact(NAN) : ball_or(ball_exact(INFINITY), CLASS_NAN);
    enum { UNITS = 8 };
    double radius = UNITS * f->unit * double_up(size) + f->smallest_normal;
    return (Ball){.value = size, .radius = radius};
}

void nn_norm_reference(Ref *ref, const ReferenceInput *input, int64_t axes, double order,
                       Arena *arena)
{
    int reduced;
    Tensor x = nn_reduced_last(&input->tensors[0], axes, &reduced);
    ref_allocate_bounded(ref, input->tensors[1].dtype, &input->tensors[1], arena);
    const Format *f = dtype_format(ref->accumulator);
    int64_t count = ref->count ? tensor_count(&x) / (int64_t)ref->count : 0;
    Ball *sizes = arena_take(arena, (size_t)count + 1, sizeof *sizes);
    for (size_t i = 0; i < ref->count; i++) {
        for (int64_t k = 0; k < count; k++)
            sizes[k] = nn_size_of(f, nn_element(&x, (int64_t)i * count + k));
        ref_put_ball(ref, i, nn_norm_of(f, sizes, count, ball_exact(order)));
    }
}
