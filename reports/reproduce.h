/* Standalone programs that show a finding with nothing but the library: C, or Python where the
 * library is called from there. */
#ifndef REPORTS_REPRODUCE_H
#define REPORTS_REPRODUCE_H

#include "ops/backend.h"

typedef struct ReproduceInput {
    const char *title; /* the signature */
    const Case *c;
    const Backend *backend;
    int output;   /* operand that is wrong */
    size_t worst; /* component of it to centre on where not all can be embedded */
    bool locked;  /* the program makes inputs read-only */
} ReproduceInput;

/* Appends the program: it embeds the operands, calls the library in a child process, prints
 * expected, got and bound of each wrong element, and exits with 1 while the bug is there, 0 when
 * it is gone.  False with one sentence in *error where the backend has no library to link. */
MUST_USE bool reproduce_write(Text *source, const ReproduceInput *input, Text *error);

#endif
