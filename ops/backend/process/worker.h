/* A worker of this process, with the batches of requests in the memory that both map. */
#ifndef OPS_BACKEND_PROCESS_WORKER_H
#define OPS_BACKEND_PROCESS_WORKER_H

#include "ops/case/illegal.h"
#include "ops/case/operands.h"
#include "reference/patience.h"
#include "server.h"

enum {
    BATCH_SLOTS = 32,
    BATCHES = 3, /* two that are filled in turn, and one for single requests */
    SINGLE = BATCHES - 1,
    SLOTS = SINGLE * BATCH_SLOTS + 1
};

typedef struct Slot {
    Case c;
    int call;
    uint64_t id;
    bool died;
    char message[96]; /* how the worker ended, if it died */
    size_t places[OP_TENSORS_MAX];
} Slot;

/* Slots `first` onwards: count are filled, the worker is through with `answered` of them, and
 * nobody will ask for `taken` of them again.  sent: its bell has rung. */
typedef struct Batch {
    int first, count, answered, taken;
    bool sent;
    size_t start, used; /* of the heap */
} Batch;

typedef struct Worker {
    Backend *backend;
    const Server *server;
    bool keeps_alignment;
    /* One worker of this process; owner is 0 where there is none. */
    pid_t owner, process;
    int request, reply, ended, memory_file;
    unsigned char *memory;
    uint64_t id;
    bool fresh;      /* nothing was answered yet: a library may start what it computes with */
    bool lost;       /* its server has ended, and no library is to blame */
    bool one_by_one; /* what is open is asked for alone */
    uint64_t alone;  /* the id of the last one that was */
    int filling;     /* the batch that takes the next request: 0 or 1; the other is served first */
    Patience patience;
    Text words; /* of the request that is being written */
    struct Asked *asked;
    Batch batches[BATCHES];
    Slot slots[SLOTS];
} Worker;

/* A server has ended that a worker of this process is of. */
bool worker_any_lost(void);
void worker_note_lost(Worker *w);

/* Starts the worker of this process where there is none: one that a parent made is the parent's.
 * False when the server is gone. */
bool worker_have(Worker *w);
void worker_forget(Worker *w);
/* Starts another one, which is given what is not answered. */
void worker_restart(Worker *w);

typedef enum Placed { PLACED, PLACED_NOWHERE /* no room */, PLACED_NEVER /* not asked */ } Placed;

/* What an illegal argument makes of a case. */
typedef struct Spoilt {
    Illegal illegal, *any; /* NULL where none is */
    char position[16];
    const Case *asked; /* the case that the library is asked for */
} Spoilt;

void worker_spoil(const Operands *o, Spoilt *spoilt);
/* Writes a request into the next slot of a batch. */
Placed worker_put(Worker *w, Batch *batch, const Operands *o);
void worker_empty(Batch *batch);
/* Batches in the order in which they are served. */
Batch *worker_batch(Worker *w, int position);
/* How many slots of a batch wait for answers. */
int worker_count_open(const Worker *w, Batch *batch);
/* Rings for the slots of a batch that are not answered. */
void worker_ring(Worker *w, Batch *batch);
/* Until a slot of the batch is answered, or its worker has died of it; a call may take so many
 * nanoseconds, any where that is 0. */
void worker_await(Worker *w, Batch *batch, int slot, uint64_t deadline);

#endif
