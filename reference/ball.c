/* Arithmetic on balls.  The values have 64 bits; the radii are upper bounds (mag.h). */
#include "ball.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mag.h"
#include "reduce.h"

/* The relative error of a value of 64 bits: above the 2^-64 of one rounding. */
static const double OWN_UNIT = 0x1p-62;
static const Ball unknown = {0, INFINITY};

Ball ball_exact(double value)
{
    return isfinite(value) ? (Ball){value, 0} : unknown;
}

bool ball_is_known(Ball ball)
{
    return ball.radius < INFINITY;
}

static int lowest_bit(long double value)
{
    int exponent;
    uint64_t bits = (uint64_t)ldexpl(fabsl(frexpl(value, &exponent)), 64);
    return exponent - 64 + __builtin_ctzll(bits);
}

static double size_of(Ball x)
{
    return double_up(fabsl(x.value));
}

/* True when the format holds the value. */
static bool is_held(const Format *format, long double value)
{
    int exponent;
    if (value == 0)
        return true;
    (void)frexpl(value, &exponent);
    int lowest = lowest_bit(value);
    return lowest >= exponent - format->precision &&
           lowest > format->minimum_exponent - format->precision && fabsl(value) <= format->largest;
}

/* The result z of one operation: its radius is what the radii of its operands amount to
 * (propagated), one rounding, and step for underflow.  lost is the rounding error of z in 64 bits,
 * 0 where z is exact. */
static Ball settle(const Format *format, long double z, double propagated, long double lost,
                   double step)
{
    REQUIRE(!(propagated < 0) && !(step < 0));
    if (propagated == 0 && lost == 0 && is_held(format, z))
        return (Ball){z, 0};
    double reach = add_up(double_up(fabsl(z)), propagated);
    double radius = add_up(add_up(propagated, mul_up(format->unit + OWN_UNIT, reach)), step);
    if (!(reach < format->largest / 4))
        return unknown;
    return (Ball){z, radius};
}

Ball ball_add(const Format *format, Ball x, Ball y)
{
    long double z = x.value + y.value, part = z - x.value;
    long double lost = (x.value - (z - part)) + (y.value - part);
    return settle(format, z, add_up(x.radius, y.radius), lost, 0);
}

Ball ball_negate(Ball x)
{
    return (Ball){-x.value, x.radius};
}

Ball ball_subtract(const Format *format, Ball x, Ball y)
{
    return ball_add(format, x, ball_negate(y));
}

/* The rounding error of the product z = x y in 64 bits, 0 where z is exact.  Only its being 0
 * matters, and only where the operands are exact: for others it is 1. */
static long double product_loss(long double x, long double y, long double z, double propagated)
{
    if (propagated > 0)
        return 1;
    return x == 0 || y == 0 || fabsl(x) == 1 || fabsl(y) == 1 ? 0 : fmal(x, y, -z);
}

Ball ball_multiply(const Format *format, Ball x, Ball y)
{
    if (!ball_is_known(x) || !ball_is_known(y))
        return unknown;
    long double z = x.value * y.value;
    double propagated =
        add_up(mul_up(size_of(x), y.radius), mul_up(add_up(size_of(y), y.radius), x.radius));
    return settle(format, z, propagated, product_loss(x.value, y.value, z, propagated),
                  format->smallest_normal);
}

Ball ball_divide(const Format *format, Ball x, Ball y)
{
    double least = sub_down(double_down(fabsl(y.value)), y.radius);
    if (!ball_is_known(x) || !(least > 0))
        return unknown;
    long double z = x.value / y.value;
    double propagated = div_up(add_up(x.radius, mul_up(double_up(fabsl(z)), y.radius)), least);
    long double lost = propagated > 0 ? 1 : fmal(z, y.value, -x.value);
    return settle(format, z, propagated, lost, format->smallest_normal);
}

Ball ball_sqrt(const Format *format, Ball x)
{
    long double low = x.value - x.radius;
    if (!ball_is_known(x) || low < 0)
        return unknown;
    long double z = sqrtl(x.value);
    /* Cancellation in these differences loses less than 2^-60 of the root. */
    double apart = double_up(fmaxl(z - sqrtl(low), sqrtl(x.value + x.radius) - z));
    double propagated = x.radius > 0 ? add_up(apart, mul_up(0x1p-60, double_up(z))) : 0;
    return settle(format, z, propagated, fmal(z, z, -x.value), 0);
}

Ball ball_max(Ball x, Ball y)
{
    if (!ball_is_known(x) || !ball_is_known(y))
        return unknown;
    return (Ball){fmaxl(x.value, y.value), fmax(x.radius, y.radius)};
}

Ball ball_abs(Ball x)
{
    return (Ball){fabsl(x.value), x.radius};
}

Ball ball_either(Ball x, Ball y)
{
    if (!ball_is_known(x) || !ball_is_known(y))
        return unknown;
    return (Ball){x.value, fmax(x.radius, add_up(double_up(fabsl(x.value - y.value)), y.radius))};
}

