/* Formulas of a few operations over elements, lines and pairs of lines: sums of products with an
 * addend, weighted means, integrals and derivatives on a grid, distances and angles.  Each is
 * written once in balls (reference/ball.h), with the forms that kernels use beside each other. */
#include <math.h>

#include "nn_blend_complex.h"
#include "nn_blend_whole.h"
#include "nn_exact.h"
#include "nn_split.h"
#include "reference/ball.h"

static const char *const plain_tensors[] = {"x", "y", NULL};
static const char *const pair_tensors[] = {"a", "b", "y", NULL};
static const char *const three_tensors[] = {"x", "a", "b", "y", NULL};

static Ball at(const Tensor *t, int64_t i)
{
    return ball_exact(tensor_value(t, i));
}

static void shape_of_inputs(const Exact *q, int inputs, const Shape *y, Shapes *shapes)
{
    *shapes = (Shapes){.depth = shape_count(&q->shape) + 1};
    for (int i = 0; i < inputs; i++)
        nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), y, ROLE_OUT);
}

/* addcmul, addcdiv, lerp: element by element. */
#define ALIKE NN_DTYPE(Exact), NN_INPUT_SHAPE(Exact)
static const Param value_params[] = {ALIKE, P_REAL(Exact, value, 1, "factor of the second term"),
                                     P_END};
static const Param weight_params[] = {ALIKE, P_REAL(Exact, value, 1, "weight of b"), P_END};

static void three_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    shape_of_inputs(q, 3, &q->shape, shapes);
}

static void pair_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    shape_of_inputs(q, 2, &q->shape, shapes);
}

typedef Ball Operation(const Format *format, Ball x, Ball y);

/* x + value a b with the factors in any order; or with a quotient. */
static void put_combined(const Exact *q, const Tensor *t, Ref *ref, Operation *combine)
{
    const Format *f = dtype_format(ref->accumulator);
    Ball value = ball_exact(q->value.re);
    for (int64_t i = 0; i < tensor_count(&t[0]); i++) {
        Ball a = at(&t[1], i), b = at(&t[2], i);
        Ball front = combine(f, ball_multiply(f, value, a), b);
        Ball behind = ball_multiply(f, value, combine(f, a, b));
        Ball term = ball_any_order(f, ball_either(front, behind), (Ball[]){value, a, b}, 3,
                                   combine == ball_divide);
        ref_put_ball(ref, (size_t)i, ball_add(f, at(&t[0], i), term));
    }
}

static void put_addcmul(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    put_combined(q, t, &refs[3], ball_multiply);
}

static void put_addcdiv(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    put_combined(q, t, &refs[3], ball_divide);
}

static void put_lerp(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const Format *f = dtype_format(refs[2].accumulator);
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[0]); i++)
        ref_put_ball(&refs[2], (size_t)i,
                     ball_lerp(f, at(&t[0], i), at(&t[1], i), ball_exact(q->value.re)));
}

/* Lines along an axis. */
#define ALONG NN_DTYPE(Exact), P_SHAPE(Exact, shape, 1, 4, "extents of the input"), NN_AXIS(Exact)
static const Param along_params[] = {ALONG, P_END};
static const Param dx_params[] = {ALONG, P_REAL_AS("dx", Exact, value, 1, "distance of points"),
                                  P_END};

static int64_t *line_of(Exact *q)
{
    nn_fit_axis(&q->shape, &q->axis);
    return &q->shape.extent[q->axis];
}

static void normalise_line(void *params)
{
    Exact *q = params;
    int64_t *extent = line_of(q);
    *extent = *extent > 1 ? *extent : 1;
}

/* Differences need two points; between those of one there is no area. */
static void normalise_points(void *params)
{
    int64_t *extent = line_of(params);
    *extent = *extent > 2 ? *extent : 2;
}

static void normalise_even(void *params)
{
    int64_t *extent = line_of(params);
    *extent += *extent % 2;
}

static void normalise_three(void *params)
{
    *line_of(params) = 3;
}

static void reduced_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape y = shape_without_axis(&q->shape, q->axis);
    shape_of_inputs(q, 1, &y, shapes);
}

static void reduced_pair_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    reduced_shape(params, shapes);
    shapes->tensor[2] = shapes->tensor[1];
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->count = 3;
}

/* Distances are real. */
static void distance_shape(const void *params, Shapes *shapes)
{
    reduced_pair_shape(params, shapes);
    shapes->tensor[2].layout.dtype = dtype_component(nn_dtype(params));
}

