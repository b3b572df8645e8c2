/* Each loop is compiled for plain vectors and for those of AVX2, with the same results: no
 * operation is fused. */
#include "screen_loops.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "screen.h"

#define INLINE static inline __attribute__((always_inline))

INLINE void polynomial(const double *a, const double *nodes, uint32_t count, double *values)
{
    double step = 2.0 / count, begin = (1.0 - count) / count;
    for (uint32_t i = 0; i < count; i++) {
        double t = begin + step * (double)(int32_t)i, sum = a[SCREEN_NODES - 1];
        for (int k = SCREEN_NODES - 2; k >= 0; k--)
            sum = sum * (t - nodes[k]) + a[k];
        values[i] = sum;
    }
}

/* Bits of 2 / pi behind the point, 24 to a number. */
static const uint32_t two_over_pi[] = {0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62,
                                       0x95993c, 0x439041, 0xfe5163, 0xabdebb, 0xc561b7, 0x246e3a};

/* `count` bits from bit number `from` on, where the first one behind the point is number 1; those
 * before it are 0. */
static double take_bits(int from, int count)
{
    double sum = 0;
    for (int i = from; i < from + count; i++) {
        int bit = i > 0 ? (int)(two_over_pi[(i - 1) / 24] >> (23 - (i - 1) % 24) & 1) : 0;
        sum = 2 * sum + bit;
    }
    return sum;
}

/* 2^exponent 2 / pi modulo 4, in parts of 28, 28 and 53 bits. */
typedef struct Turn {
    double high, middle, low;
} Turn;

static Turn turn_of(int exponent)
{
    int from = exponent - 1;
    return (Turn){take_bits(from, 28) * 0x1p-26, take_bits(from + 28, 28) * 0x1p-54,
                  take_bits(from + 56, 53) * 0x1p-107};
}

INLINE double sine(double x)
{
    double q = x * x;
    double p = -1 / 1307674368000.0;
    p = p * q + 1 / 6227020800.0;
    p = p * q - 1 / 39916800.0;
    p = p * q + 1 / 362880.0;
    p = p * q - 1 / 5040.0;
    p = p * q + 1 / 120.0;
    p = p * q - 1 / 6.0;
    return x + x * q * p;
}

INLINE double cosine(double x)
{
    double q = x * x;
    double p = 1 / 20922789888000.0;
    p = p * q - 1 / 87178291200.0;
    p = p * q + 1 / 479001600.0;
    p = p * q - 1 / 3628800.0;
    p = p * q + 1 / 40320.0;
    p = p * q - 1 / 720.0;
    p = p * q + 1 / 24.0;
    return 1 - q * (0.5 - q * p);
}

INLINE void circle(ScreenCircle function, uint32_t first, uint32_t count, Turn turn, double *values)
{
    /* Adding it rounds to an integer, whose last bits are then those of the sum. */
    const double integer = 0x1.8p52, half_pi = 0x1.921fb54442d18p0;
    double sign = first >> 31 ? -1 : 1, base = (double)((first & 0x7fffff) | 0x800000);
    for (uint32_t i = 0; i < count; i++) {
        double m = base + (double)(int32_t)i;
        double high = m * turn.high, near = (high + integer) - integer;
        double rest = (high - near) + m * turn.middle, more = (rest + integer) - integer;
        double x = ((rest - more) + m * turn.low) * half_pi;
        double quadrant = near + more + integer;
        uint64_t bits;
        memcpy(&bits, &quadrant, sizeof bits);
        /* The last bit exchanges the functions, the one before changes their signs. */
        double s = sine(x), c = cosine(x), of_sine, of_cosine;
        uint64_t sine_bits, cosine_bits, exchange = 0 - (bits & 1), differ;
        memcpy(&sine_bits, &s, sizeof s);
        memcpy(&cosine_bits, &c, sizeof c);
        differ = (sine_bits ^ cosine_bits) & exchange;
        sine_bits ^= differ ^ (bits >> 1 << 63);
        cosine_bits ^= differ ^ ((bits ^ bits >> 1) << 63);
        memcpy(&of_sine, &sine_bits, sizeof s);
        memcpy(&of_cosine, &cosine_bits, sizeof c);
        of_sine *= sign;
        values[i] = function == SCREEN_SIN   ? of_sine
                    : function == SCREEN_COS ? of_cosine
                                             : of_sine / of_cosine;
    }
}

