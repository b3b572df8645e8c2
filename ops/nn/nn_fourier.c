/* Lines of discrete Fourier transforms. */
#include "nn_fourier.h"

#include <math.h>

FourierLine fourier_line(int64_t length, int sign, Arena *arena)
{
    const long double turn = 6.28318530717958647692528676655900577L;
    FourierLine line = {.length = length};
    long double **const parts[] = {&line.re, &line.im, &line.cosine, &line.sine};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        *parts[i] = arena_take(arena, (size_t)length + 1, sizeof(long double));
    for (int64_t j = 0; j < length; j++) {
        line.cosine[j] = cosl(turn * j / length);
        line.sine[j] = sign * sinl(turn * j / length);
    }
    return line;
}

void fourier_sum(const FourierLine *line, int64_t k, long double *re, long double *im)
{
    int64_t n = line->length;
    long double sums[2] = {0, 0};
    for (int64_t j = 0, at = 0; j < n; j++, at = at + k < n ? at + k : at + k - n) {
        sums[0] += line->re[j] * line->cosine[at] - line->im[j] * line->sine[at];
        sums[1] += line->re[j] * line->sine[at] + line->im[j] * line->cosine[at];
    }
    *re = sums[0];
    *im = sums[1];
}

/* Relative error by Bluestein's convolution, in the norm, in units of u. */
static double error_of_convolution(double n)
{
    double stages = ceil(log2(2 * n));
    return 2 * sqrt(n) * (3 * stages * (2 + 1.5 * 6) + 12);
}

static bool is_power_of_two(int64_t length)
{
    return (length & (length - 1)) == 0;
}

/* Relative error of the transform of a length by its factors, in the norm, in units of u; lengths
 * beyond 13 that are no power of 2 may be convolutions as a whole. */
static double error_of_length(int64_t length)
{
    enum { DIRECT_MAX = 13 };
    double sum = 0, whole = 0;
    if (length > DIRECT_MAX && !is_power_of_two(length))
        whole = error_of_convolution((double)length);
    for (int64_t p = 2; length > 1; p++)
        for (; length % p == 0; length /= p) {
            double root = sqrt((double)p), direct = 2 + root * (double)(p + 4);
            sum += p <= DIRECT_MAX ? direct : fmax(direct, error_of_convolution((double)p));
        }
    return fmax(sum, whole);
}

FourierScales fourier_scales(void)
{
    return (FourierScales){.factor = 1, .elements = 1, .error = 8, .growth = 1};
}

/* Of a convolution of length m < 4 n the inverse transform sums m products, of which the magnitudes
 * add up to m |x| sqrt(2 n - 1) at most (Cauchy and Schwarz, and Parseval); a result is at most
 * sqrt(n) |x|. */
static double growth_of_length(int64_t length)
{
    return is_power_of_two(length) ? 1 : 4 * sqrt(2) * (double)length;
}

void fourier_add_axis(FourierScales *s, int64_t length)
{
    s->growth = fmax(s->growth, growth_of_length(length));
    s->elements *= (double)length;
    s->error += error_of_length(length);
    s->own += sqrtl((long double)length) * (length + 8) * 0x1p-63L;
}

void fourier_reach(FourierReach *reach, long double re, long double im, long double turns)
{
    const long double turn = 6.28318530717958647692528676655900577L, least = 0x1p-40L;
    long double cosine = fabsl(cosl(turn * turns)), sine = fabsl(sinl(turn * turns));
    const long double factors[FOURIER_PARTS][FOURIER_PARTS] = {{cosine, sine}, {sine, cosine}};
    const long double values[FOURIER_PARTS] = {re, im};
    for (int part = 0; part < FOURIER_PARTS; part++)
        for (int from = 0; from < FOURIER_PARTS; from++) {
            bool reaches = factors[part][from] > least;
            reach->nan[part] |= reaches && isnan(values[from]);
            reach->infinity[part] |= reaches && isinf(values[from]);
        }
}

FourierReach fourier_line_reach(const FourierLine *line, int64_t k)
{
    FourierReach reach = {{false}, {false}};
    for (int64_t j = 0; j < line->length; j++)
        if (!isfinite(line->re[j]) || !isfinite(line->im[j]))
            fourier_reach(&reach, line->re[j], line->im[j],
                          (long double)(j * k % line->length) / line->length);
    return reach;
}

static unsigned classes_of(const FourierReach *reach, int part)
{
    if (reach->nan[part])
        return CLASS_NAN;
    return reach->infinity[part] ? CLASS_NAN | CLASS_INFINITE : CLASS_ANY;
}

void fourier_put(Ref *ref, size_t i, const FourierScales *s, long double value, long double norm,
                 const FourierReach *reach, int part)
{
    const Format *f = dtype_format(ref->accumulator);
    long double root = sqrtl(s->elements), size = root * norm;
    double bound =
        (double)(size * s->factor * f->unit * s->error + 8 * s->elements * f->smallest_subnormal);
    if (!isfinite(size))
        ref_set_classes(ref, i, classes_of(reach, part));
    else if (size * 2 * s->growth > f->largest)
        ref_set_classes(ref, i, CLASS_ANY);
    else
        ref_put_bounded(ref, i, value * s->factor, size * s->factor * s->own, bound);
}
