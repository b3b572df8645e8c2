/* The reduction lemma in numbers; every operation that could round down is inflated. */
#include "bound.h"

#include <math.h>

const Model models_ieee[] = {{.name = "ieee"}, {.name = NULL}};
const Model models_absolute[] = {{.name = "ieee"}, {.name = "absolute-accuracy"}, {.name = NULL}};
const Model models_faithful[] = {{.name = "ieee"}, {.name = "faithful-rounding"}, {.name = NULL}};
const Model models_flushing[] = {{.name = "ieee"},
                                 {.name = "flush", .flush = true},
                                 {.name = "absolute-accuracy", .flush = true},
                                 {.name = NULL}};
const Model models_clamping_readings[] = {
    {.name = "nan-clamped", .flush = true, .nan_clamped = true},
    {.name = "zero-fill", .flush = true, .zero_fill = true, .nan_clamped = true},
    {.name = NULL},
};
const Model models_readings[] = {
    {.name = "zero-skip", .zero_skip = true},
    {.name = "zero-fill", .zero_fill = true},
    {.name = NULL},
};
const Model models_flush_readings[] = {
    {.name = "zero-fill", .zero_fill = true},
    {.name = "flush", .flush = true},
    {.name = NULL},
};
const Model models_wide_readings[] = {
    {.name = "zero-skip", .zero_skip = true},
    {.name = "zero-fill", .zero_fill = true},
    {.name = "alpha-factored", .alpha_factored = true},
    {.name = "flush", .flush = true},
    {.name = NULL},
};

const InputReading readings_flushed[] = {{.name = "flush", .flush = true}, {.name = NULL}};
const InputReading readings_tf32[] = {{.name = "tf32", .precision = 11},
                                      {.name = "tf32 cut", .precision = 11, .cut = true},
                                      {.name = NULL}};
const InputReading readings_bf16[] = {{.name = "bf16", .precision = 8},
                                      {.name = "bf16 cut", .precision = 8, .cut = true},
                                      {.name = "tf32", .precision = 11},
                                      {.name = "tf32 cut", .precision = 11, .cut = true},
                                      {.name = NULL}};

/* Covers the roundings of the bound's own arithmetic. */
static const double INFLATION = 1 + 0x1p-40;

/* Of the magnitudes of a factor's parts. */
static const double SPLIT_GROWTH = 1 + 2 * 0x1p-8 + 2 * 0x1p-16;

enum { DEPTH_BLOCK_SMALLEST = 64 };

/* True where the model has a matrix unit for factors as short as these. */
static bool takes_factors(const Model *model, const Ref *ref)
{
    return model->step && ref->factor_bits && ref->factor_bits <= model->factor_bits;
}

/* True where the model splits factors of this type. */
static bool splits_factors(const Model *model, const Ref *ref)
{
    enum { SINGLE_BITS = 24, HALF_BITS = 11 };
    return model->split && ref->factor_bits > HALF_BITS && ref->factor_bits <= SINGLE_BITS;
}

BoundRule bound_rule(const Ref *ref, const Model *model)
{
    const Format *output = dtype_format(ref->dtype), *format = dtype_format(ref->accumulator);
    double terms = 0;
    for (size_t i = 0; i < ref->count; i++)
        terms = fmax(terms, ref->terms[i]);
    double nodes = 2 * (terms + 1) * ((double)ref->count + 1);
    bool split = splits_factors(model, ref), unit = takes_factors(model, ref);
    unit = unit || (split && model->step);
    double underflow = model->flush ? 2 * format->smallest_normal : format->smallest_subnormal;
    return (BoundRule){
        .kind = ref->rule,
        .step = unit ? model->step : 0,
        .kept = unit ? ldexp(1, -model->kept) : 0,
        .products = split ? model->split * model->split : 1,
        .growth = split ? SPLIT_GROWTH * SPLIT_GROWTH : 1,
        .slices = model->slice ? floor((double)ref->depth / model->slice) : 0,
        .narrowed = ref->dtype != ref->accumulator,
        .unit = format->unit,
        .output_unit = output->unit,
        .output_step = ldexp(output->smallest_subnormal, -ref->exponent),
        .leaf = (1 + ref->scale_roundings) * format->unit,
        .addend_leaf = ref->addend_roundings * format->unit,
        /* Each product, sum so far and result may lose a whole step of a subnormal number. */
        .underflow_step = unit ? 8 * underflow : underflow,
        .step_per_term = model->flush ? ldexp(format->smallest_normal, -ref->exponent) : 0,
        .sign_factor = sqrt(2 * log(nodes / 1e-9)),
        .limit = ldexp(output->largest, -ref->exponent),
        .alpha_factored = model->alpha_factored,
        /* They are never of half precision. */
        .transforms = model->transforms && ref->spectrum && format->unit <= 0x1p-24,
    };
}

