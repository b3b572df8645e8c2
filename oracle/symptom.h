/* The symptom of a divergence, such as a NaN that was lost or a crash of one kind: finer than the
 * kind of a verdict, coarser than values, sizes and elements.  Minimisation keeps it, raw findings
 * are told apart by it, and findings of one cause share it. */
#ifndef ORACLE_SYMPTOM_H
#define ORACLE_SYMPTOM_H

#include "judge.h"

typedef enum Symptom {
    SYMPTOM_NONE,          /* no finding */
    SYMPTOM_VALUE,         /* a wrong finite value where a finite one was due */
    SYMPTOM_ZERO_SIGN,     /* the sign of a zero */
    SYMPTOM_NAN_LOST,      /* a number or an infinity where NaN was due */
    SYMPTOM_NAN_MADE,      /* NaN where a number or an infinity was due */
    SYMPTOM_INFINITY_LOST, /* a finite value where an infinity was due */
    SYMPTOM_INFINITY_MADE, /* an infinity where a finite value was due */
    SYMPTOM_INFINITY_SIGN, /* the other infinity */
    SYMPTOM_UNWRITTEN,     /* an element of the output is as it was before the call */
    SYMPTOM_POLICY,        /* right under a reading that is not promised; Judgement.model has it */
    SYMPTOM_VARIES,        /* two ways of driving one kernel give different bits */
    SYMPTOM_WRITES_OUTSIDE,
    SYMPTOM_READS_OUTSIDE,
    SYMPTOM_INPUT_CHANGED, /* also where it is put back */
    SYMPTOM_ENVIRONMENT,   /* the floating-point environment is left changed */
    SYMPTOM_LEAK,
    SYMPTOM_MEMORY_ERROR, /* that a tool counted */
    SYMPTOM_CONTRACT,     /* another breach of contract */
    SYMPTOM_REFUSED,      /* a legal case */
    SYMPTOM_ACCEPTED,     /* an illegal case: computed, or written to */
    SYMPTOM_MISREPORTED,  /* an illegal case is refused in a way that is not documented */
    SYMPTOM_HANG,
    SYMPTOM_SEGFAULT,   /* SIGSEGV or SIGBUS */
    SYMPTOM_ABORT,      /* SIGABRT */
    SYMPTOM_ARITHMETIC, /* SIGFPE */
    SYMPTOM_MEMORY,     /* memory is taken and taken, and the call does not return */
    SYMPTOM_DEATH,      /* the process ended in another way */
    SYMPTOM_COUNT
} Symptom;

/* The symptom of a finding; SYMPTOM_NONE for any other verdict.  detail says more about breaches,
 * refusals and faults, and is read by its beginning only, which symptom_detail has. */
Symptom symptom_of(const Judgement *j, const char *detail);

/* In plain words: "infinity lost". */
const char *symptom_name(Symptom symptom);

/* The symptom of a name; SYMPTOM_NONE where there is none. */
Symptom symptom_find(const char *name);
/* Whether a number is not what it must be, or not written. */
bool symptom_is_numeric(Symptom symptom);

/* The words with which details of a symptom begin, and by which it is known from others of its kind
 * of verdict; "" where values show it. */
const char *symptom_detail(Symptom symptom);

/* What a call that does not return is found to do. */
#define TAKES_MEMORY   "takes memory, more than 1 GiB, and does not return"
#define HANDLES_SIGNAL "hang, with a handler of its own of SIGSEGV"

/* What a fault touched, in its detail, where a kernel went beyond the end of its own memory. */
#define HEAP_PAGE "the page after memory that the library took"

#endif
