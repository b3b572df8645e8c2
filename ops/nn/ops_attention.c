/* Scaled dot-product attention: y = softmax(scale q k^T) v by heads, where several heads of q may
 * share one of k and v, and a causal mask lets row i see the first i + 1 columns.
 *
 * A score is a sum of products with up to six roundings each: scale may multiply the sum, or its
 * root either factor.  The greatest score, which is subtracted before the exponential, cancels:
 * its error does not count, only the rounding of the difference.  Weights are divided before
 * or after they multiply v.  Of half precision they may be rounded to it before they do, since
 * matrix units take no wider factors (Dao et al., FlashAttention, 2022); all else is binary32. */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

typedef struct Heads {
    int64_t dtype, batch, kv_num_heads, group_size;
    int64_t q_sequence_length, kv_sequence_length, head_size, v_head_size, is_causal;
} Heads;

static const Param params[] = {
    NN_DTYPE(Heads),
    P_DIM(Heads, batch, 0, 8, "samples"),
    P_DIM(Heads, kv_num_heads, 1, 8, "heads of k and v", .formerly = "channels"),
    P_INTEGER(Heads, group_size, 1, 4, 1, "heads of q for each of them", .formerly = "groups"),
    P_DIM(Heads, q_sequence_length, 0, 128, "rows of q and y", .formerly = "m"),
    P_DIM(Heads, kv_sequence_length, 1, 128, "rows of k and v", .formerly = "n"),
    P_DIM(Heads, head_size, 1, 64, "columns of q and k", .formerly = "k"),
    P_DIM(Heads, v_head_size, 1, 64, "columns of v and y", .formerly = "outputs"),
    P_CHOICE(Heads, is_causal, nn_yes_no, "row i sees the first i + 1 rows of k",
             .formerly = "causal"),
    P_END,
};
static const char *const tensors[] = {"q", "k", "v", "y", NULL};

enum { SCORE_ROUNDINGS = 6 };

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Heads *q = params_of_case;
    Shape of_q = {4,
                  {q->batch, q->kv_num_heads * q->group_size, q->q_sequence_length, q->head_size}};
    Shape of_k = {4, {q->batch, q->kv_num_heads, q->kv_sequence_length, q->head_size}};
    Shape of_v = {4, {q->batch, q->kv_num_heads, q->kv_sequence_length, q->v_head_size}};
    Shape of_y = {
        4, {q->batch, q->kv_num_heads * q->group_size, q->q_sequence_length, q->v_head_size}};
    *shapes = (Shapes){.count = 4, .depth = q->head_size};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &of_q, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &of_k, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &of_v, ROLE_IN);
    shapes->tensor[3] = nn_tensor(nn_dtype(q), &of_y, ROLE_OUT);
    shapes->tensor[1].part = PART_RIGHT;
}

static double work(const void *params_of_case)
{
    const Heads *q = params_of_case;
    return 64.0 * (double)(q->batch * q->kv_num_heads * q->group_size) *
           (double)(q->q_sequence_length * q->kv_sequence_length *
                    (q->head_size + q->v_head_size + 4));
}

/* One row of q against the rows of k and v that it sees. */
typedef struct Attention {
    const Heads *q;
    const Tensor *tensors;
    const Format *format, *weights; /* of sums; of weights as they multiply */
    Ball *scores, *terms;
} Attention;

/* A product times the scale. */
static Ball scaled(const Attention *a, Ball product)
{
    long double scale = 1 / sqrtl(a->q->head_size);
    product.value *= scale;
    product.radius *= (double)scale;
    return ball_round(a->format, product, SCORE_ROUNDINGS);
}

/* Where the sum may overflow before it is multiplied by the scale nothing is known of the score. */
static Ball score_of(const Attention *a, int64_t row, int64_t column)
{
    int64_t depth = a->q->head_size;
    double size = 0;
    for (int64_t i = 0; i < depth; i++) {
        Ball x = ball_exact(tensor_value(&a->tensors[0], row * depth + i));
        Ball y = ball_exact(tensor_value(&a->tensors[1], column * depth + i));
        size += fabs((double)(x.value * y.value));
        a->terms[i] = scaled(a, ball_multiply(a->format, x, y));
    }
    if (!(size < a->format->largest / 4))
        return ball_unknown();
    return ball_sum(a->format, a->terms, (size_t)depth);
}

