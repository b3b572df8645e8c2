/* Gradients of reductions: dx from dy and x, each operation in balls.  Of equal greatest or least
 * elements each gets anything between 0 and dy. */
#include <math.h>
#include <string.h>

#include "nn_reduce.h"
#include "reference/ball.h"
#include "reference/mag.h"
#include "reference/reduce.h"

enum { DY, X, DX };

/* A row of x with the gradient of its result, and the order of a norm. */
typedef struct Row {
    const Format *format;
    const Ball *x;
    const double *numbers;
    size_t count;
    Ball dy, order;
} Row;

typedef void RowGradient(const Row *row, Ball *dx);

typedef struct ReduceBackwardRow {
    const char *name, *summary;
    RowGradient *gradient;
    bool has_order, full; /* full: of one number at least */
    uint32_t fills;       /* 0: those of moderate size */
} ReduceBackwardRow;

static const char *const tensors[] = {"dy", "x", "dx", NULL};

static void of_sum(const Row *r, Ball *dx)
{
    for (size_t i = 0; i < r->count; i++)
        dx[i] = r->dy;
}

static void of_mean(const Row *r, Ball *dx)
{
    for (size_t i = 0; i < r->count; i++)
        dx[i] = ball_mean(r->format, r->dy, (double)r->count);
}

/* A quotient, or a product by the reciprocal, which rounds where the quotient is a number, too. */
static Ball by_reciprocal(const Format *f, Ball x, Ball y)
{
    Ball quotient = ball_divide(f, x, y);
    return ball_round(f, quotient, quotient.radius == 0 ? 2 : 1);
}

/* dy times the product of the others, by prefixes and suffixes or by a quotient, the factors in any
 * order. */
static void of_product(const Row *r, Ball *dx)
{
    const Format *f = r->format;
    Ball before = ball_exact(1), after = ball_exact(1);
    bool is_known = !ball_products_leave(f, r->x, r->count);
    double lost = ball_lost_early(f, r->dy, r->x, r->count);
    for (size_t i = 0; i < r->count; i++) {
        dx[i] = before;
        before = ball_multiply(f, before, r->x[i]);
    }
    for (size_t i = r->count; i-- > 0;) {
        Ball others = ball_multiply(f, dx[i], after);
        Ball value = ball_multiply(f, r->dy, others);
        if (r->x[i].value != 0 || !ball_is_known(r->x[i]))
            value = ball_either(value, by_reciprocal(f, ball_multiply(f, r->dy, before), r->x[i]));
        long double size = fabsl(ball_number(r->x[i]));
        value.radius = add_up(value.radius, size < 1 ? div_up(lost, (double)size) : lost);
        dx[i] = is_known ? value : ball_unknown();
        after = ball_multiply(f, after, r->x[i]);
    }
}

/* Anything between 0 and dy. */
static Ball shared(Ball dy)
{
    Ball either = ball_either(dy, ball_masked(dy));
    if (!ball_is_known(dy))
        return either;
    return (Ball){dy.value / 2, add_up(double_up(fabsl(dy.value) / 2), dy.radius), dy.classes};
}

static void of_extreme(const Row *r, long double sign, Ball *dx)
{
    long double greatest = -INFINITY;
    size_t equal = 0;
    bool has_nan = false;
    for (size_t i = 0; i < r->count; i++) {
        long double x = sign * ball_number(r->x[i]);
        has_nan = has_nan || isnan(x);
        greatest = fmaxl(greatest, x);
    }
    for (size_t i = 0; i < r->count; i++)
        equal += sign * ball_number(r->x[i]) == greatest;
    Ball none = ball_masked(r->dy), either = shared(r->dy);
    for (size_t i = 0; i < r->count; i++) {
        bool chosen = sign * ball_number(r->x[i]) == greatest;
        dx[i] = !chosen ? none : equal > 1 ? either : r->dy;
        /* No text says which place NaN is; where it is none, the share of each is 0 / 0. */
        if (has_nan)
            dx[i] = ball_or(either, CLASS_NAN);
    }
}

