/* What a full check costs beside the call that it checks: the reference with its bounds, and the
 * judgement of the result, in processor time of the call.  Medians of so many calls in one run. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/rates.h"
#include "ops/backend/backend.h"
#include "ops/backend/blas/dgemm_lender.h"
#include "ops/backend/trust.h"
#include "ops/case/operands.h"
#include "oracle/judge.h"
#include "reference/draft.h"

enum { CALLS_MOST = 201 };

static bool admits_nothing(const void *context, const char *reading)
{
    (void)context;
    (void)reading;
    return false;
}

typedef struct Times {
    double reference[CALLS_MOST], judge[CALLS_MOST], kernel[CALLS_MOST];
    double of_reference[CALLS_MOST], of_judge[CALLS_MOST];
} Times;

/* One call of which the last operand is the only output; the kind of its verdict. */
static VerdictKind measure_call(Backend *backend, const Case *c, Workspace *workspace, Times *times,
                                int at)
{
    static const Admission none = {.admits = admits_nothing};
    Operands o;
    Ref refs[OP_TENSORS_MAX];
    Arena *arena = &workspace->arena;
    operands_build(&o, workspace, c);
    int output = o.shapes.count - 1;
    double begin = processor_seconds();
    operands_reference_draft(&o, refs, arena);
    Ref *ref = &refs[output];
    BoundTable table = bound_table_room(ref, backend->promise.models, arena);
    if (!ref->draft)
        bound_table_fill(&table, ref);
    double called = processor_seconds();
    if (backend->kind->run(backend, &o) != RUN_DONE)
        return VERDICT_DECLINED;
    double done = processor_seconds();
    size_t components = operands_components(&o, output) + 1;
    double *got = arena_take(arena, components, sizeof *got);
    uint8_t *canary = arena_take(arena, components, 1);
    operands_output(&o, output, got, canary);
    Judgement j;
    if (!ref->draft || !judge_draft(&j, ref, &backend->promise, got, arena)) {
        if (ref->draft) {
            draft_complete(ref, arena);
            bound_table_fill(&table, ref);
        }
        j = judge_output(ref, &backend->promise, &none, &table, got, canary, arena);
    }
    double judged = processor_seconds();
    times->reference[at] = called - begin;
    times->kernel[at] = done - called;
    times->judge[at] = judged - done;
    times->of_reference[at] = (called - begin) / (done - called);
    times->of_judge[at] = (judged - done) / (done - called);
    return j.kind;
}

static void measure(Backend *backend, const Case *c, const char *line, Workspace *workspace,
                    int calls)
{
    static Times times;
    dgemm_lend(backend);
    VerdictKind kind = VERDICT_AGREE;
    for (int i = -1; i < calls; i++)
        kind = measure_call(backend, c, workspace, &times, i < 0 ? 0 : i);
    printf("reference %.2f  judge %.2f  kernel %.5f s  %s  %s\n", median(times.of_reference, calls),
           median(times.of_judge, calls), median(times.kernel, calls), verdict_name(kind), line);
}

int main(int count, char **arguments)
{
    enum { CALLS = 31 };
    return measure_lines(count, arguments, calls_wanted(CALLS, CALLS_MOST), measure);
}
