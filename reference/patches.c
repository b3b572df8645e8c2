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

/* Where in the image a tap of a place is along an axis, which may be in the padding. */
static int64_t position(const Patches *p, int axis, int64_t place, int64_t tap)
{
    return place * p->stride[axis] - p->before[axis] + tap * p->dilation[axis];
}

static bool is_inside(const Patches *p, int axis, int64_t at)
{
    return at >= 0 && at < p->image.extent[axis + 1];
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
            int64_t index = position(p, axis, at[axis], of_tap[axis]);
            inside = inside && is_inside(p, axis, index);
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

/* The line of places that begins with `at`, cut to those that meet the image. */
static bool cut_line(const Patches *p, const int64_t *at, const int64_t *of_tap, PatchLine *line)
{
    const Tensor *image = &p->image;
    int last = p->axes - 1;
    int64_t offset = 0, shift = position(p, last, 0, of_tap[last]);
    for (int axis = 0; axis < last; axis++) {
        int64_t index = position(p, axis, at[axis], of_tap[axis]);
        if (!is_inside(p, axis, index))
            return false;
        offset += index * image->stride[axis + 1];
    }
    int64_t begin = divide_up(-shift, p->stride[last]);
    int64_t end = divide_up(image->extent[last + 1] - shift, p->stride[last]);
    end = end < p->places[last] ? end : p->places[last];
    if (begin >= end)
        return false;
    offset += position(p, last, begin, of_tap[last]) * image->stride[last + 1];
    line->first += begin;
    line->view = tensor_matrix(image->dtype, end - begin, image->extent[0],
                               p->stride[last] * image->stride[last + 1], image->stride[0],
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
