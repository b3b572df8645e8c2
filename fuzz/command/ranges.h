/* The limits and closed ranges of functions (reference/function_limits.h) in words. */
#ifndef FUZZ_COMMAND_RANGES_H
#define FUZZ_COMMAND_RANGES_H

#include "reference/function.h"

/* Of one function: what it is at its limits, its closed range with what holds results to it, and
 * the texts. */
typedef struct RangeWords {
    Text limits, results, source;
} RangeWords;

/* Calls put for every function of one or two variables of which something is said; the words are
 * released behind it. */
typedef void RangePut(const void *context, const Function *function, const RangeWords *words);
void ranges_visit(RangePut *put, const void *context);

#endif
