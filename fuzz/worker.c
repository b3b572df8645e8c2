/* The worker's side: everything that happens to one input. */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "feature.h"
#include "reports/signature.h"

static struct {
    const WorkerSetup *setup;
    Checker checker;
    uint64_t idle_since;
    int keep; /* file of cases with new features, or -1 */
} worker;

bool worker_should_stop(void)
{
    return worker.setup->box->stop != 0;
}

/* Hits are counted in shared memory; the first few carry their case to the supervisor. */
static void report_finding(const Case *c, const CheckResult *result)
{
    Text raw = {0};
    const char *backend = worker.checker.backends[result->backend].name;
    signature_raw(&raw, c, backend, &result->judgement, result->detail);
    uint64_t key = signature_hash(text_string(&raw));
    text_release(&raw);
    if (blackbox_hit(worker.setup->box, key) >= MESSAGES_PER_RAW)
        return;
    FindingMessage message = {*c, *result, key};
    if (write(worker.setup->messages, &message, sizeof message) != (ssize_t)sizeof message)
        _exit(1);
}

bool worker_looks_ahead(void)
{
    bool any = false;
    for (int i = 0; i < worker.checker.backend_count; i++)
        any = any || worker.checker.backends[i].kind->expect;
    return any;
}

bool worker_expect_case(const uint8_t *bytes, size_t size)
{
    Case c;
    case_decode(&c, &worker.setup->options->scope, bytes, size);
    return checker_expect(&worker.checker, &c);
}

/* In one write, so that the lines of all workers stay whole. */
static void keep_case(const Case *c)
{
    Text line = {0};
    case_print(c, &line);
    text_put(&line, "\n");
    if (write(worker.keep, text_string(&line), line.length) != (ssize_t)line.length)
        _exit(1);
    text_release(&line);
}

int worker_case(const uint8_t *bytes, size_t size, Case *made)
{
    CheckResult results[BOX_BACKENDS_MAX];
    BlackBox *box = worker.setup->box;
    uint64_t now = clock_nanoseconds();
    box->nanoseconds[PHASE_ENGINE] += worker.idle_since ? now - worker.idle_since : 0;
    case_decode(made, &worker.setup->options->scope, bytes, size);
    uint64_t decoded = clock_nanoseconds();
    box->nanoseconds[PHASE_FILL] += decoded - now;
    int count = checker_run(&worker.checker, made, -1, results);
    worker.idle_since = clock_nanoseconds();
    for (int i = 0; i < count; i++)
        if (verdict_is_finding(results[i].judgement.kind))
            report_finding(made, &results[i]);
    int fresh = feature_report(made, results, count);
    atomic_fetch_add(&box->features, (uint64_t)fresh);
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
        uint64_t number = (uint64_t)setup->index +
                          (uint64_t)o->jobs * atomic_fetch_add(&setup->box->seed_number, 1);
        if (number >= o->seeds->count || worker_should_stop())
            break;
        text_clear(&bytes);
        case_encode(&o->seeds->entries[number].c, &bytes);
        (void)worker_case((const uint8_t *)bytes.data, bytes.length, &made);
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

_Noreturn void worker_main(const WorkerSetup *setup)
{
    Text error = {0};
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTERM, SIG_DFL);
    worker.setup = setup;
    feature_remember(setup->box->seen);
    if (!checker_open(&worker.checker, setup->box, setup->options->backends, &error)) {
        (void)snprintf(setup->box->open_error, sizeof setup->box->open_error, "%s",
                       text_string(&error));
        _exit(3);
    }
    const char *keep = setup->options->keep;
    worker.keep = keep ? open(keep, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (keep && worker.keep < 0) {
        (void)snprintf(setup->box->open_error, sizeof setup->box->open_error, "--keep %s: %s", keep,
                       strerror(errno));
        _exit(3);
    }
    checker_set_deadline(&worker.checker, setup->options->deadline);
    backend_lend_dgemm(lender_of(setup));
    checker_watch(&worker.checker);
    checker_limit_memory();
    run_seeds(setup);
    if (setup->options->engine == ENGINE_RANDOM)
        engine_random(setup);
    else
        engine_libfuzzer(setup);
    _exit(0);
}
