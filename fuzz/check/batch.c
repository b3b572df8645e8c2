/* Results are handed back through shared memory, as far as the child that made them came.  The size
 * of a batch follows from how the latest one ended. */
#include "batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "isolate.h"
#include "leftovers.h"
#include "reference/child.h"

enum {
    BATCH_MAX = 256,
    SIZE_FIRST = 32,
    AHEAD = 64,        /* cases that libraries in processes of their own are told of in advance */
    DEADLINE_PART = 4, /* of the deadline, after which a call is tried alone */
    UNSETTLED = 86     /* exit status where a case may have left something */
};

typedef struct Results {
    CheckResult of[BOX_BACKENDS_MAX];
} Results;

typedef struct Shared {
    BlackBox box;
    Results results[BATCH_MAX];
    _Atomic size_t done; /* cases whose results are there */
} Shared;

typedef struct Batch {
    Checker *checker;
    const Case *const *cases;
    size_t count;
    uint64_t deadline;
    BatchTake *take;
    void *context;
    Shared *shared;
    size_t size;         /* of the next batch; 1: a case alone */
    size_t first;        /* case that the present one begins with */
    Case *copies;        /* of the cases of the present one, which alone a child has */
    size_t expected;     /* the first case that was not announced */
    bool forks, expects; /* some backends run in a child of ours, or in processes of their own */
} Batch;

/* How a batch ended, after the cases that are done. */
typedef enum End { END_COMPLETE, END_UNSETTLED, END_DEATH } End;

static Checker *running;
static Shared *written; /* by the child */

static const char *is_elsewhere(const Case *c, int backend)
{
    (void)c;
    return running->backends[backend].kind->expect ? "" : NULL;
}

static const char *is_here(const Case *c, int backend)
{
    (void)c;
    return running->backends[backend].kind->expect ? NULL : "";
}

/* Puts results in the places of their backends; where one was not asked, the place says that it was
 * avoided. */
static void put_results(Results *to, const Checker *checker, const CheckResult *results, int count)
{
    for (int b = 0; b < checker->backend_count; b++)
        to->of[b] = (CheckResult){.backend = b, .avoided = true};
    for (int i = 0; i < count; i++)
        to->of[results[i].backend] = results[i];
}

/* How many cases the next batch has. */
static size_t next_size(const Batch *batch)
{
    size_t left = batch->count - batch->first;
    return batch->size < left ? batch->size : left;
}

/* Threads that a library starts for a case stay behind it. */
static bool leaves_nothing(const Case *c)
{
    return c->exec.threads == 1;
}

/* A kernel that wrote over the record may have written over results. */
static void forget_results(void)
{
    written->done = 0;
}

static int run_child(const void *context, int to)
{
    const Batch *batch = context;
    Shared *shared = batch->shared;
    CheckResult results[BOX_BACKENDS_MAX];
    isolated_begin(batch->checker, &shared->box, to, (AloneMemory){shared, sizeof *shared},
                   forget_results);
    batch->checker->is_avoided = is_elsewhere;
    for (size_t i = 0; i < next_size(batch); i++) {
        const Case *c = &batch->copies[i];
        bool together = leaves_nothing(c);
        int count = together ? checker_run(batch->checker, c, -1, results) : 0;
        if (together)
            isolated_use_heap();
        if (together && leftovers_exist())
            return UNSETTLED;
        put_results(&shared->results[i], batch->checker, results, count);
        shared->done = i + 1;
    }
    return 0;
}

/* Runs a batch behind one fork.  Of one whose record was written over nothing is left. */
static End run_together(Batch *batch, size_t *done)
{
    Shared *shared = batch->shared;
    Child child;
    int status;
    isolated_reset(&shared->box);
    shared->done = 0;
    running = batch->checker;
    written = shared;
    if (!child_start(&child, run_child, batch))
        BUG("fork: %s", strerror(errno));
    bool hung = isolated_wait(&child, &shared->box, batch->deadline / DEADLINE_PART, &status);
    bool whole = blackbox_is_whole(&shared->box);
    bool left = !hung && whole && WIFEXITED(status);
    *done = whole && shared->done <= BATCH_MAX ? shared->done : 0;
    if (left && WEXITSTATUS(status) == 0 && *done == next_size(batch))
        return END_COMPLETE;
    return left && WEXITSTATUS(status) == UNSETTLED ? END_UNSETTLED : END_DEATH;
}

/* Runs a case alone on the backends of this process that gave no clear result; true where one of
 * them ends the process. */
