/* Faults of LAPACK's routines, and correct results that differ from the reference's own. */
#include <math.h>
#include <string.h>

#include "ops/lapack/condition.h"
#include "ops/lapack/dense.h"
#include "ops/lapack/householder.h"
#include "ops/lapack/kernel.h"
#include "ops/lapack/solve.h"
#include "planted.h"
#include "reference/wide_complex.h"

static const Tensor *view_of(const PlantedCall *call, const char *operand)
{
    return &call->operands->view[op_operand(call->operands->source->op, operand)];
}

static void *place_of(const Tensor *view, int64_t i, int64_t j)
{
    return (char *)view->origin + tensor_offset(view, i, j) * (int64_t)dtype_size(view->dtype);
}

static int64_t extent_of(const PlantedCall *call, int axis)
{
    return view_of(call, "a")->extent[axis];
}

static bool is_stored(const Tensor *view, int64_t i, int64_t j)
{
    if (i < 0 || j < 0 || i >= view->extent[0] || j >= view->extent[1])
        return false;
    TensorRow row = tensor_row(view, i);
    return j >= row.first && j < row.end;
}

/* Multiplies the real part of an element, if there is one. */
static void scale(const PlantedCall *call, int64_t i, int64_t j, double factor)
{
    const Tensor *view = view_of(call, "a");
    if (!is_stored(view, i, j))
        return;
    void *at = place_of(view, i, j);
    dtype_store(view->dtype, at, 0, factor * dtype_load(view->dtype, at, 0));
}

static int64_t load_integer(const PlantedCall *call, const char *operand, int64_t i)
{
    return (int64_t)dtype_load(DT_I32, view_of(call, operand)->origin, i);
}

static void store_integer(const PlantedCall *call, const char *operand, int64_t i, int64_t value)
{
    dtype_store(DT_I32, view_of(call, operand)->origin, i, (double)value);
}

static void store_matrix(const Tensor *view, const Matrix *matrix)
{
    for (int64_t i = 0; i < matrix->rows; i++) {
        TensorRow row = tensor_row(view, i);
        for (int64_t j = row.first; j < row.end; j++) {
            dtype_store(view->dtype, place_of(view, i, j), 0, matrix_at(matrix, i, j)->re);
            if (dtype_components(view->dtype) == 2)
                dtype_store(view->dtype, place_of(view, i, j), 1, matrix_at(matrix, i, j)->im);
        }
    }
}

/* What an operand held before the call. */
static Tensor view_before(const PlantedCall *call, const char *operand)
{
    Tensor before = *view_of(call, operand);
    const unsigned char *kept =
        call->operands->pristine[op_operand(call->operands->source->op, operand)];
    before.origin =
        arena_take(call->arena, (size_t)tensor_span(&before) + 1, dtype_size(before.dtype));
    memcpy(before.origin, kept, (size_t)tensor_span(&before) * dtype_size(before.dtype));
    before.origin =
        (char *)before.origin + tensor_origin_offset(&before) * (int64_t)dtype_size(before.dtype);
    return before;
}

static Matrix before_of(const PlantedCall *call, const char *operand)
{
    Tensor before = view_before(call, operand);
    return matrix_read(&before, call->arena);
}

static void factor_lu(PlantedCall *call, KernelStyle style)
{
    Matrix a = before_of(call, "a");
    int64_t *pivots = arena_take(call->arena, (size_t)a.rows + 1, sizeof *pivots);
    store_integer(
        call, "info", 0,
        kernel_getrf(&(Kernel){.dtype = call->view[0].dtype, .style = style}, &a, pivots));
    for (int64_t k = 0; k < a.rows && k < a.columns; k++)
        store_integer(call, "ipiv", k, pivots[k] + 1);
    store_matrix(view_of(call, "a"), &a);
}

static void finish_lu_by_reciprocals(PlantedCall *call)
{
    factor_lu(call, KERNEL_RECIPROCAL);
}

static void finish_lu_widely(PlantedCall *call)
{
    factor_lu(call, KERNEL_WIDE);
}

static void factor_cholesky(PlantedCall *call, KernelStyle style)
{
    Matrix a = before_of(call, "a");
    bool lower = !strcmp(case_choice(call->operands->source, "uplo"), "lower");
    store_integer(call, "info", 0,
                  kernel_potrf(&(Kernel){.dtype = call->view[0].dtype, .style = style}, &a, lower));
    store_matrix(view_of(call, "a"), &a);
}

