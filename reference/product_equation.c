/* References of some rows of a result. */
#include "product_equation.h"

#include "affine.h"
#include "complex_sum.h"
#include "solve.h"

/* How far apart two elements of a block lie in memory. */
static int64_t distance(const Tensor *whole, int64_t first, int64_t step, int64_t extent)
{
    if (extent < 2)
        return 1;
    return tensor_offset_of(whole, first + step) - tensor_offset_of(whole, first);
}

Tensor block_view(const ProductBlock *block, const Tensor *whole)
{
    const Tensor *part = &block->equation.result.view;
    Tensor view = *whole;
    int64_t first = 0, rows = part->extent[0], columns = part->extent[1];
    if (whole->rank > 2) {
        bool any = rows > 0 && columns > 0;
        view = tensor_matrix(whole->dtype, rows, columns,
                             any ? distance(whole, block->first, block->row_step, rows) : 1,
                             any ? distance(whole, block->first, block->column_step, columns) : 1,
                             whole->origin);
        first = any ? tensor_offset_of(whole, block->first) : 0;
    } else if (block->first > 0) {
        first =
            tensor_offset(whole, block->first / whole->extent[1], block->first % whole->extent[1]);
    }
    view.origin = (char *)whole->origin + first * (int64_t)dtype_size(whole->dtype);
    view.extent[0] = rows;
    view.extent[1] = columns;
    return view;
}

ProductEquation *product_of_one(ProductBlocks *product, const Tensor *result, Arena *arena)
{
    *product = (ProductBlocks){arena_take_zeroed(arena, 1, sizeof(ProductBlock)), 1};
    product->block->row_step = result->extent[1];
    product->block->column_step = 1;
    product->block->equation.result.view = *result;
    return &product->block->equation;
}

void equation_add(ProductEquation *e, Scalar alpha, StoredMatrix a, StoredMatrix b)
{
    REQUIRE(e->terms < EQUATION_TERMS_MAX);
    if (!scalar_is_zero(alpha))
        e->term[e->terms++] = (ProductTerm){alpha, a, b};
}

int64_t equation_depth(const ProductEquation *e)
{
    int64_t depth = e->form == RESULT_GIVEN ? 0 : e->t.view.extent[0];
    for (int i = 0; i < e->terms; i++)
        depth += e->term[i].a.view.extent[1];
    return depth;
}

/* One term, or none, with the addend if there is one. */
static AffineInput affine_of_rows(const ProductEquation *e, const ProductTerm *term, bool with_c,
                                  const size_t *rows, size_t count, Arena *arena)
{
    DType dtype = dtype_arithmetic(e->result.view.dtype);
    int64_t columns = e->result.view.extent[1], some = (int64_t)count;
    AffineInput in = {
        .want_square = e->want_square,
        .signs_drawn = e->signs_drawn,
        .a = tensor_matrix(dtype, some, 0, 1, 1, NULL),
        .b = tensor_matrix(dtype, 0, columns, 1, 1, NULL),
        .c = tensor_matrix(dtype, some, columns, columns, 1, NULL),
    };
    if (term) {
        in.alpha = term->alpha;
        in.a = stored_rows(&term->a, rows, count, arena);
        in.b = stored_dense(&term->b, arena);
        in.conjugate_a = term->a.conjugate;
        in.conjugate_b = term->b.conjugate;
    }
    if (with_c && !scalar_is_zero(e->beta)) {
        in.beta = e->beta;
        in.c = stored_rows(&e->c, rows, count, arena);
        if (in.c.dtype != dtype)
            in.c = tensor_converted(&in.c, dtype, arena);
        in.conjugate_c = e->c.conjugate;
    }
    return in;
}

/* R T = beta C is T^T R^T = beta C^T. */
static void solve_rows(Ref *ref, const ProductEquation *e, const Tensor *computed,
                       const size_t *rows, size_t count, Arena *arena)
{
    SolveInput solve = {.t = stored_dense(&e->t, arena),
                        .conjugate = e->t.conjugate,
                        .alpha = e->beta,
                        .rows = rows,
                        .row_count = count,
                        .b = e->c.view,
                        .computed = computed};
    if (e->form == RESULT_SOLVES) {
        solve_reference(ref, &solve, arena);
        return;
    }
    Tensor x;
    Ref turned;
    solve.rows = NULL;
    solve.t = tensor_transposed(solve.t);
    solve.b = tensor_transposed(stored_rows(&e->c, rows, count, arena));
    if (computed)
        x = tensor_transposed(stored_rows(&(StoredMatrix){.view = *computed}, rows, count, arena));
    solve.computed = computed ? &x : NULL;
    solve_reference(&turned, &solve, arena);
    Tensor order = tensor_matrix(turned.dtype, (int64_t)count, e->result.view.extent[1], 1,
                                 (int64_t)count, NULL);
    ref_gather(ref, &turned, &order, arena);
}

/* What the result has not, and its real diagonal. */
static void limit_rows(Ref *ref, const StoredMatrix *result, const size_t *rows)
{
    size_t parts = (size_t)dtype_components(ref->dtype);
    for (size_t k = 0; k < ref->rows && (result->view.limited || result->real_diagonal); k++) {
        size_t i = rows ? rows[k] : k;
        TensorRow row = tensor_row(&result->view, (int64_t)i);
        for (size_t j = 0; j < ref->columns; j++)
            for (size_t part = 0; part < parts; part++) {
                size_t element = (k * ref->columns + j) * parts + part;
                if ((int64_t)j < row.first || (int64_t)j >= row.end)
                    ref_admit_anything(ref, element);
                else if (result->real_diagonal && part == 1 && j == i)
                    ref_set_exact(ref, element, 0, MATCH_ROUNDED);
            }
    }
}

/* One product, and nothing to be said of it besides. */
static bool is_all_of_one(const ProductEquation *e, const size_t *rows)
{
    const StoredMatrix *result = &e->result;
    return !rows && e->terms == 1 && !e->three_products && !result->view.limited &&
           !result->real_diagonal && dtype_arithmetic(result->view.dtype) == result->view.dtype;
}

void equation_reference(Ref *ref, const ProductEquation *e, const Tensor *computed,
                        const size_t *rows, size_t count, Arena *arena)
{
    if (e->form != RESULT_GIVEN) {
        solve_rows(ref, e, computed, rows, count, arena);
        return;
    }
    AffineInput in = affine_of_rows(e, e->terms > 0 ? &e->term[0] : NULL, true, rows, count, arena);
    in.may_draft = e->may_draft && is_all_of_one(e, rows);
    affine_reference(ref, &in, arena);
    if (e->three_products)
        ref_admit_three_products(ref, (double)equation_depth(e));
    for (int i = 1; i < e->terms; i++) {
        Ref other;
        in = affine_of_rows(e, &e->term[i], false, rows, count, arena);
        affine_reference(&other, &in, arena);
        ref_add(ref, &other, ADD_PLAIN);
    }
    limit_rows(ref, &e->result, rows);
    if (ref->dtype != e->result.view.dtype)
        ref_narrow(ref, e->result.view.dtype);
}
