/* The functions.  Each formula is arranged so that nothing cancels in extended precision. */
#include <string.h>

#include "function_values.h"

static long double identity_or(long double x, long double other, bool keep)
{
    return keep || isnan(x) ? x : other;
}

static FunctionValue reciprocal(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(1 / x, 1);
}

static FunctionValue rsqrt(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(1 / sqrtl(x), 2);
}

static FunctionValue square(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(x * x, 1);
}

static FunctionValue absolute(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(fabsl(x));
}

static FunctionValue negative(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(-x);
}

static FunctionValue sign(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(isnan(x) ? x : (long double)((x > 0) - (x < 0)));
}

static FunctionValue relu(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(identity_or(x, 0, x > 0));
}

static FunctionValue leaky_relu(long double x, const FunctionParams *p)
{
    if (isinf(x) && x < 0 && p->alpha == 0)
        return limit_or_nan(0);
    return x > 0 ? exactly(x) : relative(p->alpha * x, 1);
}

static FunctionValue thresholded_relu(long double x, const FunctionParams *p)
{
    return exactly(identity_or(x, 0, x > p->alpha));
}

static FunctionValue hardtanh(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(x > 1 ? 1 : x < -1 ? -1 : x);
}

static FunctionValue relu6(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(x > 6 ? 6 : identity_or(x, 0, x > 0));
}

static FunctionValue hardshrink(long double x, const FunctionParams *p)
{
    return exactly(identity_or(x, 0, fabsl(x) > p->alpha));
}

static FunctionValue softshrink(long double x, const FunctionParams *p)
{
    long double less = x > p->alpha ? x - p->alpha : x < -p->alpha ? x + p->alpha : 0;
    return relative(isnan(x) ? x : less, 1);
}

static FunctionValue softsign(long double x, const FunctionParams *p)
{
    (void)p;
    return isinf(x) ? limit_or_nan(copysignl(1, x)) : relative(x / (1 + fabsl(x)), 2);
}

static FunctionValue sigmoid(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(1 / (1 + expl(-x)), 6);
}

static FunctionValue silu(long double x, const FunctionParams *p)
{
    (void)p;
    if (isinf(x))
        return x > 0 ? exactly(x) : limit_or_nan(0);
    return relative(x / (1 + expl(-x)), 8);
}

static long double softplus_value(long double x)
{
    return fmaxl(x, 0) + log1pl(expl(-fabsl(x)));
}

static FunctionValue softplus(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(isnan(x) ? x : softplus_value(x), 8);
}

static FunctionValue logsigmoid(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(isnan(x) ? x : -softplus_value(-x), 8);
}

static FunctionValue mish(long double x, const FunctionParams *p)
{
    (void)p;
    if (isinf(x))
        return x > 0 ? exactly(x) : limit_or_nan(0);
    if (isnan(x))
        return exactly(x);
    return relative(x * tanhl(softplus_value(x)), 24);
}

/* The tail of erfc, for negative x, magnifies the rounding of its argument by the square of it. */
static FunctionValue gelu_erf(long double x, const FunctionParams *p)
{
    (void)p;
    if (isinf(x))
        return x > 0 ? exactly(x) : limit_or_nan(0);
    return relative(x / 2 * erfcl(-x * 0.707106781186547524400844362104849L),
                    16 + (x < 0 ? 2 * x * x : 0));
}

static FunctionValue gelu_tanh(long double x, const FunctionParams *p)
{
    (void)p;
    if (isinf(x))
        return x > 0 ? exactly(x) : limit_or_nan(0);
    long double z = 0.797884560802865355879892119868764L * (x + 0.044715L * x * x * x);
    return relative(x / (1 + expl(-2 * z)), 16 + (z < 0 ? 16 * fabsl(z) : 0));
}

static FunctionValue is_nan(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(isnan(x) ? 1 : 0);
}

static FunctionValue is_inf(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(isinf(x) ? 1 : 0);
}