static void finish_cholesky_by_reciprocals(PlantedCall *call)
{
    factor_cholesky(call, KERNEL_RECIPROCAL);
}

static void finish_cholesky_widely(PlantedCall *call)
{
    factor_cholesky(call, KERNEL_WIDE);
}

/* Eliminates with the diagonal as it comes. */
static void finish_lu_without_pivots(PlantedCall *call)
{
    Kernel kernel = {.dtype = call->view[0].dtype, .without_exchanges = true};
    Matrix a = before_of(call, "a");
    int64_t *pivots = arena_take(call->arena, (size_t)a.rows + 1, sizeof *pivots);
    store_integer(call, "info", 0, kernel_getrf(&kernel, &a, pivots));
    for (int64_t k = 0; k < a.rows && k < a.columns; k++)
        store_integer(call, "ipiv", k, k + 1);
    store_matrix(view_of(call, "a"), &a);
}

static void finish_pivots_from_zero(PlantedCall *call)
{
    for (int64_t k = 0; k < view_of(call, "ipiv")->extent[0]; k++)
        store_integer(call, "ipiv", k, load_integer(call, "ipiv", k) - 1);
}

static void finish_last_multiplier(PlantedCall *call)
{
    if (extent_of(call, 0) > 4)
        scale(call, extent_of(call, 0) - 1, 0, 1 - 0x1p-9);
}

static void finish_last_update(PlantedCall *call)
{
    int64_t last = extent_of(call, 0) - 1;
    if (last > 1 && last == extent_of(call, 1) - 1)
        scale(call, last, last, 1 + 0x1p-9);
}

static void finish_info_from_zero(PlantedCall *call)
{
    if (load_integer(call, "info", 0) > 0)
        store_integer(call, "info", 0, load_integer(call, "info", 0) - 1);
}

static void finish_info_lost(PlantedCall *call)
{
    store_integer(call, "info", 0, 0);
}

static void finish_info_early(PlantedCall *call)
{
    if (extent_of(call, 0) > 2 && load_integer(call, "info", 0) == 0)
        store_integer(call, "info", 0, 1);
}

static void finish_coarse_root(PlantedCall *call)
{
    scale(call, extent_of(call, 0) / 2, extent_of(call, 0) / 2, 1 + 0x1p-10);
}

static void finish_negative_root(PlantedCall *call)
{
    int64_t last = extent_of(call, 0) - 1;
    if (last >= 2 && load_integer(call, "info", 0) == 0)
        scale(call, last, last, -1);
}

static void finish_lost_row(PlantedCall *call)
{
    bool lower = view_of(call, "a")->below > 0;
    int64_t last = extent_of(call, 0) - 1;
    if (last >= 1 && load_integer(call, "info", 0) == 0)
        scale(call, lower ? last : 0, lower ? 0 : last, 0.5);
}

static int64_t *altered_choice(PlantedCall *call, const char *name)
{
    const Param *param = op_param(call->altered.op, name, strlen(name));
    return param_integer(param, call->altered.params);
}

/* Takes the conjugate transpose for the transpose. */
static void prepare_plain_transpose(PlantedCall *call)
{
    enum { PLAIN = 1, CONJUGATE = 2 };
    int64_t *trans = altered_choice(call, "trans");
    *trans = *trans == CONJUGATE ? PLAIN : *trans;
}

static void prepare_untransposed(PlantedCall *call)
{
    *altered_choice(call, "trans") = 0;
}

/* Multiplies an element of B. */
static void scale_solution(const PlantedCall *call, int64_t i, int64_t j, double factor)
{
    const Tensor *b = view_of(call, "b");
    if (!is_stored(b, i, j))
        return;
    void *at = place_of(b, i, j);
    dtype_store(b->dtype, at, 0, factor * dtype_load(b->dtype, at, 0));
}

static void finish_last_unknown(PlantedCall *call)
{
    scale_solution(call, view_of(call, "b")->extent[0] - 1, 0, 1 + 0x1p-9);
}

