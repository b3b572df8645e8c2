/* Products by their formula. */
#include "long_matrix.h"

LongMatrix long_matrix_of(const Matrix *a, Arena *arena)
{
    int64_t count = a->rows * a->rows;
    LongMatrix to = {a->rows, arena_take(arena, (size_t)count + 1, sizeof *to.values)};
    for (int64_t i = 0; i < count; i++)
        to.values[i] = a->values[i].re + a->values[i].im * (long double _Complex)_Complex_I;
    return to;
}

LongMatrix long_matrix_product(const LongMatrix *a, const LongMatrix *b, bool turned, Arena *arena)
{
    int64_t n = a->n;
    LongMatrix to = {n, arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *to.values)};
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++) {
            long double re = creall(a->values[i * n + k]), im = cimagl(a->values[i * n + k]);
            for (int64_t j = 0; j < n; j++) {
                long double _Complex y = turned ? b->values[j * n + k] : b->values[k * n + j];
                long double y_re = creall(y), y_im = turned ? -cimagl(y) : cimagl(y);
                to.values[i * n + j] += (re * y_re - im * y_im) +
                                        (re * y_im + im * y_re) * (long double _Complex)_Complex_I;
            }
        }
    return to;
}

Scalar long_matrix_element(const LongMatrix *a, int64_t i, int64_t j, double divisor)
{
    long double _Complex x = a->values[i * a->n + j];
    return (Scalar){(double)(creall(x) / divisor), (double)(cimagl(x) / divisor)};
}
