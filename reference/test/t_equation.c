/* Equations and ranges of definiteness against exact arithmetic of 2000 bits. */
#include "reference/equation.h"

#include <mpfr.h>

#include "reference/definite.h"
#include "reference/function.h"
#include "reference/random.h"
#include "tests/check.h"

enum { PRECISION = 2000, TERMS_MAX = 40, ORDER_MAX = 8, SAMPLES = 4000 };

static uint64_t state = 7;

/* A number of the type with an exponent within `range` of 0. */
static double draw(DType dtype, int range)
{
    int exponent = (int)(random_next(&state) % (uint64_t)(2 * range + 1)) - range;
    return dtype_round(dtype, ldexp(2 * random_unit(random_next(&state)) - 1, exponent));
}

static Scalar draw_scalar(DType dtype, int range)
{
    double re = draw(dtype, range);
    return (Scalar){re, dtype_components(dtype) == 2 ? draw(dtype, range) : 0};
}

/* re += sign a b for real numbers. */
static void add_product(mpfr_t sum, double sign, double a, double b)
{
    mpfr_t product;
    mpfr_init2(product, PRECISION);
    mpfr_set_d(product, sign * a, MPFR_RNDN);
    mpfr_mul_d(product, product, b, MPFR_RNDN);
    mpfr_add(sum, sum, product, MPFR_RNDN);
    mpfr_clear(product);
}

/* (re + i im) / d in place. */
static void divide(mpfr_t re, mpfr_t im, Scalar d)
{
    mpfr_t norm, x, y;
    mpfr_inits2(PRECISION, norm, x, y, (mpfr_ptr)0);
    mpfr_set_zero(norm, 1);
    add_product(norm, 1, d.re, d.re);
    add_product(norm, 1, d.im, d.im);
    mpfr_mul_d(x, re, d.re, MPFR_RNDN);
    mpfr_mul_d(y, im, d.im, MPFR_RNDN);
    mpfr_add(x, x, y, MPFR_RNDN);
    mpfr_mul_d(im, im, d.re, MPFR_RNDN);
    mpfr_mul_d(y, re, d.im, MPFR_RNDN);
    mpfr_sub(im, im, y, MPFR_RNDN);
    mpfr_div(im, im, norm, MPFR_RNDN);
    mpfr_div(re, x, norm, MPFR_RNDN);
    mpfr_clears(norm, x, y, (mpfr_ptr)0);
}

/* |high + low - exact| <= error. */
static bool is_near(const Ref *ref, size_t i, mpfr_t exact)
{
    mpfr_t off;
    mpfr_init2(off, PRECISION);
    mpfr_sub_d(off, exact, ref->high[i], MPFR_RNDN);
    mpfr_sub_d(off, off, ref->low[i], MPFR_RNDN);
    mpfr_abs(off, off, MPFR_RNDN);
    bool near = mpfr_cmp_d(off, ref->error[i]) <= 0;
    mpfr_clear(off);
    return near;
}

static void test_value(DType dtype, int range, Arena *arena)
{
    Ref ref = {0};
    Tensor one = tensor_matrix(dtype, 1, 1, 1, 1, NULL);
    int terms = (int)(random_next(&state) % TERMS_MAX);
    Scalar right = draw_scalar(dtype, range), divisor = draw_scalar(dtype, range);
    mpfr_t re, im;
    arena_reset(arena);
    ref_allocate_bounded(&ref, dtype, &one, arena);
    mpfr_inits2(PRECISION, re, im, (mpfr_ptr)0);
    mpfr_set_d(re, right.re, MPFR_RNDN);
    mpfr_set_d(im, right.im, MPFR_RNDN);
    Equation equation = equation_of(right, END_QUOTIENT);
    for (int k = 0; k < terms; k++) {
        Scalar x = draw_scalar(dtype, range), y = draw_scalar(dtype, range);
        equation_subtract(&equation, x, y);
        add_product(re, -1, x.re, y.re);
        add_product(re, 1, x.im, y.im);
        add_product(im, -1, x.re, y.im);
        add_product(im, -1, x.im, y.re);
    }
    divide(re, im, divisor);
    Scalar got = {mpfr_get_d(re, MPFR_RNDN), mpfr_get_d(im, MPFR_RNDN)};
    equation_put(&equation, &ref, 0, divisor, got);
    if (ref.classes[0] != CLASS_ANY) {
        CHECK(is_near(&ref, 0, re));
        CHECK(dtype_components(dtype) == 1 || is_near(&ref, 1, im));
        /* The reference must be far closer than a kernel need be. */
        CHECK(ref.error[0] <= 0x1p-6 * ref.magnitude[0] * dtype_format(dtype)->unit);
    }
    mpfr_clears(re, im, (mpfr_ptr)0);
}

