/* What the order of the elements of a line decides, without their places; sums without NaN; sums,
 * differences and products of pairs that are one rounding. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nn_exact.h"
#include "nn_split.h"
#include "reference/complex_function.h"
#include "reference/reduce.h"

static const char *const plain_tensors[] = {"x", "y", NULL};
static const char *const pair_tensors[] = {"a", "b", "y", NULL};

#define ALONG NN_DTYPE(Exact), P_SHAPE(Exact, shape, 1, 4, "extents of the input"), NN_AXIS(Exact)
static const Param along_params[] = {ALONG, P_END};
static const Param kth_params[] = {ALONG, P_DIM_AS("k", Exact, steps, 1, 512, "place from 1"),
                                   P_END};

static void normalise_line(void *params)
{
    Exact *q = params;
    nn_fit_axis(&q->shape, &q->axis);
    int64_t *extent = &q->shape.extent[q->axis];
    *extent = *extent > 1 ? *extent : 1;
    q->steps = q->steps < *extent ? q->steps : *extent;
}

static void reduced_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape y = shape_without_axis(&q->shape, q->axis);
    *shapes = (Shapes){.count = 2, .depth = q->shape.extent[q->axis]};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

static void same_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    nn_shape_same(nn_dtype(q), &q->shape, shapes);
}

/* One line of numbers, with NaN behind them all or without. */
typedef struct Line {
    double *x;
    int64_t count, numbers; /* those that are not NaN */
    Split split;            /* of the tensor, by lines */
} Line;

static Line begin_lines(const Exact *q, const Tensor *x, Arena *arena)
{
    Split s = nn_split(x, q->axis);
    return (Line){arena_take(arena, (size_t)s.extent + 1, sizeof(double)), s.extent, 0, s};
}

static void read_line(Line *line, const Tensor *x, int64_t number)
{
    line->numbers = 0;
    for (int64_t k = 0; k < line->count; k++) {
        double value = tensor_value(x, nn_split_place(&line->split, number, 1, k));
        if (!isnan(value))
            line->x[line->numbers++] = value;
    }
}

static void sort_line(Line *line)
{
    qsort(line->x, (size_t)line->numbers, sizeof *line->x, value_compare);
}

static void put_value(Ref *ref, int64_t i, double value)
{
    ref_set_exact(ref, (size_t)i, value, MATCH_VALUE);
}

/* median: the lower of two in the middle; NaN where there is one. */
static void put_median(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line line = begin_lines(q, &t[0], arena);
    for (int64_t i = 0; i < tensor_count(&t[1]); i++) {
        read_line(&line, &t[0], i);
        sort_line(&line);
        put_value(&refs[1], i, line.numbers < line.count ? NAN : line.x[(line.count - 1) / 2]);
    }
}

/* nanmedian: the same of all numbers. */
static void put_nanmedian(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line line = begin_lines(q, &t[0], arena);
    for (int64_t i = 0; i < tensor_count(&t[1]); i++) {
        read_line(&line, &t[0], i);
        sort_line(&line);
        put_value(&refs[1], i, line.numbers == 0 ? NAN : line.x[(line.numbers - 1) / 2]);
    }
}

/* kthvalue: the k-th least; NaN is greater than all. */
static void put_kth(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line line = begin_lines(q, &t[0], arena);
    for (int64_t i = 0; i < tensor_count(&t[1]); i++) {
        read_line(&line, &t[0], i);
        sort_line(&line);
        put_value(&refs[1], i, q->steps > line.numbers ? NAN : line.x[q->steps - 1]);
    }
}

/* The numbers of a sorted line that come most often: their number is returned, and how often that
 * is; the first ones are put where there is room. */
static int find_modes(const Line *line, double modes[REF_CANDIDATES], int64_t *most)
{
    int count = 0;
    int64_t run = 0;
    *most = 0;
    for (int64_t k = 0; k < line->numbers; k++) {
        run = k > 0 && line->x[k] == line->x[k - 1] ? run + 1 : 1;
        if (run < *most)
            continue;
        count = run > *most ? 0 : count;
        *most = run;
        if (count < REF_CANDIDATES)
            modes[count] = line->x[k];
        count++;
    }
    return count;
}

/* A result lies among the numbers of all lines. */
static void limit_to_numbers(Ref *ref, const Tensor *x)
{
    ref->least = INFINITY;
    ref->greatest = -INFINITY;
    for (int64_t i = 0; i < tensor_count(x); i++) {
        double value = tensor_value(x, i);
        ref->least = fmin(ref->least, value);
        ref->greatest = fmax(ref->greatest, value);
    }
}

