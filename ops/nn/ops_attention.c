/* Scaled dot-product attention: y = softmax(scale q k^T) v by heads, where several heads of q may
 * share one of k and v, and a causal mask lets row i see the first i + 1 columns.  With a mask of
 * its own y = softmax(softcap tanh(scale q k^T / softcap) + mask) v, or without those columns that
 * a boolean mask hides (ONNX, Operators.md, Attention: the softcap comes before the mask).
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
    int64_t boolean_mask, broadcast_mask;
    Scalar scale, softcap;
} Heads;

/* The rows of both structures; `renamed` says what they were called before. */
#define RENAMED(name)       .formerly = (name)
#define NEVER_RENAMED(name) .formerly = NULL
#define HEADS_EXTENTS(renamed)                                                                     \
    NN_DTYPE(Heads), P_DIM(Heads, batch, 0, 8, "samples"),                                         \
        P_DIM(Heads, kv_num_heads, 1, 8, "heads of k and v", renamed("channels")),                 \
        P_INTEGER(Heads, group_size, 1, 4, 1, "heads of q for each of them", renamed("groups")),   \
        P_DIM(Heads, q_sequence_length, 0, 128, "rows of q and y", renamed("m")),                  \
        P_DIM(Heads, kv_sequence_length, 1, 128, "rows of k and v", renamed("n")),                 \
        P_DIM(Heads, head_size, 1, 64, "columns of q and k", renamed("k")),                        \
        P_DIM(Heads, v_head_size, 1, 64, "columns of v and y", renamed("outputs"))
#define HEADS_MASK                                                                                 \
    P_CHOICE(Heads, boolean_mask, nn_yes_no,                                                       \
             "the mask says which rows of k a row sees; else it is added to the scores"),          \
        P_INTEGER(Heads, broadcast_mask, 0, 15, 0,                                                 \
                  "axes of the mask that are broadcast, as bits"),                                 \
        P_REAL(Heads, scale, 1, "multiplies the products of q and k")

static const Param params[] = {
    HEADS_EXTENTS(RENAMED),
    P_CHOICE(Heads, is_causal, nn_yes_no, "row i sees the first i + 1 rows of k",
             .formerly = "causal"),
    P_END,
};
static const Param masked_params[] = {
    HEADS_EXTENTS(NEVER_RENAMED),
    HEADS_MASK,
    P_REAL(Heads, softcap, 0, "scores are softcap tanh(score / softcap); 0: as they are"),
    P_END,
};
static const Param masked_backward_params[] = {HEADS_EXTENTS(NEVER_RENAMED), HEADS_MASK, P_END};
static const char *const tensors[] = {"q", "k", "v", "y", NULL};
static const char *const masked_tensors[] = {"q", "k", "v", "mask", "y", NULL};

enum { Q, K, V, MASK };
enum { SCORE_ROUNDINGS = 6 };

/* A number of binary32, which is the type of ONNX's attributes, between 2^-6 and 64, or `usual`. */
static Scalar moderate(Scalar number, double usual)
{
    double magnitude = fabs((double)(float)number.re);
    return (Scalar){magnitude >= 0x1p-6 && magnitude <= 0x1p6 ? magnitude : usual, 0};
}

/* Libraries may take the root of the scale.  Rows of a mask are as long as those of the scores: one
 * of one column says nothing. */
static void normalise_mask(void *params_of_case)
{
    enum { COLUMNS_BROADCAST = 1 };
    Heads *q = params_of_case;
    q->scale = moderate(q->scale, 1);
    q->softcap = moderate(q->softcap, 0);
    q->broadcast_mask &= ~(int64_t)COLUMNS_BROADCAST;
}

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

static Shape shape_of_scores(const Heads *q)
{
    return (Shape){
        4,
        {q->batch, q->kv_num_heads * q->group_size, q->q_sequence_length, q->kv_sequence_length}};
}

static TensorSpec mask_operand(const Heads *q)
{
    Shape scores = shape_of_scores(q);
    return nn_broadcast_operand(q->boolean_mask ? DT_BOOL : nn_dtype(q), &scores,
                                q->broadcast_mask);
}

