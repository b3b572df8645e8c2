/* The elementwise functions against MPFR, and their bounds against a plain evaluation. */
#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "reference/function.h"
#include "reference/random.h"
#include "tests/check.h"

enum { PRECISION = 400 };

static const Function *find(const char *name)
{
    static const Function *const tables[] = {functions, functions_special};
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        for (const Function *f = tables[i]; f->name; f++)
            if (!strcmp(f->name, name))
                return f;
    return NULL;
}

typedef int Mpfr(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding);

static int of_rsqrt(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    return mpfr_rec_sqrt(y, x, rounding);
}

static int of_sigmoid(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_neg(y, x, rounding);
    mpfr_exp(y, y, rounding);
    mpfr_add_ui(y, y, 1, rounding);
    return mpfr_ui_div(y, 1, y, rounding);
}

static int of_silu(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    of_sigmoid(y, x, rounding);
    return mpfr_mul(y, y, x, rounding);
}

static int of_softplus(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_exp(y, x, rounding);
    return mpfr_log1p(y, y, rounding);
}

static int of_logsigmoid(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_neg(y, x, rounding);
    of_softplus(y, y, rounding);
    return mpfr_neg(y, y, rounding);
}

static int of_mish(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    of_softplus(y, x, rounding);
    mpfr_tanh(y, y, rounding);
    return mpfr_mul(y, y, x, rounding);
}

static int of_gelu(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t root;
    mpfr_init2(root, PRECISION);
    mpfr_sqrt_ui(root, 2, rounding);
    mpfr_div(y, x, root, rounding);
    mpfr_neg(y, y, rounding);
    mpfr_erfc(y, y, rounding);
    mpfr_mul(y, y, x, rounding);
    mpfr_clear(root);
    return mpfr_div_ui(y, y, 2, rounding);
}

static int of_gelu_tanh(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t cube, factor;
    mpfr_init2(cube, PRECISION);
    mpfr_init2(factor, PRECISION);
    mpfr_pow_ui(cube, x, 3, rounding);
    mpfr_set_str(factor, "0.044715", 10, rounding);
    mpfr_mul(cube, cube, factor, rounding);
    mpfr_add(cube, cube, x, rounding);
    mpfr_const_pi(factor, rounding);
    mpfr_ui_div(factor, 2, factor, rounding);
    mpfr_sqrt(factor, factor, rounding);
    mpfr_mul(cube, cube, factor, rounding);
    mpfr_mul_ui(cube, cube, 2, rounding);
    of_sigmoid(y, cube, rounding);
    mpfr_clear(cube);
    mpfr_clear(factor);
    return mpfr_mul(y, y, x, rounding);
}

static int of_elu(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    return mpfr_sgn(x) > 0 ? mpfr_set(y, x, rounding) : mpfr_expm1(y, x, rounding);
}

static int of_softsign(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_abs(y, x, rounding);
    mpfr_add_ui(y, y, 1, rounding);
    return mpfr_div(y, x, y, rounding);
}

static int of_reciprocal(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    return mpfr_ui_div(y, 1, x, rounding);
}

static int of_hardswish(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    double value = mpfr_get_d(x, rounding);
    if (value <= -3 || value >= 3)
        return value <= -3 ? mpfr_set_ui(y, 0, rounding) : mpfr_set(y, x, rounding);
    mpfr_add_ui(y, x, 3, rounding);
    mpfr_mul(y, y, x, rounding);
    return mpfr_div_ui(y, y, 6, rounding);
}

static int of_lgamma(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    int sign;
    return mpfr_lgamma(y, &sign, x, rounding);
}

static int of_erfcx(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t square;
    mpfr_init2(square, PRECISION);
    mpfr_sqr(square, x, rounding);
    mpfr_exp(square, square, rounding);
    mpfr_erfc(y, x, rounding);
    mpfr_mul(y, y, square, rounding);
    mpfr_clear(square);
    /* erfc underflows. */
    return mpfr_zero_p(y) ? (mpfr_set_nan(y), 0) : 0;
}

static int of_ndtr(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    of_gelu(y, x, rounding);
    return mpfr_div(y, y, x, rounding);
}

static int of_log_ndtr(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_neg(y, x, rounding);
    of_ndtr(y, y, rounding);
    mpfr_neg(y, y, rounding);
    return mpfr_log1p(y, y, rounding);
}

