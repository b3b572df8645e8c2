/* The functions of complex numbers against formulas in MPFR, their special values against the texts
 * of Annex G, and their bounds against the C library's functions of the types themselves. */
#include <math.h>
#include <string.h>

#include "complex_number.h"
#include "reference/complex_function.h"
#include "reference/complex_product.h"
#include "reference/random.h"
#include "tests/check.h"

static const struct {
    const char *name;
    Exact *exact;
    bool grows; /* of arguments of any size the result has a magnitude that MPFR holds */
} rows[] = {
    {"abs", of_abs, true},
    {"acos", of_acos, false},
    {"acosh", of_acosh, true},
    {"asin", of_asin, false},
    {"asinh", of_asinh, false},
    {"atan", of_atan, false},
    {"atanh", of_atanh, false},
    {"cos", of_cos, false},
    {"cosh", of_cosh, false},
    {"exp", exponential, false},
    {"expm1", of_expm1, false},
    {"log", logarithm, true},
    {"log10", of_log10, true},
    {"log1p", of_log1p, false},
    {"log2", of_log2, true},
    {"reciprocal", of_reciprocal, true},
    {"rsqrt", of_rsqrt, true},
    {"sign", of_sign, true},
    {"sin", of_sin, false},
    {"sinh", of_sinh, false},
    {"sqrt", root, true},
    {"square", of_square, true},
    {"tan", of_tan, false},
    {"tanh", of_tanh, false},
    {"exp2", of_exp2, false},
    {"sigmoid", of_sigmoid, false},
    {"silu", of_silu, false},
    {"sinc", of_sinc, false},
    {"softsign", of_softsign, true},
    {"tanhshrink", of_tanhshrink, false},
};

/* Numbers of binary64 or binary32, of any size up to 2^reach, near 1, and near multiples of pi / 2.
 */
static double draw_part(uint64_t *state, int reach)
{
    uint64_t word = random_next(state), kind = word % 8;
    double sign = word >> 40 & 1 ? -1 : 1, unit = random_unit(random_next(state));
    if (kind == 0)
        return sign * (1 + ldexp(unit - 0.5, -(int)(word >> 8 & 31)));
    if (kind == 1)
        return sign * (double)(word >> 8 & 3) * 1.5707963267948966;
    int exponent = (int)((word >> 16) % (unsigned)(2 * reach)) - reach;
    return sign * ldexp(1 + unit, kind < 5 ? exponent % 6 : exponent);
}

static double distance_of(const Number *exact, ComplexValue value)
{
    Number off;
    begin(&off);
    mpfr_set_ld(off.re, creall(value), R);
    mpfr_set_ld(off.im, cimagl(value), R);
    mpfr_sub(off.re, off.re, exact->re, R);
    mpfr_sub(off.im, off.im, exact->im, R);
    mpfr_hypot(off.re, off.re, off.im, R);
    mpfr_hypot(off.im, exact->re, exact->im, R);
    mpfr_div(off.re, off.re, off.im, R);
    double distance = mpfr_get_d(off.re, R);
    end(&off);
    return distance;
}

static void test_values(void)
{
    uint64_t state = 3;
    Number x, y;
    begin(&x);
    begin(&y);
    for (size_t row = 0; row < COUNT_OF(rows); row++) {
        const ComplexFunction *f = complex_function_named(rows[row].name);
        double worst = 0;
        CHECK(f != NULL);
        for (long round = 0; f && round < check_scaled(600); round++) {
            int reach = rows[row].grows ? 200 : 60;
            double re = draw_part(&state, reach), im = draw_part(&state, reach);
            if (!rows[row].grows && (fabs(re) > 500 || fabs(im) > 500))
                re = fmod(re, 500), im = fmod(im, 500);
            mpfr_set_d(x.re, re, R);
            mpfr_set_d(x.im, im, R);
            rows[row].exact(&y, &x);
            ComplexValue z = __builtin_complex((long double)re, (long double)im);
            ComplexValue value = complex_value(f, z, 0);
            if (mpfr_zero_p(y.re) && mpfr_zero_p(y.im))
                continue;
            long double size = hypotl(mpfr_get_ld(y.re, R), mpfr_get_ld(y.im, R));
            double share = f->slack && size > 0 ? (double)(size / (size + f->slack(z))) : 1;
            worst = fmax(worst, distance_of(&y, value) * share);
        }
        CHECK(worst <= complex_reference_error);
        if (!(worst <= complex_reference_error))
            (void)fprintf(stderr, "%s: off by %g\n", rows[row].name, worst);
    }
    end(&x);
    end(&y);
}

