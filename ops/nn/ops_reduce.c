/* Reductions over any axes (reference/reduce.h has the bounds). */
#include <math.h>
#include <string.h>

#include "nn_exact.h"
#include "nn_reduce.h"
#include "reference/complex_product.h"
#include "reference/mag.h"
#include "reference/reduce.h"

typedef struct ReduceRow {
    const char *name, *summary;
    Reduction reduction;
    uint32_t dtypes;
    bool one_axis;    /* the result tells a place along one axis */
    bool takes_empty; /* has a value for no elements */
    const char *policy, *nan;
} ReduceRow;

/* Numbers are true where they are not 0, complex ones where either part is not. */
enum { DTYPES_TRUE = DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_BOOLEAN | DTYPES_COMPLEX };

static const ReduceRow rows[] = {
    {"sum", "sum", REDUCE_SUM, DTYPES_TRUE, false, true, NULL, NULL},
    {"mean", "mean", REDUCE_MEAN, DTYPES_FLOAT | DTYPES_COMPLEX, false, true, NULL, NULL},
    {"prod", "product", REDUCE_PRODUCT, DTYPES_TRUE, false, true, NULL, NULL},
    {"amax", "greatest", REDUCE_GREATEST, DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_BOOLEAN, false,
     false, "nan-by-comparison", NAN_OF_GREATEST},
    {"amin", "least", REDUCE_LEAST, DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_BOOLEAN, false, false,
     "nan-by-comparison", NAN_OF_GREATEST},
    {"norm1", "sum of magnitudes", REDUCE_NORM_1, DTYPES_FLOAT | DTYPES_COMPLEX, false, true, NULL,
     NULL},
    {"norm2", "root of the sum of squares", REDUCE_NORM_2, DTYPES_FLOAT | DTYPES_COMPLEX, false,
     true, NULL, NULL},
    {"sum_squares", "sum of squares", REDUCE_SQUARES, DTYPES_FLOAT, false, true, NULL, NULL},
    {"logsumexp", "log of the sum of exponentials", REDUCE_LOG_SUM_EXP, DTYPES_FLOAT, false, true,
     NULL, NULL},
    {"var", "variance", REDUCE_VARIANCE, DTYPES_FLOAT | DTYPES_COMPLEX, false, true,
     "one-pass-variance", NULL},
    {"std", "standard deviation", REDUCE_DEVIATION, DTYPES_FLOAT | DTYPES_COMPLEX, false, true,
     "one-pass-variance", NULL},
    {"all", "whether all are true", REDUCE_ALL, DTYPES_TRUE, false, true, NULL, NULL},
    {"any", "whether one is true", REDUCE_ANY, DTYPES_TRUE, false, true, NULL, NULL},
    {"argmax", "place of the first greatest", REDUCE_PLACE_OF_GREATEST, DTYPES_FLOAT | DTYPES_WHOLE,
     true, false, NULL, NULL},
    {"argmin", "place of the first least", REDUCE_PLACE_OF_LEAST, DTYPES_FLOAT | DTYPES_WHOLE, true,
     false, NULL, NULL},
};

static const Param variance_params[] = {
    NN_REDUCE, P_INTEGER(Reduce, correction, 0, 1, 0, "what is subtracted from the count"), P_END};
static const char *const tensors[] = {"x", "y", NULL};

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Reduce *)params_of_case)->shape, 16);
}

static void normalise_axes(Reduce *q, bool one)
{
    nn_fit_axes(q);
    if (one)
        q->axes &= -q->axes;
}

static void normalise(void *params_of_case)
{
    normalise_axes(params_of_case, false);
}

static void normalise_full(void *params_of_case)
{
    normalise_axes(params_of_case, false);
    nn_fill_axes(params_of_case);
}

static void normalise_one(void *params_of_case)
{
    normalise_axes(params_of_case, true);
    nn_fill_axes(params_of_case);
}

static bool gives_truth(const ReduceRow *row)
{
    return row->reduction == REDUCE_ALL || row->reduction == REDUCE_ANY;
}