/* Rows of k that a row of q sees. */
static int64_t seen_by(const Heads *q, int64_t row)
{
    return q->is_causal && row % q->q_sequence_length + 1 < q->kv_sequence_length
               ? row % q->q_sequence_length + 1
               : q->kv_sequence_length;
}

/* exp(score - greatest) in place of the scores, and their sum. */
static Ball exponentiate(const Attention *a, int64_t count)
{
    Ball greatest = a->scores[0];
    for (int64_t j = 1; j < count; j++)
        greatest = ball_max(greatest, a->scores[j]);
    unsigned classes = ball_classes(greatest) & (CLASS_FINITE | CLASS_INFINITE);
    bool is_hidden = classes == CLASS_NEGATIVE_INFINITY;
    for (int64_t j = 0; j < count; j++) {
        Ball d = ball_subtract(a->format, a->scores[j], greatest);
        if (ball_is_known(a->scores[j]) && ball_is_known(greatest)) {
            d.value = a->scores[j].value - greatest.value;
            d.radius = a->scores[j].radius;
            d.radius += a->format->unit * ((double)fabsl(d.value) + d.radius + greatest.radius);
        }
        a->scores[j] = ball_function(a->format, function_named("exp"), d, false);
    }
    /* 0 over 0, or a row that is masked as a whole. */
    for (int64_t j = 0; is_hidden && j < count; j++)
        a->scores[j] = ball_or(ball_exact(0), CLASS_NAN);
    if (is_hidden)
        return ball_exact(1);
    return ball_sum(a->format, a->scores, (size_t)count);
}

/* True when a masked score may not be finite: libraries add a mask of -infinity, which gives NaN.
 */
static bool hides_score(const Attention *a, int64_t row, int64_t keys, int64_t first)
{
    for (int64_t j = first; j < a->q->kv_sequence_length; j++)
        if (!ball_is_known(score_of(a, row, keys + j)))
            return true;
    return false;
}

/* True when a masked value is not finite: libraries multiply it by a weight of 0. */
static bool hides_value(const Attention *a, int64_t keys, int64_t first, int64_t column)
{
    const Heads *q = a->q;
    for (int64_t j = first; j < q->kv_sequence_length; j++)
        if (!isfinite(tensor_value(&a->tensors[2], (keys + j) * q->v_head_size + column)))
            return true;
    return false;
}

/* A weight as it multiplies v, before or after it is divided by the sum of all: numbers that are
 * too small for the type are lost then by as much. */
static Ball narrowed(const Attention *a, Ball weight, double sum)
{
    if (a->weights == a->format)
        return weight;
    weight = ball_round(a->weights, weight, 1);
    weight.radius += a->weights->smallest_subnormal * sum;
    return weight;
}

/* One element of y from the weights in the scores, which are divided by their sum late or early. */
static Ball weighted(const Attention *a, int64_t count, Ball sum, bool early, int64_t first)
{
    for (int64_t j = 0; j < count; j++) {
        Ball weight = a->scores[j], v = ball_exact(tensor_value(&a->tensors[2], first));
        if (early)
            weight = ball_round(a->format, weight, 1);
        weight = narrowed(a, weight, early ? (double)sum.value + sum.radius : 1);
        a->terms[j] = ball_multiply(a->format, weight, v);
        first += a->q->v_head_size;
    }
    return ball_divide(a->format, ball_sum(a->format, a->terms, (size_t)count), sum);
}

