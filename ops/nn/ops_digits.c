/* Numbers taken apart: bits read as another type of the same width, a significand and an exponent,
 * coordinates of places, combinations of elements.  All results are exact.
 *
 * bitcast: f32 and i32, f64 and i64, i8 and u8, i16 and u16, of u32 and u64 i32 and i64 (IEEE
 * 754-2019, 3.4; two's complement).
 * frexp: x = mantissa 2^exponent with 1/2 <= |mantissa| < 1; 0 and 0 of 0; of an infinity and NaN
 * themselves, and any exponent (C23, 7.12.6.7: unspecified).
 * unravel_index: coordinates of places, in row-major order, as rows of y.
 * combinations: of `length` elements in the order of their places, without repetition. */
#include <math.h>

#include "nn.h"

typedef struct Digits {
    int64_t dtype;
    Shape shape;
    int64_t steps, length;
} Digits;

static const Param shape_params[] = {NN_DTYPE(Digits), NN_INPUT_SHAPE(Digits), P_END};
static const Param place_params[] = {NN_DTYPE(Digits),
                                     P_SHAPE(Digits, shape, 1, TENSOR_RANK_MAX,
                                             "extents that places are of",
                                             .full = "places are of elements"),
                                     P_DIM(Digits, steps, 0, 256, "places"), P_END};
static const Param combination_params[] = {
    NN_DTYPE(Digits), P_DIM(Digits, steps, 0, 32, "elements"),
    P_INTEGER(Digits, length, 1, 3, 2, "elements of each combination"), P_END};
static const char *const plain_tensors[] = {"x", "y", NULL};
static const char *const frexp_tensors[] = {"x", "mantissa", "exponent", NULL};

static double work(const void *params)
{
    enum { COST = 64 };
    const Digits *q = params;
    double steps = (double)q->steps, count = (double)shape_count(&q->shape);
    return COST * (count + steps * (q->length > 1 ? steps : 1) * (q->length > 2 ? steps : 1));
}

/* The type of the same width that bits are read as. */
static DType other_type(DType dtype)
{
    static const DType pairs[][2] = {{DT_F32, DT_I32}, {DT_F64, DT_I64}, {DT_I8, DT_U8},
                                     {DT_I16, DT_U16}, {DT_I32, DT_U32}, {DT_I64, DT_U64}};
    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        for (int side = 0; side < 2; side++)
            if (pairs[i][side] == dtype)
                return pairs[i][1 - side];
    BUG("no other type of the width of %s", dtype_name(dtype));
}

static void bitcast_shape(const void *params, Shapes *shapes)
{
    const Digits *q = params;
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    nn_add_operand(shapes, other_type(nn_dtype(q)), &q->shape, ROLE_OUT);
}

static void bitcast_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *x = &input->tensors[0], *y = &input->tensors[1];
    size_t size = dtype_size(x->dtype);
    ref_allocate_exact(&refs[1], y, arena);
    for (int64_t i = 0; i < tensor_count(x); i++) {
        const char *at = (const char *)x->origin + tensor_offset_of(x, i) * (int64_t)size;
        ref_set_exact(&refs[1], (size_t)i, dtype_load(y->dtype, at, 0), MATCH_BITS);
    }
}

static void frexp_shape(const void *params, Shapes *shapes)
{
    const Digits *q = params;
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_OUT);
    nn_add_operand(shapes, DT_I32, &q->shape, ROLE_OUT);
}

static void frexp_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { X, MANTISSA, EXPONENT };
    const Tensor *x = &input->tensors[X];
    ref_allocate_exact(&refs[MANTISSA], &input->tensors[MANTISSA], arena);
    ref_allocate_exact(&refs[EXPONENT], &input->tensors[EXPONENT], arena);
    for (int64_t i = 0; i < tensor_count(x); i++) {
        int exponent = 0;
        double value = tensor_value(x, i);
        double mantissa = isfinite(value) ? frexp(value, &exponent) : value;
        ref_set_exact(&refs[MANTISSA], (size_t)i, mantissa, MATCH_BITS);
        ref_set_exact(&refs[EXPONENT], (size_t)i, exponent, MATCH_VALUE);
        if (!isfinite(value))
            ref_admit_anything(&refs[EXPONENT], (size_t)i);
    }
}

