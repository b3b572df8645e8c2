/* Faults of functions of complex numbers as real libraries had them, and correct ways beside the
 * references' own. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "ops/nn/nn.h"
#include "planted.h"

/* One element: both operands, and what the reference gave. */
typedef struct Element {
    DType dtype;
    Scalar a, b, y;
} Element;

static double rounded(const Element *e, double value)
{
    return dtype_round(e->dtype, value);
}

static Scalar element_at(const Tensor *t, int64_t number)
{
    int64_t at = tensor_offset_of(t, number) * dtype_components(t->dtype);
    bool has_parts = dtype_components(t->dtype) == 2;
    return (Scalar){dtype_load(t->dtype, t->origin, at),
                    has_parts ? dtype_load(t->dtype, t->origin, at + 1) : 0};
}

/* Replaces every element of a complex case by what a function makes of it. */
static void alter(PlantedCall *call, Scalar (*change)(const Element *e))
{
    const Operands *o = call->operands;
    const Tensor *y = &o->view[o->shapes.count - 1];
    bool is_complex = dtype_components(o->view[0].dtype) == 2 || dtype_components(y->dtype) == 2;
    if (!is_complex || tensor_is_empty(y))
        return;
    Tensor a = nn_broadcast(&o->view[0], y), b = nn_broadcast(&o->view[o->shapes.count - 2], y);
    for (int64_t i = 0, count = tensor_count(y); i < count; i++) {
        Element e = {y->dtype, element_at(&a, i), element_at(&b, i), element_at(y, i)};
        Scalar value = change(&e);
        int64_t at = tensor_offset_of(y, i) * dtype_components(y->dtype);
        dtype_store(y->dtype, y->origin, at, value.re);
        if (dtype_components(y->dtype) == 2)
            dtype_store(y->dtype, y->origin, at + 1, value.im);
    }
}

static bool is_finite(Scalar z)
{
    return isfinite(z.re) && isfinite(z.im);
}

/* Fault: the root of a sum of squares, which overflow and underflow. */
static Scalar modulus_by_squares(const Element *e)
{
    double squares = rounded(e, rounded(e, e->a.re * e->a.re) + rounded(e, e->a.im * e->a.im));
    return is_finite(e->a) ? (Scalar){rounded(e, sqrt(squares)), 0} : e->y;
}

/* The same, scaled by the larger part. */
static Scalar modulus_scaled(const Element *e)
{
    double great = fmax(fabs(e->a.re), fabs(e->a.im)), least = fmin(fabs(e->a.re), fabs(e->a.im));
    if (!is_finite(e->a) || great == 0)
        return e->y;
    double ratio = rounded(e, least / great);
    double factor = rounded(e, sqrt(rounded(e, 1 + rounded(e, ratio * ratio))));
    return (Scalar){rounded(e, great * factor), 0};
}

/* Fault: by the sum of the squares of the divisor. */
static Scalar quotient_by_squares(const Element *e)
{
    Scalar a = e->a, b = e->b;
    double size = rounded(e, rounded(e, b.re * b.re) + rounded(e, b.im * b.im));
    double re = rounded(e, rounded(e, a.re * b.re) + rounded(e, a.im * b.im));
    double im = rounded(e, rounded(e, a.im * b.re) - rounded(e, a.re * b.im));
    return (Scalar){rounded(e, re / size), rounded(e, im / size)};
}

/* Smith's formula. */
static Scalar quotient_by_ratio(const Element *e)
{
    Scalar a = e->a, b = e->b;
    if (!is_finite(a) || !is_finite(b))
        return e->y;
    bool wide = fabs(b.re) >= fabs(b.im);
    double great = wide ? b.re : b.im, least = wide ? b.im : b.re;
    double ratio = rounded(e, least / great);
    double size = rounded(e, great + rounded(e, least * ratio));
    double first = wide ? a.re : a.im, second = wide ? a.im : a.re, sign = wide ? 1 : -1;
    double re = rounded(e, first + rounded(e, second * ratio));
    double im = rounded(e, second - rounded(e, first * ratio)) * sign;
    return (Scalar){rounded(e, re / size), rounded(e, im / size)};
}

