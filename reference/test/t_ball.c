/* Chains of operations in binary32 and binary64: what a plain evaluation gives, and what MPFR gives
 * at 300 bits, both lie within the ball; the bound is not idle. */
#include <math.h>
#include <mpfr.h>

#include "reference/ball.h"
#include "reference/random.h"
#include "tests/check.h"

enum { PRECISION = 300, CHAINS = 60000, STEPS = 6 };

/* One number in the three arithmetics. */
typedef struct Triple {
    Ball ball;
    double plain;
    mpfr_t exact;
} Triple;

static double rounded(DType dtype, double value)
{
    return dtype_round(dtype, value);
}

static void start(Triple *t, DType dtype, uint64_t word)
{
    double value = rounded(dtype, (random_unit(word) - 0.5) * 8);
    if (word % 5 == 0)
        value = (double)((int64_t)(word >> 32) % 9);
    t->ball = ball_exact(value);
    t->plain = value;
    mpfr_set_d(t->exact, value, MPFR_RNDN);
}

static void apply_pair(Triple *x, const Triple *y, DType dtype, int operation)
{
    const Format *f = dtype_format(dtype);
    switch (operation) {
    case 0:
        x->ball = ball_add(f, x->ball, y->ball);
        x->plain = rounded(dtype, x->plain + y->plain);
        mpfr_add(x->exact, x->exact, y->exact, MPFR_RNDN);
        break;
    case 1:
        x->ball = ball_subtract(f, x->ball, y->ball);
        x->plain = rounded(dtype, x->plain - y->plain);
        mpfr_sub(x->exact, x->exact, y->exact, MPFR_RNDN);
        break;
    case 2:
        x->ball = ball_multiply(f, x->ball, y->ball);
        x->plain = rounded(dtype, x->plain * y->plain);
        mpfr_mul(x->exact, x->exact, y->exact, MPFR_RNDN);
        break;
    default:
        x->ball = ball_divide(f, x->ball, y->ball);
        x->plain = rounded(dtype, x->plain / y->plain);
        mpfr_div(x->exact, x->exact, y->exact, MPFR_RNDN);
    }
}

static void apply_one(Triple *x, DType dtype, int operation)
{
    const Format *f = dtype_format(dtype);
    switch (operation) {
    case 4:
        x->ball = ball_sqrt(f, x->ball);
        x->plain = rounded(dtype, sqrt(x->plain));
        mpfr_sqrt(x->exact, x->exact, MPFR_RNDN);
        break;
    case 5:
        x->ball = ball_function(f, function_named("exp"), x->ball, false);
        x->plain = rounded(dtype, exp(x->plain));
        mpfr_exp(x->exact, x->exact, MPFR_RNDN);
        break;
    case 6:
        x->ball = ball_function(f, function_named("tanh"), x->ball, false);
        x->plain = rounded(dtype, tanh(x->plain));
        mpfr_tanh(x->exact, x->exact, MPFR_RNDN);
        break;
    default:
        x->ball = ball_function(f, function_named("log"), x->ball, false);
        x->plain = rounded(dtype, log(x->plain));
        mpfr_log(x->exact, x->exact, MPFR_RNDN);
    }
}

static double distance(const Triple *t)
{
    mpfr_t off;
    mpfr_init2(off, PRECISION);
    mpfr_set_ld(off, t->ball.value, MPFR_RNDN);
    mpfr_sub(off, off, t->exact, MPFR_RNDA);
    double result = fabs(mpfr_get_d(off, MPFR_RNDA));
    mpfr_clear(off);
    return result;
}

static void test_chains(DType dtype)
{
    Triple x, y;
    double worst = 0;
    long known = 0, exact = 0;
    mpfr_init2(x.exact, PRECISION);
    mpfr_init2(y.exact, PRECISION);
    for (uint64_t chain = 0; chain < CHAINS; chain++) {
        start(&x, dtype, random_at(chain, 0));
        for (uint64_t step = 1; step <= STEPS; step++) {
            uint64_t word = random_at(chain, step);
            start(&y, dtype, random_mix(word));
            int operation = (int)(word % 8);
            if (operation < 4)
                apply_pair(&x, &y, dtype, operation);
            else
                apply_one(&x, dtype, operation);
            if (!ball_is_known(x.ball))
                break;
            known++;
            exact += x.ball.radius == 0;
            double off = fabs((double)(x.plain - x.ball.value));
            CHECK(off <= x.ball.radius);
            CHECK(distance(&x) <= x.ball.radius);
            worst = fmax(worst, x.ball.radius > 0 ? off / x.ball.radius : 0);
        }
    }
    CHECK(known > CHAINS * 2);
    CHECK(exact > CHAINS / 20);
    CHECK(worst > 0.7); /* the bound is not idle */
    mpfr_clear(x.exact);
    mpfr_clear(y.exact);
}

/* Sums forwards, backwards and by halves. */
static double plain_sum(DType dtype, const double *x, int first, int end)
{
    if (end - first == 1)
        return x[first];
    int middle = (first + end) / 2;
    return rounded(dtype, plain_sum(dtype, x, first, middle) + plain_sum(dtype, x, middle, end));
}

static void test_sums(DType dtype)
{
    enum { TERMS = 40 };
    const Format *f = dtype_format(dtype);
    for (uint64_t round = 0; round < CHAINS / 10; round++) {
        Ball terms[TERMS];
        double x[TERMS], forwards = 0, backwards = 0;
        int count = 1 + (int)(round % TERMS);
        for (int i = 0; i < count; i++) {
            uint64_t word = random_at(round, (uint64_t)i);
            x[i] = round % 3 ? rounded(dtype, random_unit(word) - 0.5) : (double)(word % 17);
            terms[i] = ball_exact(x[i]);
        }
        for (int i = 0; i < count; i++) {
            forwards = rounded(dtype, forwards + x[i]);
            backwards = rounded(dtype, backwards + x[count - 1 - i]);
        }
        Ball sum = ball_sum(f, terms, (size_t)count);
        double halves = plain_sum(dtype, x, 0, count);
        CHECK(round % 3 || sum.radius == 0);
        CHECK(fabs((double)(forwards - sum.value)) <= sum.radius);
        CHECK(fabs((double)(backwards - sum.value)) <= sum.radius);
        CHECK(fabs((double)(halves - sum.value)) <= sum.radius);
    }
}

int main(void)
{
    static const DType dtypes[] = {DT_F32, DT_F64};
    for (size_t i = 0; i < COUNT_OF(dtypes); i++) {
        test_chains(dtypes[i]);
        test_sums(dtypes[i]);
    }
    CHECK(!ball_is_known(ball_divide(dtype_format(DT_F32), ball_exact(1), ball_exact(0))));
    CHECK(!ball_is_known(ball_unknown()));
    return check_end("t_ball");
}
