/* Faults of LAPACK's least squares, estimates, tridiagonal systems and Schur forms, and correct
 * results that differ from the reference's own. */
#include <math.h>
#include <string.h>

#include "matrices.h"
#include "ops/lapack/condition.h"
#include "ops/lapack/dense.h"
#include "ops/lapack/householder.h"
#include "ops/lapack/indefinite.h"
#include "ops/lapack/kernel.h"
#include "ops/lapack/reduced.h"
#include "ops/lapack/solve.h"
#include "reference/wide_complex.h"

/* The unknowns of least squares: rows of B in front of what is behind them. */
static int64_t count_unknowns(const PlantedCall *call)
{
    bool plain = !strcmp(case_choice(call->operands->source, "trans"), "n");
    return planted_extent_of(call, plain ? 1 : 0);
}

static void finish_last_places(PlantedCall *call)
{
    double unit = dtype_format(planted_view_of(call, "b")->dtype)->unit;
    for (int64_t i = 0; i < count_unknowns(call); i++)
        for (int64_t j = 0; j < planted_view_of(call, "b")->extent[1]; j++)
            planted_scale_solution(call, i, j, 1 + (i % 2 == 0 ? 4 : -4) * unit);
}

static void scale_behind(PlantedCall *call, double factor)
{
    const Tensor *b = planted_view_of(call, "b");
    Matrix x = matrix_read(b, call->arena);
    for (int64_t i = count_unknowns(call); i < x.rows; i++)
        for (int64_t j = 0; j < x.columns; j++) {
            matrix_at(&x, i, j)->re *= factor;
            matrix_at(&x, i, j)->im *= factor;
        }
    planted_store_matrix(b, &x);
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
    Matrix a = planted_before_of(call, "a"), b = planted_before_of(call, "b");
    bool plain = !strcmp(case_choice(call->operands->source, "trans"), "n");
    if (!plain || a.rows >= a.columns || dtype_components(planted_view_of(call, "a")->dtype) == 2)
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
    planted_store_matrix(planted_view_of(call, "b"), &x);
}

/* What is estimated of LU or Cholesky factors: the largest that a method may say, or the least. */
static void estimate_condition(PlantedCall *call, bool largest)
{
    Matrix stored = planted_before_of(call, "a"), anorm = planted_before_of(call, "anorm");
    const Case *c = call->operands->source;
    bool definite = case_has(c, "uplo"), upper = definite && case_int(c, "uplo") == 0;
    Matrix f = lapack_factor(&stored, !upper, !definite, call->arena), g = f;
    if (definite)
        *(upper ? &f : &g) = lapack_transposed(&f, true, call->arena);
    else
        g = lapack_factor(&stored, false, false, call->arena);
    const Tensor *rcond = planted_view_of(call, "rcond");
    bool by_rows = !definite && !strcmp(case_choice(c, "norm"), "infinity");
    const Condition condition = {
        .dtype = planted_view_of(call, "a")->dtype, .f = &f, .g = &g, .by_rows = by_rows};
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

static Matrix symmetric_matrix(const Matrix *stored, bool lower, Arena *arena)
{
    Matrix a = lapack_factor(stored, lower, false, arena);
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t j = 0; j < i; j++)
            *(lower ? matrix_at(&a, j, i) : matrix_at(&a, i, j)) =
                lower ? *matrix_at(&a, i, j) : *matrix_at(&a, j, i);
    return a;
}

/* The same of real diagonals d and e. */
static Matrix tridiagonal_matrix(const Matrix *d, const Matrix *e, Arena *arena)
{
    Matrix a = matrix_zeros(d->rows, d->rows, arena);
    for (int64_t i = 0; i < d->rows; i++) {
        *matrix_at(&a, i, i) = *matrix_at(d, i, 0);
        if (i + 1 < d->rows)
            *matrix_at(&a, i, i + 1) = *matrix_at(&a, i + 1, i) = *matrix_at(e, i, 0);
    }
    return a;
}

