/* Operators of two matrices that store some of their elements only: those where their masks are
 * set.  The result is compared as a dense one.
 *
 *     sparse_product   Y = op(A) op(B): sums over the p with both (i, p) and (p, j) stored
 *     sparse_add       Y = alpha op(A) + B: where one of them is stored, it alone
 *     sparse_mul       y[i, j] = a[i, j] b[i, j] where both are stored, else 0
 *
 * op is nothing, the transpose or the conjugate transpose.  A stored 0 is a number like any other,
 * and an element that is not stored is no term: it meets no NaN and no infinity (the Sparse BLAS
 * standard, chapter 3 of the BLAS Technical Forum Standard, 3.1).  Of products element by element
 * no text says whether what is stored in one matrix alone meets the 0 that the other one stands for
 * there: of NaN and infinities it may.  That a result stores an element says nothing of its value:
 * a 0 may be stored or not.
 *
 * Bounds: of products the reduction lemma (oracle/bound.h) over what is stored in both; alpha a + b
 * is rounded once or twice (reference/elementwise.h), or with a complex alpha a sum of products.
 * Integers are exact, modulo 2^bits. */
#include <math.h>

#include "nn_sparse.h"
#include "reference/elementwise.h"

typedef struct SparsePair {
    int64_t dtype, m, n, k, ta, tb;
    Scalar alpha;
} SparsePair;

enum { PLAIN, TRANSPOSED, CONJUGATED };
static const char *const operations[] = {"n", "t", "c", NULL};

#define M P_DIM(SparsePair, m, 0, 256, "rows of y")
#define N P_DIM(SparsePair, n, 0, 256, "columns of y")
#define TA                                                                                         \
    P_CHOICE(SparsePair, ta, operations, "a is transposed, or conjugate transposed",               \
             .placement = true, .computing = 2)
static const Param product_params[] = {
    NN_DTYPE(SparsePair),
    M,
    N,
    P_DIM(SparsePair, k, 0, 256, "terms of each sum, stored or not"),
    TA,
    P_CHOICE(SparsePair, tb, operations, "b is transposed, or conjugate transposed",
             .placement = true, .computing = 2),
    P_END};
static const Param sum_params[] = {
    NN_DTYPE(SparsePair), M, N, TA, P_SCALAR(SparsePair, alpha, 1, "factor of a"), P_END};
static const Param mul_params[] = {NN_DTYPE(SparsePair), M, N, P_END};
static const char *const tensors[] = {"mask_a", "a", "mask_b", "b", "y", NULL};
enum { MASK_A, A, MASK_B, B, Y };

/* Integers have integral factors alone. */
static void normalise(void *params_of_case)
{
    SparsePair *q = params_of_case;
    if (dtype_is_integer(nn_dtype(q)))
        q->alpha = (Scalar){1, 0};
}

static double product_work(const void *params_of_case)
{
    const SparsePair *q = params_of_case;
    return (double)(q->m * q->n * (q->k + 64) + q->m * q->k + q->k * q->n);
}

static double element_work(const void *params_of_case)
{
    const SparsePair *q = params_of_case;
    return 64 * (double)(q->m * q->n);
}

static void add_pair(Shapes *shapes, DType dtype, int64_t rows, int64_t columns, bool transposed)
{
    Shape shape = {2, {transposed ? columns : rows, transposed ? rows : columns}};
    nn_add_operand(shapes, DT_BOOL, &shape, ROLE_IN);
    nn_add_operand(shapes, dtype, &shape, ROLE_IN);
}

