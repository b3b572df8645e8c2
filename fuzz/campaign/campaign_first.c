/* --first: what was filed may be gone when its case runs alone, and does not count for the exit
 * status then.  So no worker begins a case while a finding that may end the campaign has no minimal
 * case, and it goes on after one that does not count. */
#include "campaign_parts.h"
#include "fuzz/check/isolate.h"

/* Another reading of a standard ends no campaign.  A hang is run again for seconds: workers go on.
 */
static bool may_end(const Pending *pending)
{
    const CheckResult *result = &pending->message.result;
    return result->judgement.kind != VERDICT_POLICY && !fault_is_hang(result);
}

static bool one_waits(const Campaign *campaign)
{
    for (const Pending *at = campaign->queue.first; at; at = at->next)
        if (may_end(at))
            return true;
    for (int i = 0; i < MINIMISERS; i++)
        if (campaign->minimisers[i].pending && may_end(campaign->minimisers[i].pending))
            return true;
    return false;
}

static void hold_workers(Campaign *campaign, bool held)
{
    uint64_t now = clock_nanoseconds();
    if (held == (campaign->held_since > 0))
        return;
    campaign->held += held ? 0 : now - campaign->held_since;
    campaign->held_since = held ? now : 0;
}

bool first_serve(Campaign *campaign)
{
    int64_t count = 0;
    if (!campaign->options->first)
        return true;
    hold_workers(campaign, one_waits(campaign));
    if (!campaign->unsure)
        return true;
    campaign->unsure = false;
    bool ok = store_count_fresh(campaign->store, true, &count, campaign->error);
    campaign->found = ok && count > 0;
    return ok;
}

void first_end(Campaign *campaign)
{
    hold_workers(campaign, false);
}
