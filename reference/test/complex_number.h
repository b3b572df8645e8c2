/* Functions of complex numbers in MPFR, as formulas have them. */
#ifndef REFERENCE_TEST_COMPLEX_NUMBER_H
#define REFERENCE_TEST_COMPLEX_NUMBER_H

#include <mpfr.h>

enum { PRECISION = 900 };
#define R MPFR_RNDN

typedef struct Number {
    mpfr_t re, im;
} Number;

static void begin(Number *z)
{
    mpfr_inits2(PRECISION, z->re, z->im, (mpfr_ptr)0);
}

static void end(Number *z)
{
    mpfr_clears(z->re, z->im, (mpfr_ptr)0);
}

static void set(Number *y, const Number *x)
{
    mpfr_set(y->re, x->re, R);
    mpfr_set(y->im, x->im, R);
}

/* y = i x */
static void turn(Number *y, const Number *x)
{
    Number t;
    begin(&t);
    mpfr_neg(t.re, x->im, R);
    mpfr_set(t.im, x->re, R);
    set(y, &t);
    end(&t);
}

/* y = -i x */
static void turn_back(Number *y, const Number *x)
{
    for (int i = 0; i < 3; i++)
        turn(y, i ? y : x);
}

static void multiply(Number *y, const Number *a, const Number *b)
{
    Number t;
    begin(&t);
    mpfr_fmms(t.re, a->re, b->re, a->im, b->im, R);
    mpfr_fmma(t.im, a->re, b->im, a->im, b->re, R);
    set(y, &t);
    end(&t);
}

static void divide(Number *y, const Number *a, const Number *b)
{
    Number t;
    mpfr_t size;
    begin(&t);
    mpfr_init2(size, PRECISION);
    mpfr_fmma(size, b->re, b->re, b->im, b->im, R);
    mpfr_set(t.re, b->re, R);
    mpfr_neg(t.im, b->im, R);
    multiply(&t, a, &t);
    mpfr_div(y->re, t.re, size, R);
    mpfr_div(y->im, t.im, size, R);
    mpfr_clear(size);
    end(&t);
}

static void plus(Number *y, const Number *x, int real)
{
    mpfr_add_si(y->re, x->re, real, R);
    mpfr_set(y->im, x->im, R);
}

static void logarithm(Number *y, const Number *x)
{
    Number t;
    begin(&t);
    mpfr_hypot(t.re, x->re, x->im, R);
    mpfr_log(t.re, t.re, R);
    mpfr_atan2(t.im, x->im, x->re, R);
    set(y, &t);
    end(&t);
}

static void exponential(Number *y, const Number *x)
{
    mpfr_t size;
    Number t;
    begin(&t);
    mpfr_init2(size, PRECISION);
    mpfr_exp(size, x->re, R);
    mpfr_sin_cos(t.im, t.re, x->im, R);
    mpfr_mul(y->re, t.re, size, R);
    mpfr_mul(y->im, t.im, size, R);
    mpfr_clear(size);
    end(&t);
}

/* The root with a part that is not negative, by its half angle. */
static void root(Number *y, const Number *x)
{
    mpfr_t size;
    Number t;
    begin(&t);
    mpfr_init2(size, PRECISION);
    mpfr_hypot(size, x->re, x->im, R);
    mpfr_sqrt(size, size, R);
    mpfr_atan2(t.re, x->im, x->re, R);
    mpfr_div_ui(t.re, t.re, 2, R);
    mpfr_sin_cos(t.im, t.re, t.re, R);
    mpfr_mul(y->re, t.re, size, R);
    mpfr_mul(y->im, t.im, size, R);
    mpfr_clear(size);
    end(&t);
}

/* (e^x + sign e^-x) / 2 */
static void hyperbolic(Number *y, const Number *x, int sign)
{
    Number up, down;
    begin(&up);
    begin(&down);
    exponential(&up, x);
    mpfr_neg(down.re, x->re, R);
    mpfr_neg(down.im, x->im, R);
    exponential(&down, &down);
    mpfr_mul_si(down.re, down.re, sign, R);
    mpfr_mul_si(down.im, down.im, sign, R);
    mpfr_add(y->re, up.re, down.re, R);
    mpfr_add(y->im, up.im, down.im, R);
    mpfr_div_ui(y->re, y->re, 2, R);
    mpfr_div_ui(y->im, y->im, 2, R);
    end(&up);
    end(&down);
}

static void of_sinh(Number *y, const Number *x)
{
    hyperbolic(y, x, -1);
}

static void of_cosh(Number *y, const Number *x)
{
    hyperbolic(y, x, 1);
}

static void of_tanh(Number *y, const Number *x)
{
    Number above, below;
    begin(&above);
    begin(&below);
    of_sinh(&above, x);
    of_cosh(&below, x);
    divide(y, &above, &below);
    end(&above);
    end(&below);
}

typedef void Exact(Number *y, const Number *x);

/* -i f(i x) */
static void turned(Number *y, const Number *x, Exact *f)
{
    Number t;
    begin(&t);
    turn(&t, x);
    f(&t, &t);
    turn_back(y, &t);
    end(&t);
}

static void of_sin(Number *y, const Number *x)
{
    turned(y, x, of_sinh);
}

static void of_tan(Number *y, const Number *x)
{
    turned(y, x, of_tanh);
}

static void of_cos(Number *y, const Number *x)
{
    Number t;
    begin(&t);
    turn(&t, x);
    of_cosh(y, &t);
    end(&t);
}

