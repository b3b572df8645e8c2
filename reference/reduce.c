/* The reference of reductions: the terms of one result after the other, summed to about 100 bits,
 * with the bounds of reduce.h. */
#include "reduce.h"

#include <math.h>
#include <string.h>

#include "mag.h"

double reduction_error(double terms, double size, double sum, double unit)
{
    REQUIRE(terms >= 0 && !(size < 0) && unit >= 0);
    double nodes = terms > 1 ? mul_up(terms - 1, unit) : 0, middle = add_up(size, fabs(sum)) / 2;
    return nodes < 0.5 ? div_up(mul_up(nodes, middle), sub_down(1, nodes)) : INFINITY;
}

double compensated_error(double terms, double size, double unit)
{
    const double second_order = 8;
    return terms < 2 ? 0
                     : mul_up(size, add_up(2 * unit, mul_up(second_order * terms, unit * unit)));
}

/* An upper bound of the relative error of a product whose factors have relative errors that add up
 * to e: e / (1 - e), infinite from e = 1/2 on. */
static double compound_error(double e)
{
    return e < 0.5 ? div_up(e, sub_down(1, e)) : INFINITY;
}

Sum sum_begin(void)
{
    return (Sum){.lattice = REF_ZERO_LATTICE};
}

void sum_add(Sum *sum, double term)
{
    int exponent;
    if (!isfinite(term)) {
        sum->classes |= value_class(term);
        return;
    }
    sum->zeros += term == 0;
    if (term == 0)
        return;
    sum->value = wide_add(sum->value, (Wide){term, 0});
    sum->size = add_up(sum->size, fabs(term));
    sum->terms++;
    int64_t bits = (int64_t)ldexp(frexp(term, &exponent), 53);
    int lattice = exponent - 53 + __builtin_ctzll((unsigned long long)(bits < 0 ? -bits : bits));
    sum->lattice = lattice < sum->lattice ? lattice : sum->lattice;
}

void sum_add_product(Sum *sum, double x, double w)
{
    double product = x * w;
    if (!isfinite(x) || !isfinite(w)) {
        sum->classes |= value_class(product);
        return;
    }
    sum->zeros += x == 0 || w == 0;
    if (x == 0 || w == 0)
        return;
    sum->value = wide_add(sum->value, wide_two_product(x, w));
    sum->size = add_up(sum->size, mul_up(fabs(x), fabs(w)));
    sum->factors = add_up(sum->factors, add_up(fabs(x), fabs(w)));
    sum->terms++;
}

double *tensor_read(const Tensor *t, int *lattice, Arena *arena)
{
    int64_t count = tensor_count(t);
    double *values = arena_take(arena, (size_t)count + 1, sizeof *values);
    Sum sum = sum_begin();
    for (int64_t i = 0; i < count; i++) {
        values[i] = tensor_value(t, i);
        sum_add(&sum, values[i]);
    }
    *lattice = sum.lattice;
    return values;
}

static double size_of(Wide x)
{
    return add_up(fabs(x.high), fabs(x.low));
}

/* Of either way; of two terms and no zero no correction is added. */
static double summed_error(const Sum *sum, double unit)
{
    double error = reduction_error((double)sum->terms, sum->size, size_of(sum->value), unit);
    if (sum->terms + sum->zeros > 2)
        error = fmax(error, compensated_error((double)sum->terms, sum->size, unit));
    return error;
}

void ref_put_products(Ref *ref, size_t i, const Sum *sum, double products)
{
    REQUIRE(products >= 0);
    const Format *format = dtype_format(ref->accumulator);
    double u = format->unit, error = mul_up(products / 2, format->smallest_subnormal);
    bool exact = sum->lattice > format->minimum_exponent - format->precision &&
                 sum->size <= ldexp(1, sum->lattice + format->precision);
    if (!exact) {
        double nodes = summed_error(sum, u);
        error = add_up(error, mul_up(add_up(nodes, mul_up(u, sum->size)),
                                     add_up(1, mul_up(2 * (double)sum->terms, u))));
    }
    ref_put_sum(ref, i, sum, 1, exact ? 0 : error);
    if (ref->sizes) {
        ref->sizes[i] = sum->size;
        ref->counts[i] = (uint32_t)sum->terms;
    }
    ref->underflow[i] = 2;
    ref->factors[i] = sum->factors;
}

