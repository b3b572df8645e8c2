/* Matrices as lists of entries, each with its row, its column and its value, in any order.  Entries
 * of one place are added (PyTorch, torch.sparse, Uncoalesced sparse COO tensors; SciPy,
 * scipy.sparse.coo_array: "duplicate (i,j) entries are summed together").
 *
 *     entries_to_dense   y[i, j] = sum of the values at (i, j)
 *     entries_matmul     y[i, j] = sum over the entries e of row i of value[e] b[column[e], j]
 *
 * Bounds: of y the sum in any order (reference/reduce.h).  Of products the reduction lemma
 * (oracle/bound.h) over the entries.  Values of one place may be added before they are multiplied:
 * a term then takes one rounding for each of those, and none of theirs in the sum of the row, which
 * is as much shorter, so that the lemma holds.  What becomes of infinities, or of sums near the end
 * of the range, differs between both orders: there, where an entry is not alone at its place, a
 * result may be anything.  Integers are exact, modulo 2^bits. */
#include <math.h>

#include "nn_index.h"
#include "nn_sparse.h"

typedef struct Entries {
    int64_t dtype, m, n, k, num_entries;
} Entries;

#define COMMON                                                                                     \
    NN_DTYPE(Entries), P_DIM(Entries, m, 0, 512, "rows of the matrix"),                            \
        P_DIM(Entries, k, 0, 512, "columns of the matrix"),                                        \
        P_DIM(Entries, num_entries, 0, 1024, "entries of the list")
static const Param dense_params[] = {COMMON, P_END};
static const Param product_params[] = {COMMON, P_DIM(Entries, n, 0, 256, "columns of b and y"),
                                       P_END};
static const char *const dense_tensors[] = {"rows", "columns", "values", "y", NULL};
static const char *const product_tensors[] = {"rows", "columns", "values", "b", "y", NULL};
enum { ROWS, COLUMNS, VALUES, DENSE, B = 3, Y };

/* Entries need a place. */
static void normalise(void *params_of_case)
{
    Entries *q = params_of_case;
    if (q->m == 0 || q->k == 0)
        q->num_entries = 0;
}

static void list_shape(const Entries *q, Shapes *shapes)
{
    Shape list = {1, {q->num_entries}};
    *shapes = (Shapes){.depth = q->num_entries};
    nn_add_operand(shapes, DT_I64, &list, ROLE_IN);
    nn_add_operand(shapes, DT_I64, &list, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &list, ROLE_IN);
    shapes->tensor[ROWS].index_below = q->m;
    shapes->tensor[COLUMNS].index_below = q->k;
}

