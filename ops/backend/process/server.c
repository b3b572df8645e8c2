/* Starting servers, and asking them for workers. */
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ops/backend/library.h"
#include "ops/case/gradient.h"
#include "reference/alone.h"
#include "reference/child.h"
#include "reference/confine.h"
#include "reference/escape.h"
#include "reference/patience.h"
#include "reference/scratch.h"
#include "request.h"

enum { HELLO_BYTES = 65536, PATH_BYTES = 3072, SERVERS_MAX = 16 };

static Server servers[SERVERS_MAX];
static int server_count;

/* The Python side: beside the sources, where make install puts it, or as the user says. */
static void package_folder(char folder[PATH_BYTES])
{
    const char *given = getenv("OPCONFORM_WORKER");
    char program[PATH_BYTES - 64];
    library_program_folder(program, sizeof program);
    (void)snprintf(folder, PATH_BYTES, "%s/../ops/backend/framework/python", program);
    if (access(folder, R_OK) != 0)
        (void)snprintf(folder, PATH_BYTES, "%s/../share/opconform/worker", program);
    if (given)
        (void)snprintf(folder, PATH_BYTES, "%s", given);
}

/* The folder of the module that users' files import: beside the sources, or where make install puts
 * it. */
static void put_module_folder(Text *path)
{
    char program[PATH_BYTES - 64], folder[PATH_BYTES];
    library_program_folder(program, sizeof program);
    (void)snprintf(folder, sizeof folder, "%s/../python", program);
    if (access(folder, R_OK) != 0)
        (void)snprintf(folder, sizeof folder, "%s/../share/opconform/worker", program);
    text_printf(path, ":%s", folder);
}

static bool is_for_file(const Backend *backend)
{
    return ((const ProcessSource *)backend->kind->source)->place_is_file;
}

/* Appends what to do where the library is absent. */
static void put_advice(const Backend *backend, Text *text)
{
    const ProcessSource *source = backend->kind->source;
    const char *name = backend->kind->name;
    if (source->package)
        text_printf(text, "%s", source->package);
    else
        text_printf(text, "make frameworks FRAMEWORKS=%s, or %s@/path/venv", name, name);
}

/* The folder of the pinned version, which make frameworks fills; false where none is pinned. */
static bool pinned_folder(const Backend *backend, char folder[PATH_BYTES])
{
    char fetched[PATH_BYTES - 256];
    const char *version = library_pinned_version(backend->kind->name, 0);
    library_fetched_folder(fetched, sizeof fetched);
    (void)snprintf(folder, PATH_BYTES, "%s/%s-%s", fetched, backend->kind->name,
                   version ? version : "");
    return version;
}

