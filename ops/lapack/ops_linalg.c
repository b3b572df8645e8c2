/* Systems, inverses, factors, spectra and determinants of matrices as the linear algebra of
 * frameworks has them: of the last two axes, the others are a batch.  No text says by which
 * algorithm, so that results are judged by what any backward stable one gives.
 *
 * Systems: |b - A x| <= p u (|A| |x| + |b|) (Rigal and Gaches; Higham, Accuracy and Stability of
 * Numerical Algorithms, 2nd ed., theorem 7.1); inverses |I - A Y| or |I - Y A| <= p u |A| |Y|;
 * least squares |A^T (b - A x)| <= 2 p u |A| (|A| |x| + |b|), which a backward error of p u |A|
 * gives to first order; factors |A - L L^T| and |A - Q R| <= p u |A| and |Q^T Q - I| <= p u;
 * spectra as in spectrum.h and singular.h.  p = 100 n is what LAPACK's own test programs accept
 * (spectrum.h), with Frobenius' norms.  Matrices of systems have a dominant diagonal, so that none
 * is singular.
 *
 * Determinants: with singular values s_i and E = p u |A|, |det(A + E) - det A| <= product (s_i +
 * |E|)
 * - product s_i (Ipsen and Rehman, Perturbation Bounds for Determinants and Characteristic
 * Polynomials, SIAM J. Matrix Anal. Appl. 30 (2008), corollary 2.7), and n roundings of the
 * product.  The exact one is found in 64 bits, with an error of the same form.
 *
 * Of a logarithm the matrix is scaled by a power of two first, since no determinant need be formed
 * (NumPy, slogdet: more robust against overflow and underflow).  Where the change is less than the
 * determinant its sign is known, and the logarithm is between those of both ends.  Where it is not,
 * the logarithm is at most that of the upper end, and that of n pivots that are the least of
 * numbers at least; a sign of 0 is that of -infinity, and the other way round (array API standard,
 * slogdet).
 *
 * Where numbers are not finite, or squares of them may leave the range, nothing is said; of a
 * system that holds for each column of right sides by itself. */
#include <math.h>
#include <string.h>

#include "dense.h"
#include "kernel.h"
#include "lapack.h"
#include "reference/definite.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "singular.h"
#include "solve.h"

typedef struct Linalg {
    int64_t dtype;
    Shape batch_shape;
    int64_t m, n, nrhs, matrix;
} Linalg;

static const char *const any_matrices[] = {"free", "graded", "singular", NULL};
static const char *const regular_matrices[] = {"dominant", "definite", NULL};

#define BATCH                                                                                      \
    P_DTYPE(Linalg, dtype, "element type"), P_SHAPE(Linalg, batch_shape, 0, 2, "axes of the batch")
#define ROWS     P_DIM(Linalg, m, 1, 64, "rows of a")
#define COLUMNS  P_DIM(Linalg, n, 1, 64, "columns of a")
#define SIDES    P_DIM(Linalg, nrhs, 1, 64, "columns of b")
#define ANY_KIND P_CHOICE(Linalg, matrix, any_matrices, "what the data of a are made into")
#define SOLVABLE P_CHOICE(Linalg, matrix, regular_matrices, "what the data of a are made into")

static const Param square_params[] = {BATCH, COLUMNS, P_END};
static const Param free_square_params[] = {BATCH, COLUMNS, ANY_KIND, P_END};
static const Param regular_params[] = {BATCH, COLUMNS, SOLVABLE, P_END};
static const Param system_params[] = {BATCH, COLUMNS, SIDES, SOLVABLE, P_END};
static const Param least_squares_params[] = {BATCH, ROWS, COLUMNS, SIDES, P_END};
static const Param rectangle_params[] = {BATCH, ROWS, COLUMNS, ANY_KIND, P_END};

typedef enum LinalgTask {
    TASK_INVERSE,
    TASK_SOLVE,
    TASK_LEAST_SQUARES,
    TASK_CHOLESKY,
    TASK_QR,
    TASK_EIGEN,
    TASK_SINGULAR,
    TASK_DETERMINANT,
    TASK_LOG_DETERMINANT
} LinalgTask;

