/* The norm of order p, the root of order p of the sum of the powers of the magnitudes, over some
 * axes.  A power is within 16 ulp (OpenCL C 3.0, 7.4), and the order of the root is rounded. */
#include "nn_reduce.h"
#include "reference/ball.h"

static const char *const tensors[] = {"x", "y", NULL};

/* Sums have a term or more. */
static void normalise(void *params_of_case)
{
    Reduce *q = params_of_case;
    nn_fill_empty(&q->shape);
    nn_fit_axes(q);
    nn_normalise_ord(q);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Reduce *)params_of_case)->shape, 256);
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
    Ball *terms = arena_take(arena, (size_t)count + 1, sizeof *terms),
         order = ball_exact(q->ord.re);
    Ball root = ball_divide(f, ball_exact(1), order);
    for (size_t i = 0; i < refs[1].count; i++) {
        for (int64_t k = 0; k < count; k++) {
            Ball size = ball_abs(ball_exact(tensor_value(&x, (int64_t)i * count + k)));
            terms[k] = ball_power(f, size, order);
        }
        ref_put_ball(&refs[1], i, ball_power(f, ball_sum(f, terms, (size_t)count), root));
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