/* Fault: the sign of a zero is lost, and with it the side of the branch cut. */
static Scalar log_above_the_cut(const Element *e)
{
    bool below = e->a.im == 0 && signbit(e->a.im) && e->a.re < 0;
    return below ? (Scalar){e->y.re, fabs(e->y.im)} : e->y;
}

/* Fault: NaN wherever an operand is NaN. */
static Scalar exp_of_nan(const Element *e)
{
    return isnan(e->a.re) || isnan(e->a.im) ? (Scalar){NAN, NAN} : e->y;
}

/* Fault: e^x overflows though its product with a small cosine or sine does not. */
static Scalar exp_by_parts(const Element *e)
{
    double size = rounded(e, exp(e->a.re));
    if (!is_finite(e->a) || isfinite(size))
        return e->y;
    double cosine = cos(e->a.im), sine = sin(e->a.im);
    return (Scalar){size * cosine, size * sine};
}

/* Fault: -i log(i z + sqrt(1 - z^2)), which cancels. */
static Scalar arcsine_by_log(const Element *e)
{
    double complex z = __builtin_complex(e->a.re, e->a.im);
    if (!is_finite(e->a) || cabs(z) > 1)
        return e->y;
    double complex sum = I * z + csqrt(1 - z * z);
    double complex near = __builtin_complex(rounded(e, creal(sum)), rounded(e, cimag(sum)));
    double complex value = -I * clog(near);
    return (Scalar){rounded(e, creal(value)), rounded(e, cimag(value))};
}

/* Fault: of numbers below 0 the conjugate is forgotten. */
static Scalar conjugate_forgotten(const Element *e)
{
    return e->a.re < 0 ? e->a : e->y;
}

/* Fault: the parts of the product's imaginary part are subtracted where one factor is imaginary. */
static Scalar product_of_imaginary(const Element *e)
{
    return e->a.re == 0 && e->b.re != 0 && is_finite(e->b) ? (Scalar){e->y.re, -e->y.im} : e->y;
}

/* Fault: imaginary parts are not compared. */
static Scalar equal_real_parts(const Element *e)
{
    return (Scalar){e->a.re == e->b.re, 0};
}

/* With gradual underflow a difference is 0 only of equal numbers. */
static Scalar equal_by_difference(const Element *e)
{
    double re = e->a.re - e->b.re, im = e->a.im - e->b.im;
    return is_finite(e->a) && is_finite(e->b) ? (Scalar){re == 0 && im == 0, 0} : e->y;
}

/* Fault: unequal where both parts differ. */
static Scalar unequal_in_both(const Element *e)
{
    return (Scalar){e->a.re != e->b.re && e->a.im != e->b.im, 0};
}

/* dy is a, x is b. */
static double complex number_of(Scalar z)
{
    return __builtin_complex(z.re, z.im);
}

static Scalar rounded_parts(const Element *e, double complex z)
{
    return (Scalar){rounded(e, creal(z)), rounded(e, cimag(z))};
}

static bool are_moderate(const Element *e)
{
    double dy = cabs(number_of(e->a)), x = cabs(number_of(e->b));
    return is_finite(e->a) && is_finite(e->b) && dy < 0x1p20 && x < 0x1p4 && x > 0x1p-4 &&
           (dy == 0 || dy > 0x1p-20);
}

/* Fault: the slope is not conjugated. */
static Scalar slope_unconjugated(const Element *e)
{
    return are_moderate(e) ? rounded_parts(e, number_of(e->a) * cexp(number_of(e->b))) : e->y;
}

/* Fault: 1 / sqrt(z^2 - 1), which has the other sign where the real part is below 0. */
static Scalar slope_of_square(const Element *e)
{
    return e->b.re < 0 ? (Scalar){-e->y.re, -e->y.im} : e->y;
}

