/* The verdict on one output, after the reference and the bounds are known: element by element
 * under each admitted model.  Failure conditions are written !(x <= bound), so that a NaN fails. */
#include "judge.h"

#include <math.h>
#include <string.h>

#include "bound_rows.h"
#include "judge_parts.h"
#include "reference/power.h"

static const char *const verdict_names[VERDICT_COUNT] = {
    "AGREE",  "DIVERGE", "POLICY",  "SUSPECT",   "INVARIANCE", "CONTRACT",
    "STATUS", "FAULT",   "VACUOUS", "UNDECIDED", "DECLINED"};
static const char *const tier_names[TIER_COUNT] = {"none",      "contract", "special",   "exact",
                                                   "violation", "probable", "suspicious"};
static const char *const defect_names[DEFECT_COUNT] = {
    "none", "value", "lost special", "NaN", "infinity", "zero sign", "unwritten"};

const char *verdict_name(VerdictKind kind)
{
    REQUIRE(kind < VERDICT_COUNT);
    return verdict_names[kind];
}

bool verdict_find(const char *name, VerdictKind *kind)
{
    for (int i = 0; i < VERDICT_COUNT; i++) {
        *kind = (VerdictKind)i;
        if (!strcmp(verdict_name(*kind), name))
            return true;
    }
    return false;
}

const char *tier_name(Tier tier)
{
    REQUIRE(tier < TIER_COUNT);
    return tier_names[tier];
}

const char *defect_name(Defect defect)
{
    REQUIRE(defect < DEFECT_COUNT);
    return defect_names[defect];
}

bool verdict_is_finding(VerdictKind kind)
{
    switch (kind) {
    case VERDICT_DIVERGE:
    case VERDICT_POLICY:
    case VERDICT_SUSPECT:
    case VERDICT_INVARIANCE:
    case VERDICT_CONTRACT:
    case VERDICT_STATUS:
    case VERDICT_FAULT:
        return true;
    default:
        return false;
    }
}

const char *method_name(JudgeMethod method)
{
    static const char *const names[METHOD_COUNT] = {"all elements", "sums, exact data",
                                                    "sums within a bound"};
    REQUIRE(method < METHOD_COUNT);
    return names[method];
}

static double ratio_of(double distance, double bound)
{
    if (distance == 0)
        return 0;
    return bound > 0 ? distance / bound : INFINITY;
}

static Defect class_defect(unsigned got)
{
    if (got == CLASS_NAN)
        return DEFECT_NAN;
    return got == CLASS_FINITE ? DEFECT_LOST : DEFECT_INFINITY;
}

static void judge_set(ElementVerdict *v, const Ref *ref, size_t i, double got)
{
    for (int k = 0; k < REF_CANDIDATES; k++)
        if (got == ref->candidates[i * REF_CANDIDATES + (size_t)k])
            return;
    v->tier = TIER_EXACT;
    v->defect = DEFECT_VALUE;
    v->ratio = INFINITY;
}

static bool is_sign_judged(const Ref *ref, const Model *model, size_t i)
{
    return ref->match[i] == MATCH_BITS || (ref->match[i] == MATCH_USUAL && !model->any_zero);
}

static void judge_exact(ElementVerdict *v, const Ref *ref, const Model *model, size_t i,
                        double scaled)
{
    /* Not high + low for a lone value: -0 + 0 would lose its sign; of an integer that binary64 does
     * not hold high is what it is compared by (dtype_whole). */
    bool lone = ref->low[i] == 0 || dtype_is_integer(ref->dtype);
    double expected = lone ? ref->high[i] : ref->high[i] + ref->low[i];
    if (!(scaled == expected)) {
        v->tier = TIER_EXACT;
        v->defect = DEFECT_VALUE;
        v->ratio = INFINITY;
    } else if (is_sign_judged(ref, model, i) && signbit(scaled) != signbit(expected)) {
        v->tier = TIER_EXACT;
        v->defect = DEFECT_ZERO_SIGN;
        v->ratio = INFINITY;
    }
}

/* A right kernel's result lies within `hard` of the exact value, which is within `error` of the
 * reference, and what is admitted lies within hard + error of the reference: the two are at most
 * 2 (hard + error) apart.  Where neighbours of the output type are farther apart (half of it leaves
 * room for the roundings here) they are the same number, which decides however small the bound is,
 * such as that of a product with a power of two. */
