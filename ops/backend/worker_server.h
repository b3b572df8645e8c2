/* The process that imports a library once and forks workers of it.  Servers are shared by the
 * processes that come from the one that started them, and end with it. */
#ifndef OPS_BACKEND_WORKER_SERVER_H
#define OPS_BACKEND_WORKER_SERVER_H

#include <sys/types.h>

#include "worker.h"
#include "worker_protocol.h"

typedef struct WorkerServer {
    char name[sizeof(((Backend *)0)->name)]; /* of the backend */
    int control;                             /* socket that takes the ends of new workers */
    BackendFacts facts;
    bool asynchronous; /* calls return before they are computed: all of a batch are made at first */
    uint32_t offers[OP_MAX];
} WorkerServer;

/* Becomes the interpreter that runs a program of the Python side over the backend's library. */
_Noreturn void worker_exec(const Backend *backend, const char *program, const char *imports,
                           const char *layout);

/* Changes this process's limit of memory, if it has one, by what it shares with workers: the limit
 * is for kernels in this process. */
void worker_raise_limit(int64_t bytes);

/* The server of a backend, started where none is known yet; layout is what protocol.py reads the
 * memory by.  NULL with one sentence in *error. */
const WorkerServer *worker_server(const Backend *backend, const char *layout, Text *error);

/* Reads what a server says of itself, which is cut up; false with one sentence in *error where it
 * cannot serve. */
MUST_USE bool worker_server_introduce(WorkerServer *server, const WorkerSource *source, char *text,
                                      Text *error);

/* Asks for a worker; false where the server is gone. */
bool worker_server_fork(const WorkerServer *server, const int ends[WORKER_ENDS]);

#endif
