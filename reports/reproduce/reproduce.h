/* Standalone programs that show a finding with nothing but the library: C, C++, or Python where the
 * library is called from there. */
#ifndef REPORTS_REPRODUCE_H
#define REPORTS_REPRODUCE_H

#include "ops/backend/backend.h"
#include "oracle/judge.h"

/* Which memory of a brief program lies against pages that must not be touched. */
typedef enum BriefMemory {
    BRIEF_AS_SHOWN, /* what the detail names */
    BRIEF_PLAIN,
    BRIEF_OPERANDS,
    BRIEF_HEAP /* what the library takes by posix_memalign */
} BriefMemory;

typedef struct ReproduceInput {
    const char *title; /* the signature */
    const char *name;  /* of the program, without its ending */
    const Case *c;
    const Backend *backend;
    int output;                 /* the operand that the judgement is about */
    const Judgement *judgement; /* what the tool made of a call just now */
    const char *detail;         /* and its words on breaches and faults, or "" */
    bool locked;                /* the harness makes inputs read-only */
    bool harness; /* the program checks all that the tool checks, not only what is wrong */
    BriefMemory memory;
    bool in_c;  /* a brief one is in C where C++ would serve as well */
    bool exact; /* a brief one has what the memory held between elements, which few bugs need */
    bool right; /* with right results in place of the call: the program must end with 0 */
} ReproduceInput;

/* A program.  All 0: none. */
typedef struct ReproduceProgram {
    Text file; /* its name, by which it tells how to run it */
    Text source;
    Text command; /* of the shell, that builds and runs it in its folder; empty where in Python */
    bool in_python, in_cpp;
    Text function;      /* of the library, which it calls */
    int status;         /* that it ends with while the bug is there */
    BriefMemory memory; /* as it was asked for, and so is exact */
    bool exact;
    Text why;   /* one sentence why it is the harness, though a brief program was asked for */
    Text check; /* one sentence where it does not tell, or was not run */
} ReproduceProgram;

/* Writes the program, which exits with 1 while the bug is there, with 0 when it is gone.  A brief
 * one is the call with its operands, as one would write it by hand.  The harness calls the library
 * in a child process and prints expected, got and bound of the first wrong elements.  Where a brief
 * program cannot show the finding, the harness is written.  False with one sentence in *error where
 * the backend has no library that a program could be linked with, or the operator chooses its
 * results at random and no brief program has a statistic of them. */
MUST_USE bool reproduce_write(ReproduceProgram *program, const ReproduceInput *input, Text *error);

/* The same, but runs the program, with the library and with right results.  A brief program that
 * does not tell them apart gives way to the harness where that does; otherwise program->check says
 * so. */
MUST_USE bool reproduce_write_checked(ReproduceProgram *program, const ReproduceInput *input,
                                      Text *error);

void reproduce_release(ReproduceProgram *program);

#endif