double sum_error(const Sum *sum, const Format *format)
{
    if (sum->terms < 2 || (sum->lattice + format->precision > -1000 &&
                           sum->size <= ldexp(1, sum->lattice + format->precision)))
        return 0;
    return summed_error(sum, format->unit);
}

void ref_put_sum(Ref *ref, size_t i, const Sum *sum, long double factor, double bound)
{
    REQUIRE(!(bound < 0));
    const Format *format = dtype_format(ref->accumulator);
    long double value = ((long double)sum->value.high + sum->value.low) * factor;
    if (dtype_is_integer(ref->dtype) && factor == 1) {
        ref_put_whole(ref, i, dtype_bits_of(sum->value.high) + dtype_bits_of(sum->value.low), value,
                      fabsl(value) < 0x1p64L ? 0 : fabsl(value) * 0x1p-63L);
        return;
    }
    double growth = add_up(1, mul_up(4 * (double)sum->terms, format->unit));
    bool in_range = mul_up(sum->size, growth) < format->largest;
    if (!in_range || sum->classes) {
        ref_set_classes(ref, i, in_range ? sum_class(sum->classes) : CLASS_ANY);
        return;
    }
    /* Exact in any order, and the type of the sum holds it. */
    if (bound == 0 && (double)value == value && !dtype_is_integer(ref->dtype)) {
        ref_set_exact(ref, i, dtype_round(ref->dtype, (double)value),
                      ref->dtype == ref->accumulator ? MATCH_VALUE : MATCH_ROUNDED);
        return;
    }
    ref_put_bounded(ref, i, value, 0x1p-60L * fabsl(value) + 0x1p-100L * sum->size, bound);
}

/* The terms of one result. */
typedef struct Terms {
    const double *values;
    int64_t count;
    bool has_nan;
} Terms;

static bool has_nan(const double *values, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (isnan(values[k]))
            return true;
    return false;
}

static void put_sum(Ref *ref, size_t i, const Terms *t, const ReduceInput *in)
{
    const Format *format = dtype_format(ref->accumulator);
    Sum sum = sum_begin();
    Reduction r = in->reduction;
    for (int64_t k = 0; k < t->count; k++)
        sum_add(&sum, r == REDUCE_NORM_1 ? fabs(t->values[k]) : t->values[k]);
    double error = sum_error(&sum, format);
    if (r != REDUCE_MEAN) {
        ref_put_sum(ref, i, &sum, 1, error);
        return;
    }
    double divisor = in->divisor > 0 ? in->divisor : (double)t->count, u = format->unit;
    if (divisor == 0) {
        ref_set_classes(ref, i, CLASS_NAN);
        return;
    }
    double mean = div_up(size_of(sum.value), divisor);
    double bound = add_up(div_up(error, divisor), mul_up(2 * u, mean));
    bool halves = is_power_of_two_or_zero(divisor);
    double rounded = halves ? 0 : mul_up(2 * u, sum.size), growth = add_up(1, 4 * u);
    double nodes = reduction_error((double)sum.terms, sum.size, size_of(sum.value), u);
    double of_shares = div_up(mul_up(add_up(rounded, nodes), growth), divisor);
    bool is_exact = halves || sum.terms < 2;
    ref_put_sum(ref, i, &sum, 1 / (long double)divisor, is_exact ? bound : fmax(bound, of_shares));
    ref->underflow[i] = is_exact ? ref->underflow[i] : (double)sum.terms + 1;
}