enum {
    OPERANDS_MAX = 4,
};

/* extents: of each operand the letters of its innermost axes: m, n, k for the smaller of them, r
 * for right sides. */
typedef struct LinalgRow {
    const char *name, *summary;
    LinalgTask task;
    int inputs;
    bool square;
    const Param *params;
    const char *tensors[OPERANDS_MAX + 1], *extents[OPERANDS_MAX];
} LinalgRow;

static const LinalgRow rows[] = {
    {"cholesky",
     "Cholesky factor of matrices",
     TASK_CHOLESKY,
     1,
     true,
     square_params,
     {"a", "y"},
     {"nn", "nn"}},
    {"det", "determinants", TASK_DETERMINANT, 1, true, free_square_params, {"a", "y"}, {"nn", ""}},
    {"eigh",
     "eigenvalues and vectors of symmetric matrices",
     TASK_EIGEN,
     1,
     true,
     square_params,
     {"a", "w", "v"},
     {"nn", "n", "nn"}},
    {"eigvalsh",
     "eigenvalues of symmetric matrices",
     TASK_EIGEN,
     1,
     true,
     square_params,
     {"a", "w"},
     {"nn", "n"}},
    {"inv",
     "inverses of matrices",
     TASK_INVERSE,
     1,
     true,
     regular_params,
     {"a", "y"},
     {"nn", "nn"}},
    {"lstsq",
     "least squares",
     TASK_LEAST_SQUARES,
     2,
     false,
     least_squares_params,
     {"a", "b", "x"},
     {"mn", "mr", "nr"}},
    {"qr",
     "factors Q R of matrices",
     TASK_QR,
     1,
     false,
     rectangle_params,
     {"a", "q", "r"},
     {"mn", "mk", "kn"}},
    {"slogdet",
     "signs and logarithms of determinants",
     TASK_LOG_DETERMINANT,
     1,
     true,
     free_square_params,
     {"a", "sign", "y"},
     {"nn", "", ""}},
    {"solve",
     "systems of equations",
     TASK_SOLVE,
     2,
     true,
     system_params,
     {"a", "b", "x"},
     {"nn", "nr", "nr"}},
    {"svd",
     "singular values and vectors",
     TASK_SINGULAR,
     1,
     false,
     rectangle_params,
     {"a", "u", "s", "v"},
     {"mn", "mk", "k", "kn"}},
    {"svdvals",
     "singular values",
     TASK_SINGULAR,
     1,
     false,
     rectangle_params,
     {"a", "s"},
     {"mn", "k"}},
};

static void normalise(const OpDesc *op, void *of)
{
    const LinalgRow *row = op->detail;
    Linalg *q = of;
    lapack_fill_batch(&q->batch_shape);
    if (row->square)
        q->m = q->n;
    if (row->task == TASK_LEAST_SQUARES && q->m < q->n)
        q->m = q->n;
}

static int64_t smaller(const Linalg *q)
{
    return q->m < q->n ? q->m : q->n;
}

static int64_t extent_of(const Linalg *q, char letter)
{
    return letter == 'm' ? q->m : letter == 'n' ? q->n : letter == 'k' ? smaller(q) : q->nrhs;
}

static Arrangement arrangement_of(const LinalgRow *row, const Linalg *q)
{
    static const Arrangement any[] = {ARRANGED_FREELY, ARRANGED_GRADED, ARRANGED_SINGULAR};
    switch (row->task) {
    case TASK_CHOLESKY:
        return ARRANGED_DEFINITE;
    case TASK_EIGEN:
        return ARRANGED_HERMITIAN;
    case TASK_INVERSE:
    case TASK_SOLVE:
    case TASK_LEAST_SQUARES:
        return q->matrix ? ARRANGED_DEFINITE : ARRANGED_DOMINANT;
    default:
        return any[q->matrix];
    }
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const LinalgRow *row = op->detail;
    const Linalg *q = of;
    *shapes = (Shapes){.depth = q->m};
    for (int i = 0; row->tensors[i]; i++) {
        Shape extents = q->batch_shape;
        for (const char *letter = row->extents[i]; *letter; letter++)
            extents.extent[extents.rank++] = extent_of(q, *letter);
        shapes->tensor[shapes->count++] =
            lapack_dense((DType)q->dtype, &extents, i < row->inputs ? ROLE_IN : ROLE_OUT);
    }
    shapes->tensor[0].arrangement = arrangement_of(row, q);
}

