/* The system lists the children of each thread. */
#include "orphans.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* So many known children, and as many generations of orphans. */
enum { KNOWN_MAX = 512, GENERATIONS_MAX = 64 };

static pid_t known[KNOWN_MAX];
static int known_count;
static bool adopts; /* orphans become ours */

void orphans_know(pid_t child)
{
    if (!adopts)
        adopts = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
    if (known_count == KNOWN_MAX)
        adopts = false; /* it cannot be told any more who is one */
    else
        known[known_count++] = child;
}

void orphans_forget(pid_t child)
{
    for (int i = 0; i < known_count; i++)
        if (known[i] == child)
            known[i--] = known[--known_count];
}

void orphans_forget_all(void)
{
    known_count = 0;
    adopts = false;
}

void orphans_leave(void)
{
    orphans_forget_all();
    (void)prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}

bool orphans_are_known(pid_t child)
{
    for (int i = 0; i < known_count; i++)
        if (known[i] == child)
            return true;
    return false;
}

static bool is_orphan(pid_t process)
{
    pid_t session = getsid(process);
    return !orphans_are_known(process) && session > 0 && session != getsid(0);
}

static bool end_orphans_of(const char *thread)
{
    char path[300];
    int process;
    bool any = false;
    (void)snprintf(path, sizeof path, "/proc/self/task/%s/children", thread);
    FILE *file = fopen(path, "re");
    while (file && fscanf(file, "%d", &process) == 1) {
        if (!is_orphan(process))
            continue;
        any = true;
        (void)kill(process, SIGKILL);
        while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (file)
        (void)fclose(file);
    return any;
}

void orphans_end(void)
{
    bool any = adopts;
    for (int generation = 0; any && generation < GENERATIONS_MAX; generation++) {
        DIR *threads = opendir("/proc/self/task");
        any = false;
        for (const struct dirent *entry; threads && (entry = readdir(threads));)
            if (entry->d_name[0] != '.')
                any = end_orphans_of(entry->d_name) || any;
        if (threads)
            (void)closedir(threads);
    }
}