static int of_entr(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_log(y, x, rounding);
    mpfr_mul(y, y, x, rounding);
    return mpfr_neg(y, y, rounding);
}

static int of_spherical(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_sin(y, x, rounding);
    return mpfr_div(y, y, x, rounding);
}

/* DLMF 10.25.2 and 10.31, whose terms rise to exp(x): not for large arguments. */
static int of_bessel(mpfr_t y, const mpfr_t x, int order, bool second)
{
    enum { TERMS = 400 };
    const mpfr_rnd_t rounding = MPFR_RNDN;
    mpfr_t square, term, psi, sum, part;
    if (mpfr_cmpabs_ui(x, 40) > 0)
        return mpfr_set_nan(y), 0;
    mpfr_inits2(PRECISION, square, term, psi, sum, part, (mpfr_ptr)0);
    mpfr_sqr(square, x, rounding);
    mpfr_div_ui(square, square, 4, rounding);
    mpfr_set_ui(term, 1, rounding);
    if (order)
        mpfr_div_ui(term, x, 2, rounding);
    mpfr_const_euler(psi, rounding);
    mpfr_mul_si(psi, psi, -2, rounding);
    mpfr_add_ui(psi, psi, (unsigned long)order, rounding);
    mpfr_set_ui(y, 0, rounding);
    mpfr_set_ui(sum, 0, rounding);
    for (unsigned long k = 1; k < TERMS; k++) {
        mpfr_add(y, y, term, rounding);
        mpfr_mul(part, term, psi, rounding);
        mpfr_add(sum, sum, part, rounding);
        mpfr_mul(term, term, square, rounding);
        mpfr_div_ui(term, term, k * (k + (unsigned long)order), rounding);
        mpfr_set_ui(part, 1, rounding);
        mpfr_div_ui(part, part, k, rounding);
        mpfr_add(psi, psi, part, rounding);
        mpfr_set_ui(part, 1, rounding);
        mpfr_div_ui(part, part, k + (unsigned long)order, rounding);
        mpfr_add(psi, psi, part, rounding);
    }
    if (second) {
        mpfr_div_ui(part, x, 2, rounding);
        mpfr_log(part, part, rounding);
        mpfr_mul(y, y, part, rounding);
        mpfr_div_ui(sum, sum, 2, rounding);
        mpfr_sub(y, y, sum, rounding);
        mpfr_ui_div(part, 1, x, rounding);
        if (order)
            mpfr_add(y, y, part, rounding);
        else
            mpfr_neg(y, y, rounding);
    }
    mpfr_clears(square, term, psi, sum, part, (mpfr_ptr)0);
    return 0;
}

static int scaled(mpfr_t y, const mpfr_t x, int sign)
{
    mpfr_t factor;
    mpfr_init2(factor, PRECISION);
    mpfr_abs(factor, x, MPFR_RNDN);
    mpfr_mul_si(factor, factor, sign, MPFR_RNDN);
    mpfr_exp(factor, factor, MPFR_RNDN);
    mpfr_mul(y, y, factor, MPFR_RNDN);
    mpfr_clear(factor);
    return 0;
}

static int of_i0(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    (void)rounding;
    return of_bessel(y, x, 0, false);
}

static int of_i1(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    (void)rounding;
    return of_bessel(y, x, 1, false);
}

static int of_k0(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    (void)rounding;
    return of_bessel(y, x, 0, true);
}

static int of_k1(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    (void)rounding;
    return of_bessel(y, x, 1, true);
}

static int of_i0e(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    of_i0(y, x, rounding);
    return scaled(y, x, -1);
}

static int of_i1e(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    of_i1(y, x, rounding);
    return scaled(y, x, -1);
}

static int of_k0e(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    of_k0(y, x, rounding);
    return scaled(y, x, 1);
}

static int of_k1e(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    of_k1(y, x, rounding);
    return scaled(y, x, 1);
}

