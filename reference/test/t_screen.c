/* Fast values against the reference: within their radius at every input of pieces of all sizes of
 * number, for each function; the comparison with results of known distance; and the product of
 * distances from the nodes. */
#include "reference/screen.h"

#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "reference/random.h"
#include "reference/screen_loops.h"
#include "tests/check.h"

typedef int Exact(mpfr_t, const mpfr_t, mpfr_rnd_t);

static int rsqrt_exact(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    return mpfr_rec_sqrt(y, x, rounding);
}

static int reciprocal_exact(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
    return mpfr_ui_div(y, 1, x, rounding);
}

static const struct {
    const char *name;
    Exact *exact;
} cases[] = {
    {"acos", mpfr_acos},    {"acosh", mpfr_acosh},
    {"asin", mpfr_asin},    {"asinh", mpfr_asinh},
    {"atan", mpfr_atan},    {"atanh", mpfr_atanh},
    {"cbrt", mpfr_cbrt},    {"cos", mpfr_cos},
    {"cosh", mpfr_cosh},    {"erf", mpfr_erf},
    {"erfc", mpfr_erfc},    {"exp", mpfr_exp},
    {"exp10", mpfr_exp10},  {"exp2", mpfr_exp2},
    {"expm1", mpfr_expm1},  {"log", mpfr_log},
    {"log10", mpfr_log10},  {"log1p", mpfr_log1p},
    {"log2", mpfr_log2},    {"reciprocal", reciprocal_exact},
    {"rsqrt", rsqrt_exact}, {"sin", mpfr_sin},
    {"sinh", mpfr_sinh},    {"sqrt", mpfr_sqrt},
    {"tan", mpfr_tan},      {"tanh", mpfr_tanh},
};

static Screen screen;

static const Function *find(const char *name)
{
    for (const Function *f = functions; f->name; f++)
        if (!strcmp(f->name, name))
            return f;
    return NULL;
}

static float number_of(uint32_t pattern)
{
    float x;
    memcpy(&x, &pattern, sizeof x);
    return x;
}

/* The distance from the exact value, over what is claimed of it. */
static double share_of_radius(Exact *exact, const ScreenPiece *piece, uint32_t i, double value)
{
    mpfr_t x, y;
    mpfr_inits2(200, x, y, (mpfr_ptr)0);
    mpfr_set_flt(x, number_of(piece->first + i), MPFR_RNDN);
    (void)exact(y, x, MPFR_RNDN);
    double share;
    if (isnan(value) || isinf(value)) {
        share = isnan(value) ? !mpfr_nan_p(y) : fabs(mpfr_get_d(y, MPFR_RNDN)) < 0x1p129;
        share *= INFINITY;
    } else {
        (void)mpfr_sub_d(y, y, value, MPFR_RNDN);
        share = fabs(mpfr_get_d(y, MPFR_RNDN)) / (piece->radius + piece->square * value * value);
    }
    mpfr_clears(x, y, (mpfr_ptr)0);
    return isnan(share) ? 0 : share;
}

static uint64_t known, all;

/* Some elements of each piece of a call, the ends among them. */
static void check_call(const char *name, Exact *exact, uint32_t first, uint64_t seed)
{
    const Function *f = find(name);
    screen_fill(&screen, f, first, SCREEN_MAX);
    for (int p = 0; p < screen.count; p++) {
        const ScreenPiece *piece = &screen.pieces[p];
        all += piece->count;
        known += piece->is_known ? piece->count : 0;
        bool special = (piece->first & 0x7fffffff) == 0x7f800000;
        for (uint32_t k = 0; piece->is_known && k < 6; k++) {
            uint32_t i = k == 0   ? special
                         : k == 1 ? piece->count - 1
                                  : (uint32_t)(random_at(seed, k) % piece->count);
            if (special && i == 0)
                continue;
            double value = screen.values[piece->first - first + i];
            double share = share_of_radius(exact, piece, i, value);
            if (!(share <= 1))
                printf("%s at %a: %a, %g times its radius\n", name,
                       (double)number_of(piece->first + i), value, share);
            CHECK(share <= 1);
        }
    }
}

static void check_functions(void)
{
    enum { DRAWS = 40 };
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        CHECK(screen_has(find(cases[c].name)));
        /* About 1, where values change most, and anywhere. */
        for (uint32_t call = 0x3c80; call <= 0x4400; call += 32)
            check_call(cases[c].name, cases[c].exact, (call + (uint32_t)(c % 32)) << 16, call);
        for (uint64_t draw = 0; draw < DRAWS; draw++) {
            uint64_t word = random_at(c, draw);
            check_call(cases[c].name, cases[c].exact, (uint32_t)word & 0xffff0000, word);
        }
    }
    /* What stays open is little. */
    CHECK(known > all - all / 200);
}

/* Results at known distances: bits of knowledge are those. */
static void check_comparison(void)
{
    static float results[SCREEN_MAX];
    static uint8_t told[SCREEN_MAX];
    const Function *f = find("exp");
    screen_fill(&screen, f, 0x3f800000, SCREEN_MAX);
    const ScreenPiece *piece = &screen.pieces[0];
    for (uint32_t i = 0; i < piece->count; i++) {
        results[i] = (float)screen.values[i];
        for (uint32_t k = 0; k < i % 7; k++)
            results[i] = nextafterf(results[i], 10);
    }
    double worst = screen_compare(&screen, piece, f, results, told);
    CHECK(worst > 5.4 && worst < 6.6);
    for (uint32_t i = 0; i < piece->count; i++) {
        uint32_t off = i % 7;
        CHECK(((told[i] & SCREEN_RIGHT) != 0) == (off == 0));
        CHECK(((told[i] & SCREEN_WRONG) != 0) == (off > 0));
        CHECK(off != 2 || (told[i] & SCREEN_ADMITTED));
        CHECK(off < 4 || !(told[i] & SCREEN_ADMITTED));
        CHECK(fabs(screen_ulps(screen.values[i], results[i]) - off) <= 0.5000001);
    }
}

/* The product of the distances of a number from the nodes, all over the interval. */
static void check_nodes(void)
{
    double worst = 0, zeros[SCREEN_NODES] = {0};
    screen_nodes(zeros);
    for (int i = -4000; i <= 4000; i++) {
        double product = 1;
        for (int k = 0; k < SCREEN_NODES; k++)
            product *= fabs(i / 4000.0 - zeros[k]);
        worst = fmax(worst, product);
    }
    CHECK(worst < SCREEN_NODE_PRODUCT * 0.99 && worst > SCREEN_NODE_PRODUCT / 2);
}

int main(void)
{
    check_nodes();
    check_functions();
    check_comparison();
    return check_end("reference/t_screen");
}
