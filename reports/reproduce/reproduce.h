/* Standalone programs that show a finding with nothing but the library: C, or Python where the
 * library is called from there. */
#ifndef REPORTS_REPRODUCE_H
#define REPORTS_REPRODUCE_H

#include "ops/backend/backend.h"

typedef struct ReproduceInput {
    const char *title; /* the signature */
    const Case *c;
    const Backend *backend;
    int output; /* the operand that is wrong */
    size_t
        worst;   /* its worst component, which has an expectation even where not all can have one */
    bool locked; /* the program makes inputs read-only */
} ReproduceInput;

/* Appends the program.  It has the operands in it, calls the library in a child process, prints
 * expected, got and bound of the first wrong elements, and exits with 1 while the bug is there,
 * with 0 when it is gone.  False with one sentence in *error where the backend has no library that
 * a program could be linked with, or the operator chooses its results at random. */
MUST_USE bool reproduce_write(Text *source, const ReproduceInput *input, Text *error);

#endif
