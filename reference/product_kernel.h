/* One strip of PRODUCT_LANES columns of a product; compiled once for each instruction set. */
#ifndef REFERENCE_PRODUCT_KERNEL_H
#define REFERENCE_PRODUCT_KERNEL_H

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

typedef struct ProductKernels {
    const char *isa;
    ProductKernel *plain, *wide;
} ProductKernels;

extern const ProductKernels product_kernels_baseline, product_kernels_avx2, product_kernels_avx512;

#endif
