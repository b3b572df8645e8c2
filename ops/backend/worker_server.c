/* Starting servers, and asking them for workers. */
#include "worker_server.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "library.h"

enum { HELLO_BYTES = 65536, HELLO_SECONDS = 40, PATH_BYTES = 3072, SERVERS_MAX = 16 };

static WorkerServer servers[SERVERS_MAX];
static int server_count;

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

/* The interpreter that the library was fetched for, where fetch-frameworks noted one. */
static void read_interpreter(const char *folder, const char *fetched, char python[PATH_BYTES])
{
    Text name = {0};
    char line[PATH_BYTES];
    text_printf(&name, "%s/%s/.python", folder, fetched);
    FILE *file = fopen(text_string(&name), "re");
    text_release(&name);
    if (!file)
        return;
    if (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        memcpy(python, line, strlen(line) + 1);
    }
    (void)fclose(file);
}

/* The interpreter, and where it finds the library, appended: an environment that the user names,
 * what make frameworks fetched, or the system's. */
static void choose_python(const Backend *backend, const WorkerSource *source,
                          char python[PATH_BYTES], Text *path)
{
    char folder[PATH_BYTES];
    (void)snprintf(python, PATH_BYTES, "%s", source->fetched ? "python3" : "/usr/bin/python3");
    if (backend->where[0]) {
        (void)snprintf(python, PATH_BYTES, "%s/bin/python3", backend->where);
    } else if (source->fetched) {
        library_fetched_folder(folder, sizeof folder);
        text_printf(path, ":%s/%s", folder, source->fetched);
        read_interpreter(folder, source->fetched, python);
    }
}

static bool is_native(const Backend *backend)
{
    const WorkerSource *source = backend->kind->source;
    return source->native_mode &&
           (!source->native_mode[0] || !strcmp(backend->mode, source->native_mode));
}

void worker_raise_limit(int64_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    limit.rlim_cur += (rlim_t)bytes;
    (void)setrlimit(RLIMIT_AS, &limit);
}

/* One thread, and all memory: the limit is for kernels in the process of the caller. */
static void prepare_server(void)
{
    struct rlimit memory;
    if (getrlimit(RLIMIT_AS, &memory) == 0) {
        memory.rlim_cur = memory.rlim_max;
        (void)setrlimit(RLIMIT_AS, &memory);
    }
    (void)setenv("OMP_NUM_THREADS", "1", 1);
    (void)setenv("OPENBLAS_NUM_THREADS", "1", 1);
    (void)setenv("MKL_NUM_THREADS", "1", 1);
}

_Noreturn void worker_exec(const Backend *backend, const char *program, const char *imports,
                           const char *layout)
{
    const WorkerSource *source = backend->kind->source;
    Text path = {0}, start = {0};
    char python[PATH_BYTES], folder[PATH_BYTES];
    package_folder(folder);
    text_printf(&path, "%s", folder);
    choose_python(backend, source, python, &path);
    text_printf(&start, "%s/%s", folder, program);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setenv("PYTHONPATH", text_string(&path), 1);
    (void)setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    prepare_server();
    /* Scripts of what a program in C found have the same calls from Python. */
    (void)execlp(python, python, text_string(&start), source->adapter,
                 is_native(backend) ? "" : backend->mode, imports, layout, (char *)NULL);
    _exit(127);
}

/* The folder that has the library's packages, or what the user says where there are none. */
static void installation_folder(const Backend *backend, char folder[PATH_BYTES])
{
    const WorkerSource *source = backend->kind->source;
    char pattern[PATH_BYTES], fetched[PATH_BYTES - 256];
    glob_t found;
    (void)snprintf(folder, PATH_BYTES, "%s", backend->where);
    if (!source->adapter)
        return;
    library_fetched_folder(fetched, sizeof fetched);
    (void)snprintf(folder, PATH_BYTES, "%s/%s", fetched, source->fetched);
    if (!backend->where[0])
        return;
    (void)snprintf(pattern, sizeof pattern, "%s/lib/python3*/site-packages", backend->where);
    if (glob(pattern, 0, NULL, &found) == 0) {
        (void)snprintf(folder, PATH_BYTES, "%s", found.gl_pathv[0]);
        globfree(&found);
    }
}

