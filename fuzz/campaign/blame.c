/* Cases are run alone, many times in one process, and one after another as they came: what was
 * overwritten shows when it is used. */
#include "blame.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/check/aftermath.h"
#include "fuzz/check/capture.h"
#include "fuzz/check/isolate.h"
#include "fuzz/check/leftovers.h"
#include "reference/alone.h"
#include "reference/child.h"
#include "reference/confine.h"
#include "untrusted.h"

enum { TIMES = 32, SECONDS_MAX = 2, MILLISECONDS_MAX = 10000 };

static const char *is_always_avoided(const Case *c, int backend)
{
    (void)c;
    (void)backend;
    return "";
}

/* The first thing that a process does in which kernels are to show what they do. */
static void begin_trial(Checker *checker, int bell)
{
    const struct rlimit limit = {SECONDS_MAX, SECONDS_MAX};
    alone_begin(bell, (AloneMemory){0});
    confine_begin();
    (void)setrlimit(RLIMIT_CPU, &limit);
    checker_watch(checker);
    checker_limit_memory();
}

typedef struct Repetition {
    Checker *checker;
    const Case *c;
} Repetition;

static int run_often(const void *context, int to)
{
    const Repetition *repetition = context;
    CheckResult results[BOX_BACKENDS_MAX];
    begin_trial(repetition->checker, to);
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
    blackbox_seal(checker->box);
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
    return (kind == VERDICT_FAULT && !fault_is_hang(result)) ||
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

typedef struct Sequence {
    Checker *checker;
    const Case *const *cases;
    size_t count;
} Sequence;

static int run_sequence(const void *context, int to)
{
    const Sequence *sequence = context;
    CheckResult results[BOX_BACKENDS_MAX];
    begin_trial(sequence->checker, to);
    for (size_t i = 0; i < sequence->count; i++)
        (void)checker_run(sequence->checker, sequence->cases[i], 0, results);
    isolated_use_heap();
    leftovers_settle();
    isolated_use_heap();
    if (!blackbox_is_whole(sequence->checker->box)) {
        aftermath_restore(sequence->checker);
        return 1;
    }
    return alone_ring("", 1) ? 0 : 1;
}

/* Whether a process ends that runs the cases one after another; what takes too long does not
 * count. */
static bool dies(Checker *checker, const Case *const *cases, size_t count, CheckResult *result)
{
    Child child;
    char last;
    checker->box->fault_detail[0] = '\0';
    blackbox_seal(checker->box);
    if (!child_start(&child, run_sequence, &(Sequence){checker, cases, count}))
        return false;
    bool done = child_read(&child, &last, 1, MILLISECONDS_MAX) == 1;
    bool late = !done && !child_is_ready(&child) && !child_is_over(&child);
    child_kill(&child);
    int status = child_wait(&child);
    if (done || late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
        return false;
    *result = (CheckResult){.judgement.kind = VERDICT_FAULT, .judgement.tier = TIER_CONTRACT};
    fault_describe(result->detail, status, false, checker->box->fault_detail);
    return true;
}

/* The cases of an operator, in their order. */
static size_t select_op(const Case *const *cases, size_t count, const OpDesc *op,
                        const Case **selected)
{
    size_t number = 0;
    for (size_t i = 0; i < count; i++)
        if (cases[i]->op == op)
            selected[number++] = cases[i];
    return number;
}

/* Leaves the cases of one operator that alone end a process; 0 where there is none.  The latest
 * operators come first. */
static size_t narrow_to_op(Checker *checker, const Case *const *cases, size_t count,
                           const Case **selected, CheckResult *result)
{
    for (size_t i = count; i-- > 0;) {
        bool tried = false;
        for (size_t k = i + 1; k < count && !tried; k++)
            tried = cases[k]->op == cases[i]->op;
        size_t number = tried ? 0 : select_op(cases, count, cases[i]->op, selected);
        if (number > 0 && dies(checker, selected, number, result))
            return number;
    }
    return 0;
}

/* Halves the cases of one operator as long as one half ends a process; the place of the latest. */
static const Case *narrow_to_case(Checker *checker, const Case *const *cases, size_t count,
                                  CheckResult *result)
{
    while (count > 1) {
        size_t half = count / 2;
        bool second = dies(checker, cases + half, count - half, result);
        if (!second && !dies(checker, cases, half, result))
            break;
        cases += second ? half : 0;
        count = second ? count - half : half;
    }
    return cases[count - 1];
}

typedef struct Search {
    const BlackBox *box;
    const CampaignOptions *options;
    uint32_t aside;
    char end[96];                  /* how the process ended */
    const Case *cases[BOX_RECENT]; /* those that a backend was called for, the oldest first */
    size_t count;
} Search;

/* same_end: a process that only these kernels were called in ended as that one did. */
typedef struct Answer {
    Blame blame;
    bool same_end;
    FindingMessage message;
} Answer;

static bool ends_alike(const Search *search, const CheckResult *result)
{
    return !strncmp(result->detail, search->end, strlen(search->end));
}

/* One operator ends the process, whether or not one of its calls alone does. */
static bool search_cases(const Search *search, Checker *checker, Answer *answer)
{
    const Case *selected[BOX_RECENT];
    CheckResult together, *result = &answer->message.result;
    if (!dies(checker, search->cases, search->count, &together))
        return false;
    answer->blame = BLAME_LIBRARY;
    answer->same_end = ends_alike(search, &together);
    size_t count = narrow_to_op(checker, search->cases, search->count, selected, &together);
    if (count == 0)
        return true;
    answer->blame = BLAME_OTHER;
    answer->message.c = *narrow_to_case(checker, selected, count, &together);
    if (!is_to_blame(checker, &answer->message.c, search->options->deadline, result))
        *result = together;
    return true;
}

/* A kernel may overwrite what only its own checks see. */
static bool search_breaches(const Search *search, Checker *checker, Answer *answer)
{
    enum { LATEST = 8 };
    for (size_t i = 0; i < search->count && i < LATEST; i++) {
        answer->message.c = *search->cases[search->count - 1 - i];
        answer->blame = BLAME_OTHER;
        if (is_to_blame(checker, &answer->message.c, search->options->deadline,
                        &answer->message.result)) {
            answer->same_end = ends_alike(search, &answer->message.result);
            return true;
        }
    }
    return false;
}

/* A case that was kept from a backend, since it is like a known fault of it, tells nothing of the
 * process that is asked about. */
static void select_called(Search *search, int backend)
{
    const BlackBox *box = search->box;
    unsigned begun = box->recent_count;
    search->count = 0;
    for (unsigned ago = begun < BOX_RECENT ? begun : BOX_RECENT; ago-- > 0;)
        if (box->called[(begun - 1 - ago) % BOX_RECENT] >> backend & 1)
            search->cases[search->count++] = &box->recent[(begun - 1 - ago) % BOX_RECENT];
}

static bool search_backend(Search *search, int backend, Answer *answer)
{
    select_called(search, backend);
    const char *names[] = {search->options->backends[backend], NULL};
    Checker checker;
    Text error = {0};
    BlackBox *box = blackbox_create();
    bool found = false;
    if (search->count > 0 && box && checker_open(&checker, box, names, &error) &&
        !checker.backends[0].kind->expect)
        found = search_cases(search, &checker, answer) || search_breaches(search, &checker, answer);
    answer->message.result.backend = backend;
    text_release(&error);
    return found;
}

/* Whether the call that the process was at ends one by itself. */
static bool search_present(const Search *search, Answer *answer)
{
    const BlackBox *box = search->box;
    const char *names[] = {search->options->backends[box->backend], NULL};
    Checker checker;
    CheckResult result = {0};
    Text error = {0};
    BlackBox *own = box->phase == PHASE_KERNEL ? blackbox_create() : NULL;
    if (own && checker_open(&checker, own, names, &error))
        isolated_run(&checker, &box->current, 0, search->options->deadline, &result);
    text_release(&error);
    bool overwritten = !strcmp(box->fault_detail, BOX_OVERWRITTEN);
    answer->blame = BLAME_PRESENT;
    answer->same_end = ends_alike(search, &result);
    return result.judgement.kind == VERDICT_FAULT &&
           (!overwritten || !strcmp(result.detail, BOX_OVERWRITTEN));
}

/* Of several that end a process the first counts that ends it in the way that is asked about, or
 * the first of all where none does: an overwritten heap shows in several ways. */
static void search_all(Search *search, Answer *answer)
{
    Answer next = {.blame = BLAME_NONE};
    bool found = search_present(search, &next);
    *answer = found ? next : (Answer){.blame = BLAME_NONE};
    for (int i = 0; search->options->backends[i] && !answer->same_end; i++) {
        next = (Answer){.blame = BLAME_NONE};
        bool dies = !(search->aside >> i & 1) && search_backend(search, i, &next);
        if (dies && (!found || next.same_end))
            *answer = next;
        found = found || dies;
    }
}

static int search_child(const void *context, int to)
{
    Search search = *(const Search *)context;
    Answer answer = {.blame = BLAME_NONE};
    /* What is tried here must not reach the record itself. */
    BlackBox *copy = memory_allocate(1, sizeof *copy);
    memcpy(copy, search.box, sizeof *copy);
    search.box = copy;
    checker_stand_alone(search.options->backends, to, NULL);
    if (!search.options->verbose)
        capture_stay();
    search_all(&search, &answer);
    return alone_ring(&answer, sizeof answer) ? 0 : 1;
}

/* Kernels ran in the process that answered, and in those that it started. */
static bool is_sound(Answer *answer, const char *const *backends)
{
    return answer->blame == BLAME_PRESENT ||
           (answer->blame == BLAME_LIBRARY &&
            untrusted_backend(answer->message.result.backend, backends)) ||
           (answer->blame == BLAME_OTHER && untrusted_finding(&answer->message, backends, NULL));
}

Blame blame_death(const BlackBox *box, const CampaignOptions *options, uint32_t aside, int status,
                  FindingMessage *message)
{
    enum { MILLISECONDS = 30000 };
    Child child;
    Answer answer;
    Search search = {.box = box, .options = options, .aside = aside};
    bool overwritten = !strcmp(box->fault_detail, BOX_OVERWRITTEN);
    fault_describe(search.end, status, false, overwritten ? BOX_OVERWRITTEN : "");
    if (!child_start(&child, search_child, &search))
        return BLAME_NONE;
    bool answered = child_read(&child, &answer, sizeof answer, MILLISECONDS) == sizeof answer;
    child_kill(&child);
    (void)child_wait(&child);
    if (!answered || !is_sound(&answer, options->backends))
        return BLAME_NONE;
    *message = answer.message;
    return answer.blame;
}
