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
void blas_product_gemm(ProductBlocks *product, const ReferenceInput *input, Arena *arena);
void blas_gemm(Ref *refs, const ReferenceInput *input, Arena *arena);

/* C = alpha A B + beta C or alpha B A + beta C with a square A of which a triangle is stored. */
void blas_shape_sided(const Blas *q, Shapes *shapes);
void blas_product_sided(ProductBlocks *product, const ReferenceInput *input, Expansion expansion,
                        Arena *arena);

/* B = alpha op(A) B or alpha B op(A), or the solution of such a system, with a triangular A. */
void blas_shape_triangular(const Blas *q, Shapes *shapes);
void blas_product_triangular(ProductBlocks *product, const ReferenceInput *input, Arena *arena);
void blas_product_solve(ProductBlocks *product, const ReferenceInput *input, Arena *arena);
void blas_solve(Ref *refs, const ReferenceInput *input, Arena *arena);

/* C = alpha op(A) op(A)^T + beta C, with B as well where there is one: of rank k or 2k. */
void blas_shape_rank_k(const Blas *q, Shapes *shapes, bool with_b);
void blas_product_rank(ProductBlocks *product, const ReferenceInput *input, bool hermitian,
                       Arena *arena);
void blas_rank(Ref *refs, const ReferenceInput *input, Arena *arena);

/* The reference of the one block that an operator's product is. */
void blas_product(Ref *refs, const ReferenceInput *input, Arena *arena);

#endif