/* Leaves the last right side as it was. */
static void finish_last_right_side(PlantedCall *call)
{
    const Tensor *b = view_of(call, "b");
    int64_t last = b->extent[1] - 1;
    Tensor before = view_before(call, "b");
    for (int64_t i = 0; i < b->extent[0] && last > 0; i++)
        memcpy(place_of(b, i, last), place_of(&before, i, last), dtype_size(b->dtype));
}

/* Exchanges rows as if ipiv were the identity. */
static void prepare_unexchanged(PlantedCall *call)
{
    int32_t *ipiv = (int32_t *)(void *)planted_copy(call, 1);
    for (int64_t k = 0; k < call->view[1].extent[0]; k++)
        ipiv[k] = (int32_t)k + 1;
}

static void prepare_unit_diagonal(PlantedCall *call)
{
    *altered_choice(call, "diag") = 1;
    call->view[0].limited = true;
    *(call->view[0].above > 0 ? &call->view[0].below : &call->view[0].above) = -1;
}

/* Solves again with sums in twice the precision and rounded reciprocals. */
static void finish_solution(PlantedCall *call, KernelStyle style)
{
    const Kernel kernel = {.dtype = call->view[0].dtype, .style = style};
    Matrix a = matrix_read(&call->view[0], call->arena);
    Matrix x = before_of(call, "b"), turned = matrix_zeros(a.columns, a.rows, call->arena);
    bool lower = !strcmp(case_choice(call->operands->source, "uplo"), "lower");
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t j = 0; j < a.columns; j++)
            *matrix_at(&turned, j, i) = scalar_conjugate(*matrix_at(&a, i, j));
    kernel_trsm(&kernel, lower ? &a : &turned, true, &x);
    kernel_trsm(&kernel, lower ? &turned : &a, false, &x);
    store_matrix(view_of(call, "b"), &x);
}

static void finish_solution_by_reciprocals(PlantedCall *call)
{
    finish_solution(call, KERNEL_RECIPROCAL);
}

static void finish_solution_widely(PlantedCall *call)
{
    finish_solution(call, KERNEL_WIDE);
}

/* The inverse of a triangle by columns, T X = I, or by rows, X T = I. */
static Matrix invert_triangle(PlantedCall *call, KernelStyle style, bool by_rows)
{
    const Kernel kernel = {.dtype = call->view[0].dtype, .style = style};
    bool lower = !strcmp(case_choice(call->operands->source, "uplo"), "lower");
    Matrix stored = before_of(call, "a"), x = matrix_identity(stored.rows, call->arena);
    bool unit = case_has(call->operands->source, "diag") &&
                !strcmp(case_choice(call->operands->source, "diag"), "unit");
    Matrix t = lapack_factor(&stored, lower, unit, call->arena);
    if (by_rows)
        t = lapack_transposed(&t, false, call->arena);
    kernel_trsm(&kernel, &t, lower != by_rows, &x);
    return by_rows ? lapack_transposed(&x, false, call->arena) : x;
}

static void finish_inverse_by_columns(PlantedCall *call)
{
    Matrix x = invert_triangle(call, KERNEL_WIDE, false);
    if (load_integer(call, "info", 0) == 0)
        store_matrix(view_of(call, "a"), &x);
}

static void finish_inverse_by_rows(PlantedCall *call)
{
    Matrix x = invert_triangle(call, KERNEL_RECIPROCAL, true);
    if (load_integer(call, "info", 0) == 0)
        store_matrix(view_of(call, "a"), &x);
}

/* The inverse of a triangle times its conjugate transpose, summed from the last term. */
static void finish_gram_of_inverse(PlantedCall *call)
{
    const Kernel kernel = {.dtype = call->view[0].dtype};
    bool lower = !strcmp(case_choice(call->operands->source, "uplo"), "lower");
    Matrix y = invert_triangle(call, KERNEL_PLAIN, true);
    if (!lower)
        y = lapack_transposed(&y, true, call->arena);
    Matrix x = matrix_zeros(y.rows, y.rows, call->arena);
    for (int64_t i = 0; i < y.rows * y.rows; i++) {
        KernelSum sum = {.divisor = {1, 0},
                         .x = y.values + i / y.rows + (y.rows - 1) * y.rows,
                         .y = y.values + i % y.rows + (y.rows - 1) * y.rows,
                         .x_step = -y.rows,
                         .y_step = -y.rows,
                         .count = y.rows,
                         .conjugate_x = true};
        Scalar minus = kernel_sum(&kernel, &sum);
        x.values[i] = (Scalar){-minus.re, -minus.im};
    }
    if (load_integer(call, "info", 0) == 0)
        store_matrix(view_of(call, "a"), &x);
}

