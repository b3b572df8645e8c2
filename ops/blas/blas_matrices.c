/* Level 3: shapes and references that several routines share. */
#include "blas_matrices.h"

#include "reference/elementwise.h"

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

static void refer(Ref *refs, const ProductBlocks *product, const ReferenceInput *input, int output,
                  Arena *arena)
{
    equation_reference(&refs[output], &product->block->equation,
                       input->computed ? &input->computed[output] : NULL, NULL,
                       (size_t)input->tensors[output].extent[0], arena);
}

static int last_operand(const OpDesc *op)
{
    int last = 0;
    while (op->tensors[last + 1])
        last++;
    return last;
}

void blas_product(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    ProductBlocks product;
    input->op->product(&product, input, arena);
    refer(refs, &product, input, last_operand(input->op), arena);
}

void blas_product_gemm(ProductBlocks *product, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    ProductEquation *e = product_of_one(product, &input->tensors[2], arena);
    StoredMatrix a = {.view = input->tensors[0], .conjugate = q->ta == TRANSPOSE_CONJUGATE};
    StoredMatrix b = {.view = input->tensors[1], .conjugate = q->tb == TRANSPOSE_CONJUGATE};
    equation_add(e, q->alpha, a, b);
    e->beta = q->beta;
    e->c.view = input->tensors[2];
    e->want_square = input->exchangeable;
    e->signs_drawn = input->signs_drawn;
}

void blas_gemm(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    ProductBlocks product;
    blas_product_gemm(&product, input, arena);
    /* Others change what they get of this one. */
    product.block->equation.may_draft = input->may_draft && input->op->reference == blas_gemm;
    refer(refs, &product, input, 2, arena);
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

/* The sign of a contraction index reaches only one of the two triangles: none is drawn. */
void blas_product_sided(ProductBlocks *product, const ReferenceInput *input, Expansion expansion,
                        Arena *arena)
{
    const Blas *q = input->params;
    ProductEquation *e = product_of_one(product, &input->tensors[2], arena);
    StoredMatrix square = {.view = input->tensors[0],
                           .expansion = expansion,
                           .real_diagonal = expansion == EXPAND_HERMITIAN};
    StoredMatrix other = {.view = input->tensors[1]};
    bool left = q->side == SIDE_LEFT;
    equation_add(e, q->alpha, left ? square : other, left ? other : square);
    e->beta = q->beta;
    e->c.view = input->tensors[2];
    e->want_square = input->exchangeable;
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

static StoredMatrix triangle_of(const Blas *q, const Tensor *stored)
{
    return (StoredMatrix){
        .view = q->ta == TRANSPOSE_NONE ? *stored : tensor_transposed(*stored),
        .expansion = EXPAND_TRIANGULAR,
        .conjugate = q->ta == TRANSPOSE_CONJUGATE,
    };
}

void blas_product_triangular(ProductBlocks *product, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    ProductEquation *e = product_of_one(product, &input->tensors[1], arena);
    StoredMatrix triangle = triangle_of(q, &input->tensors[0]), other = {.view = input->tensors[1]};
    bool left = q->side == SIDE_LEFT;
    equation_add(e, q->alpha, left ? triangle : other, left ? other : triangle);
    e->want_square = input->exchangeable;
    e->signs_drawn = input->signs_drawn;
}

/* alpha = 0 sets B to 0. */
void blas_product_solve(ProductBlocks *product, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    ProductEquation *e = product_of_one(product, &input->tensors[1], arena);
    if (scalar_is_zero(q->alpha))
        return;
    e->form = q->side == SIDE_LEFT ? RESULT_SOLVES : RESULT_SOLVES_TO;
    e->t = triangle_of(q, &input->tensors[0]);
    e->beta = q->alpha;
    e->c.view = input->tensors[1];
}

void blas_solve(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    ProductBlocks product;
    blas_product_solve(&product, input, arena);
    refer(refs, &product, input, 1, arena);
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

static Scalar conjugate_of(Scalar s, bool conjugated)
{
    return (Scalar){s.re, conjugated ? -s.im : s.im};
}

/* Both factors of a term share the signs and the values of A: no statistics. */
void blas_product_rank(ProductBlocks *product, const ReferenceInput *input, bool hermitian,
                       Arena *arena)
{
    const Blas *q = input->params;
    bool with_b = input->op->tensors[2] != NULL, conjugated = q->ta != TRANSPOSE_NONE;
    const Tensor *a = &input->tensors[0], *b = &input->tensors[with_b ? 1 : 0];
    const Tensor *c = &input->tensors[with_b ? 2 : 1];
    ProductEquation *e = product_of_one(product, c, arena);
    bool left = hermitian && conjugated, right = hermitian && !conjugated;
    e->beta = q->beta;
    e->c = (StoredMatrix){.view = *c};
    if (returns_at_once(q))
        return;
    e->c.real_diagonal = e->result.real_diagonal = hermitian;
    e->c.expansion = e->result.expansion = hermitian ? EXPAND_HERMITIAN : EXPAND_SYMMETRIC;
    equation_add(e, q->alpha, (StoredMatrix){.view = *a, .conjugate = left},
                 (StoredMatrix){.view = tensor_transposed(*b), .conjugate = right});
    if (with_b)
        equation_add(e, conjugate_of(q->alpha, hermitian),
                     (StoredMatrix){.view = *b, .conjugate = left},
                     (StoredMatrix){.view = tensor_transposed(*a), .conjugate = right});
}

void blas_rank(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    int last = last_operand(input->op);
    Ref *ref = &refs[last];
    if (!returns_at_once(q)) {
        blas_product(refs, input, arena);
        return;
    }
    copy_reference(ref, &input->tensors[last], arena);
    /* The text of the definition adds alpha times a product to C. */
    for (size_t i = 0; i < ref->count; i++)
        ref->match[i] = ref->match[i] == MATCH_BITS ? MATCH_USUAL : ref->match[i];
}
