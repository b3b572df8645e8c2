/* Libraries that run in a process of their own: a server imports them once, and forks a worker for
 * every process of ours that asks for one.  A case is a record in memory that both map; a number on
 * a pipe says that it is there, and its end says that the worker has died.
 *
 * The memory: a header of WORKER_HEADER bytes (the reply), the request behind it, and from
 * WORKER_HEAP on the blocks of the operands, each aligned to 64 bytes.  Request: text of the case
 * up to its fills with the names of its operands, and for each operand its element type, role,
 * rank, place, extents, and strides in bytes; worker.c and protocol.py have the layout.  Whatever a
 * worker writes is checked before it is used; beyond the outputs it can only change copies of the
 * operands. */
#ifndef OPS_BACKEND_WORKER_H
#define OPS_BACKEND_WORKER_H

#include "ops/backend.h"

/* What a kind of worker is: its adapter, and where the library is looked for. */
typedef struct WorkerSource {
    const char *adapter; /* adapter_NAME.py */
    const char *fetched; /* folder that make frameworks fills, NULL: the system's Python has it */
    const char *package; /* what to do when it is absent */
} WorkerSource;

/* The functions of a BackendKind whose source is a WorkerSource. */
bool worker_open(Backend *backend, Text *error);
void worker_close(Backend *backend);
bool worker_offers(const Backend *backend, const OpDesc *op, DType dtype);
RunStatus worker_run(Backend *backend, const Operands *operands);

#endif
