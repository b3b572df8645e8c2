/* Lines of places that meet an image. */
#include "patches.h"

#include <string.h>

int64_t patches_taps(const Patches *p)
{
    int64_t taps = 1;
    for (int axis = 0; axis < p->axes; axis++)
        taps *= p->kernel[axis];
    return taps;
}

static int64_t count_places(const Patches *p)
{
    int64_t count = 1;
    for (int axis = 0; axis < p->axes; axis++)
        count *= p->places[axis];
    return count;
}

Tensor patches_image(const Patches *p)
{
    const Tensor *image = &p->image;
    int64_t area = 1;
    for (int axis = p->axes; axis > 0; axis--) {
        REQUIRE(image->extent[axis] < 2 || image->stride[axis] == area);
        area *= image->extent[axis];
    }
    return tensor_matrix(image->dtype, image->extent[0], area, image->stride[0], 1, image->origin);
}

Tensor patches_view(const Patches *p)
{
    int64_t columns = p->image.extent[0] * patches_taps(p);
    return tensor_matrix(p->image.dtype, count_places(p), columns, columns, 1, NULL);
}

/* The indices of a tap, or of a place, from its number. */
static void indices_of(int64_t number, const int64_t *extents, int axes, int64_t *indices)
{
    for (int axis = axes - 1; axis >= 0; axis--)
        indices[axis] = tensor_take_index(&number, extents[axis]);
}

/* Where in the image a tap of a place is along an axis; false where it is in the padding, or where
 * no element is spread to the place. */
static bool meets(const Patches *p, int axis, int64_t place, int64_t tap, int64_t *at)
{
    int64_t shift = p->before[axis] - tap * p->dilation[axis], stride = p->stride[axis];
    *at = p->spreads ? (place + shift) / stride : place * stride - shift;
    return *at >= 0 && *at < p->image.extent[axis + 1] &&
           (!p->spreads || *at * stride == place + shift);
}

/* One row: at is its place. */
static void copy_patch(const Patches *p, const int64_t *at, int64_t taps, char *to)
{
    const Tensor *image = &p->image;
    int64_t size = (int64_t)dtype_size(image->dtype);
    for (int64_t tap = 0; tap < taps; tap++) {
        int64_t of_tap[PATCHES_AXES_MAX], offset = 0;
        bool inside = true;
        indices_of(tap, p->kernel, p->axes, of_tap);
        for (int axis = 0; axis < p->axes; axis++) {
            int64_t index;
            inside = meets(p, axis, at[axis], of_tap[axis], &index) && inside;
            offset += index * image->stride[axis + 1];
        }
        for (int64_t channel = 0; inside && channel < image->extent[0]; channel++)
            memcpy(to + (channel * taps + tap) * size,
                   (const char *)image->origin + (offset + channel * image->stride[0]) * size,
                   (size_t)size);
    }
}

Tensor patches_rows(const Patches *p, const size_t *rows, size_t count, Arena *arena)
{
    Tensor to = patches_view(p);
    int64_t taps = patches_taps(p), width = to.extent[1] * (int64_t)dtype_size(to.dtype);
    to.extent[0] = (int64_t)count;
    to.origin = arena_take_zeroed(arena, count + 1, (size_t)width);
    for (size_t i = 0; i < count; i++) {
        int64_t at[PATCHES_AXES_MAX];
        indices_of((int64_t)(rows ? rows[i] : i), p->places, p->axes, at);
        copy_patch(p, at, taps, (char *)to.origin + (int64_t)i * width);
    }
    return to;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return a <= 0 ? 0 : (a + b - 1) / b;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Places along the last axis that meet the image, and where the first of them does. */
typedef struct Span {
    int64_t place, step, count, at, advance;
} Span;

static Span span_of(const Patches *p, int64_t tap)
{
    int last = p->axes - 1;
    int64_t extent = p->image.extent[last + 1], stride = p->stride[last], places = p->places[last];
    int64_t shift = p->before[last] - tap * p->dilation[last];
    if (!p->spreads) {
        int64_t begin = divide_up(shift, stride);
        int64_t end = lesser(divide_up(extent + shift, stride), places);
        return (Span){begin, 1, end - begin, begin * stride - shift, stride};
    }
    int64_t begin = divide_up(shift, stride);
    int64_t end = lesser(divide_up(places + shift, stride), extent);
    return (Span){begin * stride - shift, stride, end - begin, begin, 1};
}

/* The line of places that begins with `at`, cut to those that meet the image. */
static bool cut_line(const Patches *p, const int64_t *at, const int64_t *of_tap, PatchLine *line)
{
    const Tensor *image = &p->image;
    int last = p->axes - 1;
    int64_t offset = 0, stride = image->stride[last + 1];
    for (int axis = 0; axis < last; axis++) {
        int64_t index;
        if (!meets(p, axis, at[axis], of_tap[axis], &index))
            return false;
        offset += index * image->stride[axis + 1];
    }
    Span span = span_of(p, of_tap[last]);
    if (span.count <= 0)
        return false;
    offset += span.at * stride;
    line->first += span.place;
    line->step = span.step;
    line->view = tensor_matrix(image->dtype, span.count, image->extent[0], span.advance * stride,
                               image->stride[0],
                               (char *)image->origin + offset * (int64_t)dtype_size(image->dtype));
    return true;
}

void patches_visit(const Patches *p, int64_t tap, PatchVisit *visit, void *context)
{
    int64_t of_tap[PATCHES_AXES_MAX], at[PATCHES_AXES_MAX], count = count_places(p);
    indices_of(tap, p->kernel, p->axes, of_tap);
    for (int64_t first = 0; first < count; first += p->places[p->axes - 1]) {
        PatchLine line = {.first = first};
        indices_of(first, p->places, p->axes, at);
        if (cut_line(p, at, of_tap, &line))
            visit(context, &line);
    }
}
