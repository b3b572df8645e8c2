/* The norm of order p, the root of order p of the sum of the powers of the magnitudes, over some
 * axes.  A power is within 16 ulp (OpenCL C 3.0, 7.4), and the order of the root is rounded.  That
 * of order 0 is the number of elements that are not 0, NaN among them; those of infinity and
 * -infinity are the greatest and the least magnitude (array API standard, vector_norm; PyTorch,
 * torch.linalg.vector_norm; NumPy, numpy.linalg.norm). */
#include <math.h>

#include "nn_reduce.h"
#include "reference/ball.h"

static const char *const tensors[] = {"x", "y", NULL};

static void normalise(void *params_of_case)
{
    Reduce *q = params_of_case;
    nn_fit_axes(q);
    nn_normalise_ord(q);
    nn_fill_axes_for_ord(q);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Reduce *)params_of_case)->shape, 256);
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

/* The norm of magnitudes, which are used up. */
static Ball norm_of(const Format *f, Ball *x, int64_t count, Ball order)
{
    if (isinf(ball_number(order)))
        return ball_number(order) > 0 ? greatest_of(x, count) : least_of(x, count);
    bool counts = ball_is_known(order) && order.value == 0;
    for (int64_t k = 0; k < count; k++)
        x[k] = counts ? ball_exact(ball_number(x[k]) != 0) : ball_power(f, x[k], order);
    Ball sum = ball_sum(f, x, (size_t)count);
    return counts ? sum : ball_power(f, sum, ball_divide(f, ball_exact(1), order));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Reduce *q = input->params;
    const Tensor *y = &input->tensors[1];
    int reduced;
    Tensor x = nn_reduced_last(&input->tensors[0], q->axes, &reduced);
    ref_allocate_bounded(&refs[1], y->dtype, y, arena);
    const Format *f = dtype_format(refs[1].accumulator);
    int64_t count = refs[1].count ? tensor_count(&x) / (int64_t)refs[1].count : 0;
    Ball *sizes = arena_take(arena, (size_t)count + 1, sizeof *sizes);
    for (size_t i = 0; i < refs[1].count; i++) {
        for (int64_t k = 0; k < count; k++)
            sizes[k] = ball_abs(ball_exact(tensor_value(&x, (int64_t)i * count + k)));
        ref_put_ball(&refs[1], i, norm_of(f, sizes, count, ball_exact(q->ord.re)));
    }
}

const OpDesc op_norm = {
    NN_OP(Reduce, 2),
    .name = "norm",
    .summary = "norm of any order",
    .params = nn_norm_params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL,
    .fills = nn_moderate_fills,
    .normalise = normalise,
    .shape = nn_shape_reduced,
    .work = work,
    .reference = reference,
};
