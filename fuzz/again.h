/* Running a case once more in a process of its own, as somebody else would run it. */
#ifndef FUZZ_AGAIN_H
#define FUZZ_AGAIN_H

#include "reference/base.h"

typedef enum AgainVerdict { AGAIN_AGREES, AGAIN_DIVERGES, AGAIN_UNKNOWN } AgainVerdict;

/* Starts this program anew for the line on one backend, with a variable set unless it is NULL.
 * Unknown where the backend is absent or declines the case. */
AgainVerdict again_run(const char *line, const char *backend, const char *variable);

/* How many of `tries` runs diverge; false where one of them is unknown. */
MUST_USE bool again_count(const char *line, const char *backend, const char *variable, int tries,
                          int *diverged);

#endif
