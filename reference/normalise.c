/* Group by group in extended precision. */
#include "normalise.h"

#include <math.h>

static const char *policy_of(const NormaliseInput *in)
{
    return in->mean ? "folded-mean" : "one-pass-variance";
}

typedef struct Group {
    long double mean, variance;
    double of_mean, of_variance; /* bounds */
    bool regular;
} Group;

static Group measure(const double *x, size_t count, const NormaliseInput *in, const Format *format,
                     bool one_pass)
{
    double n = (double)count, u = format->unit;
    Sum sum = sum_begin();
    long double squares = 0, deviations = 0, size = 0;
    Group g = {.regular = true};
    for (size_t k = 0; k < count; k++)
        sum_add(&sum, x[k]);
    if (!in->about_zero) {
        g.mean = ((long double)sum.value.high + sum.value.low) / n;
        g.of_mean = sum_error(&sum, format) / n + 2 * u * (double)fabsl(g.mean);
    }
    for (size_t k = 0; k < count; k++) {
        long double d = x[k] - g.mean;
        squares += d * d;
        deviations += fabsl(d);
        size += (long double)x[k] * x[k];
    }
    g.variance = squares / n;
    double v = (double)g.variance, m = g.of_mean, mean = (double)fabsl(g.mean);
    g.of_variance = v * (n + 6) * u + m * m + 2 * m * u * (double)deviations / n;
    if (one_pass)
        g.of_variance =
            (n + 3) * u * (double)size / n + 2 * mean * m + m * m + u * mean * mean + 4 * u * v;
    g.of_variance = g.of_variance * (1 + 4 * n * u) + 4 * format->smallest_normal;
    g.regular = sum.classes == 0 && (double)size < format->largest / 4;
    return g;
}

static double number_of(const Tensor *t, int64_t i, double otherwise)
{
    return t ? dtype_load(t->dtype, t->origin, i % t->extent[0] * t->stride[0]) : otherwise;
}

static Group given(const NormaliseInput *in, size_t group)
{
    Group g = {.mean = number_of(in->mean, (int64_t)group, 0),
               .variance = number_of(in->variance, (int64_t)group, 1)};
    g.regular = isfinite((double)g.mean) && isfinite((double)g.variance) && g.variance >= 0;
    return g;
}

static void put_group(Ref *ref, size_t group, const double *x, const NormaliseInput *in,
                      bool one_pass)
{
    const Format *format = dtype_format(ref->accumulator);
    double u = format->unit;
    Group g = in->mean ? given(in, group) : measure(x, ref->columns, in, format, one_pass);
    long double inside = g.variance + in->epsilon, r = 1 / sqrtl(inside);
    double low = fmax((double)g.variance - g.of_variance, 0) + in->epsilon;
    double change = fmax(low > 0 ? 1 / sqrt(low) - (double)r : INFINITY,
                         (double)r - 1 / sqrt((double)inside + g.of_variance));
    double of_r = change * (1 + 0x1p-30) + 5 * u * (double)r;
    for (size_t k = 0; k < ref->columns; k++) {
        size_t i = group * ref->columns + k;
        int64_t at =
            (int64_t)group * in->first_scale + (in->per_scale ? (int64_t)k / in->per_scale : 0);
        long double scale = number_of(in->scale, at, 1), bias = number_of(in->bias, at, 0);
        long double q = x[k] - g.mean, product = q * r * scale, y = product + bias;
        double distance = (double)fabsl(q), rounding = u * distance;
        if (one_pass)
            rounding = u * (fabs(x[k]) + (double)fabsl(g.mean));
        long double reach = fabsl(scale) * fmaxl(fmaxl(r, fabsl(q)), 1);
        if (!g.regular || !(reach < format->largest / 4) || !isfinite(x[k]) ||
            !isfinite((double)scale) || !isfinite((double)bias)) {
            ref_set_classes(ref, i, CLASS_ANY);
            continue;
        }
        double off = g.of_mean + rounding;
        double bound = (double)fabsl(scale) * ((double)r * off + (distance + off) * of_r) +
                       3 * u * (double)fabsl(product) + u * (double)fabsl(y);
        if (one_pass)
            bound += 2 * u * (double)(fabsl(g.mean * r * scale) + fabsl(bias));
        ref_put_bounded(ref, i, y, 0x1p-56L * (fabsl(product) + fabsl(bias)), bound * (1 + 16 * u));
    }
}

static void put_groups(Ref *ref, const NormaliseInput *in, double *row, bool one_pass)
{
    for (size_t group = 0; group < ref->rows; group++) {
        for (size_t k = 0; k < ref->columns; k++) {
            int64_t number = (int64_t)(group * ref->columns + k);
            row[k] = dtype_load(in->x.dtype, in->x.origin, tensor_offset_of(&in->x, number));
        }
        put_group(ref, group, row, in, one_pass);
    }
}

void normalise_reference(Ref *ref, const NormaliseInput *in, DType dtype, Arena *arena)
{
    Ref other;
    ref_allocate_bounded(ref, dtype, &in->x, arena);
    double *row = arena_take(arena, ref->columns + 1, sizeof *row);
    put_groups(ref, in, row, false);
    ref_allocate_bounded(&other, dtype, &in->x, arena);
    put_groups(&other, in, row, true);
    ref_add_alternative(ref, &other, policy_of(in), arena);
}