/* A of systems whose solution is refined, or of a triangle, as it is solved with. */
static Matrix solved_matrix(const PlantedCall *call)
{
    const Case *c = call->operands->source;
    if (op_operand(c->op, "a") < 0) {
        Matrix d = planted_before_of(call, "d"), e = planted_before_of(call, "e");
        return tridiagonal_matrix(&d, &e, call->arena);
    }
    Matrix stored = planted_before_of(call, "a");
    Matrix a = stored;
    if (case_has(c, "uplo") && !case_has(c, "diag"))
        return symmetric_matrix(&stored, case_int(c, "uplo") != 0, call->arena);
    if (case_has(c, "uplo"))
        a = lapack_factor(&stored, case_int(c, "uplo") != 0,
                          !strcmp(case_choice(c, "diag"), "unit"), call->arena);
    return strcmp(case_choice(c, "trans"), "n") ? lapack_transposed(&a, true, call->arena) : a;
}

/* ferr by the inverse, the largest that an estimate may say or the least, berr by its formula. */
static void bound_solutions(PlantedCall *call, bool largest)
{
    const Tensor *ferr = planted_view_of(call, "ferr"), *berr = planted_view_of(call, "berr");
    Matrix a = solved_matrix(call), b = planted_before_of(call, "b");
    Matrix x = matrix_read(planted_view_of(call, "x"), call->arena);
    int64_t n = a.rows;
    bool tridiagonal = op_operand(call->operands->source->op, "a") < 0;
    double nonzeros = tridiagonal ? 4 : (double)(n + 1);
    bool as_given = !case_has(call->operands->source, "fact") ||
                    !strcmp(case_choice(call->operands->source, "fact"), "nothing");
    if (dtype_components(planted_view_of(call, "x")->dtype) == 2 || n == 0 || !as_given)
        return;
    Matrix inverse = dense_solve(&a, NULL, call->arena);
    if (!matrix_is_finite(&inverse) || !matrix_is_finite(&x) || !matrix_is_finite(&b))
        return;
    for (int64_t j = 0; j < x.columns; j++) {
        Matrix z = lapack_transposed(&inverse, true, call->arena);
        double most = 0, backward = 0, added = nonzeros * dtype_format(ferr->dtype)->unit;
        for (int64_t i = 0; i < n; i++) {
            double rest = matrix_at(&b, i, j)->re, size = fabs(rest);
            for (int64_t k = 0; k < n; k++) {
                double term = matrix_at(&a, i, k)->re * matrix_at(&x, k, j)->re;
                rest -= term;
                size += fabs(term);
            }
            for (int64_t k = 0; k < n; k++)
                matrix_at(&z, i, k)->re *= fabs(rest) + added * size;
            backward = fmax(backward, fabs(rest) / size);
            most = fmax(most, fabs(matrix_at(&x, i, j)->re));
        }
        double estimate = largest ? condition_norm(&z) : condition_start(&z);
        if (most > 0 && isfinite(estimate) && isfinite(backward)) {
            dtype_store(ferr->dtype, ferr->origin, j, estimate / most);
            dtype_store(berr->dtype, berr->origin, j, backward);
        }
    }
}

static void finish_largest_bounds(PlantedCall *call)
{
    bound_solutions(call, true);
}

static void finish_least_bounds(PlantedCall *call)
{
    bound_solutions(call, false);
}

/* Factors A as it was left by scaling, with sums that are rounded once.  Other pivots would have
 * another estimate of the condition: then all is left as it is. */
