/* New bugs of a campaign, a line each, as soon as their first finding is minimal. */
#include <stdio.h>
#include <string.h>

#include "budget.h"
#include "campaign_parts.h"
#include "fuzz/check/capture.h"
#include "reports/store/severity.h"

/* Grouping reads all findings: it takes at most this part of the supervisor's time. */
enum { GROUPING_SHARE = 20, WIDTH = 110 };
/* Bugs that are told one by one, unless all are wanted: the table at the end shares the screen. */
enum { TOLD_MOST = 8 };
static const uint64_t least_pause = 1000000000u;

static void put_line(Campaign *campaign, const BugLine *line)
{
    progress_clear(campaign);
    escape_print(stderr, "bug %lld, severity %lld: %.*s%s\n", (long long)line->id,
                 (long long)line->severity, WIDTH, text_string(&line->text),
                 line->text.length > WIDTH ? " ..." : "");
}

/* Whether a bug of other operators was told that has as much in common with it: probes at the end
 * may join them. */
static bool was_told(Campaign *campaign, const BugLine *line)
{
    Text words = {0};
    text_printf(&words, "%s\n", text_string(&line->alike));
    bool told = strstr(text_string(&campaign->told), text_string(&words)) != NULL;
    if (!told)
        text_put(&campaign->told, text_string(&words));
    text_release(&words);
    return told;
}

static void tell_bug(Campaign *campaign, const BugLine *line)
{
    campaign->told_count++;
    if (campaign->told_count <= TOLD_MOST || campaign->options->verbose)
        put_line(campaign, line);
    else if (campaign->told_count == TOLD_MOST + 1) {
        progress_clear(campaign);
        escape_print(stderr, "more bugs: in the table at the end; --verbose tells each\n");
    }
}

/* Passes over the bugs that are new since the last time. */
static bool pass_new(Campaign *campaign, bool tell)
{
    bool ok = true;
    for (bool more = true; ok && more;) {
        BugLine line = {0};
        ok = bugs_next(campaign->store, campaign->last_bug, &line, campaign->error);
        more = ok && line.id > 0;
        if (more) {
            campaign->last_bug = line.id;
            if (tell && line.severity < SEVERITY_CONVENTION && !was_told(campaign, &line))
                tell_bug(campaign, &line);
        }
        bugs_line_release(&line);
    }
    return ok;
}

static bool group(Campaign *campaign)
{
    BugCounts counts;
    uint64_t began = clock_nanoseconds();
    campaign->ungrouped = false;
    bool ok = bugs_group(campaign->store, &counts, campaign->error);
    uint64_t ended = clock_nanoseconds();
    campaign->next_grouping = ended + least_pause + GROUPING_SHARE * (ended - began);
    return ok;
}

bool bugs_start(Campaign *campaign)
{
    return group(campaign) && pass_new(campaign, false);
}

bool bugs_serve(Campaign *campaign)
{
    if (!campaign->ungrouped || clock_nanoseconds() < campaign->next_grouping)
        return true;
    return group(campaign) && pass_new(campaign, !campaign->options->quiet);
}

bool bugs_finish(Campaign *campaign, CampaignSummary *summary)
{
    BugCounts bugs;
    double begun = (double)(clock_nanoseconds() - campaign->started) / 1e9;
    double seconds = budget_probing(campaign->options->seconds, begun);
    capture_begin();
    bool ok = probes_run(campaign->store, (uint64_t)(seconds * 1e9), &summary->probes, &bugs,
                         campaign->error);
    capture_end();
    return ok;
}