static bool is_told_by_neighbours(const Ref *ref, double scaled, double hard, double error)
{
    const Format *format = dtype_format(ref->dtype);
    double apart = fmax(fabs(scaled) * format->unit,
                        times_power_of_two(format->smallest_subnormal, -ref->exponent));
    return !dtype_is_integer(ref->dtype) && 2 * (hard + error) < apart / 2;
}

static void judge_bound(ElementVerdict *v, const Ref *ref, size_t i, double scaled)
{
    double distance = fabs((scaled - ref->high[i]) - ref->low[i]), error = ref->error[i];
    v->ratio = ratio_of(distance > error ? distance - error : 0, v->bound.hard);
    if (!(distance <= v->bound.hard + error)) {
        v->tier = TIER_VIOLATION;
        v->defect = DEFECT_VALUE;
    } else if (!(distance <= v->bound.signs + error)) {
        v->tier = TIER_PROBABLE;
        v->defect = DEFECT_VALUE;
    } else if (!(distance <= v->bound.typical + error)) {
        v->tier = TIER_SUSPICIOUS;
        v->defect = DEFECT_VALUE;
    } else if (!(error <= v->bound.hard)) {
        v->undecided = !is_told_by_neighbours(ref, scaled, v->bound.hard, error);
    }
}

/* Under flush to zero every subnormal number, as an input, intermediate or result, may be replaced
 * by 0: all of them agree with each other.  The smallest normal number belongs to them, since
 * results round to it from below. */
static bool both_subnormal(const Ref *ref, size_t i, double got)
{
    double limit = dtype_format(ref->dtype)->smallest_normal;
    if (dtype_is_integer(ref->dtype))
        return false;
    return fabs(got) < limit && fabs(ref->high[i]) <= times_power_of_two(limit, -ref->exponent);
}

/* A zero was replaced by nothing: its sign counts under every model, and where results are flushed
 * none is subnormal. */
static bool is_zero_to_the_bit(const Ref *ref, const Model *model, size_t i, double got)
{
    if (ref->high[i] != 0 || ref->low[i] != 0)
        return false;
    return got == 0 ? is_sign_judged(ref, model, i) : model->flush && both_subnormal(ref, i, got);
}

ElementVerdict judge_element(const BoundTable *table, const Ref *ref, size_t i, double got)
{
    ElementVerdict v = {.bound = table->bounds[i]};
    unsigned admitted = table->classes[i], class = value_class(got);
    v.anything = admitted == CLASS_ANY;
    /* Where no number is admitted none has a bound. */
    v.informative =
        admitted != CLASS_ANY && (v.bound.hard < INFINITY || !(admitted & CLASS_FINITE));
    if (!(class & admitted)) {
        v.tier = TIER_SPECIAL;
        v.defect = class_defect(class);
        v.ratio = INFINITY;
        return v;
    }
    if (got < ref->least || got > ref->greatest) {
        v.tier = TIER_VIOLATION;
        v.defect = DEFECT_VALUE;
        v.ratio = INFINITY;
        return v;
    }
    if (class != CLASS_FINITE || admitted == CLASS_ANY)
        return v;
    bool to_the_bit = is_zero_to_the_bit(ref, table->model, i, got);
    if (table->model->flush && !to_the_bit && both_subnormal(ref, i, got))
        return v;
    double scaled = ref->exponent == 0 ? got : times_power_of_two(got, -ref->exponent);
    if (ref->match[i] == MATCH_SET)
        judge_set(&v, ref, i, got);
    else if (table->exact[i] || to_the_bit)
        judge_exact(&v, ref, table->model, i, scaled);
    else
        judge_bound(&v, ref, i, scaled);
    return v;
}

/* Orders verdicts: an earlier tier first, then the larger ratio. */
static bool is_worse(const ElementVerdict *v, const Judgement *worst)
{
    Tier tier = worst->tier == TIER_NONE ? TIER_COUNT : worst->tier;
    Tier own = v->tier == TIER_NONE ? TIER_COUNT : v->tier;
    return own != tier ? own < tier : v->ratio > worst->ratio;
}

static uint64_t ulps_of(const Ref *ref, double got, double expected)
{
    if (!isfinite(got) || !isfinite(expected))
        return UINT64_MAX;
    return dtype_ulps_between(ref->dtype, got, dtype_round(ref->dtype, expected));
}

