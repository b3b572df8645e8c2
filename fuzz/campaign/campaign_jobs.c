/* Worker processes are started, listened to, and replaced when they die or hang. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aside.h"
#include "blame.h"
#include "campaign_parts.h"
#include "culprit.h"
#include "fuzz/check/isolate.h"
#include "ops/case/large.h"
#include "reports/store/signature.h"
#include "untrusted.h"

/* So many deaths before a first case end a job where no library is found to cause them. */
enum { STILLBORN_MAX = 3 };
/* So many deaths that nothing was found to cause end the search for causes on a library. */
enum { MYSTERIES_MAX = 8 };

static void setup_job(Campaign *campaign, Job *job, int index)
{
    const CampaignOptions *options = campaign->options;
    job->shared = shared_create();
    if (!job->shared)
        BUG("no shared memory");
    job->box = &job->shared->box;
    job->shared->begun = clock_nanoseconds();
    job->shared->case_number = job->case_number = (uint64_t)index;
    job->noted = job->shared->begun;
    job->shared->aside = aside_mask(campaign);
    job->setup = (WorkerSetup){.options = options, .shared = job->shared, .index = index};
    job->setup.end_case = options->engine == ENGINE_RANDOM || options->cases == 0
                              ? options->cases
                              : options->cases / (uint64_t)options->jobs + 1;
}

static bool may_follow(uint64_t number, uint64_t before, uint64_t most)
{
    return number >= before && number - before <= most;
}

/* False where a kernel wrote over it: numbers of cases only grow, and no case takes less time. */
static bool note_place(const Campaign *campaign, Job *job)
{
    enum { NANOSECONDS_LEAST = 100 };
    uint64_t now = clock_nanoseconds(), jobs = (uint64_t)campaign->options->jobs;
    uint64_t most = jobs * ((now - job->noted) / NANOSECONDS_LEAST + 1);
    uint64_t seed_number = job->shared->seed_number, case_number = job->shared->case_number;
    if (!blackbox_is_whole(job->box) || !may_follow(seed_number, job->seed_number, most) ||
        !may_follow(case_number, job->case_number, most))
        return false;
    job->seed_number = seed_number;
    job->case_number = case_number;
    job->noted = now;
    return true;
}

/* Makes memory new that a kernel wrote over before it ended its process.  Which case it was is not
 * known: each time more are passed over than before, so that it is not met for ever. */
static void wipe(const Campaign *campaign, Job *job)
{
    enum { DOUBLED = 10 };
    uint64_t over = (uint64_t)campaign->options->jobs
                    << (job->wiped < DOUBLED ? job->wiped : DOUBLED);
    memset(job->shared, 0, sizeof *job->shared);
    job->shared->begun = clock_nanoseconds();
    job->shared->seed_number = ++job->seed_number;
    job->shared->case_number = job->case_number += over;
    job->noted = job->shared->begun;
    job->wiped++;
}

/* Says what a worker is to do, each time anew, since a kernel may have written over it. */
static void tell(const Campaign *campaign, const Job *job)
{
    job->shared->stop = campaign->stopped ? TOLD : 0;
    job->shared->hold = campaign->held_since > 0 ? TOLD : 0;
    job->shared->aside = aside_mask(campaign);
}

/* Starts the job's server, once: a long campaign has it before the first worker dies. */
static void start_server(const Campaign *campaign, Job *job)
{
    enum { LONG_SECONDS = 20 };
    bool wanted = job->setup.restarts > 0 || campaign->options->seconds >= LONG_SECONDS;
    if (!wanted || job->served || !worker_may_be_forked(campaign->options))
        return;
    job->served = true;
    (void)!fork_server_start(&job->server, worker_serve, &job->setup);
}

/* Takes a worker of the job's server.  False where one has to open the libraries itself: there is
 * no server yet, or a library does not let it be. */
