/* Libraries that run in a process of their own: a server imports them once, and forks a worker for
 * every process of ours that asks for one.  Cases are records in memory that both map; a bell on a
 * pipe says that some are there, and its end says that the worker has died.
 *
 * The memory: slots, each with a reply and behind it a request, and then the blocks of the
 * operands, each aligned to 64 bytes.  Request: text of the case up to its fills with the names of
 * its operands, and for each operand its element type, role, rank, place, extents, and strides in
 * bytes; process.c and protocol.py have the layout.  Whatever a worker writes is checked before it
 * is used; beyond the outputs it can only change copies of the operands. */
#ifndef OPS_BACKEND_PROCESS_PROCESS_H
#define OPS_BACKEND_PROCESS_PROCESS_H

#include "ops/backend/backend.h"
#include "ops/backend/binding/binding.h"
#include "ops/backend/binding/describe.h"

/* How a kind of worker is served.  Unless a program in C serves all modes, the kind's name is that
 * of its adapter, adapter_NAME.py; the library is the version of that name which make frameworks
 * pins (fetch/frameworks.txt), or the system's where none is pinned. */
typedef struct ProcessSource {
    const char *package;        /* what to do when it is absent; NULL: make frameworks fetches it */
    const char *native_mode;    /* the mode that is served by a program in C, "" for all, or NULL */
    const char *native_program; /* that program, beside this one */
    const char *exception; /* a class of its own that it raises for illegal arguments, or NULL */
    bool imports_each;     /* every worker imports the library: it does not survive a fork */
    bool keeps_alignment;  /* operands lie as exec.align says, modulo PROCESS_ALIGNMENT */
    bool place_is_file;    /* a user's file, for python3 or the interpreter in OPCONFORM_PYTHON */
    bool opens_sockets;    /* parts of the library talk by them: it is not kept from it */
    bool drives_device;    /* by files and sockets of a driver: it is kept from nothing */
    int patience;          /* deadlines that a call may take, 0 for one: what compiles needs more */
    /* Takes a line of the greeting that the server does not know, where the library brings rows of
     * bindings along, which are appended, or operators: false with one sentence in *error.  NULL:
     * it brings none. */
    bool (*take_line)(const Backend *backend, const char *line, Text *rows, Text *error);
} ProcessSource;

/* The functions of a BackendKind whose source is a ProcessSource. */
bool process_open(Backend *backend, Text *error);
void process_close(Backend *backend);
bool process_offers(const Backend *backend, const OpDesc *op, DType dtype);
bool process_expect(Backend *backend, const Operands *operands);
bool process_script(const Backend *backend, const Operands *operands, const Text *description,
                    Text *source, Text *error);
void process_put_interpreter(const Backend *backend, Text *command);
const char *process_illegal_argument(const Backend *backend, const Operands *operands);
bool process_met_lost(void);
const char *process_revive(bool *started);
RunStatus process_run(Backend *backend, const Operands *operands);
uint64_t process_time_elsewhere(const Backend *backend);
/* BackendKind.takes and BackendKind.asks_no_more. */
bool process_takes(const Backend *backend, const Operands *operands, Text *why);
bool process_asks_no_more(const Backend *backend, const Case *c);

/* The same with a library that Python finds in the folder. */
bool process_script_in(const Backend *backend, const char *folder, const Text *description,
                       Text *source, Text *error);
void process_put_interpreter_in(const char *folder, Text *command);

/* The members of a BackendKind by which its calls reach the process, however it is opened. */
#define PROCESS_CALLS                                                                              \
    .expect = process_expect, .met_lost = process_met_lost, .revive = process_revive,              \
    .run = process_run
/* The members of a BackendKind that is a framework in Python; the arguments are the members of its
 * ProcessSource. */
#define FRAMEWORK(...)                                                                             \
    .open = process_open, .close = process_close, .offers = process_offers, .large = true,         \
    .time_elsewhere = process_time_elsewhere, PROCESS_CALLS,                                       \
    .illegal_argument = process_illegal_argument, .takes = process_takes,                          \
    .asks_no_more = process_asks_no_more, .script = process_script,                                \
    .python_rows = process_bindings, .put_interpreter = process_put_interpreter,                   \
    .describe = bindings_describe, .source = &(const ProcessSource)                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* The rows by which the library is asked from Python, NULL where its mode compiles programs;
 * scripts of what a program in C found are in Python too. */
const Bindings *process_bindings(const Backend *backend);

/* Of a backend that is not open: starts the server where none is known, and sets *rows to those
 * that its library brings along, or to NULL; false with one sentence in *error. */
MUST_USE bool process_ask(const Backend *backend, const Bindings **rows, Text *error);

/* The numbers and names that the memory is read by. */
void process_layout(Text *layout);

#endif