void judge_note_worst(Judgement *j, const Ref *ref, size_t i, const ElementVerdict *v, double got)
{
    j->tier = v->tier;
    j->defect = v->defect;
    j->worst = i;
    j->anything = v->anything;
    j->ratio = v->ratio;
    j->got = got;
    j->expected_high = times_power_of_two(ref->high[i], ref->exponent);
    j->expected_low = times_power_of_two(ref->low[i], ref->exponent);
    j->bound = times_power_of_two(v->bound.hard, ref->exponent);
    if (!(ref->classes[i] & CLASS_FINITE))
        j->expected_high = ref->classes[i] & CLASS_NAN                 ? NAN
                           : ref->classes[i] & CLASS_POSITIVE_INFINITY ? INFINITY
                                                                       : -INFINITY;
    j->ulps = ulps_of(ref, got, j->expected_high);
}

/* The output that is judged: what came, and unless NULL which components hold the canary, and which
 * are right by another reference. */
typedef struct Came {
    const double *got;
    const uint8_t *canary, *right;
} Came;

/* What judge_under counts besides. */
typedef struct Counts {
    size_t informative, undecided;
} Counts;

static void judge_elements(Judgement *j, Counts *counts, const Ref *ref, const BoundTable *table,
                           size_t first, size_t end, const Came *came, uint8_t *mask)
{
    size_t components = (size_t)dtype_components(ref->dtype);
    for (size_t i = first; i < end; i++) {
        double got = came->got[i];
        ElementVerdict v = judge_element(table, ref, i, got);
        if (came->right && came->right[i] && v.tier != TIER_NONE)
            v = (ElementVerdict){.informative = true};
        if (came->canary && came->canary[i] && v.tier != TIER_NONE) {
            v.tier = TIER_CONTRACT;
            v.defect = DEFECT_UNWRITTEN;
        }
        counts->informative += v.informative;
        counts->undecided += v.undecided;
        if (v.tier != TIER_NONE && v.tier < TIER_PROBABLE) {
            j->bad += !mask[i / components];
            mask[i / components] = 1;
            picture_count(&j->picture,
                          ulps_of(ref, got, times_power_of_two(ref->high[i], ref->exponent)));
        }
        if (!table->exact[i] && isfinite(v.ratio))
            j->bound_ratio = fmax(j->bound_ratio, v.ratio);
        if (is_worse(&v, j))
            judge_note_worst(j, ref, i, &v, got);
    }
}

/* Of elements that are all right the worst is the first one with the largest ratio. */
static void note_right(Judgement *j, const Ref *ref, const BoundTable *table, const double *got,
                       double most, size_t worst)
{
    j->bound_ratio = fmax(j->bound_ratio, most);
    if (j->tier != TIER_NONE || most <= j->ratio)
        return;
    ElementVerdict v = judge_element(table, ref, worst, got[worst]);
    judge_note_worst(j, ref, worst, &v, got[worst]);
}

/* Runs of which each element is right are judged at once. */
static Judgement judge_under(const Ref *ref, const BoundTable *table, const Came *came,
                             uint8_t *mask)
{
    Counts counts = {0};
    Judgement j = {.model = table->model->name, .total = ref->count, .ratio = -1};
    bool plain = ref->exponent == 0 && !table->model->flush;
    memset(mask, 0, ref->rows * ref->columns);
    for (size_t first = 0; first < ref->count; first += BOUND_RUN) {
        size_t count = ref->count - first < BOUND_RUN ? ref->count - first : BOUND_RUN;
        size_t worst;
        double most;
        if (plain && run_kernels()->judge(table, ref, first, count, came->got, &most, &worst)) {
            counts.informative += count;
            note_right(&j, ref, table, came->got, most, worst);
        } else
            judge_elements(&j, &counts, ref, table, first, first + count, came, mask);
    }
    if (j.ratio < 0)
        j.ratio = 0;
    if (j.tier == TIER_CONTRACT)
        j.kind = VERDICT_CONTRACT;
    else if (j.tier == TIER_PROBABLE || j.tier == TIER_SUSPICIOUS)
        j.kind = VERDICT_SUSPECT;
    else if (j.tier != TIER_NONE)
        j.kind = VERDICT_DIVERGE;
    else if (counts.informative == 0)
        j.kind = VERDICT_VACUOUS;
    else if (counts.undecided > 0)
        j.kind = VERDICT_UNDECIDED;
    return j;
}