Ball ball_sum(const Format *format, const Ball *terms, size_t count)
{
    long double sum = 0;
    double size = 0, radii = 0;
    size_t present = 0;
    int lattice = REF_ZERO_LATTICE;
    for (size_t i = 0; i < count; i++) {
        if (!ball_is_known(terms[i]))
            return unknown;
        sum += terms[i].value;
        radii = add_up(radii, terms[i].radius);
        size = add_up(size, size_of(terms[i]));
        present += terms[i].value != 0 || terms[i].radius > 0;
        if (terms[i].value != 0) {
            int lowest = lowest_bit(terms[i].value);
            lattice = lowest < lattice ? lowest : lattice;
        }
    }
    double reach = add_up(size, radii);
    if (!(reach < format->largest / 4))
        return unknown;
    if (radii == 0 && (present < 2 || (lattice + format->precision > -1000 &&
                                       size <= ldexp(1, lattice + format->precision))))
        return (Ball){sum, 0};
    double n = (double)present;
    double rounding = reduction_error(n, reach, add_up(double_up(fabsl(sum)), radii), format->unit);
    return (Ball){sum, add_up(add_up(radii, rounding), mul_up(n * OWN_UNIT, size))};
}

Ball ball_round(const Format *format, Ball x, int roundings)
{
    REQUIRE(roundings >= 0);
    double u = mul_up(roundings, format->unit + OWN_UNIT);
    x.radius = add_up(x.radius, mul_up(u, add_up(size_of(x), x.radius)));
    return x;
}

Ball ball_mean(const Format *format, Ball sum, double count)
{
    REQUIRE(count > 0);
    Ball mean = ball_divide(format, sum, ball_exact(count));
    if (is_power_of_two_or_zero(count))
        return mean;
    /* The reciprocal and the product round, also where the quotient is a number of the format. */
    return ball_round(format, mean, mean.radius == 0 ? 2 : 1);
}

/* x^y is monotone in either operand, so that its extremes over two balls are among the corners. */
Ball ball_power(const Format *format, Ball x, Ball y)
{
    REQUIRE(x.value >= 0 || !ball_is_known(x));
    enum { ULPS = 16 };
    long double z = powl(x.value, y.value);
    double reach = 0, size = double_up(fabsl(z));
    if (!ball_is_known(x) || !ball_is_known(y))
        return unknown;
    for (int corner = 0; corner < 4; corner++) {
        long double base = x.value + (corner & 1 ? x.radius : -x.radius);
        long double other = powl(fmaxl(base, 0), y.value + (corner & 2 ? y.radius : -y.radius));
        reach = fmax(reach, double_up(fabsl(other - z)));
        size = fmax(size, double_up(fabsl(other)));
    }
    if (!(size < format->largest / 4))
        return unknown;
    if (x.radius == 0 && y.radius == 0 && (x.value == 0 || x.value == 1))
        return (Ball){z, 0};
    double own = add_up(mul_up(4 * OWN_UNIT, size), ULPS * format_ulp(format, size));
    return (Ball){z, add_up(add_up(reach, own), format->smallest_normal)};
}

static long double value_of(const Function *f, long double x, double *error)
{
    const FunctionParams params = {f->alpha, f->beta};
    long double y = f->library ? f->library(x) : 0;
    *error = mul_up(double_up(fabsl(y)), 0x1p-59);
    if (f->library)
        return y;
    FunctionValue v = f->evaluate(x, &params);
    *error = double_up(v.error);
    return v.value;
}

Ball ball_function(const Format *format, const Function *f, Ball x, bool loose)
{
    double own, left, right;
    if (!ball_is_known(x))
        return unknown;
    long double y = value_of(f, x.value, &own);
    long double low = value_of(f, x.value - x.radius, &left),
                high = value_of(f, x.value + x.radius, &right);
    double reach =
        fmax(add_up(double_up(fabsl(y - low)), left), add_up(double_up(fabsl(high - y)), right));
    double size = double_up(fmaxl(fmaxl(fabsl(low), fabsl(high)), fabsl(y)));
    double argument = add_up(size_of(x), x.radius);
    /* fmax passes over NaN, as beyond the end of a domain. */
    if (!(fabsl(low) + fabsl(high) < format->largest / 4) || !isfinite(reach))
        return unknown;
    double bound =
        function_bound(f, &(FunctionParams){f->alpha, f->beta}, format, argument, size, loose);
    if (x.radius == 0 && bound == 0 && is_held(format, y))
        return (Ball){y, 0};
    double radius = add_up(add_up(reach, bound), add_up(own, mul_up(OWN_UNIT, size)));
    return (Ball){y, add_up(radius, format->smallest_normal)};
}

static int compare_names(const void *name, const void *function)
{
    return strcmp(name, ((const Function *)function)->name);
}

const Function *function_named(const char *name)
{
    static size_t count;
    while (functions[count].name)
        count++;
    const Function *found = bsearch(name, functions, count, sizeof *functions, compare_names);
    REQUIRE(found);
    return found;
}

Ball ball_exponentials(const Format *format, Ball *x, size_t count)
{
    REQUIRE(count > 0);
    const Function *exponential = function_named("exp");
    Ball greatest = x[0];
    for (size_t i = 1; i < count; i++)
        greatest = ball_max(greatest, x[i]);
    for (size_t i = 0; i < count; i++)
        x[i] = ball_function(format, exponential, ball_subtract(format, x[i], greatest), false);
    return greatest;
}

void ref_put_ball(Ref *ref, size_t i, Ball ball)
{
    REQUIRE(ball.radius >= 0);
    if (!ball_is_known(ball))
        ref_set_classes(ref, i, CLASS_ANY);
    else if (ball.radius == 0 && (double)ball.value == ball.value)
        ref_set_exact(ref, i, dtype_round(ref->dtype, (double)ball.value),
                      ref->dtype == ref->accumulator ? MATCH_VALUE : MATCH_ROUNDED);
    else
        ref_put_bounded(ref, i, ball.value, 0, ball.radius);
}