static void masked_shape(const void *params_of_case, Shapes *shapes)
{
    shape(params_of_case, shapes);
    shapes->tensor[MASK + 1] = shapes->tensor[MASK];
    shapes->tensor[MASK] = mask_operand(params_of_case);
    shapes->count++;
}

static double work(const void *params_of_case)
{
    const Heads *q = params_of_case;
    return 64.0 * (double)(q->batch * q->kv_num_heads * q->group_size) *
           (double)(q->q_sequence_length * q->kv_sequence_length *
                    (q->head_size + q->v_head_size + 4));
}

/* One row of q against the rows of k and v, of which it sees `columns`. */
typedef struct Attention {
    const Heads *q;
    const Tensor *tensors; /* q, k, v */
    const Tensor *mask;    /* with the extents of the scores, or NULL */
    long double scale;
    const Format *format, *weights; /* of sums; of weights as they multiply */
    Ball *scores, *terms;
    int64_t *columns;
} Attention;

/* Number `row` of all rows of q, and the first of the rows of k that are its head's. */
typedef struct Row {
    int64_t number, keys, count; /* columns that it sees */
    bool hides;                  /* a column whose score may not be finite */
    bool sees_nothing;           /* that a mask leaves a score above -infinity */
    Ball greatest, sum;
} Row;

/* A product times the scale. */
static Ball scaled(const Attention *a, Ball product)
{
    product.value *= a->scale;
    product.radius *= (double)a->scale;
    return ball_round(a->format, product, SCORE_ROUNDINGS);
}

/* Where the sum may overflow before it is multiplied by the scale nothing is known of the score. */
static Ball product_of(const Attention *a, int64_t row, int64_t column)
{
    int64_t depth = a->q->head_size;
    double size = 0;
    for (int64_t i = 0; i < depth; i++) {
        Ball x = ball_exact(tensor_value(&a->tensors[Q], row * depth + i));
        Ball y = ball_exact(tensor_value(&a->tensors[K], column * depth + i));
        size += fabs((double)(x.value * y.value));
        a->terms[i] = scaled(a, ball_multiply(a->format, x, y));
    }
    if (!(size < a->format->largest / 4))
        return ball_unknown();
    return ball_sum(a->format, a->terms, (size_t)depth);
}

/* The softcap divides, or its reciprocal multiplies. */
static Ball capped(const Attention *a, Ball score)
{
    Ball cap = ball_exact(a->q->softcap.re);
    if (a->q->softcap.re == 0)
        return score;
    score = ball_round(a->format, ball_divide(a->format, score, cap), 1);
    return ball_multiply(a->format, cap,
                         ball_function(a->format, function_named("tanh"), score, false));
}

static double mask_value(const Attention *a, int64_t row, int64_t column)
{
    return tensor_value(a->mask, row * a->q->kv_sequence_length + column);
}

static Ball score_of(const Attention *a, const Row *row, int64_t column)
{
    Ball score = capped(a, product_of(a, row->number, row->keys + column));
    if (!a->mask || a->q->boolean_mask)
        return score;
    return ball_add(a->format, score, ball_exact(mask_value(a, row->number, column)));
}

/* What is added as -infinity hides as well. */
static bool is_seen(const Attention *a, int64_t row, int64_t column)
{
    if (!a->mask)
        return !a->q->is_causal || column <= row % a->q->q_sequence_length;
    double value = mask_value(a, row, column);
    return a->q->boolean_mask ? value != 0 : value != -HUGE_VAL;
}

/* exp(score - greatest) in place of the scores, and their sum. */
static Ball exponentiate(const Attention *a, int64_t count, Ball greatest)
{
    for (int64_t j = 0; j < count; j++) {
        Ball d = ball_subtract(a->format, a->scores[j], greatest);
        if (ball_is_known(a->scores[j]) && ball_is_known(greatest)) {
            d.value = a->scores[j].value - greatest.value;
            d.radius = a->scores[j].radius;
            d.radius += a->format->unit * ((double)fabsl(d.value) + d.radius + greatest.radius);
        }
        a->scores[j] = ball_function(a->format, function_named("exp"), d, false);
    }
    return ball_sum(a->format, a->scores, (size_t)count);
}

