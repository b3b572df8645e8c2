/* Threads and timers are noted, by whatever function of the C library they come to be. */
#include "fuzz/check/noted.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/check/interposed.h"
#include "tests/check.h"

static void *run_posix(void *unused)
{
    return unused;
}

static int run_c11(void *unused)
{
    (void)unused;
    return 0;
}

static void run_timer(union sigval unused)
{
    (void)unused;
}

/* Each is noted once. */
static void check_thread(void)
{
    CHECK(noted_thread());
#ifndef SANITIZED
    CHECK(!noted_thread() && !noted_timer());
#endif
}

static void check_timer(void)
{
    CHECK(noted_timer());
#ifndef SANITIZED
    CHECK(!noted_timer() && !noted_thread());
#endif
}

static void test_threads(void)
{
    enum { STACK_BYTES = 1 << 16 };
    static _Alignas(64) char stack[STACK_BYTES];
    pthread_t posix;
    thrd_t c11;
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = run_timer};
    CHECK(pthread_create(&posix, NULL, run_posix, NULL) == 0 && pthread_join(posix, NULL) == 0);
    check_thread();
    CHECK(thrd_create(&c11, run_c11, NULL) == thrd_success);
    CHECK(thrd_join(c11, NULL) == thrd_success);
    check_thread();
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 && timer_delete(timer) == 0);
    check_thread();
    pid_t child = clone(run_c11, stack + STACK_BYTES, CLONE_VM | SIGCHLD, NULL);
    CHECK(child > 0 && waitpid(child, NULL, 0) == child);
    check_thread();
}

static void test_timers(void)
{
    const struct itimerval later = {{0, 0}, {1000, 0}}, none = {{0, 0}, {0, 0}};
    CHECK(setitimer(ITIMER_REAL, &later, NULL) == 0);
    check_timer();
    CHECK(alarm(1000) > 0);
    check_timer();
    (void)ualarm(999999, 0);
    check_timer();
    CHECK(setitimer(ITIMER_REAL, &none, NULL) == 0);
    check_timer();
}

int main(void)
{
    /* What was there before is not known. */
    CHECK(noted_thread() && noted_timer());
    test_threads();
    test_timers();
    return check_end("noted");
}