/* Half a step for each; half the smallest subnormal of binary64 is no number, so the count is
 * halved instead, upward. */
static double underflow_bound(const BoundRule *rule, const Ref *ref, size_t i)
{
    double halves = ref->underflow[i] * rule->products / 2;
    if (rule->underflow_step == 0x1p-1074)
        halves = ceil(halves);
    return halves * rule->underflow_step + rule->step_per_term * ref->terms[i];
}

/* alpha (A B + (beta / alpha) C) in each block of the depth: one quotient and two products beyond
 * the plain sum, 1 u each for real types; for complex ones at most 5 u (Baudin and Smith, 2012) and
 * 2 sqrt 2 u each, and both parts of C take part. */
static double factored_leaves(const Ref *ref, size_t i)
{
    double blocks = ceil(ref->terms[i] / (double)DEPTH_BLOCK_SMALLEST);
    double own = ref->magnitude[i] + ref->addend[i];
    if (dtype_components(ref->dtype) == 1)
        return 3 * blocks * own;
    return 12 * blocks * (own + ref->magnitude[i ^ 1] + ref->addend[i ^ 1]);
}

/* What the local errors of a tree of additions amount to, in units of M + D (the lemma in bound.h).
 */
static double node_errors(const BoundRule *rule, const Ref *ref, double count)
{
    double terms = count * rule->products, cut = 2 * rule->unit;
    if (!rule->step)
        return (terms > 1 ? terms - 1 : 0) * rule->unit;
    double steps = terms;
    if (ref->depth > 0)
        steps = fmin(terms, ceil(rule->products * (double)ref->depth / rule->step));
    return terms * rule->kept + steps * (rule->kept + cut) + (steps + 1) * cut;
}

/* The lemma for a sum of products whose size is known, on a matrix unit; 0 where there is none. */
static double bound_on_unit(const BoundRule *rule, const Ref *ref, size_t i)
{
    if (!rule->step || !ref->sizes)
        return 0;
    double nodes = node_errors(rule, ref, ref->counts[i]), size = ref->sizes[i];
    double middle = (size + fabs(ref->high[i]) + ref->error[i]) / 2, leaves = rule->unit * size;
    return nodes < 1 ? (leaves + nodes * middle) / (1 - nodes) * INFLATION : INFINITY;
}

/* The rules that have one hard bound and no statistics. */
static double bound_single(const BoundRule *rule, const Ref *ref, size_t i)
{
    double u = rule->unit, m = ref->terms[i], slack = 1 - (m + 3) * u;
    double underflow = underflow_bound(rule, ref, i);
    if (rule->kind == RULE_RELATIVE)
        return fmax(u * ref->magnitude[i] * INFLATION, bound_on_unit(rule, ref, i)) + underflow;
    if (!(slack > 0))
        return INFINITY;
    double sum = (m + 2) * u * ref->magnitude[i] + rule->addend_leaf * ref->addend[i];
    return sum / slack * INFLATION + underflow;
}

/* The bound of a sum whose slices were rounded to the output's type: with D the bound of one that
 * was not, D' <= D + u (S + s D) + s u (M + D'). */
