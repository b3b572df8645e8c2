/* Each input is decoded and checked, its findings are sent, its features are counted. */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/check/aftermath.h"
#include "fuzz/check/capture.h"
#include "fuzz/check/isolate.h"
#include "fuzz/check/leftovers.h"
#include "fuzz/check/take.h"
#include "later.h"
#include "ops/backend/blas/dgemm_lender.h"
#include "ops/case/drawn.h"
#include "ops/case/large.h"
#include "reference/alone.h"
#include "reference/confine.h"
#include "reference/fork_server.h"
#include "reference/random.h"
#include "reports/store/signature.h"

/* After so many cases the heap is used, so that one that was overwritten shows soon. */
enum { HEAP_CASES = 4 };
/* Operations that take some hundredths of the least time after which a call is taken for one that
 * hangs. */
enum { LITTLE_WORK = 2000000 };

static struct {
    const WorkerSetup *setup;
    Checker checker;
    Scope scope; /* what the libraries of the checker take of that of the setup */
    uint64_t idle_since;
    int keep;         /* file of cases with new features, or -1 */
    uint64_t avoided; /* executions that a known fault would have ended */
    /* The shared memory is told them, and not asked again: a kernel may write over it. */
    uint64_t seed_number, case_number, cases;
    bool serves; /* it runs no case itself */
    Drawn drawn;
} worker;

static bool should_stop(void)
{
    return worker.setup->shared->stop == TOLD;
}

static bool should_stop_libfuzzer(void)
{
    const WorkerSetup *setup = worker.setup;
    return should_stop() ||
           (setup->end_case && worker.cases + (uint64_t)setup->restarts >= setup->end_case);
}

/* Faults that are known may take one part in DEATH_SHARE of the time. */
static bool has_time_to_die(void)
{
    enum { DEATH_SHARE = 100 };
    const Shared *shared = worker.setup->shared;
    return DEATH_SHARE * shared->replacing < clock_nanoseconds() - shared->begun;
}

static const char *is_avoided(const Case *c, int backend)
{
    Shared *shared = worker.setup->shared;
    if (shared->aside >> backend & 1)
        return DECLINED_ASIDE;
    bool due = false;
    AvoidUse use = avoid_matches(&shared->avoid, c, backend, &worker.avoided, &due);
    if (due && has_time_to_die())
        return NULL;
    return use == AVOID_EARLY ? DECLINED_EARLY : use == AVOID_FILED ? DECLINED_FAULT : NULL;
}

static void note_draw(const OpDesc *op, int backend, const char *reason, bool taken)
{
    declines_count(&worker.setup->shared->redrawn, op, backend, reason, taken);
}

static void send_message(const FindingMessage *message)
{
    if (!alone_ring(message, sizeof *message))
        _exit(1);
}

/* How far the process has come. */
static void tell_place(Shared *shared)
{
    shared->seed_number = worker.seed_number;
    shared->case_number = worker.case_number;
}

/* What the last calls left behind, such as a thread, may still end the process: then it has not
 * left.
 */
static _Noreturn void leave(void)
{
    tell_place(worker.setup->shared);
    isolated_use_heap();
    leftovers_settle();
    aftermath_check_record(&worker.checker);
    send_message(&(FindingMessage){.done = getpid()});
    _exit(0);
}

/* The kernels' calls of exit end the process as those of _exit do, before functions of libraries
 * and of the engine run, which may set another status. */
static void leave_by_exit(int status, void *ignored)
{
    (void)ignored;
    _exit(status);
}

/* Known faults are told again to the worker that comes next. */
static void repair_shared(void)
{
    Shared *shared = worker.setup->shared;
    memset(shared, 0, sizeof *shared);
    shared->begun = clock_nanoseconds();
    tell_place(shared);
}

/* Hits are counted in shared memory; the first few carry their case to the supervisor. */
static void report_finding(const Case *c, const CheckResult *result)
{
    Text raw = {0};
    const char *backend = worker.checker.backends[result->backend].name;
    signature_raw(&raw, c, backend, &result->judgement, result->detail);
    uint64_t key = shared_key(text_string(&raw), result->backend);
    text_release(&raw);
    bool later = shared_hit(worker.setup->shared, key) >= MESSAGES_PER_RAW;
    bool unlike =
        later_may_hide(&result->judgement) && later_is_unlike(&worker.setup->shared->known, key, c);
    if (!later || unlike)
        send_message(&(FindingMessage){*c, *result, key, 0, later, worker.cases});
}

static bool looks_ahead(void)
{
    bool any = false;
    for (int i = 0; i < worker.checker.backend_count; i++)
        any = any || worker.checker.backends[i].kind->expect;
    return any;
}