static bool is_promised(const Model *models, const char *name)
{
    for (; models->name; models++)
        if (!strcmp(models->name, name))
            return true;
    return false;
}

bool judge_is_promised(const Promise *promise, const char *reading)
{
    return is_promised(promise->models, reading);
}

/* The output that is judged, and room for a mask.  rest is the judgement under the admitted reading
 * that leaves the fewest bad elements, by its name, and unexplained marks what is bad under all of
 * them. */
typedef struct Judged {
    const Came *came;
    uint8_t *mask;
    const Model *promised;
    const Admission *admission;
    Arena *arena;
    uint8_t *unexplained;
    Judgement rest;
    const char *rest_reading;
} Judged;

static bool is_admitted(const Judged *output, const char *reading)
{
    return is_promised(output->promised, reading) ||
           output->admission->admits(output->admission->context, reading);
}

/* Keeps what is bad under an admitted reading too, where less is. */
static void note_rest(Judged *output, const Ref *ref, const Judgement *rejected,
                      const char *reading)
{
    if (rejected->kind != VERDICT_DIVERGE)
        return;
    for (size_t i = 0; i < ref->rows * ref->columns; i++)
        output->unexplained[i] = output->unexplained[i] && output->mask[i];
    if (rejected->bad >= output->rest.bad)
        return;
    output->rest = *rejected;
    output->rest_reading = reading;
    output->rest.pattern = pattern_of(output->mask, ref->rows, ref->columns, rejected->bad);
    picture_draw(&output->rest.picture, output->mask, ref->rows, ref->columns);
}

/* Takes the judgement under a reading, and another one beside it unless that is NULL, of an output
 * that the strictest model rejects: if it passes, it is agreement where the backend's models name
 * the readings, and VERDICT_POLICY where they are admitted.  False otherwise, with the reading
 * noted that nobody admits. */
static bool passes_reading(Judgement *strictest, const Judgement *passed, const Ref *ref,
                           const char *name, const char *beside, Judged *output)
{
    bool promised = is_promised(output->promised, name), admitted = is_admitted(output, name);
    bool beside_promised = !beside || is_promised(output->promised, beside);
    bool beside_admitted = !beside || is_admitted(output, beside);
    const char *departure = name;
    if (verdict_is_finding(passed->kind)) {
        if (admitted && beside_admitted)
            note_rest(output, ref, passed, name);
        return false;
    }
    if (promised && beside_promised)
        *strictest = *passed;
    else if (admitted && beside_admitted) {
        strictest->kind = VERDICT_POLICY;
        departure = promised ? beside : name;
        strictest->reading = departure;
    } else {
        departure = admitted ? beside : name;
        strictest->reading = strictest->reading ? strictest->reading : departure;
        return false;
    }
    strictest->model = departure;
    return true;
}

/* Tries the alternatives of a reference, each under every model of a list, which are readings
 * themselves or what is promised. */
static bool try_alternatives(Judgement *strictest, const Ref *ref, const Model *under,
                             bool readings, Judged *output)
{
    for (const Ref *other = ref->alternative; other; other = other->alternative)
        for (const Model *model = under; model->name; model++) {
            BoundTable table = bound_table(other, model, output->arena);
            Judgement j = judge_under(other, &table, output->came, output->mask);
            if (passes_reading(strictest, &j, other, other->policy, readings ? model->name : NULL,
                               output))
                return true;
        }
    return false;
}

/* Readings, alternatives, and at last alternatives under readings: what departs from two rules is
 * named after the alternative. */
static bool try_readings(Judgement *strictest, const Ref *ref, const Promise *promise,
                         Judged *output)
{
    for (const Model *model = promise->readings; model->name; model++) {
        BoundTable table = bound_table(ref, model, output->arena);
        Judgement j = judge_under(ref, &table, output->came, output->mask);
        if (passes_reading(strictest, &j, ref, model->name, NULL, output))
            return true;
    }
    return try_alternatives(strictest, ref, promise->models, false, output) ||
           try_alternatives(strictest, ref, promise->readings, true, output);
}

/* Elements may depart from rules of their own: all are right where each is under some admitted
 * reading, of which the one that leaves the fewest others names the departure. */
static bool passes_by_elements(Judgement *strictest, const Ref *ref, const Judged *output)
{
    if (!output->rest_reading || memchr(output->unexplained, 1, ref->rows * ref->columns))
        return false;
    strictest->kind = VERDICT_POLICY;
    strictest->model = strictest->reading = output->rest_reading;
    return true;
}

