/* Balancing of a square matrix before its eigenvalues are found, as `job` says: B = D^-1 P^T A P D
 * in place of A, P interchanges that make rows and columns before ilo and behind ihi those of an
 * upper triangle, D a diagonal of powers of two within ilo to ihi.  scale(j) is the row that was
 * exchanged with j where j is outside, of the exchanges from n to ihi + 1 and then from 1 to ilo -
 * 1, and D's element within (dgebal.f).
 *
 * Given ilo, ihi and scale as they were computed, B is exact but for numbers that leave the normal
 * range on the way: products with powers of two are exact (IEEE 754-2019, 4.3 and 7.5).  Scaling
 * is done by rows and by columns, in several steps, so that an element may be as small or as large
 * on the way as the exponents of d_i, d_j and of the largest element of D move it, taken twice:
 * where that leaves the range nothing is said of it.
 *
 * Conventions, which no text demands: that all rows and columns are found that interchanges make
 * those of a triangle, of which there is one largest set (a row or column once alone stays so
 * whatever is taken away); and that each row's norm is within 16 of its column's, by sums of
 * magnitudes without the diagonal or by Euclid's, as far as both and D are far from the ends of
 * the range (a step by 8 at a time, as in LAPACK until 3.1, is the coarsest in use).  Where numbers
 * are not finite nothing is said. */
#include <math.h>
#include <stdlib.h>

#include "eigen.h"
#include "lapack.h"
#include "reference/function.h"
#include "reference/wide_complex.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, job, lapack_balances, "what is done"),
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    LAPACK_MATRIX,
    P_END,
};
static const char *const tensors[] = {"a", "ilo", "ihi", "scale", "info", NULL};
enum { A, ILO, IHI, SCALE, INFO };
enum { RATIO = 16 };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 5, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[ILO] = lapack_integers(1);
    shapes->tensor[IHI] = lapack_integers(1);
    shapes->tensor[SCALE] = lapack_real_vector(q, q->n);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 60 * lapack_parts(q) * (double)(q->n * q->n + 8);
}

static bool permutes(const Lapack *q)
{
    return q->job == 1 || q->job == 3;
}

static bool scales(const Lapack *q)
{
    return q->job >= 2;
}

/* What was computed, with rows from 0: those from first to end - 1 are scaled. */
typedef struct Balanced {
    int64_t first, end;
    double *scale;
} Balanced;

static int exponent_of(double scale)
{
    return isfinite(scale) && scale > 0 ? ilogb(scale) : 0;
}

static void exchange_lines(Matrix *a, int64_t j, int64_t with)
{
    matrix_exchange_rows(a, j, with);
    for (int64_t i = 0; i < a->rows; i++) {
        Scalar kept = *matrix_at(a, i, j);
        *matrix_at(a, i, j) = *matrix_at(a, i, with);
        *matrix_at(a, i, with) = kept;
    }
}

/* The row that line j was exchanged with; itself where the number is none. */
static int64_t partner_of(const Balanced *b, int64_t n, int64_t j)
{
    double number = b->scale[j];
    return number >= 1 && number <= (double)n && number == rint(number) ? (int64_t)number - 1 : j;
}

/* P^T A P. */
static void permute(Matrix *a, const Balanced *b)
{
    for (int64_t j = a->rows - 1; j >= b->end; j--)
        exchange_lines(a, j, partner_of(b, a->rows, j));
    for (int64_t j = 0; j < b->first; j++)
        exchange_lines(a, j, partner_of(b, a->rows, j));
}

static int scaled_by(const Balanced *b, int64_t i)
{
    return i >= b->first && i < b->end ? exponent_of(b->scale[i]) : 0;
}

/* A part of an element times 2^by, which may have been 2^-reach to 2^reach times itself. */
static void put_part(Ref *ref, size_t at, double x, int by, int reach)
{
    const Format *format = dtype_format(ref->dtype);
    int size = x == 0 ? 0 : ilogb(x);
    if (x == 0 || (size - reach >= format->minimum_exponent + format->precision &&
                   size + reach < format->maximum_exponent - 1))
        ref_set_exact(ref, at, ldexp(x, by), MATCH_VALUE);
    else
        ref_set_classes(ref, at, CLASS_ANY);
}

