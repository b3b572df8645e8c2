/* Attention with a mask: faults, and kernels that compute it in another way and are right. */
#include <math.h>

#include "ops/nn/nn.h"
#include "planted.h"

enum { Q, K, V, MASK, Y };
/* Of gradients: dy stands in front of the operands, whose gradients follow. */
enum { DY, OPERANDS, DQ = OPERANDS + MASK + 1, DK, DV };

typedef enum Way {
    ROOT_SCALE, /* right: q and k are each multiplied by the root of the scale */
    LATE_SOFTCAP,
    ONE_MASK,
    FIRST_ROW,
    LAST_COLUMN,
    SCALED_MASK,
    FINITE_MASK
} Way;

/* One call in the arithmetic of the element type, that of binary32 for half precisions. */
typedef struct Attention {
    Way way;
    const Tensor *v;
    Tensor mask; /* with the extents of the scores */
    DType arithmetic;
    bool boolean_mask;
    double scale, softcap;
    int64_t group, queries, keys, size, width; /* extents of v: keys x width */
    double *weights;
} Attention;

static double in_type(const Attention *a, double x)
{
    return dtype_round(a->arithmetic, x);
}

static Attention attention_of(PlantedCall *call, const Tensor *v, Way way)
{
    const Case *c = &call->altered;
    const Param *softcap = op_param(c->op, "softcap", sizeof "softcap" - 1);
    const int64_t *q = v[Q].extent, *k = v[K].extent;
    Tensor scores = {.rank = 4, .extent = {q[0], q[1], q[2], k[2]}};
    DType dtype = v[Q].dtype;
    return (Attention){
        .way = way,
        .v = v,
        .mask = nn_broadcast(&v[MASK], &scores),
        .arithmetic = dtype == DT_F16 || dtype == DT_BF16 ? DT_F32 : dtype,
        .boolean_mask = case_int(c, "boolean_mask") != 0,
        .scale = param_scalar(case_param(c, "scale"), call->altered.params)->re,
        .softcap = softcap ? param_scalar(softcap, call->altered.params)->re : 0,
        .group = case_int(c, "group_size"),
        .queries = q[2],
        .keys = k[2],
        .size = q[3],
        .width = v[V].extent[3],
        .weights = arena_take(call->arena, (size_t)k[2], sizeof(double)),
    };
}

static int64_t key_row(const Attention *a, int64_t row, int64_t column)
{
    return row / a->queries / a->group * a->keys + column;
}

static double mask_at(const Attention *a, int64_t row, int64_t column)
{
    if (a->way == ONE_MASK)
        row %= a->queries;
    if (a->way == FIRST_ROW)
        row -= row % a->queries;
    return tensor_value(&a->mask, row * a->keys + column);
}

static bool is_seen(const Attention *a, int64_t row, int64_t column)
{
    double mask = mask_at(a, row, column);
    if (a->way == LAST_COLUMN && column == a->keys - 1 && a->keys > 1)
        return true;
    return a->boolean_mask ? mask != 0 : mask != -HUGE_VAL;
}

static double product_of(const Attention *a, int64_t row, int64_t column)
{
    double root = a->way == ROOT_SCALE ? in_type(a, sqrt(a->scale)) : 1, sum = 0;
    for (int64_t i = 0; i < a->size; i++) {
        double q = in_type(a, root * tensor_value(&a->v[Q], row * a->size + i));
        double k = in_type(a, root * tensor_value(&a->v[K], key_row(a, row, column) * a->size + i));
        sum = in_type(a, sum + in_type(a, q * k));
    }
    return a->way == ROOT_SCALE ? sum : in_type(a, sum * a->scale);
}

static double capped(const Attention *a, double score)
{
    if (a->softcap == 0)
        return score;
    return in_type(a, a->softcap * in_type(a, tanh(in_type(a, score / a->softcap))));
}