static bool expect_case(const uint8_t *bytes, size_t size)
{
    Case c;
    case_decode(&c, &worker.scope, bytes, size);
    return checker_expect(&worker.checker, &c);
}

/* In one write, so that the lines of all workers stay whole.  None are kept after one that was not
 * written. */
static void keep_case(const Case *c)
{
    Text line = {0};
    case_print(c, &line);
    text_put(&line, "\n");
    ssize_t written = write(worker.keep, text_string(&line), line.length);
    if (written != (ssize_t)line.length) {
        worker.setup->shared->keep_error = written < 0 ? errno : ENOSPC;
        worker.keep = -1;
    }
    text_release(&line);
}

/* A server that has ended is started again by the supervisor, for the worker that comes next. */
static bool has_lost_server(void)
{
    bool any = false;
    for (int i = 0; i < worker.checker.backend_count; i++) {
        const BackendKind *kind = worker.checker.backends[i].kind;
        any = any || (kind->met_lost && kind->met_lost());
    }
    return any;
}

/* Waits while the supervisor looks whether what was filed ends the campaign: that is no time of the
 * engine's. */
static void wait_while_held(void)
{
    enum { MICROSECONDS = 1000 };
    const Shared *shared = worker.setup->shared;
    if (shared->hold != TOLD)
        return;
    while (shared->hold == TOLD && shared->stop != TOLD && shared->recalled != TOLD)
        (void)usleep(MICROSECONDS);
    worker.idle_since = worker.idle_since ? clock_nanoseconds() : 0;
}

/* Where a number of cases ends the campaign, the same seed gives the same ones. */
static void pace_large(const Case *c, uint64_t now)
{
    const CampaignOptions *o = worker.setup->options;
    Pace *pace = &worker.setup->shared->pace;
    if (o->scope.large == 0)
        return;
    pace_begin(pace, c, now);
    if (o->cases == 0)
        worker.scope.large = pace_one_in(pace, o->scope.large);
}

static int run_case(const uint8_t *bytes, size_t size, Case *made)
{
    CheckResult results[BOX_BACKENDS_MAX];
    Shared *shared = worker.setup->shared;
    BlackBox *box = &shared->box;
    wait_while_held();
    uint64_t now = clock_nanoseconds();
    if (worker.idle_since == 0)
        (void)on_exit(leave_by_exit, NULL);
    shared->replacing += shared->ended ? now - shared->ended : 0;
    shared->ended = 0;
    box->nanoseconds[PHASE_ENGINE] += worker.idle_since ? now - worker.idle_since : 0;
    case_decode(made, &worker.scope, bytes, size);
    pace_large(made, now);
    tell_place(shared);
    worker.cases++;
    shared->little = case_work(made) < LITTLE_WORK;
    uint64_t decoded = clock_nanoseconds();
    box->nanoseconds[PHASE_FILL] += decoded - now;
    int count = checker_run(&worker.checker, made, -1, results);
    /* What it says of the supervisor's wishes may have been written over. */
    aftermath_check_record(&worker.checker);
    shared->lost = has_lost_server();
    if (shared->recalled == TOLD || shared->lost)
        _exit(1);
    if (box->recent_count % HEAP_CASES == 0)
        isolated_use_heap();
    shared->products_lent = dgemm_lent_products();
    worker.idle_since = clock_nanoseconds();
    for (int i = 0; i < count; i++) {
        if (verdict_is_finding(results[i].judgement.kind))
            report_finding(made, &results[i]);
        if (results[i].judgement.kind == VERDICT_DECLINED)
            declines_count(&shared->declines, made->op, results[i].backend, results[i].detail,
                           false);
    }
    /* Large cases are worth no place in a corpus that is run again and again. */
    int fresh = large_is(made) ? 0 : feature_report(made, results, count);
    atomic_fetch_add(&shared->features, (uint64_t)fresh);
    if (fresh > 0 && worker.keep >= 0)
        keep_case(made);
    return fresh;
}

/* This job's share of the seeds; one that ends the process is not met again. */
static void run_seeds(const WorkerSetup *setup)
{
    const CampaignOptions *o = setup->options;
    Text bytes = {0};
    Case made;
    for (;;) {
        uint64_t number = (uint64_t)setup->index + (uint64_t)o->jobs * worker.seed_number++;
        if (number >= o->seeds->count || should_stop())
            break;
        text_clear(&bytes);
        case_encode(&o->seeds->entries[number].c, &bytes);
        (void)run_case((const uint8_t *)bytes.data, bytes.length, &made);
    }
    text_release(&bytes);
}

