/* Scaled dot-product attention: y = softmax(scale q k^T) v by heads, where several heads of q may
 * share one of k and v, and a causal mask lets row i see the first i + 1 columns.
 *
 * A score is a sum of products with up to six roundings each: scale may multiply the sum, or its
 * root either factor.  What is subtracted before the exponential cancels, so that the error of the
 * greatest score does not count, only the rounding of the difference.  Weights are divided before
 * or after they multiply v.  Of half precision they may be rounded to it before they do, since
 * matrix units take no wider factors (Dao et al., FlashAttention, 2022); all else is binary32. */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

static const Param params[] = {
    NN_DTYPE,
    P_DIM(Nn, batch, 1, 8, "samples"),
    P_DIM(Nn, channels, 1, 8, "heads of k and v"),
    P_INTEGER(Nn, groups, 1, 4, 1, "heads of q for each of them"),
    P_DIM(Nn, m, 1, 128, "rows of q and y"),
    P_DIM(Nn, n, 1, 128, "rows of k and v"),
    P_DIM(Nn, k, 1, 64, "columns of q and k"),
    P_DIM(Nn, outputs, 1, 64, "columns of v and y"),
    P_CHOICE(Nn, causal, nn_yes_no, "row i sees the first i + 1 rows of k"),
    P_END,
};
static const char *const tensors[] = {"q", "k", "v", "y", NULL};

enum { SCORE_ROUNDINGS = 6 };

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    Shape of_q = {4, {q->batch, q->channels * q->groups, q->m, q->k}};
    Shape of_k = {4, {q->batch, q->channels, q->n, q->k}};
    Shape of_v = {4, {q->batch, q->channels, q->n, q->outputs}};
    Shape of_y = {4, {q->batch, q->channels * q->groups, q->m, q->outputs}};
    *shapes = (Shapes){.count = 4, .depth = q->k};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &of_q, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &of_k, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &of_v, ROLE_IN);
    shapes->tensor[3] = nn_tensor(nn_dtype(q), &of_y, ROLE_OUT);
    shapes->tensor[1].part = PART_RIGHT;
}

static double work(const void *params_of_case)
{
    const Nn *q = params_of_case;
    return 64.0 * (double)(q->batch * q->channels * q->groups) *
           (double)(q->m * q->n * (q->k + q->outputs + 4));
}

/* One row of q against the rows of k and v that it sees. */
typedef struct Attention {
    const Nn *q;
    const Tensor *tensors;
    const Format *format, *weights; /* of sums; of weights as they multiply */
    Ball *scores, *terms;
} Attention;

/* A product times the scale. */
static Ball scaled(const Attention *a, Ball product)
{
    long double scale = 1 / sqrtl(a->q->k);
    product.value *= scale;
    product.radius *= (double)scale;
    return ball_round(a->format, product, SCORE_ROUNDINGS);
}

/* Where the sum may overflow before it is multiplied by the scale nothing is known of the score. */
static Ball score_of(const Attention *a, int64_t row, int64_t column)
{
    int64_t depth = a->q->k;
    double size = 0;
    for (int64_t i = 0; i < depth; i++) {
        Ball x = ball_exact(tensor_value(&a->tensors[0], row * depth + i));
        Ball y = ball_exact(tensor_value(&a->tensors[1], column * depth + i));
        size += fabs((double)(x.value * y.value));
        a->terms[i] = scaled(a, ball_multiply(a->format, x, y));
    }
    if (!(size < a->format->largest / 4))
        return ball_exact(NAN);
    return ball_sum(a->format, a->terms, (size_t)depth);
}

/* Rows of k that a row of q sees. */
static int64_t seen_by(const Nn *q, int64_t row)
{
    return q->causal && row % q->m + 1 < q->n ? row % q->m + 1 : q->n;
}

/* exp(score - greatest) in place of the scores, and their sum. */
static Ball exponentiate(const Attention *a, int64_t count)
{
    Ball greatest = a->scores[0];
    for (int64_t j = 1; j < count; j++)
        greatest = ball_max(greatest, a->scores[j]);
    for (int64_t j = 0; j < count; j++) {
        Ball d = {a->scores[j].value - greatest.value, a->scores[j].radius};
        d.radius += a->format->unit * ((double)fabsl(d.value) + d.radius + greatest.radius);
        a->scores[j] = ball_function(a->format, function_named("exp"), d, false);
    }
    return ball_sum(a->format, a->scores, (size_t)count);
}

