/* Columns of stored matrices, in binary64. */
#include "large_reflections.h"

#include <math.h>

#include "householder.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reference/random.h"
#include "reflected.h"

typedef struct LargeReflections {
    FactorColumns columns;
    Tensor before, after, tau;
    int64_t rows, count, steps;
    int a, of_tau;
    double *norms; /* of the columns of A */
} LargeReflections;

/* Sums of squares are below the largest number and above what underflow takes from them. */
static const double NORM_LEAST = 0x1p-400, NORM_MOST = 0x1p400;

static Scalar element(const Tensor *view, int64_t i, int64_t j)
{
    return stored_element(&(StoredMatrix){.view = *view}, i, j);
}

static double gamma_of(const LargeReflections *l, double count)
{
    const Format *format = dtype_format(DT_F64);
    bool pair = dtype_components(l->before.dtype) == 2;
    return pair ? 2 * equation_gamma(format, 2 * count) : equation_gamma(format, count);
}

/* beta; the type's arithmetic is that of the sums here. */
static double relative_of(const LargeReflections *l)
{
    double m = (double)l->rows, k = (double)l->steps;
    return 2 * (2 * k * gamma_of(l, m + 8) + gamma_of(l, 20 * m + 60));
}

static double error_of(const LargeReflections *l)
{
    double m = (double)l->rows, n = (double)l->count, k = (double)l->steps;
    return 2 * (2 * k * gamma_of(l, m + 8) + gamma_of(l, 2 * n + 8)) * (1 + relative_of(l));
}

/* Parts of numbers that lie in steps; of real numbers the second one is NULL. */
typedef struct Line {
    const double *re, *im;
    int64_t step;
} Line;

static Line column_of(const Tensor *view, int64_t first, int64_t j)
{
    int64_t parts = dtype_components(view->dtype);
    const double *origin = view->origin;
    const double *at = origin + (first * view->stride[0] + j * view->stride[1]) * parts;
    return (Line){at, parts == 2 ? at + 1 : NULL, view->stride[0] * parts};
}

static double squares_of(Line v, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) {
        double re = v.re[i * v.step], im = v.im ? v.im[i * v.step] : 0;
        sum += re * re + im * im;
    }
    return sum;
}

typedef struct Pair {
    double *re, *im;
} Pair;

/* y += t v. */
static void add_line(Pair y, Line v, int64_t count, Scalar t)
{
    for (int64_t i = 0; i < count && !v.im; i++)
        y.re[i] += t.re * v.re[i * v.step];
    for (int64_t i = 0; i < count && v.im; i++) {
        double re = v.re[i * v.step], im = v.im[i * v.step];
        y.re[i] += t.re * re - t.im * im;
        y.im[i] += t.re * im + t.im * re;
    }
}

/* v^H y. */
static Scalar inner(Line v, Pair y, int64_t count)
{
    enum { SUMS = 8 };
    double sums[SUMS] = {0};
    Scalar sum = {0, 0};
    int64_t i = 0;
    for (; i + SUMS <= count && !v.im && v.step == 1; i += SUMS)
        for (int64_t lane = 0; lane < SUMS; lane++)
            sums[lane] += v.re[i + lane] * y.re[i + lane];
    for (; i < count; i++) {
        double re = v.re[i * v.step], im = v.im ? v.im[i * v.step] : 0;
        sum.re += re * y.re[i] + im * y.im[i];
        sum.im += re * y.im[i] - im * y.re[i];
    }
    for (int64_t lane = 0; lane < SUMS; lane++)
        sum.re += sums[lane];
    return sum;
}

/* y becomes H_1 ... H_k y. */
static void reflect(const LargeReflections *l, Pair y)
{
    for (int64_t k = l->steps - 1; k >= 0; k--) {
        Scalar tau = element(&l->tau, k, 0);
        Line v = column_of(&l->after, k + 1, k);
        Pair rest = {y.re + k + 1, y.im + k + 1};
        int64_t count = l->rows - k - 1;
        Scalar s = inner(v, rest, count);
        s = (Scalar){s.re + y.re[k], s.im + y.im[k]};
        s = (Scalar){-(tau.re * s.re - tau.im * s.im), -(tau.re * s.im + tau.im * s.re)};
        y.re[k] += s.re;
        y.im[k] += s.im;
        add_line(rest, v, count, s);
    }
}

