/* A point is a sum over the elements that its coordinate may meet, each with its weight. */
#include "sample.h"

#include <math.h>

/* The element with these indices, by the rule of the edge. */
static double element(const SampleInput *in, const int64_t *index)
{
    int64_t offset = 0;
    for (int axis = 0; axis < in->x.rank; axis++) {
        int64_t extent = in->x.extent[axis], at = index[axis];
        bool element = in->edge == EDGE_MIRROR_ELEMENT;
        int64_t period = element ? 2 * (extent - 1) : 2 * extent;
        if (in->edge == EDGE_ZEROS && (at < 0 || at >= extent))
            return 0;
        if (in->edge == EDGE_CLAMP)
            at = at < 0 ? 0 : at >= extent ? extent - 1 : at;
        if (in->edge >= EDGE_MIRROR_ELEMENT) {
            at = period > 0 ? (at % period + period) % period : 0;
            at = at >= extent ? (element ? period : period - 1) - at : at;
        }
        offset += at * in->x.stride[axis];
    }
    return dtype_load(in->x.dtype, in->x.origin, offset);
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

static void put_interpolated(Ref *ref, size_t i, const SampleInput *in, const SamplePoint *p)
{
    int axes = in->x.rank;
    const Format *format = dtype_format(ref->accumulator);
    Box box = reach(in, p);
    int64_t index[SAMPLE_AXES_MAX];
    long double value = 0;
    double least = INFINITY, greatest = -INFINITY, size = 0, radii = 0, growth = 1;
    bool finite = true;
    box_begin(&box, index, axes);
    do {
        double x = element(in, index);
        long double product = x;
        for (int axis = 0; axis < axes; axis++)
            product *= weight(in->mode, p->coordinate[axis] - index[axis]);
        finite = finite && isfinite(x);
        value += product;
        least = fmin(least, x);
        greatest = fmax(greatest, x);
        size = fmax(size, fabs(x));
    } while (box_step(&box, index, axes));
    for (int axis = 0; axis < axes; axis++) {
        radii += p->radius[axis];
        growth *= axis > 0 && in->mode == SAMPLE_CUBIC ? 1.5 : 1;
    }
    if (!finite || !(size < format->largest / 64)) {
        ref_set_classes(ref, i, CLASS_ANY);
        return;
    }
    bool cubic = in->mode == SAMPLE_CUBIC;
    double bound = (cubic ? 2.5 * growth : 1) * (greatest - least) * radii +
                   (cubic ? 160 * growth : 6) * axes * format->unit * size;
    ref_put_bounded(ref, i, value, 0x1p-55L * size,
                    bound * (1 + 0x1p-20) + 8 * format->smallest_normal);
}

static int64_t index_of(SampleRounding rounding, long double coordinate)
{
    if (rounding == SAMPLE_FLOOR)
        return (int64_t)floorl(coordinate);
    return (int64_t)(rounding == SAMPLE_TIES_DOWN ? ceill(coordinate - 0.5L) : rintl(coordinate));
}

static void put_nearest(Ref *ref, size_t i, const SampleInput *in, const SamplePoint *p)
{
    Box box = {{0}, {0}};
    int64_t index[SAMPLE_AXES_MAX];
    double *set = ref->candidates + i * REF_CANDIDATES;
    int count = 0;
    for (int axis = 0; axis < in->x.rank; axis++) {
        box.first[axis] = index_of(in->rounding, p->coordinate[axis] - p->radius[axis]);
        box.last[axis] = index_of(in->rounding, p->coordinate[axis] + p->radius[axis]);
    }
    box_begin(&box, index, in->x.rank);
    do {
        double x = element(in, index);
        if (count == 0)
            ref_set_exact(ref, i, x, MATCH_VALUE);
        if (count == REF_CANDIDATES || (count > 0 && !isfinite(x + set[0]))) {
            ref_set_classes(ref, i, CLASS_ANY);
            ref->match[i] = MATCH_BOUND;
            return;
        }
        set[count++] = x;
    } while (box_step(&box, index, in->x.rank));
    for (int k = count; k < REF_CANDIDATES; k++)
        set[k] = set[0];
    if (count > 1)
        ref->match[i] = MATCH_SET;
}

void sample_put(Ref *ref, size_t i, const SampleInput *in, const SamplePoint *p)
{
    enum { REACH = 3 };
    SamplePoint near = *p;
    if (in->x.rank > SAMPLE_AXES_MAX)
        BUG("an image of %d axes", in->x.rank);
    for (int axis = 0; axis < in->x.rank; axis++) {
        long double *c = &near.coordinate[axis];
        if (!(p->radius[axis] < 0.25) || !(fabsl(*c) < 0x1p40L)) {
            ref_set_classes(ref, i, CLASS_ANY);
            return;
        }
        /* Far outside everything is the last element. */
        if (in->edge == EDGE_CLAMP)
            *c = fminl(fmaxl(*c, -REACH), (long double)(in->x.extent[axis] + REACH));
    }
    if (in->mode == SAMPLE_NEAREST)
        put_nearest(ref, i, in, &near);
    else
        put_interpolated(ref, i, in, &near);
}
