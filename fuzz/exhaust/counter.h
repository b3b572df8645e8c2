/* The process that counts blocks, and what it tells. */
#ifndef FUZZ_EXHAUST_COUNTER_H
#define FUZZ_EXHAUST_COUNTER_H

#include "fuzz/check/blackbox.h"
#include "space.h"
#include "tally.h"

/* What a process counts: ranges of the inputs. */
typedef struct CounterSetup {
    const char *const *backends; /* one, ended by NULL */
    const Space *space;
    BlackBox *box;
    uint64_t deadline;
    const uint64_t *firsts; /* the first input of each range */
    uint64_t count, size;   /* ranges, and inputs of each */
} CounterSetup;

typedef enum CounterWord { COUNTER_RANGE = 0x5eb1, COUNTER_DECLINED, COUNTER_DONE } CounterWord;

/* One message: the counts of a range, the reason of a decline, or the end. */
typedef struct CounterMessage {
    CounterWord word;
    uint64_t first;
    double seconds; /* of processor time */
    char declined[96];
    Tally tally;
} CounterMessage;

/* Runs in the child. */
int counter_main(const void *context, int to);

/* Whether a message can come from a counter that is at this range; makes its texts printable. */
MUST_USE bool counter_is_sound(CounterMessage *message, uint64_t first, uint64_t size);

#endif