static void places_shape(const void *params, Shapes *shapes)
{
    const Digits *q = params;
    Shape line = {1, {q->steps}}, matrix = {2, {q->shape.rank, q->steps}};
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &line, ROLE_IN);
    shapes->tensor[0].index_below = shape_count(&q->shape);
    nn_add_operand(shapes, nn_dtype(q), &matrix, ROLE_OUT);
}

static void places_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Digits *q = input->params;
    ref_allocate_exact(&refs[1], &input->tensors[1], arena);
    for (int64_t i = 0; i < q->steps; i++) {
        int64_t rest = (int64_t)tensor_value(&input->tensors[0], i);
        for (int64_t axis = q->shape.rank - 1; axis >= 0; axis--) {
            int64_t at = tensor_take_index(&rest, q->shape.extent[axis]);
            ref_set_exact(&refs[1], (size_t)(axis * q->steps + i), (double)at, MATCH_VALUE);
        }
    }
}

/* n choose k of small numbers. */
static int64_t count_combinations(int64_t n, int64_t k)
{
    int64_t count = 1;
    for (int64_t i = 0; i < k; i++)
        count = count * (n - i) / (i + 1);
    return n < k ? 0 : count;
}

static void combinations_shape(const void *params, Shapes *shapes)
{
    const Digits *q = params;
    Shape line = {1, {q->steps}},
          matrix = {2, {count_combinations(q->steps, q->length), q->length}};
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &line, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &matrix, ROLE_OUT);
}

/* The next places in ascending order. */
static void advance(int64_t *places, int64_t length, int64_t steps)
{
    int64_t at = length - 1;
    while (at > 0 && places[at] == steps - length + at)
        at--;
    places[at]++;
    for (int64_t i = at + 1; i < length; i++)
        places[i] = places[i - 1] + 1;
}

static void combinations_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { LONGEST = 3 };
    const Digits *q = input->params;
    int64_t places[LONGEST] = {0, 1, 2};
    ref_allocate_exact(&refs[1], &input->tensors[1], arena);
    for (int64_t row = 0; row < input->tensors[1].extent[0]; row++) {
        for (int64_t i = 0; i < q->length && i < LONGEST; i++)
            ref_set_exact(&refs[1], (size_t)(row * q->length + i),
                          tensor_value(&input->tensors[0], places[i]), MATCH_BITS);
        advance(places, q->length, q->steps);
    }
}

enum {
    PAIRED = DTYPES_REAL | DTYPES_WHOLE,
    WHOLE = 1u << DT_I32 | 1u << DT_I64,
};

static const IllegalRule illegal_place[] = {{ILLEGAL_INDEX, "x", 0}, {0}};

#define DIGITS NN_OP(Digits, 1), .work = work

static const OpDesc table[] = {
    {DIGITS, .name = "bitcast", .summary = "bits read as the other type of their width",
     .params = shape_params, .tensors = plain_tensors, .dtypes = PAIRED, .fills = nn_function_fills,
     .shape = bitcast_shape, .reference = bitcast_reference,
     .zeros = ZERO_SIGN("all",
                        "PyTorch, Tensor.view(dtype), and TensorFlow, tf.bitcast: the same bits")},
    {DIGITS, .name = "frexp", .summary = "mantissa and exponent", .params = shape_params,
     .tensors = frexp_tensors, .dtypes = DTYPES_FLOAT, .fills = nn_function_fills,
     .shape = frexp_shape, .reference = frexp_reference,
     .zeros = ZERO_SIGN("mantissas of zeros", "C23, F.10.3.7, frexp: returns its argument")},
    {DIGITS, .name = "unravel_index", .summary = "coordinates of places", .params = place_params,
     .tensors = plain_tensors, .dtypes = WHOLE, .fills = nn_function_fills, .shape = places_shape,
     .reference = places_reference, .illegal = illegal_place},
    {DIGITS, .name = "combinations", .summary = "elements taken some at a time",
     .params = combination_params, .tensors = plain_tensors,
     .dtypes = DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_BOOLEAN | DTYPES_COMPLEX, .by_parts = true,
     .fills = nn_function_fills, .shape = combinations_shape, .reference = combinations_reference,
     .zeros = nn_zeros_copied},
    {.name = NULL},
};

OP_TABLE(ops_digits)
{
    return table;
}
