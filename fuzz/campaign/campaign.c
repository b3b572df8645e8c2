/* The supervisor: it starts workers, serves their messages and the minimisations until the budget
 * ends, and is the only process that writes the database. */
#include "campaign.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "aside.h"
#include "budget.h"
#include "fuzz/check/capture.h"
#include "uncompiled.h"
#include "untrusted.h"

enum { TICK_MILLISECONDS = 20 };
static const double second = 1e9;

static volatile sig_atomic_t interrupted, told_to_stop;

static void note_interrupt(int signal)
{
    (void)signal;
    interrupted = interrupted + 1;
}

static void note_stop(int signal)
{
    (void)signal;
    told_to_stop = 1;
}

/* A terminal stops its own processes only, of which workers are none. */
static void stop_if_told(const Campaign *campaign)
{
    if (!told_to_stop)
        return;
    told_to_stop = 0;
    jobs_signal(campaign, SIGSTOP);
    (void)raise(SIGSTOP);
    jobs_signal(campaign, SIGCONT);
}

static double elapsed(const Campaign *campaign)
{
    return (double)(clock_nanoseconds() - campaign->started) / second;
}

static void add_declined(const Shared *shared, CampaignSummary *summary)
{
    summary->unexplained += shared->declines.lost;
    summary->declined += declines_sum(&shared->declines, false);
    summary->redrawn += declines_sum(&shared->redrawn, false);
    summary->unasked += declines_sum(&shared->redrawn, true);
    uint64_t early = declines_for(&shared->declines, -1, DECLINED_EARLY);
    summary->avoided_early += early;
    summary->avoided += early + declines_for(&shared->declines, -1, DECLINED_FAULT);
    summary->replacing += (double)shared->replacing / second;
    summary->large += shared->pace.large_cases;
    summary->large_seconds += (double)shared->pace.large_time / second;
}

/* What a kernel wrote over is no number of an error. */
static void note_keep_error(const Shared *shared, CampaignSummary *summary)
{
    enum { ERRORS = 134 };
    int error = shared->keep_error;
    if (error > 0 && error < ERRORS)
        summary->keep_error = error;
}

static void add_totals(const Campaign *campaign, CampaignSummary *summary)
{
    RunTotals *t = &summary->totals;
    const char *reason = t->end_reason;
    *summary = (CampaignSummary){.totals = {.end_reason = reason}, .cut_short = summary->cut_short};
    for (int i = 0; i < campaign->options->jobs; i++) {
        const BlackBox *box = campaign->jobs[i].box;
        if (!box || !blackbox_is_whole(box))
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
        summary->related += box->related;
        summary->unrelated += box->unrelated;
        summary->joined += box->joined;
        summary->products_lent += campaign->jobs[i].shared->products_lent;
        add_declined(campaign->jobs[i].shared, summary);
        if (campaign->options->keep)
            note_keep_error(campaign->jobs[i].shared, summary);
        summary->unplaced += campaign->jobs[i].shared->changes.lost;
    }
    t->restarts = campaign->restarts;
    summary->reopened = campaign->reopened;
    uint64_t now = clock_nanoseconds(), end = campaign->ended ? campaign->ended : now;
    uint64_t held = campaign->held + (campaign->held_since ? now - campaign->held_since : 0);
    t->seconds = (double)(end - campaign->started - held) / second;
}

static bool flush(Campaign *campaign, CampaignSummary *summary)
{
    add_totals(campaign, summary);
    return findings_flush_hits(campaign) &&
           store_put_totals(campaign->store, &summary->totals, campaign->error);
}

/* Empties what no worker can have counted. */
static void check_counts(Campaign *campaign)
{
    uint64_t passed = clock_nanoseconds() - campaign->started;
    for (int i = 0; i < campaign->options->jobs; i++)
        if (campaign->jobs[i].shared)
            campaign->counts_lost +=
                untrusted_counts(campaign->jobs[i].shared, campaign->options->backends, passed);
}

/* True when what is left of the time is for the findings that wait. */
static bool time_is_up(const Campaign *campaign)
{
    return elapsed(campaign) >=
           budget_cases_end(campaign->options->seconds, campaign->minimisation_needs);
}

/* Shows what our own code said in processes whose output is captured. */
static void say_own_words(Campaign *campaign)
{
    Text ours = {0};
    campaign->unseen += capture_drain(&ours);
    if (ours.length > 0) {
        progress_clear(campaign);
        escape_print(stderr, "%s", text_string(&ours));
    }
    text_release(&ours);
}

/* Once a second: what there is to count is written, and how it goes is shown. */
static bool tick(Campaign *campaign, CampaignSummary *summary)
{
    double now = elapsed(campaign);
    stop_if_told(campaign);
    if (now < campaign->next_flush)
        return true;
    bool line_due = now >= campaign->next_line;
    campaign->next_flush = now + 1;
    campaign->next_line += !line_due ? 0 : campaign->next_line < 60 ? 10 : 60;
    say_own_words(campaign);
    aside_review(campaign);
    campaign->minimisation_needs = findings_seconds(campaign);
    /* Hits of what does not show alone make it count. */
    campaign->unsure = true;
    return flush(campaign, summary) && progress_show(campaign, summary, line_due);
}

