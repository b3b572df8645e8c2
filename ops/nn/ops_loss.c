/* Losses of a prediction against a target of the same extents, a mean or a sum over all elements of
 * a term, and their gradients by the prediction: operation by operation (reference/ball.h). The
 * mean divides by the number of elements; factors are multiplied in any order. */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

enum { BACKWARD_DY, BACKWARD_X, BACKWARD_TARGET, BACKWARD_DX };

/* One pair of elements; beta is where the square of a difference ends. */
typedef struct LossPair {
    const Format *format;
    Ball x, target, beta;
    double count; /* of pairs */
} LossPair;

typedef Ball LossTerm(const LossPair *pair);

typedef struct LossRow {
    const char *name, *summary;
    LossTerm *term;
    const char *backward_name, *backward_summary;
    LossTerm *slope;
    const Param *params;
    bool of_probabilities;
    void (*limit)(Scalar *beta); /* takes beta where the loss is defined; NULL: everywhere */
    const IllegalRule *illegal;
} LossRow;

typedef struct Loss {
    int64_t dtype;
    Shape shape;
    int64_t reduction;
    Scalar beta;
} Loss;

#define LOSS_PARAMS                                                                                \
    NN_DTYPE(Loss), NN_INPUT_SHAPE(Loss),                                                          \
        P_CHOICE(Loss, reduction, nn_mean_or_sum, "of all terms", .formerly = "mode")
#define WHERE_THE_SQUARE_ENDS "difference at which the square ends"
static const Param plain_params[] = {LOSS_PARAMS, P_END};
static const Param beta_params[] = {LOSS_PARAMS, P_REAL(Loss, beta, 1, WHERE_THE_SQUARE_ENDS),
                                    P_END};
static const Param delta_params[] = {
    LOSS_PARAMS, P_REAL_AS("delta", Loss, beta, 1, WHERE_THE_SQUARE_ENDS, .formerly = "beta"),
    P_END};
static const Param margin_params[] = {
    LOSS_PARAMS, P_REAL_AS("margin", Loss, beta, 1, "difference that is asked for"), P_END};
static const Param variance_params[] = {LOSS_PARAMS, P_REAL_AS("var", Loss, beta, 1, "variance"),
                                        P_END};
/* What PyTorch's texts exclude: "the value must be non-negative", "must be positive", and variances
 * below 0. */
static const IllegalRule illegal_beta[] = {{ILLEGAL_NUMBER, "beta", -1}, {0}};
static const IllegalRule illegal_delta[] = {
    {ILLEGAL_NUMBER, "delta", -1}, {ILLEGAL_NUMBER, "delta", 0}, {0}};
static const IllegalRule illegal_variance[] = {{ILLEGAL_NUMBER, "var", -1}, {0}};
static const char *const tensors[] = {"x", "target", "y", NULL};
static const char *const backward_tensors[] = {"dy", "x", "target", "dx", NULL};

static Ball difference(const LossPair *p)
{
    return ball_subtract(p->format, p->x, p->target);
}

static Ball squared(const LossPair *p)
{
    Ball d = difference(p);
    return ball_multiply(p->format, d, d);
}

static Ball of_squared(const LossPair *p)
{
    return ball_multiply(p->format, ball_exact(2), difference(p));
}

static Ball magnitude(const LossPair *p)
{
    return ball_abs(difference(p));
}

/* Anything between the one-sided values where they are equal. */
static Ball of_magnitude(const LossPair *p)
{
    Ball d = difference(p);
    long double number = ball_number(d);
    Ball either = ball_either(ball_exact(1), ball_exact(-1));
    /* No text says what the slope at NaN is. */
    if (isnan(number))
        return ball_is_nan(d) ? ball_or(either, CLASS_NAN) : d;
    if (number == 0)
        return either;
    return ball_exact(number > 0 ? 1 : -1);
}

static Ball variance(const LossPair *p);
static LossTerm of_hinge, of_ranking, of_gaussian, of_smooth, of_huber, of_cross_entropy,
    of_soft_margin;

/* The most that constants of a loss multiply dy by, or a difference, before the other makes that
 * small. */