/* A product so far: its terms and how far sums of their logarithms go up and down. */
typedef struct Product {
    long double value;
    double above, below;
    unsigned classes;
    bool zero, negative;
    uint64_t bits; /* of integers, what 64 bits hold */
    int64_t count;
} Product;

static void product_multiply(Product *p, double x)
{
    double size = fabs(x);
    p->classes |= isfinite(x) ? 0 : value_class(x);
    p->zero = p->zero || x == 0;
    p->negative = p->negative != (x < 0);
    if (size != 0 && isfinite(size))
        *(size > 1 ? &p->above : &p->below) += fabs(log2(size));
    p->value *= x;
    p->bits *= isfinite(x) ? dtype_bits_of(truncl(x)) : 0;
    p->count++;
}

double product_underflow(int64_t count, double above, double losses, double relative,
                         const Format *format)
{
    REQUIRE(count > 0 && losses > 0);
    double places = mul_up(2 * (double)count - 1, losses);
    double compound = sub_down(1, add_up(relative, mul_up(places, format->smallest_normal)));
    if (!(compound > 0))
        return INFINITY;
    return div_up(mul_up(places, exp2(above + 0x1p-20)), compound);
}

/* Some orders overflow, others underflow, and some do both: the sign is known of what is not NaN.
 */
static void put_sign(Ref *ref, size_t i, bool negative)
{
    double half = dtype_format(ref->dtype)->largest / 2;
    ref_put_bounded(ref, i, negative ? -half : half, 0, half);
    ref_set_classes(ref, i,
                    CLASS_FINITE | CLASS_NAN |
                        (unsigned)(negative ? CLASS_NEGATIVE_INFINITY : CLASS_POSITIVE_INFINITY));
}

static void ref_put_product(Ref *ref, size_t i, const Product *p)
{
    const Format *format = dtype_format(ref->accumulator);
    bool rises = p->count > 1 && p->above > format->maximum_exponent - 1;
    bool falls = p->count > 1 && p->below > -format->minimum_exponent - 1;
    /* An infinity has the sign of the product, or meets 0, which may be a product too small. */
    if (p->classes) {
        unsigned sign = p->negative ? CLASS_NEGATIVE_INFINITY : CLASS_POSITIVE_INFINITY;
        bool is_nan = (p->classes & CLASS_NAN) || p->zero;
        ref_set_classes(ref, i, is_nan ? CLASS_NAN : falls ? sign | CLASS_NAN : sign);
        return;
    }
    if (dtype_is_integer(ref->dtype)) {
        /* Each multiplication is rounded to 64 bits. */
        ref_put_whole(ref, i, p->bits, p->value,
                      fabsl(p->value) * 0x1p-62L * (long double)p->count);
        return;
    }
    unsigned infinite = p->negative ? CLASS_NEGATIVE_INFINITY : CLASS_POSITIVE_INFINITY;
    if (p->zero) {
        ref_set_exact(ref, i, 0, MATCH_VALUE);
        ref_set_classes(ref, i, CLASS_FINITE | (rises ? CLASS_NAN : 0u));
        return;
    }
    if (p->count == 1) {
        ref_set_exact(ref, i, (double)p->value, MATCH_VALUE);
        return;
    }
    if (rises && falls) {
        put_sign(ref, i, p->negative);
        return;
    }
    /* One factor is exact; each further one is one rounding to 64 bits here. */
    double roundings = p->count > 1 ? (double)p->count - 1 : 0;
    double relative = mul_up(roundings, format->unit);
    long double size = fabsl(p->value), error = size * roundings * 0x1p-63L;
    /* The bound below may be beyond binary64. */
    if (rises && relative < 0.25 && size > 4 * (long double)format->largest) {
        ref_set_classes(ref, i, infinite);
        return;
    }
    ref_put_bounded(ref, i, p->value, error,
                    mul_up(compound_error(relative), double_up(size + error)));
    if (falls && relative < 0.5)
        ref->underflow[i] = product_underflow(p->count, p->above, 1, relative, format);
    if (rises)
        ref_set_classes(ref, i, ref->classes[i] | infinite);
}