static double sliced_bound(const BoundRule *rule, const Ref *ref, double hard, double middle,
                           size_t i)
{
    double slices = rule->slices, u = rule->output_unit, slack = 1 - slices * u;
    double products = ref->magnitude[i] + ref->addend[i];
    if (!(slack > 0))
        return INFINITY;
    return (hard + u * (products + slices * (hard + middle)) + slices * rule->output_step) / slack *
           INFLATION;
}

Bound bound_element(const BoundRule *rule, const Ref *ref, size_t i)
{
    if (rule->kind != RULE_REDUCTION) {
        double hard = bound_single(rule, ref, i);
        if (rule->transforms)
            hard += rule->unit * ref->spectrum[i] * INFLATION;
        /* What is exact otherwise is known as rounded once already. */
        int roundings = ref->match[i] == MATCH_BOUND ? 1 : 2;
        if (rule->narrowed)
            hard += roundings *
                    (rule->output_unit * (fabs(ref->high[i]) + ref->error[i] + hard) +
                     rule->output_step / 2) *
                    INFLATION;
        return (Bound){hard, hard, hard};
    }
    double u = rule->unit, m = ref->terms[i] * rule->products, addend = ref->addend[i];
    double products = ref->magnitude[i] * rule->growth;
    double value = fabs(ref->high[i]) * (1 + 0x1p-50) + ref->error[i];
    double middle = (products + addend + value) / 2, nodes = node_errors(rule, ref, ref->terms[i]);
    double slack = 1 - fmax((m + 3) * u, nodes), underflow = underflow_bound(rule, ref, i);
    double leaves = rule->leaf * products + rule->addend_leaf * addend;
    if (rule->alpha_factored)
        leaves += factored_leaves(ref, i) * u;
    if (!(slack > 0))
        return (Bound){INFINITY, INFINITY, INFINITY};
    Bound bound;
    bound.hard = (leaves + nodes * middle) / slack * INFLATION + underflow;
    if (rule->narrowed && rule->slices > 1)
        bound.hard = sliced_bound(rule, ref, bound.hard, middle, i);
    if (rule->narrowed)
        bound.hard +=
            (rule->output_unit * (value + bound.hard) + rule->output_step / 2) * INFLATION;
    bound.signs = bound.typical = bound.hard;
    if (!ref->square || rule->narrowed || rule->step || rule->products > 1)
        return bound;
    double square = ref->square[i];
    /* Squares near the end of the range may have underflowed. */
    if (!(square > 0x1p-900))
        return bound;
    if (ref->signs_drawn) {
        double reach = rule->sign_factor * sqrt(square) + addend;
        bound.signs = (leaves + nodes * reach) / slack * INFLATION + underflow;
    }
    double variance = ((rule->leaf / u) * square + (rule->addend_leaf / u) * addend * addend +
                       m / 2 * (square + addend * addend) + m / 3 * value * value) /
                      3;
    bound.typical = 8 * u * sqrt(variance) + underflow;
    bound.signs = fmin(bound.signs, bound.hard);
    bound.typical = fmin(bound.typical, bound.hard);
    return bound;
}

static double growth_of(const BoundRule *rule, const Ref *ref, size_t i)
{
    double terms = ref->terms[i] * rule->products;
    return rule->growth * (1 + 2 * ((terms + 2.0) * rule->unit +
                                    (rule->step ? node_errors(rule, ref, ref->terms[i]) : 0)));
}

/* In small units the limit itself may be infinite, and a value that is not finite is beyond it. */
static bool within(double value, double limit)
{
    return value <= limit && value < INFINITY;
}

bool bound_in_range(const BoundRule *rule, const Ref *ref, size_t i)
{
    double growth = growth_of(rule, ref, i), total = ref->magnitude[i] + ref->addend[i];
    if (rule->kind != RULE_REDUCTION)
        return true;
    return within(total * growth, rule->limit) && within(ref->middle[i] * growth, rule->limit);
}

