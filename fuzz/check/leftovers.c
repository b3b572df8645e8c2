/* They are counted by what the process has in /proc. */
#include "leftovers.h"

#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "reference/patience.h"
#include "timer.h"

bool leftovers_exist(void)
{
    enum { ALONE = 3 };
    struct stat threads;
    siginfo_t facts;
    const struct itimerval timer = timer_state();
    bool more = stat("/proc/self/task", &threads) == 0 && threads.st_nlink > ALONE;
    bool children = waitid(P_ALL, 0, &facts, WEXITED | WNOHANG | WNOWAIT) == 0;
    return more || children || timer_is_running(&timer);
}

/* On a busy machine a thread may have had no processor yet: the clock alone does not say. */
void leftovers_settle(void)
{
    enum { LOOKS = 20, LOOKS_MOST = 400 };
    const struct timespec pause = {0, 5000000};
    const uint64_t enough = patience_time(getpid()) + LOOKS * (uint64_t)pause.tv_nsec;
    for (int i = 0; i < LOOKS_MOST && leftovers_exist(); i++) {
        if (i >= LOOKS && (patience_time(getpid()) >= enough || !patience_is_due()))
            break;
        (void)nanosleep(&pause, NULL);
    }
}
