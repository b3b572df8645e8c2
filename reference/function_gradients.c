/* Derivatives times a gradient.  With s, t and e the sigmoid, tanh and exponential within 4, 5 and
 * 3 ulp: 1 - t^2 is off by 11 u and a rounding, and dy multiplies once more.  1 - s is off by 8 u s
 * and a rounding, which for x <= 0 is 10 u (1 - s) at most, so that s (1 - s) is off by 20 u of
 * itself with two more roundings; for x > 0, where s is above 1/2 and an ulp of it u, by 4 u s
 * beside that.  What s loses below the smallest normal number dy multiplies.  The
 * parts of the derivative of gelu, Phi(x) and x phi(x), by 3 u and by |x phi| (12 + 2 x^2) u, which
 * is below 6 u. */

#include "function_values.h"

static FunctionValue with_peak(FunctionValue v, long double peak)
{
    v.peak = fabsl(peak);
    return v;
}

/* 0 where the function is flat; a gradient that is not finite may be multiplied by that 0. */
static FunctionValue flat(long double dy)
{
    FunctionValue v = relative(0, 0);
    v.or_nan = !isfinite(dy);
    return v;
}

static FunctionValue kink(long double value, long double other)
{
    return (FunctionValue){.value = value, .has_other = true, .other = other};
}

/* Where an argument is NaN: one of the values beside a kink, as comparisons give it, or NaN. */
static FunctionValue undefined(long double value, long double other)
{
    FunctionValue v = kink(value, other);
    v.or_nan = true;
    return v;
}

/* Anything from 0 to dy at a kink; an infinity may be multiplied by 0, or by a half. */
static FunctionValue at_zero(long double dy)
{
    FunctionValue v = kink(0, dy);
    v.or_nan = !isfinite(dy);
    return v;
}

static FunctionValue of_relu(long double dy, long double x)
{
    if (isnan(x))
        return undefined(0, dy);
    if (x == 0)
        return at_zero(dy);
    return x > 0 ? relative(dy, 0) : flat(dy);
}

static FunctionValue of_abs(long double dy, long double x)
{
    /* An infinite gradient comes through slopes of 1 and -1, and is NaN through 0. */
    if (isnan(x))
        return (FunctionValue){.value = 0, .error = fabsl(dy), .or_nan = true, .any = isinf(dy)};
    if (x == 0)
        return at_zero(dy);
    return relative(x > 0 ? dy : -dy, 0);
}

static FunctionValue of_square(long double dy, long double x)
{
    /* The factors in any order. */
    return with_peak(relative(2 * x * dy, 2), fmaxl(fabsl(2 * x), fabsl(2 * dy)));
}

static FunctionValue of_sqrt(long double dy, long double x, DType dtype)
{
    /* 0 times infinity or NaN, which some libraries take for 0: there is no derivative. */
    if (dy == 0 && !(x > 0))
        return undefined(0, 0);
    FunctionValue v = relative(dy / (2 * sqrtl(x)), 3);
    /* Half of dy may be rounded to a subnormal number before the root makes it large. */
    if (x > 0)
        v.moved = dtype_format(dtype)->smallest_subnormal / sqrtl(x);
    /* Half of the least number is rounded to 0. */
    v.or_nan = x == 0 && fabsl(dy) <= dtype_format(dtype)->smallest_subnormal;
    /* The root of -0 is a zero whose sign is free, and with it that of the infinity; dy may be
     * halved last. */
    return with_peak(v, x > 0 ? dy / sqrtl(x) : x == 0 && signbit(x) ? INFINITY : 0);
}

static FunctionValue of_exp(long double dy, long double x)
{
    return with_peak(relative(dy * expl(x), 4), expl(x));
}

static FunctionValue of_log(long double dy, long double x)
{
    return with_peak(relative(dy / x, 1), 1 / x);
}

static FunctionValue of_tanh(long double dy, long double x)
{
    long double c = coshl(x);
    return relative(dy / (c * c), 12);
}

