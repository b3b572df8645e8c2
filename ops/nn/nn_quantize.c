/* Numbers of 8 bits and of a scale and a zero point. */
#include "nn_quantize.h"

#include <math.h>

void nn_allocate_candidates(Ref *ref, Arena *arena)
{
    ref->candidates = arena_take_zeroed(arena, ref->count * REF_CANDIDATES + 1, sizeof(double));
}

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

void nn_put_quantized(Ref *ref, size_t i, double x, double scale, double zero, double unit)
{
    double *set = ref->candidates + i * REF_CANDIDATES;
    bool whole = dtype_is_integer(ref->dtype);
    Quotients quotients = nn_quotients(x, scale, unit);
    for (int k = 0; k < REF_CANDIDATES; k++) {
        double value = whole ? (double)rintl(quotients.values[k]) + zero
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