static void same_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    shape_of_inputs(q, 1, &q->shape, shapes);
}

static void half_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape y = q->shape;
    y.extent[q->axis] /= 2;
    shape_of_inputs(q, 1, &y, shapes);
}

static void shorter_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape y = q->shape;
    y.extent[q->axis]--;
    shape_of_inputs(q, 1, &y, shapes);
}

/* One line of x, with room for as many terms. */
typedef struct Line {
    const Format *format;
    Ball *x, *terms;
    Lines lines;
} Line;

static Line begin_line(const Lines *lines, const Ref *ref, Arena *arena)
{
    Ball *room = arena_take(arena, 2 * (size_t)lines->extent + 1, sizeof *room);
    return (Line){dtype_format(ref->accumulator), room, room + lines->extent, *lines};
}

static Line begin_lines(const Exact *q, const Tensor *x, const Ref *ref, Arena *arena)
{
    const Lines lines = nn_lines(x, q->axis);
    return begin_line(&lines, ref, arena);
}

static void read_line(Line *line, const Tensor *x, int64_t number)
{
    nn_find_line(&line->lines, number);
    for (int64_t k = 0; k < line->lines.extent; k++)
        line->x[k] = at(x, nn_line_place(&line->lines, k));
}

/* glu: the first half of a line times the sigmoid of the second. */
static void put_glu(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Split s = nn_split(&t[1], q->axis);
    const Format *f = dtype_format(refs[1].accumulator);
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[1]); i++) {
        int64_t front = i / s.inner / s.extent * 2 * s.extent * s.inner + i % (s.extent * s.inner);
        Ball gate = ball_function(f, function_named("sigmoid"),
                                  at(&t[0], front + s.extent * s.inner), true);
        ref_put_ball(&refs[1], (size_t)i, ball_multiply(f, at(&t[0], front), gate));
    }
}

/* Trapezoids between neighbours, with half of their sum or of dx, which a subnormal dx does not
 * have; or all elements, but for half of the first and the last. */
static Ball area(const Line *line, int64_t points, double dx)
{
    const Format *f = line->format;
    Ball width = ball_exact(dx), half = ball_exact(0.5);
    for (int64_t k = 0; k + 1 < points; k++)
        line->terms[k] = ball_add(f, line->x[k], line->x[k + 1]);
    Ball sum = ball_sum(f, line->terms, (size_t)points - 1);
    Ball late = ball_either(ball_multiply(f, ball_multiply(f, sum, half), width),
                            ball_multiply(f, sum, ball_multiply(f, width, half)));
    for (int64_t k = 0; k + 1 < points; k++)
        line->terms[k] = ball_multiply(f, ball_multiply(f, line->terms[k], width), half);
    Ball early = ball_sum(f, line->terms, (size_t)points - 1);
    Ball ends = ball_multiply(f, ball_add(f, line->x[0], line->x[points - 1]), half);
    Ball rest = ball_subtract(f, ball_sum(f, line->x, (size_t)points), ends);
    return ball_either(ball_either(late, early), ball_multiply(f, rest, width));
}

static void put_trapezoid(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line line = begin_lines(q, &t[0], &refs[1], arena);
    for (int64_t i = 0; i < tensor_count(&t[1]); i++) {
        read_line(&line, &t[0], i);
        ref_put_ball(&refs[1], (size_t)i, area(&line, line.lines.extent, q->value.re));
    }
}

static void put_cumulative(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line line = begin_lines(q, &t[0], &refs[1], arena);
    for (int64_t i = 0; i < line.lines.count; i++) {
        read_line(&line, &t[0], i);
        const Split shorter = {1, line.lines.extent - 1, line.lines.step};
        for (int64_t k = 2; k <= line.lines.extent; k++)
            ref_put_ball(&refs[1], (size_t)nn_split_place(&shorter, i, 1, k - 2),
                         area(&line, k, q->value.re));
    }
}

/* gradient: half the difference of both neighbours, at the ends the difference to the only one. */
static void put_gradient(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line line = begin_lines(q, &t[0], &refs[1], arena);
    const Format *f = line.format;
    Ball width = ball_exact(q->value.re), both = ball_exact(2 * q->value.re);
    for (int64_t i = 0; i < line.lines.count; i++) {
        read_line(&line, &t[0], i);
        for (int64_t k = 0; k < line.lines.extent; k++) {
            bool is_end = k == 0 || k == line.lines.extent - 1;
            int64_t before = k > 0 ? k - 1 : 0, behind = k + 1 < line.lines.extent ? k + 1 : k;
            Ball rise = ball_subtract(f, line.x[behind], line.x[before]);
            ref_put_ball(&refs[1], (size_t)nn_line_place(&line.lines, k),
                         ball_divide(f, rise, is_end ? width : both));
        }
    }
}

