/* Functions with a degree and further functions of two variables against MPFR, by other formulas.
 */
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "reference/function.h"
#include "reference/random.h"
#include "tests/check.h"

enum { PRECISION = 400 };
#define NEAR MPFR_RNDN

typedef void OfDegree(mpfr_t y, const mpfr_t x, int n);
typedef void OfPair(mpfr_t y, const mpfr_t a, const mpfr_t b);

static void chebyshev_t(mpfr_t y, const mpfr_t x, int n)
{
    mpfr_acos(y, x, NEAR);
    mpfr_mul_si(y, y, n, NEAR);
    mpfr_cos(y, y, NEAR);
}

static void chebyshev_u(mpfr_t y, const mpfr_t x, int n)
{
    mpfr_t angle;
    mpfr_init2(angle, PRECISION);
    mpfr_acos(angle, x, NEAR);
    mpfr_mul_si(y, angle, n + 1, NEAR);
    mpfr_sin(y, y, NEAR);
    mpfr_sin(angle, angle, NEAR);
    mpfr_div(y, y, angle, NEAR);
    mpfr_clear(angle);
}

static void shifted_t(mpfr_t y, const mpfr_t x, int n)
{
    mpfr_t inner;
    mpfr_init2(inner, PRECISION);
    mpfr_mul_ui(inner, x, 2, NEAR);
    mpfr_sub_ui(inner, inner, 1, NEAR);
    chebyshev_t(y, inner, n);
    mpfr_clear(inner);
}

/* Exactly, up to 18. */
static double factorial(int n)
{
    return n > 1 ? n * factorial(n - 1) : 1;
}

/* The coefficient of x^(n - 2 m), or of x^m (DLMF 18.5.7 to 18.5.13). */
static double hermite_coefficient(int n, int m)
{
    return pow(-1, m) * factorial(n) / (factorial(m) * factorial(n - 2 * m)) * exp2(n - 2 * m);
}

static double hermite_e_coefficient(int n, int m)
{
    return pow(-1, m) * factorial(n) / (factorial(m) * factorial(n - 2 * m)) * exp2(-m);
}

static double legendre_coefficient(int n, int m)
{
    return pow(-1, m) * exp2(-n) * factorial(2 * n - 2 * m) /
           (factorial(m) * factorial(n - m) * factorial(n - 2 * m));
}

static void put_sum(mpfr_t y, const mpfr_t x, int n, double (*coefficient)(int, int))
{
    mpfr_t term;
    mpfr_init2(term, PRECISION);
    mpfr_set_ui(y, 0, NEAR);
    for (int m = 0; 2 * m <= n; m++) {
        mpfr_pow_si(term, x, n - 2 * m, NEAR);
        mpfr_mul_d(term, term, coefficient(n, m), NEAR);
        mpfr_add(y, y, term, NEAR);
    }
    mpfr_clear(term);
}

static void hermite_h(mpfr_t y, const mpfr_t x, int n)
{
    put_sum(y, x, n, hermite_coefficient);
}

static void hermite_he(mpfr_t y, const mpfr_t x, int n)
{
    put_sum(y, x, n, hermite_e_coefficient);
}

static void legendre_p(mpfr_t y, const mpfr_t x, int n)
{
    put_sum(y, x, n, legendre_coefficient);
}

static void laguerre_l(mpfr_t y, const mpfr_t x, int n)
{
    mpfr_t term;
    mpfr_init2(term, PRECISION);
    mpfr_set_ui(term, 1, NEAR);
    mpfr_set_ui(y, 1, NEAR);
    for (int k = 1; k <= n; k++) {
        mpfr_mul(term, term, x, NEAR);
        mpfr_mul_si(term, term, -(n - k + 1), NEAR);
        mpfr_div_si(term, term, k * k, NEAR);
        mpfr_add(y, y, term, NEAR);
    }
    mpfr_clear(term);
}

/* Differences of digamma, whose step is below the precision. */
static void polygamma(mpfr_t y, const mpfr_t x, int n)
{
    mpfr_t at, other;
    const double step = 0x1p-100;
    mpfr_inits2(PRECISION, at, other, (mpfr_ptr)0);
    mpfr_add_d(at, x, n ? step : 0, NEAR);
    mpfr_digamma(y, at, NEAR);
    if (n) {
        mpfr_sub_d(at, x, step, NEAR);
        mpfr_digamma(other, at, NEAR);
        mpfr_sub(y, y, other, NEAR);
        mpfr_div_d(y, y, 2 * step, NEAR);
    }
    if (n > 1)
        mpfr_set_nan(y);
    mpfr_clears(at, other, (mpfr_ptr)0);
}