static void shape_with(const SparsePair *q, int64_t depth, int64_t columns_a, int64_t rows_b,
                       Shapes *shapes)
{
    Shape y = {2, {q->m, q->n}};
    *shapes = (Shapes){.depth = depth};
    add_pair(shapes, nn_dtype(q), q->m, columns_a, q->ta != PLAIN);
    add_pair(shapes, nn_dtype(q), rows_b, q->n, q->tb != PLAIN);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

static void product_shape(const void *params_of_case, Shapes *shapes)
{
    const SparsePair *q = params_of_case;
    shape_with(q, q->k, q->k, q->k, shapes);
    shapes->tensor[A].part = PART_LEFT;
    shapes->tensor[B].part = PART_RIGHT;
}

static void element_shape(const void *params_of_case, Shapes *shapes)
{
    const SparsePair *q = params_of_case;
    shape_with(q, 1, q->n, q->m, shapes);
}

static Tensor operated(const Tensor *view, int64_t operation)
{
    return operation == PLAIN ? *view : tensor_transposed(*view);
}

static size_t stored_in_both(const Tensor *row, const Tensor *column, size_t *places)
{
    size_t count = 0;
    for (int64_t p = 0; p < row->extent[0]; p++)
        if (tensor_value(row, p) != 0 && tensor_value(column, p) != 0)
            places[count++] = (size_t)p;
    return count;
}

/* Each element is a sum of its own; rows and columns are those of the transposes. */
static void product_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const SparsePair *q = input->params;
    const Tensor *t = input->tensors;
    Tensor mask_a = operated(&t[MASK_A], q->ta), a = operated(&t[A], q->ta);
    Tensor mask_b = tensor_transposed(operated(&t[MASK_B], q->tb));
    Tensor b = tensor_transposed(operated(&t[B], q->tb));
    size_t *places = arena_take(arena, (size_t)q->k + 1, sizeof *places);
    SparseResult result;
    sparse_begin(&result, &refs[Y], nn_dtype(q), q->m * q->n, 1, arena);
    for (int64_t i = 0; i < q->m; i++)
        for (int64_t j = 0; j < q->n; j++) {
            Tensor in_row = sparse_row_as_column(&mask_a, i);
            Tensor in_column = sparse_row_as_column(&mask_b, j);
            SparseRow sum = {
                .left = {.view = sparse_row_as_column(&a, i), .conjugate = q->ta == CONJUGATED},
                .right = {.view = sparse_row_as_column(&b, j), .conjugate = q->tb == CONJUGATED},
                .of_left = places,
                .of_right = places,
                .count = stored_in_both(&in_row, &in_column, places),
                .alpha = {1, 0}};
            sparse_put(&result, &sum);
        }
    sparse_end(&result);
    refs[Y].rows = (size_t)q->m;
    refs[Y].columns = (size_t)q->n;
}

/* One row of numbers as a column, for elements that are factors of nothing else. */
static Tensor element_of(const Tensor *view, int64_t i, int64_t j)
{
    int64_t size = (int64_t)dtype_size(view->dtype);
    return tensor_matrix(view->dtype, 1, 1, 1, 1,
                         (char *)view->origin + (i * view->stride[0] + j * view->stride[1]) * size);
}

static bool is_set(const Tensor *mask, int64_t i, int64_t j)
{
    return tensor_value(mask, i * mask->extent[1] + j) != 0;
}

static double part_of(const Tensor *view, int64_t i, int64_t j, int part)
{
    Tensor at = element_of(view, i, j);
    return dtype_load(at.dtype, at.origin, part);
}

static bool is_finite(const Tensor *view, int64_t i, int64_t j)
{
    int parts = dtype_components(view->dtype);
    return isfinite(part_of(view, i, j, 0)) && isfinite(part_of(view, i, j, parts - 1));
}

/* Where one of both alone is stored, and not finite: 0, or NaN of its product with 0. */
static void admit_nan(Ref *ref, const Tensor *t)
{
    int parts = dtype_components(t[Y].dtype);
    int64_t columns = t[Y].extent[1];
    for (int64_t i = 0; i < t[Y].extent[0] * columns * parts; i++) {
        int64_t row = i / parts / columns, column = i / parts % columns;
        bool in_a = is_set(&t[MASK_A], row, column), in_b = is_set(&t[MASK_B], row, column);
        if (in_a != in_b && !is_finite(&t[in_a ? A : B], row, column))
            ref_set_classes(ref, (size_t)i, CLASS_FINITE | CLASS_NAN);
    }
}

static void mul_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *t = input->tensors;
    int64_t rows = t[Y].extent[0], columns = t[Y].extent[1];
    const size_t first[] = {0};
    SparseResult result;
    sparse_begin(&result, &refs[Y], t[Y].dtype, rows * columns, 1, arena);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            SparseRow product = {.left = {.view = element_of(&t[A], i, j)},
                                 .right = {.view = element_of(&t[B], i, j)},
                                 .of_left = first,
                                 .of_right = first,
                                 .count = is_set(&t[MASK_A], i, j) && is_set(&t[MASK_B], i, j),
                                 .alpha = {1, 0}};
            sparse_put(&result, &product);
        }
    sparse_end(&result);
    refs[Y].rows = (size_t)rows;
    refs[Y].columns = (size_t)columns;
    if (!dtype_is_integer(t[Y].dtype))
        admit_nan(&refs[Y], t);
}

