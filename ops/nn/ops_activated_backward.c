/* Gradients of linear(f(z)) by z, and by a bias that z had, in one step: dz = f'(z) (dy w) and the
 * sums of its columns, as libraries of products have them behind one.
 *
 * Bound of dz: with s = dy w off by E and f'(z) = d off by r, a product s' d' is off by at most
 * (|d| + r) E + r |s| and the rounding of s' d'.  With magnitudes of 2 (|d| + r) times those of the
 * sum the reduction lemma (oracle/bound.h) has twice the first term, which covers what E adds to
 * the rounding, and addends of (r / u + |d|) |s| are the rest.
 *
 * Bound of its sums: one sum of all products of a column, of which some nodes are multiplied by
 * d'; the columns of dz may be rounded to their type before, u' of their magnitudes each. */
#include <math.h>
#include <string.h>

#include "nn_products.h"
#include "reference/derivative.h"

enum { DY, W, Z, DZ, D_BIAS };

static const Param params[] = {
    NN_LINEAR(1, 256, "rows of dy and z", "columns of dy", "columns of w and z"), P_END};
static const char *const tensors[] = {"dy", "w", "z", "dz", "dbias", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Linear *q = params_of_case;
    Shape dy = {2, {q->batch, q->out_features}}, w = {2, {q->out_features, q->in_features}},
          z = {2, {q->batch, q->in_features}}, bias = {1, {q->in_features}};
    const Shape *const extents[] = {&dy, &w, &z, &z, &bias};
    *shapes = (Shapes){.count = D_BIAS + 1, .depth = q->out_features};
    for (int i = DY; i <= D_BIAS; i++)
        shapes->tensor[i] = nn_tensor(nn_dtype(q), extents[i], i >= DZ ? ROLE_OUT : ROLE_IN);
    shapes->tensor[W].part = PART_RIGHT;
}

static double work(const void *params_of_case)
{
    const Linear *q = params_of_case;
    return (double)(q->batch * q->in_features * (q->out_features + 64) +
                    q->batch * q->out_features + q->in_features * q->out_features);
}

/* f'(z): of relu, which has no derivative in the table, 1 or 0. */
static Ball slope_at(const Derivative *derivative, const Format *format, double z)
{
    if (!derivative)
        return isnan(z) ? ball_or(ball_either(ball_exact(0), ball_exact(1)), CLASS_NAN)
                        : ball_exact(z > 0 ? 1 : 0);
    return derivative->evaluate(&(DerivativeContext){.format = format}, ball_exact(z));
}

static void scale_element(Ref *ref, size_t i, Ball slope)
{
    const Format *format = dtype_format(ref->accumulator);
    double s = ldexp(ref->high[i] + ref->low[i], ref->exponent), d = (double)slope.value;
    double reach = fabs(d) + slope.radius, y = d * s;
    double own = (slope.radius / format->unit + fabs(d)) * fabs(s);
    ref->magnitude[i] *= 2 * reach;
    ref->addend[i] = ldexp(own, -ref->exponent) * (1 + 0x1p-40);
    ref->error[i] = reach * ref->error[i] + ldexp(fabs(y), -ref->exponent - 50);
    ref->underflow[i] = reach * ref->underflow[i] + ldexp(2, -ref->exponent);
    ref->factors[i] *= reach;
    ref->high[i] = ldexp(y, -ref->exponent);
    ref->low[i] = 0;
    ref->match[i] = MATCH_BOUND;
}

/* An element that is exactly 0, since the slope is. */
static void clear_element(Ref *ref, size_t i)
{
    ref->high[i] = ref->low[i] = ref->error[i] = ref->magnitude[i] = ref->addend[i] = 0;
    ref->middle[i] = ref->underflow[i] = ref->factors[i] = 0;
    ref->terms[i] = 0;
    ref->match[i] = MATCH_VALUE;
}

/* Where the sum or the slope is not finite; a slope of 0 may be a choice. */
static void put_special(Ref *ref, size_t i, Ball slope, const Format *format)
{
    unsigned classes = ref->classes[i];
    Ball sum = classes == CLASS_FINITE ? ball_exact(ref->high[i]) : (Ball){0, INFINITY, classes};
    Ball product = ball_multiply(format, sum, slope);
    bool vanishes = (ball_classes(slope) & CLASS_FINITE) && fabsl(slope.value) <= slope.radius;
    if (vanishes && !ball_is_known(sum))
        product = ball_either(product, ball_masked(sum));
    ref_admit_anything(ref, i);
    classes = ball_classes(product);
    if ((classes & CLASS_FINITE) && product.radius == 0 && product.value == 0)
        clear_element(ref, i);
    else if (classes & CLASS_FINITE)
        classes = CLASS_ANY;
    ref_set_classes(ref, i, classes);
}

