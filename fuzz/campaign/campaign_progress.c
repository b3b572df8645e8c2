/* The progress of a campaign: a line that changes on a terminal, lines now and then elsewhere, and
 * a file for whoever watches from outside. */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "campaign_parts.h"
#include "reports/files.h"

/* The executions of one backend, summed over the cells of all workers. */
typedef struct Health {
    uint64_t executions, declined, undecided;
} Health;

static Health health_of(const Campaign *campaign, int backend)
{
    Health health = {0};
    for (int job = 0; job < campaign->options->jobs; job++) {
        const BlackBox *box = campaign->jobs[job].box;
        for (int slot = 0; box && slot < BOX_CELLS_MAX; slot++) {
            const CoverageCell *cell = &box->cells[slot];
            if (cell->key == 0 || cell->backend != backend)
                continue;
            health.executions += cell->executions;
            health.declined += cell->declined;
            health.undecided += cell->undecided;
        }
    }
    return health;
}

static double rate_of(const RunTotals *t)
{
    return t->seconds > 0 ? (double)t->cases / t->seconds : 0;
}

/* Percent of the workers' time. */
static double share_of(const Campaign *campaign, const RunTotals *t, double seconds)
{
    double busy = t->seconds * (double)campaign->options->jobs;
    return busy > 0 ? 100 * seconds / busy : 0;
}

static void put_words(Text *text, const Campaign *campaign, const CampaignSummary *summary)
{
    const RunTotals *t = &summary->totals;
    text_printf(text,
                "time=%.0fs cases=%llu rate=%.0f/s features=%llu findings=%zu restarts=%llu "
                "fill=%.0f%% reference=%.0f%% kernel=%.0f%% oracle=%.0f%% replacing=%.1f%% "
                "reopened=%llu avoided=%llu",
                t->seconds, (unsigned long long)t->cases, rate_of(t),
                (unsigned long long)summary->features, campaign->shown_count,
                (unsigned long long)t->restarts, share_of(campaign, t, t->fill),
                share_of(campaign, t, t->reference), share_of(campaign, t, t->kernel),
                share_of(campaign, t, t->oracle), share_of(campaign, t, summary->replacing),
                (unsigned long long)summary->reopened, (unsigned long long)summary->avoided);
}

void progress_clear(Campaign *campaign)
{
    if (campaign->status_drawn)
        (void)fprintf(stderr, "\r\033[K");
    campaign->status_drawn = false;
}

/* Writes the status line: time, cases, and counts of findings so far. */
static void put_status(Text *text, const Campaign *campaign, const CampaignSummary *summary)
{
    const RunTotals *t = &summary->totals;
    double seconds = (double)(clock_nanoseconds() - campaign->started) / 1e9;
    text_printf(text, "%.0f s", seconds);
    if (campaign->options->seconds > 0)
        text_printf(text, " of %.0f", campaign->options->seconds);
    text_printf(text, ": %llu cases, %.0f/s; %zu findings, %zu to minimise",
                (unsigned long long)t->cases, rate_of(t), campaign->shown_count, campaign->waiting);
    if (t->restarts > 0)
        text_printf(text, "; %llu restarts", (unsigned long long)t->restarts);
}

/* One line, cut where the terminal ends. */
static void draw_status(Campaign *campaign, Text *status)
{
    enum { WIDTH_USUAL = 80 };
    struct winsize size = {0};
    if (campaign->last_shown[0])
        text_printf(status, "; %s", campaign->last_shown);
    int width =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : WIDTH_USUAL;
    progress_clear(campaign);
    escape_print(stderr, "%.*s", width - 1, text_string(status));
    (void)fflush(stderr);
    campaign->status_drawn = true;
}

/* name=value lines, put in the place of the file at once, so that nobody reads half of them. */
static bool write_stats(const Campaign *campaign, const CampaignSummary *summary, const Text *words)
{
    Text lines = {0};
    for (const char *at = text_string(words); *at; at++)
        text_append(&lines, *at == ' ' ? "\n" : at, 1);
    text_printf(&lines, "\nexecutions=%llu\n", (unsigned long long)summary->totals.executions);
    for (int i = 0; campaign->options->backends[i]; i++) {
        Health h = health_of(campaign, i);
        text_printf(&lines, "executions[%s]=%llu\ndeclined[%s]=%llu\n",
                    campaign->options->backends[i], (unsigned long long)h.executions,
                    campaign->options->backends[i], (unsigned long long)h.declined);
    }
    bool ok = file_replace(campaign->options->stats, &lines, false, campaign->error);
    text_release(&lines);
    return ok;
}

bool progress_show(Campaign *campaign, const CampaignSummary *summary, bool line_due)
{
    Text words = {0}, status = {0};
    bool ok = true;
    put_words(&words, campaign, summary);
    put_status(&status, campaign, summary);
    if (!campaign->options->quiet && isatty(STDERR_FILENO))
        draw_status(campaign, &status);
    else if (!campaign->options->quiet && line_due)
        escape_print(stderr, "%s\n", text_string(&status));
    if (campaign->options->stats)
        ok = write_stats(campaign, summary, &words);
    text_release(&words);
    text_release(&status);
    return ok;
}