static double constant_of(const LossPair *p, LossTerm *slope)
{
    double beta = (double)ball_number(p->beta);
    return slope == of_gaussian ? 2 * fmax(1, 1 / (double)ball_number(variance(p)))
           : slope == of_smooth ? fmax(1, beta > 0 ? 1 / beta : 1)
           : slope == of_huber  ? fmax(1, beta)
                                : 1;
}

/* x (1 - x) */
static Ball probability_of_both(const LossPair *p)
{
    const Format *f = p->format;
    return ball_multiply(f, p->x, ball_subtract(f, ball_exact(1), p->x));
}

/* dy times the slope; 2 dy times the difference for a slope that is twice that, and dy times the
 * difference over x (1 - x), where it may become subnormal before it is divided. */
static Ball times_slope(const LossPair *p, Ball dy, LossTerm *slope)
{
    const Format *f = p->format;
    Ball product = ball_multiply(f, dy, slope(p));
    double most = fabs((double)ball_number(dy));
    if (slope == of_gaussian)
        most = fmax(most, fabs((double)ball_number(difference(p))));
    if (isfinite(most) && ball_is_known(product) && most * constant_of(p, slope) > f->largest)
        return ball_unknown();
    /* Between equal numbers the sign is 0: kernels choose, or multiply by it. */
    bool is_kink = slope == of_magnitude || (slope == of_smooth && ball_number(p->beta) == 0);
    if (is_kink && ball_number(difference(p)) == 0)
        return ball_either(product, ball_masked(dy));
    /* So do those where a loss is cut off. */
    Ball s = slope(p);
    if ((slope == of_hinge || slope == of_ranking) && fabsl(s.value) <= s.radius)
        return ball_either(product, ball_masked(dy));
    if (slope == of_cross_entropy)
        return ball_either(
            product, ball_divide(f, ball_multiply(f, dy, difference(p)), probability_of_both(p)));
    if (slope != of_squared)
        return product;
    return ball_either(product,
                       ball_multiply(f, ball_multiply(f, dy, ball_exact(2)), difference(p)));
}

/* The sigmoid of -target x. */
static Ball soft_share(const LossPair *p)
{
    Ball z = ball_negate(ball_multiply(p->format, p->target, p->x));
    return ball_function(p->format, function_named("sigmoid"), z, true);
}

/* The gradient, a mean's where `mean`, with what dy, a difference and its divisors lose in any
 * order; the gradient of half of a square may be halved before the 2 of the square. */
static Ball in_any_order(const LossPair *p, Ball gradient, Ball dy, LossTerm *slope, bool mean)
{
    Ball factors[BALL_FACTORS_MAX];
    size_t count = 0, divisors = 0;
    factors[count++] = dy;
    bool halves = slope == of_gaussian || slope == of_smooth || slope == of_huber;
    if (slope == of_squared)
        factors[count++] = ball_exact(2);
    bool of_difference = slope == of_squared || slope == of_gaussian || slope == of_cross_entropy;
    Ball factor = of_difference ? difference(p) : slope(p);
    if (slope == of_soft_margin) {
        factors[count++] = ball_negate(p->target);
        factor = soft_share(p);
    }
    if (halves)
        factor = (Ball){2 * factor.value, 2 * factor.radius, factor.classes};
    factors[count++] = factor;
    if (halves)
        factors[count + divisors++] = ball_exact(2);
    if (slope == of_gaussian)
        factors[count + divisors++] = variance(p);
    if (slope == of_cross_entropy) {
        factors[count + divisors++] = p->x;
        factors[count + divisors++] = ball_subtract(p->format, ball_exact(1), p->x);
    }
    if (mean)
        factors[count + divisors++] = ball_exact(p->count);
    return ball_any_order(p->format, gradient, factors, count + divisors, divisors);
}

static Ball half(const Format *f, Ball x)
{
    return ball_multiply(f, x, ball_exact(0.5));
}

/* The square where d is below beta, the line beyond, either in between. */
static Ball choose(Ball d, Ball beta, Ball square, Ball line)
{
    long double number = ball_number(d), end = ball_number(beta);
    if (end == 0)
        return line;
    if (isnan(number) || number == end || fabsl(number - end) <= d.radius)
        return ball_either(square, line);
    return number < end ? square : line;
}

