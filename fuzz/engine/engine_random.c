/* Draws each case from its number. */
#include "engine.h"
#include "mutate.h"

/* How many cases in advance libraries in processes of their own are told of, and how often. */
enum { AHEAD = 64, AHEAD_STEP = 8 };

/* Cases that are compiled once are run by one process: each is given whole stretches of them. */
static uint64_t drawn_number(const EngineHost *host, uint64_t number)
{
    uint64_t stretch = mutate_stretch(host->scope), step = host->case_step;
    uint64_t lane = number % step, place = number / step;
    return stretch ? (place / stretch * step + lane) * stretch + place % stretch : number;
}

static size_t put_drawn(const EngineHost *host, uint8_t bytes[CASE_BYTES_MAX], uint64_t number)
{
    return drawn_bytes(bytes, host->scope, host->seed, drawn_number(host, number));
}

/* Announces the cases from `ahead` on, up to a number; returns the first that is not announced. */
static uint64_t announce(const EngineHost *host, uint64_t ahead, uint64_t end)
{
    uint8_t bytes[CASE_BYTES_MAX];
    while (ahead < end && host->expect_case(bytes, put_drawn(host, bytes, ahead)))
        ahead += host->case_step;
    return ahead;
}

void engine_random(const EngineHost *host)
{
    uint64_t step = host->case_step, last = host->case_end, ahead = *host->case_number;
    for (int round = 0; !host->should_stop(); round++) {
        uint8_t bytes[CASE_BYTES_MAX];
        uint64_t number = *host->case_number, end = number + AHEAD * step;
        if (last && number >= last)
            return;
        if (host->expect_case && round % AHEAD_STEP == 0)
            ahead =
                announce(host, ahead > number ? ahead : number, last && end > last ? last : end);
        /* Advanced first, so that a case that kills the process is not met again. */
        *host->case_number = number + step;
        Case c;
        (void)host->run_case(bytes, put_drawn(host, bytes, number), &c);
    }
}
