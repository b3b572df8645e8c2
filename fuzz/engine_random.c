/* The designed generator without guidance: case number i of a seed is the same on any machine,
 * whatever happened before it. */
#include "mutate.h"
#include "worker.h"

void engine_random(const WorkerSetup *setup)
{
    BlackBox *box = setup->box;
    uint64_t step = (uint64_t)setup->options->jobs;
    while (!worker_should_stop()) {
        uint8_t bytes[FRESH_BYTES];
        uint64_t number = box->case_number;
        if (setup->end_case && number >= setup->end_case)
            return;
        /* Advanced first, so that a case that kills the worker is not met again. */
        box->case_number = number + step;
        worker_case(bytes, fresh_bytes(bytes, setup->options->seed, number));
    }
}
