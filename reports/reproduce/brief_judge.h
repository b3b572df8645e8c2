/* The condition by which a brief program judges the component that is wrong. */
#ifndef REPORTS_BRIEF_JUDGE_H
#define REPORTS_BRIEF_JUDGE_H

#include "expectation.h"

/* True when the expectation admits the value. */
bool brief_admits(const Expectation *expectation, double got);

/* Appends the expected value as a person reads it, and the condition in C that the value of the
 * expression `got` must meet.  The wrong value does not meet it, unless it is admitted. */
void brief_put_condition(const Expectation *expectation, const char *got, double wrong,
                         Text *expected, Text *condition);

/* True when the element type is one that C lacks, and what is expected of a component is one value
 * or one class: its bits tell, without their value. */
bool brief_has_bits(const Expectation *expectation, DType dtype);

/* As brief_put_condition, for an expression that has the bits of such a component. */
void brief_put_bits(const Expectation *expectation, DType dtype, const char *bits, Text *expected,
                    Text *condition);

#endif
