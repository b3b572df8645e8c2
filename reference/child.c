/* The pipe is closed in programs that the child becomes.  A process is ours while a page holds what
 * we wrote there: the kernel of the system empties that page in each fork. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "orphans.h"

/* How long a pipe may be silent before the process at its other end is looked at. */
enum { LOOK_MILLISECONDS = 20 };

static atomic_int *ours;

/* A page of zeros that every fork empties, or NULL. */
static void *make_emptied(void)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return NULL;
    if (madvise(page, size, MADV_WIPEONFORK) == 0)
        return page;
    (void)munmap(page, size);
    return NULL;
}

static void make_ours(void)
{
    ours = make_emptied();
    if (ours)
        *ours = 1;
}

uint64_t child_generation(void)
{
    static bool tried;
    static atomic_int *counted; /* not 0 in the process that generation is of */
    static uint64_t generation;
    if (!tried)
        counted = make_emptied();
    tried = true;
    if (counted && *counted == 0) {
        *counted = 1;
        generation++;
    }
    return generation;
}

bool child_is_ours(void)
{
    return !ours || *ours;
}

void child_become_ours(void)
{
    if (ours)
        *ours = 1;
}

static void close_end(Child *child)
{
    if (child->from >= 0)
        (void)close(child->from);
    child->from = -1;
}

bool child_start(Child *child, ChildBody *body, const void *context)
{
    int ends[2];
    *child = (Child){0, -1};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    (void)fflush(NULL);
    if (!ours)
        make_ours();
    pid_t parent = getpid(), process = fork();
    if (process == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        child_become_ours();
        orphans_forget_all();
        (void)close(ends[0]);
        _exit(body(context, ends[1]));
    }
    int error = errno;
    (void)close(ends[1]);
    *child = (Child){process, ends[0]};
    if (process > 0) {
        orphans_know(process);
        return true;
    }
    close_end(child);
    child->process = 0;
    errno = error;
    return false;
}

bool child_is_over(const Child *child)
{
    siginfo_t facts = {0};
    if (child->process <= 0 ||
        waitid(P_PID, (id_t)child->process, &facts, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        facts.si_pid != child->process)
        return false;
    /* Nobody else can have its number before it is waited for. */
    (void)kill(-child->process, SIGKILL);
    return true;
}

bool child_ends_soon(const Child *child)
{
    enum { LOOKS = 250 };
    const struct timespec pause = {0, 1000000};
    for (int i = 0; i < LOOKS && !child_is_over(child); i++)
        (void)nanosleep(&pause, NULL);
    return child_is_over(child);
}

size_t child_read(const Child *child, void *bytes, size_t size, int milliseconds)
{
    size_t have = 0;
    int silent = 0;
    bool over = false;
    struct pollfd ready = {.fd = child->from, .events = POLLIN};
    while (have < size) {
        int events = poll(&ready, 1, over ? 0 : LOOK_MILLISECONDS);
        if (events < 0 && errno == EINTR)
            continue;
        if (events < 0 || (events == 0 && over))
            break;
        if (events == 0) {
            silent += LOOK_MILLISECONDS;
            over = child_is_over(child) || (milliseconds >= 0 && silent >= milliseconds);
            continue;
        }
        silent = 0;
        ssize_t count = read(child->from, (char *)bytes + have, size - have);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        have += (size_t)count;
    }
    return have;
}

size_t child_take(const Child *child, void *bytes, size_t size)
{
    ssize_t count;
    while ((count = read(child->from, bytes, size)) < 0 && errno == EINTR)
        ;
    return count > 0 ? (size_t)count : 0;
}

bool child_await(const Child *child, int milliseconds)
{
    struct pollfd ready = {.fd = child->from, .events = POLLIN};
    return poll(&ready, 1, milliseconds) > 0;
}

bool child_is_ready(const Child *child)
{
    return child_await(child, 0);
}

void child_read_text(const Child *child, Text *text)
{
    char part[4096];
    for (size_t count; (count = child_read(child, part, sizeof part, -1)) > 0;)
        text_append(text, part, count);
}

void child_signal(const Child *child, int signal)
{
    if (child->process <= 0)
        return;
    (void)kill(-child->process, signal);
    (void)kill(child->process, signal);
}

void child_kill(const Child *child)
{
    child_signal(child, SIGKILL);
}

bool child_has_ended(Child *child, int *status)
{
    if (!child_is_over(child))
        return false;
    *status = child_wait(child);
    return true;
}

void child_leave(Child *child)
{
    close_end(child);
    child->process = 0;
}

int child_wait(Child *child)
{
    int status = -1;
    if (child->process == 0)
        return status;
    close_end(child);
    siginfo_t facts;
    while (waitid(P_PID, (id_t)child->process, &facts, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        ;
    (void)kill(-child->process, SIGKILL);
    while (waitpid(child->process, &status, 0) < 0 && errno == EINTR)
        ;
    orphans_forget(child->process);
    orphans_end();
    child->process = 0;
    return status;
}

_Noreturn void child_become_self(const char *const *words, int to, bool drops_errors)
{
    int errors = drops_errors ? open("/dev/null", O_WRONLY | O_CLOEXEC) : to;
    if (dup2(to, STDOUT_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0)
        (void)execv("/proc/self/exe", (char *const *)(uintptr_t)words);
    _exit(127);
}