/* Fault: the result is conjugated. */
static Scalar gradient_conjugated(const Element *e)
{
    return (Scalar){e->y.re, -e->y.im};
}

static Scalar gradient_by_quotient(const Element *e)
{
    return are_moderate(e) ? rounded_parts(e, number_of(e->a) / conj(number_of(e->b))) : e->y;
}

static Scalar gradient_by_slope(const Element *e)
{
    Scalar slope = rounded_parts(e, ccos(conj(number_of(e->b))));
    return are_moderate(e) ? rounded_parts(e, number_of(e->a) * number_of(slope)) : e->y;
}

/* One more factor of a running product. */
typedef Scalar Step(DType dtype, Scalar x, Scalar y);

static Scalar step_by_formula(DType dtype, Scalar x, Scalar y)
{
    double re = dtype_round(dtype, x.re * y.re) - dtype_round(dtype, x.im * y.im);
    double im = dtype_round(dtype, x.re * y.im) + dtype_round(dtype, x.im * y.re);
    return (Scalar){dtype_round(dtype, re), dtype_round(dtype, im)};
}

/* Fault: the sign of i^2 is forgotten. */
static Scalar step_without_sign(DType dtype, Scalar x, Scalar y)
{
    double re = dtype_round(dtype, x.re * y.re) + dtype_round(dtype, x.im * y.im);
    return (Scalar){dtype_round(dtype, re), step_by_formula(dtype, x, y).im};
}

/* Running products from the first to the last, and a product of all elements, which begin with so
 * many factors of 1 + 0 j. */
static void multiply_on(PlantedCall *call, Step *step, int ones)
{
    const Operands *o = call->operands;
    const Tensor *x = &o->view[0], *y = &o->view[1];
    bool runs = case_has(&call->altered, "reverse");
    bool plain = !runs || (!case_int(&call->altered, "reverse") &&
                           !case_int(&call->altered, "exclusive") && x->rank == 1);
    if (dtype_components(x->dtype) != 2 || !plain || tensor_is_empty(x) ||
        (!runs && tensor_count(y) != 1))
        return;
    Scalar product = element_at(x, 0);
    for (int i = 0; i < ones; i++)
        product = step(x->dtype, (Scalar){1, 0}, product);
    for (int64_t i = 0, count = tensor_count(x); i < count; i++) {
        product = i ? step(x->dtype, product, element_at(x, i)) : product;
        int64_t at = runs ? 2 * tensor_offset_of(y, i) : 0;
        dtype_store(y->dtype, y->origin, at, product.re);
        dtype_store(y->dtype, y->origin, at + 1, product.im);
    }
}

static void finish_running(PlantedCall *call)
{
    multiply_on(call, step_by_formula, 0);
}

static void finish_running_from_ones(PlantedCall *call)
{
    multiply_on(call, step_by_formula, 2);
}

static void finish_running_unsigned(PlantedCall *call)
{
    multiply_on(call, step_without_sign, 0);
}

/* A product of elements of x, sums of half precision in binary32. */
static Scalar times(const Tensor *x, Scalar a, Scalar b)
{
    DType sums = dtype_format(x->dtype)->precision < 24 ? DT_F32 : x->dtype;
    if (dtype_components(x->dtype) == 2)
        return step_by_formula(sums, a, b);
    return (Scalar){dtype_round(sums, a.re * b.re), 0};
}

/* Of count > 0 elements from number first on, as the product of both halves. */
static Scalar product_by_halves(const Tensor *x, int64_t first, int64_t count)
{
    Scalar part[2] = {0};
    int bits = 63 - __builtin_clzll((unsigned long long)count);
    REQUIRE(count > 0);
    if (count == 1)
        return element_at(x, first);
    /* The largest power of two below count comes first: no deeper than its bits. */
    int64_t half = (int64_t)1 << (count & (count - 1) ? bits : bits - 1);
    part[0] = product_by_halves(x, first, half);
    part[1] = product_by_halves(x, first + half, count - half);
    return times(x, part[0], part[1]);
}

