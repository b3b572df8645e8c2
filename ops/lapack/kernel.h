/* Plain kernels of our own in the arithmetic of an element type, each operation rounded once: what
 * an operator's reference gives without computed values, and the correct variants that the tool
 * must leave alone. */
#ifndef OPS_LAPACK_KERNEL_H
#define OPS_LAPACK_KERNEL_H

#include "matrix.h"

/* Ways of a correct kernel. */
typedef enum KernelStyle {
    KERNEL_PLAIN,      /* products and sums rounded one by one, and a division */
    KERNEL_RECIPROCAL, /* the reciprocal of the divisor is rounded and multiplied by */
    KERNEL_WIDE        /* sums in wider arithmetic, rounded once; from the last term */
} KernelStyle;

typedef struct Kernel {
    DType dtype;
    KernelStyle style;
    bool without_exchanges; /* each pivot is where it is, which is wrong */
} Kernel;

/* (given - sum of x_k y_k) / divisor in the style of the kernel; x and y are functions of k. */
typedef struct KernelSum {
    Scalar given, divisor;
    const Scalar *x, *y;
    int64_t x_step, y_step, count; /* numbers from one factor to the next */
    bool conjugate_x, conjugate_y;
} KernelSum;
Scalar kernel_sum(const Kernel *kernel, const KernelSum *sum);

/* P A = L U in place: pivots[k] is the row, from 0, that row k was exchanged with.  The number,
 * from 1, of the first diagonal element of U that is 0, else 0. */
int64_t kernel_getrf(const Kernel *kernel, Matrix *a, int64_t *pivots);

/* The Cholesky factor of the triangle in place of it: L if lower, else U.  The order of the first
 * leading minor that is not positive, else 0. */
int64_t kernel_potrf(const Kernel *kernel, Matrix *a, bool lower);

/* T X = B in place of B, for a triangular T whose diagonal is written out. */
void kernel_trsm(const Kernel *kernel, const Matrix *t, bool lower, Matrix *x);

#endif
