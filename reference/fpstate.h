/* The floating-point environment that a kernel must leave as it found it. */
#ifndef REFERENCE_FPSTATE_H
#define REFERENCE_FPSTATE_H

/* Rounding to nearest, no traps, no flush to zero, empty x87 stack. */
void fpstate_reset(void);
/* A word for what is other than fpstate_reset left it, sticky exception flags apart; NULL where
 * nothing is.  Resets it. */
const char *fpstate_settle(void);

#endif
