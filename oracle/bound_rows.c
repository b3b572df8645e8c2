/* The loops of one run of elements.  REFERENCE_ISA names this compilation; bound.c says what is
 * computed. */
#include "bound_rows.h"

#include <math.h>

#include "reference/isa.h"

static const double UP = 1 + 0x1p-52, DOWN = 1 - 0x1p-53, LEAST = 0x1p-1022;

/* What the stages hand on. */
typedef struct Run {
    double terms[BOUND_RUN], value[BOUND_RUN], slack[BOUND_RUN], nodes[BOUND_RUN];
    double leaves[BOUND_RUN], hard[BOUND_RUN], signs[BOUND_RUN], typical[BOUND_RUN];
    uint64_t odd[BOUND_RUN], special[BOUND_RUN];
} Run;

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

static inline double lesser(double x, double y)
{
    return x < y ? x : y;
}

/* A product, rounded up, of numbers that are not 0 or infinite unless it is; else odd is set. */
static inline double product_up(double x, double y, uint64_t *odd)
{
    double z = x * y;
    *odd |= (uint64_t)(z < LEAST) & (uint64_t)(x != 0) & (uint64_t)(y != 0);
    return z * UP;
}

/* lemma of bound.c for a positive slack. */
static inline double lemma_up(double leaves, double nodes, double middle, double slack,
                              uint64_t *odd)
{
    double errors = nodes > 0 ? nodes * middle : 0;
    *odd |= (uint64_t)(errors < LEAST) & (uint64_t)(nodes > 0) & (uint64_t)(middle != 0);
    double sum = (leaves + errors * UP) * UP, z = sum / slack;
    *odd |= (uint64_t)(z < LEAST) & (uint64_t)(sum != 0);
    return z * UP;
}

/* underflow_beside of bound.c: steps below 2^-1060 are lost beside a bound, or so many that half of
 * them are a normal number and whole. */
static inline double beside(const BoundRule *rule, double underflow, double bound, uint64_t *odd)
{
    bool lost = (rule->underflow_step < 0x1p-1060) & (bound > 0x1p-900) & (underflow < 0x1p40);
    double halves = lost ? 0 : underflow / 2;
    *odd |= (uint64_t)(rule->underflow_step < 0x1p-1060) & (uint64_t)!lost &
            (uint64_t)(underflow < 0x1p54);
    return (halves * rule->underflow_step * UP) * UP;
}

/* Whether sums or what lies beside them may overflow. */
static void check_range(Run *run, const BoundRule *rule, const Ref *ref, size_t first, size_t count)
{
    const double *magnitude = ref->magnitude + first, *addend = ref->addend + first;
    const double *middle = ref->middle + first;
    for (size_t i = 0; i < count; i++) {
        double relative = ((run->terms[i] + 2) * rule->unit * UP) * UP;
        double growth = ((1 + 2 * relative) * UP) * UP;
        double total = ((magnitude[i] + addend[i]) * UP) * growth * UP;
        double beside_sum = middle[i] * growth * UP;
        bool within = (total <= rule->limit) & (total < INFINITY) & (beside_sum <= rule->limit) &
                      (beside_sum < INFINITY);
        run->special[i] |= (uint64_t)!within;
    }
}

static void bound_sums(Run *run, const BoundRule *rule, const Ref *ref, size_t first, size_t count)
{
    double u = rule->unit, compensates = ref->depth == 2 ? 0 : 1;
    const double *high = ref->high + first, *low = ref->low + first, *error = ref->error + first;
    const double *underflow = ref->underflow + first;
    const double *magnitude = ref->magnitude + first, *addends = ref->addend + first;
    for (size_t i = 0; i < count; i++) {
        uint64_t odd = run->odd[i];
        double m = run->terms[i], addend = addends[i];
        double products = product_up(magnitude[i], 1, &odd), size = (products + addend) * UP;
        double value = ((fabs(high[i]) + fabs(low[i])) * UP + error[i]) * UP;
        double middle = (size + value) * UP / 2;
        double nodes = (m > 1 ? m - 1 : 0) * u * UP;
        double slack = (1 - larger((m + 3) * u * UP, nodes)) * DOWN;
        odd |= (uint64_t) !(slack > 0);
        double leaves =
            (product_up(rule->leaf, products, &odd) + product_up(rule->addend_leaf, addend, &odd)) *
            UP;
        double summed = lemma_up(leaves, nodes, middle, slack, &odd);
        double factor = (2 * u + 8 * m * (u * u) * UP) * UP;
        double compensated = product_up(size, m < 2 ? 0 : compensates * factor, &odd);
        summed = larger(summed, lemma_up((leaves + compensated) * UP, 0, middle, slack, &odd));
        run->hard[i] = (summed + beside(rule, underflow[i], summed, &odd)) * UP;
        run->value[i] = value;
        run->slack[i] = slack;
        run->nodes[i] = nodes;
        run->leaves[i] = leaves;
        run->odd[i] = odd;
    }
}

