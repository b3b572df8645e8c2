/* A child hands bytes back, is given up at a deadline, and leaves its status. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/alone.h"
#include "reference/child.h"
#include "tests/check.h"

enum { MUCH = 1 << 20, STATUS = 7 };

static int write_words(const void *context, int to)
{
    const char *words = context;
    for (const char *at = words; *at; at++)
        if (write(to, at, 1) != 1)
            return 1;
    return STATUS;
}

static int write_much(const void *context, int to)
{
    static const char zeros[4096];
    (void)context;
    for (int i = 0; i < MUCH / (int)sizeof zeros; i++)
        if (write(to, zeros, sizeof zeros) != (ssize_t)sizeof zeros)
            return 1;
    return 0;
}

static int sleep_long(const void *context, int to)
{
    (void)context;
    (void)to;
    (void)sleep(600);
    return 0;
}

static void test_bytes(void)
{
    Child child;
    char bytes[64] = "";
    Text text = {0};
    CHECK(child_start(&child, write_words, "some words"));
    CHECK(child_read(&child, bytes, 4, -1) == 4 && !strcmp(bytes, "some"));
    child_read_text(&child, &text);
    CHECK(!strcmp(text_string(&text), " words"));
    CHECK(child_is_ready(&child));
    int status = child_wait(&child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == STATUS);
    CHECK(child.process == 0 && child_wait(&child) == -1);
    text_release(&text);
    /* The end of a child's bytes is no reason to wait for more. */
    CHECK(child_start(&child, write_words, "few"));
    CHECK(child_read(&child, bytes, sizeof bytes, -1) == 3);
    (void)child_wait(&child);
}

static void test_deadline(void)
{
    Child child;
    char byte;
    int status = 0;
    CHECK(child_start(&child, sleep_long, NULL));
    CHECK(!child_is_ready(&child) && !child_has_ended(&child, &status));
    CHECK(child_read(&child, &byte, 1, 20) == 0);
    child_kill(&child);
    status = child_wait(&child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* Nobody waits for a child that waits for its reader. */
static void test_unread(void)
{
    Child child;
    CHECK(child_start(&child, write_much, NULL));
    int status = child_wait(&child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

/* A child that nobody knows any more ends with this process; none of its pipe is left open. */
static void test_left(void)
{
    Child child, next;
    CHECK(child_start(&child, sleep_long, NULL));
    pid_t process = child.process;
    int from = child.from;
    child_leave(&child);
    CHECK(child.process == 0 && kill(process, 0) == 0);
    CHECK(child_start(&next, write_words, "") && next.from == from);
    (void)child_wait(&next);
    (void)kill(process, SIGKILL);
    (void)waitpid(process, NULL, 0);
}

static void sleep_apart(void)
{
    if (fork() != 0)
        return;
    (void)setsid();
    (void)sleep(600);
}

/* Leaves a process behind in a session of its own, whose number it tells. */
static int leave_behind(const void *context, int to)
{
    (void)context;
    alone_begin(to, (AloneMemory){0});
    pid_t between = fork();
    if (between == 0) {
        sleep_apart();
        _exit(0);
    }
    (void)waitpid(between, NULL, 0);
    return alone_ring("", 1) ? 0 : 1;
}

static void test_orphans(void)
{
    Child child;
    char byte;
    CHECK(child_start(&child, leave_behind, NULL));
    /* The pipe is still open in the process that sleeps. */
    CHECK(child_read(&child, &byte, 1, -1) == 1 && child_read(&child, &byte, 1, -1) == 0);
    (void)child_wait(&child);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0);
}

/* Counts what it has to do without: each bit is a check that failed. */
static int look_around(const void *context, int to)
{
    const int *inherited = context;
    alone_begin(to, (AloneMemory){0});
    int failed = (fcntl(*inherited, F_GETFD) >= 0) | (read(STDIN_FILENO, &failed, 1) != 0) << 1 |
                 !child_is_ours() << 2 | !alone_is_whole() << 3;
    failed |= (getsid(0) != getpid()) << 4;
    pid_t fork_of_it = fork();
    if (fork_of_it == 0)
        _exit(child_is_ours());
    int status;
    (void)waitpid(fork_of_it, &status, 0);
    failed |= (status != 0) << 5;
    if (write(to, "?", 1) != 1)
        failed |= 1 << 6;
    return failed | alone_is_whole() << 7;
}

static void test_alone(void)
{
    Child child;
    int inherited = open("/dev/null", O_RDONLY);
    CHECK(child_start(&child, look_around, &inherited));
    siginfo_t facts;
    CHECK(waitid(P_PID, (id_t)child.process, &facts, WEXITED | WNOWAIT) == 0);
    CHECK(child_wait(&child) == 0);
    (void)close(inherited);
}

int main(void)
{
    test_orphans();
    test_alone();
    test_bytes();
    test_deadline();
    test_unread();
    test_left();
    return check_end("reference/t_child");
}
