/* Upper and lower bounds against exact arithmetic: on the right side, and not far from it. */
#include "reference/mag.h"

#include <mpfr.h>
#include <stdbool.h>
#include <string.h>

#include "reference/power.h"
#include "reference/random.h"
#include "tests/check.h"

/* Sums of binary64 numbers need 2100 bits, quotients and roots have directed rounding. */
enum { PRECISION = 2200, ROUNDS = 200000 };

/* Any non-negative binary64 number: half of them by their bits, the others near one another, near
 * the ends of the range, or few bits long. */
static double draw(uint64_t *state)
{
    static const double ends[] = {0, 0x1p-1074,   0x1p-1022,   0x1.fffffffffffffp-1023, 0x1p-537,
                                  1, 1 + 0x1p-52, 1 - 0x1p-53, 0x1.fffffffffffffp1023,  INFINITY};
    uint64_t word = random_next(state), bits = random_next(state) >> 1;
    double value;
    if (word % 8 == 0)
        return ends[bits % (sizeof ends / sizeof ends[0])];
    if (word % 8 < 4)
        return ldexp(1 + random_unit(bits), (int)(word >> 32) % 4 - 2);
    if (word % 8 == 4)
        return ldexp(1 + random_unit(bits), -1074 + (int)((word >> 32) % 60));
    if (word % 8 == 5)
        bits &= ~UINT64_C(0) << 40;
    memcpy(&value, &bits, sizeof value);
    return isnan(value) ? 1 : value;
}

/* True when bound is on its side of the exact result and within 3 units in the last place, or 2 of
 * the smallest subnormal. */
static bool is_close(double bound, mpfr_t exact, int side)
{
    int order = mpfr_cmp_d(exact, bound);
    double nearest = mpfr_get_d(exact, MPFR_RNDN);
    double unit = nearest < 0x1p-1021 ? 0x1p-1074 : nextafter(nearest, INFINITY) - nearest;
    if (isinf(nearest) || isinf(bound))
        return side > 0 ? bound == INFINITY && nearest >= 0x1.ffffffffffffcp1023
                        : !isinf(bound) || mpfr_inf_p(exact);
    return (side > 0 ? order <= 0 : order >= 0) && fabs(bound - nearest) <= 4 * unit;
}

static void check_pair(double x, double y, mpfr_t exact, mpfr_t other)
{
    mpfr_set_d(other, y, MPFR_RNDN);
    mpfr_set_d(exact, x, MPFR_RNDN);
    mpfr_add(exact, exact, other, MPFR_RNDU);
    CHECK(is_close(add_up(x, y), exact, 1));
    mpfr_set_d(exact, x, MPFR_RNDN);
    mpfr_mul(exact, exact, other, MPFR_RNDU);
    CHECK(mpfr_nan_p(exact) || is_close(mul_up(x, y), exact, 1));
    if (y > 0 && (x < INFINITY || y < INFINITY)) {
        mpfr_set_d(exact, x, MPFR_RNDN);
        mpfr_div(exact, exact, other, MPFR_RNDU);
        CHECK(is_close(div_up(x, y), exact, 1));
    }
    if (y < INFINITY) {
        mpfr_set_d(exact, x, MPFR_RNDN);
        mpfr_sub(exact, exact, other, MPFR_RNDD);
        CHECK(x < y ? !(sub_down(x, y) > 0) : is_close(sub_down(x, y), exact, -1));
    }
    if (x >= y && x < INFINITY) {
        mpfr_set_d(exact, x, MPFR_RNDN);
        mpfr_sub(exact, exact, other, MPFR_RNDU);
        CHECK(is_close(add_up(x, -y), exact, 1));
    }
}

static void check_one(double x, uint64_t word, mpfr_t exact)
{
    int exponent = (int)(word % 2200) - 1100;
    mpfr_set_d(exact, x, MPFR_RNDN);
    mpfr_sqrt(exact, exact, MPFR_RNDU);
    CHECK(is_close(sqrt_up(x), exact, 1));
    mpfr_set_d(exact, x, MPFR_RNDN);
    mpfr_mul_2si(exact, exact, exponent, MPFR_RNDU);
    CHECK(is_close(ldexp_up(x, exponent), exact, 1));
    /* Between numbers of 64 bits, at the far end of what rounds to the middle one. */
    long double wide = (long double)x + (long double)x * (long double)(word >> 40) * 0x1p-76L;
    mpfr_set_ld(exact, nextafterl(wide, INFINITY), MPFR_RNDU);
    CHECK(x == 0 || x == INFINITY || is_close(double_up(wide), exact, 1));
    mpfr_set_ld(exact, x == 0 ? 0 : nextafterl(wide, 0), MPFR_RNDD);
    CHECK(is_close(double_down(wide), exact, -1));
}

/* A sum of products, quotients and roots in one line, as bounds are written. */
static void check_formula(const double *v, mpfr_t exact, mpfr_t other)
{
    double x = formula_up(v[0] * v[1] + sqrt(v[2]) / v[3] + 3 * v[0] * v[2] + v[3], 8);
    mpfr_set_d(exact, v[2], MPFR_RNDN);
    mpfr_sqrt(exact, exact, MPFR_RNDD);
    mpfr_div_d(exact, exact, v[3], MPFR_RNDD);
    mpfr_set_d(other, v[0], MPFR_RNDN);
    mpfr_mul_d(other, other, v[1], MPFR_RNDD);
    mpfr_add(exact, exact, other, MPFR_RNDD);
    mpfr_set_d(other, v[0], MPFR_RNDN);
    mpfr_mul_d(other, other, v[2], MPFR_RNDD);
    mpfr_mul_ui(other, other, 3, MPFR_RNDD);
    mpfr_add(exact, exact, other, MPFR_RNDD);
    mpfr_add_d(exact, exact, v[3], MPFR_RNDD);
    CHECK(mpfr_cmp_d(exact, x) <= 0 && x <= mpfr_get_d(exact, MPFR_RNDU) * (1 + 0x1p-47));
}

static void test_powers(void)
{
    uint64_t state = 7;
    for (int i = 0; i < ROUNDS; i++) {
        double x = draw(&state) * (random_next(&state) % 2 ? 1 : -1);
        int exponent = (int)(random_next(&state) % 5000) - 2500;
        double product = times_power_of_two(x, exponent), expected = ldexp(x, exponent);
        CHECK(memcmp(&product, &expected, sizeof product) == 0);
    }
}

int main(void)
{
    mpfr_t exact, other;
    uint64_t state = 1;
    mpfr_inits2(PRECISION, exact, other, (mpfr_ptr)0);
    for (long i = 0; i < check_scaled(ROUNDS); i++) {
        double x = draw(&state), y = draw(&state);
        double v[4];
        check_pair(x, y, exact, other);
        check_one(x, random_next(&state), exact);
        for (int k = 0; k < 4; k++)
            v[k] = 1 + random_unit(random_next(&state));
        check_formula(v, exact, other);
    }
    CHECK(mul_up(0, 5) == 0 && div_up(0, 5) == 0 && add_up(0, 0) == 0 && sqrt_up(0) == 0);
    CHECK(isnan(add_up(NAN, 1)) && isnan(mul_up(1, NAN)) && isnan(sub_down(NAN, 1)));
    CHECK(isnan(div_up(1, NAN)) && isnan(sqrt_up(NAN)) && isnan(ldexp_up(NAN, 1)));
    mpfr_clears(exact, other, (mpfr_ptr)0);
    test_powers();
    return check_end("reference/t_mag");
}