static void narrow_bounds(Run *run, const BoundRule *rule, size_t count)
{
    double step = rule->output_step * 0.5 * UP;
    for (size_t i = 0; i < count; i++) {
        double sum = (run->value[i] + run->hard[i]) * UP;
        double rounding = (product_up(rule->output_unit, sum, &run->odd[i]) + step) * UP;
        run->hard[i] = (run->hard[i] + rounding) * UP;
    }
}

static void bound_signs(Run *run, const BoundRule *rule, const Ref *ref, size_t first, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t odd = run->odd[i];
        double drawn = ref->square[first + i];
        double square = drawn * (1 + (9 + lesser(run->terms[i], 0x1p19)) * 0x1p-52);
        double root = product_up(rule->sign_factor, sqrt(square) * UP, &odd);
        double reach = (root + ref->addend[first + i]) * UP;
        double signs = lemma_up(run->leaves[i], run->nodes[i], reach, run->slack[i], &odd);
        signs = (signs + beside(rule, ref->underflow[first + i], signs, &odd)) * UP;
        run->signs[i] = drawn > 0x1p-900 ? lesser(run->hard[i], signs) : run->hard[i];
        run->odd[i] = odd;
    }
}

static void bound_typically(Run *run, const BoundRule *rule, const Ref *ref, size_t first,
                            size_t count)
{
    double u = rule->unit, of_leaves = rule->leaf / u, of_addends = rule->addend_leaf / u;
    for (size_t i = 0; i < count; i++) {
        uint64_t odd = run->odd[i];
        double m = run->terms[i], addend = ref->addend[first + i], value = run->value[i];
        double drawn = ref->square[first + i];
        double square = drawn * (1 + (9 + lesser(m, 0x1p19)) * 0x1p-52);
        double variance = (of_leaves * square + of_addends * addend * addend +
                           m / 2 * (square + addend * addend) + m / 3 * value * value) /
                          3;
        double typical = 8 * u * sqrt(variance);
        typical += beside(rule, ref->underflow[first + i], typical, &odd);
        run->typical[i] = drawn > 0x1p-900 ? lesser(run->hard[i], typical) : run->hard[i];
        run->odd[i] = odd;
    }
}

static void bound_run(const BoundRule *rule, const Ref *ref, size_t first, size_t count,
                      Bound *bounds, uint8_t *odd)
{
    Run run;
    for (size_t i = 0; i < count; i++)
        run.terms[i] = ref->terms[first + i];
    for (size_t i = 0; i < count; i++) {
        unsigned classes = ref->classes[first + i] | ref->classes_skipping[first + i] |
                           ref->classes_filling[first + i];
        run.special[i] = classes != CLASS_FINITE;
        run.odd[i] = ref->match[first + i] == MATCH_SET;
    }
    check_range(&run, rule, ref, first, count);
    bound_sums(&run, rule, ref, first, count);
    if (rule->narrowed)
        narrow_bounds(&run, rule, count);
    const double *signs = run.hard, *typical = run.hard;
    if (ref->square && !rule->narrowed && ref->signs_drawn) {
        bound_signs(&run, rule, ref, first, count);
        signs = run.signs;
    }
    if (ref->square && !rule->narrowed) {
        bound_typically(&run, rule, ref, first, count);
        typical = run.typical;
    }
    for (size_t i = 0; i < count; i++) {
        bounds[i] = (Bound){run.hard[i], signs[i], typical[i]};
        odd[i] = run.odd[i] ? RUN_ODD : run.special[i] ? RUN_SPECIAL : RUN_PLAIN;
    }
}

static bool judge_run(const BoundTable *table, const Ref *ref, size_t first, size_t count,
                      const double *got, double *most, size_t *worst)
{
    double ratio[BOUND_RUN];
    uint64_t wrong = 0;
    size_t place = 0;
    for (size_t k = 0; k < count; k++) {
        size_t i = first + k;
        const Bound *bound = &table->bounds[i];
        double high = ref->high[i], low = ref->low[i], error = ref->error[i], value = got[i];
        double distance = fabs((value - high) - low);
        double beyond = distance > error ? distance - error : 0;
        bool within = (distance <= bound->hard + error) & (distance <= bound->signs + error) &
                      (distance <= bound->typical + error) & (error <= bound->hard) &
                      (bound->hard < INFINITY) & ((high != 0) | (low != 0));
        bool equal = value == (low == 0 ? high : high + low);
        bool exact = table->exact[i], plain = (ref->match[i] != MATCH_SET) &
                                              (ref->match[i] != MATCH_BITS) &
                                              (ref->match[i] != MATCH_USUAL);
        bool finite = (fabs(value) < INFINITY) & (table->classes[i] == CLASS_FINITE) &
                      (value >= ref->least) & (value <= ref->greatest);
        wrong |= (uint64_t) !(finite & plain & (exact ? equal : within));
        ratio[k] = (exact | (beyond == 0)) ? 0 : beyond / bound->hard;
    }
    *most = 0;
    for (size_t k = 0; k < count; k++)
        *most = larger(ratio[k], *most);
    while (place + 1 < count && ratio[place] < *most)
        place++;
    *worst = first + place;
    return wrong == 0;
}

const RunKernels REFERENCE_ISA_NAME(run_kernels_) = {bound_run, judge_run};
