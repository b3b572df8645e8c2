/* Loads a library once and forks a worker for each set of ends that it is sent. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "native.h"
#include "ops/backend/process/process.h"
#include "reference/child.h"

enum { WORKERS_MAX = 64, CALLS_KEPT = 256 };

/* The calls that were made last, by their text: data changes more often. */
typedef struct KeptCall {
    uint32_t length;
    uint8_t roles[OP_TENSORS_MAX];
    char text[REQUEST_TEXT];
    NativeCall call;
} KeptCall;

typedef struct RunningWorker {
    pid_t process;
    int fate;
} RunningWorker;

static RunningWorker workers[WORKERS_MAX];
static int worker_count;

static uint64_t hash_text(const char *text, size_t length)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    return hash;
}

static bool is_kept(const KeptCall *kept, const Request *request)
{
    if (kept->length != request->length || memcmp(kept->text, request->text, kept->length) != 0)
        return false;
    for (uint32_t i = 0; i < request->count; i++)
        if (kept->roles[i] != request->tensors[i].role)
            return false;
    return true;
}

/* The call of a request; NULL with one sentence in *error. */
static const NativeCall *find_call(const NativeLibrary *library, const Request *request,
                                   Text *error)
{
    static KeptCall *kept[CALLS_KEPT];
    KeptCall **place = &kept[hash_text(request->text, request->length) % CALLS_KEPT];
    if (!*place)
        *place = memory_allocate(1, sizeof **place);
    if ((*place)->length > 0 && is_kept(*place, request))
        return &(*place)->call;
    (*place)->length = 0;
    if (!native_call(library, request, &(*place)->call, error))
        return NULL;
    (*place)->length = request->length;
    memcpy((*place)->text, request->text, request->length);
    for (uint32_t i = 0; i < request->count; i++)
        (*place)->roles[i] = request->tensors[i].role;
    return &(*place)->call;
}

/* What the library that is loaded declines, it does in its version. */
static char edition[96];

static uint32_t answer(const NativeLibrary *library, unsigned char *memory, int slot)
{
    const Request *request = slot_request(memory, slot);
    Reply *reply = slot_reply(memory, slot);
    Text error = {0}, said = {0};
    char message[REPLY_TEXT] = "";
    const NativeCall *call = find_call(library, request, &error);
    uint32_t status = REPLY_DECLINED;
    if (!call)
        (void)snprintf(message, sizeof message, "%s", text_string(&error));
    else
        status = library->run(&(NativeRequest){
            .call = call, .tensors = request->tensors, .memory = memory, .message = message});
    if (call && status == REPLY_DECLINED)
        text_printf(&said, "%s lacks it: ", edition);
    text_put(&said, message);
    reply->status = status;
    reply->length = (uint32_t)(said.length < REPLY_TEXT ? said.length : REPLY_TEXT);
    memcpy(reply->text, text_string(&said), reply->length);
    text_release(&error);
    text_release(&said);
    atomic_store(&reply->id, request->id);
    return status;
}

static _Noreturn void serve(const NativeLibrary *library, const int ends[SERVER_ENDS])
{
    struct stat size;
    if (fstat(ends[END_MEMORY], &size) != 0)
        _exit(3);
    unsigned char *memory =
        mmap(NULL, (size_t)size.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, ends[END_MEMORY], 0);
    if (memory == MAP_FAILED)
        _exit(3);
    if (library->start)
        library->start();
    Bell bell;
    while (read(ends[END_REQUESTS], &bell, sizeof bell) == (ssize_t)sizeof bell) {
        bool lost = false;
        for (int i = 0; i < bell.count && !lost; i++)
            lost = answer(library, memory, bell.first + i) == REPLY_LOST;
        if (lost)
            bell.first = BELL_LOST;
        if (write(ends[END_REPLIES], &bell, sizeof bell) < 0)
            break;
        if (lost)
            for (;;) /* whoever asked ends this process */
                (void)pause();
    }
    _exit(0);
}

static void write_number(int end, int number)
{
    /* Whoever asked may be gone. */
    if (write(end, &number, sizeof number) < 0 && errno != EPIPE)
        BUG("cannot tell of a worker: %s", strerror(errno));
}

/* A worker that is to be started, with the ends of its pipes. */
typedef struct WorkerStart {
    const NativeLibrary *library;
    const int *ends;
} WorkerStart;

static int run_worker(const void *context, int to)
{
    const WorkerStart *start = context;
    sigset_t none;
    (void)to;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)close(CONTROL_FD);
    (void)close(start->ends[END_FATE]);
    serve(start->library, start->ends);
}

/* Forks a worker; its number and later how it ended go to the last of the ends. */
static void start_worker(const NativeLibrary *library, int ends[SERVER_ENDS])
{
    Child child;
    bool started = worker_count < WORKERS_MAX &&
                   child_start(&child, run_worker, &(WorkerStart){library, ends});
    (void)close(ends[END_MEMORY]);
    (void)close(ends[END_REQUESTS]);
    (void)close(ends[END_REPLIES]);
    if (started) {
        write_number(ends[END_FATE], child.process);
        workers[worker_count++] = (RunningWorker){child.process, ends[END_FATE]};
        child_leave(&child);
    } else {
        (void)close(ends[END_FATE]);
    }
}