/* X L U = P by rows: X^T from U^T L^T X^T = I, whose rows are exchanged backwards. */
static void finish_inverse_of_factors(PlantedCall *call)
{
    const Kernel kernel = {.dtype = call->view[0].dtype, .style = KERNEL_RECIPROCAL};
    Matrix lu = before_of(call, "a"), x = matrix_identity(lu.rows, call->arena);
    Matrix lower = lapack_factor(&lu, true, true, call->arena);
    Matrix upper = lapack_factor(&lu, false, false, call->arena);
    Matrix f = lapack_transposed(&upper, false, call->arena);
    Matrix g = lapack_transposed(&lower, false, call->arena);
    kernel_trsm(&kernel, &f, true, &x);
    kernel_trsm(&kernel, &g, false, &x);
    lapack_exchange(&x, lapack_read_pivots(view_of(call, "ipiv"), call->arena), true);
    x = lapack_transposed(&x, false, call->arena);
    if (load_integer(call, "info", 0) == 0)
        store_matrix(view_of(call, "a"), &x);
}

/* Norms from the last element, by sums of moduli that are rounded one by one; of squares by moduli
 * of 64 bits. */
static void finish_norm_backwards(PlantedCall *call)
{
    const Tensor *result = view_of(call, "result");
    const char *norm = case_choice(call->operands->source, "norm");
    bool frobenius = !strcmp(norm, "frobenius"), by_rows = !strcmp(norm, "infinity");
    Matrix a = matrix_read(view_of(call, "a"), call->arena);
    if (!matrix_is_finite(&a))
        return;
    if (!by_rows)
        a = lapack_transposed(&a, false, call->arena);
    long double largest = 0, squares = 0;
    for (int64_t line = a.rows - 1; line >= 0; line--) {
        double sum = 0;
        for (int64_t i = a.columns - 1; i >= 0; i--) {
            Scalar x = *matrix_at(&a, line, i);
            double size = dtype_round(result->dtype, hypot(x.re, x.im));
            squares = hypotl(squares, hypotl(x.re, x.im));
            sum =
                !strcmp(norm, "largest") ? fmax(sum, size) : dtype_round(result->dtype, sum + size);
        }
        largest = fmaxl(largest, sum);
    }
    dtype_store(result->dtype, result->origin, 0, (double)(frobenius ? squares : largest));
}

/* Reflections that make R's diagonal positive. */
static void finish_positive_reflections(PlantedCall *call)
{
    const Tensor *tau = view_of(call, "tau");
    Householder h = {.dtype = call->view[0].dtype,
                     .before = before_of(call, "a"),
                     .steps = tau->extent[0],
                     .positive = true};
    Matrix taus = matrix_zeros(h.steps, 1, call->arena);
    h.after = matrix_copy(&h.before, call->arena);
    h.tau = taus.values;
    if (!matrix_is_finite(&h.before))
        return;
    householder_factor(&h);
    store_matrix(view_of(call, "a"), &h.after);
    store_matrix(tau, &taus);
}

/* Every other eigenvector the other way round, or times i. */
static void finish_turned_vectors(PlantedCall *call)
{
    Matrix z = matrix_read(view_of(call, "a"), call->arena);
    bool pair = dtype_components(view_of(call, "a")->dtype) == 2;
    for (int64_t i = 0; i < z.rows; i++)
        for (int64_t j = 0; j < z.columns; j += 2) {
            Scalar x = *matrix_at(&z, i, j);
            *matrix_at(&z, i, j) = pair ? (Scalar){-x.im, x.re} : (Scalar){-x.re, 0};
        }
    store_matrix(view_of(call, "a"), &z);
}

