/* Findings that wait for their minimal cases, in the order in which these tell most: first what no
 * finding like it has been minimised of, last what is of a bug that has a minimal case already,
 * whether it becomes minimal or not. */
#ifndef FUZZ_WAITING_H
#define FUZZ_WAITING_H

#include "campaign.h"
#include "oracle/symptom.h"
#include "worker.h"

/* A filed finding that waits for its minimal case. */
typedef struct Pending {
    FindingMessage message;
    int64_t id;
    bool isolate;   /* every candidate in a process of its own */
    bool refile;    /* the row of id was resolved for another message meanwhile */
    bool unlike;    /* nothing that is minimal explains it */
    uint64_t begun; /* by the clock: when its minimisation was */
    Symptom symptom;
    struct Pending *next;
} Pending;

/* What was taken, each kind once. */
typedef struct Taken {
    int backend;
    const OpDesc *op;
    DType dtype;
    Symptom symptom;
    const char *reading; /* of which all findings of a backend are one bug, or NULL */
    bool documented;     /* that the backend documents */
} Taken;

typedef enum WaitingKind { WAITING_NOTHING, WAITING_HANGS, WAITING_OTHERS } WaitingKind;

/* All 0 at first. */
typedef struct Waiting {
    Pending *first, *last;
    Taken *taken;
    size_t taken_count, taken_room;
} Waiting;

/* Copies the message. */
Pending *waiting_add(Waiting *waiting, const FindingMessage *message, int64_t id);
/* Whether something waits that nothing like it was taken of. */
bool waiting_has_new(const Waiting *waiting, WaitingKind kind);
/* How many wait that are of no bug before they are minimal. */
size_t waiting_count_needed(const Waiting *waiting);
/* The caller frees it; NULL where none of the kind waits. */
Pending *waiting_take(Waiting *waiting, WaitingKind kind);
void waiting_release(Waiting *waiting);

#endif
