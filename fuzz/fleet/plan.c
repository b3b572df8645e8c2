/* Every shard makes the whole plan by itself, and takes its part. */
#include "plan.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/check/capture.h"
#include "reference/list.h"
#include "reports/store/signature.h"

static void add_strata(Plan *plan, const Scope *scope, int backend, const uint32_t offers[OP_MAX])
{
    for (int i = 0; i < scope->op_count; i++) {
        int op = op_number(scope->ops[i]);
        uint32_t types = scope_dtypes(scope, scope->ops[i]) & offers[op];
        for (int dtype = 0; dtype < DT_COUNT; dtype++)
            if (types >> dtype & 1)
                plan->strata[plan->count++] =
                    (PlanStratum){.backend = backend,
                                  .op = op,
                                  .dtype = (DType)dtype,
                                  .named = scope->only[op] != 0 && scope->only[op] != ~0u};
    }
}

/* What decides the cases and results of a shard, other than its budget. */
static void put_ways(const Options *options, Text *identity)
{
    text_printf(identity, "seed %llu engine %s fix %s deadline %g jobs %lld\n",
                (unsigned long long)options->seed, options->engine ? options->engine : "",
                options->fix ? options->fix : "", options->deadline_seconds,
                (long long)options->jobs);
}

static bool ask(Plan *plan, const Options *options, const Scope *scope, Text *identity, Text *error)
{
    size_t types = (size_t)scope->op_count * DT_COUNT;
    plan->strata = memory_allocate((size_t)options->backend.count * types, sizeof(PlanStratum));
    for (int i = 0; i < options->backend.count; i++) {
        uint32_t offers[OP_MAX];
        BackendFacts facts;
        const char *name = options->backend.names[i];
        if (!backend_probe(name, &facts, error) || !backend_probe_offers(name, offers, error))
            return false;
        text_printf(identity, "backend %s %s %s %s\n", name, facts.version, facts.build,
                    facts.core);
        add_strata(plan, scope, i, offers);
    }
    for (size_t i = 0; i < plan->count; i++)
        text_printf(identity, "%d %s %s\n", plan->strata[i].backend,
                    op_registry[plan->strata[i].op]->name, dtype_name(plan->strata[i].dtype));
    return true;
}

bool plan_make(Plan *plan, Options *options, int *status)
{
    Scope scope;
    Text identity = {0}, error = {0}, ours = {0};
    *plan = (Plan){0};
    *status = EXIT_CLEAN;
    capture_open();
    capture_begin();
    bool ok = options_scope(options, &scope, status) && options_backends(options, status);
    put_ways(options, &identity);
    if (ok && !ask(plan, options, &scope, &identity, &error))
        *status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    else if (ok && plan->count == 0)
        *status = complain(EXIT_USAGE, "no backend has these operators in these element types "
                                       "(opconform list ops, opconform list backends)");
    capture_end();
    if (*status != EXIT_CLEAN)
        (void)capture_drain(&ours);
    escape_print(stderr, "%s", text_string(&ours));
    plan->identity = signature_hash(text_string(&identity));
    text_release(&identity);
    text_release(&error);
    text_release(&ours);
    return *status == EXIT_CLEAN;
}

void plan_release(Plan *plan)
{
    free(plan->strata);
    *plan = (Plan){0};
}

/* Which strata a shard has, and on which level. */
typedef struct Share {
    const Plan *plan;
    int *levels; /* of each stratum; ELSEWHERE where another shard has it */
} Share;
enum { ELSEWHERE = INT_MIN };

/* The types of the stratum's operator on its library that the shard has on its level, and all that
 * the plan has. */
static void types_of(const Share *share, size_t at, uint32_t *own, uint32_t *all)
{
    const Plan *plan = share->plan;
    const PlanStratum *wanted = &plan->strata[at];
    size_t from = at, to = at;
    while (from > 0 && plan->strata[from - 1].op == wanted->op &&
           plan->strata[from - 1].backend == wanted->backend)
        from--;
    while (to < plan->count && plan->strata[to].op == wanted->op &&
           plan->strata[to].backend == wanted->backend)
        to++;
    *own = *all = 0;
    for (size_t i = from; i < to; i++) {
        *all |= 1u << plan->strata[i].dtype;
        *own |= share->levels[i] == share->levels[at] ? 1u << plan->strata[i].dtype : 0;
    }
}

static ShardPart *find_slice(ShardParts *list, int backend, uint32_t dtypes, int level)
{
    for (int i = 0; i < list->count; i++)
        if (list->slices[i].backend == backend && list->slices[i].dtypes == dtypes &&
            list->slices[i].level == level)
            return &list->slices[i];
    list->slices = list_grow(list->slices, (size_t)list->count, &list->room, sizeof *list->slices);
    ShardPart *slice = &list->slices[list->count++];
    *slice = (ShardPart){.backend = backend, .dtypes = dtypes, .level = level};
    return slice;
}

/* Operators that a shard has as a whole are tested side by side; those that its borders cut are
 * limited to their types. */
static void take(const Share *share, ShardParts *list)
{
    const Plan *plan = share->plan;
    for (size_t i = 0; i < plan->count; i++) {
        const PlanStratum *at = &plan->strata[i];
        uint32_t own, all;
        if (share->levels[i] == ELSEWHERE)
            continue;
        types_of(share, i, &own, &all);
        ShardPart *slice =
            find_slice(list, at->backend, own == all && !at->named ? 0 : own, share->levels[i]);
        NameList *ops = &slice->ops;
        const char *name = op_registry[at->op]->name;
        int takers = plan->weighed ? at->last - at->first + 1 : 1;
        slice->time += plan->weighed ? at->time / takers : 1;
        slice->cases += plan->weighed ? at->cases / takers : 1;
        if (ops->count == 0 || strcmp(ops->names[ops->count - 1], name) != 0)
            ops->names[ops->count++] = name;
    }
}

/* A campaign gives its strata about as many cases each: strata that are to have four times as many
 * are in another one. */
static int level_of(const PlanStratum *stratum)
{
    int takers = stratum->last - stratum->first + 1;
    return (int)floor(log2(stratum->cases / takers) / 2);
}

void plan_deal(const Plan *plan, int shard, int shards, ShardParts *list)
{
    size_t count = plan->count, parts = (size_t)shards, part = (size_t)shard;
    size_t first = part * count / parts;
    size_t end = parts > count ? first + 1 : (part + 1) * count / parts;
    Share share = {plan, memory_allocate(count + 1, sizeof(int))};
    for (size_t i = 0; i < count; i++) {
        const PlanStratum *at = &plan->strata[i];
        bool has = plan->weighed ? at->first <= shard && shard <= at->last : i >= first && i < end;
        share.levels[i] = !has ? ELSEWHERE : plan->weighed ? level_of(at) : 0;
    }
    *list = (ShardParts){0};
    take(&share, list);
    free(share.levels);
}
