/* Storage of operands, and integers among results. */
#include "lapack.h"

#include <limits.h>
#include <math.h>

#include "reference/function.h"

const char *const lapack_matrices[] = {"free", "graded", "singular", "symmetric", NULL};
const char *const lapack_norms[] = {"largest", "one", "infinity", "frobenius", NULL};
const char *const lapack_senses[] = {"nothing", "eigenvalues", "vectors", "both", NULL};
const char *const lapack_jobs[] = {"values", "vectors", NULL};
const char *const lapack_singular_jobs[] = {"values", "some", "all", NULL};
const char *const lapack_eigen_matrices[] = {"free", "graded", "definite", "symmetric", NULL};
const char *const lapack_columns[] = {"free", "fixed", NULL};
const char *const lapack_balances[] = {"nothing", "permute", "scale", "both", NULL};
const char *const lapack_lengths[] = {"queried", "least", NULL};
const char *const lapack_hermitian_matrices[] = {"definite", "graded", "nearly", "free", NULL};

void lapack_describe(OpDesc *table, const OpDesc *shared, const void *rows, size_t size,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const LapackRow *row = (const void *)((const char *)rows + i * size);
        table[i] = *shared;
        table[i].name = row->name;
        table[i].summary = row->summary;
        table[i].params = row->params;
        table[i].tensors = row->tensors;
        table[i].dtypes = row->dtypes;
        table[i].detail = row;
    }
}

Arrangement lapack_arrangement(const Lapack *q)
{
    static const Arrangement arrangements[] = {ARRANGED_FREELY, ARRANGED_GRADED, ARRANGED_SINGULAR,
                                               ARRANGED_SYMMETRIC};
    return arrangements[q->matrix];
}

Arrangement lapack_hermitian_arrangement(const Lapack *q)
{
    static const Arrangement arrangements[] = {ARRANGED_DEFINITE, ARRANGED_DEFINITE_GRADED,
                                               ARRANGED_NEARLY_DEFINITE, ARRANGED_HERMITIAN};
    return arrangements[q->matrix];
}

Arrangement lapack_eigen_arrangement(const Lapack *q)
{
    static const Arrangement arrangements[] = {ARRANGED_REAL_DIAGONAL, ARRANGED_DEFINITE_GRADED,
                                               ARRANGED_DEFINITE, ARRANGED_HERMITIAN};
    return arrangements[q->matrix];
}

TensorSpec lapack_real_vector(const Lapack *q, int64_t length)
{
    DType real = dtype_component((DType)q->dtype);
    return blas_role(blas_vector(&(Blas){.dtype = real}, length, 1), ROLE_OUT);
}

TensorSpec lapack_matrix(const Lapack *q, int64_t rows, int64_t columns, int64_t pad,
                         TensorRole role)
{
    return blas_role(blas_matrix(&(Blas){.dtype = q->dtype, .order = q->order}, rows, columns, pad),
                     role);
}

TensorSpec lapack_triangle(const Lapack *q, int64_t n, int64_t pad, TensorRole role)
{
    return blas_role(
        blas_triangle(
            &(Blas){.dtype = q->dtype, .order = q->order, .uplo = q->uplo, .diag = q->diag}, n,
            pad),
        role);
}

TensorSpec lapack_integers(int64_t count)
{
    TensorSpec spec = blas_number(DT_I32, ROLE_OUT);
    spec.layout.extent[0] = count;
    return spec;
}

TensorSpec lapack_pivots(int64_t n)
{
    TensorSpec spec = lapack_integers(n);
    spec.role = ROLE_IN;
    spec.index_below = n;
    spec.index_first = 1;
    return spec;
}

TensorSpec lapack_selection(int64_t n)
{
    TensorSpec spec = lapack_integers(n);
    spec.role = ROLE_IN;
    spec.index_below = 2;
    return spec;
}

