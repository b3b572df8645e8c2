/* Elimination without square roots, in double-double. */
#include "definite.h"

#include "equation.h"
#include "mag.h"

static Wide wide_multiply(Wide x, Wide y)
{
    return wide_add(wide_scale(x, y.high), wide_scale(x, y.low));
}

static Wide wide_divide(Wide x, Wide y)
{
    Wide quotient = {x.high / y.high, 0};
    for (int step = 0; step < 2; step++) {
        Wide product = wide_multiply(quotient, y);
        Wide rest = wide_add(x, (Wide){-product.high, -product.low});
        quotient = wide_add(quotient, (Wide){rest.high / y.high, 0});
    }
    return quotient;
}

/* a -= x conj(y) / pivot. */
static void eliminate(WideComplex *a, const WideComplex *x, const WideComplex *y, Wide pivot)
{
    const Wide terms[] = {wide_multiply(x->re, y->re), wide_multiply(x->im, y->im),
                          wide_multiply(x->im, y->re), wide_multiply(x->re, y->im)};
    Wide re = wide_divide(wide_add(terms[0], terms[1]), pivot);
    Wide im = wide_divide(wide_add(terms[2], (Wide){-terms[3].high, -terms[3].low}), pivot);
    a->re = wide_add(a->re, (Wide){-re.high, -re.low});
    a->im = wide_add(a->im, (Wide){-im.high, -im.low});
}

/* The order of the first leading minor of A + shift diag(A) that is not positive definite, n + 1
 * where all are. */
static int64_t first_indefinite(const DefiniteInput *in, double shift, Arena *arena)
{
    int64_t n = in->n;
    size_t mark = arena->used;
    WideComplex *a = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *a);
    int64_t k = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            Scalar value = in->values[i * n + j];
            a[i * n + j] = (WideComplex){{value.re, 0}, {i == j ? 0 : value.im, 0}};
        }
    for (int64_t i = 0; i < n; i++)
        a[i * n + i].re =
            wide_add(a[i * n + i].re, wide_two_product(in->values[i * n + i].re, shift));
    for (; k < n && a[k * n + k].re.high > 0; k++)
        for (int64_t i = k + 1; i < n; i++)
            for (int64_t j = k + 1; j <= i; j++)
                eliminate(&a[i * n + j], &a[i * n + k], &a[j * n + k], a[k * n + k].re);
    arena->used = mark;
    return k + 1;
}

/* False where the theorem, or double-double, has no room. */
static bool is_in_range(const DefiniteInput *in)
{
    const Format *format = dtype_format(in->dtype);
    double least = ldexp((double)in->n, format->minimum_exponent + 8), most = 0;
    double limit =
        ldexp(1, format->maximum_exponent - 8 > 480 ? 480 : format->maximum_exponent - 8);
    least = fmax(least, 1 / limit);
    for (int64_t i = 0; i < in->n; i++)
        for (int64_t j = 0; j <= i; j++) {
            Scalar value = in->values[i * in->n + j];
            if (!scalar_is_finite(value) || (i == j && value.re > 0 && value.re < least))
                return false;
            most = fmax(most, scalar_size(value));
        }
    return most * (double)(in->n + 1) < limit;
}

DefiniteRange definite_range(const DefiniteInput *in, Arena *arena)
{
    const Format *format = dtype_format(in->dtype);
    int64_t n = in->n, positive = 0;
    double count = dtype_components(in->dtype) == 2 ? 2.0 * (double)n + 12 : (double)n + 2;
    double gamma = equation_gamma(format, count), left = sub_down(1, gamma);
    DefiniteRange range = {1, n + 1, true};
    if (!is_in_range(in) || left < 0.5 || mul_up(2 * (double)n, gamma) > 0.5)
        return range;
    gamma = div_up(mul_up(2 * (double)n, gamma), left);
    gamma = add_up(gamma, mul_up((double)n * (double)n, 0x1p-85));
    /* A diagonal that is not positive ends every factorization. */
    while (positive < n && in->values[positive * n + positive].re > 0)
        positive++;
    DefiniteInput leading = *in;
    range.first = first_indefinite(&leading, -gamma, arena);
    range.last = first_indefinite(&leading, gamma, arena);
    range.last = range.last > positive + 1 ? positive + 1 : range.last;
    range.may_succeed = range.last > n;
    return range;
}