/* The product of all numbers of a reference's operand, in MPFR. */
static void multiply_all(Number *y, const double *parts, int count)
{
    Number x;
    begin(&x);
    mpfr_set_ui(y->re, 1, R);
    mpfr_set_zero(y->im, 1);
    for (int i = 0; i < count; i++) {
        mpfr_set_d(x.re, parts[2 * i], R);
        mpfr_set_d(x.im, parts[2 * i + 1], R);
        multiply(y, y, &x);
    }
    end(&x);
}

/* Neighbours are multiplied first, in the type. */
static float complex by_halves(const double *parts, int count)
{
    if (count == 1)
        return __builtin_complex((float)parts[0], (float)parts[1]);
    float complex x = by_halves(parts, count / 2),
                  y = by_halves(parts + count / 2 * 2, count - count / 2);
    float re = crealf(x) * crealf(y) - cimagf(x) * cimagf(y);
    float im = crealf(x) * cimagf(y) + cimagf(x) * crealf(y);
    return __builtin_complex(re, im);
}

static Ref product_of(const double *parts, int count, Arena *arena)
{
    enum { FACTORS_MAX = 40 };
    float cells[2 * FACTORS_MAX];
    Ref ref = {0};
    for (int i = 0; i < 2 * count; i++)
        cells[i] = (float)parts[i];
    Tensor x = {.dtype = DT_C64, .rank = 1, .extent = {count}, .stride = {1}, .origin = cells};
    ReduceInput in = {.reduction = REDUCE_PRODUCT, .x = x, .y = {.dtype = DT_C64}, .reduced = 1};
    complex_product_reference(&ref, &in, arena);
    return ref;
}

/* Values are within their error, and what is computed by halves within the bound; of whole numbers
 * it is exact. */
static void test_products(Arena *arena)
{
    enum { FACTORS = 12 };
    uint64_t state = 11;
    Number exact;
    begin(&exact);
    for (long round = 0; round < check_scaled(2000); round++) {
        double parts[2 * FACTORS];
        int count = 1 + (int)(random_next(&state) % FACTORS);
        bool whole = round % 4 == 0;
        for (int i = 0; i < 2 * count; i++)
            parts[i] = whole ? (double)(random_next(&state) % 3) - 1
                             : (float)draw_part(&state, round % 2 ? 2 : 20);
        Ref ref = product_of(parts, count, arena);
        multiply_all(&exact, parts, count);
        float complex got = by_halves(parts, count);
        const double results[] = {crealf(got), cimagf(got)};
        for (size_t part = 0; part < 2; part++) {
            double value = mpfr_get_d(part ? exact.im : exact.re, R);
            CHECK(ref.classes[part] & value_class(results[part]));
            if (!(ref.classes[part] & CLASS_FINITE) || !isfinite(results[part]) ||
                ref.classes[part] == CLASS_ANY)
                continue;
            CHECK(fabs(value - ref.high[part] - ref.low[part]) <=
                  ref.error[part] + 0x1p-52 * fabs(value));
            double bound =
                0x1p-24 * ref.magnitude[part] + ref.error[part] + 0x1p-150 * ref.underflow[part];
            CHECK(fabs(results[part] - ref.high[part]) <= bound * (1 + 0x1p-20));
            CHECK(!whole || ref.match[part] == MATCH_VALUE);
        }
        arena_reset(arena);
    }
    end(&exact);
}