static double work(const OpDesc *op, const void *of)
{
    const LinalgRow *row = op->detail;
    const Linalg *q = of;
    static const double of_task[] = {
        [TASK_INVERSE] = 2,  [TASK_SOLVE] = 2,       [TASK_LEAST_SQUARES] = 8,
        [TASK_CHOLESKY] = 2, [TASK_QR] = 8,          [TASK_EIGEN] = 16,
        [TASK_SINGULAR] = 6, [TASK_DETERMINANT] = 6, [TASK_LOG_DETERMINANT] = 6};
    double extent = (double)(q->m + q->n), sides = row->inputs == 2 ? (double)q->nrhs : 0;
    return (double)shape_count(&q->batch_shape) * of_task[row->task] * extent * extent *
           (extent + sides + 8);
}

/* One matrix of a case, with what was computed for it. */
typedef struct Part {
    const LinalgRow *row;
    DType dtype;
    Matrix of[OPERANDS_MAX];
    size_t first[OPERANDS_MAX]; /* elements before it */
    double norm, bound;         /* of a; p u and what underflow adds to it */
    double low,
        high; /* between them squares stay within the range, and underflow is within the bound */
    Ref *refs;
    Arena *arena;
} Part;

/* Puts what is expected at an element of operand `at`: what was computed and what it lacks. */
static void put_rest(const Part *p, int operand, size_t element, double rest, double bound)
{
    double got = p->of[operand].values[element].re;
    size_t at = p->first[operand] + element;
    if (isfinite(rest) && isfinite(got))
        matrix_put_rest(&p->refs[operand], at, got, rest, 0x1p-40 * bound, bound);
    else
        matrix_admit_finite(&p->refs[operand], at);
}

/* Element (i, j) of C - X Y; C = NULL is the identity. */
static double rest_of(const Matrix *c, const Matrix *x, const Matrix *y, int64_t i, int64_t j)
{
    double start = c ? matrix_at(c, i, j)->re : i == j;
    WideComplex sum = {{start, 0}, {0, 0}};
    for (int64_t k = 0; k < x->columns; k++)
        wide_complex_add_product(&sum, -1, *matrix_at(x, i, k), *matrix_at(y, k, j));
    return sum.re.high;
}

static bool is_moderate(const Part *p, double norm)
{
    return norm == 0 || (norm > p->low && norm < p->high);
}

/* False where a solution for a side of this size may leave the range, which makes NaN of what it is
 * multiplied by: what dominates its rows by 2^-7 has pivots of 2^-8 of its diagonal or more. */
static bool is_within_reach(const Part *p, double side)
{
    const Matrix *a = &p->of[0];
    double least = INFINITY;
    for (int64_t i = 0; i < a->rows && i < a->columns; i++)
        least = fmin(least, fabs(matrix_at(a, i, i)->re));
    return side < least * 0x1p-8 * dtype_format(p->dtype)->largest;
}

static void judge_solution(const Part *p)
{
    enum { A, B, X };
    for (int64_t j = 0; j < p->of[X].columns; j++) {
        double side = dense_norm(&p->of[B], j, j + 1);
        double scale = p->norm * dense_norm(&p->of[X], j, j + 1) + side;
        if (!is_moderate(p, side) || !is_within_reach(p, side))
            continue;
        for (int64_t i = 0; i < p->of[X].rows; i++)
            put_rest(p, X, (size_t)(i * p->of[X].columns + j),
                     scale > 0 ? rest_of(&p->of[B], &p->of[A], &p->of[X], i, j) / scale : 0,
                     p->bound);
    }
}