static void put_product(Ref *ref, size_t i, const Terms *t)
{
    Product product = {.value = 1, .bits = 1};
    for (int64_t k = 0; k < t->count; k++)
        product_multiply(&product, t->values[k]);
    ref_put_product(ref, i, &product);
}

/* No text says which place NaN is: the first NaN, as where it is the extreme one; where the others
 * have theirs; or what a running comparison finds, which leaves the first element only for less. */
static void put_places_of_nan(Ref *ref, size_t i, const Terms *t, bool least)
{
    REQUIRE(ref->candidates);
    int64_t first = -1, other = -1, running = 0;
    for (int64_t k = 0; k < t->count; k++) {
        double x = least ? -t->values[k] : t->values[k];
        double best = other < 0 ? -INFINITY : least ? -t->values[other] : t->values[other];
        double held = least ? -t->values[running] : t->values[running];
        first = first < 0 && isnan(x) ? k : first;
        other = !isnan(x) && (other < 0 || x > best) ? k : other;
        running = x > held ? k : running;
    }
    const int64_t places[REF_CANDIDATES] = {first, other < 0 ? first : other, running};
    for (int k = 0; k < REF_CANDIDATES; k++)
        ref->candidates[i * REF_CANDIDATES + (size_t)k] = (double)places[k];
    ref->high[i] = (double)first;
    ref->match[i] = MATCH_SET;
}

static void put_extreme(Ref *ref, size_t i, const Terms *t, const ReduceInput *in)
{
    REQUIRE(t->count > 0);
    bool least = in->reduction == REDUCE_LEAST || in->reduction == REDUCE_PLACE_OF_LEAST;
    bool place = in->reduction >= REDUCE_PLACE_OF_GREATEST;
    int64_t at = 0;
    for (int64_t k = 1; k < t->count; k++)
        if (least ? t->values[k] < t->values[at] : t->values[k] > t->values[at])
            at = k;
    if (place)
        ref_set_exact(ref, i, (double)at, MATCH_VALUE);
    else
        ref_set_exact(ref, i, t->values[at], MATCH_VALUE);
    if (t->has_nan && place)
        put_places_of_nan(ref, i, t, least);
    else if (t->has_nan)
        ref_set_classes(ref, i, CLASS_NAN);
}

static void put_squares(Ref *ref, size_t i, const Terms *t, bool root)
{
    const Format *format = dtype_format(ref->accumulator);
    long double sum = 0;
    bool in_range = true;
    unsigned classes = 0;
    for (int64_t k = 0; k < t->count; k++) {
        double size = fabs(t->values[k]);
        classes |= isfinite(size) ? 0 : value_class(size);
        in_range = in_range && (size == 0 || (size * size > 2 * format->smallest_normal &&
                                              size * size < format->largest));
        sum += (long double)size * size;
    }
    double roundings = (double)t->count + 1, u = format->unit;
    if (classes || !in_range || !((double)sum < format->largest / 2)) {
        ref_set_classes(ref, i,
                        classes & CLASS_NAN ? CLASS_NAN
                        : classes           ? CLASS_POSITIVE_INFINITY | CLASS_NAN
                                            : CLASS_ANY);
        return;
    }
    long double value = root ? sqrtl(sum) : sum, error = value * roundings * 0x1p-62L;
    double relative = compound_error(mul_up(roundings, u));
    if (root)
        relative = add_up(relative / 2, mul_up(compound_error(u), add_up(1, relative)));
    ref_put_bounded(ref, i, value, error, mul_up(relative, double_up(value + error)));
}

