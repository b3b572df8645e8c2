/* Runs one planted fault, or one correct variant, in the way of the tool or of others; usage() has
 * the commands.
 *
 * Each run is a process of its own, so that a case that crashes or hangs is found by whoever made
 * it.  A line of the output has, with tabs between: who drew, who judged, found or missed, seconds
 * of the processor until then, cases until then, cases of the whole run whose result differs in a
 * bit from the right one, cases of the whole run, and the case that was found. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "draw.h"
#include "fuzz/check/check.h"
#include "fuzz/check/isolate.h"
#include "fuzz/engine/blocks.h"
#include "fuzz/engine/mutate.h"
#include "judge.h"
#include "ops/backend/planted/when.h"
#include "ops/backend/trust.h"
#include "reference/random.h"
#include "reference/selftest.h"

/* A call that sleeps for so long hangs. */
enum { HANG_SECONDS = 600 };

/* The status of a process whose backend is not there. */
enum { ABSENT = 3 };

static double processor_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct Found {
    bool found;
    double seconds;
    uint64_t cases;
    Case c;
} Found;

/* What a run tells its parent, in shared memory. */
typedef struct Outcome {
    Found by[JUDGES];
    double seconds;
    uint64_t cases, differing; /* cases whose result differs in a bit from the right one */
    uint64_t number;           /* of the next case of the tool, where a process that died went on */
    double before;             /* seconds of the processes that died */
    bool done;
    BlackBox box;
} Outcome;

typedef struct Run {
    const OpDesc *op;
    const PlantedRow *row; /* NULL for the faults that functions are written for */
    const Drawer *drawer;  /* NULL: the tool */
    double limit;
    uint64_t seed;
    const Case *known; /* a case of a library whose bug is looked for, or NULL */
    CheckResult shown; /* what the known case shows; ends is whether the process dies of it */
    bool ends;
    char names[2][600];
    Outcome *outcome;
    Checker checker;
} Run;

static void note(Run *run, int judge, const Case *c)
{
    Found *found = &run->outcome->by[judge];
    if (found->found)
        return;
    *found = (Found){true, run->outcome->seconds, run->outcome->cases, *c};
}

static void open_checker(Run *run)
{
    const char *names[] = {run->names[0], run->drawer ? run->names[1] : NULL, NULL};
    Text error = {0};
    for (int i = 0; names[i]; i++)
        trust_name(names[i]);
    if (!checker_open(&run->checker, &run->outcome->box, names, &error)) {
        (void)fprintf(stderr, "power: %s\n", text_string(&error));
        _exit(ABSENT);
    }
    checker_watch(&run->checker);
}

static bool is_found(const CheckResult *results, int count)
{
    for (int i = 0; i < count; i++)
        if (verdict_is_finding(results[i].judgement.kind) &&
            results[i].judgement.kind != VERDICT_POLICY)
            return true;
    return false;
}

/* A bug of a library is found again where a case of the same element type shows the same kind of
 * verdict and of defect. */
static bool shows_known(const Run *run, const Case *c, const CheckResult *results, int count)
{
    for (int i = 0; i < count; i++)
        if (results[i].judgement.kind == run->shown.judgement.kind &&
            results[i].judgement.defect == run->shown.judgement.defect &&
            case_dtype(c) == case_dtype(run->known))
            return true;
    return false;
}

static void search(Run *run)
{
    Scope scope = scope_all();
    Outcome *outcome = run->outcome;
    CheckResult results[BOX_BACKENDS_MAX];
    uint8_t bytes[CASE_BYTES_MAX];
    Case c;
    scope.ops[0] = run->op;
    scope.op_count = 1;
    scope.blocks.vector_bytes = cpu_vector_bytes();
    while (outcome->seconds < run->limit && !outcome->by[0].found) {
        uint64_t number = outcome->number++;
        outcome->cases++;
        (void)alarm(HANG_SECONDS);
        case_decode(&c, &scope, bytes, drawn_bytes(bytes, &scope, run->seed, number));
        int count = checker_run(&run->checker, &c, -1, results);
        outcome->seconds = outcome->before + processor_seconds();
        if (run->known ? shows_known(run, &c, results, count) : is_found(results, count))
            note(run, 0, &c);
    }
}

