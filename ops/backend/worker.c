/* The side of the protocol that asks. */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "library.h"

enum {
    WORKER_HEADER = 8192,
    WORKER_HEAP = 65536,
    WORKER_ALIGNMENT = 64,
    WORKER_TEXT = 3072,
    HELLO_BYTES = 65536,
    HELLO_SECONDS = 18,
    PATH_BYTES = 3072,
    CONTROL_FD = 3 /* as the server finds it */
};

/* Room for the largest case of any operator; untouched pages cost nothing. */
static const size_t ARENA_BYTES = (size_t)1 << 30;

/* What the worker answers, at the start of the memory. */
enum { REPLY_DONE, REPLY_DECLINED, REPLY_RAISED, REPLY_DIFFERENT };
typedef struct Reply {
    uint64_t id;
    uint32_t status, length;
    char text[WORKER_HEADER - 16];
} Reply;

/* One operand of a request. */
typedef struct RequestTensor {
    uint8_t dtype, role, rank, padding[5];
    uint64_t offset; /* of its first element, in the memory */
    int64_t extent[TENSOR_RANK_MAX], stride[TENSOR_RANK_MAX]; /* stride in bytes */
} RequestTensor;

enum { REQUEST_INPUT, REQUEST_OUTPUT, REQUEST_IGNORED };
typedef struct Request {
    uint64_t id;
    uint32_t count, length; /* of tensors; of the text */
    RequestTensor tensors[OP_TENSORS_MAX];
    char text[WORKER_TEXT];
} Request;

_Static_assert(sizeof(Reply) == WORKER_HEADER, "the reply fills the header");
_Static_assert(WORKER_HEADER + sizeof(Request) <= WORKER_HEAP, "the request lies before the heap");

typedef struct Worker {
    pid_t server;
    int control;
    /* One worker of this process; owner is 0 where there is none. */
    pid_t owner;
    int request, reply, ended;
    unsigned char *memory;
    int memory_file;
    uint64_t id;
    uint32_t offers[OP_MAX];
} Worker;

static void close_end(int *end)
{
    if (*end >= 0)
        (void)close(*end);
    *end = -1;
}

/* The Python side: beside the sources, where make install puts it, or as the user says. */
static void package_folder(char folder[PATH_BYTES])
{
    const char *given = getenv("OPCONFORM_WORKER");
    char program[PATH_BYTES - 64];
    library_program_folder(program, sizeof program);
    (void)snprintf(folder, PATH_BYTES, "%s/../ops/backend/worker", program);
    if (access(folder, R_OK) != 0)
        (void)snprintf(folder, PATH_BYTES, "%s/../share/opconform/worker", program);
    if (given)
        (void)snprintf(folder, PATH_BYTES, "%s", given);
}

/* The interpreter and where it finds the library: an environment that the user names, what make
 * frameworks fetched, or the system's. */
static void choose_python(const Backend *backend, const WorkerSource *source,
                          char python[PATH_BYTES], Text *path)
{
    char folder[PATH_BYTES];
    package_folder(folder);
    text_printf(path, "%s", folder);
    (void)snprintf(python, PATH_BYTES, "%s", source->fetched ? "python3" : "/usr/bin/python3");
    if (backend->where[0]) {
        (void)snprintf(python, PATH_BYTES, "%s/bin/python3", backend->where);
    } else if (source->fetched) {
        library_fetched_folder(folder, sizeof folder);
        text_printf(path, ":%s/%s", folder, source->fetched);
    }
}

/* What protocol.py reads the memory by. */
static void put_layout(Text *layout)
{
    text_printf(layout, "%d %d %d %d", WORKER_HEADER, WORKER_HEAP, TENSOR_RANK_MAX, OP_TENSORS_MAX);
    for (int dtype = 0; dtype < DT_COUNT; dtype++)
        text_printf(layout, " %s", dtype_names[dtype]);
}

static _Noreturn void run_server(const Backend *backend, const char *python, const char *path,
                                 int control)
{
    const WorkerSource *source = backend->kind->source;
    Text layout = {0};
    put_layout(&layout);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setenv("PYTHONPATH", path, 1);
    /* Not from the folder that the tool happens to run in. */
    (void)setenv("PYTHONSAFEPATH", "1", 1);
    (void)setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    (void)setenv("OMP_NUM_THREADS", "1", 1);
    (void)setenv("OPENBLAS_NUM_THREADS", "1", 1);
    (void)setenv("MKL_NUM_THREADS", "1", 1);
    if (dup2(control, CONTROL_FD) != CONTROL_FD)
        _exit(127);
    (void)fcntl(CONTROL_FD, F_SETFD, 0);
    (void)execlp(python, python, "-m", "opconform_worker", source->adapter, backend->mode,
                 text_string(&layout), (char *)NULL);
    _exit(127);
}

/* What the server says of itself: lines "facts: value", then "op NAME MASK" for each operator; or
 * one line "error: why". */