Exponentials exponentials_of(const double *x, int64_t count)
{
    Exponentials e = {.greatest = -INFINITY, .has_nan = has_nan(x, count)};
    for (int64_t k = 0; k < count; k++)
        e.greatest = fmax(e.greatest, x[k]);
    for (int64_t k = 0; k < count && !e.has_nan && isfinite(e.greatest); k++) {
        long double d = (long double)x[k] - e.greatest, w = expl(d);
        e.sum += w;
        e.weighted += w == 0 ? 0 : w * fabsl(d);
    }
    return e;
}

double exponentials_error(const Exponentials *e, int64_t count, const Format *format)
{
    REQUIRE(count > 0 && e->sum > 0);
    double n = (double)count;
    double weighted = double_up(e->weighted / e->sum);
    return add_up(compound_error(mul_up(format->unit, add_up(weighted, n + 5))),
                  mul_up(2 * n, format->smallest_normal));
}

static void put_log_sum_exp(Ref *ref, size_t i, const Terms *t)
{
    const Format *format = dtype_format(ref->accumulator);
    Exponentials e = exponentials_of(t->values, t->count);
    if (e.has_nan || !isfinite(e.greatest)) {
        ref_set_classes(ref, i, e.has_nan ? CLASS_NAN : value_class(e.greatest));
        return;
    }
    long double log_sum = logl(e.sum), value = e.greatest + log_sum;
    double logarithm = double_up(fabsl(log_sum)), size = double_up(fabsl(value));
    double roundings = add_up(add_up(fabs(e.greatest), mul_up(6, logarithm)), size);
    ref_put_bounded(
        ref, i, value, 0x1p-58L * (fabsl(value) + fabsl(log_sum) + fabs(e.greatest)),
        add_up(exponentials_error(&e, t->count, format), mul_up(format->unit, roundings)));
}

/* What merging groups by their means may be off, where that is more: the theorem of reduce.h, with
 * n values whose squared distances from their mean add up to `squares`. */
static void widen_to_running_means(Moments *m, double n, double divisor, double squares, double u)
{
    enum { OPERATIONS = 40 };
    if (n < 2)
        return;
    double mean = double_up(fabsl(m->mean)), size = sqrt(squares);
    double merged = n * (n + 1) / 2 - 1, growth = exp((5 * n + 16) * u);
    double of_mean = u / n * (mean * merged + 4 * sqrt(n * merged) * size) * growth;
    double cubes = n == 2 ? 2 : n * n * n / 3 + 2 * n * n - 7 * n / 3;
    double off = u * (mean * sqrt(fmax(cubes, 0)) + 8 * n * size) * growth;
    double of_squares = ((n + 8) * u * squares + off * size + off * off / 4) * growth;
    m->of_mean = fmax(m->of_mean, formula_up(of_mean, OPERATIONS));
    m->of_variance = fmax(m->of_variance, formula_up(of_squares / divisor, OPERATIONS));
}

Moments moments_of(const double *x, int64_t count, const MomentsOptions *options,
                   const Format *format)
{
    REQUIRE(count > 0);
    double n = (double)count, u = format->unit, divisor = n - options->correction;
    Sum sum = sum_begin();
    long double squares = 0, deviations = 0;
    Moments m = {0};
    for (int64_t k = 0; k < count; k++)
        sum_add(&sum, x[k]);
    if (!options->about_zero) {
        m.mean = ((long double)sum.value.high + sum.value.low) / n;
        m.of_mean =
            add_up(div_up(sum_error(&sum, format), n), mul_up(2 * u, double_up(fabsl(m.mean))));
    }
    for (int64_t k = 0; k < count; k++) {
        long double d = x[k] - m.mean;
        squares += d * d;
        deviations += fabsl(d);
        m.squares += (long double)x[k] * x[k];
    }
    m.variance = squares / divisor;
    enum { OPERATIONS = 20 };
    double v = double_up(m.variance), mean = double_up(fabsl(m.mean)), scale = n / divisor;
    m.of_variance = v * (n + 6) * u + scale * m.of_mean * m.of_mean +
                    2 * m.of_mean * u * (double)deviations / divisor;
    if (options->one_pass)
        m.of_variance = scale * ((n + 3) * u * (double)m.squares / n + 2 * mean * m.of_mean +
                                 m.of_mean * m.of_mean + u * mean * mean) +
                        4 * u * v;
    /* The lemma of sums may give none, whose product with deviations of 0 is NaN. */
    m.of_variance =
        isfinite(m.of_mean) ? formula_up(m.of_variance * (1 + 4 * n * u), OPERATIONS) : INFINITY;
    if (options->running)
        widen_to_running_means(&m, n, divisor, double_up(squares), u);
    m.of_variance += 4 * format->smallest_normal;
    m.classes = sum.classes;
    m.regular = sum.classes == 0 && (double)m.squares < format->largest / 4 && divisor > 0;
    return m;
}