static void finish_expert_factors_widely(PlantedCall *call)
{
    const Kernel kernel = {.dtype = planted_view_of(call, "a")->dtype, .style = KERNEL_WIDE};
    const Case *c = call->operands->source;
    Matrix a = matrix_read(planted_view_of(call, "a"), call->arena);
    int64_t *pivots = arena_take(call->arena, (size_t)a.rows + 1, sizeof *pivots), zero;
    if (!strcmp(case_choice(c, "fact"), "factored") || !matrix_is_finite(&a))
        return;
    if (case_has(c, "uplo"))
        zero = kernel_potrf(&kernel, &a, case_int(c, "uplo") != 0);
    else
        zero = kernel_getrf(&kernel, &a, pivots);
    if (zero || planted_load_integer(call, "info", 0) != 0)
        return;
    for (int64_t k = 0; k < a.rows && !case_has(c, "uplo"); k++)
        if (planted_load_integer(call, "ipiv", k) != pivots[k] + 1)
            return;
    planted_store_matrix(planted_view_of(call, "af"), &a);
}

/* Takes the norm of A for 1. */
static void finish_norm_ignored(PlantedCall *call)
{
    const Tensor *rcond = planted_view_of(call, "rcond");
    Matrix anorm = planted_before_of(call, "anorm");
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
    const Kernel kernel = {.dtype = planted_view_of(call, "d")->dtype, .style = style};
    Matrix dl = planted_before_of(call, "dl"), d = planted_before_of(call, "d"),
           du = planted_before_of(call, "du");
    Matrix du2 = matrix_zeros(d.rows > 2 ? d.rows - 2 : 0, 1, call->arena);
    int64_t zero = 0;
    for (int64_t i = 0; i < d.rows; i++)
        planted_store_integer(call, "ipiv", i, i + 1);
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
            planted_store_integer(call, "ipiv", i, i + 2);
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
    planted_store_matrix(planted_view_of(call, "dl"), &dl);
    planted_store_matrix(planted_view_of(call, "d"), &d);
    planted_store_matrix(planted_view_of(call, "du"), &du);
    planted_store_matrix(planted_view_of(call, "du2"), &du2);
    planted_store_integer(call, "info", 0, zero);
}

static Matrix general_tridiagonal_matrix(const PlantedCall *call)
{
    Matrix dl = planted_before_of(call, "dl"), d = planted_before_of(call, "d"),
           du = planted_before_of(call, "du");
    Matrix a = matrix_zeros(d.rows, d.rows, call->arena);
    for (int64_t i = 0; i < d.rows; i++) {
        *matrix_at(&a, i, i) = d.values[i];
        if (i + 1 < d.rows) {
            *matrix_at(&a, i + 1, i) = dl.values[i];
            *matrix_at(&a, i, i + 1) = du.values[i];
        }
    }
    return a;
}

/* By factors of the whole matrix, where it is not singular. */
static void solve_tridiagonal(PlantedCall *call, KernelStyle style)
{
    const Kernel kernel = {.dtype = planted_view_of(call, "d")->dtype, .style = style};
    Matrix a = general_tridiagonal_matrix(call), x = planted_before_of(call, "b");
    int64_t *pivots = arena_take(call->arena, (size_t)a.rows + 1, sizeof *pivots);
    if (kernel_getrf(&kernel, &a, pivots) != 0)
        return;
    Matrix l = lapack_factor(&a, true, true, call->arena);
    Matrix u = lapack_factor(&a, false, false, call->arena);
    Matrix d = matrix_zeros(a.rows, 1, call->arena);
    for (int64_t i = 0; i < a.rows; i++)
        d.values[i] = *matrix_at(&u, i, i);
    lapack_exchange(&x, pivots, false);
    kernel_trsm(&kernel, &l, true, &x);
    kernel_trsm(&kernel, &u, false, &x);
    planted_store_matrix(planted_view_of(call, "d"), &d);
    planted_store_matrix(planted_view_of(call, "b"), &x);
    planted_store_integer(call, "info", 0, 0);
}

static void finish_system_by_reciprocals(PlantedCall *call)
{
    solve_tridiagonal(call, KERNEL_RECIPROCAL);
}

static void finish_system_widely(PlantedCall *call)
{
    solve_tridiagonal(call, KERNEL_WIDE);
}

