/* Convolutions of small integers against plain loops, and their gradients by the adjoint identities
 * sum y dy = sum x dx = sum w dw, which hold exactly; those of complex numbers against four of real
 * ones, and sums of three products for each against their bound. */
#include <math.h>
#include <string.h>

#include "reference/complex_sum.h"
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

/* Parts of x and w, and both of each. */
static double parts[2][2][ELEMENTS_MAX], pairs[2][2 * ELEMENTS_MAX];

static Tensor image_of_complex(double *data, int64_t n, int64_t c, int64_t h, int64_t w)
{
    Tensor both = image(data, n, c, h, w);
    both.dtype = DT_C128;
    return both;
}

static void check_complex(uint64_t *state, Arena *arena)
{
    int64_t n = 2, groups = 2, c = 2, k = 3, h = 5, w = 4;
    ConvInput in = {.y = image(y_data, n, k * groups, 3, 3),
                    .groups = groups,
                    .stride = {2, 1},
                    .dilation = {1, 1},
                    .before = {1, 0}};
    int64_t of_x = n * c * groups * h * w, of_w = k * groups * c * 3 * 2;
    Ref products[2][2], both;
    for (int part = 0; part < 2; part++) {
        fill(parts[0][part], of_x, state);
        fill(parts[1][part], of_w, state);
        for (int64_t i = 0; i < of_x; i++)
            pairs[0][2 * i + part] = parts[0][part][i];
        for (int64_t i = 0; i < of_w; i++)
            pairs[1][2 * i + part] = parts[1][part][i];
    }
    for (int i = 0; i < 4; i++) {
        in.x = image(parts[0][i / 2], n, c * groups, h, w);
        in.w = image(parts[1][i % 2], k * groups, c, 3, 2);
        conv_reference(&products[i / 2][i % 2], &in, arena);
    }
    in.x = image_of_complex(pairs[0], n, c * groups, h, w);
    in.w = image_of_complex(pairs[1], k * groups, c, 3, 2);
    in.y.dtype = DT_C128;
    conv_reference(&both, &in, arena);
    CHECK(both.count == 2 * products[0][0].count);
    for (size_t i = 0; i < products[0][0].count; i++) {
        CHECK(both.high[2 * i] == products[0][0].high[i] - products[1][1].high[i]);
        CHECK(both.high[2 * i + 1] == products[0][1].high[i] + products[1][0].high[i]);
        CHECK(both.match[2 * i] == MATCH_VALUE && both.match[2 * i + 1] == MATCH_VALUE);
    }
}

static float draw(uint64_t *state)
{
    double fraction = (double)(random_next(state) % (1 << 24)) * 0x1p-23 - 1;
    return (float)ldexp(fraction, -(int)(random_next(state) % 20));
}

static void check_part(const Ref *ref, size_t part, double got)
{
    double bound = ref->magnitude[part] * dtype_format(DT_C64)->unit + ref->error[part];
    CHECK(fabs(got - (ref->high[part] + ref->low[part])) <= bound);
}

/* In binary32, by four products and by both forms of three. */
static void check_complex_sum(uint64_t *state, Arena *arena)
{
    ComplexSum sum = complex_sum_begin();
    int64_t products = 1 + (int64_t)(random_next(state) % 40);
    float a = 0, b = 0, c = 0, of_re = 0, of_im = 0, mixed = 0, re = 0, im = 0;
    for (int64_t i = 0; i < products; i++) {
        float x = draw(state), x_im = draw(state), w = draw(state), w_im = draw(state);
        complex_sum_add_product(&sum, (Scalar){x, x_im}, (Scalar){w, w_im});
        a += x * w;
        b += x_im * w_im;
        c += (x + x_im) * (w + w_im);
        mixed += (x + x_im) * w;
        of_im += x_im * (w + w_im);
        of_re += x * (w_im - w);
        re = re + x * w - x_im * w_im;
        im = im + x * w_im + x_im * w;
    }
    Tensor y = {.dtype = DT_C64, .rank = 1, .extent = {1}, .stride = {1}};
    Ref ref;
    ref_allocate_bounded(&ref, DT_C64, &y, arena);
    ref_put_complex_sum(&ref, 0, &sum, REF_NO_LATTICE);
    check_part(&ref, 0, (double)re);
    check_part(&ref, 1, (double)im);
    check_part(&ref, 0, (double)(a - b));
    check_part(&ref, 1, (double)(c - a - b));
    check_part(&ref, 0, (double)(mixed - of_im));
    check_part(&ref, 1, (double)(mixed + of_re));
}

int main(void)
{
    Arena arena;
    uint64_t state = 1;
    CHECK(arena_init(&arena, (size_t)1 << 26));
    for (long round = 0; round < check_scaled(300); round++) {
        arena_reset(&arena);
        check_one(&state, &arena);
        check_complex(&state, &arena);
        check_complex_sum(&state, &arena);
    }
    arena_release(&arena);
    return check_end("reference/t_conv");
}
