/* Matrices in Schur form and small systems. */
#include "sylvester.h"

#include <math.h>

#include "ops/blas/blas.h"

SchurFactor sylvester_factor(const Tensor *t, int64_t trans, bool real, Arena *arena)
{
    Matrix given = matrix_read(t, arena);
    int64_t n = given.rows;
    SchurFactor f = {.n = n,
                     .values = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *f.values),
                     .second = arena_take_zeroed(arena, (size_t)n + 1, sizeof *f.second),
                     .upper = trans == TRANSPOSE_NONE};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            Scalar x = *matrix_at(&given, i, j);
            LongComplex value = x.re + (f.upper ? x.im : -x.im) * (LongComplex)_Complex_I;
            f.values[f.upper ? i * n + j : j * n + i] = value;
            f.largest = fmax(f.largest, hypot(x.re, x.im));
            if (real && i == j + 1 && x.re != 0)
                f.second[i] = true;
        }
    return f;
}

int64_t sylvester_block_end(const SchurFactor *f, int64_t i)
{
    return i + 1 < f->n && f->second[i + 1] ? i + 2 : i + 1;
}

long double sylvester_size(LongComplex x)
{
    return fabsl(creall(x)) + fabsl(cimagl(x));
}

/* Brings the largest coefficient of the rows and columns from `step` on to their corner. */
static void bring_pivot(LongComplex k[SYLVESTER_MAX][SYLVESTER_MAX + 1], int count, int step,
                        int order[SYLVESTER_MAX])
{
    int row = step, column = step;
    for (int i = step; i < count; i++)
        for (int j = step; j < count; j++)
            if (sylvester_size(k[i][j]) > sylvester_size(k[row][column])) {
                row = i;
                column = j;
            }
    for (int j = 0; j <= count; j++) {
        LongComplex kept = k[row][j];
        k[row][j] = k[step][j];
        k[step][j] = kept;
    }
    for (int i = 0; i < count; i++) {
        LongComplex kept = k[i][column];
        k[i][column] = k[i][step];
        k[i][step] = kept;
    }
    int kept = order[column];
    order[column] = order[step];
    order[step] = kept;
}

bool sylvester_solve_small(LongComplex k[SYLVESTER_MAX][SYLVESTER_MAX + 1], int count, double least)
{
    bool changed = false;
    int order[SYLVESTER_MAX];
    LongComplex x[SYLVESTER_MAX] = {0};
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int step = 0; step < count; step++) {
        bring_pivot(k, count, step, order);
        if (!(sylvester_size(k[step][step]) > least)) {
            k[step][step] = least;
            changed = true;
        }
        for (int i = step + 1; i < count; i++) {
            LongComplex factor = k[i][step] / k[step][step];
            for (int j = step; j <= count; j++)
                k[i][j] -= factor * k[step][j];
        }
    }
    for (int step = count - 1; step >= 0; step--) {
        x[step] = k[step][count];
        for (int j = step + 1; j < count; j++)
            x[step] -= k[step][j] * x[j];
        x[step] /= k[step][step];
    }
    for (int i = 0; i < count; i++)
        k[order[i]][count] = x[i];
    return changed;
}

int64_t sylvester_block_start(const SchurFactor *f, int64_t step, bool forwards)
{
    int64_t i = forwards ? step : f->n - 1 - step;
    return !forwards && f->second[i] ? i - 1 : i;
}

double sylvester_largest(const LongComplex *x, int64_t count)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest =
            isfinite(sylvester_size(x[i])) ? fmax(largest, (double)sylvester_size(x[i])) : INFINITY;
    return largest;
}
