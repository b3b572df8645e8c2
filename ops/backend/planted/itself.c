/* Faults within every bound, and outcomes that references leave open: only a second call on related
 * data shows them. */
#include <math.h>
#include <string.h>

#include "matrices.h"

enum { LANES = 4 };

static const Tensor *output(const PlantedCall *call)
{
    return &call->operands->view[call->operands->shapes.count - 1];
}

/* The first element behind the last whole vector; all of fewer are one vector. */
static int64_t tail_begin(int64_t count)
{
    return count > LANES ? count - count % LANES : count;
}

/* The sum rounded down, as under another rounding mode: that of the negated data is another one. */
static double sum_down(DType dtype, const double *x, const double *y, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += x[i] * y[i];
    double nearest = dtype_round(dtype, sum);
    return nearest > sum ? dtype_round(dtype, nextafterf((float)nearest, -INFINITY)) : nearest;
}

static const PlantedVariant rounds_down = {"self-rounds-down", "", sum_down, false, false};

/* Of a few terms the bound of a sum would tell. */
static void finish_down(PlantedCall *call)
{
    const Operands *o = call->operands;
    if (dtype_format(case_dtype(o->source))->precision != 24 || o->view[0].extent[1] < 8)
        return;
    memcpy(o->block[2].data, o->pristine[2], o->block[2].bytes);
    planted_compute(&rounds_down, o, call->arena);
}

/* What is left behind the last whole vector is computed by another function, which errs by one unit
 * in the last place more. */
static void finish_tail(PlantedCall *call)
{
    const Tensor *y = output(call);
    int64_t count = tensor_count(y);
    for (int64_t i = tail_begin(count); y->dtype == DT_F32 && i < count; i++) {
        int64_t at = tensor_offset_of(y, i);
        float value = (float)dtype_load(y->dtype, y->origin, at);
        if (isfinite(value) && value != 1 && value > 0x1p-100F)
            dtype_store(y->dtype, y->origin, at, nextafterf(value, 0));
    }
}

/* From element `first` on numbers that are not x become y; NaN is NaN. */
static void replace(const Tensor *t, int64_t first, double x, double y)
{
    int64_t count = tensor_count(t);
    for (int64_t i = first; i < count; i++) {
        int64_t at = tensor_offset_of(t, i);
        double value = dtype_load(t->dtype, t->origin, at);
        if (isnan(x) ? isnan(value) : value == x)
            dtype_store(t->dtype, t->origin, at, y);
    }
}

/* What a comparison makes of NaN is a convention: here it is NaN in whole vectors and 0 behind. */
static void finish_tail_nan(PlantedCall *call)
{
    replace(output(call), tail_begin(tensor_count(output(call))), NAN, 0);
}

static void finish_comparison(PlantedCall *call)
{
    replace(output(call), 0, NAN, 0);
}

/* A zero in place of a bound has either sign: here it depends on the place. */
static void finish_tail_zero(PlantedCall *call)
{
    const Tensor *y = output(call);
    int64_t begin = tail_begin(tensor_count(y));
    replace(y, 0, 0, 0);
    replace(y, begin, 0, -0.0);
}

/* What a comparison makes of NaN is 0 where several threads share the elements. */
static void finish_threads_nan(PlantedCall *call)
{
    if (call->operands->source->exec.threads > 1)
        replace(output(call), 0, NAN, 0);
}

/* Of infinite terms a variance is NaN or infinite: behind the first row it is the other one.  That
 * of no terms, or of no more than the correction, can only be NaN. */
static void finish_batch_infinity(PlantedCall *call)
{
    int64_t correction = case_int(call->operands->source, "correction");
    if (tensor_count(&call->operands->view[0]) > 0 && correction == 0)
        replace(output(call), 1, NAN, INFINITY);
}

/* It is infinite where one of them is negative. */
static void finish_sign_of_infinity(PlantedCall *call)
{
    const Tensor *x = &call->operands->view[0];
    bool negative = false, nan = false;
    for (int64_t i = 0; i < tensor_count(x); i++) {
        double value = dtype_load(x->dtype, x->origin, tensor_offset_of(x, i));
        negative = negative || value == -INFINITY;
        nan = nan || isnan(value);
    }
    if (negative && !nan)
        replace(output(call), 0, NAN, INFINITY);
}

