/* Radii are inflated for the roundings of their own arithmetic. */
#include "ball.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reduce.h"

static const double INFLATION = 1 + 0x1p-40, OWN_UNIT = 0x1p-62;
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

/* z with what its operands propagate; lost is 0 where z itself is exact. */
static Ball settle(const Format *format, long double z, double propagated, long double lost,
                   double step)
{
    if (propagated == 0 && lost == 0 && is_held(format, z))
        return (Ball){z, 0};
    double reach = ((double)fabsl(z) + propagated) * INFLATION;
    double radius = propagated + (format->unit + OWN_UNIT) * reach + step;
    if (!(reach < format->largest / 4))
        return unknown;
    return (Ball){z, radius * INFLATION};
}

Ball ball_add(const Format *format, Ball x, Ball y)
{
    long double z = x.value + y.value, part = z - x.value;
    long double lost = (x.value - (z - part)) + (y.value - part);
    return settle(format, z, x.radius + y.radius, lost, 0);
}

Ball ball_negate(Ball x)
{
    return (Ball){-x.value, x.radius};
}

Ball ball_subtract(const Format *format, Ball x, Ball y)
{
    return ball_add(format, x, ball_negate(y));
}

/* What a product lost, which matters where nothing is propagated; any number but 0 elsewhere. */
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
        (double)fabsl(x.value) * y.radius + (double)fabsl(y.value) * x.radius + x.radius * y.radius;
    return settle(format, z, propagated * INFLATION, product_loss(x.value, y.value, z, propagated),
                  format->smallest_normal);
}

Ball ball_divide(const Format *format, Ball x, Ball y)
{
    double least = ((double)fabsl(y.value) - y.radius) * (1 - 0x1p-40);
    if (!ball_is_known(x) || !(least > 0))
        return unknown;
    long double z = x.value / y.value;
    double propagated = (x.radius + (double)fabsl(z) * y.radius) / least * INFLATION;
    long double lost = propagated > 0 ? 1 : fmal(z, y.value, -x.value);
    return settle(format, z, propagated, lost, format->smallest_normal);
}

Ball ball_sqrt(const Format *format, Ball x)
{
    double low = (double)x.value - x.radius;
    if (!ball_is_known(x) || low < 0)
        return unknown;
    long double z = sqrtl(x.value);
    double propagated = fmax((double)(z - sqrtl(low)), (double)(sqrtl(x.value + x.radius) - z));
    return settle(format, z, x.radius > 0 ? propagated * INFLATION + 0x1p-60 * (double)z : 0,
                  fmal(z, z, -x.value), 0);
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
    double apart = (double)fabsl(x.value - y.value) * INFLATION;
    return (Ball){x.value, fmax(x.radius, apart + y.radius)};
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
        radii += terms[i].radius;
        size += (double)fabsl(terms[i].value) * INFLATION;
        present += terms[i].value != 0 || terms[i].radius > 0;
        if (terms[i].value != 0) {
            int lowest = lowest_bit(terms[i].value);
            lattice = lowest < lattice ? lowest : lattice;
        }
    }
    if (!((size + radii) * INFLATION < format->largest / 4))
        return unknown;
    if (radii == 0 && (present < 2 || (lattice + format->precision > -1000 &&
                                       size <= ldexp(1, lattice + format->precision))))
        return (Ball){sum, 0};
    double n = (double)present;
    double rounding = reduction_error(n, size + radii, fabs((double)sum) + radii, format->unit);
    return (Ball){sum, (radii * INFLATION + rounding + n * OWN_UNIT * size) * INFLATION};
}

Ball ball_round(const Format *format, Ball x, int roundings)
{
    double u = roundings * (format->unit + OWN_UNIT) * INFLATION;
    x.radius += u * ((double)fabsl(x.value) + x.radius) * INFLATION;
    return x;
}

Ball ball_mean(const Format *format, Ball sum, double count)
{
    Ball mean = ball_divide(format, sum, ball_exact(count));
    return is_power_of_two_or_zero(count) ? mean : ball_round(format, mean, 1);
}

/* Monotone in either operand: the extremes lie in the corners. */
Ball ball_power(const Format *format, Ball x, Ball y)
{
    enum { ULPS = 16 };
    long double z = powl(x.value, y.value);
    double reach = 0, size = (double)fabsl(z);
    if (!ball_is_known(x) || !ball_is_known(y))
        return unknown;
    for (int corner = 0; corner < 4; corner++) {
        long double base = x.value + (corner & 1 ? x.radius : -x.radius);
        long double other = powl(fmaxl(base, 0), y.value + (corner & 2 ? y.radius : -y.radius));
        reach = fmax(reach, (double)fabsl(other - z));
        size = fmax(size, (double)fabsl(other));
    }
    if (!(size < format->largest / 4))
        return unknown;
    if (x.radius == 0 && y.radius == 0 && (x.value == 0 || x.value == 1))
        return (Ball){z, 0};
    double own = OWN_UNIT * 4 * size + ULPS * format_ulp(format, size) + format->smallest_normal;
    return (Ball){z, (reach + own) * INFLATION};
}

static long double value_of(const Function *f, long double x, double *error)
{
    const FunctionParams params = {f->alpha, f->beta};
    long double y = f->library ? f->library(x) : 0;
    *error = (double)fabsl(y) * 0x1p-59;
    if (f->library)
        return y;
    FunctionValue v = f->evaluate(x, &params);
    *error = (double)v.error;
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
    double reach = fmax((double)fabsl(y - low) + left, (double)fabsl(high - y) + right);
    double size = fmax(fmax((double)fabsl(low), (double)fabsl(high)), (double)fabsl(y));
    double argument = (double)fabsl(x.value) + x.radius;
    /* fmax passes over NaN, as beyond the end of a domain. */
    if (!(fabsl(low) + fabsl(high) < format->largest / 4) || !isfinite(reach))
        return unknown;
    double bound =
        function_bound(f, &(FunctionParams){f->alpha, f->beta}, format, argument, size, loose);
    if (x.radius == 0 && bound == 0 && is_held(format, y))
        return (Ball){y, 0};
    return (Ball){y, (reach + bound + own + OWN_UNIT * size) * INFLATION + format->smallest_normal};
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
    if (!found)
        BUG("no function is named %s", name);
    return found;
}

Ball ball_exponentials(const Format *format, Ball *x, size_t count)
{
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
    if (!ball_is_known(ball))
        ref_set_classes(ref, i, CLASS_ANY);
    else if (ball.radius == 0 && (double)ball.value == ball.value)
        ref_set_exact(ref, i, dtype_round(ref->dtype, (double)ball.value),
                      ref->dtype == ref->accumulator ? MATCH_VALUE : MATCH_ROUNDED);
    else
        ref_put_bounded(ref, i, ball.value, 0, ball.radius);
}