static Ball half_square(const LossPair *p)
{
    return half(p->format, squared(p));
}

/* The order of the factors is free: d * (0.5 d / beta) rounds as often. */
static Ball smooth(const LossPair *p)
{
    const Format *f = p->format;
    Ball d = magnitude(p);
    return choose(d, p->beta, ball_divide(f, half_square(p), p->beta),
                  ball_subtract(f, d, half(f, p->beta)));
}

static Ball huber(const LossPair *p)
{
    const Format *f = p->format;
    Ball d = magnitude(p);
    return choose(d, p->beta, half_square(p),
                  ball_multiply(f, p->beta, ball_subtract(f, d, half(f, p->beta))));
}

/* The difference between -beta and beta, those ends outside. */
static Ball of_huber(const LossPair *p)
{
    Ball d = difference(p);
    long double number = ball_number(d);
    Ball end = number > 0 ? p->beta : ball_negate(p->beta);
    if (isnan(number))
        return d;
    if (isinf(number))
        return end;
    long double beta = ball_number(p->beta);
    if (fabsl(fabsl(number) - beta) <= d.radius)
        return ball_either(d, end);
    return fabsl(number) < beta ? d : end;
}

/* Without a square the slope of the magnitude; between infinities of which no text says which is
 * the greater, that of either piece. */
static Ball of_smooth(const LossPair *p)
{
    Ball line = of_magnitude(p);
    if (ball_number(p->beta) == 0)
        return line;
    if (isinf(ball_number(p->beta)) && isinf(ball_number(difference(p))))
        return ball_or(line, CLASS_NAN);
    return ball_divide(p->format, of_huber(p), p->beta);
}

static Ball cross_entropy(const LossPair *p)
{
    const Format *f = p->format;
    const Function *log = function_named("log");
    Ball one = ball_exact(1), other = ball_function(f, log, ball_subtract(f, one, p->x), false);
    Ball own = ball_multiply(f, p->target, ball_function(f, log, p->x, false));
    other = ball_multiply(f, ball_subtract(f, one, p->target), other);
    return ball_negate(ball_add(f, own, other));
}

static Ball of_cross_entropy(const LossPair *p)
{
    const Format *f = p->format;
    Ball rest = ball_subtract(f, ball_exact(1), p->x);
    Ball whole = ball_divide(f, difference(p), probability_of_both(p));
    Ball parts = ball_subtract(f, ball_divide(f, ball_subtract(f, ball_exact(1), p->target), rest),
                               ball_divide(f, p->target, p->x));
    return ball_either(whole, parts);
}

/* max(x, 0) - x target + log(1 + exp(-|x|)); the three are added in any order.  Of an infinite x
 * this has no value where -target log s(x) - (1 - target) log(1 - s(x)), the definition, is
 * infinite. */
static Ball with_logits(const LossPair *p)
{
    const Format *f = p->format;
    Ball e = ball_function(f, function_named("exp"), ball_negate(ball_abs(p->x)), false);
    Ball terms[] = {ball_max(p->x, ball_exact(0)), ball_negate(ball_multiply(f, p->x, p->target)),
                    ball_function(f, function_named("log"), ball_add(f, ball_exact(1), e), false)};
    Ball sum = ball_sum(f, terms, COUNT_OF(terms));
    bool is_infinite = ball_number(p->x) == (long double)INFINITY && ball_number(p->target) < 1;
    return is_infinite ? ball_or(sum, CLASS_POSITIVE_INFINITY) : sum;
}

static Ball of_with_logits(const LossPair *p)
{
    Ball sigmoid = ball_function(p->format, function_named("sigmoid"), p->x, true);
    return ball_subtract(p->format, sigmoid, p->target);
}

/* Libraries document targets that are probabilities: what is below 0 may count as 0. */
static bool is_no_probability(const LossPair *p)
{
    return ball_number(p->target) < 0;
}

/* target (log target - x), or target log target - target x. */
static Ball divergence(const LossPair *p)
{
    const Format *f = p->format;
    if (is_no_probability(p))
        return ball_unknown();
    Ball log = ball_function(f, function_named("log"), p->target, false);
    Ball inside = ball_multiply(f, p->target, ball_subtract(f, log, p->x));
    return ball_either(inside, ball_subtract(f, ball_multiply(f, p->target, log),
                                             ball_multiply(f, p->target, p->x)));
}

