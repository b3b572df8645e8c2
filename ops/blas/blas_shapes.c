/* The shapes themselves. */
#include "blas_shapes.h"

#include "blas_matrices.h"
#include "blas_vectors.h"

void blas_shape_of_asum(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_reduce(q, shapes, blas_real_dtype(q));
}

void blas_shape_of_dot(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_dot(q, shapes, blas_dtype(q));
}

void blas_shape_of_gemm(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_gemm(q, shapes, q->m, blas_matrix(q, q->m, q->n, q->ldc));
}

void blas_shape_of_ger(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_update(q, shapes, blas_matrix(q, q->m, q->n, q->lda), true);
}

void blas_shape_of_hbmv(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_product(q, shapes, blas_band_triangle(q, q->n, q->lda));
}

void blas_shape_of_hemm(const void *params, Shapes *shapes)
{
    blas_shape_sided(params, shapes);
}

void blas_shape_of_hemv(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_product(q, shapes, blas_triangle(q, q->n, q->lda));
}

void blas_shape_of_her(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_update(q, shapes, blas_triangle(q, q->n, q->lda), false);
}

void blas_shape_of_her2(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_update(q, shapes, blas_triangle(q, q->n, q->lda), true);
}

void blas_shape_of_her2k(const void *params, Shapes *shapes)
{
    blas_shape_rank_k(params, shapes, true);
}

void blas_shape_of_herk(const void *params, Shapes *shapes)
{
    blas_shape_rank_k(params, shapes, false);
}

void blas_shape_of_hpmv(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_product(q, shapes, blas_packed_triangle(q, q->n));
}

void blas_shape_of_hpr(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_update(q, shapes, blas_packed_triangle(q, q->n), false);
}

void blas_shape_of_hpr2(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_update(q, shapes, blas_packed_triangle(q, q->n), true);
}

void blas_shape_of_iamax(const void *params, Shapes *shapes)
{
    blas_shape_reduce(params, shapes, DT_F64);
}

void blas_shape_of_rot(const void *params, Shapes *shapes)
{
    blas_shape_xy(params, shapes, ROLE_INOUT, ROLE_INOUT);
}

void blas_shape_of_tbmv(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_in_place(q, shapes, blas_band_triangle(q, q->n, q->lda));
}

void blas_shape_of_tpmv(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_in_place(q, shapes, blas_packed_triangle(q, q->n));
}

void blas_shape_of_trmm(const void *params, Shapes *shapes)
{
    blas_shape_triangular(params, shapes);
}

void blas_shape_of_trmv(const void *params, Shapes *shapes)
{
    const Blas *q = params;
    blas_shape_in_place(q, shapes, blas_triangle(q, q->n, q->lda));
}
