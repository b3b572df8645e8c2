/* A bandit with discounted means: old cases count half as much with each HORIZON of cost. */
#include "schedule.h"

#include "reference/random.h"

enum { EVEN_SHARE = 4, HORIZON = 256, SMALL_WORK = 1 << 18 };

static double weight_of(const Stratum *stratum)
{
    return (1 + stratum->fresh) / (1 + stratum->cost);
}

/* The sum of the weights; with `left`, up to the stratum at which that much of it is reached. */
static double walk(const Schedule *schedule, bool even, const double *left, Scope *narrowed)
{
    const Scope *scope = &schedule->scope;
    double sum = 0;
    for (int op = 0; op < scope->op_count; op++)
        for (int dtype = 0; dtype < DT_COUNT; dtype++) {
            if (!(op_dtypes(scope->ops[op]) & scope->dtypes & 1u << dtype))
                continue;
            sum += even ? 1 : weight_of(&schedule->strata[op * DT_COUNT + dtype]);
            if (!left)
                continue;
            narrowed->ops[0] = scope->ops[op];
            narrowed->dtypes = 1u << dtype;
            if (sum > *left)
                return sum;
        }
    return sum;
}

void schedule_pick(const Schedule *schedule, uint64_t seed, Scope *narrowed)
{
    bool even = random_at(seed, 1) % EVEN_SHARE == 0;
    *narrowed = schedule->scope;
    narrowed->op_count = 1;
    double share = (double)(random_at(seed, 2) >> 11) * 0x1p-53;
    double left = share * walk(schedule, even, NULL, NULL);
    (void)walk(schedule, even, &left, narrowed);
}

void schedule_learn(const Schedule *schedule, const Case *c, int fresh)
{
    const Scope *scope = &schedule->scope;
    int op = 0;
    while (op < scope->op_count && scope->ops[op] != c->op)
        op++;
    if (op == scope->op_count)
        return;
    Stratum *stratum = &schedule->strata[op * DT_COUNT + (int)case_dtype(c)];
    stratum->fresh += fresh;
    stratum->cost += 1 + case_work(c) / SMALL_WORK;
    if (stratum->cost > HORIZON) {
        stratum->fresh /= 2;
        stratum->cost /= 2;
    }
}
