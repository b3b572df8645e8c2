/* Mean and variance by running means, merged in several orders with every step rounded, within the
 * bound of reduce.h; and a variance that is a little off, which is beyond it. */
#include <math.h>

#include "reference/dtype.h"
#include "reference/random.h"
#include "reference/reduce.h"
#include "tests/check.h"

enum { COUNT_MAX = 300, LANES = 8, ROUNDS = 2000 };

typedef struct Group {
    double count, mean, squares;
} Group;

typedef enum Order { SERIAL, FROM_THE_END, IN_LANES, IN_HALVES, AT_RANDOM, ORDERS } Order;

static double step(double x)
{
    return dtype_round(DT_F32, x);
}

/* One more value, as Welford has it. */
static Group update(Group g, double x)
{
    double n = g.count + 1, d = step(x - g.mean), mean = step(g.mean + step(d / n));
    return (Group){n, mean, step(g.squares + step(d * step(x - mean)))};
}

static Group merge(Group a, Group b)
{
    if (a.count == 0 || b.count == 0)
        return a.count == 0 ? b : a;
    double n = a.count + b.count, d = step(b.mean - a.mean), share = step(b.count / n);
    double term = step(step(step(d * d) * a.count) * share);
    return (Group){n, step(a.mean + step(d * share)), step(step(a.squares + b.squares) + term)};
}

static Group of_halves(const double *x, int count)
{
    if (count < 4)
        return count == 1 ? (Group){1, x[0], 0} : update(of_halves(x, count - 1), x[count - 1]);
    return merge(of_halves(x, count / 2), of_halves(x + count / 2, count - count / 2));
}

static Group at_random(const double *x, int count, uint64_t *state)
{
    Group groups[COUNT_MAX] = {0};
    for (int i = 0; i < count; i++)
        groups[i] = (Group){1, x[i], 0};
    for (int left = count; left > 1; left--) {
        int at = (int)(random_next(state) % (uint64_t)left);
        Group taken = groups[at];
        groups[at] = groups[left - 1];
        at = (int)(random_next(state) % (uint64_t)(left - 1));
        groups[at] = merge(groups[at], taken);
    }
    return groups[0];
}

static Group group_of(const double *x, int count, Order order, uint64_t *state)
{
    Group lanes[LANES] = {0}, whole = {0};
    switch (order) {
    case SERIAL:
        for (int i = 0; i < count; i++)
            whole = update(whole, x[i]);
        return whole;
    case FROM_THE_END:
        for (int i = count; i-- > 0;)
            whole = merge((Group){1, x[i], 0}, whole);
        return whole;
    case IN_LANES:
        for (int i = 0; i < count; i++)
            lanes[i % LANES] = update(lanes[i % LANES], x[i]);
        for (int i = 0; i < LANES; i++)
            whole = merge(whole, lanes[i]);
        return whole;
    case IN_HALVES:
        return of_halves(x, count);
    default:
        return at_random(x, count, state);
    }
}

/* Numbers of size 1 around a mean of up to 2^18. */
static int draw(double *x, uint64_t *state)
{
    int count = 2 + (int)(random_next(state) % (random_next(state) % 2 ? 6 : COUNT_MAX - 1));
    double mean = ldexp(random_unit(random_next(state)), (int)(random_next(state) % 20) - 1);
    for (int i = 0; i < count; i++)
        x[i] = step(mean + 2 * random_unit(random_next(state)) - 1);
    return count;
}

static void check_orders(const double *x, int count, const Moments *m, uint64_t *state)
{
    for (int order = 0; order < ORDERS; order++) {
        Group g = group_of(x, count, (Order)order, state);
        double variance = step(g.squares / g.count);
        bool within = fabs((double)(variance - m->variance)) <= m->of_variance &&
                      fabs((double)(g.mean - m->mean)) <= m->of_mean;
        CHECK(within);
        if (!within)
            (void)fprintf(stderr, "order %d of %d about %a: %a not %a +- %a\n", order, count,
                          (double)m->mean, variance, (double)m->variance, m->of_variance);
    }
}

/* Where the mean is no larger than the deviation the bound is of order n u. */
static void check_faults(int count, const Moments *m)
{
    double u = dtype_format(DT_F32)->unit, n = count, wrong = (double)m->variance;
    if ((double)(m->mean * m->mean) < wrong)
        CHECK(wrong * 20 * (n + 2) * u > m->of_variance);
}

static void test_running_means(void)
{
    uint64_t state = 7;
    double x[COUNT_MAX];
    MomentsOptions options = {.running = true};
    for (long i = 0; i < check_scaled(ROUNDS); i++) {
        int count = draw(x, &state);
        Moments m = moments_of(x, count, &options, dtype_format(DT_F32));
        check_orders(x, count, &m, &state);
        check_faults(count, &m);
    }
}

/* Two values a step apart: merged they have half of the square of the step, and the one that is
 * added may lose all of it. */
static void test_two_values(void)
{
    MomentsOptions options = {.running = true};
    double x[] = {1, 1 + 0x1p-23}, apart[] = {1, 1.5};
    Moments near = moments_of(x, 2, &options, dtype_format(DT_F32));
    CHECK(near.of_variance > (double)near.variance &&
          near.of_variance < 16 * (double)near.variance);
    Moments far = moments_of(apart, 2, &options, dtype_format(DT_F32));
    CHECK(far.of_variance < 0x1p-18 * (double)far.variance);
}

int main(void)
{
    test_running_means();
    test_two_values();
    return check_end("reduce");
}
