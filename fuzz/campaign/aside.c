/* A library that is set aside keeps its number, and declines every case. */
#include "aside.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/check/capture.h"
#include "fuzz/check/isolate.h"
#include "record.h"

/* So many deaths, and cases like these, tell that a library is not worth its processes, where fewer
 * calls returned than ended one. */
enum { DEATHS = 32 };

static void put_aside(Campaign *campaign, int backend, const char *reason)
{
    Aside *aside = &campaign->aside[backend];
    if (aside->put)
        return;
    aside->put = true;
    (void)snprintf(aside->reason, sizeof aside->reason, "%s", reason);
    for (int i = 0; i < campaign->options->jobs; i++)
        if (campaign->jobs[i].shared)
            atomic_fetch_or(&campaign->jobs[i].shared->aside, 1u << backend);
    if (campaign->options->quiet)
        return;
    progress_clear(campaign);
    escape_print(stderr, "set aside: %s: %s\n", campaign->options->backends[backend], reason);
}

bool aside_file(Campaign *campaign, int backend, const char *detail, const Case *last)
{
    RecordTexts texts = {0};
    int64_t id = 0;
    bool fresh;
    FindingRecord record =
        record_of_library(&texts, last, detail, campaign->options->backends[backend]);
    bool ok = store_put_finding(campaign->store, &record, &id, campaign->error) &&
              store_resolve_finding(campaign->store, id, &record, &id, &fresh, campaign->error);
    campaign->unsure = campaign->ungrouped = true;
    record_release(&texts);
    return ok;
}

/* Of a library that has run no case. */
static bool file_at_load(Campaign *campaign, int backend, const char *end)
{
    char detail[96];
    Case any;
    case_init(&any, campaign->options->scope.ops[0]);
    case_normalise(&any, NULL);
    (void)snprintf(detail, sizeof detail, "%.70s while it loads", end);
    put_aside(campaign, backend, detail);
    return aside_file(campaign, backend, detail, &any);
}

bool aside_dead(Campaign *campaign)
{
    bool ok = true;
    for (int i = 0; ok && campaign->options->backends[i]; i++) {
        Text end = {0};
        if (backend_died(campaign->options->backends[i], &end))
            ok = file_at_load(campaign, i, text_string(&end));
        text_release(&end);
    }
    return ok;
}

typedef struct Opening {
    const char *name;
    BlackBox *box;
} Opening;

/* Threads that the library starts as it loads get some time to show what they do. */
static int open_child(const void *context, int to)
{
    const Opening *opening = context;
    const struct timespec settling = {0, 100000000};
    const char *names[] = {opening->name, NULL};
    Checker checker;
    Text error = {0};
    checker_stand_alone(names, to, opening->box);
    capture_stay();
    (void)checker_open(&checker, opening->box, names, &error);
    (void)nanosleep(&settling, NULL);
    return write(to, "", 1) == 1 ? 0 : 1;
}

/* True, with how it ended, when a process in which the library is opened alone ends. */
static bool dies_alone(const char *name, BlackBox *box, Text *end)
{
    enum { MILLISECONDS = 20000 };
    Child child;
    char byte;
    if (!child_start(&child, open_child, &(Opening){name, box}))
        return false;
    bool done = child_read(&child, &byte, 1, MILLISECONDS) == 1;
    bool late = !done && !child_is_ready(&child) && !child_is_over(&child);
    child_kill(&child);
    int status = child_wait(&child);
    if (late)
        text_put(end, "hang");
    else if (!done)
        text_put_end(end, status);
    return !done;
}

bool aside_find_stillborn(Campaign *campaign, bool *found)
{
    bool ok = true;
    BlackBox *box = blackbox_create();
    *found = false;
    for (int i = 0; ok && box && campaign->options->backends[i]; i++) {
        Text end = {0};
        if (!campaign->aside[i].put && dies_alone(campaign->options->backends[i], box, &end)) {
            ok = file_at_load(campaign, i, text_string(&end));
            *found = true;
        }
        text_release(&end);
    }
    blackbox_destroy(box);
    return ok;
}

