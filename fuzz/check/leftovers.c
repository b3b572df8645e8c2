/* They are counted by what the process has in /proc. */
#include "leftovers.h"

#include <dirent.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "reference/patience.h"
#include "timer.h"

static const char tasks[] = "/proc/self/task";

static bool has_children(void)
{
    siginfo_t facts;
    return waitid(P_ALL, 0, &facts, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static bool has_timer(void)
{
    const struct itimerval timer = timer_state();
    return timer_is_running(&timer);
}

bool leftovers_exist(void)
{
    enum { ALONE = 3 };
    struct stat threads;
    bool more = stat(tasks, &threads) == 0 && threads.st_nlink > ALONE;
    return more || has_children() || has_timer();
}

/* What the threads beside this one do. */
typedef struct Rest {
    bool waits;    /* each for a thread of this process to wake it, without a limit in time */
    uint64_t used; /* their processor time */
} Rest;

/* The system tells of a thread the number of the call that it is in and its arguments, the fourth
 * of which is the limit; or a word where it is in none. */
static bool waits_to_be_woken(const char *thread)
{
    char path[300];
    long number = -1;
    unsigned long operation = 0, limit = 1;
    (void)snprintf(path, sizeof path, "%s/%s/syscall", tasks, thread);
    FILE *file = fopen(path, "re");
    bool told = file && fscanf(file, "%ld %*x %lx %*x %lx", &number, &operation, &limit) == 3;
    if (file)
        (void)fclose(file);
    unsigned long how = operation & ~(unsigned long)FUTEX_CLOCK_REALTIME;
    return told && number == SYS_futex && limit == 0 &&
           (how == FUTEX_WAIT_PRIVATE || how == FUTEX_WAIT_BITSET_PRIVATE);
}

static uint64_t time_of_thread(const char *thread)
{
    char path[300];
    uint64_t time = 0;
    (void)snprintf(path, sizeof path, "%s/%s/schedstat", tasks, thread);
    FILE *file = fopen(path, "re");
    if (!file || fscanf(file, "%" SCNu64, &time) != 1)
        time = 0;
    if (file)
        (void)fclose(file);
    return time;
}

static Rest look_at_rest(void)
{
    DIR *threads = opendir(tasks);
    Rest rest = {.waits = threads != NULL};
    for (const struct dirent *entry; threads && (entry = readdir(threads));) {
        if (entry->d_name[0] == '.' || atoi(entry->d_name) == gettid())
            continue;
        uint64_t time = time_of_thread(entry->d_name);
        rest.used += time;
        rest.waits = rest.waits && time > 0 && waits_to_be_woken(entry->d_name);
    }
    if (threads)
        (void)closedir(threads);
    return rest;
}

/* Whether nothing happens in this process unless this thread does it, as with a library's pool that
 * waits for work.  A thread that waited at both looks and had no processor between them waited all
 * the time between, so that there is a moment at which all of them did. */
static bool is_at_rest(void)
{
    if (has_children() || has_timer())
        return false;
    Rest before = look_at_rest();
    Rest after = before.waits ? look_at_rest() : before;
    return before.waits && after.waits && before.used == after.used;
}

/* On a busy machine a thread may have had no processor yet: the clock alone does not say. */
void leftovers_settle(void)
{
    enum { LOOKS = 20, LOOKS_MOST = 400 };
    const struct timespec pause = {0, 5000000};
    const uint64_t enough = patience_time(getpid()) + LOOKS * (uint64_t)pause.tv_nsec;
    for (int i = 0; i < LOOKS_MOST && leftovers_exist() && !is_at_rest(); i++) {
        if (i >= LOOKS && (patience_time(getpid()) >= enough || !patience_is_due()))
            break;
        (void)nanosleep(&pause, NULL);
    }
}
