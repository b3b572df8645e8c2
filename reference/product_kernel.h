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
    ProductProject *project;
    AffineRowKernel *affine_row;
    ValueNoter *note;
} ProductKernels;

extern const ProductKernels product_kernels_baseline, product_kernels_avx2, product_kernels_avx512;

/* Those of the instruction set that was chosen. */
const ProductKernels *product_kernels(void);

#endif
