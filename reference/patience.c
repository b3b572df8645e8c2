/* Time counts as slept only between two looks at which every thread slept.  A process that ends
 * takes its time out of the sum, so that only what a look adds to the one before counts. */
#include "patience.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const uint64_t look_least = 5000000, look_most = 100000000;

uint64_t patience_time(pid_t process)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The letter behind the name, which is in parentheses and may hold any character. */
static char thread_state(pid_t process, const char *thread)
{
    char path[300], line[512];
    (void)snprintf(path, sizeof path, "/proc/%d/task/%s/stat", (int)process, thread);
    FILE *file = fopen(path, "re");
    if (!file)
        return '\0';
    const char *end = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    (void)fclose(file);
    return end && end[1] == ' ' ? end[2] : '\0';
}

bool patience_is_due(void)
{
    bool due = false;
    DIR *threads = opendir("/proc/self/task");
    for (const struct dirent *entry; threads && !due && (entry = readdir(threads));)
        due = entry->d_name[0] != '.' && atoi(entry->d_name) != gettid() &&
              thread_state(getpid(), entry->d_name) == 'R';
    if (threads)
        (void)closedir(threads);
    return due;
}

/* The state of a process, together with the processes that it started. */
typedef struct Look {
    uint64_t used; /* processor time */
    bool asleep;   /* no thread is stopped, ready to run, or waits for a disk */
    bool stopped;  /* all threads of the process itself are */
} Look;

static void look_at(Look *look, pid_t process, int depth);

/* The processes that one thread started. */
static void look_at_children(Look *look, pid_t process, const char *thread, int depth)
{
    char path[300];
    int child;
    (void)snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)process, thread);
    FILE *file = fopen(path, "re");
    while (file && fscanf(file, "%d", &child) == 1)
        look_at(look, child, depth + 1);
    if (file)
        (void)fclose(file);
}

static void look_at(Look *look, pid_t process, int depth)
{
    enum { DEPTH_MAX = 8 };
    char path[64];
    look->used += patience_time(process);
    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    look->asleep = look->asleep && (threads || depth > 0);
    look->stopped = look->stopped && (threads || depth > 0);
    if (!threads)
        return;
    for (const struct dirent *entry; (entry = readdir(threads));) {
        if (entry->d_name[0] == '.')
            continue;
        char state = thread_state(process, entry->d_name);
        look->asleep = look->asleep && (state == 'S' || state == 'Z');
        look->stopped = look->stopped && (depth > 0 || state == 'T');
        if (depth < DEPTH_MAX)
            look_at_children(look, process, entry->d_name, depth);
    }
    (void)closedir(threads);
}

bool patience_ends(Patience *p, pid_t process, uint64_t call, uint64_t nanoseconds)
{
    uint64_t now = clock_nanoseconds();
    if (call == 0 || process <= 0) {
        *p = (Patience){.private = p->private};
        return false;
    }
    bool begins = call != p->call || process != p->process;
    if (!begins && now - p->looked < look_least)
        return false;
    Look look = {.asleep = true, .stopped = true};
    look_at(&look, process, 0);
    if (begins) {
        *p = (Patience){.private = p->private,
                        .process = process,
                        .call = call,
                        .began = now,
                        .looked = now,
                        .latest = look.used,
                        .slept = look.asleep,
                        .was_stopped = look.stopped};
        return false;
    }
    /* Whoever looks may have been stopped itself. */
    uint64_t passed = now - p->looked < look_most ? now - p->looked : look_most;
    uint64_t ran = look.used > p->latest ? look.used - p->latest : 0;
    if (look.asleep && p->slept && ran < passed)
        p->asleep += passed - ran;
    p->stopped += look.stopped && p->was_stopped ? passed : 0;
    p->busy += ran;
    p->slept = look.asleep;
    p->was_stopped = look.stopped;
    p->latest = look.used;
    p->looked = now;
    return (p->busy >= nanoseconds && now - p->began >= nanoseconds) || p->asleep >= nanoseconds ||
           p->stopped / (p->private ? 1 : PATIENCE_STOPPED) >= nanoseconds;
}