/* Four products of every fourth element, and those one after the other. */
static Scalar product_in_lanes(const Tensor *x, int64_t first, int64_t count)
{
    enum { LANES = 4 };
    Scalar lanes[LANES] = {0}, product;
    for (int64_t i = 0; i < count; i++) {
        Scalar *lane = &lanes[i % LANES];
        *lane = i < LANES ? element_at(x, first + i) : times(x, *lane, element_at(x, first + i));
    }
    product = lanes[0];
    for (int64_t k = 1; k < LANES && k < count; k++)
        product = times(x, product, lanes[k]);
    return product;
}

/* The product of all elements in another order. */
static void multiply_all(PlantedCall *call,
                         Scalar (*product_of)(const Tensor *x, int64_t first, int64_t count))
{
    const Operands *o = call->operands;
    const Tensor *x = &o->view[0], *y = &o->view[1];
    if (dtype_is_integer(x->dtype) || tensor_is_empty(x) || tensor_count(y) != 1)
        return;
    Scalar product = product_of(x, 0, tensor_count(x));
    dtype_store(y->dtype, y->origin, 0, product.re);
    if (dtype_components(y->dtype) == 2)
        dtype_store(y->dtype, y->origin, 1, product.im);
}

static void finish_halves(PlantedCall *call)
{
    multiply_all(call, product_by_halves);
}

static void finish_lanes(PlantedCall *call)
{
    multiply_all(call, product_in_lanes);
}

/* A formula of complex numbers with each operation in the element's own type; the reference's where
 * a part is beyond a limit, within which nothing leaves the range. */
#define FORMED(name, limit, in_float, in_double)                                                   \
    static Scalar name(const Element *e)                                                           \
    {                                                                                              \
        float complex f = __builtin_complex((float)e->a.re, (float)e->a.im);                       \
        double complex d = __builtin_complex(e->a.re, e->a.im);                                    \
        double complex value = e->dtype == DT_C64 ? (double complex)(in_float) : (in_double);      \
        Scalar y = {creal(value), cimag(value)};                                                   \
        return fabs(e->a.re) <= (limit) && fabs(e->a.im) <= (limit) && is_finite(y) ? y : e->y;    \
    }
FORMED(exp2_by_exp, 100, cexpf(f *(float)M_LN2), cexp(d *M_LN2))
FORMED(logistic_by_quotient, 80, 1 / (1 + cexpf(-f)), 1 / (1 + cexp(-d)))
FORMED(swish_by_quotient, 80, f / (1 + cexpf(-f)), d / (1 + cexp(-d)))
FORMED(swish_by_product, 80, f *(1 / (1 + cexpf(-f))), d *(1 / (1 + cexp(-d))))
FORMED(sinc_by_quotient, 20, csinf(f *(float)M_PI) / (f * (float)M_PI), csin(d *M_PI) / (d * M_PI))
FORMED(softsign_by_modulus, 0x1p90, f / (1 + cabsf(f)), d / (1 + cabs(d)))
FORMED(shrink_by_tangent, 0x1p90, f - ctanhf(f), d - ctanh(d))

static double complex without_small_parts(double complex z, double least)
{
    double re = creal(z), im = cimag(z);
    return __builtin_complex(fabs(re) < least ? 0 : re, fabs(im) < least ? 0 : im);
}
FORMED(swish_flushed, 100, f *(float complex)without_small_parts(1 / (1 + cexpf(-f)), FLT_MIN),
       d *without_small_parts(1 / (1 + cexp(-d)), DBL_MIN))
FORMED(swish_flushed_early, 100,
       f *(float complex)without_small_parts(1 / (1 + cexpf(-f)), FLT_MIN * 0x1p60),
       d *without_small_parts(1 / (1 + cexp(-d)), DBL_MIN * 0x1p60))

