/* Sylvester's equation op(A) X + X op(B) = s C, or with a minus, in place of C, for matrices in
 * Schur form: upper triangular, of real types with blocks of two on the diagonal.  s, at most 1, is
 * the scale that keeps X within the range; info is 1 where a diagonal a_ii + b_jj was so small that
 * it was taken for another number (dtrsyl.f).
 *
 * Theorem (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 16.1; theorem
 * 8.5 for the triangular system that this is).  |s C - op(A) X - X op(B)| <= gamma_(m+n+8) (|op(A)|
 * |X| + |X| |op(B)|), element by element.  Systems of two or four equations of blocks of two are
 * solved with complete pivoting, whose multipliers are at most 1 and whose elements grow by 4 at
 * most: what that adds is 192 u (|A_ii| + |B_jj|) times the sum of the unknowns, with the largest
 * elements of the blocks (theorem 9.3).  Where s is not 1, X and C may have been scaled m n times:
 * 2 m n roundings more, and where s is subnormal as many halves of the least number, which C
 * multiplies.  Where info is 1 an element of the diagonal was changed by at most 2 smin,
 * smin = max(2 u |A|, 2 u |B|, m n safmin / (2 u)) with the largest elements.  Of complex types
 * gamma is 2 gamma of twice the count.
 *
 * info is 1 where some |a_ii + b_jj| is less than smin / 2, and 0 where all are above 2 smin and
 * there are no blocks.  s is 1 where no number is above the fourth root of the range: routines
 * scale to keep within it, a convention.  Where numbers are not finite, or may leave the range
 * though s is chosen, nothing is said. */
#include <math.h>

#include "lapack.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "spectrum.h"
#include "sylvester.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE_AS("trana", Lapack, trans, blas_transposes, "op(A)", .placement = true,
                .computing = 2),
    P_CHOICE(Lapack, tranb, blas_transposes, "op(B)", .placement = true, .computing = 2),
    P_INTEGER(Lapack, isgn, -1, 1, 1, "the sign of X op(B)"),
    LAPACK_M("rows of X"),
    LAPACK_N("columns of X"),
    LAPACK_LDA,
    LAPACK_LDB,
    P_PAD(Lapack, ldc, 1 << 16, "leading dimension of C beyond its minimum"),
    P_END,
};
static const char *const tensors[] = {"a", "b", "c", "scale", "info", NULL};
enum { A, B, C, SCALE, INFO };

/* Complex routines know no transpose. */
static void normalise(void *of)
{
    Lapack *q = of;
    int64_t *choices[] = {&q->trans, &q->tranb};
    for (int i = 0; i < 2; i++)
        if (*choices[i] == TRANSPOSE_PLAIN && !lapack_is_real(q))
            *choices[i] = TRANSPOSE_CONJUGATE;
    if (q->isgn == 0)
        q->isgn = 1;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 5, .depth = q->m + q->n};
    shapes->tensor[A] = lapack_matrix(q, q->m, q->m, q->lda, ROLE_IN);
    shapes->tensor[B] = lapack_matrix(q, q->n, q->n, q->ldb, ROLE_IN);
    shapes->tensor[A].arrangement = shapes->tensor[B].arrangement = ARRANGED_SCHUR;
    shapes->tensor[C] = lapack_matrix(q, q->m, q->n, q->ldc, ROLE_INOUT);
    shapes->tensor[SCALE] = blas_number(dtype_component((DType)q->dtype), ROLE_OUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 12 * lapack_parts(q) * (double)(q->m * q->n + 8) * (double)(q->m + q->n + 8);
}

typedef struct Sylvester {
    const Format *format;
    SchurFactor a, b;
    int64_t sign;
    double least; /* smin */
    Matrix c;
} Sylvester;

/* What the equations of element (i, j) lack, by what is known of X, without the unknowns of the
 * block that begins in (row, column). */
static LongComplex rest_of(const Sylvester *s, const LongComplex *x, double scale, int64_t i,
                           int64_t j)
{
    int64_t m = s->a.n, n = s->b.n;
    Scalar c = *matrix_at(&s->c, i, j);
    LongComplex rest = ((long double)c.re + c.im * (LongComplex)_Complex_I) * (long double)scale;
    for (int64_t k = 0; k < m; k++)
        rest -= s->a.values[i * m + k] * x[k * n + j];
    for (int64_t k = 0; k < n; k++)
        rest -= (long double)s->sign * x[i * n + k] * s->b.values[k * n + j];
    return rest;
}