static FunctionValue of_sigmoid(long double dy, long double x)
{
    long double e = expl(-fabsl(x));
    FunctionValue v = relative(dy * (e / ((1 + e) * (1 + e))), 12);
    v.terms = x > 0 && isfinite(dy) ? fabsl(dy) / (1 + e) : 0;
    return v;
}

/* By the sigmoid, by dy e^x / (1 + e^x) where e^x is not large, whose product is an infinity of
 * dy's sign or no larger than the result allows, or by e^(x - softplus(x)), whose difference is
 * rounded relative to x until softplus(x) is x, or nothing beside it. */
static FunctionValue of_softplus(long double dy, long double x)
{
    enum { WHERE_NOTHING_IS_LEFT = 37, WHERE_IT_IS_X = 20 };
    FunctionValue v = relative(dy / (1 + expl(-x)), 8);
    if (!isfinite(v.value))
        return v;
    v.terms = fabsl(v.value) * fminl(fabsl(x), WHERE_NOTHING_IS_LEFT);
    v.rise = fabsl(dy) * expl(fminl(x, WHERE_IT_IS_X));
    return v;
}

static FunctionValue of_gelu(long double dy, long double x, DType dtype)
{
    long double phi = 0.398942280401432677939946059934L * expl(-x * x / 2);
    long double twice = erfcl(-x * 0.707106781186547524400844362105L);
    FunctionValue v = relative(dy * (twice / 2 + x * phi), 32);
    v.error += fabsl(dy) * 0x1p-58L;
    /* An infinite gradient may multiply x, and that a phi that vanishes. */
    v.or_nan = isinf(dy) && phi < dtype_format(dtype)->smallest_normal;
    /* dy may multiply x before phi makes that small, and 1 + erf before it is halved. */
    return with_peak(v, dy * fmaxl(fabsl(x), twice));
}

const Function function_gradients[] = {
    {.name = "relu_backward",
     .summary = "gradient of relu",
     .evaluate_pair = of_relu,
     .match = FUNCTION_ROUNDED},
    {.name = "abs_backward",
     .summary = "gradient of abs",
     .evaluate_pair = of_abs,
     .match = FUNCTION_ROUNDED},
    {.name = "square_backward",
     .summary = "gradient of square",
     .evaluate_pair = of_square,
     .of_value = 2},
    {.name = "sqrt_backward",
     .summary = "gradient of sqrt",
     .evaluate_typed = of_sqrt,
     .of_value = 4},
    {.name = "exp_backward",
     .summary = "gradient of exp",
     .evaluate_pair = of_exp,
     .slope_vanishes = true,
     .of_value = 8,
     .steps = 2,
     .steps_of_argument = 2},
    {.name = "log_backward",
     .summary = "gradient of log",
     .evaluate_pair = of_log,
     .faithful = true,
     .of_value = 2,
     .subnormals = 1},
    {.name = "tanh_backward",
     .summary = "gradient of tanh",
     .evaluate_pair = of_tanh,
     .slope_vanishes = true,
     .of_value = 3,
     .of_argument = 12},
    {.name = "sigmoid_backward",
     .summary = "gradient of sigmoid",
     .evaluate_pair = of_sigmoid,
     .slope_vanishes = true,
     .of_value = 20,
     .steps = 2,
     .steps_of_argument = 2,
     .loose_of_argument = 10,
     .of_terms = 4},
    {.name = "softplus_backward",
     .summary = "gradient of softplus",
     .evaluate_pair = of_softplus,
     .slope_vanishes = true,
     .of_value = 12,
     .steps = 2,
     .steps_of_argument = 2,
     .loose_of_argument = 4,
     .of_terms = 1},
    {.name = "gelu_backward",
     .summary = "gradient of gelu",
     .evaluate_typed = of_gelu,
     .slope_vanishes = true,
     .of_value = 3,
     .of_argument = 12},
    {.name = NULL},
};
