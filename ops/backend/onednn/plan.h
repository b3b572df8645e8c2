/* How a case becomes one oneDNN primitive: memory descriptors, one call that describes it, and the
 * operands that it is executed with.  Versions 2 and 3 differ in the names and in the leading and
 * last arguments of the call; the rest is the same list, from which calls and C source are made. */
#ifndef OPS_BACKEND_ONEDNN_PLAN_H
#define OPS_BACKEND_ONEDNN_PLAN_H

#include "ops/backend/backend.h"

enum { DNNL_DIMS_MAX = 12, DNNL_ARGUMENTS_MAX = 20, DNNL_MEMORIES_MAX = 10, DNNL_NAME_BYTES = 48 };
/* Numbers of the interface, the same in versions 2 and 3: an element type, and what two memories of
 * every reorder are. */
enum { DNNL_TYPE_F32 = 3, DNNL_ARGUMENT_SRC = 1, DNNL_ARGUMENT_DST = 17 };

typedef enum DnnlArgumentKind {
    DNNL_BLOB,   /* version 2: the operation descriptor that is filled in */
    DNNL_RESULT, /* version 3: address of the primitive descriptor */
    DNNL_ENGINE,
    DNNL_INTEGER,
    DNNL_DIMENSION, /* a whole number of 64 bits: dnnl_dim_t */
    DNNL_ALGORITHM, /* a number that the library calls by this name */
    DNNL_NUMBER,    /* float */
    DNNL_MEMORY,    /* number of a memory descriptor; -1 is NULL */
    DNNL_DIMENSIONS,
    DNNL_ATTRIBUTES, /* NULL without an activation */
    DNNL_NOTHING     /* NULL */
} DnnlArgumentKind;

typedef struct DnnlArgument {
    DnnlArgumentKind kind;
    int64_t integer;
    double number;
    char algorithm[DNNL_NAME_BYTES];
    const char *name; /* of an integer that the interface has a name for, as in the row; or NULL */
    int64_t dimensions[DNNL_DIMS_MAX];
} DnnlArgument;

/* A memory descriptor by extents and strides, and what it stands for when the primitive runs. */
typedef struct DnnlMemory {
    int rank, type, operand; /* operand: index among the operands of the case */
    int argument;            /* DNNL_ARG_*, 0: not an argument */
    bool described;          /* named in the call that describes the primitive, with its strides */
    int64_t extent[DNNL_DIMS_MAX], stride[DNNL_DIMS_MAX];
} DnnlMemory;

typedef struct DnnlPlan {
    int version;
    char function[96];
    int argument_count, memory_count;
    char activation[DNNL_NAME_BYTES]; /* algorithm of a post-operation, empty: none */
    double activation_end;            /* its second parameter */
    DnnlArgument arguments[DNNL_ARGUMENTS_MAX];
    DnnlMemory memories[DNNL_MEMORIES_MAX];
} DnnlPlan;

/* The name of DNNL_ARG_* in small letters; the argument must be one that a row can name. */
const char *dnnl_argument_name(int argument);

/* True when there is a row for the operator and the library knows the element type. */
bool dnnl_knows(const OpDesc *op, DType dtype);

/* False when the case cannot be written for this version (2 or 3), with the reason in *why. */
bool dnnl_plan(DnnlPlan *plan, int version, const Operands *operands, Text *why);

#endif