static void finish_last_bits(PlantedCall *call)
{
    const Tensor *b = planted_view_of(call, "b");
    double unit = dtype_format(b->dtype)->unit;
    for (int64_t j = 0; j < b->extent[1] && b->extent[0] > 3; j++)
        planted_scale_solution(call, b->extent[0] - 1, j, 1 + 4096 * unit);
}

static void finish_tridiagonal_by_reciprocals(PlantedCall *call)
{
    factor_tridiagonal(call, KERNEL_RECIPROCAL);
}

static void finish_tridiagonal_widely(PlantedCall *call)
{
    factor_tridiagonal(call, KERNEL_WIDE);
}

/* Factors of a symmetric matrix by other pivots. */
static void factor_symmetric(PlantedCall *call, PivotChoice choice)
{
    Matrix stored = planted_before_of(call, "a");
    int64_t n = stored.rows, *pivots = arena_take(call->arena, (size_t)n + 1, sizeof *pivots);
    bool lower = !strcmp(case_choice(call->operands->source, "uplo"), "lower");
    Matrix a = indefinite_lower(&stored, lower, call->arena);
    if (!matrix_is_finite(&a))
        return;
    int64_t zero = indefinite_factor(planted_view_of(call, "a")->dtype, &a, false, choice, pivots);
    zero = indefinite_store(&a, zero, lower, pivots, &stored);
    for (int64_t k = 0; k < n; k++)
        planted_store_integer(call, "ipiv", k, pivots[k]);
    planted_store_matrix(planted_view_of(call, "a"), &stored);
    planted_store_integer(call, "info", 0, zero);
}

static void finish_largest_diagonal(PlantedCall *call)
{
    factor_symmetric(call, PIVOT_DIAGONAL);
}

static void finish_symmetric_unpivoted(PlantedCall *call)
{
    factor_symmetric(call, PIVOT_NEXT);
}

/* The inverse by systems in place of borders. */
static void finish_inverse_by_systems(PlantedCall *call)
{
    Matrix stored = planted_before_of(call, "a"), x = matrix_identity(stored.rows, call->arena);
    bool lower = !strcmp(case_choice(call->operands->source, "uplo"), "lower");
    const Indefinite factors = indefinite_read(&stored, planted_view_of(call, "ipiv"), lower, false,
                                               planted_view_of(call, "a")->dtype, call->arena);
    if (planted_load_integer(call, "info", 0) != 0)
        return;
    indefinite_solve(&factors, &x, call->arena);
    for (int64_t i = 0; i < x.rows; i++)
        for (int64_t j = 0; j < x.rows; j++)
            *matrix_at(&stored, i, j) =
                lower ? *matrix_at(&x, i, j) : *matrix_at(&x, x.rows - 1 - i, x.rows - 1 - j);
    planted_store_matrix(planted_view_of(call, "a"), &stored);
}

static void finish_all_last_places(PlantedCall *call)
{
    const Tensor *b = planted_view_of(call, "b");
    for (int64_t i = 0; i < b->extent[0]; i++)
        for (int64_t j = 0; j < b->extent[1]; j++)
            planted_scale_solution(call, i, j, 1 + (i % 2 ? -4 : 4) * dtype_format(b->dtype)->unit);
}

/* Every other element of X 4 roundings more, the others less. */
static void finish_sylvester_last_places(PlantedCall *call)
{
    const Tensor *c = planted_view_of(call, "c");
    Matrix x = matrix_read(c, call->arena);
    for (int64_t i = 0; i < x.rows * x.columns; i++) {
        double factor = 1 + (i % 2 ? -4 : 4) * dtype_format(c->dtype)->unit;
        x.values[i] = (Scalar){x.values[i].re * factor, x.values[i].im * factor};
    }
    planted_store_matrix(c, &x);
}