static bool fork_worker(Campaign *campaign, Job *job)
{
    bool again = job->setup.restarts > 0;
    if (again && fork_server_is_ready(&job->server) &&
        fork_server_fork(&job->server, &job->child, &job->setup.restarts,
                         sizeof job->setup.restarts, -1))
        return true;
    campaign->reopened += again;
    start_server(campaign, job);
    return false;
}

bool jobs_start(Campaign *campaign, int index)
{
    Job *job = &campaign->jobs[index];
    if (!job->shared)
        setup_job(campaign, job, index);
    if (!note_place(campaign, job)) {
        campaign->counts_lost += blackbox_is_whole(job->box);
        wipe(campaign, job);
    }
    /* Whatever the last worker left there. */
    memcpy(&job->shared->avoid, &campaign->avoid, sizeof campaign->avoid);
    likeness_share(&job->shared->known, &campaign->known);
    tell(campaign, job);
    job->shared->ended = job->ended;
    blackbox_seal(job->box);
    job->box->phase = PHASE_ENGINE;
    job->box->kernel_started = 0;
    job->box->recent_count = 0;
    job->box->fault_detail[0] = '\0';
    job->shared->recalled = job->shared->lost = 0;
    job->revived = campaign->revived;
    job->hung = job->done = job->closed = false;
    text_clear(&job->unreadable);
    if (fork_worker(campaign, job) || child_start(&job->child, worker_main, &job->setup))
        return true;
    text_printf(campaign->error, "cannot start a worker: %s", strerror(errno));
    return false;
}

/* Takes one message; false where there is none that can be read. */
static bool take_message(Campaign *campaign, Job *job, bool *filed)
{
    FindingMessage message;
    Text why = {0};
    if (child_take(&job->child, &message, sizeof message) != sizeof message)
        return false;
    if (message.done == 0 && message.later) {
        unlike_hear(campaign, &message);
        return true;
    }
    bool sound =
        message.done != 0 || untrusted_finding(&message, campaign->options->backends, &why);
    if (!sound)
        (void)unreadable_note(campaign, &message, &why, &job->unreadable);
    text_release(&why);
    if (!sound)
        return false;
    job->done |= message.done == job->child.process;
    *filed = message.done != 0 || findings_file(campaign, &message);
    return true;
}

static void name_message(const Campaign *campaign, FindingMessage *message)
{
    Text raw = {0};
    const CheckResult *result = &message->result;
    signature_raw(&raw, &message->c, campaign->options->backends[result->backend],
                  &result->judgement, result->detail);
    message->raw_key = shared_key(text_string(&raw), result->backend);
    text_release(&raw);
}

static bool file_message(Campaign *campaign, Job *job, FindingMessage *message)
{
    name_message(campaign, message);
    return findings_file_death(campaign, message, shared_hit(job->shared, message->raw_key));
}

/* A kernel overwrote memory of its process, which died when that was used. */
static bool file_overwriter(Campaign *campaign, Job *job, FindingMessage *message)
{
    campaign->overwritten++;
    return file_message(campaign, job, message);
}

/* The library whose kernel ran last in this process, as far as is known; -1 where all of them run
 * in processes of their own. */
static int last_library(const Campaign *campaign, const Job *job)
{
    const char *const *names = campaign->options->backends;
    int last = job->box->backend;
    if (!backend_kind(names[last])->expect)
        return last;
    for (int i = 0; names[i]; i++)
        if (!backend_kind(names[i])->expect && !campaign->aside[i].put)
            return i;
    return -1;
}

/* How many libraries had kernels called in this process. */
static int count_called(const Campaign *campaign, const BlackBox *box)
{
    int count = 0;
    uint32_t called = 0;
    for (unsigned i = 0; i < box->recent_count && i < BOX_RECENT; i++)
        called |= box->called[i];
    for (int i = 0; campaign->options->backends[i]; i++)
        count += (called >> i & 1) && !backend_kind(campaign->options->backends[i])->expect;
    return count;
}

