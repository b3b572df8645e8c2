/* One strip of PRODUCT_LANES columns of a product; compiled once for each instruction set. */
#ifndef REFERENCE_PRODUCT_KERNEL_H
#define REFERENCE_PRODUCT_KERNEL_H

#include "affine_rows.h"
#include "dtype.h"
#include "product.h"

/* One row of left times a strip of right; each output is PRODUCT_LANES long, low only written by
 * the wide kernel, square and terms may be NULL.  The order of operations is the same in every
 * instruction set, so the results are the same bits. */
typedef struct ProductStrip {
    const double *left, *right;
    size_t depth, stride;
    double *high, *low, *magnitude, *square;
    uint32_t *terms;
} ProductStrip;

typedef void ProductKernel(const ProductStrip *strip);

/* One or two rows of left, dense, times a dense strip of right, with the sums beside a bias of
 * PRODUCT_LANES for each row: 1.5 * 2^e, where 2^e is at least 4 times the depth times the largest
 * factors of the row and of the column.
 *
 * Theorem.  |sum - (high + low)| <= (k^2 + k) 2^(e-106) (1 + 2 k u), for a depth of k < 2^50, but
 * for what underflows.  Proof.  Sums and bias stay in [2^e, 2^(e+1)), whose numbers are multiples
 * of w = 2^(e-52).  Each step takes t' = fl(t + x y); q = t' - t is exact, as a multiple of w below
 * 2^e; r = x y - q has |r| <= w / 2, and its rounding errs by at most u w / 2; so that low, whose
 * partial sums stay below k w / 2 (1 + k u), errs by at most u of that in each addition.  The sum
 * of all q is t - bias, exactly.  QED.  (The bias is that of ExtractVector in Rump, Ogita and
 * Oishi, Accurate floating-point summation part I, SISC 31, 2008.) */
typedef struct ProductBiased {
    const double *left, *right, *bias;
    size_t rows, depth, stride; /* of the outputs */
    double *high, *low, *magnitude;
} ProductBiased;

typedef void ProductBiasedKernel(const ProductBiased *tile);

/* Sums of magnitudes in binary32, of factors that are binary32 numbers.  Each row and each column
 * is scaled by a power of two so that its largest magnitude is in [2^40, 2^41).
 *
 * Theorem.  Let S = sum |x y|, u = 2^-53, v = 2^-24, and T the sum that is computed in blocks of B
 * <= 64 terms, each by fused multiplications and additions in binary32, which are added in
 * binary64. Where T >= 2^-84 k in scaled units, for a depth of k < 2^20, S <= (1 + (B + 4) v) (1 +
 * k u) T   and   T <= (1 + (B + 4) v) (1 + k u) S. Proof.  A factor that is scaled is exact, or
 * below 2^-126 and off by at most 2^-150; all of these change S by at most 2^-150 times the sums of
 * both factors, 2^-108 k in all, and a bit.  A step of a block takes t' = (t + x y) (1 + d) + e,
 * |d| <= v, |e| <= 2^-150, so that a block is within (1 + v)^B - 1 <= (B + 1) v of its terms, but
 * for B 2^-150 (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 3.1: no term is
 * negative).  What is absolute adds up to less than 2^-107 k, which is 2^-23 T or less, 2 v.  No
 * sum overflows, as k 2^82 < 2^127.  QED. */
enum { NARROW_BLOCK = 64 };
static const double NARROW_INFLATION = 1 + (NARROW_BLOCK + 4) * 0x1p-24;

/* `scaled` and `power` are room for rows + NARROW_ROWS_MAX rows: the factors of left in the
 * order that the kernel reads them, and the largest power of two in each row, 0 where all are 0. */
enum { NARROW_ROWS_MAX = 12 };
typedef struct ProductNarrow {
    const double *left, *right; /* a strip of it */
    size_t rows, depth, stride;
    float *scaled;
    double *power;
    float *packed;     /* room for depth * PRODUCT_LANES */
    double *magnitude; /* at least S, and at most NARROW_INFLATION^2 (1 + 2 k u) S */
    uint8_t *lost;     /* rows of which T is too small; their magnitudes have no meaning */
} ProductNarrow;

typedef void ProductNarrowKernel(const ProductNarrow *strip);

/* Which factors are not 0, one bit for each, in words of 64 along the depth: those of left by rows,
 * those of right by words.  terms[i * stride + j] becomes the number of l with both. */
enum { TERM_BITS = 64 };
typedef struct ProductTerms {
    const double *left, *right;
    size_t rows, depth, stride, words;
    uint64_t *left_bits, *right_bits; /* zeroed */
    uint32_t *terms;
} ProductTerms;

typedef void ProductTermCounter(const ProductTerms *terms);

/* A real matrix of floating-point numbers times two vectors, which is added to y; where `sizes`,
 * the second one times the magnitudes of its elements.  Strides count elements.  Where `notes`,
 * largest becomes at least the magnitude of each element that is a number, and `between` counts
 * elements that are no multiples of rounder / 1.5 2^52, a power of two; NaN are none, infinities
 * are. */
typedef struct Projection {
    const void *origin;
    DType dtype;
    bool sizes;
    size_t rows, columns;
    int64_t row_stride, column_stride;
    double rounder;
    const double *x[2];
    double *y[2];
    double largest, between;
} Projection;

typedef void ProductProject(Projection *projection);

/* level counts instruction sets as product_force_isa does. */
typedef struct ProductKernels {
    const char *isa;
    int level;
    ProductKernel *plain, *wide;
    ProductBiasedKernel *biased;
    ProductNarrowKernel *scale_narrow, *narrow; /* left, and then each strip */
    ProductTermCounter *count_terms;
    ProductProject *project;
    AffineRowKernel *affine_row, *unread_row;
    ValueNoter *note;
} ProductKernels;

extern const ProductKernels product_kernels_baseline, product_kernels_avx2, product_kernels_avx512;

/* Those of the instruction set that was chosen. */
const ProductKernels *product_kernels(void);

#endif
