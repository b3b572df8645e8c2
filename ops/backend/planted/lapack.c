/* Faults of LAPACK's routines, and correct results that differ from the reference's own. */
#include <math.h>
#include <string.h>

#include "matrices.h"
#include "ops/lapack/householder.h"
#include "ops/lapack/kernel.h"
#include "ops/lapack/lapack.h"
#include "ops/lapack/solve.h"

/* Multiplies the real part of an element, if there is one. */
static void scale(const PlantedCall *call, int64_t i, int64_t j, double factor)
{
    const Tensor *view = planted_view_of(call, "a");
    if (!planted_is_stored(view, i, j))
        return;
    void *at = planted_place_of(view, i, j);
    dtype_store(view->dtype, at, 0, factor * dtype_load(view->dtype, at, 0));
}

static void factor_lu(PlantedCall *call, KernelStyle style)
{
    Matrix a = planted_before_of(call, "a");
    int64_t *pivots = arena_take(call->arena, (size_t)a.rows + 1, sizeof *pivots);
    planted_store_integer(
        call, "info", 0,
        kernel_getrf(&(Kernel){.dtype = call->view[0].dtype, .style = style}, &a, pivots));
    for (int64_t k = 0; k < a.rows && k < a.columns; k++)
        planted_store_integer(call, "ipiv", k, pivots[k] + 1);
    planted_store_matrix(planted_view_of(call, "a"), &a);
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
    Matrix a = planted_before_of(call, "a");
    bool lower = !strcmp(case_choice(call->operands->source, "uplo"), "lower");
    planted_store_integer(
        call, "info", 0,
        kernel_potrf(&(Kernel){.dtype = call->view[0].dtype, .style = style}, &a, lower));
    planted_store_matrix(planted_view_of(call, "a"), &a);
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
    Matrix a = planted_before_of(call, "a");
    int64_t *pivots = arena_take(call->arena, (size_t)a.rows + 1, sizeof *pivots);
    planted_store_integer(call, "info", 0, kernel_getrf(&kernel, &a, pivots));
    for (int64_t k = 0; k < a.rows && k < a.columns; k++)
        planted_store_integer(call, "ipiv", k, k + 1);
    planted_store_matrix(planted_view_of(call, "a"), &a);
}

static void finish_last_multiplier(PlantedCall *call)
{
    if (planted_extent_of(call, 0) > 4)
        scale(call, planted_extent_of(call, 0) - 1, 0, 1 - 0x1p-9);
}

static void finish_last_update(PlantedCall *call)
{
    int64_t last = planted_extent_of(call, 0) - 1;
    if (last > 1 && last == planted_extent_of(call, 1) - 1)
        scale(call, last, last, 1 + 0x1p-9);
}

static void finish_info_early(PlantedCall *call)
{
    if (planted_extent_of(call, 0) > 2 && planted_load_integer(call, "info", 0) == 0)
        planted_store_integer(call, "info", 0, 1);
}

static void finish_coarse_root(PlantedCall *call)
{
    scale(call, planted_extent_of(call, 0) / 2, planted_extent_of(call, 0) / 2, 1 + 0x1p-10);
}

static void finish_negative_root(PlantedCall *call)
{
    int64_t last = planted_extent_of(call, 0) - 1;
    if (last >= 2 && planted_load_integer(call, "info", 0) == 0)
        scale(call, last, last, -1);
}

static void finish_lost_row(PlantedCall *call)
{
    bool lower = planted_view_of(call, "a")->below > 0;
    int64_t last = planted_extent_of(call, 0) - 1;
    if (last >= 1 && planted_load_integer(call, "info", 0) == 0)
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

static void finish_last_unknown(PlantedCall *call)
{
    planted_scale_solution(call, planted_view_of(call, "b")->extent[0] - 1, 0, 1 + 0x1p-9);
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
    Matrix x = planted_before_of(call, "b"), turned = matrix_zeros(a.columns, a.rows, call->arena);
    bool lower = !strcmp(case_choice(call->operands->source, "uplo"), "lower");
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t j = 0; j < a.columns; j++)
            *matrix_at(&turned, j, i) = scalar_conjugate(*matrix_at(&a, i, j));
    kernel_trsm(&kernel, lower ? &a : &turned, true, &x);
    kernel_trsm(&kernel, lower ? &turned : &a, false, &x);
    planted_store_matrix(planted_view_of(call, "b"), &x);
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
    Matrix stored = planted_before_of(call, "a"), x = matrix_identity(stored.rows, call->arena);
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
    if (planted_load_integer(call, "info", 0) == 0)
        planted_store_matrix(planted_view_of(call, "a"), &x);
}

