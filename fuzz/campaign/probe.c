/* A process of its own opens each library and makes its probes, each in a child again. */
#include "probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/check/isolate.h"
#include "ops/case/trigger.h"
#include "oracle/symptom.h"
#include "reference/child.h"

enum { BATCH = 48, DEADLINE_SECONDS = 2 };
static const uint64_t second = 1000000000u;

/* What one probe showed, as it comes through the pipe. */
typedef struct ProbeResult {
    bool refused;
    Symptom symptom; /* SYMPTOM_NONE: the case agrees */
    Case c;
} ProbeResult;

typedef struct Batch {
    const ProbeWish *wishes;
    size_t count;
    BlackBox *box;
} Batch;

static bool is_verdict(const Judgement *j)
{
    return verdict_is_finding(j->kind) || j->kind == VERDICT_AGREE || j->kind == VERDICT_VACUOUS ||
           j->kind == VERDICT_UNDECIDED;
}

/* By name first, then with all extents alike. */
static ProbeResult probe_make(Checker *checker, const ProbeWish *wish)
{
    ProbeResult shown = {.refused = true, .symptom = SYMPTOM_NONE, .c = wish->minimal};
    for (int square = 0; square < 2; square++) {
        Case candidate;
        CheckResult result;
        if (!case_transfer(&candidate, wish->op, wish->dtype, square, &wish->minimal))
            continue;
        isolated_run(checker, &candidate, 0, DEADLINE_SECONDS * second, &result);
        if (!is_verdict(&result.judgement))
            continue;
        Symptom symptom = symptom_of(&result.judgement, result.detail);
        bool wanted = !strcmp(symptom_name(symptom), wish->symptom);
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
    if (!checker_open(&checker, batch->box, names, &error))
        return 3;
    checker_set_deadline(&checker, DEADLINE_SECONDS * second);
    for (size_t i = 0; i < batch->count; i++) {
        ProbeResult result = probe_make(&checker, &batch->wishes[i]);
        if (write(to, &result, sizeof result) != (ssize_t)sizeof result)
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

/* A probe whose process dies, and those after it, count as refused: they are not asked for again.
 */
static bool make_batch(Store *store, const Batch *batch, ProbeCounts *counts, Text *error)
{
    Child child;
    bool ok = child_start(&child, probe_child, batch);
    if (!ok) {
        text_printf(error, "cannot start a probe: %s", strerror(errno));
        return false;
    }
    for (size_t i = 0; ok && i < batch->count; i++) {
        ProbeResult result;
        bool arrived = child_read(&child, &result, sizeof result, -1) == sizeof result;
        if (!arrived) {
            result = (ProbeResult){.refused = true, .c = batch->wishes[i].minimal};
            counts->lost++;
        }
        ok = put_result(store, &batch->wishes[i], &result, counts, error);
    }
    (void)child_wait(&child);
    return ok;
}

/* The wishes of one library stand together. */
static int by_backend(const void *a, const void *b)
{
    const ProbeWish *first = a, *second_wish = b;
    return strcmp(first->backend, second_wish->backend);
}

static bool make_wishes(Store *store, ProbeWish *wishes, size_t count, BlackBox *box,
                        ProbeCounts *counts, Text *error)
{
    bool ok = true;
    qsort(wishes, count, sizeof *wishes, by_backend);
    for (size_t first = 0, end; ok && first < count; first = end) {
        for (end = first + 1; end < count && !by_backend(&wishes[first], &wishes[end]); end++)
            continue;
        ok = make_batch(store, &(Batch){&wishes[first], end - first, box}, counts, error);
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
    while (ok) {
        size_t count = bugs_wish(store, wishes, BATCH, error);
        ok = error->length == 0;
        counts->out_of_time = count > 0 && clock_nanoseconds() - started > budget;
        if (count == 0 || counts->out_of_time)
            break;
        ok = ok && make_wishes(store, wishes, count, box, counts, error) &&
             bugs_group(store, bugs, error);
    }
    blackbox_destroy(box);
    free(wishes);
    return ok;
}
