/* The bound of convolutions by Fourier transforms holds for such a convolution in binary32, and
 * tells one that leaves a channel out. */
#include <complex.h>
#include <math.h>

#include "ops/backend/promise.h"
#include "oracle/judge.h"
#include "reference/conv.h"
#include "reference/random.h"
#include "tests/check.h"

enum { LENGTH = 57, KERNEL = 5, CHANNELS = 12, OUTPUTS = 3, SIZE = 64, ROUNDS = 60 };

static Arena arena;
static float x[CHANNELS * LENGTH], w[OUTPUTS * CHANNELS * KERNEL],
    y[OUTPUTS * (LENGTH - KERNEL + 1)];

/* In place, by halves; sign -1 forth and 1 back, without the division. */
static void transform(float complex *values, int count, int stride, float complex *to, int sign)
{
    if (count == 1) {
        to[0] = values[0];
        return;
    }
    transform(values, count / 2, 2 * stride, to, sign);
    transform(values + stride, count / 2, 2 * stride, to + count / 2, sign);
    for (int k = 0; k < count / 2; k++) {
        double angle = sign * 2 * M_PI * k / count;
        float complex factor = (float)cos(angle) + (float)sin(angle) * I,
                      odd = factor * to[k + count / 2], even = to[k];
        to[k] = even + odd;
        to[k + count / 2] = even - odd;
    }
}

static void forth(const float *values, int count, bool backwards, float complex *to)
{
    float complex padded[SIZE] = {0};
    for (int i = 0; i < count; i++)
        padded[backwards ? (SIZE - i) % SIZE : i] = values[i];
    transform(padded, SIZE, 1, to, -1);
}

static void convolve(int channels)
{
    for (int k = 0; k < OUTPUTS; k++) {
        float complex sum[SIZE] = {0}, back[SIZE];
        for (int c = 0; c < channels; c++) {
            float complex left[SIZE], right[SIZE];
            forth(x + c * LENGTH, LENGTH, false, left);
            forth(w + (k * CHANNELS + c) * KERNEL, KERNEL, true, right);
            for (int i = 0; i < SIZE; i++)
                sum[i] += left[i] * right[i];
        }
        transform(sum, SIZE, 1, back, 1);
        for (int i = 0; i < LENGTH - KERNEL + 1; i++)
            y[k * (LENGTH - KERNEL + 1) + i] = crealf(back[i]) / SIZE;
    }
}

static void draw(float *values, int count, int spread, uint64_t *state)
{
    for (int i = 0; i < count; i++)
        values[i] = (float)ldexp(random_unit(random_next(state)) - 0.5,
                                 (int)(random_next(state) % (uint64_t)(spread + 1)) - spread);
}

static Tensor tensor(float *values, int64_t first, int64_t second, int64_t third)
{
    return (Tensor){.dtype = DT_F32,
                    .rank = 3,
                    .extent = {first, second, third},
                    .stride = {second * third, third, 1},
                    .origin = (char *)values};
}

/* Elements beyond the bound under a model. */
static int beyond(const Ref *ref, const Model *model, double *worst)
{
    BoundRule rule = bound_rule(ref, model);
    int count = 0;
    for (size_t i = 0; i < ref->count; i++) {
        double hard = bound_element(&rule, ref, i).hard;
        double error = fabs((y[i] - ref->high[i]) - ref->low[i]);
        count += !(error <= hard + ref->error[i]);
        *worst = fmax(*worst, error / hard);
    }
    return count;
}

static void test_bound(void)
{
    const Model model = {.name = "transforms", .transforms = true};
    uint64_t state = 3;
    double worst = 0, ignored = 0;
    int plain = 0, few = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int spread = round % 12;
        draw(x, COUNT_OF(x), spread, &state);
        draw(w, COUNT_OF(w), spread, &state);
        /* A large element far from most results. */
        for (int c = 0; c < CHANNELS && round % 2; c++)
            x[(c + 1) * LENGTH - 1] = 0x1p12F;
        ConvInput in = {.x = tensor(x, 1, CHANNELS, LENGTH),
                        .w = tensor(w, OUTPUTS, CHANNELS, KERNEL),
                        .y = tensor(y, 1, OUTPUTS, LENGTH - KERNEL + 1),
                        .groups = 1,
                        .stride = {1},
                        .dilation = {1}};
        Ref ref = {0};
        arena_reset(&arena);
        conv_reference(&ref, &in, &arena);
        convolve(CHANNELS);
        CHECK(beyond(&ref, &model, &worst) == 0);
        plain += beyond(&ref, models_ieee, &ignored);
        convolve(CHANNELS - 1);
        few += beyond(&ref, &model, &ignored);
    }
    /* Small results beside large ones are where transforms are off by more than sums. */
    CHECK(worst > 0.002 && plain > ROUNDS);
    CHECK(few > ROUNDS * OUTPUTS * (LENGTH - KERNEL + 1) / 3);
}

/* One element that is not finite reaches all of its channel. */
static void test_classes(void)
{
    const Model model = {.name = "transforms", .transforms = true};
    uint64_t state = 5;
    draw(x, COUNT_OF(x), 0, &state);
    draw(w, COUNT_OF(w), 0, &state);
    x[LENGTH - 1] = INFINITY;
    ConvInput in = {.x = tensor(x, 1, CHANNELS, LENGTH),
                    .w = tensor(w, OUTPUTS, CHANNELS, KERNEL),
                    .y = tensor(y, 1, OUTPUTS, LENGTH - KERNEL + 1),
                    .groups = 1,
                    .stride = {1},
                    .dilation = {1}};
    Ref ref = {0};
    arena_reset(&arena);
    conv_reference(&ref, &in, &arena);
    CHECK(bound_table(&ref, &model, &arena).classes[0] == CLASS_ANY);
    CHECK(bound_table(&ref, models_ieee, &arena).classes[0] == CLASS_FINITE);
}

int main(void)
{
    CHECK(arena_init(&arena, 1 << 26));
    test_bound();
    test_classes();
    arena_release(&arena);
    return check_end("oracle/t_transform");
}