static void dense_shape(const void *params_of_case, Shapes *shapes)
{
    const Entries *q = params_of_case;
    Shape y = {2, {q->m, q->k}};
    list_shape(q, shapes);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

static void product_shape(const void *params_of_case, Shapes *shapes)
{
    const Entries *q = params_of_case;
    Shape b = {2, {q->k, q->n}}, y = {2, {q->m, q->n}};
    list_shape(q, shapes);
    nn_add_operand(shapes, nn_dtype(q), &b, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

static double dense_work(const void *params_of_case)
{
    const Entries *q = params_of_case;
    return 16 * (double)(q->m * q->k + q->num_entries);
}

static double product_work(const void *params_of_case)
{
    const Entries *q = params_of_case;
    return (double)(2 * q->m * (4 * q->n + q->num_entries) + q->k * q->n +
                    2 * q->num_entries * q->n);
}

/* The values that meet in each element, one list after the other, in the order of the entries. */
static void dense_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Entries *q = input->params;
    const Tensor *t = input->tensors;
    size_t count = (size_t)(q->m * q->k);
    size_t *first = arena_take_zeroed(arena, count + 2, sizeof *first);
    double *values = arena_take(arena, (size_t)q->num_entries + 1, sizeof *values);
    for (int64_t e = 0; e < q->num_entries; e++)
        first[(int64_t)tensor_value(&t[ROWS], e) * q->k + (int64_t)tensor_value(&t[COLUMNS], e) +
              2]++;
    for (size_t i = 2; i <= count + 1; i++)
        first[i] += first[i - 1];
    for (int64_t e = 0; e < q->num_entries; e++) {
        int64_t at =
            (int64_t)tensor_value(&t[ROWS], e) * q->k + (int64_t)tensor_value(&t[COLUMNS], e);
        values[first[at + 1]++] = tensor_value(&t[VALUES], e);
    }
    nn_put_lists(&refs[DENSE], REDUCE_SUM, &t[DENSE], values, first, arena);
}

/* The entries of a row: their numbers, and their columns. */
static size_t entries_of(const ReferenceInput *input, int64_t row, size_t *number, size_t *column)
{
    const Tensor *t = input->tensors;
    size_t count = 0;
    for (int64_t e = 0; e < t[ROWS].extent[0]; e++)
        if ((int64_t)tensor_value(&t[ROWS], e) == row) {
            number[count] = (size_t)e;
            column[count++] = (size_t)tensor_value(&t[COLUMNS], e);
        }
    return count;
}

/* The size of an element, or an infinity where a part of it is not finite. */
static double size_of(const Tensor *view, int64_t i, int64_t j)
{
    int parts = dtype_components(view->dtype);
    int64_t at = (i * view->stride[0] + j * (view->rank > 1 ? view->stride[1] : 0)) * parts;
    double size = 0;
    for (int part = 0; part < parts; part++)
        size += fabs(dtype_load(view->dtype, view->origin, at + part));
    return isfinite(size) ? size : INFINITY;
}

/* Of a column of the matrix with several entries in one row: results of the row that depend on
 * whether they are added first. */
static void admit_orders(Ref *ref, const ReferenceInput *input, int64_t row, int64_t column,
                         double size)
{
    const Tensor *b = &input->tensors[B];
    int parts = dtype_components(b->dtype);
    double high = dtype_format(b->dtype)->largest / 4;
    for (int64_t j = 0; j < b->extent[1]; j++)
        for (int part = 0; part < parts; part++)
            if (!(size < high) || !(size_of(b, column, j) < high))
                ref_set_classes(ref, (size_t)((row * b->extent[1] + j) * parts + part), CLASS_ANY);
}

static void admit_orders_of_row(Ref *ref, const ReferenceInput *input, int64_t row,
                                const size_t *number, const size_t *column, size_t count)
{
    for (size_t e = 0; e < count; e++) {
        double size = 0;
        int alike = 0;
        for (size_t other = 0; other < count; other++)
            if (column[other] == column[e]) {
                size += size_of(&input->tensors[VALUES], (int64_t)number[other], 0);
                alike++;
            }
        if (alike > 1)
            admit_orders(ref, input, row, (int64_t)column[e], size);
    }
}

static void product_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Entries *q = input->params;
    const Tensor *t = input->tensors;
    size_t room = (size_t)q->num_entries + 1;
    size_t *number = arena_take(arena, room, sizeof *number);
    size_t *column = arena_take(arena, room, sizeof *column);
    Tensor values = t[VALUES];
    values.rank = 2, values.extent[1] = 1, values.stride[1] = 1;
    SparseResult result;
    sparse_begin(&result, &refs[Y], nn_dtype(q), q->m, q->n, arena);
    for (int64_t i = 0; i < q->m; i++) {
        SparseRow row = {.left = {.view = values},
                         .right = {.view = t[B]},
                         .of_left = number,
                         .of_right = column,
                         .count = entries_of(input, i, number, column),
                         .alpha = {1, 0}};
        sparse_put(&result, &row);
    }
    sparse_end(&result);
    for (int64_t i = 0; i < q->m && !dtype_is_integer(nn_dtype(q)); i++) {
        size_t count = entries_of(input, i, number, column);
        admit_orders_of_row(&refs[Y], input, i, number, column, count);
    }
}

static const IllegalRule illegal[] = {
    {ILLEGAL_INDEX, "rows", 0}, {ILLEGAL_INDEX, "columns", 0}, {ILLEGAL_EXTENT, "columns", 0}, {0}};

#define ENTRIES                                                                                    \
    NN_OP(Entries, 1), .dtypes = DTYPES_BLAS | DTYPES_INTEGER, .normalise = normalise,             \
                       .illegal = illegal
static const OpDesc operators[] = {
    {ENTRIES, .name = "entries_to_dense", .by_parts = true,
     .summary = "a matrix of a list of entries, in any order, which are added where they meet",
     .params = dense_params, .tensors = dense_tensors, .shape = dense_shape, .work = dense_work,
     .reference = dense_reference},
    {ENTRIES, .name = "entries_matmul",
     .summary = "product of a matrix of a list of entries, and a matrix", .params = product_params,
     .tensors = product_tensors, .shape = product_shape, .work = product_work,
     .reference = product_reference},
    {.name = NULL},
};

OP_TABLE(ops_sparse_entries)
{
    return operators;
}
