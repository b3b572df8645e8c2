/* What is counted of the results of a range of inputs.  Sums of ranges do not depend on their
 * order. */
#ifndef FUZZ_EXHAUST_TALLY_H
#define FUZZ_EXHAUST_TALLY_H

#include "oracle/judge.h"
#include "reports/store/sweep.h"

enum { TALLY_CELLS = 12, TALLY_NAME = 40 };

/* Departures of one kind: a symptom, or a reading under which they are right. */
typedef struct TallyCell {
    char what[TALLY_NAME];
    VerdictKind kind;
    uint64_t count, first; /* first: the least input */
    uint64_t worst;        /* the input with the largest error among those with a finite one */
    double ulps;           /* its error; 0 where none has a finite one */
} TallyCell;

typedef struct Tally {
    uint64_t inputs;
    uint64_t right;     /* correctly rounded, or the NaN or infinity that is due */
    uint64_t wrong;     /* certainly not */
    uint64_t undecided; /* the reference is not accurate enough to tell */
    uint64_t open;      /* anything is admitted */
    uint64_t unjudged;  /* the call that they were in ended otherwise */
    /* Results that are wrong, by error in units of the last place: those of bin b are below
     * sweep_edges[b]. */
    uint64_t bins[SWEEP_BINS];
    double worst_ulps; /* the largest error of a finite result, and the least input that has it */
    uint64_t worst_input;
    int cell_count;
    TallyCell cells[TALLY_CELLS]; /* the last one has the kinds that found no room: "others" */
} Tally;

/* Counts a result that is wrong by so many ulps. */
void tally_put_error(Tally *tally, uint64_t input, double ulps);
/* Notes an error that is no larger than others are. */
void tally_note_worst(Tally *tally, uint64_t input, double ulps);
/* Counts `count` departures, of which input is the first; ulps is negative where there is no
 * distance. */
void tally_put_departure(Tally *tally, const char *what, VerdictKind kind, uint64_t input,
                         uint64_t count, double ulps);
void tally_add(Tally *to, const Tally *from);
/* Departures of all kinds. */
uint64_t tally_departures(const Tally *tally);
/* Whether it can be the tally of so many inputs from `first` on: for one that a kernel may have
 * written over.  Names are made printable. */
MUST_USE bool tally_is_sound(Tally *tally, uint64_t first, uint64_t inputs);

#endif
