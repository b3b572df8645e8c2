/* Timers that a kernel leaves behind (setitimer, alarm). */
#ifndef FUZZ_CHECK_TIMER_H
#define FUZZ_CHECK_TIMER_H

#include <stdbool.h>
#include <sys/time.h>

/* The timer of the process in real time. */
struct itimerval timer_state(void);
/* The same, but what is left of the time of one that rings again and again; no system call where
 * nobody set one since. */
struct itimerval timer_noted(void);
bool timer_is_running(const struct itimerval *timer);

/* True when a timer runs that did not run before a call; it is called off.  Engines have a timer of
 * their own, which keeps its interval. */
bool timer_call_off(const struct itimerval *before);

#endif