/* NaN reaches both parts of a product of several, an infinity leaves no number in either, and 0
 * makes 0. */
static void test_special_products(Arena *arena)
{
    enum { NO_NUMBER = CLASS_INFINITE | CLASS_NAN };
    static const struct {
        double parts[4];
        unsigned class_re, class_im;
    } cases[] = {
        {{NAN, 1, 2, 0}, CLASS_NAN, CLASS_NAN},
        {{1, 2, 0, NAN}, CLASS_NAN, CLASS_NAN},
        {{0, 0, 3, 4}, CLASS_FINITE, CLASS_FINITE},
        {{INFINITY, 0, 1, 0}, NO_NUMBER, NO_NUMBER},
        {{0x1p100, 0, 0x1p100, 0}, NO_NUMBER, CLASS_ANY},
        {{0x1.fp127, 0x1.fp127, 0x1p2, 0}, NO_NUMBER, NO_NUMBER},
        {{0x1p-100, 0, 0x1p-100, 0}, CLASS_FINITE, CLASS_FINITE},
        {{0, 0, INFINITY, NAN}, NO_NUMBER, NO_NUMBER},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Ref ref = product_of(cases[i].parts, 2, arena);
        CHECK(ref.classes[0] == cases[i].class_re && ref.classes[1] == cases[i].class_im);
    }
    Ref alone = product_of((const double[]){NAN, 5}, 1, arena);
    CHECK(alone.classes[0] == CLASS_NAN && alone.classes[1] == (CLASS_FINITE | CLASS_NAN));
}

/* One element of a type. */
static Ref evaluate(const ComplexFunction *f, DType dtype, double re, double im, Arena *arena)
{
    Ref ref = {0};
    double cell[2];
    Tensor tensor = {.dtype = dtype, .rank = 1, .extent = {1}, .stride = {1}, .origin = cell};
    dtype_store(dtype, cell, 0, re);
    dtype_store(dtype, cell, 1, im);
    complex_function_reference(&ref, f, &tensor, NULL, arena);
    return ref;
}

enum {
    PLUS = CLASS_POSITIVE_INFINITY,
    MINUS = CLASS_NEGATIVE_INFINITY,
    NOT = CLASS_NAN,
    ANY_SIGN = PLUS | MINUS
};

