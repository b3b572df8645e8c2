/* The derivatives of the functions in function_table.c, each as the formula that kernels evaluate,
 * in balls. */
#include "derivative.h"

#include <math.h>
#include <string.h>

#include "mag.h"
#include "special.h"

typedef DerivativeContext Context;

static Ball call(const Context *c, const char *name, Ball x)
{
    return ball_function(c->format, function_named(name), x, c->loose);
}

static Ball add(const Context *c, Ball x, Ball y)
{
    return ball_add(c->format, x, y);
}

static Ball subtract(const Context *c, Ball x, Ball y)
{
    return ball_subtract(c->format, x, y);
}

static Ball multiply(const Context *c, Ball x, Ball y)
{
    return ball_multiply(c->format, x, y);
}

static Ball divide(const Context *c, Ball x, Ball y)
{
    return ball_divide(c->format, x, y);
}

static Ball square(const Context *c, Ball x)
{
    return multiply(c, x, x);
}

/* A constant rounded to the format. */
static Ball constant(const Context *c, long double value)
{
    return (Ball){value, (double)fabsl(value) * c->format->unit, 0};
}

static Ball one(void)
{
    return ball_exact(1);
}

/* What is correctly rounded already is off by half an ulp more where it is within 1 ulp only. */
static Ball faithful(const Context *c, Ball x)
{
    return c->faithful && ball_is_known(x) ? ball_round(c->format, x, 1) : x;
}

/* Of what is exactly 0, of either sign, an infinity of that sign (IEEE 754-2019, 7.3); NaN as well
 * where it is a step of Newton's from an estimate, which multiplies the two. */
static Ball reciprocal_of(const Context *c, Ball x)
{
    if (ball_is_known(x) && x.value == 0 && x.radius == 0)
        return ball_or(ball_exact(INFINITY),
                       CLASS_NEGATIVE_INFINITY | (c->faithful ? CLASS_NAN : 0));
    return faithful(c, divide(c, one(), x));
}

static Ball root_of(const Context *c, Ball x)
{
    return faithful(c, ball_sqrt(c->format, x));
}

/* 1 - x^2, or (1 - x) (1 + x). */
static Ball one_minus_square(const Context *c, Ball x)
{
    return ball_either(subtract(c, one(), square(c, x)),
                       multiply(c, subtract(c, one(), x), add(c, one(), x)));
}

static Ball one_plus_square(const Context *c, Ball x)
{
    return add(c, one(), square(c, x));
}

static Ball of_exp2(const Context *c, Ball x)
{
    return multiply(c, call(c, "exp2", x), constant(c, 0.693147180559945309417232121458L));
}

/* The result and what it tends to, each of which the gradient may multiply: dy r + dy. */
static Ball by_result(const Context *c, Ball result, Ball limit)
{
    return add(c, ball_round(c->format, result, 1), limit);
}

static Ball of_expm1(const Context *c, Ball x)
{
    return ball_either(call(c, "exp", x), by_result(c, call(c, "expm1", x), one()));
}

static Ball of_log2(const Context *c, Ball x)
{
    return reciprocal_of(c, multiply(c, x, constant(c, 0.693147180559945309417232121458L)));
}

static Ball of_log10(const Context *c, Ball x)
{
    return reciprocal_of(c, multiply(c, x, constant(c, 2.30258509299404568401799145468L)));
}

static Ball of_log1p(const Context *c, Ball x)
{
    return reciprocal_of(c, add(c, one(), x));
}

/* -r^3 / 2 with r = 1 / sqrt(x). */
static Ball of_rsqrt(const Context *c, Ball x)
{
    Ball r = call(c, "rsqrt", x);
    return multiply(c, ball_exact(-0.5), multiply(c, square(c, r), r));
}

static Ball of_cbrt(const Context *c, Ball x)
{
    return reciprocal_of(c, multiply(c, ball_exact(3), square(c, call(c, "cbrt", x))));
}

static Ball of_reciprocal(const Context *c, Ball x)
{
    return ball_negate(ball_either(square(c, reciprocal_of(c, x)), reciprocal_of(c, square(c, x))));
}

static Ball of_sin(const Context *c, Ball x)
{
    return call(c, "cos", x);
}

