/* Calls of a user's functions. */
#ifndef OPS_BACKEND_KERNEL_CALL_H
#define OPS_BACKEND_KERNEL_CALL_H

#include "kernel_library.h"
#include "ops/backend/backend.h"

/* The value of an argument for a case: an address, or numbers and text. */
typedef enum KernelValueKind {
    KERNEL_VALUE_ADDRESS, /* of operand `operand`; NULL where that is -1 */
    KERNEL_VALUE_INTEGERS,
    KERNEL_VALUE_REALS, /* two for a complex number */
    KERNEL_VALUE_TEXT
} KernelValueKind;

enum { KERNEL_NUMBERS_MAX = 2 * TENSOR_RANK_MAX };

typedef struct KernelValue {
    KernelValueKind kind;
    int operand, count;
    int64_t integers[KERNEL_NUMBERS_MAX];
    double reals[2];
    char text[64];
} KernelValue;

KernelValue kernel_value(const KernelArgument *argument, const Operands *operands);

/* BackendKind.run. */
RunStatus kernel_run(Backend *backend, const Operands *operands);

#endif
