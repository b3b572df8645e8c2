/* Formulas over elements and lines of complex numbers. */
#include "nn_blend_complex.h"

#include <math.h>

#include "nn_reduce.h"
#include "nn_split.h"
#include "reference/ball.h"
#include "reference/complex_ball.h"

typedef ComplexBall Operation(const Format *format, ComplexBall x, ComplexBall y);

bool nn_is_complex(const Tensor *t)
{
    return dtype_components(t->dtype) == 2;
}

static ComplexBall at(const Tensor *t, int64_t i)
{
    Scalar z = nn_element(t, i);
    return complex_ball_exact(__builtin_complex((long double)z.re, (long double)z.im));
}

static ComplexBall real(double x)
{
    return complex_ball_exact(x);
}

/* A real number that is computed, as a complex one. */
static ComplexBall of_ball(Ball x)
{
    return ball_is_known(x) ? (ComplexBall){x.value, x.radius, false} : complex_ball_unknown();
}

/* x + value a b with the factors in any order; or with a quotient. */
static void put_combined(const Exact *q, const Tensor *t, Ref *ref, Operation *combine)
{
    const Format *f = dtype_format(ref->accumulator);
    ComplexBall value = real(q->value.re);
    for (int64_t i = 0; i < tensor_count(&t[0]); i++) {
        ComplexBall a = at(&t[1], i), b = at(&t[2], i);
        ComplexBall front = combine(f, complex_ball_multiply(f, value, a), b);
        ComplexBall behind = complex_ball_multiply(f, value, combine(f, a, b));
        ComplexBall term = complex_ball_either(front, behind);
        if (combine == complex_ball_multiply)
            term = complex_ball_either(
                term, complex_ball_multiply(f, a, complex_ball_multiply(f, value, b)));
        ref_put_complex_ball(ref, (size_t)i, complex_ball_add(f, at(&t[0], i), term));
    }
}

void nn_complex_addcmul(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    put_combined(q, t, &refs[3], complex_ball_multiply);
}

void nn_complex_addcdiv(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    put_combined(q, t, &refs[3], complex_ball_divide);
}

/* a + w (b - a), b - (1 - w) (b - a), or (1 - w) a + w b. */
void nn_complex_lerp(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const Format *f = dtype_format(refs[2].accumulator);
    ComplexBall weight = real(q->value.re), rest = complex_ball_subtract(f, real(1), weight);
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[0]); i++) {
        ComplexBall a = at(&t[0], i), b = at(&t[1], i), apart = complex_ball_subtract(f, b, a);
        ComplexBall up = complex_ball_add(f, a, complex_ball_multiply(f, weight, apart));
        ComplexBall down = complex_ball_subtract(f, b, complex_ball_multiply(f, rest, apart));
        ComplexBall sum = complex_ball_add(f, complex_ball_multiply(f, rest, a),
                                           complex_ball_multiply(f, weight, b));
        ref_put_complex_ball(&refs[2], (size_t)i,
                             complex_ball_either(complex_ball_either(up, down), sum));
    }
}

/* One line of x, with room for as many terms. */
typedef struct Line {
    const Format *format;
    ComplexBall *x, *terms;
    Lines lines;
} Line;

