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
    ProductTermCounter *count_terms;
    ProductProject *project;
    AffineRowKernel *affine_row, *unread_row;
    ValueNoter *note;
} ProductKernels;

extern const ProductKernels product_kernels_baseline, product_kernels_avx2, product_kernels_avx512;

/* Those of the instruction set that was chosen. */
const ProductKernels *product_kernels(void);

#endif
