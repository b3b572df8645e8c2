/* The pipe is closed in programs that the child becomes. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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
    pid_t process = fork();
    if (process == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)close(ends[0]);
        _exit(body(context, ends[1]));
    }
    int error = errno;
    (void)close(ends[1]);
    *child = (Child){process, ends[0]};
    if (process > 0)
        return true;
    close_end(child);
    child->process = 0;
    errno = error;
    return false;
}

size_t child_read(const Child *child, void *bytes, size_t size, int milliseconds)
{
    size_t have = 0;
    struct pollfd ready = {.fd = child->from, .events = POLLIN};
    while (have < size) {
        int events = poll(&ready, 1, milliseconds);
        if (events < 0 && errno == EINTR)
            continue;
        if (events <= 0)
            break;
        ssize_t count = read(child->from, (char *)bytes + have, size - have);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        have += (size_t)count;
    }
    return have;
}

bool child_is_ready(const Child *child)
{
    struct pollfd ready = {.fd = child->from, .events = POLLIN};
    return poll(&ready, 1, 0) > 0;
}

void child_read_text(const Child *child, Text *text)
{
    char part[4096];
    for (size_t count; (count = child_read(child, part, sizeof part, -1)) > 0;)
        text_append(text, part, count);
}

void child_kill(const Child *child)
{
    if (child->process > 0)
        (void)kill(child->process, SIGKILL);
}

bool child_has_ended(Child *child, int *status)
{
    pid_t ended = waitpid(child->process, status, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return false;
    close_end(child);
    child->process = 0;
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
    while (waitpid(child->process, &status, 0) < 0 && errno == EINTR)
        ;
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

void shell_put_word(Text *command, const char *word)
{
    bool plain = word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789_-+=.,/:@")] == '\0';
    if (plain) {
        text_put(command, word);
        return;
    }
    text_put(command, "'");
    for (; *word; word++)
        text_printf(command, *word == '\'' ? "'\\''" : "%c", *word);
    text_put(command, "'");
}