TensorSpec lapack_band(const Lapack *q, int64_t rows, int64_t columns, int64_t kl, int64_t ku,
                       TensorRole role)
{
    TensorSpec spec =
        blas_role(blas_band(&(Blas){.dtype = q->dtype}, rows, columns, kl, ku, q->lda), role);
    if (q->order == ORDER_COLUMNS)
        return spec;
    /* Element (i, j) lies in row ku + i - j and column j of the array. */
    int64_t line = columns > 1 ? columns : 1;
    spec.leading = line + q->lda;
    spec.layout.stride[0] = spec.leading;
    spec.layout.stride[1] = 1 - spec.leading;
    spec.layout.before = ku * spec.leading;
    spec.layout.storage = (kl + ku) * spec.leading + line;
    return spec;
}

static TensorSpec band_triangle(const Lapack *q, TensorRole role)
{
    bool upper = q->uplo == UPLO_UPPER;
    TensorSpec spec = lapack_band(q, q->n, q->n, upper ? 0 : q->k, upper ? q->k : 0, role);
    int64_t *beside = upper ? &spec.layout.below : &spec.layout.above;
    *beside = q->diag == DIAGONAL_UNIT ? -1 : 0;
    return spec;
}

TensorSpec lapack_stored_triangle(const Lapack *q, LapackStorage storage, TensorRole role)
{
    const Blas blas = {.dtype = q->dtype, .order = q->order, .uplo = q->uplo, .diag = q->diag};
    if (storage == STORAGE_FULL)
        return lapack_triangle(q, q->n, q->lda, role);
    return storage == STORAGE_PACKED ? blas_role(blas_packed_triangle(&blas, q->n), role)
                                     : band_triangle(q, role);
}

TensorSpec lapack_column_pivots(const Lapack *q)
{
    TensorSpec spec = lapack_integers(q->n);
    spec.role = ROLE_INOUT;
    spec.index_below = q->job ? 2 : 1;
    return spec;
}

int64_t lapack_fixed_columns(const Tensor *given)
{
    int64_t fixed = 0;
    for (int64_t j = 0; j < given->extent[0]; j++)
        fixed += lapack_integer(given, j) != 0;
    return fixed;
}

ColumnOrder lapack_put_columns(Ref *ref, const Tensor *given, const Tensor *computed, Arena *arena)
{
    int64_t n = given->extent[0], fixed = lapack_fixed_columns(given);
    bool *taken = arena_take_zeroed(arena, (size_t)n + 1, sizeof *taken);
    ColumnOrder order = {.columns = arena_take(arena, (size_t)n + 1, sizeof *order.columns),
                         .legal = true};
    ref_allocate_exact(ref, given, arena);
    for (int64_t j = 0; j < n; j++) {
        int64_t at = computed ? lapack_integer(computed, j) - 1 : -1;
        bool fits =
            at >= 0 && at < n && !taken[at] && (lapack_integer(given, at) != 0) == (j < fixed);
        order.legal = order.legal && (fits || !computed);
        for (int64_t next = 0; !fits; next++) {
            at = next;
            fits = !taken[at] && (lapack_integer(given, at) != 0) == (j < fixed);
        }
        taken[at] = true;
        order.columns[j] = at;
        lapack_put_integer(ref, j, at + 1, at + 1, at + 1);
    }
    return order;
}

Matrix lapack_take_columns(const Matrix *a, const int64_t *columns, Arena *arena)
{
    Matrix to = matrix_zeros(a->rows, a->columns, arena);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->columns; j++)
            *matrix_at(&to, i, j) = *matrix_at(a, i, columns[j]);
    return to;
}

Matrix lapack_lower_triangle(const Matrix *stored, bool lower, Arena *arena)
{
    Matrix to = matrix_zeros(stored->rows, stored->columns, arena);
    for (int64_t i = 0; i < stored->rows; i++)
        for (int64_t j = 0; j <= i; j++)
            *matrix_at(&to, i, j) =
                lower ? *matrix_at(stored, i, j) : scalar_conjugate(*matrix_at(stored, j, i));
    return to;
}