static void put_matrix(Ref *ref, const Matrix *a, const Balanced *b)
{
    int most = 0;
    for (int64_t i = 0; i < a->rows; i++)
        most = abs(scaled_by(b, i)) > most ? abs(scaled_by(b, i)) : most;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->rows; j++) {
            int down = scaled_by(b, i), up = scaled_by(b, j);
            int reach = most == 0 ? 0 : 2 * (abs(down) + abs(up) + most) + 2;
            Scalar x = *matrix_at(a, i, j);
            /* What stands below the diagonal outside must be 0. */
            if (i > j && (j < b->first || i >= b->end))
                x = (Scalar){0, 0};
            for (int part = 0; part < dtype_components(ref->dtype); part++) {
                size_t at = matrix_element(ref, i, j) + (size_t)part;
                double value = part ? x.im : x.re;
                if (reach == 0)
                    ref_set_exact(ref, at, value, MATCH_VALUE);
                else
                    put_part(ref, at, value, up - down, reach);
            }
        }
}

/* The norms of row and column i of the block of B, by both rules, and whether they are within the
 * ratio by one of them, or too near the ends of the range to say. */
static bool is_balanced_line(const Matrix *b, const Balanced *of, int64_t i, int range)
{
    long double sums[2] = {0, 0}, squares[2] = {0, 0};
    for (int64_t j = of->first; j < of->end; j++)
        for (int column = 0; column < 2; column++) {
            Scalar x = column ? *matrix_at(b, j, i) : *matrix_at(b, i, j);
            int by =
                column ? scaled_by(of, i) - scaled_by(of, j) : scaled_by(of, j) - scaled_by(of, i);
            long double size = ldexpl(hypotl(x.re, x.im), by);
            sums[column] += i == j ? 0 : size;
            squares[column] += size * size;
        }
    bool is_within = false;
    for (int euclidean = 0; euclidean < 2; euclidean++) {
        long double r = euclidean ? sqrtl(squares[0]) : sums[0];
        long double c = euclidean ? sqrtl(squares[1]) : sums[1];
        bool is_near = r < ldexpl(1, -range) || c < ldexpl(1, -range) || r > ldexpl(1, range) ||
                       c > ldexpl(1, range);
        is_within = is_within || is_near || (r <= RATIO * c && c <= RATIO * r);
    }
    return is_within || abs(scaled_by(of, i)) > range;
}

static void put_scale(Ref *ref, const Lapack *q, const Matrix *permuted, const Balanced *b)
{
    int range = dtype_format(ref->dtype)->maximum_exponent / 4;
    for (int64_t j = 0; j < q->n; j++) {
        double got = b->scale[j];
        if (j < b->first || j >= b->end) {
            ref_set_exact(ref, (size_t)j, (double)partner_of(b, q->n, j) + 1, MATCH_VALUE);
            continue;
        }
        double right = scales(q) ? ldexp(1, exponent_of(got)) : 1;
        if (scales(q) && !is_balanced_line(permuted, b, j, range))
            right = ldexp(right, 4);
        ref_set_exact(ref, (size_t)j, right, MATCH_VALUE);
    }
}

/* How many rows and columns are left between ilo and ihi: one at least. */
static int64_t rest_of(const Matrix *a, Arena *arena)
{
    bool *active = arena_take(arena, (size_t)a->rows + 1, sizeof *active);
    int64_t count = 0;
    eigen_isolate(a, active);
    for (int64_t i = 0; i < a->rows; i++)
        count += active[i];
    return count > 0 || a->rows == 0 ? count : 1;
}

