/* Losses of lines against labels or other lines, bags of rows, quantiles and correlations: in balls
 * (reference/ball.h), with the forms that kernels use beside each other. */
#include <math.h>
#include <stdlib.h>

#include "nn_exact.h"
#include "nn_split.h"
#include "reference/ball.h"
#include "reference/reduce.h"

static Ball at(const Tensor *t, int64_t i)
{
    return ball_exact(tensor_value(t, i));
}

/* Of three rows margins are greater than 0 (PyTorch, triplet_margin_loss); NaN compares as none. */
static void normalise_triplet(void *params)
{
    Exact *q = params;
    q->value.re = q->value.re == 0 ? 1 : fabs(q->value.re);
}

static const IllegalRule illegal_margin[] = {
    {ILLEGAL_NUMBER, "margin", -1}, {ILLEGAL_NUMBER, "margin", 0}, {0}};
static const IllegalRule illegal_class[] = {{ILLEGAL_INDEX, "target", 0}, {0}},
                         illegal_row[] = {{ILLEGAL_INDEX, "indices", 0}, {0}};
/* PyTorch, torch.quantile: "values in the range [0, 1]"; NumPy likewise. */
static const IllegalRule illegal_share[] = {
    {ILLEGAL_NUMBER, "q", -1}, {ILLEGAL_NUMBER, "q", 2}, {0}};

/* Losses: rows of `columns` elements, a mean over all rows or their sum. */
#define ROWS                                                                                       \
    NN_DTYPE(Exact), P_DIM(Exact, rows, 0, 32, "rows"),                                            \
        P_DIM(Exact, columns, 1, 64, "elements of a row"),                                         \
        P_REAL_AS("margin", Exact, value, 1, "distance that is asked for"),                        \
        P_CHOICE(Exact, reduction, nn_mean_or_sum, "of all rows")
static const Param rows_params[] = {ROWS, P_END};
static const char *const labelled_tensors[] = {"x", "target", "y", NULL};
static const char *const pair_tensors[] = {"a", "b", "target", "y", NULL};
static const char *const triplet_tensors[] = {"anchor", "positive", "negative", "y", NULL};

static void loss_shape(const Exact *q, int operands, int64_t labels, Shapes *shapes)
{
    Shape x = {2, {q->rows, q->columns}}, line = {1, {q->rows}}, number = {0};
    *shapes = (Shapes){.depth = q->rows * q->columns};
    for (int i = 0; i < operands; i++)
        nn_add_operand(shapes, nn_dtype(q), &x, ROLE_IN);
    if (labels > 0) {
        nn_add_operand(shapes, DT_I64, &line, ROLE_IN);
        shapes->tensor[shapes->count - 1].index_below = labels;
    }
    nn_add_operand(shapes, nn_dtype(q), &number, ROLE_OUT);
}

static void multi_margin_shape(const void *params, Shapes *shapes)
{
    loss_shape(params, 1, ((const Exact *)params)->columns, shapes);
}

static void cosine_shape(const void *params, Shapes *shapes)
{
    loss_shape(params, 2, 2, shapes);
}

static void triplet_shape(const void *params, Shapes *shapes)
{
    loss_shape(params, 3, 0, shapes);
}

static void put_loss(const Exact *q, Ref *ref, const Ball *terms)
{
    const Format *f = dtype_format(ref->accumulator);
    Ball sum = ball_sum(f, terms, (size_t)q->rows);
    ref_put_ball(ref, 0, q->reduction ? sum : ball_mean(f, sum, (double)q->rows));
}

/* The sum of max(0, margin - x[label] + x[k]) over the other k, over the number of classes. */
static void put_multi_margin(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const Format *f = dtype_format(refs[2].accumulator);
    Ball *losses = arena_take(arena, (size_t)q->rows + 1, sizeof *losses);
    Ball *terms = arena_take(arena, (size_t)q->columns + 1, sizeof *terms);
    for (int64_t row = 0; row < q->rows; row++) {
        int64_t first = row * q->columns, label = (int64_t)tensor_value(&t[1], row);
        size_t count = 0;
        Ball own = ball_subtract(f, ball_exact(q->value.re), at(&t[0], first + label));
        for (int64_t k = 0; k < q->columns; k++)
            if (k != label)
                terms[count++] = ball_max(ball_add(f, own, at(&t[0], first + k)), ball_exact(0));
        losses[row] = ball_mean(f, ball_sum(f, terms, count), (double)q->columns);
    }
    put_loss(q, &refs[2], losses);
}