/* The unknowns of the block that begins in (row, column), which are 0 before. */
static bool solve_block(const Sylvester *s, LongComplex *x, int64_t row, int64_t column)
{
    int64_t m = s->a.n, n = s->b.n;
    int height = (int)(sylvester_block_end(&s->a, row) - row),
        width = (int)(sylvester_block_end(&s->b, column) - column);
    int count = height * width;
    LongComplex k[SYLVESTER_MAX][SYLVESTER_MAX + 1] = {{0}};
    for (int e = 0; e < count; e++) {
        int64_t i = row + e / width, j = column + e % width;
        for (int u = 0; u < count; u++) {
            int64_t p = row + u / width, q = column + u % width;
            k[e][u] = (j == q ? s->a.values[i * m + p] : 0) +
                      (i == p ? (long double)s->sign * s->b.values[q * n + j] : 0);
        }
        k[e][count] = rest_of(s, x, 1, i, j);
    }
    bool changed = sylvester_solve_small(k, count, s->least);
    for (int e = 0; e < count; e++)
        x[(row + e / width) * n + column + e % width] = k[e][count];
    return changed;
}

/* X by substitution; whether a diagonal was changed. */
static bool solve(const Sylvester *s, LongComplex *x)
{
    bool changed = false;
    for (int64_t step = 0; step < s->b.n;) {
        int64_t column = sylvester_block_start(&s->b, step, s->b.upper);
        for (int64_t other = 0; other < s->a.n;) {
            int64_t row = sylvester_block_start(&s->a, other, !s->a.upper);
            changed = solve_block(s, x, row, column) || changed;
            other += sylvester_block_end(&s->a, row) - row;
        }
        step += sylvester_block_end(&s->b, column) - column;
    }
    return changed;
}

/* Demands info where it is known. */
static void judge_info(Ref *ref, const Sylvester *s, int64_t got)
{
    bool blocks = false;
    double nearest = INFINITY;
    for (int64_t i = 0; i < s->a.n; i++)
        for (int64_t j = 0; j < s->b.n; j++) {
            LongComplex d = s->a.values[i * (s->a.n + 1)] +
                            (long double)s->sign * s->b.values[j * (s->b.n + 1)];
            bool in_block = sylvester_block_end(&s->a, i) > i + 1 ||
                            sylvester_block_end(&s->b, j) > j + 1 || s->a.second[i] ||
                            s->b.second[j];
            blocks = blocks || in_block;
            nearest = in_block ? nearest : fmin(nearest, (double)sylvester_size(d));
        }
    bool one = nearest < s->least / 2, none = !blocks && nearest > 2 * s->least;
    lapack_put_integer(ref, 0, got, one ? 1 : 0, none ? 0 : 1);
}

/* What element (i, j) may be off by. */
static double bound_of(const Sylvester *s, const LongComplex *x, double count, bool pair,
                       bool changed, int64_t i, int64_t j)
{
    int64_t m = s->a.n, n = s->b.n, row = s->a.second[i] ? i - 1 : i,
            column = s->b.second[j] ? j - 1 : j;
    long double size = 0, a = 0, b = 0, unknowns = 0;
    double gamma =
        pair ? 2 * equation_gamma(s->format, 2 * count) : equation_gamma(s->format, count);
    for (int64_t k = 0; k < m; k++)
        size += sylvester_size(s->a.values[i * m + k]) * sylvester_size(x[k * n + j]);
    for (int64_t k = 0; k < n; k++)
        size += sylvester_size(x[i * n + k]) * sylvester_size(s->b.values[k * n + j]);
    for (int64_t p = row; p < sylvester_block_end(&s->a, row); p++)
        for (int64_t q = column; q < sylvester_block_end(&s->b, column); q++) {
            a = fmaxl(a, sylvester_size(s->a.values[i * m + p]));
            a = fmaxl(a, sylvester_size(s->a.values[p * m + i]));
            b = fmaxl(b, sylvester_size(s->b.values[q * n + j]));
            b = fmaxl(b, sylvester_size(s->b.values[j * n + q]));
            unknowns += sylvester_size(x[p * n + q]);
        }
    bool single = sylvester_block_end(&s->a, row) == row + 1 &&
                  sylvester_block_end(&s->b, column) == column + 1;
    long double extra = single ? 0 : 192 * s->format->unit * (a + b) * unknowns;
    double tiny = 16 * (double)(m + n + 4) * s->format->smallest_subnormal *
                  (1 + s->a.largest + s->b.largest);
    return (double)(gamma * size + extra + (changed ? 4 * s->least * unknowns : 0)) *
               (1 + 0x1p-20) +
           tiny;
}