static double score_of(const Attention *a, int64_t row, int64_t column)
{
    double added = a->boolean_mask ? 0 : mask_at(a, row, column),
           score = product_of(a, row, column);
    if (a->way == SCALED_MASK)
        added *= a->scale;
    if (a->way == LATE_SOFTCAP)
        return capped(a, in_type(a, score + added));
    if (a->way == FINITE_MASK && !is_seen(a, row, column))
        return in_type(a, capped(a, score) - 1e4);
    if (a->way == LAST_COLUMN && added == -HUGE_VAL)
        added = 0;
    return in_type(a, capped(a, score) + added);
}

/* Whether a column takes part in the sums of a row. */
static bool takes_part(const Attention *a, int64_t row, int64_t column)
{
    bool hides_late = a->way == FINITE_MASK || (a->way == LATE_SOFTCAP && a->softcap != 0);
    return hides_late || is_seen(a, row, column);
}

/* The scores of a row, and the greatest of those that take part. */
static double put_scores(const Attention *a, int64_t row)
{
    double greatest = -HUGE_VAL;
    for (int64_t j = 0; j < a->keys; j++) {
        a->weights[j] = score_of(a, row, j);
        if (takes_part(a, row, j) && !(a->weights[j] <= greatest))
            greatest = a->weights[j];
    }
    return greatest;
}

/* exp(score - level), 0 of what does not take part; their sum is returned. */
static double exponentiate(const Attention *a, int64_t row, double level)
{
    double sum = 0;
    for (int64_t j = 0; j < a->keys; j++) {
        double weight = in_type(a, exp(in_type(a, a->weights[j] - level)));
        a->weights[j] = takes_part(a, row, j) ? weight : 0;
        sum = in_type(a, sum + a->weights[j]);
    }
    return sum;
}

static void put_row(const Attention *a, const Tensor *y, int64_t row)
{
    double divisor = exponentiate(a, row, put_scores(a, row));
    bool early = a->way == ROOT_SCALE;
    for (int64_t c = 0; c < a->width; c++) {
        double sum = 0;
        for (int64_t j = 0; j < a->keys; j++) {
            double value = tensor_value(&a->v[V], key_row(a, row, j) * a->width + c);
            double weight = early ? in_type(a, a->weights[j] / divisor) : a->weights[j];
            if (takes_part(a, row, j))
                sum = in_type(a, sum + in_type(a, weight * value));
        }
        dtype_store(y->dtype, y->origin, row * a->width + c,
                    early ? sum : in_type(a, sum / divisor));
    }
}

static void attend(PlantedCall *call, Way way)
{
    const Tensor *y = &call->operands->view[Y];
    Attention a = attention_of(call, call->operands->view, way);
    for (int64_t row = 0; row < y->extent[0] * y->extent[1] * y->extent[2]; row++)
        put_row(&a, y, row);
}

/* Weights from L = greatest + log(sum), which is all that is kept of a row. */
static void weigh_by_logarithm(const Attention *a, int64_t row)
{
    double greatest = put_scores(a, row), sum = exponentiate(a, row, greatest);
    (void)put_scores(a, row);
    (void)exponentiate(a, row, in_type(a, greatest + in_type(a, log(sum))));
}

static double dot(const Attention *a, const Tensor *x, int64_t first, const Tensor *y,
                  int64_t second)
{
    double sum = 0;
    for (int64_t c = 0; c < a->width; c++)
        sum =
            in_type(a, sum + in_type(a, tensor_value(x, first + c) * tensor_value(y, second + c)));
    return sum;
}

static void add_to(const Attention *a, const Tensor *t, int64_t place, double term)
{
    dtype_store(t->dtype, t->origin, place, in_type(a, tensor_value(t, place) + term));
}

