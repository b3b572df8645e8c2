/* Convolutions of complex numbers over two axes by four products or three, and
 * faults of these. */
#include <math.h>

#include "ops/nn/nn.h"
#include "planted.h"

enum { X, W, BIAS, Y, AXES = 2 };

/* How products are formed: right ways first, then what goes wrong. */
typedef enum Way {
    FOUR_PRODUCTS,
    SUMS_OF_PARTS,    /* re and im from products of the parts, and of their sums */
    SUMS_OF_ONE_PART, /* both from products of one part with sums */
    SUMS_WITH_BIAS,   /* the first of these, with the bias in two of the sums */
    CONJUGATED,       /* weights are */
    REAL_BIAS,        /* the bias is taken for a real one */
    BIAS_IN_ONE_SUM,  /* the real part of the bias is in one sum alone */
    SUMS_OF_FIRST,    /* sums of the weights' parts are those of the first group */
    SQUARES_ADDED     /* the products of the imaginary parts have the wrong sign */
} Way;

typedef struct Convolution {
    const Tensor *x, *w, *bias, *y; /* bias may be NULL */
    const Shape *stride, *dilation, *pads;
    int64_t groups;
    Way way;
} Convolution;

/* The sums of one element: of products of parts. */
typedef struct Sums {
    double re_re, im_im, re_im, im_re, mixed;
} Sums;

static double rounded(const Convolution *c, double value)
{
    return dtype_round(c->y->dtype, value);
}

static void add(const Convolution *c, double *sum, double x, double w)
{
    *sum = rounded(c, *sum + rounded(c, x * w));
}

static Scalar number_at(const Tensor *t, int64_t i)
{
    int64_t at = 2 * tensor_offset_of(t, i);
    return (Scalar){dtype_load(t->dtype, t->origin, at), dtype_load(t->dtype, t->origin, at + 1)};
}

/* Sums that are not used stay as they are. */
static void add_product(const Convolution *c, Sums *s, Scalar x, Scalar w, Scalar first)
{
    double both = rounded(c, x.re + x.im);
    if (c->way == CONJUGATED)
        w.im = -w.im;
    switch (c->way) {
    case SUMS_OF_PARTS:
    case SUMS_OF_FIRST:
    case SUMS_WITH_BIAS:
    case BIAS_IN_ONE_SUM:
        add(c, &s->re_re, x.re, w.re);
        add(c, &s->im_im, x.im, w.im);
        w = c->way == SUMS_OF_FIRST ? first : w;
        add(c, &s->mixed, both, rounded(c, w.re + w.im));
        break;
    case SUMS_OF_ONE_PART:
        add(c, &s->mixed, both, w.re);
        add(c, &s->im_im, x.im, rounded(c, w.re + w.im));
        add(c, &s->re_im, x.re, rounded(c, w.im - w.re));
        break;
    default:
        add(c, &s->re_re, x.re, w.re);
        add(c, &s->im_im, x.im, w.im);
        add(c, &s->re_im, x.re, w.im);
        add(c, &s->im_re, x.im, w.re);
    }
}

static Scalar result_of(const Convolution *c, const Sums *s)
{
    switch (c->way) {
    case SUMS_OF_PARTS:
    case SUMS_OF_FIRST:
    case SUMS_WITH_BIAS:
    case BIAS_IN_ONE_SUM:
        return (Scalar){rounded(c, s->re_re - s->im_im),
                        rounded(c, rounded(c, s->mixed - s->re_re) - s->im_im)};
    case SUMS_OF_ONE_PART:
        return (Scalar){rounded(c, s->mixed - s->im_im), rounded(c, s->mixed + s->re_im)};
    case SQUARES_ADDED:
        return (Scalar){rounded(c, s->re_re + s->im_im), rounded(c, s->re_im + s->im_re)};
    default:
        return (Scalar){rounded(c, s->re_re - s->im_im), rounded(c, s->re_im + s->im_re)};
    }
}

/* The place that a tap meets along an axis. */
static int64_t met_at(const Convolution *c, int axis, int64_t out, int64_t tap)
{
    return out * c->stride->extent[axis] + tap * c->dilation->extent[axis] - c->pads->extent[axis];
}

static void add_channel(const Convolution *c, Sums *s, const int64_t *out, int64_t plane,
                        int64_t filter, int64_t first)
{
    const Tensor *x = c->x, *w = c->w;
    int64_t taps = w->extent[2] * w->extent[3];
    for (int64_t tap = 0; tap < taps; tap++) {
        int64_t row = met_at(c, 0, out[0], tap / w->extent[3]);
        int64_t column = met_at(c, 1, out[1], tap % w->extent[3]);
        if (row < 0 || column < 0 || row >= x->extent[2] || column >= x->extent[3])
            continue;
        Scalar of_x = number_at(x, (plane * x->extent[2] + row) * x->extent[3] + column);
        add_product(c, s, of_x, number_at(w, filter * taps + tap),
                    number_at(w, first * taps + tap));
    }
}

