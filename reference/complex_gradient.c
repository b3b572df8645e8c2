/* The slopes of functions of complex numbers by their usual formulas. */
#include "complex_gradient.h"

#include <math.h>
#include <string.h>

#include "function.h"
#include "mag.h"

typedef ComplexBall Slope(const Format *f, ComplexValue z);

static ComplexBall number(ComplexValue z)
{
    return complex_ball_exact(z);
}

static ComplexBall squared(const Format *f, ComplexBall x)
{
    return complex_ball_multiply(f, x, x);
}

static ComplexBall inverse(const Format *f, ComplexBall x)
{
    return complex_ball_divide(f, number(1), x);
}

static ComplexBall of_exp(const Format *f, ComplexValue z)
{
    return complex_ball_function(f, "exp", z);
}

static ComplexBall of_expm1(const Format *f, ComplexValue z)
{
    /* The gradient may multiply the result and 1 each. */
    ComplexBall result = complex_ball_round(f, complex_ball_function(f, "expm1", z), 1);
    return complex_ball_either(of_exp(f, z), complex_ball_add(f, result, number(1)));
}

static ComplexBall of_exp2(const Format *f, ComplexValue z)
{
    ComplexBall power = complex_ball_function(f, "exp2", z);
    return complex_ball_round(f, complex_ball_multiply(f, power, number(logl(2))), 1);
}

/* s (1 - s), or s times that of -z. */
static ComplexBall of_sigmoid(const Format *f, ComplexValue z)
{
    ComplexBall s = complex_ball_function(f, "sigmoid", z);
    ComplexBall by_result = complex_ball_multiply(f, s, complex_ball_subtract(f, number(1), s));
    return complex_ball_either(
        by_result, complex_ball_multiply(f, s, complex_ball_function(f, "sigmoid", -z)));
}

/* s (1 + z (1 - s)), or s + z s (1 - s). */
static ComplexBall of_silu(const Format *f, ComplexValue z)
{
    ComplexBall s = complex_ball_function(f, "sigmoid", z), slope = of_sigmoid(f, z);
    ComplexBall rest = complex_ball_multiply(f, number(z), complex_ball_subtract(f, number(1), s));
    ComplexBall by_result = complex_ball_multiply(f, s, complex_ball_add(f, number(1), rest));
    ComplexBall by_slope = complex_ball_add(f, s, complex_ball_multiply(f, number(z), slope));
    return complex_ball_either(by_result, by_slope);
}

static ComplexBall of_log(const Format *f, ComplexValue z)
{
    return inverse(f, number(z));
}

/* Of a logarithm to another base, whose logarithm is rounded. */
static ComplexBall of_log_to(const Format *f, ComplexValue z, long double base)
{
    ComplexBall scaled = complex_ball_multiply(f, number(z), number(logl(base)));
    return complex_ball_round(f, inverse(f, scaled), 2);
}

static ComplexBall of_log2(const Format *f, ComplexValue z)
{
    return of_log_to(f, z, 2);
}

static ComplexBall of_log10(const Format *f, ComplexValue z)
{
    return of_log_to(f, z, 10);
}

static ComplexBall of_log1p(const Format *f, ComplexValue z)
{
    return inverse(f, complex_ball_add(f, number(1), number(z)));
}

static ComplexBall of_sin(const Format *f, ComplexValue z)
{
    return complex_ball_function(f, "cos", z);
}

static ComplexBall of_cos(const Format *f, ComplexValue z)
{
    return complex_ball_negate(complex_ball_function(f, "sin", z));
}

static ComplexBall of_sinh(const Format *f, ComplexValue z)
{
    return complex_ball_function(f, "cosh", z);
}

static ComplexBall of_cosh(const Format *f, ComplexValue z)
{
    return complex_ball_function(f, "sinh", z);
}

