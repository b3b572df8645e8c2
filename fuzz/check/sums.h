/* The verdict on a large case (ops/case/large.h): all rows of the result by their sums, and those
 * rows element by element that the sums point to. */
#ifndef FUZZ_SUMS_H
#define FUZZ_SUMS_H

#include "check.h"

/* What a right result sums up to; before any call. */
void sums_begin(Checker *checker, const Operands *o);
void sums_judge(Checker *checker, const Operands *o, CheckResult *result);

#endif
