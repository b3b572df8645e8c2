/* The numbers of the lemma in bound.h: one rule for a tensor under a model, then a bound for each
 * element.  Every operation rounds upward (reference/mag.h). */
#include "bound.h"

#include <math.h>
#include <string.h>

#include "bound_rows.h"
#include "reference/mag.h"
#include "reference/product_kernel.h"
#include "reference/reduce.h"

/* How much larger the magnitudes of a split factor's parts are together than the factor, exactly.
 */
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
    uint32_t terms = 0;
    for (size_t i = 0; i < ref->count; i++)
        terms = ref->terms[i] > terms ? ref->terms[i] : terms;
    return bound_rule_of_terms(ref, model, terms);
}

BoundRule bound_rule_of_terms(const Ref *ref, const Model *model, uint32_t terms)
{
    REQUIRE((model->step == 0 || model->kept > 0) && model->slice >= 0);
    const Format *output = dtype_format(ref->dtype), *format = dtype_format(ref->accumulator);
    double nodes = 2 * ((double)terms + 1) * ((double)ref->count + 1);
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
        .factor_step = model->flush_factors ? format->smallest_normal : 0,
        .step_per_term = model->flush ? ldexp(format->smallest_normal, -ref->exponent) : 0,
        .sign_factor = sqrt(2 * log(nodes / 1e-9)),
        .limit = ldexp(output->largest, -ref->exponent),
        .alpha_factored = model->alpha_factored,
        /* Transforms are not computed in half precision. */
        .transforms = model->transforms && ref->spectrum && format->unit <= 0x1p-24,
    };
}

/* Half a smallest subnormal for each rounding that may underflow.  In binary64 that is no number:
 * the count is halved instead, and rounded up. */
static double underflow_bound(const BoundRule *rule, const Ref *ref, size_t i)
{
    double count = ref->underflow[i], halves = count / 2;
    if (rule->products > 1)
        halves = mul_up(count, rule->products) / 2;
    if (rule->underflow_step == 0x1p-1074)
        halves = ceil(halves);
    /* Where none is flushed, the sum of large factors may be infinite. */
    double of_factors = rule->factor_step > 0 ? mul_up(rule->factor_step, ref->factors[i]) : 0;
    double lost = add_up(halves * rule->underflow_step, of_factors);
    /* Products with a power of two, which are exact. */
    return add_up(lost, rule->step_per_term * ref->terms[i]);
}

/* What underflow loses beside a bound: 0 where it is less than half a unit in the last place of
 * that, so that a sum of both is the bound.  Processors take a hundred times as long for arithmetic
 * with subnormal numbers. */
static double underflow_beside(const BoundRule *rule, const Ref *ref, size_t i, double bound)
{
    bool is_lost = bound > 0x1p-900 && ref->underflow[i] < 0x1p40 && rule->products < 0x1p10 &&
                   rule->underflow_step < 0x1p-1060 && rule->factor_step == 0 &&
                   rule->step_per_term == 0;
    return is_lost ? 0 : underflow_bound(rule, ref, i);
}

/* alpha (A B + (beta / alpha) C) in each block of the depth: one quotient and two products beyond
 * the plain sum, 1 u each for real types; for complex ones at most 5 u (Baudin and Smith, 2012) and
 * 2 sqrt 2 u each, and both parts of C take part. */
static double factored_leaves(const Ref *ref, size_t i)
{
    double blocks = ceil(ref->terms[i] / (double)DEPTH_BLOCK_SMALLEST);
    double own = add_up(ref->magnitude[i], ref->addend[i]);
    if (dtype_components(ref->dtype) == 1)
        return mul_up(3 * blocks, own);
    return mul_up(12 * blocks, add_up(own, add_up(ref->magnitude[i ^ 1], ref->addend[i ^ 1])));
}

/* The sum of the local errors of a tree of additions, as a multiple of M + D (the lemma in
 * bound.h). */
static double node_errors(const BoundRule *rule, const Ref *ref, double count)
{
    double terms = count * rule->products, cut = 2 * rule->unit;
    if (!rule->step)
        return mul_up(terms > 1 ? terms - 1 : 0, rule->unit);
    double steps = terms;
    if (ref->depth > 0)
        steps = fmin(terms, ceil(rule->products * (double)ref->depth / rule->step));
    return add_up(add_up(mul_up(terms, rule->kept), mul_up(steps, add_up(rule->kept, cut))),
                  mul_up(steps + 1, cut));
}