/* Diagonals of a matrix, the second one below the main one or above it. */
static void store_diagonals(const PlantedCall *call, const Matrix *x, bool below)
{
    const Tensor *d = planted_view_of(call, "d"), *e = planted_view_of(call, "e");
    Matrix main = matrix_zeros(d->extent[0], 1, call->arena);
    Matrix beside = matrix_zeros(e->extent[0], 1, call->arena);
    for (int64_t i = 0; i < main.rows; i++)
        main.values[i] = *matrix_at(x, i, i);
    for (int64_t i = 0; i < beside.rows; i++)
        beside.values[i] = below ? *matrix_at(x, i + 1, i) : *matrix_at(x, i, i + 1);
    planted_store_matrix(planted_view_of(call, "a"), x);
    planted_store_matrix(d, &main);
    planted_store_matrix(e, &beside);
}

/* Reflections that make all of B but its last elements positive. */
static void finish_positive_bidiagonal(PlantedCall *call)
{
    Matrix x = planted_before_of(call, "a");
    int64_t extent = planted_view_of(call, "tauq")->extent[0];
    Matrix tauq = matrix_zeros(extent, 1, call->arena), taup = matrix_zeros(extent, 1, call->arena);
    if (!matrix_is_finite(&x))
        return;
    reduced_bidiagonal(&x, tauq.values, taup.values, true, call->arena);
    store_diagonals(call, &x, x.rows < x.columns);
    planted_store_matrix(planted_view_of(call, "tauq"), &tauq);
    planted_store_matrix(planted_view_of(call, "taup"), &taup);
}

static void finish_positive_tridiagonal(PlantedCall *call)
{
    Matrix stored = planted_before_of(call, "a");
    if (!matrix_is_finite(&stored) || case_int(call->operands->source, "uplo") == 0)
        return;
    int64_t n = stored.rows;
    Matrix tau = matrix_zeros(n, 1, call->arena);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            *matrix_at(&stored, j, i) = scalar_conjugate(*matrix_at(&stored, i, j));
    householder_reduce(&stored, 0, n, tau.values, true, call->arena);
    tau.rows = planted_view_of(call, "tau")->extent[0];
    store_diagonals(call, &stored, true);
    planted_store_matrix(planted_view_of(call, "tau"), &tau);
}

/* Roots of reciprocals in place of reciprocals of roots. */
static void finish_factors_by_reciprocals(PlantedCall *call)
{
    const Tensor *s = planted_view_of(call, "s");
    const Format *format = dtype_format(s->dtype);
    Matrix a = planted_before_of(call, "a"), factors = matrix_read(s, call->arena);
    for (int64_t i = 0; i < factors.rows; i++) {
        double reciprocal = dtype_round(s->dtype, 1 / matrix_at(&a, i, i)->re);
        if (reciprocal >= format->smallest_normal && reciprocal <= format->largest)
            factors.values[i].re = sqrt(reciprocal);
    }
    if (planted_load_integer(call, "info", 0) == 0)
        planted_store_matrix(s, &factors);
}

/* Every eigenvector of trevc the other way round. */
static void finish_turned_triangle_vectors(PlantedCall *call)
{
    for (int left = 0; left < 2; left++) {
        const Tensor *view = planted_view_of(call, left ? "vl" : "vr");
        Matrix z = matrix_read(view, call->arena);
        for (int64_t i = 0; i < z.rows * z.columns; i++)
            z.values[i] = (Scalar){-z.values[i].re, -z.values[i].im};
        planted_store_matrix(view, &z);
    }
}

void planted_turn_schur(PlantedCall *call, const char *form, const char *vectors)
{
    Matrix t = matrix_read(planted_view_of(call, form), call->arena);
    Matrix z = matrix_read(planted_view_of(call, vectors), call->arena);
    for (int64_t i = 0; i < t.rows; i++)
        for (int64_t j = (i + 1) % 2; j < t.columns; j += 2) {
            Scalar *x = matrix_at(&t, i, j);
            *x = (Scalar){-x->re, -x->im};
        }
    for (int64_t i = 0; i < z.rows; i++)
        for (int64_t j = 0; j < z.columns; j += 2) {
            Scalar *x = matrix_at(&z, i, j);
            *x = (Scalar){-x->re, -x->im};
        }
    planted_store_matrix(planted_view_of(call, form), &t);
    planted_store_matrix(planted_view_of(call, vectors), &z);
}