static Ball of_divergence(const LossPair *p)
{
    return is_no_probability(p) ? ball_unknown() : ball_negate(p->target);
}

/* Targets above 0 stand for labels of 1, others for -1. */
static bool has_label(const LossPair *p)
{
    return ball_number(p->target) > 0;
}

static Ball clipped(Ball x)
{
    return ball_max(x, ball_exact(0));
}

/* 1 above 0, 0 below, either at it. */
static Ball step(Ball x)
{
    long double number = ball_number(x);
    if (isnan(number))
        return ball_is_nan(x) ? ball_or(ball_either(ball_exact(0), ball_exact(1)), CLASS_NAN)
                              : ball_unknown();
    if (isfinite(number) && fabsl(number) <= x.radius)
        return ball_either(ball_exact(0), ball_exact(1));
    return ball_exact(number > 0 ? 1 : 0);
}

/* log(1 + exp(-target x)), whose slope is -target times the sigmoid of -target x. */
static Ball soft_margin(const LossPair *p)
{
    Ball z = ball_negate(ball_multiply(p->format, p->target, p->x));
    return ball_function(p->format, function_named("softplus"), z, true);
}

static Ball of_soft_margin(const LossPair *p)
{
    return ball_negate(ball_multiply(p->format, p->target, soft_share(p)));
}

/* exp(x) - target x */
static Ball poisson(const LossPair *p)
{
    const Format *f = p->format;
    return ball_subtract(f, ball_function(f, function_named("exp"), p->x, false),
                         ball_multiply(f, p->target, p->x));
}

static Ball of_poisson(const LossPair *p)
{
    return ball_subtract(p->format, ball_function(p->format, function_named("exp"), p->x, false),
                         p->target);
}

/* The gradient, or dy exp(x) - dy target, as those of the two terms are added: a term that leaves
 * the range makes its infinity, and both NaN where they have different signs. */
static Ball or_poisson_by_terms(const LossPair *p, Ball gradient, Ball dy)
{
    const Format *f = p->format;
    Ball e = ball_function(f, function_named("exp"), p->x, false);
    Ball terms[] = {ball_multiply(f, dy, e), ball_negate(ball_multiply(f, dy, p->target))};
    long double sizes[] = {ball_number(dy) * ball_number(e),
                           -ball_number(dy) * ball_number(p->target)};
    unsigned classes = 0;
    for (int i = 0; i < 2; i++)
        if (fabsl(sizes[i]) > 0.99L * f->largest)
            classes |= sizes[i] > 0 ? CLASS_POSITIVE_INFINITY : CLASS_NEGATIVE_INFINITY;
    if (classes == CLASS_INFINITE)
        classes = CLASS_NAN;
    return classes ? ball_or(gradient, classes)
                   : ball_either(gradient, ball_add(f, terms[0], terms[1]));
}

/* x with a label of 1, else max(0, margin - x) */
static Ball hinge(const LossPair *p)
{
    return has_label(p) ? p->x : clipped(ball_subtract(p->format, p->beta, p->x));
}

static Ball of_hinge(const LossPair *p)
{
    return has_label(p) ? ball_exact(1)
                        : ball_negate(step(ball_subtract(p->format, p->beta, p->x)));
}

/* max(0, margin - (x - target)) */
static Ball ranking(const LossPair *p)
{
    return clipped(ball_subtract(p->format, p->beta, difference(p)));
}

static Ball of_ranking(const LossPair *p)
{
    return ball_negate(step(ball_subtract(p->format, p->beta, difference(p))));
}

/* (log var + (x - target)^2 / var) / 2 with a var of 10^-6 at least (PyTorch, GaussianNLLLoss:
 * eps), as a number of binary64 or of binary32. */
static Ball variance(const LossPair *p)
{
    const double least = 1e-6, short_least = (double)1e-6f;
    return ball_number(p->beta) > fmax(least, short_least) || ball_is_nan(p->beta)
               ? p->beta
               : (Ball){least, fabs(least - short_least), 0};
}

