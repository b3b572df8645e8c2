/* What a kernel has left when it returns, beside its results. */
#ifndef FUZZ_AFTERMATH_H
#define FUZZ_AFTERMATH_H

#include "check.h"

/* Notes in the record that a case begins. */
void aftermath_note(BlackBox *box, const Case *c);
/* The same of a call of the backend's kernel for it. */
void aftermath_note_call(BlackBox *box, int backend);

/* Where the record was written over: makes it say again where the process is, and that it was; its
 * counts are lost.  Nothing where no case was begun.  May be called by a handler of signals. */
void aftermath_restore(Checker *checker);

/* Before the first call: the threads that were started by then are no kernel's. */
void aftermath_begin(void);
/* After a call: ends the process where it is a fork that the kernel made, and where somebody used
 * its bell or wrote over its record: the record then says so.  waits: a thread that the kernel left
 * behind shows first what it does, as part of the call; so many times in a process.  One system
 * call, where it started none. */
void aftermath_check(Checker *checker, bool waits);
/* The same of the record only, without a system call. */
void aftermath_check_record(Checker *checker);

#endif
