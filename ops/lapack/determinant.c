/* Determinants by elimination, their errors by singular values. */
#include "determinant.h"

#include <math.h>

#include "dense.h"
#include "reference/function.h"
#include "singular.h"

static LongComplex eliminate(const Matrix *a, Arena *arena)
{
    return dense_eliminate(dense_widened(a, arena), NULL, a->rows, 0);
}

static long double modulus(LongComplex x)
{
    return hypotl(creall(x), cimagl(x));
}

static Scalar sign_of(LongComplex det, long double size)
{
    return (Scalar){(double)(creall(det) / size), (double)(cimagl(det) / size)};
}

Scalar determinant_of(const Matrix *a, double *logarithm, Arena *arena)
{
    LongComplex det = eliminate(a, arena);
    long double size = modulus(det);
    if (logarithm)
        *logarithm = (double)logl(size);
    return sign_of(det, logarithm && size > 0 ? size : 1);
}

/* What a perturbation of norm e adds to the product of the singular values at most. */
static long double change_of(const Spectrum *d, int64_t n, long double e)
{
    long double product = 1, moved = 1;
    for (int64_t i = 0; i < n; i++) {
        long double s = fmaxl((long double)d->values[2 * n - 1 - i], 0) + d->error;
        product *= s;
        moved *= s + e;
    }
    return moved - product + 0x1p-60L * moved;
}

/* What n products are off by, of their result. */
static long double product_error(DType dtype, int64_t n)
{
    return (dtype_components(dtype) == 2 ? 6 : 2) * (long double)n * dtype_format(dtype)->unit;
}

void determinant_put(Ref *ref, size_t element, const DeterminantInput *in)
{
    const Format *format = dtype_format(in->dtype);
    int parts = dtype_components(in->dtype);
    int64_t n = in->a->rows;
    long double largest = powl(fmax(in->norm, 1), (long double)n);
    if (!(largest < ldexpl(1, format->maximum_exponent - 10)))
        return;
    Spectrum d = singular_spectrum(in->a, in->arena);
    LongComplex det = eliminate(in->a, in->arena);
    long double error = change_of(&d, n, 100 * (long double)n * 0x1p-63L * in->norm);
    long double bound = change_of(&d, n, (long double)in->bound * in->norm) +
                        product_error(in->dtype, n) * dense_size(det) +
                        (long double)format->smallest_normal * 4 * parts * largest;
    for (int part = 0; part < parts; part++)
        ref_put_bounded(ref, element * (size_t)parts + (size_t)part,
                        part ? cimagl(det) : creall(det), error, (double)bound);
}

/* The matrix times 2^-exponent, whose norm is 1/2 to 1. */
static Matrix scaled_down(const Matrix *a, double norm, int *exponent, Arena *arena)
{
    Matrix scaled = matrix_copy(a, arena);
    (void)frexp(norm, exponent);
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        scaled.values[i] =
            (Scalar){ldexp(a->values[i].re, -*exponent), ldexp(a->values[i].im, -*exponent)};
    return scaled;
}

/* What is rounded of a sign; that of real numbers is exact. */
static double sign_error(const DeterminantInput *in)
{
    double steps = 16 * (double)(in->a->rows + 1) * dtype_format(in->dtype)->unit;
    return dtype_components(in->dtype) == 2 ? steps : 0;
}

/* Expects a sign: a number of modulus 1, or 0. */
static void put_sign(Ref *ref, size_t element, Scalar sign, double bound)
{
    if (dtype_components(ref->dtype) == 1 || (sign.re == 0 && sign.im == 0)) {
        matrix_put_number(ref, element, sign);
        return;
    }
    ref_put_bounded(ref, 2 * element, sign.re, 0x1p-50, bound);
    ref_put_bounded(ref, 2 * element + 1, sign.im, 0x1p-50, bound);
}

/* What a kernel computed, and the ends between which the logarithm of a sign that is not known is.
 */
typedef struct Unsigned {
    Scalar got;
    long double least, greatest;
} Unsigned;

static void put_unsigned(Ref *sign, Ref *logarithm, size_t element, const Unsigned *u,
                         const DeterminantInput *in)
{
    double size = hypot(u->got.re, u->got.im), bound = sign_error(in);
    bool one = fabs(size - 1) <= bound;
    put_sign(sign, element, one ? (Scalar){u->got.re / size, u->got.im / size} : (Scalar){0, 0},
             bound);
    if (!one) {
        ref_set_classes(logarithm, element, CLASS_NEGATIVE_INFINITY);
        return;
    }
    long double middle = (u->least + u->greatest) / 2;
    ref_put_bounded(logarithm, element, middle, fabsl(middle) * 0x1p-60L,
                    (double)(u->greatest - u->least) / 2 * (1 + 0x1p-40));
}

/* A logarithm is a sum of those of n pivots, each rounded, as the sum is. */
void determinant_put_logarithm(Ref *sign, Ref *logarithm, size_t element, Scalar got,
                               const DeterminantInput *in)
{
    const Format *format = dtype_format(in->dtype);
    int64_t n = in->a->rows;
    if (in->norm == 0) {
        matrix_put_number(sign, element, (Scalar){0, 0});
        ref_set_classes(logarithm, element, CLASS_NEGATIVE_INFINITY);
        return;
    }
    int exponent;
    Matrix a = scaled_down(in->a, in->norm, &exponent, in->arena);
    long double norm = ldexpl(in->norm, -exponent), scale = exponent * logl(2) * (long double)n;
    Spectrum d = singular_spectrum(&a, in->arena);
    LongComplex det = eliminate(&a, in->arena);
    long double size = modulus(det);
    long double change = change_of(&d, n, (long double)in->bound * norm) +
                         change_of(&d, n, 100 * (long double)n * 0x1p-63L * norm) +
                         2 * product_error(in->dtype, n) * size;
    long double least = (long double)n * logl(format->smallest_subnormal);
    /* No pivot is below that, or beyond the largest number. */
    long double steps = fmaxl(fabsl(least), (long double)n * format->maximum_exponent);
    long double rounding = 8 * (long double)(n + 4) * format->unit * (steps + 1);
    if (!(change < size * (1 - 0x1p-20L))) {
        Unsigned u = {got, least - rounding, logl(size + change) + scale + rounding};
        put_unsigned(sign, logarithm, element, &u, in);
        return;
    }
    long double value = logl(size) + scale, below = -log1pl(-change / size);
    put_sign(sign, element, sign_of(det, size), 2 * (double)(change / size) + sign_error(in));
    rounding =
        8 * (long double)(n * n + 4) * format->unit * (fabsl(logl(in->norm)) + fabsl(value) + 1);
    ref_put_bounded(logarithm, element, value, fabsl(value) * 0x1p-58L + 0x1p-58L,
                    (double)(below + rounding));
}