static unsigned model_classes(const Ref *ref, size_t i, const Model *model)
{
    unsigned classes = ref->classes[i] | (model->zero_skip ? ref->classes_skipping[i] : 0u) |
                       (model->zero_fill ? ref->classes_filling[i] : 0u);
    return classes | (model->nan_clamped && (classes & CLASS_NAN) ? CLASS_INFINITE : 0u);
}

unsigned bound_classes(const BoundRule *rule, const Ref *ref, size_t i, const Model *model,
                       double hard)
{
    unsigned classes = model_classes(ref, i, model);
    double total = ref->magnitude[i] + ref->addend[i], value = ref->high[i];
    double growth = growth_of(rule, ref, i);
    double upper = ((total + value) / 2 + ref->error[i]) * growth;
    double lower = ((total - value) / 2 + ref->error[i]) * growth;
    if (bound_in_range(rule, ref, i))
        return classes;
    unsigned reached = classes;
    if (!within(upper, rule->limit))
        reached |= CLASS_POSITIVE_INFINITY;
    if (!within(lower, rule->limit))
        reached |= CLASS_NEGATIVE_INFINITY;
    if ((reached & CLASS_POSITIVE_INFINITY) && (reached & CLASS_NEGATIVE_INFINITY))
        reached |= CLASS_NAN;
    if (!within(ref->middle[i] * growth, rule->limit))
        reached =
            CLASS_ANY & (reached | CLASS_NAN | CLASS_POSITIVE_INFINITY | CLASS_NEGATIVE_INFINITY);
    if (fabs(value) - hard > rule->limit * (1 + rule->unit))
        reached &= ~(unsigned)CLASS_FINITE;
    return reached;
}

/* True when the matrix unit keeps fewer bits of a sum than its type has, slices are rounded, or
 * parts of factors are larger than they. */
static bool loses_integers(const BoundRule *rule, const Model *model, const Ref *ref)
{
    if ((rule->narrowed && rule->slices > 1) || rule->products > 1 || rule->transforms)
        return true;
    return takes_factors(model, ref) && model->kept < dtype_format(ref->accumulator)->precision - 1;
}

/* Nothing is said of a result by transforms where one of them, whose elements are added up before
 * they are divided, may overflow, or where the result is near the end of the range. */
static bool is_in_spectrum(const BoundRule *rule, const Ref *ref, size_t i, double hard)
{
    return ref->classes[i] == CLASS_FINITE &&
           ref->spectrum[i] * 0x1p40 < dtype_format(ref->accumulator)->largest &&
           within(fabs(ref->high[i]) + hard, rule->limit);
}

BoundTable bound_table(const Ref *ref, const Model *model, Arena *arena)
{
    BoundRule rule = bound_rule(ref, model);
    BoundTable table = {
        .model = model,
        .bounds = arena_take(arena, ref->count + 1, sizeof(Bound)),
        .classes = arena_take(arena, ref->count + 1, 1),
        .exact = arena_take(arena, ref->count + 1, 1),
    };
    for (size_t i = 0; i < ref->count; i++) {
        bool finite = model_classes(ref, i, model) == CLASS_FINITE && bound_in_range(&rule, ref, i);
        table.exact[i] =
            ref->match[i] == MATCH_SET || (ref->match[i] != MATCH_BOUND && finite &&
                                           !model->flush && !loses_integers(&rule, model, ref));
        table.classes[i] = CLASS_FINITE;
        if (ref->match[i] == MATCH_SET)
            table.classes[i] = (uint8_t)model_classes(ref, i, model);
        table.bounds[i] = (Bound){0, 0, 0};
        if (table.exact[i])
            continue;
        table.bounds[i] = bound_element(&rule, ref, i);
        table.classes[i] = (uint8_t)bound_classes(&rule, ref, i, model, table.bounds[i].hard);
        if (rule.transforms && !is_in_spectrum(&rule, ref, i, table.bounds[i].hard)) {
            table.classes[i] = CLASS_ANY;
            table.bounds[i] = (Bound){INFINITY, INFINITY, INFINITY};
        }
    }
    return table;
}