/* At least the magnitude of the exact value. */
static double value_size(const Ref *ref, size_t i)
{
    return add_up(add_up(fabs(ref->high[i]), fabs(ref->low[i])), ref->error[i]);
}

/* (leaves + nodes middle) / slack; infinite where slack, a lower bound, is not positive.  Where no
 * node errs middle, which is infinite beside the end of the range, does not count. */
static double lemma(double leaves, double nodes, double middle, double slack)
{
    double errors = nodes > 0 ? mul_up(nodes, middle) : 0;
    return slack > 0 ? div_up(add_up(leaves, errors), slack) : INFINITY;
}

/* The error of one rounding to the output type, of a result within `hard` of a value of this size.
 */
static double narrowing_error(const BoundRule *rule, double value, double hard)
{
    return add_up(mul_up(rule->output_unit, add_up(value, hard)), mul_up(rule->output_step, 0.5));
}

/* The lemma for a sum of products whose size is known, on a matrix unit; 0 where there is none. */
static double bound_on_unit(const BoundRule *rule, const Ref *ref, size_t i)
{
    if (!rule->step || !ref->sizes)
        return 0;
    double nodes = node_errors(rule, ref, ref->counts[i]), size = ref->sizes[i];
    double middle = add_up(size, value_size(ref, i)) / 2, leaves = mul_up(rule->unit, size);
    return lemma(leaves, nodes, middle, sub_down(1, nodes));
}

/* The bound in the accumulator's type under RULE_RELATIVE and RULE_SOLVE. */
static double bound_single(const BoundRule *rule, const Ref *ref, size_t i)
{
    double u = rule->unit, m = ref->terms[i], slack = sub_down(1, mul_up(m + 3, u));
    double addend = mul_up(rule->addend_leaf, ref->addend[i]);
    double bound = rule->kind == RULE_RELATIVE
                       ? fmax(mul_up(u, ref->magnitude[i]), bound_on_unit(rule, ref, i))
                       : lemma(addend, mul_up(m + 2, u), ref->magnitude[i], slack);
    return add_up(bound, underflow_beside(rule, ref, i, bound));
}

/* The bound of a sum whose slices were rounded to the output's type: with D the bound of one that
 * was not, D' <= D + u (S + s D) + s u (M + D'). */
static double sliced_bound(const BoundRule *rule, const Ref *ref, double hard, double middle,
                           size_t i)
{
    double slices = rule->slices, u = rule->output_unit, slack = sub_down(1, mul_up(slices, u));
    double products = add_up(ref->magnitude[i], ref->addend[i]);
    double rounded = add_up(products, mul_up(slices, add_up(hard, middle)));
    return lemma(add_up(hard, mul_up(slices, rule->output_step)), u, rounded, slack);
}

static Bound bound_of_all(double hard)
{
    return (Bound){hard, hard, hard};
}

/* The rules other than RULE_REDUCTION, whose bounds are all hard. */
static Bound bound_unsummed(const BoundRule *rule, const Ref *ref, size_t i)
{
    double hard = bound_single(rule, ref, i);
    if (rule->transforms)
        hard = add_up(hard, mul_up(rule->unit, ref->spectrum[i]));
    if (!rule->narrowed)
        return bound_of_all(hard);
    /* A reference that asks for an exact match holds a value that is already rounded to the output:
     * the kernel's own rounding comes on top of that one. */
    int roundings = ref->match[i] == MATCH_BOUND ? 1 : 2;
    return bound_of_all(add_up(hard, roundings * narrowing_error(rule, value_size(ref, i), hard)));
}

/* Lowers the statistical bounds of a sum, all of whose bounds are hard so far. */
static void bound_statistically(Bound *bound, const BoundRule *rule, const Ref *ref, size_t i,
                                double leaves, double nodes, double slack)
{
    enum { RELATIVE_ROUNDINGS = 8 }; /* of a square, beside those of the sum */
    double u = rule->unit, m = ref->terms[i], addend = ref->addend[i];
    double value = value_size(ref, i);
    double square = formula_up(ref->square[i], RELATIVE_ROUNDINGS + (int)fmin(m, 0x1p19));
    if (ref->signs_drawn) {
        double reach = add_up(mul_up(rule->sign_factor, sqrt_up(square)), addend);
        double signs = lemma(leaves, nodes, reach, slack);
        signs = add_up(signs, underflow_beside(rule, ref, i, signs));
        bound->signs = fmin(bound->hard, signs);
    }
    double variance = ((rule->leaf / u) * square + (rule->addend_leaf / u) * addend * addend +
                       m / 2 * (square + addend * addend) + m / 3 * value * value) /
                      3;
    double typical = 8 * u * sqrt(variance);
    bound->typical = fmin(bound->hard, typical + underflow_beside(rule, ref, i, typical));
}