static void multigammaln(mpfr_t y, const mpfr_t x, int n)
{
    int sign;
    mpfr_t part, at;
    mpfr_inits2(PRECISION, part, at, (mpfr_ptr)0);
    mpfr_const_pi(y, NEAR);
    mpfr_log(y, y, NEAR);
    mpfr_mul_d(y, y, n * (n - 1) / 4.0, NEAR);
    for (int j = 0; j < n; j++) {
        mpfr_sub_d(at, x, j / 2.0, NEAR);
        mpfr_lgamma(part, &sign, at, NEAR);
        mpfr_add(y, y, part, NEAR);
    }
    mpfr_clears(part, at, (mpfr_ptr)0);
}

/* Riemann's, of which Hurwitz's at 3 is the rest behind two terms. */
static void zeta(mpfr_t y, const mpfr_t a, const mpfr_t b)
{
    mpfr_t term;
    mpfr_init2(term, PRECISION);
    mpfr_zeta(y, a, NEAR);
    for (int k = 1; k < mpfr_get_si(b, NEAR); k++) {
        mpfr_set_ui(term, (unsigned long)k, NEAR);
        mpfr_pow(term, term, a, NEAR);
        mpfr_ui_div(term, 1, term, NEAR);
        mpfr_sub(y, y, term, NEAR);
    }
    mpfr_clear(term);
}

static void igammac(mpfr_t y, const mpfr_t a, const mpfr_t b)
{
    mpfr_t whole;
    mpfr_init2(whole, PRECISION);
    mpfr_gamma_inc(y, a, b, NEAR);
    mpfr_gamma(whole, a, NEAR);
    mpfr_div(y, y, whole, NEAR);
    mpfr_clear(whole);
}

static void igamma(mpfr_t y, const mpfr_t a, const mpfr_t b)
{
    igammac(y, a, b);
    mpfr_ui_sub(y, 1, y, NEAR);
}

static void lgamma_of(mpfr_t y, const mpfr_t x, double factor)
{
    int sign;
    mpfr_mul_d(y, x, factor, NEAR);
    mpfr_lgamma(y, &sign, y, NEAR);
}

static void betaln(mpfr_t y, const mpfr_t a, const mpfr_t b)
{
    mpfr_t part;
    mpfr_init2(part, PRECISION);
    lgamma_of(y, a, 1);
    lgamma_of(part, b, 1);
    mpfr_add(y, y, part, NEAR);
    mpfr_add(part, a, b, NEAR);
    lgamma_of(part, part, 1);
    mpfr_sub(y, y, part, NEAR);
    mpfr_clear(part);
}

static void beta(mpfr_t y, const mpfr_t a, const mpfr_t b)
{
    betaln(y, a, b);
    mpfr_exp(y, y, NEAR);
}

static void rel_entr(mpfr_t y, const mpfr_t a, const mpfr_t b)
{
    mpfr_div(y, a, b, NEAR);
    mpfr_log(y, y, NEAR);
    mpfr_mul(y, y, a, NEAR);
}

static void kl_term(mpfr_t y, const mpfr_t a, const mpfr_t b)
{
    rel_entr(y, a, b);
    mpfr_sub(y, y, a, NEAR);
    mpfr_add(y, y, b, NEAR);
}

/* log(x^(b - 1) exp(-x) / gamma(b)). */
static void gamma_logpdf(mpfr_t y, const mpfr_t a, const mpfr_t b)
{
    mpfr_t part;
    mpfr_init2(part, PRECISION);
    mpfr_log(y, a, NEAR);
    mpfr_sub_ui(part, b, 1, NEAR);
    mpfr_mul(y, y, part, NEAR);
    mpfr_sub(y, y, a, NEAR);
    lgamma_of(part, b, 1);
    mpfr_sub(y, y, part, NEAR);
    mpfr_clear(part);
}

static void chi2_logpdf(mpfr_t y, const mpfr_t a, const mpfr_t b)
{
    mpfr_t x, half;
    mpfr_inits2(PRECISION, x, half, (mpfr_ptr)0);
    mpfr_div_ui(x, a, 2, NEAR);
    mpfr_div_ui(half, b, 2, NEAR);
    gamma_logpdf(y, x, half);
    mpfr_const_log2(x, NEAR);
    mpfr_sub(y, y, x, NEAR);
    mpfr_clears(x, half, (mpfr_ptr)0);
}

