/* The floating-point environment that a kernel must leave as it found it. */
#ifndef REFERENCE_FPSTATE_H
#define REFERENCE_FPSTATE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct FpState {
    uint32_t vector_control; /* MXCSR without its sticky exception flags */
    uint16_t x87_control;
    uint16_t x87_tags; /* 0xffff: the x87 stack is empty */
} FpState;

FpState fpstate_read(void);
/* Rounding to nearest, no traps, no flush to zero, empty x87 stack. */
void fpstate_reset(void);
/* NULL when nothing changed, else a word for what did. */
const char *fpstate_difference(FpState before, FpState after);

#endif
