/* What the calls of a case left in its outputs. */
#ifndef FUZZ_CHECK_OUTPUTS_H
#define FUZZ_CHECK_OUTPUTS_H

#include "check.h"

/* The components of each output as a kernel left them, and those that still hold the canary. */
typedef struct Outputs {
    double *got[OP_TENSORS_MAX];
    uint8_t *canary[OP_TENSORS_MAX];
} Outputs;

void outputs_read(const Operands *o, Outputs *outputs, Arena *arena);

/* Holds them against the references and bounds of the checker, and what diverges against other
 * readings of the inputs and of the arithmetic: the worst of all outputs becomes the result. */
void outputs_judge(Checker *checker, Operands *o, const Outputs *outputs, CheckResult *result);

/* Two calls on the same data must give the same bits: demanded of one thread only, since no library
 * here promises an order of summation across threads.  refs are those of the first. */
void outputs_judge_repeat(const Operands *o, const Ref *refs, const Outputs *first,
                          const Outputs *again, CheckResult *result);

#endif
