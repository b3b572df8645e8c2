/* The reference of convolutions: one exact sum for each element of the result,
 * tap by tap. */
#include "conv.h"

#include <math.h>

#include "complex_sum.h"
#include "mag.h"

typedef struct Conv {
    const ConvInput *in;
    Ref *ref;
    const Format *format;
    const double *x, *w, *x_im, *w_im; /* imaginary parts: NULL where they are real */
    int axes, lattice;
    int64_t taps, channels; /* channels of one group that meet one output */
    int64_t of_x[CONV_AXES_MAX], kernel[CONV_AXES_MAX];
    int64_t x_area, w_area;
} Conv;

/* The element of x that a tap of an output position meets along one axis, -1 if
 * none. */
static int64_t meet(const Conv *c, int axis, int64_t out, int64_t tap)
{
    const ConvInput *in = c->in;
    int64_t at = out * in->stride[axis] - in->before[axis] + tap * in->dilation[axis];
    if (in->transposed) {
        at = out + in->before[axis] - tap * in->dilation[axis];
        if (at < 0 || at % in->stride[axis] != 0)
            return -1;
        at /= in->stride[axis];
    }
    return at >= 0 && at < c->of_x[axis] ? at : -1;
}

/* Indices of the first factors of one sample and channel of the result: in x,
 * in w, and the distance in w from one input channel to the next. */
typedef struct Block {
    int64_t x_first, w_first, w_step;
} Block;

static Block block_of(const Conv *c, int64_t plane)
{
    const ConvInput *in = c->in;
    int64_t k = plane % in->y.extent[1], sample = plane / in->y.extent[1];
    int64_t per_group = in->y.extent[1] / in->groups, group = k / per_group;
    Block block = {(sample * in->x.extent[1] + group * c->channels) * c->x_area, k * c->w_area,
                   c->taps};
    if (in->transposed) {
        block.w_step = per_group * c->taps;
        block.w_first = group * c->channels * block.w_step + k % per_group * c->taps;
    }
    return block;
}

/* So is the sum of both parts of a complex one, which three products for four multiply. */
static bool is_weight_finite(const Conv *c, int64_t at)
{
    double other = c->w_im ? fabs(c->w_im[at]) : 0;
    return fabs(c->w[at]) + other <= c->format->largest;
}

static bool weights_finite(const Conv *c, int64_t tap, const Block *block)
{
    for (int64_t channel = 0; channel < c->channels; channel++)
        if (!is_weight_finite(c, block->w_first + channel * block->w_step + tap))
            return false;
    return true;
}

/* One element of the result, of numbers or of complex ones. */
typedef struct Element {
    Sum sum;
    ComplexSum complex;
} Element;

static void add_product(const Conv *c, Element *element, int64_t x, int64_t w)
{
    if (c->x_im)
        complex_sum_add_product(&element->complex, (Scalar){c->x[x], c->x_im[x]},
                                (Scalar){c->w[w], c->w_im[w]});
    else
        sum_add_product(&element->sum, c->x[x], c->w[w]);
}

/* Adds the products of one tap over the channels of the group.  False when the
 * tap lies in the padding and a weight there is not finite: a kernel that
 * multiplies the zeros of the padding gets NaN. */
static bool add_tap(const Conv *c, Element *element, const int64_t *out, int64_t tap,
                    const Block *block)
{
    int64_t left = tap, at = 0, parts[CONV_AXES_MAX];
    for (int axis = c->axes - 1; axis >= 0; axis--)
        parts[axis] = tensor_take_index(&left, c->kernel[axis]);
    for (int axis = 0; axis < c->axes; axis++) {
        int64_t met = meet(c, axis, out[axis], parts[axis]);
        if (met < 0)
            return weights_finite(c, tap, block);
        at = at * c->of_x[axis] + met;
    }
    for (int64_t channel = 0; channel < c->channels; channel++)
        add_product(c, element, block->x_first + channel * c->x_area + at,
                    block->w_first + channel * block->w_step + tap);
    return true;
}

/* The bias of a channel of the result is added to the products, whose lattice
 * is that of all. */
static void put_number(const Conv *c, size_t i, Sum *sum, int64_t k)
{
    const Tensor *bias = c->in->bias;
    double products = (double)sum->terms;
    sum->lattice = c->lattice;
    if (bias) {
        double value = dtype_load(bias->dtype, bias->origin, k * bias->stride[0]);
        Sum alone = sum_begin();
        sum_add(&alone, value);
        sum_add(sum, value);
        sum->lattice = alone.lattice < c->lattice ? alone.lattice : c->lattice;
    }
    ref_put_products(c->ref, i, sum, products);
}

