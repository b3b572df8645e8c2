/* Nothing here can fail in a way that matters to results: what the system refuses to take away, the
 * process still has. */
#include "alone.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { KEPT_MAX = 32 };

static int kept[KEPT_MAX], kept_count;
static int doorbell = -1;
static bool rung; /* what was written may not have been read yet */

void alone_keep(int descriptor)
{
    if (kept_count == KEPT_MAX)
        BUG("more than %d descriptors to keep", KEPT_MAX);
    kept[kept_count++] = descriptor;
}

static void reset_signals(void)
{
    sigset_t none;
    for (int signal = 1; signal < NSIG; signal++) {
        struct sigaction action;
        if (sigaction(signal, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
            continue;
        action = (struct sigaction){.sa_handler = SIG_DFL};
        (void)sigaction(signal, &action, NULL);
    }
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* What this process sends to itself, or one that it started does, ends it. */
static void heed_own(int signal, siginfo_t *facts, void *context)
{
    (void)context;
    const struct sigaction whatever = {.sa_handler = SIG_DFL};
    if (facts->si_code <= 0 && getsid(facts->si_pid) != getsid(0))
        return;
    (void)sigaction(signal, &whatever, NULL);
    (void)raise(signal);
}

/* Whoever asks for the end of all processes of a job means those that ask: what ran here at that
 * time would be blamed. */
static void ignore_outsiders(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before, heed = {.sa_sigaction = heed_own, .sa_flags = SA_SIGINFO | SA_RESTART};
    for (size_t i = 0; i < COUNT_OF(signals); i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(signals[i], &heed, NULL);
}

/* All from one number to another, ends included. */
static void close_between(int first, int last)
{
    struct rlimit limit;
    if (first > last || close_range((unsigned)first, (unsigned)last, 0) == 0)
        return;
    /* Before Linux 5.9. */
    int most = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? (int)limit.rlim_cur - 1 : last;
    for (int i = first; i <= last && i <= most; i++)
        (void)close(i);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void close_others(int bell)
{
    int open_ones[KEPT_MAX + 1], count = 0, first = STDERR_FILENO + 1;
    for (int i = 0; i < kept_count; i++)
        open_ones[count++] = kept[i];
    open_ones[count++] = bell;
    qsort(open_ones, (size_t)count, sizeof *open_ones, by_number);
    for (int i = 0; i < count; i++) {
        if (open_ones[i] < first)
            continue;
        close_between(first, open_ones[i] - 1);
        first = open_ones[i] + 1;
    }
    close_between(first, ~0u >> 1);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) {
        (void)dup2(nothing, STDIN_FILENO);
        (void)close(nothing);
    }
}

/* What others map as well is marked by an s behind its rights. */
static void drop_shared(AloneMemory shared)
{
    char *line = NULL;
    size_t room = 0;
    uintptr_t keep = (uintptr_t)shared.start;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && getline(&line, &room, maps) > 0) {
        unsigned long start, end;
        char rights[5];
        if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) != 3 || rights[3] != 's')
            continue;
        if (!shared.start || end <= keep || start >= keep + shared.size)
            (void)munmap((void *)start, end - start);
    }
    free(line);
    if (maps)
        (void)fclose(maps);
}

void alone_begin(int bell, AloneMemory shared)
{
    static bool alone;
    (void)setsid();
    reset_signals();
    ignore_outsiders();
    close_others(bell);
    /* What a process shares that is alone already was made by itself. */
    if (!alone)
        drop_shared(shared);
    alone = true;
    doorbell = bell;
    rung = false;
}

void alone_move(int bell)
{
    (void)setsid();
    doorbell = bell;
    rung = false;
}

bool alone_ring(const void *message, size_t size)
{
    rung = true;
    return write(doorbell, message, size) == (ssize_t)size;
}

bool alone_is_whole(void)
{
    int waiting = 0;
    if (doorbell < 0)
        return true;
    if (ioctl(doorbell, FIONREAD, &waiting) != 0)
        return false;
    rung = rung && waiting > 0;
    return rung || waiting == 0;
}