static void reap(void)
{
    int status;
    for (pid_t ended = waitpid(-1, &status, WNOHANG); ended > 0;
         ended = waitpid(-1, &status, WNOHANG))
        for (int i = 0; i < worker_count; i++)
            if (workers[i].process == ended) {
                write_number(workers[i].fate, status);
                (void)close(workers[i].fate);
                workers[i] = workers[--worker_count];
                break;
            }
}

/* Takes the ends of a new worker from the socket; false when the other side is gone. */
static bool take_ends(const NativeLibrary *library)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(SERVER_ENDS * sizeof(int))];
    } control;
    char byte;
    int ends[SERVER_ENDS];
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    ssize_t count = recvmsg(CONTROL_FD, &message, 0);
    if (count <= 0)
        return count < 0 && errno == EINTR;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_len == CMSG_LEN(sizeof ends)) {
        memcpy(ends, CMSG_DATA(header), sizeof ends);
        start_worker(library, ends);
    }
    return true;
}

/* A worker whose end nobody reads has lost whoever asked, and may never come back from its call. */
static void end_orphans(const struct pollfd *fates)
{
    for (int i = 0; i < worker_count; i++)
        if (fates[i].revents)
            (void)kill(workers[i].process, SIGKILL);
}

static void serve_control(const NativeLibrary *library)
{
    sigset_t child;
    (void)sigemptyset(&child);
    (void)sigaddset(&child, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &child, NULL);
    struct pollfd ready[2 + WORKERS_MAX] = {
        {.fd = CONTROL_FD, .events = POLLIN},
        {.fd = signalfd(-1, &child, SFD_CLOEXEC), .events = POLLIN}};
    struct signalfd_siginfo told;
    for (;;) {
        for (int i = 0; i < worker_count; i++)
            ready[2 + i] = (struct pollfd){.fd = workers[i].fate};
        if (poll(ready, (nfds_t)worker_count + 2, -1) <= 0) {
            if (errno != EINTR)
                return;
            continue;
        }
        end_orphans(ready + 2);
        if (ready[1].revents && read(ready[1].fd, &told, sizeof told) > 0)
            reap();
        if (ready[0].revents && !take_ends(library))
            return;
    }
}

/* Facts and offers, line by line; or why there are none. */
static void put_hello(const NativeLibrary *library, const BackendFacts *facts, Text *hello)
{
    text_printf(hello, "version: %s\nbuild: %s\ncore: %s\npath: %s\n", facts->version, facts->build,
                facts->core, facts->path);
    if (facts->step)
        text_printf(hello, "adds %d %d\n", facts->step, facts->kept);
    for (int i = 0; op_registry[i]; i++) {
        uint32_t dtypes = native_dtypes(library, op_registry[i]);
        if (dtypes)
            text_printf(hello, "op %s %x\n", op_registry[i]->name, dtypes);
    }
}

bool native_find(void *library, const char *name, const NativeSymbol *symbols, size_t count,
                 Text *error)
{
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(library, symbols[i].name);
        memcpy(symbols[i].function, &address, sizeof address);
        if (!address) {
            text_printf(error, "%s has no %s: a newer version has it", name, symbols[i].name);
            return false;
        }
    }
    return true;
}

void *native_open(const char *path, const NativeSymbol *symbols, size_t count, Text *error)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        text_printf(error, "%s", dlerror());
        return NULL;
    }
    return native_find(library, path, symbols, count, error) ? library : NULL;
}

/* Libraries talk while they load; what they say later, when they die, is worth keeping. */
static bool load_quietly(const NativeLibrary *library, const char *path, const char *mode,
                         BackendFacts *facts, Text *error)
{
    int kept = dup(STDERR_FILENO), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    (void)dup2(nothing, STDERR_FILENO);
    bool ok = library->load(path, mode, facts, error);
    (void)dup2(kept, STDERR_FILENO);
    (void)close(kept);
    (void)close(nothing);
    return ok;
}

int native_main(const NativeLibrary *library, int count, char **arguments)
{
    Text hello = {0}, error = {0}, path = {0}, layout = {0};
    BackendFacts facts = {0};
    process_layout(&layout);
    if (count != 4) {
        (void)fprintf(stderr, "%s: started by opconform only\n", arguments[0]);
        return 2;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    text_printf(&path, "%s%s%s", arguments[1], library->file[0] ? "/" : "", library->file);
    bool ok = !strcmp(arguments[2], text_string(&layout));
    if (!ok)
        text_printf(&error, "%s is of another version of opconform", arguments[0]);
    ok = ok && load_quietly(library, text_string(&path), arguments[3], &facts, &error);
    (void)snprintf(edition, sizeof edition, "%s %s",
                   library->bindings ? library->bindings : "the library", facts.version);
    if (ok)
        put_hello(library, &facts, &hello);
    else
        text_printf(&hello, "error: %s", text_string(&error));
    if (send(CONTROL_FD, text_string(&hello), hello.length, 0) < 0)
        return 3;
    if (!ok)
        return 3;
    serve_control(library);
    return 0;
}
