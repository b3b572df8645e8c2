/* Finds the call that a process died of, which may be another than the one that it was at: memory
 * that was overwritten, and threads that a kernel left, end a process later. */
#ifndef FUZZ_BLAME_H
#define FUZZ_BLAME_H

#include "campaign.h"
#include "worker.h"

typedef enum Blame {
    BLAME_NONE,    /* nothing of it dies again */
    BLAME_PRESENT, /* the call that it was at, alone in a process of its own */
    BLAME_OTHER,   /* another one of the latest: the message has its case and its verdict */
    BLAME_LIBRARY  /* calls of one library, none of them alone: the message has its number */
} Blame;

/* Runs the latest cases of a process that died with this status again, in processes of their own
 * that give threads and timers time to show what they do: the present call, if it was in one, then
 * on each backend but those of the mask aside all cases that its kernels were called for in that
 * process, those of one operator, and fewer and fewer.  Who is blamed dies, or sees memory
 * overwritten, with the kernel and not without it; one that ends as that process did comes before
 * others.  Takes seconds. */
Blame blame_death(const BlackBox *box, const CampaignOptions *options, uint32_t aside, int status,
                  FindingMessage *message);

#endif