static void judge_inverse(const Part *p)
{
    enum { A, Y };
    const Matrix *a = &p->of[A], *y = &p->of[Y];
    double scale = p->norm * dense_norm(y, 0, y->columns), right = 0, left = 0;
    if (!is_within_reach(p, 1))
        return;
    for (int64_t i = 0; i < a->rows * a->rows; i++) {
        right = fmax(right, fabs(rest_of(NULL, a, y, i / a->rows, i % a->rows)));
        left = fmax(left, fabs(rest_of(NULL, y, a, i / a->rows, i % a->rows)));
    }
    for (int64_t i = 0; i < a->rows * a->rows; i++) {
        const Matrix *x = right <= left ? a : y, *z = right <= left ? y : a;
        put_rest(p, Y, (size_t)i, rest_of(NULL, x, z, i / a->rows, i % a->rows) / scale, p->bound);
    }
}

static void judge_least_squares(const Part *p)
{
    enum { A, B, X };
    const Matrix *a = &p->of[A];
    for (int64_t j = 0; j < p->of[X].columns; j++) {
        double side = dense_norm(&p->of[B], j, j + 1);
        double scale = p->norm * dense_norm(&p->of[X], j, j + 1) + side;
        if (!is_moderate(p, side))
            continue;
        for (int64_t i = 0; i < a->columns; i++) {
            WideComplex sum = {{0, 0}, {0, 0}};
            for (int64_t k = 0; k < a->rows; k++)
                wide_complex_add_product(&sum, 1, *matrix_at(a, k, i),
                                         (Scalar){rest_of(&p->of[B], a, &p->of[X], k, j), 0});
            put_rest(p, X, (size_t)(i * p->of[X].columns + j),
                     scale > 0 ? sum.re.high / (2 * p->norm * scale) : 0, p->bound);
        }
    }
}

static void put_zero(const Part *p, int operand, size_t element)
{
    ref_set_exact(&p->refs[operand], p->first[operand] + element, 0, MATCH_VALUE);
}

/* Of a matrix whose factorization may end for want of definiteness anything is admitted. */
static void judge_cholesky(const Part *p)
{
    enum { A, Y };
    const Matrix *y = &p->of[Y];
    DefiniteInput a = {p->of[A].values, y->rows, p->dtype};
    if (definite_range(&a, p->arena).first <= y->rows)
        return;
    Matrix turned = matrix_zeros(y->rows, y->rows, p->arena);
    for (int64_t i = 0; i < y->rows; i++)
        for (int64_t j = 0; j < y->rows; j++)
            *matrix_at(&turned, j, i) = *matrix_at(y, i, j);
    for (int64_t i = 0; i < y->rows; i++)
        for (int64_t j = 0; j < y->rows; j++) {
            size_t at = (size_t)(i * y->rows + j);
            if (j > i)
                put_zero(p, Y, at);
            else
                put_rest(p, Y, at, rest_of(&p->of[A], y, &turned, i, j) / p->norm, p->bound);
        }
}

/* Element (i, j) of Q^T Q - I. */
static double skewness(const Matrix *q, int64_t i, int64_t j)
{
    WideComplex sum = {{-(double)(i == j), 0}, {0, 0}};
    for (int64_t k = 0; k < q->rows; k++)
        wide_complex_add_product(&sum, 1, *matrix_at(q, k, i), *matrix_at(q, k, j));
    return sum.re.high;
}

/* Columns of A - Q R that Q has show there, the others in R. */
static void judge_qr(const Part *p)
{
    enum { A, Q, R };
    const Matrix *q = &p->of[Q], *r = &p->of[R];
    double scale = p->norm > 0 ? p->norm : 1;
    for (int64_t i = 0; i < q->rows; i++)
        for (int64_t j = 0; j < r->columns; j++) {
            double rest = rest_of(&p->of[A], q, r, i, j) / scale;
            double skew = i < q->columns && j < q->columns ? skewness(q, i, j) : 0;
            if (j < q->columns)
                put_rest(p, Q, (size_t)(i * q->columns + j), fabs(skew) > fabs(rest) ? skew : rest,
                         p->bound);
            else
                put_rest(p, R, (size_t)(i * r->columns + j), rest, p->bound);
        }
    for (int64_t i = 0; i < r->rows; i++)
        for (int64_t j = 0; j < q->columns; j++)
            if (j < i)
                put_zero(p, R, (size_t)(i * r->columns + j));
            else
                matrix_admit_finite(&p->refs[R], p->first[R] + (size_t)(i * r->columns + j));
}

