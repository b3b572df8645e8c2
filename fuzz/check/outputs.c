#include "outputs.h"

#include <stdio.h>
#include <string.h>

#include "admission.h"
#include "refer.h"

void outputs_read(const Operands *o, Outputs *outputs, Arena *arena)
{
    *outputs = (Outputs){0};
    for (int i = 0; i < o->shapes.count; i++) {
        if (!operands_is_output(o, i))
            continue;
        size_t count = operands_components(o, i) + 1;
        outputs->got[i] = arena_take(arena, count, sizeof(double));
        outputs->canary[i] = arena_take(arena, count, 1);
        operands_output(o, i, outputs->got[i], outputs->canary[i]);
    }
}

void outputs_judge_repeat(const Operands *o, const Ref *refs, const Outputs *first,
                          const Outputs *again, CheckResult *result)
{
    for (int k = 0; k < o->shapes.count; k++) {
        for (size_t i = 0; first->got[k] && i < operands_components(o, k); i++) {
            bool unspecified = refs[k].unspecified && refs[k].unspecified[i];
            if (unspecified || memcmp(&first->got[k][i], &again->got[k][i], sizeof(double)) == 0)
                continue;
            Judgement *j = &result->judgement;
            j->kind = VERDICT_INVARIANCE;
            j->worst = i;
            j->expected_high = first->got[k][i];
            j->expected_low = 0;
            j->got = again->got[k][i];
            result->output = k;
            (void)snprintf(result->detail, sizeof result->detail,
                           "a repeated call gives other bits");
            return;
        }
    }
}

/* Where that does not admit the output, or there is no draft, the reference is complete. */
static bool is_admitted_by_draft(Checker *checker, const Backend *backend, int output,
                                 const double *got, Judgement *j)
{
    Arena *arena = &checker->workspace.arena;
    Ref *ref = &checker->refs[output];
    size_t used = arena->used;
    bool admitted = ref->draft && judge_draft(j, ref, &backend->promise, got, arena);
    arena->used = used;
    if (!admitted)
        checker_complete(checker, output);
    return admitted;
}

/* Which references outputs are judged against: the checker's, whose bounds it has; others; or
 * others where a part of a complex number is wrong by the checker's. */
typedef enum Against { AGAINST_OWN, AGAINST_OTHERS, AGAINST_EITHER } Against;

static Judgement judge_one(Checker *checker, const Ref *refs, Against against, int i,
                           const Documented *documented, const Outputs *outputs)
{
    const Promise *promise = &documented->backend->promise;
    const Admission admission = {admission_documented, documented};
    Arena *arena = &checker->workspace.arena;
    if (against == AGAINST_EITHER && dtype_components(refs[i].dtype) == 2 && !refs[i].flaw.what)
        return judge_rest(&refs[i], promise, &admission, &checker->refs[i], outputs->got[i],
                          outputs->canary[i], arena);
    Judgement j;
    if (against == AGAINST_OWN &&
        is_admitted_by_draft(checker, documented->backend, i, outputs->got[i], &j))
        return j;
    return judge_output(&refs[i], promise, &admission,
                        against == AGAINST_OWN ? &checker->bounds[i] : NULL, outputs->got[i],
                        outputs->canary[i], arena);
}

/* The worst judgement of all outputs. */
static void judge_against(Checker *checker, const Ref *refs, Against against, const Operands *o,
                          const Outputs *outputs, CheckResult *result)
{
    const Documented documented = {&checker->backends[result->backend], o->source->op,
                                   case_dtype(o->source)};
    bool first = true;
    for (int i = 0; i < o->shapes.count; i++) {
        if (!outputs->got[i])
            continue;
        Judgement j = judge_one(checker, refs, against, i, &documented, outputs);
        if (first || judge_is_worse(&j, &result->judgement)) {
            result->judgement = j;
            result->output = i;
            if (refs[i].flaw.what)
                (void)snprintf(result->detail, sizeof result->detail, "%s", refs[i].flaw.what);
        }
        first = false;
    }
}