bool lapack_is_real(const Lapack *q)
{
    return dtype_components((DType)q->dtype) == 1;
}

double lapack_parts(const Lapack *q)
{
    return lapack_is_real(q) ? 1 : 4;
}

double lapack_inverse_work(const void *params)
{
    const Lapack *q = params;
    return 6 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
}

void lapack_normalise_block(Lapack *q, int64_t n)
{
    if (q->ilo < 1 || q->ilo > n)
        q->ilo = 1;
    if (q->ihi < q->ilo || q->ihi > n)
        q->ihi = n;
}

DiagonalBlock lapack_block(const Lapack *q)
{
    return (DiagonalBlock){.first = q->ilo - 1, .end = q->ihi};
}

int64_t lapack_first_zero(const Matrix *matrix)
{
    for (int64_t i = 0; i < matrix->rows; i++)
        if (scalar_is_zero(*matrix_at(matrix, i, i)))
            return i + 1;
    return 0;
}

int64_t lapack_integer(const Tensor *integers, int64_t i)
{
    return (int64_t)dtype_load(integers->dtype, integers->origin, i);
}

int64_t *lapack_read_pivots(const Tensor *integers, Arena *arena)
{
    int64_t count = integers->extent[0];
    int64_t *pivots = arena_take(arena, (size_t)count + 1, sizeof *pivots);
    for (int64_t k = 0; k < count; k++)
        pivots[k] = lapack_integer(integers, k) - 1;
    return pivots;
}

void lapack_put_integer(Ref *ref, int64_t i, int64_t got, int64_t low, int64_t high)
{
    int64_t nearest = got < low ? low : got > high ? high : got;
    ref_set_exact(ref, (size_t)i, (double)nearest, MATCH_VALUE);
}

void lapack_put_known(Ref *ref, const Tensor *computed, bool known, int64_t value)
{
    lapack_put_integer(ref, 0, lapack_integer(computed, 0), known ? value : INT_MIN,
                       known ? value : INT_MAX);
}

void lapack_admit_all(Ref *ref, const Tensor *b, Arena *arena)
{
    ref_allocate_bounded(ref, b->dtype, b, arena);
    for (int64_t i = 0; i < b->extent[0]; i++)
        for (int64_t j = 0; j < b->extent[1]; j++)
            matrix_admit(ref, i, j);
}

void lapack_demand_nan(Ref *ref, const Tensor *computed, int64_t count, Arena *arena)
{
    Ref any;
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(dtype_load(computed->dtype, computed->origin, i)))
            return;
    if (count < 1)
        return;
    lapack_admit_all(&any, computed, arena);
    ref_add_alternative(ref, &any, "nan-lost", arena);
    ref_set_classes(ref, 0, CLASS_NAN);
}

TensorSpec lapack_dense(DType dtype, const Shape *extents, TensorRole role)
{
    TensorSpec spec = {.role = role, .contraction = -1};
    spec.layout = (Tensor){.dtype = dtype, .rank = (int)extents->rank};
    for (int64_t axis = 0; axis < extents->rank; axis++)
        spec.layout.extent[axis] = extents->extent[axis];
    tensor_pack(&spec.layout);
    return spec;
}

Matrix lapack_part(const Tensor *t, int axes, int64_t b, Arena *arena)
{
    int outer = t->rank - axes;
    int64_t bytes = tensor_offset_of_part(t, outer, b) * (int64_t)dtype_size(t->dtype);
    Tensor view =
        tensor_matrix(t->dtype, axes > 0 ? t->extent[outer] : 1,
                      axes > 1 ? t->extent[outer + 1] : 1, axes > 0 ? t->stride[outer] : 1,
                      axes > 1 ? t->stride[outer + 1] : 1, (char *)t->origin + bytes);
    return matrix_read(&view, arena);
}