/* By Newton's method from the value of the reference, which doubles its digits each time. */
static int of_erfinv(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    enum { STEPS = 4 };
    mpfr_t step, slope;
    long double start = find("erfinv")->special(mpfr_get_ld(x, rounding)).value;
    if (!isfinite(start))
        return mpfr_set_nan(y), 0;
    mpfr_inits2(PRECISION, step, slope, (mpfr_ptr)0);
    mpfr_set_ld(y, start, rounding);
    for (int i = 0; i < STEPS; i++) {
        mpfr_erf(step, y, rounding);
        mpfr_sub(step, x, step, rounding);
        mpfr_sqr(slope, y, rounding);
        mpfr_exp(slope, slope, rounding);
        mpfr_mul(step, step, slope, rounding);
        mpfr_const_pi(slope, rounding);
        mpfr_sqrt(slope, slope, rounding);
        mpfr_div_ui(slope, slope, 2, rounding);
        mpfr_mul(step, step, slope, rounding);
        mpfr_add(y, y, step, rounding);
    }
    mpfr_clears(step, slope, (mpfr_ptr)0);
    return 0;
}

/* sqrt(2) erfinv(2 p - 1). */
static int of_ndtri(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    mpfr_t argument;
    mpfr_init2(argument, PRECISION);
    mpfr_mul_ui(argument, x, 2, rounding);
    mpfr_sub_ui(argument, argument, 1, rounding);
    if (mpfr_get_d(x, rounding) < 0x1p-40)
        mpfr_set_nan(y);
    else
        of_erfinv(y, argument, rounding);
    mpfr_sqrt_ui(argument, 2, rounding);
    mpfr_mul(y, y, argument, rounding);
    mpfr_clear(argument);
    return 0;
}

static const struct {
    const char *name;
    Mpfr *exact;
} rows[] = {
    {"acos", mpfr_acos},
    {"acosh", mpfr_acosh},
    {"asin", mpfr_asin},
    {"asinh", mpfr_asinh},
    {"atan", mpfr_atan},
    {"atanh", mpfr_atanh},
    {"cbrt", mpfr_cbrt},
    {"cos", mpfr_cos},
    {"cosh", mpfr_cosh},
    {"elu", of_elu},
    {"celu", of_elu},
    {"erf", mpfr_erf},
    {"erfc", mpfr_erfc},
    {"exp", mpfr_exp},
    {"exp2", mpfr_exp2},
    {"expm1", mpfr_expm1},
    {"gelu", of_gelu},
    {"gelu_tanh", of_gelu_tanh},
    {"hardswish", of_hardswish},
    {"log", mpfr_log},
    {"log10", mpfr_log10},
    {"log1p", mpfr_log1p},
    {"log2", mpfr_log2},
    {"logsigmoid", of_logsigmoid},
    {"mish", of_mish},
    {"rsqrt", of_rsqrt},
    {"reciprocal", of_reciprocal},
    {"sigmoid", of_sigmoid},
    {"silu", of_silu},
    {"sin", mpfr_sin},
    {"sinh", mpfr_sinh},
    {"softplus", of_softplus},
    {"softsign", of_softsign},
    {"sqrt", mpfr_sqrt},
    {"tan", mpfr_tan},
    {"tanh", mpfr_tanh},
    {"airy_ai", mpfr_ai},
    {"bessel_j0", mpfr_j0},
    {"bessel_j1", mpfr_j1},
    {"bessel_y0", mpfr_y0},
    {"bessel_y1", mpfr_y1},
    {"digamma", mpfr_digamma},
    {"entr", of_entr},
    {"erfcx", of_erfcx},
    {"erfinv", of_erfinv},
    {"i0", of_i0},
    {"i0e", of_i0e},
    {"i1", of_i1},
    {"i1e", of_i1e},
    {"k0", of_k0},
    {"k0e", of_k0e},
    {"k1", of_k1},
    {"k1e", of_k1e},
    {"lgamma", of_lgamma},
    {"log_ndtr", of_log_ndtr},
    {"ndtr", of_ndtr},
    {"ndtri", of_ndtri},
    {"spherical_bessel_j0", of_spherical},
};

/* Uniform in the exponent over most of the range that the functions are made for. */
static double draw(uint64_t *state, int reach)
{
    uint64_t word = random_next(state);
    double size =
        ldexp(1 + random_unit(random_next(state)), (int)(word % (uint64_t)reach) - reach * 2 / 3);
    return word >> 32 & 1 ? -size : size;
}