/* Files a death as that of the call that is found to cause it, or of the only library; one that
 * any of several may have caused is counted.  present is the call that the worker was at, NULL
 * where it was at none.  *ours: no library can have caused it, or the worker was ended for what it
 * sent, and none is found to have written that. */
static bool hold_inquest(Campaign *campaign, Job *job, int status, FindingMessage *present,
                         bool *ours)
{
    FindingMessage other;
    const BlackBox *box = job->box;
    int library = last_library(campaign, job);
    bool many = library >= 0 && campaign->aside[library].mysteries >= MYSTERIES_MAX;
    Blame blame = many ? BLAME_NONE
                       : blame_death(box, campaign->options, aside_mask(campaign), status, &other);
    if (blame == BLAME_PRESENT && present)
        return file_message(campaign, job, present);
    if (blame == BLAME_OTHER)
        return file_overwriter(campaign, job, &other);
    library = blame == BLAME_LIBRARY ? other.result.backend : library;
    *ours = library < 0 || (blame == BLAME_NONE && job->unreadable.length > 0);
    if (*ours)
        return true;
    campaign->aside[library].mysteries++;
    if (blame == BLAME_NONE && count_called(campaign, box) > 1) {
        campaign->unattributed++;
        return true;
    }
    char end[96], detail[96];
    fault_describe(end, status, false, box->fault_detail);
    (void)snprintf(detail, sizeof detail, "%.60s, not attributed to a call", end);
    return aside_file(campaign, library, detail, &box->current);
}

/* The kernel call in the black box is what killed the worker, or what died of another.  One that
 * touched memory beside its operands, or our pipe, did so itself. */
static bool file_fault(Campaign *campaign, Job *job, int status)
{
    BlackBox *box = job->box;
    bool ours;
    FindingMessage message = {.c = box->current, .result = {.backend = box->backend}};
    message.result.judgement.kind = VERDICT_FAULT;
    message.result.judgement.tier = TIER_CONTRACT;
    fault_describe(message.result.detail, status, job->hung, box->fault_detail);
    name_message(campaign, &message);
    aside_count_death(campaign, box->backend);
    /* A thread that another kernel left may have written over the record. */
    bool noted = box->fault_detail[0] && strcmp(box->fault_detail, BOX_OVERWRITTEN) != 0;
    bool known = job->hung || noted ||
                 (shared_hits(job->shared, message.raw_key) >= MESSAGES_PER_RAW &&
                  findings_explain(campaign, &message));
    return known ? file_message(campaign, job, &message)
                 : hold_inquest(campaign, job, status, &message, &ours);
}

/* Says that something of ours failed, with the case. */
static void report_internal(Campaign *campaign, Job *job, int status)
{
    Text line = {0};
    char detail[96];
    if (job->unreadable.length > 0) {
        unreadable_report(campaign, &job->unreadable);
        return;
    }
    fault_describe(detail, status, job->hung, job->box->fault_detail);
    if (job->box->current.op)
        case_print(&job->box->current, &line);
    escape_print(stderr,
                 "opconform: internal error: a worker died in phase %s (%s); last case: %s\n",
                 phase_name((Phase)job->box->phase), detail, text_string(&line));
    text_release(&line);
    campaign->internal_error = true;
}

/* A worker that began no case: because of a library, or of something of ours, which ends the job
 * when it recurs. */
static bool explain_stillborn(Campaign *campaign, Job *job, int status)
{
    bool found;
    if (job->shared->open_error[0]) {
        untrusted_text(job->shared->open_error, sizeof job->shared->open_error);
        text_printf(campaign->error, "%s", job->shared->open_error);
        return false;
    }
    if (!aside_find_stillborn(campaign, &found))
        return false;
    if (found)
        return true;
    job->finished = ++job->stillborn == STILLBORN_MAX;
    report_internal(campaign, job, status);
    return true;
}

/* A kernel wrote over the record and ended its process, which had no time to restore it.  So many
 * times it is looked for whose kernel it was; what was found then holds for later ones. */
