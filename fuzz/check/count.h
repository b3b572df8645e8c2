/* Counts the verdicts of a process in its record. */
#ifndef FUZZ_COUNT_H
#define FUZZ_COUNT_H

#include "check.h"

/* What came of a case on some backends, and what it has cost on all. */
void count_on_all(BlackBox *box, const Case *c, const CheckResult *results, int count,
                  uint64_t nanoseconds);

#endif