static void put_complex(const Conv *c, size_t i, ComplexSum *sum, int64_t k)
{
    const Tensor *bias = c->in->bias;
    int lattice = c->lattice;
    if (bias) {
        int64_t at = 2 * k * bias->stride[0];
        Scalar value = {dtype_load(bias->dtype, bias->origin, at),
                        dtype_load(bias->dtype, bias->origin, at + 1)};
        Sum alone = sum_begin();
        sum_add(&alone, value.re);
        sum_add(&alone, value.im);
        complex_sum_add(sum, value);
        lattice = alone.lattice < lattice ? alone.lattice : lattice;
    }
    ref_put_complex_sum(c->ref, i, sum, lattice);
}

static void put_element(const Conv *c, int64_t i, Element *element, int64_t k, bool unfilled)
{
    size_t components = c->x_im ? 2 : 1, first = (size_t)i * components;
    if (c->x_im)
        put_complex(c, first, &element->complex, k);
    else
        put_number(c, first, &element->sum, k);
    for (size_t part = 0; !unfilled && part < components; part++)
        c->ref->classes_filling[first + part] |= CLASS_NAN;
}

static void compute(const Conv *c, int64_t i)
{
    const ConvInput *in = c->in;
    int64_t out[CONV_AXES_MAX], number = i;
    for (int axis = c->axes - 1; axis >= 0; axis--)
        out[axis] = tensor_take_index(&number, in->y.extent[axis + 2]);
    Block block = block_of(c, number);
    Element element = {sum_begin(), complex_sum_begin()};
    bool unfilled = true;
    for (int64_t tap = 0; tap < c->taps; tap++)
        unfilled = add_tap(c, &element, out, tap, &block) && unfilled;
    put_element(c, i, &element, number % in->y.extent[1], unfilled);
}

static void allocate_sizes(Ref *ref, Arena *arena)
{
    ref->sizes = arena_take_zeroed(arena, ref->count + 1, sizeof *ref->sizes);
    ref->counts = arena_take_zeroed(arena, ref->count + 1, sizeof *ref->counts);
}

/* Upper bounds of the norms of `count` blocks of `size` numbers: of order 2, or
 * of order 1. */
static double *norms_of(const double *values, int64_t count, int64_t size, bool squares,
                        Arena *arena)
{
    double *norms = arena_take(arena, (size_t)count + 1, sizeof *norms);
    for (int64_t block = 0; block < count; block++) {
        double sum = 0;
        for (int64_t i = 0; i < size; i++) {
            double value = fabs(values[block * size + i]);
            sum = add_up(sum, squares ? mul_up(value, value) : value);
        }
        norms[block] = squares ? sqrt_up(sum) : sum;
    }
    return norms;
}

/* Levels of the transforms of an image with its padding. */
static int levels_of(const Conv *c)
{
    int levels = 0, exponent;
    for (int axis = 0; axis < c->axes; axis++) {
        (void)frexp((double)(c->of_x[axis] + 2 * c->in->dilation[axis] * c->kernel[axis]),
                    &exponent);
        levels += exponent;
    }
    return levels;
}

/* One number for each sample and channel of the result, which all its elements
 * have. */
static void put_spectrum(const Conv *c, Arena *arena)
{
    const ConvInput *in = c->in;
    enum { PER_LEVEL = 5, TRANSFORMS = 3 };
    int64_t planes = in->y.extent[0] * in->y.extent[1], area = 1;
    for (int axis = 0; axis < c->axes; axis++)
        area *= in->y.extent[axis + 2];
    int64_t of_w = in->w.extent[0] * in->w.extent[1];
    double *x = norms_of(c->x, in->x.extent[0] * in->x.extent[1], c->x_area, true, arena);
    double *w = norms_of(c->w, of_w, c->taps, false, arena);
    double factor = TRANSFORMS * PER_LEVEL * levels_of(c) + 2.0 * (double)(c->channels + 2);
    c->ref->spectrum = arena_take(arena, c->ref->count + 1, sizeof(double));
    for (int64_t plane = 0; plane < planes; plane++) {
        Block block = block_of(c, plane);
        double sum = 0;
        for (int64_t channel = 0; channel < c->channels; channel++)
            sum = add_up(sum, mul_up(x[block.x_first / c->x_area + channel],
                                     w[(block.w_first + channel * block.w_step) / c->taps]));
        for (int64_t i = 0; i < area; i++)
            c->ref->spectrum[plane * area + i] = mul_up(factor, sum);
    }
}

static bool is_regular(const ConvInput *in)
{
    int axes = in->x.rank - 2;
    bool regular = axes >= 1 && axes <= CONV_AXES_MAX && in->w.rank == in->x.rank &&
                   in->y.rank == in->x.rank && in->groups > 0 &&
                   in->x.extent[1] % in->groups == 0 && in->y.extent[1] % in->groups == 0;
    for (int axis = 0; regular && axis < axes; axis++)
        regular = in->stride[axis] > 0 && in->dilation[axis] > 0;
    return regular;
}

/* One part of the elements, or their negatives; lowers the lattice to theirs. */
static double *read_part(const Tensor *t, int part, bool negate, int *lattice, Arena *arena)
{
    Tensor values_of = dtype_components(t->dtype) == 2 ? tensor_part(*t, part) : *t;
    int own;
    double *values = tensor_read(&values_of, &own, arena);
    *lattice = own < *lattice ? own : *lattice;
    for (int64_t i = 0; negate && i < tensor_count(t); i++)
        values[i] = -values[i];
    return values;
}