static void put_row(Ref *ref, const Attention *a, int64_t row, int64_t keys)
{
    const Heads *q = a->q;
    int64_t count = seen_by(q, row);
    bool hides = hides_score(a, row, keys, count);
    for (int64_t j = 0; j < count; j++)
        a->scores[j] = score_of(a, row, keys + j);
    Ball sum = exponentiate(a, count);
    for (int64_t c = 0; c < q->v_head_size; c++) {
        size_t place = (size_t)(row * q->v_head_size + c);
        Ball late = weighted(a, count, sum, false, keys * q->v_head_size + c);
        Ball early = weighted(a, count, sum, true, keys * q->v_head_size + c);
        ref_put_ball(ref, place, ball_either(late, early));
        if (hides || hides_value(a, keys, count, c))
            ref->classes_filling[place] |= CLASS_NAN;
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Heads *q = input->params;
    const Tensor *y = &input->tensors[3];
    int64_t most = q->head_size > q->kv_sequence_length ? q->head_size : q->kv_sequence_length,
            heads = q->batch * q->kv_num_heads * q->group_size;
    ref_allocate_bounded(&refs[3], y->dtype, y, arena);
    Attention a = {q,
                   input->tensors,
                   dtype_format(refs[3].accumulator),
                   dtype_format(y->dtype),
                   arena_take(arena, (size_t)q->kv_sequence_length, sizeof(Ball)),
                   arena_take(arena, (size_t)most, sizeof(Ball))};
    for (int64_t head = 0; head < heads; head++)
        for (int64_t row = 0; row < q->q_sequence_length; row++)
            put_row(&refs[3], &a, head * q->q_sequence_length + row,
                    head / q->group_size * q->kv_sequence_length);
}

enum { DY, Q, K, V, DQ, DK, DV };
static const char *const backward_tensors[] = {"dy", "q", "k", "v", "dq", "dk", "dv", NULL};

static void backward_shape(const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    shape(params_of_case, &forward);
    *shapes = (Shapes){.count = DV + 1, .depth = forward.depth};
    shapes->tensor[DY] = forward.tensor[3];
    shapes->tensor[DY].role = ROLE_IN;
    for (int i = 0; i < 3; i++) {
        shapes->tensor[Q + i] = shapes->tensor[DQ + i] = forward.tensor[i];
        shapes->tensor[DQ + i].role = ROLE_OUT;
    }
}

static double backward_work(const void *params_of_case)
{
    return 4 * work(params_of_case);
}

/* Weights and slopes of the scores, for all rows; 0 where a row does not see a column. */
typedef struct Backward {
    Attention forward;
    const Tensor *dy, *v;
    Ball *weights, *slopes, *terms;
} Backward;

static Ball value_at(const Tensor *t, int64_t number)
{
    return ball_exact(tensor_value(t, number));
}

/* The sum of dy y of a row, whose y is a sum of weights times v. */
static Ball sum_along_results(const Backward *b, const Ball *weights, int64_t row, int64_t keys)
{
    const Attention *a = &b->forward;
    const Heads *q = a->q;
    int64_t count = seen_by(q, row);
    for (int64_t c = 0; c < q->v_head_size; c++) {
        for (int64_t j = 0; j < count; j++)
            a->terms[j] = ball_multiply(a->format, weights[j],
                                        value_at(b->v, (keys + j) * q->v_head_size + c));
        b->terms[c] = ball_multiply(a->format, value_at(b->dy, row * q->v_head_size + c),
                                    ball_sum(a->format, a->terms, (size_t)count));
    }
    return ball_sum(a->format, b->terms, (size_t)q->v_head_size);
}

/* A weight times a slope; of a column that the row does not see kernels choose 0 or multiply. */
static Ball weighted_slope(const Backward *b, int64_t row, int64_t column, Ball slope)
{
    const Heads *q = b->forward.q;
    Ball weight = b->weights[row * q->kv_sequence_length + column];
    Ball product = ball_multiply(b->forward.format, weight, slope);
    return column < seen_by(q, row) ? product : ball_either(product, ball_masked(slope));
}

/* The gradient of softmax subtracts the weighted sum of the slopes, or the sum of dy y, which is
 * equal.  Libraries multiply the weight of 0 of columns that a row does not see, and add a mask of
 * -infinity to their scores: NaN may come of either. */
static void put_slopes(const Backward *b, int64_t row, int64_t keys)
{
    const Attention *a = &b->forward;
    const Heads *q = a->q;
    const Format *f = a->format;
    Ball *weights = b->weights + row * q->kv_sequence_length,
         *slopes = b->slopes + row * q->kv_sequence_length;
    int64_t count = seen_by(q, row);
    bool hides = hides_score(a, row, keys, count);
    for (int64_t j = 0; j < count; j++)
        a->scores[j] = score_of(a, row, keys + j);
    Ball sum = exponentiate(a, count);
    for (int64_t j = 0; j < q->kv_sequence_length; j++) {
        for (int64_t c = 0; c < q->v_head_size; c++)
            b->terms[c] = ball_multiply(f, value_at(b->dy, row * q->v_head_size + c),
                                        value_at(b->v, (keys + j) * q->v_head_size + c));
        weights[j] = j < count ? ball_divide(f, a->scores[j], sum) : ball_exact(0);
        if (hides)
            weights[j] = ball_or(weights[j], CLASS_NAN);
        slopes[j] = ball_sum(f, b->terms, (size_t)q->v_head_size);
    }
    for (int64_t j = 0; j < count; j++)
        b->terms[j] = ball_multiply(f, weights[j], slopes[j]);
    Ball along = ball_sum(f, b->terms, (size_t)count);
    along = ball_either(along, sum_along_results(b, weights, row, keys));
    for (int64_t j = 0; j < q->kv_sequence_length; j++)
        slopes[j] = weighted_slope(b, row, j, ball_subtract(f, slopes[j], along));
}

static void put_query(Ref *ref, const Backward *b, int64_t row, int64_t keys)
{
    const Heads *q = b->forward.q;
    const Format *f = b->forward.format;
    for (int64_t d = 0; d < q->head_size; d++) {
        for (int64_t j = 0; j < q->kv_sequence_length; j++)
            b->terms[j] = scaled(
                &b->forward,
                ball_multiply(f, b->slopes[row * q->kv_sequence_length + j],
                              value_at(&b->forward.tensors[1], (keys + j) * q->head_size + d)));
        ref_put_ball(ref, (size_t)(row * q->head_size + d),
                     ball_sum(f, b->terms, (size_t)q->kv_sequence_length));
    }
}

/* Column number `key` of all rows that belong to its head. */
static void put_key(Ref *dk, Ref *dv, const Backward *b, int64_t key)
{
    const Heads *q = b->forward.q;
    const Format *f = b->forward.format;
    int64_t rows = q->group_size * q->q_sequence_length, first = key / q->kv_sequence_length * rows,
            column = key % q->kv_sequence_length;
    for (int64_t d = 0; d < q->head_size; d++) {
        for (int64_t i = 0; i < rows; i++)
            b->terms[i] = scaled(
                &b->forward,
                ball_multiply(f, b->slopes[(first + i) * q->kv_sequence_length + column],
                              value_at(&b->forward.tensors[0], (first + i) * q->head_size + d)));
        ref_put_ball(dk, (size_t)(key * q->head_size + d), ball_sum(f, b->terms, (size_t)rows));
    }
    for (int64_t c = 0; c < q->v_head_size; c++) {
        for (int64_t i = 0; i < rows; i++)
            b->terms[i] = weighted_slope(b, first + i, column,
                                         value_at(b->dy, (first + i) * q->v_head_size + c));
        ref_put_ball(dv, (size_t)(key * q->v_head_size + c), ball_sum(f, b->terms, (size_t)rows));
    }
}

static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Heads *q = input->params;
    const Tensor *t = input->tensors;
    int64_t rows = q->batch * q->kv_num_heads * q->group_size * q->q_sequence_length,
            keys = q->batch * q->kv_num_heads * q->kv_sequence_length;
    size_t most = (size_t)(q->group_size * q->q_sequence_length + q->kv_sequence_length +
                           q->head_size + q->v_head_size);
    for (int i = DQ; i <= DV; i++)
        ref_allocate_bounded(&refs[i], t[i].dtype, &t[i], arena);
    Ball *balls =
        arena_take(arena, 3 * most + 2 * (size_t)(rows * q->kv_sequence_length), sizeof *balls);
    const Format *format = dtype_format(refs[DQ].accumulator);
    Ball *of_rows = balls + 3 * most;
    Backward b = {.forward = {q, &t[Q], format, format, balls, balls + most},
                  .dy = &t[DY],
                  .v = &t[V],
                  .weights = of_rows,
                  .slopes = of_rows + rows * q->kv_sequence_length,
                  .terms = balls + 2 * most};
    for (int64_t row = 0; row < rows; row++) {
        int64_t first = row / q->q_sequence_length / q->group_size * q->kv_sequence_length;
        put_slopes(&b, row, first);
        put_query(&refs[DQ], &b, row, first);
    }
    for (int64_t key = 0; key < keys; key++)
        put_key(&refs[DK], &refs[DV], &b, key);
}

static const IllegalRule illegal[] = {{ILLEGAL_EXTENT, "k", -1}, {0}};

#define ATTENTION_OP NN_OP(Heads, 2), .params = params, .fills = nn_moderate_fills

static const OpDesc table[] = {
    {ATTENTION_OP, .name = "attention", .summary = "scaled dot-product attention",
     .dtypes = DTYPES_FLOAT, .tensors = tensors, .shape = shape, .work = work,
     .reference = reference, .illegal = illegal},
    {ATTENTION_OP, .name = "attention_backward", .summary = "gradients of attention",
     .dtypes = DTYPES_REAL, .tensors = backward_tensors, .shape = backward_shape,
     .work = backward_work, .reference = backward_reference},
    {.name = NULL},
};

OP_TABLE(ops_attention)
{
    return table;
}
