/* The result comes back through a pipe, whole or not at all. */
#include "minimiser.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confirm.h"
#include "fuzz/check/capture.h"
#include "fuzz/check/isolate.h"
#include "uncompiled.h"
#include "untrusted.h"

/* A finding that is to be made minimal. */
typedef struct Shrinking {
    Errand errand;
    FindingMessage message;
    uint64_t deadline, budget;
    bool isolate;
    const LikenessList *known; /* that the case is kept away from, or NULL */
} Shrinking;

/* A minimal case that another library is asked about. */
typedef struct Asking {
    Errand errand;
    Case c;
    uint64_t deadline;
} Asking;
_Static_assert(sizeof(Shrinking) <= ERRAND_BYTES && sizeof(Asking) <= ERRAND_BYTES,
               "errands are sent whole");

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

static bool is_explained(const void *context, const Case *c)
{
    const Shrinking *shrinking = context;
    Likeness own;
    bool explained;
    likeness_of(&own, c);
    return likeness_explains(shrinking->known, shrinking->message.raw_key, &own, &explained) > 0 &&
           explained;
}

/* Opens the library without its compiler, where that shows it too. */
static bool leave_compiler(const Shrinking *shrinking, Checker *plain)
{
    char name[600];
    const char *names[] = {name, NULL}, *backend = shrinking->errand.backend;
    BlackBox *box = shrinking->errand.box;
    const FindingMessage *message = &shrinking->message;
    Text error = {0};
    bool opened =
        uncompiled_shows(backend, box, &message->c, &message->result, shrinking->deadline) &&
        uncompiled_name(backend, name) && checker_open(plain, box, names, &error);
    text_release(&error);
    return opened;
}

static int shrink(const Errand *errand, Checker *checker, int to)
{
    const Shrinking *shrinking = (const Shrinking *)errand;
    const Case *c = &shrinking->message.c;
    uint64_t deadline = shrinking->deadline, budget = shrinking->budget;
    CheckResult original = shrinking->message.result;
    Minimised minimised = {0};
    Checker plain;
    minimised.uncompiled = minimised.asks_own = leave_compiler(shrinking, &plain);
    if (minimised.uncompiled)
        checker = &plain;
    original.backend = 0;
    checker_watch(checker);
    if (fault_is_hang(&original))
        shrink_hang(&minimised, checker, c, &original, deadline, budget);
    else
        shrink_confirmed(&minimised.shrunk, checker, c, &original,
                         &(ShrinkOptions){deadline, budget, 3, shrinking->isolate,
                                          shrinking->known ? is_explained : NULL, shrinking});
    const ShrinkResult *shrunk = &minimised.shrunk;
    minimised.uncompiled =
        minimised.uncompiled ||
        (shrunk->reproduced > 0 && uncompiled_shows(errand->backend, errand->box, &shrunk->minimal,
                                                    &shrunk->result, deadline));
    if (!errand->shows)
        read_output(&minimised, checker, deadline);
    return write(to, &minimised, sizeof minimised) == (ssize_t)sizeof minimised ? 0 : 1;
}

static int ask(const Errand *errand, Checker *checker, int to)
{
    const Asking *asking = (const Asking *)errand;
    Peer peer = peer_ask(checker, &asking->c, asking->deadline);
    return write(to, &peer, sizeof peer) == (ssize_t)sizeof peer ? 0 : 1;
}

static Errand errand_on(Minimiser *minimiser, int backend)
{
    minimiser->box->kernel_started = 0;
    blackbox_seal(minimiser->box);
    return (Errand){.backend = minimiser->options->backends[backend],
                    .shows = minimiser->options->verbose,
                    .box = minimiser->box};
}

