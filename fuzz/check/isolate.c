/* A fork per case, with the verdict handed back through shared memory. */
#include "isolate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "frame.h"
#include "leftovers.h"
#include "ops/case/large.h"
#include "oracle/symptom.h"
#include "reference/child.h"
#include "reference/confine.h"
#include "reference/patience.h"

void fault_describe(char detail[96], int status, bool hung, const char *touched)
{
    Text end = {0};
    text_put_end(&end, status);
    if (WIFSIGNALED(status) && touched[0])
        text_printf(&end, " at %.60s", touched);
    bool used =
        (WIFEXITED(status) && !strcmp(touched, BOX_BELL_USED)) || !strcmp(touched, BOX_OVERWRITTEN);
    bool told = !strcmp(touched, TAKES_MEMORY) || !strcmp(touched, HANDLES_SIGNAL);
    (void)snprintf(detail, 96, "%s",
                   used || (hung && told) ? touched
                   : hung                 ? "hang"
                                          : text_string(&end));
    text_release(&end);
}

bool fault_is_hang(const CheckResult *result)
{
    Symptom symptom = symptom_of(&result->judgement, result->detail);
    return symptom == SYMPTOM_HANG || symptom == SYMPTOM_MEMORY;
}

void fault_end_hung(Child *child)
{
    child_signal(child, SIGABRT);
    (void)child_ends_soon(child);
    child_kill(child);
}

typedef struct Outcome {
    BlackBox box;
    CheckResult result;
    _Atomic int done;
} Outcome;

/* What done holds when the result is there. */
enum { DONE = 0x1d09e };

static Outcome *outcome;

static void forget_outcome(void)
{
    outcome->done = 0;
}

typedef struct Isolated {
    Checker *checker;
    const Case *c;
    int backend;
    Outcome *shared;
} Isolated;

void isolated_use_heap(void)
{
    enum { SIZES = 13, LEAST = 16, TAKEN = 2 * SIZES };
    void *volatile taken[TAKEN];
    /* Two of each size: a free block that was overwritten shows when the one behind it is taken;
     * and by malloc, since calloc passes by the blocks that were freed last. */
    for (int i = 0; i < TAKEN; i++)
        taken[i] = malloc((size_t)LEAST << i / 2);
    for (int i = 0; i < TAKEN; i++)
        free(taken[i]);
}

/* Threads are the links of a folder but two. */
void isolated_begin(Checker *checker, BlackBox *box, int bell, AloneMemory shared,
                    void (*repair)(void))
{
    if (checker->box != box)
        blackbox_destroy(checker->box);
    checker->box = box;
    checker->repair = repair;
    /* Results are written to the standard output, which a library's own words must not break. */
    (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    alone_begin(bell, shared);
    confine_begin();
    checker_watch(checker);
    checker_limit_memory();
}

static int run_child(const void *context, int to)
{
    const Isolated *isolated = context;
    CheckResult results[BOX_BACKENDS_MAX];
    Outcome *shared = isolated->shared;
    isolated_begin(isolated->checker, &shared->box, to, (AloneMemory){shared, sizeof *shared},
                   forget_outcome);
    (void)checker_run(isolated->checker, isolated->c, isolated->backend, results);
    isolated_use_heap();
    leftovers_settle();
    isolated_use_heap();
    (void)fflush(NULL);
    isolated->shared->result = results[0];
    isolated->shared->done = DONE;
    return 0;
}

void isolated_reset(BlackBox *box)
{
    blackbox_seal(box);
    box->kernel_started = 0;
    box->fault_detail[0] = '\0';
    box->fault_address = 0;
    box->executions = 0;
    box->phase = PHASE_FILL;
}

bool isolated_wait(Child *child, const BlackBox *box, uint64_t deadline, int *status)
{
    enum { LOOK_MILLISECONDS = 10 };
    const struct timespec pause = {0, 200000};
    Patience patience = {.private = true};
    while (!child_has_ended(child, status)) {
        if (patience_ends(&patience, child->process, blackbox_call(box), deadline)) {
            fault_end_hung(child);
            *status = child_wait(child);
            return true;
        }
        if (child_await(child, LOOK_MILLISECONDS))
            (void)nanosleep(&pause, NULL);
    }
    return false;
}

void isolated_run(Checker *checker, const Case *c, int backend, uint64_t deadline,
                  CheckResult *result)
{
    int status = 0;
    CheckResult results[BOX_BACKENDS_MAX];
    if (checker->backends[backend].kind->expect) {
        checker_set_deadline(checker, deadline);
        (void)checker_run(checker, c, backend, results);
        *result = results[0];
        return;
    }
    if (!outcome) {
        outcome =
            mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (outcome == MAP_FAILED)
            BUG("no shared memory");
    }
    Outcome *shared = outcome;
    isolated_reset(&shared->box);
    shared->done = 0;
    *result = (CheckResult){
        .backend = backend, .judgement.kind = VERDICT_FAULT, .judgement.tier = TIER_CONTRACT};
    Child child;
    if (!child_start(&child, run_child, &(Isolated){checker, c, backend, shared}))
        BUG("fork: %s", strerror(errno));
    uint64_t whole = (uint64_t)(large_patience(c) * (double)deadline);
    bool hung = isolated_wait(&child, &shared->box, whole, &status);
    shared->box.fault_detail[sizeof shared->box.fault_detail - 1] = '\0';
    if (!blackbox_is_whole(&shared->box)) {
        (void)snprintf(result->detail, sizeof result->detail, BOX_OVERWRITTEN);
    } else if (shared->done == DONE) {
        *result = shared->result;
    } else if (shared->box.executions == 0 && shared->box.phase != PHASE_KERNEL) {
        result->judgement.kind = VERDICT_DECLINED;
        (void)snprintf(result->detail, sizeof result->detail, "the process died before any kernel");
    } else {
        fault_describe(result->detail, status, hung, shared->box.fault_detail);
        if (!hung && shared->box.phase != PHASE_KERNEL)
            (void)strncat(result->detail, " after the call",
                          sizeof result->detail - strlen(result->detail) - 1);
        frame_name(result->frame, sizeof result->frame, shared->box.fault_address);
    }
}
