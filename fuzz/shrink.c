/* Passes over the parameters in a fixed order until none accepts a simpler value. */
#include "shrink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/check/isolate.h"
#include "ops/case/trigger.h"
#include "oracle/symptom.h"

typedef struct Shrinker {
    Checker *checker;
    const CheckResult *original;
    const ShrinkOptions *options;
    ShrinkResult *out;
    uint64_t started;
    bool cause_put; /* the data that may be the cause took the place of other data */
} Shrinker;

static Symptom symptom_shown(const CheckResult *result)
{
    return symptom_of(&result->judgement, result->detail);
}

/* Whether nothing in the case asks for a rule of its own: no special value, no end of the range. */
static bool is_plain(const Case *c)
{
    DType dtype = case_dtype(c);
    for (int t = 0; t < op_tensor_count(c->op); t++)
        if (trigger_of_fill(&c->fill[t], dtype))
            return false;
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_SCALAR) {
            const Scalar *scalar = param_scalar(param, (void *)c->params);
            if (trigger_of_scalar(scalar->re, dtype) || trigger_of_scalar(scalar->im, dtype))
                return false;
        }
    return true;
}

/* Whether a value that must be finite is wrong beyond what rounding could do: by a part of what was
 * due, and by many times the bound of that type. */
static bool is_grossly_wrong(const Judgement *j, DType dtype)
{
    static const double part = 1.0 / 64, many = 1.0 / 4096;
    if (j->kind != VERDICT_DIVERGE || !isfinite(j->expected_high))
        return false;
    return !isfinite(j->got) || (fabs(j->got - j->expected_high) >= part * fabs(j->expected_high) &&
                                 j->ratio * dtype_format(dtype)->unit >= many);
}

/* Whether one of what was due and what came only just overflows, as errors of rounding do.  A sum
 * of two parts whose high one is infinite and whose low one is not is just beyond the widest type.
 */
static bool is_close_to_overflow(const Judgement *j, DType dtype)
{
    double largest = dtype_format(dtype)->largest, due = fabs(j->expected_high);
    if (isinf(due) && isfinite(j->expected_low) && j->expected_low != 0)
        due = largest;
    return due >= largest / 2 && due / 2 <= largest && fabs(j->got) >= largest / 2;
}

/* Whether a case shows plainer what another one shows: a value that is not written, or a grossly
 * wrong one among plain data, where it was among others, or a special value was lost or made.
 * An error of some ulps is another bug than a lost infinity, unless it only just overflowed. */
static bool is_plainer(const CheckResult *original, const CheckResult *got, const Case *c)
{
    Symptom before = symptom_shown(original), after = symptom_shown(got);
    DType dtype = case_dtype(c);
    if (after == SYMPTOM_UNWRITTEN)
        return symptom_is_numeric(before);
    if (before == SYMPTOM_VALUE && !is_grossly_wrong(&original->judgement, dtype))
        return false;
    if (before < SYMPTOM_VALUE || before > SYMPTOM_INFINITY_SIGN)
        return false;
    return (is_grossly_wrong(&got->judgement, dtype) && is_plain(c)) ||
           (after == SYMPTOM_VALUE && is_close_to_overflow(&original->judgement, dtype));
}

bool shrink_shows_same(const CheckResult *original, const CheckResult *got, const Case *c)
{
    const Judgement *a = &original->judgement, *b = &got->judgement;
    bool far_out = b->kind != VERDICT_DIVERGE || b->ratio >= fmin(2, a->ratio);
    if (a->kind == VERDICT_SUSPECT && b->kind == VERDICT_SUSPECT)
        return true;
    if (is_plainer(original, got, c))
        return far_out;
    bool proves = a->kind == VERDICT_SUSPECT && b->kind == VERDICT_DIVERGE;
    if ((a->kind != b->kind && !proves) || symptom_shown(original) != symptom_shown(got))
        return false;
    if ((a->reading || b->reading) &&
        (!a->reading || !b->reading || strcmp(a->reading, b->reading) != 0))
        return false;
    if (b->kind == VERDICT_POLICY)
        return true;
    return b->kind == VERDICT_DIVERGE ? far_out : !strcmp(original->detail, got->detail);
}

/* Of inputs that are the same memory, nothing says which one a call changes: once they are apart,
 * it may be another than the one that was named. */
static bool shows_on_other_input(const Shrinker *s, const CheckResult *got)
{
    return s->out->minimal.exec.overlap == OVERLAP_INPUTS &&
           symptom_shown(&s->out->result) == SYMPTOM_INPUT_CHANGED &&
           symptom_shown(got) == SYMPTOM_INPUT_CHANGED;
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
    return shrink_shows_same(&s->out->result, result, c) || shows_on_other_input(s, result);
}

static bool out_of_time(const Shrinker *s)
{
    return clock_nanoseconds() - s->started > s->options->budget;
}

