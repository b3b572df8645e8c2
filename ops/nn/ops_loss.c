/* Losses of a prediction against a target: a mean or a sum over all elements of a term that is
 * never negative.  A term takes at most five roundings that do not cancel (beyond beta, |d| - beta
 * / 2 is at least half of |d|), and the sum of n one each: (n + 6) u relative, 0 where nothing is
 * off. */
#include <math.h>

#include "nn.h"
#include "reference/reduce.h"

typedef struct LossRow {
    const char *name, *summary;
    long double (*term)(long double difference, double beta);
    bool has_beta;
} LossRow;

static const char *const reductions[] = {"mean", "sum", NULL};
#define LOSS_PARAMS NN_DTYPE, NN_INPUT_SHAPE, P_CHOICE(Nn, mode, reductions, "of all terms")
static const Param plain_params[] = {LOSS_PARAMS, P_END};
static const Param beta_params[] = {LOSS_PARAMS, P_REAL(Nn, beta, 1, "where the square ends"),
                                    P_END};
static const char *const tensors[] = {"x", "target", "y", NULL};

static long double squared(long double d, double beta)
{
    (void)beta;
    return d * d;
}

static long double magnitude(long double d, double beta)
{
    (void)beta;
    return fabsl(d);
}

static long double smooth(long double d, double beta)
{
    return fabsl(d) < beta ? d * d / (2 * beta) : fabsl(d) - beta / 2;
}

static long double huber(long double d, double beta)
{
    return fabsl(d) < beta ? d * d / 2 : beta * (fabsl(d) - beta / 2);
}

static const LossRow rows[] = {
    {"mse_loss", "mean of squares of differences", squared, false},
    {"l1_loss", "mean of magnitudes of differences", magnitude, false},
    {"smooth_l1_loss", "squares near 0, magnitudes elsewhere, over beta", smooth, true},
    {"huber_loss", "squares near 0, beta times magnitudes elsewhere", huber, true},
};

/* Something to take a mean of, and a beta that is positive and of moderate size. */
static void normalise(void *params_of_case)
{
    Nn *q = params_of_case;
    double beta = fabs(q->beta.re);
    nn_fill_empty(&q->shape);
    q->beta.re = beta >= 0x1p-4 && beta <= 0x1p4 ? beta : 1;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    Shape number = {0};
    *shapes = (Shapes){.count = 3, .depth = shape_count(&q->shape)};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &number, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(params_of_case, 32);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    const LossRow *row = input->op->detail;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[2];
    ref_allocate_bounded(ref, t[2].dtype, &t[2], arena);
    const Format *format = dtype_format(ref->accumulator);
    int64_t count = tensor_count(&t[0]);
    long double sum = 0;
    bool in_range = true;
    for (int64_t i = 0; i < count; i++) {
        long double d = (long double)dtype_load(t[0].dtype, t[0].origin, i) -
                        dtype_load(t[1].dtype, t[1].origin, i);
        long double term = row->term(d, q->beta.re);
        in_range = in_range && isfinite((double)term) && term < format->largest / 4;
        sum += term;
    }
    long double value = q->mode ? sum : sum / count;
    if (!in_range || !(sum < format->largest / 4)) {
        ref_set_classes(ref, 0, CLASS_ANY);
        return;
    }
    double n = (double)count, u = format->unit;
    ref_put_bounded(ref, 0, value, 0x1p-60L * value * 2,
                    (n + 6) * u / (1 - (n + 6) * u) * (double)value * (1 + 0x1p-40) +
                        n * format->smallest_subnormal);
}

const OpDesc *ops_loss(void)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP_TABLES,
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = rows[i].has_beta ? beta_params : plain_params,
            .tensors = tensors,
            .dtypes = DTYPES_FLOAT,
            .fills = nn_moderate_fills,
            .normalise = normalise,
            .shape = shape,
            .work = work,
            .reference = reference,
            .detail = &rows[i],
        };
    return table;
}