static Ball gaussian(const LossPair *p)
{
    const Format *f = p->format;
    Ball var = variance(p), log = ball_function(f, function_named("log"), var, false);
    return half(f, ball_add(f, log, ball_divide(f, squared(p), var)));
}

static Ball of_gaussian(const LossPair *p)
{
    return ball_divide(p->format, difference(p), variance(p));
}

static void limit_variance(Scalar *beta)
{
    beta->re = fabs(beta->re);
}

static void limit_beta(Scalar *beta)
{
    beta->re = isnan(beta->re) ? 1 : fabs(beta->re);
}

static void limit_delta(Scalar *beta)
{
    limit_beta(beta);
    beta->re = beta->re == 0 ? 1 : beta->re;
}

static const LossRow rows[] = {
    {"mse_loss", "mean of squares of differences", squared, "mse_loss_backward",
     "gradient of mse_loss", of_squared, plain_params, false, NULL, NULL},
    {"l1_loss", "mean of magnitudes of differences", magnitude, "l1_loss_backward",
     "gradient of l1_loss", of_magnitude, plain_params, false, NULL, NULL},
    {"smooth_l1_loss", "squares near 0, magnitudes elsewhere, over beta", smooth,
     "smooth_l1_loss_backward", "gradient of smooth_l1_loss", of_smooth, beta_params, false,
     limit_beta, illegal_beta},
    {"huber_loss", "squares near 0, beta times magnitudes elsewhere", huber, "huber_loss_backward",
     "gradient of huber_loss", of_huber, delta_params, false, limit_delta, illegal_delta},
    {"bce_loss", "binary cross entropy of probabilities", cross_entropy, "bce_loss_backward",
     "gradient of bce_loss", of_cross_entropy, plain_params, true, NULL, NULL},
    {"bce_with_logits", "binary cross entropy of logits", with_logits, "bce_with_logits_backward",
     "gradient of bce_with_logits", of_with_logits, plain_params, false, NULL, NULL},
    {"kl_div", "Kullback-Leibler divergence of log-probabilities from a target", divergence,
     "kl_div_backward", "gradient of kl_div", of_divergence, plain_params, true, NULL, NULL},
    {"soft_margin_loss", "log of 1 + exp(-target x)", soft_margin, "soft_margin_loss_backward",
     "gradient of soft_margin_loss", of_soft_margin, plain_params, false, NULL, NULL},
    {"poisson_nll_loss", "exp(x) - target x", poisson, "poisson_nll_loss_backward",
     "gradient of poisson_nll_loss", of_poisson, plain_params, false, NULL, NULL},
    {"hinge_embedding_loss", "x, or what it is below a margin, by labels", hinge,
     "hinge_embedding_loss_backward", "gradient of hinge_embedding_loss", of_hinge, margin_params,
     false, NULL, NULL},
    {"margin_ranking_loss", "what a difference is below a margin", ranking,
     "margin_ranking_loss_backward", "gradient of margin_ranking_loss", of_ranking, margin_params,
     false, NULL, NULL},
    {"gaussian_nll_loss", "half of log var + (x - target)^2 / var", gaussian,
     "gaussian_nll_loss_backward", "gradient of gaussian_nll_loss", of_gaussian, variance_params,
     false, limit_variance, illegal_variance},
};

/* A mean has a term or more. */
static void normalise(const OpDesc *op, void *params_of_case)
{
    const LossRow *row = op->detail;
    Loss *q = params_of_case;
    if (row->limit)
        row->limit(&q->beta);
}

/* Libraries document targets between 0 and 1 for the cross entropy of logits, and probabilities for
 * the divergence, which need no end to be drawn. */
static void limit_target(const OpDesc *op, TensorSpec *target)
{
    const LossRow *row = op->detail;
    target->probability = row->term == with_logits;
    target->positive = row->term == divergence;
}

static void shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    const Loss *q = params_of_case;
    Shape number = {0};
    *shapes = (Shapes){.count = 3, .depth = shape_count(&q->shape)};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &number, ROLE_OUT);
    limit_target(op, &shapes->tensor[1]);
}

