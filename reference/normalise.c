/* The reference of normalisations: group by group, mean and variance in 64 bits, then each element
 * with the bound of normalise.h. */
#include "normalise.h"

#include <math.h>

#include "ball.h"
#include "mag.h"

typedef enum Formula { SUBTRACTED, FOLDED, RUNNING, ONE_PASS } Formula;

static double number_of(const Tensor *t, int64_t i, double otherwise)
{
    return t ? dtype_load(t->dtype, t->origin, i % t->extent[0] * t->stride[0]) : otherwise;
}

static Moments given(const NormaliseInput *in, size_t group)
{
    Moments g = {.mean = number_of(in->mean, (int64_t)group, 0),
                 .variance = number_of(in->variance, (int64_t)group, 1)};
    g.regular = isfinite((double)g.mean) && isfinite((double)g.variance) && g.variance >= 0;
    return g;
}

/* Where something is not finite: what IEEE 754-2019 makes of it in every usual order. */
typedef struct Special {
    Ball mean, root;
} Special;

static Special special_of(const double *x, size_t count, const NormaliseInput *in, size_t group,
                          const Format *f, Ball *terms)
{
    Special s = {ball_exact(0), ball_exact(1)};
    double n = (double)count;
    Ball variance = ball_exact(number_of(in->variance, (int64_t)group, 1));
    if (in->mean) {
        s.mean = ball_exact(number_of(in->mean, (int64_t)group, 0));
    } else {
        for (size_t k = 0; k < count; k++)
            terms[k] = ball_exact(x[k]);
        if (!in->about_zero)
            s.mean = ball_mean(f, ball_sum(f, terms, count), n);
        for (size_t k = 0; k < count; k++) {
            Ball d = ball_subtract(f, ball_exact(x[k]), s.mean);
            terms[k] = ball_multiply(f, d, d);
        }
        variance = ball_mean(f, ball_sum(f, terms, count), n);
    }
    Ball inside = ball_add(f, variance, ball_exact(in->epsilon));
    s.root = ball_divide(f, ball_exact(1), ball_sqrt(f, inside));
    return s;
}

static Ball special_element(const Special *s, double x, Ball scale, Ball bias, const Format *f)
{
    Ball d = ball_subtract(f, ball_exact(x), s->mean);
    Ball late = ball_multiply(f, ball_multiply(f, d, s->root), scale);
    Ball early = ball_multiply(f, d, ball_multiply(f, s->root, scale));
    Ball folded = ball_multiply(f, ball_multiply(f, d, scale), s->root);
    return ball_add(f, ball_either(late, ball_either(early, folded)), bias);
}

/* What products that leave the range make of a result beside finite numbers: infinities, of which
 * those of either sign cancel to NaN.  The second one is added to the bias. */
static unsigned classes_beyond(const Format *format, const long double parts[2], long double bias)
{
    unsigned classes = 0;
    for (int k = 0; k < 2; k++)
        if (fabsl(parts[k]) + (k ? fabsl(bias) : 0) > 0.98L * format->largest && parts[k] != 0)
            classes |= parts[k] < 0 ? CLASS_NEGATIVE_INFINITY : CLASS_POSITIVE_INFINITY;
    return classes == CLASS_INFINITE ? CLASS_INFINITE | CLASS_NAN : classes;
}

static MomentsOptions options_of(const NormaliseInput *in, Formula formula)
{
    return (MomentsOptions){.about_zero = in->about_zero,
                            .one_pass = formula == ONE_PASS,
                            .running = formula == RUNNING};
}

