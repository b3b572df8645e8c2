/* y = x in another element type: rounded to nearest even, truncated towards 0 for integers, 0 or 1
 * for booleans.  A value beyond the range of an integer type is not judged.  In 8 bits of floating
 * point a value beyond the largest number becomes that number, or an infinity or NaN (OCP
 * OFP8, 5.2).  Of a complex number a real one is the real part, and a boolean whether either part
 * is not 0 (C23, 6.3.1.2 and 6.3.1.7). */
#include <math.h>

#include "nn_exact.h"

typedef struct Cast {
    int64_t dtype;
    Shape shape;
    int64_t to, saturate;
} Cast;

static const Param params[] = {NN_DTYPE(Cast), NN_INPUT_SHAPE(Cast),
                               P_CHOICE(Cast, to, dtype_names, "element type of y"),
                               P_CHOICE(Cast, saturate, nn_yes_no,
                                        "8 bits of floating point end at "
                                        "their largest number"),
                               P_END};
static const char *const tensors[] = {"x", "y", NULL};

static void normalise(void *params_of_case)
{
    Cast *q = params_of_case;
    bool of_complex = dtype_components(nn_dtype(q)) == 2;
    if (!of_complex && dtype_components((DType)q->to) == 2)
        q->to = dtype_component((DType)q->to);
    if (of_complex && DTYPES_F8 >> q->to & 1)
        q->to = DT_F32;
    if (!(DTYPES_F8 >> q->to & 1))
        q->saturate = 0;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Cast *q = params_of_case;
    nn_shape_same(nn_dtype(q), &q->shape, shapes);
    shapes->tensor[1].layout.dtype = (DType)q->to;
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Cast *)params_of_case)->shape, 32);
}

static void put(Ref *ref, size_t i, double x, bool saturate, bool of_integer)
{
    double value = dtype_is_integer(ref->dtype) ? trunc(x) : dtype_round(ref->dtype, x);
    if (ref->dtype == DT_BOOL)
        value = x != 0;
    if (saturate && isinf(value))
        value = copysign(dtype_format(ref->dtype)->largest, x);
    /* It has no infinity. */
    if (ref->dtype == DT_E4M3 && isinf(value))
        value = NAN;
    bool fits = value >= dtype_lowest(ref->dtype) && value <= dtype_format(ref->dtype)->largest;
    if (of_integer && dtype_is_integer(ref->dtype) && !fits)
        ref_set_exact(ref, i, ref_wrapped(ref->dtype, x), MATCH_VALUE);
    else if (dtype_is_integer(ref->dtype) && !fits)
        ref_set_classes(ref, i, CLASS_ANY);
    else
        ref_set_exact(ref, i, value, dtype_is_integer(ref->dtype) ? MATCH_VALUE : MATCH_BITS);
}

static void put_complex(Ref *ref, const Tensor *x)
{
    size_t parts = (size_t)dtype_components(ref->dtype);
    for (size_t i = 0; i < ref->count; i++) {
        Scalar value = nn_element(x, (int64_t)(i / parts));
        double whole = ref->dtype == DT_BOOL ? nn_is_nonzero(value) : value.re;
        put(ref, i, i % parts ? value.im : whole, false, false);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *x = &input->tensors[0], *y = &input->tensors[1];
    bool saturate = ((const Cast *)input->params)->saturate;
    ref_allocate_exact(&refs[1], y, arena);
    if (dtype_components(x->dtype) == 2) {
        put_complex(&refs[1], x);
        return;
    }
    for (size_t i = 0; i < refs[1].count; i++) {
        double value = tensor_value(x, (int64_t)i);
        put(&refs[1], i, value, saturate, dtype_is_integer(x->dtype));
        /* Saturation is of conversions, and to its own type an infinity needs none. */
        if (saturate && x->dtype == y->dtype && isinf(value))
            ref_set_classes(&refs[1], i, CLASS_FINITE | value_class(value));
    }
}

const OpDesc op_cast = {
    NN_OP(Cast, 1),
    .name = "cast",
    .summary = "another element type",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_BOOLEAN | DTYPES_F8 | DTYPES_COMPLEX,
    .fills = nn_function_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .zeros = ZERO_SIGNS("zeros, and what underflows",
                        "IEEE 754-2019, 6.3: a conversion has the sign of its operand",
                        "zeros of integers",
                        "IEEE 754-2019, 5.4.1: zeros without signs are converted to +0"),
};