/* Where a mask leaves a row no score above -infinity its weights may be NaN, or 0, or those of a
 * mask that adds the least number of the type in place of -infinity. */
static void weigh_nothing(const Attention *a, Row *row)
{
    row->count = a->q->kv_sequence_length;
    row->sees_nothing = true;
    for (int64_t j = 0; j < row->count; j++) {
        a->columns[j] = j;
        a->scores[j] = ball_or((Ball){0.5, 0.5, CLASS_FINITE}, CLASS_NAN);
    }
    row->sum = ball_exact(1);
}

/* 0 over 0, or a row that is masked as a whole. */
static void weigh_infinite(const Attention *a, Row *row)
{
    for (int64_t j = 0; j < row->count; j++)
        a->scores[j] = ball_or(ball_exact(0), CLASS_NAN);
    row->sum = ball_exact(1);
}

static Ball greatest_score(const Attention *a, int64_t count)
{
    Ball greatest = ball_exact(-HUGE_VAL);
    for (int64_t j = 0; j < count; j++)
        greatest = ball_max(greatest, a->scores[j]);
    return greatest;
}

/* The weights of a row before they are divided by their sum, in the scores. */
static Row weigh_row(const Attention *a, int64_t number, int64_t keys)
{
    Row row = {.number = number, .keys = keys};
    for (int64_t j = 0; j < a->q->kv_sequence_length; j++) {
        if (is_seen(a, number, j)) {
            a->columns[row.count] = j;
            a->scores[row.count++] = score_of(a, &row, j);
        } else {
            row.hides = row.hides || !ball_is_known(product_of(a, number, keys + j));
        }
    }
    row.greatest = greatest_score(a, row.count);
    unsigned classes = ball_classes(row.greatest) & (CLASS_FINITE | CLASS_INFINITE);
    if (classes != CLASS_NEGATIVE_INFINITY)
        row.sum = exponentiate(a, row.count, row.greatest);
    else if (a->mask)
        weigh_nothing(a, &row);
    else
        weigh_infinite(a, &row);
    return row;
}

