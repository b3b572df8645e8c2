/* The process that imports a library once and forks workers of it.  Servers are shared by the
 * processes that come from the one that started them, and end with it. */
#ifndef OPS_BACKEND_PROCESS_SERVER_H
#define OPS_BACKEND_PROCESS_SERVER_H

#include <sys/types.h>

#include "process.h"
#include "protocol.h"
#include "refusals.h"

typedef struct Server {
    char name[sizeof(((Backend *)0)->name)]; /* of the backend */
    Backend backend;                         /* as it was asked for */
    int control;                             /* socket that takes the ends of new workers */
    BackendFacts facts;
    bool asynchronous; /* calls return before they are computed: all of a batch are made at first */
    uint32_t forms;    /* mask of FormKind that its calls have at most; 0: any */
    bool forward;      /* it has no gradients: what it makes is not differentiated */
    int patience;      /* deadlines that a call may take, where the library says so; else 0 */
    const Bindings *bindings; /* that it is asked by, or NULL */
    uint32_t offers[OP_MAX];
    Refusals refusals; /* of programs */
} Server;

/* True when a program in C serves the backend's mode. */
bool server_is_native(const Backend *backend);

/* Becomes the interpreter that runs a program of the Python side over the backend's library, which
 * lies in the folder, or, where that is NULL, as the backend's name says. */
_Noreturn void server_exec_python(const Backend *backend, const char *library, const char *program,
                                  const char *imports, const char *layout);

/* Changes this process's limit of memory, if it has one, by what it shares with workers: the limit
 * is for kernels in this process. */
void server_raise_limit(int64_t bytes);

/* The server of a backend, started where none is known yet; layout is what protocol.py reads the
 * memory by.  NULL with one sentence in *error. */
const Server *server_of(const Backend *backend, const char *layout, Text *error);

/* Reads what a server says of itself, which is cut up; false with one sentence in *error where it
 * cannot serve, and the advice where a package is missing. */
MUST_USE bool server_introduce(Server *server, const Backend *backend, const char *advice,
                               char *text, Text *error);

/* Element types in which it has an operator: by what it says, or by its bindings. */
uint32_t server_dtypes(const Server *server, const OpDesc *op);

/* Asks for a worker; false where the server is gone. */
bool server_fork(const Server *server, const int ends[SERVER_ENDS]);

/* True when its process has ended. */
bool server_is_gone(const Server *server);

/* Starts the next server again whose process has ended, for processes that this one starts from now
 * on.  The name of its backend, or NULL where all run; *started tells whether it does now. */
const char *server_revive(const char *layout, bool *started);

#endif
