/* Libraries that run in a process of their own: a server imports them once, and forks a worker for
 * every process of ours that asks for one.  Cases are records in memory that both map; a bell on a
 * pipe says that some are there, and its end says that the worker has died.
 *
 * The memory: slots, each with a reply and behind it a request, and then the blocks of the
 * operands, each aligned to 64 bytes.  Request: text of the case up to its fills with the names of
 * its operands, and for each operand its element type, role, rank, place, extents, and strides in
 * bytes; worker.c and protocol.py have the layout.  Whatever a worker writes is checked before it
 * is used; beyond the outputs it can only change copies of the operands. */
#ifndef OPS_BACKEND_WORKER_H
#define OPS_BACKEND_WORKER_H

#include "ops/backend.h"

/* What a kind of worker is: its adapter, and where the library is looked for. */
typedef struct WorkerSource {
    const char *adapter; /* adapter_NAME.py, NULL: not in Python */
    const char *fetched; /* folder that make frameworks fills, NULL: the system's Python has it */
    const char *package; /* what to do when it is absent */
    const char *native_mode;    /* the mode that is served by a program in C, "" for all, or NULL */
    const char *native_program; /* that program, beside this one */
    const char *exception; /* a class of its own that it raises for illegal arguments, or NULL */
    bool imports_each;     /* every worker imports the library: it does not survive a fork */
    bool keeps_alignment;  /* operands lie as exec.align says, modulo WORKER_ALIGNMENT */
    int patience;          /* deadlines that a call may take, 0 for one: what compiles needs more */
} WorkerSource;

/* The functions of a BackendKind whose source is a WorkerSource. */
bool worker_open(Backend *backend, Text *error);
void worker_close(Backend *backend);
bool worker_offers(const Backend *backend, const OpDesc *op, DType dtype);
bool worker_expect(Backend *backend, const Operands *operands);
bool worker_script(const Backend *backend, const Text *description, Text *source, Text *error);
const char *worker_illegal_argument(const Backend *backend, const Operands *operands);
RunStatus worker_run(Backend *backend, const Operands *operands);

/* The numbers and names that the memory is read by. */
void worker_layout(Text *layout);

#endif
