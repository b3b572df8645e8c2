/* Leaves a timer that runs a function in a thread 30 ms later, which crashes.
 * Seen: dot FAULT SIGSEGV */
#include <signal.h>
#include <time.h>

#include "evil.h"

static void crash(union sigval ignored)
{
    (void)ignored;
    *(volatile int *)8 = 1;
}

static void misbehave(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = crash};
    const struct itimerspec once = {{0, 0}, {0, 30000000}};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        (void)timer_settime(timer, 0, &once, NULL);
}