/* The variance of all elements by their squared moduli, and their norm by the moduli. */
static void finish_spread(PlantedCall *call)
{
    const Operands *o = call->operands;
    const Tensor *x = &o->view[0], *y = &o->view[1];
    int64_t count = tensor_count(x), divisor = count;
    if (dtype_components(x->dtype) != 2 || tensor_count(y) != 1)
        return;
    divisor -= case_int(&call->altered, "correction");
    if (divisor <= 0)
        return;
    const Element e = {.dtype = y->dtype};
    Scalar mean = {0};
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        Scalar z = element_at(x, i);
        mean = (Scalar){rounded(&e, mean.re + z.re), rounded(&e, mean.im + z.im)};
    }
    mean = (Scalar){rounded(&e, mean.re / (double)count), rounded(&e, mean.im / (double)count)};
    for (int64_t i = 0; i < count; i++) {
        Scalar z = element_at(x, i);
        double re = rounded(&e, z.re - mean.re), im = rounded(&e, z.im - mean.im);
        double squares = rounded(&e, rounded(&e, re * re) + rounded(&e, im * im));
        sum = rounded(&e, sum + squares);
    }
    dtype_store(y->dtype, y->origin, 0, rounded(&e, sum / (double)divisor));
}

static void finish_moduli(PlantedCall *call)
{
    const Operands *o = call->operands;
    const Tensor *x = &o->view[0], *y = &o->view[1];
    const Element e = {.dtype = y->dtype};
    double sum = 0;
    if (dtype_components(x->dtype) != 2 || tensor_count(y) != 1)
        return;
    for (int64_t i = 0; i < tensor_count(x); i++) {
        Scalar z = element_at(x, i);
        double size = rounded(&e, hypot(z.re, z.im));
        sum = rounded(&e, sum + rounded(&e, size * size));
    }
    if (isnormal(sum) && sum > 0x1p-100)
        dtype_store(y->dtype, y->origin, 0, rounded(&e, sqrt(sum)));
}

#define FINISH(name, change)                                                                       \
    static void finish_##name(PlantedCall *call)                                                   \
    {                                                                                              \
        alter(call, change);                                                                       \
    }
FINISH(modulus, modulus_by_squares)
FINISH(modulus_scaled, modulus_scaled)
FINISH(quotient, quotient_by_squares)
FINISH(quotient_by_ratio, quotient_by_ratio)
FINISH(cut, log_above_the_cut)
FINISH(nan, exp_of_nan)
FINISH(exp, exp_by_parts)
FINISH(arcsine, arcsine_by_log)
FINISH(conjugate, conjugate_forgotten)
FINISH(product, product_of_imaginary)
FINISH(real_parts, equal_real_parts)
FINISH(unconjugated, slope_unconjugated)
FINISH(slope_of_square, slope_of_square)
FINISH(gradient_conjugated, gradient_conjugated)
FINISH(gradient_by_quotient, gradient_by_quotient)
FINISH(gradient_by_slope, gradient_by_slope)
FINISH(difference, equal_by_difference)
FINISH(unequal_in_both, unequal_in_both)
FINISH(exp2, exp2_by_exp)
FINISH(logistic, logistic_by_quotient)
FINISH(swish, swish_by_quotient)
FINISH(swish_by_product, swish_by_product)
FINISH(swish_flushed, swish_flushed)
FINISH(swish_flushed_early, swish_flushed_early)
FINISH(sinc, sinc_by_quotient)
FINISH(softsign, softsign_by_modulus)
FINISH(shrink, shrink_by_tangent)

