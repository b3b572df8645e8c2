/* The reference of interpolation at a point: a sum over the elements that the coordinate may meet
 * within its radius, each with its weight. */
#include "sample.h"

#include <math.h>

#include "mag.h"

SampleInput sample_channel(const Tensor *images, int64_t number, SampleMode mode)
{
    SampleInput in = {.x = *images, .mode = mode};
    int64_t area = 1;
    in.x.rank = images->rank - 2;
    for (int axis = 0; axis < in.x.rank; axis++) {
        in.x.extent[axis] = images->extent[axis + 2];
        in.x.stride[axis] = images->stride[axis + 2];
        area *= in.x.extent[axis];
    }
    in.x.origin = (char *)images->origin + (size_t)(number * area) * dtype_size(images->dtype);
    return in;
}

/* The place of the element with these indices by the rule of the edge, -1 for a zero. */
static int64_t offset_of(const SampleInput *in, const int64_t *index)
{
    int64_t offset = 0;
    for (int axis = 0; axis < in->x.rank; axis++) {
        int64_t extent = in->x.extent[axis], at = index[axis];
        bool element = in->edge == EDGE_MIRROR_ELEMENT;
        int64_t period = element ? 2 * (extent - 1) : 2 * extent;
        if (in->edge == EDGE_ZEROS && (at < 0 || at >= extent))
            return -1;
        if (in->edge == EDGE_CLAMP)
            at = at < 0 ? 0 : at >= extent ? extent - 1 : at;
        if (in->edge >= EDGE_MIRROR_ELEMENT) {
            at = period > 0 ? (at % period + period) % period : 0;
            at = at >= extent ? (element ? period : period - 1) - at : at;
        }
        offset += at * in->x.stride[axis];
    }
    return offset;
}

double sample_element(const SampleInput *in, const int64_t *index)
{
    int64_t offset = offset_of(in, index);
    return offset < 0 ? 0 : dtype_load(in->x.dtype, in->x.origin, offset);
}

/* All indices from first to last, those included. */
typedef struct Box {
    int64_t first[SAMPLE_AXES_MAX], last[SAMPLE_AXES_MAX];
} Box;

static bool box_step(const Box *box, int64_t *index, int axes)
{
    for (int axis = axes - 1; axis >= 0; axis--) {
        if (++index[axis] <= box->last[axis])
            return true;
        index[axis] = box->first[axis];
    }
    return false;
}

static void box_begin(const Box *box, int64_t *index, int axes)
{
    for (int axis = 0; axis < axes; axis++)
        index[axis] = box->first[axis];
}

