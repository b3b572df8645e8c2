/* Arithmetic on balls.  The values have 64 bits; the radii are upper bounds (mag.h). */
#include "ball.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mag.h"
#include "reduce.h"

static const Ball unknown = {0, INFINITY, 0};

/* Nothing finite, but one of these classes. */
static Ball only(unsigned classes)
{
    return (Ball){0, INFINITY, classes};
}

Ball ball_exact(double value)
{
    return isfinite(value) ? (Ball){value, 0, 0} : only(value_class(value));
}

Ball ball_unknown(void)
{
    return unknown;
}

unsigned ball_classes(Ball ball)
{
    unsigned classes = ball.classes ? ball.classes : CLASS_FINITE;
    return (classes & CLASS_FINITE) && !(ball.radius < INFINITY) ? CLASS_ANY : classes;
}

static bool is_anything(Ball ball)
{
    return ball_classes(ball) == CLASS_ANY;
}

static bool may_be_finite(Ball ball)
{
    return ball_classes(ball) & CLASS_FINITE;
}

bool ball_is_known(Ball ball)
{
    return ball.radius < INFINITY && ball_classes(ball) == CLASS_FINITE;
}

bool ball_is_nan(Ball ball)
{
    return ball.classes == CLASS_NAN;
}

Ball ball_or(Ball ball, unsigned classes)
{
    REQUIRE(classes <= CLASS_ANY);
    ball.classes = ball_classes(ball) | classes;
    return ball.classes == CLASS_ANY ? unknown : ball;
}

long double ball_number(Ball ball)
{
    if (ball_is_known(ball))
        return ball.value;
    if (ball.classes == CLASS_POSITIVE_INFINITY)
        return INFINITY;
    return ball.classes == CLASS_NEGATIVE_INFINITY ? -INFINITY : NAN;
}

Ball ball_masked(Ball gradient)
{
    return ball_is_known(gradient) ? ball_exact(0) : ball_or(ball_exact(0), CLASS_NAN);
}

/* One number of each kind that a ball may be, from which the classes of results follow. */
enum { KINDS = 6 };
static int kinds_of(Ball ball, double kinds[KINDS])
{
    unsigned classes = ball_classes(ball), finite = classes & CLASS_FINITE;
    int count = 0;
    if (finite && ball.value - ball.radius < 0)
        kinds[count++] = -1;
    if (finite && ball.value + ball.radius > 0)
        kinds[count++] = 1;
    if (finite && fabsl(ball.value) <= ball.radius)
        kinds[count++] = 0;
    if (classes & CLASS_POSITIVE_INFINITY)
        kinds[count++] = INFINITY;
    if (classes & CLASS_NEGATIVE_INFINITY)
        kinds[count++] = -INFINITY;
    if (classes & CLASS_NAN)
        kinds[count++] = NAN;
    return count;
}

typedef double Operation(double x, double y);
typedef Ball FiniteOperation(const Format *format, Ball x, Ball y);

static double plus(double x, double y)
{
    return x + y;
}

static double times(double x, double y)
{
    return x * y;
}

static double over(double x, double y)
{
    return x / y;
}

/* Classes of the results of which an operand is not finite; a zero may have either sign. */
static unsigned special_classes(Operation *operation, Ball x, Ball y)
{
    double left[KINDS], right[KINDS];
    int lefts = kinds_of(x, left), rights = kinds_of(y, right);
    unsigned classes = 0;
    for (int i = 0; i < lefts; i++)
        for (int k = 0; k < rights; k++) {
            if (isfinite(left[i]) && isfinite(right[k]))
                continue;
            classes |= value_class(operation(left[i], right[k]));
            if (right[k] == 0)
                classes |= value_class(operation(left[i], -0.0));
        }
    return classes;
}

/* Balls that are finite or anything are for `finite`; the others by kinds.  Of results with an
 * operand that is not finite only a quotient is finite: 0.  An infinite product or quotient may be
 * NaN by another formula that is equal, in which infinities meet. */