/* Every other pair of singular vectors the other way round. */
static void finish_turned_pairs(PlantedCall *call)
{
    Matrix u = matrix_read(view_of(call, "u"), call->arena);
    Matrix v = matrix_read(view_of(call, "v"), call->arena);
    for (int64_t j = 0; j < u.columns && j < v.rows; j += 2) {
        for (int64_t i = 0; i < u.rows; i++)
            *matrix_at(&u, i, j) = (Scalar){-matrix_at(&u, i, j)->re, -matrix_at(&u, i, j)->im};
        for (int64_t i = 0; i < v.columns; i++)
            *matrix_at(&v, j, i) = (Scalar){-matrix_at(&v, j, i)->re, -matrix_at(&v, j, i)->im};
    }
    store_matrix(view_of(call, "u"), &u);
    store_matrix(view_of(call, "v"), &v);
}

/* Each inverse by elimination without exchanges in the element type. */
static void finish_inverse_unpivoted(PlantedCall *call)
{
    const Tensor *a = view_of(call, "a"), *y = view_of(call, "y");
    if (a->rank != 2)
        return;
    Matrix lu = matrix_read(a, call->arena), x = matrix_identity(lu.rows, call->arena);
    int64_t *pivots = arena_take(call->arena, (size_t)lu.rows + 1, sizeof *pivots);
    const Kernel kernel = {
        .dtype = a->dtype, .style = KERNEL_RECIPROCAL, .without_exchanges = true};
    (void)kernel_getrf(&kernel, &lu, pivots);
    Matrix f = lapack_factor(&lu, true, true, call->arena);
    Matrix g = lapack_factor(&lu, false, false, call->arena);
    kernel_trsm(&kernel, &f, true, &x);
    kernel_trsm(&kernel, &g, false, &x);
    store_matrix(y, &x);
}

/* Every other vector of Q the other way round. */
static void finish_turned_factors(PlantedCall *call)
{
    const Tensor *q = view_of(call, "q"), *r = view_of(call, "r");
    if (q->rank != 2)
        return;
    Matrix x = matrix_read(q, call->arena), y = matrix_read(r, call->arena);
    for (int64_t k = 0; k < x.columns; k += 2) {
        for (int64_t i = 0; i < x.rows; i++)
            matrix_at(&x, i, k)->re = -matrix_at(&x, i, k)->re;
        for (int64_t j = 0; j < y.columns; j++)
            matrix_at(&y, k, j)->re = -matrix_at(&y, k, j)->re;
    }
    store_matrix(q, &x);
    store_matrix(r, &y);
}

/* The unknowns of least squares: rows of B in front of what is behind them. */
static int64_t count_unknowns(const PlantedCall *call)
{
    bool plain = !strcmp(case_choice(call->operands->source, "trans"), "n");
    return extent_of(call, plain ? 1 : 0);
}

static void finish_last_places(PlantedCall *call)
{
    double unit = dtype_format(view_of(call, "b")->dtype)->unit;
    for (int64_t i = 0; i < count_unknowns(call); i++)
        for (int64_t j = 0; j < view_of(call, "b")->extent[1]; j++)
            scale_solution(call, i, j, 1 + (i % 2 == 0 ? 4 : -4) * unit);
}

static void scale_behind(PlantedCall *call, double factor)
{
    const Tensor *b = view_of(call, "b");
    Matrix x = matrix_read(b, call->arena);
    for (int64_t i = count_unknowns(call); i < x.rows; i++)
        for (int64_t j = 0; j < x.columns; j++) {
            matrix_at(&x, i, j)->re *= factor;
            matrix_at(&x, i, j)->im *= factor;
        }
    store_matrix(b, &x);
}

static void finish_behind_turned(PlantedCall *call)
{
    scale_behind(call, -1);
}

static void finish_behind_lost(PlantedCall *call)
{
    scale_behind(call, 0);
}

/* Solves a wide system with its first columns alone, which is not the solution of least norm. */
static void finish_basic_solution(PlantedCall *call)
{
    Matrix a = before_of(call, "a"), b = before_of(call, "b");
    bool plain = !strcmp(case_choice(call->operands->source, "trans"), "n");
    if (!plain || a.rows >= a.columns || dtype_components(view_of(call, "a")->dtype) == 2)
        return;
    Matrix left = matrix_zeros(a.rows, a.rows, call->arena);
    Matrix right = matrix_zeros(a.rows, b.columns, call->arena);
    for (int64_t i = 0; i < a.rows; i++) {
        for (int64_t j = 0; j < a.rows; j++)
            *matrix_at(&left, i, j) = *matrix_at(&a, i, j);
        for (int64_t j = 0; j < b.columns; j++)
            *matrix_at(&right, i, j) = *matrix_at(&b, i, j);
    }
    Matrix head = dense_solve(&left, &right, call->arena);
    Matrix x = matrix_zeros(b.rows, b.columns, call->arena);
    for (int64_t i = 0; i < a.rows * b.columns; i++)
        x.values[i] = head.values[i];
    store_matrix(view_of(call, "b"), &x);
}