/* The outputs of one call, one after another. */
static size_t call(Run *run, Operands *o, int number, double **values, uint8_t **types)
{
    Arena *arena = &run->checker.workspace.arena;
    Backend *backend = &run->checker.backends[number];
    size_t count = 0;
    operands_restore(o);
    run->outcome->box.phase = PHASE_KERNEL;
    run->outcome->box.backend = number;
    run->checker.touch.slot = -1;
    bool done = backend->kind->run(backend, o) == RUN_DONE;
    run->outcome->box.phase = PHASE_ORACLE;
    if (run->checker.touch.slot >= 0)
        guard_close(&run->checker.workspace.slot[run->checker.touch.slot],
                    (GuardSide)run->checker.touch.side);
    for (int i = 0; done && i < o->shapes.count; i++)
        if (operands_is_output(o, i)) {
            size_t more = operands_components(o, i);
            values[i] = arena_take(arena, more + 1, sizeof(double));
            types[i] = arena_take(arena, more + 1, 1);
            operands_output(o, i, values[i], types[i]);
            count += more;
        }
    return done ? count : 0;
}

static bool differs(double a, double b)
{
    return memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b));
}

/* Both kernels on one case, compared by every judge. */
static void compare(Run *run, const Case *c, uint64_t *state)
{
    double *values[2][OP_TENSORS_MAX] = {0};
    uint8_t *unwritten[2][OP_TENSORS_MAX] = {0};
    Operands o;
    run->outcome->box.current = *c;
    operands_build(&o, &run->checker.workspace, c);
    drawer_fill(run->drawer, &o, state);
    size_t right = call(run, &o, 1, values[1], unwritten[1]);
    size_t made = call(run, &o, 0, values[0], unwritten[0]);
    bool any = false;
    if (!right || !made)
        return;
    for (int i = 0; i < o.shapes.count; i++) {
        size_t count = values[0][i] ? operands_components(&o, i) : 0;
        bool other = false;
        for (size_t k = 0; k < count && !other; k++)
            other = differs(values[0][i][k], values[1][i][k]);
        any = any || other;
        for (int j = 0; other && judges[j].name; j++)
            if (!judges[j].agrees(o.view[i].dtype, values[0][i], values[1][i], count))
                note(run, j, c);
    }
    run->outcome->differing += any;
}

/* Cases in which a fault cannot show, by what the case alone tells, give the right result, which
 * agrees: they are counted with the mean time of the cases that were run, once enough were. */
static void draw_cases(Run *run)
{
    enum { RUN_LEAST = 100 };
    const double measured_least = 0.2;
    Outcome *outcome = run->outcome;
    uint64_t state = random_mix(run->seed), ran = 0;
    bool skips = run->row && !when_counts_calls(run->row->when);
    bool never = run->row && drawer_never_meets(run->drawer, run->row->when);
    double start = processor_seconds(), mean = 0;
    for (int open = JUDGES; outcome->seconds < run->limit && open > 0;) {
        Case c;
        drawer_draw(run->drawer, run->op, &c, &state);
        outcome->cases++;
        if (mean == 0 || !skips || when_may_hold(run->row->when, &c)) {
            (void)alarm(HANG_SECONDS);
            compare(run, &c, &state);
            ran++;
        }
        double own = processor_seconds() - start;
        if (mean == 0 && (skips || never) && ran >= RUN_LEAST && own >= measured_least)
            mean = own / (double)ran;
        if (never && mean > 0)
            outcome->cases = (uint64_t)(run->limit / mean);
        outcome->seconds = mean > 0 ? mean * (double)outcome->cases : own;
        open = 0;
        for (int j = 0; judges[j].name; j++)
            open += !outcome->by[j].found;
        if (never && mean > 0)
            break;
    }
}

