/* Residuals of solutions in double-double. */
#include "solve.h"

#include "kernel.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reference/mag.h"

Matrix lapack_factor(const Matrix *matrix, bool lower, bool unit, Arena *arena)
{
    int64_t n = matrix->rows < matrix->columns ? matrix->rows : matrix->columns;
    Matrix factor = matrix_zeros(n, n, arena);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            if (i == j && unit)
                *matrix_at(&factor, i, j) = (Scalar){1, 0};
            else if (lower ? j <= i : j >= i)
                *matrix_at(&factor, i, j) = *matrix_at(matrix, i, j);
    return factor;
}

Matrix lapack_transposed(const Matrix *matrix, bool conjugate, Arena *arena)
{
    Matrix turned = matrix_zeros(matrix->columns, matrix->rows, arena);
    for (int64_t i = 0; i < matrix->rows; i++)
        for (int64_t j = 0; j < matrix->columns; j++) {
            Scalar value = *matrix_at(matrix, i, j);
            *matrix_at(&turned, j, i) = conjugate ? scalar_conjugate(value) : value;
        }
    return turned;
}

/* What is known of one column: G X' with its sizes, and whether anything may be judged. */
typedef struct Column {
    WideComplex *inner;
    double *sizes, *reach; /* of the inner products, and of all intermediate results */
    bool stays_finite, is_finite;
} Column;

static double limit_of(const Format *format)
{
    return ldexp(1, format->maximum_exponent - 4);
}

/* reach[i] becomes at least the magnitudes of intermediate results and of the unknown of row i of a
 * triangular solve, whose right sides are within reach; false where one may overflow. */
static bool substitute(const Format *format, const Matrix *t, bool lower, double *reach)
{
    int64_t n = t->rows;
    for (int64_t step = 0; step < n; step++) {
        int64_t i = lower ? step : n - 1 - step;
        double sum = reach[i], divisor = scalar_size(*matrix_at(t, i, i));
        for (int64_t j = lower ? 0 : i + 1; j < (lower ? i : n); j++)
            sum = add_up(sum, mul_up(scalar_size(*matrix_at(t, i, j)), reach[j]));
        reach[i] = 2 * div_up(sum, divisor);
        if (!(divisor >= format->smallest_normal && divisor < limit_of(format) &&
              sum < limit_of(format) && reach[i] < limit_of(format)))
            return false;
    }
    return true;
}

/* G X' of one column. */
static void begin_column(const ProductSolve *s, DType dtype, int64_t column, Column *to)
{
    int64_t n = s->g->rows;
    to->is_finite = true;
    for (int64_t i = 0; i < n; i++) {
        to->reach[i] = scalar_size(*matrix_at(s->b, i, column));
        to->inner[i] = (WideComplex){{0, 0}, {0, 0}};
        to->sizes[i] = 0;
        to->is_finite = to->is_finite && scalar_is_finite(*matrix_at(s->computed, i, column));
    }
    const Format *format = dtype_format(dtype);
    to->stays_finite =
        substitute(format, s->f, true, to->reach) && substitute(format, s->g, false, to->reach);
    for (int64_t i = 0; i < n && to->is_finite; i++)
        for (int64_t j = i; j < n; j++) {
            Scalar x = *matrix_at(s->computed, j, column), y = *matrix_at(s->g, i, j);
            wide_complex_add_product(&to->inner[i], 1, y, x);
            to->sizes[i] = add_up(to->sizes[i], mul_up(scalar_size(x), scalar_size(y)));
        }
}

/* True where a quotient by each divisor on the diagonal has the error that the bound assumes.  A
 * complex one by Smith's formula, |d| (1 + r^2) with r <= 1, overflows for divisors next to the end
 * of the range though the quotient is far from it (Higham 2002, 27.8); and it loses digits where
 * the divisor is subnormal. */
static bool divides_safely(DType dtype, const Matrix *t)
{
    const Format *format = dtype_format(dtype);
    for (int64_t i = 0; dtype_components(dtype) == 2 && i < t->rows; i++) {
        double size = scalar_size(*matrix_at(t, i, i));
        if (!(size >= format->smallest_normal && size < limit_of(format)))
            return false;
    }
    return true;
}

/* The residual of one row, and the bound on it. */
typedef struct Residual {
    WideComplex rest;
    double size, bound, error;
} Residual;

static Residual residual_of(const ProductSolve *s, DType dtype, const Column *column, int64_t i,
                            int64_t at)
{
    const Format *format = dtype_format(dtype);
    bool complex = dtype_components(dtype) == 2;
    double n = (double)s->f->rows, count = complex ? 2 * n + 12 : n + 2, step = 0;
    Scalar b = *matrix_at(s->b, i, at);
    Residual r = {.rest = {{b.re, 0}, {b.im, 0}}, .size = scalar_size(b)};
    double product = 0;
    for (int64_t j = 0; j < s->f->columns; j++) {
        double size = scalar_size(*matrix_at(s->f, i, j));
        wide_complex_add_scaled(&r.rest, -1, *matrix_at(s->f, i, j), &column->inner[j]);
        product = add_up(product, mul_up(size, column->sizes[j]));
        /* Products of the second solve may underflow, and are multiplied by F. */
        step = add_up(step, size);
    }
    double gamma = equation_gamma(format, count), least = format->smallest_subnormal;
    r.size = add_up(r.size, product);
    r.bound = mul_up(mul_up(gamma, add_up(2, gamma)), product);
    r.bound = add_up(r.bound, mul_up(8 * (n + 2), mul_up(least, add_up(1, step))));
    r.bound = mul_up(complex ? 2 : 1, r.bound);
    r.error = add_up(mul_up((8 * n + 8) * WIDE_UNIT, r.size), (n + 2) * 0x1p-1070);
    return r;
}

