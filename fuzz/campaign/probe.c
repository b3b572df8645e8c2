/* A process of its own opens each library and makes its probes, each in a child again. */
#include "probe.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/check/isolate.h"
#include "ops/case/transfer.h"
#include "oracle/symptom.h"
#include "reference/alone.h"
#include "reference/child.h"

enum { BATCH = 48, DEADLINE_SECONDS = 2 };
static const uint64_t second = 1000000000u;

/* The result of one probe, which its process sends through a pipe. */
typedef struct ProbeResult {
    bool refused;
    Symptom symptom; /* SYMPTOM_NONE: the case agrees */
    Case c;
} ProbeResult;

typedef struct Batch {
    ProbeWish *wishes;
    size_t count;
    BlackBox *box;
    uint64_t end; /* by the clock: no process starts then, and one that runs is ended */
} Batch;

static bool is_verdict(const Judgement *j)
{
    return verdict_is_finding(j->kind) || j->kind == VERDICT_AGREE || j->kind == VERDICT_VACUOUS ||
           j->kind == VERDICT_UNDECIDED;
}

/* A way to put the question. */
typedef struct Way {
    enum {
        BY_NAME,
        SQUARE,  /* all extents alike.  Of the finding's own case: in a wider type */
        COUNTED, /* as many elements are written */
        TURNED,  /* so, and operands lie the other way round where the finding says nothing of it */
        ALONE,   /* of the finding's own case: its values, each operand in memory of its own */
        FACTORS  /* of the finding's own case: its factors at their simplest */
    } by;
    int seed; /* of other data; 0: the finding's */
} Way;

static const Way ways[] = {
    {FACTORS, 1}, {ALONE, 0},   {BY_NAME, 0}, {SQUARE, 0}, {BY_NAME, 1},
    {SQUARE, 1},  {BY_NAME, 2}, {COUNTED, 0}, {TURNED, 0}, {COUNTED, 1},
};

/* An element that looks as before the call: with other factors another number may show. */
static bool is_unwritten(const ProbeWish *wish)
{
    return !strcmp(wish->symptom, symptom_name(SYMPTOM_UNWRITTEN));
}

/* The finding's own case without what asks for a rule, as short sums in a narrow type do. */
static bool make_plain(Case *candidate, const ProbeWish *wish, const Way *way)
{
    *candidate = wish->minimal;
    if (way->by == COUNTED || way->by == TURNED)
        return false;
    if (way->by == ALONE)
        return case_set_alone(candidate);
    if (way->by == FACTORS)
        return is_unwritten(wish) && case_set_factors(candidate);
    bool changed = case_make_plain(candidate) || way->seed;
    return way->by == SQUARE ? case_widen(candidate) : changed;
}

/* Extents of other names say little where nothing but an extent is needed; how many elements are
 * written says something there alone. */
static bool carry_over(Case *candidate, const ProbeWish *wish, const Way *way)
{
    bool wanted = way->by == BY_NAME || (way->by == SQUARE && !wish->bare) ||
                  (way->by == COUNTED && wish->bare) || (way->by == TURNED && wish->bare);
    if (!wanted || (way->seed && !wish->varied) ||
        !case_transfer(candidate, wish->op, wish->dtype, way->by == SQUARE, &wish->minimal))
        return false;
    bool counted = way->by >= COUNTED && case_match_written(candidate, &wish->minimal);
    bool turned = way->by == TURNED && case_turn(candidate, &wish->minimal);
    return way->by == TURNED ? turned : counted || way->by < COUNTED;
}

static bool make_candidate(Case *candidate, const ProbeWish *wish, const Way *way)
{
    bool made = wish->plain ? make_plain(candidate, wish, way) : carry_over(candidate, wish, way);
    if (made && way->seed)
        case_vary(candidate, way->seed);
    return made;
}

/* False where the library has no answer. */
static bool ask(Checker *checker, const Case *c, Symptom *symptom)
{
    CheckResult result;
    isolated_run(checker, c, 0, DEADLINE_SECONDS * second, &result);
    *symptom = symptom_of(&result.judgement, result.detail);
    return is_verdict(&result.judgement);
}

static bool is_wanted(const ProbeWish *wish, Symptom symptom)
{
    if (wish->plain)
        return symptom_is_numeric(symptom);
    return !strcmp(symptom_name(symptom), wish->symptom) ||
           !strcmp(symptom_name(symptom), wish->other);
}

/* True when both cases fail, or both pass, at the same larger sizes: one cause has one threshold.
 */
static bool is_alike_at_sizes(Checker *checker, const ProbeWish *wish, const Case *to, int seed)
{
    static const int64_t growth[] = {1, 4};
    for (size_t i = 0; i < COUNT_OF(growth); i++) {
        Case larger[] = {wish->minimal, *to};
        Symptom symptoms[2];
        bool answered = true;
        for (int c = 0; c < 2; c++) {
            answered = case_grow(&larger[c], growth[i]) && answered;
            if (seed)
                case_vary(&larger[c], seed);
            answered = answered && ask(checker, &larger[c], &symptoms[c]);
        }
        if (answered && is_wanted(wish, symptoms[0]) != is_wanted(wish, symptoms[1]))
            return false;
    }
    return true;
}

