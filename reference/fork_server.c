/* It forks twice: when the process between has ended, the system gives the last one to the process
 * that asked, which adopts orphans.  What a server says is checked: libraries ran in it. */
#include "fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "orphans.h"

/* How long an answer may take; a busy machine needs some hundredths of a second. */
enum { ANSWER_MILLISECONDS = 10000 };

typedef struct Body {
    ChildBody *body;
    const void *context;
    int control;
} Body;

/* What is written with an order: the end of a pipe, and a descriptor of whoever asks. */
enum { END, OTHER, ENDS };
typedef union Rights {
    char bytes[CMSG_SPACE(ENDS * sizeof(int))];
    struct cmsghdr aligned;
} Rights;

static int run_body(const void *context, int to)
{
    const Body *body = context;
    (void)close(to);
    return body->body(body->context, body->control);
}

bool fork_server_start(ForkServer *server, ChildBody *body, const void *context)
{
    int ends[2];
    *server = (ForkServer){0};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    bool started = child_start(&server->process, run_body, &(Body){body, context, ends[1]});
    int error = errno;
    (void)close(ends[1]);
    server->control = ends[0];
    if (!started) {
        (void)close(ends[0]);
        *server = (ForkServer){0};
        errno = error;
    }
    return started;
}

/* An order with the end of a pipe, or false where nobody asks any more. */
static bool take_order(int control, void *order, size_t size, int ends[ENDS])
{
    Rights rights = {0};
    struct iovec part = {order, size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &rights, .msg_controllen = sizeof rights};
    ssize_t count;
    ends[END] = ends[OTHER] = -1;
    while ((count = recvmsg(control, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        ;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (count != (ssize_t)size || !header || header->cmsg_type != SCM_RIGHTS)
        return false;
    memcpy(ends, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    return true;
}

static bool give_order(int control, const void *order, size_t size, const int ends[ENDS])
{
    Rights rights = {0};
    size_t bytes = (ends[OTHER] >= 0 ? 2 : 1) * sizeof *ends;
    struct iovec part = {(void *)(uintptr_t)order, size};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &rights,
                             .msg_controllen = CMSG_SPACE(bytes)};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(bytes), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(header), ends, bytes);
    return sendmsg(control, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)size;
}

static void close_ends(const int ends[ENDS])
{
    (void)close(ends[END]);
    if (ends[OTHER] >= 0)
        (void)close(ends[OTHER]);
}

static bool answer(int control, pid_t process)
{
    return send(control, &process, sizeof process, MSG_NOSIGNAL) == (ssize_t)sizeof process;
}

/* Becomes a child of the process that asked, or ends. */
static void change_parent(int control, pid_t asker)
{
    enum { LOOKS = 20000 };
    const struct timespec pause = {0, 100000};
    for (int i = 0; i < LOOKS && getppid() != asker; i++)
        (void)nanosleep(&pause, NULL);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    child_become_ours();
    if (getppid() != asker || !answer(control, getpid()))
        _exit(1);
    (void)close(control);
}

int fork_server_serve(int control, void *order, size_t size, int *descriptor)
{
    pid_t asker = getppid();
    int ends[ENDS];
    orphans_leave();
    (void)fflush(NULL);
    bool asked = answer(control, 0) && take_order(control, order, size, ends);
    for (; asked; asked = take_order(control, order, size, ends)) {
        int status = 0;
        pid_t between = fork();
        if (between == 0) {
            pid_t last = fork();
            if (last != 0)
                _exit(last < 0);
            change_parent(control, asker);
            *descriptor = ends[OTHER];
            return ends[END];
        }
        close_ends(ends);
        while (between > 0 && waitpid(between, &status, 0) < 0 && errno == EINTR)
            ;
        if (between < 0 || status != 0)
            break;
    }
    _exit(0);
}

/* The next answer; false where none comes in the time. */
static bool hear(const ForkServer *server, pid_t *process, int milliseconds)
{
    struct pollfd ready = {.fd = server->control, .events = POLLIN};
    int events;
    while ((events = poll(&ready, 1, milliseconds)) < 0 && errno == EINTR)
        ;
    return events > 0 && recv(server->control, process, sizeof *process, MSG_DONTWAIT) ==
                             (ssize_t)sizeof *process;
}

bool fork_server_is_ready(ForkServer *server)
{
    pid_t nobody;
    if (server->process.process == 0 || server->ready)
        return server->ready;
    server->ready = hear(server, &nobody, 0);
    if (!server->ready && child_is_over(&server->process))
        fork_server_end(server);
    return server->ready;
}

/* True for a child of this process that is not known yet. */
static bool is_new_child(pid_t process)
{
    siginfo_t facts;
    return process > 0 && !orphans_are_known(process) &&
           waitid(P_PID, (id_t)process, &facts, WEXITED | WNOHANG | WNOWAIT) == 0;
}

bool fork_server_fork(ForkServer *server, Child *child, const void *order, size_t size,
                      int descriptor)
{
    int ends[2];
    pid_t process = 0;
    *child = (Child){0, -1};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    bool asked = give_order(server->control, order, size, (const int[]){ends[1], descriptor});
    (void)close(ends[1]);
    if (asked && hear(server, &process, ANSWER_MILLISECONDS) && is_new_child(process)) {
        orphans_know(process);
        *child = (Child){process, ends[0]};
        return true;
    }
    (void)close(ends[0]);
    fork_server_end(server);
    return false;
}

void fork_server_end(ForkServer *server)
{
    if (server->process.process == 0)
        return;
    (void)close(server->control);
    child_kill(&server->process);
    (void)child_wait(&server->process);
    *server = (ForkServer){0};
}
