/* The designed generator without guidance: case number i of a seed is the same on any machine,
 * whatever happened before it. */
#include "mutate.h"
#include "worker.h"

/* Cases that libraries in processes of their own are told of in advance, and how often. */
enum { AHEAD = 64, AHEAD_STEP = 8 };

/* Announces the cases from `ahead` on, up to a number; returns the first that is not. */
static uint64_t announce(const WorkerSetup *setup, uint64_t ahead, uint64_t end)
{
    const CampaignOptions *o = setup->options;
    uint8_t bytes[CASE_BYTES_MAX];
    while (ahead < end && worker_expect_case(bytes, drawn_bytes(bytes, &o->scope, o->seed, ahead)))
        ahead += (uint64_t)o->jobs;
    return ahead;
}

void engine_random(const WorkerSetup *setup)
{
    const CampaignOptions *o = setup->options;
    BlackBox *box = setup->box;
    uint64_t step = (uint64_t)o->jobs;
    uint64_t ahead = box->case_number;
    bool announces = worker_looks_ahead();
    for (int round = 0; !worker_should_stop(); round++) {
        uint8_t bytes[CASE_BYTES_MAX];
        uint64_t number = box->case_number, end = number + AHEAD * step;
        if (setup->end_case && number >= setup->end_case)
            return;
        if (announces && round % AHEAD_STEP == 0)
            ahead = announce(setup, ahead > number ? ahead : number,
                             setup->end_case && end > setup->end_case ? setup->end_case : end);
        /* Advanced first, so that a case that kills the worker is not met again. */
        box->case_number = number + step;
        Case c;
        (void)worker_case(bytes, drawn_bytes(bytes, &o->scope, o->seed, number), &c);
    }
}
