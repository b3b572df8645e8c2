/* Backends: whatever computes operators outside our own reference.  One file each, be_*.c. */
#ifndef OPS_BACKEND_H
#define OPS_BACKEND_H

#include "ops/case/limit.h"
#include "ops/case/operands.h"
#include "promise.h"
#include "reference/nearest.h"

typedef enum RunStatus {
    RUN_DONE,
    RUN_DECLINED, /* the backend does not offer this case */
    RUN_REFUSED,  /* the library reported an error: Backend.refused_argument */
    RUN_BREACHED, /* memory beside an operand was written, out of our sight: Backend.message */
    RUN_DIED      /* the process of the library ended or broke the protocol: Backend.message */
} RunStatus;

/* Facts about a library, which its backend fills in when it is opened. */
typedef struct BackendFacts {
    char version[64], build[256], core[64], path[512], interface[96];
    /* The library is the reference CBLAS: while its variable CBLAS_CallFromC is 1, its Fortran
     * routines count illegal arguments without the order. */
    bool marks_calls_from_c;
    char setting[96]; /* NAME=VALUE ... of the environment under which it was loaded, or empty:
                       * words of the shell */
    int threads;
    bool threaded; /* it takes as many threads as OMP_NUM_THREADS says, or all that there are */
    int sample;    /* one case in so many is worth its time beside faster backends; 0: each */
    /* It compiles each call for some time: how many cases in a row should be one call with other
     * data, and how many of these have the same extents; 0: it does not. */
    int draws, draws_alike;
    int together;   /* how many such calls it compiles as one function; 0 or 1: it does not */
    uint32_t forms; /* mask of FormKind: how its calls are written too */
    /* How its matrix unit adds, found by asking it: products at once, and bits below the largest
     * that it keeps (oracle/model.h); 0: it has none. */
    int step, kept;
    int64_t
        blocks[BLOCKS_MAX]; /* block sizes of its kernels, ended by 0; none where it is silent */
} BackendFacts;

typedef struct Backend Backend;

/* The C source of a call as one would write it by hand, for a component of an output. */
typedef struct BriefCall {
    int64_t at;         /* where the component lies in the memory of its output; the call has it */
    bool may_be_cpp;    /* C++ serves as well; the call has it */
    bool cpp;           /* the statements are C++ */
    Text words;         /* for the compiler, besides the library; each begins with a space */
    const char *header; /* that declares the function, or NULL */
    Text head;          /* declarations of what no header has */
    Text before;        /* statements in front of the call, each with its line */
    Text call;          /* statements */
    char function[128]; /* the name of the function that is called */
    int value;          /* the output that is a variable, which the call defines; -1: none */
    /* That output is the value of the call, which does not define it, and is minus the number of an
     * argument that is refused. */
    bool reports;
    bool refuses; /* where the library refuses it, the call ends main with 2, and C++ aborts */
    size_t slack; /* bytes behind an array that the library may read */
    const char *obstacle; /* one sentence why there is no such call, or NULL */
    bool alone;           /* the call defines all that it names, for this component alone */
} BriefCall;

/* A function that computes an operator in an element type. */
typedef struct KnownFunction {
    const OpDesc *op;
    DType dtype;
    char name[64];
} KnownFunction;

