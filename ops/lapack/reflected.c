/* Matrices as one looks at them. */
#include "reflected.h"

#include <math.h>

#include "reference/function.h"

size_t reflected_place(const Reflected *way, const Ref *ref, int64_t i, int64_t j)
{
    int64_t rows_of_ref = (int64_t)ref->rows, columns = (int64_t)ref->columns;
    int64_t at_row = way->turned ? j : i, at_column = way->turned ? i : j;
    if (way->reversed) {
        at_row = rows_of_ref - 1 - at_row;
        at_column = columns - 1 - at_column;
    }
    return matrix_element(ref, at_row, at_column);
}

/* Where tau of step k stands. */
static size_t tau_place(const Reflected *way, const Ref *ref, int64_t steps, int64_t k)
{
    if (way->block)
        return matrix_element(ref, k % way->block, k);
    return matrix_element(ref, way->reversed ? steps - 1 - k : k, 0);
}

Matrix reflected_look(const Reflected *way, const Matrix *a, Arena *arena)
{
    int64_t count = a->rows * a->columns;
    Matrix to =
        matrix_zeros(way->turned ? a->columns : a->rows, way->turned ? a->rows : a->columns, arena);
    for (int64_t i = 0; i < to.rows; i++)
        for (int64_t j = 0; j < to.columns; j++) {
            int64_t at = way->turned ? j * a->columns + i : i * a->columns + j;
            Scalar x = a->values[way->reversed ? count - 1 - at : at];
            *matrix_at(&to, i, j) = way->turned ? scalar_conjugate(x) : x;
        }
    return to;
}

Householder reflected_factors(const Reflected *way, DType dtype, const Matrix *before,
                              const Tensor *after, const Tensor *tau, Arena *arena)
{
    int64_t steps = before->rows < before->columns ? before->rows : before->columns;
    Householder h = {.dtype = dtype,
                     .before = reflected_look(way, before, arena),
                     .tau = arena_take_zeroed(arena, (size_t)steps + 1, sizeof(Scalar)),
                     .steps = steps};
    if (!after)
        return h;
    Matrix a = matrix_read(after, arena), taus = matrix_read(tau, arena);
    h.after = reflected_look(way, &a, arena);
    for (int64_t k = 0; k < steps; k++)
        h.tau[k] = way->block ? *matrix_at(&taus, k % way->block, k)
                              : taus.values[way->reversed ? steps - 1 - k : k];
    return h;
}

void reflected_judge(const Reflected *way, const Householder *h, const HouseholderResidual *r,
                     Ref *a, Ref *tau)
{
    for (int64_t j = 0; j < h->before.columns && r->known; j++)
        for (int64_t i = 0; i < h->before.rows; i++) {
            Scalar got = *matrix_at(&h->after, i, j), rest = *matrix_at(&r->rest, i, j);
            if (way->turned) {
                got = scalar_conjugate(got);
                rest = scalar_conjugate(rest);
            }
            rest = (Scalar){rest.re / r->scales[j], rest.im / r->scales[j]};
            matrix_put_residual(a, reflected_place(way, a, i, j), got, rest,
                                r->errors[j] / r->scales[j], r->bounds[j] / r->scales[j]);
        }
    for (int64_t k = 0; k < h->steps && r->known; k++)
        matrix_put_residual(tau, tau_place(way, tau, h->steps, k), h->tau[k],
                            (Scalar){-r->tau_defects[k], 0}, 0x1p-56 * fabs(r->tau_defects[k]),
                            r->tau_bounds[k]);
}

void reflected_put(const Reflected *way, const Householder *h, Ref *a, Ref *tau)
{
    size_t parts = (size_t)dtype_components(h->dtype);
    for (int64_t i = 0; i < h->before.rows; i++)
        for (int64_t j = 0; j < h->before.columns; j++) {
            Scalar x = *matrix_at(&h->after, i, j);
            matrix_put_number(a, reflected_place(way, a, i, j) / parts,
                              way->turned ? scalar_conjugate(x) : x);
        }
    for (int64_t k = 0; k < h->steps; k++)
        matrix_put_number(tau, tau_place(way, tau, h->steps, k) / parts, h->tau[k]);
}