static void put_group(Ref *ref, size_t group, const double *x, const NormaliseInput *in,
                      Formula formula, Ball *terms)
{
    bool folds = formula == FOLDED || formula == ONE_PASS;
    const Format *format = dtype_format(ref->accumulator);
    double u = format->unit;
    MomentsOptions options = options_of(in, formula);
    Moments g =
        in->mean ? given(in, group) : moments_of(x, (int64_t)ref->columns, &options, format);
    long double inside = g.variance + in->epsilon, r = 1 / sqrtl(inside);
    enum { OPERATIONS = 32 };
    long double low = fmaxl(g.variance - g.of_variance, 0) + in->epsilon;
    long double above = low > 0 ? 1 / sqrtl(low) - r : INFINITY;
    /* Cancellation in these differences loses less than 2^-60 of the reciprocal root. */
    double change = double_up(fmaxl(above, r - 1 / sqrtl(inside + g.of_variance)) + 0x1p-60L * r);
    double of_r = add_up(change, mul_up(5 * u, double_up(r)));
    bool finite = !in->mean || (isfinite((double)g.mean) && isfinite((double)g.variance));
    for (size_t k = 0; k < ref->columns; k++)
        finite = finite && (in->mean || isfinite(x[k]));
    Special special;
    bool has_special = false;
    for (size_t k = 0; k < ref->columns; k++) {
        size_t i = group * ref->columns + k;
        int64_t at =
            (int64_t)group * in->first_scale + (in->per_scale ? (int64_t)k / in->per_scale : 0);
        long double scale = number_of(in->scale, at, 1), bias = number_of(in->bias, at, 0);
        long double q = x[k] - g.mean, product = q * r * scale, y = product + bias;
        double distance = (double)fabsl(q), rounding = u * distance;
        if (folds)
            rounding = u * (fabs(x[k]) + (double)fabsl(g.mean));
        /* The difference, its quotient by the root, and products of either or the root with scale.
         */
        long double reach =
            fmaxl(fabsl(q) * fmaxl(r, 1), fabsl(scale) * fmaxl(fmaxl(r, fabsl(q)), 1));
        if (!finite || !isfinite(x[k]) || !isfinite((double)scale) || !isfinite((double)bias)) {
            if (!has_special)
                special = special_of(x, ref->columns, in, group, format, terms);
            has_special = true;
            Ball element = special_element(&special, x[k], ball_exact((double)scale),
                                           ball_exact((double)bias), format);
            ref_put_ball(ref, i,
                         folds && !ball_is_nan(element) ? ball_or(element, CLASS_NAN) : element);
            continue;
        }
        if (!g.regular || !(reach < format->largest / 4)) {
            ref_set_classes(ref, i, CLASS_ANY);
            continue;
        }
        double off = g.of_mean + rounding;
        double bound = (double)fabsl(scale) * ((double)r * off + (distance + off) * of_r) +
                       3 * u * (double)fabsl(product) + u * (double)fabsl(y);
        /* A product may be subnormal before the rest multiplies it. */
        bound += format->smallest_subnormal *
                 (fabs(x[k]) + (double)(fabsl(g.mean) + fabsl(scale)) + (double)r + 1);
        if (folds)
            bound += 2 * u * (double)(fabsl(g.mean * r * scale) + fabsl(bias));
        ref_put_bounded(ref, i, y, 0x1p-56L * (fabsl(product) + fabsl(bias)),
                        formula_up(bound * (1 + 16 * u), OPERATIONS));
        /* The bias may bring back what has left the range. */
        long double parts[] = {folds ? x[k] * r * scale : product, folds ? -g.mean * r * scale : 0};
        ref_set_classes(ref, i, ref->classes[i] | classes_beyond(format, parts, bias));
    }
}

static void put_groups(Ref *ref, const NormaliseInput *in, double *row, Formula formula,
                       Ball *terms)
{
    for (size_t group = 0; ref->count > 0 && group < ref->rows; group++) {
        for (size_t k = 0; k < ref->columns; k++) {
            int64_t number = (int64_t)(group * ref->columns + k);
            row[k] = tensor_value(&in->x, number);
        }
        put_group(ref, group, row, in, formula, terms);
    }
}

void normalise_reference(Ref *ref, const NormaliseInput *in, DType dtype, Arena *arena)
{
    REQUIRE((in->mean || in->about_zero) == (in->variance || in->about_zero));
    REQUIRE(in->per_scale >= 0 && !(in->epsilon < 0));
    Ref other;
    ref_allocate_bounded(ref, dtype, &in->x, arena);
    double *row = arena_take(arena, ref->columns + 1, sizeof *row);
    Ball *terms = arena_take(arena, ref->columns + 1, sizeof *terms);
    put_groups(ref, in, row, SUBTRACTED, terms);
    const struct {
        Formula formula;
        const char *policy;
        bool admitted;
    } others[] = {{FOLDED, "folded-mean", in->mean || in->folds},
                  {RUNNING, "running-means", !in->mean && !in->about_zero},
                  {ONE_PASS, "one-pass-variance", !in->mean}};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        if (!others[i].admitted)
            continue;
        ref_allocate_bounded(&other, dtype, &in->x, arena);
        put_groups(&other, in, row, others[i].formula, terms);
        ref_add_alternative(ref, &other, others[i].policy, arena);
    }
}