/* logcumsumexp: one element after the other. */
static Ball log_add_exp(const Format *f, Ball a, Ball b)
{
    long double first = ball_number(a), second = ball_number(b);
    if (isinf(first) && first == second)
        return a;
    if (first == -(long double)INFINITY || second == -(long double)INFINITY)
        return first == -(long double)INFINITY ? b : a;
    Ball apart = ball_negate(ball_abs(ball_subtract(f, a, b)));
    Ball sum = ball_add(f, ball_exact(1), ball_function(f, function_named("exp"), apart, false));
    return ball_add(f, ball_max(a, b), ball_function(f, function_named("log"), sum, false));
}

static void put_logcumsumexp(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line line = begin_lines(q, &t[0], &refs[1], arena);
    for (int64_t i = 0; i < line.lines.count; i++) {
        Ball sum = ball_exact(-INFINITY);
        read_line(&line, &t[0], i);
        for (int64_t k = 0; k < line.lines.extent; k++) {
            sum = log_add_exp(line.format, sum, line.x[k]);
            ref_put_ball(&refs[1], (size_t)nn_line_place(&line.lines, k), sum);
        }
    }
}

/* normalize: a line over its norm, which is epsilon at least. */
static Ball norm_of(const Format *f, const Ball *x, Ball *squares, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        squares[k] = ball_multiply(f, x[k], x[k]);
    return ball_sqrt(f, ball_sum(f, squares, (size_t)count));
}

static void put_normalize(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const double epsilon = 1e-12;
    Line line = begin_lines(q, &t[0], &refs[1], arena);
    const Format *f = line.format;
    for (int64_t i = 0; i < line.lines.count; i++) {
        read_line(&line, &t[0], i);
        Ball norm =
            ball_max(norm_of(f, line.x, line.terms, line.lines.extent), ball_exact(epsilon));
        Ball inverse = ball_divide(f, ball_exact(1), norm);
        for (int64_t k = 0; k < line.lines.extent; k++)
            ref_put_ball(
                &refs[1], (size_t)nn_line_place(&line.lines, k),
                ball_either(ball_divide(f, line.x[k], norm), ball_multiply(f, line.x[k], inverse)));
    }
}

/* pairwise_distance: the norm of a - b + 1e-6; dist: that of a - b over all elements.
 * 1e-6 is a number of the format that is computed in, or of a wider one. */
static Ball distance(const Format *f, const Line *a, const Line *b, double epsilon)
{
    Ball offset = ball_round(f, ball_exact(epsilon), 1);
    for (int64_t k = 0; k < a->lines.extent; k++) {
        a->terms[k] = ball_subtract(f, a->x[k], b->x[k]);
        if (epsilon > 0)
            a->terms[k] = ball_add(f, a->terms[k], offset);
    }
    return norm_of(f, a->terms, a->terms, a->lines.extent);
}

static void normalise_last(void *params)
{
    Exact *q = params;
    q->axis = q->shape.rank - 1;
}

static void put_pairwise(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const double epsilon = 1e-6;
    Line a = begin_lines(q, &t[0], &refs[2], arena), b = begin_lines(q, &t[1], &refs[2], arena);
    for (int64_t i = 0; i < tensor_count(&t[2]); i++) {
        read_line(&a, &t[0], i);
        read_line(&b, &t[1], i);
        ref_put_ball(&refs[2], (size_t)i, distance(a.format, &a, &b, epsilon));
    }
}

/* cosine_similarity: the product over both norms, which are epsilon at least. */
static Ball cosine_of(const Line *a, const Line *b)
{
    const Ball epsilon = ball_exact(1e-8);
    const Format *f = a->format;
    Ball first = ball_max(norm_of(f, a->x, a->terms, a->lines.extent), epsilon);
    Ball second = ball_max(norm_of(f, b->x, b->terms, b->lines.extent), epsilon);
    for (int64_t k = 0; k < a->lines.extent; k++) {
        a->terms[k] = ball_multiply(f, a->x[k], b->x[k]);
        b->terms[k] =
            ball_multiply(f, ball_divide(f, a->x[k], first), ball_divide(f, b->x[k], second));
    }
    Ball late = ball_divide(f, ball_sum(f, a->terms, (size_t)a->lines.extent),
                            ball_multiply(f, first, second));
    return ball_either(late, ball_sum(f, b->terms, (size_t)a->lines.extent));
}