/* The first backend whose device lends products, where cases are large enough for one. */
static const Backend *lender_of(const WorkerSetup *setup)
{
    for (int i = 0; i < worker.checker.backend_count && setup->options->scope.scale > 1; i++)
        if (worker.checker.backends[i].kind->lender)
            return &worker.checker.backends[i];
    return NULL;
}

static EngineHost host_of(const WorkerSetup *setup)
{
    const CampaignOptions *o = setup->options;
    return (EngineHost){
        .scope = &worker.scope,
        .seed = o->seed,
        .without = o->without,
        .should_stop = o->engine == ENGINE_LIBFUZZER ? should_stop_libfuzzer : should_stop,
        .leave = leave,
        .run_case = run_case,
        .expect_case = looks_ahead() ? expect_case : NULL,
        .case_number = &worker.case_number,
        .case_step = (uint64_t)o->jobs,
        .case_end = setup->end_case,
        .stream = random_at(o->seed, (uint64_t)setup->index * 100000u + (uint64_t)setup->restarts),
        .corpus = o->corpus,
        .verbose = o->verbose,
        .schedule = &setup->shared->schedule,
    };
}

static _Noreturn void refuse(const WorkerSetup *setup, const char *reason)
{
    /* Beside a server another worker uses that memory. */
    if (!worker.serves)
        (void)snprintf(setup->shared->open_error, sizeof setup->shared->open_error, "%s", reason);
    _exit(3);
}

/* Before the process is kept from files. */
static void open_keep(const WorkerSetup *setup)
{
    const char *keep = setup->options->keep;
    worker.keep = keep ? open(keep, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (worker.keep >= 0)
        alone_keep(worker.keep);
    if (!keep || worker.keep >= 0)
        return;
    Text error = {0};
    text_printf(&error, "--keep %s: %s", keep, strerror(errno));
    refuse(setup, text_string(&error));
}

/* Gives up what kernels must not have, and opens the libraries. */
static void prepare(const WorkerSetup *setup, int bell)
{
    Text error = {0};
    open_keep(setup);
    confine_allow(setup->options->corpus);
    checker_stand_alone(setup->options->backends, bell, &setup->shared->box);
    if (!setup->options->verbose)
        capture_stay();
    feature_remember(setup->shared->seen);
    if (!checker_open_but(&worker.checker, &setup->shared->box, setup->options->backends,
                          setup->shared->aside, &error))
        refuse(setup, text_string(&error));
    worker.checker.is_avoided = is_avoided;
    worker.checker.note_draw = note_draw;
    worker.checker.drawn = true;
    worker.checker.changes = setup->options->compares ? &setup->shared->changes : NULL;
    worker.checker.repair = repair_shared;
    worker.scope = setup->options->scope;
    worker.scope.takes = checker_takes;
    worker.scope.taker = &worker.checker;
    worker.drawn.takes_none = checker_takes_none;
    worker.scope.drawn = &worker.drawn;
}

static _Noreturn void work(const WorkerSetup *setup, int messages)
{
    /* What a kernel writes there does not run together with our messages. */
    (void)fcntl(messages, F_SETFL, O_DIRECT);
    worker.setup = setup;
    worker.seed_number = setup->shared->seed_number;
    worker.case_number = setup->shared->case_number;
    worker.cases = setup->shared->box.cases;
    checker_set_deadline(&worker.checker, setup->options->deadline);
    dgemm_lend(lender_of(setup));
    checker_watch(&worker.checker);
    checker_limit_memory();
    run_seeds(setup);
    if (setup->options->only_seeds)
        leave();
    EngineHost host = host_of(setup);
    if (setup->options->engine == ENGINE_RANDOM)
        engine_random(&host);
    else
        engine_libfuzzer(&host);
    leave();
}

int worker_main(const void *context, int messages)
{
    const WorkerSetup *setup = context;
    prepare(setup, messages);
    work(setup, messages);
}

bool worker_may_be_forked(const CampaignOptions *options)
{
    bool any = false;
    for (const char *const *name = options->backends; *name; name++)
        any = any || backend_kind(*name)->expect;
    return !any;
}

int worker_serve(const void *context, int control)
{
    WorkerSetup setup = *(const WorkerSetup *)context;
    worker.serves = true;
    prepare(&setup, control);
    if (leftovers_exist())
        _exit(3);
    int none, messages = fork_server_serve(control, &setup.restarts, sizeof setup.restarts, &none);
    worker.serves = false;
    alone_move(messages);
    checker_confine(setup.options->backends);
    work(&setup, messages);
}