static void put_variance(Ref *ref, size_t i, const Terms *t, const ReduceInput *in, bool one_pass)
{
    const Format *format = dtype_format(ref->accumulator);
    MomentsOptions options = {
        .correction = in->correction, .one_pass = one_pass, .running = in->running_means};
    /* The difference of squares that round otherwise may be divided by 0 as well. */
    if (t->count == 0 || (double)t->count <= in->correction) {
        ref_set_classes(ref, i, t->count && one_pass ? CLASS_NAN | CLASS_INFINITE : CLASS_NAN);
        return;
    }
    Moments m = moments_of(t->values, t->count, &options, format);
    if (!m.regular) {
        ref_set_classes(ref, i, m.classes ? CLASS_NAN | CLASS_INFINITE : CLASS_ANY);
        return;
    }
    long double value = m.variance, error = 0x1p-58L * (value + 0x1p-58L * m.squares);
    double bound = m.of_variance, v = (double)value;
    if (in->reduction == REDUCE_DEVIATION) {
        enum { OPERATIONS = 16 };
        double root = sqrt(v);
        /* The larger of the two distances, without cancellation. */
        double change =
            v > bound ? bound / (root + sqrt(v - bound)) : fmax(root, sqrt(v + bound) - root);
        bound = formula_up(change + format->unit * root, OPERATIONS);
        error = root > 0 ? error / root : 0x1p-40L * bound;
        value = sqrtl(value);
    }
    ref_put_bounded(ref, i, value, error, bound);
    if (one_pass && in->reduction == REDUCE_DEVIATION)
        ref_set_classes(ref, i, CLASS_FINITE | CLASS_NAN);
}

static void put_truth(Ref *ref, size_t i, const Terms *t, bool all)
{
    bool result = all;
    for (int64_t k = 0; k < t->count; k++)
        result = all ? result && t->values[k] != 0 : result || t->values[k] != 0;
    ref_set_exact(ref, i, result, MATCH_VALUE);
}

void reduce_put(Ref *ref, size_t i, const ReduceInput *in, const double *values, int64_t count,
                bool other)
{
    REQUIRE(count >= 0 && (!other || reduce_policy(in->reduction)));
    const Terms terms = {values, count, has_nan(values, count)}, *t = &terms;
    switch (in->reduction) {
    case REDUCE_SUM:
    case REDUCE_MEAN:
    case REDUCE_NORM_1:
        put_sum(ref, i, t, in);
        break;
    case REDUCE_PRODUCT:
        put_product(ref, i, t);
        break;
    case REDUCE_NORM_2:
    case REDUCE_SQUARES:
        put_squares(ref, i, t, in->reduction == REDUCE_NORM_2);
        break;
    case REDUCE_LOG_SUM_EXP:
        put_log_sum_exp(ref, i, t);
        break;
    case REDUCE_VARIANCE:
    case REDUCE_DEVIATION:
        put_variance(ref, i, t, in, other);
        break;
    case REDUCE_ALL:
    case REDUCE_ANY:
        put_truth(ref, i, t, in->reduction == REDUCE_ALL);
        break;
    default:
        put_extreme(ref, i, t, in);
        if (other && t->has_nan)
            ref_set_classes(ref, i, CLASS_ANY);
    }
    bool is_set = ref->match[i] == MATCH_SET;
    if (dtype_is_integer(ref->dtype) && ref->classes[i] == CLASS_FINITE && !is_set)
        ref_put_integer(ref, i, (long double)ref->high[i] + ref->low[i]);
}

