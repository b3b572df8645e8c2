/* Batches of matrix products.  The matrices of each operand follow each other without a gap beyond
 * their padding, so that together they are one matrix, side by side by columns or one below the
 * other by rows. */
#ifndef OPS_BLAS_BLAS_BATCH_H
#define OPS_BLAS_BLAS_BATCH_H

#include "blas_matrices.h"

/* As gemm has them. */
#define BLAS_PARAMS_BATCH                                                                          \
    BLAS_DTYPE, BLAS_ORDER, BLAS_TA, BLAS_TB, P_DIM(Blas, m, 0, 4096, "rows of each op(A) and C"), \
        P_DIM(Blas, n, 0, 4096, "columns of each op(B) and C"),                                    \
        P_DIM(Blas, k, 0, 4096, "columns of each op(A), rows of each op(B)"), BLAS_LDA, BLAS_LDB,  \
        BLAS_LDC, BLAS_ALPHA, BLAS_BETA

/* count products of the shape of gemm. */
void blas_shape_batch(const Blas *q, Shapes *shapes, int64_t count);
double blas_work_batch(const Blas *q, int64_t count);
void blas_product_batch(ProductBlocks *product, const ReferenceInput *input, int64_t count,
                        Arena *arena);
void blas_batch(Ref *refs, const ReferenceInput *input, int64_t count, Arena *arena);

#endif