/* 1 + tan^2, or 1 / cos^2. */
static ComplexBall of_tan(const Format *f, ComplexValue z)
{
    ComplexBall t = complex_ball_function(f, "tan", z), c = complex_ball_function(f, "cos", z);
    return complex_ball_either(inverse(f, squared(f, c)),
                               complex_ball_add(f, number(1), squared(f, t)));
}

/* 1 - tanh^2, (1 + tanh) (1 - tanh), or 1 / cosh^2. */
static ComplexBall of_tanh(const Format *f, ComplexValue z)
{
    ComplexBall t = complex_ball_function(f, "tanh", z), c = complex_ball_function(f, "cosh", z);
    ComplexBall factors = complex_ball_multiply(f, complex_ball_add(f, number(1), t),
                                                complex_ball_subtract(f, number(1), t));
    ComplexBall by_result =
        complex_ball_either(complex_ball_subtract(f, number(1), squared(f, t)), factors);
    return complex_ball_either(inverse(f, squared(f, c)), by_result);
}

/* 1 - z^2 or 1 + z^2 by squares, and as a product of two factors. */
static ComplexBall one_and_square(const Format *f, ComplexValue z, bool plus)
{
    ComplexBall square = squared(f, number(z));
    ComplexValue root = plus ? z * (ComplexValue)_Complex_I : z;
    ComplexBall factors =
        complex_ball_multiply(f, complex_ball_subtract(f, number(1), number(root)),
                              complex_ball_add(f, number(1), number(root)));
    return complex_ball_either(plus ? complex_ball_add(f, number(1), square)
                                    : complex_ball_subtract(f, number(1), square),
                               factors);
}

/* Also by way of a cosine of the result y, whose relative error is that of y times the tangent. */
static ComplexBall by_way_of_result(const Format *f, ComplexBall slope, const char *name,
                                    ComplexValue z)
{
    enum { UNITS = 64 };
    ComplexBall y = complex_ball_function(f, name, z);
    if (!complex_ball_is_known(y) || !complex_ball_is_known(slope))
        return complex_ball_unknown();
    double size = (double)cabsl(y.value) + 1, tangent = (double)cabsl(slope.value) + 1;
    return complex_ball_round(f, slope, UNITS * size * tangent);
}

static ComplexBall of_asin(const Format *f, ComplexValue z)
{
    ComplexBall slope = inverse(f, complex_ball_sqrt(f, one_and_square(f, z, false)));
    return by_way_of_result(f, slope, "asin", z);
}

static ComplexBall of_acos(const Format *f, ComplexValue z)
{
    return complex_ball_negate(of_asin(f, z));
}

static ComplexBall of_asinh(const Format *f, ComplexValue z)
{
    ComplexBall slope = inverse(f, complex_ball_sqrt(f, one_and_square(f, z, true)));
    return by_way_of_result(f, slope, "asinh", z);
}

/* 1 / (sqrt(z - 1) sqrt(z + 1)): sqrt(z^2 - 1) has another sign where the real part is below 0. */
static ComplexBall of_acosh(const Format *f, ComplexValue z)
{
    ComplexBall below = complex_ball_sqrt(f, complex_ball_subtract(f, number(z), number(1)));
    ComplexBall above = complex_ball_sqrt(f, complex_ball_add(f, number(z), number(1)));
    ComplexBall slope = inverse(f, complex_ball_multiply(f, below, above));
    ComplexBall by_square = inverse(f, complex_ball_sqrt(f, one_and_square(f, z, false)));
    slope.radius = fmax(slope.radius, by_square.radius);
    return by_way_of_result(f, slope, "acosh", z);
}

static ComplexBall of_atan(const Format *f, ComplexValue z)
{
    return inverse(f, one_and_square(f, z, true));
}

static ComplexBall of_atanh(const Format *f, ComplexValue z)
{
    return inverse(f, one_and_square(f, z, false));
}

static ComplexBall of_sqrt(const Format *f, ComplexValue z)
{
    enum { MOVED = 16 }; /* by the weakest reading of a function */
    ComplexBall root = complex_ball_sqrt(f, complex_ball_round(f, number(z), MOVED));
    return complex_ball_divide(f, number(0.5L), root);
}