/* A case that the backend can run. */
static void make_legal(const Shrinker *s, Case *c)
{
    case_normalise(c, NULL);
    limits_apply(c, &s->checker->limits[s->original->backend]);
    case_normalise(c, NULL);
}

/* Keeps the candidate if it shows the same. */
static bool try_candidate(Shrinker *s, Case *candidate)
{
    CheckResult result;
    make_legal(s, candidate);
    if (case_equal(candidate, &s->out->minimal) || out_of_time(s) ||
        (s->options->is_explained && s->options->is_explained(s->options->context, candidate)) ||
        !shows_divergence(s, candidate, &result))
        return false;
    s->out->minimal = *candidate;
    s->out->result = result;
    s->out->accepted++;
    return true;
}

/* True when the number that was proposed is not legal and became another one: candidates beyond the
 * simplest would go in a circle. */
static bool is_changed(const Shrinker *s, const Param *param, Case *candidate, int group)
{
    ParamGroup groups[CASE_GROUPS_MAX];
    (void)case_groups(candidate, groups);
    if (param->kind != PARAM_SCALAR)
        return false;
    Scalar proposed = *param_scalar(param, groups[group].values);
    make_legal(s, candidate);
    const Scalar *legal = param_scalar(param, groups[group].values);
    return memcmp(&proposed, legal, sizeof proposed) != 0;
}

