/* One case through everything: operands, reference, each backend, the judge. */
#ifndef FUZZ_CHECK_H
#define FUZZ_CHECK_H

#include "blackbox.h"
#include "change.h"
#include "ops/case/relation.h"
#include "reference/checksum.h"

/* The verdict on one backend for one case.  detail says more about contract breaches and faults. */
typedef struct CheckResult {
    int backend;
    int output; /* index of the operand that the judgement is about */
    Judgement judgement;
    bool avoided; /* it was not run, since Checker.is_avoided says so */
    char detail[96];
    char frame[48]; /* function of the library that touched memory not its own, or "" */
} CheckResult;

/* A guard page that was touched during the present call. */
typedef struct Touch {
    int slot, side; /* slot -1: none */
    bool written;
} Touch;

/* Everything that a check needs; belongs to one thread.  box may be shared memory. */
typedef struct Checker {
    Workspace workspace;
    Backend backends[BOX_BACKENDS_MAX];
    int backend_count;
    Limits limits[BOX_BACKENDS_MAX]; /* the cases that each of them can run */
    int sample[BOX_BACKENDS_MAX];    /* of each backend, where the fastest has 1 or 0 */
    BlackBox *box;
    int called; /* number of the backend whose kernel runs, plus 1; 0: none */
    Touch touch;
    int written;            /* the input that the latest call wrote to, or -1 */
    unsigned memory_errors; /* of the latest call, see memcheck.h */
    /* Of the present case: references of its outputs, and their bounds under the first backend's
     * strictest model; made anew for each output of an operator that is judged by residual.  Where
     * a reference is a draft (reference/draft.h) they have no values yet. */
    Ref refs[OP_TENSORS_MAX];
    BoundTable bounds[OP_TENSORS_MAX];
    bool large;            /* the case is checked by sums in place of references (sums.h) */
    ProductBlocks product; /* of a large case, with */
    Checksum *sums;        /* what the rows of each block sum up to */
    /* Multiplications in a nanosecond, of the slowest call so far that took long; 0: none did.  By
     * the number of the operator, and of all. */
    float rate_of[BOX_BACKENDS_MAX][OP_MAX], rate[BOX_BACKENDS_MAX];
    bool drawn; /* cases are drawn: a library that takes seconds for one has others */
    /* Why the case must not be run on the backend, which counts as declined for that reason; NULL
     * where it may be.  Itself NULL: all are run. */
    const char *(*is_avoided)(const Case *c, int backend);
    /* Told of a drawn case that a backend does not take, with the reason, so that another is drawn;
     * or, taken, that it will be run without having been asked for.  NULL: nobody is told. */
    void (*note_draw)(const OpDesc *op, int backend, const char *reason, bool taken);
    /* Where the differences of backends 0 and 1 are counted that are no findings; NULL: nowhere. */
    ChangeTable *changes;
    /* Makes what is shared beside the record as it was, where a kernel wrote over it; NULL: nothing
     * is. */
    void (*repair)(void);
} Checker;

/* Why a case is declined whose illegal argument the library is not given. */
#define CHECK_NOT_GIVEN "it cannot be given this illegal argument"

/* The message for a call that writes to an input and leaves its values as they were. */
#define INPUT_WRITTEN "writes to an input and puts it back"

/* What the process of a worker, or of another child that runs kernels, does before it opens their
 * libraries: alone_begin with this record (NULL: none), which it writes its own into, and
 * checker_confine. */
void checker_stand_alone(const char *const *names, int bell, const BlackBox *box);
/* Keeps the process from files, sockets and signals to others (reference/confine.h); not from
 * signals where some of these backends run in processes of their own, which it must be able to end.
 */
void checker_confine(const char *const *names);

/* Opens the named backends (ended by NULL); false with one sentence in *error. */
MUST_USE bool checker_open(Checker *checker, BlackBox *box, const char *const *names, Text *error);
/* The same but for those of a mask of 1 << number, which keep their numbers and decline all cases.
 */
MUST_USE bool checker_open_but(Checker *checker, BlackBox *box, const char *const *names,
                               uint32_t aside, Text *error);
void checker_close(Checker *checker);

/* Runs the case on every backend, or only on backend number `only` unless it is -1.  results has
 * room for BOX_BACKENDS_MAX; the number written is returned.  Suspicions are confirmed with
 * redrawn data before they are returned as such. */
int checker_run(Checker *checker, const Case *c, int only, CheckResult *results);

/* The last operand as a call left it: its components, and those that still hold the canary. */
typedef struct CheckOutput {
    double *got;
    uint8_t *canary;
} CheckOutput;

/* Why a case was declined, as users see it: what the backend said, or that it said nothing, or
 * nothing behind a colon, which is a fault of what calls the library. */
const char *check_decline_reason(const char *said);

/* Parts of checker_run, for operands that were built from a case and given other values
 * (operands_set), of which refer.h makes the references.  One call; false where the verdict is
 * clear without its values.  *output is in the arena of the checker; it may be NULL. */
MUST_USE bool checker_call(Checker *checker, Operands *o, CheckResult *result, CheckOutput *output);
/* The verdict on these values as the result of a case, which is built anew. */
void checker_judge(Checker *checker, const Case *c, const CheckOutput *output, CheckResult *result);

/* Limit of a call in a process of its own, in nanoseconds; 0 for none. */
void checker_set_deadline(Checker *checker, uint64_t deadline);

/* Announces a case that is likely to be run soon; false when a backend has no room for it now. */
bool checker_expect(Checker *checker, const Case *c);

/* Where there is no limit yet: how much more memory than at present this process may map, in bytes.
 * Checkers are opened before. */
#define CALL_MEMORY_MAX (4ull << 30)
void checker_limit_memory(void);

/* Catches SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT.  The first guard page that a call touches
 * and the first input that it writes to are noted and opened, so that the call can go on and its
 * values be judged as well; anything else is noted in the box, and the process dies by the signal.
 */
void checker_watch(Checker *checker);

#endif
