/* Numbers of 8 bits and of a scale and a zero point. */
#include "nn_quantize.h"

#include <math.h>

Quotients nn_quotients(double x, double scale, double unit)
{
    const Format *f = dtype_format(DT_F32);
    long double quotient = (long double)x / scale, size = fabsl((long double)scale),
                last = quotient;
    bool exact = is_power_of_two_or_zero(scale) || !isfinite(quotient);
    long double reach = exact ? 0 : (2 + unit) * unit * fabsl(quotient);
    if (size < f->smallest_normal)
        last = x * copysignl(INFINITY, scale);
    if (size > 1 / f->smallest_normal) {
        last = x * copysignl(0, scale);
        reach += isfinite(x) ? fabsl((long double)x) * f->smallest_subnormal : 0;
    }
    return (Quotients){{quotient, quotient - reach, quotient + reach, last}};
}

static double within_type(DType dtype, double value)
{
    return fmin(fmax(value, dtype_lowest(dtype)), dtype_format(dtype)->largest);
}

void nn_fit_zero_point(int64_t *zero, DType dtype)
{
    *zero = dtype_is_integer(dtype) ? (int64_t)within_type(dtype, (double)*zero) : 0;
}

const char nn_halves_up[] = "halves-up";

/* A quotient, or an end moved by the rounding of a sum with 1/2. */
static long double rounded(const Quotients *q, int k, const Quantization *to)
{
    if (!to->halves_up || !isfinite(q->values[k]))
        return rintl(q->values[k]);
    const int sign[QUOTIENTS] = {0, -1, 1, 0};
    long double reach = to->unit * (fabsl(q->values[k]) + 0.5L);
    return floorl(q->values[k] + 0.5L + sign[k] * reach);
}

void nn_put_quantized(Ref *ref, size_t i, const Quantization *to, double x)
{
    double results[QUOTIENTS];
    bool whole = dtype_is_integer(ref->dtype), is_nan = false;
    Quotients quotients = nn_quotients(x, to->scale, to->unit);
    for (int k = 0; k < QUOTIENTS; k++) {
        double value = whole ? (double)rounded(&quotients, k, to) + to->zero
                             : dtype_round(ref->dtype, (double)quotients.values[k]);
        is_nan = is_nan || isnan(value);
        results[k] = isnan(value) ? value : within_type(ref->dtype, value);
    }
    if (is_nan && whole)
        ref_admit_anything(ref, i);
    else
        ref_put_one_of(ref, i, results, QUOTIENTS);
}

void nn_put_dequantized(Ref *ref, size_t i, double value, double scale, double zero)
{
    const double results[] = {dtype_round(DT_F32, (value - zero) * scale),
                              dtype_round(DT_F32, dtype_round(DT_F32, value * scale) -
                                                      dtype_round(DT_F32, zero * scale))};
    ref_put_one_of(ref, i, results, COUNT_OF(results));
}
