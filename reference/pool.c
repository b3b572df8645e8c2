/* The reference of pooling: each window is gathered as a list of values and reduced as reduce.c
 * does. */
#include "pool.h"

#include <math.h>

#include "share.h"

/* The elements under a window: `count` offsets into one channel.  places counts the padding under
 * it as well. */
typedef struct Window {
    int64_t *offsets, count, places;
} Window;

/* The places of a window along one axis. */
typedef struct Span {
    int64_t first, count, step;
} Span;

static Span span_of(const PoolInput *in, int axis, int64_t out)
{
    int64_t size = in->x.extent[axis + 2], outputs = in->y.extent[axis + 2];
    if (!in->adaptive)
        return (Span){out * in->stride[axis] - in->before[axis], in->kernel[axis],
                      in->dilation[axis]};
    int64_t first = out * size / outputs, end = ((out + 1) * size + outputs - 1) / outputs;
    return (Span){first, end - first, 1};
}

static void cover(Window *window, const PoolInput *in, const int64_t *out)
{
    int axes = in->x.rank - 2;
    int64_t taps = 1;
    Span span[POOL_AXES_MAX];
    for (int axis = 0; axis < axes; axis++) {
        span[axis] = span_of(in, axis, out[axis]);
        taps *= span[axis].count;
    }
    window->count = window->places = 0;
    for (int64_t tap = 0; tap < taps; tap++) {
        int64_t left = tap, offset = 0;
        bool inside = true, padded = true;
        for (int axis = axes - 1; axis >= 0; axis--) {
            int64_t size = in->x.extent[axis + 2];
            int64_t k = tensor_take_index(&left, span[axis].count);
            int64_t at = span[axis].first + k * span[axis].step;
            inside = inside && at >= 0 && at < size;
            padded = padded && at < size + in->after[axis];
            offset += at * in->x.stride[axis + 2];
        }
        window->places += padded;
        if (inside)
            window->offsets[window->count++] = offset;
    }
}

static int64_t taps_at_most(const PoolInput *in)
{
    int64_t taps = 1;
    for (int axis = 0; axis < in->x.rank - 2; axis++) {
        int64_t outputs = in->y.extent[axis + 2];
        taps *= in->adaptive ? in->x.extent[axis + 2] / (outputs > 0 ? outputs : 1) + 2
                             : in->kernel[axis];
    }
    return taps;
}

/* Calls for every window with the place of its channel in x. */
typedef void WindowVisit(void *context, const PoolInput *in, const Window *window, size_t number,
                         int64_t base);

static void visit_windows(const PoolInput *in, Window *window, WindowVisit *visit, void *context)
{
    int axes = in->x.rank - 2;
    for (int64_t i = 0; i < tensor_count(&in->y); i++) {
        int64_t out[POOL_AXES_MAX], number = i;
        for (int axis = axes - 1; axis >= 0; axis--)
            out[axis] = tensor_take_index(&number, in->y.extent[axis + 2]);
        int64_t channel = number % in->y.extent[1], sample = number / in->y.extent[1];
        cover(window, in, out);
        visit(context, in, window, (size_t)i, sample * in->x.stride[0] + channel * in->x.stride[1]);
    }
}

/* The values of one window at a time; other asks for the second reading of NaN. */
typedef struct Outputs {
    Ref *ref;
    double *values;
    bool other;
} Outputs;

static void put_window(void *context, const PoolInput *in, const Window *window, size_t number,
                       int64_t base)
{
    const Outputs *o = context;
    ReduceInput reduce = {.reduction = in->reduction};
    reduce.divisor = in->count_pads ? (double)window->places : 0;
    for (int64_t k = 0; k < window->count; k++)
        o->values[k] = dtype_load(in->x.dtype, in->x.origin, base + window->offsets[k]);
    if (window->count == 0)
        ref_set_classes(o->ref, number, CLASS_ANY);
    else
        reduce_put(o->ref, number, &reduce, o->values, window->count, o->other);
}

static bool is_regular(const PoolInput *in)
{
    int axes = in->x.rank - 2;
    bool regular = axes >= 1 && axes <= POOL_AXES_MAX && in->y.rank == in->x.rank;
    for (int axis = 0; regular && !in->adaptive && axis < axes; axis++)
        regular = in->kernel[axis] > 0 && in->stride[axis] > 0 && in->dilation[axis] > 0 &&
                  in->before[axis] >= 0 && in->after[axis] >= 0;
    return regular;
}