/* Both factors of the products: x, and w or the gradient of y. */
static void read_factors(Conv *c, const Tensor *w, Arena *arena)
{
    const Tensor *x = &c->in->x;
    int of_x = REF_ZERO_LATTICE, of_w = REF_ZERO_LATTICE;
    c->x = read_part(x, 0, false, &of_x, arena);
    c->w = read_part(w, 0, false, &of_w, arena);
    if (dtype_components(x->dtype) == 2) {
        c->x_im = read_part(x, 1, c->in->conjugate_x, &of_x, arena);
        c->w_im = read_part(w, 1, c->in->conjugate_other, &of_w, arena);
    } else {
        c->ref->factor_bits = ref_factor_bits(x, w);
        allocate_sizes(c->ref, arena);
    }
    c->lattice = of_x + of_w;
}

void conv_reference(Ref *ref, const ConvInput *in, Arena *arena)
{
    REQUIRE(is_regular(in));
    ref_allocate_bounded(ref, in->y.dtype, &in->y, arena);
    Conv c = {
        .in = in, .ref = ref, .format = dtype_format(ref->accumulator), .axes = in->x.rank - 2};
    read_factors(&c, &in->w, arena);
    c.taps = c.x_area = 1;
    c.channels = in->x.extent[1] / in->groups;
    for (int axis = 0; axis < c.axes; axis++) {
        c.of_x[axis] = in->x.extent[axis + 2];
        c.kernel[axis] = in->w.extent[axis + 2];
        c.x_area *= c.of_x[axis];
        c.taps *= c.kernel[axis];
    }
    c.w_area = in->w.extent[1] * c.taps;
    for (int64_t i = 0; i < tensor_count(&in->y); i++)
        compute(&c, i);
    if (ref->count > 0 && !c.x_im)
        put_spectrum(&c, arena);
}

/* Adds the products of one sample and channel of x, from x_first on, with the gradient of one
 * output channel, which stands for w; false as for add_tap. */
static bool add_plane(const Conv *c, Element *element, const int64_t *tap, int64_t x_first,
                      int64_t dy_first)
{
    bool unfilled = true;
    int64_t area = 1;
    for (int axis = 0; axis < c->axes; axis++)
        area *= c->in->y.extent[axis + 2];
    for (int64_t number = 0; number < area; number++) {
        int64_t left = number, at = 0, step = 1;
        bool inside = true;
        for (int axis = c->axes - 1; axis >= 0 && inside; axis--) {
            int64_t out = tensor_take_index(&left, c->in->y.extent[axis + 2]);
            int64_t met = meet(c, axis, out, tap[axis]);
            inside = met >= 0;
            at += met * step;
            step *= c->of_x[axis];
        }
        if (inside)
            add_product(c, element, x_first + at, dy_first + number);
        unfilled = unfilled && (inside || is_weight_finite(c, dy_first + number));
    }
    return unfilled;
}

static void compute_weight(const Conv *c, int64_t i)
{
    const ConvInput *in = c->in;
    int64_t tap[CONV_AXES_MAX], number = i, y_area = 1;
    for (int axis = c->axes - 1; axis >= 0; axis--) {
        tap[axis] = tensor_take_index(&number, c->kernel[axis]);
        y_area *= in->y.extent[axis + 2];
    }
    int64_t channel = number % c->channels, k = number / c->channels;
    int64_t per_group = in->y.extent[1] / in->groups, group = per_group > 0 ? k / per_group : 0;
    Element element = {sum_begin(), complex_sum_begin()};
    bool unfilled = true;
    for (int64_t sample = 0; sample < in->x.extent[0]; sample++)
        unfilled = add_plane(c, &element, tap,
                             (sample * in->x.extent[1] + group * c->channels + channel) * c->x_area,
                             (sample * in->y.extent[1] + k) * y_area) &&
                   unfilled;
    put_element(c, i, &element, k, unfilled);
}

void conv_weights_reference(Ref *ref, const ConvInput *in, Arena *arena)
{
    REQUIRE(is_regular(in) && !in->transposed);
    ref_allocate_bounded(ref, in->w.dtype, &in->w, arena);
    Conv c = {
        .in = in, .ref = ref, .format = dtype_format(ref->accumulator), .axes = in->x.rank - 2};
    read_factors(&c, &in->y, arena);
    c.x_area = 1;
    c.channels = in->x.extent[1] / in->groups;
    for (int axis = 0; axis < c.axes; axis++) {
        c.of_x[axis] = in->x.extent[axis + 2];
        c.kernel[axis] = in->w.extent[axis + 2];
        c.x_area *= c.of_x[axis];
    }
    for (int64_t i = 0; i < tensor_count(&in->w); i++)
        compute_weight(&c, i);
}