static void finish_turned_schur(PlantedCall *call)
{
    planted_turn_schur(call, "h", "z");
}

static void finish_turned_schur_of_square(PlantedCall *call)
{
    planted_turn_schur(call, "a", "vs");
}

static void finish_turned_reordering(PlantedCall *call)
{
    planted_turn_schur(call, "t", "q");
}

/* Complex: T and Q as they were, and T's own values. */
static void finish_unordered(PlantedCall *call)
{
    Matrix t = planted_before_of(call, "t"), q = planted_before_of(call, "q");
    Matrix w = matrix_zeros(t.rows, 1, call->arena);
    if (dtype_components(planted_view_of(call, "t")->dtype) == 1)
        return;
    for (int64_t i = 0; i < t.rows; i++)
        w.values[i] = *matrix_at(&t, i, i);
    planted_store_matrix(planted_view_of(call, "t"), &t);
    planted_store_matrix(planted_view_of(call, "q"), &q);
    planted_store_matrix(planted_view_of(call, "w"), &w);
}

/* Every other condition number 4 roundings more, the others less. */
static void shift_conditions(PlantedCall *call, const char *name)
{
    const Tensor *view = planted_view_of(call, name);
    for (int64_t j = 0; j < view->extent[0]; j++)
        dtype_store(view->dtype, view->origin, j,
                    dtype_load(view->dtype, view->origin, j) +
                        (j % 2 ? -4 : 4) * dtype_format(view->dtype)->unit);
}

static void finish_condition_last_places(PlantedCall *call)
{
    shift_conditions(call, "rconde");
}

static void finish_cosine_last_places(PlantedCall *call)
{
    shift_conditions(call, "s");
}

/* Says that the matrix does not define its eigenvalues to high relative accuracy. */
static void finish_untried(PlantedCall *call)
{
    planted_store_integer(call, "tryrac", 0, 0);
}

/* alpha and beta of each value three times as large, and vectors of other signs. */
static void finish_pencil_otherwise(PlantedCall *call)
{
    static const char *const names[] = {"alpha", "alphai", "beta", "vl", "vr"};
    for (int i = 0; i < 5; i++) {
        Matrix x = matrix_read(planted_view_of(call, names[i]), call->arena);
        for (int64_t k = 0; k < x.rows * x.columns; k++) {
            x.values[k].re *= i < 3 ? 3 : -1;
            x.values[k].im *= i < 3 ? 3 : -1;
        }
        matrix_write(&x, planted_view_of(call, names[i]));
    }
}

/* The value of the first place is that of the last one as well: each is right by itself. */
static void finish_value_repeated(PlantedCall *call)
{
    static const char *const names[] = {"alpha", "alphai", "beta"};
    for (int i = 0; i < 3; i++) {
        const Tensor *view = planted_view_of(call, names[i]);
        int64_t n = view->extent[0];
        if (n == 0 || dtype_components(planted_view_of(call, "a")->dtype) == 1)
            return;
        int parts = dtype_components(view->dtype);
        for (int part = 0; part < parts; part++)
            dtype_store(view->dtype, view->origin, parts * (n - 1) + part,
                        dtype_load(view->dtype, view->origin, part));
    }
}

/* Numbers below the diagonals of the triangles, of which nothing is said. */
static void finish_below_triangles(PlantedCall *call)
{
    const Tensor *view = planted_view_of(call, "t");
    Matrix t = matrix_read(view, call->arena);
    for (int64_t i = 0; i < t.rows; i++)
        for (int64_t j = 0; j < t.columns; j++)
            if (i > j % t.rows)
                *matrix_at(&t, i, j) = (Scalar){7, 0};
    matrix_write(&t, view);
}