/* The interpreter that the library was fetched for, where fetch-frameworks noted one. */
static void read_interpreter(const char *folder, char python[PATH_BYTES])
{
    Text name = {0};
    char line[PATH_BYTES];
    text_printf(&name, "%s/.python", folder);
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

/* The user's own interpreter, with what it finds by itself and what lies beside the file. */
static void choose_own_python(const Backend *backend, char python[PATH_BYTES], Text *path)
{
    const char *given = getenv("OPCONFORM_PYTHON"), *own_path = getenv("PYTHONPATH");
    char *file = realpath(backend->where, NULL), *slash = file ? strrchr(file, '/') : NULL;
    if (slash) {
        *slash = '\0';
        text_printf(path, ":%s", file);
    }
    free(file);
    (void)snprintf(python, PATH_BYTES, "%s", given && *given ? given : "python3");
    put_module_folder(path);
    if (own_path && *own_path)
        text_printf(path, ":%s", own_path);
}

/* The interpreter, and where it finds the library, appended: an environment that the user names,
 * what make frameworks fetched, the user's, or the system's. */
static void choose_python(const Backend *backend, char python[PATH_BYTES], Text *path)
{
    char folder[PATH_BYTES];
    if (is_for_file(backend)) {
        choose_own_python(backend, python, path);
        return;
    }
    bool is_pinned = pinned_folder(backend, folder);
    (void)snprintf(python, PATH_BYTES, "%s", is_pinned ? "python3" : "/usr/bin/python3");
    if (backend->where[0]) {
        (void)snprintf(python, PATH_BYTES, "%s/bin/python3", backend->where);
    } else if (is_pinned) {
        text_printf(path, ":%s", folder);
        read_interpreter(folder, python);
    }
}

bool server_is_native(const Backend *backend)
{
    const ProcessSource *source = backend->kind->source;
    return source->native_mode &&
           (!source->native_mode[0] || !strcmp(backend->mode, source->native_mode));
}

void server_raise_limit(int64_t bytes)
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

/* The interpreter for a library in a folder, which is appended to the path. */
static void choose_python_in(const char *folder, char python[PATH_BYTES], Text *path)
{
    (void)snprintf(python, PATH_BYTES, "python3");
    text_printf(path, ":%s", folder);
    read_interpreter(folder, python);
}

static void put_interpreter(const char *python, const Text *path, Text *command)
{
    if (path->length > 0) {
        text_put(command, "PYTHONPATH=");
        escape_put_shell(command, text_string(path) + 1); /* behind the first colon */
        text_put(command, " ");
    }
    escape_put_shell(command, python);
}

void process_put_interpreter(const Backend *backend, Text *command)
{
    Text path = {0};
    char python[PATH_BYTES];
    choose_python(backend, python, &path);
    put_interpreter(python, &path, command);
    text_release(&path);
}

void process_put_interpreter_in(const char *folder, Text *command)
{
    Text path = {0};
    char python[PATH_BYTES];
    choose_python_in(folder, python, &path);
    put_interpreter(python, &path, command);
    text_release(&path);
}

_Noreturn void server_exec_python(const Backend *backend, const char *library, const char *program,
                                  const char *imports, const char *layout)
{
    Text path = {0}, start = {0};
    char python[PATH_BYTES], folder[PATH_BYTES];
    package_folder(folder);
    text_printf(&path, "%s", folder);
    if (library)
        choose_python_in(library, python, &path);
    else
        choose_python(backend, python, &path);
    text_printf(&start, "%s/%s", folder, program);
    (void)setenv("PYTHONPATH", text_string(&path), 1);
    (void)setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    if (is_for_file(backend))
        (void)setenv("OPCONFORM_FILE", backend->where, 1);
    prepare_server();
    /* Scripts of what a program in C found have the same calls from Python. */
    (void)execlp(python, python, text_string(&start), backend->kind->name,
                 !library && server_is_native(backend) ? "" : backend->mode, imports, layout,
                 (char *)NULL);
    _exit(127);
}

/* The folder that has the library's packages, or what the user says where there are none. */
static void installation_folder(const Backend *backend, char folder[PATH_BYTES])
{
    const ProcessSource *source = backend->kind->source;
    char pattern[PATH_BYTES];
    glob_t found;
    bool in_python = source->native_mode[0];
    if (in_python && !backend->where[0]) {
        (void)pinned_folder(backend, folder);
        return;
    }
    (void)snprintf(folder, PATH_BYTES, "%s", backend->where);
    if (!in_python)
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
    const ProcessSource *source = backend->kind->source;
    char folder[PATH_BYTES], beside[PATH_BYTES - 64], program[PATH_BYTES];
    library_program_folder(beside, sizeof beside);
    (void)snprintf(program, sizeof program, "%s/%s", beside, source->native_program);
    installation_folder(backend, folder);
    prepare_server();
    (void)execl(program, program, folder, layout, backend->mode, (char *)NULL);
    _exit(127);
}

/* A server that is to be started, with its end of the socket. */
typedef struct ServerStart {
    const Backend *backend;
    const char *layout;
    int control;
} ServerStart;

/* Whoever asks for the end of all processes of a terminal or of a job means those that ask: the
 * program that this process becomes, and its workers, hear of it by their pipes. */
static void ignore_ends(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < COUNT_OF(signals); i++)
        (void)signal(signals[i], SIG_IGN);
}

