/* Gradients of functions of two variables: da and db from dy, a and b, each operation in balls, and
 * summed in any order over the axes along which the operand is broadcast.  Where the operands of a
 * maximum or minimum are equal anything between 0 and dy goes to either. */
#include <math.h>
#include <stdio.h>

#include "nn.h"
#include "reference/ball.h"
#include "reference/complex_ball.h"

enum { DY, A, B, DA, DB };

/* The gradient by a, or by b where `second`, from one element. */
typedef Ball Partial(const Format *format, Ball dy, Ball a, Ball b, bool second);

typedef ComplexBall ComplexPartial(const Format *format, ComplexBall dy, ComplexBall a,
                                   ComplexBall b, bool second);

typedef struct BinaryBackwardRow {
    const char *name, *summary;
    Partial *partial;
    ComplexPartial *of_complex;
    bool by_parts;
} BinaryBackwardRow;

static const char *const tensors[] = {"dy", "a", "b", "da", "db", NULL};

static Ball of_add(const Format *f, Ball dy, Ball a, Ball b, bool second)
{
    (void)f, (void)a, (void)b, (void)second;
    return dy;
}

static Ball of_sub(const Format *f, Ball dy, Ball a, Ball b, bool second)
{
    (void)f, (void)a, (void)b;
    return second ? ball_negate(dy) : dy;
}

static Ball of_mul(const Format *f, Ball dy, Ball a, Ball b, bool second)
{
    return ball_multiply(f, dy, second ? a : b);
}

/* -dy a / b^2, with the factors in any order. */
static Ball of_div(const Format *f, Ball dy, Ball a, Ball b, bool second)
{
    if (!second)
        return ball_divide(f, dy, b);
    Ball quotient = ball_divide(f, a, b);
    Ball by_square = ball_divide(f, ball_multiply(f, dy, a), ball_multiply(f, b, b));
    Ball by_quotient = ball_multiply(f, ball_divide(f, dy, b), quotient);
    Ball by_slope = ball_multiply(f, dy, ball_divide(f, quotient, b));
    Ball product = ball_either(ball_either(by_square, by_quotient), by_slope);
    /* The reciprocal of b rounds once more. */
    if (product.radius > 0)
        product = ball_round(f, product, 1);
    return ball_negate(ball_any_order(f, product, (Ball[]){dy, a, b, b}, 4, 2));
}

/* Libraries multiply by a mask: 0 times an infinity or NaN is NaN. */
static Ball chosen(Ball dy, long double own, long double other)
{
    Ball none = ball_masked(dy);
    if (isnan(own) || isnan(other))
        return ball_or(ball_either(dy, none), CLASS_NAN);
    if (own == other)
        return ball_either(dy, none);
    return own > other ? dy : none;
}

static Ball of_maximum(const Format *f, Ball dy, Ball a, Ball b, bool second)
{
    (void)f;
    long double first = ball_number(a), last = ball_number(b);
    return chosen(dy, second ? last : first, second ? first : last);
}

static Ball of_minimum(const Format *f, Ball dy, Ball a, Ball b, bool second)
{
    return of_maximum(f, dy, ball_negate(a), ball_negate(b), second);
}

/* dy b / (a^2 + b^2), and -dy a / (a^2 + b^2).  At the origin the angle has no limit and nothing is
 * a gradient: some libraries give 0 there, others what the formula makes of it. */
static Ball of_atan2(const Format *f, Ball dy, Ball a, Ball b, bool second)
{
    Ball squares = ball_add(f, ball_multiply(f, a, a), ball_multiply(f, b, b));
    Ball above = second ? ball_negate(a) : b;
    Ball product = ball_either(ball_divide(f, ball_multiply(f, dy, above), squares),
                               ball_multiply(f, dy, ball_divide(f, above, squares)));
    product = ball_any_order(f, product, (Ball[]){dy, above, squares}, 3, 1);
    bool origin = ball_is_known(squares) && squares.value - squares.radius <= 0;
    return origin ? ball_either(product, ball_masked(dy)) : product;
}