static void of_greatest(const Row *r, Ball *dx)
{
    of_extreme(r, 1, dx);
}

static void of_least(const Row *r, Ball *dx)
{
    of_extreme(r, -1, dx);
}

/* dy times the sign of x, anything between the two at 0. */
/* Of a magnitude at 0, and at NaN, which may lie on no piece. */
static Ball at_kink(const Row *r, long double x)
{
    Ball either = ball_either(r->dy, ball_negate(r->dy));
    either = ball_either(either, ball_masked(r->dy));
    return isnan(x) ? ball_or(either, CLASS_NAN) : either;
}

static void of_norm_1(const Row *r, Ball *dx)
{
    Ball minus = ball_negate(r->dy);
    for (size_t i = 0; i < r->count; i++) {
        long double x = ball_number(r->x[i]);
        dx[i] = x == 0 || isnan(x) ? at_kink(r, x) : x < 0 ? minus : r->dy;
    }
}

static Ball in_any_order(const Format *f, Ball x, Ball y, Ball z)
{
    Ball first = ball_multiply(f, ball_multiply(f, x, y), z),
         second = ball_multiply(f, x, ball_multiply(f, y, z)),
         third = ball_multiply(f, y, ball_multiply(f, x, z));
    return ball_either(first, ball_either(second, third));
}

static void of_squares(const Row *r, Ball *dx)
{
    const Format *f = r->format;
    for (size_t i = 0; i < r->count; i++)
        dx[i] = in_any_order(f, r->dy, ball_exact(2), r->x[i]);
}

/* A gradient by a norm: where the norm may be 0 it has none, and libraries give the least of its
 * subgradients, which is 0 (PyTorch, "Gradients for non-differentiable functions"). */
static Ball at_zero_norm(const Row *r, Ball gradient, Ball norm)
{
    bool vanishes = ball_is_known(norm) && norm.value - norm.radius <= 0;
    return vanishes ? ball_either(gradient, ball_masked(r->dy)) : gradient;
}

/* dy x / |x|, or (dy / |x|) x. */
static void of_norm_2(const Row *r, Ball *dx)
{
    const Format *f = r->format;
    for (size_t i = 0; i < r->count; i++)
        dx[i] = ball_multiply(f, r->x[i], r->x[i]);
    Ball norm = ball_sqrt(f, ball_sum(f, dx, r->count));
    for (size_t i = 0; i < r->count; i++) {
        dx[i] = ball_either(ball_divide(f, ball_multiply(f, r->dy, r->x[i]), norm),
                            ball_multiply(f, r->x[i], ball_divide(f, r->dy, norm)));
        dx[i] = ball_any_order(f, dx[i], (Ball[]){r->dy, r->x[i], norm}, 3, 1);
        dx[i] = at_zero_norm(r, dx[i], norm);
    }
}

/* Of orders that count, or take an extreme, in place of adding powers: a count has no slope, and of
 * equal extremes each gets anything between 0 and dy.  NaN may be an extreme or none. */
static void of_limit_norm(const Row *r, Ball *dx)
{
    bool has_nan = false, counts = ball_number(r->order) == 0;
    Row magnitudes = *r;
    magnitudes.x = dx;
    for (size_t i = 0; i < r->count; i++) {
        dx[i] = counts ? ball_masked(r->dy) : ball_abs(r->x[i]);
        has_nan = has_nan || ball_is_nan(r->x[i]);
    }
    if (!counts)
        of_extreme(&magnitudes, ball_number(r->order) > 0 ? 1 : -1, dx);
    for (size_t i = 0; i < r->count; i++) {
        long double x = ball_number(r->x[i]);
        dx[i] = has_nan  ? ball_unknown()
                : x < 0  ? ball_negate(dx[i])
                : x == 0 ? ball_either(dx[i], ball_negate(dx[i]))
                         : dx[i];
    }
}