/* The distance of both sides over the columns first to end - 1, beside its bound; NaN where a
 * number is none. */
static double distance(const LargeReflections *l, uint64_t seed, int64_t first, int64_t end,
                       Arena *arena)
{
    size_t used = arena->used, room = (size_t)l->rows + 1;
    double *lines[4], weight = 0, squares = 0;
    for (int i = 0; i < 4; i++)
        lines[i] = arena_take_zeroed(arena, room, sizeof(double));
    Pair left = {lines[0], lines[1]}, right = {lines[2], lines[3]};
    for (int64_t j = first; j < end; j++) {
        uint64_t bits = random_at(seed, (uint64_t)j);
        double size = (double)(1024 + (bits >> 1) % 1024) / 2048;
        Scalar x = {bits & 1 ? size : -size, 0};
        int64_t filled = j < l->rows ? j + 1 : l->rows;
        add_line(left, column_of(&l->before, 0, j), l->rows, x);
        add_line(right, column_of(&l->after, 0, j), filled, x);
        weight += size * l->norms[j];
    }
    reflect(l, right);
    for (int64_t i = 0; i < l->rows; i++) {
        double re = left.re[i] - right.re[i], im = left.im[i] - right.im[i];
        squares += re * re + im * im;
    }
    arena->used = used;
    return sqrt(squares) / ((relative_of(l) + error_of(l)) * weight * (1 + 0x1p-20) + NORM_LEAST);
}

/* The first reflection that is not unitary, or -1, and whether its vector has numbers: 2 re tau =
 * |tau|^2 |v|^2 but for gamma_(10 m + 40) and what the sum of squares is off by here. */
static int64_t wrong_tau(const LargeReflections *l, bool *finite)
{
    double bound = gamma_of(l, 10 * (double)l->rows + 40) + gamma_of(l, (double)l->rows + 8);
    for (int64_t k = 0; k < l->steps; k++) {
        Scalar tau = element(&l->tau, k, 0);
        double squares = 1 + squares_of(column_of(&l->after, k + 1, k), l->rows - k - 1);
        double size = hypot(tau.re, tau.im), off = tau.re - size * size * squares / 2;
        *finite = isfinite(squares);
        if (!(fabs(off) <= bound * size * (1 + 0x1p-20)))
            return k;
    }
    return -1;
}

static bool find_norms(LargeReflections *l)
{
    for (int64_t j = 0; j < l->count; j++) {
        double squares = squares_of(column_of(&l->before, 0, j), l->rows);
        l->norms[j] = sqrt(squares) * (1 + 0x1p-30);
        if (!(l->norms[j] >= NORM_LEAST && l->norms[j] <= NORM_MOST))
            return false;
    }
    return true;
}

static int64_t find_wrong(FactorColumns *columns, uint64_t seed, bool *known, Arena *arena)
{
    LargeReflections *l = (LargeReflections *)columns;
    *known = find_norms(l) && relative_of(l) + error_of(l) < 0.25;
    if (!*known)
        return -1;
    bool finite = true;
    int64_t k = wrong_tau(l, &finite), first = 0, end = l->count;
    columns->operand = k >= 0 && finite ? l->of_tau : l->a;
    if (k >= 0)
        return k;
    if (distance(l, seed, first, end, arena) <= 1)
        return -1;
    while (end - first > 1) {
        int64_t middle = first + (end - first) / 2;
        double low = distance(l, seed, first, middle, arena);
        double high = distance(l, seed, middle, end, arena);
        if (!isfinite(low) || low > high)
            end = middle;
        else
            first = middle;
    }
    return first;
}

