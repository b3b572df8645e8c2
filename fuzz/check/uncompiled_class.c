#include "uncompiled_class.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "admission.h"
#include "refer.h"

/* One call without the compiler; false where it gives no values.  The operands are what they were,
 * since the results are compared with those of other calls later. */
static bool call_uncompiled(CheckerCall *call, Checker *checker, Operands *o, CheckResult *plain,
                            CheckOutput *output)
{
    Backend *backend = &checker->backends[plain->backend];
    void *results[OP_TENSORS_MAX] = {NULL};
    for (int i = 0; i < o->shapes.count; i++)
        if (operands_is_output(o, i)) {
            results[i] = memory_allocate(o->block[i].bytes + 1, 1);
            memcpy(results[i], o->block[i].data, o->block[i].bytes);
        }
    backend->alone = backend->uncompiled = true;
    bool called = call(checker, o, plain, output);
    backend->alone = backend->uncompiled = false;
    for (int i = 0; i < o->shapes.count; i++)
        if (results[i]) {
            memcpy(o->block[i].data, results[i], o->block[i].bytes);
            free(results[i]);
        }
    return called && output->got;
}

static bool is_right(Checker *checker, const Operands *o, const CheckResult *plain,
                     const CheckOutput *output)
{
    const Backend *backend = &checker->backends[plain->backend];
    const Documented documented = {backend, o->source->op, case_dtype(o->source)};
    const Admission admission = {admission_documented, &documented};
    Judgement j = judge_output(&checker->refs[o->shapes.count - 1], &backend->promise, &admission,
                               NULL, output->got, output->canary, &checker->workspace.arena);
    return !verdict_is_finding(j.kind);
}

static bool is_convention(const CheckResult *result)
{
    return result->judgement.kind == VERDICT_POLICY;
}

/* Whether the reference admits NaN for an element and something else too. */
static bool is_open(const Ref *ref, size_t element)
{
    return (ref->classes[element] & CLASS_NAN) && ref->classes[element] != CLASS_NAN;
}

/* The first element whose class may tell, beginning with one; count where there is none. */
static size_t next_open(const Ref *ref, const CheckResult *result, size_t element, size_t count)
{
    if (is_convention(result))
        return element == 0 ? result->judgement.worst : count;
    while (element < count && !is_open(ref, element))
        element++;
    return element;
}

static bool is_of_class(const CheckResult *result, double a, double b)
{
    if (isnan(a) || isnan(b) || !is_convention(result))
        return isnan(a) == isnan(b);
    return isinf(a) ? a == b : isfinite(b);
}

static void report(CheckResult *result, size_t element, double compiled, double own)
{
    Judgement *j = &result->judgement;
    j->kind = VERDICT_DIVERGE;
    j->tier = TIER_SPECIAL;
    j->defect = isnan(compiled) ? DEFECT_NAN : isinf(compiled) ? DEFECT_INFINITY : DEFECT_LOST;
    j->pattern = PATTERN_ONE;
    j->reading = NULL;
    j->bad = 1;
    j->worst = element;
    j->expected_high = own;
    j->expected_low = 0;
    j->got = compiled;
    j->ratio = INFINITY;
    (void)snprintf(result->detail, sizeof result->detail, "without its compiler it is %s",
                   isnan(own)   ? "NaN"
                   : isinf(own) ? "infinite"
                                : "a number");
}

void uncompiled_compare(Checker *checker, Operands *o, double *const *got, CheckerCall *call,
                        CheckResult *result)
{
    int last = o->shapes.count - 1;
    const OpDesc *op = o->source->op;
    bool agrees =
        result->judgement.kind == VERDICT_AGREE || result->judgement.kind == VERDICT_VACUOUS;
    if (checker->backends[result->backend].facts.draws == 0 || op->source || !op->in_place ||
        checker->large || !got[last] || result->output != last ||
        (!agrees && !is_convention(result)))
        return;
    const Ref *ref = &checker->refs[last];
    checker_complete(checker, last);
    size_t count = operands_components(o, last);
    size_t element = next_open(ref, result, 0, count);
    CheckResult plain = {.backend = result->backend};
    CheckOutput output = {0};
    if (element == count || !call_uncompiled(call, checker, o, &plain, &output))
        return;
    while (element < count && is_of_class(result, got[last][element], output.got[element]))
        element = next_open(ref, result, element + 1, count);
    if (element == count)
        return;
    if (is_right(checker, o, &plain, &output))
        report(result, element, got[last][element], output.got[element]);
}