/* The first way that shows what is asked for, or what the first one that can be gone shows. */
static ProbeResult probe_make(Checker *checker, const ProbeWish *wish)
{
    ProbeResult shown = {.refused = true, .symptom = SYMPTOM_NONE, .c = wish->minimal};
    for (size_t way = 0; way < COUNT_OF(ways); way++) {
        Case candidate;
        Symptom symptom;
        if (!make_candidate(&candidate, wish, &ways[way]) || !ask(checker, &candidate, &symptom))
            continue;
        if (wish->bare && symptom != SYMPTOM_NONE &&
            !is_alike_at_sizes(checker, wish, &candidate, ways[way].seed))
            symptom = SYMPTOM_NONE;
        bool wanted = is_wanted(wish, symptom);
        if (shown.refused || wanted)
            shown = (ProbeResult){false, symptom, candidate};
        if (wanted)
            break;
    }
    return shown;
}

static int probe_child(const void *context, int to)
{
    const Batch *batch = context;
    const char *names[] = {batch->wishes[0].backend, NULL};
    Checker checker;
    Text error = {0};
    checker_stand_alone(names, to, batch->box);
    if (!checker_open(&checker, batch->box, names, &error))
        return 3;
    checker_set_deadline(&checker, DEADLINE_SECONDS * second);
    for (size_t i = 0; i < batch->count; i++) {
        ProbeResult result = probe_make(&checker, &batch->wishes[i]);
        if (!alone_ring(&result, sizeof result))
            return 1;
    }
    checker_close(&checker);
    return 0;
}

static bool put_result(Store *store, const ProbeWish *wish, const ProbeResult *result,
                       ProbeCounts *counts, Text *error)
{
    Text line = {0};
    const char *symptom = result->symptom == SYMPTOM_NONE ? "" : symptom_name(result->symptom);
    case_print(&result->c, &line);
    bool ok = bugs_put_probe(store, wish, result->refused ? "refused" : symptom, text_string(&line),
                             error);
    counts->made += !result->refused;
    counts->refused += result->refused;
    text_release(&line);
    return ok;
}

static int milliseconds_until(uint64_t end)
{
    uint64_t now = clock_nanoseconds(), left = end > now ? (end - now) / 1000000 : 0;
    return left < INT_MAX ? (int)left : INT_MAX;
}

/* Makes the first probes of a batch, as many as there is time for, up to one whose process dies,
 * which counts as refused: it is not asked for again.  Their number goes to *made. */
static bool make_first(Store *store, const Batch *batch, size_t *made, ProbeCounts *counts,
                       Text *error)
{
    Child child;
    bool ok = child_start(&child, probe_child, batch), arrived = true;
    if (!ok) {
        text_printf(error, "cannot start a probe: %s", strerror(errno));
        return false;
    }
    for (*made = 0; ok && arrived && *made < batch->count &&
                    child_await(&child, milliseconds_until(batch->end));
         (*made)++) {
        ProbeResult result;
        arrived = child_read(&child, &result, sizeof result, -1) == sizeof result;
        if (!arrived) {
            result = (ProbeResult){.refused = true, .c = batch->wishes[*made].minimal};
            counts->lost++;
        }
        ok = put_result(store, &batch->wishes[*made], &result, counts, error);
    }
    if (ok && arrived && *made < batch->count)
        child_kill(&child);
    (void)child_wait(&child);
    return ok;
}

static bool make_batch(Store *store, Batch batch, ProbeCounts *counts, Text *error)
{
    bool ok = true;
    for (size_t made = 0; ok && batch.count > 0 && clock_nanoseconds() < batch.end;
         batch.wishes += made, batch.count -= made)
        ok = make_first(store, &batch, &made, counts, error);
    return ok;
}

/* The wishes of one library stand together. */
static int by_backend(const void *a, const void *b)
{
    const ProbeWish *first = a, *second_wish = b;
    return strcmp(first->backend, second_wish->backend);
}

static bool make_wishes(Store *store, const Batch *all, ProbeCounts *counts, Text *error)
{
    bool ok = true;
    ProbeWish *wishes = all->wishes;
    size_t count = all->count;
    qsort(wishes, count, sizeof *wishes, by_backend);
    for (size_t first = 0, end; ok && first < count; first = end) {
        for (end = first + 1; end < count && !by_backend(&wishes[first], &wishes[end]); end++)
            continue;
        ok = make_batch(store, (Batch){&wishes[first], end - first, all->box, all->end}, counts,
                        error);
    }
    return ok;
}

bool probes_run(Store *store, uint64_t budget, ProbeCounts *counts, BugCounts *bugs, Text *error)
{
    uint64_t started = clock_nanoseconds();
    ProbeWish *wishes = memory_allocate(BATCH, sizeof *wishes);
    BlackBox *box = blackbox_create();
    if (!box)
        BUG("no shared memory");
    *counts = (ProbeCounts){0};
    bool ok = bugs_group(store, bugs, error);
    /* The last grouping takes about as long as the first one did. */
    uint64_t grouping = clock_nanoseconds() - started;
    uint64_t end = started + (budget > grouping ? budget - grouping : 0);
    while (ok) {
        size_t count = bugs_wish(store, wishes, BATCH, &counts->closed, error);
        ok = error->length == 0;
        counts->out_of_time = count > 0 && clock_nanoseconds() >= end;
        if (count == 0 || counts->out_of_time)
            break;
        ok = ok && make_wishes(store, &(Batch){wishes, count, box, end}, counts, error) &&
             bugs_group(store, bugs, error);
    }
    blackbox_destroy(box);
    free(wishes);
    return ok;
}