/* Products of two rows. */
static Ball product(const Format *f, const Tensor *a, const Tensor *b, const Exact *q, int64_t row,
                    Ball *terms)
{
    for (int64_t k = 0; k < q->columns; k++)
        terms[k] = ball_multiply(f, at(a, row * q->columns + k), at(b, row * q->columns + k));
    return ball_sum(f, terms, (size_t)q->columns);
}

/* With label 1: 1 - cosine; with label 0, which is -1 to libraries: max(0, cosine - margin). */
static void put_cosine(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const Format *f = dtype_format(refs[3].accumulator);
    /* As a number of binary64 or of binary32. */
    const Ball epsilon = ball_either(ball_exact(1e-12), ball_exact((double)1e-12f));
    Ball *losses = arena_take(arena, (size_t)q->rows + 1, sizeof *losses);
    Ball *terms = arena_take(arena, (size_t)q->columns + 1, sizeof *terms);
    for (int64_t row = 0; row < q->rows; row++) {
        Ball both = product(f, &t[0], &t[1], q, row, terms);
        Ball a = ball_add(f, product(f, &t[0], &t[0], q, row, terms), epsilon);
        Ball b = ball_add(f, product(f, &t[1], &t[1], q, row, terms), epsilon);
        Ball cosine = ball_divide(f, both, ball_sqrt(f, ball_multiply(f, a, b)));
        bool alike = tensor_value(&t[2], row) != 0;
        Ball apart = ball_max(ball_subtract(f, cosine, ball_exact(q->value.re)), ball_exact(0));
        losses[row] = alike ? ball_subtract(f, ball_exact(1), cosine) : apart;
    }
    put_loss(q, &refs[3], losses);
}

/* The norm of a - b + 1e-6. */
static Ball distance(const Format *f, const Tensor *a, const Tensor *b, const Exact *q, int64_t row,
                     Ball *terms)
{
    const Ball epsilon = ball_exact(1e-6);
    for (int64_t k = 0; k < q->columns; k++) {
        Ball apart = ball_subtract(f, at(a, row * q->columns + k), at(b, row * q->columns + k));
        apart = ball_add(f, apart, epsilon);
        terms[k] = ball_multiply(f, apart, apart);
    }
    return ball_sqrt(f, ball_sum(f, terms, (size_t)q->columns));
}

static void put_triplet(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const Format *f = dtype_format(refs[3].accumulator);
    Ball margin = ball_exact(q->value.re);
    Ball *losses = arena_take(arena, (size_t)q->rows + 1, sizeof *losses);
    Ball *terms = arena_take(arena, (size_t)q->columns + 1, sizeof *terms);
    for (int64_t row = 0; row < q->rows; row++) {
        Ball near = distance(f, &t[0], &t[1], q, row, terms);
        Ball far = distance(f, &t[0], &t[2], q, row, terms);
        Ball front = ball_add(f, margin, ball_subtract(f, near, far));
        Ball behind = ball_subtract(f, ball_add(f, margin, near), far);
        losses[row] = ball_max(ball_either(front, behind), ball_exact(0));
    }
    put_loss(q, &refs[3], losses);
}

/* embedding_bag: sums, means or the greatest of rows of a table by index. */
static const char *const bag_modes[] = {"sum", "mean", "max", NULL};
enum { BAG_SUM, BAG_MEAN, BAG_MAX };
static const Param bag_params[] = {NN_DTYPE(Exact),
                                   P_DIM(Exact, rows, 1, 64, "rows of the table"),
                                   P_DIM(Exact, columns, 1, 64, "elements of a row"),
                                   P_DIM_AS("bags", Exact, bins, 0, 16, "bags"),
                                   P_DIM(Exact, num_indices, 0, 32, "rows in a bag"),
                                   P_CHOICE(Exact, mode, bag_modes, "of a bag"),
                                   P_END};
static const char *const bag_tensors[] = {"x", "indices", "y", NULL};

static void bag_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape x = {2, {q->rows, q->columns}}, indices = {2, {q->bins, q->num_indices}},
          y = {2, {q->bins, q->columns}};
    *shapes = (Shapes){.depth = q->num_indices};
    nn_add_operand(shapes, nn_dtype(q), &x, ROLE_IN);
    nn_add_operand(shapes, DT_I64, &indices, ROLE_IN);
    shapes->tensor[1].index_below = q->rows;
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

