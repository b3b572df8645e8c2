/* Standalone programs that show a finding with nothing but the library: C, or Python where the
 * library is called from there. */
#ifndef REPORTS_REPRODUCE_H
#define REPORTS_REPRODUCE_H

#include "ops/backend/backend.h"
#include "oracle/judge.h"

typedef struct ReproduceInput {
    const char *title; /* the signature */
    const char *file;  /* the name of the program, which it tells how to run */
    const Case *c;
    const Backend *backend;
    int output;                 /* the operand that the judgement is about */
    const Judgement *judgement; /* what the tool made of a call just now */
    const char *detail;         /* and its words on breaches and faults, or "" */
    bool locked;                /* the harness makes inputs read-only */
    bool harness; /* the program checks all that the tool checks, not only what is wrong */
} ReproduceInput;

/* Appends the program, which exits with 1 while the bug is there, with 0 when it is gone.  A brief
 * one is the call with its operands, as one would write it by hand.  The harness calls the library
 * in a child process and prints expected, got and bound of the first wrong elements.  Where a brief
 * program cannot show the finding, the harness is written, and *note has one sentence why.  False
 * with one sentence in *error where the backend has no library that a program could be linked with,
 * or the operator chooses its results at random. */
MUST_USE bool reproduce_write(Text *source, const ReproduceInput *input, Text *note, Text *error);

#endif
