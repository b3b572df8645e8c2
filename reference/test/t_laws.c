/* Exponential integrals and distributions of one variable against MPFR. */
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "reference/function.h"
#include "reference/random.h"
#include "tests/check.h"

enum { PRECISION = 400 };

typedef int Mpfr(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding);

static int of_exp1(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    if (mpfr_sgn(x) <= 0)
        return mpfr_set_nan(y), 0;
    mpfr_set_zero(y, 1);
    return mpfr_gamma_inc(y, y, x, rounding);
}

static int of_expi(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    if (mpfr_sgn(x) > 0)
        return mpfr_eint(y, x, rounding);
    mpfr_t opposite;
    mpfr_init2(opposite, PRECISION);
    mpfr_neg(opposite, x, rounding);
    of_exp1(y, opposite, rounding);
    mpfr_clear(opposite);
    return mpfr_neg(y, y, rounding);
}

static int of_spence(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    if (mpfr_sgn(x) <= 0)
        return mpfr_set_nan(y), 0;
    mpfr_ui_sub(y, 1, x, rounding);
    return mpfr_li2(y, y, rounding);
}

/* The series in all its digits. */
static int of_dawsn(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    enum { TERMS = 1200 };
    mpfr_t square, term, part;
    if (mpfr_cmpabs_ui(x, 12) > 0)
        return mpfr_set_nan(y), 0;
    mpfr_inits2(PRECISION, square, term, part, (mpfr_ptr)0);
    mpfr_sqr(square, x, rounding);
    mpfr_set(term, x, rounding);
    mpfr_set(y, x, rounding);
    for (unsigned long k = 1; k < TERMS; k++) {
        mpfr_mul(term, term, square, rounding);
        mpfr_div_ui(term, term, k, rounding);
        mpfr_div_ui(part, term, 2 * k + 1, rounding);
        mpfr_add(y, y, part, rounding);
    }
    mpfr_neg(square, square, rounding);
    mpfr_exp(square, square, rounding);
    mpfr_mul(y, y, square, rounding);
    mpfr_clears(square, term, part, (mpfr_ptr)0);
    return 0;
}

static int of_cauchy_cdf(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t pi;
    mpfr_init2(pi, PRECISION);
    mpfr_const_pi(pi, rounding);
    mpfr_atan(y, x, rounding);
    mpfr_div(y, y, pi, rounding);
    mpfr_clear(pi);
    return mpfr_add_d(y, y, 0.5, rounding);
}

static int of_cauchy_logpdf(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t pi;
    mpfr_init2(pi, PRECISION);
    mpfr_const_pi(pi, rounding);
    mpfr_sqr(y, x, rounding);
    mpfr_add_ui(y, y, 1, rounding);
    mpfr_mul(y, y, pi, rounding);
    mpfr_clear(pi);
    mpfr_log(y, y, rounding);
    return mpfr_neg(y, y, rounding);
}

static int of_expon_sf(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    if (mpfr_sgn(x) <= 0)
        return mpfr_set_ui(y, 1, rounding);
    mpfr_neg(y, x, rounding);
    return mpfr_exp(y, y, rounding);
}

static int of_expon_cdf(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    of_expon_sf(y, x, rounding);
    return mpfr_ui_sub(y, 1, y, rounding);
}

static int of_laplace_cdf(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_abs(y, x, rounding);
    of_expon_sf(y, y, rounding);
    mpfr_div_ui(y, y, 2, rounding);
    return mpfr_sgn(x) < 0 ? 0 : mpfr_ui_sub(y, 1, y, rounding);
}

static int of_laplace_logpdf(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t part;
    mpfr_init2(part, PRECISION);
    mpfr_const_log2(part, rounding);
    mpfr_abs(y, x, rounding);
    mpfr_add(y, y, part, rounding);
    mpfr_clear(part);
    return mpfr_neg(y, y, rounding);
}