/* The sum of booleans is how many are true; sums and products of them are integers of 64 bits. */
static bool counts_truths(const ReduceRow *row)
{
    return row->reduction == REDUCE_SUM || row->reduction == REDUCE_PRODUCT;
}

static bool is_variance(const ReduceRow *row)
{
    return row->reduction == REDUCE_VARIANCE || row->reduction == REDUCE_DEVIATION;
}

static bool is_norm(const ReduceRow *row)
{
    return row->reduction == REDUCE_NORM_1 || row->reduction == REDUCE_NORM_2;
}

static void shape(const OpDesc *op, const void *params_of_case, Shapes *shapes)
{
    const ReduceRow *row = op->detail;
    DType dtype = nn_dtype(params_of_case);
    nn_shape_reduced(params_of_case, shapes);
    if (row->one_axis || (counts_truths(row) && dtype == DT_BOOL))
        shapes->tensor[1].layout.dtype = DT_I64;
    else if (gives_truth(row))
        shapes->tensor[1].layout.dtype = DT_BOOL;
    else if (is_variance(row) || is_norm(row))
        shapes->tensor[1].layout.dtype = dtype_component(dtype);
}

/* What numbers are as booleans. */
static Tensor truth_of(const Tensor *x, Arena *arena)
{
    Tensor truth = *x;
    size_t count = (size_t)tensor_count(x);
    truth.dtype = DT_BOOL;
    truth.origin = arena_take(arena, count + 1, 1);
    tensor_pack(&truth);
    for (size_t i = 0; i < count; i++)
        dtype_store(DT_BOOL, truth.origin, (int64_t)i, nn_is_nonzero(nn_element(x, (int64_t)i)));
    return truth;
}

/* The sum is divided by a complex number, whose imaginary part is 0: by three roundings more than a
 * real one, where a part that is not finite reaches the other. */
static void widen_quotients(Ref *ref, bool of_nothing)
{
    enum { ROUNDINGS = 3 };
    /* A complex number is NaN by either part (C23, G.3). */
    for (size_t i = 0; of_nothing && i < ref->count; i++)
        ref_set_classes(ref, i, CLASS_ANY);
    for (size_t i = 0; i < ref->count; i++)
        ref->magnitude[i] =
            add_up(ref->magnitude[i], mul_up(ROUNDINGS, add_up(fabs(ref->high[i]), ref->error[i])));
    for (size_t i = 0; i < ref->count; i += 2)
        ref_spread_special(ref, i);
}

static void mean_of_parts(Ref *ref, const ReferenceInput *input, const ReduceInput *in,
                          Arena *arena)
{
    Ref parts[2];
    for (int part = 0; part < 2; part++) {
        ReduceInput real = *in;
        real.x = tensor_part(in->x, part);
        real.y = tensor_part(in->y, part);
        reduce_reference(&parts[part], &real, arena);
    }
    ref_interleave(ref, &parts[0], &parts[1], input->tensors[1].dtype, arena);
    widen_quotients(ref, tensor_is_empty(&in->x));
}

/* What a bounded reference admits of an element beside its value. */
static double admitted(const Ref *ref, size_t i)
{
    return mul_up(ref->magnitude[i], dtype_format(ref->accumulator)->unit);
}

/* The sum of two variances, or its root, as reduce.h has roots. */
static void put_variance_sum(Ref *to, size_t i, const Ref *re, const Ref *im, bool root)
{
    const Format *format = dtype_format(to->accumulator);
    if ((re->classes[i] | im->classes[i]) != CLASS_FINITE) {
        ref_set_classes(to, i, re->classes[i] | im->classes[i]);
        return;
    }
    long double value = (long double)re->high[i] + re->low[i] + im->high[i] + im->low[i];
    double error = add_up(re->error[i], im->error[i]), v = double_up(value);
    double bound = add_up(add_up(admitted(re, i), admitted(im, i)), mul_up(format->unit, v));
    if (root) {
        double size = sqrt(v);
        bound = v > bound ? bound / (size + sqrt(v - bound)) : fmax(size, sqrt(v + bound) - size);
        bound = formula_up(bound + format->unit * size, 16);
        error = size > 0 ? error / size : 0x1p-40 * bound;
        value = sqrtl(value);
    }
    ref_put_bounded(to, i, value, error, bound);
}