static Ball of_cos(const Context *c, Ball x)
{
    return ball_negate(call(c, "sin", x));
}

/* 1 + tan(x)^2, or 1 / cos(x)^2. */
static Ball of_tan(const Context *c, Ball x)
{
    Ball secant = reciprocal_of(c, call(c, "cos", x));
    return ball_either(one_plus_square(c, call(c, "tan", x)), square(c, secant));
}

static Ball of_asin(const Context *c, Ball x)
{
    return reciprocal_of(c, root_of(c, one_minus_square(c, x)));
}

static Ball of_acos(const Context *c, Ball x)
{
    return ball_negate(of_asin(c, x));
}

static Ball of_atan(const Context *c, Ball x)
{
    return reciprocal_of(c, one_plus_square(c, x));
}

static Ball of_sinh(const Context *c, Ball x)
{
    return call(c, "cosh", x);
}

static Ball of_cosh(const Context *c, Ball x)
{
    return call(c, "sinh", x);
}

/* 1 / sqrt(1 + x^2), or 1 / cosh(y) of the result. */
static Ball of_asinh(const Context *c, Ball x)
{
    Ball cosine = call(c, "cosh", ball_abs(call(c, "asinh", x)));
    Ball root = root_of(c, one_plus_square(c, x));
    return ball_either(reciprocal_of(c, root), reciprocal_of(c, cosine));
}

/* 1 / sqrt(x^2 - 1), or 1 / sinh(y) of the result; below the domain both are numbers or NaN. */
static Ball of_acosh(const Context *c, Ball x)
{
    Ball apart = multiply(c, subtract(c, x, one()), add(c, x, one()));
    Ball root = root_of(c, ball_either(subtract(c, square(c, x), one()), apart));
    if (ball_number(x) < 1)
        return ball_or(reciprocal_of(c, root), CLASS_NAN);
    /* acosh(1) is +0, and sinh(+0) is (C23, F.10.2.1 and F.10.2.5). */
    if (ball_number(x) == 1 && x.radius == 0)
        return reciprocal_of(c, ball_exact(0));
    Ball sine = call(c, "sinh", call(c, "acosh", x));
    return ball_either(reciprocal_of(c, root), reciprocal_of(c, sine));
}

static Ball of_atanh(const Context *c, Ball x)
{
    return reciprocal_of(c, one_minus_square(c, x));
}

static Ball of_erf(const Context *c, Ball x)
{
    Ball e = call(c, "exp", ball_negate(square(c, x)));
    return multiply(c, constant(c, 1.12837916709551257389615890312L), e);
}

static Ball of_erfc(const Context *c, Ball x)
{
    return ball_negate(of_erf(c, x));
}

/* s (1 + x (1 - s)), or s + x s (1 - s). */
static Ball of_silu(const Context *c, Ball x)
{
    Ball s = call(c, "sigmoid", x), rest = subtract(c, one(), s);
    Ball inside = multiply(c, s, add(c, one(), multiply(c, x, rest)));
    return ball_either(inside, add(c, s, multiply(c, multiply(c, x, s), rest)));
}

/* t + x s (1 - t^2), t the hyperbolic tangent of softplus. */
static Ball of_mish(const Context *c, Ball x)
{
    Ball t = call(c, "tanh", call(c, "softplus", x)), s = call(c, "sigmoid", x);
    return add(c, t, multiply(c, multiply(c, x, s), one_minus_square(c, t)));
}

/* (1 + t) / 2 + x / 2 (1 - t^2) g, t = tanh(z), z = k (x + 0.044715 x^3), g its derivative. */
static Ball of_gelu_tanh(const Context *c, Ball x)
{
    Ball k = constant(c, 0.797884560802865355879892119868764L), half = ball_exact(0.5);
    Ball cubic = constant(c, 0.044715L), x2 = square(c, x);
    Ball inner = add(c, x, multiply(c, multiply(c, cubic, x2), x));
    Ball t = call(c, "tanh", multiply(c, k, inner));
    Ball g = multiply(c, k, add(c, one(), multiply(c, multiply(c, ball_exact(3), cubic), x2)));
    Ball front = multiply(c, half, add(c, one(), t));
    Ball slope = multiply(c, one_minus_square(c, t), g);
    return add(c, front, multiply(c, multiply(c, half, x), slope));
}