static bool file_unknown(Campaign *campaign, const Job *job)
{
    enum { SEARCHES = 2 };
    Case any;
    bool ok = true;
    if (campaign->searches++ < SEARCHES)
        campaign->overwriters |= culprits_find(campaign, job);
    case_init(&any, campaign->options->scope.ops[0]);
    case_normalise(&any, NULL);
    for (int i = 0; ok && campaign->options->backends[i]; i++)
        if (campaign->overwriters >> i & 1) {
            aside_count_death(campaign, i);
            ok = aside_file(campaign, i, BOX_OVERWRITTEN, &any);
        }
    campaign->unattributed += campaign->overwriters == 0;
    return ok;
}

/* Files the fault of the kernel that the worker died of, or says what failed of ours. */
static bool explain_death(Campaign *campaign, Job *job, int status)
{
    bool ours = job->hung;
    bool sound =
        blackbox_is_whole(job->box) && untrusted_record(job->box, campaign->options->backends);
    campaign->counts_lost += !sound || !strcmp(job->box->fault_detail, BOX_OVERWRITTEN);
    if (!sound) {
        (void)untrusted_record(job->box, campaign->options->backends);
        return file_unknown(campaign, job);
    }
    if (job->shared->lost && (aside_revive(campaign) || job->revived < campaign->revived))
        return true;
    if (job->box->recent_count == 0)
        return explain_stillborn(campaign, job, status);
    job->stillborn = 0;
    bool killed = job->closed && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (job->box->phase == PHASE_KERNEL && !killed)
        return file_fault(campaign, job, status);
    if (!ours && !hold_inquest(campaign, job, status, NULL, &ours))
        return false;
    if (ours)
        report_internal(campaign, job, status);
    return true;
}

/* A hang lasts as long as it is waited for. */
static void note_end(const Campaign *campaign, Job *job)
{
    uint64_t now = clock_nanoseconds(), call = blackbox_call(job->box);
    job->ended = call > campaign->started && call < now ? call : now;
}

/* Whether the work of a job is done, whoever says so. */
static bool is_at_end(const Campaign *campaign, Job *job)
{
    const CampaignOptions *options = campaign->options;
    uint64_t jobs = (uint64_t)options->jobs, index = (uint64_t)job->setup.index;
    if (campaign->stopped)
        return true;
    if (!note_place(campaign, job))
        return false;
    if (options->only_seeds)
        return index + jobs * job->seed_number >= options->seeds->count + jobs;
    uint64_t cases = options->engine == ENGINE_RANDOM
                         ? job->case_number
                         : job->box->cases + (uint64_t)job->setup.restarts;
    return job->setup.end_case > 0 && cases >= job->setup.end_case;
}

static bool replace_worker(Campaign *campaign, Job *job)
{
    bool filed = true;
    while (child_is_ready(&job->child) && take_message(campaign, job, &filed) && filed)
        ;
    int status = child_wait(&job->child);
    note_end(campaign, job);
    if (!filed)
        return false;
    if (job->done && is_at_end(campaign, job)) {
        unreadable_report(campaign, &job->unreadable);
        job->finished = true;
        return true;
    }
    if (!explain_death(campaign, job, status))
        return false;
    campaign->restarts++;
    job->setup.restarts++;
    job->finished = job->finished || campaign->stopped || aside_is_all(campaign);
    return job->finished || jobs_start(campaign, job->setup.index);
}

/* Processor time that the present call may take before it is ended.  A hang keeps its worker from
 * all else, and is confirmed alone with more time than that. */
static uint64_t patience_with(const Campaign *campaign, const Job *job)
{
    static const uint64_t least = 250000000;
    const double times = job->box->patience;
    /* What a kernel may have written over is no number, or too large a one. */
    double factor = times > 1 && times <= LARGE_PATIENCE_MOST ? times : 1;
    uint64_t whole = (uint64_t)(factor * (double)campaign->options->deadline);
    uint64_t part = whole / 4 > least ? whole / 4 : least;
    return job->shared->little && part < whole ? part : whole;
}