/* The canary of a type of one byte is a number like any other: an element that is wrong by the rule
 * and holds it may be right under a reading.  In wider types no reading makes a canary right. */
static bool may_be_a_reading(const Judgement *strictest, const Ref *ref)
{
    return strictest->kind == VERDICT_DIVERGE ||
           (strictest->kind == VERDICT_CONTRACT && dtype_size(ref->dtype) == 1);
}

/* What all elements show together, where each is admitted. */
static Judgement with_flaw(const Ref *ref, const Judgement *judged)
{
    const Flaw *flaw = &ref->flaw;
    Judgement j = *judged;
    if (!flaw->what)
        return j;
    j.kind = VERDICT_DIVERGE;
    j.tier = TIER_VIOLATION;
    j.defect = DEFECT_VALUE;
    j.pattern = PATTERN_WHOLE;
    j.bad = j.total;
    j.expected_high = flaw->expected;
    j.expected_low = 0;
    j.got = flaw->found;
    j.bound = flaw->bound;
    j.ratio = ratio_of(fabs(flaw->found - flaw->expected), flaw->bound);
    return j;
}

static Judgement judge_came(const Ref *ref, const Promise *promise, const Admission *admission,
                            const BoundTable *known, const Came *came, Arena *arena)
{
    REQUIRE(promise->models && promise->models->name && promise->readings && admission);
    REQUIRE(came->got || ref->count == 0);
    uint8_t *mask = arena_take(arena, ref->rows * ref->columns + 1, 1);
    const Model *models = promise->models;
    Judgement strictest = {.kind = VERDICT_VACUOUS, .model = models->name};
    for (const Model *model = models; model->name; model++) {
        BoundTable table = known && known->model == model ? *known : bound_table(ref, model, arena);
        Judgement j = judge_under(ref, &table, came, mask);
        if (!verdict_is_finding(j.kind))
            return with_flaw(ref, &j);
        if (model == models) {
            strictest = j;
            strictest.pattern = pattern_of(mask, ref->rows, ref->columns, j.bad);
            picture_draw(&strictest.picture, mask, ref->rows, ref->columns);
        }
    }
    uint8_t *unexplained = arena_take(arena, ref->rows * ref->columns + 1, 1);
    memset(unexplained, 1, ref->rows * ref->columns);
    Judged output = {came, mask, models, admission, arena, unexplained, strictest, NULL};
    if (!may_be_a_reading(&strictest, ref) || try_readings(&strictest, ref, promise, &output) ||
        passes_by_elements(&strictest, ref, &output) || strictest.reading)
        return strictest;
    output.rest.model = strictest.model;
    return output.rest;
}

Judgement judge_output(const Ref *ref, const Promise *promise, const Admission *admission,
                       const BoundTable *known, const double *got, const uint8_t *canary,
                       Arena *arena)
{
    return judge_came(ref, promise, admission, known, &(Came){got, canary, NULL}, arena);
}

Judgement judge_rest(const Ref *ref, const Promise *promise, const Admission *admission,
                     const Ref *other, const double *got, const uint8_t *canary, Arena *arena)
{
    REQUIRE(other->count == ref->count);
    uint8_t *right = arena_take(arena, ref->count + 1, 1);
    memset(right, 0, ref->count);
    for (const Model *model = promise->models; model->name; model++) {
        BoundTable table = bound_table(other, model, arena);
        for (size_t i = 0; i < other->count; i++)
            right[i] |= judge_element(&table, other, i, got[i]).tier == TIER_NONE;
    }
    return judge_came(ref, promise, admission, NULL, &(Came){got, canary, right}, arena);
}

bool judge_is_worse(const Judgement *j, const Judgement *than)
{
    bool finding = verdict_is_finding(j->kind), other = verdict_is_finding(than->kind);
    if (finding != other)
        return finding;
    if (finding)
        return j->tier < than->tier;
    return than->kind == VERDICT_VACUOUS || (j->kind == VERDICT_AGREE && j->ratio > than->ratio);
}

void judge_blame_rest(const Judgement *again, Judgement *judgement)
{
    const char *model = judgement->model;
    if (again->kind != VERDICT_DIVERGE || again->bad >= judgement->bad)
        return;
    *judgement = *again;
    judgement->model = model;
}
