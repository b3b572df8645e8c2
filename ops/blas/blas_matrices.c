/* Level 3: shapes and references that several routines share. */
#include "blas_matrices.h"

#include "reference/elementwise.h"
#include "reference/solve.h"

static double parts(const Blas *q)
{
    return dtype_components(blas_dtype(q)) == 2 ? 4 : 1;
}

double blas_work_mnk(const void *params)
{
    const Blas *q = params;
    return parts(q) * (double)(q->m * q->n) * (double)(q->k + 8);
}

double blas_work_nnk(const void *params)
{
    const Blas *q = params;
    return 2 * parts(q) * (double)(q->n * q->n) * (double)(q->k + 8);
}

double blas_work_sided(const void *params)
{
    const Blas *q = params;
    int64_t order = q->side == SIDE_LEFT ? q->m : q->n;
    return 2 * parts(q) * (double)(q->m * q->n) * (double)(order + 8);
}

static TensorSpec addend(TensorSpec spec, const Blas *q)
{
    spec = blas_ignored(blas_role(spec, ROLE_INOUT), scalar_is_zero(q->beta));
    return blas_part(spec, PART_ADDEND, -1);
}

/* A matrix that op may transpose, with the extents after op. */
static TensorSpec operated(const Blas *q, int64_t transpose, int64_t rows, int64_t columns,
                           int64_t pad)
{
    bool plain = transpose == TRANSPOSE_NONE;
    return blas_operated(blas_matrix(q, plain ? rows : columns, plain ? columns : rows, pad),
                         transpose);
}

void blas_shape_gemm(const Blas *q, Shapes *shapes, int64_t m, TensorSpec c)
{
    bool ignored = scalar_is_zero(q->alpha);
    *shapes = (Shapes){.count = 3, .depth = q->k};
    shapes->tensor[0] =
        blas_ignored(blas_part(operated(q, q->ta, m, q->k, q->lda), PART_LEFT, 1), ignored);
    shapes->tensor[1] =
        blas_ignored(blas_part(operated(q, q->tb, q->k, q->n, q->ldb), PART_RIGHT, 0), ignored);
    shapes->tensor[2] = addend(c, q);
}

void blas_gemm_affine(AffineInput *affine, const ReferenceInput *input)
{
    const Blas *q = input->params;
    *affine = (AffineInput){
        .a = input->tensors[0],
        .b = input->tensors[1],
        .c = input->tensors[2],
        .conjugate_a = q->ta == TRANSPOSE_CONJUGATE,
        .conjugate_b = q->tb == TRANSPOSE_CONJUGATE,
        .alpha = q->alpha,
        .beta = q->beta,
    };
}

void blas_gemm(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    AffineInput affine;
    blas_gemm_affine(&affine, input);
    blas_affine(&refs[2], &affine, input, arena);
    ref_limit(&refs[2], &input->tensors[2]);
}

void blas_shape_sided(const Blas *q, Shapes *shapes)
{
    bool left = q->side == SIDE_LEFT, ignored = scalar_is_zero(q->alpha);
    TensorSpec a = blas_triangle(q, left ? q->m : q->n, q->lda);
    TensorSpec b = blas_matrix(q, q->m, q->n, q->ldb);
    *shapes = (Shapes){.count = 3, .depth = left ? q->m : q->n};
    shapes->tensor[0] =
        blas_ignored(blas_part(a, left ? PART_LEFT : PART_RIGHT, left ? 1 : 0), ignored);
    shapes->tensor[1] =
        blas_ignored(blas_part(b, left ? PART_RIGHT : PART_LEFT, left ? 0 : 1), ignored);
    shapes->tensor[2] = addend(blas_matrix(q, q->m, q->n, q->ldc), q);
}

void blas_sided_product(Ref *refs, const ReferenceInput *input, BlasExpansion expansion,
                        Arena *arena)
{
    const Blas *q = input->params;
    bool left = q->side == SIDE_LEFT;
    Tensor square = blas_dense(&input->tensors[0], expansion, arena);
    AffineInput affine = {
        .a = left ? square : input->tensors[1],
        .b = left ? input->tensors[1] : square,
        .c = input->tensors[2],
        .alpha = q->alpha,
        .beta = q->beta,
    };
    ReferenceInput without_signs = *input;
    /* The sign of a contraction index reaches only one of the two triangles. */
    without_signs.signs_drawn = false;
    blas_affine(&refs[2], &affine, &without_signs, arena);
}

void blas_shape_triangular(const Blas *q, Shapes *shapes)
{
    bool left = q->side == SIDE_LEFT, plain = q->ta == TRANSPOSE_NONE;
    TensorSpec a = blas_triangle(q, left ? q->m : q->n, q->lda);
    TensorSpec b = blas_role(blas_matrix(q, q->m, q->n, q->ldb), ROLE_INOUT);
    *shapes = (Shapes){.count = 2, .depth = left ? q->m : q->n};
    shapes->tensor[0] =
        blas_ignored(blas_part(a, left ? PART_LEFT : PART_RIGHT, left == plain ? 1 : 0),
                     scalar_is_zero(q->alpha));
    shapes->tensor[1] = blas_part(b, left ? PART_RIGHT : PART_LEFT, left ? 0 : 1);
    shapes->tensor[1] = blas_ignored(shapes->tensor[1], scalar_is_zero(q->alpha));
}

