/* The result comes back through a pipe, whole or not at all. */
#include "minimiser.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confirm.h"
#include "fuzz/check/capture.h"
#include "fuzz/check/isolate.h"
#include "uncompiled.h"

/* How many times as long as others a call lasts that is to be filed as a hang. */
enum { HANG_CONFIRMED = 4 };

/* True when the call hangs in a process of its own and with more time; *result has what it does. */
static bool hangs_alone(Checker *checker, const Case *c, uint64_t deadline, CheckResult *result)
{
    isolated_run(checker, c, 0, HANG_CONFIRMED * deadline, result);
    return fault_is_hang(result);
}

/* Minimises a hang.  Most candidates hang too: a shorter wait, since kernels take milliseconds;
 * what only computes for longer than that is given up in the end. */
static void shrink_hang(Minimised *minimised, Checker *checker, const Case *c,
                        const CheckResult *original, uint64_t deadline, uint64_t budget)
{
    const ShrinkOptions options = {deadline / 4, budget, 1, true, NULL, NULL};
    CheckResult alone;
    bool hangs = hangs_alone(checker, c, deadline, &alone);
    /* One that dies in the end, such as of memory that it has not been given, is no less wrong. */
    bool dies = !hangs && alone.judgement.kind == VERDICT_FAULT;
    minimised->doubtful = !hangs && !dies;
    if (dies)
        minimised->shrunk = (ShrinkResult){.minimal = *c, .result = alone, .reproduced = 1};
    if (!hangs)
        return;
    shrink_case(&minimised->shrunk, checker, c, original, &options);
    if (!case_equal(&minimised->shrunk.minimal, c) &&
        !hangs_alone(checker, &minimised->shrunk.minimal, deadline, &alone))
        minimised->shrunk = (ShrinkResult){.minimal = *c, .result = *original};
    minimised->shrunk.reproduced = 1;
}

/* Runs the minimal case, where there is one, once more, in a process that writes into a file of its
 * own. */
static void read_output(Minimised *minimised, Checker *checker, uint64_t deadline)
{
    CheckResult ignored;
    if (minimised->doubtful || fault_is_hang(&minimised->shrunk.result))
        return;
    capture_open();
    capture_begin();
    isolated_run(checker, &minimised->shrunk.minimal, 0, deadline, &ignored);
    capture_read(minimised->output, sizeof minimised->output);
}

static void shrink_confirmed(ShrinkResult *shrunk, Checker *checker, const Case *c,
                             const CheckResult *original, const ShrinkOptions *options)
{
    Confirmer confirmer;
    confirm_begin(&confirmer, checker, c, original, options);
    shrink_case(shrunk, checker, c, original, options);
    confirm_end(&confirmer, shrunk);
}

/* Asks the other backends, and the library without its compiler, about the minimal case. */
static void ask_others(Minimised *minimised, const Minimiser *minimiser)
{
    const CampaignOptions *options = minimiser->options;
    const ShrinkResult *shrunk = &minimised->shrunk;
    int number = minimiser->pending->message.result.backend;
    uint32_t own = minimised->uncompiled ? 0 : 1u << number;
    if (shrunk->reproduced == 0)
        return;
    peers_ask(minimised->peers, minimiser->box, options->backends, minimiser->aside | own,
              &shrunk->minimal, options->deadline / 2);
    minimised->uncompiled = minimised->uncompiled ||
                            uncompiled_shows(options->backends[number], minimiser->box,
                                             &shrunk->minimal, &shrunk->result, options->deadline);
}

static bool is_explained(const void *context, const Case *c)
{
    const Minimiser *minimiser = context;
    Likeness own;
    bool explained;
    likeness_of(&own, c);
    return likeness_explains(minimiser->known, minimiser->pending->message.raw_key, &own,
                             &explained) > 0 &&
           explained;
}

static int shrink_child(const void *context, int to)
{
    const Minimiser *minimiser = context;
    const CampaignOptions *options = minimiser->options;
    const Pending *pending = minimiser->pending;
    const Case *c = &pending->message.c;
    char uncompiled[600];
    const char *names[] = {options->backends[pending->message.result.backend], NULL};
    uint64_t deadline = options->deadline, budget = minimiser->budget;
    CheckResult original = pending->message.result;
    Minimised minimised = {0};
    Checker checker;
    Text error = {0};
    checker_stand_alone(names, to, minimiser->box);
    if (!options->verbose)
        capture_stay();
    minimised.uncompiled = uncompiled_shows(names[0], minimiser->box, c, &original, deadline) &&
                           uncompiled_name(names[0], uncompiled);
    if (minimised.uncompiled)
        names[0] = uncompiled;
    if (!checker_open(&checker, minimiser->box, names, &error))
        return 3;
    original.backend = 0;
    checker_watch(&checker);
    if (fault_is_hang(&original))
        shrink_hang(&minimised, &checker, c, &original, deadline, budget);
    else
        shrink_confirmed(&minimised.shrunk, &checker, c, &original,
                         &(ShrinkOptions){deadline, budget, 3, pending->isolate,
                                          pending->unlike ? is_explained : NULL, minimiser});
    ask_others(&minimised, minimiser);
    if (!options->verbose)
        read_output(&minimised, &checker, deadline);
    return write(to, &minimised, sizeof minimised) == (ssize_t)sizeof minimised ? 0 : 1;
}

bool minimiser_start(Minimiser *minimiser)
{
    minimiser->box = minimiser->box ? minimiser->box : blackbox_create();
    if (!minimiser->box)
        BUG("no shared memory");
    minimiser->box->kernel_started = 0;
    blackbox_seal(minimiser->box);
    return child_start(&minimiser->process, shrink_child, minimiser);
}

bool minimiser_runs(const Minimiser *minimiser)
{
    return minimiser->process.process > 0;
}

void minimiser_watch(Minimiser *minimiser)
{
    /* Its pipe ends with it; the case is then minimised with a process for each candidate. */
    if (patience_ends(&minimiser->patience, minimiser->process.process,
                      blackbox_call(minimiser->box), minimiser->options->deadline))
        child_kill(&minimiser->process);
}

bool minimiser_collect(Minimiser *minimiser, Pending **pending, Minimised *minimised, bool *arrived)
{
    if (!child_is_ready(&minimiser->process))
        return false;
    *arrived =
        child_read(&minimiser->process, minimised, sizeof *minimised, -1) == sizeof *minimised;
    (void)child_wait(&minimiser->process);
    *pending = minimiser->pending;
    minimiser->pending = NULL;
    return true;
}

void minimiser_release(Minimiser *minimiser)
{
    child_kill(&minimiser->process);
    (void)child_wait(&minimiser->process);
    free(minimiser->pending);
    blackbox_destroy(minimiser->box);
    *minimiser = (Minimiser){0};
}
