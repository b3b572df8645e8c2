/* Shapes and references that several level-3 routines share. */
#ifndef OPS_BLAS_BLAS_MATRICES_H
#define OPS_BLAS_BLAS_MATRICES_H

#include "blas.h"

/* Multiplications of m n k, of n n k, and of products with a square factor. */
double blas_work_mnk(const void *params);
double blas_work_nnk(const void *params);
double blas_work_sided(const void *params);

/* C = alpha op(A) op(B) + beta C with c as stored: whole, or a triangle of order n. */
void blas_shape_gemm(const Blas *q, Shapes *shapes, int64_t m, TensorSpec c);
/* alpha op(A) op(B) + beta C as it stands. */
void blas_gemm_affine(AffineInput *affine, const ReferenceInput *input);
void blas_gemm(Ref *refs, const ReferenceInput *input, Arena *arena);

/* C = alpha A B + beta C or alpha B A + beta C with a square A of which a triangle is stored. */
void blas_shape_sided(const Blas *q, Shapes *shapes);
void blas_sided_product(Ref *refs, const ReferenceInput *input, BlasExpansion expansion,
                        Arena *arena);

/* B = alpha op(A) B or alpha B op(A), or the solution of such a system, with a triangular A. */
void blas_shape_triangular(const Blas *q, Shapes *shapes);
void blas_triangular_multiply(Ref *refs, const ReferenceInput *input, Arena *arena);
void blas_triangular_solve_many(Ref *refs, const ReferenceInput *input, Arena *arena);

/* C = alpha op(A) op(A)^T + beta C, with B as well where there is one: of rank k or 2k. */
void blas_shape_rank_k(const Blas *q, Shapes *shapes, bool with_b);
void blas_rank_k(Ref *refs, const ReferenceInput *input, bool hermitian, Arena *arena);
void blas_rank_2k(Ref *refs, const ReferenceInput *input, bool hermitian, Arena *arena);

#endif