/* It writes nothing but what is its own, as far as the system can keep it from that. */
static void confine_server(const ProcessSource *source)
{
    scratch_use();
    confine_allow(scratch_folder());
    if (source->opens_sockets)
        confine_begin_but_sockets();
    else if (!source->drives_device)
        confine_begin();
}

static int run_server(const void *context, int to)
{
    const ServerStart *start = context;
    const Backend *backend = start->backend;
    const ProcessSource *source = backend->kind->source;
    (void)to;
    if (dup2(start->control, CONTROL_FD) != CONTROL_FD)
        return 127;
    (void)fcntl(CONTROL_FD, F_SETFD, 0);
    /* What libraries say stands beside no rows of ours. */
    if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return 127;
    ignore_ends();
    confine_server(source);
    if (server_is_native(backend))
        exec_native(backend, start->layout);
    server_exec_python(backend, NULL, "start.py", source->imports_each ? "each" : "once",
                       start->layout);
}

/* The server answers with lines "facts: value", then "op NAME MASK" for each operator; or one line
 * "error: why"; "rows NAME" where it is asked by bindings; "asynchronous" where calls return before
 * they are computed; "sample N"; "draws N ALIKE TOGETHER"; "patience N"; "forward" where nothing
 * is differentiated; "form NAME" of all that calls have; "adds STEP KEPT" of a matrix unit;
 * "refuses WHY" with patterns of programs; and lines that become rows. */
static void take_line(Server *server, const char *line)
{
    static const char refuses[] = "refuses ";
    BackendFacts *f = &server->facts;
    char name[96];
    unsigned mask;
    const struct {
        const char *name;
        char *value;
        size_t size;
    } facts[] = {{"version: ", f->version, sizeof f->version},
                 {"build: ", f->build, sizeof f->build},
                 {"core: ", f->core, sizeof f->core},
                 {"path: ", f->path, sizeof f->path}};
    server->asynchronous = server->asynchronous || !strcmp(line, "asynchronous");
    server->forward = server->forward || !strcmp(line, "forward");
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        if (!strncmp(line, facts[i].name, strlen(facts[i].name)))
            (void)snprintf(facts[i].value, facts[i].size, "%s", line + strlen(facts[i].name));
    (void)sscanf(line, "sample %d", &f->sample);
    (void)sscanf(line, "draws %d %d %d", &f->draws, &f->draws_alike, &f->together);
    (void)sscanf(line, "patience %d", &server->patience);
    (void)sscanf(line, "adds %d %d", &f->step, &f->kept);
    if (!strncmp(line, refuses, strlen(refuses)))
        refusals_add(&server->refusals, line + strlen(refuses));
    if (sscanf(line, "rows %95s", name) == 1)
        server->bindings = bindings_find(name);
    if (sscanf(line, "form %95s", name) == 1)
        for (int form = 0; form_names[form]; form++)
            server->forms |= strcmp(form_names[form], name) ? 0 : 1u << form;
    if (sscanf(line, "op %95s %x", name, &mask) == 2)
        for (int i = 0; op_registry[i]; i++)
            if (!strcmp(op_registry[i]->name, name))
                server->offers[i] = mask;
}

/* The rows that the library brings along. */
static bool take_rows(Server *server, const Text *rows, Text *error)
{
    if (rows->length > 0)
        server->bindings = bindings_read(server->name, text_string(rows), error);
    return rows->length == 0 || server->bindings;
}

bool server_introduce(Server *server, const Backend *backend, const char *advice, char *text,
                      Text *error)
{
    const ProcessSource *source = backend->kind->source;
    Text rows = {0}, why = {0};
    bool ok = true;
    for (char *line = strtok(text, "\n"); ok && line; line = strtok(NULL, "\n")) {
        if (!strncmp(line, "error: ", 7)) {
            text_printf(&why, "%s", line + 7);
            if (strstr(line, "ModuleNotFoundError"))
                text_printf(&why, ": %s", advice);
            ok = false;
        }
        ok = ok && (!source->take_line || source->take_line(backend, line, &rows, &why));
        take_line(server, line);
    }
    ok = ok && take_rows(server, &rows, &why);
    server->facts.forms = server->bindings ? bindings_forms(server->bindings) : 0;
    if (server->forms)
        server->facts.forms &= server->forms;
    if (!ok)
        text_printf(error, "%s: %s", server->name, text_string(&why));
    text_release(&rows);
    text_release(&why);
    return ok;
}