/* mode: one of the numbers that come most often, or NaN where there is one: whether it counts no
 * text settles.  Of many such numbers nothing is said but that they are numbers of x. */
static void put_mode(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Line line = begin_lines(q, &t[0], arena);
    nn_allocate_candidates(&refs[1], arena);
    limit_to_numbers(&refs[1], &t[0]);
    for (int64_t i = 0; i < tensor_count(&t[1]); i++) {
        double modes[REF_CANDIDATES + 1];
        int64_t most;
        read_line(&line, &t[0], i);
        sort_line(&line);
        int count = find_modes(&line, modes, &most);
        if (count > REF_CANDIDATES) {
            ref_admit_anything(&refs[1], (size_t)i);
            continue;
        }
        if (line.numbers < line.count)
            modes[count++] = NAN;
        ref_put_one_of(&refs[1], (size_t)i, modes, count);
    }
}

/* cummax and cummin: the greatest and the least so far; NaN stays. */
static void put_extremes(const Exact *q, const Tensor *t, Ref *ref, bool greatest)
{
    Split s = nn_split(&t[0], q->axis);
    for (int64_t i = 0; i < tensor_count(&t[0]); i++) {
        int64_t k = i / s.inner % s.extent;
        double value = tensor_value(&t[0], i);
        double before = k > 0 ? ref->high[i - s.inner] : value;
        if (k > 0 && ref->classes[i - s.inner] != CLASS_FINITE)
            before = ref_result(ref, (size_t)(i - s.inner));
        bool keeps = isnan(before) || (greatest ? before > value : before < value);
        put_value(ref, i, keeps ? before : value);
    }
}

static void put_cummax(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    put_extremes(q, t, &refs[1], true);
}

static void put_cummin(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    (void)arena;
    put_extremes(q, t, &refs[1], false);
}

/* Sums of integers may be beyond their range. */
static void allow_wrapping(Ref *ref, Arena *arena)
{
    if (dtype_is_integer(ref->dtype))
        nn_allocate_candidates(ref, arena);
}

/* nansum and nanmean: of all numbers; 0 and NaN where there is none. */
static void put_numbers(const Exact *q, const Tensor *t, Ref *ref, Reduction reduction,
                        Arena *arena)
{
    Line line = begin_lines(q, &t[0], arena);
    ReduceInput in = {.reduction = reduction};
    allow_wrapping(ref, arena);
    for (int64_t i = 0; i < tensor_count(&t[1]); i++) {
        read_line(&line, &t[0], i);
        if (line.numbers == 0)
            put_value(ref, i, reduction == REDUCE_MEAN ? NAN : 0);
        else
            reduce_put(ref, (size_t)i, &in, line.x, line.numbers, false);
    }
}

static void put_nansum(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    put_numbers(q, t, &refs[1], REDUCE_SUM, arena);
}

static void put_nanmean(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    put_numbers(q, t, &refs[1], REDUCE_MEAN, arena);
}

/* trace */
static const Param matrix_params[] = {NN_DTYPE(Exact),
                                      P_SHAPE(Exact, shape, 2, 2, "rows and columns"), P_END};

static void trace_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape number = {0};
    *shapes = (Shapes){.count = 2, .depth = q->shape.extent[0]};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &number, ROLE_OUT);
}

static void put_trace(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    ReduceInput in = {.reduction = REDUCE_SUM};
    int64_t columns = q->shape.extent[1];
    int64_t count = q->shape.extent[0] < columns ? q->shape.extent[0] : columns;
    double *x = arena_take(arena, (size_t)count + 1, sizeof *x);
    allow_wrapping(&refs[1], arena);
    for (int64_t i = 0; i < count; i++)
        x[i] = tensor_value(&t[0], i * (columns + 1));
    reduce_put(&refs[1], 0, &in, x, count, false);
}

static const Function *pair_function(const char *name)
{
    const Function *f = functions_of_pairs;
    while (strcmp(f->name, name) != 0)
        f++;
    return f;
}

/* diff: each element less the one before it. */
static void diff_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape y = q->shape;
    y.extent[q->axis]--;
    *shapes = (Shapes){.count = 2, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

static void put_diff(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Tensor before = t[0], behind = t[0];
    size_t step = (size_t)t[0].stride[q->axis] * dtype_size(t[0].dtype);
    before.extent[q->axis]--;
    behind.extent[q->axis]--;
    behind.origin = (char *)t[0].origin + step;
    function_pair_reference(&refs[1], pair_function("sub"), &behind, &before, t[1].dtype, arena);
}

/* kron: every element of a times the whole of b. */
static const Param kron_params[] = {NN_DTYPE(Exact), P_SHAPE(Exact, shape, 2, 2, "extents of a"),
                                    P_SHAPE(Exact, shape_b, 2, 2, "extents of b"), P_END};

static void kron_shape(const void *params, Shapes *shapes)
{
    const Exact *q = params;
    Shape y = {
        2, {q->shape.extent[0] * q->shape_b.extent[0], q->shape.extent[1] * q->shape_b.extent[1]}};
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &q->shape_b, ROLE_IN);
    shapes->tensor[2] = nn_tensor(nn_dtype(q), &y, ROLE_OUT);
}