/* Which piece NaN lies on no text says: the slope of either, of none, which is 0, or NaN. */
static Ball piece(Ball x, double at, Ball below, Ball above)
{
    long double number = ball_number(x);
    if (ball_is_nan(x))
        return ball_or(ball_either(ball_exact(0), ball_either(below, above)), CLASS_NAN);
    if (isnan(number))
        return ball_unknown();
    if (number == at)
        return ball_either(below, above);
    return number < at ? below : above;
}

/* alpha exp(x) below 0, or y + alpha of the result. */
static Ball of_elu(const Context *c, Ball x)
{
    Ball alpha = ball_exact(c->alpha);
    Ball result = multiply(c, alpha, call(c, "expm1", x));
    Ball below = ball_either(multiply(c, alpha, call(c, "exp", x)), by_result(c, result, alpha));
    return piece(x, 0, below, one());
}

static Ball of_selu(const Context *c, Ball x)
{
    Ball scale = ball_exact(c->beta);
    Ball below = multiply(c, ball_exact(c->alpha), call(c, "exp", x));
    return piece(x, 0, multiply(c, scale, below), scale);
}

/* scale alpha exp(x) below 0, or the result and scale alpha, or expm1(x) + 1 times the latter. */
static Ball of_scaled_elu(const Context *c, Ball x)
{
    Ball scale = constant(c, 1.0507009873554804934193349852946L);
    Ball product = constant(c, 1.7580993408473768599402175208123L);
    product = ball_round(c->format, product, 1);
    Ball expm1 = call(c, "expm1", x);
    Ball below = ball_either(multiply(c, product, call(c, "exp", x)),
                             by_result(c, multiply(c, product, expm1), product));
    below = ball_either(below, multiply(c, product, by_result(c, expm1, one())));
    return piece(x, 0, below, scale);
}

/* exp(x / alpha) below 0, or expm1(x / alpha) + 1. */
static Ball of_celu(const Context *c, Ball x)
{
    Ball part = divide(c, x, ball_exact(c->alpha));
    Ball below = ball_either(call(c, "exp", part), by_result(c, call(c, "expm1", part), one()));
    return piece(x, 0, below, one());
}

static Ball of_leaky_relu(const Context *c, Ball x)
{
    return piece(x, 0, ball_exact(c->alpha), one());
}

/* (2 x + 3) / 6 between -3 and 3, or x / 3 + 1 / 2, where a third may be a rounded factor. */
static Ball of_hardswish(const Context *c, Ball x)
{
    Ball sum = add(c, multiply(c, ball_exact(2), x), ball_exact(3));
    Ball third = ball_round(c->format, divide(c, x, ball_exact(3)), 1);
    Ball inside = ball_either(divide(c, sum, ball_exact(6)), add(c, third, ball_exact(0.5)));
    inside = ball_round(c->format, inside, 1);
    return piece(x, -3, ball_exact(0), piece(x, 3, inside, one()));
}

/* A slope where y lies between 0 and an end, 0 beyond; either near both. */
static Ball inside_of(Ball y, double end, Ball inside)
{
    Ball outside = ball_exact(0);
    long double number = ball_number(y);
    if (ball_is_nan(y))
        return ball_or(ball_either(inside, outside), CLASS_NAN);
    if (isinf(number))
        return outside;
    if (fabsl(y.value) <= y.radius || fabsl(y.value - end) <= y.radius)
        return ball_either(inside, outside);
    return y.value > 0 && y.value < end ? inside : outside;
}

/* alpha where alpha x + beta lies between 0 and 1. */
static Ball of_hardsigmoid(const Context *c, Ball x)
{
    Ball y = add(c, multiply(c, ball_exact(c->alpha), x), ball_exact(c->beta));
    return inside_of(y, 1, ball_exact(c->alpha));
}

/* 1/6 where x + 3 lies between 0 and 6. */
static Ball of_hardsigmoid_relu6(const Context *c, Ball x)
{
    return inside_of(add(c, x, ball_exact(3)), 6, constant(c, 1 / 6.0L));
}

