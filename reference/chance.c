/* Tests of draws, each at the level that chance.h says. */
#include "chance.h"

#include <math.h>
#include <stdlib.h>

#include "ref.h"

static const double CASE_LEVEL = 1e-17;

double chance_exponent(void)
{
    return log(2 * CHANCE_TESTS / CASE_LEVEL);
}

/* The step of probabilities in the model, and the error of a value. */
static double grid_of(const Draws *s)
{
    return 4 * dtype_format(s->dtype)->unit;
}

static double error_of(const Draws *s, double x)
{
    enum { ROUNDINGS = 8 };
    const Format *f = dtype_format(s->dtype);
    return ROUNDINGS * f->unit * (fabs(x) + s->law->scale(s->p)) + f->smallest_subnormal;
}

/* P(X <= x) for certain, and at most. */
static double least_below(const Draws *s, double x)
{
    if (!s->law->is_whole)
        return s->law->below(s->p, x - error_of(s, x)) - grid_of(s);
    return s->law->below(s->p, x - dtype_format(s->dtype)->unit * fabs(x)) - grid_of(s);
}

static double most_below(const Draws *s, double x)
{
    if (!s->law->is_whole)
        return s->law->below(s->p, x + error_of(s, x)) + grid_of(s);
    return s->law->below(s->p, x + dtype_format(s->dtype)->unit * fabs(x)) + grid_of(s);
}

/* P(X < x) for certain: of whole numbers that of the one in front. */
static double least_in_front(const Draws *s, double x)
{
    return s->law->is_whole ? least_below(s, x - 1) : least_below(s, x);
}

static void report(Flaw *flaw, const char *what, double expected, double found, double bound)
{
    if (!flaw->what)
        *flaw = (Flaw){what, expected, found, bound};
}

static double divergence(double share, double p)
{
    double sum = 0;
    if (share > 0)
        sum += p > 0 ? share * log(share / p) : INFINITY;
    if (share < 1)
        sum += p < 1 ? (1 - share) * log((1 - share) / (1 - p)) : INFINITY;
    return sum;
}

bool chance_refutes(double succeeded, double count, double low, double high)
{
    double share = count > 0 ? succeeded / count : 0;
    double nearest = fmin(fmax(share, fmax(low, 0)), fmin(high, 1));
    return count > 0 && share != nearest && count * divergence(share, nearest) > chance_exponent();
}

void chance_judge_count(Flaw *flaw, const char *what, double succeeded, double count, double low,
                        double high)
{
    if (chance_refutes(succeeded, count, low, high))
        report(flaw, what, count * (low + high) / 2, succeeded,
               sqrt(count * chance_exponent() / 2));
}

/* The distribution function, at every value. */
static void judge_function(Flaw *flaw, const Draws *s, Arena *arena)
{
    double n = (double)s->count, allowed = sqrt(chance_exponent() / (2 * n));
    double *sorted = arena_take(arena, (size_t)s->count + 1, sizeof *sorted);
    for (int64_t i = 0; i < s->count; i++)
        sorted[i] = s->values[i];
    qsort(sorted, (size_t)s->count, sizeof *sorted, value_compare);
    for (int64_t first = 0, end; first < s->count; first = end) {
        double x = sorted[first];
        for (end = first + 1; end < s->count && sorted[end] == x; end++)
            continue;
        double through = (double)end / n, front = (double)first / n;
        double most = most_below(s, x), least = least_in_front(s, x);
        if (through > most + allowed)
            report(flaw, "distribution function: too many draws up to some value", most, through,
                   allowed);
        if (front < least - allowed)
            report(flaw, "distribution function: too few draws below some value", least, front,
                   allowed);
    }
}

/* Rounded draws are off by e deviations at most, and g of them may be anything within 8. */
static void judge_normal(Flaw *flaw, const Draws *s)
{
    enum { FARTHEST = 8 };
    double n = (double)s->count, t = chance_exponent(), sum = 0, squares = 0;
    double e = error_of(s, 0) / s->p[1], g = grid_of(s);
    for (int64_t i = 0; i < s->count; i++) {
        double z = (s->values[i] - s->p[0]) / s->p[1];
        sum += z;
        squares += z * z;
    }
    double mean_bound = sqrt(2 * t / n) + e + FARTHEST * g;
    double slack = 2 * e * sqrt(n * squares) + n * e * e + FARTHEST * FARTHEST * n * g;
    double below = 2 * sqrt(n * t) + slack, above = below + 2 * t;
    if (fabs(sum / n) > mean_bound)
        report(flaw, "mean of normal numbers, in deviations", 0, sum / n, mean_bound);
    if (squares < n - below || squares > n + above)
        report(flaw, "sum of squares of normal numbers", n, squares, above);
}

