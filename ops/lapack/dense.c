/* Elimination and orthogonalisation. */
#include "dense.h"

#include <math.h>

#include "singular.h"

LongComplex dense_product(LongComplex x, LongComplex y)
{
    long double re = creall(x) * creall(y) - cimagl(x) * cimagl(y);
    return re + (creall(x) * cimagl(y) + cimagl(x) * creall(y)) * (LongComplex)_Complex_I;
}

long double dense_size(LongComplex x)
{
    return fabsl(creall(x)) + fabsl(cimagl(x));
}

/* Rows begin at these elements of a matrix, which may be NULL where they are empty. */
static void subtract_row(LongComplex *a, int64_t to, LongComplex factor, int64_t row, int64_t count)
{
    for (int64_t j = 0; j < count; j++)
        a[to + j] -= dense_product(factor, a[row + j]);
}

static void exchange_rows(LongComplex *a, int64_t x, int64_t y, int64_t count)
{
    for (int64_t j = 0; j < count; j++) {
        LongComplex kept = a[x + j];
        a[x + j] = a[y + j];
        a[y + j] = kept;
    }
}

LongComplex dense_eliminate(LongComplex *a, LongComplex *b, int64_t n, int64_t columns)
{
    LongComplex det = 1;
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++)
            pivot = dense_size(a[i * n + k]) > dense_size(a[pivot * n + k]) ? i : pivot;
        if (pivot != k) {
            exchange_rows(a, k * n, pivot * n, n);
            exchange_rows(b, k * columns, pivot * columns, columns);
        }
        det = dense_product(det, pivot == k ? a[k * n + k] : -a[k * n + k]);
        for (int64_t i = k + 1; i < n && a[k * n + k] != 0; i++) {
            LongComplex factor = a[i * n + k] / a[k * n + k];
            subtract_row(a, i * n + k, factor, k * n + k, n - k);
            subtract_row(b, i * columns, factor, k * columns, columns);
        }
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        for (int64_t i = k + 1; i < n; i++)
            subtract_row(b, k * columns, a[k * n + i], i * columns, columns);
        for (int64_t j = 0; j < columns; j++)
            b[k * columns + j] /= a[k * n + k];
    }
    return det;
}

static LongComplex widened(Scalar x)
{
    return x.re + x.im * (LongComplex)_Complex_I;
}

LongComplex *dense_widened(const Matrix *a, Arena *arena)
{
    int64_t count = a->rows * a->columns;
    LongComplex *to = arena_take(arena, (size_t)count + 1, sizeof *to);
    for (int64_t i = 0; i < count; i++)
        to[i] = widened(a->values[i]);
    return to;
}

Matrix dense_solve(const Matrix *a, const Matrix *b, Arena *arena)
{
    int64_t n = a->columns, columns = b ? b->columns : n;
    bool square = a->rows == n;
    LongComplex *left = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *left);
    LongComplex *right = arena_take_zeroed(arena, (size_t)(n * columns) + 1, sizeof *right);
    Matrix x = matrix_zeros(n, columns, arena);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < a->rows; k++) {
            LongComplex factor = square ? i == k : widened(scalar_conjugate(*matrix_at(a, k, i)));
            for (int64_t j = 0; j < n; j++)
                left[i * n + j] += dense_product(factor, widened(*matrix_at(a, k, j)));
            for (int64_t j = 0; j < columns; j++)
                right[i * columns + j] +=
                    dense_product(factor, b ? widened(*matrix_at(b, k, j)) : k == j);
        }
    (void)dense_eliminate(left, right, n, columns);
    for (int64_t i = 0; i < n * columns; i++)
        x.values[i] = (Scalar){(double)creall(right[i]), (double)cimagl(right[i])};
    return x;
}

void dense_factor_qr(const Matrix *a, Matrix *q, Matrix *r)
{
    for (int64_t j = 0; j < q->columns; j++) {
        double before = 0, norm = 0;
        for (int64_t i = 0; i < q->rows; i++) {
            *matrix_at(q, i, j) = *matrix_at(a, i, j);
            before = hypot(before, hypot(matrix_at(a, i, j)->re, matrix_at(a, i, j)->im));
        }
        norm = singular_orthonormalise(q, j);
        for (int64_t k = 0; k < q->rows && !(norm > 0x1p-40 * before); k++) {
            for (int64_t i = 0; i < q->rows; i++)
                *matrix_at(q, i, j) = (Scalar){i == k, 0};
            norm = singular_orthonormalise(q, j);
            before = (double)q->rows;
            norm = norm > 0.5 / before ? before : 0;
        }
    }
    for (int64_t i = 0; i < r->rows; i++)
        for (int64_t j = i; j < r->columns; j++) {
            LongComplex sum = 0;
            for (int64_t k = 0; k < a->rows; k++)
                sum += dense_product(widened(scalar_conjugate(*matrix_at(q, k, i))),
                                     widened(*matrix_at(a, k, j)));
            *matrix_at(r, i, j) = (Scalar){(double)creall(sum), (double)cimagl(sum)};
        }
}

double dense_norm(const Matrix *a, int64_t first, int64_t end)
{
    long double sum = 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = first; j < end; j++) {
            long double re = matrix_at(a, i, j)->re, im = matrix_at(a, i, j)->im;
            sum += re * re + im * im;
        }
    return (double)sqrtl(sum);
}