static Ball between(Ball x, double low, double high)
{
    return piece(x, low, ball_exact(0), piece(x, high, one(), ball_exact(0)));
}

static Ball of_hardtanh(const Context *c, Ball x)
{
    (void)c;
    return between(x, -1, 1);
}

static Ball of_relu6(const Context *c, Ball x)
{
    (void)c;
    return between(x, 0, 6);
}

/* The derivative of hardshrink and of softshrink. */
static Ball of_shrink(const Context *c, Ball x)
{
    if (c->alpha < 0)
        return one();
    return piece(x, -c->alpha, one(), piece(x, c->alpha, ball_exact(0), one()));
}

static Ball of_thresholded_relu(const Context *c, Ball x)
{
    return piece(x, c->alpha, ball_exact(0), one());
}

/* 1 / (1 + |x|)^2, or by parts, 1 / (1 + |x|) - |x| / (1 + |x|)^2. */
static Ball of_softsign(const Context *c, Ball x)
{
    Ball sum = add(c, one(), ball_abs(x));
    /* Each part is multiplied by the gradient before they meet. */
    Ball first = ball_round(c->format, reciprocal_of(c, sum), 1);
    Ball second = ball_round(c->format, divide(c, divide(c, ball_abs(x), sum), sum), 1);
    return ball_either(reciprocal_of(c, square(c, sum)), subtract(c, first, second));
}

/* sigmoid(-x), or 1 - sigmoid(x). */
static Ball of_logsigmoid(const Context *c, Ball x)
{
    return ball_either(call(c, "sigmoid", ball_negate(x)),
                       subtract(c, one(), call(c, "sigmoid", x)));
}

static Ball of_neg(const Context *c, Ball x)
{
    (void)c;
    (void)x;
    return ball_exact(-1);
}

/* x (1 - x) below 1; outside the domain a kernel divides all the same, or chooses NaN. */
static Ball of_logit(const Context *c, Ball x)
{
    Ball slope = reciprocal_of(c, multiply(c, x, subtract(c, one(), x)));
    bool inside = ball_number(x) >= 0 && ball_number(x) <= 1;
    return inside || ball_is_nan(x) ? slope : ball_or(slope, CLASS_NAN);
}

/* A slope that is a special function itself: 16 ulp, and what an argument that is off by 16 units
 * moves it by (function.h).  Of a sum of terms 4 units of their size beside that. */
static Ball special_slope(const Context *c, FunctionValue (*slope)(long double), Ball x)
{
    enum { UNITS = 16 };
    long double at = ball_number(x), reach = UNITS * c->format->unit;
    if (!isfinite(at))
        return x;
    FunctionValue v = slope(at);
    if (v.any || !isfinite(v.value))
        return v.any ? ball_unknown() : ball_exact(v.value);
    double moved = 0;
    for (int side = -1; side <= 1; side += 2) {
        long double to = at * (1 + side * reach) + side * c->format->smallest_subnormal;
        double other = (double)fabsl(slope(to).value - v.value);
        moved = isnan(other) ? moved : fmax(moved, other);
    }
    if (!(moved < INFINITY))
        return ball_unknown();
    double radius = UNITS * format_ulp(c->format, (double)v.value) +
                    4 * c->format->unit * (double)v.terms + (double)v.error + moved;
    return (Ball){v.value, formula_up(radius, UNITS), 0};
}

/* DLMF 5.15.2; at poles and at infinities whatever a kernel makes of them. */
static FunctionValue trigamma(long double x)
{
    if (x <= 0 && x == rintl(x))
        return (FunctionValue){.value = NAN, .any = true};
    return special_zeta(2, x);
}

static Ball of_digamma(const Context *c, Ball x)
{
    enum { BESIDE = 32 };
    /* An argument that is off by some units may lie on the other side of a pole. */
    long double whole = rintl(ball_number(x)), apart = fabsl(ball_number(x) - whole);
    if (ball_is_known(x) && whole <= 0 &&
        apart <= BESIDE * (fabsl(whole) * c->format->unit + c->format->smallest_normal))
        return ball_unknown();
    if (ball_is_known(x))
        return special_slope(c, trigamma, x);
    return ball_is_nan(x) ? x : ball_unknown();
}