static void apply_slope(Ref *ref, size_t i, Ball slope, double z)
{
    double reach = ldexp(ref->magnitude[i] + ref->addend[i], ref->exponent);
    const Format *format = dtype_format(ref->accumulator);
    double largest = format->largest / 8;
    bool exact = slope.radius == 0 && !isnan(z);
    if (exact && slope.value == 1)
        return;
    if (ref->classes[i] == CLASS_FINITE && slope.radius < INFINITY && reach < largest &&
        !ball_is_known(slope)) {
        scale_element(ref, i, slope);
        ref_set_classes(ref, i, ball_classes(slope));
    } else if (ref->classes[i] != CLASS_FINITE || !ball_is_known(slope)) {
        put_special(ref, i, slope, format);
    } else if (!(reach < largest)) {
        ref_admit_anything(ref, i);
    } else if (exact && slope.value == 0) {
        clear_element(ref, i);
    } else {
        scale_element(ref, i, slope);
    }
}

/* dz as its sums may take it: rounded to its type. */
static void allow_rounding(Ref *ref)
{
    double share = dtype_format(ref->dtype)->unit / dtype_format(ref->accumulator)->unit;
    double least = dtype_format(ref->dtype)->smallest_subnormal;
    for (size_t i = 0; i < ref->count && ref->dtype != ref->accumulator; i++) {
        if (ref->match[i] != MATCH_BOUND)
            continue;
        ref->addend[i] += 2 * share * (ref->magnitude[i] + ref->addend[i]);
        ref->error[i] += ldexp(least, -ref->exponent);
    }
}

static void sum_columns(Ref *sums, const Ref *dz, Arena *arena)
{
    ref_allocate(sums, dz->dtype, 1, dz->columns, arena);
    sums->accumulator = dz->accumulator;
    sums->exponent = dz->exponent;
    sums->lattice = dz->lattice;
    sums->factor_bits = dz->factor_bits;
    memset(sums->match, MATCH_VALUE, sums->count);
    Ref copy;
    Tensor all = tensor_matrix(dz->dtype, (int64_t)dz->rows, (int64_t)dz->columns,
                               (int64_t)dz->columns, 1, NULL);
    ref_gather(&copy, dz, &all, arena);
    allow_rounding(&copy);
    for (size_t row = 0; row < copy.rows; row++) {
        Ref part = ref_rows(&copy, row, 1);
        ref_add(sums, &part, ADD_PLAIN);
    }
    sums->addend_roundings = 1;
    for (size_t j = 0; j < sums->count; j++)
        if (sums->classes[j] == CLASS_ANY)
            ref_admit_anything(sums, j);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *t = input->tensors;
    Ref *dz = &refs[DZ];
    nn_batch_product(dz, &(BatchProduct){t[DY], t[W], t[DZ], NULL}, arena);
    const Format *format = dtype_format(dz->accumulator);
    const Derivative *derivative = derivative_named(input->op->detail);
    dz->square = NULL;
    dz->addend_roundings = 1;
    for (size_t i = 0; i < dz->count; i++) {
        double z = tensor_value(&t[Z], (int64_t)i);
        apply_slope(dz, i, slope_at(derivative, format, z), z);
    }
    sum_columns(&refs[D_BIAS], dz, arena);
}

#define ACTIVATED_OP                                                                               \
    NN_OP(Linear, 2), .fills = nn_moderate_fills, .params = params, .tensors = tensors,            \
                      .shape = shape, .work = work, .reference = reference

static const OpDesc table[] = {
    {ACTIVATED_OP, .name = "gelu_linear_backward",
     .summary = "gradients through linear and gelu by tanh before it",
     .dtypes = 1u << DT_F32 | 1u << DT_F16 | 1u << DT_BF16, .detail = "gelu_tanh"},
    {ACTIVATED_OP, .name = "relu_linear_backward",
     .summary = "gradients through linear and relu before it", .dtypes = DTYPES_FLOAT,
     .detail = "relu"},
    {.name = NULL},
};

OP_TABLE(ops_activated_backward)
{
    return table;
}
