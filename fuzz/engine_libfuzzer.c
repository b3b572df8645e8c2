/* libFuzzer inside this process: it keeps the corpus and its schedule, we make and judge cases. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "feature.h"
#include "libfuzzer_hooks.h"
#include "mutate.h"
#include "reference/random.h"
#include "worker.h"

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *, size_t));

static const WorkerSetup *running;
static Schedule schedule;

static int run_input(const uint8_t *bytes, size_t size)
{
    if (worker_should_stop() || (running->end_case && running->box->cases >= running->end_case))
        _exit(0);
    Case c;
    int fresh = worker_case(bytes, size, &c);
    if (schedule.memory)
        schedule_learn(&schedule, &c, libfuzzer_origin(), fresh);
    return 0;
}

/* libFuzzer talks much; its words are kept only when asked for. */
static void silence(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDERR_FILENO);
        (void)dup2(nowhere, STDOUT_FILENO);
    }
}

void engine_libfuzzer(const WorkerSetup *setup)
{
    enum { MAX_ARGUMENTS = 24 };
    static char seed[32], max_len[32], corpus[4096];
    const CampaignOptions *o = setup->options;
    running = setup;
    if (!(o->without & 1u << PART_SCHEDULE))
        schedule = (Schedule){&o->scope, &setup->box->schedule,
                              o->without & 1u << PART_PAIRS ? NULL : feature_unseen_pairs};
    if (o->without & 1u << PART_FEEDBACK)
        feature_silence();
    libfuzzer_set_source(&(MutantSource){.scope = &o->scope,
                                         .fresh_only = o->without >> PART_MUTATION & 1,
                                         .schedule = schedule.memory ? &schedule : NULL});
    uint64_t stream =
        random_at(o->seed, (uint64_t)setup->index * 100000u + (uint64_t)setup->restarts);
    (void)snprintf(seed, sizeof seed, "-seed=%" PRIu32, (uint32_t)(stream >> 33) + 1);
    (void)snprintf(max_len, sizeof max_len, "-max_len=%d", CASE_BYTES_MAX);
    char *arguments[MAX_ARGUMENTS] = {"opconform",       seed,
                                      max_len,           "-len_control=0",
                                      "-handle_segv=0",  "-handle_abrt=0",
                                      "-handle_ill=0",   "-handle_fpe=0",
                                      "-handle_bus=0",   "-handle_int=0",
                                      "-handle_term=0",  "-handle_xfsz=0",
                                      "-detect_leaks=0", "-rss_limit_mb=0",
                                      "-timeout=86400",  "-print_final_stats=0",
                                      "-reload=0",       "-entropic=0"};
    int count = 18;
    if (o->corpus) {
        (void)snprintf(corpus, sizeof corpus, "%s", o->corpus);
        arguments[count++] = corpus;
    }
    char **argv = arguments;
    if (!o->verbose)
        silence();
    (void)LLVMFuzzerRunDriver(&count, &argv, run_input);
}