/* The logarithm of (1 + x^2 / b)^(-(b + 1) / 2) / (sqrt(b) B(1/2, b/2)). */
static void t_logpdf(mpfr_t y, const mpfr_t a, const mpfr_t b)
{
    mpfr_t power, half, part;
    mpfr_inits2(PRECISION, power, half, part, (mpfr_ptr)0);
    mpfr_sqr(power, a, NEAR);
    mpfr_div(power, power, b, NEAR);
    mpfr_log1p(power, power, NEAR);
    mpfr_div_ui(half, b, 2, NEAR);
    mpfr_add_d(part, half, 0.5, NEAR);
    mpfr_mul(power, power, part, NEAR);
    mpfr_set_d(part, 0.5, NEAR);
    betaln(y, part, half);
    mpfr_log(part, b, NEAR);
    mpfr_div_ui(part, part, 2, NEAR);
    mpfr_add(y, y, part, NEAR);
    mpfr_add(y, y, power, NEAR);
    mpfr_neg(y, y, NEAR);
    mpfr_clears(power, half, part, (mpfr_ptr)0);
}

static void poisson_logpmf(mpfr_t y, const mpfr_t a, const mpfr_t b)
{
    mpfr_t part;
    mpfr_init2(part, PRECISION);
    mpfr_add_ui(part, a, 1, NEAR);
    gamma_logpdf(y, b, part);
    mpfr_clear(part);
}

static void poisson_cdf(mpfr_t y, const mpfr_t a, const mpfr_t b)
{
    mpfr_t part;
    mpfr_init2(part, PRECISION);
    mpfr_floor(part, a);
    mpfr_add_ui(part, part, 1, NEAR);
    igammac(y, part, b);
    mpfr_clear(part);
}

static const struct {
    const char *name;
    OfDegree *exact;
    double low, high; /* of x */
    int degrees;
} rows[] = {
    {"chebyshev_t", chebyshev_t, -1, 1, 16},      {"chebyshev_u", chebyshev_u, -1, 1, 16},
    {"shifted_chebyshev_t", shifted_t, 0, 1, 16}, {"hermite_h", hermite_h, -9, 9, 10},
    {"hermite_he", hermite_he, -9, 9, 10},        {"legendre_p", legendre_p, -3, 3, 8},
    {"laguerre_l", laguerre_l, -20, 20, 16},      {"polygamma", polygamma, 0, 60, 1},
    {"multigammaln", multigammaln, 4, 900, 8},
};

static const struct {
    const char *name;
    OfPair *exact;
    double high[2];
    bool whole[2];
} pairs[] = {
    {"zeta", zeta, {40, 4}, {false, true}},
    {"igamma", igamma, {60, 90}, {false, false}},
    {"igammac", igammac, {60, 90}, {false, false}},
    {"euler_beta", beta, {40, 60}, {false, false}},
    {"betaln", betaln, {400, 60}, {false, false}},
    {"rel_entr", rel_entr, {40, 60}, {false, false}},
    {"kl_term", kl_term, {40, 60}, {false, false}},
    {"gamma_logpdf", gamma_logpdf, {40, 60}, {false, false}},
    {"chi2_logpdf", chi2_logpdf, {40, 60}, {false, false}},
    {"t_logpdf", t_logpdf, {40, 60}, {false, false}},
    {"poisson_logpmf", poisson_logpmf, {40, 60}, {true, false}},
    {"poisson_cdf", poisson_cdf, {40, 60}, {false, false}},
};

static const Function *find(const Function *table, const char *name)
{
    while (table->name && strcmp(table->name, name) != 0)
        table++;
    CHECK(table->name);
    return table;
}

static const Function *find_pair(const char *name)
{
    for (const Function *f = functions_of_law_pairs; f->name; f++)
        if (!strcmp(f->name, name))
            return f;
    return find(functions_of_further_pairs, name);
}

/* The value is within its own error, which is small beside the bound. */
static void check_value(const char *name, FunctionValue v, const mpfr_t y, mpfr_t difference)
{
    if (!mpfr_number_p(y) || !isfinite(v.value))
        return;
    mpfr_set_ld(difference, v.value, NEAR);
    mpfr_sub(difference, difference, y, NEAR);
    double off = fabs(mpfr_get_d(difference, NEAR));
    if (off > (double)v.error + 0x1p-1000)
        printf("%s: %g beyond %Lg of %Lg\n", name, off, v.error, v.value);
    CHECK(off <= (double)v.error + 0x1p-1000);
    CHECK(v.error <= (16 * fabsl(v.value) + v.terms) * 0x1p-53L + 0x1p-1000L);
}