static Line begin_line(const Lines *lines, const Ref *ref, Arena *arena)
{
    ComplexBall *room = arena_take(arena, 2 * (size_t)lines->extent + 1, sizeof *room);
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

/* Trapezoids between neighbours, with half of their sum or of dx, which a subnormal dx does not
 * have; or all elements, but for half of the first and the last. */
static ComplexBall area(const Line *line, int64_t points, double dx)
{
    const Format *f = line->format;
    ComplexBall width = real(dx), half = real(0.5);
    for (int64_t k = 0; k + 1 < points; k++)
        line->terms[k] = complex_ball_add(f, line->x[k], line->x[k + 1]);
    ComplexBall sum = complex_ball_sum(f, line->terms, (size_t)points - 1);
    ComplexBall late =
        complex_ball_either(complex_ball_multiply(f, complex_ball_multiply(f, sum, half), width),
                            complex_ball_multiply(f, sum, complex_ball_multiply(f, width, half)));
    for (int64_t k = 0; k + 1 < points; k++)
        line->terms[k] =
            complex_ball_multiply(f, complex_ball_multiply(f, line->terms[k], width), half);
    ComplexBall early = complex_ball_sum(f, line->terms, (size_t)points - 1);
    ComplexBall ends =
        complex_ball_multiply(f, complex_ball_add(f, line->x[0], line->x[points - 1]), half);
    ComplexBall rest = complex_ball_subtract(f, complex_ball_sum(f, line->x, (size_t)points), ends);
    return complex_ball_either(complex_ball_either(late, early),
                               complex_ball_multiply(f, rest, width));
}

void nn_complex_trapezoid(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line line = begin_lines(q, &t[0], &refs[1], arena);
    for (int64_t i = 0; i < tensor_count(&t[1]); i++) {
        read_line(&line, &t[0], i);
        ref_put_complex_ball(&refs[1], (size_t)i, area(&line, line.lines.extent, q->value.re));
    }
}

void nn_complex_cumulative(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line line = begin_lines(q, &t[0], &refs[1], arena);
    for (int64_t i = 0; i < line.lines.count; i++) {
        read_line(&line, &t[0], i);
        const Split shorter = {1, line.lines.extent - 1, line.lines.step};
        for (int64_t k = 2; k <= line.lines.extent; k++)
            ref_put_complex_ball(&refs[1], (size_t)nn_split_place(&shorter, i, 1, k - 2),
                                 area(&line, k, q->value.re));
    }
}

void nn_complex_gradient(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line line = begin_lines(q, &t[0], &refs[1], arena);
    const Format *f = line.format;
    for (int64_t i = 0; i < line.lines.count; i++) {
        read_line(&line, &t[0], i);
        for (int64_t k = 0; k < line.lines.extent; k++) {
            bool is_end = k == 0 || k == line.lines.extent - 1;
            int64_t before = k > 0 ? k - 1 : 0, behind = k + 1 < line.lines.extent ? k + 1 : k;
            ComplexBall rise = complex_ball_subtract(f, line.x[behind], line.x[before]);
            ComplexBall width = real(is_end ? q->value.re : 2 * q->value.re);
            ref_put_complex_ball(&refs[1], (size_t)nn_line_place(&line.lines, k),
                                 complex_ball_divide(f, rise, width));
        }
    }
}

/* The Euclidean norm of numbers that may be off; not known where one of them is not. */
static Ball norm_of(const Format *f, const ComplexBall *x, int64_t count, Arena *arena)
{
    Ball *sizes = arena_take(arena, (size_t)count + 1, sizeof *sizes);
    for (int64_t k = 0; k < count; k++) {
        if (!complex_ball_is_known(x[k]))
            return (Ball){.radius = INFINITY};
        sizes[k] = nn_size_of(f, (Scalar){(double)creall(x[k].value), (double)cimagl(x[k].value)});
        sizes[k].radius += x[k].radius + (double)fabsl(sizes[k].value) * 0x1p-50;
    }
    return nn_norm_of(f, sizes, count, ball_exact(2));
}

void nn_complex_normalize(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const double epsilon = 1e-12;
    Line line = begin_lines(q, &t[0], &refs[1], arena);
    const Format *f = line.format;
    for (int64_t i = 0; i < line.lines.count; i++) {
        read_line(&line, &t[0], i);
        Ball norm = norm_of(f, line.x, line.lines.extent, arena);
        ComplexBall divisor =
            of_ball(ball_is_known(norm) ? ball_max(norm, ball_exact(epsilon)) : norm);
        for (int64_t k = 0; k < line.lines.extent; k++)
            ref_put_complex_ball(&refs[1], (size_t)nn_line_place(&line.lines, k),
                                 complex_ball_divide(f, line.x[k], divisor));
    }
}

void nn_complex_pairwise(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const double epsilon = 1e-6;
    Line a = begin_lines(q, &t[0], &refs[2], arena), b = begin_lines(q, &t[1], &refs[2], arena);
    const Format *f = a.format;
    ComplexBall offset = complex_ball_round(f, real(epsilon), 1);
    for (int64_t i = 0; i < tensor_count(&t[2]); i++) {
        read_line(&a, &t[0], i);
        read_line(&b, &t[1], i);
        for (int64_t k = 0; k < a.lines.extent; k++)
            a.terms[k] = complex_ball_add(f, complex_ball_subtract(f, a.x[k], b.x[k]), offset);
        Ball norm = norm_of(f, a.terms, a.lines.extent, arena);
        if (ball_is_known(norm))
            ref_put_ball(&refs[2], (size_t)i, norm);
        else
            ref_set_classes(&refs[2], (size_t)i, CLASS_ANY);
    }
}

void nn_complex_cross(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line a = begin_lines(q, &t[0], &refs[2], arena), b = begin_lines(q, &t[1], &refs[2], arena);
    const Format *f = a.format;
    for (int64_t i = 0; i < a.lines.count; i++) {
        read_line(&a, &t[0], i);
        read_line(&b, &t[1], i);
        for (int64_t k = 0; k < 3; k++) {
            int64_t next = (k + 1) % 3, last = (k + 2) % 3;
            ComplexBall one = complex_ball_multiply(f, a.x[next], b.x[last]);
            ComplexBall other = complex_ball_multiply(f, a.x[last], b.x[next]);
            ref_put_complex_ball(&refs[2], (size_t)nn_line_place(&a.lines, k),
                                 complex_ball_subtract(f, one, other));
        }
    }
}

static ComplexBall *covariances(const Exact *q, const Tensor *t, const Format *f, Arena *arena)
{
    int64_t n = q->steps;
    ComplexBall *x = arena_take(arena, (size_t)(q->rows * n) + 1, sizeof *x);
    ComplexBall *terms = arena_take(arena, (size_t)n + 1, sizeof *terms);
    ComplexBall *found = arena_take(arena, (size_t)(q->rows * q->rows) + 1, sizeof *found);
    for (int64_t row = 0; row < q->rows; row++) {
        ComplexBall *line = x + row * n;
        for (int64_t k = 0; k < n; k++)
            line[k] = at(&t[0], row * n + k);
        ComplexBall mean =
            complex_ball_divide(f, complex_ball_sum(f, line, (size_t)n), real((double)n));
        for (int64_t k = 0; k < n; k++)
            line[k] = complex_ball_subtract(f, line[k], mean);
    }
    for (int64_t i = 0; i < q->rows * q->rows; i++) {
        for (int64_t k = 0; k < n; k++)
            terms[k] = complex_ball_multiply(f, x[i / q->rows * n + k],
                                             complex_ball_conjugate(x[i % q->rows * n + k]));
        found[i] =
            complex_ball_divide(f, complex_ball_sum(f, terms, (size_t)n), real((double)(n - 1)));
    }
    return found;
}

void nn_complex_cov(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const ComplexBall *c = covariances(q, t, dtype_format(refs[1].accumulator), arena);
    for (int64_t i = 0; i < q->rows * q->rows; i++)
        ref_put_complex_ball(&refs[1], (size_t)i, c[i]);
}

/* The root of a variance, which is real. */
static ComplexBall deviation(const Format *f, ComplexBall variance)
{
    if (!complex_ball_is_known(variance))
        return variance;
    return of_ball(
        ball_sqrt(f, (Ball){.value = creall(variance.value), .radius = variance.radius}));
}

void nn_complex_corrcoef(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const Format *f = dtype_format(refs[1].accumulator);
    const ComplexBall *c = covariances(q, t, f, arena);
    for (int64_t i = 0; i < q->rows * q->rows; i++) {
        ComplexBall row = deviation(f, c[i / q->rows * (q->rows + 1)]);
        ComplexBall column = deviation(f, c[i % q->rows * (q->rows + 1)]);
        ComplexBall apart = complex_ball_divide(f, complex_ball_divide(f, c[i], row), column);
        ComplexBall turned = complex_ball_divide(f, complex_ball_divide(f, c[i], column), row);
        ComplexBall whole = complex_ball_divide(f, c[i], complex_ball_multiply(f, row, column));
        ref_put_complex_ball(&refs[1], (size_t)i,
                             complex_ball_either(complex_ball_either(apart, turned), whole));
    }
}