static void run_child(Run *run)
{
    open_checker(run);
    if (run->drawer)
        draw_cases(run);
    else
        search(run);
    run->outcome->done = true;
}

/* False where the process died. */
static bool run_process(Run *run)
{
    int status = 0;
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        run_child(run);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        BUG("no process");
    return run->outcome->done;
}

/* An outcome whose record is as a checker wants it. */
static Outcome *shared_outcome(void)
{
    Outcome *outcome =
        mmap(NULL, sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (outcome == MAP_FAILED)
        BUG("no shared memory");
    blackbox_seal(&outcome->box);
    return outcome;
}

/* A process that dies of its case has found it for all who look at cases; of a library, only where
 * the known case ends processes too, and else another goes on behind it. */
static void start(Run *run)
{
    Outcome *outcome = run->outcome = shared_outcome();
    while (!run_process(run) && run->known && !run->ends && outcome->seconds < run->limit)
        outcome->before = outcome->seconds;
    bool died = !outcome->done && (!run->known || run->ends);
    for (int j = 0; died && j < (run->drawer ? JUDGES : 1); j++)
        note(run, j, &outcome->box.current);
}

static void print_outcome(const Run *run)
{
    const Outcome *outcome = run->outcome;
    for (int j = 0; j < (run->drawer ? JUDGES : 1); j++) {
        const Found *found = &outcome->by[j];
        Text line = {0};
        if (found->found)
            case_print(&found->c, &line);
        printf("%s\t%s\t%s\t%.3f\t%llu\t%llu\t%llu\t%s\n",
               run->drawer ? run->drawer->name : "opconform", run->drawer ? judges[j].name : "",
               found->found ? "found" : "missed", found->found ? found->seconds : outcome->seconds,
               (unsigned long long)(found->found ? found->cases : outcome->cases),
               (unsigned long long)outcome->differing, (unsigned long long)outcome->cases,
               text_string(&line));
        text_release(&line);
    }
}

static int run_one(const char *name, const OpDesc *op, double seconds, uint64_t seed,
                   const Drawer *drawer)
{
    static Run run;
    run = (Run){
        .op = op, .row = planted_find_row(name), .drawer = drawer, .limit = seconds, .seed = seed};
    (void)snprintf(run.names[0], sizeof run.names[0], "planted:%s", name);
    (void)snprintf(run.names[1], sizeof run.names[1], "planted:ok-reference");
    start(&run);
    print_outcome(&run);
    return 0;
}

/* What a case showed, in memory that is shared with the process that ran it. */
typedef struct Known {
    CheckResult shown;
    bool found;
} Known;

/* Where the calls before a call decide, the case is run again and again. */
static void run_repeatedly(Run *run, const Case *c, Known *known)
{
    enum { RUNS_MOST = 20000 };
    CheckResult results[BOX_BACKENDS_MAX];
    for (int i = 0; !known->found && i < RUNS_MOST; i++)
        known->found = is_found(results, checker_run(&run->checker, c, -1, results));
    known->shown = results[0];
}

static void run_once(Run *run, const Case *c, Known *known)
{
    const uint64_t deadline = 1000000000; /* of processor time */
    isolated_run(&run->checker, c, 0, deadline, &known->shown);
    known->found = is_found(&known->shown, 1);
}

/* Runs a case on a backend in a process of its own.  True where it is a finding; *to, unless NULL,
 * has what it shows. */
static bool run_known(const char *backend, const char *name, const Case *c, Run *to)
{
    static Run run;
    int status = 0;
    Known *known =
        mmap(NULL, sizeof *known, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    Outcome *outcome = shared_outcome();
    if (known == MAP_FAILED)
        BUG("no shared memory");
    run = (Run){.op = c->op, .outcome = outcome};
    (void)snprintf(run.names[0], sizeof run.names[0], "%s", backend);
    pid_t child = fork();
    if (child == 0) {
        const PlantedRow *row = planted_find_row(name);
        open_checker(&run);
        (row && when_counts_calls(row->when) ? run_repeatedly : run_once)(&run, c, known);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        BUG("no process");
    bool found = known->found;
    if (to)
        to->shown = known->shown, to->ends = known->shown.judgement.kind == VERDICT_FAULT;
    (void)munmap(known, sizeof *known);
    (void)munmap(outcome, sizeof *outcome);
    return found;
}

static bool finds(const char *name, const Case *c)
{
    char backend[96];
    (void)snprintf(backend, sizeof backend, "planted:%s", name);
    return run_known(backend, name, c, NULL);
}

/* How soon the tool finds what a case of a library shows. */
static int run_library(const char *backend, const char *line, double seconds, uint64_t seed)
{
    static Run run;
    static Case c;
    Text error = {0};
    if (!case_parse(&c, line, &error)) {
        (void)fprintf(stderr, "power: %s\n", text_string(&error));
        return 2;
    }
    run = (Run){.op = c.op, .known = &c, .limit = seconds, .seed = seed};
    (void)snprintf(run.names[0], sizeof run.names[0], "%s", backend);
    if (!run_known(backend, "", &c, &run)) {
        printf("absent\n");
        return 0;
    }
    start(&run);
    print_outcome(&run);
    return 0;
}

/* A line of the file that is not as it should be is printed. */
static int check_lines(const char *path)
{
    enum { LINE_BYTES = 8192 };
    char line[LINE_BYTES];
    int lines = 0, bad = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        (void)fprintf(stderr, "power: %s cannot be read\n", path);
        return 2;
    }
    while (fgets(line, sizeof line, file)) {
        lines++;
        Text error = {0};
        Case c;
        char *rest = line, *name = strsep(&rest, "\t\n"), *words = strsep(&rest, "\n");
        const char *wrong = NULL;
        if (!words || !case_parse(&c, words, &error))
            wrong = words ? text_string(&error) : "no case";
        else if (!finds(name, &c))
            wrong = "not found in its case";
        else if (finds("ok-reference", &c))
            wrong = "the right kernel is flagged in its case";
        if (wrong)
            printf("%s: %s\n", name, wrong);
        bad += wrong != NULL;
        text_release(&error);
    }
    (void)fclose(file);
    printf("%d cases, %d wrong\n", lines, bad);
    return bad > 0 || lines == 0;
}

static int refuse(const char *reason)
{
    (void)fprintf(
        stderr,
        "power: %s\n"
        "usage: power search NAME OPERATOR SECONDS SEED           the random engine\n"
        "       power baseline NAME OPERATOR SECONDS SEED DRAWER  cases of another drawer, "
        "judged by all others\n"
        "       power library BACKEND CASE SECONDS SEED           what the case shows, found "
        "again\n"
        "       power check FILE                                  each line NAME<tab>CASE "
        "shows its fault, and the right kernel is right in it\n",
        reason);
    return 2;
}

int main(int count, char **arguments)
{
    const char *command = count > 1 ? arguments[1] : "", *failure = selftest_run();
    if (failure)
        BUG("%s", failure);
    if (!strcmp(command, "check") && count == 3)
        return check_lines(arguments[2]);
    if (!strcmp(command, "library") && count == 6)
        return run_library(arguments[2], arguments[3], strtod(arguments[4], NULL),
                           strtoull(arguments[5], NULL, 10));
    bool baseline = !strcmp(command, "baseline");
    if (count != (baseline ? 7 : 6) || (!baseline && strcmp(command, "search") != 0))
        return refuse("no such command");
    const OpDesc *op = op_find(arguments[3]);
    const Drawer *drawer = baseline ? drawer_find(arguments[6]) : NULL;
    if (!op || (baseline && !drawer))
        return refuse(op ? "no such drawer" : "no such operator");
    return run_one(arguments[2], op, strtod(arguments[4], NULL), strtoull(arguments[5], NULL, 10),
                   drawer);
}
