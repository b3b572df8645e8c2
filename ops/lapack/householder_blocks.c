/* Triangles of blocks of reflections. */
#include "dense.h"
#include "householder.h"

int64_t householder_block(int64_t nb, int64_t steps)
{
    int64_t most = steps > 1 ? steps : 1;
    return nb < 1 ? 1 : nb < most ? nb : most;
}

/* Element i of v_k. */
static Scalar vector_element(const Householder *f, int64_t i, int64_t k)
{
    return i == k ? (Scalar){1, 0} : *matrix_at(&f->after, i, k);
}

/* v_i^H v_j for i < j, and the same of magnitudes. */
static LongComplex inner_product(const Householder *f, int64_t i, int64_t j, double *size)
{
    LongComplex sum = 0;
    *size = 0;
    for (int64_t row = j; row < f->after.rows; row++) {
        Scalar x = vector_element(f, row, i), y = vector_element(f, row, j);
        sum += dense_product(x.re - x.im * (LongComplex)_Complex_I,
                             y.re + y.im * (LongComplex)_Complex_I);
        *size += scalar_size(x) * scalar_size(y);
    }
    return sum;
}

void householder_blocks(const Householder *f, int64_t nb, Matrix *t, double *sizes, Arena *arena)
{
    LongComplex *exact = arena_take_zeroed(arena, (size_t)(nb * f->steps) + 1, sizeof *exact);
    *t = matrix_zeros(nb, f->steps, arena);
    for (int64_t j = 0; j < f->steps; j++) {
        int64_t first = j / nb * nb, n = f->steps;
        LongComplex tau = f->tau[j].re + f->tau[j].im * (LongComplex)_Complex_I;
        for (int64_t l = first; l < j; l++) {
            double size;
            LongComplex with = dense_product(tau, inner_product(f, l, j, &size));
            for (int64_t i = 0; i <= l - first; i++) {
                exact[i * n + j] -= dense_product(exact[i * n + l], with);
                sizes[i * n + j] += sizes[i * n + l] * size * scalar_size(f->tau[j]);
            }
        }
        exact[(j - first) * n + j] = tau;
        sizes[(j - first) * n + j] = scalar_size(f->tau[j]);
        for (int64_t i = 0; i <= j - first; i++)
            *matrix_at(t, i, j) =
                (Scalar){(double)creall(exact[i * n + j]), (double)cimagl(exact[i * n + j])};
    }
}