/* Adds what a row gives to the gradients. */
static void add_row(const Attention *a, const Tensor *v, int64_t row, double *slopes)
{
    double along = 0;
    for (int64_t j = 0; j < a->keys; j++) {
        slopes[j] = dot(a, &v[DY], row * a->width, &v[OPERANDS + V], key_row(a, row, j) * a->width);
        if (is_seen(a, row, j))
            along = in_type(a, along + in_type(a, a->weights[j] * slopes[j]));
    }
    for (int64_t j = 0; j < a->keys; j++) {
        int64_t key = key_row(a, row, j);
        double slope =
            in_type(a, a->scale * in_type(a, a->weights[j] * in_type(a, slopes[j] - along)));
        for (int64_t i = 0; is_seen(a, row, j) && i < a->size; i++) {
            int64_t q = row * a->size + i, k = key * a->size + i;
            add_to(a, &v[DQ], q, in_type(a, slope * tensor_value(&v[OPERANDS + K], k)));
            add_to(a, &v[DK], k, in_type(a, slope * tensor_value(&v[OPERANDS + Q], q)));
        }
        for (int64_t c = 0; is_seen(a, row, j) && c < a->width; c++)
            add_to(a, &v[DV], key * a->width + c,
                   in_type(a, a->weights[j] * tensor_value(&v[DY], row * a->width + c)));
    }
}

static void differentiate(PlantedCall *call, Way way)
{
    const Tensor *v = call->operands->view;
    Attention a = attention_of(call, &v[OPERANDS], way);
    double *slopes = arena_take(call->arena, (size_t)a.keys, sizeof *slopes);
    for (int t = DQ; t <= DV; t++)
        for (int64_t i = 0; i < tensor_count(&v[t]); i++)
            dtype_store(v[t].dtype, v[t].origin, i, 0);
    int64_t rows = v[DY].extent[0] * v[DY].extent[1] * a.queries;
    for (int64_t row = 0; row < rows; row++) {
        weigh_by_logarithm(&a, row);
        add_row(&a, v, row, slopes);
    }
}

static void finish_root_scale(PlantedCall *call)
{
    attend(call, ROOT_SCALE);
}

static void finish_late_softcap(PlantedCall *call)
{
    attend(call, LATE_SOFTCAP);
}

static void finish_one_mask(PlantedCall *call)
{
    attend(call, ONE_MASK);
}

static void finish_first_row(PlantedCall *call)
{
    attend(call, FIRST_ROW);
}

static void finish_last_column(PlantedCall *call)
{
    attend(call, LAST_COLUMN);
}

static void finish_scaled_mask(PlantedCall *call)
{
    attend(call, SCALED_MASK);
}

static void finish_finite_mask(PlantedCall *call)
{
    attend(call, FINITE_MASK);
}

static void finish_logarithm(PlantedCall *call)
{
    differentiate(call, ROOT_SCALE);
}

static void finish_first_row_gradient(PlantedCall *call)
{
    differentiate(call, FIRST_ROW);
}

const PlantedFault planted_attention_faults[] = {
    {"ok-masked-attention-root", "masked_attention",
     "right: the root of the scale multiplies q and k, weights are divided first", NULL,
     finish_root_scale},
    {"ok-masked-attention-logarithm", "masked_attention_backward",
     "right: weights are exponentials of the score less the logarithm of their sum", NULL,
     finish_logarithm},
    {"masked-attention-softcap", "masked_attention", "a softcap behind the mask", NULL,
     finish_late_softcap},
    {"masked-attention-one-mask", "masked_attention", "the mask of the first head", NULL,
     finish_one_mask},
    {"masked-attention-first-row", "masked_attention", "the first row of the mask", NULL,
     finish_first_row},
    {"masked-attention-last-column", "masked_attention", "the last column is always seen", NULL,
     finish_last_column},
    {"masked-attention-scaled-mask", "masked_attention", "the scale multiplies the mask", NULL,
     finish_scaled_mask},
    {"masked-attention-finite", "masked_attention", "-1e4 stands for -infinity", NULL,
     finish_finite_mask},
    {"masked-attention-gradient-row", "masked_attention_backward", "the first row of the mask",
     NULL, finish_first_row_gradient},
    {NULL, NULL, NULL, NULL, NULL},
};
