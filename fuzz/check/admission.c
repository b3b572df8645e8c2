/* Asks the contracts. */
#include "admission.h"

#include "ops/contract/contract.h"
#include "ops/contract/policy.h"

bool admission_documented(const void *documented, const char *reading)
{
    const Documented *d = documented;
    const Backend *b = d->backend;
    const ContractParty party = {b->kind->name, b->mode, b->facts.version};
    return contract_admits(party, d->op, d->dtype, reading);
}

void admission_name(const Documented *documented, const char *reading, Judgement *j)
{
    j->reading = reading;
    if (!admission_documented(documented, reading))
        return;
    j->kind = VERDICT_POLICY;
    j->model = reading;
}

bool admission_take_narrow(const Documented *documented, Judgement *narrow, Judgement *j)
{
    bool reading = narrow->kind == VERDICT_POLICY;
    if (verdict_is_finding(narrow->kind) && !reading)
        return false;
    if (documented->backend->promise.narrow) {
        if (!reading)
            narrow->model = POLICY_NARROW_ARITHMETIC;
        return true;
    }
    admission_name(documented, POLICY_NARROW_ARITHMETIC, j);
    if (reading && j->kind == VERDICT_POLICY)
        j->model = j->reading = narrow->model;
    return false;
}

bool admission_of_rank(const Documented *documented, int rank, Text *says)
{
    const RankLimit *limit = contract_rank_limit(
        documented->backend->kind->name, documented->backend->facts.version, documented->op, rank);
    if (!limit || !limit->source)
        return false;
    text_printf(says, "rank %d: %s", rank, limit->says);
    return true;
}