static void put_results(Ref *ref, const ReduceInput *in, bool other, Arena *arena)
{
    int kept = in->x.rank - in->reduced;
    int64_t count = 1;
    for (int axis = kept; axis < in->x.rank; axis++)
        count *= in->x.extent[axis];
    double *values = arena_take(arena, (size_t)count + 1, sizeof *values);
    for (size_t i = 0; i < ref->count; i++) {
        for (int64_t k = 0; k < count; k++)
            values[k] = tensor_value(&in->x, (int64_t)i * count + k);
        reduce_put(ref, i, in, values, count, other);
    }
}

const char *reduce_policy(Reduction reduction)
{
    switch (reduction) {
    case REDUCE_GREATEST:
    case REDUCE_LEAST:
        return "nan-by-comparison";
    case REDUCE_VARIANCE:
    case REDUCE_DEVIATION:
        return "one-pass-variance";
    default:
        return NULL;
    }
}

void reduce_reference(Ref *ref, const ReduceInput *in, Arena *arena)
{
    REQUIRE(in->reduced >= 0 && in->reduced <= in->x.rank);
    Ref other;
    ref_allocate_bounded(ref, in->y.dtype, &in->y, arena);
    if (in->reduction >= REDUCE_PLACE_OF_GREATEST || dtype_is_integer(ref->dtype))
        ref->candidates = arena_take_zeroed(arena, ref->count * REF_CANDIDATES + 1, sizeof(double));
    put_results(ref, in, false, arena);
    if (!reduce_policy(in->reduction))
        return;
    if (in->reduction == REDUCE_VARIANCE || in->reduction == REDUCE_DEVIATION) {
        ReduceInput running = *in;
        running.running_means = true;
        ref_allocate_bounded(&other, in->y.dtype, &in->y, arena);
        put_results(&other, &running, false, arena);
        ref_add_alternative(ref, &other, "running-means", arena);
    }
    ref_allocate_bounded(&other, in->y.dtype, &in->y, arena);
    put_results(&other, in, true, arena);
    ref_add_alternative(ref, &other, reduce_policy(in->reduction), arena);
}

/* The running sum or product of the elements so far. */
typedef struct Running {
    Sum sum;
    Product product;
    bool multiplies;
} Running;

static void running_take(Running *running, double term)
{
    if (running->multiplies)
        product_multiply(&running->product, term);
    else
        sum_add(&running->sum, term);
}

static void running_put(Ref *ref, size_t i, const Running *running)
{
    if (running->multiplies)
        ref_put_product(ref, i, &running->product);
    else
        ref_put_sum(ref, i, &running->sum, 1,
                    sum_error(&running->sum, dtype_format(ref->accumulator)));
}

void running_reference(Ref *ref, const RunningInput *in, Arena *arena)
{
    ref_allocate_bounded(ref, in->x.dtype, &in->x, arena);
    if (dtype_is_integer(ref->dtype))
        ref->candidates = arena_take_zeroed(arena, ref->count * REF_CANDIDATES + 1, sizeof(double));
    for (size_t row = 0; row < ref->rows; row++) {
        Running running = {sum_begin(), {.value = 1, .bits = 1}, in->multiplies};
        for (size_t k = 0; k < ref->columns; k++) {
            size_t i = row * ref->columns + (in->backwards ? ref->columns - 1 - k : k);
            double term = tensor_value(&in->x, (int64_t)i);
            if (!in->exclusive)
                running_take(&running, term);
            running_put(ref, i, &running);
            if (in->exclusive)
                running_take(&running, term);
        }
    }
}