static double *numbers_of(const Matrix *column, Arena *arena)
{
    double *numbers = arena_take(arena, (size_t)column->rows + 1, sizeof *numbers);
    for (int64_t i = 0; i < column->rows; i++)
        numbers[i] = matrix_at(column, i, 0)->re;
    return numbers;
}

static void judge_eigen(const Part *p)
{
    enum { A, W, V };
    Spectrum s = spectrum_of(&p->of[A], p->arena);
    double *w = numbers_of(&p->of[W], p->arena);
    spectrum_put_values(&p->refs[W], p->first[W], &s, p->dtype, w, p->of[W].rows);
    if (p->row->tensors[V] && s.norm > 0)
        spectrum_put_vectors(&p->refs[V], p->first[V], &p->of[A], &p->of[V], w, s.norm, 1);
}

static void judge_singular(const Part *p)
{
    enum { A, U, S, V };
    bool vectors = p->row->tensors[U + 1] != NULL;
    int values = vectors ? S : U;
    const Matrix *a = &p->of[A];
    Spectrum d = singular_spectrum(a, p->arena);
    double *s = numbers_of(&p->of[values], p->arena), norm = d.norm > 0 ? d.norm : 1;
    singular_put_values(&p->refs[values], p->first[values], p->dtype, a, &d, s);
    if (!vectors)
        return;
    Matrix v = lapack_transposed(&p->of[V], false, p->arena),
           turned = lapack_transposed(a, false, p->arena);
    int64_t count = p->of[S].rows;
    singular_put_vectors(&p->refs[U], p->first[U], a, &p->of[U], &v, s, count, norm, false);
    singular_put_vectors(&p->refs[V], p->first[V], &turned, &v, &p->of[U], s, count, norm, true);
}

/* What a perturbation of norm e adds to the product of the singular values at most. */
static long double determinant_change(const Spectrum *d, int64_t n, long double e)
{
    long double product = 1, moved = 1;
    for (int64_t i = 0; i < n; i++) {
        long double s = fmaxl((long double)d->values[2 * n - 1 - i], 0) + d->error;
        product *= s;
        moved *= s + e;
    }
    return moved - product + 0x1p-60L * moved;
}

static void judge_determinant(const Part *p)
{
    const Matrix *a = &p->of[0];
    const Format *format = dtype_format(p->dtype);
    int64_t n = a->rows;
    long double largest = powl(fmax(p->norm, 1), (long double)n);
    if (!(largest < ldexpl(1, format->maximum_exponent - 10)))
        return;
    Spectrum d = singular_spectrum(a, p->arena);
    long double det = dense_eliminate(dense_widened(a, p->arena), NULL, n, 0);
    long double error = determinant_change(&d, n, 100 * (long double)n * 0x1p-63L * p->norm);
    long double bound = determinant_change(&d, n, (long double)p->bound * p->norm) +
                        2 * (long double)n * format->unit * fabsl(det) +
                        (long double)format->smallest_normal * 4 * largest;
    ref_put_bounded(&p->refs[1], p->first[1], det, error, (double)bound);
}

/* The matrix times 2^-exponent, whose norm is 1/2 to 1. */
static Matrix scaled_down(const Matrix *a, double norm, int *exponent, Arena *arena)
{
    Matrix scaled = matrix_copy(a, arena);
    (void)frexp(norm, exponent);
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        scaled.values[i].re = ldexp(a->values[i].re, -*exponent);
    return scaled;
}

/* A sign that is not known: which logarithms go with it depends on what it is. */
static void put_unsigned(const Part *p, double least, long double greatest)
{
    Ref *sign = &p->refs[1], *ref = &p->refs[2];
    size_t at = p->first[1];
    double got = p->of[1].values[0].re;
    ref_set_exact(sign, at, got == 1 || got == -1 ? got : 0, MATCH_VALUE);
    if (got != 1 && got != -1) {
        ref_set_classes(ref, p->first[2], CLASS_NEGATIVE_INFINITY);
        return;
    }
    long double middle = (least + greatest) / 2;
    ref_put_bounded(ref, p->first[2], middle, fabsl(middle) * 0x1p-60L,
                    (double)(greatest - least) / 2 * (1 + 0x1p-40));
}