/* A matrix along two of four axes. */
static Tensor spread(const Tensor *matrix, const Exact *q, int first)
{
    Tensor view = *matrix;
    view.rank = 4;
    for (int axis = 0; axis < 4; axis++) {
        bool own = axis % 2 == first;
        view.extent[axis] = (axis % 2 == 0 ? q->shape : q->shape_b).extent[axis / 2];
        view.stride[axis] = own ? matrix->stride[axis / 2] : 0;
    }
    return view;
}

static void put_kron(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Tensor a = spread(&t[0], q, 0), b = spread(&t[1], q, 1);
    if (dtype_components(t[0].dtype) == 2) {
        complex_function_reference(&refs[2], complex_function_named("mul"), &a, &b, arena);
        return;
    }
    function_pair_reference(&refs[2], pair_function("mul"), &a, &b, t[2].dtype, arena);
}

enum {
    NUMBERS = DTYPES_FLOAT | DTYPES_WHOLE,
    TRUTHS = NUMBERS | DTYPES_BOOLEAN,
    REPEATED = 1 << FILL_INT | 1 << FILL_SPARSE | 1 << FILL_NEAR
};

static const IllegalRule illegal_place[] = {
    {ILLEGAL_INTEGER, "k", 0}, {ILLEGAL_BEYOND, "k", 0}, {0}};

static const ExactRow rows[] = {
    {"median", "the lower middle of a line", plain_tensors, along_params, normalise_line,
     reduced_shape, NUMBERS, nn_function_fills, put_median, false, NULL, NULL},
    {"nanmedian", "the lower middle of the numbers of a line", plain_tensors, along_params,
     normalise_line, reduced_shape, NUMBERS, nn_function_fills, put_nanmedian, false, NULL, NULL},
    {"kthvalue", "the k-th least of a line", plain_tensors, kth_params, normalise_line,
     reduced_shape, NUMBERS, nn_function_fills, put_kth, false, illegal_place, NULL},
    {"mode_value", "the most frequent of a line", plain_tensors, along_params, normalise_line,
     reduced_shape, TRUTHS, REPEATED, put_mode, false, NULL, NULL},
    {"cummax", "the greatest so far", plain_tensors, along_params, normalise_line, same_shape,
     TRUTHS, nn_function_fills, put_cummax, false, NULL, NULL},
    {"cummin", "the least so far", plain_tensors, along_params, normalise_line, same_shape, TRUTHS,
     nn_function_fills, put_cummin, false, NULL, NULL},
    {"nansum", "sum of all numbers", plain_tensors, along_params, normalise_line, reduced_shape,
     NUMBERS, 0, put_nansum, true, NULL, NULL},
    {"nanmean", "mean of all numbers", plain_tensors, along_params, normalise_line, reduced_shape,
     DTYPES_FLOAT, 0, put_nanmean, true, NULL, NULL},
    {"trace", "sum of the main diagonal", plain_tensors, matrix_params, NULL, trace_shape,
     NUMBERS | DTYPES_COMPLEX, 0, put_trace, true, NULL, NULL},
    {"diff", "differences of neighbours of a line", plain_tensors, along_params, normalise_line,
     diff_shape, TRUTHS | DTYPES_COMPLEX, nn_function_fills, put_diff, false, NULL,
     ZERO_SIGN("differences", "IEEE 754-2019, 6.3")},
    {.name = NULL},
};

static const ExactRow products[] = {
    {"kron", "every element of a times the whole of b", pair_tensors, kron_params, NULL, kron_shape,
     TRUTHS | DTYPES_COMPLEX, nn_function_fills, put_kron, false, NULL,
     ZERO_SIGN("products", "IEEE 754-2019, 6.3")},
    {.name = NULL},
};

OP_TABLE(ops_rank)
{
    static OpDesc table[COUNT_OF(rows) + COUNT_OF(products) - 1];
    nn_describe_exact(table, rows);
    nn_describe_whole(table + COUNT_OF(rows) - 1, products);
    return table;
}