static bool has_zero(const Row *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (ball_number(r->x[i]) == 0)
            return true;
    return false;
}

/* The sign of x times dy (|x| / norm)^(p - 1), by a power of the quotient or a quotient of powers,
 * or x |x|^(p - 2) in place of the first power.  At 0 of an order up to 1 nothing is known. */
static void of_norm(const Row *r, Ball *dx)
{
    const Format *f = r->format;
    bool at_pole = ball_number(r->order) < 0 && has_zero(r);
    if (ball_number(r->order) == 0 || !ball_is_known(r->order)) {
        of_limit_norm(r, dx);
        return;
    }
    for (size_t i = 0; i < r->count; i++)
        dx[i] = ball_unknown();
    if (at_pole)
        return;
    Ball less = ball_subtract(f, r->order, ball_exact(1)),
         least = ball_subtract(f, r->order, ball_exact(2));
    for (size_t i = 0; i < r->count; i++)
        dx[i] = ball_power(f, ball_abs(r->x[i]), r->order);
    Ball root = ball_divide(f, ball_exact(1), r->order);
    Ball norm = ball_power(f, ball_sum(f, dx, r->count), root), power = ball_power(f, norm, less);
    for (size_t i = 0; i < r->count; i++) {
        Ball size = ball_abs(r->x[i]);
        Ball whole = ball_power(f, ball_divide(f, size, norm), less);
        Ball parts = ball_divide(f, ball_power(f, size, less), power);
        Ball late = ball_divide(f, ball_multiply(f, size, ball_power(f, size, least)), power);
        Ball slope = ball_either(whole, ball_either(parts, late));
        Ball dy = ball_number(r->x[i]) < 0 ? ball_negate(r->dy) : r->dy;
        dx[i] = at_zero_norm(r, ball_round(f, ball_multiply(f, dy, slope), 1), norm);
        /* Libraries multiply by that 0. */
        bool regular = r->order.value > 1 && ball_is_known(r->dy) && ball_is_known(norm);
        if (r->order.value == 1 && isnan(ball_number(r->x[i])))
            dx[i] = at_kink(r, NAN);
        if (ball_is_known(r->x[i]) && r->x[i].value == 0)
            dx[i] = regular ? ball_exact(0) : ball_or(ball_exact(0), CLASS_NAN);
    }
}

/* dy exp(x - max) / sum. */
static void of_log_sum_exp(const Row *r, Ball *dx)
{
    const Format *f = r->format;
    memcpy(dx, r->x, r->count * sizeof *dx);
    Ball greatest = ball_exponentials(f, dx, r->count);
    Ball sum = ball_sum(f, dx, r->count);
    /* exp(x - logsumexp) rounds the logarithm of the sum and the difference once more. */
    Ball log = ball_add(f, greatest, ball_function(f, function_named("log"), sum, false));
    if (isinf(ball_number(greatest)))
        log = ball_either(log, greatest);
    for (size_t i = 0; i < r->count; i++) {
        Ball late = ball_function(f, function_named("exp"), ball_subtract(f, r->x[i], log), false);
        dx[i] = ball_multiply(f, r->dy, ball_either(ball_divide(f, dx[i], sum), late));
    }
}

static Ball mean_of(const Row *r)
{
    return ball_mean(r->format, ball_sum(r->format, r->x, r->count), (double)r->count);
}

/* Gradients by way of the deviations from the mean have passed through the mean as well: less their
 * own mean, which is 0 but for rounding. */
static void pass_through_mean(const Row *r, Ball *dx)
{
    const Format *f = r->format;
    Ball rest = ball_mean(f, ball_sum(f, dx, r->count), (double)r->count);
    rest.radius += fabsl(rest.value);
    rest.value = 0;
    for (size_t i = 0; i < r->count; i++)
        dx[i] = ball_either(dx[i], ball_add(f, dx[i], rest));
}