/* A logarithm is a sum of those of n pivots, each rounded, as the sum is. */
static void judge_logarithm(const Part *p)
{
    const Format *format = dtype_format(p->dtype);
    int64_t n = p->of[0].rows;
    if (p->norm == 0) {
        put_unsigned(p, 0, 0);
        ref_set_exact(&p->refs[1], p->first[1], 0, MATCH_VALUE);
        ref_set_classes(&p->refs[2], p->first[2], CLASS_NEGATIVE_INFINITY);
        return;
    }
    int exponent;
    Matrix a = scaled_down(&p->of[0], p->norm, &exponent, p->arena);
    long double norm = ldexpl(p->norm, -exponent), scale = exponent * logl(2) * (long double)n;
    Spectrum d = singular_spectrum(&a, p->arena);
    long double det = dense_eliminate(dense_widened(&a, p->arena), NULL, n, 0), size = fabsl(det);
    long double change = determinant_change(&d, n, (long double)p->bound * norm) +
                         determinant_change(&d, n, 100 * (long double)n * 0x1p-63L * norm) +
                         4 * (long double)n * format->unit * size;
    long double least = (long double)n * logl(format->smallest_subnormal);
    /* No pivot is below that, or beyond the largest number. */
    long double steps = fmaxl(fabsl(least), (long double)n * format->maximum_exponent);
    long double rounding = 8 * (long double)(n + 4) * format->unit * (steps + 1);
    long double greatest = logl(size + change) + scale;
    if (!(change < size * (1 - 0x1p-20L))) {
        put_unsigned(p, (double)(least - rounding), greatest + rounding);
        return;
    }
    long double value = logl(size) + scale, below = -log1pl(-change / size);
    ref_set_exact(&p->refs[1], p->first[1], det < 0 ? -1 : 1, MATCH_VALUE);
    rounding =
        8 * (long double)(n * n + 4) * format->unit * (fabsl(logl(p->norm)) + fabsl(value) + 1);
    ref_put_bounded(&p->refs[2], p->first[2], value, fabsl(value) * 0x1p-58L + 0x1p-58L,
                    (double)(below + rounding));
}

static void judge_part(const Part *p)
{
    static void (*const judges[])(const Part *) = {
        [TASK_INVERSE] = judge_inverse,
        [TASK_SOLVE] = judge_solution,
        [TASK_LEAST_SQUARES] = judge_least_squares,
        [TASK_CHOLESKY] = judge_cholesky,
        [TASK_QR] = judge_qr,
        [TASK_EIGEN] = judge_eigen,
        [TASK_SINGULAR] = judge_singular,
        [TASK_DETERMINANT] = judge_determinant,
        [TASK_LOG_DETERMINANT] = judge_logarithm,
    };
    judges[p->row->task](p);
}

static void compute_singular(const Part *p, Matrix *of)
{
    const Matrix *a = &of[0];
    bool vectors = p->row->tensors[2] != NULL;
    Spectrum d = singular_spectrum(a, p->arena);
    Matrix *s = vectors ? &of[2] : &of[1];
    for (int64_t i = 0; i < s->rows; i++)
        matrix_at(s, i, 0)->re = fmax(d.values[a->rows + a->columns - 1 - i], 0);
    if (!vectors)
        return;
    Matrix v = singular_vectors(&d, a, a->rows, a->columns, s->rows, p->arena);
    of[1] = singular_vectors(&d, a, 0, a->rows, s->rows, p->arena);
    of[3] = lapack_transposed(&v, false, p->arena);
}

static void compute_eigen(const Part *p, Matrix *of)
{
    Spectrum s = spectrum_of(&of[0], p->arena);
    for (int64_t i = 0; i < of[1].rows; i++)
        matrix_at(&of[1], i, 0)->re = s.values[i];
    if (p->row->tensors[2])
        of[2] = s.vectors;
}

