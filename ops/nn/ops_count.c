/* Counts and places, comparisons of whole tensors, and sets. */
#include <math.h>
#include <stdlib.h>

#include "nn_distinct.h"
#include "nn_exact.h"
#include "nn_reduce.h"
#include "reference/wide_complex.h"

static void put_whole(Ref *ref, int64_t i, double value)
{
    ref_set_exact(ref, (size_t)i, value, MATCH_VALUE);
}

static void begin(const Exact *q, const Shape *extents, Shapes *shapes)
{
    *shapes = (Shapes){.count = 1, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), extents, ROLE_IN);
}

static const char *const plain_tensors[] = {"x", "y", NULL};
static const char *const pair_tensors[] = {"a", "b", "y", NULL};

/* count_nonzero: over some axes; NaN is not 0. */
static const Param count_params[] = {
    NN_DTYPE(Exact), NN_INPUT_SHAPE(Exact),
    P_INTEGER(Exact, axes, 0, 31, 0, "axes that are reduced, as bits, the innermost first"),
    P_CHOICE(Exact, keepdims, nn_yes_no, "reduced axes stay with an extent of 1"), P_END};

static Reduce reduce_of(const Exact *q)
{
    return (Reduce){.dtype = q->dtype, .shape = q->shape, .axes = q->axes, .keepdims = q->keepdims};
}

static void normalise_count(void *params)
{
    Exact *q = params;
    Reduce r = reduce_of(q);
    nn_fit_axes(&r);
    q->axes = r.axes;
}

static void count_shape(const void *params, Shapes *shapes)
{
    Reduce r = reduce_of(params);
    nn_shape_reduced(&r, shapes);
    shapes->tensor[1].layout.dtype = DT_I64;
    tensor_pack(&shapes->tensor[1].layout);
}

static void put_count(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    int reduced = 0;
    int64_t results = tensor_count(&t[1]), each = 1;
    Tensor x = nn_reduced_last(&t[0], q->axes, &reduced);
    (void)arena;
    for (int axis = x.rank - reduced; axis < x.rank; axis++)
        each *= x.extent[axis];
    for (int64_t i = 0; i < results; i++) {
        int64_t count = 0;
        for (int64_t k = 0; k < each; k++)
            count += nn_is_nonzero(nn_element(&x, i * each + k));
        put_whole(&refs[1], i, (double)count);
    }
}

/* nonzero: the indices of elements that are not 0, NaN among them, in row-major order; zeros behind
 * them. */
static const Param nonzero_params[] = {NN_DTYPE(Exact),
                                       P_SHAPE(Exact, shape, 1, 4, "extents of the input"), P_END};

static void nonzero_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape places = {2, {shape_count(&q->shape), q->shape.rank}};
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    nn_add_operand(shapes, DT_I64, &places, ROLE_OUT);
}

static void put_nonzero(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    int64_t rank = q->shape.rank, found = 0, count = tensor_count(&t[0]);
    (void)arena;
    for (int64_t i = 0; i < count; i++) {
        int64_t number = i;
        if (!nn_is_nonzero(nn_element(&t[0], i)))
            continue;
        for (int64_t axis = rank - 1; axis >= 0; axis--)
            put_whole(&refs[1], found * rank + axis,
                      (double)tensor_take_index(&number, q->shape.extent[axis]));
        found++;
    }
    for (int64_t i = found * rank; i < count * rank; i++)
        put_whole(&refs[1], i, 0);
}

/* bincount: how often each of the first whole numbers comes. */
static const Param bincount_params[] = {NN_DTYPE(Exact), P_DIM(Exact, steps, 0, 1024, "elements"),
                                        P_DIM(Exact, bins, 1, 128, "numbers that are counted"),
                                        P_END};

static void bincount_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape line = {1, {q->steps}}, counts = {1, {q->bins}};
    begin(q, &line, shapes);
    shapes->tensor[0].index_below = q->bins;
    nn_add_operand(shapes, DT_I64, &counts, ROLE_OUT);
}

static void put_bincount(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    double *counts = arena_take_zeroed(arena, (size_t)q->bins, sizeof *counts);
    for (int64_t i = 0; i < q->steps; i++)
        counts[(int64_t)tensor_value(&t[0], i)]++;
    for (int64_t i = 0; i < q->bins; i++)
        put_whole(&refs[1], i, counts[i]);
}

/* histc: elements between whole numbers from 0 to `bins`; the last bin has its upper end as well.
 * NaN and what lies outside is not counted. */
static const Param histc_params[] = {NN_DTYPE(Exact), NN_INPUT_SHAPE(Exact),
                                     P_DIM(Exact, bins, 1, 100, "bins of the width 1"), P_END};