static void put_bags(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    static const Reduction reductions[] = {REDUCE_SUM, REDUCE_MEAN, REDUCE_GREATEST};
    ReduceInput in = {.reduction = reductions[q->mode]};
    double *x = arena_take(arena, (size_t)q->num_indices + 1, sizeof *x);
    /* A bag of no rows is a row of zeros (PyTorch, torch.nn.EmbeddingBag). */
    if (q->num_indices == 0)
        in.reduction = REDUCE_SUM;
    for (int64_t i = 0; i < q->bins * q->columns; i++) {
        bool has_nan = false;
        for (int64_t k = 0; k < q->num_indices; k++) {
            int64_t row = (int64_t)tensor_value(&t[1], i / q->columns * q->num_indices + k);
            x[k] = tensor_value(&t[0], row * q->columns + i % q->columns);
            has_nan = has_nan || isnan(x[k]);
        }
        reduce_put(&refs[2], (size_t)i, &in, x, q->num_indices, false);
        /* No text says what the greatest of a bag with NaN is. */
        if (has_nan && q->mode == BAG_MAX)
            ref_set_classes(&refs[2], (size_t)i, CLASS_ANY);
    }
}

/* quantile: between the neighbours of place q (n - 1) of the sorted line; nanquantile: of its
 * numbers. */
static const Param quantile_params[] = {
    NN_DTYPE(Exact), P_SHAPE(Exact, shape, 1, 4, "extents of the input"), NN_AXIS(Exact),
    P_REAL_AS("q", Exact, value, 1, "share of the elements below"), P_END};
static const char *const plain_tensors[] = {"x", "y", NULL};

static void normalise_quantile(void *params)
{
    Exact *q = params;
    nn_fit_axis(&q->shape, &q->axis);
    int64_t *extent = &q->shape.extent[q->axis];
    *extent = *extent > 1 ? *extent : 1;
    double share = fabs(q->value.re);
    q->value.re = share <= 1 ? share : isnan(share) ? 0.5 : 1 / share;
}

static void quantile_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape y = shape_without_axis(&q->shape, q->axis);
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

/* A number of the line is its own quantile; interpolated beside an infinity, which a weight of 0
 * multiplies, it is NaN. */
static Ball or_number(Ball interpolated, double number, bool may_be)
{
    return may_be ? ball_either(interpolated, ball_exact(number)) : interpolated;
}

/* A place that is rounded may lie in the interval beside its own. */
static Ball quantile_of(const Format *f, const double *x, int64_t count, double share)
{
    Ball place = ball_multiply(f, ball_exact(share), ball_exact((double)(count - 1)));
    long double low = floorl(place.value);
    int64_t first = (int64_t)low;
    if (first >= count - 1)
        first = count > 1 ? count - 2 : 0;
    int64_t last = count > 1 ? first + 1 : 0;
    Ball weight = {place.value - first, place.radius, 0};
    Ball result = ball_lerp(f, ball_exact(x[first]), ball_exact(x[last]), weight);
    result = or_number(result, x[first], weight.value <= weight.radius);
    result = or_number(result, x[last], weight.value >= 1 - (long double)weight.radius);
    if (weight.value <= weight.radius && first > 0) {
        Ball rest = {1 + weight.value, weight.radius, 0};
        result =
            ball_either(result, ball_lerp(f, ball_exact(x[first - 1]), ball_exact(x[first]), rest));
    }
    if (weight.value >= 1 - (long double)weight.radius && last + 1 < count) {
        Ball rest = {weight.value - 1, weight.radius, 0};
        result =
            ball_either(result, ball_lerp(f, ball_exact(x[last]), ball_exact(x[last + 1]), rest));
    }
    return result;
}

static void put_quantiles(const Exact *q, const Tensor *t, Ref *ref, bool skips_nan, Arena *arena)
{
    Split s = nn_split(&t[0], q->axis);
    const Format *f = dtype_format(ref->accumulator);
    double *x = arena_take(arena, (size_t)s.extent + 1, sizeof *x);
    for (int64_t i = 0; i < tensor_count(&t[1]); i++) {
        int64_t count = 0;
        for (int64_t k = 0; k < s.extent; k++) {
            double value = tensor_value(&t[0], nn_split_place(&s, i, 1, k));
            if (!isnan(value))
                x[count++] = value;
        }
        qsort(x, (size_t)count, sizeof *x, value_compare);
        bool has_value = skips_nan ? count > 0 : count == s.extent;
        ref_put_ball(ref, (size_t)i,
                     has_value ? quantile_of(f, x, count, q->value.re) : ball_exact(NAN));
    }
}

static void put_quantile(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    put_quantiles(q, t, &refs[1], false, arena);
}

static void put_nanquantile(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    put_quantiles(q, t, &refs[1], true, arena);
}