/* C23, G.6: arguments, and what the parts of the result are; numbers where they are finite. */
static const struct {
    const char *name;
    double re, im;
    unsigned class_re, class_im;
    double value_re, value_im;
} specials[] = {
    {"exp", -INFINITY, INFINITY, CLASS_FINITE, CLASS_FINITE, 0, 0},
    {"exp", INFINITY, 0, PLUS, CLASS_FINITE, 0, 0},
    {"exp", INFINITY, INFINITY, ANY_SIGN, NOT, 0, 0},
    {"exp", INFINITY, NAN, ANY_SIGN, NOT, 0, 0},
    {"exp", -INFINITY, NAN, CLASS_FINITE, CLASS_FINITE, 0, 0},
    {"exp", NAN, 0, NOT, CLASS_FINITE, 0, 0},
    {"exp", INFINITY, 2, MINUS, PLUS, 0, 0},
    {"log", -INFINITY, INFINITY, PLUS, CLASS_FINITE, 0, 2.356194490192345},
    {"log", INFINITY, INFINITY, PLUS, CLASS_FINITE, 0, 0.7853981633974483},
    {"log", NAN, INFINITY, ANY_SIGN, NOT, 0, 0},
    {"log", -0.0, 0, MINUS, CLASS_FINITE, 0, 3.141592653589793},
    {"log", -1, -0.0, CLASS_FINITE, CLASS_FINITE, 0, -3.141592653589793},
    {"sqrt", -4, 0, CLASS_FINITE, CLASS_FINITE, 0, 2},
    {"sqrt", -4, -0.0, CLASS_FINITE, CLASS_FINITE, 0, -2},
    {"sqrt", NAN, INFINITY, PLUS, PLUS, 0, 0},
    {"sqrt", -INFINITY, 3, CLASS_FINITE, PLUS, 0, 0},
    {"sqrt", -INFINITY, NAN, NOT, ANY_SIGN, 0, 0},
    {"acos", -INFINITY, INFINITY, CLASS_FINITE, MINUS, 2.356194490192345, 0},
    {"acosh", 0, INFINITY, PLUS, CLASS_FINITE, 0, 1.5707963267948966},
    {"asinh", INFINITY, INFINITY, PLUS, CLASS_FINITE, 0, 0.7853981633974483},
    {"atanh", INFINITY, INFINITY, CLASS_FINITE, CLASS_FINITE, 0, 1.5707963267948966},
    {"atanh", 1, 0, PLUS, CLASS_FINITE, 0, 0},
    {"cosh", 0, INFINITY, NOT, CLASS_FINITE, 0, 0},
    {"sinh", INFINITY, 0, PLUS, CLASS_FINITE, 0, 0},
    {"tanh", INFINITY, INFINITY, CLASS_FINITE, CLASS_FINITE, 1, 0},
    {"abs", NAN, -INFINITY, PLUS, 0, 0, 0},
};

static void test_specials(Arena *arena)
{
    for (size_t i = 0; i < COUNT_OF(specials); i++)
        for (int wide = 0; wide < 2; wide++) {
            const ComplexFunction *f = complex_function_named(specials[i].name);
            arena_reset(arena);
            Ref ref = evaluate(f, wide ? DT_C128 : DT_C64, specials[i].re, specials[i].im, arena);
            CHECK(ref.classes[0] == specials[i].class_re);
            if (specials[i].class_re == CLASS_FINITE)
                CHECK(fabs(ref.high[0] - specials[i].value_re) < 1e-15);
            if (f->is_real)
                continue;
            CHECK(ref.classes[1] == specials[i].class_im);
            if (specials[i].class_im == CLASS_FINITE)
                CHECK(fabs(ref.high[1] - specials[i].value_im) < 1e-15);
        }
}

typedef float complex Single(float complex);
typedef double complex Double(double complex);

static const struct {
    const char *name;
    Single *single;
    Double *wide;
} libraries[] = {
    {"acos", cacosf, cacos},    {"acosh", cacoshf, cacosh}, {"asin", casinf, casin},
    {"asinh", casinhf, casinh}, {"atan", catanf, catan},    {"atanh", catanhf, catanh},
    {"cos", ccosf, ccos},       {"cosh", ccoshf, ccosh},    {"exp", cexpf, cexp},
    {"log", clogf, clog},       {"sin", csinf, csin},       {"sinh", csinhf, csinh},
    {"sqrt", csqrtf, csqrt},    {"tan", ctanf, ctan},       {"tanh", ctanhf, ctanh},
};

static bool admits(const Ref *ref, size_t part, double got)
{
    if (!(ref->classes[part] & value_class(got)))
        return false;
    if (!isfinite(got) || ref->classes[part] == CLASS_ANY)
        return true;
    double bound = ref->magnitude[part] * dtype_format(ref->dtype)->unit;
    return fabs((got - ref->high[part]) - ref->low[part]) <=
           bound + ref->error[part] + dtype_format(ref->dtype)->smallest_subnormal;
}

static double draw_any(uint64_t *state)
{
    static const double values[] = {0,   -0.0,     1,       -1,       INFINITY, -INFINITY,
                                    NAN, 0x1p-149, 0x1p127, -0x1p127, 0.5};
    uint64_t word = random_next(state);
    return word % 3 ? draw_part(state, 120) : values[(word >> 8) % COUNT_OF(values)];
}