static void kill_hung(const Campaign *campaign, Job *job)
{
    bool whole = blackbox_is_whole(job->box);
    uint64_t started = blackbox_call(job->box);
    if (job->hung ||
        !patience_ends(&job->patience, job->child.process, started, patience_with(campaign, job)))
        return;
    job->hung = whole && job->box->kernel_started == started;
    if (job->hung || !whole)
        fault_end_hung(&job->child);
}

/* A process that ends closes its descriptors a little before it has ended.  One that runs on ends
 * with its case, so that the kernel that misused its pipe is among the latest. */
static bool is_recalled(const Job *job)
{
    job->shared->recalled = TOLD;
    return child_ends_soon(&job->child);
}

/* Hears what a worker says, and replaces it when it has ended.  One that runs on with its end of
 * the pipe closed or misused is ended: nothing that it says could be trusted. */
static bool serve_job(Campaign *campaign, Job *job, bool ready)
{
    bool filed = true;
    if (ready && !take_message(campaign, job, &filed) && !job->closed && !is_recalled(job)) {
        child_kill(&job->child);
        job->closed = true;
    }
    return filed && (!child_is_over(&job->child) || replace_worker(campaign, job));
}

/* Those that minimise are served next, while workers run. */
static int add_minimisers(const Campaign *campaign, struct pollfd ready[MINIMISERS])
{
    int count = 0;
    for (int i = 0; i < MINIMISERS && !campaign->stopped; i++)
        if (minimiser_runs(&campaign->minimisers[i]))
            ready[count++] =
                (struct pollfd){.fd = campaign->minimisers[i].process.from, .events = POLLIN};
    return count;
}

bool jobs_serve(Campaign *campaign, int timeout)
{
    struct pollfd ready[JOBS_MAX + MINIMISERS];
    int count = 0, index[JOBS_MAX];
    for (int i = 0; i < campaign->options->jobs; i++) {
        if (campaign->jobs[i].child.process == 0)
            continue;
        (void)note_place(campaign, &campaign->jobs[i]);
        tell(campaign, &campaign->jobs[i]);
        kill_hung(campaign, &campaign->jobs[i]);
        index[count] = i;
        ready[count++] = (struct pollfd){.fd = campaign->jobs[i].child.from, .events = POLLIN};
    }
    int all = count + add_minimisers(campaign, ready + count);
    if (poll(ready, (nfds_t)all, timeout) < 0)
        return true;
    for (int i = 0; i < count; i++)
        if (!serve_job(campaign, &campaign->jobs[index[i]], ready[i].revents != 0))
            return false;
    return true;
}

bool jobs_running(const Campaign *campaign)
{
    for (int i = 0; i < campaign->options->jobs; i++)
        if (campaign->jobs[i].child.process != 0)
            return true;
    return false;
}

void jobs_stop(Campaign *campaign)
{
    campaign->stopped = true;
}

uint64_t jobs_end(Campaign *campaign)
{
    uint64_t count = 0;
    for (int i = 0; i < campaign->options->jobs; i++) {
        Job *job = &campaign->jobs[i];
        count += job->child.process != 0;
        child_kill(&job->child);
        (void)child_wait(&job->child);
    }
    return count;
}

void jobs_release(Campaign *campaign)
{
    for (int i = 0; i < campaign->options->jobs; i++) {
        Job *job = &campaign->jobs[i];
        child_kill(&job->child);
        (void)child_wait(&job->child);
        fork_server_end(&job->server);
        shared_destroy(job->shared);
        text_release(&job->unreadable);
    }
}

void jobs_signal(const Campaign *campaign, int signal)
{
    for (int i = 0; i < campaign->options->jobs; i++)
        child_signal(&campaign->jobs[i].child, signal);
    for (int i = 0; i < MINIMISERS; i++)
        child_signal(&campaign->minimisers[i].process, signal);
}