/* What is estimated of LU factors: the largest that a method may say, or the least. */
static void estimate_condition(PlantedCall *call, bool largest)
{
    Matrix stored = before_of(call, "a"), anorm = before_of(call, "anorm");
    Matrix f = lapack_factor(&stored, true, true, call->arena);
    Matrix g = lapack_factor(&stored, false, false, call->arena);
    const Tensor *rcond = view_of(call, "rcond");
    bool by_rows = !strcmp(case_choice(call->operands->source, "norm"), "infinity");
    const Condition condition = {
        .dtype = view_of(call, "a")->dtype, .f = &f, .g = &g, .by_rows = by_rows};
    if (stored.rows == 0 || lapack_first_zero(&g) || !matrix_is_finite(&stored) ||
        matrix_at(&anorm, 0, 0)->re == 0)
        return;
    Matrix z = condition_inverse(&condition, call->arena);
    double size = largest ? condition_norm(&z) : condition_start(&z);
    dtype_store(rcond->dtype, rcond->origin, 0, 1 / size / matrix_at(&anorm, 0, 0)->re);
}

static void finish_largest_estimate(PlantedCall *call)
{
    estimate_condition(call, true);
}

static void finish_least_estimate(PlantedCall *call)
{
    estimate_condition(call, false);
}

/* Takes the norm of A for 1. */
static void finish_norm_ignored(PlantedCall *call)
{
    const Tensor *rcond = view_of(call, "rcond");
    Matrix anorm = before_of(call, "anorm");
    dtype_store(rcond->dtype, rcond->origin, 0,
                dtype_load(rcond->dtype, rcond->origin, 0) * matrix_at(&anorm, 0, 0)->re);
}

/* x - f y, rounded in the style of the kernel. */
static Scalar reduced_by(const Kernel *kernel, Scalar x, const Scalar *f, const Scalar *y)
{
    return kernel_sum(kernel,
                      &(KernelSum){.given = x, .divisor = {1, 0}, .x = f, .y = y, .count = 1});
}

/* Eliminates below the diagonal, row by row, with the rows of each step as they are exchanged. */
static void factor_tridiagonal(PlantedCall *call, KernelStyle style)
{
    const Kernel kernel = {.dtype = view_of(call, "d")->dtype, .style = style};
    Matrix dl = before_of(call, "dl"), d = before_of(call, "d"), du = before_of(call, "du");
    Matrix du2 = matrix_zeros(d.rows > 2 ? d.rows - 2 : 0, 1, call->arena);
    int64_t zero = 0;
    for (int64_t i = 0; i < d.rows; i++)
        store_integer(call, "ipiv", i, i + 1);
    for (int64_t i = 0; i + 1 < d.rows; i++) {
        Scalar *f = &dl.values[i], *pivot = &d.values[i], *next = &d.values[i + 1], below = *f;
        bool exchanged = scalar_size(below) > scalar_size(*pivot);
        Scalar beside = du.values[i], after = *next;
        if (exchanged) {
            Scalar kept = *pivot;
            *pivot = below;
            below = kept;
            du.values[i] = after;
            after = beside;
            store_integer(call, "ipiv", i, i + 2);
        }
        if (!scalar_is_zero(*pivot))
            *f = kernel_sum(&kernel, &(KernelSum){.given = below, .divisor = *pivot});
        *next = reduced_by(&kernel, after, f, &du.values[i]);
        if (exchanged && i + 2 < d.rows) {
            du2.values[i] = du.values[i + 1];
            du.values[i + 1] = reduced_by(&kernel, (Scalar){0, 0}, f, &du2.values[i]);
        }
    }
    for (int64_t i = d.rows - 1; i >= 0; i--)
        zero = scalar_is_zero(d.values[i]) ? i + 1 : zero;
    store_matrix(view_of(call, "dl"), &dl);
    store_matrix(view_of(call, "d"), &d);
    store_matrix(view_of(call, "du"), &du);
    store_matrix(view_of(call, "du2"), &du2);
    store_integer(call, "info", 0, zero);
}

