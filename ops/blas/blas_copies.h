/* Shared by the scaled copies of matrices and their sums. */
#ifndef OPS_BLAS_BLAS_COPIES_H
#define OPS_BLAS_BLAS_COPIES_H

#include "blas_vectors.h"

#define BLAS_COPY_PARAMS                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_TA, P_DIM(Blas, m, 1, 1024, "rows of A"),                         \
        P_DIM(Blas, n, 1, 1024, "columns of A"), BLAS_LDA, BLAS_LDB, BLAS_ALPHA

/* alpha op(A) + beta op(B) where a and b are seen through op already; conjugation is q's.  Real
 * types: one of three outcomes; complex types: the reduction lemma. */
void blas_matrix_sum(Ref *ref, const Blas *q, const Tensor *a, const Tensor *b, Arena *arena);

/* alpha op(A) where a is seen through op already; conjugation is q's. */
void blas_scaled_copy(Ref *ref, const Blas *q, const Tensor *a, Arena *arena);

/* No text says whether a factor of 0 multiplies: beside what the reference has, NaN is admitted
 * where an element of the matrix, or its other part, is not finite. */
void blas_admit_zero_products(Ref *ref, const Tensor *matrix);

#endif
