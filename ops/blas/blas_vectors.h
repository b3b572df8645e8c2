/* Shapes that several vector and matrix routines share. */
#ifndef OPS_BLAS_BLAS_VECTORS_H
#define OPS_BLAS_BLAS_VECTORS_H

#include "blas.h"

/* x alone, x and y of length n, both of the given roles. */
void blas_shape_x(const Blas *q, Shapes *shapes, TensorRole role);
void blas_shape_xy(const Blas *q, Shapes *shapes, TensorRole role_x, TensorRole role_y);
/* x, y and a result of one number. */
void blas_shape_dot(const Blas *q, Shapes *shapes, DType result);
/* x and a result of one number. */
void blas_shape_reduce(const Blas *q, Shapes *shapes, DType result);

/* a (as the formula reads it, rows x depth), x and y of a product that is added to y. */
void blas_shape_product(const Blas *q, Shapes *shapes, TensorSpec a);
/* x, y (if with_y) and a of an update of a by outer products; x has as many elements as a has rows
 * and y as it has columns. */
void blas_shape_update(const Blas *q, Shapes *shapes, TensorSpec a, bool with_y);
/* a (n x n) and x of a product or solve in place. */
void blas_shape_in_place(const Blas *q, Shapes *shapes, TensorSpec a);

/* Multiplications: of one pass over the vectors, over an n x n matrix, over an m x n matrix. */
double blas_work_vector(const void *params);
double blas_work_square(const void *params);
double blas_work_matrix(const void *params);
/* Over a matrix with a band that may be wider than it. */
double blas_work_band(const void *params);

/* y = alpha op(A) x + beta y. */
void blas_general_product(Ref *refs, const ReferenceInput *input, Arena *arena);
/* A = alpha x op(y) + A into tensor 2. */
void blas_outer_product(Ref *refs, const ReferenceInput *input, bool conjugate, Arena *arena);

/* y = alpha A x + beta y for a symmetric or hermitian A that is stored as tensor 0. */
void blas_symmetric_product(Ref *refs, const ReferenceInput *input, Expansion expansion,
                            Arena *arena);
/* x = op(A) x for a triangular A that is stored as tensor 0. */
void blas_triangular_product(Ref *refs, const ReferenceInput *input, Arena *arena);
/* op(A) x = b for a triangular A that is stored as tensor 0, b and x as tensor 1. */
void blas_triangular_solve(Ref *refs, const ReferenceInput *input, Arena *arena);
/* A = alpha x op(x) + A into tensor 1, where op transposes, or conjugates as well. */
void blas_rank_one(Ref *refs, const ReferenceInput *input, bool hermitian, Arena *arena);
/* A = alpha x op(y) + op'(alpha) y op(x) + A into tensor 2. */
void blas_rank_two(Ref *refs, const ReferenceInput *input, bool hermitian, Arena *arena);
/* result = sum of x_i y_i, x conjugated or not, into tensor 2. */
void blas_dot(Ref *refs, const ReferenceInput *input, bool conjugate, Arena *arena);

#endif
