/* Arithmetic on complex balls.  Values have 64 bits: what they lose is below 2^-58 of them. */
#include "complex_ball.h"

#include <math.h>

#include "function.h"
#include "mag.h"

static const double OWN = 0x1p-58;
enum { FLUSHED = 8 };

ComplexBall complex_ball_exact(ComplexValue value)
{
    bool finite = isfinite(creall(value)) && isfinite(cimagl(value));
    return (ComplexBall){value, finite ? 0 : INFINITY, false};
}

ComplexBall complex_ball_unknown(void)
{
    return (ComplexBall){0, INFINITY, false};
}

bool complex_ball_is_known(ComplexBall x)
{
    return x.radius < INFINITY;
}

ComplexBall complex_ball_conjugate(ComplexBall x)
{
    return (ComplexBall){conjl(x.value), x.radius, x.turned};
}

ComplexBall complex_ball_negate(ComplexBall x)
{
    return (ComplexBall){-x.value, x.radius, x.turned};
}

static double size_of(ComplexBall x)
{
    return double_up(cabsl(x.value) * (1 + 0x1p-60L));
}

/* A result that is off by `propagated` and by so many units. */
static ComplexBall settle(const Format *format, ComplexValue z, double propagated, double units,
                          double step)
{
    double reach = add_up(size_of((ComplexBall){z, 0, false}), propagated);
    if (!(reach < format->largest / 8))
        return complex_ball_unknown();
    double rounding = mul_up(add_up(mul_up(units, format->unit), OWN), reach);
    return (ComplexBall){z, add_up(add_up(propagated, rounding), step), false};
}

/* The same, which may have been turned. */
static ComplexBall turn(ComplexBall x, bool turned)
{
    x.turned = turned;
    return x;
}

/* One ball about both values. */
static ComplexBall about_both(ComplexBall x)
{
    return x.turned ? (ComplexBall){0, add_up(size_of(x), x.radius), false} : x;
}

ComplexBall complex_ball_add(const Format *format, ComplexBall x, ComplexBall y)
{
    x = about_both(x);
    y = about_both(y);
    return settle(format, x.value + y.value, add_up(x.radius, y.radius), 1, 0);
}

ComplexBall complex_ball_subtract(const Format *format, ComplexBall x, ComplexBall y)
{
    return complex_ball_add(format, x, complex_ball_negate(y));
}

static ComplexValue times(ComplexValue x, ComplexValue y)
{
    long double a = creall(x), b = cimagl(x), c = creall(y), d = cimagl(y);
    return __builtin_complex(a * c - b * d, a * d + b * c);
}

ComplexBall complex_ball_multiply(const Format *format, ComplexBall x, ComplexBall y)
{
    double left = size_of(x), right = size_of(y);
    if (!complex_ball_is_known(x) || !complex_ball_is_known(y))
        return complex_ball_unknown();
    if (!(mul_up(left, right) < format->largest / 8))
        return complex_ball_unknown();
    double propagated = add_up(mul_up(left, y.radius), mul_up(add_up(right, y.radius), x.radius));
    bool zero = (left == 0 && x.radius == 0) || (right == 0 && y.radius == 0);
    return zero ? complex_ball_exact(0)
                : turn(settle(format, times(x.value, y.value), propagated, 2.5,
                              FLUSHED * format->smallest_normal),
                       x.turned || y.turned);
}

/* Whether squares of a divisor's parts, or what is multiplied by it, leave the range. */
static bool leaves(const Format *format, double size)
{
    return size * size > format->largest / 64 ||
           size * size < format->smallest_normal / format->unit;
}

