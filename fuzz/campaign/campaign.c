/* The supervisor: it starts workers, serves their messages and the minimisations until the budget
 * ends, and is the only process that writes the database. */
#include "campaign.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "campaign_parts.h"

enum { TICK_MILLISECONDS = 20 };
static const double second = 1e9;
/* Seconds that minimisation may take after the budget of the campaign has ended. */
static const double overtime_seconds = 120;

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal)
{
    (void)signal;
    interrupted = interrupted + 1;
}

static double elapsed(const Campaign *campaign)
{
    return (double)(clock_nanoseconds() - campaign->started) / second;
}

static void add_totals(const Campaign *campaign, CampaignSummary *summary)
{
    RunTotals *t = &summary->totals;
    const char *reason = t->end_reason;
    *summary = (CampaignSummary){.totals = {.end_reason = reason}};
    for (int i = 0; i < campaign->options->jobs; i++) {
        const BlackBox *box = campaign->jobs[i].box;
        if (!box)
            continue;
        t->cases += box->cases;
        t->executions += box->executions;
        t->fill += (double)box->nanoseconds[PHASE_FILL] / second;
        t->reference += (double)box->nanoseconds[PHASE_REFERENCE] / second;
        t->kernel += (double)box->nanoseconds[PHASE_KERNEL] / second;
        t->oracle += (double)box->nanoseconds[PHASE_ORACLE] / second;
        summary->features += campaign->jobs[i].shared->features;
        summary->products_by_library += box->products_by_library;
        summary->products_rejected += box->products_rejected;
        summary->products_lent += campaign->jobs[i].shared->products_lent;
    }
    t->restarts = campaign->restarts;
    t->seconds =
        (double)((campaign->ended ? campaign->ended : clock_nanoseconds()) - campaign->started) /
        second;
}

static bool flush(Campaign *campaign, CampaignSummary *summary)
{
    add_totals(campaign, summary);
    return findings_flush_hits(campaign) &&
           store_put_totals(campaign->store, &summary->totals, campaign->error);
}

static bool wanted_was_found(const Campaign *campaign)
{
    return campaign->options->first && campaign->diverged;
}

/* Serves workers and minimisations until the budget ends. */
static bool run_budget(Campaign *campaign, CampaignSummary *summary)
{
    double next_flush = 1, next_line = 1;
    bool ok = true, busy = false;
    summary->totals.end_reason = NULL;
    while (ok && jobs_running(campaign)) {
        double now = elapsed(campaign);
        if (interrupted || wanted_was_found(campaign) ||
            (campaign->options->seconds > 0 && now >= campaign->options->seconds))
            break;
        ok = jobs_serve(campaign, TICK_MILLISECONDS) && findings_serve(campaign, &busy) &&
             bugs_serve(campaign);
        if (ok && now >= next_flush) {
            bool line_due = now >= next_line;
            next_flush = now + 1;
            next_line += !line_due ? 0 : next_line < 60 ? 10 : 60;
            ok = flush(campaign, summary) && progress_show(campaign, summary, line_due);
        }
    }
    return ok;
}

/* Lets the workers finish their case, then the minimisations their queue. */
static bool wind_down(Campaign *campaign)
{
    bool ok = true, busy = true;
    jobs_stop(campaign);
    while (ok && jobs_running(campaign))
        ok = jobs_serve(campaign, TICK_MILLISECONDS);
    campaign->ended = clock_nanoseconds();
    double limit = elapsed(campaign) + overtime_seconds;
    while (ok && busy && !(interrupted > 1) && elapsed(campaign) < limit) {
        ok = findings_serve(campaign, &busy) && bugs_serve(campaign);
        if (busy)
            (void)usleep(1000);
    }
    return ok;
}

static bool describe_backends(Campaign *campaign)
{
    for (const char *const *name = campaign->options->backends; *name; name++) {
        BackendFacts facts;
        if (!backend_probe(*name, &facts, campaign->error) ||
            !store_put_backend(campaign->store,
                               &(BackendRecord){*name, facts.version, facts.build, facts.core,
                                                facts.path, facts.threads},
                               campaign->error))
            return false;
    }
    return true;
}

bool campaign_run(const CampaignOptions *options, Store *store, CampaignSummary *summary,
                  Text *error)
{
    static Campaign campaign;
    campaign = (Campaign){.options = options, .store = store, .error = error};
    struct sigaction action = {.sa_handler = note_interrupt};
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    bool ok = describe_backends(&campaign) && bugs_start(&campaign);
    campaign.started = clock_nanoseconds();
    for (int i = 0; ok && i < options->jobs; i++)
        ok = jobs_start(&campaign, i);
    *summary = (CampaignSummary){0};
    ok = ok && run_budget(&campaign, summary) && wind_down(&campaign);
    summary->totals.end_reason = !ok                           ? "error"
                                 : interrupted                 ? "interrupted"
                                 : wanted_was_found(&campaign) ? "first finding"
                                                               : "budget";
    Text later = {0};
    campaign.error = ok ? error : &later;
    bool stored = flush(&campaign, summary) && findings_put_coverage(&campaign) &&
                  bugs_finish(&campaign, summary) &&
                  store_count_fresh(store, &summary->fresh, campaign.error) &&
                  (!options->stats || progress_show(&campaign, summary, false));
    summary->internal_error = campaign.internal_errors > 0;
    summary->doubtful = campaign.doubtful;
    text_release(&later);
    text_release(&campaign.told);
    jobs_release(&campaign);
    findings_release(&campaign);
    return ok && stored;
}
