/* The process, and what is said to it: the operator and its parameters as a line, then each
 * operand's extents and elements; it answers with the values and bounds of the outputs.  Numbers
 * are binary64 and 64-bit integers of this machine. */
#include "reference.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ops/backend/process/server.h"
#include "reference/child.h"

enum { FILES_MAX = 16 };

/* The process for a file; it belongs to the process `owner`, and lasts as long. */
typedef struct Referee {
    char where[512];
    pid_t owner;
    int socket;
} Referee;

static Referee referees[FILES_MAX];

typedef struct Start {
    const Backend *backend;
    int socket;
} Start;

static int run_referee(const void *context, int to)
{
    const Start *start = context;
    (void)to;
    if (dup2(start->socket, CONTROL_FD) != CONTROL_FD)
        return 127;
    server_exec_python(start->backend, NULL, "reference.py", "", "");
}

static void start_referee(Referee *referee, const Backend *backend)
{
    int ends[2];
    Child child;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 ||
        !child_start(&child, run_referee, &(Start){backend, ends[1]}))
        plugin_fail("no process for references of %s: %s", backend->name, strerror(errno));
    (void)close(ends[1]);
    child_leave(&child);
    (void)snprintf(referee->where, sizeof referee->where, "%s", backend->where);
    referee->socket = ends[0];
    referee->owner = getpid();
}

/* One that a parent started is the parent's. */
static Referee *referee_of(const Backend *backend)
{
    for (int i = 0; i < FILES_MAX; i++) {
        Referee *referee = &referees[i];
        if (referee->owner && strcmp(referee->where, backend->where) != 0)
            continue;
        if (referee->owner != getpid()) {
            if (referee->owner)
                (void)close(referee->socket);
            start_referee(referee, backend);
        }
        return referee;
    }
    plugin_fail("references of more than %d files", FILES_MAX);
}

static void put_params(const opconform_call *call, Text *text)
{
    text_printf(text, "%s", call->op->name);
    for (const Param *param = call->op->params; param->name; param++) {
        const void *at = (const char *)call->params + param->offset;
        if (param->kind == PARAM_DTYPE)
            text_printf(text, " dtype=%s", dtype_names[*(const int64_t *)at]);
        else if (param->kind == PARAM_CHOICE)
            text_printf(text, " %s='%s'", param->name, param->names[*(const int64_t *)at]);
        else if (param->kind == PARAM_SCALAR)
            text_printf(text, " %s=%.17g", param->name, ((const Scalar *)at)->re);
        else
            text_printf(text, " %s=%lld", param->name, (long long)*(const int64_t *)at);
    }
    text_put(text, "\n");
}

static void put_operand(const opconform_tensor *operand, Text *text)
{
    int64_t head[2 + OPCONFORM_AXES] = {operand->rank, operand->count};
    memcpy(head + 2, operand->extent, sizeof operand->extent);
    text_append(text, (const char *)head, sizeof head);
    text_append(text, (const char *)operand->values, (size_t)operand->count * sizeof(double));
}

static bool send_all(int socket, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done = send(socket, bytes, size, MSG_NOSIGNAL);
        if (done < 0 && errno != EINTR)
            return false;
        bytes += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

static bool receive_all(int socket, void *bytes, size_t size)
{
    char *at = bytes;
    while (size > 0) {
        ssize_t done = recv(socket, at, size, 0);
        if (done == 0 || (done < 0 && errno != EINTR))
            return false;
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

/* Values and bounds of an output. */
static bool take_output(int socket, opconform_call *call, int i)
{
    opconform_tensor *y = &call->tensors[i];
    double *numbers = arena_take(call->arena, 2 * (size_t)y->count + 1, sizeof *numbers);
    if (!receive_all(socket, numbers, 2 * (size_t)y->count * sizeof *numbers))
        return false;
    for (int64_t k = 0; k < y->count; k++) {
        double value = numbers[k], bound = numbers[y->count + k];
        bool known = isfinite(value) && isfinite(bound);
        opconform_put_bounded(y, k, known ? value : 0, 0, known ? bound * 0x1p-20 : 0,
                              known ? bound : INFINITY);
    }
    return true;
}

void python_refer(const Backend *backend, opconform_call *call)
{
    Referee *referee = referee_of(backend);
    Text text = {0};
    int64_t size = 0;
    plugin_call_widen(call);
    text_append(&text, (const char *)&size, sizeof size);
    put_params(call, &text);
    for (int i = 0; i < call->count; i++)
        put_operand(&call->tensors[i], &text);
    size = (int64_t)(text.length - sizeof size);
    memcpy(text.data, &size, sizeof size);
    int64_t outputs = 0;
    bool ok = send_all(referee->socket, text.data, text.length) &&
              receive_all(referee->socket, &outputs, sizeof outputs);
    text_release(&text);
    Shapes shapes;
    op_shape(call->op, call->params, &shapes);
    for (int i = 0; ok && outputs > 0 && i < call->count; i++)
        if (shapes.tensor[i].role == ROLE_OUT)
            ok = take_output(referee->socket, call, i);
    if (!ok || outputs == 0)
        plugin_fail("%s: the reference in %s does not answer", call->op->name, backend->where);
}
