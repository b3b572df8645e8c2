/* Each function of a library's is looked up behind this program's. */
#include "noted.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "interposed.h"
#include "reference/child.h"

/* Set by any thread, and by all processes that begin. */
typedef struct Note {
    atomic_bool made;
    uint64_t generation;
} Note;

static Note timers, threads;

#ifdef SANITIZED

static bool is_made(Note *note)
{
    (void)note;
    return true;
}

#else

/* The function of that name behind this program's, or the one that libraries find. */
static void look_up(void *where, const char *name, void *function, size_t size)
{
    void *found = dlsym(where, name);
    memcpy(function, &found, size);
}

PUBLIC int setitimer(__itimer_which_t which, const struct itimerval *restrict wanted,
                     struct itimerval *restrict before)
{
    int (*next)(__itimer_which_t, const struct itimerval *, struct itimerval *);
    look_up(RTLD_NEXT, "setitimer", &next, sizeof next);
    atomic_store(&timers.made, true);
    return next(which, wanted, before);
}

PUBLIC unsigned alarm(unsigned seconds)
{
    unsigned (*next)(unsigned);
    look_up(RTLD_NEXT, "alarm", &next, sizeof next);
    atomic_store(&timers.made, true);
    return next(seconds);
}

PUBLIC unsigned ualarm(unsigned first, unsigned later)
{
    unsigned (*next)(unsigned, unsigned);
    look_up(RTLD_NEXT, "ualarm", &next, sizeof next);
    atomic_store(&timers.made, true);
    return next(first, later);
}

/* Those of the C library start threads by functions of its own, as do timers that run a function.
 */
PUBLIC int thrd_create(thrd_t *thread, thrd_start_t body, void *argument)
{
    int (*next)(thrd_t *, thrd_start_t, void *);
    look_up(RTLD_NEXT, "thrd_create", &next, sizeof next);
    atomic_store(&threads.made, true);
    return next(thread, body, argument);
}

PUBLIC int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer)
{
    int (*next)(clockid_t, struct sigevent *, timer_t *);
    look_up(RTLD_NEXT, "timer_create", &next, sizeof next);
    atomic_store(&threads.made, true);
    return next(clock, event, timer);
}

/* What is behind the argument is read as the C library reads it, whether it was given or not. */
PUBLIC int clone(int (*body)(void *), void *stack, int flags, void *argument, ...)
{
    int (*next)(int (*)(void *), void *, int, void *, ...);
    va_list rest;
    va_start(rest, argument);
    pid_t *parent = va_arg(rest, pid_t *);
    void *storage = va_arg(rest, void *);
    pid_t *child = va_arg(rest, pid_t *);
    va_end(rest);
    look_up(RTLD_NEXT, "clone", &next, sizeof next);
    atomic_store(&threads.made, true);
    return next(body, stack, flags, argument, parent, storage, child);
}

PUBLIC int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                          void *(*body)(void *), void *restrict argument)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    look_up(RTLD_NEXT, "pthread_create", &next, sizeof next);
    atomic_store(&threads.made, true);
    return next(thread, attributes, body, argument);
}

static bool are_found(void)
{
    int (*found)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    look_up(RTLD_DEFAULT, "pthread_create", &found, sizeof found);
    return found == pthread_create;
}

static bool is_made(Note *note)
{
    static atomic_int found; /* 1: this program's functions are; -1: others */
    if (found == 0)
        found = are_found() ? 1 : -1;
    bool began = note->generation != child_generation() || note->generation == 0;
    note->generation = child_generation();
    return atomic_exchange(&note->made, false) || began || found < 0;
}

#endif

bool noted_timer(void)
{
    return is_made(&timers);
}

bool noted_thread(void)
{
    return is_made(&threads);
}
