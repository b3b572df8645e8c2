/* The record of a process that runs kernels: its present case and phase, stored before each kernel
 * call without a system call, and the counts of its executions.  In shared memory, so that whoever
 * started the process reads there which call it died of. */
#ifndef FUZZ_BLACKBOX_H
#define FUZZ_BLACKBOX_H

#include <stdatomic.h>

#include "ops/backend/backend.h"
#include "ops/contract/policy.h"
#include "oracle/judge.h"

enum {
    BOX_BACKENDS_MAX = 16,
    BOX_CELLS_MAX = 65536,
    LADDER_STEPS = 16,
    BOX_MODELS_MAX = 12,
    BOX_RECENT = 512,
    CONSTRUCTS_MAX = 128
};

/* Of a kernel that closed a descriptor of ours, or wrote to it. */
#define BOX_BELL_USED "closes or uses a descriptor that is not its own"
/* Of one that wrote over the record. */
#define BOX_OVERWRITTEN "writes over memory that its process shares with others"

typedef enum Phase {
    PHASE_ENGINE,
    PHASE_FILL, /* decoding and generating data */
    PHASE_REFERENCE,
    PHASE_KERNEL,
    PHASE_ORACLE,
    PHASE_COUNT
} Phase;
const char *phase_name(Phase phase);

/* Executions of one operator, element type and kind of data on one backend; ladder counts them by
 * log2 of error over bound: step 0 exact, 1 below 2^-13, ... , 14 in [1/2, 1], 15 above 1. */
typedef struct CoverageCell {
    uint64_t key;
    const OpDesc *op;
    DType dtype;
    char fill[16];
    int backend;
    uint64_t executions, declined, vacuous, undecided, ladder[LADDER_STEPS];
    uint64_t nanoseconds;            /* of all phases of its cases */
    uint64_t agreed[BOX_MODELS_MAX]; /* by the model that admitted them: BlackBox.models */
    double worst_ratio;
} CoverageCell;

/* Executions in the situation of one policy on one backend, and those that passed only under a
 * reading of that name which the backend promises. */
typedef struct PolicyCell {
    uint64_t executions, documented;
} PolicyCell;

/* Executions of programs with one construct on one backend. */
typedef struct ConstructCell {
    uint64_t executions, declined, findings;
} ConstructCell;

typedef struct BlackBox {
    uint64_t seal_first; /* seals hold a number of ours as long as nobody writes over them */
    /* The present case. */
    _Atomic int phase;
    _Atomic int backend;
    atomic_uint_fast64_t kernel_started; /* nanoseconds of the monotonic clock; 0 outside a call */
    Case current;
    /* The latest cases that were begun in the process, in a ring. */
    Case recent[BOX_RECENT];
    uint32_t called[BOX_RECENT]; /* which backends' kernels were called for each: a mask */
    unsigned recent_count;
    double patience;       /* times the usual one, of the present case (ops/case/large.h) */
    char fault_detail[96]; /* what memory a signal was about, or one of the two above */
    /* The instruction that first touched memory which is not its own in the present call, or 0. */
    atomic_uintptr_t fault_address;
    uint64_t seal_middle;
    /* The counts. */
    atomic_uint_fast64_t cases, executions;
    uint64_t nanoseconds[PHASE_COUNT];
    uint64_t products_by_library, products_rejected;
    /* Executions of cases with a relation: those whose second call was compared with the first, and
     * those of which none was, since the relation does not hold of the case or its data, or since
     * the first result did not agree. */
    uint64_t related, unrelated;
    uint64_t joined; /* executions of calls that were compiled with others as one function */
    CoverageCell cells[BOX_CELLS_MAX];
    char models[BOX_BACKENDS_MAX][BOX_MODELS_MAX][MODEL_NAME_BYTES]; /* in the order they came */
    PolicyCell policy[BOX_BACKENDS_MAX][POLICY_MAX];
    const OpDesc *program; /* the operator of the constructs, which are numbers of its names */
    ConstructCell construct[BOX_BACKENDS_MAX][CONSTRUCTS_MAX];
    uint64_t seal_last;
} BlackBox;

/* Seals a record, and whether its seals are whole. */
void blackbox_seal(BlackBox *box);
bool blackbox_is_whole(const BlackBox *box);
/* When the present call began; 0 outside a call, 1 where the record was written over. */
uint64_t blackbox_call(const BlackBox *box);

/* Shared memory, all 0 but the seals; NULL when there is none. */
BlackBox *blackbox_create(void);
/* The same with the descriptor of a file, by which a process that does not come from this one can
 * have it too; -1 where the process may have no file of that size. */
BlackBox *blackbox_create_file(int *file);
BlackBox *blackbox_map(int file);
void blackbox_destroy(BlackBox *box);

/* The cell for a key, made on first use; NULL when the table is full. */
CoverageCell *blackbox_cell(BlackBox *box, const Case *c, int backend);

/* Step of the ladder for error over bound. */
int ladder_step(double ratio);

#endif
