/* A bandit with discounted means: old cases count half as much with each HORIZON of new ones. */
#include "schedule.h"

#include "reference/random.h"

/* Features that a case of a stratum without any is expected to show: more than first cases do, so
 * that each stratum is tried. */
enum { HOPE = 256 };
enum { EVEN_SHARE = 2, HORIZON = 256 };

static const double least_fresh = 0.75, most_fresh = 0.875;

static double weight_of(const Stratum *stratum)
{
    return (HOPE + stratum->fresh) / (1 + stratum->cases);
}

/* The sum of the weights; with `left`, up to the stratum at which that much of it is reached. */
static double walk(const Schedule *schedule, bool even, const double *left, Scope *narrowed)
{
    const Scope *scope = schedule->scope;
    double sum = 0;
    for (int op = 0; op < scope->op_count; op++) {
        uint32_t dtypes = scope_dtypes(scope, scope->ops[op]);
        for (int dtype = 0; dtype < DT_COUNT; dtype++) {
            if (!(dtypes & 1u << dtype))
                continue;
            sum += even ? 1 : weight_of(&schedule->memory->strata[op * DT_COUNT + dtype]);
            if (!left)
                continue;
            narrowed->ops[0] = scope->ops[op];
            narrowed->dtypes = 1u << dtype;
            if (sum > *left)
                return sum;
        }
    }
    return sum;
}

void schedule_pick(const Schedule *schedule, uint64_t seed, Scope *narrowed)
{
    bool even = random_at(seed, 1) % EVEN_SHARE == 0;
    *narrowed = *schedule->scope;
    narrowed->op_count = 1;
    double share = (double)(random_at(seed, 2) >> 11) * 0x1p-53;
    double left = share * walk(schedule, even, NULL, NULL);
    (void)walk(schedule, even, &left, narrowed);
}

Origin schedule_origin(const Schedule *schedule, uint64_t seed)
{
    const Stratum *origins = schedule->memory->origins;
    double fresh = weight_of(&origins[ORIGIN_FRESH]), mutant = weight_of(&origins[ORIGIN_MUTANT]);
    double share = least_fresh + (most_fresh - least_fresh) * fresh / (fresh + mutant);
    return (double)(random_at(seed, 3) >> 11) * 0x1p-53 < share ? ORIGIN_FRESH : ORIGIN_MUTANT;
}

static void learn(Stratum *stratum, int fresh)
{
    stratum->fresh += fresh;
    stratum->cases++;
    if (stratum->cases > HORIZON) {
        stratum->fresh /= 2;
        stratum->cases /= 2;
    }
}

void schedule_learn(const Schedule *schedule, const Case *c, Origin origin, int fresh)
{
    const Scope *scope = schedule->scope;
    int op = 0;
    while (op < scope->op_count && scope->ops[op] != c->op)
        op++;
    if (op < scope->op_count)
        learn(&schedule->memory->strata[op * DT_COUNT + (int)case_dtype(c)], fresh);
    learn(&schedule->memory->origins[origin], fresh);
}