/* One right result. */
static void compute_part(Part *p)
{
    Matrix *of = p->of;
    const Matrix *a = &of[0];
    int64_t n = a->columns;
    Arena *arena = p->arena;
    switch (p->row->task) {
    case TASK_CHOLESKY:
        of[1] = matrix_copy(a, arena);
        (void)kernel_potrf(&(Kernel){.dtype = p->dtype}, &of[1], true);
        for (int64_t i = 0; i < n * n; i++)
            of[1].values[i].re = i % n > i / n ? 0 : of[1].values[i].re;
        return;
    case TASK_INVERSE:
    case TASK_SOLVE:
    case TASK_LEAST_SQUARES:
        of[p->row->inputs] = dense_solve(a, p->row->inputs == 2 ? &of[1] : NULL, arena);
        return;
    case TASK_QR:
        of[1] = matrix_zeros(a->rows, of[1].columns, arena);
        of[2] = matrix_zeros(of[2].rows, n, arena);
        dense_factor_qr(a, &of[1], &of[2]);
        return;
    case TASK_EIGEN:
        compute_eigen(p, of);
        return;
    case TASK_SINGULAR:
        compute_singular(p, of);
        return;
    default: {
        long double det = dense_eliminate(dense_widened(a, arena), NULL, n, 0);
        bool logarithm = p->row->task == TASK_LOG_DETERMINANT;
        of[1] = matrix_zeros(1, 1, arena);
        of[2] = matrix_zeros(1, 1, arena);
        of[1].values[0].re = logarithm ? (double)((det > 0) - (det < 0)) : (double)det;
        if (logarithm)
            of[2].values[0].re = (double)logl(fabsl(det));
    }
    }
}

static void put_part(const Part *p)
{
    for (int i = p->row->inputs; p->row->tensors[i]; i++)
        for (int64_t at = 0; at < p->of[i].rows * p->of[i].columns; at++)
            ref_set_exact(&p->refs[i], p->first[i] + (size_t)at,
                          dtype_round(p->dtype, p->of[i].values[at].re), MATCH_VALUE);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const LinalgRow *row = input->op->detail;
    const Linalg *q = input->params;
    const Format *format = dtype_format((DType)q->dtype);
    for (int i = row->inputs; row->tensors[i]; i++) {
        ref_allocate_bounded(&refs[i], (DType)q->dtype, &input->tensors[i], arena);
        for (size_t at = 0; at < refs[i].count; at++)
            ref_set_classes(&refs[i], at, CLASS_ANY);
    }
    for (int64_t b = 0; b < shape_count(&q->batch_shape); b++) {
        Part p = {.row = row,
                  .dtype = (DType)q->dtype,
                  .low = 256 * sqrt(format->smallest_normal),
                  .high = sqrt(format->largest) / 256,
                  .refs = refs,
                  .arena = arena};
        bool computed = input->computed != NULL, moderate = true;
        for (int i = 0; row->tensors[i]; i++) {
            const Tensor *from = i >= row->inputs && computed ? input->computed : input->tensors;
            p.of[i] = lapack_part(&from[i], (int)strlen(row->extents[i]), b, arena);
            p.first[i] = (size_t)(b * p.of[i].rows * p.of[i].columns);
            moderate = moderate && (i >= row->inputs ||
                                    is_moderate(&p, dense_norm(&p.of[i], 0, p.of[i].columns)));
        }
        p.norm = dense_norm(&p.of[0], 0, p.of[0].columns);
        p.bound = spectrum_factor(p.dtype, q->m > q->n ? q->m : q->n) * (1 + 0x1p-40);
        p.bound += 8 * (double)(q->m + q->n) * sqrt(format->smallest_normal);
        if (moderate && computed) {
            judge_part(&p);
        } else if (!computed) {
            compute_part(&p);
            put_part(&p);
        }
    }
}

OP_TABLE(ops_linalg)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            .name = rows[i].name,
            .family = "linalg",
            .version = 1,
            .summary = rows[i].summary,
            .size = sizeof(Linalg),
            .params = rows[i].params,
            .tensors = rows[i].tensors,
            .dtypes = DTYPES_REAL,
            .fills = lapack_moderate_fills,
            .any_layout = true,
            .judged_by_residual = true,
            .only_by_residual = true,
            .normalise_of_row = normalise,
            .shape_of_row = shape,
            .work_of_row = work,
            .reference = reference,
            .detail = &rows[i],
        };
    return table;
}
