/* Numbers of 8 bits and of a scale and a zero point. */
#include "nn_quantize.h"

#include <math.h>

Quotients nn_quotients(double x, double scale, double unit)
{
    long double quotient = (long double)x / scale;
    bool exact = is_power_of_two_or_zero(scale) || !isfinite(quotient);
    long double reach = exact ? 0 : (2 + unit) * unit * fabsl(quotient);
    return (Quotients){{quotient, quotient - reach, quotient + reach}};
}

static double within_type(DType dtype, double value)
{
    return fmin(fmax(value, dtype_lowest(dtype)), dtype_format(dtype)->largest);
}

const char nn_halves_up[] = "halves-up";

/* The quotients, and the ends moved by the rounding of a sum with 1/2. */
static long double rounded(const Quotients *q, int k, const Quantization *to)
{
    if (!to->halves_up || !isfinite(q->values[0]))
        return rintl(q->values[k]);
    const int sign[REF_CANDIDATES] = {0, -1, 1};
    long double reach = to->unit * (fabsl(q->values[k]) + 0.5L);
    return floorl(q->values[k] + 0.5L + sign[k] * reach);
}

void nn_put_quantized(Ref *ref, size_t i, const Quantization *to, double x)
{
    double *set = ref->candidates + i * REF_CANDIDATES;
    bool whole = dtype_is_integer(ref->dtype);
    Quotients quotients = nn_quotients(x, to->scale, to->unit);
    for (int k = 0; k < REF_CANDIDATES; k++) {
        double value = whole ? (double)rounded(&quotients, k, to) + to->zero
                             : dtype_round(ref->dtype, (double)quotients.values[k]);
        set[k] = within_type(ref->dtype, value);
    }
    ref->high[i] = set[0];
    ref->match[i] = MATCH_SET;
    if (isnan(x)) {
        ref->match[i] = MATCH_BOUND;
        ref_set_classes(ref, i, whole ? CLASS_ANY : CLASS_NAN);
    }
}

void nn_put_dequantized(Ref *ref, size_t i, double value, double scale, double zero)
{
    double *set = ref->candidates + i * REF_CANDIDATES;
    set[0] = set[1] = dtype_round(DT_F32, (value - zero) * scale);
    set[2] =
        dtype_round(DT_F32, dtype_round(DT_F32, value * scale) - dtype_round(DT_F32, zero * scale));
    ref->high[i] = set[0];
    ref->match[i] = MATCH_SET;
    if (!isfinite(value))
        ref_set_exact(ref, i, value, MATCH_BITS);
}
