/* Shapes of operands, and the normal form of parameters that many operators have. */
#include <math.h>

#include "nn.h"
#include "reference/complex_function.h"

const char *const nn_yes_no[] = {"no", "yes", NULL};
const char *const nn_mean_or_sum[] = {"mean", "sum", NULL};

const Param nn_one_axis_params[] = {NN_DTYPE(OneAxis), NN_INPUT_SHAPE(OneAxis), NN_AXIS(OneAxis),
                                    P_END};
const Param nn_binary_params[] = {NN_DTYPE(Binary), NN_SHAPE(Binary), NN_BROADCAST_A(Binary),
                                  NN_BROADCAST_B(Binary), P_END};

const ZeroSign nn_zeros_copied[] = {{"elements that are copied", ZEROS_COPIED}, {0}};
const ZeroSign nn_zeros_beside[] = {
    {"elements that are copied", ZEROS_COPIED}, {"zeros beside them", NULL}, {0}};

static bool have_zero(Arguments arguments)
{
    return arguments.from <= 0 && arguments.to >= 0;
}

/* An argument itself may be a zero. */
static bool names_zero(const FunctionLimit *limit)
{
    if (limit->near || limit->or_nan)
        return false;
    if (limit->kind == LIMIT_VALUE)
        return limit->value == 0;
    return have_zero(limit->kind == LIMIT_FIRST ? limit->first : limit->second);
}

const ZeroSign *nn_zeros_of(const Function *function)
{
    static const ZeroSign named[] = {{"zeros that a text names", "the texts of its range"}, {0}};
    for (const FunctionLimit *limit = function->limits; limit && limit->kind != LIMIT_END; limit++)
        if (names_zero(limit) && !function->zeros)
            return named;
    return function->zeros;
}

DType nn_dtype(const void *params)
{
    return (DType) * (const int64_t *)params;
}

TensorSpec nn_tensor(DType dtype, const Shape *shape, TensorRole role)
{
    TensorSpec spec = {
        .role = role,
        .layout = {.dtype = dtype, .rank = (int)shape->rank},
        .contraction = -1,
    };
    for (int axis = 0; axis < spec.layout.rank; axis++)
        spec.layout.extent[axis] = shape->extent[axis];
    tensor_pack(&spec.layout);
    return spec;
}

void nn_add_operand(Shapes *shapes, DType dtype, const Shape *shape, TensorRole role)
{
    shapes->tensor[shapes->count++] = nn_tensor(dtype, shape, role);
}

double nn_work_elements(const Shape *shape, double each)
{
    return each * (double)shape_count(shape);
}

void nn_allocate_candidates(Ref *ref, Arena *arena)
{
    ref->candidates = arena_take_zeroed(arena, ref->count * REF_CANDIDATES + 1, sizeof(double));
}

enum { BROADCAST_DROPS = 32 };

int64_t nn_broadcast_axes(const Shape *shape, int64_t mask, int64_t taken)
{
    int64_t axes = mask & ((1 << shape->rank) - 1) & ~taken;
    bool drops = (mask & BROADCAST_DROPS) && shape->rank > 0 && (axes >> (shape->rank - 1) & 1);
    return axes | (drops ? BROADCAST_DROPS : 0);
}

TensorSpec nn_broadcast_operand(DType dtype, const Shape *shape, int64_t mask)
{
    Shape own = *shape;
    for (int64_t axis = 0; axis < own.rank; axis++)
        if (mask >> (own.rank - 1 - axis) & 1)
            own.extent[axis] = 1;
    while ((mask & BROADCAST_DROPS) && own.rank > 0 && (mask >> (own.rank - 1) & 1)) {
        for (int64_t axis = 1; axis < own.rank; axis++)
            own.extent[axis - 1] = own.extent[axis];
        own.extent[--own.rank] = 0;
    }
    return nn_tensor(dtype, &own, ROLE_IN);
}