const PlantedFault planted_complex_faults[] = {
    {"abs-by-squares", "abs", "complex: squares of the parts leave the range", NULL,
     finish_modulus},
    {"div-by-squares", "div", "complex: squares of the divisor's parts leave the range", NULL,
     finish_quotient},
    {"log-above-the-cut", "log", "complex: below 0 with an imaginary part of -0", NULL, finish_cut},
    {"exp-of-nan", "exp", "complex: infinity and NaN in one number", NULL, finish_nan},
    {"exp-by-parts", "exp", "complex: e^x leaves the range and the result does not", NULL,
     finish_exp},
    {"asin-by-log", "asin", "complex: small arguments", NULL, finish_arcsine},
    {"conj-forgotten", "conj", "real parts below 0", NULL, finish_conjugate},
    {"mul-imaginary", "mul", "complex: the first factor is imaginary", NULL, finish_product},
    {"eq-real-parts", "eq", "complex: real parts are equal, imaginary ones not", NULL,
     finish_real_parts},
    {"ne-both-parts", "ne", "complex: one part differs", NULL, finish_unequal_in_both},
    {"cumprod-without-sign", "cumprod", "complex: imaginary parts", NULL, finish_running_unsigned},
    {"prod-without-sign", "prod", "complex: imaginary parts", NULL, finish_running_unsigned},
    {"exp-gradient-unconjugated", "exp_backward", "complex: imaginary parts", NULL,
     finish_unconjugated},
    {"acosh-gradient-by-square", "acosh_backward", "complex: real parts below 0", NULL,
     finish_slope_of_square},
    {"abs-gradient-conjugated", "abs_backward", "complex: imaginary parts", NULL,
     finish_gradient_conjugated},
    {"silu-flushed-early", "silu",
     "complex: parts of the sigmoid below 2^60 smallest normal numbers", NULL,
     finish_swish_flushed_early},
    {"ok-exp2-by-exp", "exp2", "right: e to the power z log 2", NULL, finish_exp2},
    {"ok-sigmoid-by-quotient", "sigmoid", "right: 1 / (1 + e^-z)", NULL, finish_logistic},
    {"ok-silu-by-quotient", "silu", "right: z / (1 + e^-z)", NULL, finish_swish},
    {"ok-silu-by-product", "silu", "right: z times its sigmoid", NULL, finish_swish_by_product},
    {"ok-silu-flushed", "silu", "right: z times its sigmoid, whose subnormal parts are 0", NULL,
     finish_swish_flushed},
    {"ok-sinc-by-quotient", "sinc", "right: sin(pi z) / (pi z)", NULL, finish_sinc},
    {"ok-softsign-by-modulus", "softsign", "right: z / (1 + |z|)", NULL, finish_softsign},
    {"ok-tanhshrink-by-tangent", "tanhshrink", "right: z - tanh z", NULL, finish_shrink},
    {"ok-var-by-moduli", "var", "right: squared moduli of distances", NULL, finish_spread},
    {"ok-norm2-by-moduli", "norm2", "right: squared moduli", NULL, finish_moduli},
    {"ok-log-gradient-by-quotient", "log_backward", "right: divided by the conjugate", NULL,
     finish_gradient_by_quotient},
    {"ok-sin-gradient-by-slope", "sin_backward", "right: the slope of the conjugate", NULL,
     finish_gradient_by_slope},
    {"ok-eq-by-difference", "eq", "right: by the difference", NULL, finish_difference},
    {"ok-cumprod-by-formula", "cumprod", "right: each operation rounded", NULL, finish_running},
    {"ok-cumprod-from-ones", "cumprod", "right: the first is multiplied by 1 + 0 j twice", NULL,
     finish_running_from_ones},
    {"ok-prod-by-formula", "prod", "right: one after the other", NULL, finish_running},
    {"ok-prod-by-halves", "prod", "right: both halves first", NULL, finish_halves},
    {"ok-prod-in-lanes", "prod", "right: four products of every fourth", NULL, finish_lanes},
    {"ok-abs-scaled", "abs", "right: by the ratio of the parts", NULL, finish_modulus_scaled},
    {"ok-div-by-ratio", "div", "right: Smith's formula", NULL, finish_quotient_by_ratio},
    {NULL, NULL, NULL, NULL, NULL},
};
