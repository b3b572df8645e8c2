/* A process that minimises one finding. */
#ifndef FUZZ_MINIMISER_H
#define FUZZ_MINIMISER_H

#include "fuzz/shrink.h"
#include "holder.h"
#include "peers.h"
#include "reference/child.h"
#include "reference/patience.h"
#include "waiting.h"

/* The result, and how the other backends did on the minimal case. */
typedef struct Minimised {
    ShrinkResult shrunk;
    bool doubtful;   /* a hang that returned when it was given more time */
    bool uncompiled; /* the library shows it without its compiler as well */
    bool asks_own;   /* it was made minimal there: the library itself is asked as others are */
    Peer peers[BOX_BACKENDS_MAX];
    char output[2048]; /* what the library wrote during the minimal case */
} Minimised;

/* All 0 before its first finding. */
typedef struct Minimiser {
    const CampaignOptions *options;
    Holder *holders;  /* of the campaign's libraries, by number */
    Pending *pending; /* what is minimised, while the process runs; the minimiser's own */
    uint64_t budget;  /* nanoseconds */
    uint32_t aside;   /* backends that are not asked: a mask */
    /* What explains the cases that one that is unlike others is not made. */
    const LikenessList *known;
    Child process;        /* that makes it minimal, or asks another library then */
    int asked;            /* that library; -1: none is */
    bool arrived;         /* the minimal case is there */
    Minimised *minimised; /* with what was heard so far */
    BlackBox *box;        /* of its present case */
    int file;             /* of the box */
    Patience patience;    /* with its present call */
} Minimiser;

/* options, holders, pending, budget, aside and known are set.  False with errno where there is no
 * process. */
MUST_USE bool minimiser_start(Minimiser *minimiser);
bool minimiser_runs(const Minimiser *minimiser);
/* Ends the process where its call does not return. */
void minimiser_watch(Minimiser *minimiser);
/* True when the case is minimal and the other libraries have said what they do: then *pending is
 * the caller's to free, and *minimised has the result where `arrived`. */
MUST_USE bool minimiser_collect(Minimiser *minimiser, Pending **pending, Minimised *minimised,
                                bool *arrived);
void minimiser_release(Minimiser *minimiser);

#endif
