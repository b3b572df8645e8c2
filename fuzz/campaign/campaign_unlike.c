/* Of each raw signature a few cases have messages of their own.  A rare cause would stay hidden
 * behind a frequent one: so cases that lack what the minimal ones need are minimised too, within
 * bounds that the summary names. */
#include <stdlib.h>
#include <string.h>

#include "campaign_parts.h"
#include "later.h"
#include "untrusted.h"

/* Cases that are kept for each raw signature, and that are minimised. */
enum { KEPT_MOST = 4, UNLIKE_MOST = 4 };
/* They may take one part in UNLIKE_SHARE of the time, or so many nanoseconds, more where no time is
 * set; none begins with less than the least. */
enum { UNLIKE_SHARE = 10 };
static const uint64_t allowed_always = 4000000000u, allowed_untimed = 20000000000u,
                      least_budget = 400000000u;

typedef enum Explained { NOT_KNOWN, EXPLAINED, UNLIKE_ALL } Explained;

/* What the minimal cases of its raw signature say of a case. */
static Explained explain(const Campaign *campaign, const FindingMessage *message)
{
    Likeness own;
    bool explained;
    likeness_of(&own, &message->c);
    unsigned known = likeness_explains(&campaign->known, message->raw_key, &own, &explained);
    return known == 0 ? NOT_KNOWN : explained ? EXPLAINED : UNLIKE_ALL;
}

void unlike_hear(Campaign *campaign, const FindingMessage *message)
{
    RawName *raw = raw_find(campaign, message->raw_key);
    if (campaign->options->repeatable || !raw || !untrusted_operator(message->c.op) ||
        !untrusted_backend(message->result.backend, campaign->options->backends))
        return;
    if (!raw->later)
        raw->later = memory_allocate(KEPT_MOST, sizeof *raw->later);
    if (raw->later_count == KEPT_MOST)
        memmove(raw->later, raw->later + 1, (size_t)--raw->later_count * sizeof *raw->later);
    raw->later[raw->later_count++] = *message;
}

void unlike_learn(Campaign *campaign, const Pending *pending, const ShrinkResult *shrunk)
{
    Likeness needed, own;
    if (shrunk->reproduced == 0 || !shrunk->complete ||
        !later_may_hide(&pending->message.result.judgement))
        return;
    likeness_needed(&needed, &shrunk->minimal, shrunk->needed);
    likeness_of(&own, &pending->message.c);
    if (shrunk->result.judgement.kind != pending->message.result.judgement.kind) {
        /* Another kind of divergence took its place, such as a result that is not written: what
         * that needs says nothing of the others. */
        needed = (Likeness){0};
    } else if (likeness_narrow(&needed, &own) && !pending->unlike) {
        likeness_needed(&needed, &shrunk->minimal, shrunk->needed);
        unlike_hear(campaign, &pending->message);
    }
    if (!likeness_add(&campaign->known, pending->message.raw_key, &needed))
        return;
    for (int i = 0; i < campaign->options->jobs; i++)
        if (campaign->jobs[i].shared)
            likeness_share(&campaign->jobs[i].shared->known, &campaign->known);
}

uint64_t unlike_budget(const Campaign *campaign)
{
    uint64_t passed = clock_nanoseconds() - campaign->started, share = passed / UNLIKE_SHARE;
    uint64_t least = campaign->options->seconds > 0 ? allowed_always : allowed_untimed;
    uint64_t allowed = share > least ? share : least;
    uint64_t left = allowed > campaign->unlike_time ? allowed - campaign->unlike_time : 0;
    return left < least_budget ? 0 : left;
}

/* The newest case that nothing explains; those that are explained are forgotten.  NULL: none, or no
 * minimal case is known. */
static FindingMessage *newest_unlike(const Campaign *campaign, RawName *raw)
{
    while (raw->later_count > 0) {
        FindingMessage *newest = &raw->later[raw->later_count - 1];
        Explained explained = explain(campaign, newest);
        if (explained != EXPLAINED)
            return explained == UNLIKE_ALL ? newest : NULL;
        raw->later_count--;
    }
    return NULL;
}

/* The raw signature with such a case of which fewest were minimised; NULL: none. */
static RawName *raw_of_next(Campaign *campaign)
{
    RawName *best = NULL;
    for (size_t i = 0; i < campaign->raw_count; i++) {
        RawName *raw = &campaign->raw[i];
        if (raw->later_count > 0 && !raw->asked && raw->unlike < UNLIKE_MOST &&
            (!best || raw->unlike < best->unlike) && newest_unlike(campaign, raw))
            best = raw;
    }
    return best;
}

bool unlike_waits(Campaign *campaign)
{
    return unlike_budget(campaign) > 0 && raw_of_next(campaign);
}

bool unlike_next(Campaign *campaign, FindingMessage *message)
{
    RawName *raw = unlike_budget(campaign) > 0 ? raw_of_next(campaign) : NULL;
    if (!raw)
        return false;
    *message = raw->later[--raw->later_count];
    Text why = {0}, told = {0};
    bool sound = untrusted_finding(message, campaign->options->backends, &why);
    if (!sound)
        unreadable_report(campaign, unreadable_note(campaign, message, &why, &told));
    text_release(&why);
    text_release(&told);
    if (!sound)
        return false;
    raw->unlike++;
    raw->asked = true;
    return true;
}

void unlike_served(Campaign *campaign, const Pending *pending)
{
    RawName *raw = raw_find(campaign, pending->message.raw_key);
    if (!pending->unlike || !raw)
        return;
    campaign->unlike_time += clock_nanoseconds() - pending->begun;
    raw->asked = false;
}

void unlike_summarise(Campaign *campaign, CampaignSummary *summary)
{
    for (size_t i = 0; i < campaign->raw_count; i++) {
        RawName *raw = &campaign->raw[i];
        summary->unlike += (uint64_t)raw->unlike;
        if (!newest_unlike(campaign, raw))
            continue;
        summary->unlike_many += raw->unlike == UNLIKE_MOST;
        summary->unlike_late += raw->unlike < UNLIKE_MOST;
    }
}

void unlike_release(Campaign *campaign)
{
    for (size_t i = 0; i < campaign->raw_count; i++)
        free(campaign->raw[i].later);
}