void pool_reference(Ref *ref, const PoolInput *in, Arena *arena)
{
    REQUIRE(is_regular(in));
    int64_t taps = taps_at_most(in);
    Ref other;
    Window window = {.offsets = arena_take(arena, (size_t)taps, sizeof(int64_t))};
    Outputs outputs = {ref, arena_take(arena, (size_t)taps, sizeof(double)), false};
    ref_allocate_bounded(ref, in->y.dtype, &in->y, arena);
    visit_windows(in, &window, put_window, &outputs);
    if (!reduce_policy(in->reduction))
        return;
    ref_allocate_bounded(&other, in->y.dtype, &in->y, arena);
    outputs.ref = &other;
    outputs.other = true;
    visit_windows(in, &window, put_window, &outputs);
    ref_add_alternative(ref, &other, reduce_policy(in->reduction), arena);
}

/* A gradient on its way to the elements of x; squares of one window. */
typedef struct Gradient {
    const Format *format;
    Shares shares;
    Ball *squares;
} Gradient;

static Ball element(const PoolInput *in, int64_t at)
{
    return ball_exact(dtype_load(in->x.dtype, in->x.origin, at));
}

/* Every element under the window gets the same share of dy. */
static void share_mean(const PoolInput *in, const Window *window, int64_t base, Ball dy,
                       Gradient *g)
{
    double divisor = (double)(in->count_pads ? window->places : window->count);
    for (int64_t k = 0; k < window->count; k++)
        shares_add(&g->shares, (size_t)(base + window->offsets[k]),
                   ball_mean(g->format, dy, divisor));
}

/* The greatest gets all; of several each gets anything between 0 and dy. */
static void share_greatest(const PoolInput *in, const Window *window, int64_t base, Ball dy,
                           Gradient *g)
{
    double top = -INFINITY;
    int64_t equal = 0;
    bool has_nan = false;
    for (int64_t k = 0; k < window->count; k++) {
        double x = dtype_load(in->x.dtype, in->x.origin, base + window->offsets[k]);
        has_nan = has_nan || isnan(x);
        equal = x > top ? 1 : equal + (x == top);
        top = fmax(top, x);
    }
    for (int64_t k = 0; k < window->count; k++) {
        int64_t at = base + window->offsets[k];
        Ball share = ball_exact(0);
        if (has_nan)
            share = ball_or(ball_either(dy, ball_exact(0)), CLASS_NAN);
        else if (dtype_load(in->x.dtype, in->x.origin, at) == top)
            share = equal > 1 ? ball_either(dy, ball_exact(0)) : dy;
        shares_add(&g->shares, (size_t)at, share);
    }
}

/* dy x / norm, or x (dy / norm). */
static void share_norm(const PoolInput *in, const Window *window, int64_t base, Ball dy,
                       Gradient *g)
{
    const Format *f = g->format;
    for (int64_t k = 0; k < window->count; k++) {
        Ball x = element(in, base + window->offsets[k]);
        g->squares[k] = ball_multiply(f, x, x);
    }
    Ball norm = ball_sqrt(f, ball_sum(f, g->squares, (size_t)window->count));
    Ball factor = ball_divide(f, dy, norm);
    for (int64_t k = 0; k < window->count; k++) {
        int64_t at = base + window->offsets[k];
        Ball x = element(in, at), late = ball_divide(f, ball_multiply(f, dy, x), norm);
        shares_add(&g->shares, (size_t)at, ball_either(late, ball_multiply(f, x, factor)));
    }
}

static void put_shares(void *context, const PoolInput *in, const Window *window, size_t number,
                       int64_t base)
{
    Ball dy = ball_exact(dtype_load(in->y.dtype, in->y.origin, (int64_t)number));
    (in->reduction == REDUCE_MEAN     ? share_mean
     : in->reduction == REDUCE_NORM_2 ? share_norm
                                      : share_greatest)(in, window, base, dy, context);
}

void pool_gradient_reference(Ref *ref, const PoolInput *in, Arena *arena)
{
    REQUIRE(is_regular(in));
    ref_allocate_bounded(ref, in->x.dtype, &in->x, arena);
    size_t taps = (size_t)taps_at_most(in);
    Window window = {.offsets = arena_take(arena, taps, sizeof(int64_t))};
    Gradient g = {.format = dtype_format(ref->accumulator),
                  .squares = arena_take(arena, taps, sizeof(Ball))};
    g.shares = shares_begin(arena);
    visit_windows(in, &window, put_shares, &g);
    shares_put(&g.shares, ref);
}
