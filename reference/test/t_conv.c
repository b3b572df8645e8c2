/* Convolutions of small integers against plain loops, and their gradients by the adjoint identities
 * sum y dy = sum x dx = sum w dw, which hold exactly. */
#include <string.h>

#include "reference/conv.h"
#include "reference/random.h"
#include "tests/check.h"

enum { ELEMENTS_MAX = 20000 };

static double x_data[ELEMENTS_MAX], w_data[ELEMENTS_MAX], y_data[ELEMENTS_MAX],
    dy_data[ELEMENTS_MAX];

static Tensor image(double *data, int64_t n, int64_t c, int64_t h, int64_t w)
{
    return (Tensor){.dtype = DT_F64,
                    .rank = 4,
                    .extent = {n, c, h, w},
                    .stride = {c * h * w, h * w, w, 1},
                    .origin = data};
}

static void fill(double *data, int64_t count, uint64_t *state)
{
    for (int64_t i = 0; i < count; i++)
        data[i] = (double)(random_next(state) % 9) - 4;
}

static int64_t output_of(const ConvInput *in, int axis, int64_t after)
{
    int64_t reach = in->dilation[axis] * (in->w.extent[axis + 2] - 1) + 1;
    return (in->x.extent[axis + 2] + in->before[axis] + after - reach) / in->stride[axis] + 1;
}

/* y[n, k, i, j] by the definition. */
static double plain(const ConvInput *in, int64_t n, int64_t k, int64_t i, int64_t j)
{
    int64_t channels = in->w.extent[1], per_group = in->y.extent[1] / in->groups,
            first = k / per_group * channels;
    double sum = 0;
    for (int64_t c = 0; c < channels; c++)
        for (int64_t a = 0; a < in->w.extent[2]; a++)
            for (int64_t b = 0; b < in->w.extent[3]; b++) {
                int64_t row = i * in->stride[0] - in->before[0] + a * in->dilation[0];
                int64_t column = j * in->stride[1] - in->before[1] + b * in->dilation[1];
                if (row < 0 || column < 0 || row >= in->x.extent[2] || column >= in->x.extent[3])
                    continue;
                sum += x_data[((n * in->x.extent[1] + first + c) * in->x.extent[2] + row) *
                                  in->x.extent[3] +
                              column] *
                       w_data[((k * channels + c) * in->w.extent[2] + a) * in->w.extent[3] + b];
            }
    return sum;
}

static double inner(const Ref *ref, const double *other)
{
    double sum = 0;
    for (size_t i = 0; i < ref->count; i++)
        sum += (ref->high[i] + ref->low[i]) * other[i];
    return sum;
}

static void check_one(uint64_t *state, Arena *arena)
{
    int64_t n = 1 + (int64_t)(random_next(state) % 2),
            groups = 1 + (int64_t)(random_next(state) % 3);
    int64_t c = 1 + (int64_t)(random_next(state) % 3), k = 1 + (int64_t)(random_next(state) % 3);
    int64_t h = 3 + (int64_t)(random_next(state) % 5), w = 3 + (int64_t)(random_next(state) % 5);
    int64_t a = 1 + (int64_t)(random_next(state) % 3), b = 1 + (int64_t)(random_next(state) % 3),
            after[2];
    ConvInput in = {.x = image(x_data, n, c * groups, h, w),
                    .w = image(w_data, k * groups, c, a, b),
                    .groups = groups};
    for (int axis = 0; axis < 2; axis++) {
        in.stride[axis] = 1 + (int64_t)(random_next(state) % 3);
        in.dilation[axis] = 1;
        in.before[axis] = (int64_t)(random_next(state) % 3);
        after[axis] = (int64_t)(random_next(state) % 3);
    }
    int64_t rows = output_of(&in, 0, after[0]), columns = output_of(&in, 1, after[1]);
    in.y = image(y_data, n, k * groups, rows, columns);
    fill(x_data, tensor_count(&in.x), state);
    fill(w_data, tensor_count(&in.w), state);
    fill(dy_data, tensor_count(&in.y), state);
    Ref y, dx, dw;
    conv_reference(&y, &in, arena);
    for (int64_t i = 0; i < tensor_count(&in.y); i++) {
        int64_t j = i % columns, row = i / columns % rows, plane = i / columns / rows;
        CHECK(y.high[i] == plain(&in, plane / (k * groups), plane % (k * groups), row, j));
        CHECK(y.magnitude[i] == 0);
    }
    ConvInput back = in;
    back.x = image(dy_data, n, k * groups, rows, columns);
    back.y = in.x;
    back.transposed = true;
    conv_reference(&dx, &back, arena);
    ConvInput weights = in;
    weights.y.origin = dy_data;
    conv_weights_reference(&dw, &weights, arena);
    CHECK(inner(&y, dy_data) == inner(&dx, x_data));
    CHECK(inner(&y, dy_data) == inner(&dw, w_data));
}

int main(void)
{
    Arena arena;
    uint64_t state = 1;
    CHECK(arena_init(&arena, (size_t)1 << 26));
    for (long round = 0; round < check_scaled(300); round++) {
        arena_reset(&arena);
        check_one(&state, &arena);
    }
    arena_release(&arena);
    return check_end("reference/t_conv");
}
