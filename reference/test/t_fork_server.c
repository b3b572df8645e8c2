/* A server's processes begin with what it has done, are children of whoever asked, and nobody
 * else's; one that ends, stops or lies forks none, and leaves none behind. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "reference/fork_server.h"
#include "reference/orphans.h"
#include "tests/check.h"

enum { STATUS = 7 };

/* What a process of a server says of itself. */
typedef struct Word {
    pid_t process, parent, server;
    int order, prepared, signal, descriptor;
    bool ours;
} Word;

static int prepared;

static int serve(const void *context, int control)
{
    (void)context;
    Word word = {.server = getpid()};
    prepared++;
    int to = fork_server_serve(control, &word.order, sizeof word.order, &word.descriptor);
    word.process = getpid();
    word.parent = getppid();
    word.prepared = prepared++;
    word.ours = child_is_ours();
    (void)prctl(PR_GET_PDEATHSIG, &word.signal);
    return write(to, &word, sizeof word) == (ssize_t)sizeof word ? STATUS : 1;
}

static int end_at_once(const void *context, int control)
{
    (void)context;
    (void)control;
    return STATUS;
}

/* Names a process that is known already in place of a new one. */
static int lie(const void *context, int control)
{
    const pid_t *known = context, nobody = 0;
    char order[64];
    if (write(control, &nobody, sizeof nobody) < 0 || read(control, order, sizeof order) < 0)
        return 1;
    return write(control, known, sizeof *known) < 0;
}

static bool wait_for(ForkServer *server)
{
    const struct timespec pause = {0, 1000000};
    for (int i = 0; i < 5000 && server->process.process && !fork_server_is_ready(server); i++)
        (void)nanosleep(&pause, NULL);
    return fork_server_is_ready(server);
}

static void test_forks(void)
{
    ForkServer server;
    pid_t before = 0;
    CHECK(fork_server_start(&server, serve, NULL) && wait_for(&server));
    for (int order = 1; order <= 3; order++) {
        Child child;
        Word word = {0};
        int given = order == 2 ? STDIN_FILENO : -1;
        CHECK(fork_server_fork(&server, &child, &order, sizeof order, given));
        CHECK(child_read(&child, &word, sizeof word, -1) == sizeof word);
        CHECK(word.process == child.process && word.parent == getpid());
        CHECK(word.server == server.process.process && word.process != before);
        CHECK((word.descriptor >= 0) == (given >= 0));
        CHECK(word.order == order && word.prepared == 1 && word.ours && word.signal == SIGKILL);
        CHECK(orphans_are_known(child.process));
        int status = child_wait(&child);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == STATUS);
        before = word.process;
    }
    pid_t process = server.process.process;
    fork_server_end(&server);
    CHECK(server.process.process == 0 && !fork_server_is_ready(&server));
    CHECK(kill(process, 0) != 0 && errno == ESRCH);
    fork_server_end(&server);
}

static void test_failures(void)
{
    ForkServer server;
    Child child, other;
    int order = 1;
    CHECK(fork_server_start(&server, end_at_once, NULL) && !wait_for(&server));
    CHECK(server.process.process == 0);
    /* One that was ready. */
    CHECK(fork_server_start(&server, serve, NULL) && wait_for(&server));
    child_kill(&server.process);
    CHECK(!fork_server_fork(&server, &child, &order, sizeof order, -1));
    CHECK(child.process == 0 && server.process.process == 0);
    /* Not a child, and a child that is another's already. */
    CHECK(child_start(&other, end_at_once, NULL));
    const pid_t lies[] = {1, other.process, -1, 0};
    for (size_t i = 0; i < COUNT_OF(lies); i++) {
        CHECK(fork_server_start(&server, lie, &lies[i]) && wait_for(&server));
        CHECK(!fork_server_fork(&server, &child, &order, sizeof order, -1));
        CHECK(child.process == 0 && server.process.process == 0);
    }
    (void)child_wait(&other);
    CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

int main(void)
{
    test_forks();
    test_failures();
    return check_end("reference/t_fork_server");
}
