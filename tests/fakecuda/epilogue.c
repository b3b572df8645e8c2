/* relu, gelu by tanh, their gradients from what the forward product left in the auxiliary matrix,
 * and sums.  FAKECUDA=no-bias leaves the bias out, no-gelu gelu, wrong-mask reads the mask of relu
 * a row too early, tanh-slope takes half of gelu's gradient for all of it, and last-row keeps the
 * last row's sum back. */
#include "epilogue.h"

#include <math.h>

enum { RELU = 2, WITH_BIAS = 4, GELU = 32, AUXILIARY = 128, SUMS = 16 };
enum { RELU_GRADIENT = 8, GELU_GRADIENT = 64, MASK_STEP = 128, VALUE_STEP = 8 };

static bool has(const FakeEpilogue *e, int part)
{
    return (e->kind & part) != 0;
}

bool fake_epilogue_is_legal(const FakeEpilogue *e, int64_t rows)
{
    int64_t step = has(e, RELU | RELU_GRADIENT) ? MASK_STEP : VALUE_STEP;
    bool biased = !has(e, WITH_BIAS | SUMS) || e->bias;
    return biased &&
           (!has(e, AUXILIARY) || (e->auxiliary && e->leading >= rows && e->leading % step == 0));
}

const void *fake_epilogue_bias(const FakeEpilogue *e)
{
    return has(e, WITH_BIAS) && !fake_fault("no-bias") ? e->bias : NULL;
}

static bool mask_at(const FakeEpilogue *e, int64_t place)
{
    const unsigned char *bits = e->auxiliary;
    return bits[place / 8] >> place % 8 & 1;
}

static void put_mask(const FakeEpilogue *e, int64_t place, bool value)
{
    unsigned char *bits = e->auxiliary;
    bits[place / 8] &= (unsigned char)~(1 << place % 8);
    bits[place / 8] |= (unsigned char)(value << place % 8);
}

static double gelu_by_tanh(double x)
{
    return x / 2 * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

static double slope_of_gelu(double x)
{
    double k = sqrt(2 / M_PI), t = tanh(k * (x + 0.044715 * x * x * x));
    double rest = x / 2 * (1 - t * t) * k * (1 + 3 * 0.044715 * x * x);
    return (1 + t) / 2 + (fake_fault("tanh-slope") ? 0 : rest);
}

/* Forwards: what the gradient will need, and the function. */
static double apply(const FakeEpilogue *e, int64_t place, double value)
{
    if (has(e, RELU) && has(e, AUXILIARY))
        put_mask(e, place, value > 0);
    if (has(e, GELU) && has(e, AUXILIARY))
        fake_store(e->type, e->auxiliary, place, value);
    if (has(e, GELU) && !fake_fault("no-gelu"))
        value = gelu_by_tanh(value);
    return has(e, RELU) && value < 0 ? 0 : value;
}

double fake_epilogue(const FakeEpilogue *e, int64_t i, int64_t j, double value)
{
    int64_t place = j * e->leading + i;
    if (has(e, RELU_GRADIENT))
        value = mask_at(e, fake_fault("wrong-mask") && i > 0 ? place - 1 : place) ? value : 0;
    else if (has(e, GELU_GRADIENT))
        value *= slope_of_gelu(fake_load(e->type, e->auxiliary, place));
    else
        value = apply(e, place, value);
    if (has(e, SUMS))
        e->sums[i] += value;
    return value;
}

void fake_epilogue_end(const FakeEpilogue *e, int64_t rows)
{
    bool less = fake_fault("last-row") && rows > 1;
    for (int64_t i = 0; has(e, SUMS) && i < rows - less; i++)
        fake_store(e->type, e->bias, i, e->sums[i]);
}
