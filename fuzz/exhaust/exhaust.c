/* Processes are started, listened to and replaced; a death is looked for among the inputs of its
 * block, in processes that try ever smaller ranges. */
#include "exhaust.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counter.h"
#include "fuzz/check/isolate.h"
#include "oracle/symptom.h"
#include "reference/child.h"
#include "reference/patience.h"

enum { JOBS_MAX = 64, POLL_MILLISECONDS = 20 };
/* Ranges that are divided for one death, and deaths in which no input alone does it before a
 * library is set aside. */
enum { DIVISIONS_MAX = 48, LOST_MAX = 3 };

typedef struct Job {
    Child child;
    CounterSetup setup;
    Patience patience;
    uint64_t *firsts;     /* the first inputs of its blocks, owned */
    uint64_t total, next; /* blocks, and the index of the one that it is at */
    bool hung, finished;
} Job;

typedef struct Exhaust {
    const ExhaustOptions *options;
    const Space *space;
    Store *store;
    int64_t sweep;
    ExhaustSummary *summary;
    Text *error;
    const char *backends[2];
    Job jobs[JOBS_MAX];
    int divisions, lost;
    uint64_t started;
} Exhaust;

static volatile sig_atomic_t interrupted;

static void note_signal(int signal)
{
    (void)signal;
    interrupted = 1;
}

/* The record of a departure whose texts are its cell's. */
static void put_departures(SweepBlock *block, const Tally *tally)
{
    for (int i = 0; i < tally->cell_count; i++) {
        const TallyCell *cell = &tally->cells[i];
        block->departures[block->departure_count++] = (SweepDeparture){
            cell->what, verdict_name(cell->kind), cell->count, cell->first, cell->worst,
            cell->ulps};
    }
}

static bool store_block(Exhaust *e, uint64_t first, const Tally *t, double seconds)
{
    SweepBlock block = {
        .number = first / e->space->block,
        .inputs = t->inputs,
        .right = t->right,
        .wrong = t->wrong,
        .undecided = t->undecided,
        .open = t->open,
        .unjudged = t->unjudged,
        .bins = t->bins,
        .worst_ulps = t->worst_ulps,
        .worst_input = t->worst_input,
        .seconds = seconds,
    };
    put_departures(&block, t);
    if (!store_put_sweep_block(e->store, e->sweep, &block, e->error))
        return false;
    e->summary->stored++;
    return true;
}

static bool start_job(Exhaust *e, Job *job)
{
    blackbox_seal(job->setup.box);
    job->setup.box->kernel_started = 0;
    job->setup.box->phase = PHASE_ENGINE;
    job->setup.box->fault_detail[0] = '\0';
    job->setup.box->executions = 0;
    job->hung = false;
    job->patience = (Patience){0};
    if (child_start(&job->child, counter_main, &job->setup))
        return true;
    text_printf(e->error, "cannot start a process: %s", strerror(errno));
    return false;
}

static void end_if_hung(const Exhaust *e, Job *job)
{
    if (job->hung || !patience_ends(&job->patience, job->child.process,
                                    blackbox_call(job->setup.box), e->options->deadline))
        return;
    job->hung = true;
    fault_end_hung(&job->child);
}

/* Runs a range alone, and adds its counts; false where its process ends before it told them, with
 * the end in detail. */
static bool count_alone(Exhaust *e, Job *job, uint64_t first, uint64_t size, Tally *tally,
                        double *seconds, char detail[96])
{
    Job alone = {.setup = job->setup};
    CounterMessage message;
    bool told = false;
    alone.setup.firsts = &first;
    alone.setup.count = 1;
    alone.setup.size = size;
    (void)snprintf(detail, 96, "no process");
    if (!start_job(e, &alone))
        return false;
    while (!child_is_over(&alone.child) || child_is_ready(&alone.child)) {
        struct pollfd ready = {.fd = alone.child.from, .events = POLLIN};
        end_if_hung(e, &alone);
        if (poll(&ready, 1, POLL_MILLISECONDS) <= 0)
            continue;
        size_t length = child_take(&alone.child, &message, sizeof message);
        if (length == 0)
            break;
        if (length != sizeof message || !counter_is_sound(&message, first, size))
            continue;
        if (message.word == COUNTER_RANGE && !told) {
            told = true;
            tally_add(tally, &message.tally);
            *seconds += message.seconds;
        }
    }
    fault_describe(detail, child_wait(&alone.child), alone.hung,
                   blackbox_is_whole(alone.setup.box) ? alone.setup.box->fault_detail
                                                      : BOX_OVERWRITTEN);
    return told;
}

