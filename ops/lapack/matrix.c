/* Copies between operands, matrices and references. */
#include "matrix.h"

#include <math.h>
#include <string.h>

#include "reference/function.h"
#include "reference/mag.h"
#include "reference/wide_complex.h"

bool matrix_is_finite(const Matrix *matrix)
{
    for (int64_t i = 0; i < matrix->rows * matrix->columns; i++)
        if (!scalar_is_finite(matrix->values[i]))
            return false;
    return true;
}

bool matrix_has_nan(const Matrix *matrix)
{
    for (int64_t i = 0; i < matrix->rows * matrix->columns; i++)
        if (isnan(matrix->values[i].re) || isnan(matrix->values[i].im))
            return true;
    return false;
}

double matrix_column_norm(const Matrix *matrix, int64_t first, int64_t end, int64_t j)
{
    long double sum = 0;
    for (int64_t i = first; i < end; i++) {
        long double re = matrix_at(matrix, i, j)->re, im = matrix_at(matrix, i, j)->im;
        sum += re * re + im * im;
    }
    return (double)sqrtl(sum);
}

double matrix_norm(const Matrix *matrix)
{
    long double sum = 0;
    for (int64_t i = 0; i < matrix->rows * matrix->columns; i++) {
        long double re = matrix->values[i].re, im = matrix->values[i].im;
        sum += re * re + im * im;
    }
    return (double)sqrtl(sum);
}

void matrix_exchange_rows(Matrix *a, int64_t i, int64_t k)
{
    for (int64_t j = 0; j < a->columns && i != k; j++) {
        Scalar kept = *matrix_at(a, i, j);
        *matrix_at(a, i, j) = *matrix_at(a, k, j);
        *matrix_at(a, k, j) = kept;
    }
}

Matrix matrix_zeros(int64_t rows, int64_t columns, Arena *arena)
{
    size_t count = (size_t)(rows * columns) + 1;
    return (Matrix){arena_take_zeroed(arena, count, sizeof(Scalar)), rows, columns};
}

Matrix matrix_identity(int64_t n, Arena *arena)
{
    Matrix matrix = matrix_zeros(n, n, arena);
    for (int64_t i = 0; i < n; i++)
        *matrix_at(&matrix, i, i) = (Scalar){1, 0};
    return matrix;
}

Matrix matrix_copy(const Matrix *matrix, Arena *arena)
{
    Matrix copy = matrix_zeros(matrix->rows, matrix->columns, arena);
    memcpy(copy.values, matrix->values,
           (size_t)(matrix->rows * matrix->columns) * sizeof *copy.values);
    return copy;
}

Matrix matrix_read(const Tensor *tensor, Arena *arena)
{
    int components = dtype_components(tensor->dtype);
    Matrix matrix = matrix_zeros(tensor->extent[0], tensor->extent[1], arena);
    for (int64_t i = 0; i < matrix.rows; i++) {
        TensorRow row = tensor_row(tensor, i);
        for (int64_t j = row.first; j < row.end; j++) {
            int64_t at = tensor_offset(tensor, i, j) * components;
            Scalar *to = matrix_at(&matrix, i, j);
            to->re = dtype_load(tensor->dtype, tensor->origin, at);
            if (components == 2)
                to->im = dtype_load(tensor->dtype, tensor->origin, at + 1);
        }
    }
    return matrix;
}

void matrix_write(const Matrix *matrix, const Tensor *view)
{
    int components = dtype_components(view->dtype);
    for (int64_t i = 0; i < matrix->rows; i++) {
        TensorRow row = tensor_row(view, i);
        for (int64_t j = row.first; j < row.end; j++) {
            int64_t at = tensor_offset(view, i, j) * components;
            dtype_store(view->dtype, view->origin, at, matrix_at(matrix, i, j)->re);
            if (components == 2)
                dtype_store(view->dtype, view->origin, at + 1, matrix_at(matrix, i, j)->im);
        }
    }
}

