/* Bags of rows of a table that stand one after the other in a line of indices (PyTorch,
 * nn.functional.embedding_bag): bag b has the indices from offsets[b] to the next offset, the last
 * one those up to the end of the line or, where the last offset is included, up to that.  Their
 * rows are summed, each times a weight where there are some, or their mean or greatest is taken;
 * the row padding_idx is left out, also of the count, and a bag without rows gives zeros.  Rows
 * whose 2-norm is above max_norm are scaled to it first.  In balls; the gradients are those of sums
 * of products. */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

typedef struct Bags {
    int64_t dtype, rows, columns, num_indices, bags, mode, include_last_offset, weighted;
    int64_t unused, padding_idx;
    Scalar max_norm;
} Bags;

static const char *const modes[] = {"sum", "mean", "max", NULL};
static const char *const linear_modes[] = {"sum", "mean", NULL};
enum { SUM, MEAN, GREATEST };

#define TABLE(modes)                                                                               \
    NN_DTYPE(Bags), P_DIM(Bags, rows, 1, 64, "rows of the table"),                                 \
        P_DIM(Bags, columns, 1, 64, "elements of a row"),                                          \
        P_DIM(Bags, num_indices, 0, 128, "indices of all bags"), P_DIM(Bags, bags, 0, 16, "bags"), \
        P_CHOICE(Bags, mode, modes, "of a bag"),                                                   \
        P_CHOICE(Bags, include_last_offset, nn_yes_no, "offsets have the end of the last bag"),    \
        P_DIM(Bags, unused, 0, 32, "indices behind the end of the last bag"),                      \
        P_CHOICE(Bags, weighted, nn_yes_no, "rows of sums have weights"),                          \
        P_INTEGER(Bags, padding_idx, -1, 63, -1, "row that is left out, -1: none")

static const Param params[] = {
    TABLE(modes), P_REAL(Bags, max_norm, 0, "norm of rows that are longer, 0: as they are"), P_END};
static const Param gradient_params[] = {TABLE(linear_modes), P_END};
static const char *const tensors[] = {"x", "indices", "offsets", "weights", "y", NULL};
static const char *const gradient_tensors[] = {"dy", "indices", "offsets", "weights", "dx", NULL};
static const char *const weights_tensors[] = {"dy",      "x",        "indices", "offsets",
                                              "weights", "dweights", NULL};
enum { X, INDICES, OFFSETS, WEIGHTS, Y };
enum { OF_X = 1 }; /* operands in front of the indices where x is one beside dy */

/* Weights are of sums (PyTorch: "supported only for mode='sum'"), and indices of a bag. */
static void normalise(void *params_of_case)
{
    Bags *q = params_of_case;
    if (q->bags == 0)
        q->num_indices = 0;
    if (q->mode != SUM)
        q->weighted = 0;
    if (q->padding_idx >= q->rows)
        q->padding_idx = -1;
    if (!q->include_last_offset)
        q->unused = 0;
    q->unused = q->unused < q->num_indices ? q->unused : q->num_indices;
    double norm = fabs(q->max_norm.re);
    bool is_wide = 1u << q->dtype & DTYPES_REAL;
    q->max_norm.re = is_wide && norm >= 0x1p-4 && norm <= 0x1p6 ? norm : 0;
}

static void normalise_weights(void *params_of_case)
{
    Bags *q = params_of_case;
    q->mode = SUM;
    normalise(q);
    q->weighted = 1;
}

static int64_t end_of(const Bags *q)
{
    return q->num_indices - q->unused;
}

static void add_bags(const Bags *q, Shapes *shapes)
{
    Shape line = {1, {q->num_indices}}, offsets = {1, {q->bags + (q->include_last_offset != 0)}};
    nn_add_operand(shapes, DT_I64, &line, ROLE_IN);
    shapes->tensor[shapes->count - 1].index_below = q->rows;
    nn_add_operand(shapes, DT_I64, &offsets, ROLE_IN);
    TensorSpec *spec = &shapes->tensor[shapes->count - 1];
    spec->index_below = end_of(q) + 1;
    spec->ascending = true;
    spec->has_head = offsets.extent[0] > 0;
    spec->has_last = q->include_last_offset;
    spec->last = (double)end_of(q);
    nn_add_operand(shapes, nn_dtype(q), &line, ROLE_IN);
    shapes->tensor[shapes->count - 1].ignored = !q->weighted;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Bags *q = params_of_case;
    Shape x = {2, {q->rows, q->columns}}, y = {2, {q->bags, q->columns}};
    *shapes = (Shapes){.depth = q->num_indices};
    nn_add_operand(shapes, nn_dtype(q), &x, ROLE_IN);
    add_bags(q, shapes);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

static void gradient_shape(const void *params_of_case, Shapes *shapes)
{
    const Bags *q = params_of_case;
    Shape x = {2, {q->rows, q->columns}}, y = {2, {q->bags, q->columns}};
    *shapes = (Shapes){.depth = q->num_indices};
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_IN);
    add_bags(q, shapes);
    nn_add_operand(shapes, nn_dtype(q), &x, ROLE_OUT);
}

