/* Runs single cases in a child process: for kernels that crash or hang. */
#ifndef FUZZ_ISOLATE_H
#define FUZZ_ISOLATE_H

#include "check.h"
#include "reference/alone.h"
#include "reference/child.h"

/* Puts into detail what ended a process: a signal with the guard page it touched, an exit status,
 * a hang, or a descriptor of ours that was closed or used; touched is what the box says. */
void fault_describe(char detail[96], int status, bool hung, const char *touched);

/* Whether it is a fault of a call that does not return. */
bool fault_is_hang(const CheckResult *result);

/* Ends a child whose call does not return, and says in the box what the call is found to do. */
void fault_end_hung(Child *child);

/* As checker_run for one backend, but in a fork of this process unless the kernels run in one of
 * their own, ended after deadline nanoseconds of processor time inside one kernel call (see
 * patience.h).  The checker must have no
 * threads running. */
void isolated_run(Checker *checker, const Case *c, int backend, uint64_t deadline,
                  CheckResult *result);

/* Parts of isolated_run, for who runs several cases in a child.  The child begins with the first:
 * it has this record from then on, and keeps of shared memory only `shared`; `repair` is that of
 * its checker, and what it prints goes to the standard error.  The others make a record ready for a
 * child, and wait for its end: true when it had to be killed because a call hung. */
void isolated_begin(Checker *checker, BlackBox *box, int bell, AloneMemory shared,
                    void (*repair)(void));
void isolated_reset(BlackBox *box);
MUST_USE bool isolated_wait(Child *child, const BlackBox *box, uint64_t deadline, int *status);

/* Takes memory of many sizes and gives it back: the C library ends a process by SIGABRT when it
 * meets a heap that a kernel overwrote.  isolated_run does so after the case. */
void isolated_use_heap(void);

#endif