/* Counts a range of which the process of a job died, by halves; what ends a process alone is a
 * departure. */
static void count_by_halves(Exhaust *e, Job *job, uint64_t first, uint64_t size, Tally *tally,
                            double *seconds)
{
    char detail[96];
    if (count_alone(e, job, first, size, tally, seconds, detail))
        return;
    e->summary->deaths++;
    if (size > 1 && e->divisions < DIVISIONS_MAX) {
        e->divisions++;
        count_by_halves(e, job, first, size / 2, tally, seconds);
        count_by_halves(e, job, first + size / 2, size / 2, tally, seconds);
        return;
    }
    Judgement j = {.kind = VERDICT_FAULT, .tier = TIER_CONTRACT};
    tally->inputs += size;
    tally->unjudged += size;
    e->lost += size > 1;
    tally_put_departure(tally, symptom_name(symptom_of(&j, detail)), VERDICT_FAULT, first, size,
                        -1);
}

/* Starts the process of a job at its present block. */
static bool start_at_next(Exhaust *e, Job *job)
{
    job->setup.firsts = job->firsts + job->next;
    job->setup.count = job->total - job->next;
    job->setup.size = e->space->block;
    return start_job(e, job);
}

/* The process of a job has ended, in the block that it was at or behind the last one. */
static bool bury(Exhaust *e, Job *job)
{
    (void)child_wait(&job->child);
    if (job->finished || interrupted || e->summary->stopped || job->next == job->total)
        return true;
    Tally tally = {0};
    double seconds = 0;
    uint64_t first = job->firsts[job->next];
    e->divisions = 0;
    count_by_halves(e, job, first, e->space->block, &tally, &seconds);
    if (!store_block(e, first, &tally, seconds))
        return false;
    job->next++;
    e->summary->aside = e->summary->aside || e->lost >= LOST_MAX;
    return e->summary->aside || job->next == job->total || start_at_next(e, job);
}

/* Takes a message; false where the database refuses.  One that is not sound ends the process. */
static bool hear(Exhaust *e, Job *job, bool *silent)
{
    CounterMessage message;
    size_t length = child_take(&job->child, &message, sizeof message);
    uint64_t first = job->next < job->total ? job->firsts[job->next] : e->space->count;
    *silent = length == 0;
    if (*silent)
        return true;
    if (length != sizeof message || !counter_is_sound(&message, first, e->space->block)) {
        child_kill(&job->child);
        *silent = true;
        return true;
    }
    if (message.word == COUNTER_DECLINED)
        memcpy(e->summary->declined, message.declined, sizeof message.declined);
    job->finished = job->finished || message.word == COUNTER_DECLINED;
    if (message.word != COUNTER_RANGE)
        return true;
    job->next++;
    return store_block(e, message.first, &message.tally, message.seconds);
}

static bool is_over(const Exhaust *e)
{
    double seconds = (double)(clock_nanoseconds() - e->started) * 1e-9;
    return interrupted || (e->options->seconds > 0 && seconds > e->options->seconds);
}

static bool is_running(const Exhaust *e)
{
    for (int i = 0; i < e->options->jobs; i++)
        if (e->jobs[i].child.process != 0)
            return true;
    return false;
}

static void show_progress(const Exhaust *e)
{
    static uint64_t shown;
    uint64_t now = clock_nanoseconds();
    if (e->options->quiet || !isatty(2) || now - shown < 500000000u)
        return;
    shown = now;
    (void)fprintf(stderr, "\r%s %s on %s: %llu of %llu blocks ", e->space->op->name,
                  dtype_name(e->space->dtype), e->options->backend,
                  (unsigned long long)e->summary->stored, (unsigned long long)e->summary->blocks);
}

static bool serve_job(Exhaust *e, Job *job)
{
    bool over = child_is_over(&job->child), silent = false;
    while (!silent && child_is_ready(&job->child))
        if (!hear(e, job, &silent))
            return false;
    return !over || bury(e, job);
}

static bool serve(Exhaust *e)
{
    struct pollfd ready[JOBS_MAX];
    int count = 0;
    for (int i = 0; i < e->options->jobs; i++)
        if (e->jobs[i].child.process != 0) {
            end_if_hung(e, &e->jobs[i]);
            ready[count++] = (struct pollfd){.fd = e->jobs[i].child.from, .events = POLLIN};
        }
    (void)poll(ready, (nfds_t)count, POLL_MILLISECONDS);
    show_progress(e);
    for (int i = 0; i < e->options->jobs; i++)
        if (e->jobs[i].child.process != 0 && !serve_job(e, &e->jobs[i]))
            return false;
    return true;
}