/* With a complex alpha, and of integers: alpha a 1 + 1 b, where each is there. */
static void put_sums(Ref *ref, const SparsePair *q, const Tensor *t, Arena *arena)
{
    Tensor mask = operated(&t[MASK_A], q->ta), a = operated(&t[A], q->ta);
    Tensor ones = tensor_matrix(nn_dtype(q), 1, 1, 1, 1, arena_take_zeroed(arena, 1, 16));
    const size_t first[] = {0};
    SparseResult result;
    dtype_store(ones.dtype, ones.origin, 0, 1);
    sparse_begin(&result, ref, nn_dtype(q), q->m * q->n, 1, arena);
    for (int64_t i = 0; i < q->m; i++)
        for (int64_t j = 0; j < q->n; j++) {
            bool has_b = is_set(&t[MASK_B], i, j);
            SparseRow sum = {
                .left = {.view = element_of(&a, i, j), .conjugate = q->ta == CONJUGATED},
                .right = {.view = ones},
                .of_left = first,
                .of_right = first,
                .count = is_set(&mask, i, j),
                .alpha = q->alpha,
                .beta = {has_b, 0},
                .c = element_of(&t[B], i, j)};
            sparse_put(&result, &sum);
        }
    sparse_end(&result);
    ref->rows = (size_t)q->m;
    ref->columns = (size_t)q->n;
}

static void put_integer_sums(Ref *ref, const SparsePair *q, const Tensor *t, Arena *arena)
{
    Tensor mask = operated(&t[MASK_A], q->ta), a = operated(&t[A], q->ta);
    ref_allocate(ref, nn_dtype(q), (size_t)q->m, (size_t)q->n, arena);
    nn_allocate_candidates(ref, arena);
    for (int64_t i = 0; i < q->m; i++)
        for (int64_t j = 0; j < q->n; j++) {
            long double sum = is_set(&mask, i, j) ? part_of(&a, i, j, 0) : 0;
            sum += is_set(&t[MASK_B], i, j) ? part_of(&t[B], i, j, 0) : 0;
            ref_put_integer(ref, (size_t)(i * q->n + j), sum);
        }
}

/* A copy of those elements that are stored, with zeros beside them. */
static Tensor filled(const Tensor *mask, const Tensor *view, bool conjugate, Arena *arena)
{
    int64_t rows = view->extent[0], columns = view->extent[1];
    int parts = dtype_components(view->dtype);
    size_t count = (size_t)(rows * columns) + 1;
    Tensor to = tensor_matrix(view->dtype, rows, columns, columns, 1,
                              arena_take_zeroed(arena, count, dtype_size(view->dtype)));
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            for (int part = 0; part < parts && is_set(mask, i, j); part++)
                dtype_store(to.dtype, to.origin, (i * columns + j) * parts + part,
                            part_of(view, i, j, part) * (part == 1 && conjugate ? -1 : 1));
    return to;
}

/* With a real alpha: where a is not stored, b is copied, or multiplied by a complex 1. */
static void put_combinations(Ref *ref, const SparsePair *q, const Tensor *t, Arena *arena)
{
    Tensor mask = operated(&t[MASK_A], q->ta), a = operated(&t[A], q->ta);
    int parts = dtype_components(a.dtype);
    CombinationInput in = {.x = filled(&mask, &a, q->ta == CONJUGATED, arena),
                           .y = filled(&t[MASK_B], &t[B], false, arena),
                           .p = dtype_round(a.dtype, q->alpha.re),
                           .q = 1};
    combination_reference(ref, &in, arena);
    for (int64_t i = 0; i < q->m * q->n * parts; i++)
        if (tensor_value(&mask, i / parts) == 0)
            ref_set_exact(ref, (size_t)i, dtype_load(in.y.dtype, in.y.origin, i), MATCH_VALUE);
    for (size_t i = 0; parts == 2 && i < ref->count; i += 2)
        ref_spread_special(ref, i);
}

static void sum_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const SparsePair *q = input->params;
    if (dtype_is_integer(nn_dtype(q)))
        put_integer_sums(&refs[Y], q, input->tensors, arena);
    else if (q->alpha.im != 0)
        put_sums(&refs[Y], q, input->tensors, arena);
    else
        put_combinations(&refs[Y], q, input->tensors, arena);
}

#define PAIR                                                                                       \
    NN_OP(SparsePair, 1), .tensors = tensors, .dtypes = DTYPES_BLAS | DTYPES_INTEGER,              \
                          .fills = nn_function_fills
static const OpDesc operators[] = {
    {NN_OP(SparsePair, 1), .name = "sparse_product",
     .summary = "product of two matrices that store some elements", .params = product_params,
     .tensors = tensors, .dtypes = DTYPES_BLAS | DTYPES_INTEGER, .shape = product_shape,
     .work = product_work, .reference = product_reference},
    {PAIR, .name = "sparse_add", .summary = "sum of two matrices that store some elements",
     .params = sum_params, .normalise = normalise, .shape = element_shape, .work = element_work,
     .reference = sum_reference},
    {PAIR, .name = "sparse_mul",
     .summary = "element-wise product of two matrices that store some elements",
     .params = mul_params, .shape = element_shape, .work = element_work,
     .reference = mul_reference},
    {.name = NULL},
};

OP_TABLE(ops_sparse_pair)
{
    return operators;
}