/* The least value that half of the law is at or below. */
static double median_of(const Draws *s)
{
    enum { HALVINGS = 128 };
    double low = -0x1p60, high = 0x1p60;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = s->law->is_whole ? floor(low + (high - low) / 2) : low + (high - low) / 2;
        if (s->law->below(s->p, middle) < 0.5)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The chance that two draws lie on one side of a value beyond which there is one with a chance
 * between two. */
typedef struct Range {
    double low, high;
} Range;

static Range chance_of_match(const Draws *s, double middle)
{
    double low = fmax(0, 1 - most_below(s, middle)), high = fmin(1, 1 - least_below(s, middle));
    double at_low = low * low + (1 - low) * (1 - low),
           at_high = high * high + (1 - high) * (1 - high);
    bool spans_half = low <= 0.5 && high >= 0.5;
    return (Range){spans_half ? 0.5 : fmin(at_low, at_high), fmax(at_low, at_high)};
}

static void judge_distance(Flaw *flaw, const Draws *s, double middle, Range chance, int64_t apart)
{
    int64_t pairs = 0, matches = 0;
    for (int64_t i = 0; i + apart < s->count; i++) {
        if (i / apart % 2)
            continue;
        pairs++;
        matches += (s->values[i] > middle) == (s->values[i + apart] > middle);
    }
    chance_judge_count(flaw,
                       apart == s->columns ? "draws of neighbouring rows are not independent"
                                           : "draws some places apart are not independent",
                       (double)matches, (double)pairs, chance.low, chance.high);
}

static void judge_pairs(Flaw *flaw, const Draws *s)
{
    double middle = median_of(s);
    Range chance = chance_of_match(s, middle);
    for (int64_t apart = 1; apart < s->count; apart *= 2)
        judge_distance(flaw, s, middle, chance, apart);
    if (s->columns > 0)
        judge_distance(flaw, s, middle, chance, s->columns);
}

void chance_judge(Flaw *flaw, const Draws *s, Arena *arena)
{
    bool is_wide = s->dtype == DT_F32 || s->dtype == DT_F64;
    if (s->count == 0)
        return;
    judge_function(flaw, s, arena);
    if (s->law->is_normal && is_wide)
        judge_normal(flaw, s);
    judge_pairs(flaw, s);
}

bool chance_tells_apart(const Draws *s)
{
    Range chance = chance_of_match(s, median_of(s));
    return chance.high < 1 && -(double)s->count * log(chance.high) > chance_exponent();
}

double chance_of_overflow(const Draws *s)
{
    double half = dtype_format(s->dtype)->largest / 2;
    return dtype_is_integer(s->dtype)
               ? 0
               : s->law->below(s->p, -half) + (1 - s->law->below(s->p, half));
}

/* How many may be where nothing but chance brings them, in `count` permutations: m! is more than
 * count over the level. */
static double most_coincidences(int64_t count)
{
    double m = 1, exponent = chance_exponent() + log((double)count + 1);
    while (lgamma(m + 1) < exponent)
        m++;
    return m;
}

/* Of short ones each number in each place, over all permutations; the level of one test is divided
 * among the cells, which adds ln(cells) to the exponent. */
static void judge_cells(Flaw *flaw, const double *values, int64_t count, int64_t length,
                        Arena *arena)
{
    enum { LONGEST = 8 };
    if (length < 2 || length > LONGEST)
        return;
    double *seen = arena_take_zeroed(arena, (size_t)(length * length), sizeof *seen);
    double cells = (double)(length * length), n = (double)count, p = 1 / (double)length;
    for (int64_t i = 0; i < count * length; i++)
        seen[i % length * length + (int64_t)values[i]]++;
    for (int64_t cell = 0; cell < length * length; cell++)
        if (n * divergence(seen[cell] / n, p) > chance_exponent() + log(cells))
            report(flaw, "how often a number is in one place of permutations", n * p, seen[cell],
                   sqrt(n * (chance_exponent() + log(cells)) / 2));
}

void chance_judge_permutations(Flaw *flaw, const double *values, int64_t count, int64_t length,
                               Arena *arena)
{
    double most = most_coincidences(count);
    for (int64_t row = 0; row < count; row++) {
        const double *at = values + row * length;
        double stayed = 0, followed = 0, crossed = 0;
        int64_t middle = length / 2;
        double half = (double)middle;
        for (int64_t i = 0; i < length; i++) {
            stayed += at[i] == (double)i;
            followed += i > 0 && at[i] == at[i - 1] + 1;
            crossed += i < length / 2 && at[i] >= half;
        }
        if (stayed > most)
            report(flaw, "elements that a permutation leaves in their places", 1, stayed, most);
        if (followed > most)
            report(flaw, "elements that a permutation leaves side by side", 1, followed, most);
        if (count == 1)
            chance_judge_count(flaw, "elements of the second half in the first", crossed, half, 0.5,
                               0.5 + 1 / (double)length);
    }
    judge_cells(flaw, values, count, length, arena);
}