typedef struct Place {
    double distance; /* of its numbers from 1, in powers of two */
    uint64_t block;
} Place;

static int compare_places(const void *a, const void *b)
{
    const Place *x = a, *y = b;
    int by_distance = (x->distance > y->distance) - (x->distance < y->distance);
    return by_distance ? by_distance : (x->block > y->block) - (x->block < y->block);
}

/* Those with numbers of about 1 first, where functions change most: a run that is stopped early has
 * seen the most of them. */
static Place *order_blocks(const Space *space)
{
    uint64_t blocks = space->count / space->block;
    Place *places = memory_allocate(blocks, sizeof *places);
    for (uint64_t b = 0; b < blocks; b++) {
        double value = fabs(space_value(space, b * space->block, 0));
        bool ordinary = value > 0 && isfinite(value);
        places[b] = (Place){ordinary ? fabs(log2(value)) : INFINITY, b};
    }
    qsort(places, blocks, sizeof *places, compare_places);
    return places;
}

/* Gives the blocks that are not stored to the jobs in turn. */
static bool share_out(Exhaust *e)
{
    uint64_t blocks = e->space->count / e->space->block, turn = 0;
    uint8_t *done = memory_allocate(blocks, 1);
    Place *places = order_blocks(e->space);
    bool ok = store_sweep_done(e->store, e->sweep, done, blocks, e->error);
    for (uint64_t i = 0; ok && i < blocks; i++) {
        uint64_t b = places[i].block;
        if ((int64_t)(b % (uint64_t)e->options->shards) != e->options->shard - 1)
            continue;
        e->summary->blocks++;
        e->summary->stored += done[b];
        if (done[b])
            continue;
        Job *job = &e->jobs[turn++ % (uint64_t)e->options->jobs];
        if (!job->firsts)
            job->firsts = memory_allocate(blocks, sizeof *job->firsts);
        job->firsts[job->total++] = b * e->space->block;
    }
    free(places);
    free(done);
    return ok;
}

static bool start_all(Exhaust *e)
{
    for (int i = 0; i < e->options->jobs; i++) {
        Job *job = &e->jobs[i];
        job->setup.backends = e->backends;
        job->setup.space = e->space;
        job->setup.deadline = e->options->deadline;
        if (job->total == 0)
            continue;
        job->setup.box = blackbox_create();
        if (!job->setup.box)
            BUG("no shared memory");
        if (!start_at_next(e, job))
            return false;
    }
    return true;
}

static void catch_signals(bool begin)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    static struct sigaction before[COUNT_OF(signals)];
    const struct sigaction note = {.sa_handler = note_signal};
    for (size_t i = 0; i < COUNT_OF(signals); i++)
        (void)sigaction(signals[i], begin ? &note : &before[i], begin ? &before[i] : NULL);
}

static void end_all(Exhaust *e)
{
    for (int i = 0; i < e->options->jobs; i++) {
        Job *job = &e->jobs[i];
        child_kill(&job->child);
        (void)child_wait(&job->child);
        if (job->setup.box)
            blackbox_destroy(job->setup.box);
        free(job->firsts);
    }
}

bool exhaust_run(const ExhaustOptions *options, const Space *space, Store *store, int64_t sweep,
                 ExhaustSummary *summary, Text *error)
{
    REQUIRE(options->jobs >= 1 && options->jobs <= JOBS_MAX && options->shard >= 1 &&
            options->shard <= options->shards);
    Exhaust *e = memory_allocate(1, sizeof *e);
    *summary = (ExhaustSummary){0};
    *e = (Exhaust){.options = options,
                   .space = space,
                   .store = store,
                   .sweep = sweep,
                   .summary = summary,
                   .error = error,
                   .backends = {options->backend, NULL},
                   .started = clock_nanoseconds()};
    catch_signals(true);
    bool ok = share_out(e) && start_all(e);
    while (ok && is_running(e)) {
        ok = serve(e);
        summary->stopped = summary->stopped || is_over(e);
        for (int i = 0; (summary->stopped || summary->aside) && i < options->jobs; i++)
            child_kill(&e->jobs[i].child);
    }
    end_all(e);
    catch_signals(false);
    free(e);
    return ok;
}
