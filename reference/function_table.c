/* The functions.  Each formula is arranged so that nothing cancels in extended precision. */
#include <string.h>

#include "function_values.h"

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
     .zeros = ZERO_SIGN("all", "IEEE 754-2019, 5.5.1, abs; array API standard, abs"),
     .of_integers = true},
    {.name = "acos",
     .summary = "inverse cosine",
     .library = acosl,
     .ulps = 4,
     .limits = LIMITS(BETWEEN(-INFINITY, BELOW_MINUS_ONE, NAN), BETWEEN(ABOVE_ONE, INFINITY, NAN),
                      AT(1, 0)),
     .source = "C23, F.10.1, acos; array API standard, acos",
     .results = {0, LIMIT_PI, "C23, 7.12.4.1, acos: in the interval [0, pi]",
                 "C23, 7.12.4.1, acos: in the interval [0, pi]"}},
    {.name = "acosh",
     .summary = "inverse hyperbolic cosine",
     .library = acoshl,
     .ulps = 4,
     .range = RANGE_SQUARE,
     .limits = LIMITS(BETWEEN(-INFINITY, BELOW_ONE, NAN), AT(1, 0), AT(INFINITY, INFINITY)),
     .source = "C23, F.10.2, acosh; array API standard, acosh",
     .results = {0, INFINITY, "C23, 7.12.5.1, acosh: in the interval [0, +infinity]", NULL}},
    {.name = "asin",
     .summary = "inverse sine",
     .library = asinl,
     .ulps = 4,
     .limits = LIMITS(BETWEEN(-INFINITY, BELOW_MINUS_ONE, NAN), BETWEEN(ABOVE_ONE, INFINITY, NAN),
                      ITSELF(-0.0L, 0.0L)),
     .source = "C23, F.10.1, asin; array API standard, asin",
     .results = {-LIMIT_PI / 2, LIMIT_PI / 2, "C23, 7.12.4.2, asin: in the interval [-pi/2, +pi/2]",
                 "C23, 7.12.4.2, asin: in the interval [-pi/2, +pi/2]"}},
    {.name = "asinh",
     .summary = "inverse hyperbolic sine",
     .library = asinhl,
     .ulps = 4,
     .range = RANGE_SQUARE,
     .limits =
         LIMITS(ITSELF(-0.0L, 0.0L), ITSELF(-INFINITY, -INFINITY), ITSELF(INFINITY, INFINITY)),
     .source = "C23, F.10.2, asinh; array API standard, asinh"},
    {.name = "atan",
     .summary = "inverse tangent",
     .library = atanl,
     .ulps = 5,
     .limits = LIMITS(ITSELF(-0.0L, 0.0L), NEAR(-INFINITY, -INFINITY, -LIMIT_PI / 2),
                      NEAR(INFINITY, INFINITY, LIMIT_PI / 2)),
     .source = "C23, F.10.1, atan; array API standard, atan",
     .results = {-LIMIT_PI / 2, LIMIT_PI / 2, "C23, 7.12.4.3, atan: in the interval [-pi/2, +pi/2]",
                 "C23, 7.12.4.3, atan: in the interval [-pi/2, +pi/2]"}},
    {.name = "atanh",
     .summary = "inverse hyperbolic tangent",
     .library = atanhl,
     .ulps = 5,
     .limits = LIMITS(BETWEEN(-INFINITY, BELOW_MINUS_ONE, NAN), AT(-1, -INFINITY),
                      ITSELF(-0.0L, 0.0L), AT(1, INFINITY), BETWEEN(ABOVE_ONE, INFINITY, NAN)),
     .source = "C23, F.10.2, atanh; array API standard, atanh"},
    {.name = "bitwise_not",
     .summary = "bits that are not set",
     .evaluate = bits_not,
     .match = FUNCTION_ROUNDED,
     .only_integers = true},
    {.name = "cbrt",
     .summary = "cube root",
     .library = cbrtl,
     .ulps = 4,
     .limits =
         LIMITS(ITSELF(-0.0L, 0.0L), ITSELF(-INFINITY, -INFINITY), ITSELF(INFINITY, INFINITY)),
     .source = "C23, F.10.4, cbrt"},
    {.name = "ceil",
     .summary = "least integer above",
     .library = ceill,
     .match = FUNCTION_ROUNDED,
     .limits =
         LIMITS(ITSELF(-0.0L, 0.0L), ITSELF(-INFINITY, -INFINITY), ITSELF(INFINITY, INFINITY)),
     .source = "C23, F.10.6, ceil; array API standard, ceil",
     .zeros = ZEROS_OF_ROUNDING},
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
     .positive_alpha = true,
     .limits = LIMITS(NEAR(INFINITY, INFINITY, INFINITY)),
     .source = "PyTorch, nn.CELU: the formula; IEEE 754-2019, 6.1"},
    {.name = "cos",
     .summary = "cosine",
     .library = cosl,
     .ulps = 4,
     .domain = TRIGONOMETRIC_DOMAIN,
     .loose = 2,
     .limits = LIMITS(BETWEEN(-0.0L, 0.0L, 1), AT(-INFINITY, NAN), AT(INFINITY, NAN)),
     .source = "C23, F.10.1, cos; array API standard, cos",
     .results = {-1, 1, NULL, NULL}},
    {.name = "cosh",
     .summary = "hyperbolic cosine",
     .library = coshl,
     .ulps = 4,
     .range = RANGE_RESULT,
     .limits = LIMITS(BETWEEN(-0.0L, 0.0L, 1), AT(-INFINITY, INFINITY), AT(INFINITY, INFINITY)),
     .source = "C23, F.10.2, cosh; array API standard, cosh",
     .results = {1, INFINITY, NULL, NULL}},
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
     .positive_alpha = true,
     .limits = LIMITS(NEAR(INFINITY, INFINITY, INFINITY)),
     .source = "PyTorch, nn.ELU: the formula; IEEE 754-2019, 6.1"},
    {.name = "erf",
     .summary = "error function",
     .library = erfl,
     .ulps = 16,
     .limits = LIMITS(ITSELF(-0.0L, 0.0L), AT(-INFINITY, -1), AT(INFINITY, 1)),
     .source = "C23, F.10.5, erf",
     .results = {-1, 1, NULL, NULL}},
    {.name = "erfc",
     .summary = "1 - erf(x)",
     .library = erfcl,
     .ulps = 16,
     .steps = 1,
     .limits = LIMITS(AT(-INFINITY, 2), AT(INFINITY, 0)),
     .source = "C23, F.10.5, erfc",
     .results = {0, 2, KEEPS_SIGN, NULL}},
    {.name = "exp",
     .summary = "exponential",
     .library = expl,
     .ulps = 3,
     .steps = 2,
     .limits = LIMITS(AT(-INFINITY, 0), BETWEEN(-0.0L, 0.0L, 1), AT(INFINITY, INFINITY)),
     .source = "C23, F.10.3, exp; array API standard, exp",
     .results = {0, INFINITY, KEEPS_SIGN, NULL}},
    {.name = "exp10",
     .summary = "power of ten",
     .library = exp10l,
     .ulps = 3,
     .steps = 2,
     .limits = LIMITS(AT(-INFINITY, 0), BETWEEN(-0.0L, 0.0L, 1), AT(INFINITY, INFINITY)),
     .source = "C23, F.10.3, exp10",
     .results = {0, INFINITY, KEEPS_SIGN, NULL}},
    {.name = "exp2",
     .summary = "power of two",
     .library = exp2l,
     .ulps = 3,
     .steps = 2,
     .limits = LIMITS(AT(-INFINITY, 0), BETWEEN(-0.0L, 0.0L, 1), AT(INFINITY, INFINITY)),
     .source = "C23, F.10.3, exp2",
     .results = {0, INFINITY, KEEPS_SIGN, NULL}},
    {.name = "expm1",
     .summary = "exp(x) - 1",
     .library = expm1l,
     .ulps = 3,
     .loose = 4,
     .limits = LIMITS(AT(-INFINITY, -1), ITSELF(-0.0L, 0.0L), AT(INFINITY, INFINITY)),
     .source = "C23, F.10.3, expm1; array API standard, expm1",
     .results = {-1, INFINITY, NULL, NULL}},
    {.name = "floor",
     .summary = "greatest integer below",
     .library = floorl,
     .match = FUNCTION_ROUNDED,
     .limits =
         LIMITS(ITSELF(-0.0L, 0.0L), ITSELF(-INFINITY, -INFINITY), ITSELF(INFINITY, INFINITY)),
     .source = "C23, F.10.6, floor; array API standard, floor",
     .zeros = ZEROS_OF_ROUNDING},
    {.name = "frac",
     .summary = "x less its integer part",
     .evaluate = fraction,
     .match = FUNCTION_ROUNDED,
     .limits = LIMITS(AT(-INFINITY, NAN), AT(INFINITY, NAN)),
     .source = "PyTorch, torch.frac: x less its integer; IEEE 754-2019, 7.2"},
    {.name = "gelu",
     .summary = "x/2 (1 + erf(x / sqrt 2))",
     .evaluate = activation_gelu_erf,
     .of_value = 6,
     .of_argument = 3,
     .steps = 1,
     .limits = LIMITS(NEAR_OR_NAN(-INFINITY, 0), NEAR(INFINITY, INFINITY, INFINITY)),
     .source = "ONNX, Gelu: the formula; IEEE 754-2019, 6.1 and 7.2"},
    {.name = "gelu_tanh",
     .summary = "x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))",
     .evaluate = activation_gelu_tanh,
     .of_value = 6,
     .of_argument = 9,
     .steps = 1,
     .limits = LIMITS(NEAR_OR_NAN(-INFINITY, 0), NEAR(INFINITY, INFINITY, INFINITY)),
     .source = "ONNX, Gelu: the formula; IEEE 754-2019, 6.1 and 7.2"},
    {.name = "hardshrink",
     .summary = "x where |x| > alpha, else 0",
     .evaluate = activation_hardshrink,
     .match = FUNCTION_ROUNDED,
     .has_alpha = true,
     .alpha = 0.5,
     .positive_alpha = true,
     .compares = true,
     .limits = LIMITS(ITSELF(-INFINITY, -INFINITY), ITSELF(INFINITY, INFINITY)),
     .source = "PyTorch, nn.Hardshrink: the formula; IEEE 754-2019, 6.1"},
    {.name = "hardsigmoid",
     .summary = "alpha x + beta between 0 and 1",
     .evaluate = activation_hardsigmoid,
     .compares = true,
     .nan = NAN_OF_GREATEST,
     .of_value = 2,
     .of_argument = 2,
     .absolute = 1,
     .has_alpha = true,
     .has_beta = true,
     .alpha = 0.2,
     .beta = 0.5,
     .results = {0, 1, "ONNX, HardSigmoid: max(0, min(1, alpha * x + beta))",
                 "ONNX, HardSigmoid: max(0, min(1, alpha * x + beta))"}},
    {.name = "hardsigmoid_relu6",
     .summary = "min(max(x + 3, 0), 6) / 6",
     .evaluate = activation_hardsigmoid_relu6,
     .compares = true,
     .nan = "PyTorch, nn.Hardsigmoid: x / 6 + 1 / 2 otherwise",
     .of_value = 3,
     .of_argument = 0.5,
     .limits = LIMITS(NEAR(-INFINITY, -3, 0), NEAR(3, INFINITY, 1)),
     .results = {0, 1, "PyTorch, Hardsigmoid: 0 up to -3, 1 from 3 on",
                 "PyTorch, Hardsigmoid: 0 up to -3, 1 from 3 on"}},
    {.name = "hardswish",
     .summary = "x min(max(x + 3, 0), 6) / 6",
     .evaluate = activation_hardswish,
     .of_value = 4,
     .of_argument = 2,
     .enlarged = 3,
     .limits = LIMITS(NEAR_OR_NAN(-INFINITY, 0), NEAR(INFINITY, INFINITY, INFINITY)),
     .source = "ONNX, HardSwish: the formula; IEEE 754-2019, 6.1 and 7.2"},
    {.name = "hardtanh",
     .summary = "x between -1 and 1",
     .evaluate = activation_hardtanh,
     .match = FUNCTION_ROUNDED,
     .compares = true,
     .limits = LIMITS(BETWEEN(-INFINITY, -1, -1), BETWEEN(1, INFINITY, 1)),
     .results = {-1, 1, "PyTorch, Hardtanh: min_val and max_val",
                 "PyTorch, Hardtanh: min_val and max_val"},
     .nan = "PyTorch, nn.Hardtanh: x otherwise"},
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
     .evaluate = activation_leaky_relu,
     .match = FUNCTION_ROUNDED,
     .has_alpha = true,
     .alpha = 0.01,
     .compares = true,
     .limits = LIMITS(ITSELF(INFINITY, INFINITY)),
     .source = "PyTorch, nn.LeakyReLU: the formula; IEEE 754-2019, 6.1",
     .nan = "PyTorch, nn.LeakyReLU: negative_slope x otherwise"},
    {.name = "log",
     .summary = "natural logarithm",
     .library = logl,
     .ulps = 4,
     .limits = LIMITS(BETWEEN(-INFINITY, BELOW_ZERO, NAN), BETWEEN(-0.0L, 0.0L, -INFINITY),
                      AT(1, 0), AT(INFINITY, INFINITY)),
     .source = "C23, F.10.3, log; array API standard, log"},
    {.name = "log10",
     .summary = "decimal logarithm",
     .library = log10l,
     .ulps = 4,
     .limits = LIMITS(BETWEEN(-INFINITY, BELOW_ZERO, NAN), BETWEEN(-0.0L, 0.0L, -INFINITY),
                      AT(1, 0), AT(INFINITY, INFINITY)),
     .source = "C23, F.10.3, log10; array API standard, log10"},
    {.name = "log1p",
     .summary = "log(1 + x)",
     .library = log1pl,
     .ulps = 3,
     .range = RANGE_ARGUMENT,
     .limits = LIMITS(BETWEEN(-INFINITY, BELOW_MINUS_ONE, NAN), AT(-1, -INFINITY),
                      ITSELF(-0.0L, 0.0L), AT(INFINITY, INFINITY)),
     .source = "C23, F.10.3, log1p; array API standard, log1p"},
    {.name = "log2",
     .summary = "binary logarithm",
     .library = log2l,
     .ulps = 4,
     .limits = LIMITS(BETWEEN(-INFINITY, BELOW_ZERO, NAN), BETWEEN(-0.0L, 0.0L, -INFINITY),
                      AT(1, 0), AT(INFINITY, INFINITY)),
     .source = "C23, F.10.3, log2; array API standard, log2"},
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
     .absolute = 3,
     .limits = LIMITS(BETWEEN(-INFINITY, BELOW_ZERO, NAN), BETWEEN(-0.0L, 0.0L, -INFINITY),
                      AT(1, INFINITY), BETWEEN(ABOVE_ONE, INFINITY, NAN)),
     .source = "PyTorch, torch.logit: the formula; IEEE 754-2019, 7.2 and 7.3"},
    {.name = "logsigmoid",
     .summary = "log of the logistic function",
     .evaluate = activation_logsigmoid,
     .ulps = 3,
     .of_value = 4,
     .steps = 2,
     .loose = 4,
     .limits = LIMITS(NEAR(-INFINITY, -INFINITY, -INFINITY), NEAR(INFINITY, INFINITY, -0.0L)),
     .source = "PyTorch, nn.LogSigmoid: the formula; IEEE 754-2019, 6.1",
     .results = {-INFINITY, 0, NULL, KEEPS_SIGN}},
    {.name = "mish",
     .summary = "x tanh(softplus(x))",
     .evaluate = activation_mish,
     .ulps = 5,
     .of_value = 12,
     .steps = 24,
     .loose_of_argument = 4,
     .limits = LIMITS(NEAR_OR_NAN(-INFINITY, 0), NEAR(INFINITY, INFINITY, INFINITY)),
     .source = "ONNX, Mish: the formula; IEEE 754-2019, 6.1 and 7.2"},
    {.name = "neg",
     .summary = "negative",
     .evaluate = negative,
     .match = FUNCTION_BITS,
     .zeros = ZERO_SIGN("all", "IEEE 754-2019, 5.5.1, negate; array API standard, negative"),
     .of_integers = true},
    {.name = "positive",
     .summary = "x itself",
     .evaluate = same,
     .match = FUNCTION_BITS,
     .zeros = ZERO_SIGN("all", ZEROS_COPIED),
     .of_integers = true},
    {.name = "rad2deg", .summary = "radians as degrees", .evaluate = to_degrees, .of_value = 2},
    {.name = "reciprocal",
     .summary = "1 / x",
     .evaluate = reciprocal,
     .match = FUNCTION_ROUNDED,
     .faithful = true,
     .limits =
         LIMITS(AT(-INFINITY, -0.0L), AT(-0.0L, -INFINITY), AT(0.0L, INFINITY), AT(INFINITY, 0)),
     .source = "IEEE 754-2019, 6.1, 6.3 and 7.3",
     .zeros = ZEROS_OF_ARITHMETIC},
    {.name = "relu",
     .summary = "x, or 0 below 0",
     .evaluate = activation_relu,
     .match = FUNCTION_ROUNDED,
     .compares = true,
     .results = {0, INFINITY, "ONNX, Relu: max(0, x)", NULL},
     .nan = NAN_OF_GREATEST},
    {.name = "relu6",
     .summary = "x between 0 and 6",
     .evaluate = activation_relu6,
     .match = FUNCTION_ROUNDED,
     .compares = true,
     .results = {0, 6, "PyTorch, ReLU6: min(max(0, x), 6)", "PyTorch, ReLU6: min(max(0, x), 6)"},
     .nan = NAN_OF_GREATEST},
    {.name = "round",
     .summary = "nearest integer, ties to even",
     .library = rintl,
     .match = FUNCTION_ROUNDED,
     .limits =
         LIMITS(ITSELF(-0.0L, 0.0L), ITSELF(-INFINITY, -INFINITY), ITSELF(INFINITY, INFINITY)),
     .source = "C23, F.10.6, rint; array API standard, round",
     .zeros = ZEROS_OF_ROUNDING},
    {.name = "rsqrt",
     .summary = "1 / sqrt(x)",
     .evaluate = rsqrt,
     .ulps = 2,
     .limits = LIMITS(BETWEEN(-INFINITY, BELOW_ZERO, NAN), AT(-0.0L, -INFINITY), AT(0.0L, INFINITY),
                      AT(INFINITY, 0)),
     .source = "C23, F.10.4, rsqrt"},
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
     .evaluate = activation_sigmoid,
     .ulps = 3,
     .of_value = 3,
     .steps = 2,
     .loose = 4,
     .limits = LIMITS(NEAR(-INFINITY, -INFINITY, 0), NEAR(INFINITY, INFINITY, 1)),
     .source = "ONNX, Sigmoid: the formula; IEEE 754-2019, 6.1",
     .results = {0, 1, KEEPS_SIGN, NULL}},
    {.name = "sign",
     .summary = "-1, 0 or 1",
     .evaluate = sign,
     .match = FUNCTION_ROUNDED,
     .of_integers = true,
     .compares = true,
     .nan = "array API standard, sign: NaN of NaN"},
    {.name = "signbit",
     .summary = "whether the sign of x is negative",
     .evaluate = sign_bit,
     .match = FUNCTION_ROUNDED,
     .is_predicate = true},
    {.name = "silu",
     .summary = "x / (1 + exp(-x))",
     .evaluate = activation_silu,
     .ulps = 3,
     .of_value = 4,
     .steps = 24,
     .loose_of_argument = 4,
     .limits = LIMITS(NEAR_OR_NAN(-INFINITY, 0), NEAR(INFINITY, INFINITY, INFINITY)),
     .source = "PyTorch, nn.SiLU: the formula; IEEE 754-2019, 6.1 and 7.2"},
    {.name = "sin",
     .summary = "sine",
     .library = sinl,
     .ulps = 4,
     .domain = TRIGONOMETRIC_DOMAIN,
     .loose = 2,
     .limits = LIMITS(ITSELF(-0.0L, 0.0L), AT(-INFINITY, NAN), AT(INFINITY, NAN)),
     .source = "C23, F.10.1, sin; array API standard, sin",
     .results = {-1, 1, NULL, NULL}},
    {.name = "sinc",
     .summary = "sin(pi x) / (pi x), and 1 at 0",
     .evaluate = sinc,
     .ulps = 4,
     .of_value = 4,
     .absolute = 2,
     .domain = 1 << 13,
     .loose = 2,
     .limits = LIMITS(BETWEEN(-0.0L, 0.0L, 1), AT(-INFINITY, NAN), AT(INFINITY, NAN)),
     .source = "NumPy, sinc; elsewhere the formula"},
    {.name = "sinh",
     .summary = "hyperbolic sine",
     .library = sinhl,
     .ulps = 4,
     .range = RANGE_RESULT,
     .limits =
         LIMITS(ITSELF(-0.0L, 0.0L), ITSELF(-INFINITY, -INFINITY), ITSELF(INFINITY, INFINITY)),
     .source = "C23, F.10.2, sinh; array API standard, sinh"},
    {.name = "softplus",
     .summary = "log(1 + exp(x))",
     .evaluate = activation_softplus,
     .ulps = 3,
     .of_value = 4,
     .steps = 2,
     .loose = 4,
     .limits = LIMITS(NEAR(-INFINITY, -INFINITY, 0), NEAR(INFINITY, INFINITY, INFINITY)),
     .source = "ONNX, Softplus: the formula; IEEE 754-2019, 6.1",
     .results = {0, INFINITY, KEEPS_SIGN, NULL}},
    {.name = "softshrink",
     .summary = "x moved towards 0 by alpha",
     .evaluate = activation_softshrink,
     .match = FUNCTION_ROUNDED,
     .has_alpha = true,
     .alpha = 0.5,
     .positive_alpha = true,
     .compares = true,
     .limits = LIMITS(ITSELF(-INFINITY, -INFINITY), ITSELF(INFINITY, INFINITY)),
     .source = "PyTorch, nn.Softshrink: the formula; IEEE 754-2019, 6.1"},
    {.name = "softsign",
     .summary = "x / (1 + |x|)",
     .evaluate = activation_softsign,
     .of_value = 3,
     .subnormals = 1,
     .limits = LIMITS(NEAR_OR_NAN(-INFINITY, -1), NEAR_OR_NAN(INFINITY, 1)),
     .source = "ONNX, Softsign: the formula; IEEE 754-2019, 6.1 and 7.2",
     .results = {-1, 1, NULL, NULL}},
    {.name = "sqrt",
     .summary = "square root",
     .library = sqrtl,
     .match = FUNCTION_ROUNDED,
     .faithful = true,
     .limits =
         LIMITS(BETWEEN(-INFINITY, BELOW_ZERO, NAN), ITSELF(-0.0L, 0.0L), AT(INFINITY, INFINITY)),
     .source = "IEEE 754-2019, 5.4.1 and 7.2; C23, F.10.4, sqrt; array API standard, sqrt",
     .zeros = ZEROS_OF_ARITHMETIC},
    {.name = "square",
     .summary = "x x",
     .evaluate = square,
     .match = FUNCTION_ROUNDED,
     .faithful = true,
     .zeros = ZEROS_OF_ARITHMETIC},
    {.name = "tan",
     .summary = "tangent",
     .library = tanl,
     .ulps = 5,
     .domain = TRIGONOMETRIC_DOMAIN,
     .loose = 2,
     .limits = LIMITS(ITSELF(-0.0L, 0.0L), AT(-INFINITY, NAN), AT(INFINITY, NAN)),
     .source = "C23, F.10.1, tan; array API standard, tan"},
    {.name = "tanh",
     .summary = "hyperbolic tangent",
     .library = tanhl,
     .ulps = 5,
     .steps = 1,
     .loose = 4,
     .limits = LIMITS(ITSELF(-0.0L, 0.0L), AT(-INFINITY, -1), AT(INFINITY, 1)),
     .source = "C23, F.10.2, tanh; array API standard, tanh",
     .results = {-1, 1, NULL, NULL}},
    {.name = "tanhshrink",
     .summary = "x - tanh(x)",
     .evaluate = activation_tanhshrink,
     .of_value = 1,
     .of_argument = 10,
     .steps = 1,
     .limits = LIMITS(NEAR(-INFINITY, -INFINITY, -INFINITY), NEAR(INFINITY, INFINITY, INFINITY)),
     .source = "PyTorch, nn.Tanhshrink: the formula; IEEE 754-2019, 6.1"},
    {.name = "tgamma",
     .summary = "gamma function",
     .evaluate = gamma_of,
     .ulps = 16,
     .limits = LIMITS(AT_INTEGERS(-INFINITY, BELOW_ZERO, NAN), AT(-0.0L, -INFINITY),
                      AT(0.0L, INFINITY), AT(INFINITY, INFINITY)),
     .source = "C23, F.10.5, tgamma"},
    {.name = "thresholded_relu",
     .summary = "x where x > alpha, else 0",
     .evaluate = activation_thresholded_relu,
     .match = FUNCTION_ROUNDED,
     .has_alpha = true,
     .alpha = 1,
     .compares = true,
     .limits = LIMITS(AT(-INFINITY, 0), ITSELF(INFINITY, INFINITY)),
     .source = "ONNX, ThresholdedRelu: the formula; IEEE 754-2019, 6.1"},
    {.name = "trunc",
     .summary = "integer part",
     .library = truncl,
     .match = FUNCTION_ROUNDED,
     .limits =
         LIMITS(ITSELF(-0.0L, 0.0L), ITSELF(-INFINITY, -INFINITY), ITSELF(INFINITY, INFINITY)),
     .source = "C23, F.10.6, trunc; array API standard, trunc",
     .zeros = ZEROS_OF_ROUNDING},
    {.name = NULL},
};
