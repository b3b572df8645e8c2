/* Shared by the scaled copies of matrices. */
#ifndef OPS_BLAS_BLAS_COPIES_H
#define OPS_BLAS_BLAS_COPIES_H

#include "blas_vectors.h"

#define BLAS_COPY_PARAMS                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_TA, P_DIM(Blas, m, 1, 1024, "rows of A"),                         \
        P_DIM(Blas, n, 1, 1024, "columns of A"), BLAS_LDA, BLAS_LDB, BLAS_ALPHA

/* alpha op(A) where a is seen through op already; conjugation is q's. */
void blas_scaled_copy(Ref *ref, const Blas *q, const Tensor *a, Arena *arena);

#endif