/* The C library's functions of the types themselves are correct kernels. */
static void test_library(Arena *arena)
{
    uint64_t state = 7;
    for (size_t i = 0; i < COUNT_OF(libraries); i++)
        for (long round = 0; round < check_scaled(4000); round++) {
            double re = (float)draw_any(&state), im = (float)draw_any(&state);
            const ComplexFunction *f = complex_function_named(libraries[i].name);
            bool wide = round % 2;
            arena_reset(arena);
            Ref ref = evaluate(f, wide ? DT_C128 : DT_C64, re, im, arena);
            double complex got = wide
                                     ? libraries[i].wide(__builtin_complex(re, im))
                                     : libraries[i].single(__builtin_complex((float)re, (float)im));
            bool right = admits(&ref, 0, creal(got)) && admits(&ref, 1, cimag(got));
            CHECK(right);
            if (!right)
                (void)fprintf(stderr, "%s(%a, %a): %a, %a; expected %a, %a\n", f->name, re, im,
                              creal(got), cimag(got), ref.high[0], ref.high[1]);
        }
}

/* No reading of a finite argument on a branch cut admits the value from the other side of it, and
 * each admits its own. */
static void test_sides(Arena *arena)
{
    static const struct {
        const char *name;
        double re, im;
        int part; /* which jumps */
    } cuts[] = {{"acos", 2, -0.0, 1},    {"acos", -3, 0.0, 1}, {"asin", 2, -0.0, 1},
                {"acosh", 0.5, -0.0, 1}, {"log", -2, -0.0, 1}, {"sqrt", -2, -0.0, 1},
                {"atanh", 2, -0.0, 1},   {"atan", -0.0, 3, 0}, {"asinh", -0.0, 2, 0}};
    for (size_t i = 0; i < COUNT_OF(cuts); i++) {
        arena_reset(arena);
        Ref ref =
            evaluate(complex_function_named(cuts[i].name), DT_C128, cuts[i].re, cuts[i].im, arena);
        size_t part = (size_t)cuts[i].part;
        double right = ref.high[part];
        for (const Ref *reading = &ref; reading; reading = reading->alternative)
            CHECK(admits(reading, part, right) && !admits(reading, part, -right));
    }
}

/* Values whose bound reaches beyond one end of the range, or both. */
static void test_ends(Arena *arena)
{
    double largest = dtype_format(DT_F32)->largest;
    const struct {
        double value, bound;
        unsigned classes;
    } ends[] = {
        {1, 1, CLASS_FINITE},
        {largest / 1024, largest, CLASS_FINITE | CLASS_POSITIVE_INFINITY},
        {1, 2 * largest, CLASS_FINITE | CLASS_INFINITE},
        {-largest, 1.9 * largest, CLASS_FINITE | CLASS_NEGATIVE_INFINITY},
        {-1.5 * largest, 0.25 * largest, CLASS_NEGATIVE_INFINITY},
        {1.5 * largest, 2.4 * largest, CLASS_FINITE | CLASS_POSITIVE_INFINITY},
        {1.5 * largest, 2.6 * largest, CLASS_FINITE | CLASS_INFINITE},
    };
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        Ref ref;
        Tensor one = {.dtype = DT_F32, .rank = 1, .extent = {1}};
        arena_reset(arena);
        ref_allocate_bounded(&ref, DT_F32, &one, arena);
        ref_put_bounded(&ref, 0, ends[i].value, 0, ends[i].bound);
        CHECK(ref.classes[0] == ends[i].classes);
    }
}

int main(void)
{
    Arena arena;
    CHECK(arena_init(&arena, (size_t)1 << 20));
    test_values();
    test_sides(&arena);
    test_specials(&arena);
    test_library(&arena);
    test_products(&arena);
    test_special_products(&arena);
    test_ends(&arena);
    arena_release(&arena);
    return check_end("reference/t_complex");
}