/* Becomes the program in C that serves the backend's mode. */
static _Noreturn void exec_native(const Backend *backend, const char *layout)
{
    const WorkerSource *source = backend->kind->source;
    char folder[PATH_BYTES], beside[PATH_BYTES - 64], program[PATH_BYTES];
    library_program_folder(beside, sizeof beside);
    (void)snprintf(program, sizeof program, "%s/%s", beside, source->native_program);
    installation_folder(backend, folder);
    prepare_server();
    (void)execl(program, program, folder, layout, backend->mode, (char *)NULL);
    _exit(127);
}

static _Noreturn void run_server(const Backend *backend, const char *layout, int control)
{
    const WorkerSource *source = backend->kind->source;
    if (dup2(control, CONTROL_FD) != CONTROL_FD)
        _exit(127);
    (void)fcntl(CONTROL_FD, F_SETFD, 0);
    if (is_native(backend))
        exec_native(backend, layout);
    worker_exec(backend, "start.py", source->imports_each ? "each" : "once", layout);
}

/* What the server says of itself: lines "facts: value", then "op NAME MASK" for each operator; or
 * one line "error: why"; "asynchronous" where calls return before they are computed; "sample N";
 * and "adds STEP KEPT" of a matrix unit. */
bool worker_server_introduce(WorkerServer *server, const WorkerSource *source, char *text,
                             Text *error)
{
    BackendFacts *f = &server->facts;
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
            text_printf(error, "%s: %s", server->name, line + 7);
            if (strstr(line, "ModuleNotFoundError"))
                text_printf(error, ": %s", source->package);
            return false;
        }
        server->asynchronous = server->asynchronous || !strcmp(line, "asynchronous");
        for (size_t i = 0; i < COUNT_OF(facts); i++)
            if (!strncmp(line, facts[i].name, strlen(facts[i].name)))
                (void)snprintf(facts[i].value, facts[i].size, "%s", line + strlen(facts[i].name));
        (void)sscanf(line, "sample %d", &f->sample);
        (void)sscanf(line, "adds %d %d", &f->step, &f->kept);
        if (sscanf(line, "op %95s %x", name, &mask) == 2)
            for (int i = 0; op_registry[i]; i++)
                if (!strcmp(op_registry[i]->name, name))
                    server->offers[i] = mask;
    }
    return true;
}

static bool start_server(WorkerServer *server, const Backend *backend, const char *layout,
                         Text *error)
{
    const WorkerSource *source = backend->kind->source;
    char *hello = calloc(1, HELLO_BYTES);
    int ends[2];
    if (!hello || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        BUG("no socket: %s", strerror(errno));
    (void)fflush(NULL);
    pid_t process = fork();
    if (process == 0)
        run_server(backend, layout, ends[1]);
    (void)close(ends[1]);
    server->control = ends[0];
    struct pollfd ready = {.fd = server->control, .events = POLLIN};
    ssize_t length = 0;
    if (process > 0 && poll(&ready, 1, HELLO_SECONDS * 1000) > 0)
        length = recv(server->control, hello, HELLO_BYTES - 1, 0);
    bool ok = length > 0;
    if (!ok)
        text_printf(error, "%s: no answer from %s: %s", backend->name,
                    is_native(backend) ? source->native_program : "Python", source->package);
    ok = ok && worker_server_introduce(server, source, hello, error);
    free(hello);
    if (!ok && process > 0) {
        (void)close(server->control);
        (void)kill(process, SIGKILL);
        (void)waitpid(process, NULL, 0);
    }
    return ok;
}

const WorkerServer *worker_server(const Backend *backend, const char *layout, Text *error)
{
    for (int i = 0; i < server_count; i++)
        if (!strcmp(servers[i].name, backend->name))
            return &servers[i];
    if (server_count == SERVERS_MAX) {
        text_printf(error, "at most %d frameworks at once", SERVERS_MAX);
        return NULL;
    }
    WorkerServer *server = &servers[server_count];
    *server = (WorkerServer){.facts.threads = 1};
    memcpy(server->name, backend->name, sizeof server->name);
    (void)signal(SIGPIPE, SIG_IGN);
    if (!start_server(server, backend, layout, error))
        return NULL;
    server_count++;
    return server;
}

bool worker_server_fork(const WorkerServer *server, const int ends[WORKER_ENDS])
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(WORKER_ENDS * sizeof(int))];
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
    header->cmsg_len = CMSG_LEN(WORKER_ENDS * sizeof(int));
    memcpy(CMSG_DATA(header), ends, WORKER_ENDS * sizeof(int));
    return sendmsg(server->control, &message, MSG_NOSIGNAL) == 1;
}
