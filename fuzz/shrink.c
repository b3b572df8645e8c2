/* Passes over the parameters in a fixed order until none accepts a simpler value. */
#include "shrink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "isolate.h"

typedef struct Shrinker {
    Checker *checker;
    const CheckResult *original;
    const ShrinkOptions *options;
    ShrinkResult *out;
    uint64_t started;
} Shrinker;

/* The same kind of divergence, not borderline: twice its bound, or as far out as it was. */
static bool same_divergence(const CheckResult *original, const CheckResult *got)
{
    const Judgement *a = &original->judgement, *b = &got->judgement;
    if (a->kind != b->kind)
        return false;
    if (a->kind == VERDICT_FAULT || a->kind == VERDICT_CONTRACT)
        return !strcmp(original->detail, got->detail);
    if (a->kind == VERDICT_DIVERGE)
        return b->ratio >= fmin(2, a->ratio);
    return true;
}

static bool shows_divergence(Shrinker *s, const Case *c, CheckResult *result)
{
    s->out->executions++;
    if (s->options->isolate || s->original->judgement.kind == VERDICT_FAULT) {
        isolated_run(s->checker, c, s->original->backend, s->options->deadline, result);
    } else {
        CheckResult results[BOX_BACKENDS_MAX];
        (void)checker_run(s->checker, c, s->original->backend, results);
        *result = results[0];
    }
    return same_divergence(s->original, result);
}

static bool out_of_time(const Shrinker *s)
{
    return clock_nanoseconds() - s->started > s->options->budget;
}

/* Keeps the candidate if it still diverges. */
static bool try_candidate(Shrinker *s, Case *candidate)
{
    CheckResult result;
    case_normalise(candidate, NULL);
    if (case_equal(candidate, &s->out->minimal) || out_of_time(s) ||
        !shows_divergence(s, candidate, &result))
        return false;
    s->out->minimal = *candidate;
    s->out->result = result;
    s->out->accepted++;
    return true;
}

static void shrink_param(Shrinker *s, int group, const Param *param)
{
    for (int number = 0;; number++) {
        Case candidate = s->out->minimal;
        ParamGroup groups[CASE_GROUPS_MAX];
        (void)case_groups(&candidate, groups);
        if (!param_simpler(param, groups[group].values, number))
            return;
        if (try_candidate(s, &candidate))
            number = -1;
        if (out_of_time(s) || (number == -1 && param_is_simplest(param, groups[group].values)))
            return;
    }
}

static void shrink_kinds(Shrinker *s, const ParamKind *kinds, int kind_count, int first_group,
                         int last_group)
{
    Case shape = s->out->minimal;
    ParamGroup groups[CASE_GROUPS_MAX];
    (void)case_groups(&shape, groups);
    for (int k = 0; k < kind_count; k++)
        for (int g = first_group; g <= last_group; g++)
            for (const Param *param = groups[g].params; param->name; param++)
                if (param->kind == kinds[k] && !out_of_time(s))
                    shrink_param(s, g, param);
}

static void reset_group(Shrinker *s, int group)
{
    Case candidate = s->out->minimal;
    ParamGroup groups[CASE_GROUPS_MAX];
    (void)case_groups(&candidate, groups);
    for (const Param *param = groups[group].params; param->name; param++)
        param_set_simplest(param, groups[group].values);
    (void)try_candidate(s, &candidate);
}

/* All extents at once, then all fills at once: single steps may not get there. */
static void shrink_together(Shrinker *s)
{
    static const int64_t kinds[] = {FILL_ONES, FILL_INT, FILL_WIDE, FILL_NORMAL};
    for (int64_t extent = 1; extent <= 4; extent++) {
        Case candidate = s->out->minimal;
        for (const Param *param = candidate.op->params; param->name; param++)
            if (param->kind == PARAM_DIM && *param_integer(param, candidate.params) > extent)
                *param_integer(param, candidate.params) = extent;
        if (try_candidate(s, &candidate))
            break;
    }
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        Case candidate = s->out->minimal;
        for (int t = 0; t < op_tensor_count(candidate.op); t++)
            candidate.fill[t] = (Fill){.kind = kinds[i], .seed = 1};
        if (try_candidate(s, &candidate))
            break;
    }
}

static void shrink_round(Shrinker *s)
{
    static const ParamKind sizes[] = {PARAM_DIM, PARAM_PAD, PARAM_INCREMENT};
    static const ParamKind flags[] = {PARAM_SCALAR, PARAM_CHOICE, PARAM_DTYPE};
    static const ParamKind data[] = {PARAM_CHOICE, PARAM_INTEGER, PARAM_SEED, PARAM_LIST};
    int last = op_tensor_count(s->out->minimal.op) + 1;
    reset_group(s, last);
    shrink_together(s);
    shrink_kinds(s, sizes, COUNT_OF(sizes), 0, 0);
    shrink_kinds(s, flags, COUNT_OF(flags), 0, 0);
    shrink_kinds(s, data, COUNT_OF(data), 1, last);
}

/* A scalar at its simplest value, 0, may be what the divergence needs: 1 must then remove it. */
static void find_needed_zeros(Shrinker *s)
{
    size_t length = 0;
    for (const Param *param = s->out->minimal.op->params; param->name; param++) {
        if (param->kind != PARAM_SCALAR || param->simplest != 0 ||
            !param_is_simplest(param, s->out->minimal.params))
            continue;
        Case contrast = s->out->minimal;
        CheckResult result;
        param_scalar(param, contrast.params)->re = 1;
        if (!shows_divergence(s, &contrast, &result) &&
            length + strlen(param->name) + 4 < sizeof s->out->needed)
            length += (size_t)snprintf(s->out->needed + length, sizeof s->out->needed - length,
                                       "%s=0 ", param->name);
    }
}

void shrink_case(ShrinkResult *shrunk, Checker *checker, const Case *c,
                 const CheckResult *original, const ShrinkOptions *options)
{
    enum { ROUNDS = 8 };
    *shrunk = (ShrinkResult){.minimal = *c, .result = *original};
    Shrinker s = {checker, original, options, shrunk, clock_nanoseconds()};
    for (int i = 0; i < options->retries; i++) {
        CheckResult result;
        if (!shows_divergence(&s, c, &result))
            continue;
        shrunk->reproduced++;
        shrunk->result = result;
    }
    if (shrunk->reproduced < options->retries)
        return;
    for (int round = 0, before = -1; round < ROUNDS && before != shrunk->accepted; round++) {
        before = shrunk->accepted;
        shrink_round(&s);
    }
    shrunk->complete = !out_of_time(&s);
    find_needed_zeros(&s);
}