Bound bound_element(const BoundRule *rule, const Ref *ref, size_t i)
{
    REQUIRE(i < ref->count);
    if (rule->kind != RULE_REDUCTION)
        return bound_unsummed(rule, ref, i);
    double m = ref->terms[i] * rule->products, addend = ref->addend[i];
    double products = mul_up(ref->magnitude[i], rule->growth), value = value_size(ref, i);
    double middle = add_up(add_up(products, addend), value) / 2;
    double nodes = node_errors(rule, ref, ref->terms[i]);
    double slack = sub_down(1, fmax(mul_up(m + 3, rule->unit), nodes));
    double leaves = add_up(mul_up(rule->leaf, products), mul_up(rule->addend_leaf, addend));
    if (rule->alpha_factored)
        leaves = add_up(leaves, mul_up(factored_leaves(ref, i), rule->unit));
    double summed = lemma(leaves, nodes, middle, slack);
    double size = add_up(products, addend);
    double compensated = rule->step || ref->depth == 2 ? 0 : compensated_error(m, size, rule->unit);
    summed = fmax(summed, lemma(add_up(leaves, compensated), 0, middle, slack));
    double hard = add_up(summed, underflow_beside(rule, ref, i, summed));
    if (rule->narrowed && rule->slices > 1)
        hard = sliced_bound(rule, ref, hard, middle, i);
    if (rule->narrowed)
        hard = add_up(hard, narrowing_error(rule, value, hard));
    Bound bound = bound_of_all(hard);
    bool drawn = ref->square && !rule->narrowed && !rule->step && rule->products == 1;
    /* Squares near the end of the range may have underflowed. */
    if (drawn && slack > 0 && ref->square[i] > 0x1p-900)
        bound_statistically(&bound, rule, ref, i, leaves, nodes, slack);
    return bound;
}

static double growth_of(const BoundRule *rule, const Ref *ref, size_t i)
{
    double terms = ref->terms[i] * rule->products;
    double nodes = rule->step ? node_errors(rule, ref, ref->terms[i]) : 0;
    double relative = add_up(mul_up(terms + 2, rule->unit), nodes);
    return mul_up(rule->growth, add_up(1, 2 * relative));
}

/* In small units the limit itself may be infinite, and a value that is not finite is beyond it. */
static bool within(double value, double limit)
{
    return value <= limit && value < INFINITY;
}