/* The rows of column j without a number, and then those whose residuals are largest. */
static void worst_rows(const Matrix *after, int64_t j, const Matrix *rest, int64_t *rows,
                       int64_t count, Arena *arena)
{
    uint8_t *taken = arena_take_zeroed(arena, (size_t)rest->rows + 1, 1);
    for (int64_t k = 0; k < count; k++) {
        double most = -1;
        for (int64_t i = 0; i < rest->rows; i++) {
            Scalar off = *matrix_at(rest, i, 0);
            double size = fmin(fmax(fabs(off.re), fabs(off.im)), NORM_MOST);
            size = scalar_is_finite(*matrix_at(after, i, j)) ? size : INFINITY;
            if (taken[i] || size <= most)
                continue;
            most = size;
            rows[k] = i;
        }
        taken[rows[k]] = 1;
    }
}

static void put_tau(Ref *ref, const Householder *h, const HouseholderResidual *r, int64_t k)
{
    matrix_put_residual(ref, 0, h->tau[k], (Scalar){-r->tau_defects[k], 0},
                        0x1p-56 * fabs(r->tau_defects[k]), r->tau_bounds[k]);
}

static void put_element(Ref *ref, size_t at, Scalar got, const HouseholderResidual *r, int64_t i)
{
    Scalar rest = *matrix_at(&r->rest, i, 0);
    rest = (Scalar){rest.re / r->scales[0], rest.im / r->scales[0]};
    if (r->known)
        matrix_put_residual(ref, at, got, rest, r->errors[0] / r->scales[0],
                            r->bounds[0] / r->scales[0]);
    else
        for (int part = 0; part < dtype_components(ref->dtype); part++)
            ref_set_classes(ref, at + (size_t)part, CLASS_ANY);
}

static int64_t refer(Ref *ref, const FactorColumns *columns, int64_t j, int64_t count, double *got,
                     size_t *numbers, Arena *arena)
{
    const LargeReflections *l = (const LargeReflections *)columns;
    const Reflected way = {.block = 0};
    size_t parts = (size_t)dtype_components(l->before.dtype);
    bool of_tau = columns->operand == l->of_tau;
    Matrix a = matrix_read(&l->before, arena);
    Householder h = reflected_factors(&way, l->before.dtype, &a, &l->after, &l->tau, arena);
    HouseholderResidual r = householder_column_residual(&h, j, of_tau, arena);
    count = of_tau ? 1 : count < l->rows ? count : l->rows;
    int64_t *rows = arena_take_zeroed(arena, (size_t)count + 1, sizeof *rows);
    Tensor extents = tensor_matrix(l->before.dtype, 1, count, count, 1, NULL);
    ref_allocate_bounded(ref, l->before.dtype, &extents, arena);
    if (of_tau)
        put_tau(ref, &h, &r, j);
    else
        worst_rows(&h.after, j, &r.rest, rows, count, arena);
    for (int64_t k = 0; k < count; k++) {
        size_t at = (size_t)k * parts;
        Scalar x = of_tau ? h.tau[j] : *matrix_at(&h.after, rows[k], j);
        numbers[k] = (size_t)(of_tau ? j : rows[k] * l->count + j) * parts;
        got[at] = x.re;
        if (parts == 2)
            got[at + 1] = x.im;
        if (!of_tau)
            put_element(ref, at, x, &r, rows[k]);
    }
    return count;
}

void lapack_check_reflections(FactorChecks *checks, const ReferenceInput *input, int a, int tau,
                              Arena *arena)
{
    LargeReflections *l = arena_take_zeroed(arena, 1, sizeof *l);
    *l = (LargeReflections){.columns = {.operand = a, .find = find_wrong, .refer = refer},
                            .before = input->tensors[a],
                            .after = input->computed[a],
                            .tau = input->computed[tau],
                            .rows = input->tensors[a].extent[0],
                            .count = input->tensors[a].extent[1],
                            .steps = input->computed[tau].extent[0],
                            .a = a,
                            .of_tau = tau};
    l->norms = arena_take(arena, (size_t)l->count + 1, sizeof *l->norms);
    checks->columns = &l->columns;
}