typedef struct BackendKind {
    const char *name;
    const char *summary;
    const char *freedom; /* what its process does that others are kept from; NULL: nothing */
    /* The name under which make backends pins its versions (fetch/wheels.txt), each of which is a
     * mode; NULL: none. */
    const char *pinned;
    /* Modes that doctor asks for beside none and the pinned versions, with spaces between; NULL:
     * none. */
    const char *usual_modes;
    bool
        needs_more; /* without a mode or a place it opens nothing, and doctor does not ask for it */
    /* It loads libraries whose functions take the place of those of the same name in libraries that
     * are loaded later: it is opened after them. */
    bool seen_by_others;
    /* Opens backend->mode at backend->where; false with one sentence in *error. */
    bool (*open)(Backend *backend, Text *error);
    void (*close)(Backend *backend);
    /* NULL where the library has no such switch. */
    void (*set_threads)(Backend *backend, int threads);
    /* True when the backend has the operator in the element type. */
    bool (*offers)(const Backend *backend, const OpDesc *op, DType dtype);
    /* Whether run asks the library for the operands, of which nothing but the case, the extents
     * and the strides is there: where it declines them by itself, false, with the reason in *why.
     * NULL: it declines none by itself. */
    bool (*takes)(const Backend *backend, const Operands *operands, Text *why);
    /* Whether takes asks nothing about cases like this one, since a process died of one that was
     * asked for.  NULL: it asks no process. */
    bool (*asks_no_more)(const Backend *backend, const Case *c);
    /* Adds the limits of the cases that it can run, where it has no operator in whole; false with
     * one sentence in *error.  NULL: it runs every case of its operators, or declines them one by
     * one.  The backend is not open, but has its name. */
    bool (*limits)(const Backend *backend, Limits *limits, Text *error);
    /* Takes part of a place into this process before anything else happens, as operators that it
     * brings: for names of the command line.  False with one sentence in *error; NULL: nothing. */
    bool (*announce)(const Backend *backend, Text *error);
    /* The function with a number, from 0, under which people know what it computes; its operator is
     * NULL where there is none with this number, and false says that there are no more.  NULL where
     * the library's functions are not known so. */
    bool (*known_function)(int number, KnownFunction *function);
    /* Announces a call that is likely to come: run finds its results when it asks for the same case
     * and call.  False when there is no room now.  NULL where calls are made in this process; only
     * what has it keeps the deadline by itself. */
    bool (*expect)(Backend *backend, const Operands *operands);
    /* Libraries that run in processes of their own, which servers of this process fork.  met_lost:
     * whether this process met a server that has ended.  revive: starts the next one again; the
     * name of its backend, or NULL where all run, and whether it does now.  NULL both where calls
     * are made in this process. */
    bool (*met_lost)(void);
    const char *(*revive)(bool *started);
    /* Appends what the library is asked for an operator, a line for each row of its bindings; NULL
     * where it has none.  name is that of the kind. */
    void (*describe)(const char *name, const OpDesc *op, Text *text);
    /* Appends the routines that the library exports and no case reaches, or the operators that it
     * has no kernels for in an element type of its rows, a line each behind one of their numbers;
     * NULL where that is not known. */
    void (*list_exports)(const Backend *backend, Text *text);
    /* Calls the kernel on the operands; a backend neither allocates nor keeps them. */
    RunStatus (*run)(Backend *backend, const Operands *operands);
    const char *link; /* more words for the compiler of that source, or NULL */
    /* Appends C source of the declaration and of the call, on arrays named as the operands; NULL
     * where no standalone program can be made. */
    void (*emit)(const Backend *backend, const Operands *operands, Text *declaration, Text *call);
    /* The same for a brief program; NULL where emit serves. */
    void (*emit_brief)(const Backend *backend, const Operands *operands, BriefCall *call);
    /* Appends a program in Python for a description of the case (reports/reproduce/
     * reproduce_python.c); false with one sentence in *error.  NULL where programs are in C; where
     * there is emit too, brief programs are in Python, and the harness is in C. */
    bool (*script)(const Backend *backend, const Operands *operands, const Text *description,
                   Text *source, Text *error);
    /* The rows by which the library is asked from Python, or NULL; itself NULL where calls do not
     * follow from such rows. */
    const struct Bindings *(*python_rows)(const Backend *backend);
    /* Appends the words of a shell command before the name of a program in Python: the interpreter
     * that has the library, and its environment.  NULL where programs are in C. */
    void (*put_interpreter)(const Backend *backend, Text *command);
    /* Name of the argument that exec.illegal gives an illegal value, NULL when it cannot be given
     * one; itself NULL where no call can be illegal. */
    const char *(*illegal_argument)(const Backend *backend, const Operands *operands);
    bool large; /* it runs large cases (ops/case/large.h) */
    /* Processor time that its process has taken so far; NULL where calls are made in this one. */
    uint64_t (*time_elsewhere)(const Backend *backend);
    const char *lender; /* the backend and mode that lends the reference products; NULL: none */
    Promise promise;
    const void *source; /* what open reads beside the name; its type is the opener's */
} BackendKind;

/* An opened backend.  name is as the user spelled it: NAME[:MODE][@WHERE]. */
struct Backend {
    const BackendKind *kind;
    char name[600], mode[64], where[512];
    BackendFacts facts;
    Promise promise; /* of its kind, unless opening it made it another one */
    void *context;
    char message[96];  /* what the library said of the last call, empty if nothing */
    uint64_t deadline; /* nanoseconds that a call may take where it is in a process of its own */
    /* alone: the next call is made by itself, and without the compiler of the mode where it is
     * uncompiled.  is_together: the last one was made in one function with others, which message
     * names. */
    bool alone, uncompiled, is_together;
    int refused_argument; /* number of the argument that the last call reported as illegal */
};

/* All kinds, by family and then by name, ended by NULL; generated from the names of the files
 * be_*.c. */
extern const BackendKind *const backend_registry[];

/* The names that doctor and the manual ask for: every kind, its pinned versions and its usual
 * modes, in the order of the registry.  Returns their number. */
typedef struct BackendName {
    char text[64];
} BackendName;
enum { USUAL_BACKENDS_MAX = 96 };
int backend_usual(BackendName names[USUAL_BACKENDS_MAX]);

/* Opens a backend by name in this process. */
MUST_USE bool backend_open(Backend *backend, const char *name, Text *error);
void backend_close(Backend *backend);

/* The kind that a name begins with, or NULL. */
const BackendKind *backend_kind(const char *name);

/* Opens it in a child process and reports what it says: survives libraries that crash or hang while
 * they load. */
MUST_USE bool backend_probe(const char *name, BackendFacts *facts, Text *error);

/* Where the process in which a backend was probed ended before it had answered: true, with its end
 * appended, such as "SIGSEGV" or "hang".  It is not probed again. */
bool backend_died(const char *name, Text *end);

/* Element types (a mask of 1 << DType) in which it has each operator, by number of the operator;
 * asked for in a child process as well. */
MUST_USE bool backend_probe_offers(const char *name, uint32_t offers[OP_MAX], Text *error);

/* Why it does not offer an operator in an element type, NULL where it does. */
const char *backend_refusal(const Backend *backend, const OpDesc *op, DType dtype);

/* The function of this name, of any library (BackendKind.known_function); false, with what may have
 * been meant offered to *nearest, where there is none. */
bool backend_find_function(const char *name, KnownFunction *function, Nearest *nearest);

/* Appends what list_exports of the backend says; false with one sentence in *error where it is
 * absent, or has none. */
MUST_USE bool backend_probe_exports(const char *name, Text *text, Text *error);
/* Notes a name of the command line: it may be opened, and is announced (BackendKind.announce). */
MUST_USE bool backend_name(const char *name, Text *error);

/* Adds the limits of a backend (BackendKind.limits); *any says whether it is of a kind that has
 * some.
 */
MUST_USE bool backend_limits(const char *name, Limits *limits, bool *any, Text *error);

/* The part of a name before ':' and '@': what signatures use. */
void backend_family(const char *name, char family[64]);

#endif