/* bilinear: a W b + bias of each row, W one matrix for each result. */
static const Param bilinear_params[] = {NN_DTYPE(Exact),
                                        P_DIM(Exact, rows, 0, 8, "samples"),
                                        P_DIM(Exact, columns, 1, 12, "elements of a"),
                                        P_DIM(Exact, steps, 1, 12, "elements of b"),
                                        P_DIM(Exact, bins, 1, 8, "results"),
                                        P_END};
static const char *const bilinear_tensors[] = {"a", "b", "w", "bias", "y", NULL};

static void bilinear_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape a = {2, {q->rows, q->columns}}, b = {2, {q->rows, q->steps}},
          w = {3, {q->bins, q->columns, q->steps}}, bias = {1, {q->bins}},
          y = {2, {q->rows, q->bins}};
    *shapes = (Shapes){.depth = q->columns * q->steps};
    nn_add_operand(shapes, nn_dtype(q), &a, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &b, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &w, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &bias, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

/* The sum over both axes at once, or over either one first. */
static Ball bilinear_form(const Exact *q, const Format *f, const Tensor *t, int64_t row,
                          int64_t result, Ball *terms)
{
    int64_t n = q->columns, m = q->steps;
    Ball *inner = terms + n * m, *sums = inner + (n > m ? n : m), forms[3];
    const Tensor *w = &t[2];
    for (int64_t i = 0; i < n * m; i++)
        terms[i] = ball_multiply(
            f, ball_multiply(f, at(&t[0], row * n + i / m), at(w, result * n * m + i)),
            at(&t[1], row * m + i % m));
    forms[0] = ball_sum(f, terms, (size_t)(n * m));
    for (int side = 0; side < 2; side++) {
        int64_t outer = side ? m : n, count = side ? n : m;
        for (int64_t o = 0; o < outer; o++) {
            for (int64_t k = 0; k < count; k++)
                inner[k] = ball_multiply(f, at(w, result * n * m + (side ? k * m + o : o * m + k)),
                                         at(&t[side ? 0 : 1], row * count + k));
            sums[o] = ball_multiply(f, ball_sum(f, inner, (size_t)count),
                                    at(&t[side ? 1 : 0], row * outer + o));
        }
        forms[1 + side] = ball_sum(f, sums, (size_t)outer);
    }
    return ball_either(forms[0], ball_either(forms[1], forms[2]));
}

static void put_bilinear(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const Format *f = dtype_format(refs[4].accumulator);
    size_t room = (size_t)(q->columns * q->steps + 2 * (q->columns + q->steps));
    Ball *terms = arena_take(arena, room + 1, sizeof *terms);
    for (int64_t i = 0; i < q->rows * q->bins; i++) {
        Ball form = bilinear_form(q, f, t, i / q->bins, i % q->bins, terms);
        ref_put_ball(&refs[4], (size_t)i, ball_add(f, form, at(&t[3], i % q->bins)));
    }
}

enum { MODERATE = nn_moderate_fills };

static const ExactRow rows[] = {
    {"multi_margin_loss", "how far other classes come near the right one", labelled_tensors,
     rows_params, NULL, multi_margin_shape, DTYPES_REAL, MODERATE, put_multi_margin, true,
     illegal_class, NULL},
    {"cosine_embedding_loss", "how far angles are from what labels ask for", pair_tensors,
     rows_params, NULL, cosine_shape, DTYPES_REAL, MODERATE, put_cosine, true, NULL, NULL},
    {"triplet_margin_loss", "how much nearer one row is than another", triplet_tensors, rows_params,
     normalise_triplet, triplet_shape, DTYPES_REAL, MODERATE, put_triplet, true, illegal_margin,
     NULL},
    {"embedding_bag", "sums, means or greatest of rows by index", bag_tensors, bag_params, NULL,
     bag_shape, DTYPES_REAL, MODERATE, put_bags, true, illegal_row, NULL},
    {"quantile", "the number that a share of a line lies below", plain_tensors, quantile_params,
     normalise_quantile, quantile_shape, DTYPES_REAL, MODERATE, put_quantile, true, illegal_share,
     NULL},
    {"nanquantile", "the same of the numbers of a line", plain_tensors, quantile_params,
     normalise_quantile, quantile_shape, DTYPES_REAL, MODERATE, put_nanquantile, true,
     illegal_share, NULL},
    {"bilinear_form", "products of two rows with matrices between them", bilinear_tensors,
     bilinear_params, NULL, bilinear_shape, DTYPES_REAL, MODERATE, put_bilinear, true, NULL, NULL},
    {.name = NULL},
};

OP_TABLE(ops_margin)
{
    static OpDesc table[COUNT_OF(rows)];
    nn_describe_exact(table, rows);
    return table;
}