/* The greatest magnitude of a line; NaN where one is not finite. */
static long double greatest_of(const Line *line)
{
    long double greatest = 0;
    for (int64_t k = 0; k < line->lines.extent; k++) {
        if (!ball_is_known(line->x[k]))
            return NAN;
        greatest = fmaxl(greatest, fabsl(line->x[k].value));
    }
    return greatest;
}

/* Brings a line down by a power of two, which its cosines do not see, where the squares of its
 * elements, or products with them, may leave the range. */
static void bring_down(const Line *line, long double greatest)
{
    enum { MARGIN = 16 };
    int above = greatest > 0 ? ilogbl(greatest) - line->format->maximum_exponent / 2 + MARGIN : 0;
    for (int64_t k = 0; k < line->lines.extent && above > 0; k++)
        line->x[k].value = ldexpl(line->x[k].value, -above);
}

/* The infinities that the sum of the products may be, in parts or as a whole. */
static unsigned infinities_of(const Line *a, const Line *b)
{
    long double size = 0;
    unsigned classes = 0;
    for (int64_t k = 0; k < a->lines.extent; k++) {
        long double product = a->x[k].value * b->x[k].value;
        size += fabsl(product);
        if (product != 0)
            classes |= product < 0 ? CLASS_NEGATIVE_INFINITY : CLASS_POSITIVE_INFINITY;
    }
    return size > a->format->largest / 4 ? classes : 0;
}

/* Where squares or products overflow, norms are infinite, over which numbers are 0 and infinities
 * NaN, or products are NaN; kernels that scale norms have the cosine, or the infinite sum of
 * products over numbers.  The ball reaches from 0 to the cosine. */
static Ball far_cosine(const Line *a, const Line *b)
{
    long double first = greatest_of(a), second = greatest_of(b);
    Ball cosine = cosine_of(a, b);
    if (ball_is_known(cosine) || isnan(first) || isnan(second))
        return cosine;
    unsigned infinities = infinities_of(a, b);
    bring_down(a, first);
    bring_down(b, second);
    cosine = cosine_of(a, b);
    cosine.value /= 2;
    cosine.radius += (double)fabsl(cosine.value) * (1 + 0x1p-40);
    return ball_or(cosine, infinities | CLASS_NAN);
}

static void put_cosine(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line a = begin_lines(q, &t[0], &refs[2], arena), b = begin_lines(q, &t[1], &refs[2], arena);
    for (int64_t i = 0; i < tensor_count(&t[2]); i++) {
        read_line(&a, &t[0], i);
        read_line(&b, &t[1], i);
        ref_put_ball(&refs[2], (size_t)i, far_cosine(&a, &b));
    }
}

/* cdist: the distances of all rows of a from all of b; pdist: of all rows from those behind. */
static const Param cdist_params[] = {NN_DTYPE(Exact), P_DIM(Exact, rows, 0, 48, "rows of a"),
                                     P_DIM(Exact, columns, 0, 48, "rows of b"),
                                     P_DIM(Exact, steps, 0, 64, "elements of a row"), P_END};
static const Param pdist_params[] = {NN_DTYPE(Exact), P_DIM(Exact, rows, 0, 48, "rows"),
                                     P_DIM(Exact, steps, 0, 64, "elements of a row"), P_END};