Tensor nn_broadcast(const Tensor *operand, const Tensor *result)
{
    Tensor view = *operand;
    int missing = result->rank - operand->rank;
    view.rank = result->rank;
    for (int axis = 0; axis < result->rank; axis++) {
        bool own = axis >= missing && operand->extent[axis - missing] == result->extent[axis];
        view.extent[axis] = result->extent[axis];
        view.stride[axis] = own ? operand->stride[axis - missing] : 0;
    }
    return view;
}

double nn_whole_number(DType dtype, double x)
{
    if (!dtype_is_integer(dtype))
        return x;
    /* Calls have whole numbers of 64 bits with a sign. */
    double whole = fmin(dtype_round(dtype, (double)(float)x), 0x1.fffffep62);
    /* The end of a range may be none of binary32. */
    return (double)(float)whole == whole ? whole : (double)nextafterf((float)whole, 0);
}

uint32_t nn_dtypes_of(const Function *f)
{
    uint32_t complex_too = complex_function_named(f->name) ? DTYPES_COMPLEX : 0;
    uint32_t more = complex_too | (f->of_booleans ? DTYPES_BOOLEAN : 0);
    if (f->only_integers)
        return DTYPES_WHOLE | more;
    return more | DTYPES_FLOAT | (f->of_integers ? DTYPES_WHOLE : 0);
}

bool nn_is_by_parts(const Function *f)
{
    const ComplexFunction *of_complex = complex_function_named(f->name);
    return of_complex && of_complex->by_parts;
}

void nn_fill_axis(Shape *shape, int64_t axis)
{
    shape->extent[axis] = shape->extent[axis] > 1 ? shape->extent[axis] : 1;
}

void nn_need_axis(Shape *shape)
{
    if (shape->rank == 0)
        *shape = (Shape){1, {1}};
}

void nn_fit_axis(Shape *shape, int64_t *axis)
{
    nn_need_axis(shape);
    *axis %= shape->rank;
}

void nn_normalise_one_axis(void *params)
{
    OneAxis *q = params;
    nn_fit_axis(&q->shape, &q->axis);
}

Tensor nn_axis_last(const Tensor *x, int axis)
{
    Tensor moved = *x;
    for (int i = axis; i + 1 < x->rank; i++) {
        moved.extent[i] = x->extent[i + 1];
        moved.stride[i] = x->stride[i + 1];
    }
    moved.extent[x->rank - 1] = x->extent[axis];
    moved.stride[x->rank - 1] = x->stride[axis];
    return moved;
}

/* The moved reference is numbered like a dense tensor with the axis at the end. */
void nn_axis_back(Ref *ref, const Ref *moved, const Tensor *y, int axis, Arena *arena)
{
    Tensor order = *y;
    int64_t stride = y->extent[axis];
    for (int i = y->rank - 1; i >= 0; i--) {
        order.stride[i] = i == axis ? 1 : stride;
        stride *= i == axis ? 1 : y->extent[i];
    }
    ref_gather(ref, moved, &order, arena);
}

void nn_shape_same(DType dtype, const Shape *shape, Shapes *shapes)
{
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = nn_tensor(dtype, shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(dtype, shape, ROLE_OUT);
}

void nn_normalise_epsilon(Scalar *epsilon)
{
    double e = (double)(float)epsilon->re;
    e = e < 0 ? (double)(float)(e * -NN_USUAL_EPSILON) : fabs(e);
    epsilon->re = e == 0 || (e >= 0x1p-100 && e <= 0x1p15) ? e : NN_USUAL_EPSILON;
}

const IllegalRule nn_illegal_axis[] = {{ILLEGAL_AXIS, "axis", 0}, {0}};
const IllegalRule nn_illegal_zero_point[] = {{ILLEGAL_INTEGER, "zero_point", 1000}, {0}};
const IllegalRule nn_illegal_axis_and_index[] = {
    {ILLEGAL_AXIS, "axis", 0}, {ILLEGAL_INDEX, "indices", 0}, {0}};