static void test_degrees(void)
{
    mpfr_t x, y, difference;
    uint64_t state = 3;
    mpfr_inits2(PRECISION, x, y, difference, (mpfr_ptr)0);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (int degree = 0; degree <= rows[i].degrees; degree++)
            for (int round = 0; round < 8; round++) {
                double unit = random_unit(random_next(&state));
                double value = rows[i].low + (rows[i].high - rows[i].low) * unit;
                mpfr_set_d(x, value, NEAR);
                rows[i].exact(y, x, degree);
                FunctionParams params = {.degree = degree};
                const Function *f = find(functions_with_degree, rows[i].name);
                check_value(f->name, f->evaluate(value, &params), y, difference);
            }
    mpfr_clears(x, y, difference, (mpfr_ptr)0);
}

static void test_pairs(void)
{
    mpfr_t a, b, y, difference;
    uint64_t state = 4;
    mpfr_inits2(PRECISION, a, b, y, difference, (mpfr_ptr)0);
    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        for (int round = 0; round < 60; round++) {
            double first = pairs[i].high[0] * random_unit(random_next(&state)) + 0x1p-8;
            double second = pairs[i].high[1] * random_unit(random_next(&state)) + 0x1p-8;
            first = pairs[i].whole[0] ? ceil(first) : first;
            second = pairs[i].whole[1] ? ceil(second) : second;
            mpfr_set_d(a, first, NEAR);
            mpfr_set_d(b, second, NEAR);
            pairs[i].exact(y, a, b);
            const Function *f = find_pair(pairs[i].name);
            if (!pairs[i].whole[1] || first > 1)
                check_value(f->name, f->evaluate_pair(first, second), y, difference);
        }
    mpfr_clears(a, b, y, difference, (mpfr_ptr)0);
}

/* Functions whose results are numbers of the type. */
static void test_typed(void)
{
    static const struct {
        const char *name;
        DType dtype;
        double a, b, y;
    } known[] = {
        {"nextafter", DT_F16, 1, 2, 1 + 0x1p-10},
        {"nextafter", DT_F16, 1, 0, 1 - 0x1p-11},
        {"nextafter", DT_F32, 0, -1, -0x1p-149},
        {"nextafter", DT_F32, 0x1p-126, 0, 0x1p-126 - 0x1p-149},
        {"nextafter", DT_BF16, -INFINITY, 0, -0x1.fep127},
        {"nextafter", DT_F64, 0x1.fffffffffffffp1023, INFINITY, INFINITY},
        {"floor_divide", DT_I8, -7, 2, -4},
        {"floor_divide", DT_I8, 7, -2, -4},
        {"floor_divide", DT_I8, -6, 2, -3},
        {"floor_divide", DT_F64, 1, 0.1, 9},
        {"bitwise_left_shift", DT_I8, 65, 1, -126},
        {"bitwise_left_shift", DT_U8, 255, 7, 128},
        {"bitwise_left_shift", DT_U16, 0x8001, 3, 8},
        {"bitwise_left_shift", DT_I16, 1, 15, -0x1p15},
        {"bitwise_left_shift", DT_U64, 0x1p63, 0, 0x1p63},
        {"bitwise_right_shift", DT_I8, -5, 1, -3},
        {"bitwise_right_shift", DT_U64, 0x1p63, 63, 1},
        {"bitwise_right_shift", DT_I32, -1, 31, -1},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        const Function *f = find(functions_of_further_pairs, known[i].name);
        FunctionValue v = f->evaluate_typed(known[i].a, known[i].b, known[i].dtype);
        CHECK((v.known == BITS_ALONE ? dtype_whole_of(known[i].dtype, v.bits) : v.value) ==
              known[i].y);
    }
    const Function *shift = find(functions_of_further_pairs, "bitwise_left_shift");
    CHECK(shift->evaluate_typed(1, 8, DT_I8).any);
    CHECK(shift->evaluate_typed(1, -1, DT_I8).any);
}

int main(void)
{
    test_degrees();
    test_pairs();
    test_typed();
    return check_end("reference/t_special");
}