/* -r^3 / 2, where a power may be taken by way of a logarithm (reference/complex_function.h). */
static ComplexBall of_rsqrt(const Format *f, ComplexValue z)
{
    enum { UNITS = 64 };
    ComplexBall r = complex_ball_function(f, "rsqrt", z);
    ComplexBall cube = complex_ball_multiply(f, squared(f, r), r);
    if (!complex_ball_is_known(cube))
        return cube;
    double exponent = 3 * (double)cabsl(clogl(r.value));
    cube = complex_ball_round(f, cube, UNITS * (1 + exponent));
    return complex_ball_multiply(f, number(-0.5L), cube);
}

static ComplexBall of_reciprocal(const Format *f, ComplexValue z)
{
    ComplexBall by_result = squared(f, inverse(f, number(z)));
    return complex_ball_negate(complex_ball_either(by_result, inverse(f, squared(f, number(z)))));
}

static ComplexBall of_square(const Format *f, ComplexValue z)
{
    (void)f;
    return number(2 * z);
}

static ComplexBall direction_of(const Format *f, ComplexValue z)
{
    return complex_ball_function(f, "sign", z);
}

/* dy z / |z|, dy real. */
static ComplexBall of_abs(const Format *f, ComplexValue dy, ComplexValue z)
{
    return complex_ball_multiply(f, number(dy), direction_of(f, z));
}

/* dy i z / |z|^2, dy real. */
static ComplexBall of_angle(const Format *f, ComplexValue dy, ComplexValue z)
{
    ComplexValue turned = __builtin_complex(-cimagl(z), creall(z));
    ComplexBall by_square = complex_ball_divide(f, number(1), number(conjl(z)));
    if (!complex_ball_is_known(by_square))
        return by_square;
    by_square.value = turned / (cabsl(z) * cabsl(z));
    return complex_ball_multiply(f, number(dy), complex_ball_round(f, by_square, 4));
}

/* (dy - s Re(conj(s) dy)) / |z|, s = z / |z|, where each of the two may be divided by |z| before
 * one is subtracted: dy / |z| may leave the range though the difference does not. */
static ComplexBall of_sign(const Format *f, ComplexValue dy, ComplexValue z)
{
    ComplexBall s = direction_of(f, z), size = complex_ball_round(f, number(cabsl(z)), 8);
    ComplexBall along = complex_ball_multiply(f, complex_ball_conjugate(s), number(dy));
    along.value = creall(along.value);
    along = complex_ball_multiply(f, s, along);
    ComplexBall across = complex_ball_subtract(f, number(dy), along);
    ComplexBall quotients = complex_ball_subtract(f, complex_ball_divide(f, number(dy), size),
                                                  complex_ball_divide(f, along, size));
    return complex_ball_either(complex_ball_divide(f, complex_ball_round(f, across, 8), size),
                               complex_ball_round(f, quotients, 8));
}

static ComplexBall of_neg(const Format *f, ComplexValue dy, ComplexValue z)
{
    (void)f, (void)z;
    return number(-dy);
}

#define PLUS_I  __builtin_complex(0.0L, 1.0L)
#define MINUS_I __builtin_complex(0.0L, -1.0L)