/* dy b a^(b-1), or dy b a^b / a, and dy a^b log a; of positive bases. */
static Ball of_pow(const Format *f, Ball dy, Ball a, Ball b, bool second)
{
    long double base = ball_number(a), exponent = ball_number(b);
    /* 1 to any power is 1, and anything to the power 0, as NaN in b a^(b-1) where b is 1. */
    if (isnan(base) && exponent == 1 && !second)
        return ball_or(dy, CLASS_NAN);
    if (isnan(base) || isnan(exponent))
        return ball_or(ball_exact((second ? base == 1 : exponent == 0) ? 0 : NAN), CLASS_NAN);
    if (!(base > 0))
        return ball_unknown();
    Ball power = ball_power(f, a, b);
    if (second) {
        Ball log = ball_function(f, function_named("log"), a, false);
        Ball product = ball_either(ball_multiply(f, dy, ball_multiply(f, power, log)),
                                   ball_multiply(f, ball_multiply(f, dy, power), log));
        return ball_any_order(f, product, (Ball[]){dy, power, log}, 3, 0);
    }
    Ball lower = ball_power(f, a, ball_subtract(f, b, ball_exact(1)));
    Ball direct = ball_multiply(f, dy, ball_multiply(f, b, lower));
    Ball slope = ball_either(direct, ball_multiply(f, ball_multiply(f, dy, b), lower));
    slope = ball_any_order(f, slope, (Ball[]){dy, b, lower}, 3, 0);
    /* Kernels take the slope of a power of 0 for 0, or multiply by it. */
    return exponent == 0 ? ball_either(slope, ball_masked(dy)) : slope;
}

/* dy times the conjugate of the other factor (reference/complex_gradient.h). */
static ComplexBall of_complex_mul(const Format *f, ComplexBall dy, ComplexBall a, ComplexBall b,
                                  bool second)
{
    return complex_ball_multiply(f, dy, complex_ball_conjugate(second ? a : b));
}

static ComplexBall of_complex_div(const Format *f, ComplexBall dy, ComplexBall a, ComplexBall b,
                                  bool second)
{
    a = complex_ball_conjugate(a);
    b = complex_ball_conjugate(b);
    if (!second)
        return complex_ball_either(
            complex_ball_multiply(f, dy, complex_ball_divide(f, complex_ball_exact(1), b)),
            complex_ball_divide(f, dy, b));
    ComplexBall quotient = complex_ball_divide(f, a, b);
    ComplexBall by_square =
        complex_ball_divide(f, complex_ball_multiply(f, dy, a), complex_ball_multiply(f, b, b));
    ComplexBall by_quotient = complex_ball_multiply(f, complex_ball_divide(f, dy, b), quotient);
    ComplexBall by_slope = complex_ball_multiply(f, dy, complex_ball_divide(f, quotient, b));
    return complex_ball_negate(
        complex_ball_either(complex_ball_either(by_square, by_quotient), by_slope));
}

static const BinaryBackwardRow rows[] = {
    {"add_backward", "gradients of add", of_add, .by_parts = true},
    {"sub_backward", "gradients of sub", of_sub, .by_parts = true},
    {"mul_backward", "gradients of mul", of_mul, .of_complex = of_complex_mul},
    {"div_backward", "gradients of div", of_div, .of_complex = of_complex_div},
    {"maximum_backward", "gradients of maximum", of_maximum, .of_complex = NULL},
    {"minimum_backward", "gradients of minimum", of_minimum, .of_complex = NULL},
    {"atan2_backward", "gradients of atan2", of_atan2, .of_complex = NULL},
    {"pow_backward", "gradients of pow", of_pow, .of_complex = NULL},
};

static void normalise(void *params_of_case)
{
    Binary *q = params_of_case;
    q->broadcast_a = nn_broadcast_axes(&q->shape, q->broadcast_a, 0);
    q->broadcast_b = nn_broadcast_axes(&q->shape, q->broadcast_b, q->broadcast_a);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Binary *q = params_of_case;
    *shapes = (Shapes){.count = DB + 1, .depth = shape_count(&q->shape)};
    shapes->tensor[DY] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[A] = nn_broadcast_operand(nn_dtype(q), &q->shape, q->broadcast_a);
    shapes->tensor[B] = nn_broadcast_operand(nn_dtype(q), &q->shape, q->broadcast_b);
    for (int i = 0; i < 2; i++) {
        shapes->tensor[DA + i] = shapes->tensor[A + i];
        shapes->tensor[DA + i].role = ROLE_OUT;
    }
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Binary *)params_of_case)->shape, 256);
}

