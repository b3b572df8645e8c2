/* What the recorder (native/recorder.c) writes down of the calls that a program and its children
 * make, in a file that all of them map.  It holds when a process is killed, and takes calls of any
 * number of threads and processes at once.  Knows nothing else of the tree. */
#ifndef OPS_BACKEND_BLAS_RECORDING_H
#define OPS_BACKEND_BLAS_RECORDING_H

#include <stdatomic.h>
#include <stdint.h>

/* The variable of the environment that names the file. */
#define RECORDING_VARIABLE "OPCONFORM_RECORDING"

enum { RECORDED_ARGUMENTS = 24, RECORDED_SCALARS = 4, RECORDED_CALLS = 1 << 16 };

/* Why a call is not among those that were written down. */
typedef enum RecordingLoss {
    LOSS_FULL,   /* more different calls than there is room for */
    LOSS_GROUPS, /* its shapes are in arrays, of which groups have one element each */
    LOSS_NESTED, /* made by a library while it serves another call that was written down */
    LOSS_COUNT
} RecordingLoss;

/* A call that differs from all others in its function, in an integer or a choice, in the class of a
 * factor, or in which operands begin at one address. */
typedef struct RecordedCall {
    /* 0: free; hash * 4 + 1: being written; hash * 4 + 2: written.  A process that ends between
     * these leaves an entry that nobody reads, whose call comes again in another one. */
    _Atomic uint64_t state;
    _Atomic uint64_t count;
    uint32_t function, same; /* same: bit 4 i + k where operand k begins where operand i < k does */
    uint64_t classes;        /* 4 bits for each component of the factors, in their order */
    int64_t integers[RECORDED_ARGUMENTS]; /* of integers and choices; 0 for other arguments */
    double scalars[RECORDED_SCALARS][2];  /* factors of the first such call */
} RecordedCall;

typedef struct Recording {
    uint64_t layout;            /* RECORDING_LAYOUT, which both sides must have */
    _Atomic uint64_t processes; /* that loaded the recorder */
    _Atomic uint64_t lost[LOSS_COUNT];
    RecordedCall calls[RECORDED_CALLS];
} Recording;
#define RECORDING_LAYOUT (0x6f70726563000000u + sizeof(Recording))

/* Classes of the numbers of a factor. */
typedef enum ScalarClass {
    SCALAR_ZERO,
    SCALAR_ONE,
    SCALAR_MINUS_ONE,
    SCALAR_OTHER,
    SCALAR_INFINITE,
    SCALAR_NAN
} ScalarClass;

#endif