static void weights_shape(const void *params_of_case, Shapes *shapes)
{
    const Bags *q = params_of_case;
    Shape x = {2, {q->rows, q->columns}}, y = {2, {q->bags, q->columns}},
          line = {1, {q->num_indices}};
    *shapes = (Shapes){.depth = q->columns};
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &x, ROLE_IN);
    add_bags(q, shapes);
    nn_add_operand(shapes, nn_dtype(q), &line, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const Bags *q = params_of_case;
    return 512.0 * (double)(q->rows + q->num_indices + q->bags + 1) * (double)q->columns;
}

/* The indices of bag number b, from `first` to below `end`. */
typedef struct Range {
    int64_t first, end;
} Range;

static Range bag_at(const Bags *q, const Tensor *offsets, int64_t b)
{
    bool is_open = b + 1 == q->bags && !q->include_last_offset;
    return (Range){(int64_t)tensor_value(offsets, b),
                   is_open ? q->num_indices : (int64_t)tensor_value(offsets, b + 1)};
}

static int64_t row_at(const Tensor *indices, int64_t k)
{
    return (int64_t)tensor_value(indices, k);
}

static int64_t count_rows(const Bags *q, const Tensor *indices, Range bag)
{
    int64_t count = 0;
    for (int64_t k = bag.first; k < bag.end; k++)
        count += row_at(indices, k) != q->padding_idx;
    return count;
}

/* What a row is multiplied by: max_norm over its norm, to which PyTorch adds 1e-7, where that is
 * larger. */
static void scale_row(const Bags *q, const Format *f, Ball *row, Ball *squares)
{
    size_t columns = (size_t)q->columns;
    Ball most = ball_exact(q->max_norm.re);
    for (size_t j = 0; j < columns; j++)
        squares[j] = ball_multiply(f, row[j], row[j]);
    Ball norm = ball_sqrt(f, ball_sum(f, squares, columns));
    if (ball_is_nan(norm) ||
        (ball_is_known(norm) && (double)norm.value + norm.radius <= q->max_norm.re))
        return;
    Ball scale = ball_divide(f, most, norm);
    scale = ball_either(scale, ball_divide(f, most, ball_add(f, norm, ball_exact(1e-7))));
    bool is_longer = ball_is_known(norm) && (double)norm.value - norm.radius > q->max_norm.re;
    for (size_t j = 0; j < columns; j++) {
        Ball scaled = ball_multiply(f, row[j], scale);
        row[j] = is_longer ? scaled : ball_either(row[j], scaled);
    }
}

static Ball *table_of(const Bags *q, const Format *f, const Tensor *x, Arena *arena)
{
    size_t columns = (size_t)q->columns, count = (size_t)q->rows * columns;
    Ball *table = arena_take(arena, count + 1, sizeof *table);
    Ball *squares = arena_take(arena, columns + 1, sizeof *squares);
    for (size_t i = 0; i < count; i++)
        table[i] = ball_exact(tensor_value(x, (int64_t)i));
    for (size_t i = 0; q->max_norm.re > 0 && i < count; i += columns)
        scale_row(q, f, table + i, squares);
    return table;
}

/* Of count > 0 terms; a mean divides the sum or each term. */
static Ball combine(const Bags *q, const Format *f, Ball *terms, size_t count)
{
    Ball result = terms[0];
    if (q->mode == GREATEST) {
        for (size_t k = 1; k < count; k++)
            result = ball_max(result, terms[k]);
        return result;
    }
    result = ball_sum(f, terms, count);
    if (q->mode == SUM)
        return result;
    result = ball_mean(f, result, (double)count);
    for (size_t k = 0; k < count; k++)
        terms[k] = ball_mean(f, terms[k], (double)count);
    return ball_either(result, ball_sum(f, terms, count));
}

/* One column of a bag; terms has room for all indices. */
static void put_bag(Ref *ref, const Bags *q, const Tensor *t, const Ball *table, Ball *terms,
                    int64_t b, int64_t column)
{
    const Format *f = dtype_format(ref->accumulator);
    Range bag = bag_at(q, &t[OFFSETS], b);
    size_t count = 0, at = (size_t)(b * q->columns + column);
    bool has_nan = false;
    for (int64_t k = bag.first; k < bag.end; k++) {
        int64_t row = row_at(&t[INDICES], k);
        if (row == q->padding_idx)
            continue;
        Ball term = table[row * q->columns + column];
        has_nan = has_nan || ball_classes(term) & CLASS_NAN;
        terms[count++] =
            q->weighted ? ball_multiply(f, term, ball_exact(tensor_value(&t[WEIGHTS], k))) : term;
    }
    Ball result = count ? combine(q, f, terms, count) : ball_exact(0);
    ref_put_ball(ref, at, has_nan && q->mode == GREATEST ? ball_unknown() : result);
    /* No text says what the greatest of a bag with NaN is. */
    if (has_nan && q->mode == GREATEST)
        ref_set_classes(ref, at, CLASS_ANY);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Bags *q = input->params;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[Y];
    ref_allocate_bounded(ref, t[Y].dtype, &t[Y], arena);
    const Ball *table = table_of(q, dtype_format(ref->accumulator), &t[X], arena);
    Ball *terms = arena_take(arena, (size_t)q->num_indices + 1, sizeof *terms);
    for (int64_t b = 0; b < q->bags; b++)
        for (int64_t column = 0; column < q->columns; column++)
            put_bag(ref, q, t, table, terms, b, column);
}