static void backward_shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    const Loss *q = params_of_case;
    Shape number = {0};
    *shapes = (Shapes){.count = 4, .depth = 1};
    shapes->tensor[BACKWARD_DY] = nn_tensor(nn_dtype(q), &number, ROLE_IN);
    for (int i = BACKWARD_X; i <= BACKWARD_DX; i++)
        shapes->tensor[i] =
            nn_tensor(nn_dtype(q), &q->shape, i == BACKWARD_DX ? ROLE_OUT : ROLE_IN);
    limit_target(op, &shapes->tensor[BACKWARD_TARGET]);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Loss *)params_of_case)->shape, 128);
}

static LossPair pair_at(const Loss *q, const Format *format, const Tensor *x, const Tensor *target,
                        size_t i)
{
    return (LossPair){format, ball_exact(tensor_value(x, (int64_t)i)),
                      ball_exact(tensor_value(target, (int64_t)i)), ball_exact(q->beta.re),
                      (double)tensor_count(x)};
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Loss *q = input->params;
    const LossRow *row = input->op->detail;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[2];
    ref_allocate_bounded(ref, t[2].dtype, &t[2], arena);
    const Format *format = dtype_format(ref->accumulator);
    size_t count = (size_t)tensor_count(&t[0]);
    Ball *terms = arena_take(arena, count + 1, sizeof *terms);
    for (size_t i = 0; i < count; i++) {
        LossPair pair = pair_at(q, format, &t[0], &t[1], i);
        terms[i] = row->term(&pair);
    }
    Ball sum = ball_sum(format, terms, count);
    ref_put_ball(ref, 0, q->reduction ? sum : ball_mean(format, sum, (double)count));
}

/* The mean divides last, where a product that is exact rounds once more, or dy, or the slope, which
 * may become subnormal before dy multiplies it. */
static Ball mean_share(const LossPair *p, Ball dy, const LossRow *row, Ball product)
{
    const Format *f = p->format;
    Ball last = ball_round(f, ball_mean(f, product, p->count), 1);
    Ball first = times_slope(p, ball_mean(f, dy, p->count), row->slope);
    Ball slope = ball_multiply(f, ball_mean(f, row->slope(p), p->count), dy);
    return ball_either(ball_either(last, first), slope);
}

static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Loss *q = input->params;
    const LossRow *row = input->op->detail;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[BACKWARD_DX];
    ref_allocate_bounded(ref, t[BACKWARD_DX].dtype, &t[BACKWARD_DX], arena);
    const Format *f = dtype_format(ref->accumulator);
    Ball dy = ball_exact(tensor_value(&t[BACKWARD_DY], 0));
    for (size_t i = 0; i < ref->count; i++) {
        LossPair pair = pair_at(q, f, &t[BACKWARD_X], &t[BACKWARD_TARGET], i);
        Ball product = times_slope(&pair, dy, row->slope);
        Ball gradient = q->reduction ? product : mean_share(&pair, dy, row, product);
        gradient = in_any_order(&pair, gradient, dy, row->slope, !q->reduction);
        if (row->slope == of_poisson) {
            Ball share = q->reduction ? dy : ball_mean(f, dy, pair.count);
            gradient = or_poisson_by_terms(&pair, gradient, share);
        }
        ref_put_ball(ref, i, gradient);
    }
}

static OpDesc op_of_row(const LossRow *row, bool backward)
{
    return (OpDesc){
        NN_OP(Loss, 2),
        .name = backward ? row->backward_name : row->name,
        .summary = backward ? row->backward_summary : row->summary,
        .params = row->params,
        .tensors = backward ? backward_tensors : tensors,
        .dtypes = DTYPES_FLOAT,
        .fills = row->of_probabilities ? 1 << FILL_POSITIVE : nn_moderate_fills,
        .normalise_of_row = normalise,
        .illegal = backward ? NULL : row->illegal,
        .shape_of_row = backward ? backward_shape : shape,
        .work = work,
        .reference = backward ? backward_reference : reference,
        .detail = row,
    };
}

OP_TABLE(ops_loss)
{
    static OpDesc table[2 * COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        table[2 * i] = op_of_row(&rows[i], false);
        table[2 * i + 1] = op_of_row(&rows[i], true);
    }
    return table;
}