static Scalar element_of(const Convolution *c, int64_t number)
{
    const Tensor *y = c->y;
    int64_t depth = c->w->extent[1], out[AXES], of_group = y->extent[1] / c->groups;
    out[1] = tensor_take_index(&number, y->extent[3]);
    out[0] = tensor_take_index(&number, y->extent[2]);
    int64_t k = tensor_take_index(&number, y->extent[1]), group = k / of_group;
    Sums sums = {0, 0, 0, 0, 0};
    Scalar bias = {0, 0};
    if (c->bias)
        bias = number_at(c->bias, k);
    bool begins = c->way == SUMS_WITH_BIAS || c->way == BIAS_IN_ONE_SUM;
    if (begins) {
        sums.re_re = bias.re;
        sums.mixed = c->way == SUMS_WITH_BIAS ? rounded(c, bias.re + bias.im) : bias.im;
    }
    for (int64_t channel = 0; channel < depth; channel++)
        add_channel(c, &sums, out, number * c->x->extent[1] + group * depth + channel,
                    k * depth + channel, k % of_group * depth + channel);
    Scalar result = result_of(c, &sums);
    if (begins)
        return result;
    result.re = rounded(c, result.re + bias.re);
    result.im = c->way == REAL_BIAS ? result.im : rounded(c, result.im + bias.im);
    return result;
}

/* Where parts are not finite, or products leave the range, the reference's way
 * is as good. */
static bool is_moderate(const Tensor *t)
{
    for (int64_t i = 0; t && i < 2 * tensor_count(t); i++) {
        Scalar z = number_at(t, i / 2);
        double size = fabs(i % 2 ? z.im : z.re);
        if (size != 0 && !(size > 0x1p-30 && size < 0x1p30))
            return false;
    }
    return true;
}

static void convolve(PlantedCall *call, Way way)
{
    const Case *altered = &call->altered;
    const Tensor *v = call->operands->view;
    Convolution c = {.x = &v[X],
                     .w = &v[W],
                     .bias = case_int(altered, "bias") ? &v[BIAS] : NULL,
                     .y = &v[Y],
                     .stride = case_shape(altered, "stride"),
                     .dilation = case_shape(altered, "dilation"),
                     .pads = case_shape(altered, "pads_begin"),
                     .groups = case_int(altered, "groups"),
                     .way = way};
    if (dtype_components(v[Y].dtype) == 1 || !is_moderate(c.x) || !is_moderate(c.w) ||
        !is_moderate(c.bias))
        return;
    for (int64_t i = 0; i < tensor_count(c.y); i++) {
        Scalar value = element_of(&c, i);
        int64_t at = 2 * tensor_offset_of(c.y, i);
        dtype_store(c.y->dtype, c.y->origin, at, value.re);
        dtype_store(c.y->dtype, c.y->origin, at + 1, value.im);
    }
}

static void finish_four(PlantedCall *call)
{
    convolve(call, FOUR_PRODUCTS);
}

static void finish_sums(PlantedCall *call)
{
    convolve(call, SUMS_OF_PARTS);
}

static void finish_sums_of_one(PlantedCall *call)
{
    convolve(call, SUMS_OF_ONE_PART);
}

static void finish_sums_with_bias(PlantedCall *call)
{
    convolve(call, SUMS_WITH_BIAS);
}

static void finish_bias_in_one(PlantedCall *call)
{
    convolve(call, BIAS_IN_ONE_SUM);
}

static void finish_conjugated(PlantedCall *call)
{
    convolve(call, CONJUGATED);
}

static void finish_real_bias(PlantedCall *call)
{
    convolve(call, REAL_BIAS);
}

static void finish_sums_of_first(PlantedCall *call)
{
    convolve(call, SUMS_OF_FIRST);
}

static void finish_squares_added(PlantedCall *call)
{
    convolve(call, SQUARES_ADDED);
}

/* The factor that gradients conjugate is taken as it is. */
static void conjugate_operand(PlantedCall *call, int operand)
{
    const Tensor *t = &call->view[operand];
    if (dtype_components(t->dtype) == 1)
        return;
    int64_t count = tensor_count(t);
    DType dtype = t->dtype;
    char *copy = planted_copy(call, operand);
    for (int64_t i = 0; i < count; i++)
        dtype_store(dtype, copy, 2 * i + 1, -dtype_load(dtype, copy, 2 * i + 1));
}

static void prepare_data(PlantedCall *call)
{
    conjugate_operand(call, W);
}

static void prepare_weights(PlantedCall *call)
{
    conjugate_operand(call, X);
}

const PlantedFault planted_conv_complex_faults[] = {
    {"conv-complex-conjugated", "conv2d", "complex: imaginary parts of weights", NULL,
     finish_conjugated},
    {"conv-complex-real-bias", "conv2d", "complex: imaginary parts of the bias", NULL,
     finish_real_bias},
    {"conv-complex-first-sums", "conv2d", "complex: groups, in three products", NULL,
     finish_sums_of_first},
    {"conv-complex-bias-once", "conv2d", "complex: real parts of the bias, in three products", NULL,
     finish_bias_in_one},
    {"conv-complex-sign", "conv2d", "complex: products of imaginary parts", NULL,
     finish_squares_added},
    {"conv-data-unconjugated", "conv1d_backward_data", "complex: imaginary parts of weights",
     prepare_data, NULL},
    {"conv-weights-unconjugated", "conv2d_backward_weights", "complex: imaginary parts of x",
     prepare_weights, NULL},
    {"ok-conv-complex-four", "conv2d", "right: four products", NULL, finish_four},
    {"ok-conv-complex-three", "conv2d", "right: three products, of parts and of their sums", NULL,
     finish_sums},
    {"ok-conv-complex-three-sums", "conv2d", "right: three products, each with a sum", NULL,
     finish_sums_of_one},
    {"ok-conv-complex-three-bias", "conv2d", "right: three products, the bias in two of them", NULL,
     finish_sums_with_bias},
    {NULL, NULL, NULL, NULL, NULL},
};
