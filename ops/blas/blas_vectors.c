/* Level 1 and 2: shapes and references that several routines share. */
#include "blas_vectors.h"

#include "reference/elementwise.h"
#include "reference/solve.h"

static TensorSpec addend(TensorSpec spec)
{
    return blas_part(blas_role(spec, ROLE_INOUT), PART_ADDEND, -1);
}

void blas_shape_x(const Blas *q, Shapes *shapes, TensorRole role)
{
    *shapes = (Shapes){.count = 1, .depth = 1};
    shapes->tensor[0] = blas_role(blas_vector(q, q->n, q->incx), role);
}

void blas_shape_xy(const Blas *q, Shapes *shapes, TensorRole role_x, TensorRole role_y)
{
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = blas_role(blas_vector(q, q->n, q->incx), role_x);
    shapes->tensor[1] = blas_role(blas_vector(q, q->n, q->incy), role_y);
    shapes->tensor[1].part = PART_ADDEND;
}

void blas_shape_dot(const Blas *q, Shapes *shapes, DType result)
{
    *shapes = (Shapes){.count = 3, .depth = q->n};
    shapes->tensor[0] = blas_part(blas_vector(q, q->n, q->incx), PART_LEFT, 0);
    shapes->tensor[1] = blas_part(blas_vector(q, q->n, q->incy), PART_RIGHT, 0);
    shapes->tensor[2] = blas_number(result, ROLE_OUT);
}

void blas_shape_reduce(const Blas *q, Shapes *shapes, DType result)
{
    *shapes = (Shapes){.count = 2, .depth = q->n};
    shapes->tensor[0] = blas_part(blas_vector(q, q->n, q->incx), PART_LEFT, 0);
    shapes->tensor[1] = blas_number(result, ROLE_OUT);
}

void blas_shape_product(const Blas *q, Shapes *shapes, TensorSpec a)
{
    int64_t rows = a.layout.extent[0], depth = a.layout.extent[1];
    bool quick = q->n == 0 || rows == 0 || depth == 0, ignored = scalar_is_zero(q->alpha);
    *shapes = (Shapes){.count = 3, .depth = depth};
    shapes->tensor[0] = blas_ignored(blas_part(a, PART_LEFT, 1), ignored);
    shapes->tensor[1] =
        blas_ignored(blas_part(blas_vector(q, depth, q->incx), PART_RIGHT, 0), ignored);
    shapes->tensor[2] =
        blas_ignored(addend(blas_vector(q, rows, q->incy)), scalar_is_zero(q->beta) && !quick);
}

void blas_shape_update(const Blas *q, Shapes *shapes, TensorSpec a, bool with_y)
{
    int64_t rows = a.layout.extent[0], columns = a.layout.extent[1];
    bool ignored = scalar_is_zero(q->alpha);
    int count = 0;
    *shapes = (Shapes){.depth = 1};
    shapes->tensor[count++] =
        blas_ignored(blas_part(blas_vector(q, rows, q->incx), PART_LEFT, -1), ignored);
    if (with_y)
        shapes->tensor[count++] =
            blas_ignored(blas_part(blas_vector(q, columns, q->incy), PART_RIGHT, -1), ignored);
    shapes->tensor[count++] = addend(a);
    shapes->count = count;
}

void blas_shape_in_place(const Blas *q, Shapes *shapes, TensorSpec a)
{
    *shapes = (Shapes){.count = 2, .depth = q->n};
    shapes->tensor[0] = blas_part(a, PART_LEFT, q->ta == TRANSPOSE_NONE ? 1 : 0);
    shapes->tensor[1] = blas_role(blas_vector(q, q->n, q->incx), ROLE_INOUT);
    shapes->tensor[1] = blas_part(shapes->tensor[1], PART_RIGHT, 0);
}

double blas_work_vector(const void *params)
{
    const Blas *q = params;
    return 8.0 * (double)q->n * dtype_components(blas_dtype(q));
}

double blas_work_square(const void *params)
{
    const Blas *q = params;
    return 8.0 * (double)(q->n * q->n) * dtype_components(blas_dtype(q));
}

double blas_work_matrix(const void *params)
{
    const Blas *q = params;
    return 8.0 * (double)(q->m * q->n) * dtype_components(blas_dtype(q));
}

double blas_work_band(const void *params)
{
    const Blas *q = params;
    double width = (double)(q->k + q->kl + q->ku + 1), lines = (double)(q->m + q->n);
    return blas_work_matrix(params) + blas_work_square(params) + 8 * width * lines;
}

/* With an extent of 0 the routines return at once and leave y as it is, whatever beta is. */
static void keep_if_empty(AffineInput *affine)
{
    if (affine->a.extent[0] > 0 && affine->a.extent[1] > 0)
        return;
    affine->alpha = (Scalar){0, 0};
    affine->beta = (Scalar){1, 0};
}

