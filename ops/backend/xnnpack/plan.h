/* How a case becomes one XNNPACK operator: a call that creates it and one that sets it up, as lists
 * of arguments, and the buffers that both name.  Calls and C source are made from the same lists.
 */
#ifndef OPS_BACKEND_XNNPACK_PLAN_H
#define OPS_BACKEND_XNNPACK_PLAN_H

#include "ops/backend/backend.h"

enum {
    XNN_ARGUMENTS_MAX = 32,
    XNN_BUFFERS_MAX = 4,
    XNN_RANK_MAX = 6,
    XNN_EXTRA_BYTES = 16, /* what kernels may read behind an input */
    XNN_UNSUPPORTED_PARAMETER = 4,
    XNN_UNSUPPORTED_HARDWARE = 5
};

typedef enum XnnArgumentKind {
    XNN_SIZE,   /* size_t */
    XNN_NUMBER, /* uint32_t */
    XNN_FLOAT,
    XNN_SIGNED_BYTE,
    XNN_BYTE,
    XNN_SIZES,    /* array of size_t */
    XNN_BUFFER,   /* number of a buffer; -1 is NULL */
    XNN_OPERATOR, /* what was created */
    XNN_CREATED   /* address of it */
} XnnArgumentKind;

typedef struct XnnArgument {
    XnnArgumentKind kind;
    int64_t integer;
    double number;
    size_t sizes[XNN_RANK_MAX];
} XnnArgument;

/* An operand in the order that the library wants: dense with these extents; strides are those of
 * the operand, in elements.  plain: as it is. */
typedef struct XnnBuffer {
    int operand, rank;
    int64_t extent[XNN_RANK_MAX], stride[XNN_RANK_MAX];
    bool plain;
} XnnBuffer;

typedef struct XnnCall {
    char function[96];
    int count;
    XnnArgument arguments[XNN_ARGUMENTS_MAX];
} XnnCall;

typedef struct XnnPlan {
    const Operands *operands;
    XnnCall create, setup;
    int buffer_count;
    XnnBuffer buffers[XNN_BUFFERS_MAX];
} XnnPlan;

/* False when the case cannot be written, with the reason in *why. */
bool xnnpack_plan(XnnPlan *plan, const Operands *operands, Text *why);

#endif
