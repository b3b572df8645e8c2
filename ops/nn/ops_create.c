/* Operators without operands: numbers that the case alone decides. */
#include <math.h>

#include "nn_exact.h"
#include "reference/ball.h"

static const char *const tensors[] = {"y", NULL};

#define SIDES(least)                                                                               \
    NN_DTYPE(Exact), P_DIM(Exact, rows, least, 64, "rows"),                                        \
        P_DIM(Exact, columns, least, 64, "columns")

static void put_value(Ref *ref, int64_t i, double value)
{
    ref_set_exact(ref, (size_t)i, dtype_round(ref->dtype, value), MATCH_ROUNDED);
}

static void one_output(DType dtype, const Shape *extents, Shapes *shapes)
{
    *shapes = (Shapes){.count = 1, .depth = 1};
    shapes->tensor[0] = nn_tensor(dtype, extents, ROLE_OUT);
}

static void line_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape line = {1, {q->steps}};
    one_output(nn_dtype(q), &line, shapes);
}

/* full */
static const Param full_params[] = {NN_DTYPE(Exact), NN_SHAPE(Exact),
                                    P_INTEGER(Exact, start, 0, 99, 1, "every element"), P_END};

static void full_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    one_output(nn_dtype(q), &q->shape, shapes);
}

/* Of booleans every number but 0 is true. */
static void put_full(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    double value = t[0].dtype == DT_BOOL ? q->start != 0 : q->part ? 0 : (double)q->start;
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[0]); i++)
        put_value(&refs[0], i, value);
}

/* eye: ones on a diagonal. */
static const Param eye_params[] = {
    SIDES(0), P_INTEGER(Exact, offset, -70, 70, 0, "diagonal of the ones"), P_END};

static void eye_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape square = {2, {q->rows, q->columns}};
    one_output(nn_dtype(q), &square, shapes);
}

static void put_eye(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[0]); i++)
        put_value(&refs[0], i, !q->part && i % q->columns - i / q->columns == q->offset);
}

/* arange: whole numbers from start by step. */
static const Param arange_params[] = {NN_DTYPE(Exact),
                                      P_INTEGER(Exact, start, -64, 64, 0, "first element"),
                                      P_INTEGER(Exact, step, -9, 9, 1, "difference of elements"),
                                      P_DIM(Exact, steps, 0, 512, "elements"), P_END};

/* The greatest number up to which the type has all whole ones. */
static int64_t whole_numbers(DType dtype)
{
    enum { BYTE_MOST = 127, MOST = 1 << 24 };
    double most = fmin(dtype_highest(dtype), MOST);
    if (!dtype_is_integer(dtype))
        most = fmin(1 / dtype_format(dtype)->unit, MOST);
    return dtype_size(dtype) == 1 ? BYTE_MOST : (int64_t)most;
}

/* All elements, and the one behind them, are numbers of the type; bytes and integers without a sign
 * are no less than 0. */
static void normalise_arange(void *params)
{
    Exact *q = params;
    int64_t most = whole_numbers(nn_dtype(q));
    int64_t least = dtype_size(nn_dtype(q)) == 1 || dtype_lowest(nn_dtype(q)) == 0 ? 0 : -most;
    q->step = q->step == 0 ? 1 : q->step;
    q->start = q->start < least ? -q->start : q->start;
    int64_t room = q->step > 0 ? most - q->start : q->start - least;
    int64_t fits = room / (q->step > 0 ? q->step : -q->step);
    q->steps = q->steps < fits ? q->steps : fits;
}

static void put_arange(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    for (int64_t i = 0; i < t[0].extent[0]; i++)
        put_value(&refs[0], i, (double)(q->start + i * q->step));
}

/* linspace: from start to end in equal steps, from either end; logspace: powers of base with those
 * as exponents. */
#define STEPS                                                                                      \
    NN_DTYPE(Exact), P_REAL(Exact, value, 0, "first element"),                                     \
        P_REAL(Exact, end, 1, "last element"), P_DIM(Exact, steps, 1, 512, "elements")
static const Param linspace_params[] = {STEPS, P_END};
static const Param logspace_params[] = {
    STEPS, P_INTEGER(Exact, start, 2, 10, 10, "base of the powers"), P_END};

/* A step is a rounded quotient of a rounded difference; elements are counted from either end, or
 * weighed between both.  Where the difference is no number the ends may be what is counted, too. */