static void judge(Ref *refs, const ReferenceInput *input, const Sylvester *s,
                  const LongComplex *own, Arena *arena)
{
    const Lapack *q = input->params;
    int64_t m = q->m, n = q->n, info = lapack_integer(&input->computed[INFO], 0);
    bool pair = !lapack_is_real(q);
    Matrix got = matrix_read(&input->computed[C], arena);
    LongComplex *x = arena_take(arena, (size_t)(m * n) + 1, sizeof *x);
    double scale = dtype_load(refs[SCALE].dtype, input->computed[SCALE].origin, 0);
    double root = ldexp(1, s->format->maximum_exponent / 4), most = s->a.largest + s->b.largest;
    for (int64_t i = 0; i < m * n; i++) {
        x[i] = got.values[i].re + got.values[i].im * (LongComplex)_Complex_I;
        most = fmax(most, hypot(s->c.values[i].re, s->c.values[i].im));
    }
    bool is_moderate = fmax(most, sylvester_largest(own, m * n)) < root;
    judge_info(&refs[INFO], s, info);
    if (is_moderate && info == 0)
        ref_set_exact(&refs[SCALE], 0, 1, MATCH_VALUE);
    else if (isfinite(scale) || is_moderate)
        ref_put_bounded(&refs[SCALE], 0, 0.5, 0, 0.5);
    double count = (double)(m + n + 8) + (scale == 1 ? 0 : 2 * (double)(m * n));
    double scale_error = scale == 1 ? 0 : (double)(m * n) * s->format->smallest_subnormal;
    double divisor = s->a.largest + s->b.largest > 0 ? s->a.largest + s->b.largest : 1;
    if (!(isfinite(sylvester_largest(x, m * n)) && isfinite(scale)) && !is_moderate)
        return;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            LongComplex rest = rest_of(s, x, scale, i, j) / (long double)divisor;
            Scalar given = *matrix_at(&s->c, i, j);
            double bound = (bound_of(s, x, count, pair, info != 0, i, j) +
                            scale_error * (fabs(given.re) + fabs(given.im))) /
                           divisor;
            Scalar off = {-(double)creall(rest), -(double)cimagl(rest)};
            spectrum_put_defect(&refs[C], matrix_element(&refs[C], i, j), *matrix_at(&got, i, j),
                                off, bound);
        }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    bool real = lapack_is_real(q);
    Sylvester s = {.format = dtype_format((DType)q->dtype),
                   .a = sylvester_factor(&given[A], q->trans, real, arena),
                   .b = sylvester_factor(&given[B], q->tranb, real, arena),
                   .sign = q->isgn,
                   .c = matrix_read(&given[C], arena)};
    double eps = 2 * s.format->unit;
    s.least = fmax(s.format->smallest_normal * (double)(q->m * q->n) / eps,
                   eps * fmax(s.a.largest, s.b.largest));
    for (int i = C; i <= SCALE; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    ref_set_classes(&refs[INFO], 0, CLASS_ANY);
    double largest = fmax(s.a.largest, s.b.largest);
    Matrix a = matrix_read(&given[A], arena), b = matrix_read(&given[B], arena);
    if (!matrix_is_finite(&a) || !matrix_is_finite(&b) || !matrix_is_finite(&s.c) ||
        !(largest < s.format->largest / 16))
        return;
    if (q->m == 0 || q->n == 0) {
        ref_set_exact(&refs[SCALE], 0, 1, MATCH_VALUE);
        lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
        return;
    }
    LongComplex *x = arena_take_zeroed(arena, (size_t)(q->m * q->n) + 1, sizeof *x);
    bool changed = solve(&s, x);
    if (input->computed) {
        judge(refs, input, &s, x, arena);
        return;
    }
    Matrix to = matrix_zeros(q->m, q->n, arena);
    for (int64_t i = 0; i < q->m * q->n; i++)
        to.values[i] = (Scalar){(double)creall(x[i]), (double)cimagl(x[i])};
    matrix_put_rounded(&to, &refs[C]);
    ref_set_exact(&refs[SCALE], 0, 1, MATCH_VALUE);
    lapack_put_integer(&refs[INFO], 0, changed, changed, changed);
}

const OpDesc op_trsyl = {
    .name = "trsyl",
    .summary = "Sylvester's equation of matrices in Schur form",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
