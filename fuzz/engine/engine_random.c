/* Draws each case from its number. */
#include "engine.h"
#include "feature.h"
#include "mutate.h"

/* How many cases in advance libraries in processes of their own are told of, and how often. */
enum { AHEAD = 64, AHEAD_STEP = 8 };

/* Announced cases, until they are run. */
typedef struct Announced {
    uint64_t number;
    size_t size; /* 0: none */
    uint8_t bytes[CASE_BYTES_MAX];
} Announced;

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

static Announced *place_of(Announced *announced, const EngineHost *host, uint64_t number)
{
    return &announced[number / host->case_step % AHEAD];
}

/* Announces the cases from `ahead` on, up to a number; returns the first that is not announced. */
static uint64_t announce(const EngineHost *host, Announced *announced, uint64_t ahead, uint64_t end)
{
    for (; ahead < end; ahead += host->case_step) {
        Announced *at = place_of(announced, host, ahead);
        if (at->size == 0 || at->number != ahead) {
            at->size = put_drawn(host, at->bytes, ahead);
            at->number = ahead;
        }
        if (!host->expect_case(at->bytes, at->size))
            break;
    }
    return ahead;
}

void engine_random(const EngineHost *host)
{
    static Announced announced[AHEAD];
    feature_silence();
    uint64_t step = host->case_step, last = host->case_end, ahead = *host->case_number;
    for (int round = 0; !host->should_stop(); round++) {
        uint8_t bytes[CASE_BYTES_MAX];
        uint64_t number = *host->case_number, end = number + AHEAD * step;
        if (last && number >= last)
            return;
        if (host->expect_case && round % AHEAD_STEP == 0)
            ahead = announce(host, announced, ahead > number ? ahead : number,
                             last && end > last ? last : end);
        /* Advanced first, so that a case that kills the process is not met again. */
        *host->case_number = number + step;
        const Announced *at = place_of(announced, host, number);
        bool was_drawn = at->size > 0 && at->number == number;
        size_t size = was_drawn ? at->size : put_drawn(host, bytes, number);
        Case c;
        (void)host->run_case(was_drawn ? at->bytes : bytes, size, &c);
    }
}
