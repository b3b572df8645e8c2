/* Numbers that every operation computes twice: with 300 bits, and rounded to an element type. */
#ifndef OPS_TEST_NUMBER_H
#define OPS_TEST_NUMBER_H

#include <math.h>
#include <mpfr.h>

#include "reference/dtype.h"

enum { PRECISION = 300, NUMBERS_MAX = 400000 };

typedef struct Number {
    double plain;
    mpfr_t exact;
} Number;

static Number pool[NUMBERS_MAX];
static int pool_used, pool_made;
static DType dtype;

static Number *new_number(void)
{
    if (pool_used == pool_made)
        mpfr_init2(pool[pool_made++].exact, PRECISION);
    return &pool[pool_used++];
}

static Number *number(double value)
{
    Number *n = new_number();
    n->plain = value;
    mpfr_set_d(n->exact, value, MPFR_RNDN);
    return n;
}

typedef int MpfrPair(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int MpfrOne(mpfr_t, const mpfr_t, mpfr_rnd_t);

static Number *pair(const Number *a, const Number *b, double plain, MpfrPair *exact)
{
    Number *n = new_number();
    n->plain = dtype_round(dtype, plain);
    exact(n->exact, a->exact, b->exact, MPFR_RNDN);
    return n;
}

static Number *one(const Number *a, double plain, MpfrOne *exact)
{
    Number *n = new_number();
    n->plain = dtype_round(dtype, plain);
    exact(n->exact, a->exact, MPFR_RNDN);
    return n;
}

static Number *add(const Number *a, const Number *b)
{
    return pair(a, b, a->plain + b->plain, mpfr_add);
}

static Number *sub(const Number *a, const Number *b)
{
    return pair(a, b, a->plain - b->plain, mpfr_sub);
}

static Number *mul(const Number *a, const Number *b)
{
    return pair(a, b, a->plain * b->plain, mpfr_mul);
}

static Number *quotient(const Number *a, const Number *b)
{
    return pair(a, b, a->plain / b->plain, mpfr_div);
}

static Number *power(const Number *a, const Number *b)
{
    return pair(a, b, pow(a->plain, b->plain), mpfr_pow);
}

static Number *exponential(const Number *a)
{
    return one(a, exp(a->plain), mpfr_exp);
}

static Number *logarithm(const Number *a)
{
    return one(a, log(a->plain), mpfr_log);
}

static Number *root(const Number *a)
{
    return one(a, sqrt(a->plain), mpfr_sqrt);
}

static Number *hyperbolic(const Number *a)
{
    return one(a, tanh(a->plain), mpfr_tanh);
}

static Number *size_of(const Number *a)
{
    return one(a, fabs(a->plain), mpfr_abs);
}

static Number *greater(Number *a, Number *b)
{
    return mpfr_cmp(a->exact, b->exact) >= 0 ? a : b;
}

static Number *logistic(const Number *a)
{
    return quotient(number(1), add(number(1), exponential(sub(number(0), a))));
}

/* Forgets all numbers; their memory is used again. */
static void forget_numbers(void)
{
    pool_used = 0;
}

#endif
