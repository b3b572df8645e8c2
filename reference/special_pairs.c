/* Further functions of two variables. */
#include "special.h"

/* What is not judged: no library promises it, and few compute it. */
static FunctionValue unjudged(void)
{
    return (FunctionValue){.value = NAN, .any = true};
}

/* DLMF 25.11.1, and from a place far to the right on Euler and Maclaurin's formula, 25.11.5; left
 * of 0 where the powers are real, and at its poles there.  The terms are what the sum has in size.
 * For s < 1 the sum has no limit, as for s = 1. */
FunctionValue special_zeta(long double s, long double q)
{
    enum { FAR = 24, CORRECTIONS = 12, REACH = 1 << 10 };
    /* B(2 j) / (2 j)! */
    static const long double factors[CORRECTIONS] = {
        1.0L / 12,
        -1.0L / 720,
        1.0L / 30240,
        -1.0L / 1209600,
        1.0L / 47900160,
        -691.0L / 1307674368000.0L,
        1.0L / 74724249600.0L,
        -3617.0L / 10670622842880000.0L,
        43867.0L / 5109094217170944000.0L,
        -174611.0L / 802857662698291200000.0L,
        77683.0L / 14101100039391805440000.0L,
        -236364091.0L / 1693824136731743669452800000.0L,
    };
    bool is_pole = q <= 0 && q == rintl(q);
    if (isnan(s) || isnan(q) || (s >= 1 && q < 0 && s != rintl(s) && !is_pole))
        return exactly(NAN);
    if (s < 1)
        return (FunctionValue){.value = INFINITY, .or_nan = true};
    if (isinf(s) || isinf(q))
        return unjudged();
    if (s == 1 || is_pole)
        return (FunctionValue){.value = INFINITY, .or_nan = true};
    if (q < -REACH)
        return unjudged();
    long double y = q, value = 0, size = 0;
    for (; y < FAR || y < s; y += 1) {
        long double term = powl(y, -s);
        value += term;
        size += fabsl(term);
        if (y > 0 && term <= size * 0x1p-80L)
            return (FunctionValue){.value = value, .error = size * 0x1p-56L, .terms = size};
    }
    long double power = powl(y, -s), rise = s / y;
    long double rest = power * (y / (s - 1) + 0.5L);
    for (int j = 0; j < CORRECTIONS; j++) {
        rest += power * factors[j] * rise;
        rise *= (s + 2 * j + 1) * (s + 2 * j + 2) / (y * y);
    }
    size += rest;
    return (FunctionValue){.value = value + rest, .error = size * 0x1p-56L, .terms = size};
}

long double special_gamma_fraction(long double a, long double x, long double tolerance)
{
    enum { STEPS = 1 << 12 };
    long double b = x + 1 - a, c = 0x1p+16000L, d = 1 / b, h = d;
    for (int k = 1; k < STEPS; k++) {
        long double numerator = -k * (k - a);
        b += 2;
        d = 1 / (numerator * d + b);
        c = b + numerator / c;
        h *= d * c;
        if (fabsl(d * c - 1) <= tolerance)
            break;
    }
    return h;
}

/* DLMF 8.11.4 and 8.9.2: series and fraction of positive terms, on either side of x = a + 1.  The
 * factor x^a exp(-x) / Gamma(a + 1) has an exponent whose rounding is multiplied by its size. */
static FunctionValue incomplete_gamma(long double a, long double x, bool upper)
{
    enum { REACH = 1 << 10, TERMS = 1 << 12 };
    if (isnan(a) || isnan(x) || x < 0 || (a < 0 && x > 0))
        return exactly(NAN);
    /* No limit, but along x = 0 for all a above 0; and an integral from 0 to 0 where a is not in
     * the domain. */
    if (a <= 0 && x == 0)
        return (FunctionValue){.value = upper ? 1 : 0, .or_nan = true};
    if (a > 0 && (x == 0 || isinf(a) != isinf(x)))
        return exactly(isinf(x) != upper ? 1 : 0);
    if (a == 0 || a > REACH || x > REACH || a < 1 / (long double)REACH)
        return unjudged();
    long double exponent = a * logl(x) - x - special_lgamma(a + 1).value;
    long double size = a * fabsl(logl(x)) + x + fabsl(special_lgamma(a + 1).value) + 1;
    bool by_series = x < a + 1;
    long double value;
    if (by_series) {
        long double term = 1, sum = 1;
        for (int k = 1; k < TERMS && term > sum * 0x1p-70L; k++)
            sum += term *= x / (a + k);
        value = expl(exponent) * sum;
    } else {
        value = expl(exponent) * a * special_gamma_fraction(a, x, 0x1p-62L);
    }
    FunctionValue v = {.value = value, .error = value * size * 0x1p-57L, .terms = value * size};
    if (by_series == upper)
        v.value = 1 - value;
    v.error += 0x1p-62L * fabsl(v.value);
    return v;
}