/* Powers of two as bits: ulp(v) for v no smaller than a number of the least binade. */
INLINE double differences(const double *values, const float *results, uint32_t count,
                          const ScreenLimits *limits, uint8_t *known)
{
    const uint64_t exponents = 0x7ffull << 52, least = (1023ull - 126) << 52, below = 23ull << 52;
    const uint64_t unity = 2046ull << 52;
    /* Doubles that are not negative are ordered as their bits. */
    const int64_t finite = 0x7ffll << 52;
    int64_t worst = 0;
    for (uint32_t i = 0; i < count; i++) {
        double value = values[i], apart = fabs((double)results[i] - value), ulp, inverse;
        uint64_t bits;
        uint32_t pattern;
        memcpy(&pattern, &results[i], sizeof pattern);
        /* An infinity, or a quiet NaN, where it is due. */
        uint64_t special = (results[i] == value) & (fabs(value) == INFINITY);
        special |= (value != value) & ((pattern & 0x7fffffff) >= 0x7fc00000);
        memcpy(&bits, &value, sizeof bits);
        bits &= exponents;
        bits = ((int64_t)bits > (int64_t)least ? bits : least) - below;
        memcpy(&ulp, &bits, sizeof ulp);
        bits = unity - bits;
        memcpy(&inverse, &bits, sizeof inverse);
        double doubt = limits->radius + limits->square * value * value + apart * 0x1p-50;
        double limit = limits->ulps * ulp + limits->relative * fabs(value);
        double error = apart * inverse;
        uint64_t right = special | (apart + doubt < ulp / 2), wrong = apart - doubt > ulp / 2,
                 admitted = apart + doubt <= limit;
        known[i] =
            (uint8_t)(right * SCREEN_RIGHT + wrong * SCREEN_WRONG + admitted * SCREEN_ADMITTED);
        int64_t order;
        memcpy(&order, &error, sizeof order);
        order = order < finite ? order : 0;
        worst = order > worst ? order : worst;
    }
    double most;
    memcpy(&most, &worst, sizeof most);
    return most;
}

#ifdef __x86_64__
#define AVX2 __attribute__((target("avx2")))
#define CHOOSE(call_of_avx2, call)                                                                 \
    do {                                                                                           \
        if (__builtin_cpu_supports("avx2"))                                                        \
            call_of_avx2;                                                                          \
        else                                                                                       \
            call;                                                                                  \
    } while (0)
#else
#define AVX2
#define CHOOSE(call_of_avx2, call) call_of_avx2
#endif

AVX2 static void polynomial_avx2(const double *a, const double *nodes, uint32_t count,
                                 double *values)
{
    polynomial(a, nodes, count, values);
}

/* A loop for each function, in which none is asked for. */
INLINE void circles(ScreenCircle function, uint32_t first, uint32_t count, Turn turn,
                    double *values)
{
    if (function == SCREEN_SIN)
        circle(SCREEN_SIN, first, count, turn, values);
    else if (function == SCREEN_COS)
        circle(SCREEN_COS, first, count, turn, values);
    else
        circle(SCREEN_TAN, first, count, turn, values);
}

AVX2 static void circle_avx2(ScreenCircle function, uint32_t first, uint32_t count, Turn turn,
                             double *values)
{
    circles(function, first, count, turn, values);
}

AVX2 static double differences_avx2(const double *values, const float *results, uint32_t count,
                                    const ScreenLimits *limits, uint8_t *known)
{
    return differences(values, results, count, limits, known);
}

void screen_polynomial(const double a[SCREEN_NODES], const double nodes[SCREEN_NODES],
                       uint32_t count, double *values)
{
    CHOOSE(polynomial_avx2(a, nodes, count, values), polynomial(a, nodes, count, values));
}

void screen_circle(ScreenCircle function, uint32_t first, uint32_t count, double *values)
{
    Turn turn = turn_of((int)(first >> 23 & 0xff) - 150);
    CHOOSE(circle_avx2(function, first, count, turn, values),
           circles(function, first, count, turn, values));
}

double screen_differences(const double *values, const float *results, uint32_t count,
                          const ScreenLimits *limits, uint8_t *known)
{
    double worst;
    CHOOSE(worst = differences_avx2(values, results, count, limits, known),
           worst = differences(values, results, count, limits, known));
    return worst;
}
