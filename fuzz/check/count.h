/* Counts the verdicts of a process in its record. */
#ifndef FUZZ_COUNT_H
#define FUZZ_COUNT_H

#include "check.h"

/* situations: the policies that decide in the case, as policy_situations has them. */
void count_result(BlackBox *box, const Case *c, uint64_t situations, const CheckResult *result);

#endif
