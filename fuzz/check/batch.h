/* Runs many cases, one after another in one child process: those that end it, or that something may
 * be left of, are run alone. */
#ifndef FUZZ_BATCH_H
#define FUZZ_BATCH_H

#include "check.h"

/* Takes the results of case `number` on all backends, in their order. */
typedef void BatchTake(void *context, size_t number, const CheckResult *results);

/* Runs each case on each backend, and hands the results on in the order of the cases.  What
 * isolated_run would give of each is given, but for a kernel whose result depends on the calls
 * before it: what a case shows that is run among others counts only where it shows nothing wrong,
 * and leaves no thread, timer or process; anything else is what isolated_run says of it.  The limit
 * of a call is that of isolated_run. */
void batch_run(Checker *checker, const Case *const *cases, size_t count, uint64_t deadline,
               BatchTake *take, void *context);

#endif
