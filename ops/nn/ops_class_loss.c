/* Losses of a prediction for each class against the number of the right one: the mean, weighted
 * where weights are given, or the sum over all samples.  Their gradients by the scores are those of
 * nll_loss, dx = -dy w / n at the right class, and of cross_entropy, dx = dy w (softmax - 1 at the
 * right class) / n, with the sum of the weights in place of n for a weighted mean.  All operation
 * by operation (reference/ball.h). */
#include "nn.h"
#include "reference/ball.h"
#include "reference/reduce.h"

enum { SCORES, TARGET, WEIGHTS, LOSS };
enum { BACKWARD_DY, BACKWARD_INPUTS, BACKWARD_DX = 4 };

typedef struct ClassLoss {
    int64_t dtype, batch, num_classes, weights, reduction;
} ClassLoss;

static const Param params[] = {
    NN_DTYPE(ClassLoss),
    P_DIM(ClassLoss, batch, 0, 256, "samples", .formerly = "m"),
    P_DIM(ClassLoss, num_classes, 1, 512, "classes", .formerly = "n"),
    P_CHOICE(ClassLoss, weights, nn_yes_no, "a weight for each class", .formerly = "with_bias"),
    P_CHOICE(ClassLoss, reduction, nn_mean_or_sum, "of all samples", .formerly = "mode"),
    P_END};
static const char *const tensors[] = {"x", "target", "weight", "y", NULL};
static const char *const backward_tensors[] = {"dy", "x", "target", "weight", "dx", NULL};

static void put_inputs(TensorSpec *shapes, const ClassLoss *q)
{
    Shape scores = {2, {q->batch, q->num_classes}}, samples = {1, {q->batch}},
          classes = {1, {q->num_classes}};
    shapes[SCORES] = nn_tensor(nn_dtype(q), &scores, ROLE_IN);
    shapes[TARGET] = nn_tensor(DT_I64, &samples, ROLE_IN);
    shapes[TARGET].index_below = q->num_classes;
    shapes[WEIGHTS] = nn_tensor(nn_dtype(q), &classes, ROLE_IN);
    shapes[WEIGHTS].ignored = !q->weights;
    shapes[WEIGHTS].positive = true;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const ClassLoss *q = params_of_case;
    Shape number = {0};
    *shapes = (Shapes){.count = 4, .depth = q->batch};
    put_inputs(shapes->tensor, q);
    shapes->tensor[LOSS] = nn_tensor(nn_dtype(q), &number, ROLE_OUT);
}