/* Each row gets dy of every bag that it is in, times its weight or over the count. */
static size_t gradient_terms(const Bags *q, const Format *f, const Tensor *t, Ball *terms,
                             int64_t row, int64_t column)
{
    size_t count = 0;
    for (int64_t b = 0; b < q->bags; b++) {
        Range bag = bag_at(q, &t[OFFSETS], b);
        Ball dy = ball_exact(tensor_value(&t[X], b * q->columns + column));
        if (q->mode == MEAN)
            dy = ball_mean(f, dy, (double)count_rows(q, &t[INDICES], bag));
        for (int64_t k = bag.first; k < bag.end; k++)
            if (row_at(&t[INDICES], k) == row)
                terms[count++] =
                    q->weighted ? ball_multiply(f, dy, ball_exact(tensor_value(&t[WEIGHTS], k)))
                                : dy;
    }
    return count;
}

static void gradient_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Bags *q = input->params;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[Y];
    ref_allocate_bounded(ref, t[Y].dtype, &t[Y], arena);
    const Format *f = dtype_format(ref->accumulator);
    Ball *terms = arena_take(arena, (size_t)q->num_indices + 1, sizeof *terms);
    for (int64_t row = 0; row < q->rows; row++)
        for (int64_t column = 0; column < q->columns; column++) {
            size_t count = gradient_terms(q, f, t, terms, row, column);
            ref_put_ball(ref, (size_t)(row * q->columns + column),
                         count && row != q->padding_idx ? ball_sum(f, terms, count)
                                                        : ball_exact(0));
        }
}

/* Each weight gets the product of its row and dy of its bag; those of no bag get 0. */
static void weights_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Bags *q = input->params;
    const Tensor *t = input->tensors;
    const Tensor *indices = &t[INDICES + OF_X], *offsets = &t[OFFSETS + OF_X];
    Ref *ref = &refs[Y + OF_X];
    ref_allocate_bounded(ref, t[Y + OF_X].dtype, &t[Y + OF_X], arena);
    const Format *f = dtype_format(ref->accumulator);
    Ball *terms = arena_take(arena, (size_t)q->columns + 1, sizeof *terms);
    for (size_t k = 0; k < ref->count; k++)
        ref_put_ball(ref, k, ball_exact(0));
    for (int64_t b = 0; b < q->bags; b++) {
        Range bag = bag_at(q, offsets, b);
        for (int64_t k = bag.first; k < bag.end; k++) {
            int64_t row = row_at(indices, k);
            for (int64_t j = 0; j < q->columns; j++)
                terms[j] = ball_multiply(f, ball_exact(tensor_value(&t[0], b * q->columns + j)),
                                         ball_exact(tensor_value(&t[1], row * q->columns + j)));
            if (row != q->padding_idx)
                ref_put_ball(ref, (size_t)k, ball_sum(f, terms, (size_t)q->columns));
        }
    }
}

/* PyTorch, nn.EmbeddingBag: offsets of which the first is not 0, and rows that are not there, are
 * refused. */
static const IllegalRule illegal[] = {
    {ILLEGAL_INDEX, "indices", 0}, {ILLEGAL_INDEX, "offsets", 0}, {0}};

#define BAG_OP NN_OP(Bags, 1), .fills = nn_moderate_fills, .work = work

static const OpDesc table[] = {
    {BAG_OP, .name = "embedding_bag_offsets",
     .summary = "sums, means or greatest of rows by index, bag after bag", .params = params,
     .tensors = tensors, .dtypes = DTYPES_FLOAT, .normalise = normalise, .shape = shape,
     .reference = reference, .illegal = illegal},
    {BAG_OP, .name = "embedding_bag_offsets_backward",
     .summary = "gradient of embedding_bag_offsets by the table", .params = gradient_params,
     .tensors = gradient_tensors, .dtypes = DTYPES_REAL, .normalise = normalise,
     .shape = gradient_shape, .reference = gradient_reference},
    {BAG_OP, .name = "embedding_bag_offsets_backward_weights",
     .summary = "gradient of embedding_bag_offsets by the weights", .params = gradient_params,
     .tensors = weights_tensors, .dtypes = DTYPES_REAL, .normalise = normalise_weights,
     .shape = weights_shape, .reference = weights_reference},
    {.name = NULL},
};

OP_TABLE(ops_bag)
{
    return table;
}