/* Leaves the matrix as it was, in place of NaN, with which nothing is compared. */
static void keep_tridiagonal(const PlantedCall *call)
{
    const Operands *o = call->operands;
    for (int i = 0; i < 2; i++)
        memcpy(o->block[i].data, o->pristine[i], o->block[i].bytes);
}

static bool has_vectors(const PlantedCall *call)
{
    return case_int(call->operands->source, "job") != 0;
}

/* Either sign of a vector is right: here it depends on the place. */
static void finish_moved_vector(PlantedCall *call)
{
    const Tensor *view = planted_view_of(call, "z");
    keep_tridiagonal(call);
    if (!has_vectors(call) || (uintptr_t)view->origin % 16 == 0)
        return;
    Matrix z = matrix_read(view, call->arena);
    for (int64_t i = 0; i < z.rows; i++) {
        Scalar x = *matrix_at(&z, i, 0);
        *matrix_at(&z, i, 0) = (Scalar){-x.re, -x.im};
    }
    planted_store_matrix(view, &z);
}

/* Puts what memory held, other numbers each time, into elements from `first` on. */
static void leave_values(PlantedCall *call, const char *name, int64_t first)
{
    const Tensor *view = planted_view_of(call, name);
    for (int64_t i = first; i < view->extent[0]; i++)
        dtype_store(view->dtype, view->origin, tensor_offset_of(view, i),
                    (double)(call->number + 1));
}

/* The same for the elements of a matrix from a row and a column on. */
static void leave_vectors(PlantedCall *call, const char *name, int64_t row, int64_t column)
{
    const Tensor *view = planted_view_of(call, name);
    Matrix z = matrix_read(view, call->arena);
    for (int64_t i = row; i < z.rows; i++)
        for (int64_t j = column; j < z.columns; j++)
            *matrix_at(&z, i, j) = (Scalar){(double)(call->number + 1), 0};
    planted_store_matrix(view, &z);
}

/* Behind the values and vectors that were found lies what memory held, as a wrapper leaves it that
 * copies all columns. */
static void finish_behind_found(PlantedCall *call)
{
    int64_t found = planted_load_integer(call, "m", 0);
    keep_tridiagonal(call);
    leave_values(call, "w", found);
    if (has_vectors(call))
        leave_vectors(call, "z", 0, found);
}

static void finish_behind_found_both(PlantedCall *call)
{
    int64_t found = planted_load_integer(call, "ns", 0);
    leave_values(call, "s", found);
    leave_vectors(call, "u", 0, found);
    leave_vectors(call, "v", found, 0);
}

const PlantedFault planted_own_faults[] = {
    {"self-rounds-down", "gemm", "single precision, k of 8 and more: sums are rounded down", NULL,
     finish_down},
    {"self-tail", "exp", "single precision: elements behind the last four", NULL, finish_tail},
    {"self-tail-nan", "softshrink", "NaN becomes 0 behind the last four elements", NULL,
     finish_tail_nan},
    {"self-threads-nan", "softshrink", "NaN becomes 0 on several threads", NULL,
     finish_threads_nan},
    {"self-tail-zero", "clamp", "zeros are negative behind the last four elements", NULL,
     finish_tail_zero},
    {"self-batch-infinity", "var", "infinite terms give infinity behind the first row", NULL,
     finish_batch_infinity},
    {"self-sign-of-infinity", "std", "negative infinite terms give infinity", NULL,
     finish_sign_of_infinity},
    {"self-vector-moved", "stemr", "the first vector has another sign where Z is not aligned", NULL,
     finish_moved_vector},
    {"ok-behind-found", "stemr", "right: columns behind the vectors found are others each time",
     NULL, finish_behind_found},
    {"ok-behind-found-both", "gesvdx", "right: what is behind the vectors found is other each time",
     NULL, finish_behind_found_both},
    {"ok-comparison", "softshrink", "NaN becomes 0 everywhere", NULL, finish_comparison},
    {NULL, NULL, NULL, NULL, NULL},
};
