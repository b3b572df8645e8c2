/* Runs a case once more in a new process of this program, as somebody else would run it. */
#ifndef FUZZ_AGAIN_H
#define FUZZ_AGAIN_H

#include "reference/base.h"

/* Starts this program anew for the line on one backend, `tries` times and with a variable set
 * unless it is NULL, and counts the runs that diverge; false where one cannot tell: the backend is
 * absent, declines the case, or is not opened since only the database names it, which is told. */
MUST_USE bool again_count(const char *line, const char *backend, const char *variable, int tries,
                          int *diverged);

/* The version of a backend, "absent" where it cannot be opened; good until the next call. */
const char *again_version(const char *backend);

#endif