static FunctionValue logical_not(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(x == 0 ? 1 : 0);
}

static FunctionValue is_finite(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(isfinite(x) ? 1 : 0);
}

static FunctionValue is_positive_inf(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(isinf(x) && x > 0 ? 1 : 0);
}

static FunctionValue is_negative_inf(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(isinf(x) && x < 0 ? 1 : 0);
}

static FunctionValue sign_bit(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(signbit(x) ? 1 : 0);
}

static FunctionValue same(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(x);
}

static FunctionValue bits_not(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly((long double)~(int64_t)x);
}

/* An infinity less itself is NaN. */
static FunctionValue fraction(long double x, const FunctionParams *p)
{
    (void)p;
    return exactly(x - truncl(x));
}

static FunctionValue to_radians(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(x * 0.0174532925199432957692369076848861271L, 2);
}

static FunctionValue to_degrees(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(x * 57.2957795130823208767981548141051703L, 2);
}

/* The sine has the error of its argument near its zeros. */
static FunctionValue sinc(long double x, const FunctionParams *p)
{
    (void)p;
    long double z = x * 3.14159265358979323846264338327950288L;
    if (x == 0)
        return exactly(1);
    long double y = sinl(z) / z;
    return (FunctionValue){.value = y, .error = (4 * fabsl(y) + 2) * 0x1p-63L};
}

/* The quotient's rounding is an absolute error of the logarithm. */
static FunctionValue logit(long double x, const FunctionParams *p)
{
    (void)p;
    long double y = logl(x / (1 - x));
    return (FunctionValue){.value = y, .error = (4 * fabsl(y) + 2) * 0x1p-63L};
}

static FunctionValue tanhshrink(long double x, const FunctionParams *p)
{
    (void)p;
    if (isinf(x))
        return exactly(x);
    return (FunctionValue){.value = x - tanhl(x), .error = 6 * fabsl(x) * 0x1p-63L};
}

/* NaN at negative integers and minus infinity; what it is near them depends on every bit of x. */
static FunctionValue gamma_of(long double x, const FunctionParams *p)
{
    (void)p;
    return relative(tgammal(x), 16);
}

enum { TRIGONOMETRIC_DOMAIN = 1 << 15 };