static bool read_hello(Backend *backend, Worker *w, char *text, Text *error)
{
    BackendFacts *f = &backend->facts;
    const struct {
        const char *name;
        char *value;
        size_t size;
    } facts[] = {{"version: ", f->version, sizeof f->version},
                 {"build: ", f->build, sizeof f->build},
                 {"core: ", f->core, sizeof f->core},
                 {"path: ", f->path, sizeof f->path}};
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char name[96];
        unsigned mask;
        if (!strncmp(line, "error: ", 7)) {
            text_printf(error, "%s: %s", backend->name, line + 7);
            return false;
        }
        for (size_t i = 0; i < COUNT_OF(facts); i++)
            if (!strncmp(line, facts[i].name, strlen(facts[i].name)))
                (void)snprintf(facts[i].value, facts[i].size, "%s", line + strlen(facts[i].name));
        if (sscanf(line, "op %95s %x", name, &mask) == 2)
            for (int i = 0; op_registry[i]; i++)
                if (!strcmp(op_registry[i]->name, name))
                    w->offers[i] = mask;
    }
    return true;
}

static bool start_server(Backend *backend, Worker *w, Text *error)
{
    const WorkerSource *source = backend->kind->source;
    char python[PATH_BYTES];
    Text path = {0};
    char *hello = calloc(1, HELLO_BYTES);
    int ends[2];
    if (!hello || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        BUG("no socket: %s", strerror(errno));
    choose_python(backend, source, python, &path);
    (void)fflush(NULL);
    w->server = fork();
    if (w->server == 0)
        run_server(backend, python, text_string(&path), ends[1]);
    text_release(&path);
    (void)close(ends[1]);
    w->control = ends[0];
    struct pollfd ready = {.fd = w->control, .events = POLLIN};
    ssize_t length = 0;
    if (w->server > 0 && poll(&ready, 1, HELLO_SECONDS * 1000) > 0)
        length = recv(w->control, hello, HELLO_BYTES - 1, 0);
    bool ok = length > 0;
    if (!ok)
        text_printf(error, "%s: no answer from %s: %s", backend->name, python, source->package);
    ok = ok && read_hello(backend, w, hello, error);
    free(hello);
    return ok;
}

static void forget_worker(Worker *w)
{
    close_end(&w->request);
    close_end(&w->reply);
    close_end(&w->ended);
    close_end(&w->memory_file);
    if (w->memory)
        (void)munmap(w->memory, ARENA_BYTES);
    w->memory = NULL;
    w->owner = 0;
}

/* Hands the ends of a new worker to the server. */
static bool send_ends(const Worker *w, const int ends[4])
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(4 * sizeof(int))];
    } control = {.room = {0}};
    char byte = 1;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(4 * sizeof(int));
    memcpy(CMSG_DATA(header), ends, 4 * sizeof(int));
    return sendmsg(w->control, &message, MSG_NOSIGNAL) == 1;
}

/* A worker of this process: one that a parent made is the parent's. */
static bool start_worker(Worker *w)
{
    int request[2], reply[2], ended[2];
    forget_worker(w);
    if (pipe2(request, O_CLOEXEC) != 0 || pipe2(reply, O_CLOEXEC) != 0 ||
        pipe2(ended, O_CLOEXEC) != 0)
        BUG("no pipe: %s", strerror(errno));
    w->memory_file = memfd_create("opconform", MFD_CLOEXEC);
    if (w->memory_file < 0 || ftruncate(w->memory_file, (off_t)ARENA_BYTES) != 0)
        BUG("no memory to share: %s", strerror(errno));
    w->memory = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, w->memory_file, 0);
    if (w->memory == MAP_FAILED)
        BUG("no memory to share: %s", strerror(errno));
    bool sent = send_ends(w, (const int[4]){w->memory_file, request[0], reply[1], ended[1]});
    (void)close(request[0]);
    (void)close(reply[1]);
    (void)close(ended[1]);
    w->request = request[1];
    w->reply = reply[0];
    w->ended = ended[0];
    w->owner = getpid();
    return sent;
}

bool worker_open(Backend *backend, Text *error)
{
    Worker *w = calloc(1, sizeof *w);
    if (!w)
        BUG("out of memory");
    w->control = w->request = w->reply = w->ended = w->memory_file = -1;
    backend->context = w;
    backend->facts.threads = 1;
    (void)signal(SIGPIPE, SIG_IGN);
    if (start_server(backend, w, error))
        return true;
    worker_close(backend);
    return false;
}

void worker_close(Backend *backend)
{
    Worker *w = backend->context;
    if (!w)
        return;
    forget_worker(w);
    close_end(&w->control);
    if (w->server > 0) {
        (void)kill(w->server, SIGKILL);
        (void)waitpid(w->server, NULL, 0);
    }
    free(w);
    backend->context = NULL;
}

bool worker_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    const Worker *w = backend->context;
    return w->offers[op_number(op)] >> dtype & 1;
}