static void cdist_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape a = {2, {q->rows, q->steps}}, b = {2, {q->columns, q->steps}},
          y = {2, {q->rows, q->columns}};
    *shapes = (Shapes){.depth = q->steps};
    nn_add_operand(shapes, nn_dtype(q), &a, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &b, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

static void pdist_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape x = {2, {q->rows, q->steps}}, y = {1, {q->rows * (q->rows - 1) / 2}};
    *shapes = (Shapes){.depth = q->steps};
    nn_add_operand(shapes, nn_dtype(q), &x, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

static Line row_line(const Exact *q, const Ref *ref, Arena *arena)
{
    const Lines lines = {q->rows, q->steps, 1, 0};
    return begin_line(&lines, ref, arena);
}

static void put_cdist(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line a = row_line(q, &refs[2], arena), b = row_line(q, &refs[2], arena);
    for (int64_t i = 0; i < q->rows * q->columns; i++) {
        read_line(&a, &t[0], i / q->columns);
        read_line(&b, &t[1], i % q->columns);
        ref_put_ball(&refs[2], (size_t)i, distance(a.format, &a, &b, 0));
    }
}

static void put_pdist(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line a = row_line(q, &refs[1], arena), b = row_line(q, &refs[1], arena);
    size_t number = 0;
    for (int64_t i = 0; i < q->rows; i++)
        for (int64_t j = i + 1; j < q->rows; j++) {
            read_line(&a, &t[0], i);
            read_line(&b, &t[0], j);
            ref_put_ball(&refs[1], number++, distance(a.format, &a, &b, 0));
        }
}

/* cross: a x b along an axis of three. */
static void put_cross(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line a = begin_lines(q, &t[0], &refs[2], arena), b = begin_lines(q, &t[1], &refs[2], arena);
    const Format *f = a.format;
    for (int64_t i = 0; i < a.lines.count; i++) {
        read_line(&a, &t[0], i);
        read_line(&b, &t[1], i);
        for (int64_t k = 0; k < 3; k++) {
            int64_t next = (k + 1) % 3, last = (k + 2) % 3;
            Ball product = ball_subtract(f, ball_multiply(f, a.x[next], b.x[last]),
                                         ball_multiply(f, a.x[last], b.x[next]));
            ref_put_ball(&refs[2], (size_t)nn_line_place(&a.lines, k), product);
        }
    }
}

/* cov: of rows of observations, over one less than there are: of a single one 0 over 0. */
static void normalise_cov(void *params)
{
    Exact *q = params;
    q->steps = q->steps > 1 ? q->steps : 1;
}

static void cov_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape x = {2, {q->rows, q->steps}}, y = {2, {q->rows, q->rows}};
    *shapes = (Shapes){.depth = q->steps};
    nn_add_operand(shapes, nn_dtype(q), &x, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &y, ROLE_OUT);
}

static Ball *covariances(const Exact *q, const Tensor *t, const Format *f, Arena *arena)
{
    int64_t n = q->steps;
    Ball *x = arena_take(arena, (size_t)(q->rows * n) + 1, sizeof *x);
    Ball *terms = arena_take(arena, (size_t)n + 1, sizeof *terms);
    Ball *found = arena_take(arena, (size_t)(q->rows * q->rows) + 1, sizeof *found);
    for (int64_t row = 0; row < q->rows; row++) {
        Ball *line = x + row * n;
        for (int64_t k = 0; k < n; k++)
            line[k] = at(&t[0], row * n + k);
        Ball mean = ball_mean(f, ball_sum(f, line, (size_t)n), (double)n);
        for (int64_t k = 0; k < n; k++)
            line[k] = ball_subtract(f, line[k], mean);
    }
    for (int64_t i = 0; i < q->rows * q->rows; i++) {
        for (int64_t k = 0; k < n; k++)
            terms[k] = ball_multiply(f, x[i / q->rows * n + k], x[i % q->rows * n + k]);
        found[i] = ball_mean(f, ball_sum(f, terms, (size_t)n), (double)(n - 1));
    }
    return found;
}

static void put_cov(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const Ball *c = covariances(q, t, dtype_format(refs[1].accumulator), arena);
    for (int64_t i = 0; i < q->rows * q->rows; i++)
        ref_put_ball(&refs[1], (size_t)i, c[i]);
}

/* corrcoef: covariances over both deviations, between -1 and 1; of rows without any nothing is
 * known. */
static void put_corrcoef(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const Format *f = dtype_format(refs[1].accumulator);
    const Ball *c = covariances(q, t, f, arena);
    for (int64_t i = 0; i < q->rows * q->rows; i++) {
        Ball row = ball_sqrt(f, c[i / q->rows * (q->rows + 1)]);
        Ball column = ball_sqrt(f, c[i % q->rows * (q->rows + 1)]);
        Ball y = ball_divide(f, ball_divide(f, c[i], row), column);
        y = ball_any_order(f, y, (Ball[]){c[i], row, column}, 3, 2);
        ref_put_ball(&refs[1], (size_t)i, y);
    }
}

enum { MODERATE = nn_moderate_fills };

/* By the formula of the element type. */
#define BY_TYPE(name)                                                                              \
    static void put_any_##name(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)           \
    {                                                                                              \
        (nn_is_complex(&t[0]) ? nn_complex_##name : put_##name)(q, t, refs, arena);                \
    }
#define BY_KIND(name)                                                                              \
    static void put_each_##name(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)          \
    {                                                                                              \
        (nn_is_whole(&t[0]) ? nn_whole_##name : put_any_##name)(q, t, refs, arena);                \
    }
BY_TYPE(addcmul)
BY_KIND(addcmul)
BY_TYPE(addcdiv)
BY_TYPE(lerp)
BY_TYPE(trapezoid)
BY_TYPE(cumulative)
BY_TYPE(gradient)
BY_TYPE(normalize)
BY_TYPE(pairwise)
BY_TYPE(cross)
BY_KIND(cross)
BY_TYPE(cov)
BY_TYPE(corrcoef)

#define OF_SEVERAL(name)                                                                           \
    static void put_several_##name(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)       \
    {                                                                                              \
        put_any_##name(q, t, refs, arena);                                                         \
        for (size_t i = 0; q->steps == 1 && i < refs[1].count; i++)                                \
            ref_set_classes(&refs[1], i, CLASS_NAN);                                               \
    }
OF_SEVERAL(cov)
OF_SEVERAL(corrcoef)

#define ROW(name, summary, tensors, params, normalise, shape, dtypes, put)                         \
    {                                                                                              \
        name, summary, tensors, params, normalise, shape, dtypes, MODERATE, put, true, NULL, NULL  \
    }

static const ExactRow rows[] = {
    ROW("addcmul", "x + value a b", three_tensors, value_params, nn_normalise_value, three_shape,
        DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_COMPLEX, put_each_addcmul),
    ROW("addcdiv", "x + value a / b", three_tensors, value_params, NULL, three_shape,
        DTYPES_FLOAT | DTYPES_COMPLEX, put_any_addcdiv),
    ROW("lerp", "a number between two, by a weight", pair_tensors, weight_params, NULL, pair_shape,
        DTYPES_FLOAT | DTYPES_COMPLEX, put_any_lerp),
    ROW("glu", "half of a line times the sigmoid of the other half", plain_tensors, along_params,
        normalise_even, half_shape, DTYPES_FLOAT, put_glu),
    ROW("trapezoid", "the area below equally spaced points", plain_tensors, dx_params,
        normalise_line, reduced_shape, DTYPES_REAL | DTYPES_COMPLEX, put_any_trapezoid),
    ROW("cumulative_trapezoid", "the areas up to each of equally spaced points", plain_tensors,
        dx_params, normalise_line, shorter_shape, DTYPES_REAL | DTYPES_COMPLEX, put_any_cumulative),
    ROW("gradient", "differences of neighbours", plain_tensors, dx_params, normalise_points,
        same_shape, DTYPES_REAL | DTYPES_COMPLEX, put_any_gradient),
    ROW("logcumsumexp", "log of running sums of exponentials", plain_tensors, along_params,
        normalise_line, same_shape, DTYPES_REAL, put_logcumsumexp),
    ROW("normalize", "lines over their norms", plain_tensors, along_params, normalise_line,
        same_shape, DTYPES_REAL | DTYPES_COMPLEX, put_any_normalize),
    ROW("pairwise_distance", "distances of lines", pair_tensors, along_params, normalise_last,
        distance_shape, DTYPES_REAL | DTYPES_COMPLEX, put_any_pairwise),
    ROW("cosine_similarity", "cosines of the angles of lines", pair_tensors, along_params,
        normalise_line, reduced_pair_shape, DTYPES_REAL, put_cosine),
    ROW("cdist", "distances of all rows of two matrices", pair_tensors, cdist_params, NULL,
        cdist_shape, DTYPES_REAL, put_cdist),
    ROW("pdist", "distances of all pairs of rows", plain_tensors, pdist_params, NULL, pdist_shape,
        DTYPES_REAL, put_pdist),
    ROW("cross", "vector products along an axis", pair_tensors, along_params, normalise_three,
        pair_shape, DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_COMPLEX, put_each_cross),
    ROW("cov", "covariances of rows", plain_tensors, pdist_params, normalise_cov, cov_shape,
        DTYPES_REAL | DTYPES_COMPLEX, put_several_cov),
    ROW("corrcoef", "correlations of rows", plain_tensors, pdist_params, normalise_cov, cov_shape,
        DTYPES_REAL | DTYPES_COMPLEX, put_several_corrcoef),
    {.name = NULL},
};

OP_TABLE(ops_blend)
{
    static OpDesc table[COUNT_OF(rows)];
    nn_describe_whole(table, rows);
    return table;
}