static void shrink_param(Shrinker *s, int group, const Param *param)
{
    for (int number = 0; !case_is_simplest(&s->out->minimal, group, param); number++) {
        Case candidate = s->out->minimal;
        ParamGroup groups[CASE_GROUPS_MAX];
        (void)case_groups(&candidate, groups);
        if (!param_simpler(param, groups[group].values, number))
            return;
        if ((number == 0 || !is_changed(s, param, &candidate, group)) &&
            try_candidate(s, &candidate))
            number = -1;
        if (out_of_time(s))
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

static void fill_all(Case *c, Fill fill)
{
    for (int t = 0; t < op_tensor_count(c->op); t++)
        c->fill[t] = fill;
}

static bool scalars_simplest(const Case *c)
{
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_SCALAR && !case_is_simplest(c, 0, param))
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

/* Cuts all extents down to at most so much. */
static void cut_extents(Case *c, int64_t most)
{
    for (const Param *param = c->op->params; param->name; param++) {
        int64_t *extents[TENSOR_RANK_MAX];
        int count = param_extents(param, c->params, extents);
        for (int i = 0; i < count; i++)
            *extents[i] = *extents[i] > most ? most : *extents[i];
    }
}

/* All extents at once: single steps may not get there, and each of a large case takes long. */
static void shrink_extents(Shrinker *s)
{
    static const int64_t most[] = {1, 2, 3, 4, 8, 32, 128};
    for (size_t step = 0; step < COUNT_OF(most); step++) {
        Case candidate = s->out->minimal;
        cut_extents(&candidate, most[step]);
        if (try_candidate(s, &candidate))
            return;
    }
}

/* The number of the axis that the operator works along, and the shape that it is one of; NULL where
 * it is told no such number, or it is the outermost already. */
static int64_t *inner_axis(Case *c, Shape **shape)
{
    const Param *axis = op_param(c->op, "axis", strlen("axis"));
    const Param *of = op_param(c->op, "shape", strlen("shape"));
    if (!axis || axis->kind != PARAM_INTEGER || !of || of->kind != PARAM_SHAPE)
        return NULL;
    int64_t *number = param_integer(axis, c->params);
    *shape = param_shape(of, c->params);
    return *number > 0 && *number < (*shape)->rank ? number : NULL;
}

/* The axis that the operator works along further out: without one of those in front of it.  A shape
 * alone cannot lose these, since the number would then be that of another axis. */
static void shrink_axes_in_front(Shrinker *s)
{
    Shape *shape;
    Case candidate = s->out->minimal;
    int64_t *axis = inner_axis(&candidate, &shape);
    for (int64_t without = 0; axis && without < *axis; without++) {
        for (int64_t i = without; i + 1 < shape->rank; i++)
            shape->extent[i] = shape->extent[i + 1];
        shape->extent[--shape->rank] = 0;
        *axis -= 1;
        if (try_candidate(s, &candidate))
            without = -1;
        candidate = s->out->minimal;
        axis = inner_axis(&candidate, &shape);
    }
}

/* Leaves a local minimum, where fewer lines of these data do not show it: one line, or one that is
 * longer, with the data or with full significands; or the lines along the outermost axis. */
static bool leap_to_outer_axis(Shrinker *s)
{
    Shape *shape;
    Case candidate = s->out->minimal;
    int64_t *axis = inner_axis(&candidate, &shape);
    if (!axis)
        return false;
    const int64_t along = shape->extent[*axis], longer[] = {along, along + 1, along + 2, 2 * along};
    for (size_t i = 0; i < 2 * COUNT_OF(longer); i++) {
        *shape = (Shape){1, {longer[i / 2]}};
        *axis = 0;
        if (i % 2)
            fill_all(&candidate, (Fill){.kind = FILL_WIDE, .seed = 1});
        if (try_candidate(s, &candidate))
            return true;
        candidate = s->out->minimal;
    }
    shape->extent[*axis] = shape->extent[0];
    shape->extent[0] = along;
    *axis = 0;
    return try_candidate(s, &candidate);
}

/* One extent after the other of a case that takes long, so that all that follows is tried on one
 * that does not. */
static void shrink_large_extents(Shrinker *s)
{
    static const double large = 1 << 20;
    for (const Param *param = s->out->minimal.op->params; param->name; param++) {
        Case candidate = s->out->minimal;
        if (param->kind != PARAM_DIM || case_work(&candidate) < large)
            continue;
        param_set_simplest(param, candidate.params);
        (void)try_candidate(s, &candidate);
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
        fill_all(&candidate, (Fill){.kind = kinds[i], .seed = 1});
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

/* All elements of an input as the one at the place of the worst element of the output, where it has
 * as many. */
static void shrink_to_one_value(Shrinker *s)
{
    const CheckResult *result = &s->out->result;
    Case candidate = s->out->minimal;
    Workspace workspace;
    Operands o;
    if (!symptom_is_numeric(symptom_shown(result)) || !workspace_init(&workspace))
        return;
    operands_build(&o, &workspace, &candidate);
    int64_t at = (int64_t)result->judgement.worst, of = tensor_count(&o.view[result->output]);
    for (int i = 0; i < o.shapes.count; i++) {
        Fill *fill = &candidate.fill[i];
        bool real = dtype_components(o.view[i].dtype) == 1 && !operands_is_output(&o, i);
        if (real && fill->kind > FILL_LIST && tensor_count(&o.view[i]) == of && at < of)
            *fill = (Fill){.kind = FILL_LIST, .values = {1, {tensor_value(&o.view[i], at)}}};
    }
    workspace_release(&workspace);
    (void)try_candidate(s, &candidate);
}

static bool may_be(const Param *param, int64_t extent)
{
    return extent >= param->minimum && extent <= param->maximum;
}

static void swap_first_extents(Case *c)
{
    const Param *first = NULL;
    for (const Param *param = c->op->params; param->name; param++) {
        if (param->kind != PARAM_DIM)
            continue;
        if (first) {
            int64_t *extent = param_integer(param, c->params);
            int64_t *other = param_integer(first, c->params), saved = *other;
            if (!may_be(first, *extent) || !may_be(param, saved))
                return;
            *other = *extent;
            *extent = saved;
            return;
        }
        first = param;
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
        if (try_candidate(s, &candidate))
            return true;
    }
    return try_candidate(s, &swapped);
}

/* Leaves a local minimum: one scalar at 2 with data of ones. */
static bool leap_to_plain_scalar(Shrinker *s)
{
    for (const Param *param = s->out->minimal.op->params; param->name; param++) {
        Case candidate = s->out->minimal;
        Scalar *scalar = param_scalar(param, candidate.params);
        if (param->kind != PARAM_SCALAR || case_is_simplest(&candidate, 0, param) ||
            (scalar->re == nearbyint(scalar->re) && fabs(scalar->re) < 4))
            continue;
        *scalar = (Scalar){2, 0};
        fill_all(&candidate, (Fill){.kind = FILL_ONES});
        if (try_candidate(s, &candidate))
            return true;
    }
    return false;
}

static bool exceeds(const Case *c, int64_t extent)
{
    Case cut = *c;
    cut_extents(&cut, extent);
    return !case_equal(&cut, c);
}

/* Leaves a local minimum: small extents with small integers, and with plain flags, where ones show
 * it in more than a few lines only, such as an order of norms; or smaller ones with full
 * significands, where sums of ones are exact up to large extents. */
static bool leap_to_smaller_extents(Shrinker *s)
{
    enum { FEW = 16, MOST = 512 };
    static const int64_t small[] = {2, 4, 8};
    Case candidate = s->out->minimal;
    for (size_t i = 0; i < 2 * COUNT_OF(small); i++) {
        if (!exceeds(&candidate, FEW) || most_complex_fill(&candidate) > FILL_ONES)
            break;
        cut_extents(&candidate, small[i / 2]);
        if (i % 2)
            set_kind_simplest(&candidate, PARAM_CHOICE);
        fill_all(&candidate, (Fill){.kind = FILL_INT, .seed = 1});
        if (try_candidate(s, &candidate))
            return true;
        candidate = s->out->minimal;
    }
    if (!exceeds(&candidate, MOST))
        return false;
    cut_extents(&candidate, MOST);
    fill_all(&candidate, (Fill){.kind = FILL_WIDE, .seed = 1});
    return try_candidate(s, &candidate);
}

static void put_special(Fill *fill, const char *name)
{
    for (const Param *param = fill_params; param->name; param++)
        if (!strcmp(param->name, "special"))
            for (int64_t i = 0; param->names[i]; i++)
                if (!strcmp(param->names[i], name))
                    fill->special = i;
}

/* Data that may be the cause of a symptom: a special value, or operands scaled to an end of the
 * range, where every element type can show it. */
typedef struct DataCause {
    const char *special; /* NULL where data without one would do as well */
    int first_scale, other_scale;
} DataCause;

static DataCause data_cause(const Shrinker *s)
{
    enum { BEYOND = 8 }; /* binary places past the end of the range */
    const Format *format = dtype_format(case_dtype(&s->out->minimal));
    const int half = (format->maximum_exponent + BEYOND) / 2;
    const Judgement *j = &s->out->result.judgement;
    Judgement values = *j;
    values.kind = VERDICT_DIVERGE;
    switch (symptom_of(&values, "")) {
    case SYMPTOM_NAN_LOST:
        return (DataCause){"nan", 0, 0};
    case SYMPTOM_INFINITY_LOST:
    case SYMPTOM_INFINITY_SIGN:
        return (DataCause){"inf", half, half};
    case SYMPTOM_ZERO_SIGN:
        return (DataCause){"-0", 0, 0};
    default:
        if (j->expected_high != 0 && fabs(j->expected_high) < format->smallest_normal)
            return (DataCause){"subnormal", format->minimum_exponent - BEYOND, 0};
        return (DataCause){0};
    }
}

/* Leaves a local minimum: the data that may be the cause, and nothing else: operands at an end of
 * the range, a special value in the first operand, or in the output with alpha 0 and beta 1.  Once
 * only: data without it that shows the symptom too, which the next round finds, is simpler. */
static bool leap_to_cause(Shrinker *s)
{
    enum { SCALED, IN_FIRST, IN_OUTPUT, PLACES };
    int last = op_tensor_count(s->out->minimal.op) - 1;
    const DataCause cause = data_cause(s);
    if (!cause.special || s->cause_put)
        return false;
    s->cause_put = true;
    for (int place = cause.first_scale ? SCALED : IN_FIRST; place < PLACES; place++) {
        Case candidate = s->out->minimal;
        fill_all(&candidate, (Fill){.kind = FILL_ONES});
        for (int t = 0; t < last && place == SCALED; t++)
            candidate.fill[t].scale = t == 0 ? cause.first_scale : cause.other_scale;
        set_kind_simplest(&candidate, PARAM_SCALAR);
        for (const Param *param = candidate.op->params; place == IN_OUTPUT && param->name; param++)
            if (param->kind == PARAM_SCALAR)
                param_scalar(param, candidate.params)->re = 1 - (double)param->simplest;
        if (place != SCALED)
            put_special(&candidate.fill[place == IN_OUTPUT ? last : 0], cause.special);
        make_legal(s, &candidate);
        if (case_equal(&candidate, &s->out->minimal))
            return false;
        if (try_candidate(s, &candidate))
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

/* Tuples that are equal, as some libraries ask of pads at both ends, at their simplest at once. */
static void shrink_equal_tuples(Shrinker *s)
{
    for (const Param *param = s->out->minimal.op->params; param->name; param++) {
        Case candidate = s->out->minimal;
        if (param->kind != PARAM_TUPLE || param_is_simplest(param, candidate.params))
            continue;
        Shape tuple = *param_shape(param, candidate.params);
        for (const Param *other = param; other->name; other++)
            if (other->kind == PARAM_TUPLE &&
                !memcmp(param_shape(other, candidate.params), &tuple, sizeof tuple))
                param_set_simplest(other, candidate.params);
        (void)try_candidate(s, &candidate);
    }
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
    shrink_large_extents(s);
    shrink_fills(s, true);
    shrink_fills(s, false);
    shrink_to_zeros(s);
    shrink_to_one_value(s);
    shrink_axes_in_front(s);
    shrink_kinds(s, programs, COUNT_OF(programs), 0, 0);
    shrink_equal_tuples(s);
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
    Shrinker s = {checker, original, options, shrunk, clock_nanoseconds(), false};
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
        bool leapt = leap_to_smaller_extents(&s) || leap_to_plain_flags(&s) ||
                     leap_to_plain_scalar(&s) || leap_to_outer_axis(&s);
        if (!leapt && round + 1 < ROUNDS && needs_scalars_or_data(&shrunk->minimal))
            (void)leap_to_cause(&s);
    }
    shrunk->complete = !out_of_time(&s);
    find_needed_zeros(&s);
}
