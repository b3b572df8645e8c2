/* Losses of a prediction for each class against the number of the right one: the mean, weighted
 * where weights are given, or the sum over all samples, operation by operation (reference/ball.h).
 */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"
#include "reference/reduce.h"

enum { SCORES, TARGET, WEIGHTS, LOSS };

static const Param params[] = {NN_DTYPE,
                               P_DIM(Nn, m, 1, 256, "samples"),
                               P_DIM(Nn, n, 1, 512, "classes"),
                               P_CHOICE(Nn, with_bias, nn_yes_no, "a weight for each class"),
                               P_CHOICE(Nn, mode, nn_mean_or_sum, "of all samples"),
                               P_END};
static const char *const tensors[] = {"x", "target", "weight", "y", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    Shape scores = {2, {q->m, q->n}}, samples = {1, {q->m}}, classes = {1, {q->n}}, number = {0};
    *shapes = (Shapes){.count = 4, .depth = q->m};
    shapes->tensor[SCORES] = nn_tensor(nn_dtype(q), &scores, ROLE_IN);
    shapes->tensor[TARGET] = nn_tensor(DT_I64, &samples, ROLE_IN);
    shapes->tensor[TARGET].index_below = q->n;
    shapes->tensor[WEIGHTS] = nn_tensor(nn_dtype(q), &classes, ROLE_IN);
    shapes->tensor[WEIGHTS].ignored = !q->with_bias;
    shapes->tensor[WEIGHTS].positive = true;
    shapes->tensor[LOSS] = nn_tensor(nn_dtype(q), &number, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const Nn *q = params_of_case;
    return 64.0 * (double)(q->m * (q->n + 4));
}

/* The logarithm of the sum of exponentials, less the score of the class: from the differences to
 * the greatest, which are exact or rounded once. */
static Ball cross_entropy(const Format *f, const Tensor *x, int64_t sample, int64_t class,
                          Ball *terms)
{
    int64_t classes = x->extent[1];
    double greatest = -INFINITY;
    for (int64_t k = 0; k < classes; k++)
        greatest = fmax(greatest, tensor_value(x, sample * classes + k));
    Ball top = ball_exact(greatest), own = ball_exact(0);
    for (int64_t k = 0; k < classes; k++) {
        Ball d = ball_subtract(f, ball_exact(tensor_value(x, sample * classes + k)), top);
        terms[k] = ball_function(f, function_named("exp"), d, false);
        own = k == class ? d : own;
    }
    Ball sum = ball_sum(f, terms, (size_t)classes);
    Ball log = ball_function(f, function_named("log"), sum, false);
    /* Or log softmax, which adds the greatest before it subtracts the score. */
    Ball score = ball_exact(tensor_value(x, sample * classes + class));
    return ball_either(ball_subtract(f, log, own), ball_subtract(f, ball_add(f, log, top), score));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    const Tensor *t = input->tensors, *x = &t[SCORES];
    bool of_logits = input->op->detail != NULL;
    Ref *ref = &refs[LOSS];
    ref_allocate_bounded(ref, t[LOSS].dtype, &t[LOSS], arena);
    const Format *f = dtype_format(ref->accumulator);
    Ball *terms = arena_take(arena, (size_t)(q->m + q->n), sizeof *terms);
    Ball *weights = arena_take(arena, (size_t)q->m, sizeof *weights);
    for (int64_t i = 0; i < q->m; i++) {
        int64_t class = (int64_t)tensor_value(&t[TARGET], i);
        Ball loss = of_logits ? cross_entropy(f, x, i, class, terms + q->m)
                              : ball_negate(ball_exact(tensor_value(x, i * q->n + class)));
        weights[i] = ball_exact(q->with_bias ? tensor_value(&t[WEIGHTS], class) : 1);
        terms[i] = q->with_bias ? ball_multiply(f, loss, weights[i]) : loss;
    }
    Ball sum = ball_sum(f, terms, (size_t)q->m);
    if (q->mode == 0)
        sum = q->with_bias ? ball_divide(f, sum, ball_sum(f, weights, (size_t)q->m))
                           : ball_mean(f, sum, (double)q->m);
    ref_put_ball(ref, 0, sum);
}

static const bool of_logits = true;

#define CLASS_LOSS_OP                                                                              \
    NN_OP_TABLES, .params = params, .tensors = tensors, .dtypes = DTYPES_REAL,                     \
                  .fills = nn_moderate_fills, .shape = shape, .work = work, .reference = reference

static const OpDesc table[] = {
    {CLASS_LOSS_OP, .name = "nll_loss", .summary = "negative log-likelihood of the right class"},
    {CLASS_LOSS_OP, .name = "cross_entropy", .summary = "cross entropy of scores for classes",
     .detail = &of_logits},
    {.name = NULL},
};

const OpDesc *ops_class_loss(void)
{
    return table;
}