/* (cos(pi x) - sinc(x)) / x, as a series up to 1, where the difference cancels. */
static FunctionValue slope_of_sinc(long double x)
{
    static const long double pi = 3.14159265358979323846264338327950288L;
    long double z = pi * x, size = 1 / fmaxl(fabsl(x), 1);
    if (fabsl(x) >= 1)
        return (FunctionValue){.value = (cosl(z) - sinl(z) / z) / x, .error = 0x1p-58L, .terms = 4};
    long double term = -pi * z / 3, sum = term;
    for (int k = 2; fabsl(term) > fabsl(sum) * 0x1p-80L; k++) {
        term *= -z * z / ((2 * k - 2) * (2 * k + 1));
        sum += term;
    }
    return (FunctionValue){.value = sum, .error = fabsl(sum) * 0x1p-57L, .terms = 4 * size};
}

/* The terms are absolute: a slope is as accurate as the function is. */
static Ball of_sinc(const Context *c, Ball x)
{
    enum { DOMAIN_END = 1 << 15 };
    if (ball_is_known(x) && fabsl(x.value) <= DOMAIN_END)
        return special_slope(c, slope_of_sinc, x);
    return ball_is_nan(x) ? x : ball_unknown();
}

const Derivative derivatives[] = {
    {"acos", .evaluate = of_acos, .divides = true},
    {"acosh", .evaluate = of_acosh, .divides = true},
    {"asin", .evaluate = of_asin, .divides = true},
    {"asinh", .evaluate = of_asinh, .divides = true},
    {"atan", .evaluate = of_atan, .divides = true},
    {"atanh", .evaluate = of_atanh, .divides = true},
    {"cbrt", .evaluate = of_cbrt, .divides = true, .constant = 3},
    {"celu", .evaluate = of_celu, .has_parameters = true},
    {"cos", .evaluate = of_cos},
    {"cosh", .evaluate = of_cosh},
    {"digamma", .evaluate = of_digamma, .special = true},
    {"elu", .evaluate = of_elu, .has_parameters = true},
    {"erf", .evaluate = of_erf, .constant = 1.13},
    {"erfc", .evaluate = of_erfc, .constant = 1.13},
    {"exp2", .evaluate = of_exp2},
    {"expm1", .evaluate = of_expm1},
    {"gelu_tanh", .evaluate = of_gelu_tanh, .has_argument = true},
    {"hardshrink", .evaluate = of_shrink},
    {"hardsigmoid", .evaluate = of_hardsigmoid},
    {"hardsigmoid_relu6", .evaluate = of_hardsigmoid_relu6},
    {"hardswish", .evaluate = of_hardswish},
    {"hardtanh", .evaluate = of_hardtanh},
    {"leaky_relu", .evaluate = of_leaky_relu},
    {"log10", .evaluate = of_log10, .divides = true, .constant = 2.31},
    {"log1p", .evaluate = of_log1p, .divides = true},
    {"log2", .evaluate = of_log2, .divides = true, .constant = 1.45},
    {"logit", .evaluate = of_logit, .divides = true},
    {"logsigmoid", .evaluate = of_logsigmoid},
    {"mish", .evaluate = of_mish, .has_argument = true},
    {"neg", .evaluate = of_neg},
    {"reciprocal", .evaluate = of_reciprocal, .divides = true},
    {"relu6", .evaluate = of_relu6},
    {"rsqrt", .evaluate = of_rsqrt},
    {"scaled_elu", .evaluate = of_scaled_elu, .constant = 1.76},
    {"selu", .evaluate = of_selu, .has_parameters = true},
    {"silu", .evaluate = of_silu, .has_argument = true},
    {"sin", .evaluate = of_sin},
    {"sinc", .evaluate = of_sinc, .constant = 3.15, .special = true},
    {"sinh", .evaluate = of_sinh},
    {"softshrink", .evaluate = of_shrink},
    {"softsign", .evaluate = of_softsign, .divides = true},
    {"tan", .evaluate = of_tan, .divides = true},
    {"thresholded_relu", .evaluate = of_thresholded_relu},
    {.function = NULL},
};