/* The largest magnitude in row i of |F| |G|. */
static double row_size(const ProductSolve *s, int64_t i)
{
    double largest = 0;
    for (int64_t j = 0; j < s->g->columns; j++) {
        double sum = 0;
        for (int64_t k = 0; k < s->f->columns; k++)
            sum += scalar_size(*matrix_at(s->f, i, k)) * scalar_size(*matrix_at(s->g, k, j));
        largest = fmax(largest, sum);
    }
    return largest;
}

static void put_row(Ref *ref, size_t at, Scalar got, const Residual *r, double unit)
{
    for (int part = 0; part < dtype_components(ref->dtype); part++) {
        Wide rest = part == 0 ? r->rest.re : r->rest.im;
        double value = part == 0 ? got.re : got.im, off = (rest.high + rest.low) / unit;
        matrix_put_rest(ref, at + (size_t)part, value, off, div_up(r->error, unit),
                        div_up(r->bound, unit));
    }
}

/* Any number that is finite. */
static void put_finite(Ref *ref, int64_t i, int64_t j)
{
    for (int part = 0; part < dtype_components(ref->dtype); part++)
        matrix_admit_finite(ref, matrix_element(ref, i, j) + (size_t)part);
}

void lapack_put_solution(Ref *ref, const ProductSolve *s, Arena *arena)
{
    int64_t n = s->f->rows, columns = s->b->columns;
    REQUIRE(s->g->rows == n && s->b->rows == n && s->f->columns == n && s->g->columns == n);
    Column column = {.inner = arena_take(arena, (size_t)n + 1, sizeof *column.inner),
                     .sizes = arena_take(arena, (size_t)n + 1, sizeof *column.sizes),
                     .reach = arena_take(arena, (size_t)n + 1, sizeof *column.reach)};
    double *units = arena_take(arena, (size_t)n + 1, sizeof *units);
    for (int64_t i = 0; i < n; i++)
        units[i] = row_size(s, i);
    bool divides = divides_safely(ref->dtype, s->f) && divides_safely(ref->dtype, s->g);
    for (int64_t j = 0; j < columns; j++) {
        begin_column(s, ref->dtype, j, &column);
        for (int64_t i = 0; i < n; i++) {
            int64_t place = s->places ? s->places[i] : i;
            Residual r = {.size = INFINITY};
            if (divides && column.is_finite && units[i] > 0 && units[i] < INFINITY)
                r = residual_of(s, ref->dtype, &column, i, j);
            if (r.size < limit_of(dtype_format(ref->dtype)))
                put_row(ref, matrix_element(ref, place, j), *matrix_at(s->computed, i, j), &r,
                        units[i]);
            else if (column.stays_finite)
                put_finite(ref, place, j);
            else
                matrix_admit(ref, place, j);
        }
    }
}

void lapack_exchange(Matrix *matrix, const int64_t *pivots, bool backwards)
{
    for (int64_t step = 0; step < matrix->rows; step++) {
        int64_t k = backwards ? matrix->rows - 1 - step : step;
        if (pivots[k] >= 0 && pivots[k] < matrix->rows)
            matrix_exchange_rows(matrix, k, pivots[k]);
    }
}

/* X by two substitutions. */
static Matrix substituted(const LapackSolve *s, const Matrix *b, Arena *arena)
{
    const Kernel kernel = {.dtype = s->b_ref->dtype};
    Matrix x = matrix_copy(b, arena);
    kernel_trsm(&kernel, s->f, true, &x);
    kernel_trsm(&kernel, s->g, false, &x);
    return x;
}

/* places[i] is the row of X that row i of the substitutions' result goes to. */
static int64_t *places_of(int64_t rows, const int64_t *pivots, Arena *arena)
{
    Matrix numbers = matrix_zeros(rows, 1, arena);
    int64_t *places = arena_take(arena, (size_t)rows + 1, sizeof *places);
    for (int64_t i = 0; i < rows; i++)
        matrix_at(&numbers, i, 0)->re = (double)i;
    lapack_exchange(&numbers, pivots, true);
    for (int64_t i = 0; i < rows; i++)
        places[(int64_t)matrix_at(&numbers, i, 0)->re] = i;
    return places;
}

void lapack_solve_reference(const LapackSolve *s, Arena *arena)
{
    Matrix b = s->right ? matrix_copy(s->right, arena) : matrix_read(s->b, arena);
    bool solutions = s->pivots && s->exchanges == EXCHANGE_SOLUTIONS;
    if (s->pivots && !solutions)
        lapack_exchange(&b, s->pivots, false);
    ref_allocate_bounded(s->b_ref, s->b->dtype, s->b, arena);
    if (!s->computed) {
        Matrix x = substituted(s, &b, arena);
        if (solutions)
            lapack_exchange(&x, s->pivots, true);
        matrix_put(&x, s->b_ref);
        return;
    }
    Matrix computed = matrix_read(s->computed, arena);
    ProductSolve product = {.f = s->f, .g = s->g, .b = &b, .computed = &computed};
    if (solutions) {
        lapack_exchange(&computed, s->pivots, false);
        product.places = places_of(b.rows, s->pivots, arena);
    }
    lapack_put_solution(s->b_ref, &product, arena);
}

double lapack_solve_work(const void *params)
{
    const Lapack *q = params;
    return 4 * lapack_parts(q) * (double)(q->n * (q->n + 2)) * (double)(q->nrhs + q->n + 1);
}