static bool run_alone(const Batch *batch, size_t number, Results *results)
{
    bool dies = false;
    for (int b = 0; b < batch->checker->backend_count; b++) {
        CheckResult *result = &results->of[b];
        bool clear = !result->avoided && !verdict_is_finding(result->judgement.kind);
        if (batch->checker->backends[b].kind->expect || clear)
            continue;
        isolated_run(batch->checker, &batch->copies[number - batch->first], b, batch->deadline,
                     result);
        dies = dies || result->judgement.kind == VERDICT_FAULT;
    }
    return dies;
}

static void announce(Batch *batch, size_t number)
{
    size_t end = number + AHEAD < batch->count ? number + AHEAD : batch->count;
    batch->expected = batch->expected > number ? batch->expected : number;
    while (batch->expected < end && checker_expect(batch->checker, batch->cases[batch->expected]))
        batch->expected++;
}

/* The backends that run in processes of their own, where no other case is ended by a death. */
static void run_elsewhere(Batch *batch, size_t number, Results *results)
{
    enum { ANNOUNCE_STEP = 8 };
    Checker *checker = batch->checker;
    CheckResult there[BOX_BACKENDS_MAX] = {0};
    if (!batch->expects)
        return;
    if (number % ANNOUNCE_STEP == 0)
        announce(batch, number);
    running = checker;
    checker->is_avoided = is_here;
    int count = checker_run(checker, batch->cases[number], -1, there);
    checker->is_avoided = NULL;
    for (int i = 0; i < count; i++)
        if (!there[i].avoided)
            results->of[there[i].backend] = there[i];
    for (int b = 0; b < checker->backend_count; b++)
        if (checker->backends[b].kind->expect && results->of[b].avoided)
            isolated_run(checker, batch->cases[number], b, batch->deadline, &results->of[b]);
}

static void hand_on(Batch *batch, size_t number, Results *results)
{
    run_elsewhere(batch, number, results);
    batch->take(batch->context, number, results->of);
}

/* Runs the next cases, and where one of them ended the batch that one alone.  Where it does not die
 * then, any of those before may have been the one: each is run alone. */
static void run_next(Batch *batch)
{
    size_t wanted = next_size(batch), done = 0;
    for (size_t i = 0; i < wanted; i++)
        case_copy(&batch->copies[i], batch->cases[batch->first + i]);
    End end = wanted > 1 ? run_together(batch, &done) : END_UNSETTLED;
    bool ended_early = done < wanted, dies = false;
    Results alone = {0};
    put_results(&alone, batch->checker, NULL, 0);
    if (ended_early)
        dies = run_alone(batch, batch->first + done, &alone);
    for (size_t i = 0; i < done; i++) {
        Results *results = &batch->shared->results[i];
        if (end == END_DEATH && !dies)
            put_results(results, batch->checker, NULL, 0);
        (void)run_alone(batch, batch->first + i, results);
        hand_on(batch, batch->first + i, results);
    }
    if (ended_early)
        hand_on(batch, batch->first + done, &alone);
    batch->first += ended_early ? done + 1 : done;
    batch->size = end == END_COMPLETE || (wanted == 1 && !dies) ? 2 * batch->size : done + 1;
    batch->size = batch->size < BATCH_MAX ? batch->size : BATCH_MAX;
}

/* Runs cases on backends none of which runs in this process. */
static void run_all_elsewhere(Batch *batch)
{
    Results results = {0};
    for (size_t i = 0; i < batch->count; i++) {
        put_results(&results, batch->checker, NULL, 0);
        hand_on(batch, i, &results);
    }
}

void batch_run(Checker *checker, const Case *const *cases, size_t count, uint64_t deadline,
               BatchTake *take, void *context)
{
    Batch batch = {.checker = checker,
                   .cases = cases,
                   .count = count,
                   .deadline = deadline,
                   .take = take,
                   .context = context,
                   .size = SIZE_FIRST,
                   .copies = memory_allocate(BATCH_MAX, sizeof(Case))};
    for (int b = 0; b < checker->backend_count; b++) {
        batch.expects = batch.expects || checker->backends[b].kind->expect;
        batch.forks = batch.forks || !checker->backends[b].kind->expect;
    }
    batch.shared =
        mmap(NULL, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (batch.shared == MAP_FAILED)
        BUG("no shared memory");
    checker_set_deadline(checker, deadline);
    if (!batch.forks)
        run_all_elsewhere(&batch);
    while (batch.forks && batch.first < count)
        run_next(&batch);
    (void)munmap(batch.shared, sizeof(Shared));
    free(batch.copies);
}
