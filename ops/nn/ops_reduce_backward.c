/* Gradients of reductions: dx from dy and x, each operation in balls.  Of equal greatest or least
 * elements each gets anything between 0 and dy. */
#include <math.h>
#include <string.h>

#include "nn.h"
#include "reference/ball.h"

enum { DY, X, DX };

/* What a row of `count` values of x gives with the gradient of its result. */
typedef void RowGradient(const Format *format, const Ball *x, Ball dy, size_t count, Ball *dx);

typedef struct ReduceBackwardRow {
    const char *name, *summary;
    RowGradient *gradient;
} ReduceBackwardRow;

static const Param params[] = {NN_DTYPE, NN_INPUT_SHAPE, NN_AXES, NN_KEEPDIMS, P_END};
static const char *const tensors[] = {"dy", "x", "dx", NULL};

static void of_sum(const Format *f, const Ball *x, Ball dy, size_t count, Ball *dx)
{
    (void)f, (void)x;
    for (size_t i = 0; i < count; i++)
        dx[i] = dy;
}

static void of_mean(const Format *f, const Ball *x, Ball dy, size_t count, Ball *dx)
{
    (void)x;
    for (size_t i = 0; i < count; i++)
        dx[i] = ball_mean(f, dy, (double)count);
}

/* dy times the product of the others, by prefixes and suffixes or by a quotient. */
static void of_product(const Format *f, const Ball *x, Ball dy, size_t count, Ball *dx)
{
    Ball before = ball_exact(1), after = ball_exact(1);
    for (size_t i = 0; i < count; i++) {
        dx[i] = before;
        before = ball_multiply(f, before, x[i]);
    }
    for (size_t i = count; i-- > 0;) {
        Ball others = ball_multiply(f, dx[i], after);
        Ball value = ball_multiply(f, dy, others);
        if (x[i].value != 0)
            value = ball_either(value, ball_divide(f, ball_multiply(f, dy, before), x[i]));
        dx[i] = value;
        after = ball_multiply(f, after, x[i]);
    }
}

static void of_extreme(const Ball *x, Ball dy, size_t count, long double sign, Ball *dx)
{
    long double greatest = -INFINITY;
    size_t equal = 0;
    bool known = true;
    for (size_t i = 0; i < count; i++)
        known = known && ball_is_known(x[i]);
    for (size_t i = 0; i < count; i++)
        greatest = fmaxl(greatest, sign * x[i].value);
    for (size_t i = 0; i < count; i++)
        equal += sign * x[i].value == greatest;
    for (size_t i = 0; i < count; i++) {
        bool chosen = sign * x[i].value == greatest;
        dx[i] = !chosen ? ball_exact(0) : equal > 1 ? ball_either(dy, ball_exact(0)) : dy;
        if (!known)
            dx[i] = ball_exact(NAN);
    }
}

static void of_greatest(const Format *f, const Ball *x, Ball dy, size_t count, Ball *dx)
{
    (void)f;
    of_extreme(x, dy, count, 1, dx);
}

static void of_least(const Format *f, const Ball *x, Ball dy, size_t count, Ball *dx)
{
    (void)f;
    of_extreme(x, dy, count, -1, dx);
}

/* dy x / |x|, or (dy / |x|) x. */
static void of_norm_2(const Format *f, const Ball *x, Ball dy, size_t count, Ball *dx)
{
    for (size_t i = 0; i < count; i++)
        dx[i] = ball_multiply(f, x[i], x[i]);
    Ball norm = ball_sqrt(f, ball_sum(f, dx, count));
    for (size_t i = 0; i < count; i++)
        dx[i] = ball_either(ball_divide(f, ball_multiply(f, dy, x[i]), norm),
                            ball_multiply(f, x[i], ball_divide(f, dy, norm)));
}

/* dy exp(x - max) / sum. */
static void of_log_sum_exp(const Format *f, const Ball *x, Ball dy, size_t count, Ball *dx)
{
    memcpy(dx, x, count * sizeof *dx);
    Ball greatest = ball_exponentials(f, dx, count);
    Ball sum = ball_sum(f, dx, count);
    /* exp(x - logsumexp) rounds the logarithm of the sum and the difference once more. */
    Ball log = ball_add(f, greatest, ball_function(f, function_named("log"), sum, false));
    for (size_t i = 0; i < count; i++) {
        Ball late = ball_function(f, function_named("exp"), ball_subtract(f, x[i], log), false);
        dx[i] = ball_multiply(f, dy, ball_either(ball_divide(f, dx[i], sum), late));
    }
}

/* dy 2 (x - mean) / n. */
static void of_variance(const Format *f, const Ball *x, Ball dy, size_t count, Ball *dx)
{
    Ball mean = ball_mean(f, ball_sum(f, x, count), (double)count);
    Ball scale = ball_mean(f, ball_multiply(f, dy, ball_exact(2)), (double)count);
    for (size_t i = 0; i < count; i++)
        dx[i] = ball_round(f, ball_multiply(f, scale, ball_subtract(f, x[i], mean)), 1);
}

static const ReduceBackwardRow rows[] = {
    {"sum_backward", "gradient of sum", of_sum},
    {"mean_backward", "gradient of mean", of_mean},
    {"prod_backward", "gradient of prod", of_product},
    {"amax_backward", "gradient of amax", of_greatest},
    {"amin_backward", "gradient of amin", of_least},
    {"norm2_backward", "gradient of norm2", of_norm_2},
    {"logsumexp_backward", "gradient of logsumexp", of_log_sum_exp},
    {"var_backward", "gradient of var", of_variance},
};

static void normalise(void *params_of_case)
{
    Nn *q = params_of_case;
    nn_fill_empty(&q->shape);
    nn_normalise_axes(q);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    nn_shape_reduced(params_of_case, &forward);
    *shapes = (Shapes){.count = 3, .depth = forward.depth};
    shapes->tensor[DY] = forward.tensor[1];
    shapes->tensor[DY].role = ROLE_IN;
    shapes->tensor[X] = forward.tensor[0];
    shapes->tensor[DX] = forward.tensor[0];
    shapes->tensor[DX].role = ROLE_OUT;
}

static double work(const void *params_of_case)
{
    return nn_work_elements(params_of_case, 256);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Nn *q = input->params;
    const ReduceBackwardRow *row = input->op->detail;
    const Tensor *dy = &input->tensors[DY];
    int reduced;
    Tensor x = nn_reduced_last(&input->tensors[X], q->axes, &reduced);
    ref_allocate_bounded(&refs[DX], x.dtype, &input->tensors[DX], arena);
    const Format *f = dtype_format(refs[DX].accumulator);
    int64_t results = tensor_count(dy), count = tensor_count(&x) / results;
    Ball *values = arena_take(arena, (size_t)count, sizeof *values);
    Ball *gradients = arena_take(arena, (size_t)count, sizeof *gradients);
    for (int64_t i = 0; i < results; i++) {
        for (int64_t k = 0; k < count; k++)
            values[k] = ball_exact(tensor_value(&x, i * count + k));
        row->gradient(f, values, ball_exact(tensor_value(dy, i)), (size_t)count, gradients);
        for (int64_t k = 0; k < count; k++)
            ref_put_ball(&refs[DX], (size_t)tensor_offset_of(&x, i * count + k), gradients[k]);
    }
}

const OpDesc *ops_reduce_backward(void)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP_TABLES,
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = params,
            .tensors = tensors,
            .dtypes = DTYPES_REAL,
            .fills = nn_moderate_fills,
            .normalise = normalise,
            .shape = shape,
            .work = work,
            .reference = reference,
            .detail = &rows[i],
        };
    return table;
}
