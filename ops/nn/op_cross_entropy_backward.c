/* The gradient of cross_entropy by the scores: dx = dy w (softmax - 1 at the right class) / n, or
 * over the sum of the weights for a weighted mean, operation by operation (reference/ball.h). */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

enum { DY, X, TARGET, WEIGHT, DX };

static const Param params[] = {NN_DTYPE,
                               P_DIM(Nn, m, 1, 256, "samples"),
                               P_DIM(Nn, n, 1, 512, "classes"),
                               P_CHOICE(Nn, with_bias, nn_yes_no, "a weight for each class"),
                               P_CHOICE(Nn, mode, nn_mean_or_sum, "of all samples"),
                               P_END};
static const char *const tensors[] = {"dy", "x", "target", "weight", "dx", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Nn *q = params_of_case;
    Shape scores = {2, {q->m, q->n}}, samples = {1, {q->m}}, classes = {1, {q->n}}, number = {0};
    *shapes = (Shapes){.count = DX + 1, .depth = q->n};
    shapes->tensor[DY] = nn_tensor(nn_dtype(q), &number, ROLE_IN);
    shapes->tensor[X] = nn_tensor(nn_dtype(q), &scores, ROLE_IN);
    shapes->tensor[TARGET] = nn_tensor(DT_I64, &samples, ROLE_IN);
    shapes->tensor[TARGET].index_below = q->n;
    shapes->tensor[WEIGHT] = nn_tensor(nn_dtype(q), &classes, ROLE_IN);
    shapes->tensor[WEIGHT].ignored = !q->with_bias;
    shapes->tensor[WEIGHT].positive = true;
    shapes->tensor[DX] = nn_tensor(nn_dtype(q), &scores, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const Nn *q = params_of_case;
    return 128.0 * (double)(q->m * (q->n + 4));
}

static Ball weight_of(const ReferenceInput *input, int64_t sample)
{
    const Nn *q = input->params;
    int64_t class = (int64_t)tensor_value(&input->tensors[TARGET], sample);
    return ball_exact(q->with_bias ? tensor_value(&input->tensors[WEIGHT], class) : 1);
}

static void put_sample(Ref *ref, const ReferenceInput *input, int64_t sample, Ball factor,
                       Ball *terms)
{
    const Nn *q = input->params;
    const Format *f = dtype_format(ref->accumulator);
    int64_t class = (int64_t)tensor_value(&input->tensors[TARGET], sample), first = sample * q->n;
    double greatest = -INFINITY;
    for (int64_t k = 0; k < q->n; k++)
        greatest = fmax(greatest, tensor_value(&input->tensors[X], first + k));
    for (int64_t k = 0; k < q->n; k++) {
        Ball x = ball_exact(tensor_value(&input->tensors[X], first + k));
        terms[k] = ball_function(f, function_named("exp"),
                                 ball_subtract(f, x, ball_exact(greatest)), false);
    }
    Ball sum = ball_sum(f, terms, (size_t)q->n);
    for (int64_t k = 0; k < q->n; k++) {
        Ball slope = ball_divide(f, terms[k], sum);
        if (k == class)
            slope = ball_subtract(f, slope, ball_exact(1));
        ref_put_ball(ref, (size_t)(first + k), ball_round(f, ball_multiply(f, factor, slope), 1));
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    Ref *ref = &refs[DX];
    ref_allocate_bounded(ref, input->tensors[DX].dtype, &input->tensors[DX], arena);
    const Format *f = dtype_format(ref->accumulator);
    Ball *terms = arena_take(arena, (size_t)(q->m > q->n ? q->m : q->n), sizeof *terms);
    Ball divisor = ball_exact(1);
    for (int64_t i = 0; i < q->m; i++)
        terms[i] = weight_of(input, i);
    if (q->mode == 0)
        divisor = ball_sum(f, terms, (size_t)q->m);
    for (int64_t i = 0; i < q->m; i++) {
        Ball dy = ball_exact(tensor_value(&input->tensors[DY], 0));
        Ball factor = ball_divide(f, ball_multiply(f, dy, weight_of(input, i)), divisor);
        put_sample(ref, input, i, factor, terms);
    }
}

const OpDesc op_cross_entropy_backward = {
    NN_OP_TABLES,
    .name = "cross_entropy_backward",
    .summary = "gradient of cross_entropy",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL,
    .fills = nn_moderate_fills,
    .shape = shape,
    .work = work,
    .reference = reference,
};
