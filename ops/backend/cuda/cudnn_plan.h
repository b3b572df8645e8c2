/* A case as calls of cuDNN: what the worker makes and what reproducers print. */
#ifndef OPS_BACKEND_CUDNN_PLAN_H
#define OPS_BACKEND_CUDNN_PLAN_H

#include "ops/case/case.h"

/* The words of the backend's mode; unordered: sums may be formed in another order each time;
 * transforms: convolutions may be products of Fourier transforms; number is that of a forward
 * convolution's algorithm, or with graph the place of a configuration among those that the
 * heuristics return. */
typedef struct DnnMode {
    bool stream, fma, graph, unordered, transforms;
    int number;
} DnnMode;

/* Reads the words, with + between; false with one sentence in *error. */
bool cudnn_read_mode(DnnMode *mode, const char *words, Text *error);

typedef enum DnnArgumentKind {
    DNN_HANDLE,
    DNN_NOTHING,    /* no address */
    DNN_NEW,        /* the address of descriptor `number`, which is made */
    DNN_DESCRIPTOR, /* descriptor `number` */
    DNN_INTEGER,    /* `number` */
    DNN_REAL,       /* `real` */
    DNN_ARRAY,      /* of integers */
    DNN_OPERAND,    /* the address of operand `number` on the device */
    DNN_ONE,        /* the addresses of 1 and of 0 in the type of the sums */
    DNN_ZERO,
    DNN_WORKSPACE, /* memory on the device, and its bytes */
    DNN_WORKSPACE_BYTES,
    DNN_NEEDED_BYTES /* the address of the bytes that the call after it needs of it */
} DnnArgumentKind;

enum { DNN_AXES_MAX = 5, DNN_ARGUMENTS_MAX = 18, DNN_CALLS_MAX = 20, DNN_DESCRIPTORS_MAX = 6 };
typedef struct DnnArgument {
    DnnArgumentKind kind;
    int number, array[DNN_AXES_MAX]; /* number: of an array, its length */
    double real;
} DnnArgument;

typedef struct DnnCall {
    const char *function;
    int count;
    DnnArgument arguments[DNN_ARGUMENTS_MAX];
} DnnCall;

/* A kind of descriptor: its type, and the functions that make and end one. */
typedef struct DnnDescriptor {
    const char *type, *create, *destroy;
} DnnDescriptor;

typedef struct DnnPlan {
    DnnCall calls[DNN_CALLS_MAX];
    const DnnDescriptor *descriptors[DNN_DESCRIPTORS_MAX];
    int count, descriptor_count;
    bool wide; /* factors are binary64, else binary32 */
} DnnPlan;

/* Every function that plans call, and those that end descriptors; ended by NULL. */
extern const char *const cudnn_functions[];

/* Element types (a mask) in which there are plans for an operator. */
uint32_t cudnn_dtypes(const OpDesc *op);
/* False where cuDNN has no such function, or only algorithms by transforms, whose errors the bounds
 * of sums do not cover unless the mode says `transforms`, or without `unordered` such that do not
 * promise the same bits again. */
bool cudnn_plan(DnnPlan *plan, const Case *c, const Shapes *shapes, const DnnMode *mode);

/* Bytes of the workspace. */
enum { DNN_WORKSPACE_SIZE = 64 << 20 };

#endif