static void judge(Ref *refs, const Lapack *q, const Matrix *a, const Tensor *computed, Arena *arena)
{
    int64_t n = q->n, ilo = lapack_integer(&computed[ILO], 0),
            ihi = lapack_integer(&computed[IHI], 0);
    int64_t rest = permutes(q) ? rest_of(a, arena) : n;
    lapack_put_integer(&refs[ILO], 0, ilo, 1, permutes(q) && n > 0 ? n - rest + 1 : 1);
    lapack_put_integer(&refs[IHI], 0, ihi, ilo + rest - 1, ilo + rest - 1);
    if (ilo < 1 || ihi > n || (n > 0 && ihi < ilo))
        return;
    Balanced b = {ilo - 1, ihi, arena_take(arena, (size_t)n + 1, sizeof(double))};
    for (int64_t j = 0; j < n; j++)
        b.scale[j] = dtype_load(computed[SCALE].dtype, computed[SCALE].origin, j);
    Matrix permuted = matrix_copy(a, arena);
    permute(&permuted, &b);
    put_matrix(&refs[A], &permuted, &b);
    put_scale(&refs[SCALE], q, &permuted, &b);
}

/* Moves lines that are alone to the end, of rows, or to the front, of columns. */
static void isolate_lines(Matrix *a, Balanced *b, bool column)
{
    for (bool again = true; again && b->end - b->first > 1;) {
        again = false;
        for (int64_t i = b->first; i < b->end && !again; i++) {
            bool is_alone = true;
            for (int64_t j = b->first; j < b->end; j++)
                is_alone =
                    is_alone &&
                    (i == j || scalar_is_zero(column ? *matrix_at(a, j, i) : *matrix_at(a, i, j)));
            if (!is_alone)
                continue;
            int64_t to = column ? b->first++ : --b->end;
            b->scale[to] = (double)i + 1;
            exchange_lines(a, to, i);
            again = true;
        }
    }
}

/* One right result. */
static void compute(Ref *refs, const Lapack *q, Matrix *a, Arena *arena)
{
    int64_t n = q->n;
    Balanced b = {0, n, arena_take(arena, (size_t)n + 1, sizeof(double))};
    for (int side = 0; side < 2 && permutes(q); side++)
        isolate_lines(a, &b, side == 1);
    Matrix block = matrix_zeros(b.end - b.first, b.end - b.first, arena);
    for (int64_t i = 0; i < block.rows; i++)
        for (int64_t j = 0; j < block.rows; j++)
            *matrix_at(&block, i, j) = *matrix_at(a, b.first + i, b.first + j);
    int *exponents = arena_take_zeroed(arena, (size_t)n + 1, sizeof *exponents);
    int largest = dtype_format((DType)q->dtype)->maximum_exponent / 2 - 1;
    if (scales(q) && matrix_is_finite(&block))
        eigen_scale(&block, largest, exponents, arena);
    for (int64_t i = 0; i < block.rows; i++)
        b.scale[b.first + i] = ldexp(1, exponents[i]);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            Scalar *x = matrix_at(a, i, j);
            int by = scaled_by(&b, j) - scaled_by(&b, i);
            *x = (Scalar){ldexp(x->re, by), ldexp(x->im, by)};
        }
    matrix_put_rounded(a, &refs[A]);
    lapack_put_integer(&refs[ILO], 0, b.first + 1, b.first + 1, b.first + 1);
    lapack_put_integer(&refs[IHI], 0, b.end, b.end, b.end);
    for (int64_t j = 0; j < n; j++)
        ref_set_exact(&refs[SCALE], (size_t)j, b.scale[j], MATCH_VALUE);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix a = matrix_read(&given[A], arena);
    lapack_admit_all(&refs[A], &given[A], arena);
    lapack_admit_all(&refs[SCALE], &given[SCALE], arena);
    for (int i = ILO; i <= INFO; i++)
        if (i != SCALE)
            ref_allocate_exact(&refs[i], &given[i], arena);
    bool finite = matrix_is_finite(&a);
    if (!input->computed) {
        lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
        compute(refs, q, &a, arena);
        return;
    }
    for (int i = ILO; i <= INFO; i++)
        if (i != SCALE)
            lapack_put_known(&refs[i], &input->computed[i], finite, 0);
    if (finite)
        judge(refs, q, &a, input->computed, arena);
}

const OpDesc op_gebal = {
    .name = "gebal",
    .summary = "balancing of a square matrix by interchanges and powers of two",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