static Ref evaluate(const Function *f, double x, DType dtype, Arena *arena)
{
    Ref ref = {0};
    double cell;
    Tensor tensor = {.dtype = dtype, .rank = 1, .extent = {1}, .stride = {1}, .origin = &cell};
    dtype_store(dtype, &cell, 0, x);
    function_reference(&ref, f, &(FunctionParams){.alpha = 1, .beta = 1}, &tensor, dtype, arena);
    return ref;
}

/* The reference is within its own error of the exact value, and the error is small beside the
 * bound. */
static void test_values(Arena *arena)
{
    mpfr_t x, y, difference;
    uint64_t state = 11;
    mpfr_inits2(PRECISION, x, y, difference, (mpfr_ptr)0);
    for (size_t row = 0; row < COUNT_OF(rows); row++) {
        const Function *f = find(rows[row].name);
        CHECK(f != NULL);
        for (long round = 0; f && round < check_scaled(400); round++) {
            DType dtype = round % 2 ? DT_F64 : DT_F32;
            double value = dtype_round(dtype, draw(&state, round % 4 < 2 ? 12 : 60));
            arena_reset(arena);
            Ref ref = evaluate(f, value, dtype, arena);
            if (f->domain > 0 && fabs(value) > f->domain)
                continue;
            mpfr_set_d(x, value, MPFR_RNDN);
            rows[row].exact(y, x, MPFR_RNDN);
            if (ref.classes[0] != CLASS_FINITE || ref.match[0] == MATCH_SET || !mpfr_number_p(y))
                continue;
            mpfr_sub_d(difference, y, ref.high[0], MPFR_RNDN);
            mpfr_sub_d(difference, difference, ref.low[0], MPFR_RNDN);
            double off = fabs(mpfr_get_d(difference, MPFR_RNDN));
            CHECK(off <= ref.error[0] + 0x1p-1074);
            CHECK(ref.error[0] <= ref.magnitude[0] * dtype_format(dtype)->unit);
        }
    }
    mpfr_clears(x, y, difference, (mpfr_ptr)0);
}

/* The outcomes of one rounding hold the correctly rounded value, and few others. */
static void test_rounded(Arena *arena)
{
    uint64_t state = 5;
    for (long round = 0; round < check_scaled(2000); round++) {
        double x = fabs(draw(&state, 200));
        arena_reset(arena);
        Ref root = evaluate(find("sqrt"), x, DT_F64, arena);
        CHECK(root.match[0] == MATCH_SET);
        bool there = false;
        for (int k = 0; k < REF_CANDIDATES; k++) {
            there = there || root.candidates[k] == sqrt(x);
            CHECK(dtype_ulps_between(DT_F64, root.candidates[k], sqrt(x)) <= 1);
        }
        CHECK(there);
        float narrow = (float)x;
        Ref narrow_root = evaluate(find("sqrt"), narrow, DT_F32, arena);
        if (narrow_root.classes[0] == CLASS_FINITE)
            CHECK(narrow_root.candidates[0] == (double)sqrtf(narrow));
    }
}

/* Formats below binary32: rounding is to nearest even, and loads give back what was stored. */
static void test_small_formats(void)
{
    uint64_t state = 9;
    static const DType halves[] = {DT_F16, DT_BF16, DT_E4M3, DT_E5M2};
    for (int h = 0; h < 4; h++)
        for (uint32_t bits = 0; bits < (h < 2 ? 65536 : 256); bits++) {
            uint16_t word = (uint16_t)bits, again = 0;
            double value = dtype_load(halves[h], &word, 0);
            dtype_store(halves[h], &again, 0, value);
            CHECK(isnan(value) || again == word);
        }
    for (long round = 0; round < check_scaled(20000); round++) {
        double x = draw(&state, 30);
        for (int h = 0; h < 4; h++) {
            double near = dtype_round(halves[h], x), ulp = format_ulp(dtype_format(halves[h]), x);
            CHECK(!isfinite(near) || fabs(near - x) <= ulp / 2);
            if (isfinite(near) && fabs(near - x) == ulp / 2)
                CHECK(fmod(fabs(near) / ulp, 2) == 0);
        }
    }
}