size_t matrix_element(const Ref *ref, int64_t i, int64_t j)
{
    return ((size_t)i * ref->columns + (size_t)j) * (size_t)dtype_components(ref->dtype);
}

static void put_all(const Matrix *matrix, Ref *ref, bool rounded)
{
    REQUIRE(ref->rows == (size_t)matrix->rows && ref->columns == (size_t)matrix->columns);
    for (int64_t i = 0; i < matrix->rows; i++)
        for (int64_t j = 0; j < matrix->columns; j++)
            for (int part = 0; part < dtype_components(ref->dtype); part++) {
                Scalar x = *matrix_at(matrix, i, j);
                double value = part ? x.im : x.re;
                ref_set_exact(ref, matrix_element(ref, i, j) + (size_t)part,
                              rounded ? dtype_round(ref->dtype, value) : value, MATCH_VALUE);
            }
}

void matrix_put(const Matrix *matrix, Ref *ref)
{
    put_all(matrix, ref, false);
}

void matrix_put_rounded(const Matrix *matrix, Ref *ref)
{
    put_all(matrix, ref, true);
}

void matrix_put_number(Ref *ref, size_t element, Scalar x)
{
    size_t parts = (size_t)dtype_components(ref->dtype);
    for (size_t part = 0; part < parts; part++)
        ref_set_exact(ref, element * parts + part, dtype_round(ref->dtype, part ? x.im : x.re),
                      MATCH_VALUE);
}

void matrix_admit(Ref *ref, int64_t i, int64_t j)
{
    for (int part = 0; part < dtype_components(ref->dtype); part++)
        ref_set_classes(ref, matrix_element(ref, i, j) + (size_t)part, CLASS_ANY);
}

void matrix_leave(Ref *ref, int64_t row, int64_t column, Arena *arena)
{
    for (int64_t i = row; i < (int64_t)ref->rows; i++)
        for (int64_t j = column; j < (int64_t)ref->columns; j++)
            for (int part = 0; part < dtype_components(ref->dtype); part++)
                ref_leave(ref, matrix_element(ref, i, j) + (size_t)part, arena);
}

void matrix_admit_finite(Ref *ref, size_t component)
{
    ref_put_bounded(ref, component, 0, 0, dtype_format(ref->dtype)->largest / 2);
}

void matrix_put_rest(Ref *ref, size_t component, double value, double rest, double error,
                     double bound)
{
    Wide expected = wide_two_sum(value, rest);
    ref_put_bounded(ref, component, expected.high, add_up(error, 0x1p-50 * fabs(rest)), bound);
    ref->low[component] = expected.low;
}

void matrix_put_residual(Ref *ref, size_t at, Scalar got, Scalar rest, double error, double bound)
{
    for (int part = 0; part < dtype_components(ref->dtype); part++) {
        double value = part ? got.im : got.re, off = part ? rest.im : rest.re;
        if (isfinite(off) && isfinite(value))
            matrix_put_rest(ref, at + (size_t)part, value, off, error, bound);
        else
            matrix_admit_finite(ref, at + (size_t)part);
    }
}

static double element_ratio(const Ref *ref, size_t at, double got)
{
    if (ref->classes[at] == CLASS_ANY)
        return 0;
    if (!(ref->classes[at] & value_class(got)))
        return INFINITY;
    double off = fabs(got - ref->high[at] - ref->low[at]);
    double admitted = ref->magnitude[at] * dtype_format(ref->accumulator)->unit + ref->error[at];
    return off == 0 ? 0 : off / admitted;
}

double matrix_ratio(const Matrix *matrix, const Ref *ref)
{
    double worst = 0;
    for (int64_t i = 0; i < matrix->rows; i++)
        for (int64_t j = 0; j < matrix->columns; j++) {
            size_t at = matrix_element(ref, i, j);
            Scalar got = *matrix_at(matrix, i, j);
            worst = fmax(worst, element_ratio(ref, at, got.re));
            if (dtype_components(ref->dtype) == 2)
                worst = fmax(worst, element_ratio(ref, at + 1, got.im));
        }
    return worst;
}