static Ball combine(const Format *format, Operation *operation, FiniteOperation *finite, Ball x,
                    Ball y)
{
    if (ball_is_known(x) && ball_is_known(y))
        return finite(format, x, y);
    if (ball_is_nan(x) || ball_is_nan(y))
        return only(CLASS_NAN);
    if (is_anything(x) || is_anything(y))
        return unknown;
    unsigned special = special_classes(operation, x, y), rest = special & ~(unsigned)CLASS_FINITE;
    if (operation != plus && (rest & CLASS_INFINITE))
        rest |= CLASS_NAN;
    if (may_be_finite(x) && may_be_finite(y)) {
        x.classes = y.classes = 0;
        Ball result = finite(format, x, y);
        if (special & CLASS_FINITE)
            result = ball_either(result, ball_exact(0));
        return ball_or(result, rest);
    }
    return special & CLASS_FINITE ? ball_or(ball_exact(0), rest) : only(rest);
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
        return (Ball){z, 0, 0};
    double reach = add_up(double_up(fabsl(z)), propagated);
    double radius = add_up(add_up(propagated, mul_up(format->unit + BALL_UNIT, reach)), step);
    if (!(reach < format->largest / 4))
        return unknown;
    return (Ball){z, radius, 0};
}

static Ball add_finite(const Format *format, Ball x, Ball y)
{
    long double z = x.value + y.value, part = z - x.value;
    long double lost = (x.value - (z - part)) + (y.value - part);
    return settle(format, z, add_up(x.radius, y.radius), lost, 0);
}

Ball ball_add(const Format *format, Ball x, Ball y)
{
    return combine(format, plus, add_finite, x, y);
}

