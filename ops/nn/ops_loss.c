/* Losses of a prediction against a target of the same extents: a mean or a sum over all elements of
 * a term, operation by operation (reference/ball.h). */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

/* beta is where the square of a difference ends. */
typedef Ball LossTerm(const Format *format, Ball x, Ball target, Ball beta);

typedef struct LossRow {
    const char *name, *summary;
    LossTerm *term;
    bool has_beta, of_probabilities;
} LossRow;

#define LOSS_PARAMS NN_DTYPE, NN_INPUT_SHAPE, P_CHOICE(Nn, mode, nn_mean_or_sum, "of all terms")
static const Param plain_params[] = {LOSS_PARAMS, P_END};
static const Param beta_params[] = {LOSS_PARAMS, P_REAL(Nn, beta, 1, "where the square ends"),
                                    P_END};
static const char *const tensors[] = {"x", "target", "y", NULL};

static Ball squared(const Format *f, Ball x, Ball target, Ball beta)
{
    Ball d = ball_subtract(f, x, target);
    (void)beta;
    return ball_multiply(f, d, d);
}

static Ball magnitude(const Format *f, Ball x, Ball target, Ball beta)
{
    (void)beta;
    return ball_abs(ball_subtract(f, x, target));
}

static Ball half(const Format *f, Ball x)
{
    return ball_multiply(f, x, ball_exact(0.5));
}

/* The square where d is below beta, the line beyond, either in between. */
static Ball choose(Ball d, Ball beta, Ball square, Ball line)
{
    if (fabsl(d.value - beta.value) <= d.radius)
        return ball_either(square, line);
    return d.value < beta.value ? square : line;
}

static Ball smooth(const Format *f, Ball x, Ball target, Ball beta)
{
    Ball d = magnitude(f, x, target, beta), square = half(f, ball_multiply(f, d, d));
    square = ball_divide(f, square, beta);
    /* The order of the factors is free: d * (0.5 d / beta) rounds as often. */
    return choose(d, beta, square, ball_subtract(f, d, half(f, beta)));
}

static Ball huber(const Format *f, Ball x, Ball target, Ball beta)
{
    Ball d = magnitude(f, x, target, beta), square = half(f, ball_multiply(f, d, d));
    return choose(d, beta, square, ball_multiply(f, beta, ball_subtract(f, d, half(f, beta))));
}

static Ball binary_cross_entropy(const Format *f, Ball x, Ball target, Ball beta)
{
    const Function *log = function_named("log");
    Ball one = ball_exact(1), other = ball_function(f, log, ball_subtract(f, one, x), false);
    Ball own = ball_multiply(f, target, ball_function(f, log, x, false));
    (void)beta;
    other = ball_multiply(f, ball_subtract(f, one, target), other);
    return ball_negate(ball_add(f, own, other));
}

/* max(x, 0) - x target + log(1 + exp(-|x|)); the three are added in any order. */
static Ball with_logits(const Format *f, Ball x, Ball target, Ball beta)
{
    Ball e = ball_function(f, function_named("exp"), ball_negate(ball_abs(x)), false);
    Ball terms[] = {ball_max(x, ball_exact(0)), ball_negate(ball_multiply(f, x, target)),
                    ball_function(f, function_named("log"), ball_add(f, ball_exact(1), e), false)};
    (void)beta;
    return ball_sum(f, terms, COUNT_OF(terms));
}

/* target (log target - x), or target log target - target x. */
static Ball divergence(const Format *f, Ball x, Ball target, Ball beta)
{
    Ball log = ball_function(f, function_named("log"), target, false);
    Ball inside = ball_multiply(f, target, ball_subtract(f, log, x));
    (void)beta;
    return ball_either(
        inside, ball_subtract(f, ball_multiply(f, target, log), ball_multiply(f, target, x)));
}

static const LossRow rows[] = {
    {"mse_loss", "mean of squares of differences", squared, false, false},
    {"l1_loss", "mean of magnitudes of differences", magnitude, false, false},
    {"smooth_l1_loss", "squares near 0, magnitudes elsewhere, over beta", smooth, true, false},
    {"huber_loss", "squares near 0, beta times magnitudes elsewhere", huber, true, false},
    {"bce_loss", "binary cross entropy of probabilities", binary_cross_entropy, false, true},
    {"bce_with_logits", "binary cross entropy of logits", with_logits, false, false},
    {"kl_div", "Kullback-Leibler divergence of log-probabilities from a target", divergence, false,
     true},
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
    return nn_work_elements(params_of_case, 128);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    const LossRow *row = input->op->detail;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[2];
    ref_allocate_bounded(ref, t[2].dtype, &t[2], arena);
    const Format *format = dtype_format(ref->accumulator);
    size_t count = (size_t)tensor_count(&t[0]);
    Ball *terms = arena_take(arena, count + 1, sizeof *terms);
    for (size_t i = 0; i < count; i++)
        terms[i] = row->term(format, ball_exact(tensor_value(&t[0], (int64_t)i)),
                             ball_exact(tensor_value(&t[1], (int64_t)i)), ball_exact(q->beta.re));
    Ball sum = ball_sum(format, terms, count);
    ref_put_ball(ref, 0, q->mode ? sum : ball_mean(format, sum, (double)count));
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