/* dy 2 (x - mean) / n. */
static void of_variance(const Row *r, Ball *dx)
{
    const Format *f = r->format;
    Ball mean = mean_of(r);
    Ball scale = ball_mean(f, ball_multiply(f, r->dy, ball_exact(2)), (double)r->count);
    Ball count = ball_exact((double)r->count);
    for (size_t i = 0; i < r->count; i++) {
        Ball d = ball_subtract(f, r->x[i], mean);
        dx[i] = ball_round(f, ball_multiply(f, scale, d), 1);
        dx[i] = ball_any_order(f, dx[i], (Ball[]){r->dy, ball_exact(2), d, count}, 4, 1);
    }
    pass_through_mean(r, dx);
    /* That of one number is 0 whatever it is: kernels choose this slope, or multiply by it. */
    if (r->count == 1 && ball_is_known(r->x[0]))
        dx[0] = ball_either(dx[0], ball_masked(r->dy));
}

/* The same deviation, or that which a forward pass by running means hands over. */
static Ball or_by_running_means(const Row *r, Ball deviation)
{
    MomentsOptions options = {.running = true};
    Moments m = moments_of(r->numbers, (int64_t)r->count, &options, r->format);
    Ball variance = {m.variance, m.of_variance, 0};
    return m.regular ? ball_either(deviation, ball_sqrt(r->format, variance)) : deviation;
}

/* dy (x - mean) / (n std), the factors in any order; nothing is known where all of several are
 * equal: by how their mean is rounded the quotient is any number. */
static void of_deviation(const Row *r, Ball *dx)
{
    const Format *f = r->format;
    double count = (double)r->count;
    Ball mean = mean_of(r);
    for (size_t i = 0; i < r->count; i++) {
        Ball d = ball_subtract(f, r->x[i], mean);
        dx[i] = ball_multiply(f, d, d);
    }
    Ball deviation = ball_sqrt(f, ball_mean(f, ball_sum(f, dx, r->count), count));
    deviation = or_by_running_means(r, deviation);
    Ball scale = ball_divide(f, ball_mean(f, r->dy, count), deviation);
    /* By the gradient of the variance, which doubles dy. */
    Ball twice = ball_mean(f, ball_multiply(f, ball_exact(2), r->dy), count);
    scale = ball_either(scale, ball_divide(f, twice, ball_multiply(f, ball_exact(2), deviation)));
    for (size_t i = 0; i < r->count; i++) {
        Ball d = ball_subtract(f, r->x[i], mean);
        Ball factors[] = {r->dy, d, deviation, ball_exact(count)};
        dx[i] = ball_round(f, ball_multiply(f, scale, d), 1);
        dx[i] = ball_any_order(f, dx[i], factors, COUNT_OF(factors), 2);
    }
    pass_through_mean(r, dx);
    for (size_t i = 0; i < r->count; i++)
        dx[i] = at_zero_norm(r, dx[i], deviation);
    /* One number is its own mean: 0 over 0, which libraries mask, and dy may multiply. */
    if (r->count == 1 && ball_is_known(r->x[0]))
        dx[0] = ball_or(ball_exact(0), CLASS_NAN);
}

void nn_reduce_gradient(Reduction reduction, const Format *format, Ball dy, const double *numbers,
                        size_t count, Ball *dx, Arena *arena)
{
    static RowGradient *const gradients[] = {[REDUCE_SUM] = of_sum,
                                             [REDUCE_MEAN] = of_mean,
                                             [REDUCE_PRODUCT] = of_product,
                                             [REDUCE_GREATEST] = of_greatest,
                                             [REDUCE_LEAST] = of_least};
    REQUIRE((size_t)reduction < COUNT_OF(gradients));
    Ball *x = arena_take(arena, count + 1, sizeof *x);
    for (size_t i = 0; i < count; i++)
        x[i] = ball_exact(numbers[i]);
    Row row = {.format = format, .x = x, .numbers = numbers, .count = count, .dy = dy};
    gradients[reduction](&row, dx);
}