static void finish_inverse_by_rows(PlantedCall *call)
{
    Matrix x = invert_triangle(call, KERNEL_RECIPROCAL, true);
    if (planted_load_integer(call, "info", 0) == 0)
        planted_store_matrix(planted_view_of(call, "a"), &x);
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
    if (planted_load_integer(call, "info", 0) == 0)
        planted_store_matrix(planted_view_of(call, "a"), &x);
}

/* X L U = P by rows: X^T from U^T L^T X^T = I, whose rows are exchanged backwards. */
static void finish_inverse_of_factors(PlantedCall *call)
{
    const Kernel kernel = {.dtype = call->view[0].dtype, .style = KERNEL_RECIPROCAL};
    Matrix lu = planted_before_of(call, "a"), x = matrix_identity(lu.rows, call->arena);
    Matrix lower = lapack_factor(&lu, true, true, call->arena);
    Matrix upper = lapack_factor(&lu, false, false, call->arena);
    Matrix f = lapack_transposed(&upper, false, call->arena);
    Matrix g = lapack_transposed(&lower, false, call->arena);
    kernel_trsm(&kernel, &f, true, &x);
    kernel_trsm(&kernel, &g, false, &x);
    lapack_exchange(&x, lapack_read_pivots(planted_view_of(call, "ipiv"), call->arena), true);
    x = lapack_transposed(&x, false, call->arena);
    if (planted_load_integer(call, "info", 0) == 0)
        planted_store_matrix(planted_view_of(call, "a"), &x);
}

/* Norms from the last element, by sums of moduli that are rounded one by one; of squares by moduli
 * of 64 bits. */