/* Number of the element of the operand that each element of dy belongs to. */
static Tensor place_of(const Tensor *own, const Tensor *dy)
{
    Tensor dense = *own;
    tensor_pack(&dense);
    return nn_broadcast(&dense, dy);
}

/* What the gradient of one operand is summed of: a term for each element of dy, of which `per`
 * belong to each result. */
typedef struct Terms {
    Tensor dy, a, b, place; /* a and b broadcast to dy; place: the result that a term belongs to */
    size_t count, results, per;
    size_t *found;
} Terms;

static Terms terms_begin(Ref *ref, const ReferenceInput *input, bool second, Arena *arena)
{
    const Tensor *t = input->tensors, *own = &t[second ? DB : DA];
    Terms terms = {.dy = t[DY],
                   .a = nn_broadcast(&t[A], &t[DY]),
                   .b = nn_broadcast(&t[B], &t[DY]),
                   .place = place_of(own, &t[DY]),
                   .count = (size_t)tensor_count(&t[DY])};
    ref_allocate_bounded(ref, own->dtype, own, arena);
    terms.results = ref->count / (size_t)dtype_components(own->dtype);
    terms.per = terms.results ? terms.count / terms.results : 0;
    terms.found = arena_take_zeroed(arena, terms.results + 1, sizeof *terms.found);
    return terms;
}

/* Where term number i lies: those of one result are together, its own indices first, then the axes
 * that are broadcast. */
static size_t terms_place(Terms *terms, size_t i)
{
    size_t to = (size_t)tensor_offset_of(&terms->place, (int64_t)i);
    return to * terms->per + terms->found[to]++;
}

static void put_gradient(Ref *ref, const ReferenceInput *input, bool second, Arena *arena)
{
    const BinaryBackwardRow *row = input->op->detail;
    Terms t = terms_begin(ref, input, second, arena);
    const Format *f = dtype_format(ref->accumulator);
    Ball *terms = arena_take(arena, t.count + 1, sizeof *terms);
    for (size_t i = 0; i < t.count; i++)
        terms[terms_place(&t, i)] =
            row->partial(f, ball_exact(tensor_value(&t.dy, (int64_t)i)),
                         ball_exact(tensor_value(&t.a, (int64_t)i)),
                         ball_exact(tensor_value(&t.b, (int64_t)i)), second);
    for (size_t i = 0; i < t.results; i++)
        ref_put_ball(ref, i, ball_sum(f, terms + i * t.per, t.per));
}

static ComplexBall element_of(const Tensor *t, size_t number)
{
    int64_t at = 2 * tensor_offset_of(t, (int64_t)number);
    return complex_ball_exact(
        __builtin_complex((long double)dtype_load(t->dtype, t->origin, at),
                          (long double)dtype_load(t->dtype, t->origin, at + 1)));
}

static void put_complex_gradient(Ref *ref, const ReferenceInput *input, bool second, Arena *arena)
{
    const BinaryBackwardRow *row = input->op->detail;
    Terms t = terms_begin(ref, input, second, arena);
    const Format *f = dtype_format(ref->accumulator);
    ComplexBall *terms = arena_take(arena, t.count + 1, sizeof *terms);
    for (size_t i = 0; i < t.count; i++)
        terms[terms_place(&t, i)] = row->of_complex(f, element_of(&t.dy, i), element_of(&t.a, i),
                                                    element_of(&t.b, i), second);
    for (size_t i = 0; i < t.results; i++)
        ref_put_complex_ball(ref, i, complex_ball_sum(f, terms + i * t.per, t.per));
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    if (dtype_components(input->tensors[DY].dtype) == 2) {
        put_complex_gradient(&refs[DA], input, false, arena);
        put_complex_gradient(&refs[DB], input, true, arena);
        return;
    }
    put_gradient(&refs[DA], input, false, arena);
    put_gradient(&refs[DB], input, true, arena);
}

OP_TABLE(ops_binary_backward)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP(Binary, 2),
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = nn_binary_params,
            .tensors = tensors,
            .dtypes = DTYPES_REAL | (rows[i].of_complex || rows[i].by_parts ? DTYPES_COMPLEX : 0),
            .by_parts = rows[i].by_parts,
            .fills = nn_moderate_fills,
            .normalise = normalise,
            .shape = shape,
            .work = work,
            .reference = reference,
            .detail = &rows[i],
        };
    return table;
}
