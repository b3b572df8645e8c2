/* Cases are run alone, and then many times in one process: what was overwritten shows when it is
 * used. */
#include "blame.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/check/capture.h"
#include "fuzz/check/isolate.h"
#include "reference/alone.h"
#include "reference/child.h"

enum { TIMES = 32, SECONDS_MAX = 2, MILLISECONDS_MAX = 10000 };

static const char *is_always_avoided(const Case *c, int backend)
{
    (void)c;
    (void)backend;
    return "";
}

typedef struct Repetition {
    Checker *checker;
    const Case *c;
} Repetition;

static int run_often(const void *context, int to)
{
    const Repetition *repetition = context;
    const struct rlimit limit = {SECONDS_MAX, SECONDS_MAX};
    CheckResult results[BOX_BACKENDS_MAX];
    alone_begin(to, (AloneMemory){0});
    (void)alone_hold_signals();
    (void)setrlimit(RLIMIT_CPU, &limit);
    checker_watch(repetition->checker);
    checker_limit_memory();
    for (int i = 0; i < TIMES; i++) {
        (void)checker_run(repetition->checker, repetition->c, 0, results);
        isolated_use_heap();
    }
    return alone_ring("", 1) ? 0 : 1;
}

/* Whether many runs of the case in one process end it before their last; what takes too long does
 * not count. */
static bool dies_in_the_end(Checker *checker, const Case *c, CheckResult *result)
{
    Child child;
    char last;
    checker->box->fault_detail[0] = '\0';
    if (!child_start(&child, run_often, &(Repetition){checker, c}))
        return false;
    bool done = child_read(&child, &last, 1, MILLISECONDS_MAX) == 1;
    child_kill(&child);
    int status = child_wait(&child);
    if (done ||
        (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)))
        return false;
    *result = (CheckResult){.judgement.kind = VERDICT_FAULT, .judgement.tier = TIER_CONTRACT};
    fault_describe(result->detail, status, false, checker->box->fault_detail);
    return true;
}

static bool overwrites(const CheckResult *result)
{
    const char *outside = breach_text(BREACH_OUTSIDE);
    VerdictKind kind = result->judgement.kind;
    return (kind == VERDICT_FAULT && strcmp(result->detail, "hang") != 0) ||
           (kind == VERDICT_CONTRACT && !strncmp(result->detail, outside, strlen(outside)));
}

static bool is_to_blame(Checker *checker, const Case *c, uint64_t deadline, CheckResult *result)
{
    CheckResult without;
    isolated_run(checker, c, 0, deadline, result);
    if (!overwrites(result) && !dies_in_the_end(checker, c, result))
        return false;
    checker->is_avoided = is_always_avoided;
    isolated_run(checker, c, 0, deadline, &without);
    bool survives = !overwrites(&without) && !dies_in_the_end(checker, c, &without);
    checker->is_avoided = NULL;
    return survives;
}

/* The case of so many cases ago, or NULL. */
static const Case *case_before(const BlackBox *box, unsigned ago)
{
    return ago < BOX_RECENT && ago < box->recent_count
               ? &box->recent[(box->recent_count - 1 - ago) % BOX_RECENT]
               : NULL;
}

typedef struct Search {
    const BlackBox *box;
    const CampaignOptions *options;
    uint32_t aside;
} Search;

static bool search_backend(const Search *search, int backend, FindingMessage *message)
{
    const char *names[] = {search->options->backends[backend], NULL};
    const Case *c;
    Checker checker;
    Text error = {0};
    bool found = false;
    bool open = checker_open(&checker, blackbox_create(), names, &error);
    for (unsigned ago = 0;
         open && !found && !checker.backends[0].kind->expect && (c = case_before(search->box, ago));
         ago++) {
        message->c = *c;
        found = is_to_blame(&checker, c, search->options->deadline, &message->result);
    }
    message->result.backend = backend;
    blackbox_destroy(checker.box);
    checker_close(&checker);
    text_release(&error);
    return found;
}

static int search_child(const void *context, int to)
{
    const Search *search = context;
    FindingMessage message = {0};
    checker_stand_alone(search->options->backends, to, search->box);
    if (!search->options->verbose)
        capture_stay();
    for (int i = 0; search->options->backends[i]; i++)
        if (!(search->aside >> i & 1) && search_backend(search, i, &message))
            return write(to, &message, sizeof message) == (ssize_t)sizeof message ? 0 : 1;
    return 0;
}

bool blame_kernel(const BlackBox *box, const CampaignOptions *options, uint32_t aside,
                  FindingMessage *message)
{
    Child child;
    if (!child_start(&child, search_child, &(Search){box, options, aside}))
        return false;
    bool found = child_read(&child, message, sizeof *message, -1) == sizeof *message;
    (void)child_wait(&child);
    return found;
}
