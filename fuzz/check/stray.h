/* The judgement of stray calls (ops/case/illegal.h): whatever comes of one is right, but for the
 * end of the process. */
#ifndef FUZZ_STRAY_H
#define FUZZ_STRAY_H

#include "check.h"

/* Puts the verdict and its detail into the result, of a call that ended so; message: by what it
 * died.  name: what is stray.  Returns why it is not judged, or NULL: a call that names huge
 * numbers may take more time and memory than there is. */
const char *stray_judge(CheckResult *result, RunStatus status, const char *message,
                        const char *name);

#endif