/* Serves workers and minimisations until the budget ends. */
static bool run_budget(Campaign *campaign, CampaignSummary *summary)
{
    bool ok = true, busy = false;
    summary->totals.end_reason = NULL;
    findings_end_at(campaign, budget_minimising_end(campaign->options->seconds));
    while (ok && jobs_running(campaign) && !interrupted && !campaign->found &&
           !time_is_up(campaign) && !aside_is_all(campaign))
        ok = jobs_serve(campaign, TICK_MILLISECONDS) && findings_serve(campaign, &busy) &&
             bugs_serve(campaign) && first_serve(campaign) && tick(campaign, summary);
    first_end(campaign);
    aside_review(campaign);
    return ok;
}

/* Lets the workers finish their case, then the minimisations their queue, as far as there is time.
 */
static bool wind_down(Campaign *campaign, CampaignSummary *summary)
{
    bool ok = true, busy = true;
    double stopped = elapsed(campaign), seconds = campaign->options->seconds;
    double limit = budget_minimising_end_after(seconds, stopped);
    double workers_end = budget_workers_end(seconds, stopped);
    findings_end_at(campaign, limit);
    jobs_stop(campaign);
    while (ok && jobs_running(campaign) && elapsed(campaign) < workers_end)
        ok = jobs_serve(campaign, TICK_MILLISECONDS) && tick(campaign, summary);
    summary->cut_short = jobs_end(campaign);
    campaign->ended = clock_nanoseconds();
    while (ok && busy && !(interrupted > 1) && elapsed(campaign) < limit) {
        ok = findings_serve(campaign, &busy) && bugs_serve(campaign) && tick(campaign, summary);
        if (busy)
            (void)usleep(1000);
    }
    return ok;
}

static bool put_facts(const Campaign *campaign, const char *name, const BackendFacts *facts)
{
    return store_put_backend(campaign->store,
                             &(BackendRecord){name, facts->version, facts->build, facts->core,
                                              facts->path, facts->threads},
                             campaign->error);
}

static bool has_backend(const Campaign *campaign, const char *wanted)
{
    const char *const *name = campaign->options->backends;
    while (*name && strcmp(*name, wanted) != 0)
        name++;
    return *name;
}

/* Minimisations ask it too; where it cannot be opened, what they find is the compiler's. */
static bool describe_uncompiled(const Campaign *campaign, const char *compiled)
{
    char name[600];
    BackendFacts facts = {0};
    Text ignored = {0};
    bool known = uncompiled_name(compiled, name) && backend_probe(name, &facts, &ignored);
    text_release(&ignored);
    return !known || has_backend(campaign, name) || put_facts(campaign, name, &facts);
}

static bool describe_backends(Campaign *campaign)
{
    for (const char *const *name = campaign->options->backends; *name; name++) {
        BackendFacts facts = {0};
        Text end = {0};
        bool died = backend_died(*name, &end);
        text_release(&end);
        if ((!died && !backend_probe(*name, &facts, campaign->error)) ||
            !put_facts(campaign, *name, &facts) || (!died && !describe_uncompiled(campaign, *name)))
            return false;
    }
    return true;
}

bool campaign_run(const CampaignOptions *options, Store *store, CampaignSummary *summary,
                  Text *error)
{
    static Campaign campaign;
    campaign = (Campaign){
        .options = options, .store = store, .error = error, .next_flush = 1, .next_line = 1};
    struct sigaction action = {.sa_handler = note_interrupt};
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    struct sigaction pause = {.sa_handler = note_stop, .sa_flags = SA_RESTART};
    (void)sigaction(SIGTSTP, &pause, NULL);
    /* A terminal that was closed; nohup leaves it ignored. */
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        (void)sigaction(SIGHUP, &action, NULL);
    capture_begin();
    bool ok = describe_backends(&campaign);
    capture_end();
    ok = ok && bugs_start(&campaign);
    ok = ok && aside_dead(&campaign);
    campaign.started = clock_nanoseconds();
    for (int i = 0; ok && i < options->jobs; i++)
        ok = jobs_start(&campaign, i);
    *summary = (CampaignSummary){0};
    ok = ok && run_budget(&campaign, summary) && wind_down(&campaign, summary);
    summary->totals.end_reason = !ok                       ? "error"
                                 : interrupted             ? "interrupted"
                                 : campaign.found          ? "first finding"
                                 : aside_is_all(&campaign) ? "the last library was set aside"
                                                           : "budget";
    Text later = {0};
    campaign.error = ok ? error : &later;
    check_counts(&campaign);
    bool stored = flush(&campaign, summary) && findings_put_coverage(&campaign) &&
                  changes_put(&campaign) && bugs_finish(&campaign, summary) &&
                  store_count_fresh(store, false, &summary->fresh, campaign.error) &&
                  store_count_uncounted(store, &summary->uncounted, campaign.error) &&
                  (!options->stats || progress_show(&campaign, summary, false));
    say_own_words(&campaign);
    progress_clear(&campaign);
    summary->internal_error = campaign.internal_error;
    summary->overwritten = campaign.overwritten;
    summary->doubtful = campaign.doubtful;
    summary->unseen = campaign.unseen;
    summary->counts_lost = campaign.counts_lost;
    summary->unreadable = campaign.unreadable;
    summary->unattributed = campaign.unattributed;
    summary->revived = campaign.revived;
    aside_summarise(&campaign, summary);
    unlike_summarise(&campaign, summary);
    text_release(&later);
    text_release(&campaign.told);
    jobs_release(&campaign);
    findings_release(&campaign);
    return ok && stored;
}