static uint64_t calls_that_returned(const Campaign *campaign, int backend)
{
    uint64_t count = 0;
    for (int job = 0; job < campaign->options->jobs; job++)
        for (int i = 0; campaign->jobs[job].box && i < BOX_CELLS_MAX; i++) {
            const CoverageCell *cell = &campaign->jobs[job].box->cells[i];
            count += cell->key != 0 && cell->backend == backend ? cell->executions : 0;
        }
    return count;
}

/* Cases that were not run, since they are like one that ended the process. */
static uint64_t calls_avoided(const Campaign *campaign, int backend)
{
    uint64_t count = 0;
    for (int job = 0; job < campaign->options->jobs; job++) {
        const Shared *shared = campaign->jobs[job].shared;
        if (shared)
            count += declines_for(&shared->declines, backend, DECLINED_FAULT) +
                     declines_for(&shared->declines, backend, DECLINED_EARLY);
    }
    return count;
}

void aside_count_death(Campaign *campaign, int backend)
{
    campaign->aside[backend].deaths++;
}

static void review(Campaign *campaign, int backend)
{
    uint64_t deaths = campaign->aside[backend].deaths;
    if (deaths == 0 || campaign->aside[backend].put ||
        deaths + calls_avoided(campaign, backend) < DEATHS)
        return;
    uint64_t returned = calls_that_returned(campaign, backend), calls = deaths + returned;
    if (returned >= deaths)
        return;
    char reason[96];
    (void)snprintf(reason, sizeof reason, "%llu of its first %llu calls ended the process",
                   (unsigned long long)deaths, (unsigned long long)calls);
    put_aside(campaign, backend, reason);
}

void aside_review(Campaign *campaign)
{
    for (int i = 0; campaign->options->backends[i] && !campaign->options->no_avoid; i++)
        review(campaign, i);
}

/* The server of a backend was started again, or could not be. */
static void note_revival(Campaign *campaign, const char *name, bool started)
{
    enum { REVIVALS = 8 };
    campaign->revived++;
    for (int i = 0; campaign->options->backends[i]; i++)
        if (!strcmp(campaign->options->backends[i], name) &&
            (++campaign->aside[i].revived == REVIVALS || !started))
            put_aside(campaign, i, "the process that serves it ends again and again");
}

bool aside_revive(Campaign *campaign)
{
    bool any = false, started = true;
    for (int i = 0; campaign->options->backends[i]; i++) {
        const BackendKind *kind = backend_kind(campaign->options->backends[i]);
        for (const char *name; kind->revive && started && (name = kind->revive(&started));) {
            note_revival(campaign, name, started);
            any = true;
        }
    }
    return any;
}

uint32_t aside_mask(const Campaign *campaign)
{
    uint32_t mask = 0;
    for (int i = 0; i < BOX_BACKENDS_MAX; i++)
        mask |= (uint32_t)campaign->aside[i].put << i;
    return mask;
}

bool aside_is_all(const Campaign *campaign)
{
    for (int i = 0; campaign->options->backends[i]; i++)
        if (!campaign->aside[i].put)
            return false;
    return true;
}

void aside_summarise(const Campaign *campaign, CampaignSummary *summary)
{
    for (int i = 0; campaign->options->backends[i]; i++) {
        const Aside *aside = &campaign->aside[i];
        if (!aside->put)
            continue;
        AsideSummary *s = &summary->aside[summary->aside_count++];
        *s = (AsideSummary){.backend = campaign->options->backends[i]};
        memcpy(s->reason, aside->reason, sizeof s->reason);
        for (int job = 0; job < campaign->options->jobs; job++)
            for (int d = 0; campaign->jobs[job].shared && d < DECLINES_MAX; d++) {
                const Decline *decline = &campaign->jobs[job].shared->declines.entries[d];
                if (decline->key && decline->backend == i &&
                    !strcmp(decline->reason, DECLINED_ASIDE))
                    s->untested += decline->count;
            }
    }
}