/* True when a hidden value is not finite: libraries multiply it by a weight of 0. */
static bool hides_value(const Attention *a, const Row *row, int64_t column)
{
    const Heads *q = a->q;
    for (int64_t j = 0; j < q->kv_sequence_length; j++)
        if (!isfinite(tensor_value(&a->tensors[V], (row->keys + j) * q->v_head_size + column)) &&
            !is_seen(a, row->number, j))
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

/* Element `column` of a row of y from its weights, which are divided by their sum late or early. */
static Ball weighted(const Attention *a, const Row *row, bool early, int64_t column)
{
    double sum = early ? (double)row->sum.value + row->sum.radius : 1;
    for (int64_t j = 0; j < row->count; j++) {
        int64_t place = (row->keys + a->columns[j]) * a->q->v_head_size + column;
        Ball weight = early ? ball_round(a->format, a->scores[j], 1) : a->scores[j];
        a->terms[j] = ball_multiply(a->format, narrowed(a, weight, sum),
                                    ball_exact(tensor_value(&a->tensors[V], place)));
    }
    return ball_divide(a->format, ball_sum(a->format, a->terms, (size_t)row->count), row->sum);
}

static void put_row(Ref *ref, const Attention *a, int64_t number, int64_t keys)
{
    const Heads *q = a->q;
    Row row = weigh_row(a, number, keys);
    for (int64_t c = 0; c < q->v_head_size; c++) {
        size_t place = (size_t)(number * q->v_head_size + c);
        Ball y = ball_either(weighted(a, &row, false, c), weighted(a, &row, true, c));
        ref_put_ball(ref, place, row.sees_nothing ? ball_either(y, ball_exact(0)) : y);
        if (row.hides || hides_value(a, &row, c))
            ref->classes_filling[place] |= CLASS_NAN;
    }
}

/* Operands q, k and v at `first`, and room for a row. */
static Attention prepare(const ReferenceInput *input, int first, const Format *format,
                         const Format *weights, Arena *arena)
{
    const Heads *q = input->params;
    int64_t most = q->head_size > q->kv_sequence_length ? q->head_size : q->kv_sequence_length;
    Attention a = {.q = q,
                   .tensors = &input->tensors[first],
                   .scale = 1 / sqrtl(q->head_size),
                   .format = format,
                   .weights = weights};
    a.scores = arena_take(arena, (size_t)q->kv_sequence_length, sizeof *a.scores);
    a.terms = arena_take(arena, (size_t)most, sizeof *a.terms);
    a.columns = arena_take(arena, (size_t)q->kv_sequence_length, sizeof *a.columns);
    if (op_operand(input->op, "mask") >= 0) {
        Shape extents = shape_of_scores(q);
        Tensor scores = nn_tensor(nn_dtype(q), &extents, ROLE_OUT).layout;
        Tensor *mask = arena_take(arena, 1, sizeof *mask);
        *mask = nn_broadcast(&a.tensors[MASK], &scores);
        a.mask = mask;
        a.scale = q->scale.re;
    }
    return a;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Heads *q = input->params;
    int number = op_operand(input->op, "y");
    const Tensor *y = &input->tensors[number];
    int64_t heads = q->batch * q->kv_num_heads * q->group_size;
    ref_allocate_bounded(&refs[number], y->dtype, y, arena);
    Attention a =
        prepare(input, Q, dtype_format(refs[number].accumulator), dtype_format(y->dtype), arena);
    for (int64_t head = 0; head < heads; head++)
        for (int64_t row = 0; row < q->q_sequence_length; row++)
            put_row(&refs[number], &a, head * q->q_sequence_length + row,
                    head / q->group_size * q->kv_sequence_length);
}

/* Behind dy come the operands of the operator, then the gradients of q, k and v. */
enum { DY, OPERANDS };
static const char *const backward_tensors[] = {"dy", "q", "k", "v", "dq", "dk", "dv", NULL};
static const char *const masked_backward_tensors[] = {"dy", "q",  "k",  "v", "mask",
                                                      "dq", "dk", "dv", NULL};

static void add_gradients(const Shapes *forward, Shapes *shapes)
{
    int y = forward->count - 1;
    *shapes = (Shapes){.count = OPERANDS + y + 3, .depth = forward->depth};
    shapes->tensor[DY] = forward->tensor[y];
    shapes->tensor[DY].role = ROLE_IN;
    for (int i = 0; i < y; i++)
        shapes->tensor[OPERANDS + i] = forward->tensor[i];
    for (int i = Q; i <= V; i++) {
        shapes->tensor[OPERANDS + y + i] = forward->tensor[i];
        shapes->tensor[OPERANDS + y + i].role = ROLE_OUT;
    }
}

static void backward_shape(const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    shape(params_of_case, &forward);
    add_gradients(&forward, shapes);
}

static void masked_backward_shape(const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    masked_shape(params_of_case, &forward);
    add_gradients(&forward, shapes);
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

/* What a weight may be multiplied by where it is exp(score - L), L = greatest + log(sum), the one
 * number that is kept of a row (Dao, FlashAttention-2, 2023, 3.1).
 *
 * Theorem.  With L the value from the rounded sum, which the quotient's bound has, the logarithm is
 * off by its ulps, r, the sum of both by u |L|, and the subtraction by u |score - L|, of which
 * u |score - greatest| is in the exponential's bound: the exponent is off by
 * delta = r + u (1 + 4 u) (|L| + |log(sum)|), and the weight by exp(delta) - 1 of itself. */
static Ball logarithm_drift(const Attention *a, const Row *row)
{
    Ball sum = {row->sum.value, 0, row->sum.classes};
    Ball log = ball_function(a->format, function_named("log"), sum, false);
    if (!ball_is_known(row->greatest) || !ball_is_known(row->sum) || !ball_is_known(log))
        return ball_exact(1);
    long double level = row->greatest.value + log.value;
    double unit = a->format->unit * (1 + 4 * a->format->unit);
    double delta = log.radius + unit * (double)(fabsl(level) + fabsl(log.value));
    return (Ball){1, expm1(delta), CLASS_FINITE};
}

/* The sum of dy y of a row, whose y is a sum of weights times v. */
static Ball sum_along_results(const Backward *b, const Ball *weights, const Row *row)
{
    const Attention *a = &b->forward;
    const Heads *q = a->q;
    for (int64_t c = 0; c < q->v_head_size; c++) {
        for (int64_t i = 0; i < row->count; i++) {
            int64_t j = a->columns[i];
            a->terms[i] = ball_multiply(a->format, weights[j],
                                        value_at(b->v, (row->keys + j) * q->v_head_size + c));
        }
        b->terms[c] = ball_multiply(a->format, value_at(b->dy, row->number * q->v_head_size + c),
                                    ball_sum(a->format, a->terms, (size_t)row->count));
    }
    return ball_sum(a->format, b->terms, (size_t)q->v_head_size);
}

/* A weight times a slope; of a column that the row does not see kernels choose 0 or multiply. */
static Ball weighted_slope(const Backward *b, int64_t row, int64_t column, Ball slope)
{
    const Heads *q = b->forward.q;
    Ball weight = b->weights[row * q->kv_sequence_length + column];
    Ball product = ball_multiply(b->forward.format, weight, slope);
    return is_seen(&b->forward, row, column) ? product : ball_either(product, ball_masked(slope));
}

/* The gradient of softmax subtracts the weighted sum of the slopes, or the sum of dy y, which is
 * equal.  Libraries multiply the weight of 0 of columns that a row does not see, and add a mask of
 * -infinity to their scores: NaN may come of either. */
static void put_slopes(const Backward *b, int64_t number, int64_t keys)
{
    const Attention *a = &b->forward;
    const Heads *q = a->q;
    const Format *f = a->format;
    Ball *weights = b->weights + number * q->kv_sequence_length,
         *slopes = b->slopes + number * q->kv_sequence_length;
    Row row = weigh_row(a, number, keys);
    for (int64_t j = 0; j < q->kv_sequence_length; j++) {
        for (int64_t c = 0; c < q->v_head_size; c++)
            b->terms[c] = ball_multiply(f, value_at(b->dy, number * q->v_head_size + c),
                                        value_at(b->v, (keys + j) * q->v_head_size + c));
        weights[j] = ball_exact(0);
        slopes[j] = ball_sum(f, b->terms, (size_t)q->v_head_size);
    }
    Ball drift = logarithm_drift(a, &row);
    for (int64_t i = 0; i < row.count; i++) {
        Ball weight = ball_divide(f, a->scores[i], row.sum);
        weights[a->columns[i]] = ball_either(weight, ball_multiply(f, weight, drift));
    }
    for (int64_t j = 0; row.hides && j < q->kv_sequence_length; j++)
        weights[j] = ball_or(weights[j], CLASS_NAN);
    for (int64_t i = 0; i < row.count; i++)
        b->terms[i] = ball_multiply(f, weights[a->columns[i]], slopes[a->columns[i]]);
    Ball along = ball_sum(f, b->terms, (size_t)row.count);
    along = ball_either(along, sum_along_results(b, weights, &row));
    for (int64_t j = 0; j < q->kv_sequence_length; j++)
        slopes[j] = weighted_slope(b, number, j, ball_subtract(f, slopes[j], along));
}

/* What a pair of a row and a column adds to a sum: nothing where kernels leave out what is hidden.
 */
static Ball paired(const Backward *b, int64_t row, int64_t column, Ball product)
{
    return is_seen(&b->forward, row, column) ? product : ball_either(product, ball_exact(0));
}

static Ball slope_at(const Backward *b, int64_t row, int64_t column)
{
    return b->slopes[row * b->forward.q->kv_sequence_length + column];
}

static void put_query(Ref *ref, const Backward *b, int64_t row, int64_t keys)
{
    const Attention *a = &b->forward;
    const Heads *q = a->q;
    for (int64_t d = 0; d < q->head_size; d++) {
        for (int64_t j = 0; j < q->kv_sequence_length; j++) {
            Ball k = value_at(&a->tensors[K], (keys + j) * q->head_size + d);
            Ball product = ball_multiply(a->format, slope_at(b, row, j), k);
            b->terms[j] = paired(b, row, j, scaled(a, product));
        }
        ref_put_ball(ref, (size_t)(row * q->head_size + d),
                     ball_sum(a->format, b->terms, (size_t)q->kv_sequence_length));
    }
}

/* Column number `key` of all rows that belong to its head. */
static void put_key(Ref *dk, Ref *dv, const Backward *b, int64_t key)
{
    const Attention *a = &b->forward;
    const Heads *q = a->q;
    int64_t rows = q->group_size * q->q_sequence_length, first = key / q->kv_sequence_length * rows,
            column = key % q->kv_sequence_length;
    for (int64_t d = 0; d < q->head_size; d++) {
        for (int64_t i = 0; i < rows; i++) {
            Ball of_q = value_at(&a->tensors[Q], (first + i) * q->head_size + d);
            Ball product = ball_multiply(a->format, slope_at(b, first + i, column), of_q);
            b->terms[i] = paired(b, first + i, column, scaled(a, product));
        }
        ref_put_ball(dk, (size_t)(key * q->head_size + d),
                     ball_sum(a->format, b->terms, (size_t)rows));
    }
    for (int64_t c = 0; c < q->v_head_size; c++) {
        for (int64_t i = 0; i < rows; i++)
            b->terms[i] = weighted_slope(b, first + i, column,
                                         value_at(b->dy, (first + i) * q->v_head_size + c));
        ref_put_ball(dv, (size_t)(key * q->v_head_size + c),
                     ball_sum(a->format, b->terms, (size_t)rows));
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
    int dq = op_operand(input->op, "dq");
    Ref *gradients = &refs[dq];
    for (int i = Q; i <= V; i++)
        ref_allocate_bounded(&gradients[i], t[dq + i].dtype, &t[dq + i], arena);
    const Format *format = dtype_format(gradients[Q].accumulator);
    Ball *of_rows = arena_take(arena, 2 * (size_t)(rows * q->kv_sequence_length), sizeof *of_rows);
    Backward b = {.forward = prepare(input, OPERANDS, format, format, arena),
                  .dy = &t[DY],
                  .v = &t[OPERANDS + V],
                  .weights = of_rows,
                  .slopes = of_rows + rows * q->kv_sequence_length,
                  .terms = arena_take(arena, most, sizeof(Ball))};
    for (int64_t row = 0; row < rows; row++) {
        int64_t first = row / q->q_sequence_length / q->group_size * q->kv_sequence_length;
        put_slopes(&b, row, first);
        put_query(&gradients[Q], &b, row, first);
    }
    for (int64_t key = 0; key < keys; key++)
        put_key(&gradients[K], &gradients[V], &b, key);
}

static const IllegalRule illegal[] = {{ILLEGAL_EXTENT, "k", -1}, {0}};

#define ATTENTION_OP NN_OP(Heads, 2), .params = params, .fills = nn_moderate_fills
#define MASKED_OP(of_params)                                                                       \
    NN_OP(Heads, 1), .params = (of_params), .fills = nn_moderate_fills, .normalise = normalise_mask

static const OpDesc table[] = {
    {ATTENTION_OP, .name = "attention", .summary = "scaled dot-product attention",
     .dtypes = DTYPES_FLOAT, .tensors = tensors, .shape = shape, .work = work,
     .reference = reference, .illegal = illegal},
    {ATTENTION_OP, .name = "attention_backward", .summary = "gradients of attention",
     .dtypes = DTYPES_REAL, .tensors = backward_tensors, .shape = backward_shape,
     .work = backward_work, .reference = backward_reference},
    {MASKED_OP(masked_params), .name = "masked_attention",
     .summary = "scaled dot-product attention with a mask", .dtypes = DTYPES_FLOAT,
     .tensors = masked_tensors, .shape = masked_shape, .work = work, .reference = reference},
    {MASKED_OP(masked_backward_params), .name = "masked_attention_backward",
     .summary = "gradients of masked_attention but that of the mask", .dtypes = DTYPES_REAL,
     .tensors = masked_backward_tensors, .shape = masked_backward_shape, .work = backward_work,
     .reference = backward_reference},
    {.name = NULL},
};

OP_TABLE(ops_attention)
{
    return table;
}