const PlantedFault planted_system_faults[] = {
    {"ok-geqrt-below", "geqrt", "right: numbers below the triangles", NULL, finish_below_triangles},
    {"ok-ggev-scaled", "ggev", "right: values times 3 and vectors of other signs", NULL,
     finish_pencil_otherwise},
    {"ggev-value-repeated", "ggev", "complex: the last value is the first one", NULL,
     finish_value_repeated},
    {"ok-stemr-untried", "stemr", "right: eigenvalues are not relatively accurate", NULL,
     finish_untried},
    {"ok-geevx-turned", "geevx", "right: eigenvectors of other signs", NULL,
     finish_turned_triangle_vectors},
    {"ok-geevx-last-places", "geevx", "right: condition numbers are off by 4 roundings", NULL,
     finish_condition_last_places},
    {"ok-gesvx-wide", "gesvx", "right: sums of the factors are rounded once", NULL,
     finish_expert_factors_widely},
    {"ok-posvx-wide", "posvx", "right: sums of the factors are rounded once", NULL,
     finish_expert_factors_widely},
    {"ok-gesvx-largest", "gesvx", "right: the norm itself in place of its estimate", NULL,
     finish_largest_bounds},
    {"ok-posvx-least", "posvx", "right: the estimate that the method begins and ends with", NULL,
     finish_least_bounds},
    {"ok-sysvx-largest", "sysvx", "right: the norm itself in place of its estimate", NULL,
     finish_largest_bounds},
    {"ok-ptsvx-rows", "ptsvx", "right: the norm of |A^-1| w in place of |A^-1| times w's", NULL,
     finish_largest_bounds},
    {"ok-ptrfs-least", "ptrfs", "right: the estimate that the method begins and ends with", NULL,
     finish_least_bounds},
    {"ok-syrfs-largest", "syrfs", "right: the norm itself in place of its estimate", NULL,
     finish_largest_bounds},
    {"ok-trexc-turned", "trexc", "right: Schur vectors of other signs", NULL,
     finish_turned_reordering},
    {"ok-trsen-turned", "trsen", "right: Schur vectors of other signs", NULL,
     finish_turned_reordering},
    {"ok-trsna-last-places", "trsna", "right: condition numbers are off by 4 roundings", NULL,
     finish_cosine_last_places},
    {"trsen-unordered", "trsen", "complex: eigenvalues stay where they were", NULL,
     finish_unordered},
    {"ok-gees-turned", "gees", "right: Schur vectors of other signs", NULL,
     finish_turned_schur_of_square},
    {"ok-trevc-turned", "trevc", "right: eigenvectors of other signs", NULL,
     finish_turned_triangle_vectors},
    {"ok-hseqr-turned", "hseqr", "right: Schur vectors of other signs", NULL, finish_turned_schur},
    {"ok-poequ-reciprocal", "poequ", "right: roots of reciprocals", NULL,
     finish_factors_by_reciprocals},
    {"ok-gebrd-positive", "gebrd", "right: elements of B are positive", NULL,
     finish_positive_bidiagonal},
    {"ok-sytrd-positive", "sytrd", "right: elements beside T's diagonal are positive", NULL,
     finish_positive_tridiagonal},
    {"ok-gecon-largest", "gecon", "right: the norm of the inverse itself", NULL,
     finish_largest_estimate},
    {"ok-gecon-least", "gecon", "right: the estimate that the method begins and ends with", NULL,
     finish_least_estimate},
    {"ok-ppcon-largest", "ppcon", "right: the norm of the inverse itself", NULL,
     finish_largest_estimate},
    {"ok-ppcon-least", "ppcon", "right: the estimate that the method begins and ends with", NULL,
     finish_least_estimate},
    {"ppcon-norm-ignored", "ppcon", "the norm of A is taken for 1", NULL, finish_norm_ignored},
    {"ok-trsyl-last-places", "trsyl", "right: unknowns are off by 4 roundings", NULL,
     finish_sylvester_last_places},
    {"ok-sytri-solved", "sytri", "right: by systems with the identity", NULL,
     finish_inverse_by_systems},
    {"ok-gerfs-largest", "gerfs", "right: the norm itself in place of its estimate", NULL,
     finish_largest_bounds},
    {"ok-gerfs-least", "gerfs", "right: the estimate that the method begins and ends with", NULL,
     finish_least_bounds},
    {"ok-trrfs-largest", "trrfs", "right: the norm itself in place of its estimate", NULL,
     finish_largest_bounds},
    {"ok-trrfs-least", "trrfs", "right: the estimate that the method begins and ends with", NULL,
     finish_least_bounds},
    {"gecon-norm-ignored", "gecon", "the norm of A is taken for 1", NULL, finish_norm_ignored},
    {"ok-gttrf-reciprocal", "gttrf", "right: multiplies by reciprocals of pivots", NULL,
     finish_tridiagonal_by_reciprocals},
    {"ok-gttrf-wide", "gttrf", "right: products and sums are rounded once", NULL,
     finish_tridiagonal_widely},
    {"gttrf-info-lost", "gttrf", "info is always 0", NULL, planted_finish_info_lost},
    {"gttrf-pivots-from-0", "gttrf", "rows in ipiv count from 0", NULL,
     planted_finish_pivots_from_zero},
    {"gtsv-right-side", "gtsv", "nrhs > 1: the last right side is left out", NULL,
     planted_finish_last_right_side},
    {"gtsv-last-bits", "gtsv", "n > 3: the last unknown is off by 4096 roundings", NULL,
     finish_last_bits},
    {"ok-gtsv-reciprocal", "gtsv", "right: multiplies by reciprocals of pivots", NULL,
     finish_system_by_reciprocals},
    {"ok-gtsv-wide", "gtsv", "right: products and sums are rounded once", NULL,
     finish_system_widely},
    {"pttrf-info-from-0", "pttrf", "info counts minors from 0", NULL,
     planted_finish_info_from_zero},
    {"ptsv-info-lost", "ptsv", "info is always 0", NULL, planted_finish_info_lost},
    {"ok-gels-last-places", "gels", "right: unknowns are off by 4 roundings", NULL,
     finish_last_places},
    {"ok-gelsd-last-places", "gelsd", "right: unknowns are off by 4 roundings", NULL,
     finish_all_last_places},
    {"ok-gelsy-last-places", "gelsy", "right: unknowns are off by 4 roundings", NULL,
     finish_all_last_places},
    {"gelss-right-side", "gelss", "nrhs > 1: the last right side is left out", NULL,
     planted_finish_last_right_side},
    {"ok-gels-behind-turned", "gels", "right: what is behind X has other signs", NULL,
     finish_behind_turned},
    {"gels-behind-lost", "gels", "zeros are behind X", NULL, finish_behind_lost},
    {"gels-basic", "gels", "m < n: the solution is not of least norm", NULL, finish_basic_solution},
    {"ok-sytrf-diagonal", "sytrf", "right: the largest pivot of the diagonal where that is enough",
     NULL, finish_largest_diagonal},
    {"ok-sytrs-last-places", "sytrs", "right: unknowns are off by 4 roundings", NULL,
     finish_all_last_places},
    {"sytrf-unpivoted", "sytrf", "rows are never exchanged", NULL, finish_symmetric_unpivoted},
    {"sytrf-pivots-from-0", "sytrf", "rows in ipiv count from 0", NULL,
     planted_finish_pivots_from_zero},
    {"hetrf-info-lost", "hetrf", "info is always 0", NULL, planted_finish_info_lost},
    {"sysv-right-side", "sysv", "nrhs > 1: the last right side is left out", NULL,
     planted_finish_last_right_side},
    {NULL, NULL, NULL, NULL, NULL},
};