void blas_symmetric_product(Ref *refs, const ReferenceInput *input, Expansion expansion,
                            Arena *arena)
{
    const Blas *q = input->params;
    AffineInput affine = {
        .a = tensor_expanded(&input->tensors[0], expansion, arena),
        .b = input->tensors[1],
        .c = input->tensors[2],
        .alpha = q->alpha,
        .beta = q->beta,
    };
    keep_if_empty(&affine);
    ReferenceInput unsigned_input = *input;
    /* The sign of a contraction index reaches only one of the two triangles. */
    unsigned_input.signs_drawn = false;
    blas_affine(&refs[2], &affine, &unsigned_input, arena);
}

void blas_general_product(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    AffineInput affine = {
        .a = input->tensors[0],
        .b = input->tensors[1],
        .c = input->tensors[2],
        .conjugate_a = q->ta == TRANSPOSE_CONJUGATE,
        .alpha = q->alpha,
        .beta = q->beta,
    };
    keep_if_empty(&affine);
    blas_affine(&refs[2], &affine, input, arena);
}

void blas_outer_product(Ref *refs, const ReferenceInput *input, bool conjugate, Arena *arena)
{
    const Blas *q = input->params;
    AffineInput affine = {
        .a = input->tensors[0],
        .b = tensor_transposed(input->tensors[1]),
        .c = input->tensors[2],
        .conjugate_b = conjugate,
        .alpha = q->alpha,
        .beta = {1, 0},
    };
    blas_affine(&refs[2], &affine, input, arena);
}

void blas_triangular_product(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    AffineInput affine = {
        .a = blas_triangular_factor(q, &input->tensors[0], arena),
        .b = input->tensors[1],
        .c = blas_shape_only(blas_dtype(q), q->n, 1),
        .conjugate_a = q->ta == TRANSPOSE_CONJUGATE,
        .alpha = {1, 0},
    };
    blas_affine(&refs[1], &affine, input, arena);
}

void blas_triangular_solve(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    solve_reference(&refs[1],
                    &(SolveInput){
                        .t = blas_triangular_factor(q, &input->tensors[0], arena),
                        .b = input->tensors[1],
                        .computed = input->computed ? &input->computed[1] : NULL,
                        .conjugate = q->ta == TRANSPOSE_CONJUGATE,
                        .alpha = {1, 0},
                    },
                    arena);
}

void blas_rank_one(Ref *refs, const ReferenceInput *input, bool hermitian, Arena *arena)
{
    const Blas *q = input->params;
    if (scalar_is_zero(q->alpha)) {
        copy_reference(&refs[1], &input->tensors[1], arena);
        return;
    }
    AffineInput affine = {
        .a = input->tensors[0],
        .b = tensor_transposed(input->tensors[0]),
        .c = tensor_expanded(&input->tensors[1], hermitian ? EXPAND_HERMITIAN : EXPAND_SYMMETRIC,
                             arena),
        .conjugate_b = hermitian,
        .alpha = q->alpha,
        .beta = {1, 0},
    };
    blas_affine(&refs[1], &affine, input, arena);
    if (hermitian)
        blas_clear_diagonal(&refs[1]);
    ref_limit(&refs[1], &input->tensors[1]);
}

void blas_rank_two(Ref *refs, const ReferenceInput *input, bool hermitian, Arena *arena)
{
    const Blas *q = input->params;
    Ref other;
    if (scalar_is_zero(q->alpha)) {
        copy_reference(&refs[2], &input->tensors[2], arena);
        return;
    }
    AffineInput affine = {
        .a = input->tensors[0],
        .b = tensor_transposed(input->tensors[1]),
        .c = tensor_expanded(&input->tensors[2], hermitian ? EXPAND_HERMITIAN : EXPAND_SYMMETRIC,
                             arena),
        .conjugate_b = hermitian,
        .alpha = q->alpha,
        .beta = {1, 0},
    };
    blas_affine(&refs[2], &affine, input, arena);
    affine.beta = (Scalar){0, 0};
    blas_affine(&other, &affine, input, arena);
    ref_add(&refs[2], &other, hermitian ? ADD_CONJUGATE_TRANSPOSED : ADD_TRANSPOSED);
    if (hermitian)
        blas_clear_diagonal(&refs[2]);
    ref_limit(&refs[2], &input->tensors[2]);
}

void blas_dot(Ref *refs, const ReferenceInput *input, bool conjugate, Arena *arena)
{
    const Tensor *result = &input->tensors[2];
    AffineInput affine = {
        .a = tensor_transposed(input->tensors[0]),
        .b = input->tensors[1],
        .c = blas_shape_only(result->dtype, 1, 1),
        .conjugate_a = conjugate,
        .alpha = {1, 0},
    };
    blas_affine(&refs[2], &affine, input, arena);
}
