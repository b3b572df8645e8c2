/* libFuzzer keeps the corpus and chooses what to mutate; libfuzzer_hooks.c makes its mutants. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine.h"
#include "feature.h"
#include "libfuzzer_hooks.h"
#include "mutate.h"

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *, size_t));

static const EngineHost *running;
static Schedule schedule;

static int run_input(const uint8_t *bytes, size_t size)
{
    if (running->should_stop())
        running->leave();
    Case c;
    int fresh = running->run_case(bytes, size, &c);
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

void engine_libfuzzer(const EngineHost *host)
{
    enum { MAX_ARGUMENTS = 24 };
    static char seed[32], max_len[32], corpus[4096];
    running = host;
    if (!(host->without & 1u << PART_SCHEDULE))
        schedule = (Schedule){host->scope, host->schedule,
                              host->without & 1u << PART_PAIRS ? NULL : feature_unseen_pairs};
    if (host->without & 1u << PART_FEEDBACK)
        feature_silence();
    libfuzzer_set_source(&(MutantSource){.scope = host->scope,
                                         .fresh_only = host->without >> PART_MUTATION & 1,
                                         .schedule = schedule.memory ? &schedule : NULL});
    (void)snprintf(seed, sizeof seed, "-seed=%" PRIu32, (uint32_t)(host->stream >> 33) + 1);
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
    if (host->corpus) {
        (void)snprintf(corpus, sizeof corpus, "%s", host->corpus);
        arguments[count++] = corpus;
    }
    char **argv = arguments;
    if (!host->verbose) {
        /* Its words take a walk over its corpus with each input that it keeps. */
        arguments[count++] = "-verbosity=0";
        silence();
    }
    (void)LLVMFuzzerRunDriver(&count, &argv, run_input);
}
