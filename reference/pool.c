/* Each window as a list of values. */
#include "pool.h"

/* What a window covers: offsets into one channel, and how many places it has with padding. */
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

static void put_windows(Ref *ref, const PoolInput *in, Window *window, double *values, bool other)
{
    int axes = in->x.rank - 2;
    for (size_t i = 0; i < ref->count; i++) {
        int64_t out[POOL_AXES_MAX], number = (int64_t)i;
        for (int axis = axes - 1; axis >= 0; axis--)
            out[axis] = tensor_take_index(&number, in->y.extent[axis + 2]);
        int64_t channel = number % in->y.extent[1], sample = number / in->y.extent[1];
        int64_t base = sample * in->x.stride[0] + channel * in->x.stride[1];
        cover(window, in, out);
        for (int64_t k = 0; k < window->count; k++)
            values[k] = dtype_load(in->x.dtype, in->x.origin, base + window->offsets[k]);
        ReduceInput reduce = {.reduction = in->reduction};
        reduce.divisor = in->count_pads ? (double)window->places : 0;
        if (window->count == 0)
            ref_set_classes(ref, i, CLASS_ANY);
        else
            reduce_put(ref, i, &reduce, values, window->count, other);
    }
}

void pool_reference(Ref *ref, const PoolInput *in, Arena *arena)
{
    int64_t taps = taps_at_most(in);
    Ref other;
    Window window = {.offsets = arena_take(arena, (size_t)taps, sizeof(int64_t))};
    double *values = arena_take(arena, (size_t)taps, sizeof *values);
    ref_allocate_bounded(ref, in->y.dtype, &in->y, arena);
    put_windows(ref, in, &window, values, false);
    if (!reduce_policy(in->reduction))
        return;
    ref_allocate_bounded(&other, in->y.dtype, &in->y, arena);
    put_windows(&other, in, &window, values, true);
    ref_add_alternative(ref, &other, reduce_policy(in->reduction), arena);
}