uint32_t server_dtypes(const Server *server, const OpDesc *op)
{
    uint32_t dtypes = server->offers[op_number(op)];
    if (server->forward && gradient_forward(op))
        return 0;
    return server->bindings ? dtypes | request_dtypes(server->bindings, op) : dtypes;
}

/* Waits for the first words of a server, which imports its library meanwhile: so long as it takes
 * processor time or wants some. */
static ssize_t await_hello(const Server *server, const Child *child, char *hello)
{
    enum { LOOK_MILLISECONDS = 20 };
    const uint64_t limit = 40000000000u;
    Patience patience = {0};
    struct pollfd ready = {.fd = server->control, .events = POLLIN};
    while (poll(&ready, 1, LOOK_MILLISECONDS) <= 0)
        if (patience_ends(&patience, child->process, 1, limit))
            return 0;
    return recv(server->control, hello, HELLO_BYTES - 1, 0);
}

static bool start_server(Server *server, const Backend *backend, const char *layout, Text *error)
{
    const ProcessSource *source = backend->kind->source;
    char *hello = memory_allocate(1, HELLO_BYTES);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        BUG("no socket: %s", strerror(errno));
    Child child;
    bool ok = child_start(&child, run_server, &(ServerStart){backend, layout, ends[1]});
    (void)close(ends[1]);
    server->control = ends[0];
    ok = ok && await_hello(server, &child, hello) > 0;
    Text advice = {0};
    put_advice(backend, &advice);
    if (!ok)
        text_printf(error, "%s: no answer from %s: %s", backend->name,
                    server_is_native(backend) ? source->native_program : "Python",
                    text_string(&advice));
    ok = ok && server_introduce(server, backend, text_string(&advice), hello, error);
    text_release(&advice);
    free(hello);
    if (ok) {
        child_leave(&child);
        return true;
    }
    (void)close(server->control);
    child_kill(&child);
    (void)child_wait(&child);
    return false;
}

const Server *server_of(const Backend *backend, const char *layout, Text *error)
{
    for (int i = 0; i < server_count; i++)
        if (!strcmp(servers[i].name, backend->name))
            return &servers[i];
    if (server_count == SERVERS_MAX) {
        text_printf(error, "at most %d frameworks at once", SERVERS_MAX);
        return NULL;
    }
    Server *server = &servers[server_count];
    *server = (Server){.facts.threads = 1, .backend = *backend};
    memcpy(server->name, backend->name, sizeof server->name);
    (void)signal(SIGPIPE, SIG_IGN);
    if (!start_server(server, backend, layout, error))
        return NULL;
    alone_keep(server->control);
    server_count++;
    return server;
}

bool server_is_gone(const Server *server)
{
    struct pollfd ready = {.fd = server->control};
    return poll(&ready, 1, 0) > 0 && ready.revents & POLLHUP;
}

const char *server_revive(const char *layout, bool *started)
{
    Text error = {0};
    int gone = 0;
    while (gone < server_count && !server_is_gone(&servers[gone]))
        gone++;
    if (gone == server_count)
        return NULL;
    Server *server = &servers[gone], *again = memory_allocate(1, sizeof *again);
    memcpy(again->name, server->name, sizeof again->name);
    *started = start_server(again, &server->backend, layout, &error) &&
               dup3(again->control, server->control, O_CLOEXEC) == server->control;
    if (*started)
        (void)close(again->control);
    free(again);
    text_release(&error);
    return server->name;
}

bool server_fork(const Server *server, const int ends[SERVER_ENDS])
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(SERVER_ENDS * sizeof(int))];
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
    header->cmsg_len = CMSG_LEN(SERVER_ENDS * sizeof(int));
    memcpy(CMSG_DATA(header), ends, SERVER_ENDS * sizeof(int));
    return sendmsg(server->control, &message, MSG_NOSIGNAL) == 1;
}