static Ball point(const Exact *q, const Format *f, int64_t i)
{
    Ball first = ball_exact(q->value.re), last = ball_exact(q->end.re);
    Ball whole = ball_subtract(f, last, first), parts = ball_exact((double)(q->steps - 1));
    bool is_end = i == 0 || i == q->steps - 1;
    Ball end = i == 0 ? first : last;
    if (is_end && ball_is_known(whole))
        return end;
    Ball step = ball_divide(f, whole, parts);
    Ball front = ball_add(f, first, ball_multiply(f, ball_exact((double)i), step));
    Ball behind =
        ball_subtract(f, last, ball_multiply(f, ball_exact((double)(q->steps - 1 - i)), step));
    Ball share = ball_divide(f, ball_exact((double)i), parts);
    Ball weighed = ball_add(f, ball_multiply(f, first, ball_subtract(f, ball_exact(1), share)),
                            ball_multiply(f, last, share));
    Ball along = ball_add(f, first, ball_multiply(f, share, whole));
    Ball inside = ball_either(ball_either(front, behind), ball_either(weighed, along));
    return is_end ? ball_either(end, inside) : inside;
}

static void put_linspace(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const Format *f = dtype_format(refs[0].accumulator);
    (void)arena;
    for (int64_t i = 0; i < t[0].extent[0]; i++)
        ref_put_ball(&refs[0], (size_t)i, point(q, f, i));
}

static void put_logspace(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const Format *f = dtype_format(refs[0].accumulator);
    (void)arena;
    for (int64_t i = 0; i < t[0].extent[0]; i++)
        ref_put_ball(&refs[0], (size_t)i,
                     ball_power(f, ball_exact((double)q->start), point(q, f, i)));
}

/* tril_indices, triu_indices: rows and columns of the elements of a triangle, in row-major order.
 */
static const Param triangle_params[] = {NN_DTYPE(Exact), P_DIM(Exact, rows, 0, 64, "rows"),
                                        P_DIM(Exact, columns, 0, 64, "columns"),
                                        P_INTEGER(Exact, offset, -64, 64, 0, "diagonal"), P_END};

static bool is_inside(const Exact *q, int64_t i, bool upper)
{
    int64_t beyond = i % q->columns - i / q->columns - q->offset;
    return upper ? beyond >= 0 : beyond <= 0;
}

static void triangle_shape(const Exact *q, bool upper, Shapes *shapes)
{
    Shape places = {2, {2, 0}};
    for (int64_t i = 0; i < q->rows * q->columns; i++)
        places.extent[1] += is_inside(q, i, upper);
    one_output(nn_dtype(q), &places, shapes);
}

static void lower_shape(const void *params, Shapes *shapes)
{
    triangle_shape(params, false, shapes);
}

static void upper_shape(const void *params, Shapes *shapes)
{
    triangle_shape(params, true, shapes);
}

static void put_triangle(const Exact *q, const Tensor *y, Ref *ref, bool upper)
{
    int64_t at = 0, count = y->extent[1];
    for (int64_t i = 0; i < q->rows * q->columns; i++)
        if (is_inside(q, i, upper)) {
            int64_t row = i / q->columns;
            put_value(ref, at, (double)row);
            put_value(ref, count + at++, (double)(i - row * q->columns));
        }
}

static void put_lower(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    put_triangle(q, &t[0], &refs[0], false);
}

static void put_upper(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    put_triangle(q, &t[0], &refs[0], true);
}

enum { WHOLE = 1u << DT_I32 | 1u << DT_I64 };

static const IllegalRule illegal_shape[] = {{ILLEGAL_TUPLE, "shape", -1}, {0}},
                         illegal_rows[] = {{ILLEGAL_INTEGER, "rows", -1}, {0}},
                         illegal_step[] = {{ILLEGAL_INTEGER, "step", 0}, {0}},
                         illegal_steps[] = {{ILLEGAL_INTEGER, "steps", -1}, {0}};

static const ExactRow rows[] = {
    {"full", "one number everywhere", tensors, full_params, NULL, full_shape,
     DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_BOOLEAN | DTYPES_COMPLEX, 0, put_full, false,
     illegal_shape, NULL},
    {"eye", "ones on a diagonal, zeros elsewhere", tensors, eye_params, NULL, eye_shape,
     DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_BOOLEAN | DTYPES_COMPLEX, 0, put_eye, false, illegal_rows,
     NULL},
    {"arange", "whole numbers in equal steps", tensors, arange_params, normalise_arange, line_shape,
     DTYPES_FLOAT | DTYPES_WHOLE, 0, put_arange, false, illegal_step, NULL},
    {"linspace", "numbers in equal steps to a last one", tensors, linspace_params, NULL, line_shape,
     DTYPES_REAL, 0, put_linspace, true, illegal_steps, NULL},
    {"logspace", "powers in equal ratios", tensors, logspace_params, NULL, line_shape, DTYPES_REAL,
     0, put_logspace, true, illegal_steps, NULL},
    {"tril_indices", "places of a lower triangle", tensors, triangle_params, NULL, lower_shape,
     WHOLE, 0, put_lower, false, NULL, NULL},
    {"triu_indices", "places of an upper triangle", tensors, triangle_params, NULL, upper_shape,
     WHOLE, 0, put_upper, false, NULL, NULL},
    {.name = NULL},
};

OP_TABLE(ops_create)
{
    static OpDesc table[COUNT_OF(rows)];
    nn_describe_exact(table, rows);
    return table;
}
