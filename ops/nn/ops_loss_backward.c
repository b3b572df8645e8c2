/* Gradients of losses by their prediction: dx from dy, a number, and from x and target, in balls.
 * The mean divides by the number of elements; the factors are multiplied in any order. */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

enum { DY, X, TARGET, DX };

/* The slope of one term; beta is where the square of a difference ends. */
typedef Ball LossSlope(const Format *format, Ball x, Ball target, Ball beta);

typedef struct LossBackwardRow {
    const char *name, *summary;
    LossSlope *slope;
    bool of_probabilities, has_beta;
} LossBackwardRow;

static const Param params[] = {NN_DTYPE, NN_INPUT_SHAPE,
                               P_CHOICE(Nn, mode, nn_mean_or_sum, "of all terms"), P_END};
static const Param beta_params[] = {NN_DTYPE, NN_INPUT_SHAPE,
                                    P_CHOICE(Nn, mode, nn_mean_or_sum, "of all terms"),
                                    P_REAL(Nn, beta, 1, "where the square ends"), P_END};
static const char *const tensors[] = {"dy", "x", "target", "dx", NULL};

static Ball of_square(const Format *f, Ball x, Ball target, Ball beta)
{
    (void)beta;
    return ball_multiply(f, ball_exact(2), ball_subtract(f, x, target));
}

/* Anything between the one-sided values where they are equal. */
static Ball of_magnitude(const Format *f, Ball x, Ball target, Ball beta)
{
    (void)beta;
    Ball d = ball_subtract(f, x, target);
    if (!ball_is_known(d))
        return d;
    if (d.value == 0)
        return (Ball){0, 1};
    return ball_exact(d.value > 0 ? 1 : -1);
}

static Ball of_logits(const Format *f, Ball x, Ball target, Ball beta)
{
    (void)beta;
    return ball_subtract(f, ball_function(f, function_named("sigmoid"), x, true), target);
}

static Ball of_probabilities(const Format *f, Ball x, Ball target, Ball beta)
{
    (void)beta;
    Ball rest = ball_subtract(f, ball_exact(1), x);
    Ball whole = ball_divide(f, ball_subtract(f, x, target), ball_multiply(f, x, rest));
    Ball parts = ball_subtract(f, ball_divide(f, ball_subtract(f, ball_exact(1), target), rest),
                               ball_divide(f, target, x));
    return ball_either(whole, parts);
}

static Ball of_divergence(const Format *f, Ball x, Ball target, Ball beta)
{
    (void)beta;
    (void)f, (void)x;
    return ball_negate(target);
}

/* The difference between -beta and beta, those ends outside. */
static Ball of_huber(const Format *f, Ball x, Ball target, Ball beta)
{
    Ball d = ball_subtract(f, x, target), end = d.value > 0 ? beta : ball_negate(beta);
    if (!ball_is_known(d))
        return d;
    if (fabsl(fabsl(d.value) - beta.value) <= d.radius)
        return ball_either(d, end);
    return fabsl(d.value) < beta.value ? d : end;
}

static Ball of_smooth(const Format *f, Ball x, Ball target, Ball beta)
{
    return ball_divide(f, of_huber(f, x, target, beta), beta);
}

static const LossBackwardRow rows[] = {
    {"huber_loss_backward", "gradient of huber_loss", of_huber, false, true},
    {"smooth_l1_loss_backward", "gradient of smooth_l1_loss", of_smooth, false, true},
    {"mse_loss_backward", "gradient of mse_loss", of_square, false, false},
    {"l1_loss_backward", "gradient of l1_loss", of_magnitude, false, false},
    {"bce_with_logits_backward", "gradient of bce_with_logits", of_logits, false, false},
    {"bce_loss_backward", "gradient of bce_loss", of_probabilities, true, false},
    {"kl_div_backward", "gradient of kl_div", of_divergence, true, false},
};

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
    *shapes = (Shapes){.count = 4, .depth = 1};
    shapes->tensor[DY] = nn_tensor(nn_dtype(q), &number, ROLE_IN);
    for (int i = X; i <= DX; i++)
        shapes->tensor[i] = nn_tensor(nn_dtype(q), &q->shape, i == DX ? ROLE_OUT : ROLE_IN);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(params_of_case, 128);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    const LossBackwardRow *row = input->op->detail;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[DX];
    ref_allocate_bounded(ref, t[DX].dtype, &t[DX], arena);
    const Format *f = dtype_format(ref->accumulator);
    Ball dy = ball_exact(tensor_value(&t[DY], 0));
    for (size_t i = 0; i < ref->count; i++) {
        Ball slope =
            row->slope(f, ball_exact(tensor_value(&t[X], (int64_t)i)),
                       ball_exact(tensor_value(&t[TARGET], (int64_t)i)), ball_exact(q->beta.re));
        Ball product = ball_multiply(f, dy, slope);
        ref_put_ball(ref, i, q->mode ? product : ball_mean(f, product, (double)ref->count));
    }
}

const OpDesc *ops_loss_backward(void)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP_TABLES,
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = rows[i].has_beta ? beta_params : params,
            .tensors = tensors,
            .dtypes = DTYPES_REAL,
            .fills = rows[i].of_probabilities ? 1 << FILL_POSITIVE : nn_moderate_fills,
            .normalise = normalise,
            .shape = shape,
            .work = work,
            .reference = reference,
            .detail = &rows[i],
        };
    return table;
}