/* log(x + sqrt(x^2 + 1)) */
static void of_asinh(Number *y, const Number *x)
{
    Number t;
    begin(&t);
    multiply(&t, x, x);
    plus(&t, &t, 1);
    root(&t, &t);
    mpfr_add(t.re, t.re, x->re, R);
    mpfr_add(t.im, t.im, x->im, R);
    logarithm(y, &t);
    end(&t);
}

/* log(x + sqrt(x + 1) sqrt(x - 1)) */
static void of_acosh(Number *y, const Number *x)
{
    Number above, below;
    begin(&above);
    begin(&below);
    plus(&above, x, 1);
    plus(&below, x, -1);
    root(&above, &above);
    root(&below, &below);
    multiply(&above, &above, &below);
    mpfr_add(above.re, above.re, x->re, R);
    mpfr_add(above.im, above.im, x->im, R);
    logarithm(y, &above);
    end(&above);
    end(&below);
}

/* (log(1 + x) - log(1 - x)) / 2 */
static void of_atanh(Number *y, const Number *x)
{
    Number above, below;
    begin(&above);
    begin(&below);
    plus(&above, x, 1);
    mpfr_ui_sub(below.re, 1, x->re, R);
    mpfr_neg(below.im, x->im, R);
    logarithm(&above, &above);
    logarithm(&below, &below);
    mpfr_sub(y->re, above.re, below.re, R);
    mpfr_sub(y->im, above.im, below.im, R);
    mpfr_div_ui(y->re, y->re, 2, R);
    mpfr_div_ui(y->im, y->im, 2, R);
    end(&above);
    end(&below);
}

static void of_asin(Number *y, const Number *x)
{
    turned(y, x, of_asinh);
}

static void of_atan(Number *y, const Number *x)
{
    turned(y, x, of_atanh);
}

/* pi / 2 - asin x */
static void of_acos(Number *y, const Number *x)
{
    mpfr_t half_pi;
    mpfr_init2(half_pi, PRECISION);
    mpfr_const_pi(half_pi, R);
    mpfr_div_ui(half_pi, half_pi, 2, R);
    of_asin(y, x);
    mpfr_sub(y->re, half_pi, y->re, R);
    mpfr_neg(y->im, y->im, R);
    mpfr_clear(half_pi);
}

static void of_abs(Number *y, const Number *x)
{
    mpfr_hypot(y->re, x->re, x->im, R);
    mpfr_set_zero(y->im, 1);
}

static void of_expm1(Number *y, const Number *x)
{
    exponential(y, x);
    plus(y, y, -1);
}

static void of_log1p(Number *y, const Number *x)
{
    plus(y, x, 1);
    logarithm(y, y);
}

static void in_units_of(Number *y, unsigned long base)
{
    mpfr_t unit;
    mpfr_init2(unit, PRECISION);
    mpfr_log_ui(unit, base, R);
    mpfr_div(y->re, y->re, unit, R);
    mpfr_div(y->im, y->im, unit, R);
    mpfr_clear(unit);
}

static void of_log2(Number *y, const Number *x)
{
    logarithm(y, x);
    in_units_of(y, 2);
}

static void of_log10(Number *y, const Number *x)
{
    logarithm(y, x);
    in_units_of(y, 10);
}

static void of_square(Number *y, const Number *x)
{
    multiply(y, x, x);
}

static void of_reciprocal(Number *y, const Number *x)
{
    Number one;
    begin(&one);
    mpfr_set_ui(one.re, 1, R);
    mpfr_set_zero(one.im, 1);
    divide(y, &one, x);
    end(&one);
}

static void of_rsqrt(Number *y, const Number *x)
{
    root(y, x);
    of_reciprocal(y, y);
}

static void of_sign(Number *y, const Number *x)
{
    Number size;
    begin(&size);
    of_abs(&size, x);
    divide(y, x, &size);
    end(&size);
}

static void scale(Number *y, const mpfr_t by)
{
    mpfr_mul(y->re, y->re, by, R);
    mpfr_mul(y->im, y->im, by, R);
}

static void of_exp2(Number *y, const Number *x)
{
    mpfr_t unit;
    mpfr_init2(unit, PRECISION);
    mpfr_const_log2(unit, R);
    set(y, x);
    scale(y, unit);
    exponential(y, y);
    mpfr_clear(unit);
}

static void of_sigmoid(Number *y, const Number *x)
{
    mpfr_neg(y->re, x->re, R);
    mpfr_neg(y->im, x->im, R);
    exponential(y, y);
    plus(y, y, 1);
    of_reciprocal(y, y);
}

static void of_silu(Number *y, const Number *x)
{
    of_sigmoid(y, x);
    multiply(y, y, x);
}

static void of_sinc(Number *y, const Number *x)
{
    mpfr_t pi;
    Number z;
    begin(&z);
    mpfr_init2(pi, PRECISION);
    mpfr_const_pi(pi, R);
    set(&z, x);
    scale(&z, pi);
    of_sin(y, &z);
    divide(y, y, &z);
    mpfr_clear(pi);
    end(&z);
}

static void of_softsign(Number *y, const Number *x)
{
    Number size;
    begin(&size);
    of_abs(&size, x);
    plus(&size, &size, 1);
    divide(y, x, &size);
    end(&size);
}

static void of_tanhshrink(Number *y, const Number *x)
{
    of_tanh(y, x);
    mpfr_sub(y->re, x->re, y->re, R);
    mpfr_sub(y->im, x->im, y->im, R);
}

#endif
