/* Local response normalisation over channels: y = x / (k + alpha / size * S)^beta, where S is the
 * sum of x^2 over the window of `size` channels around each one, as far as they exist.  The window
 * begins (size - 1) / 2 channels in front, rounded down (ONNX operator LRN; Krizhevsky et al.,
 * 2012, section 3.3, without the factor 1 / size).
 *
 * The reference carries balls: products and the sum by their lemmas, alpha / size in two roundings,
 * the power within 16 ulp.  The sum has no negative term, so that factors before and after it round
 * alike; a running sum over channels, which subtracts what leaves the window, is not covered. */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

enum { X, Y };
enum { SIZE_MAX_OF_WINDOW = 9 };

typedef struct LocalResponseNorm {
    int64_t dtype;
    Shape shape;
    int64_t size;
    Scalar alpha, beta, k;
} LocalResponseNorm;

static const Param params[] = {
    NN_DTYPE(LocalResponseNorm),
    P_SHAPE(LocalResponseNorm, shape, 3, 5, "extents of x; the second axis has the channels"),
    P_INTEGER(LocalResponseNorm, size, 1, SIZE_MAX_OF_WINDOW, 1, "channels in a window"),
    P_REAL(LocalResponseNorm, alpha, 1, "factor of the mean square"),
    P_REAL(LocalResponseNorm, beta, 1, "exponent"),
    P_REAL(LocalResponseNorm, k, 1, "added to the mean square"),
    P_END};
static const char *const tensors[] = {"x", "y", NULL};

/* Attributes of libraries are of binary32. */
static double short_number(double value)
{
    return (double)(float)value;
}

/* Of a sum below 0 most powers are no number: the sum has no negative term. */
static void normalise(void *params_of_case)
{
    LocalResponseNorm *q = params_of_case;
    q->alpha.re = fabs(short_number(q->alpha.re));
    q->beta.re = short_number(q->beta.re);
    q->k.re = fabs(short_number(q->k.re));
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const LocalResponseNorm *q = params_of_case;
    nn_shape_same(nn_dtype(q), &q->shape, shapes);
    shapes->depth = q->size;
}

static double work(const void *params_of_case)
{
    const LocalResponseNorm *q = params_of_case;
    return nn_work_elements(&q->shape, 1024 + 16 * (double)q->size);
}

/* The power of the normalised sum that element `at` of channel `channel` is divided by; elements of
 * one channel and the next are `pixels` apart. */
static Ball divisor(const LocalResponseNorm *q, const Format *f, const Tensor *x, int64_t at,
                    int64_t channel, int64_t pixels)
{
    Ball squares[SIZE_MAX_OF_WINDOW];
    int64_t first = channel - (q->size - 1) / 2, end = first + q->size;
    size_t count = 0;
    for (int64_t c = first < 0 ? 0 : first; c < end && c < q->shape.extent[1]; c++) {
        Ball value = ball_exact(tensor_value(x, at + (c - channel) * pixels));
        squares[count++] = ball_multiply(f, value, value);
    }
    Ball factors[] = {ball_exact(q->alpha.re), ball_sum(f, squares, count),
                      ball_exact((double)q->size)};
    Ball mean = ball_divide(f, ball_multiply(f, factors[0], factors[1]), factors[2]);
    mean = ball_any_order(f, mean, factors, COUNT_OF(factors), 1);
    return ball_power(f, ball_add(f, ball_exact(q->k.re), mean), ball_exact(q->beta.re));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const LocalResponseNorm *q = input->params;
    const Tensor *x = &input->tensors[X];
    int64_t channels = q->shape.extent[1], pixels = 1;
    for (int64_t axis = 2; axis < q->shape.rank; axis++)
        pixels *= q->shape.extent[axis];
    ref_allocate_bounded(&refs[Y], x->dtype, &input->tensors[Y], arena);
    const Format *f = dtype_format(refs[Y].accumulator);
    int64_t count = tensor_count(x);
    for (int64_t at = 0; at < count; at++) {
        Ball below = divisor(q, f, x, at, at / pixels % channels, pixels);
        ref_put_ball(&refs[Y], (size_t)at, ball_divide(f, ball_exact(tensor_value(x, at)), below));
    }
}

const OpDesc op_local_response_norm = {
    NN_OP(LocalResponseNorm, 1),
    .name = "local_response_norm",
    .summary = "x over a power of the mean square of neighbouring channels",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL,
    .fills = nn_moderate_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