ComplexBall complex_ball_divide(const Format *format, ComplexBall x, ComplexBall y)
{
    double left = size_of(x), right = double_down(cabsl(y.value) * (1 - 0x1p-60L));
    double least = sub_down(right, y.radius);
    if (!complex_ball_is_known(x) || !complex_ball_is_known(y) || !(least > 0))
        return complex_ball_unknown();
    if (leaves(format, right) || !(mul_up(left, size_of(y)) < format->largest / 64))
        return complex_ball_unknown();
    long double size = creall(y.value) * creall(y.value) + cimagl(y.value) * cimagl(y.value);
    ComplexValue z = times(x.value, conjl(y.value));
    z = __builtin_complex(creall(z) / size, cimagl(z) / size);
    double quotient = size_of((ComplexBall){z, 0, false});
    double propagated = div_up(add_up(x.radius, mul_up(quotient, y.radius)), least);
    /* A product that was flushed is divided by the divisor's square. */
    double step =
        mul_up(FLUSHED * format->smallest_normal,
               add_up(add_up(1, quotient), add_up(div_up(1, least), div_up(1, least * least))));
    return turn(settle(format, z, propagated, 10, step), x.turned || y.turned);
}

ComplexBall complex_ball_sqrt(const Format *format, ComplexBall x)
{
    enum { UNITS = 32 };
    double size = double_down(cabsl(x.value) * (1 - 0x1p-60L));
    bool crosses = creall(x.value) <= x.radius && fabsl(cimagl(x.value)) <= x.radius;
    if (!(x.radius <= size / 2) || x.turned || leaves(format, size))
        return complex_ball_unknown();
    ComplexValue z = csqrtl(x.value);
    double root = size_of((ComplexBall){z, 0, false});
    double propagated = x.radius > 0 ? div_up(mul_up(mul_up(0.75, root), x.radius), size) : 0;
    return turn(settle(format, z, propagated, UNITS, 0), crosses);
}

ComplexBall complex_ball_either(ComplexBall x, ComplexBall y)
{
    bool turned = x.turned || y.turned;
    long double distance = cabsl(x.value - y.value);
    if (turned)
        distance = fminl(distance, cabsl(x.value + y.value));
    double apart = double_up(distance * (1 + 0x1p-60L));
    return (ComplexBall){x.value, fmax(x.radius, add_up(apart, y.radius)), turned};
}

ComplexBall complex_ball_round(const Format *format, ComplexBall x, double units)
{
    return complex_ball_is_known(x) ? turn(settle(format, x.value, x.radius, units, 0), x.turned)
                                    : x;
}

ComplexBall complex_ball_sum(const Format *format, const ComplexBall *terms, size_t count)
{
    ComplexValue sum = 0;
    double radii = 0, size = 0;
    for (size_t i = 0; i < count; i++) {
        const ComplexBall term = about_both(terms[i]);
        sum += term.value;
        radii = add_up(radii, term.radius);
        size = add_up(size, size_of(term));
    }
    double reach = add_up(size, radii),
           nodes = count > 1 ? mul_up((double)count - 1, format->unit) : 0;
    if (!(reach < format->largest / 8) || nodes > 0.25)
        return complex_ball_unknown();
    /* (n - 1) u / (1 - (n - 1) u) of the magnitudes, and as much of 2^-63 here. */
    double rounding = mul_up(div_up(nodes, sub_down(1, nodes)), reach);
    return (ComplexBall){
        sum, add_up(add_up(radii, rounding), mul_up((double)count * 0x1p-62, reach)), false};
}

ComplexBall complex_ball_function(const Format *format, const char *name, ComplexValue x)
{
    const ComplexFunction *f = complex_function_named(name);
    REQUIRE(f && f->value);
    double slack = complex_function_slack(f, format, x);
    return slack < INFINITY ? settle(format, complex_value(f, x, 0), slack, 0, 0)
                            : complex_ball_unknown();
}

void ref_put_complex_ball(Ref *ref, size_t element, ComplexBall ball)
{
    for (int part = 0; part < 2; part++) {
        size_t i = 2 * element + (size_t)part;
        long double value = part ? cimagl(ball.value) : creall(ball.value);
        if (!complex_ball_is_known(ball))
            ref_set_classes(ref, i, CLASS_ANY);
        else if (ball.turned)
            ref_put_bounded(ref, i, 0, 0, add_up(double_up(fabsl(value)), ball.radius));
        else if (ball.radius == 0)
            ref_set_exact(ref, i, (double)value, MATCH_VALUE);
        else
            ref_put_bounded(ref, i, value, 0x1p-62 * ball.radius, ball.radius);
    }
}