const Derivative *derivative_named(const char *function)
{
    for (const Derivative *d = derivatives; d->function; d++)
        if (!strcmp(d->function, function))
            return d;
    return NULL;
}

/* Beside a subnormal gradient kernels multiply it by a constant of the slope first, of 1/3 to 2,
 * which rounds to a multiple of the smallest subnormal number as the other factors do: 1.5 of it
 * the slope at most for the constant, and no more for the others together, since each that enlarges
 * the product leaves less to multiply. */
static Ball of_subnormal(const Context *c, Ball gradient, Ball slope, Ball product)
{
    const Format *f = c->format;
    if (ball_is_known(product) && ball_is_known(slope) &&
        fabsl(gradient.value) < 4 * (long double)f->smallest_normal)
        product.radius += 4 * f->smallest_subnormal * ((double)fabsl(slope.value) + slope.radius);
    return product;
}

/* A gradient times a slope, whose factors come in any order: nothing is known where a product of
 * some of them may overflow.  Where the slope may be 0, kernels may choose rather than multiply. */
static Ball times_slope(const Context *c, double constant, Ball gradient, Ball slope)
{
    Ball product = of_subnormal(c, gradient, slope, ball_multiply(c->format, gradient, slope));
    double most = fmax(fabs((double)gradient.value), fabs((double)product.value));
    if (ball_is_known(product) && most * fmax(constant, 1) > c->format->largest)
        return ball_unknown();
    bool vanishes = (ball_classes(slope) & CLASS_FINITE) && fabsl(slope.value) <= slope.radius;
    if (ball_is_known(gradient) || !vanishes)
        return product;
    return ball_either(product, ball_masked(gradient));
}

/* A gradient of 0 may be taken for none where the function has no finite slope at a number. */
static Ball without_slope(double x, double dy, Ball slope, Ball product)
{
    bool none = dy == 0 && !isnan(x) && !ball_is_known(slope);
    return none ? ball_either(product, ball_exact(0)) : product;
}

/* The greatest number that may multiply the gradient before the rest of the slope does. */
static double factor_of(const Derivative *derivative, const Context *c, double x)
{
    double factor = derivative->constant, alpha = fabs(c->alpha), beta = fabs(c->beta);
    if (derivative->has_argument && isfinite(x))
        factor = fmax(factor, fabs(x));
    if (derivative->has_parameters)
        factor = fmax(factor, fmax(alpha, 1) * fmax(beta, 1));
    return derivative->has_parameters && alpha > 0 ? fmax(factor, 1 / alpha) : factor;
}

static void put_all(Ref *ref, const Derivative *derivative, const Context *context,
                    const Tensor *dy, const Tensor *x, Arena *arena)
{
    Context own = *context;
    ref_allocate_bounded(ref, x->dtype, x, arena);
    own.format = dtype_format(ref->accumulator);
    for (size_t i = 0; i < ref->count; i++) {
        double value = tensor_value(x, (int64_t)i), upstream = tensor_value(dy, (int64_t)i);
        double factor = factor_of(derivative, context, value);
        Ball slope = derivative->evaluate(&own, ball_exact(value));
        Ball product = times_slope(&own, factor, ball_exact(upstream), slope);
        ref_put_ball(ref, i, without_slope(value, upstream, slope, product));
    }
}

void derivative_reference(Ref *ref, const Derivative *derivative, const FunctionParams *params,
                          const Tensor *dy, const Tensor *x, Arena *arena)
{
    REQUIRE(derivative && tensor_count(dy) == tensor_count(x));
    Context context = {.alpha = params->alpha, .beta = params->beta}, loose = context,
            weaker = context;
    Ref of_functions, of_roots;
    loose.loose = true;
    weaker.faithful = true;
    put_all(ref, derivative, &context, dy, x, arena);
    put_all(&of_functions, derivative, &loose, dy, x, arena);
    ref_add_alternative(ref, &of_functions, "absolute-accuracy", arena);
    if (!derivative->divides)
        return;
    put_all(&of_roots, derivative, &weaker, dy, x, arena);
    ref_add_alternative(ref, &of_roots, "faithful-rounding", arena);
}
