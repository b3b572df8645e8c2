/* The verdict on factors and solutions of a large case (ops/case/large.h): the integers whole, all
 * rows of each equation by sums, and elements of those rows that the sums point to. */
#ifndef FUZZ_FACTORS_H
#define FUZZ_FACTORS_H

#include "check.h"

void factors_judge(Checker *checker, const Operands *o, CheckResult *result);

#endif