static void histc_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape counts = {1, {q->bins}};
    begin(q, &q->shape, shapes);
    nn_add_operand(shapes, nn_dtype(q), &counts, ROLE_OUT);
}

static void put_histc(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    double *counts = arena_take_zeroed(arena, (size_t)q->bins, sizeof *counts);
    for (int64_t i = 0; i < tensor_count(&t[0]); i++) {
        double x = tensor_value(&t[0], i);
        if (x >= 0 && x <= (double)q->bins)
            counts[x == (double)q->bins ? q->bins - 1 : (int64_t)x]++;
    }
    for (int64_t i = 0; i < q->bins; i++)
        put_whole(&refs[1], i, counts[i]);
}

/* one_hot: a row of zeros with a 1 for each index. */
static const Param one_hot_params[] = {
    NN_DTYPE(Exact), P_SHAPE(Exact, shape, 0, TENSOR_RANK_MAX - 1, "extents of the indices"),
    P_DIM(Exact, num_classes, 1, 64, "elements of a row"), P_END};

static void one_hot_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape y = q->shape;
    y.extent[y.rank++] = q->num_classes;
    begin(q, &q->shape, shapes);
    shapes->tensor[0].index_below = q->num_classes;
    nn_add_operand(shapes, DT_I64, &y, ROLE_OUT);
}

static void put_one_hot(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[1]); i++)
        put_whole(&refs[1], i,
                  tensor_value(&t[0], i / q->num_classes) == (double)(i % q->num_classes));
}

/* isin: whether elements are among others; NaN is among none. */
static const Param isin_params[] = {NN_DTYPE(Exact), NN_INPUT_SHAPE(Exact),
                                    P_SHAPE(Exact, shape_b, 0, 2, "extents of the others"), P_END};

static void isin_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    begin(q, &q->shape, shapes);
    nn_add_operand(shapes, nn_dtype(q), &q->shape_b, ROLE_IN);
    nn_add_operand(shapes, DT_BOOL, &q->shape, ROLE_OUT);
}

static void put_isin(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)q;
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[0]); i++) {
        double value = tensor_value(&t[0], i);
        bool found = false;
        for (int64_t k = 0; k < tensor_count(&t[1]) && !found; k++)
            found = tensor_value(&t[1], k) == value;
        put_whole(&refs[2], i, found);
    }
}

/* equal: whether all elements of two are equal; NaN equals none. */
static const Param same_params[] = {NN_DTYPE(Exact), NN_INPUT_SHAPE(Exact), P_END};

static void equal_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape number = {0};
    begin(q, &q->shape, shapes);
    nn_add_operand(shapes, nn_dtype(q), &q->shape, ROLE_IN);
    nn_add_operand(shapes, DT_BOOL, &number, ROLE_OUT);
}

static bool is_equal(Scalar a, Scalar b)
{
    return a.re == b.re && a.im == b.im;
}

static void put_equal(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    bool equal = true;
    (void)q;
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[0]); i++)
        equal = equal && is_equal(nn_element(&t[0], i), nn_element(&t[1], i));
    put_whole(&refs[2], 0, equal);
}

/* isclose: |a - b| <= atol + rtol |b| for numbers; NaN is close to NaN where equal_nan says so.
 * allclose: all of them. */
static const Param close_params[] = {NN_DTYPE(Exact),
                                     NN_INPUT_SHAPE(Exact),
                                     P_REAL(Exact, rtol, 0, "relative tolerance"),
                                     P_REAL(Exact, atol, 0, "absolute tolerance"),
                                     P_CHOICE(Exact, equal_nan, nn_yes_no, "NaN is close to NaN"),
                                     P_END};

/* Of tolerances below 0, or that are NaN, no text says what is close. */
static double tolerance(double value)
{
    return isnan(value) ? 1 : fabs(value);
}

static void normalise_close(void *params)
{
    Exact *q = params;
    q->rtol.re = tolerance(q->rtol.re);
    q->atol.re = tolerance(q->atol.re);
}

static void close_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    equal_shape(params, shapes);
    shapes->tensor[2] = nn_tensor(DT_BOOL, &q->shape, ROLE_OUT);
}

static bool scalar_has_nan(Scalar x)
{
    return isnan(x.re) || isnan(x.im);
}

typedef enum Closeness { CLOSE_NO, CLOSE_YES, CLOSE_EITHER } Closeness;

/* Four roundings, each of a unit of the larger side, and an underflow, may decide; a modulus is
 * within 4 units in the last place (OpenCL C 3.0, hypot), and subnormal where its squares are.
 * Integers may be rounded to binary32 first, and are equal or not as they are. */
