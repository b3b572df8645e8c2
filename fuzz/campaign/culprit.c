/* A worker of its own for each library, by the random engine, whose cases have numbers. */
#include "culprit.h"

#include <string.h>
#include <time.h>

/* The worker's place is looked at every few milliseconds, in which it does so many cases at most;
 * and so much processor time may a library take for them. */
enum { CASES_BEFORE = 16, CASES = 2048, MILLISECONDS = 2000 };

static bool has_kernels(const Campaign *campaign, int backend)
{
    return !backend_kind(campaign->options->backends[backend])->expect &&
           !campaign->aside[backend].put;
}

/* Lets a worker run to its end, with what it has to say dropped; false where it takes too long. */
static bool await_end(Child *child)
{
    const struct timespec pause = {0, 1000000};
    FindingMessage dropped;
    Patience patience = {.private = true};
    const uint64_t limit = (uint64_t)MILLISECONDS * 1000000u;
    while (!child_is_over(child) && !patience_ends(&patience, child->process, 1, limit)) {
        if (!child_is_ready(child) || child_take(child, &dropped, sizeof dropped) == 0)
            (void)nanosleep(&pause, NULL);
    }
    return child_is_over(child);
}

static uint64_t before(uint64_t number, uint64_t count)
{
    return number > count ? number - count : 0;
}

/* Whether a worker that has this library alone writes over its record. */
static bool writes_over(const Campaign *campaign, const Job *job, int backend)
{
    const char *names[] = {campaign->options->backends[backend], NULL};
    CampaignOptions options = *campaign->options;
    options.backends = names;
    options.engine = ENGINE_RANDOM;
    options.jobs = 1;
    options.keep = NULL;
    Shared *shared = shared_create();
    if (!shared)
        return false;
    uint64_t jobs = (uint64_t)campaign->options->jobs;
    shared->seed_number = jobs * before(job->seed_number, CASES_BEFORE);
    shared->case_number = before(job->case_number, CASES_BEFORE * jobs);
    WorkerSetup setup = {
        .options = &options, .shared = shared, .end_case = shared->case_number + CASES};
    Child child;
    bool over = false;
    if (child_start(&child, worker_main, &setup)) {
        if (!await_end(&child))
            child_kill(&child);
        (void)child_wait(&child);
        over = !blackbox_is_whole(&shared->box) ||
               !strncmp(shared->box.fault_detail, BOX_OVERWRITTEN, sizeof BOX_OVERWRITTEN);
    }
    shared_destroy(shared);
    return over;
}

uint32_t culprits_find(const Campaign *campaign, const Job *job)
{
    uint32_t candidates = 0, found = 0;
    for (int i = 0; campaign->options->backends[i]; i++)
        candidates |= (uint32_t)has_kernels(campaign, i) << i;
    if ((candidates & (candidates - 1)) == 0)
        return candidates;
    for (int i = 0; campaign->options->backends[i]; i++)
        if (candidates >> i & 1 && writes_over(campaign, job, i))
            found |= 1u << i;
    return found;
}
