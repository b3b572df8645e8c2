/* The real product of two matrices, far more accurate than any kernel under test, with the
 * companions that error bounds need. */
#ifndef REFERENCE_PRODUCT_H
#define REFERENCE_PRODUCT_H

#include "base.h"

/* Columns are padded to a multiple of this many. */
enum { PRODUCT_LANES = 16 };

typedef enum ProductPrecision {
    PRODUCT_DOUBLE, /* factors are binary32 values: products are exact in binary64 */
    PRODUCT_WIDE /* factors within 2^-480..2^480: Dot2 (Ogita, Rump, Oishi, SISC 26, 2005), and of
                  * large products sums beside a bias (product_kernel.h), where they are as good */
} ProductPrecision;

/* left is rows x depth, right is depth x stride, both dense and row-major; stride is a multiple of
 * PRODUCT_LANES and the padding columns of right are 0.  All values are finite. */
typedef struct ProductInput {
    size_t rows, depth, stride;
    const double *left, *right;
    ProductPrecision precision;
    bool want_square, want_terms;
} ProductInput;

/* Each array is rows x stride.  |sum - (high + low)| <= error_factor * magnitude;
 * magnitude >= sum |l r| and at most a relative 2^-40 above it, or 2^-16 where a library gives
 * large sums; square ~ sum (l r)^2;
 * terms = number of non-zero products.  square and terms are NULL where not wanted. */
typedef struct Product {
    double *high, *low, *magnitude, *square;
    uint32_t *terms;
    double error_factor;
} Product;

void product_compute(Product *product, const ProductInput *input, Arena *arena);

/* The sums of a large product of precision PRODUCT_DOUBLE alone, as product_compute gives them
 * where a library computes them; false where none does.  The other arrays have room and no
 * values, low being 0, until product_companions puts them. */
bool product_sums(Product *product, const ProductInput *input, Arena *arena);
/* A sum of magnitudes of this depth, in any order, times this is at least the exact one. */
double product_inflation(const ProductInput *input);
void product_companions(Product *product, const ProductInput *input, Arena *arena);

/* c = a b for dense row-major doubles, a is m x k, b is k x n; false where nothing computes it. */
typedef bool ProductDgemm(size_t m, size_t n, size_t k, const double *a, const double *b,
                          double *c);

/* The choice of kernels, the library and its counts belong to the process: they are set before
 * other threads compute products, and one thread at a time computes them.  They change no result
 * beyond Product.error_factor and what is said of magnitude: all kernels give the same bits, and
 * what a library gives is checked.
 *
 * Lets PRODUCT_DOUBLE use a library for large products, and either precision for their squares.
 * Each result, squares among them, is checked against A (B w) for a random vector w of small
 * integers, and recomputed by our own code where it fails.  Magnitudes are then sums in binary32
 * (product_kernel.h).
 * NULL forbids it again. */
void product_use_dgemm(ProductDgemm *dgemm);

/* Products that a library computed, and those of them that failed the check. */
typedef struct ProductCounts {
    uint64_t by_library, rejected;
} ProductCounts;
ProductCounts product_counts(void);

/* Name of the instruction set that the kernels were chosen for, and the choice itself: 0 baseline,
 * 1 AVX2 with FMA, 2 AVX-512.  A level above what the machine has is ignored. */
const char *product_isa(void);
void product_force_isa(int level);

#endif