Ball ball_negate(Ball x)
{
    unsigned infinite = x.classes & CLASS_INFINITE;
    x.value = -x.value;
    if (infinite && infinite != CLASS_INFINITE)
        x.classes ^= CLASS_INFINITE;
    return x;
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

static Ball multiply_finite(const Format *format, Ball x, Ball y)
{
    long double z = x.value * y.value;
    double propagated =
        add_up(mul_up(size_of(x), y.radius), mul_up(add_up(size_of(y), y.radius), x.radius));
    return settle(format, z, propagated, product_loss(x.value, y.value, z, propagated),
                  format->smallest_normal);
}

Ball ball_multiply(const Format *format, Ball x, Ball y)
{
    return combine(format, times, multiply_finite, x, y);
}

/* Over a zero of either sign: an infinity, and NaN where x may be 0 (IEEE 754-2019, 7.2 and 7.3).
 */
static Ball divide_by_zero(Ball x)
{
    unsigned classes = fabsl(x.value) <= x.radius ? CLASS_NAN : 0;
    return only(x.value == 0 && x.radius == 0 ? CLASS_NAN : classes | CLASS_INFINITE);
}

static Ball divide_finite(const Format *format, Ball x, Ball y)
{
    if (y.value == 0 && y.radius == 0)
        return divide_by_zero(x);
    double least = sub_down(double_down(fabsl(y.value)), y.radius);
    if (!(least > 0))
        return unknown;
    long double z = x.value / y.value;
    double propagated = div_up(add_up(x.radius, mul_up(double_up(fabsl(z)), y.radius)), least);
    long double lost = propagated > 0 ? 1 : fmal(z, y.value, -x.value);
    return settle(format, z, propagated, lost, format->smallest_normal);
}

Ball ball_divide(const Format *format, Ball x, Ball y)
{
    return combine(format, over, divide_finite, x, y);
}

/* The square root, or a magnitude, of what is not finite. */
static unsigned classes_by(double (*function)(double), unsigned classes)
{
    unsigned results = classes & CLASS_NAN;
    if (classes & CLASS_POSITIVE_INFINITY)
        results |= value_class(function(INFINITY));
    if (classes & CLASS_NEGATIVE_INFINITY)
        results |= value_class(function(-INFINITY));
    return results;
}

Ball ball_sqrt(const Format *format, Ball x)
{
    long double low = x.value - x.radius;
    if (x.classes && !may_be_finite(x))
        return only(classes_by(sqrt, x.classes));
    if (ball_is_known(x) && x.value + x.radius < 0)
        return only(CLASS_NAN);
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
    unsigned classes = ball_classes(x) | ball_classes(y);
    if (ball_is_nan(x) || ball_is_nan(y))
        return only(CLASS_NAN);
    if (is_anything(x) || is_anything(y))
        return unknown;
    if (!(ball_classes(x) & ball_classes(y) & CLASS_NEGATIVE_INFINITY))
        classes &= ~(unsigned)CLASS_NEGATIVE_INFINITY;
    if (!may_be_finite(x) || !may_be_finite(y)) {
        Ball result = may_be_finite(x) ? x : y;
        unsigned other = ball_classes(may_be_finite(x) ? y : x);
        if (!(other & CLASS_NEGATIVE_INFINITY))
            return only(classes & ~(unsigned)CLASS_FINITE);
        result.classes = classes;
        return result;
    }
    return (Ball){fmaxl(x.value, y.value), fmax(x.radius, y.radius), classes};
}

Ball ball_abs(Ball x)
{
    if (!is_anything(x))
        x.classes = (ball_classes(x) & CLASS_FINITE) | classes_by(fabs, x.classes);
    x.value = fabsl(x.value);
    return x;
}

Ball ball_either(Ball x, Ball y)
{
    unsigned classes = ball_classes(x) | ball_classes(y);
    if (classes == CLASS_ANY)
        return unknown;
    if (!may_be_finite(x) || !may_be_finite(y)) {
        Ball result = may_be_finite(x) ? x : y;
        result.classes = classes;
        return result;
    }
    double apart = add_up(double_up(fabsl(x.value - y.value)), y.radius);
    return (Ball){x.value, fmax(x.radius, apart), classes};
}

/* Classes of sums of two: any pair of what they may be. */
static unsigned sum_classes(unsigned x, unsigned y)
{
    return special_classes(plus, (Ball){0, 1, x}, (Ball){0, 1, y}) | (x & y & CLASS_FINITE);
}

/* What is finite among the terms of a sum, and what the sum may be. */
typedef struct BallSum {
    long double value;
    double size, radii;
    size_t present;
    int lattice;
    unsigned classes;
    bool has_nan, has_anything;
} BallSum;

static BallSum sum_terms(const Ball *terms, size_t count)
{
    BallSum sum = {.lattice = REF_ZERO_LATTICE, .classes = CLASS_FINITE};
    for (size_t i = 0; i < count; i++) {
        const Ball *term = &terms[i];
        sum.has_nan = sum.has_nan || ball_is_nan(*term);
        sum.has_anything = sum.has_anything || is_anything(*term);
        if (term->classes)
            sum.classes = sum_classes(sum.classes, term->classes);
        if (!may_be_finite(*term))
            continue;
        sum.value += term->value;
        sum.radii = add_up(sum.radii, term->radius);
        sum.size = add_up(sum.size, size_of(*term));
        sum.present += term->value != 0 || term->radius > 0;
        if (term->value != 0) {
            int lowest = lowest_bit(term->value);
            sum.lattice = lowest < sum.lattice ? lowest : sum.lattice;
        }
    }
    return sum;
}

Ball ball_sum(const Format *format, const Ball *terms, size_t count)
{
    BallSum sum = sum_terms(terms, count);
    double reach = add_up(sum.size, sum.radii);
    if (sum.has_nan)
        return only(CLASS_NAN);
    if (sum.has_anything || !(reach < format->largest / 4))
        return unknown;
    if (!(sum.classes & CLASS_FINITE))
        return only(sum.classes);
    bool exact = sum.present < 2 || (sum.lattice + format->precision > -1000 &&
                                     sum.size <= ldexp(1, sum.lattice + format->precision));
    if (sum.radii == 0 && exact)
        return (Ball){sum.value, 0, sum.classes};
    double n = (double)sum.present, size = double_up(fabsl(sum.value));
    double rounding = reduction_error(n, reach, add_up(size, sum.radii), format->unit);
    double radius = add_up(add_up(sum.radii, rounding), mul_up(n * BALL_UNIT, sum.size));
    return (Ball){sum.value, radius, sum.classes};
}

Ball ball_round(const Format *format, Ball x, int roundings)
{
    REQUIRE(roundings >= 0);
    double u = mul_up(roundings, format->unit + BALL_UNIT);
    x.radius = add_up(x.radius, mul_up(u, add_up(size_of(x), x.radius)));
    return x;
}

Ball ball_mean(const Format *format, Ball sum, double count)
{
    REQUIRE(count >= 0);
    Ball mean = ball_divide(format, sum, ball_exact(count));
    if (is_power_of_two_or_zero(count))
        return mean;
    /* The reciprocal and the product round, also where the quotient is a number of the format. */
    return ball_round(format, mean, mean.radius == 0 ? 2 : 1);
}

Ball ball_lerp(const Format *format, Ball low, Ball high, Ball weight)
{
    Ball apart = ball_subtract(format, high, low);
    Ball rest = ball_subtract(format, ball_exact(1), weight);
    Ball front = ball_add(format, low, ball_multiply(format, weight, apart));
    Ball behind = ball_subtract(format, high, ball_multiply(format, apart, rest));
    return ball_either(front, behind);
}

/* x^y of NaN or infinities, x >= 0; anything^0 and 1^anything are 1. */
static Ball power_of_special(Ball x, Ball y)
{
    long double base = ball_number(x), exponent = ball_number(y);
    if (exponent == 0 && y.radius == 0)
        return ball_exact(1);
    if (ball_is_nan(y) && !is_anything(x))
        return fabsl(base - 1) <= x.radius ? ball_or(ball_exact(1), CLASS_NAN) : y;
    if (ball_is_known(y) && fabsl(y.value) > y.radius && !is_anything(x)) {
        Ball limit = exponent > 0 ? only(CLASS_POSITIVE_INFINITY) : ball_exact(0);
        unsigned rest = x.classes & CLASS_NAN;
        if (may_be_finite(x) || !(x.classes & CLASS_POSITIVE_INFINITY))
            return ball_is_nan(x) ? x : unknown;
        return ball_or(limit, rest);
    }
    if (ball_is_known(x) && x.radius == 0 && isinf(exponent) && base != 1)
        return (base > 1) == (exponent > 0) ? only(CLASS_POSITIVE_INFINITY) : ball_exact(0);
    return unknown;
}

/* x^y is monotone in either operand, so that its extremes over two balls are among the corners. */
Ball ball_power(const Format *format, Ball x, Ball y)
{
    REQUIRE(x.value >= 0 || !ball_is_known(x));
    enum { ULPS = 16 };
    long double z = powl(x.value, y.value);
    double reach = 0, size = double_up(fabsl(z));
    if (!ball_is_known(x) || !ball_is_known(y))
        return power_of_special(x, y);
    if (x.value == 0 && x.radius == 0 && y.value + y.radius < 0)
        return only(CLASS_POSITIVE_INFINITY);
    for (int corner = 0; corner < 4; corner++) {
        long double base = x.value + (corner & 1 ? x.radius : -x.radius);
        long double other = powl(fmaxl(base, 0), y.value + (corner & 2 ? y.radius : -y.radius));
        reach = fmax(reach, double_up(fabsl(other - z)));
        size = fmax(size, double_up(fabsl(other)));
    }
    if (!(size < format->largest / 4))
        return unknown;
    if (x.radius == 0 && y.radius == 0 && (x.value == 0 || x.value == 1))
        return (Ball){z, 0, 0};
    double own = add_up(mul_up(4 * BALL_UNIT, size), ULPS * format_ulp(format, size));
    return (Ball){z, add_up(add_up(reach, own), format->smallest_normal), 0};
}

static FunctionValue value_of(const Function *f, const FunctionParams *params, long double x)
{
    if (!f->library)
        return f->evaluate(x, params);
    long double y = f->library(x);
    return (FunctionValue){.value = y, .error = fabsl(y) * 0x1p-59L};
}

static Ball function_of_finite(const Format *format, const Function *f, Ball x, bool loose)
{
    const FunctionParams params = {.alpha = f->alpha, .beta = f->beta};
    FunctionValue middle = value_of(f, &params, x.value);
    FunctionValue left = value_of(f, &params, x.value - x.radius);
    FunctionValue right = value_of(f, &params, x.value + x.radius);
    long double y = middle.value, low = left.value, high = right.value;
    double own = double_up(middle.error);
    double reach = fmax(add_up(double_up(fabsl(y - low)), double_up(left.error)),
                        add_up(double_up(fabsl(high - y)), double_up(right.error)));
    double size = double_up(fmaxl(fmaxl(fabsl(low), fabsl(high)), fabsl(y)));
    double argument = add_up(size_of(x), x.radius);
    /* fmax passes over NaN, as beyond the end of a domain. */
    if (!(fabsl(low) + fabsl(high) < format->largest / 4) || !isfinite(reach))
        return unknown;
    double bound = function_bound(f, &params, format, argument, size, loose);
    if (x.radius == 0 && bound == 0 && is_held(format, y))
        return (Ball){y, 0, 0};
    double radius = add_up(add_up(reach, bound), add_up(own, mul_up(BALL_UNIT, size)));
    return (Ball){y, add_up(radius, format->smallest_normal), 0};
}

/* The value at an infinity: a limit, which is finite or not. */
static Ball function_of_infinity(const Format *format, const Function *f, double x, bool loose)
{
    const FunctionParams params = {.alpha = f->alpha, .beta = f->beta};
    FunctionValue v = value_of(f, &params, x);
    Ball limit = ball_exact((double)v.value);
    if (isfinite((double)v.value) && v.value != 0)
        limit.radius = function_bound(f, &params, format, 0, (double)fabsl(v.value), loose);
    return v.or_nan ? ball_or(limit, CLASS_NAN) : limit;
}

Ball ball_function(const Format *format, const Function *f, Ball x, bool loose)
{
    unsigned classes = ball_classes(x);
    if (ball_is_nan(x))
        return x;
    if (is_anything(x))
        return unknown;
    Ball parts[3];
    int count = 0;
    if (classes & CLASS_FINITE)
        parts[count++] = function_of_finite(format, f, x, loose);
    if (classes & CLASS_POSITIVE_INFINITY)
        parts[count++] = function_of_infinity(format, f, INFINITY, loose);
    if (classes & CLASS_NEGATIVE_INFINITY)
        parts[count++] = function_of_infinity(format, f, -INFINITY, loose);
    Ball result = parts[0];
    for (int i = 1; i < count; i++)
        result = ball_either(result, parts[i]);
    return classes & CLASS_NAN ? ball_or(result, CLASS_NAN) : result;
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
    for (const Function *f = functions_special; !found && f->name; f++)
        if (!strcmp(f->name, name))
            found = f;
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
    unsigned classes = ball_classes(ball);
    if (!(classes & CLASS_FINITE) || classes == CLASS_ANY) {
        ref_set_classes(ref, i, classes);
        return;
    }
    if (ball.radius == 0 && (double)ball.value == ball.value)
        ref_set_exact(ref, i, dtype_round(ref->dtype, (double)ball.value),
                      ref->dtype == ref->accumulator ? MATCH_VALUE : MATCH_ROUNDED);
    else
        ref_put_bounded(ref, i, ball.value, 0, ball.radius);
    ref_set_classes(ref, i, ref->classes[i] | (classes & ~(unsigned)CLASS_FINITE));
}