static void backward_shape(const void *params_of_case, Shapes *shapes)
{
    const ClassLoss *q = params_of_case;
    Shape scores = {2, {q->batch, q->num_classes}}, number = {0};
    *shapes = (Shapes){.count = BACKWARD_DX + 1, .depth = q->num_classes};
    shapes->tensor[BACKWARD_DY] = nn_tensor(nn_dtype(q), &number, ROLE_IN);
    put_inputs(shapes->tensor + BACKWARD_INPUTS, q);
    shapes->tensor[BACKWARD_DX] = nn_tensor(nn_dtype(q), &scores, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const ClassLoss *q = params_of_case;
    return 64.0 * (double)(q->batch * (q->num_classes + 4));
}

static double backward_work(const void *params_of_case)
{
    return 2 * work(params_of_case);
}

static int64_t class_of(const Tensor *inputs, int64_t sample)
{
    return (int64_t)tensor_value(&inputs[TARGET], sample);
}

static Ball weight_of(const ClassLoss *q, const Tensor *inputs, int64_t sample)
{
    return ball_exact(q->weights ? tensor_value(&inputs[WEIGHTS], class_of(inputs, sample)) : 1);
}

/* The exponentials of a sample's scores, less the greatest of them, which is returned. */
static Ball put_exponentials(const Format *f, const Tensor *x, int64_t sample, Ball *terms)
{
    int64_t classes = x->extent[1];
    for (int64_t k = 0; k < classes; k++)
        terms[k] = ball_exact(tensor_value(x, sample * classes + k));
    return ball_exponentials(f, terms, (size_t)classes);
}

/* The logarithm of the sum of exponentials, less the score of the class: from the differences to
 * the greatest, which are exact or rounded once. */
static Ball cross_entropy(const Format *f, const Tensor *x, int64_t sample, int64_t class,
                          Ball *terms)
{
    int64_t classes = x->extent[1];
    Ball top = put_exponentials(f, x, sample, terms);
    Ball log = ball_function(f, function_named("log"), ball_sum(f, terms, (size_t)classes), false);
    /* Or log softmax, which adds the greatest before it subtracts the score. */
    Ball score = ball_exact(tensor_value(x, sample * classes + class));
    return ball_either(ball_subtract(f, log, ball_subtract(f, score, top)),
                       ball_subtract(f, ball_add(f, log, top), score));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ClassLoss *q = input->params;
    const Tensor *t = input->tensors, *x = &t[SCORES];
    bool of_logits = input->op->detail != NULL;
    Ref *ref = &refs[LOSS];
    ref_allocate_bounded(ref, t[LOSS].dtype, &t[LOSS], arena);
    const Format *f = dtype_format(ref->accumulator);
    Ball *terms = arena_take(arena, (size_t)(q->batch + q->num_classes), sizeof *terms);
    Ball *weights = arena_take(arena, (size_t)q->batch, sizeof *weights);
    for (int64_t i = 0; i < q->batch; i++) {
        int64_t class = class_of(t, i);
        Ball loss = of_logits
                        ? cross_entropy(f, x, i, class, terms + q->batch)
                        : ball_negate(ball_exact(tensor_value(x, i * q->num_classes + class)));
        weights[i] = weight_of(q, t, i);
        terms[i] = q->weights ? ball_multiply(f, loss, weights[i]) : loss;
    }
    Ball sum = ball_sum(f, terms, (size_t)q->batch);
    if (q->reduction == 0)
        sum = q->weights ? ball_divide(f, sum, ball_sum(f, weights, (size_t)q->batch))
                         : ball_mean(f, sum, (double)q->batch);
    ref_put_ball(ref, 0, sum);
}

static void put_likelihood(Ref *ref, const Tensor *inputs, int64_t sample, Ball factor, Ball *terms)
{
    int64_t classes = inputs[SCORES].extent[1];
    for (int64_t k = 0; k < classes; k++)
        terms[k] = ball_exact(0);
    terms[class_of(inputs, sample)] = ball_negate(factor);
    for (int64_t k = 0; k < classes; k++)
        ref_put_ball(ref, (size_t)(sample * classes + k), terms[k]);
}

static void put_sample(Ref *ref, const Tensor *inputs, int64_t sample, Ball factor, Ball *terms)
{
    const Format *f = dtype_format(ref->accumulator);
    int64_t class = class_of(inputs, sample), classes = inputs[SCORES].extent[1];
    Ball top = put_exponentials(f, &inputs[SCORES], sample, terms);
    Ball sum = ball_sum(f, terms, (size_t)classes);
    Ball log = ball_add(f, top, ball_function(f, function_named("log"), sum, false));
    for (int64_t k = 0; k < classes; k++) {
        /* Or the exponential of log softmax, whose size counts there. */
        Ball score = ball_exact(tensor_value(&inputs[SCORES], sample * classes + k));
        Ball rest = ball_round(f, ball_subtract(f, score, log), 1);
        Ball late = ball_function(f, function_named("exp"), rest, false);
        Ball slope = ball_either(ball_divide(f, terms[k], sum), late);
        if (k == class)
            slope = ball_subtract(f, slope, ball_exact(1));
        ref_put_ball(ref, (size_t)(sample * classes + k),
                     ball_round(f, ball_multiply(f, factor, slope), 1));
    }
}

/* dy w / divisor, the factors in any order; a quotient that is exact may round once more. */
static Ball factor_of(const Format *f, Ball dy, Ball weight, Ball divisor)
{
    Ball late = ball_divide(f, ball_multiply(f, dy, weight), divisor),
         early = ball_multiply(f, ball_divide(f, dy, divisor), weight),
         share = ball_multiply(f, dy, ball_divide(f, weight, divisor));
    return ball_round(f, ball_either(late, ball_either(early, share)), 1);
}

static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ClassLoss *q = input->params;
    const Tensor *t = input->tensors, *inputs = t + BACKWARD_INPUTS;
    Ref *ref = &refs[BACKWARD_DX];
    ref_allocate_bounded(ref, t[BACKWARD_DX].dtype, &t[BACKWARD_DX], arena);
    const Format *f = dtype_format(ref->accumulator);
    Ball *terms = arena_take(arena, (size_t)(q->batch > q->num_classes ? q->batch : q->num_classes),
                             sizeof *terms);
    Ball divisor = ball_exact(1), dy = ball_exact(tensor_value(&t[BACKWARD_DY], 0));
    for (int64_t i = 0; i < q->batch; i++)
        terms[i] = weight_of(q, inputs, i);
    if (q->reduction == 0)
        divisor = ball_sum(f, terms, (size_t)q->batch);
    for (int64_t i = 0; i < q->batch; i++) {
        Ball factor = factor_of(f, dy, weight_of(q, inputs, i), divisor);
        (input->op->detail ? put_sample : put_likelihood)(ref, inputs, i, factor, terms);
    }
}

static const bool of_logits = true;

static const IllegalRule illegal[] = {
    {ILLEGAL_EXTENT, "target", 0}, {ILLEGAL_INDEX, "target", 0}, {0}};

#define CLASS_LOSS_OP                                                                              \
    NN_OP(ClassLoss, 2), .params = params, .dtypes = DTYPES_REAL, .fills = nn_moderate_fills
#define CLASS_LOSS_FORWARD                                                                         \
    CLASS_LOSS_OP, .tensors = tensors, .shape = shape, .work = work, .reference = reference,       \
                   .illegal = illegal

#define CLASS_LOSS_BACKWARD                                                                        \
    CLASS_LOSS_OP, .tensors = backward_tensors, .shape = backward_shape, .work = backward_work,    \
                   .reference = backward_reference

static const OpDesc table[] = {
    {CLASS_LOSS_FORWARD, .name = "nll_loss",
     .summary = "negative log-likelihood of the right class"},
    {CLASS_LOSS_FORWARD, .name = "cross_entropy", .summary = "cross entropy of scores for classes",
     .detail = &of_logits},
    {CLASS_LOSS_BACKWARD, .name = "nll_loss_backward", .summary = "gradient of nll_loss"},
    {CLASS_LOSS_BACKWARD, .name = "cross_entropy_backward", .summary = "gradient of cross_entropy",
     .detail = &of_logits},
    {.name = NULL},
};

OP_TABLE(ops_class_loss)
{
    return table;
}
