/* Opens the library as a worker of a campaign does, and counts range after range. */
#include "counter.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/check/aftermath.h"
#include "fuzz/check/capture.h"
#include "fuzz/check/isolate.h"
#include "fuzz/check/leftovers.h"
#include "reference/alone.h"
#include "sweep.h"

static double processor_seconds(void)
{
    return (double)processor_nanoseconds() * 1e-9;
}

static void tell(const CounterMessage *message)
{
    if (!alone_ring(message, sizeof *message))
        _exit(1);
}

static _Noreturn void leave(void)
{
    isolated_use_heap();
    leftovers_settle();
    tell(&(CounterMessage){.word = COUNTER_DONE});
    _exit(0);
}

static _Noreturn void decline(const char *reason)
{
    CounterMessage message = {.word = COUNTER_DECLINED};
    (void)snprintf(message.declined, sizeof message.declined, "%s", check_decline_reason(reason));
    tell(&message);
    _exit(0);
}

/* The checker of the process; its box may be made again by whoever finds it written over. */
static Checker checker;

int counter_main(const void *context, int to)
{
    const CounterSetup *setup = context;
    Sweep sweep;
    Text error = {0};
    checker_stand_alone(setup->backends, to, setup->box);
    (void)fcntl(to, F_SETFL, O_DIRECT);
    capture_stay();
    if (!checker_open(&checker, setup->box, setup->backends, &error))
        decline(text_string(&error));
    const Backend *backend = &checker.backends[0];
    const char *refusal = backend_refusal(backend, setup->space->op, setup->space->dtype);
    if (refusal)
        decline(refusal);
    if (!sweep_open(&sweep, &checker, setup->space))
        decline("not enough address space");
    checker_set_deadline(&checker, setup->deadline);
    checker_watch(&checker);
    checker_limit_memory();
    for (uint64_t i = 0; i < setup->count; i++) {
        double before = processor_seconds();
        CounterMessage message = {.word = COUNTER_RANGE, .first = setup->firsts[i]};
        if (!sweep_range(&sweep, message.first, setup->size, &message.tally))
            decline(sweep.declined);
        aftermath_check_record(&checker);
        isolated_use_heap();
        message.seconds = processor_seconds() - before;
        tell(&message);
    }
    leave();
}

bool counter_is_sound(CounterMessage *message, uint64_t first, uint64_t size)
{
    message->declined[sizeof message->declined - 1] = '\0';
    for (char *at = message->declined; *at; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
    if (message->word == COUNTER_DECLINED || message->word == COUNTER_DONE)
        return true;
    return message->word == COUNTER_RANGE && message->first == first && message->seconds >= 0 &&
           isfinite(message->seconds) && tally_is_sound(&message->tally, first, size);
}
