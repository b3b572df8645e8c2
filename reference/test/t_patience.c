/* Loops and deadlocks end the patience, and so does a process that stays stopped; one that is
 * stopped for a while, and new calls, do not. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/child.h"
#include "reference/patience.h"
#include "tests/check.h"

static const uint64_t busy = 100000000;

static _Noreturn void spin(void)
{
    for (volatile unsigned i = 0;; i++)
        ;
}

static int loop_child(const void *context, int to)
{
    (void)context;
    (void)to;
    spin();
}

static void *wait_lock(void *lock)
{
    (void)pthread_mutex_lock(lock);
    return lock;
}

/* Two threads that both wait for a lock which nobody opens. */
static int deadlock_child(const void *context, int to)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_t other;
    (void)context;
    (void)to;
    (void)pthread_mutex_lock(&lock);
    if (pthread_create(&other, NULL, wait_lock, &lock) == 0)
        (void)wait_lock(&lock);
    return 0;
}

/* Waits for what never comes, and looks at it again and again. */
static int polling_child(const void *context, int to)
{
    (void)context;
    (void)to;
    for (;;)
        (void)usleep(1000);
}

/* How many milliseconds until the patience ends, at most `limit`; the process is stopped and
 * continued at every look where that is wanted, and each look is at another call where those are
 * many. */
static int watch(ChildBody *body, int limit, bool stopped, bool many)
{
    Child child;
    Patience patience = {0};
    uint64_t start = clock_nanoseconds(), call = 1;
    if (!child_start(&child, body, NULL))
        return -1;
    if (stopped)
        (void)kill(child.process, SIGSTOP);
    while (!patience_ends(&patience, child.process, call, busy) &&
           clock_nanoseconds() - start < (uint64_t)limit * 1000000u) {
        call += many;
        (void)usleep(10000);
    }
    int passed = (int)((clock_nanoseconds() - start) / 1000000u);
    child_kill(&child);
    (void)child_wait(&child);
    return passed;
}

int main(void)
{
    int loop = watch(loop_child, 20000, false, false);
    CHECK(loop >= 100 && loop < 20000);
    int deadlock = watch(deadlock_child, 20000, false, false);
    CHECK(deadlock >= 100 && deadlock < 20000);
    int polling = watch(polling_child, 20000, false, false);
    CHECK(polling >= 100 && polling < 20000);
    CHECK(watch(loop_child, 1000, true, false) >= 1000);
    CHECK(watch(deadlock_child, 1000, true, false) >= 1000);
    int stopped = watch(loop_child, 40000, true, false);
    CHECK(stopped >= 100 * PATIENCE_STOPPED && stopped < 40000);
    CHECK(watch(loop_child, 1000, false, true) >= 1000);
    return check_end("reference/t_patience");
}