/* log(s (1 - s)), s the sigmoid of x. */
static int of_logistic_logpdf(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t other;
    mpfr_init2(other, PRECISION);
    mpfr_neg(other, x, rounding);
    mpfr_exp(other, other, rounding);
    mpfr_log1p(other, other, rounding);
    mpfr_exp(y, x, rounding);
    mpfr_log1p(y, y, rounding);
    mpfr_add(y, y, other, rounding);
    mpfr_clear(other);
    return mpfr_neg(y, y, rounding);
}

static int of_norm_logpdf(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t part;
    mpfr_init2(part, PRECISION);
    mpfr_const_pi(part, rounding);
    mpfr_mul_ui(part, part, 2, rounding);
    mpfr_log(part, part, rounding);
    mpfr_sqr(y, x, rounding);
    mpfr_add(y, y, part, rounding);
    mpfr_div_si(y, y, -2, rounding);
    mpfr_clear(part);
    return 0;
}

static const struct {
    const char *name;
    Mpfr *exact;
} rows[] = {
    {"exp1", of_exp1},
    {"expi", of_expi},
    {"spence", of_spence},
    {"dawsn", of_dawsn},
    {"cauchy_cdf", of_cauchy_cdf},
    {"cauchy_logpdf", of_cauchy_logpdf},
    {"expon_cdf", of_expon_cdf},
    {"expon_sf", of_expon_sf},
    {"laplace_cdf", of_laplace_cdf},
    {"laplace_logpdf", of_laplace_logpdf},
    {"logistic_logpdf", of_logistic_logpdf},
    {"norm_logpdf", of_norm_logpdf},
};

static const Function *find(const char *name)
{
    static const Function *const tables[] = {functions_special, functions_of_laws};
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (const Function *f = tables[i]; f->name; f++)
            if (!strcmp(f->name, name))
                return f;
    return NULL;
}

/* Uniform in the exponent. */
static double draw(uint64_t *state, int reach)
{
    uint64_t word = random_next(state);
    double size =
        ldexp(1 + random_unit(random_next(state)), (int)(word % (uint64_t)reach) - reach * 2 / 3);
    return word >> 32 & 1 ? -size : size;
}

/* Each value is within its own error of the exact one, which is small beside the bound, and in its
 * range. */
static void check_value(const Function *f, double x, const mpfr_t y, mpfr_t difference)
{
    static const FunctionParams none = {0};
    FunctionValue v = function_value(f, &none, x);
    if (!mpfr_number_p(y) || !isfinite((double)v.value))
        return;
    mpfr_set_ld(difference, v.value, MPFR_RNDN);
    mpfr_sub(difference, difference, y, MPFR_RNDN);
    double off = fabs(mpfr_get_d(difference, MPFR_RNDN));
    double bound = function_bound(f, &none, dtype_format(DT_F64), x, (double)v.value, false);
    long double least = f->results.least, greatest = f->results.greatest;
    if (off > (double)v.error || v.error > bound)
        printf("%s of %a: %g beyond %Lg\n", f->name, x, off, v.error);
    CHECK(off <= (double)v.error + 0x1p-1074);
    CHECK(fabsl(v.value) < 0x1p-6 || v.error <= bound);
    CHECK(least == greatest || (v.value >= least - v.error && v.value <= greatest + v.error));
}

int main(void)
{
    mpfr_t x, y, difference;
    uint64_t state = 21;
    mpfr_inits2(PRECISION, x, y, difference, (mpfr_ptr)0);
    for (size_t row = 0; row < COUNT_OF(rows); row++) {
        const Function *f = find(rows[row].name);
        CHECK(f != NULL);
        for (long round = 0; f && round < check_scaled(400); round++) {
            double value = draw(&state, round % 4 < 2 ? 12 : 60);
            mpfr_set_d(x, value, MPFR_RNDN);
            rows[row].exact(y, x, MPFR_RNDN);
            check_value(f, value, y, difference);
        }
    }
    mpfr_clears(x, y, difference, (mpfr_ptr)0);
    return check_end("reference/t_laws");
}