static Closeness closeness(const Exact *q, Scalar a, Scalar b, DType dtype)
{
    bool whole = dtype_components(dtype) == 2, integer = dtype_is_integer(dtype);
    const Format *f = dtype_format(integer ? DT_F32 : dtype);
    if (scalar_has_nan(a) || scalar_has_nan(b))
        return scalar_has_nan(a) && scalar_has_nan(b) && q->equal_nan ? CLOSE_YES : CLOSE_NO;
    /* So is the tolerance a product of 0 and infinity, which a modulus beyond the range is too. */
    if (is_equal(a, b)) {
        bool beyond = scalar_is_finite(b) && hypotl(b.re, b.im) > f->largest / 2;
        bool unknown = nn_is_nonzero(b) ? beyond && q->rtol.re == 0 : isinf(q->rtol.re);
        return unknown ? CLOSE_EITHER : CLOSE_YES;
    }
    /* The formula has infinities on both sides, and infinities are close where they are equal. */
    if (!scalar_is_finite(b) && q->rtol.re > 0)
        return CLOSE_EITHER;
    bool finite = scalar_is_finite(a) && scalar_is_finite(b);
    /* An infinite tolerance may be a product with 0, a difference beyond the range infinite. */
    long double apart = hypotl((long double)a.re - b.re, (long double)a.im - b.im);
    if (isinf(q->rtol.re) || isinf(q->atol.re))
        return isinf(q->rtol.re) || !finite || apart > f->largest / 2 ? CLOSE_EITHER : CLOSE_YES;
    long double size = hypotl(b.re, b.im), allowed = q->atol.re + q->rtol.re * size;
    if (!finite)
        return scalar_is_finite(b) && allowed * (1 + 4 * f->unit) > f->largest ? CLOSE_EITHER
                                                                               : CLOSE_NO;
    long double doubt = (whole ? 16 : 4) * (long double)f->unit * (apart + allowed) +
                        4 * (whole ? sqrtl(f->smallest_normal) : f->smallest_normal) +
                        (integer ? 2 * (long double)f->unit * (fabs(a.re) + size) : 0);
    if (fabsl(apart - allowed) <= doubt || apart > f->largest / 2 || allowed > f->largest / 2)
        return CLOSE_EITHER;
    return apart < allowed ? CLOSE_YES : CLOSE_NO;
}

static Closeness closeness_at(const Exact *q, const Tensor *t, int64_t i)
{
    return closeness(q, nn_element(&t[0], i), nn_element(&t[1], i), t[0].dtype);
}

static void put_closeness(Ref *ref, int64_t i, Closeness close)
{
    put_whole(ref, i, close == CLOSE_YES);
    if (close == CLOSE_EITHER)
        ref_set_classes(ref, (size_t)i, CLASS_ANY);
}

static void put_isclose(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[0]); i++)
        put_closeness(&refs[2], i, closeness_at(q, t, i));
}

static void put_allclose(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Closeness all = CLOSE_YES;
    (void)arena;
    for (int64_t i = 0; i < tensor_count(&t[0]); i++) {
        Closeness one = closeness_at(q, t, i);
        if (one == CLOSE_NO || (one == CLOSE_EITHER && all == CLOSE_YES))
            all = one;
        if (all == CLOSE_NO)
            break;
    }
    put_closeness(&refs[2], 0, all);
}

/* unique_consecutive: of equal neighbours the first, for each element the place of its value, and
 * how many there are of each; zeros behind them.  NaN equals none.  unique_counts: the same of the
 * sorted line. */
static const Param line_params[] = {NN_DTYPE(Exact), P_DIM(Exact, steps, 0, 1024, "elements"),
                                    P_END};
static const char *const consecutive_tensors[] = {"x", "values", "places", "counts", NULL};
static const char *const counts_tensors[] = {"x", "values", "counts", NULL};

static void counts_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape line = {1, {q->steps}};
    begin(q, &line, shapes);
    nn_add_operand(shapes, nn_dtype(q), &line, ROLE_OUT);
    nn_add_operand(shapes, DT_I64, &line, ROLE_OUT);
}

static void consecutive_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape line = {1, {q->steps}};
    counts_shape(params, shapes);
    nn_add_operand(shapes, DT_I64, &line, ROLE_OUT);
}

static void put_runs(const double *x, int64_t count, Ref *values, Ref *counts, Ref *places)
{
    int64_t runs = 0, length = 0;
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || x[i] != x[i - 1]) {
            put_whole(values, runs++, x[i]);
            length = 0;
        }
        put_whole(counts, runs - 1, (double)++length);
        put_whole(places, i, (double)(runs - 1));
    }
    for (int64_t i = runs; i < count; i++) {
        put_whole(values, i, 0);
        put_whole(counts, i, 0);
    }
}

