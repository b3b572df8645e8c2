/* Tridiagonal matrices and their factors. */
#include "tridiagonal.h"

#include <math.h>

#include "kernel.h"
#include "reference/equation.h"
#include "reference/function.h"

const char *const tridiagonal_matrices[] = {"definite", "free", NULL};

enum { DL, D, DU, DU2, IPIV };

TensorSpec tridiagonal_diagonal(const Lapack *q, DType dtype, int64_t beside, TensorRole role)
{
    int64_t length = q->n > beside ? q->n - beside : 0;
    return blas_role(blas_vector(&(Blas){.dtype = dtype}, length, 1), role);
}

/* Sets the elements of a diagonal, from (row, column) on. */
static void set_diagonal(Matrix *a, int64_t row, int64_t column, const Tensor *values, Arena *arena)
{
    Matrix from = matrix_read(values, arena);
    for (int64_t i = 0; i < from.rows; i++)
        *matrix_at(a, row + i, column + i) = *matrix_at(&from, i, 0);
}

Matrix tridiagonal_whole(const Tensor *tensors, const Tensor *du2, Arena *arena)
{
    int64_t n = tensors[D].extent[0];
    Matrix a = matrix_zeros(n, n, arena);
    set_diagonal(&a, 0, 0, &tensors[D], arena);
    if (n > 1) {
        set_diagonal(&a, 1, 0, &tensors[DL], arena);
        set_diagonal(&a, 0, 1, &tensors[DU], arena);
    }
    if (du2 && n > 2)
        set_diagonal(&a, 0, 2, du2, arena);
    return a;
}

/* The same as an operand. */
static Tensor stored(const Matrix *a, DType dtype, Arena *arena)
{
    Tensor to = tensor_matrix(
        dtype, a->rows, a->columns, a->columns, 1,
        arena_take_zeroed(arena, (size_t)(a->rows * a->columns) + 1, dtype_size(dtype)));
    for (int64_t i = 0; i < a->rows * a->columns; i++) {
        char *at = (char *)to.origin + i * (int64_t)dtype_size(dtype);
        dtype_store(dtype, at, 0, a->values[i].re);
        if (dtype_components(dtype) == 2)
            dtype_store(dtype, at, 1, a->values[i].im);
    }
    return to;
}

/* A diagonal of the reference of the whole matrix. */
static void gather(Ref *ref, const Ref *all, int64_t row, int64_t column, int64_t length,
                   Arena *arena)
{
    int64_t n = (int64_t)all->columns;
    Tensor order = tensor_matrix(all->dtype, length, 1, n + 1, 1, NULL);
    ref_gather_from(ref, all, length > 0 ? (size_t)(row * n + column) : 0, &order, arena);
}

void tridiagonal_write(const Matrix *whole, const Tensor *diagonals)
{
    static const int64_t below[] = {1, 0, 0, 0}, beside[] = {0, 0, 1, 2};
    for (int i = DL; i <= DU2; i++)
        for (int64_t k = 0; k < diagonals[i].extent[0]; k++) {
            Scalar x = *matrix_at(whole, k + below[i], k + beside[i]);
            const Matrix one = {&x, 1, 1};
            Tensor to = tensor_matrix(diagonals[i].dtype, 1, 1, 1, 1,
                                      (char *)diagonals[i].origin +
                                          k * diagonals[i].stride[0] *
                                              (int64_t)dtype_size(diagonals[i].dtype));
            matrix_write(&one, &to);
        }
}

bool tridiagonal_lu(const TridiagonalLu *of, const Matrix *a, LuFactors *factors, Arena *arena)
{
    const Tensor *places = of->places, *after = of->computed;
    DType dtype = places[D].dtype;
    Tensor a_view = stored(a, dtype, arena), lu_view = {0};
    Ref all = {0};
    if (after) {
        Matrix lu = tridiagonal_whole(after, &after[DU2], arena);
        lu_view = stored(&lu, dtype, arena);
    }
    bool usable = lapack_lu_reference(&(LapackLu){.a_ref = &all,
                                                  .ipiv_ref = &of->refs[IPIV],
                                                  .info_ref = of->info_ref,
                                                  .a = &a_view,
                                                  .ipiv = &places[IPIV],
                                                  .info = of->info,
                                                  .computed_a = after ? &lu_view : NULL,
                                                  .computed_ipiv = after ? &after[IPIV] : NULL,
                                                  .computed_info = of->computed_info,
                                                  .band = true,
                                                  .kl = 1,
                                                  .ku = 1},
                                      factors, arena);
    gather(&of->refs[DL], &all, 1, 0, places[DL].extent[0], arena);
    gather(&of->refs[D], &all, 0, 0, places[D].extent[0], arena);
    gather(&of->refs[DU], &all, 0, 1, places[DU].extent[0], arena);
    gather(&of->refs[DU2], &all, 0, 2, places[DU2].extent[0], arena);
    return usable;
}

