/* Asks the contracts. */
#include "admission.h"

#include "ops/contract/contract.h"

bool admission_documented(const void *documented, const char *reading)
{
    const Documented *d = documented;
    return contract_admits(d->backend->kind->name, d->backend->facts.version, d->op, d->dtype,
                           reading);
}

void admission_name(const Documented *documented, const char *reading, Judgement *j)
{
    j->reading = reading;
    if (!admission_documented(documented, reading))
        return;
    j->kind = VERDICT_POLICY;
    j->model = reading;
}