/* True when a score that the mask leaves out may not be finite: masks are added. */
static bool hides_score(const Attention *a, int64_t row, int64_t keys, int64_t first)
{
    for (int64_t j = first; j < a->q->n; j++)
        if (!ball_is_known(score_of(a, row, keys + j)))
            return true;
    return false;
}

/* The same of a value: weights of 0 are multiplied. */
static bool hides_value(const Attention *a, int64_t keys, int64_t first, int64_t column)
{
    const Nn *q = a->q;
    for (int64_t j = first; j < q->n; j++)
        if (!isfinite(tensor_value(&a->tensors[2], (keys + j) * q->outputs + column)))
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
        first += a->q->outputs;
    }
    return ball_divide(a->format, ball_sum(a->format, a->terms, (size_t)count), sum);
}

static void put_row(Ref *ref, const Attention *a, int64_t row, int64_t keys)
{
    const Nn *q = a->q;
    int64_t count = seen_by(q, row);
    bool hides = hides_score(a, row, keys, count);
    for (int64_t j = 0; j < count; j++)
        a->scores[j] = score_of(a, row, keys + j);
    Ball sum = exponentiate(a, count);
    for (int64_t c = 0; c < q->outputs; c++) {
        size_t place = (size_t)(row * q->outputs + c);
        Ball late = weighted(a, count, sum, false, keys * q->outputs + c);
        Ball early = weighted(a, count, sum, true, keys * q->outputs + c);
        ref_put_ball(ref, place, ball_either(late, early));
        if (hides || hides_value(a, keys, count, c))
            ref->classes_filling[place] |= CLASS_NAN;
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    const Tensor *y = &input->tensors[3];
    int64_t most = q->k > q->n ? q->k : q->n, heads = q->batch * q->channels * q->groups;
    ref_allocate_bounded(&refs[3], y->dtype, y, arena);
    Attention a = {q,
                   input->tensors,
                   dtype_format(refs[3].accumulator),
                   dtype_format(y->dtype),
                   arena_take(arena, (size_t)q->n, sizeof(Ball)),
                   arena_take(arena, (size_t)most, sizeof(Ball))};
    for (int64_t head = 0; head < heads; head++)
        for (int64_t row = 0; row < q->m; row++)
            put_row(&refs[3], &a, head * q->m + row, head / q->groups * q->n);
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
    const Nn *q = a->q;
    int64_t count = seen_by(q, row);
    for (int64_t c = 0; c < q->outputs; c++) {
        for (int64_t j = 0; j < count; j++)
            a->terms[j] =
                ball_multiply(a->format, weights[j], value_at(b->v, (keys + j) * q->outputs + c));
        b->terms[c] = ball_multiply(a->format, value_at(b->dy, row * q->outputs + c),
                                    ball_sum(a->format, a->terms, (size_t)count));
    }
    return ball_sum(a->format, b->terms, (size_t)q->outputs);
}

/* What is subtracted from the slopes is their sum, weighted, or the sum of dy y, which is equal. */
static void put_slopes(const Backward *b, int64_t row, int64_t keys)
{
    const Attention *a = &b->forward;
    const Nn *q = a->q;
    const Format *f = a->format;
    Ball *weights = b->weights + row * q->n, *slopes = b->slopes + row * q->n;
    int64_t count = seen_by(q, row);
    for (int64_t j = 0; j < q->n; j++)
        weights[j] = slopes[j] = ball_exact(0);
    for (int64_t j = 0; j < count; j++)
        a->scores[j] = score_of(a, row, keys + j);
    Ball sum = exponentiate(a, count);
    for (int64_t j = 0; j < count; j++) {
        for (int64_t c = 0; c < q->outputs; c++)
            b->terms[c] = ball_multiply(f, value_at(b->dy, row * q->outputs + c),
                                        value_at(b->v, (keys + j) * q->outputs + c));
        weights[j] = ball_divide(f, a->scores[j], sum);
        slopes[j] = ball_sum(f, b->terms, (size_t)q->outputs);
    }
    for (int64_t j = 0; j < count; j++)
        b->terms[j] = ball_multiply(f, weights[j], slopes[j]);
    Ball along = ball_sum(f, b->terms, (size_t)count);
    along = ball_either(along, sum_along_results(b, weights, row, keys));
    for (int64_t j = 0; j < count; j++)
        slopes[j] = ball_multiply(f, weights[j], ball_subtract(f, slopes[j], along));
}

static void put_query(Ref *ref, const Backward *b, int64_t row, int64_t keys)
{
    const Nn *q = b->forward.q;
    const Format *f = b->forward.format;
    for (int64_t d = 0; d < q->k; d++) {
        for (int64_t j = 0; j < q->n; j++)
            b->terms[j] =
                scaled(&b->forward,
                       ball_multiply(f, b->slopes[row * q->n + j],
                                     value_at(&b->forward.tensors[1], (keys + j) * q->k + d)));
        ref_put_ball(ref, (size_t)(row * q->k + d), ball_sum(f, b->terms, (size_t)q->n));
    }
}

/* Column number `key` of all rows that belong to its head. */
static void put_key(Ref *dk, Ref *dv, const Backward *b, int64_t key)
{
    const Nn *q = b->forward.q;
    const Format *f = b->forward.format;
    int64_t rows = q->groups * q->m, first = key / q->n * rows, column = key % q->n;
    for (int64_t d = 0; d < q->k; d++) {
        for (int64_t i = 0; i < rows; i++)
            b->terms[i] =
                scaled(&b->forward,
                       ball_multiply(f, b->slopes[(first + i) * q->n + column],
                                     value_at(&b->forward.tensors[0], (first + i) * q->k + d)));
        ref_put_ball(dk, (size_t)(key * q->k + d), ball_sum(f, b->terms, (size_t)rows));
    }
    for (int64_t c = 0; c < q->outputs; c++) {
        for (int64_t i = 0; i < rows; i++)
            b->terms[i] = ball_multiply(f, b->weights[(first + i) * q->n + column],
                                        value_at(b->dy, (first + i) * q->outputs + c));
        ref_put_ball(dv, (size_t)(key * q->outputs + c), ball_sum(f, b->terms, (size_t)rows));
    }
}

static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    const Tensor *t = input->tensors;
    int64_t rows = q->batch * q->channels * q->groups * q->m, keys = q->batch * q->channels * q->n;
    size_t most = (size_t)(q->groups * q->m + q->n + q->k + q->outputs);
    for (int i = DQ; i <= DV; i++)
        ref_allocate_bounded(&refs[i], t[i].dtype, &t[i], arena);
    Ball *balls = arena_take(arena, 3 * most + 2 * (size_t)(rows * q->n), sizeof *balls);
    const Format *format = dtype_format(refs[DQ].accumulator);
    Ball *of_rows = balls + 3 * most;
    Backward b = {.forward = {q, &t[Q], format, format, balls, balls + most},
                  .dy = &t[DY],
                  .v = &t[V],
                  .weights = of_rows,
                  .slopes = of_rows + rows * q->n,
                  .terms = balls + 2 * most};
    for (int64_t row = 0; row < rows; row++) {
        int64_t first = row / q->m / q->groups * q->n;
        put_slopes(&b, row, first);
        put_query(&refs[DQ], &b, row, first);
    }
    for (int64_t key = 0; key < keys; key++)
        put_key(&refs[DK], &refs[DV], &b, key);
}

#define ATTENTION_OP NN_OP_TABLES, .params = params, .fills = nn_moderate_fills

static const OpDesc table[] = {
    {ATTENTION_OP, .name = "attention", .summary = "scaled dot-product attention",
     .dtypes = DTYPES_FLOAT, .tensors = tensors, .shape = shape, .work = work,
     .reference = reference},
    {ATTENTION_OP, .name = "attention_backward", .summary = "gradients of attention",
     .dtypes = DTYPES_REAL, .tensors = backward_tensors, .shape = backward_shape,
     .work = backward_work, .reference = backward_reference},
    {.name = NULL},
};

const OpDesc *ops_attention(void)
{
    return table;
}