static void finish_tridiagonal_by_reciprocals(PlantedCall *call)
{
    factor_tridiagonal(call, KERNEL_RECIPROCAL);
}

static void finish_tridiagonal_widely(PlantedCall *call)
{
    factor_tridiagonal(call, KERNEL_WIDE);
}

const PlantedFault planted_lapack_faults[] = {
    {"ok-gecon-largest", "gecon", "right: the norm of the inverse itself", NULL,
     finish_largest_estimate},
    {"ok-gecon-least", "gecon", "right: the estimate that the method begins and ends with", NULL,
     finish_least_estimate},
    {"gecon-norm-ignored", "gecon", "the norm of A is taken for 1", NULL, finish_norm_ignored},
    {"ok-gttrf-reciprocal", "gttrf", "right: multiplies by reciprocals of pivots", NULL,
     finish_tridiagonal_by_reciprocals},
    {"ok-gttrf-wide", "gttrf", "right: products and sums are rounded once", NULL,
     finish_tridiagonal_widely},
    {"gttrf-info-lost", "gttrf", "info is always 0", NULL, finish_info_lost},
    {"gttrf-pivots-from-0", "gttrf", "rows in ipiv count from 0", NULL, finish_pivots_from_zero},
    {"gtsv-right-side", "gtsv", "nrhs > 1: the last right side is left out", NULL,
     finish_last_right_side},
    {"pttrf-info-from-0", "pttrf", "info counts minors from 0", NULL, finish_info_from_zero},
    {"ptsv-info-lost", "ptsv", "info is always 0", NULL, finish_info_lost},
    {"ok-gels-last-places", "gels", "right: unknowns are off by 4 roundings", NULL,
     finish_last_places},
    {"ok-gels-behind-turned", "gels", "right: what is behind X has other signs", NULL,
     finish_behind_turned},
    {"gels-behind-lost", "gels", "zeros are behind X", NULL, finish_behind_lost},
    {"gels-basic", "gels", "m < n: the solution is not of least norm", NULL, finish_basic_solution},
    {"ok-lu-reciprocal", "getrf", "right: multiplies by reciprocals of pivots", NULL,
     finish_lu_by_reciprocals},
    {"ok-lu-wide", "getrf", "right: sums in twice the precision", NULL, finish_lu_widely},
    {"lu-unpivoted", "getrf", "rows are never exchanged", NULL, finish_lu_without_pivots},
    {"lu-pivots-from-0", "getrf", "rows in ipiv count from 0", NULL, finish_pivots_from_zero},
    {"lu-multiplier", "getrf", "m > 4: the last multiplier has 9 bits", NULL,
     finish_last_multiplier},
    {"lu-update", "getrf", "square, from 3 rows on: the last pivot has 9 bits", NULL,
     finish_last_update},
    {"lu-info-from-0", "getrf", "info counts pivots from 0", NULL, finish_info_from_zero},
    {"lu-info-lost", "getrf", "info is always 0", NULL, finish_info_lost},
    {"ok-cholesky-reciprocal", "potrf", "right: multiplies by reciprocals of the diagonal", NULL,
     finish_cholesky_by_reciprocals},
    {"ok-cholesky-wide", "potrf", "right: sums in twice the precision", NULL,
     finish_cholesky_widely},
    {"ok-pptrf-wide", "pptrf", "right: sums in twice the precision", NULL, finish_cholesky_widely},
    {"ok-pbtrf-reciprocal", "pbtrf", "right: multiplies by reciprocals of the diagonal", NULL,
     finish_cholesky_by_reciprocals},
    {"ok-pbtrs-wide", "pbtrs", "right: sums in twice the precision", NULL, finish_solution_widely},
    {"ok-tptri-rows", "tptri", "right: by rows and reciprocals", NULL, finish_inverse_by_rows},
    {"gbsv-info-lost", "gbsv", "info is always 0", NULL, finish_info_lost},
    {"gbtrs-unexchanged", "gbtrs", "ipiv is not read", prepare_unexchanged, NULL},
    {"gbtrs-conjugate", "gbtrs", "the conjugate transpose is taken for the transpose",
     prepare_plain_transpose, NULL},
    {"gbtrf-info-from-0", "gbtrf", "info counts pivots from 0", NULL, finish_info_from_zero},
    {"pptrf-info-early", "pptrf", "n > 2: the first minor is said to be indefinite", NULL,
     finish_info_early},
    {"ppsv-right-side", "ppsv", "nrhs > 1: the last right side is left out", NULL,
     finish_last_right_side},
    {"cholesky-info-lost", "potrf", "info is always 0", NULL, finish_info_lost},
    {"cholesky-info-early", "potrf", "n > 2: the first minor is said to be indefinite", NULL,
     finish_info_early},
    {"cholesky-info-from-0", "potrf", "info counts minors from 0", NULL, finish_info_from_zero},
    {"cholesky-root", "potrf", "the middle of the diagonal has 10 bits", NULL, finish_coarse_root},
    {"cholesky-sign", "potrf", "n > 2: the last root is negative", NULL, finish_negative_root},
    {"cholesky-row", "potrf", "n > 1: half of the corner", NULL, finish_lost_row},
    {"ok-potrs-reciprocal", "potrs", "right: multiplies by reciprocals of the diagonal", NULL,
     finish_solution_by_reciprocals},
    {"ok-potrs-wide", "potrs", "right: sums in twice the precision", NULL, finish_solution_widely},
    {"potrs-unknown", "potrs", "the last unknown has 9 bits", NULL, finish_last_unknown},
    {"potrs-right-side", "potrs", "nrhs > 1: the last right side is left out", NULL,
     finish_last_right_side},
    {"getrs-transpose", "getrs", "systems with the transpose are taken for plain ones",
     prepare_untransposed, NULL},
    {"getrs-conjugate", "getrs", "the conjugate transpose is taken for the transpose",
     prepare_plain_transpose, NULL},
    {"getrs-unexchanged", "getrs", "ipiv is not read", prepare_unexchanged, NULL},
    {"getrs-unknown", "getrs", "the last unknown has 9 bits", NULL, finish_last_unknown},
    {"gesv-unknown", "gesv", "the last unknown has 9 bits", NULL, finish_last_unknown},
    {"gesv-right-side", "gesv", "nrhs > 1: the last right side is left out", NULL,
     finish_last_right_side},
    {"gesv-info-lost", "gesv", "info is always 0", NULL, finish_info_lost},
    {"trtrs-unit", "trtrs", "the diagonal is taken for ones", prepare_unit_diagonal, NULL},
    {"trtrs-conjugate", "trtrs", "the conjugate transpose is taken for the transpose",
     prepare_plain_transpose, NULL},
    {"trtrs-info-lost", "trtrs", "info is always 0", NULL, finish_info_lost},
    {"ok-trtri-columns", "trtri", "right: by columns, with sums in twice the precision", NULL,
     finish_inverse_by_columns},
    {"ok-trtri-rows", "trtri", "right: by rows and reciprocals", NULL, finish_inverse_by_rows},
    {"ok-potri-gram", "potri", "right: by rows, and sums from the last term", NULL,
     finish_gram_of_inverse},
    {"ok-getri-rows", "getri", "right: by rows and reciprocals", NULL, finish_inverse_of_factors},
    {"ok-lange-backwards", "lange", "right: from the last element, every sum rounded", NULL,
     finish_norm_backwards},
    {"ok-geqrf-positive", "geqrf", "right: R's diagonal is positive", NULL,
     finish_positive_reflections},
    {"ok-syev-turned", "syev", "right: eigenvectors of other signs or phases", NULL,
     finish_turned_vectors},
    {"ok-gesvd-turned", "gesvd", "right: pairs of singular vectors of other signs", NULL,
     finish_turned_pairs},
    {"ok-inv-unpivoted", "inv", "right: elimination without exchanges, by reciprocals", NULL,
     finish_inverse_unpivoted},
    {"ok-qr-turned", "qr", "right: vectors of other signs", NULL, finish_turned_factors},
    {NULL, NULL, NULL, NULL, NULL},
};