/* A kernel that sums in the element type, from the front and from the back, is within the bound. */
static void test_bound(DType dtype, Arena *arena)
{
    Ref ref = {0};
    Tensor one = tensor_matrix(dtype, 1, 1, 1, 1, NULL);
    Scalar x[TERMS_MAX], y[TERMS_MAX], right = draw_scalar(dtype, 3),
                                       divisor = draw_scalar(dtype, 3);
    Equation equation = equation_of(right, END_QUOTIENT);
    double forward = right.re, reciprocal = dtype_round(dtype, 1 / divisor.re);
    for (int k = 0; k < TERMS_MAX; k++) {
        x[k] = draw_scalar(dtype, 3);
        y[k] = draw_scalar(dtype, 3);
        equation_subtract(&equation, x[k], y[k]);
        forward = dtype_round(dtype, forward - dtype_round(dtype, x[k].re * y[k].re));
    }
    double got = dtype_round(dtype, forward * reciprocal);
    arena_reset(arena);
    ref_allocate_bounded(&ref, dtype, &one, arena);
    equation_put(&equation, &ref, 0, divisor, (Scalar){got, 0});
    double bound = ref.magnitude[0] * dtype_format(dtype)->unit;
    CHECK(fabs(got - ref.high[0]) <= bound + ref.error[0]);
    CHECK(bound < 1e-4 * (equation.products + equation.right) / fabs(divisor.re));
}

/* The exact order of the first leading minor that is not positive definite, n + 1 for none, of A +
 * shift diag(A), by elimination. */
static int64_t first_indefinite(const double *a, int64_t n, double shift)
{
    mpfr_t m[ORDER_MAX][ORDER_MAX], x;
    int64_t k = 0;
    mpfr_init2(x, PRECISION);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            mpfr_init2(m[i][j], PRECISION);
            mpfr_set_d(m[i][j], a[i * n + j], MPFR_RNDN);
            if (i == j) {
                mpfr_mul_d(x, m[i][j], shift, MPFR_RNDN);
                mpfr_add(m[i][j], m[i][j], x, MPFR_RNDN);
            }
        }
    for (; k < n && mpfr_sgn(m[k][k]) > 0; k++)
        for (int64_t i = k + 1; i < n; i++)
            for (int64_t j = k + 1; j <= i; j++) {
                mpfr_mul(x, m[i][k], m[j][k], MPFR_RNDN);
                mpfr_div(x, x, m[k][k], MPFR_RNDN);
                mpfr_sub(m[i][j], m[i][j], x, MPFR_RNDN);
            }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            mpfr_clear(m[i][j]);
    mpfr_clear(x);
    return k + 1;
}

/* The range lies around what exact arithmetic says, and not far from it. */
static void test_definite(DType dtype, Arena *arena)
{
    int64_t n = 1 + (int64_t)(random_next(&state) % ORDER_MAX);
    double a[ORDER_MAX * ORDER_MAX] = {0}, unit = dtype_format(dtype)->unit;
    Scalar values[ORDER_MAX * ORDER_MAX] = {{0, 0}};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double size = i == j ? 0.35 * (double)n : 1;
            a[i * n + j] = i == j ? size * (1 + random_unit(random_next(&state))) : draw(dtype, 0);
            a[i * n + j] = dtype_round(dtype, a[i * n + j]);
            values[i * n + j].re = a[i * n + j];
        }
    arena_reset(arena);
    DefiniteRange range = definite_range(&(DefiniteInput){values, n, dtype}, arena);
    double near = (double)n * (double)(n + 2) * unit, far = 4 * near + 0x1p-60;
    CHECK(range.first <= first_indefinite(a, n, -near));
    CHECK(range.first >= first_indefinite(a, n, -far));
    CHECK(range.last >= first_indefinite(a, n, near));
    CHECK(range.last <= first_indefinite(a, n, far));
    CHECK(range.may_succeed == (range.last > n));
}

/* Of what is not finite, or too large for the theorem, nothing is said. */
static void test_open_ranges(Arena *arena)
{
    const Scalar nan = {NAN, 0}, huge = {0x1p126, 0}, negative = {-1, 0};
    DefiniteRange open = definite_range(&(DefiniteInput){&nan, 1, DT_F32}, arena);
    CHECK(open.first == 1 && open.last == 2 && open.may_succeed);
    open = definite_range(&(DefiniteInput){&huge, 1, DT_F32}, arena);
    CHECK(open.first == 1 && open.may_succeed);
    DefiniteRange failing = definite_range(&(DefiniteInput){&negative, 1, DT_F32}, arena);
    CHECK(failing.first == 1 && failing.last == 1 && !failing.may_succeed);
}

int main(void)
{
    static const DType dtypes[] = {DT_F32, DT_F64, DT_C64, DT_C128};
    Arena arena;
    CHECK(arena_init(&arena, (size_t)1 << 24));
    for (size_t d = 0; d < COUNT_OF(dtypes); d++)
        for (long i = check_scaled(SAMPLES); i > 0; i--) {
            test_value(dtypes[d], d % 2 == 0 ? 20 : 200, &arena);
            if (dtype_components(dtypes[d]) == 2)
                continue;
            test_bound(dtypes[d], &arena);
            test_definite(dtypes[d], &arena);
        }
    test_open_ranges(&arena);
    arena_release(&arena);
    return check_end("t_equation");
}
