/* An engine chooses the bytes of one case after the other, until its host has enough.  The host
 * decodes them, checks the case and keeps the findings; the engine knows it by this struct. */
#ifndef FUZZ_ENGINE_H
#define FUZZ_ENGINE_H

#include "schedule.h"

/* Parts of the search that can be left out, to measure what each is worth. */
typedef enum EnginePart {
    PART_FEEDBACK, /* features are not told to libFuzzer */
    PART_MUTATION, /* every case is fresh from the generator */
    PART_SCHEDULE, /* operators and element types are equally likely; no pairs either */
    PART_PAIRS,    /* fresh cases are not chosen by the pairs of parameter classes they cover */
    PART_SWARM,    /* Scope.no_swarm */
    PART_BIAS,     /* Scope.unbiased */
    PART_COUNT
} EnginePart;
/* Their names in this order. */
#define ENGINE_PARTS "feedback, mutation, schedule, pairs, swarm, bias"

typedef struct EngineHost {
    const Scope *scope;
    uint64_t seed;
    uint32_t without; /* a mask of 1 << EnginePart */

    /* True when the engine has to return, or to end the process, after the present case. */
    bool (*should_stop)(void);
    /* Ends the process as one whose work is done: it does not return. */
    void (*leave)(void);
    /* Checks the case that the bytes mean, and stores it in *made.  Returns how many of its
     * features had never been seen. */
    int (*run_case)(const uint8_t *bytes, size_t size, Case *made);
    /* Announces a case that will come; false when there is no room for it now.  NULL where no
     * library gains from that. */
    bool (*expect_case)(const uint8_t *bytes, size_t size);

    /* engine_random: the number of the next case, advanced before a case is run; the distance to
     * the one after it; and the number before which the engine stops, 0 for none. */
    uint64_t *case_number;
    uint64_t case_step, case_end;

    /* engine_libfuzzer: its own random stream; a directory of inputs or NULL; whether it may talk;
     * and what the schedule has learnt, which outlives the process. */
    uint64_t stream;
    const char *corpus;
    bool verbose;
    ScheduleMemory *schedule;
} EngineHost;

/* The generator without guidance: case number i of a seed is the same on any machine that has the
 * libraries, whatever happened before it. */
void engine_random(const EngineHost *host);
/* libFuzzer inside this process.  Where the host stops it, it leaves. */
void engine_libfuzzer(const EngineHost *host);

#endif
