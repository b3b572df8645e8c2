/* Products of balls that may be formed in any order: the theorem of ball_any_order. */
#include <math.h>

#include "ball.h"
#include "mag.h"

bool ball_products_leave(const Format *format, const Ball *factors, size_t count)
{
    long double above = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        long double size = fabsl(ball_number(factors[i]));
        if (size > 0 && isfinite(size))
            *(size > 1 ? &above : &below) += fabsl(log2l(size));
    }
    return above > format->maximum_exponent - 1 || below > -format->minimum_exponent - 1;
}

double ball_lost_early(const Format *format, Ball first, const Ball *factors, size_t count)
{
    long double least = fabsl(ball_number(first)), above = 1;
    for (size_t i = 0; i < count; i++) {
        long double size = fabsl(ball_number(factors[i]));
        if (isfinite(size) && size > 0)
            *(size > 1 ? &above : &least) *= size;
    }
    if (!(least > 0 && least < format->smallest_normal))
        return 0;
    return double_up((long double)(count + 1) * format->smallest_subnormal / 2 * above);
}

/* What partial products of factors may do: leave the range at either end, as a factor or as a
 * divisor, and what is lost then, absolutely and relative to a product of divisors. */
typedef struct Partials {
    const Ball *factors; /* that are finite and not 0 */
    size_t count, divisors;
    bool overflows, vanishes, divisor_overflows, divisor_vanishes;
    long double lost, lost_of_divisor;
} Partials;

/* The least and the largest size of one factor as it counts in the product. */
static long double factor_size(const Partials *p, size_t i, bool largest)
{
    Ball x = p->factors[i];
    bool divides = i + p->divisors >= p->count;
    long double size = fabsl(x.value) + (largest != divides ? x.radius : -x.radius);
    size = fmaxl(size, 0);
    return divides ? 1 / size : size;
}

/* Adds what the product of the factors of a set may do: one factor alone only where it is
 * inverted. */
static void add_partial(const Format *f, Partials *p, unsigned set)
{
    long double least = 1, largest = 1, rest = 1;
    bool of_divisors = !(set & ((1u << (p->count - p->divisors)) - 1)), single = !(set & (set - 1));
    if (single && !of_divisors)
        return;
    for (size_t i = 0; i < p->count; i++) {
        bool within = set >> i & 1;
        least *= within ? factor_size(p, i, false) : 1;
        largest *= within ? factor_size(p, i, true) : 1;
        rest *= within ? 1 : factor_size(p, i, true);
    }
    p->overflows = p->overflows || largest > f->largest / 4;
    p->vanishes = p->vanishes || least < f->smallest_subnormal;
    if (least < f->smallest_normal)
        p->lost = fmaxl(p->lost, (long double)f->smallest_subnormal / 2 * rest);
    if (!of_divisors || single)
        return;
    p->divisor_overflows = p->divisor_overflows || 1 / least > f->largest / 4;
    p->divisor_vanishes = p->divisor_vanishes || 1 / largest < f->smallest_subnormal;
    if (1 / largest < f->smallest_normal)
        p->lost_of_divisor =
            fmaxl(p->lost_of_divisor, (long double)f->smallest_subnormal / 2 * largest);
}

/* The exact product, and what each factor and so many roundings may do to it. */
static Ball product_of(const Format *f, const Partials *p, size_t roundings)
{
    long double value = 1, low = 1, high = 1;
    double unit = mul_up((double)roundings, f->unit + BALL_UNIT);
    for (size_t i = 0; i < p->count; i++) {
        value =
            i + p->divisors >= p->count ? value / p->factors[i].value : value * p->factors[i].value;
        low *= factor_size(p, i, false);
        high *= factor_size(p, i, true);
    }
    long double apart = fmaxl(high - fabsl(value), fabsl(value) - low) + high * (unit + 0x1p-58L);
    return fabsl(value) + apart < f->largest / 4 ? (Ball){value, double_up(apart), 0}
                                                 : ball_unknown();
}

/* The product, of factors that are finite and not 0, and what its partial products may make of it.
 */
static Ball with_partials(const Format *f, const Partials *p, Ball product)
{
    long double of_divisor = powl(1 + fminl(2 * p->lost_of_divisor, 1), (int)p->divisors);
    bool infinite = p->overflows || p->divisor_vanishes;
    bool zero = p->vanishes || p->divisor_overflows;
    if (!ball_is_known(product))
        product = product_of(f, p, 2 * p->count);
    if (!ball_is_known(product))
        return ball_unknown();
    unsigned classes = product.value < 0 ? CLASS_NEGATIVE_INFINITY : CLASS_POSITIVE_INFINITY;
    if (fabsl(product.value) <= product.radius)
        classes = CLASS_INFINITE;
    long double size = fabsl(product.value) + product.radius;
    long double lost = (size * (of_divisor - 1) + (long double)p->count * p->lost * of_divisor);
    product.radius = add_up(product.radius, double_up(lost));
    if (p->divisor_overflows)
        product.radius = fmax(product.radius, double_up(size));
    return infinite ? ball_or(product, classes | (zero ? CLASS_NAN : 0)) : product;
}

/* Whether no order rounds: the bits of a partial product are among those of the product where
 * nothing divides but powers of two. */
static bool is_exact_in_any_order(const Partials *p, Ball product)
{
    for (size_t i = 0; i < p->count; i++) {
        bool divides = i + p->divisors >= p->count;
        if (p->factors[i].radius > 0 ||
            (divides && !is_power_of_two_or_zero((double)p->factors[i].value)))
            return false;
    }
    return product.radius == 0;
}

/* The product, off by as many roundings as any order of its factors has, within the range. */
static Ball with_roundings(const Format *f, const Partials *p, Ball product)
{
    size_t roundings = p->count + p->divisors - 1;
    if (!ball_is_known(product) || roundings < 2 || is_exact_in_any_order(p, product))
        return product;
    Ball rounded = product_of(f, p, roundings);
    if (!ball_is_known(rounded) || rounded.value == 0)
        return product;
    double relative = double_up(rounded.radius / fabsl(rounded.value));
    product.radius = fmax(product.radius, mul_up(double_up(fabsl(product.value)), relative));
    return product;
}

Ball ball_any_order(const Format *format, Ball product, const Ball *factors, size_t count,
                    size_t divisors)
{
    Ball usual[BALL_FACTORS_MAX];
    Partials p = {.factors = usual, .divisors = 0};
    REQUIRE(count <= BALL_FACTORS_MAX && divisors <= count);
    for (size_t i = 0; i < count; i++) {
        if (ball_classes(factors[i]) == CLASS_ANY)
            return product;
        if (!ball_is_known(factors[i]) || factors[i].value == 0)
            continue;
        p.divisors += i + divisors >= count;
        usual[p.count++] = factors[i];
    }
    unsigned all = (1u << p.count) - 1;
    for (unsigned set = 1; set < all || (set == all && p.count < count); set++)
        add_partial(format, &p, set);
    bool leaves = p.overflows || p.divisor_overflows || p.divisor_vanishes;
    if (p.count < count)
        return leaves || p.vanishes ? ball_or(product, CLASS_NAN) : product;
    product = with_roundings(format, &p, product);
    return leaves || p.lost > 0 || p.lost_of_divisor > 0 ? with_partials(format, &p, product)
                                                         : product;
}