enum {
    /* Where all elements are the same the deviation is 0, and its gradient none. */
    differing_fills = 1 << FILL_INT | 1 << FILL_NORMAL | 1 << FILL_POSITIVE | 1 << FILL_EXPONENTS |
                      1 << FILL_NEAR | 1 << FILL_OFFSET
};

static const ReduceBackwardRow rows[] = {
    {"sum_backward", "gradient of sum", of_sum, false, false, 0},
    {"mean_backward", "gradient of mean", of_mean, false, false, 0},
    {"prod_backward", "gradient of prod", of_product, false, false, nn_product_fills},
    {"amax_backward", "gradient of amax", of_greatest, false, true, 0},
    {"amin_backward", "gradient of amin", of_least, false, true, 0},
    {"norm1_backward", "gradient of norm1", of_norm_1, false, false, 0},
    {"sum_squares_backward", "gradient of sum_squares", of_squares, false, false, 0},
    {"norm2_backward", "gradient of norm2", of_norm_2, false, false, 0},
    {"logsumexp_backward", "gradient of logsumexp", of_log_sum_exp, false, false, 0},
    {"var_backward", "gradient of var", of_variance, false, false, 0},
    {"std_backward", "gradient of std", of_deviation, false, false, differing_fills},
    {"norm_backward", "gradient of norm of any order", of_norm, true, false, 0},
};

static void normalise(void *params_of_case)
{
    Reduce *q = params_of_case;
    nn_fit_axes(q);
}

/* The greatest of no numbers is refused, and so is its gradient. */
static void normalise_full(void *params_of_case)
{
    normalise(params_of_case);
    nn_fill_axes(params_of_case);
}

static void normalise_norm(void *params_of_case)
{
    Reduce *q = params_of_case;
    normalise(q);
    nn_normalise_ord(q);
    nn_fill_axes_for_ord(q);
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
    return nn_work_elements(&((const Reduce *)params_of_case)->shape, 256);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Reduce *q = input->params;
    const ReduceBackwardRow *row = input->op->detail;
    const Tensor *dy = &input->tensors[DY];
    int reduced;
    Tensor x = nn_reduced_last(&input->tensors[X], q->axes, &reduced);
    ref_allocate_bounded(&refs[DX], x.dtype, &input->tensors[DX], arena);
    const Format *f = dtype_format(refs[DX].accumulator);
    int64_t results = tensor_count(dy), count = results > 0 ? tensor_count(&x) / results : 0;
    Ball *values = arena_take(arena, (size_t)count + 1, sizeof *values);
    Ball *gradients = arena_take(arena, (size_t)count + 1, sizeof *gradients);
    double *numbers = arena_take(arena, (size_t)count + 1, sizeof *numbers);
    for (int64_t i = 0; count > 0 && i < results; i++) {
        for (int64_t k = 0; k < count; k++) {
            numbers[k] = tensor_value(&x, i * count + k);
            values[k] = ball_exact(numbers[k]);
        }
        Row one = {f,
                   values,
                   numbers,
                   (size_t)count,
                   ball_exact(tensor_value(dy, i)),
                   ball_exact(q->ord.re)};
        row->gradient(&one, gradients);
        for (int64_t k = 0; k < count; k++)
            ref_put_ball(&refs[DX], (size_t)tensor_offset_of(&x, i * count + k), gradients[k]);
    }
}

OP_TABLE(ops_reduce_backward)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP(Reduce, rows[i].has_order ? 2 : 1),
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = rows[i].has_order ? nn_norm_params : nn_reduce_params,
            .tensors = tensors,
            .dtypes = DTYPES_REAL,
            .fills = rows[i].fills ? rows[i].fills : nn_moderate_fills,
            .normalise = rows[i].has_order ? normalise_norm
                         : rows[i].full    ? normalise_full
                                           : normalise,
            .shape = shape,
            .work = work,
            .reference = reference,
            .detail = &rows[i],
        };
    return table;
}
