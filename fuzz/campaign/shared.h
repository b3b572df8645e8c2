/* Memory that a worker shares with its supervisor, and that outlives the worker: one that takes its
 * place goes on from there. */
#ifndef FUZZ_SHARED_H
#define FUZZ_SHARED_H

#include "avoid.h"
#include "declines.h"
#include "fuzz/check/blackbox.h"
#include "fuzz/engine/feature.h"
#include "fuzz/engine/schedule.h"
#include "likeness.h"
#include "pace.h"

enum { RAW_MAX = 4096 };

/* Why a backend that was set aside declines a case. */
#define DECLINED_ASIDE "set aside after deaths of its process"
/* Why it declines one that is like a known fault. */
#define DECLINED_FAULT "like a crash or a hang that was filed in this run"
#define DECLINED_EARLY "like a crash or a hang whose minimal case is not known yet"

/* What a word of the supervisor's to a worker holds.  Any other number is a kernel's. */
enum { TOLD = 0x701d };

/* Hits of one raw signature since the supervisor last took them. */
typedef struct RawHits {
    uint64_t key;
    atomic_uint_fast64_t hits;
} RawHits;

typedef struct Shared {
    BlackBox box;
    atomic_uint_fast64_t seed_number; /* seeds that this job has begun */
    atomic_uint_fast64_t case_number; /* next number of the random engine's stream */
    _Atomic int stop;                 /* set by the supervisor: 0 or TOLD, as the next one */
    _Atomic int hold;                 /* workers begin no case */
    _Atomic int little;               /* the present call has little work: it ends soon, or hangs */
    _Atomic int recalled;   /* TOLD by the supervisor: a worker ends with the present case, which is
                               not well */
    _Atomic int lost;       /* a server has ended, which the worker needs */
    char open_error[256];   /* why the worker could not start */
    _Atomic int keep_error; /* errno, where a line could not be added to the file of --keep */
    AvoidList avoid;        /* changed by the supervisor */
    LikenessList known;     /* the same: what minimal cases need */
    _Atomic uint32_t aside; /* backends that are given no cases: a mask, by the supervisor */
    atomic_uint_fast64_t features; /* that were new when a case showed them */
    uint64_t products_lent;        /* by a device to the reference */
    uint64_t begun;                /* when this memory was made, or made anew */
    uint64_t ended; /* when the last worker's last call began, until this one's first case; or 0 */
    uint64_t replacing; /* nanoseconds between these, of all workers */
    uint8_t seen[FEATURE_SLOTS];
    ScheduleMemory schedule;
    Pace pace;
    RawHits raw[RAW_MAX];
    DeclineTable declines, redrawn; /* of cases, and of draws that were none */
    ChangeTable changes;
} Shared;

/* All 0 but the seals of the box; NULL when there is no memory. */
Shared *shared_create(void);
void shared_destroy(Shared *shared);

/* The key of a raw signature that a backend of this number gave.  Those of two versions of one
 * library are alike, and each has messages of its own. */
uint64_t shared_key(const char *raw, int backend);

/* Counts one hit of a raw signature; returns the number of hits of this key before it, UINT64_MAX
 * when the table is full. */
uint64_t shared_hit(Shared *shared, uint64_t key);
/* The same without counting. */
uint64_t shared_hits(Shared *shared, uint64_t key);

#endif