static FunctionValue lower_gamma(long double a, long double x)
{
    return incomplete_gamma(a, x, false);
}

FunctionValue special_igammac(long double a, long double x)
{
    return incomplete_gamma(a, x, true);
}

/* A power beyond the widest type scales neither 0 nor an infinity. */
static FunctionValue scaled_by_power(long double a, long double b)
{
    if (isfinite(b) && (a == 0 || isinf(a)))
        return exactly(a);
    return relative(a * exp2l(b), 2);
}

/* Beyond the type it is left open what becomes of its sign. */
static FunctionValue common_multiple(long double a, long double b, DType dtype)
{
    unsigned long long x = (unsigned long long)fabsl(a), y = (unsigned long long)fabsl(b);
    unsigned long long divisor = x, rest = y;
    while (rest != 0) {
        unsigned long long next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    unsigned long long factor = divisor == 0 ? 0 : x / divisor;
    long double value = (long double)factor * (long double)y;
    return value > dtype_format(dtype)->largest ? unjudged() : exactly(value);
}

/* The greatest integer below the quotient, exactly, and that of the rounded quotient, which may
 * have vanished (array API standard, floor_divide; IEEE 754-2019 has no such operation).  A
 * quotient without end may have a remainder of NaN.  Python and NumPy subtract the remainder,
 * divide and take what is below the result by more than a half for one more: three roundings in the
 * type itself, and no integer is lost while they come to less than a half (Objects/floatobject.c of
 * CPython, float_floor_div).  They take a number over an infinity of the other sign for something
 * below 0. */
static FunctionValue floor_of_quotient(long double a, long double b, DType dtype)
{
    long double quotient = a / b, below = floorl(quotient);
    if (dtype_is_integer(dtype))
        return exactly(fmodl(a, b) != 0 && (a < 0) != (b < 0) ? truncl(quotient) - 1
                                                              : truncl(quotient));
    if (!isfinite(quotient))
        return (FunctionValue){.value = quotient, .or_nan = true};
    if (below == quotient && fmal(-below, b, a) != 0 && (fmal(-below, b, a) < 0) != (b < 0))
        below -= 1;
    const Format *format = dtype_format(dtype);
    if (fabsl(quotient) * format->unit >= 0.25L)
        return (FunctionValue){.value = below, .moved = 4 * format->unit * fabsl(quotient)};
    if (isinf(b))
        return (FunctionValue){.value = quotient,
                               .has_other = true,
                               .other = a != 0 && (a < 0) != (b < 0) ? -1 : quotient};
    double rounded =
        fabsl(quotient) < format->smallest_normal ? 0 : floor(dtype_round(dtype, (double)quotient));
    return (FunctionValue){.value = below, .has_other = true, .other = rounded};
}

/* A count beyond the width, or below 0, is what texts leave open. */
static bool is_count(long double b, DType dtype)
{
    enum { BYTE = 8 };
    return b >= 0 && b < (long double)(BYTE * dtype_size(dtype));
}

static FunctionValue shift_left(long double a, long double b, DType dtype)
{
    return is_count(b, dtype) ? whole_of_bits(dtype_bits_of(a) << (int)b) : unjudged();
}

/* The sign is kept. */
static FunctionValue shift_right(long double a, long double b, DType dtype)
{
    return is_count(b, dtype) ? exactly(floorl(ldexpl(a, -(int)b))) : unjudged();
}

/* IEEE 754-2019, 5.3.1, nextUp and nextDown; the second operand where both are equal. */
static FunctionValue neighbour(long double a, long double b, DType dtype)
{
    const Format *format = dtype_format(dtype);
    if (isnan(a) || isnan(b) || a == b)
        return exactly(isnan(a) || isnan(b) ? NAN : b);
    if (isinf(a))
        return exactly(copysignl(format->largest, a));
    if (a == 0)
        return exactly(copysignl(format->smallest_subnormal, b));
    bool outward = (b > a) == (a > 0);
    long double size = fabsl(a), ulp = format_ulp(format, (double)size);
    bool power = ldexpl(1, ilogbl(size)) == size && size > format->smallest_normal;
    long double next = size + (outward ? ulp : power ? -ulp / 2 : -ulp);
    return exactly(copysignl(next > format->largest ? INFINITY : next, a));
}

/* Of incomplete gamma functions beyond their domain, at b = 0 and at infinities: a limit where a is
 * 0. */
#define OF_GAMMA                                                                                   \
    "DLMF, 8.2(i); PyTorch, torch.special.gammainc: NaN where both are 0 or one is negative"

const Function functions_of_further_pairs[] = {
    {.name = "zeta",
     .summary = "Hurwitz's zeta function, the sum of (b + k)^-a",
     .evaluate_pair = special_zeta,
     .ulps = 16,
     .moved = 16,
     .of_terms = 4,
     .steps = 1,
     .limits = LIMITS(
         VALUE_OR_NAN_OF_TWO(ARGUMENTS(-INFINITY, BELOW_ONE, WHOLE_OR_NOT), NUMBERS, INFINITY),
         VALUE_OR_NAN_OF_TWO(ONLY(1), NUMBERS, INFINITY),
         NEAR_OF_TWO(ARGUMENTS(ABOVE_ONE, INFINITY, WHOLE_OR_NOT), ONLY(INFINITY), 0),
         VALUE_OR_NAN_OF_TWO(ONLY(INFINITY), ARGUMENTS(ABOVE_ONE, LDBL_MAX, WHOLE_OR_NOT), 0),
         VALUE_OR_NAN_OF_TWO(ONLY(INFINITY), ONLY(1), 1),
         VALUE_OR_NAN_OF_TWO(ONLY(INFINITY), ARGUMENTS(ABOVE_ZERO, BELOW_ONE, WHOLE_OR_NOT),
                             INFINITY)),
     .source = "DLMF, 25.11(i): the sum, of which those of infinities are limits"},
    {.name = "igamma",
     .summary = "lower incomplete gamma function of a, over gamma(a)",
     .evaluate_pair = lower_gamma,
     .ulps = 16,
     .moved = 16,
     .of_terms = 4,
     .steps = 1,
     .limits = LIMITS(OF_TWO(ANYTHING, NEGATIVE, NAN), OF_TWO(NEGATIVE, POSITIVE, NAN),
                      VALUE_OR_NAN_OF_TWO(ARGUMENTS(-INFINITY, 0.0L, WHOLE_OR_NOT), ZEROS, 0),
                      VALUE_OR_NAN_OF_TWO(ZEROS, POSITIVE, 1), OF_TWO(POSITIVE, ZEROS, 0),
                      OF_TWO(FINITE_POSITIVE, ONLY(INFINITY), 1),
                      OF_TWO(ONLY(INFINITY), FINITE_POSITIVE, 0)),
     .source = OF_GAMMA,
     .results = {0, 1, NULL, NULL}},
    {.name = "igammac",
     .summary = "1 - igamma(a, b)",
     .evaluate_pair = special_igammac,
     .ulps = 16,
     .moved = 16,
     .of_terms = 4,
     .steps = 1,
     .limits = LIMITS(OF_TWO(ANYTHING, NEGATIVE, NAN), OF_TWO(NEGATIVE, POSITIVE, NAN),
                      VALUE_OR_NAN_OF_TWO(ARGUMENTS(-INFINITY, 0.0L, WHOLE_OR_NOT), ZEROS, 1),
                      VALUE_OR_NAN_OF_TWO(ZEROS, POSITIVE, 0), OF_TWO(POSITIVE, ZEROS, 1),
                      OF_TWO(FINITE_POSITIVE, ONLY(INFINITY), 0),
                      OF_TWO(ONLY(INFINITY), FINITE_POSITIVE, 1)),
     .source = OF_GAMMA,
     .results = {0, 1, NULL, NULL}},
    {.name = "ldexp", .summary = "a 2^b", .evaluate_pair = scaled_by_power, .ulps = 4, .steps = 1},
    {.name = "lcm",
     .summary = "least common multiple",
     .evaluate_typed = common_multiple,
     .match = FUNCTION_ROUNDED,
     .only_integers = true},
    {.name = "floor_divide",
     .summary = "floor(a / b)",
     .evaluate_typed = floor_of_quotient,
     .match = FUNCTION_ROUNDED,
     .faithful = true,
     .of_integers = true,
     .divides = true,
     .zeros = ZERO_SIGN("all", "array API standard, floor_divide")},
    {.name = "nextafter",
     .summary = "neighbour of a towards b",
     .evaluate_typed = neighbour,
     .match = FUNCTION_ROUNDED},
    {.name = "bitwise_left_shift",
     .summary = "a 2^b, without the bits beyond the type",
     .evaluate_typed = shift_left,
     .match = FUNCTION_ROUNDED,
     .only_integers = true},
    {.name = "bitwise_right_shift",
     .summary = "floor(a / 2^b)",
     .evaluate_typed = shift_right,
     .match = FUNCTION_ROUNDED,
     .only_integers = true},
    {.name = NULL},
};
