/* What a process that runs kernels has written, in shared memory or through its pipe, before
 * anybody relies on it: a kernel may have written it. */
#ifndef FUZZ_UNTRUSTED_H
#define FUZZ_UNTRUSTED_H

#include "shared.h"
#include "worker.h"

/* Makes a message one that can come from a worker of these backends: a case that its line gives
 * back, names that are known, numbers in their ranges.  False where it cannot; then *why, unless it
 * is NULL, gets a phrase on one line that names the first field that is wrong and shows what it
 * holds, UNTRUSTED_SHOWN bytes of a text at most. */
enum { UNTRUSTED_SHOWN = 400 };
MUST_USE bool untrusted_finding(FindingMessage *message, const char *const *backends, Text *why);

/* Whether it is an operator that there is. */
bool untrusted_operator(const OpDesc *op);

/* A text of ours: it ends, and has no controls. */
void untrusted_text(char *text, size_t size);

/* Whether it is the number of one of them. */
bool untrusted_backend(int number, const char *const *backends);

/* Makes the record of a process that has ended one that can be read: its phase, its backend, what a
 * signal was about, and its present case.  False, with the phase PHASE_ENGINE, where it cannot. */
MUST_USE bool untrusted_record(BlackBox *box, const char *const *backends);

/* Empties what nothing can have counted, of a job that has run for so many nanoseconds; the number
 * of entries that were. */
uint64_t untrusted_counts(Shared *shared, const char *const *backends, uint64_t nanoseconds);

#endif
