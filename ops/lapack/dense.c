/* Elimination and orthogonalisation. */
#include "dense.h"

#include <math.h>

#include "singular.h"

long double dense_eliminate(long double *a, long double *b, int64_t n, int64_t columns)
{
    long double det = 1;
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++)
            pivot = fabsl(a[i * n + k]) > fabsl(a[pivot * n + k]) ? i : pivot;
        for (int64_t j = 0; j < n + columns && pivot != k; j++) {
            long double *row = j < n ? a + j : b + (j - n);
            int64_t step = j < n ? n : columns;
            long double kept = row[k * step];
            row[k * step] = row[pivot * step];
            row[pivot * step] = kept;
        }
        det *= pivot == k ? a[k * n + k] : -a[k * n + k];
        for (int64_t i = k + 1; i < n && a[k * n + k] != 0; i++) {
            long double factor = a[i * n + k] / a[k * n + k];
            for (int64_t j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
            for (int64_t j = 0; j < columns; j++)
                b[i * columns + j] -= factor * b[k * columns + j];
        }
    }
    for (int64_t k = n - 1; k >= 0; k--)
        for (int64_t j = 0; j < columns; j++) {
            for (int64_t i = k + 1; i < n; i++)
                b[k * columns + j] -= a[k * n + i] * b[i * columns + j];
            b[k * columns + j] /= a[k * n + k];
        }
    return det;
}

long double *dense_widened(const Matrix *a, Arena *arena)
{
    int64_t count = a->rows * a->columns;
    long double *to = arena_take(arena, (size_t)count + 1, sizeof *to);
    for (int64_t i = 0; i < count; i++)
        to[i] = a->values[i].re;
    return to;
}

Matrix dense_solve(const Matrix *a, const Matrix *b, Arena *arena)
{
    int64_t n = a->columns, columns = b ? b->columns : n;
    bool square = a->rows == n;
    long double *left = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *left);
    long double *right = arena_take_zeroed(arena, (size_t)(n * columns) + 1, sizeof *right);
    Matrix x = matrix_zeros(n, columns, arena);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < a->rows; k++) {
            long double factor = square ? i == k : matrix_at(a, k, i)->re;
            for (int64_t j = 0; j < n; j++)
                left[i * n + j] += factor * matrix_at(a, k, j)->re;
            for (int64_t j = 0; j < columns; j++)
                right[i * columns + j] += factor * (b ? matrix_at(b, k, j)->re : k == j);
        }
    (void)dense_eliminate(left, right, n, columns);
    for (int64_t i = 0; i < n * columns; i++)
        x.values[i].re = (double)right[i];
    return x;
}

void dense_factor_qr(const Matrix *a, Matrix *q, Matrix *r)
{
    for (int64_t j = 0; j < q->columns; j++) {
        double before = 0, norm = 0;
        for (int64_t i = 0; i < q->rows; i++) {
            *matrix_at(q, i, j) = *matrix_at(a, i, j);
            before = hypot(before, matrix_at(a, i, j)->re);
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
            long double sum = 0;
            for (int64_t k = 0; k < a->rows; k++)
                sum += (long double)matrix_at(q, k, i)->re * matrix_at(a, k, j)->re;
            matrix_at(r, i, j)->re = (double)sum;
        }
}

double dense_norm(const Matrix *a, int64_t first, int64_t end)
{
    long double sum = 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = first; j < end; j++) {
            long double x = matrix_at(a, i, j)->re;
            sum += x * x;
        }
    return (double)sqrtl(sum);
}