const Function functions[] = {
    {.name = "abs",
     .summary = "magnitude",
     .evaluate = absolute,
     .match = FUNCTION_BITS,
     .of_integers = true},
    {.name = "acos", .summary = "inverse cosine", .library = acosl, .ulps = 4, .signs_zeros = true},
    {.name = "acosh",
     .summary = "inverse hyperbolic cosine",
     .library = acoshl,
     .ulps = 4,
     .range = RANGE_SQUARE,
     .signs_zeros = true},
    {.name = "asin", .summary = "inverse sine", .library = asinl, .ulps = 4, .signs_zeros = true},
    {.name = "asinh",
     .summary = "inverse hyperbolic sine",
     .library = asinhl,
     .ulps = 4,
     .range = RANGE_SQUARE,
     .signs_zeros = true},
    {.name = "atan",
     .summary = "inverse tangent",
     .library = atanl,
     .ulps = 5,
     .signs_zeros = true},
    {.name = "atanh",
     .summary = "inverse hyperbolic tangent",
     .library = atanhl,
     .ulps = 5,
     .signs_zeros = true},
    {.name = "bitwise_not",
     .summary = "bits that are not set",
     .evaluate = bits_not,
     .match = FUNCTION_ROUNDED,
     .only_integers = true},
    {.name = "cbrt", .summary = "cube root", .library = cbrtl, .ulps = 4, .signs_zeros = true},
    {.name = "ceil",
     .summary = "least integer above",
     .library = ceill,
     .match = FUNCTION_ROUNDED,
     .signs_zeros = true},
    {.name = "celu",
     .summary = "max(x, 0) + min(0, alpha (exp(x / alpha) - 1))",
     .evaluate = activation_celu,
     .ulps = 3,
     .of_value = 3,
     .of_argument = 2,
     .steps = 2,
     .loose = 4,
     .has_alpha = true,
     .alpha = 1,
     .positive_alpha = true},
    {.name = "cos",
     .summary = "cosine",
     .library = cosl,
     .ulps = 4,
     .domain = TRIGONOMETRIC_DOMAIN,
     .loose = 2},
    {.name = "cosh",
     .summary = "hyperbolic cosine",
     .library = coshl,
     .ulps = 4,
     .range = RANGE_RESULT},
    {.name = "deg2rad",
     .summary = "degrees as radians",
     .evaluate = to_radians,
     .of_value = 2,
     .steps = 1},
    {.name = "elu",
     .summary = "x, or alpha (exp(x) - 1) below 0",
     .evaluate = activation_elu,
     .ulps = 3,
     .of_value = 2,
     .steps = 2,
     .loose = 4,
     .has_alpha = true,
     .alpha = 1,
     .positive_alpha = true},
    {.name = "erf", .summary = "error function", .library = erfl, .ulps = 16, .signs_zeros = true},
    {.name = "erfc",
     .summary = "1 - erf(x)",
     .library = erfcl,
     .ulps = 16,
     .steps = 1,
     .signs_zeros = true},
    {.name = "exp",
     .summary = "exponential",
     .library = expl,
     .ulps = 3,
     .steps = 2,
     .signs_zeros = true},
    {.name = "exp10",
     .summary = "power of ten",
     .library = exp10l,
     .ulps = 3,
     .steps = 2,
     .signs_zeros = true},
    {.name = "exp2",
     .summary = "power of two",
     .library = exp2l,
     .ulps = 3,
     .steps = 2,
     .signs_zeros = true},
    {.name = "expm1",
     .summary = "exp(x) - 1",
     .library = expm1l,
     .ulps = 3,
     .loose = 4,
     .signs_zeros = true},
    {.name = "floor",
     .summary = "greatest integer below",
     .library = floorl,
     .match = FUNCTION_ROUNDED,
     .signs_zeros = true},
    {.name = "frac",
     .summary = "x less its integer part",
     .evaluate = fraction,
     .match = FUNCTION_ROUNDED},
    {.name = "gelu",
     .summary = "x/2 (1 + erf(x / sqrt 2))",
     .evaluate = gelu_erf,
     .of_value = 6,
     .of_argument = 3,
     .steps = 1},
    {.name = "gelu_tanh",
     .summary = "x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))",
     .evaluate = gelu_tanh,
     .of_value = 6,
     .of_argument = 9,
     .steps = 1},
    {.name = "hardshrink",
     .summary = "x where |x| > alpha, else 0",
     .evaluate = hardshrink,
     .match = FUNCTION_ROUNDED,
     .has_alpha = true,
     .alpha = 0.5,
     .positive_alpha = true,
     .compares = true},
    {.name = "hardsigmoid",
     .summary = "alpha x + beta between 0 and 1",
     .evaluate = activation_hardsigmoid,
     .compares = true,
     .of_value = 2,
     .of_argument = 2,
     .absolute = 1,
     .has_alpha = true,
     .has_beta = true,
     .alpha = 0.2,
     .beta = 0.5},
    {.name = "hardsigmoid_relu6",
     .summary = "min(max(x + 3, 0), 6) / 6",
     .evaluate = activation_hardsigmoid_relu6,
     .compares = true,
     .of_value = 3,
     .of_argument = 0.5},
    {.name = "hardswish",
     .summary = "x min(max(x + 3, 0), 6) / 6",
     .evaluate = activation_hardswish,
     .of_value = 4,
     .of_argument = 2},
    {.name = "hardtanh",
     .summary = "x between -1 and 1",
     .evaluate = hardtanh,
     .match = FUNCTION_ROUNDED,
     .compares = true},
    {.name = "isfinite",
     .summary = "whether x is a number",
     .evaluate = is_finite,
     .match = FUNCTION_ROUNDED,
     .is_predicate = true},
    {.name = "isinf",
     .summary = "whether x is an infinity",
     .evaluate = is_inf,
     .match = FUNCTION_ROUNDED,
     .is_predicate = true},
    {.name = "isnan",
     .summary = "whether x is NaN",
     .evaluate = is_nan,
     .match = FUNCTION_ROUNDED,
     .is_predicate = true},
    {.name = "isneginf",
     .summary = "whether x is the negative infinity",
     .evaluate = is_negative_inf,
     .match = FUNCTION_ROUNDED,
     .is_predicate = true},
    {.name = "isposinf",
     .summary = "whether x is the positive infinity",
     .evaluate = is_positive_inf,
     .match = FUNCTION_ROUNDED,
     .is_predicate = true},
    {.name = "leaky_relu",
     .summary = "x, or alpha x below 0",
     .evaluate = leaky_relu,
     .match = FUNCTION_ROUNDED,
     .has_alpha = true,
     .alpha = 0.01,
     .compares = true},
    {.name = "log",
     .summary = "natural logarithm",
     .library = logl,
     .ulps = 4,
     .signs_zeros = true},
    {.name = "log10",
     .summary = "decimal logarithm",
     .library = log10l,
     .ulps = 4,
     .signs_zeros = true},
    {.name = "log1p",
     .summary = "log(1 + x)",
     .library = log1pl,
     .ulps = 3,
     .range = RANGE_ARGUMENT,
     .signs_zeros = true},
    {.name = "log2",
     .summary = "binary logarithm",
     .library = log2l,
     .ulps = 4,
     .signs_zeros = true},
    {.name = "logical_not",
     .summary = "whether x is 0",
     .evaluate = logical_not,
     .match = FUNCTION_ROUNDED,
     .of_booleans = true,
     .is_predicate = true},
    {.name = "logit",
     .summary = "log(x / (1 - x))",
     .evaluate = logit,
     .ulps = 4,
     .of_value = 1,
     .absolute = 3},
    {.name = "logsigmoid",
     .summary = "log of the logistic function",
     .evaluate = logsigmoid,
     .ulps = 3,
     .of_value = 4,
     .steps = 2,
     .loose = 4},
    {.name = "mish",
     .summary = "x tanh(softplus(x))",
     .evaluate = mish,
     .ulps = 5,
     .of_value = 12,
     .steps = 24,
     .loose_of_argument = 4},
    {.name = "neg",
     .summary = "negative",
     .evaluate = negative,
     .match = FUNCTION_BITS,
     .of_integers = true},
    {.name = "positive",
     .summary = "x itself",
     .evaluate = same,
     .match = FUNCTION_BITS,
     .of_integers = true},
    {.name = "rad2deg", .summary = "radians as degrees", .evaluate = to_degrees, .of_value = 2},
    {.name = "reciprocal",
     .summary = "1 / x",
     .evaluate = reciprocal,
     .match = FUNCTION_ROUNDED,
     .faithful = true,
     .signs_zeros = true},
    {.name = "relu",
     .summary = "x, or 0 below 0",
     .evaluate = relu,
     .match = FUNCTION_ROUNDED,
     .compares = true},
    {.name = "relu6",
     .summary = "x between 0 and 6",
     .evaluate = relu6,
     .match = FUNCTION_ROUNDED,
     .compares = true},
    {.name = "round",
     .summary = "nearest integer, ties to even",
     .library = rintl,
     .match = FUNCTION_ROUNDED,
     .signs_zeros = true},
    {.name = "rsqrt", .summary = "1 / sqrt(x)", .evaluate = rsqrt, .ulps = 2, .signs_zeros = true},
    {.name = "scaled_elu",
     .summary = "selu with its usual constants",
     .evaluate = activation_scaled_elu,
     .ulps = 3,
     .of_value = 5,
     .steps = 4,
     .loose = 8},
    {.name = "selu",
     .summary = "beta times elu with alpha",
     .evaluate = activation_selu,
     .ulps = 3,
     .of_value = 4,
     .steps = 4,
     .loose = 8,
     .has_alpha = true,
     .has_beta = true,
     .alpha = 1.67326319217681884765625,
     .beta = 1.05070102214813232421875},
    {.name = "sigmoid",
     .summary = "1 / (1 + exp(-x))",
     .evaluate = sigmoid,
     .ulps = 3,
     .of_value = 3,
     .steps = 2,
     .loose = 4},
    {.name = "sign",
     .summary = "-1, 0 or 1",
     .evaluate = sign,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .compares = true},
    {.name = "signbit",
     .summary = "whether the sign of x is negative",
     .evaluate = sign_bit,
     .match = FUNCTION_ROUNDED,
     .is_predicate = true},
    {.name = "silu",
     .summary = "x / (1 + exp(-x))",
     .evaluate = silu,
     .ulps = 3,
     .of_value = 4,
     .steps = 24,
     .loose_of_argument = 4},
    {.name = "sin",
     .summary = "sine",
     .library = sinl,
     .ulps = 4,
     .domain = TRIGONOMETRIC_DOMAIN,
     .loose = 2,
     .signs_zeros = true},
    {.name = "sinc",
     .summary = "sin(pi x) / (pi x), and 1 at 0",
     .evaluate = sinc,
     .ulps = 4,
     .of_value = 4,
     .absolute = 2,
     .domain = 1 << 13,
     .loose = 2},
    {.name = "sinh",
     .summary = "hyperbolic sine",
     .library = sinhl,
     .ulps = 4,
     .range = RANGE_RESULT,
     .signs_zeros = true},
    {.name = "softplus",
     .summary = "log(1 + exp(x))",
     .evaluate = softplus,
     .ulps = 3,
     .of_value = 4,
     .steps = 2,
     .loose = 4},
    {.name = "softshrink",
     .summary = "x moved towards 0 by alpha",
     .evaluate = softshrink,
     .match = FUNCTION_ROUNDED,
     .has_alpha = true,
     .alpha = 0.5,
     .positive_alpha = true,
     .compares = true},
    {.name = "softsign",
     .summary = "x / (1 + |x|)",
     .evaluate = softsign,
     .of_value = 3,
     .subnormals = 1},
    {.name = "sqrt",
     .summary = "square root",
     .library = sqrtl,
     .match = FUNCTION_ROUNDED,
     .faithful = true,
     .signs_zeros = true},
    {.name = "square",
     .summary = "x x",
     .evaluate = square,
     .match = FUNCTION_ROUNDED,
     .faithful = true,
     .signs_zeros = true},
    {.name = "tan",
     .summary = "tangent",
     .library = tanl,
     .ulps = 5,
     .domain = TRIGONOMETRIC_DOMAIN,
     .loose = 2,
     .signs_zeros = true},
    {.name = "tanh",
     .summary = "hyperbolic tangent",
     .library = tanhl,
     .ulps = 5,
     .steps = 1,
     .loose = 4,
     .signs_zeros = true},
    {.name = "tanhshrink",
     .summary = "x - tanh(x)",
     .evaluate = tanhshrink,
     .of_value = 1,
     .of_argument = 10,
     .steps = 1},
    {.name = "tgamma", .summary = "gamma function", .evaluate = gamma_of, .ulps = 16},
    {.name = "thresholded_relu",
     .summary = "x where x > alpha, else 0",
     .evaluate = thresholded_relu,
     .match = FUNCTION_ROUNDED,
     .has_alpha = true,
     .alpha = 1,
     .compares = true},
    {.name = "trunc",
     .summary = "integer part",
     .library = truncl,
     .match = FUNCTION_ROUNDED,
     .signs_zeros = true},
    {.name = NULL},
};
