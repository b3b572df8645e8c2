/* Passes over the parameters in a fixed order until none accepts a simpler value. */
#include "shrink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/check/isolate.h"

typedef struct Shrinker {
    Checker *checker;
    const CheckResult *original;
    const ShrinkOptions *options;
    ShrinkResult *out;
    uint64_t started;
} Shrinker;

/* How much a verdict proves: a simplification may turn a suspicion into a divergence, and a wrong
 * value into one that was not written, but not back. */
static int severity(const CheckResult *result)
{
    const Judgement *j = &result->judgement;
    if (j->kind == VERDICT_SUSPECT)
        return 1;
    if (j->kind == VERDICT_DIVERGE)
        return 2;
    return j->defect == DEFECT_UNWRITTEN ? 3 : 0;
}

/* The same divergence, and not borderline: twice its bound, or as far out as it was. */
static bool same_divergence(const CheckResult *original, const CheckResult *got)
{
    const Judgement *a = &original->judgement, *b = &got->judgement;
    if (severity(original) > 0)
        return severity(got) >= severity(original) &&
               (b->kind != VERDICT_DIVERGE || b->ratio >= fmin(2, a->ratio));
    if (a->kind == VERDICT_POLICY && b->kind == VERDICT_POLICY)
        return !strcmp(a->model, b->model);
    return a->kind == b->kind && b->defect != DEFECT_UNWRITTEN &&
           !strcmp(original->detail, got->detail);
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
    return same_divergence(&s->out->result, result);
}

static bool out_of_time(const Shrinker *s)
{
    return clock_nanoseconds() - s->started > s->options->budget;
}

/* Keeps the candidate if it still diverges; where it is far away, only with the same defect. */
static bool try_leap(Shrinker *s, Case *candidate, bool same_defect)
{
    CheckResult result;
    case_normalise(candidate, NULL);
    if (case_equal(candidate, &s->out->minimal) || out_of_time(s) ||
        !shows_divergence(s, candidate, &result) ||
        (same_defect && result.judgement.defect != s->out->result.judgement.defect))
        return false;
    s->out->minimal = *candidate;
    s->out->result = result;
    s->out->accepted++;
    return true;
}

static bool try_candidate(Shrinker *s, Case *candidate)
{
    return try_leap(s, candidate, false);
}

/* True when the number that was proposed is not legal and became another one: candidates would go
 * in a circle. */
static bool is_changed(const Param *param, Case *candidate, int group)
{
    ParamGroup groups[CASE_GROUPS_MAX];
    (void)case_groups(candidate, groups);
    if (param->kind != PARAM_SCALAR)
        return false;
    Scalar proposed = *param_scalar(param, groups[group].values);
    case_normalise(candidate, NULL);
    const Scalar *legal = param_scalar(param, groups[group].values);
    return memcmp(&proposed, legal, sizeof proposed) != 0;
}

static void shrink_param(Shrinker *s, int group, const Param *param)
{
    for (int number = 0;; number++) {
        Case candidate = s->out->minimal;
        ParamGroup groups[CASE_GROUPS_MAX];
        (void)case_groups(&candidate, groups);
        if (!param_simpler(param, groups[group].values, number))
            return;
        if (!is_changed(param, &candidate, group) && try_candidate(s, &candidate))
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

static void set_kind_simplest(Case *c, ParamKind kind)
{
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == kind)
            param_set_simplest(param, c->params);
}

static bool scalars_simplest(const Case *c)
{
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_SCALAR && !param_is_simplest(param, c->params))
            return false;
    return true;
}

/* A special value or a scale counts for more than any kind of plain data. */
static int64_t most_complex_fill(const Case *c)
{
    int64_t kind = FILL_ONES;
    for (int t = 0; t < op_tensor_count(c->op); t++) {
        kind = c->fill[t].kind > kind ? c->fill[t].kind : kind;
        if (c->fill[t].special || c->fill[t].scale)
            kind = FILL_KIND_COUNT;
    }
    return kind;
}

/* All extents at once: single steps may not get there. */
static void shrink_extents(Shrinker *s)
{
    for (int64_t extent = 1; extent <= 4; extent++) {
        Case candidate = s->out->minimal;
        for (const Param *param = candidate.op->params; param->name; param++) {
            int64_t *extents[TENSOR_RANK_MAX];
            int count = param_extents(param, candidate.params, extents);
            for (int i = 0; i < count; i++)
                *extents[i] = *extents[i] > extent ? extent : *extents[i];
        }
        if (try_candidate(s, &candidate))
            return;
    }
}

/* All fills at once, first with plain scalars, which count for more than plain data. */
static void shrink_fills(Shrinker *s, bool plain_scalars)
{
    static const int64_t kinds[] = {FILL_ONES, FILL_INT, FILL_WIDE, FILL_NORMAL};
    bool already = scalars_simplest(&s->out->minimal) || !plain_scalars;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        Case candidate = s->out->minimal;
        if (already && kinds[i] >= most_complex_fill(&candidate))
            return;
        for (int t = 0; t < op_tensor_count(candidate.op); t++)
            candidate.fill[t] = (Fill){.kind = kinds[i], .seed = 1};
        if (plain_scalars)
            set_kind_simplest(&candidate, PARAM_SCALAR);
        if (try_candidate(s, &candidate))
            return;
    }
}