static const ComplexGradient table[] = {
    {"abs", .gradient = of_abs, .from_real = true, .bounded = true},
    {"acos", .slope = of_acos, .poles = 2, .pole = {1, -1}},
    {"acosh", .slope = of_acosh, .poles = 1, .pole = {1}},
    {"angle", .gradient = of_angle, .from_real = true},
    {"asin", .slope = of_asin, .poles = 2, .pole = {1, -1}},
    {"asinh", .slope = of_asinh},
    {"atan", .slope = of_atan, .poles = 2, .pole = {PLUS_I, MINUS_I}},
    {"atanh", .slope = of_atanh, .poles = 2, .pole = {1, -1}},
    {"cos", .slope = of_cos},
    {"cosh", .slope = of_cosh},
    {"exp", .slope = of_exp},
    {"exp2", .slope = of_exp2},
    {"expm1", .slope = of_expm1},
    {"log", .slope = of_log, .poles = 1, .pole = {0}},
    {"log10", .slope = of_log10, .poles = 1, .pole = {0}},
    {"log1p", .slope = of_log1p, .poles = 1, .pole = {-1}},
    {"log2", .slope = of_log2, .poles = 1, .pole = {0}},
    {"neg", .gradient = of_neg, .by_parts = true},
    {"reciprocal", .slope = of_reciprocal, .poles = 1, .pole = {0}},
    {"rsqrt", .slope = of_rsqrt, .poles = 1, .pole = {0}},
    {"sigmoid", .slope = of_sigmoid},
    {"sign", .gradient = of_sign},
    {"silu", .slope = of_silu},
    {"sin", .slope = of_sin},
    {"sinh", .slope = of_sinh},
    {"sqrt", .slope = of_sqrt, .poles = 1, .pole = {0}},
    {"square", .slope = of_square},
    {"tan", .slope = of_tan},
    {"tanh", .slope = of_tanh},
};

const ComplexGradient *complex_gradient_named(const char *function)
{
    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (!strcmp(table[i].function, function))
            return &table[i];
    return NULL;
}

/* A slope s that is beyond the range may be formed before dy makes it small.  It may also be
 * divided by, as 1 / s: nothing is known where dy / s may overflow, and what is flushed before that
 * is multiplied by s^2. */
static ComplexBall in_any_order(const Format *f, ComplexValue dy, ComplexBall slope, ComplexBall dx)
{
    double size = (double)cabsl(slope.value), step = 16 * f->smallest_normal;
    if (size > f->largest)
        return complex_ball_unknown();
    if (!complex_ball_is_known(dx) || !((double)cabsl(dy) < size * f->largest / 64))
        return dy == 0 ? dx : complex_ball_unknown();
    dx.radius = add_up(dx.radius, step * (1 + size) * (1 + size));
    return dx;
}

static ComplexBall gradient_of(const ComplexGradient *g, const Format *f, ComplexValue dy,
                               ComplexValue z)
{
    bool finite = isfinite(creall(z)) && isfinite(cimagl(z));
    if (!finite || !isfinite(creall(dy)) || !isfinite(cimagl(dy)))
        return complex_ball_unknown();
    ComplexBall slope = g->slope ? g->slope(f, z) : number(cabsl(z) > 0 ? 1 / cabsl(z) : 0);
    ComplexBall dx = g->slope ? complex_ball_multiply(f, number(dy), complex_ball_conjugate(slope))
                              : g->gradient(f, dy, z);
    return in_any_order(f, dy, slope, dx);
}

static bool has_nan(ComplexValue z)
{
    return isnan(creall(z)) || isnan(cimagl(z));
}

static bool has_infinity(ComplexValue z)
{
    return isinf(creall(z)) || isinf(cimagl(z));
}

static ComplexValue without_nan(ComplexValue z)
{
    return __builtin_complex(isnan(creall(z)) ? 0 : creall(z), isnan(cimagl(z)) ? 0 : cimagl(z));
}

/* NaN in dy, no infinity, and a slope that is finite. */
static bool dy_stays_nan(const ComplexGradient *g, const Format *f, ComplexValue dy, ComplexValue z)
{
    if (!g->slope || !has_nan(dy) || has_infinity(dy) || has_nan(z) || has_infinity(z))
        return false;
    return complex_ball_is_known(complex_ball_multiply(f, number(without_nan(dy)), g->slope(f, z)));
}

static bool is_at_pole(const ComplexGradient *g, ComplexValue z)
{
    for (int i = 0; i < g->poles; i++)
        if (z == g->pole[i])
            return true;
    return false;
}