static void finish_norm_backwards(PlantedCall *call)
{
    const Tensor *result = planted_view_of(call, "result");
    const char *norm = case_choice(call->operands->source, "norm");
    bool frobenius = !strcmp(norm, "frobenius"), by_rows = !strcmp(norm, "infinity");
    Matrix a = matrix_read(planted_view_of(call, "a"), call->arena);
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

/* Factors of a matrix by reflections one by one. */
static void factor_by_reflections(PlantedCall *call, const Matrix *a, bool positive)
{
    const Tensor *tau = planted_view_of(call, "tau");
    Householder h = {
        .dtype = call->view[0].dtype, .before = *a, .steps = tau->extent[0], .positive = positive};
    Matrix taus = matrix_zeros(h.steps, 1, call->arena);
    h.after = matrix_copy(&h.before, call->arena);
    h.tau = taus.values;
    if (!matrix_is_finite(&h.before))
        return;
    householder_factor(&h);
    planted_store_matrix(planted_view_of(call, "a"), &h.after);
    planted_store_matrix(tau, &taus);
}

/* Reflections that make R's diagonal positive. */
static void finish_positive_reflections(PlantedCall *call)
{
    Matrix a = planted_before_of(call, "a");
    factor_by_reflections(call, &a, true);
}

/* In the order that was found.  Columns that are kept in front may depend on each other, so that
 * what is left of the others, and their order, is each computation's own. */
static void finish_positive_exchanged(PlantedCall *call)
{
    const Tensor given = planted_view_before(call, "jpvt");
    if (lapack_fixed_columns(&given) > 0)
        return;
    Matrix a = planted_before_of(call, "a");
    const int64_t *columns = lapack_read_pivots(planted_view_of(call, "jpvt"), call->arena);
    Matrix taken = lapack_take_columns(&a, columns, call->arena);
    factor_by_reflections(call, &taken, true);
}

/* Factors with the columns as they come. */
static void finish_columns_kept(PlantedCall *call)
{
    Matrix a = planted_before_of(call, "a");
    for (int64_t j = 0; j < a.columns; j++)
        planted_store_integer(call, "jpvt", j, j + 1);
    factor_by_reflections(call, &a, false);
}

/* Every other eigenvector the other way round, or times i. */
static void turn_vectors(PlantedCall *call, const char *operand)
{
    Matrix z = matrix_read(planted_view_of(call, operand), call->arena);
    bool pair = dtype_components(planted_view_of(call, operand)->dtype) == 2;
    for (int64_t i = 0; i < z.rows; i++)
        for (int64_t j = 0; j < z.columns; j += 2) {
            Scalar x = *matrix_at(&z, i, j);
            *matrix_at(&z, i, j) = pair ? (Scalar){-x.im, x.re} : (Scalar){-x.re, 0};
        }
    planted_store_matrix(planted_view_of(call, operand), &z);
}

static void finish_turned_vectors(PlantedCall *call)
{
    turn_vectors(call, "a");
}

static void finish_turned_vectors_apart(PlantedCall *call)
{
    turn_vectors(call, "z");
}

/* Each vector has a part of the next one, as large as leaves both within a tenth of what is
 * admitted of A z - w z, as vectors that are found each for itself have. */
static void finish_vectors_for_themselves(PlantedCall *call)
{
    const Tensor *view = planted_view_of(call, "z"), *values = planted_view_of(call, "w");
    Matrix z = matrix_read(view, call->arena);
    double least = 10 * (double)z.columns * dtype_format(view->dtype)->unit, norm = 0;
    for (int64_t j = 0; j < z.columns; j++)
        norm = hypot(norm, dtype_load(values->dtype, values->origin, tensor_offset_of(values, j)));
    for (int64_t j = 0; j + 1 < z.columns && isfinite(norm); j++) {
        double w = dtype_load(values->dtype, values->origin, tensor_offset_of(values, j));
        double next = dtype_load(values->dtype, values->origin, tensor_offset_of(values, j + 1));
        double part = least * fmin(norm / fmax(next - w, 0x1p-1000), 1000);
        part = fmin(part, sqrt(least / 2)); /* the length of the vector stays right */
        for (int64_t i = 0; i < z.rows && norm > 0; i++) {
            matrix_at(&z, i, j)->re += part * matrix_at(&z, i, j + 1)->re;
            matrix_at(&z, i, j)->im += part * matrix_at(&z, i, j + 1)->im;
        }
    }
    planted_store_matrix(view, &z);
}

/* Every eigenvector of eig times i. */
static void finish_vectors_times_i(PlantedCall *call)
{
    const Tensor *v = planted_view_of(call, "v");
    for (int64_t i = 0; i < tensor_count(v); i++) {
        int64_t at = 2 * tensor_offset_of(v, i);
        double re = dtype_load(v->dtype, v->origin, at);
        dtype_store(v->dtype, v->origin, at, -dtype_load(v->dtype, v->origin, at + 1));
        dtype_store(v->dtype, v->origin, at + 1, re);
    }
}

/* The eigenvalues of one matrix in the other order. */
static void finish_eigenvalues_backwards(PlantedCall *call)
{
    const Tensor *w = planted_view_of(call, "w");
    for (int64_t i = 0; w->rank == 1 && i < w->extent[0] / 2; i++)
        for (int part = 0; part < 2; part++) {
            int64_t at = 2 * tensor_offset_of(w, i) + part;
            int64_t to = 2 * tensor_offset_of(w, w->extent[0] - 1 - i) + part;
            double first = dtype_load(w->dtype, w->origin, at);
            dtype_store(w->dtype, w->origin, at, dtype_load(w->dtype, w->origin, to));
            dtype_store(w->dtype, w->origin, to, first);
        }
}

/* Every right eigenvector of geev the other way round. */
static void finish_turned_right_vectors(PlantedCall *call)
{
    Matrix z = matrix_read(planted_view_of(call, "vr"), call->arena);
    for (int64_t i = 0; i < z.rows * z.columns; i++)
        z.values[i] = (Scalar){-z.values[i].re, -z.values[i].im};
    planted_store_matrix(planted_view_of(call, "vr"), &z);
}

/* All eigenvalues of geev that have no pair, and their vectors, in the other order, where none has
 * one. */
static void finish_values_backwards(PlantedCall *call)
{
    const Tensor *w = planted_view_of(call, "w"), *wi = planted_view_of(call, "wi");
    int parts = dtype_components(w->dtype);
    int64_t n = w->extent[0];
    for (int64_t i = 0; i < wi->extent[0]; i++)
        if (dtype_load(wi->dtype, wi->origin, i) != 0)
            return;
    for (int64_t i = 0; i < n / 2; i++)
        for (int part = 0; part < parts; part++) {
            int64_t at = parts * i + part, to = parts * (n - 1 - i) + part;
            double first = dtype_load(w->dtype, w->origin, at);
            dtype_store(w->dtype, w->origin, at, dtype_load(w->dtype, w->origin, to));
            dtype_store(w->dtype, w->origin, to, first);
        }
    static const char *const names[] = {"vl", "vr"};
    for (int side = 0; side < 2; side++) {
        const Tensor *view = planted_view_of(call, names[side]);
        Matrix z = matrix_read(view, call->arena), turned = matrix_copy(&z, call->arena);
        for (int64_t i = 0; i < z.rows; i++)
            for (int64_t j = 0; j < z.columns; j++)
                *matrix_at(&turned, i, j) = *matrix_at(&z, i, z.columns - 1 - j);
        planted_store_matrix(view, &turned);
    }
}

/* The last row and column that gebal scales by twice as much. */
static void finish_another_power(PlantedCall *call)
{
    const Tensor *scale = planted_view_of(call, "scale"), *view = planted_view_of(call, "a");
    const Tensor *ilo = planted_view_of(call, "ilo"), *ihi = planted_view_of(call, "ihi");
    int64_t last = lapack_integer(ihi, 0) - 1;
    if (case_int(call->operands->source, "job") < 2 || last < lapack_integer(ilo, 0))
        return;
    Matrix a = matrix_read(view, call->arena);
    for (int64_t i = 0; i < a.rows; i++) {
        Scalar *x = matrix_at(&a, last, i), *y = matrix_at(&a, i, last);
        *x = (Scalar){x->re / 2, x->im / 2};
        *y = (Scalar){y->re * 2, y->im * 2};
    }
    planted_store_matrix(view, &a);
    dtype_store(scale->dtype, scale->origin, last,
                2 * dtype_load(scale->dtype, scale->origin, last));
}

/* A line x becomes x - (x v) tau v^H, or from the left x - v conj(tau) (v^H x), every operation
 * rounded. */
static void reflect_line(const Kernel *kernel, Scalar *x, int64_t step, const Scalar *v,
                         int64_t count, Scalar tau, bool left)
{
    KernelSum inner = {.divisor = {1, 0},
                       .x = x,
                       .x_step = step,
                       .y = v,
                       .y_step = 1,
                       .count = count,
                       .conjugate_y = left};
    Scalar minus = kernel_sum(kernel, &inner);
    KernelSum product = {
        .divisor = {1, 0}, .x = &minus, .y = &tau, .count = 1, .conjugate_y = left};
    Scalar times = kernel_sum(kernel, &product);
    for (int64_t i = 0; i < count; i++) {
        KernelSum element = {.given = x[i * step],
                             .divisor = {1, 0},
                             .x = &times,
                             .y = &v[i],
                             .count = 1,
                             .conjugate_y = !left};
        x[i * step] = kernel_sum(kernel, &element);
    }
}

/* Q of orghr, and of orgtr's lower triangle, by rows, from the first reflection on. */
static void finish_hessenberg_forwards(PlantedCall *call)
{
    const Case *c = call->operands->source;
    bool is_inner = case_has(c, "ilo");
    if (!is_inner && strcmp(case_choice(c, "uplo"), "lower") != 0)
        return;
    const Kernel kernel = {.dtype = call->view[0].dtype};
    Matrix a = planted_before_of(call, "a"), tau = planted_before_of(call, "tau");
    Matrix q = matrix_identity(a.rows, call->arena);
    Scalar *v = arena_take(call->arena, (size_t)a.rows + 1, sizeof *v);
    int64_t first = is_inner ? case_int(c, "ilo") : 1, end = is_inner ? case_int(c, "ihi") : a.rows;
    for (int64_t k = first; k < end; k++) {
        for (int64_t i = k; i < end; i++)
            v[i - k] = i == k ? (Scalar){1, 0} : *matrix_at(&a, i, k - 1);
        for (int64_t i = first; i < end; i++)
            reflect_line(&kernel, matrix_at(&q, i, k), 1, v, end - k, *matrix_at(&tau, k - 1, 0),
                         false);
    }
    planted_store_matrix(planted_view_of(call, "a"), &q);
}

/* v of the reflection that makes x a multiple of its first element, which becomes that, and tau. */
static Scalar make_reflection(DType dtype, Scalar *x, Scalar *v, int64_t count)
{
    long double rest = 0, re = x->re, im = x->im;
    for (int64_t i = 1; i < count; i++)
        rest = hypotl(rest, hypotl(x[i].re, x[i].im));
    for (int64_t i = 0; i < count; i++)
        v[i] = i == 0 ? (Scalar){1, 0} : x[i];
    if (rest == 0 && im == 0)
        return (Scalar){0, 0};
    long double beta = -copysignl(hypotl(hypotl(re, im), rest), re), a = re - beta;
    for (int64_t i = 1; i < count; i++) {
        long double p = x[i].re, q = x[i].im, size = a * a + im * im;
        v[i].re = dtype_round(dtype_component(dtype), (double)((p * a + q * im) / size));
        v[i].im = dtype_round(dtype_component(dtype), (double)((q * a - p * im) / size));
    }
    *x = (Scalar){dtype_round(dtype_component(dtype), (double)beta), 0};
    return (Scalar){dtype_round(dtype_component(dtype), (double)((beta - re) / beta)),
                    dtype_round(dtype_component(dtype), (double)(-im / beta))};
}

/* H of gehrd, each reflection applied from the right before it is from the left. */
static void finish_hessenberg_right_first(PlantedCall *call)
{
    const Case *c = call->operands->source;
    const Kernel kernel = {.dtype = call->view[0].dtype};
    Matrix a = planted_before_of(call, "a");
    int64_t n = a.rows, end = case_int(c, "ihi");
    Matrix taus = matrix_zeros(n > 1 ? n - 1 : 0, 1, call->arena);
    Scalar *x = arena_take(call->arena, (size_t)n + 1, sizeof *x);
    Scalar *v = arena_take(call->arena, (size_t)n + 1, sizeof *v);
    for (int64_t j = case_int(c, "ilo") - 1; j + 1 < end; j++) {
        int64_t count = end - j - 1;
        for (int64_t i = 0; i < count; i++)
            x[i] = *matrix_at(&a, j + 1 + i, j);
        Scalar tau = make_reflection(kernel.dtype, x, v, count);
        for (int64_t i = 0; i < end; i++)
            reflect_line(&kernel, matrix_at(&a, i, j + 1), 1, v, count, tau, false);
        for (int64_t i = j + 1; i < n; i++)
            reflect_line(&kernel, matrix_at(&a, j + 1, i), n, v, count, tau, true);
        for (int64_t i = 0; i < count; i++)
            *matrix_at(&a, j + 1 + i, j) = i == 0 ? x[0] : v[i];
        *matrix_at(&taus, j, 0) = tau;
    }
    planted_store_matrix(planted_view_of(call, "a"), &a);
    planted_store_matrix(planted_view_of(call, "tau"), &taus);
}

/* Every other pair of singular vectors the other way round. */
static void finish_turned_pairs(PlantedCall *call)
{
    Matrix u = matrix_read(planted_view_of(call, "u"), call->arena);
    Matrix v = matrix_read(planted_view_of(call, "v"), call->arena);
    for (int64_t j = 0; j < u.columns && j < v.rows; j += 2) {
        for (int64_t i = 0; i < u.rows; i++)
            *matrix_at(&u, i, j) = (Scalar){-matrix_at(&u, i, j)->re, -matrix_at(&u, i, j)->im};
        for (int64_t i = 0; i < v.columns; i++)
            *matrix_at(&v, j, i) = (Scalar){-matrix_at(&v, j, i)->re, -matrix_at(&v, j, i)->im};
    }
    planted_store_matrix(planted_view_of(call, "u"), &u);
    planted_store_matrix(planted_view_of(call, "v"), &v);
}

/* Each inverse by elimination without exchanges in the element type. */
static void finish_inverse_unpivoted(PlantedCall *call)
{
    const Tensor *a = planted_view_of(call, "a"), *y = planted_view_of(call, "y");
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
    planted_store_matrix(y, &x);
}

const PlantedFault planted_lapack_faults[] = {
    {"ok-lu-reciprocal", "getrf", "right: multiplies by reciprocals of pivots", NULL,
     finish_lu_by_reciprocals},
    {"ok-lu-wide", "getrf", "right: sums in twice the precision", NULL, finish_lu_widely},
    {"lu-unpivoted", "getrf", "rows are never exchanged", NULL, finish_lu_without_pivots},
    {"lu-pivots-from-0", "getrf", "rows in ipiv count from 0", NULL,
     planted_finish_pivots_from_zero},
    {"lu-multiplier", "getrf", "m > 4: the last multiplier has 9 bits", NULL,
     finish_last_multiplier},
    {"lu-update", "getrf", "square, from 3 rows on: the last pivot has 9 bits", NULL,
     finish_last_update},
    {"lu-info-from-0", "getrf", "info counts pivots from 0", NULL, planted_finish_info_from_zero},
    {"lu-info-lost", "getrf", "info is always 0", NULL, planted_finish_info_lost},
    {"ok-cholesky-reciprocal", "potrf", "right: multiplies by reciprocals of the diagonal", NULL,
     finish_cholesky_by_reciprocals},
    {"ok-cholesky-wide", "potrf", "right: sums in twice the precision", NULL,
     finish_cholesky_widely},
    {"ok-pptrf-wide", "pptrf", "right: sums in twice the precision", NULL, finish_cholesky_widely},
    {"ok-pbtrf-reciprocal", "pbtrf", "right: multiplies by reciprocals of the diagonal", NULL,
     finish_cholesky_by_reciprocals},
    {"ok-pbtrs-wide", "pbtrs", "right: sums in twice the precision", NULL, finish_solution_widely},
    {"ok-tptri-rows", "tptri", "right: by rows and reciprocals", NULL, finish_inverse_by_rows},
    {"gbsv-info-lost", "gbsv", "info is always 0", NULL, planted_finish_info_lost},
    {"gbtrs-unexchanged", "gbtrs", "ipiv is not read", prepare_unexchanged, NULL},
    {"gbtrs-conjugate", "gbtrs", "the conjugate transpose is taken for the transpose",
     prepare_plain_transpose, NULL},
    {"gbtrf-info-from-0", "gbtrf", "info counts pivots from 0", NULL,
     planted_finish_info_from_zero},
    {"pptrf-info-early", "pptrf", "n > 2: the first minor is said to be indefinite", NULL,
     finish_info_early},
    {"ppsv-right-side", "ppsv", "nrhs > 1: the last right side is left out", NULL,
     planted_finish_last_right_side},
    {"cholesky-info-lost", "potrf", "info is always 0", NULL, planted_finish_info_lost},
    {"cholesky-info-early", "potrf", "n > 2: the first minor is said to be indefinite", NULL,
     finish_info_early},
    {"cholesky-info-from-0", "potrf", "info counts minors from 0", NULL,
     planted_finish_info_from_zero},
    {"cholesky-root", "potrf", "the middle of the diagonal has 10 bits", NULL, finish_coarse_root},
    {"cholesky-sign", "potrf", "n > 2: the last root is negative", NULL, finish_negative_root},
    {"cholesky-row", "potrf", "n > 1: half of the corner", NULL, finish_lost_row},
    {"ok-potrs-reciprocal", "potrs", "right: multiplies by reciprocals of the diagonal", NULL,
     finish_solution_by_reciprocals},
    {"ok-potrs-wide", "potrs", "right: sums in twice the precision", NULL, finish_solution_widely},
    {"potrs-unknown", "potrs", "the last unknown has 9 bits", NULL, finish_last_unknown},
    {"potrs-right-side", "potrs", "nrhs > 1: the last right side is left out", NULL,
     planted_finish_last_right_side},
    {"getrs-transpose", "getrs", "systems with the transpose are taken for plain ones",
     prepare_untransposed, NULL},
    {"getrs-conjugate", "getrs", "the conjugate transpose is taken for the transpose",
     prepare_plain_transpose, NULL},
    {"getrs-unexchanged", "getrs", "ipiv is not read", prepare_unexchanged, NULL},
    {"getrs-unknown", "getrs", "the last unknown has 9 bits", NULL, finish_last_unknown},
    {"gesv-unknown", "gesv", "the last unknown has 9 bits", NULL, finish_last_unknown},
    {"gesv-right-side", "gesv", "nrhs > 1: the last right side is left out", NULL,
     planted_finish_last_right_side},
    {"gesv-info-lost", "gesv", "info is always 0", NULL, planted_finish_info_lost},
    {"trtrs-unit", "trtrs", "the diagonal is taken for ones", prepare_unit_diagonal, NULL},
    {"trtrs-conjugate", "trtrs", "the conjugate transpose is taken for the transpose",
     prepare_plain_transpose, NULL},
    {"trtrs-info-lost", "trtrs", "info is always 0", NULL, planted_finish_info_lost},
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
    {"ok-geqp3-positive", "geqp3", "right: R's diagonal is positive, unless columns are fixed",
     NULL, finish_positive_exchanged},
    {"geqp3-columns-kept", "geqp3", "columns are never exchanged", NULL, finish_columns_kept},
    {"ok-syev-turned", "syev", "right: eigenvectors of other signs or phases", NULL,
     finish_turned_vectors},
    {"ok-sygv-turned", "sygv", "right: vectors of other signs or phases", NULL,
     finish_turned_vectors},
    {"ok-spev-turned", "spev", "right: eigenvectors of other signs or phases", NULL,
     finish_turned_vectors_apart},
    {"ok-syevx-turned", "syevx", "right: eigenvectors of other signs or phases", NULL,
     finish_turned_vectors_apart},
    {"ok-syevr-for-themselves", "syevr", "right: vectors are orthogonal as far as their gaps admit",
     NULL, finish_vectors_for_themselves},
    {"ok-stemr-turned", "stemr", "right: eigenvectors of other signs", NULL,
     finish_turned_vectors_apart},
    {"ok-stevr-turned", "stevr", "right: eigenvectors of other signs", NULL,
     finish_turned_vectors_apart},
    {"ok-geev-turned", "geev", "right: eigenvectors of other signs", NULL,
     finish_turned_right_vectors},
    {"ok-geev-backwards", "geev", "right: values and their vectors in another order", NULL,
     finish_values_backwards},
    {"ok-gebal-another-power", "gebal", "right: the last row is scaled by twice as much", NULL,
     finish_another_power},
    {"ok-gehrd-right-first", "gehrd", "right: reflections from the right before the left", NULL,
     finish_hessenberg_right_first},
    {"ok-orghr-forwards", "orghr", "right: by rows, from the first reflection on", NULL,
     finish_hessenberg_forwards},
    {"ok-orgtr-forwards", "orgtr", "right: lower, by rows, from the first reflection on", NULL,
     finish_hessenberg_forwards},
    {"ok-eig-times-i", "eig", "right: vectors of another phase", NULL, finish_vectors_times_i},
    {"ok-eigvals-backwards", "eigvals", "right: values in another order", NULL,
     finish_eigenvalues_backwards},
    {"ok-gesvd-turned", "gesvd", "right: pairs of singular vectors of other signs", NULL,
     finish_turned_pairs},
    {"ok-inv-unpivoted", "inv", "right: elimination without exchanges, by reciprocals", NULL,
     finish_inverse_unpivoted},
    {NULL, NULL, NULL, NULL, NULL},
};