static void put_consecutive(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    double *x = arena_take(arena, (size_t)q->steps + 1, sizeof *x);
    for (int64_t i = 0; i < q->steps; i++)
        x[i] = tensor_value(&t[0], i);
    put_runs(x, q->steps, &refs[1], &refs[3], &refs[2]);
}

static void put_counts(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    const Distinct distinct = nn_distinct(&t[0], arena);
    for (int k = 1; k <= 2; k++)
        nn_allocate_candidates(&refs[k], arena);
    refs[2].least = 0;
    refs[2].greatest = (double)q->steps;
    for (size_t i = 0; i < refs[1].count; i++) {
        nn_put_distinct(&refs[1], i, &distinct);
        nn_put_frequency(&refs[2], i, &distinct);
    }
}

enum {
    NUMBERS = DTYPES_FLOAT | DTYPES_WHOLE,
    CLOSE = DTYPES_BLAS | DTYPES_INTEGER | DTYPES_BOOLEAN,
    /* Numbers that come several times. */
    REPEATED = 1 << FILL_INT | 1 << FILL_SPARSE | 1 << FILL_NEAR | 1 << FILL_NORMAL
};

static const IllegalRule illegal_bins[] = {{ILLEGAL_INTEGER, "bins", 0}, {0}},
                         illegal_least[] = {{ILLEGAL_INTEGER, "bins", -1}, {0}},
                         illegal_tolerance[] = {{ILLEGAL_NUMBER, "rtol", -1},
                                                {ILLEGAL_NUMBER, "atol", -1},
                                                {0}},
                         illegal_class[] = {{ILLEGAL_INDEX, "x", 0}, {0}};

static const ExactRow rows[] = {
    {"count_nonzero", "how many are not 0", plain_tensors, count_params, normalise_count,
     count_shape, NUMBERS | DTYPES_BOOLEAN | DTYPES_COMPLEX, REPEATED, put_count, false, NULL,
     NULL},
    {"nonzero", "indices of elements that are not 0, zeros behind them", plain_tensors,
     nonzero_params, NULL, nonzero_shape,
     DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_BOOLEAN | DTYPES_COMPLEX,
     1 << FILL_SPARSE | 1 << FILL_NORMAL | 1 << FILL_INT | 1 << FILL_ZEROS, put_nonzero, false,
     NULL, NULL},
    {"bincount", "how often each whole number comes", plain_tensors, bincount_params, NULL,
     bincount_shape, 1u << DT_I32 | 1u << DT_I64, 0, put_bincount, false, illegal_least, NULL},
    {"histc", "how many lie between whole numbers", plain_tensors, histc_params, NULL, histc_shape,
     DTYPES_REAL, nn_function_fills, put_histc, false, illegal_bins, NULL},
    {"one_hot", "rows of zeros with a 1 by index", plain_tensors, one_hot_params, NULL,
     one_hot_shape, 1u << DT_I64, 0, put_one_hot, false, illegal_class, NULL},
    {"isin", "which are among others", pair_tensors, isin_params, NULL, isin_shape, NUMBERS,
     REPEATED, put_isin, false, NULL, NULL},
    {"equal", "whether two have equal elements", pair_tensors, same_params, NULL, equal_shape,
     NUMBERS | DTYPES_BOOLEAN | DTYPES_COMPLEX, REPEATED | 1 << FILL_ONES | 1 << FILL_ZEROS,
     put_equal, false, NULL, NULL},
    {"isclose", "which are equal within tolerances", pair_tensors, close_params, normalise_close,
     close_shape, CLOSE, nn_function_fills, put_isclose, false, illegal_tolerance, NULL},
    {"allclose", "whether all are equal within tolerances", pair_tensors, close_params,
     normalise_close, equal_shape, CLOSE, nn_function_fills, put_allclose, false, illegal_tolerance,
     NULL},
    {"unique_consecutive", "the first of equal neighbours, and how many there are",
     consecutive_tensors, line_params, NULL, consecutive_shape, NUMBERS | DTYPES_BOOLEAN, REPEATED,
     put_consecutive, false, NULL, NULL},
    {"unique_counts", "different values in order, and how many there are", counts_tensors,
     line_params, NULL, counts_shape, NUMBERS | DTYPES_BOOLEAN, REPEATED, put_counts, false, NULL,
     NULL},
    {.name = NULL},
};

OP_TABLE(ops_count)
{
    static OpDesc table[COUNT_OF(rows)];
    nn_describe_whole(table, rows);
    return table;
}