int64_t tridiagonal_compute_definite(DType dtype, Matrix *d, Matrix *e)
{
    const Kernel kernel = {.dtype = dtype};
    for (int64_t i = 0; i < d->rows; i++) {
        Scalar pivot = *matrix_at(d, i, 0);
        if (!(pivot.re > 0))
            return i + 1;
        if (i + 1 == d->rows)
            break;
        Scalar before = *matrix_at(e, i, 0);
        *matrix_at(e, i, 0) = kernel_sum(&kernel, &(KernelSum){.given = before, .divisor = pivot});
        Scalar next = kernel_sum(&kernel, &(KernelSum){.given = *matrix_at(d, i + 1, 0),
                                                       .divisor = {1, 0},
                                                       .x = matrix_at(e, i, 0),
                                                       .y = &before,
                                                       .count = 1,
                                                       .conjugate_y = true});
        *matrix_at(d, i + 1, 0) = (Scalar){next.re, 0};
    }
    return 0;
}

/* Elements up to the first d that is not positive, whose number is returned. */
static int64_t judge_definite(Ref *refs, const Matrix *d, const Matrix *e, const Matrix *found_d,
                              const Matrix *found_e)
{
    for (int64_t i = 0; i < d->rows; i++) {
        Scalar pivot = *matrix_at(found_d, i, 0);
        Equation equation =
            equation_of(*matrix_at(d, i, 0), i > 0 ? END_QUOTIENT_BY_ROOT : END_QUOTIENT);
        if (i > 0)
            equation_subtract(&equation, *matrix_at(found_e, i - 1, 0),
                              scalar_conjugate(*matrix_at(e, i - 1, 0)));
        equation_put(&equation, &refs[0], (size_t)i, (Scalar){1, 0}, pivot);
        if (!(pivot.re > 0))
            return i + 1;
        if (i + 1 == d->rows)
            break;
        equation = equation_of(*matrix_at(e, i, 0), END_QUOTIENT);
        equation_put(&equation, &refs[1], matrix_element(&refs[1], i, 0), pivot,
                     *matrix_at(found_e, i, 0));
    }
    return 0;
}

int64_t tridiagonal_cholesky(const TridiagonalCholesky *of, Matrix *d, Matrix *e, Arena *arena)
{
    enum { CHOLESKY_D, CHOLESKY_E };
    const Tensor *places = of->places, *after = of->computed;
    lapack_admit_all(&of->refs[CHOLESKY_D], &places[CHOLESKY_D], arena);
    lapack_admit_all(&of->refs[CHOLESKY_E], &places[CHOLESKY_E], arena);
    if (!after) {
        int64_t info = tridiagonal_compute_definite(places[CHOLESKY_E].dtype, d, e);
        matrix_put(d, &of->refs[CHOLESKY_D]);
        matrix_put(e, &of->refs[CHOLESKY_E]);
        lapack_put_integer(of->info_ref, 0, info, info, info);
        return info;
    }
    bool finite = matrix_is_finite(d) && matrix_is_finite(e);
    Matrix found_d = matrix_read(&after[CHOLESKY_D], arena);
    Matrix found_e = matrix_read(&after[CHOLESKY_E], arena);
    finite = finite && matrix_is_finite(&found_d) && matrix_is_finite(&found_e);
    int64_t stopped = judge_definite(of->refs, d, e, &found_d, &found_e);
    lapack_put_integer(of->info_ref, 0, of->info, finite ? stopped : 0, finite ? stopped : d->rows);
    *d = found_d;
    *e = found_e;
    return of->info;
}

void tridiagonal_definite_factors(const Matrix *d, const Matrix *e, bool above, Matrix *f,
                                  Matrix *g, Arena *arena)
{
    int64_t n = d->rows;
    *f = matrix_zeros(n, n, arena);
    *g = matrix_identity(n, arena);
    for (int64_t i = 0; i < n; i++) {
        double pivot = matrix_at(d, i, 0)->re;
        *matrix_at(f, i, i) = (Scalar){pivot, 0};
        if (i + 1 == n)
            break;
        Scalar beside = *matrix_at(e, i, 0);
        Scalar below = above ? scalar_conjugate(beside) : beside;
        *matrix_at(f, i + 1, i) = (Scalar){below.re * pivot, below.im * pivot};
        *matrix_at(g, i, i + 1) = scalar_conjugate(below);
    }
}