bool minimiser_start(Minimiser *minimiser)
{
    const CampaignOptions *options = minimiser->options;
    const Pending *pending = minimiser->pending;
    int backend = pending->message.result.backend;
    if (!minimiser->box)
        minimiser->box = blackbox_create_file(&minimiser->file);
    if (!minimiser->minimised)
        minimiser->minimised = memory_allocate(1, sizeof *minimiser->minimised);
    if (!minimiser->box)
        BUG("no shared memory");
    Shrinking shrinking = {.errand = errand_on(minimiser, backend),
                           .message = pending->message,
                           .deadline = options->deadline,
                           .budget = minimiser->budget,
                           .isolate = pending->isolate,
                           .known = pending->unlike ? minimiser->known : NULL};
    shrinking.errand.run = shrink;
    shrinking.errand.own = pending->unlike;
    minimiser->asked = -1;
    minimiser->arrived = false;
    return holder_start(&minimiser->holders[backend], &minimiser->process, &shrinking.errand,
                        sizeof shrinking, minimiser->file);
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

/* Whether it can come from a minimisation of ours; texts end, and names are known. */
static bool is_sound(const Minimiser *minimiser)
{
    Minimised *minimised = minimiser->minimised;
    ShrinkResult *shrunk = &minimised->shrunk;
    FindingMessage final = {.c = shrunk->minimal, .result = shrunk->result};
    minimised->output[sizeof minimised->output - 1] = '\0';
    shrunk->needed[sizeof shrunk->needed - 1] = '\0';
    memset(minimised->peers, 0, sizeof minimised->peers);
    if (minimised->doubtful)
        return true;
    /* It knows its one library as number 0. */
    bool sound = untrusted_finding(&final, minimiser->options->backends, NULL);
    shrunk->minimal = final.c;
    shrunk->result = final.result;
    return sound;
}

/* The next library that is to be asked about the minimal case, or -1. */
static int next_peer(const Minimiser *minimiser)
{
    const Minimised *minimised = minimiser->minimised;
    uint32_t own = minimised->asks_own ? 0 : 1u << minimiser->pending->message.result.backend;
    bool any = minimiser->arrived && !minimised->doubtful && minimised->shrunk.reproduced > 0;
    int next = minimiser->asked + 1;
    while (any && minimiser->options->backends[next] && (minimiser->aside | own) >> next & 1)
        next++;
    return any && minimiser->options->backends[next] ? next : -1;
}

/* Starts the process that asks the next library; false where none is left. */
static bool ask_next(Minimiser *minimiser)
{
    while ((minimiser->asked = next_peer(minimiser)) >= 0) {
        int backend = minimiser->asked;
        Asking asking = {.errand = errand_on(minimiser, backend),
                         .c = minimiser->minimised->shrunk.minimal,
                         .deadline = minimiser->options->deadline / 2};
        asking.errand.run = ask;
        if (holder_start(&minimiser->holders[backend], &minimiser->process, &asking.errand,
                         sizeof asking, minimiser->file))
            return true;
    }
    return false;
}

/* Takes what the process that has ended, or said all, found. */
static void hear(Minimiser *minimiser)
{
    Peer peer;
    const Child *process = &minimiser->process;
    if (minimiser->asked < 0)
        minimiser->arrived =
            child_read(process, minimiser->minimised, sizeof(Minimised), -1) == sizeof(Minimised) &&
            is_sound(minimiser);
    else if (child_read(process, &peer, sizeof peer, -1) == sizeof peer &&
             peer.kind < VERDICT_COUNT)
        minimiser->minimised->peers[minimiser->asked] = peer;
    (void)child_wait(&minimiser->process);
}

bool minimiser_collect(Minimiser *minimiser, Pending **pending, Minimised *minimised, bool *arrived)
{
    if (!child_is_ready(&minimiser->process))
        return false;
    hear(minimiser);
    if (ask_next(minimiser))
        return false;
    *arrived = minimiser->arrived;
    *minimised = *minimiser->minimised;
    *pending = minimiser->pending;
    minimiser->pending = NULL;
    return true;
}

void minimiser_release(Minimiser *minimiser)
{
    child_kill(&minimiser->process);
    (void)child_wait(&minimiser->process);
    free(minimiser->pending);
    free(minimiser->minimised);
    if (minimiser->box && minimiser->file >= 0)
        (void)close(minimiser->file);
    blackbox_destroy(minimiser->box);
    *minimiser = (Minimiser){0};
}