bool bound_in_range(const BoundRule *rule, const Ref *ref, size_t i)
{
    if (rule->kind != RULE_REDUCTION)
        return true;
    double growth = growth_of(rule, ref, i), total = add_up(ref->magnitude[i], ref->addend[i]);
    return within(mul_up(total, growth), rule->limit) &&
           within(mul_up(ref->middle[i], growth), rule->limit);
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
    if (classes == CLASS_ANY || bound_in_range(rule, ref, i))
        return classes;
    double total = add_up(ref->magnitude[i], ref->addend[i]), value = ref->high[i];
    double growth = growth_of(rule, ref, i);
    double upper = mul_up(add_up(add_up(total, value) / 2, ref->error[i]), growth);
    double lower = mul_up(add_up(add_up(total, -value) / 2, ref->error[i]), growth);
    unsigned reached = classes;
    if (!within(upper, rule->limit))
        reached |= CLASS_POSITIVE_INFINITY;
    if (!within(lower, rule->limit))
        reached |= CLASS_NEGATIVE_INFINITY;
    if ((reached & CLASS_POSITIVE_INFINITY) && (reached & CLASS_NEGATIVE_INFINITY))
        reached |= CLASS_NAN;
    if (!within(mul_up(ref->middle[i], growth), rule->limit))
        reached =
            CLASS_ANY & (reached | CLASS_NAN | CLASS_POSITIVE_INFINITY | CLASS_NEGATIVE_INFINITY);
    if (sub_down(fabs(value), hard) > mul_up(rule->limit, 1 + rule->unit))
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

/* False where Fourier transforms may give anything: a transform, which adds up all elements before
 * it divides, may overflow, or the result is near the end of the range. */
static bool is_in_spectrum(const BoundRule *rule, const Ref *ref, size_t i, double hard)
{
    return ref->classes[i] == CLASS_FINITE &&
           ref->spectrum[i] * 0x1p40 < dtype_format(ref->accumulator)->largest &&
           within(fabs(ref->high[i]) + hard, rule->limit);
}

static const Bound no_bound = {0, 0, 0};

/* The entries of one element, whose bounds are these unless they are NULL. */
static void put_bound(BoundTable *table, const BoundRule *rule, const Ref *ref, size_t i,
                      const Bound *known)
{
    const Model *model = table->model;
    bool finite = model_classes(ref, i, model) == CLASS_FINITE && bound_in_range(rule, ref, i);
    table->exact[i] =
        ref->match[i] == MATCH_SET ||
        (ref->match[i] != MATCH_BOUND && finite &&
         (!model->flush || dtype_is_integer(ref->dtype)) && !loses_integers(rule, model, ref));
    table->classes[i] = CLASS_FINITE;
    if (ref->match[i] == MATCH_SET)
        table->classes[i] = (uint8_t)model_classes(ref, i, model);
    if (table->exact[i]) {
        table->bounds[i] = no_bound;
        return;
    }
    table->bounds[i] = known ? *known : bound_element(rule, ref, i);
    if (!finite)
        table->classes[i] = (uint8_t)bound_classes(rule, ref, i, model, table->bounds[i].hard);
    if (rule->transforms && !is_in_spectrum(rule, ref, i, table->bounds[i].hard)) {
        table->classes[i] = CLASS_ANY;
        table->bounds[i] = bound_of_all(INFINITY);
    }
}

bool bound_rule_is_plain(const BoundRule *rule, const Ref *ref, const Model *model)
{
    bool ieee = !rule->step && rule->products == 1 && rule->growth == 1 && !rule->alpha_factored &&
                !rule->transforms && !(rule->narrowed && rule->slices > 1) && !model->flush &&
                rule->factor_step == 0 && rule->step_per_term == 0;
    bool normal = !rule->narrowed || rule->output_step == 0 || rule->output_step > 0x1p-1000;
    return rule->kind == RULE_REDUCTION && ieee && normal && rule->unit > 0 &&
           !dtype_is_integer(ref->dtype);
}

const RunKernels *run_kernels(void)
{
    static const RunKernels *const kernels[] = {
        &run_kernels_baseline,
#if defined(__x86_64__)
        &run_kernels_avx2,
        &run_kernels_avx512
#endif
    };
    return kernels[product_kernels()->level];
}

/* The same for a run of elements under a plain rule. */
static void put_run(BoundTable *table, const BoundRule *rule, const Ref *ref, size_t first,
                    size_t count)
{
    uint8_t odd[BOUND_RUN];
    run_kernels()->bound(rule, ref, first, count, table->bounds + first, odd);
    memset(table->classes + first, CLASS_FINITE, count);
    for (size_t i = first; i < first + count; i++) {
        Bound known = table->bounds[i];
        table->exact[i] = ref->match[i] != MATCH_BOUND;
        if (odd[i - first] != RUN_PLAIN)
            put_bound(table, rule, ref, i, odd[i - first] == RUN_ODD ? NULL : &known);
        else if (table->exact[i])
            table->bounds[i] = no_bound;
    }
}

BoundTable bound_table_room(const Ref *ref, const Model *model, Arena *arena)
{
    REQUIRE(strlen(model->name) < MODEL_NAME_BYTES);
    return (BoundTable){
        .model = model,
        .bounds = arena_take(arena, ref->count + 1, sizeof(Bound)),
        .classes = arena_take(arena, ref->count + 1, 1),
        .exact = arena_take(arena, ref->count + 1, 1),
    };
}

void bound_table_fill(BoundTable *table, const Ref *ref)
{
    BoundRule rule = bound_rule(ref, table->model);
    bool plain = bound_rule_is_plain(&rule, ref, table->model);
    for (size_t i = 0; plain && i < ref->count; i += BOUND_RUN)
        put_run(table, &rule, ref, i, ref->count - i < BOUND_RUN ? ref->count - i : BOUND_RUN);
    for (size_t i = 0; !plain && i < ref->count; i++)
        put_bound(table, &rule, ref, i, NULL);
}

void bound_table_put(BoundTable *table, const BoundRule *rule, const Ref *ref, size_t i)
{
    put_bound(table, rule, ref, i, NULL);
}

BoundTable bound_table(const Ref *ref, const Model *model, Arena *arena)
{
    BoundTable table = bound_table_room(ref, model, arena);
    bound_table_fill(&table, ref);
    return table;
}