/* Judges a divergence in half precision again, with a reference whose every step is rounded. */
static void judge_narrow(Checker *checker, Operands *o, const Outputs *outputs, CheckResult *result)
{
    const Backend *backend = &checker->backends[result->backend];
    Ref narrow[OP_TENSORS_MAX];
    CheckResult again = *result;
    if (!operands_reference_narrow(o, narrow, &checker->workspace.arena))
        return;
    judge_against(checker, narrow, AGAINST_OTHERS, o, outputs, &again);
    const Documented documented = {backend, o->source->op, case_dtype(o->source)};
    if (admission_take_narrow(&documented, &again.judgement, &result->judgement))
        *result = again;
    else if (verdict_is_finding(again.judgement.kind) && again.judgement.kind != VERDICT_POLICY &&
             again.output == result->output &&
             admission_documented(&documented, POLICY_NARROW_ARITHMETIC))
        judge_blame_rest(&again.judgement, &result->judgement);
}

/* Takes what a judgement of other inputs says in place of a divergence.  A reading that has a
 * policy is a departure, unless the models name it too; comparisons and places are never read so:
 * numbers that differ are not equal. */
static void take_reading(const Backend *backend, const Operands *o, const char *name,
                         const CheckResult *again, CheckResult *result)
{
    const Documented documented = {backend, o->source->op, case_dtype(o->source)};
    bool agrees = !verdict_is_finding(again->judgement.kind);
    bool departs = policy_is_reading(name) && !judge_is_promised(&backend->promise, name);
    bool admitted = !departs || admission_documented(&documented, name);
    if (departs && dtype_is_integer(o->view[result->output].dtype))
        return;
    if (agrees && departs) {
        admission_name(&documented, name, &result->judgement);
    } else if (agrees) {
        *result = *again;
        if (result->judgement.kind == VERDICT_AGREE)
            result->judgement.model = name;
    } else if (again->judgement.kind == VERDICT_POLICY && admitted &&
               result->judgement.kind != VERDICT_POLICY) {
        *result = *again;
    } else if (!result->judgement.reading) {
        result->judgement.reading = again->judgement.reading;
    }
}

/* Judges a divergence again, with references of the inputs as the backend is known to read them.  A
 * subnormal number may be read as 0 for one part of a complex result and not for the other: a
 * modulus by arithmetic that flushes, an angle by a comparison that does not. */
static void judge_readings(Checker *checker, Operands *o, const Outputs *outputs,
                           CheckResult *result)
{
    const Backend *backend = &checker->backends[result->backend];
    const InputReading *reading = backend->promise.inputs;
    for (; reading && reading->name && verdict_is_finding(result->judgement.kind); reading++) {
        Ref refs[OP_TENSORS_MAX];
        CheckResult again = *result;
        if (!operands_reference_read(o, reading, refs, &checker->workspace.arena))
            continue;
        judge_against(checker, refs, reading->flush ? AGAINST_EITHER : AGAINST_OTHERS, o, outputs,
                      &again);
        take_reading(backend, o, reading->name, &again, result);
    }
}

/* Where nobody promises that an output may take the place of an input, whatever comes of that is no
 * divergence; where somebody does, it may depart from another rule. */
static void judge_in_place(Checker *checker, const Operands *o, CheckResult *result)
{
    const Backend *backend = &checker->backends[result->backend];
    const Documented documented = {backend, o->source->op, case_dtype(o->source)};
    if (result->judgement.kind == VERDICT_DIVERGE &&
        (!result->judgement.reading || admission_documented(&documented, POLICY_IN_PLACE)))
        admission_name(&documented, POLICY_IN_PLACE, &result->judgement);
}

void outputs_judge(Checker *checker, Operands *o, const Outputs *outputs, CheckResult *result)
{
    judge_against(checker, checker->refs, AGAINST_OWN, o, outputs, result);
    judge_readings(checker, o, outputs, result);
    if (result->judgement.kind == VERDICT_DIVERGE)
        judge_narrow(checker, o, outputs, result);
    if (o->source->exec.overlap == OVERLAP_OUTPUT && o->source->op->in_place)
        judge_in_place(checker, o, result);
}
