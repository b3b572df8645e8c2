/* What is wrong with the elements of a result together, where each of them may be right. */
#ifndef REFERENCE_FLAW_H
#define REFERENCE_FLAW_H

/* what is NULL where nothing is wrong.  A statistic is found, and is farther from what is expected
 * than the bound. */
typedef struct Flaw {
    const char *what;
    double expected, found, bound;
} Flaw;

#endif