/* The squared distance of complex numbers from their mean is the sum of those of both parts (NumPy,
 * var: "the absolute value is taken before squaring"); under each of their readings. */
static void variance_of_parts(Ref *ref, const ReduceInput *in, Arena *arena)
{
    Ref parts[2];
    for (int part = 0; part < 2; part++) {
        ReduceInput real = *in;
        real.reduction = REDUCE_VARIANCE;
        real.x = tensor_part(in->x, part);
        reduce_reference(&parts[part], &real, arena);
    }
    const Ref *im = &parts[1];
    for (const Ref *re = &parts[0]; re; re = re->alternative, im = im->alternative) {
        Ref sum;
        ref_allocate_bounded(&sum, in->y.dtype, &in->y, arena);
        for (size_t i = 0; i < sum.count; i++)
            put_variance_sum(&sum, i, re, im, in->reduction == REDUCE_DEVIATION);
        if (re == &parts[0])
            *ref = sum;
        else
            ref_add_alternative(ref, &sum, re->policy, arena);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Reduce *q = input->params;
    const ReduceRow *row = input->op->detail;
    ReduceInput in = {
        .reduction = row->reduction, .y = input->tensors[1], .correction = (double)q->correction};
    in.x = nn_reduced_last(&input->tensors[0], q->axes, &in.reduced);
    if (dtype_components(in.x.dtype) == 2 && is_norm(row)) {
        nn_norm_reference(&refs[1], input, q->axes, row->reduction == REDUCE_NORM_1 ? 1 : 2, arena);
        return;
    }
    if (gives_truth(row) && in.x.dtype != DT_BOOL)
        in.x = truth_of(&in.x, arena);
    if (dtype_components(in.x.dtype) == 2 && is_variance(row)) {
        variance_of_parts(&refs[1], &in, arena);
        return;
    }
    if (dtype_components(in.x.dtype) == 2 && row->reduction == REDUCE_PRODUCT) {
        complex_product_reference(&refs[1], &in, arena);
        return;
    }
    if (dtype_components(in.x.dtype) == 2) {
        mean_of_parts(&refs[1], input, &in, arena);
        return;
    }
    reduce_reference(&refs[1], &in, arena);
}

/* 0: those for sums.  What subtracts a mean or a greatest number meets numbers far from 0 too. */
static uint32_t fills_of(Reduction reduction)
{
    enum { OF_SUMS = 1 << FILL_WIDE | 1 << FILL_CANCEL | 1 << FILL_HUGE | 1 << FILL_TINY };
    switch (reduction) {
    case REDUCE_PRODUCT:
        return nn_product_fills;
    case REDUCE_VARIANCE:
    case REDUCE_DEVIATION:
    case REDUCE_LOG_SUM_EXP:
        return nn_moderate_fills | OF_SUMS;
    default:
        return 0;
    }
}

static OpDesc describe(const ReduceRow *row)
{
    return (OpDesc){
        NN_OP(Reduce, 1),
        .name = row->name,
        .summary = row->summary,
        .params = is_variance(row) ? variance_params : nn_reduce_params,
        .tensors = tensors,
        .dtypes = row->dtypes,
        .normalise = row->one_axis      ? normalise_one
                     : row->takes_empty ? normalise
                                        : normalise_full,
        .shape_of_row = shape,
        .work = work,
        .fills = fills_of(row->reduction),
        .by_parts = row->reduction == REDUCE_SUM,
        .reference = reference,
        .policy = row->policy,
        .nan = row->nan,
        .detail = row,
    };
}

OP_TABLE(ops_reduce)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = describe(&rows[i]);
    return table;
}