/* The text of the case up to its fills, and the names of the operands. */
static bool put_text(Request *request, const Case *c)
{
    Text line = {0}, text = {0};
    case_print(c, &line);
    text_append(&text, text_string(&line), strcspn(text_string(&line), "|"));
    text_printf(&text, "|");
    for (int i = 0; c->op->tensors[i]; i++)
        text_printf(&text, " %s", c->op->tensors[i]);
    bool fits = text.length < WORKER_TEXT;
    if (fits)
        memcpy(request->text, text_string(&text), text.length);
    request->length = (uint32_t)text.length;
    text_release(&line);
    text_release(&text);
    return fits;
}

/* Describes operand i and copies its block; false where it does not fit. */
static bool put_tensor(Worker *w, Request *request, const Operands *o, int i, size_t *used)
{
    RequestTensor *to = &request->tensors[i];
    const Tensor *view = &o->view[i];
    const GuardBlock *block = &o->block[i];
    size_t size = dtype_size(view->dtype),
           start = (size_t)((char *)view->origin - (char *)block->data);
    *to = (RequestTensor){.dtype = (uint8_t)view->dtype,
                          .rank = (uint8_t)view->rank,
                          .role = operands_is_output(o, i)      ? REQUEST_OUTPUT
                                  : o->shapes.tensor[i].ignored ? REQUEST_IGNORED
                                                                : REQUEST_INPUT,
                          .offset = *used + start};
    for (int axis = 0; axis < view->rank; axis++) {
        to->extent[axis] = view->extent[axis];
        to->stride[axis] = view->stride[axis] * (int64_t)size;
    }
    if (block->bytes > ARENA_BYTES - *used)
        return false;
    memcpy(w->memory + *used, block->data, block->bytes);
    *used = (*used + block->bytes + WORKER_ALIGNMENT - 1) / WORKER_ALIGNMENT * WORKER_ALIGNMENT;
    return true;
}

/* Copies the blocks back, outputs and whatever else was changed. */
static void take_tensors(const Worker *w, const Operands *o, const size_t *places)
{
    for (int i = 0; i < o->shapes.count; i++)
        if (memcmp(o->block[i].data, w->memory + places[i], o->block[i].bytes) != 0)
            memcpy(o->block[i].data, w->memory + places[i], o->block[i].bytes);
}

/* How the worker ended, in words; the server knows. */
static RunStatus report_death(Backend *backend, Worker *w)
{
    enum { PATIENCE = 2000 };
    int status = 0;
    Text end = {0};
    struct pollfd ready = {.fd = w->ended, .events = POLLIN};
    bool known = poll(&ready, 1, PATIENCE) > 0 &&
                 read(w->ended, &status, sizeof status) == (ssize_t)sizeof status;
    text_put_end(&end, status);
    (void)snprintf(backend->message, sizeof backend->message, "%s",
                   known ? text_string(&end) : "the worker is lost");
    text_release(&end);
    forget_worker(w);
    return RUN_DIED;
}

/* False when the worker died before it answered this request. */
static bool exchange(Worker *w)
{
    uint64_t id = w->id;
    if (write(w->request, &id, sizeof id) != (ssize_t)sizeof id)
        return false;
    ssize_t count;
    do
        count = read(w->reply, &id, sizeof id);
    while (count < 0 && errno == EINTR);
    return count == (ssize_t)sizeof id && id == w->id;
}

static RunStatus read_reply(Backend *backend, const Worker *w, const Operands *o,
                            const size_t *places)
{
    const Reply *reply = (const Reply *)(const void *)w->memory;
    uint32_t status = reply->status, length = reply->length;
    size_t shown = length < sizeof backend->message ? length : sizeof backend->message - 1;
    if (reply->id != w->id || status > REPLY_DIFFERENT) {
        (void)snprintf(backend->message, sizeof backend->message, "the worker answers nonsense");
        return RUN_DIED;
    }
    memcpy(backend->message, reply->text, shown);
    backend->message[shown] = '\0';
    take_tensors(w, o, places);
    if (status == REPLY_DONE)
        return RUN_DONE;
    return status == REPLY_DECLINED ? RUN_DECLINED : RUN_REFUSED;
}

RunStatus worker_run(Backend *backend, const Operands *o)
{
    Worker *w = backend->context;
    size_t used = WORKER_HEAP, places[OP_TENSORS_MAX];
    if (w->owner != getpid() && !start_worker(w)) {
        (void)snprintf(backend->message, sizeof backend->message, "the server is lost");
        return RUN_DIED;
    }
    Request *request = (Request *)(void *)(w->memory + WORKER_HEADER);
    request->id = ++w->id;
    request->count = (uint32_t)o->shapes.count;
    if (!put_text(request, o->source))
        return RUN_DECLINED;
    for (int i = 0; i < o->shapes.count; i++) {
        places[i] = used;
        if (!put_tensor(w, request, o, i, &used))
            return RUN_DECLINED;
    }
    if (!exchange(w))
        return report_death(backend, w);
    return read_reply(backend, w, o, places);
}