/* Values of bit patterns from the specification (OCP OFP8, table 1). */
static void test_eight_bits(void)
{
    static const struct {
        DType dtype;
        uint8_t bits;
        double value;
    } known[] = {{DT_E4M3, 0x7e, 448},
                 {DT_E4M3, 0x08, 0x1p-6},
                 {DT_E4M3, 0x07, 0.875 * 0x1p-6},
                 {DT_E4M3, 0x81, -0x1p-9},
                 {DT_E5M2, 0x7b, 57344},
                 {DT_E5M2, 0x04, 0x1p-14},
                 {DT_E5M2, 0x03, 0.75 * 0x1p-14},
                 {DT_E5M2, 0x01, 0x1p-16},
                 {DT_E5M2, 0xfc, -INFINITY}};
    uint8_t bits;
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        CHECK(dtype_load(known[i].dtype, &known[i].bits, 0) == known[i].value);
        dtype_store(known[i].dtype, &bits, 0, known[i].value);
        CHECK(bits == known[i].bits);
    }
    bits = 0xff;
    CHECK(isnan(dtype_load(DT_E4M3, &bits, 0)));
    dtype_store(DT_E4M3, &bits, 0, 500);
    CHECK(bits == 0x7f);
    dtype_store(DT_E5M2, &bits, 0, 61440);
    CHECK(bits == 0x7c);
    dtype_store(DT_E5M2, &bits, 0, 61439);
    CHECK(bits == 0x7b);
}

/* Rows of functions agree with the C library where it has the functions (C23, Annex F), at the ends
 * of the sets of arguments. */
static void check_limit(const Function *f, const FunctionLimit *limit, long double x,
                        long double second)
{
    bool of_two = f->evaluate_pair != NULL;
    if (limit_find(f->limits, of_two, x, second) != limit)
        return;
    long double value = limit_value(limit, x, second);
    long double other = of_two ? f->evaluate_pair(x, second).value : f->library(x);
    bool same = isnan(value) ? isnan(other) : value == other && signbit(value) == signbit(other);
    bool close = limit->near && fabsl(value - other) <= fabsl(value) * 0x1p-60L;
    CHECK(same || close || limit->or_nan);
    if (!same && !close && !limit->or_nan)
        fprintf(stderr, "%s of %Lg, %Lg: %Lg, by the row %Lg\n", f->name, x, second, other, value);
}

static void test_limits(void)
{
    static const Function *const tables[] = {functions, functions_of_pairs};
    for (size_t t = 0; t < COUNT_OF(tables); t++)
        for (const Function *f = tables[t]; f->name; f++) {
            /* The remainder of a floor, and products with logarithms, are formulas of our own. */
            bool own = !strcmp(f->name, "remainder") || !strncmp(f->name, "xlog", 4) ||
                       !strncmp(f->name, "logadd", 6);
            for (const FunctionLimit *l = f->limits; !own && l && l->kind != LIMIT_END; l++) {
                const long double x[] = {l->first.from, l->first.to, -1, 1, 2.5L, -2.5L};
                const long double y[] = {l->second.from, l->second.to, -1, 1, 2.5L, -2.5L};
                for (size_t i = 0; i < COUNT_OF(x); i++)
                    for (size_t k = 0; k < COUNT_OF(y); k++)
                        if (f->evaluate_pair || (f->library && k == 0))
                            check_limit(f, l, x[i], y[k]);
            }
        }
}

/* No value leaves the closed range of its function. */
static void test_results(void)
{
    uint64_t state = 3;
    static const Function *const tables[] = {functions, functions_special};
    for (size_t t = 0; t < COUNT_OF(tables); t++)
        for (const Function *f = tables[t]; f->name; f++) {
            const ResultRange *range = &f->results;
            for (long i = 0; range->least < range->greatest && i < check_scaled(2000); i++) {
                FunctionParams params = {.alpha = f->alpha, .beta = f->beta};
                FunctionValue v = function_value(f, &params, draw(&state, 30));
                CHECK(isnan(v.value) ||
                      (v.value >= range->least - v.error && v.value <= range->greatest + v.error));
            }
        }
}

int main(void)
{
    Arena arena;
    CHECK(arena_init(&arena, (size_t)1 << 24));
    test_values(&arena);
    test_rounded(&arena);
    test_small_formats();
    test_eight_bits();
    test_limits();
    test_results();
    arena_release(&arena);
    return check_end("reference/t_function");
}