void blas_triangular_multiply(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    bool left = q->side == SIDE_LEFT, conjugated = q->ta == TRANSPOSE_CONJUGATE;
    Tensor factor = blas_triangular_factor(q, &input->tensors[0], arena);
    AffineInput affine = {
        .a = left ? factor : input->tensors[1],
        .b = left ? input->tensors[1] : factor,
        .c = blas_shape_only(blas_dtype(q), q->m, q->n),
        .conjugate_a = left && conjugated,
        .conjugate_b = !left && conjugated,
        .alpha = q->alpha,
    };
    blas_affine(&refs[1], &affine, input, arena);
}

static void zero_matrix(Ref *ref, const Blas *q, Arena *arena)
{
    ref_allocate(ref, blas_dtype(q), (size_t)q->m, (size_t)q->n, arena);
    for (size_t i = 0; i < ref->count; i++)
        ref_set_exact(ref, i, 0, MATCH_ROUNDED);
}

/* Copies a reference of the transposed result back. */
static void transpose_ref(Ref *ref, Arena *arena)
{
    Ref turned = *ref;
    Tensor order = tensor_matrix(turned.dtype, (int64_t)turned.columns, (int64_t)turned.rows, 1,
                                 (int64_t)turned.columns, NULL);
    ref_gather(ref, &turned, &order, arena);
}

/* X op(A) = alpha B is op(A)^T X^T = alpha B^T. */
void blas_triangular_solve_many(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    bool left = q->side == SIDE_LEFT;
    if (scalar_is_zero(q->alpha)) {
        zero_matrix(&refs[1], q, arena);
        return;
    }
    Tensor factor = blas_triangular_factor(q, &input->tensors[0], arena);
    Tensor computed = input->computed ? input->computed[1] : input->tensors[1];
    SolveInput solve = {
        .t = left ? factor : tensor_transposed(factor),
        .b = left ? input->tensors[1] : tensor_transposed(input->tensors[1]),
        .conjugate = q->ta == TRANSPOSE_CONJUGATE,
        .alpha = q->alpha,
    };
    if (!left)
        computed = tensor_transposed(computed);
    solve.computed = input->computed ? &computed : NULL;
    solve_reference(&refs[1], &solve, arena);
    if (!left)
        transpose_ref(&refs[1], arena);
}

void blas_shape_rank_k(const Blas *q, Shapes *shapes, bool with_b)
{
    bool ignored = scalar_is_zero(q->alpha);
    int count = 0;
    *shapes = (Shapes){.depth = q->k};
    shapes->tensor[count++] =
        blas_ignored(blas_part(operated(q, q->ta, q->n, q->k, q->lda), PART_LEFT, 1), ignored);
    if (with_b)
        shapes->tensor[count++] =
            blas_ignored(blas_part(operated(q, q->ta, q->n, q->k, q->ldb), PART_RIGHT, 1), ignored);
    shapes->tensor[count++] = addend(blas_triangle(q, q->n, q->ldc), q);
    shapes->count = count;
}

/* True where the result is C itself, and the reference implementation returns before it reads C. */
static bool returns_at_once(const Blas *q)
{
    bool keeps = q->beta.re == 1 && q->beta.im == 0;
    return keeps && (q->k == 0 || scalar_is_zero(q->alpha));
}

static AffineInput rank_update(const Blas *q, const Tensor *a, const Tensor *b, const Tensor *c,
                               bool hermitian, Arena *arena)
{
    bool conjugated = q->ta != TRANSPOSE_NONE;
    return (AffineInput){
        .a = *a,
        .b = tensor_transposed(*b),
        .c = scalar_is_zero(q->beta)
                 ? blas_shape_only(blas_dtype(q), q->n, q->n)
                 : blas_dense(c, hermitian ? EXPAND_HERMITIAN : EXPAND_SYMMETRIC, arena),
        .conjugate_a = hermitian && conjugated,
        .conjugate_b = hermitian && !conjugated,
        .alpha = q->alpha,
        .beta = q->beta,
    };
}

/* Both factors share the signs and the values of A: no statistics. */
static ReferenceInput without_statistics(const ReferenceInput *input)
{
    ReferenceInput plain = *input;
    plain.exchangeable = plain.signs_drawn = false;
    return plain;
}

void blas_rank_k(Ref *refs, const ReferenceInput *input, bool hermitian, Arena *arena)
{
    const Blas *q = input->params;
    const Tensor *a = &input->tensors[0], *c = &input->tensors[1];
    ReferenceInput plain = without_statistics(input);
    if (returns_at_once(q)) {
        copy_reference(&refs[1], c, arena);
        return;
    }
    AffineInput affine = rank_update(q, a, a, c, hermitian, arena);
    blas_affine(&refs[1], &affine, &plain, arena);
    if (hermitian)
        blas_clear_diagonal(&refs[1]);
    ref_limit(&refs[1], c);
}

void blas_rank_2k(Ref *refs, const ReferenceInput *input, bool hermitian, Arena *arena)
{
    const Blas *q = input->params;
    const Tensor *c = &input->tensors[2];
    ReferenceInput plain = without_statistics(input);
    Ref other;
    if (returns_at_once(q)) {
        copy_reference(&refs[2], c, arena);
        return;
    }
    AffineInput affine =
        rank_update(q, &input->tensors[0], &input->tensors[1], c, hermitian, arena);
    blas_affine(&refs[2], &affine, &plain, arena);
    if (!scalar_is_zero(q->alpha) && q->k > 0) {
        affine.beta = (Scalar){0, 0};
        blas_affine(&other, &affine, &plain, arena);
        ref_add(&refs[2], &other, hermitian ? ADD_CONJUGATE_TRANSPOSED : ADD_TRANSPOSED);
    }
    if (hermitian)
        blas_clear_diagonal(&refs[2]);
    ref_limit(&refs[2], c);
}
