/* Numbers that every operation computes twice: with 300 bits, and rounded to an element type. */
#ifndef OPS_TEST_NUMBER_H
#define OPS_TEST_NUMBER_H

#include <math.h>
#include <mpfr.h>

#include "reference/base.h"
#include "reference/dtype.h"

enum { PRECISION = 300, NUMBERS_MAX = 400000 };

typedef enum NumberKind {
    NUMBER_LEAF,
    NUMBER_SUM,
    NUMBER_DIFFERENCE,
    NUMBER_PRODUCT,
    NUMBER_QUOTIENT,
    NUMBER_POWER,
    NUMBER_EXPONENTIAL,
    NUMBER_LOGARITHM,
    NUMBER_ROOT,
    NUMBER_TANH,
    NUMBER_SIZE
} NumberKind;

/* a and b are its operands; gradient is what has been propagated to it so far, NULL at first. */
typedef struct Number Number;
struct Number {
    double plain;
    mpfr_t exact;
    NumberKind kind;
    Number *a, *b, *gradient;
};

static Number pool[NUMBERS_MAX];
static int pool_used, pool_made;
static DType dtype;

static Number *new_number(NumberKind kind, Number *a, Number *b)
{
    if (pool_used == NUMBERS_MAX)
        BUG("more than %d numbers", NUMBERS_MAX);
    if (pool_used == pool_made)
        mpfr_init2(pool[pool_made++].exact, PRECISION);
    Number *n = &pool[pool_used++];
    n->kind = kind;
    n->a = a;
    n->b = b;
    n->gradient = NULL;
    return n;
}

static Number *number(double value)
{
    Number *n = new_number(NUMBER_LEAF, NULL, NULL);
    n->plain = value;
    mpfr_set_d(n->exact, value, MPFR_RNDN);
    return n;
}

typedef int MpfrPair(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int MpfrOne(mpfr_t, const mpfr_t, mpfr_rnd_t);

static Number *pair(NumberKind kind, Number *a, Number *b, double plain, MpfrPair *exact)
{
    Number *n = new_number(kind, a, b);
    n->plain = dtype_round(dtype, plain);
    exact(n->exact, a->exact, b->exact, MPFR_RNDN);
    return n;
}

static Number *one(NumberKind kind, Number *a, double plain, MpfrOne *exact)
{
    Number *n = new_number(kind, a, NULL);
    n->plain = dtype_round(dtype, plain);
    exact(n->exact, a->exact, MPFR_RNDN);
    return n;
}

static Number *add(Number *a, Number *b)
{
    return pair(NUMBER_SUM, a, b, a->plain + b->plain, mpfr_add);
}

static Number *sub(Number *a, Number *b)
{
    return pair(NUMBER_DIFFERENCE, a, b, a->plain - b->plain, mpfr_sub);
}

static Number *mul(Number *a, Number *b)
{
    return pair(NUMBER_PRODUCT, a, b, a->plain * b->plain, mpfr_mul);
}

static Number *quotient(Number *a, Number *b)
{
    return pair(NUMBER_QUOTIENT, a, b, a->plain / b->plain, mpfr_div);
}

static Number *power(Number *a, Number *b)
{
    return pair(NUMBER_POWER, a, b, pow(a->plain, b->plain), mpfr_pow);
}

static Number *exponential(Number *a)
{
    return one(NUMBER_EXPONENTIAL, a, exp(a->plain), mpfr_exp);
}

static Number *logarithm(Number *a)
{
    return one(NUMBER_LOGARITHM, a, log(a->plain), mpfr_log);
}

static Number *root(Number *a)
{
    return one(NUMBER_ROOT, a, sqrt(a->plain), mpfr_sqrt);
}

static Number *hyperbolic(Number *a)
{
    return one(NUMBER_TANH, a, tanh(a->plain), mpfr_tanh);
}

static Number *size_of(Number *a)
{
    return one(NUMBER_SIZE, a, fabs(a->plain), mpfr_abs);
}

static Number *greater(Number *a, Number *b)
{
    return mpfr_cmp(a->exact, b->exact) >= 0 ? a : b;
}

static Number *minus(Number *a)
{
    return sub(number(0), a);
}

static Number *logistic(Number *a)
{
    return quotient(number(1), add(number(1), exponential(minus(a))));
}

/* Forgets all numbers; their memory is used again. */
static void forget_numbers(void)
{
    pool_used = 0;
}

#endif
