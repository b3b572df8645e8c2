/* Inverses from factors by diagonal pivoting, in numbers of 64 bits. */
#include <complex.h>
#include <math.h>

#include "indefinite.h"
#include "long_matrix.h"
#include "reference/equation.h"
#include "reference/function.h"

/* L^-1 and D^-1, their sizes as the bound has them, and the largest number on the way to D^-1. */
typedef struct InverseFactors {
    LongMatrix l, d;
    long double *l_sizes, *d_sizes;
    long double largest;
} InverseFactors;

static long double size_of(long double complex x)
{
    return fabsl(creall(x)) + fabsl(cimagl(x));
}

/* Substitution, and the same with all numbers replaced by their sizes. */
static void invert_unit_triangle(const Indefinite *f, const LongMatrix *l, InverseFactors *to)
{
    int64_t n = f->n;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            long double complex sum = i == j;
            long double size = i == j;
            for (int64_t k = j; k < i; k++) {
                sum -= l->values[i * n + k] * to->l.values[k * n + j];
                size += size_of(l->values[i * n + k]) * to->l_sizes[k * n + j];
            }
            to->l.values[i * n + j] = sum;
            to->l_sizes[i * n + j] = size;
        }
}

static void invert_blocks(const Indefinite *f, const LongMatrix *d, InverseFactors *to)
{
    int64_t n = f->n;
    for (int64_t k = 0; k < n; k += 1 + f->pairs[k]) {
        int64_t at = k * n + k, next = at + n + 1;
        long double complex a = d->values[at];
        to->d.values[at] = 1 / a;
        to->d_sizes[at] = size_of(to->d.values[at]);
        to->largest = fmaxl(to->largest, to->d_sizes[at]);
        if (!f->pairs[k])
            continue;
        long double complex b = d->values[at + n], above = d->values[at + 1], c = d->values[next];
        long double complex det = a * c - b * above;
        long double s = size_of(b), kappa = 1 + (size_of(a) * size_of(c) + s * s) / cabsl(det);
        const long double complex inverse[] = {c / det, -above / det, -b / det, a / det};
        const int64_t places[] = {at, at + 1, at + n, next};
        for (int i = 0; i < 4; i++) {
            to->d.values[places[i]] = inverse[i];
            to->d_sizes[places[i]] = size_of(inverse[i]) * kappa;
            to->largest = fmaxl(to->largest, to->d_sizes[places[i]]);
        }
        /* A block that is near to singular beside its roundings has no bound. */
        if (!(kappa * 64 * dtype_format(f->dtype)->unit < 0x1p-2))
            to->largest = INFINITY;
        to->largest = fmaxl(to->largest, (1 + (size_of(a) + size_of(c)) / s) * (1 + 1 / s));
    }
}

/* The sizes of what is multiplied out, S^T |D^-1| S. */
static long double *multiply_sizes(const InverseFactors *x, int64_t n, Arena *arena)
{
    long double *inner = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *inner);
    long double *sizes = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *sizes);
    for (int64_t k = 0; k < n; k++)
        for (int64_t l = k > 0 ? k - 1 : 0; l < n && l <= k + 1; l++)
            for (int64_t j = 0; j < n; j++)
                inner[k * n + j] += x->d_sizes[k * n + l] * x->l_sizes[l * n + j];
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = i; k < n; k++)
            for (int64_t j = 0; j < n; j++)
                sizes[i * n + j] += x->l_sizes[k * n + i] * inner[k * n + j];
    return sizes;
}

/* An element of the inverse in the order of A, or its mirror image. */
static void put(Ref *ref, const Indefinite *f, bool lower, int64_t i, int64_t j,
                long double complex value, double bound)
{
    int64_t n = f->n, row = f->order[i], column = f->order[j];
    if (row < column)
        return;
    size_t at =
        lower ? matrix_element(ref, row, column) : matrix_element(ref, n - 1 - row, n - 1 - column);
    for (int part = 0; part < dtype_components(ref->dtype); part++)
        ref_put_bounded(ref, at + (size_t)part, part ? cimagl(value) : creall(value),
                        0x1p-8 * bound, bound);
}

void indefinite_put_inverse(Ref *ref, const Indefinite *f, bool lower, Arena *arena)
{
    const Format *format = dtype_format(f->dtype);
    int64_t n = f->n;
    bool pair = dtype_components(f->dtype) == 2;
    double count = (double)((n + 2) * (n + 8) + 16);
    double gamma = pair ? 2 * equation_gamma(format, 2 * count) : equation_gamma(format, count);
    LongMatrix l = long_matrix_of(&f->l, arena), d = long_matrix_of(&f->d, arena);
    size_t elements = (size_t)(n * n) + 1;
    InverseFactors x = {.l_sizes = arena_take_zeroed(arena, elements, sizeof(long double)),
                        .d_sizes = arena_take_zeroed(arena, elements, sizeof(long double))};
    Matrix zeros = matrix_zeros(n, n, arena);
    x.l = long_matrix_of(&zeros, arena);
    x.d = long_matrix_of(&zeros, arena);
    if (!matrix_is_finite(&f->l) || !matrix_is_finite(&f->d))
        return;
    invert_unit_triangle(f, &l, &x);
    invert_blocks(f, &d, &x);
    long double *sizes = multiply_sizes(&x, n, arena), growth = 1;
    for (int64_t i = 0; i < n * n; i++) {
        growth += x.l_sizes[i];
        x.largest = fmaxl(x.largest, sizes[i]);
    }
    if (!(16 * growth * growth * x.largest < format->largest))
        return;
    double tiny = (double)(count * growth * growth * (1 + x.largest)) * format->smallest_subnormal;
    for (int64_t i = 0; i < n * n; i++)
        l.values[i] =
            f->hermitian ? conjl(x.l.values[i / n + i % n * n]) : x.l.values[i / n + i % n * n];
    LongMatrix inner = long_matrix_product(&x.d, &x.l, false, arena);
    LongMatrix inverse = long_matrix_product(&l, &inner, false, arena);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            put(ref, f, lower, i, j, inverse.values[i * n + j],
                (double)(gamma * sizes[i * n + j]) * (1 + 0x1p-8) + tiny);
}
