/* References of nrm2, asum, iamax and iamin: one result from the components of one vector. */
#include "norm.h"

#include <math.h>

#include "affine.h"
#include "wide.h"

/* The components of x one after the other; their number is written to *count. */
static double *read_components(const Tensor *x, size_t *count, Arena *arena)
{
    REQUIRE(x->rank == 2 && x->extent[1] == 1);
    int components = dtype_components(x->dtype);
    *count = (size_t)x->extent[0] * (size_t)components;
    double *values = arena_take(arena, *count + 1, sizeof *values);
    for (int64_t i = 0; i < x->extent[0]; i++)
        for (int part = 0; part < components; part++)
            values[i * components + part] =
                dtype_load(x->dtype, x->origin, i * x->stride[0] * components + part);
    return values;
}

void zero_reference(Ref *ref, DType dtype, Arena *arena)
{
    ref_allocate(ref, dtype, 1, 1, arena);
    ref_set_exact(ref, 0, 0, MATCH_ROUNDED);
}

void euclidean_norm_reference(Ref *ref, const Tensor *x, Arena *arena)
{
    size_t count, terms = 0;
    unsigned classes = 0;
    double *values = read_components(x, &count, arena), largest = 0;
    DType dtype = dtype_component(x->dtype);
    for (size_t i = 0; i < count; i++) {
        classes |= value_class(values[i]);
        terms += values[i] != 0;
        largest = fmax(largest, fabs(values[i]));
    }
    zero_reference(ref, dtype, arena);
    if (classes & ~(unsigned)CLASS_FINITE) {
        ref_set_classes(ref, 0, classes & CLASS_NAN ? CLASS_NAN : CLASS_POSITIVE_INFINITY);
        return;
    }
    if (terms == 0)
        return;
    int exponent = ilogb(largest) + 1;
    Wide sum = {0, 0};
    for (size_t i = 0; i < count; i++) {
        double scaled = ldexp(values[i], -exponent);
        sum = wide_add(sum, wide_two_product(scaled, scaled));
    }
    double root = sqrt(sum.high);
    Wide square = wide_two_product(root, root);
    double correction = ((sum.high - square.high) - square.low + sum.low) / (2 * root);
    ref->exponent = exponent;
    ref->rule = RULE_RELATIVE;
    ref->match[0] = MATCH_BOUND;
    ref->terms[0] = (uint32_t)terms;
    ref->high[0] = root;
    ref->low[0] = correction;
    /* Squares below 2^-969 lose bits, and vanish beside the largest one, which is at least 1/4. */
    ref->error[0] = ((double)count + 8) * 0x1p-100 * root;
    ref->magnitude[0] = (2.5 * (double)terms + 4) * root;
    ref->underflow[0] = ldexp(2, exponent < 900 ? -exponent : -900);
    double limit = ldexp(dtype_format(dtype)->largest, -exponent);
    double reach = root + dtype_format(dtype)->unit * ref->magnitude[0];
    if (!(reach < limit))
        ref_set_classes(ref, 0, CLASS_FINITE | CLASS_POSITIVE_INFINITY);
}

void magnitude_sum_reference(Ref *ref, const Tensor *x, Arena *arena)
{
    size_t count;
    double *values = read_components(x, &count, arena);
    DType dtype = dtype_component(x->dtype);
    size_t size = dtype_size(dtype);
    Tensor a = {.dtype = dtype, .rank = 2, .extent = {1, (int64_t)count}, .stride = {1, 1}};
    Tensor b = {.dtype = dtype, .rank = 2, .extent = {(int64_t)count, 1}, .stride = {1, 1}};
    a.origin = arena_take(arena, count + 1, size);
    b.origin = arena_take(arena, count + 1, size);
    for (size_t i = 0; i < count; i++) {
        dtype_store(dtype, a.origin, (int64_t)i, fabs(values[i]));
        dtype_store(dtype, b.origin, (int64_t)i, 1);
    }
    AffineInput sum = {.a = a, .b = b, .alpha = {1, 0}};
    sum.c = (Tensor){.dtype = dtype, .rank = 2, .extent = {1, 1}, .stride = {1, 1}};
    affine_reference(ref, &sum, arena);
}

static double magnitude_of(const double *values, int64_t i, int components)
{
    return components == 2 ? fabs(values[2 * i]) + fabs(values[2 * i + 1]) : fabs(values[i]);
}

/* Index of the extreme element as the reference implementation finds it: comparisons with NaN are
 * false.  skip_nan starts after leading NaNs. */
static int64_t find_extreme(const double *values, int64_t count, DType dtype, Extreme extreme,
                            bool skip_nan)
{
    int components = dtype_components(dtype);
    int64_t best = 0;
    double held = NAN;
    for (int64_t i = 0; i < count; i++) {
        double value = dtype_round(dtype_component(dtype), magnitude_of(values, i, components));
        bool better = extreme == EXTREME_LARGEST ? value > held : value < held;
        if (i == 0 || better || (skip_nan && isnan(held) && !isnan(value))) {
            held = value;
            best = i;
        }
    }
    return best;
}

static void set_index(Ref *ref, int64_t index)
{
    for (int k = 0; k < REF_CANDIDATES; k++)
        ref->candidates[k] = (double)index;
    ref->match[0] = MATCH_SET;
    ref->high[0] = (double)index;
}

static void allocate_index(Ref *ref, Arena *arena)
{
    ref_allocate(ref, DT_F64, 1, 1, arena);
    ref->candidates = arena_take_zeroed(arena, REF_CANDIDATES, sizeof(double));
    set_index(ref, 0);
}

/* Complex magnitudes that differ by less than their rounding may win as well. */
static void add_near_winners(Ref *ref, const double *values, int64_t count, DType dtype,
                             int64_t best)
{
    double unit = dtype_format(dtype)->unit, top = magnitude_of(values, best, 2);
    int found = 1;
    for (int64_t i = 0; i < count; i++) {
        if (i == best || !(fabs(magnitude_of(values, i, 2) - top) <= 4 * unit * top))
            continue;
        if (found < REF_CANDIDATES)
            ref->candidates[found] = (double)i;
        else
            ref_set_classes(ref, 0, CLASS_ANY);
        found++;
    }
}

static void add_index_reading(Ref *ref, int64_t index, const char *policy, Arena *arena)
{
    Ref other;
    allocate_index(&other, arena);
    set_index(&other, index);
    ref_add_alternative(ref, &other, policy, arena);
}

void extreme_index_reference(Ref *ref, const Tensor *x, Extreme extreme, Arena *arena)
{
    size_t total;
    double *values = read_components(x, &total, arena);
    int components = dtype_components(x->dtype);
    int64_t count = x->extent[0], first_nan = -1;
    allocate_index(ref, arena);
    if (count == 0)
        return;
    for (int64_t i = 0; i < count && first_nan < 0; i++)
        if (isnan(magnitude_of(values, i, components)))
            first_nan = i;
    int64_t best = find_extreme(values, count, x->dtype, extreme, false);
    set_index(ref, best);
    if (components == 2 && first_nan < 0)
        add_near_winners(ref, values, count, x->dtype, best);
    if (first_nan < 0)
        return;
    add_index_reading(ref, first_nan, "index-first-nan", arena);
    add_index_reading(ref, find_extreme(values, count, x->dtype, extreme, true), "index-skips-nan",
                      arena);
}