enum { NO_NUMBER = CLASS_NAN | CLASS_INFINITE };

/* Both parts: 0, where a number is among the classes. */
static void put_classes(Ref *ref, size_t element, unsigned classes)
{
    for (size_t part = 2 * element; part < 2 * element + 2; part++) {
        ref_set_exact(ref, part, 0, MATCH_VALUE);
        ref_set_classes(ref, part, classes);
    }
}

/* A slope of at most 1, or 0 / 0. */
static void put_at_zero(Ref *ref, size_t element, ComplexValue dy)
{
    for (size_t part = 2 * element; part < 2 * element + 2; part++) {
        ref_put_bounded(ref, part, 0, 0, double_up(cabsl(dy)));
        ref_set_classes(ref, part, CLASS_FINITE | CLASS_NAN);
    }
}

/* NaN in z, and no infinity: neither there nor where the numbers beside it overflow. */
static bool z_stays_nan(const ComplexGradient *g, const Format *f, ComplexValue dy, ComplexValue z)
{
    if (!g->slope || !has_nan(z) || has_infinity(z) || has_infinity(dy))
        return false;
    ComplexValue number = without_nan(z);
    return is_at_pole(g, number) ||
           complex_ball_is_known(gradient_of(g, f, without_nan(dy), number));
}

/* What complex_gradient.h says beside the ball of a slope; false where it says nothing. */
static bool put_special(Ref *ref, size_t element, const ComplexGradient *g, const Format *f,
                        ComplexValue dy, ComplexValue z)
{
    bool dy_is_special = has_nan(dy) || has_infinity(dy);
    if (g->slope && has_infinity(dy) && !has_nan(z) && !has_infinity(z))
        put_classes(ref, element, NO_NUMBER);
    else if (dy == 0 && !complex_ball_is_known(gradient_of(g, f, dy, z)))
        put_classes(ref, element, CLASS_FINITE | CLASS_NAN);
    else if (dy_stays_nan(g, f, dy, z) || z_stays_nan(g, f, dy, z))
        put_classes(ref, element, CLASS_NAN);
    else if (dy != 0 && !dy_is_special && is_at_pole(g, z))
        put_classes(ref, element, NO_NUMBER);
    else if (g->bounded && z == 0 && !dy_is_special)
        put_at_zero(ref, element, dy);
    else
        return false;
    return true;
}

static ComplexValue element_of(const Tensor *t, int64_t i)
{
    int components = dtype_components(t->dtype);
    int64_t at = components * tensor_offset_of(t, i);
    double im = components == 2 ? dtype_load(t->dtype, t->origin, at + 1) : 0;
    return __builtin_complex((long double)dtype_load(t->dtype, t->origin, at), (long double)im);
}

static void put_parts(Ref *ref, size_t element, ComplexValue exact)
{
    ref_set_exact(ref, 2 * element, (double)creall(exact), MATCH_VALUE);
    ref_set_exact(ref, 2 * element + 1, (double)cimagl(exact), MATCH_VALUE);
}

void complex_gradient_reference(Ref *ref, const ComplexGradient *g, const Tensor *dy,
                                const Tensor *x, Arena *arena)
{
    REQUIRE(dtype_components(x->dtype) == 2 && tensor_count(dy) == tensor_count(x));
    const Format *f = dtype_format(x->dtype);
    ref_allocate_bounded(ref, x->dtype, x, arena);
    for (size_t i = 0; i < ref->count / 2; i++) {
        ComplexValue gradient = element_of(dy, (int64_t)i), z = element_of(x, (int64_t)i);
        if (g->by_parts) {
            put_parts(ref, i, g->gradient(f, gradient, z).value);
            ref_spread_special(ref, 2 * i);
        } else if (!put_special(ref, i, g, f, gradient, z)) {
            ref_put_complex_ball(ref, i, gradient_of(g, f, gradient, z));
        }
    }
}