/* An operand of zeros is simpler than one with a special value or a scale. */
static void shrink_to_zeros(Shrinker *s)
{
    for (int t = 0; t < op_tensor_count(s->out->minimal.op); t++) {
        Case candidate = s->out->minimal;
        if (!candidate.fill[t].special && !candidate.fill[t].scale)
            continue;
        candidate.fill[t] = (Fill){.kind = FILL_ZEROS};
        (void)try_candidate(s, &candidate);
    }
}

static void swap_first_extents(Case *c)
{
    int64_t *first = NULL;
    for (const Param *param = c->op->params; param->name; param++) {
        if (param->kind != PARAM_DIM)
            continue;
        int64_t *extent = param_integer(param, c->params);
        if (first) {
            int64_t saved = *first;
            *first = *extent;
            *extent = saved;
            return;
        }
        first = extent;
    }
}

/* Leaves a local minimum: plain flags with larger extents, or with the first two exchanged, as
 * untransposing does. */
static bool leap_to_plain_flags(Shrinker *s)
{
    Case plain = s->out->minimal;
    set_kind_simplest(&plain, PARAM_CHOICE);
    if (case_equal(&plain, &s->out->minimal))
        return false;
    Case swapped = plain;
    swap_first_extents(&swapped);
    for (int64_t extent = 0; extent <= 4; extent++) {
        Case candidate = plain;
        for (const Param *param = candidate.op->params; param->name; param++)
            if (param->kind == PARAM_DIM && *param_integer(param, candidate.params) < extent)
                *param_integer(param, candidate.params) = extent;
        if (try_leap(s, &candidate, true))
            return true;
    }
    return try_leap(s, &swapped, true);
}

/* Leaves a local minimum: one scalar at 2 with data of ones. */
static bool leap_to_plain_scalar(Shrinker *s)
{
    for (const Param *param = s->out->minimal.op->params; param->name; param++) {
        Case candidate = s->out->minimal;
        Scalar *scalar = param_scalar(param, candidate.params);
        if (param->kind != PARAM_SCALAR || param_is_simplest(param, candidate.params) ||
            (scalar->re == nearbyint(scalar->re) && fabs(scalar->re) < 4))
            continue;
        *scalar = (Scalar){2, 0};
        for (int t = 0; t < op_tensor_count(candidate.op); t++)
            candidate.fill[t] = (Fill){.kind = FILL_ONES};
        if (try_leap(s, &candidate, false))
            return true;
    }
    return false;
}

static void put_special(Fill *fill, const char *name)
{
    for (const Param *param = fill_params; param->name; param++)
        if (!strcmp(param->name, "special"))
            for (int64_t i = 0; param->names[i]; i++)
                if (!strcmp(param->names[i], name))
                    fill->special = i;
}

/* Leaves a local minimum: one special value in the first operand, or in the output with alpha 0
 * and beta 1, and nothing else. */
static bool leap_to_special(Shrinker *s)
{
    static const char *const specials[] = {"nan", "inf", "subnormal", "-0"};
    int last = op_tensor_count(s->out->minimal.op) - 1;
    for (size_t i = 0; i < 2 * COUNT_OF(specials); i++) {
        Case candidate = s->out->minimal;
        bool in_output = i % 2 == 1;
        for (int t = 0; t <= last; t++)
            candidate.fill[t] = (Fill){.kind = FILL_ONES};
        set_kind_simplest(&candidate, PARAM_SCALAR);
        for (const Param *param = candidate.op->params; in_output && param->name; param++)
            if (param->kind == PARAM_SCALAR)
                param_scalar(param, candidate.params)->re = 1 - (double)param->simplest;
        put_special(&candidate.fill[in_output ? last : 0], specials[i / 2]);
        case_normalise(&candidate, NULL);
        if (case_equal(&candidate, &s->out->minimal))
            return false;
        if (try_leap(s, &candidate, true))
            return true;
    }
    return false;
}

static bool needs_scalars_or_data(const Case *c)
{
    bool needs = !scalars_simplest(c);
    for (int t = 0; t < op_tensor_count(c->op); t++)
        needs = needs || c->fill[t].kind > FILL_INT || c->fill[t].scale || c->fill[t].special;
    return needs;
}

static void shrink_round(Shrinker *s)
{
    static const ParamKind programs[] = {PARAM_CODE};
    static const ParamKind sizes[] = {PARAM_SHAPE, PARAM_DIM, PARAM_TUPLE, PARAM_PAD,
                                      PARAM_INCREMENT};
    static const ParamKind flags[] = {PARAM_SCALAR, PARAM_INTEGER, PARAM_CHOICE};
    static const ParamKind data[] = {PARAM_CHOICE, PARAM_INTEGER, PARAM_SEED, PARAM_LIST};
    int last = op_tensor_count(s->out->minimal.op) + 1;
    reset_group(s, last);
    shrink_extents(s);
    shrink_fills(s, true);
    shrink_fills(s, false);
    shrink_to_zeros(s);
    shrink_kinds(s, programs, COUNT_OF(programs), 0, 0);
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

void shrink_case(ShrinkResult *shrunk, Checker *checker, const Case *c, const CheckResult *original,
                 const ShrinkOptions *options)
{
    enum { ROUNDS = 8 };
    *shrunk = (ShrinkResult){.minimal = *c, .result = *original};
    Shrinker s = {checker, original, options, shrunk, clock_nanoseconds()};
    checker_set_deadline(checker, options->deadline);
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
        bool leapt = leap_to_plain_flags(&s) || leap_to_plain_scalar(&s);
        if (!leapt && needs_scalars_or_data(&shrunk->minimal))
            (void)leap_to_special(&s);
    }
    shrunk->complete = !out_of_time(&s);
    find_needed_zeros(&s);
}