/* The weight of an element at a distance from the coordinate. */
static long double weight(SampleMode mode, long double distance)
{
    const long double a = -0.75L, d = fabsl(distance);
    if (mode == SAMPLE_LINEAR)
        return d < 1 ? 1 - d : 0;
    if (d <= 1)
        return ((a + 2) * d - (a + 3)) * d * d + 1;
    return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

/* Elements that any coordinate within the radii gives a weight. */
static Box reach(const SampleInput *in, const SamplePoint *p)
{
    Box box = {{0}, {0}};
    int64_t wide = in->mode == SAMPLE_CUBIC;
    for (int axis = 0; axis < in->x.rank; axis++) {
        box.first[axis] = (int64_t)floorl(p->coordinate[axis] - p->radius[axis]) - wide;
        box.last[axis] = (int64_t)floorl(p->coordinate[axis] + p->radius[axis]) + 1 + wide;
        /* Kernels that clamp the coordinate multiply the neighbour of the first or last element by
         * 0. */
        if (in->edge == EDGE_CLAMP && box.first[axis] < 0 && box.last[axis] < 1)
            box.last[axis] = 1;
        if (in->edge == EDGE_CLAMP && box.first[axis] > in->x.extent[axis] - 2)
            box.first[axis] = in->x.extent[axis] - 2;
    }
    return box;
}

/* What elements that are not finite make of a weighted sum.  An element whose weight may be 0 may
 * be left out, or make NaN. */
typedef struct Special {
    unsigned certain, possible;
} Special;

static void special_add(Special *s, double x, double weight, double radii, double unit)
{
    if (isfinite(x))
        return;
    if (fabs(weight) > 4 * radii + 64 * unit)
        s->certain |= value_class(x * weight);
    else if (weight == 0 && radii == 0)
        s->possible |= CLASS_NAN;
    else
        s->possible |= isnan(x) ? CLASS_NAN : CLASS_NAN | CLASS_INFINITE;
}

static void put_interpolated(Ref *ref, size_t i, const SampleInput *in, const SamplePoint *p)
{
    int axes = in->x.rank;
    const Format *format = dtype_format(ref->accumulator);
    Box box = reach(in, p);
    int64_t index[SAMPLE_AXES_MAX];
    long double value = 0;
    /* A coordinate that is mirrored before it is rounded down has the neighbour on the other side.
     */
    for (int axis = 0; axis < axes && in->edge >= EDGE_MIRROR_ELEMENT; axis++)
        box.first[axis]--;
    double least = INFINITY, greatest = -INFINITY, size = 0, radii = 0, growth = 1;
    Special special = {0, 0};
    for (int axis = 0; axis < axes; axis++)
        radii += p->radius[axis];
    box_begin(&box, index, axes);
    do {
        double x = sample_element(in, index);
        long double share = 1;
        for (int axis = 0; axis < axes; axis++)
            share *= weight(in->mode, p->coordinate[axis] - index[axis]);
        special_add(&special, x, (double)share, radii, format->unit);
        if (!isfinite(x))
            continue;
        value += share * x;
        least = fmin(least, x);
        greatest = fmax(greatest, x);
        size = fmax(size, fabs(x));
    } while (box_step(&box, index, axes));
    if (special.certain) {
        ref_set_classes(ref, i, sum_class(special.certain) | CLASS_NAN);
        return;
    }
    for (int axis = 0; axis < axes; axis++)
        growth *= axis > 0 && in->mode == SAMPLE_CUBIC ? 1.5 : 1;
    if (!(size < format->largest / 64)) {
        ref_set_classes(ref, i, CLASS_ANY);
        return;
    }
    bool cubic = in->mode == SAMPLE_CUBIC;
    double bound = (cubic ? 2.5 * growth : 1) * (greatest - least) * radii +
                   (cubic ? 160 * growth : 6) * axes * format->unit * size;
    /* 2^-20 for products of errors, and for the roundings of the bound itself. */
    ref_put_bounded(ref, i, value, 0x1p-55L * size,
                    bound * (1 + 0x1p-20) + 8 * format->smallest_normal);
    ref_set_classes(ref, i, ref->classes[i] | special.possible);
}

static int64_t index_of(SampleRounding rounding, long double coordinate)
{
    if (rounding == SAMPLE_FLOOR)
        return (int64_t)floorl(coordinate);
    return (int64_t)(rounding == SAMPLE_TIES_DOWN ? ceill(coordinate - 0.5L) : rintl(coordinate));
}

/* The elements that may be the nearest one. */
static Box nearest_box(const SampleInput *in, const SamplePoint *p)
{
    Box box = {{0}, {0}};
    for (int axis = 0; axis < in->x.rank; axis++) {
        box.first[axis] = index_of(in->rounding, p->coordinate[axis] - p->radius[axis]);
        box.last[axis] = index_of(in->rounding, p->coordinate[axis] + p->radius[axis]);
    }
    return box;
}

static void put_nearest(Ref *ref, size_t i, const SampleInput *in, const SamplePoint *p)
{
    Box box = nearest_box(in, p);
    int64_t index[SAMPLE_AXES_MAX];
    double *set = ref->candidates + i * REF_CANDIDATES;
    unsigned classes = 0;
    int count = 0;
    box_begin(&box, index, in->x.rank);
    do {
        double x = sample_element(in, index);
        classes |= value_class(x);
        if (!isfinite(x))
            continue;
        if (count == REF_CANDIDATES) {
            ref_set_classes(ref, i, CLASS_ANY);
            ref->match[i] = MATCH_BOUND;
            return;
        }
        set[count++] = x;
    } while (box_step(&box, index, in->x.rank));
    for (int k = count; k < REF_CANDIDATES; k++)
        set[k] = count ? set[0] : 0;
    ref_set_exact(ref, i, set[0], MATCH_VALUE);
    ref_set_classes(ref, i, classes);
    if (count > 1)
        ref->match[i] = MATCH_SET;
}

/* Brings a point near the elements; false where nothing is known of it. */
static bool approach(const SampleInput *in, SamplePoint *p)
{
    REQUIRE(in->x.rank > 0 && in->x.rank <= SAMPLE_AXES_MAX);
    enum { REACH = 3 };
    for (int axis = 0; axis < in->x.rank; axis++) {
        long double *c = &p->coordinate[axis];
        REQUIRE(!(p->radius[axis] < 0) && in->x.extent[axis] > 0);
        if (!(p->radius[axis] < 0.25) || !(fabsl(*c) < 0x1p40L))
            return false;
        /* Far outside everything is the last element. */
        if (in->edge == EDGE_CLAMP)
            *c = fminl(fmaxl(*c, -REACH), (long double)(in->x.extent[axis] + REACH));
    }
    return true;
}

/* Beyond the ends by more than the radius, with zeros or the last element there: brought near,
 * where nothing changes any more.  On the usual way an infinite coordinate, or one that overflows,
 * has weights of NaN, with which zeros may be multiplied. */
static bool bring_near(const SampleInput *in, const Format *format, SamplePoint *p)
{
    enum { FAR = 4 };
    bool may_be_nan = false;
    for (int axis = 0; axis < in->x.rank && in->edge <= EDGE_ZEROS; axis++) {
        long double *c = &p->coordinate[axis], extent = (long double)in->x.extent[axis];
        long double reach = isinf(*c) ? 0 : (long double)p->radius[axis];
        if (!(*c + reach < -FAR) && !(*c - reach > extent + FAR))
            continue;
        may_be_nan = may_be_nan || !(fabsl(*c) + reach < format->largest / (4 * (extent + 1)));
        *c = *c < 0 ? -FAR : extent + FAR;
        p->radius[axis] = 0;
    }
    return may_be_nan;
}

/* The sum of the magnitudes of all weights, but for one axis where `axes` is one less. */
static double all_weights(const SampleInput *in, int axes)
{
    return in->mode == SAMPLE_CUBIC ? pow(1.5, axes) : 1;
}

/* NaN, or a number that is no larger than the elements times a factor. */
static Ball within_elements(const SampleInput *in, double factor)
{
    double size = 0;
    unsigned classes = CLASS_NAN;
    for (int64_t k = 0; k < tensor_count(&in->x); k++) {
        double x = tensor_value(&in->x, k);
        classes |= value_class(x);
        size = isfinite(x) ? fmax(size, fabs(x)) : size;
    }
    return ball_or((Ball){0, factor * size * (1 + 0x1p-10), CLASS_FINITE},
                   classes & ~(unsigned)CLASS_FINITE);
}

Ball sample_of_any_point(const SampleInput *in)
{
    return within_elements(in, all_weights(in, in->x.rank));
}

Ball sample_share_of_any_point(const SampleInput *in, Ball gradient)
{
    if (!ball_is_known(gradient))
        return ball_unknown();
    double size = double_up(fabsl(gradient.value)) + gradient.radius;
    return (Ball){0, all_weights(in, in->x.rank) * size * (1 + 0x1p-10), CLASS_FINITE | CLASS_NAN};
}

Ball sample_slope_of_any_point(const SampleInput *in)
{
    enum { OF_LINEAR = 2, OF_CUBIC = 5 };
    if (in->mode == SAMPLE_NEAREST)
        return ball_or(ball_exact(0), CLASS_NAN);
    double steepest = in->mode == SAMPLE_CUBIC ? OF_CUBIC : OF_LINEAR;
    return within_elements(in, steepest * all_weights(in, in->x.rank - 1));
}

void sample_put(Ref *ref, size_t i, const SampleInput *in, const SamplePoint *p)
{
    REQUIRE(ref->candidates || in->mode != SAMPLE_NEAREST);
    SamplePoint near = *p;
    bool may_be_nan = bring_near(in, dtype_format(ref->accumulator), &near);
    if (!approach(in, &near))
        ref_put_ball(ref, i, sample_of_any_point(in));
    else if (in->mode == SAMPLE_NEAREST)
        put_nearest(ref, i, in, &near);
    else
        put_interpolated(ref, i, in, &near);
    if (may_be_nan)
        ref_set_classes(ref, i, ref->classes[i] | CLASS_NAN);
}

/* The fraction of a coordinate is the weight above, which 1 less a distance would round away where
 * it is small.  One that is a multiple of the unit, and 1 less it, do not round. */
static Ball linear_weight(long double c, double r, double unit, int64_t index)
{
    int64_t cell = (int64_t)floorl(c);
    long double fraction = c - (long double)cell, units = fraction / unit;
    bool is_exact = r == 0 && units == floorl(units);
    if ((long double)index < floorl(c - r) || (long double)index > floorl(c + r) + 1)
        return ball_exact(0);
    return (Ball){index == cell       ? 1 - fraction
                  : index == cell + 1 ? fraction
                                      : 0,
                  is_exact ? 0 : r + 4 * unit, 0};
}

static Ball weight_ball(const SampleInput *in, const SamplePoint *p, const Format *format, int axis,
                        int64_t index)
{
    long double c = p->coordinate[axis];
    double r = p->radius[axis];
    if (in->mode == SAMPLE_LINEAR)
        return linear_weight(c, r, format->unit, index);
    if (fabsl(c - (long double)index) >= 2 + (long double)r)
        return ball_exact(0);
    bool is_exact = r == 0 && c == floorl(c);
    return (Ball){weight(in->mode, c - (long double)index),
                  1.5 * r + (is_exact ? 0 : 32 * format->unit), 0};
}

/* The weights of nearest elements are 1, or either where the radius reaches over a threshold. */
static int nearest_shares(const SampleInput *in, const SamplePoint *p, SampleShare *shares)
{
    Box box = nearest_box(in, p);
    int64_t index[SAMPLE_AXES_MAX];
    int count = 0;
    bool one = true;
    for (int axis = 0; axis < in->x.rank; axis++)
        one = one && box.first[axis] == box.last[axis];
    box_begin(&box, index, in->x.rank);
    do
        shares[count++] = (SampleShare){
            offset_of(in, index), one ? ball_exact(1) : ball_either(ball_exact(0), ball_exact(1))};
    while (box_step(&box, index, in->x.rank));
    return count;
}

/* The lower element of the highest cell, or of the lowest, that a coordinate may lie in: an element
 * belongs to the cells on both sides. */
static int64_t cell_beside(const SamplePoint *p, int axis, bool above)
{
    long double c = p->coordinate[axis], r = p->radius[axis];
    return (int64_t)(above ? floorl(c + r) : ceill(c - r) - 1);
}

static Ball slope_ball(const SampleInput *in, const SamplePoint *p, const Format *format, int axis,
                       int64_t index, bool above)
{
    const long double a = -0.75L;
    double r = p->radius[axis];
    long double d = p->coordinate[axis] - (long double)index, size = fabsl(d), slope;
    if (in->mode == SAMPLE_LINEAR) {
        int64_t cell = cell_beside(p, axis, above);
        return ball_exact(index == cell ? -1 : index == cell + 1 ? 1 : 0);
    }
    if (size >= 2 + (long double)r)
        return ball_exact(0);
    if (size <= 1)
        slope = (3 * (a + 2) * size - 2 * (a + 3)) * size;
    else
        slope = size < 2 ? (3 * a * size - 10 * a) * size + 8 * a : 0;
    return (Ball){d < 0 ? -slope : slope, 5 * r + 64 * format->unit, 0};
}

/* The product of the weights of all axes, with the derivative along one if it derives. */
static int product_shares(const SampleInput *in, const SamplePoint *p, const Format *format,
                          bool derives, int slope_axis, bool above, SampleShare *shares)
{
    Box box = reach(in, p);
    int64_t index[SAMPLE_AXES_MAX];
    int count = 0;
    if (derives && !above && cell_beside(p, slope_axis, false) < box.first[slope_axis])
        box.first[slope_axis]--;
    box_begin(&box, index, in->x.rank);
    do {
        Ball product = ball_exact(1);
        for (int axis = 0; axis < in->x.rank; axis++) {
            bool steep = derives && axis == slope_axis;
            Ball factor = steep ? slope_ball(in, p, format, axis, index[axis], above)
                                : weight_ball(in, p, format, axis, index[axis]);
            product = ball_multiply(format, product, factor);
            if (factor.value == 0 && factor.radius == 0) {
                product = ball_exact(0);
                break;
            }
        }
        REQUIRE(count < SAMPLE_SHARES_MAX);
        shares[count++] = (SampleShare){offset_of(in, index), product};
    } while (box_step(&box, index, in->x.rank));
    return count;
}

int sample_shares(const SampleInput *in, const SamplePoint *p, const Format *format,
                  SampleShare *shares)
{
    SamplePoint near = *p;
    if (!approach(in, &near))
        return -1;
    if (in->mode == SAMPLE_NEAREST)
        return nearest_shares(in, &near, shares);
    return product_shares(in, &near, format, false, 0, false, shares);
}

int sample_slopes(const SampleInput *in, const SamplePoint *p, const Format *format, int axis,
                  bool above, SampleShare *shares)
{
    SamplePoint near = *p;
    if (!approach(in, &near))
        return -1;
    if (in->mode == SAMPLE_NEAREST)
        return 0;
    return product_shares(in, &near, format, true, axis, above, shares);
}

Ball sample_product(const Format *format, Ball x, Ball weight)
{
    Ball product = ball_multiply(format, x, weight);
    bool vanishes = fabsl(weight.value) <= weight.radius;
    return vanishes && !ball_is_known(x) ? ball_either(product, ball_masked(x)) : product;
}

SampleSide sample_side(const SampleInput *in, const SamplePoint *p, bool border)
{
    SampleSide found = SAMPLE_INSIDE;
    for (int axis = 0; axis < in->x.rank; axis++) {
        long double low = p->coordinate[axis] - p->radius[axis];
        long double high = p->coordinate[axis] + p->radius[axis];
        long double end = (long double)in->x.extent[axis];
        if (high < -1 || low > end)
            return SAMPLE_OUTSIDE;
        if (low < -1 || high > end || (border && (low == -1 || high == end)))
            found = SAMPLE_EITHER_SIDE;
    }
    return found;
}

bool sample_has_kink(const SampleInput *in, const SamplePoint *p, int axis)
{
    long double c = p->coordinate[axis], r = p->radius[axis];
    return in->mode == SAMPLE_LINEAR && ceill(c - r) <= floorl(c + r);
}
