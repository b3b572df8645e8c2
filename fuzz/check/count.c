/* Counts by operator, type, kind of data and backend, by policy, and by construct of programs. */
#include "count.h"

#include <stdio.h>
#include <string.h>

static void count_policies(BlackBox *box, uint64_t situations, const CheckResult *result)
{
    const char *model = result->judgement.model;
    bool agrees = result->judgement.kind == VERDICT_AGREE && model;
    for (int i = 0; policies[i].name && result->judgement.kind != VERDICT_DECLINED; i++) {
        PolicyCell *cell = &box->policy[result->backend][i];
        cell->executions += situations >> i & 1;
        cell->documented +=
            agrees && *model == *policies[i].name && !strcmp(model, policies[i].name);
    }
}

/* Each construct that the program has, once. */
static void count_constructs(BlackBox *box, const Case *c, const CheckResult *result)
{
    const Param *param = op_code(c->op);
    bool met[CONSTRUCTS_MAX] = {false};
    if (!param)
        return;
    const Code *code = (const void *)(c->params + param->offset);
    box->program = c->op;
    for (int64_t i = 0; i < code->count; i++) {
        int name = code->statements[i].name % CONSTRUCTS_MAX;
        ConstructCell *cell = &box->construct[result->backend][name];
        cell->executions += !met[name] && result->judgement.kind != VERDICT_DECLINED;
        cell->declined += !met[name] && result->judgement.kind == VERDICT_DECLINED;
        cell->findings += !met[name] && verdict_is_finding(result->judgement.kind);
        met[name] = true;
    }
}

/* Agreement, by the strictest model that admits the result. */
static void count_agreement(BlackBox *box, CoverageCell *cell, const CheckResult *result)
{
    const char *model = result->judgement.model;
    if (result->judgement.kind != VERDICT_AGREE || !model)
        return;
    for (int i = 0; i < BOX_MODELS_MAX; i++) {
        char *name = box->models[result->backend][i];
        if (!name[0])
            (void)snprintf(name, MODEL_NAME_BYTES, "%s", model);
        if (strncmp(name, model, MODEL_NAME_BYTES - 1) != 0)
            continue;
        cell->agreed[i]++;
        return;
    }
}

static void count_result(BlackBox *box, const Case *c, uint64_t situations, uint64_t nanoseconds,
                         const CheckResult *result)
{
    count_policies(box, situations, result);
    CoverageCell *cell = blackbox_cell(box, c, result->backend);
    if (!cell)
        return;
    VerdictKind kind = result->judgement.kind;
    cell->nanoseconds += nanoseconds;
    cell->executions += kind != VERDICT_DECLINED;
    cell->declined += kind == VERDICT_DECLINED;
    /* Of a result without elements all is judged that it could do: write. */
    cell->vacuous += kind == VERDICT_VACUOUS && result->judgement.total > 0;
    cell->undecided += kind == VERDICT_UNDECIDED;
    double ratio = result->judgement.bound_ratio;
    cell->ladder[ladder_step(ratio)] += kind == VERDICT_AGREE || kind == VERDICT_DIVERGE;
    cell->worst_ratio = ratio > cell->worst_ratio ? ratio : cell->worst_ratio;
    count_agreement(box, cell, result);
    count_constructs(box, c, result);
}

void count_on_all(BlackBox *box, const Case *c, const CheckResult *results, int count,
                  uint64_t nanoseconds)
{
    uint64_t situations = policy_situations(c);
    for (int i = 0; i < count; i++)
        count_result(box, c, situations, nanoseconds / (uint64_t)count, &results[i]);
    atomic_fetch_add(&box->cases, 1);
}
