/* Systems, inverses, factors, spectra and determinants of matrices as the linear algebra of
 * frameworks has them: of the last two axes, the others are a batch.  No text says by which
 * algorithm, so that results are judged by what any backward stable one gives.
 *
 * Systems: |b - A x| <= p u (|A| |x| + |b|) (Rigal and Gaches; Higham, Accuracy and Stability of
 * Numerical Algorithms, 2nd ed., theorem 7.1); inverses |I - A Y| or |I - Y A| <= p u |A| |Y|;
 * least squares |A^H (b - A x)| <= 2 p u |A| (|A| |x| + |b|), which a backward error of p u |A|
 * gives to first order; factors |A - L L^H| and |A - Q R| <= p u |A| and |Q^H Q - I| <= p u;
 * spectra as in spectrum.h and singular.h.  p = 100 n is what LAPACK's own test programs accept
 * (spectrum.h), with Frobenius' norms.  Matrices of systems have a dominant diagonal, so that none
 * is singular.
 *
 * Determinants are those of determinant.h.
 *
 * Where numbers are not finite, or squares of them may leave the range, nothing is said; of a
 * system that holds for each column of right sides by itself.  But of a matrix with a NaN where it
 * is read, of spectra in the lower triangle, one value is not finite (IEEE 754-2019, 6.2). */
#include <math.h>
#include <string.h>

#include "dense.h"
#include "determinant.h"
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
    int inputs, magnitudes; /* the operand that is real where the others are complex; 0: none */
    bool square;
    const Param *params;
    const char *tensors[OPERANDS_MAX + 1], *extents[OPERANDS_MAX];
} LinalgRow;

static const LinalgRow rows[] = {
    {"cholesky",
     "Cholesky factor of matrices",
     TASK_CHOLESKY,
     1,
     0,
     true,
     square_params,
     {"a", "y"},
     {"nn", "nn"}},
    {"det",
     "determinants",
     TASK_DETERMINANT,
     1,
     0,
     true,
     free_square_params,
     {"a", "y"},
     {"nn", ""}},
    {"eigh",
     "eigenvalues and vectors of symmetric matrices",
     TASK_EIGEN,
     1,
     1,
     true,
     square_params,
     {"a", "w", "v"},
     {"nn", "n", "nn"}},
    {"eigvalsh",
     "eigenvalues of symmetric matrices",
     TASK_EIGEN,
     1,
     1,
     true,
     square_params,
     {"a", "w"},
     {"nn", "n"}},
    {"inv",
     "inverses of matrices",
     TASK_INVERSE,
     1,
     0,
     true,
     regular_params,
     {"a", "y"},
     {"nn", "nn"}},
    {"lstsq",
     "least squares",
     TASK_LEAST_SQUARES,
     2,
     0,
     false,
     least_squares_params,
     {"a", "b", "x"},
     {"mn", "mr", "nr"}},
    {"qr",
     "factors Q R of matrices",
     TASK_QR,
     1,
     0,
     false,
     rectangle_params,
     {"a", "q", "r"},
     {"mn", "mk", "kn"}},
    {"slogdet",
     "signs and logarithms of determinants",
     TASK_LOG_DETERMINANT,
     1,
     2,
     true,
     free_square_params,
     {"a", "sign", "y"},
     {"nn", "", ""}},
    {"solve",
     "systems of equations",
     TASK_SOLVE,
     2,
     0,
     true,
     system_params,
     {"a", "b", "x"},
     {"nn", "nr", "nr"}},
    {"svd",
     "singular values and vectors",
     TASK_SINGULAR,
     1,
     2,
     false,
     rectangle_params,
     {"a", "u", "s", "v"},
     {"mn", "mk", "k", "kn"}},
    {"svdvals",
     "singular values",
     TASK_SINGULAR,
     1,
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

static DType type_of(const LinalgRow *row, const Linalg *q, int operand)
{
    DType dtype = (DType)q->dtype;
    return operand > 0 && operand == row->magnitudes ? dtype_component(dtype) : dtype;
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
            lapack_dense(type_of(row, q, i), &extents, i < row->inputs ? ROLE_IN : ROLE_OUT);
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
           (extent + sides + 8) * (dtype_components((DType)q->dtype) == 2 ? 4 : 1);
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

/* Puts what is expected at an element of an operand: what was computed and what it lacks. */
static void put_rest(const Part *p, int operand, size_t element, Scalar rest, double bound)
{
    Ref *ref = &p->refs[operand];
    matrix_put_residual(ref, (p->first[operand] + element) * (size_t)dtype_components(ref->dtype),
                        p->of[operand].values[element], rest, 0x1p-40 * bound, bound);
}

static Scalar divided(Scalar x, double by)
{
    return (Scalar){x.re / by, x.im / by};
}

/* Element (i, j) of C - X Y; C = NULL is the identity. */
static Scalar rest_of(const Matrix *c, const Matrix *x, const Matrix *y, int64_t i, int64_t j)
{
    Scalar start = c ? *matrix_at(c, i, j) : (Scalar){i == j, 0};
    WideComplex sum = {{start.re, 0}, {start.im, 0}};
    for (int64_t k = 0; k < x->columns; k++)
        wide_complex_add_product(&sum, -1, *matrix_at(x, i, k), *matrix_at(y, k, j));
    return (Scalar){sum.re.high, sum.im.high};
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
                     scale > 0 ? divided(rest_of(&p->of[B], &p->of[A], &p->of[X], i, j), scale)
                               : (Scalar){0, 0},
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
        right = fmax(right, scalar_size(rest_of(NULL, a, y, i / a->rows, i % a->rows)));
        left = fmax(left, scalar_size(rest_of(NULL, y, a, i / a->rows, i % a->rows)));
    }
    for (int64_t i = 0; i < a->rows * a->rows; i++) {
        const Matrix *x = right <= left ? a : y, *z = right <= left ? y : a;
        put_rest(p, Y, (size_t)i, divided(rest_of(NULL, x, z, i / a->rows, i % a->rows), scale),
                 p->bound);
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
                wide_complex_add_product(&sum, 1, scalar_conjugate(*matrix_at(a, k, i)),
                                         rest_of(&p->of[B], a, &p->of[X], k, j));
            put_rest(p, X, (size_t)(i * p->of[X].columns + j),
                     scale > 0 ? divided((Scalar){sum.re.high, sum.im.high}, 2 * p->norm * scale)
                               : (Scalar){0, 0},
                     p->bound);
        }
    }
}

static void put_zero(const Part *p, int operand, size_t element)
{
    matrix_put_number(&p->refs[operand], p->first[operand] + element, (Scalar){0, 0});
}

static void admit_finite(const Part *p, int operand, size_t element)
{
    Ref *ref = &p->refs[operand];
    int parts = dtype_components(ref->dtype);
    for (int part = 0; part < parts; part++)
        matrix_admit_finite(ref, (p->first[operand] + element) * (size_t)parts + (size_t)part);
}

/* Of a matrix whose factorization may end for want of definiteness anything is admitted. */
static void judge_cholesky(const Part *p)
{
    enum { A, Y };
    const Matrix *y = &p->of[Y];
    DefiniteInput a = {p->of[A].values, y->rows, p->dtype};
    if (definite_range(&a, p->arena).first <= y->rows)
        return;
    Matrix turned = lapack_transposed(y, true, p->arena);
    for (int64_t i = 0; i < y->rows; i++)
        for (int64_t j = 0; j < y->rows; j++) {
            size_t at = (size_t)(i * y->rows + j);
            if (j > i)
                put_zero(p, Y, at);
            else
                put_rest(p, Y, at, divided(rest_of(&p->of[A], y, &turned, i, j), p->norm),
                         p->bound);
        }
}

/* Element (i, j) of Q^H Q - I. */
static Scalar skewness(const Matrix *q, int64_t i, int64_t j)
{
    WideComplex sum = {{-(double)(i == j), 0}, {0, 0}};
    for (int64_t k = 0; k < q->rows; k++)
        wide_complex_add_product(&sum, 1, scalar_conjugate(*matrix_at(q, k, i)),
                                 *matrix_at(q, k, j));
    return (Scalar){sum.re.high, sum.im.high};
}

/* Columns of A - Q R that Q has show there, the others in R. */
static void judge_qr(const Part *p)
{
    enum { A, Q, R };
    const Matrix *q = &p->of[Q], *r = &p->of[R];
    double scale = p->norm > 0 ? p->norm : 1;
    for (int64_t i = 0; i < q->rows; i++)
        for (int64_t j = 0; j < r->columns; j++) {
            Scalar rest = divided(rest_of(&p->of[A], q, r, i, j), scale), skew = {0, 0};
            if (i < q->columns && j < q->columns)
                skew = skewness(q, i, j);
            if (j < q->columns)
                put_rest(p, Q, (size_t)(i * q->columns + j),
                         scalar_size(skew) > scalar_size(rest) ? skew : rest, p->bound);
            else
                put_rest(p, R, (size_t)(i * r->columns + j), rest, p->bound);
        }
    for (int64_t i = 0; i < r->rows; i++)
        for (int64_t j = 0; j < q->columns; j++)
            if (j < i)
                put_zero(p, R, (size_t)(i * r->columns + j));
            else
                admit_finite(p, R, (size_t)(i * r->columns + j));
}

/* The number of the first component of a part's operand. */
static size_t component_of(const Part *p, int operand)
{
    return p->first[operand] * (size_t)dtype_components(p->refs[operand].dtype);
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
    spectrum_put_values(&p->refs[W], p->first[W], &s, p->dtype, w, 0, p->of[W].rows);
    if (p->row->tensors[V] && s.norm > 0)
        spectrum_put_vectors(&p->refs[V], component_of(p, V), &p->of[A], &p->of[V], w,
                             p->of[W].rows, s.norm, 1);
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
    Matrix v = lapack_transposed(&p->of[V], true, p->arena),
           turned = lapack_transposed(a, true, p->arena);
    int64_t count = p->of[S].rows;
    singular_put_vectors(&p->refs[U], component_of(p, U), a, &p->of[U], &v, s, count, norm, false);
    singular_put_vectors(&p->refs[V], component_of(p, V), &turned, &v, &p->of[U], s, count, norm,
                         true);
}

static DeterminantInput determinant_of_part(const Part *p)
{
    return (DeterminantInput){&p->of[0], p->dtype, p->norm, p->bound, p->arena};
}

static void judge_determinant(const Part *p)
{
    DeterminantInput input = determinant_of_part(p);
    determinant_put(&p->refs[1], p->first[1], &input);
}

static void judge_logarithm(const Part *p)
{
    DeterminantInput input = determinant_of_part(p);
    determinant_put_logarithm(&p->refs[1], &p->refs[2], p->first[1], p->of[1].values[0], &input);
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
    of[3] = lapack_transposed(&v, true, p->arena);
}

static void compute_eigen(const Part *p, Matrix *of)
{
    Spectrum s = spectrum_of(&of[0], p->arena);
    for (int64_t i = 0; i < of[1].rows; i++)
        matrix_at(&of[1], i, 0)->re = s.values[i];
    if (p->row->tensors[2])
        of[2] = s.vectors;
}

static void compute_determinant(const Part *p, Matrix *of)
{
    bool logarithm = p->row->task == TASK_LOG_DETERMINANT;
    of[1] = matrix_zeros(1, 1, p->arena);
    of[2] = matrix_zeros(1, 1, p->arena);
    of[1].values[0] = determinant_of(&of[0], logarithm ? &of[2].values[0].re : NULL, p->arena);
}

static bool has_nan_in(const Matrix *a, bool triangle)
{
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < (triangle ? i + 1 : a->columns); j++) {
            const Scalar *x = matrix_at(a, i, j);
            if (isnan(x->re) || (isnan(x->im) && !(triangle && i == j)))
                return true;
        }
    return false;
}

/* The operand of eigenvalues or singular values of a matrix with a NaN, 0 where there is none. */
static int values_with_nan(const Part *p)
{
    bool eigen = p->row->task == TASK_EIGEN;
    if (!(eigen || p->row->task == TASK_SINGULAR) || !has_nan_in(&p->of[0], eigen))
        return 0;
    return !eigen && p->row->tensors[2] ? 2 : 1;
}

/* Of eigenvalues and singular values that are all finite the first is to be NaN. */
static void demand_nan(const Part *p)
{
    int values = values_with_nan(p);
    const Matrix *w = &p->of[values];
    for (int64_t i = 0; i < w->rows; i++)
        if (!isfinite(matrix_at(w, i, 0)->re))
            return;
    if (w->rows > 0)
        ref_set_classes(&p->refs[values], p->first[values], CLASS_NAN);
}

static void spread_nan(Part *p)
{
    int values = values_with_nan(p);
    for (int64_t i = 0; values && i < p->of[values].rows; i++)
        p->of[values].values[i] = (Scalar){NAN, 0};
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
            of[1].values[i] = i % n > i / n ? (Scalar){0, 0} : of[1].values[i];
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
    default:
        compute_determinant(p, of);
    }
}

static void put_part(const Part *p)
{
    for (int i = p->row->inputs; p->row->tensors[i]; i++)
        for (int64_t at = 0; at < p->of[i].rows * p->of[i].columns; at++)
            matrix_put_number(&p->refs[i], p->first[i] + (size_t)at, p->of[i].values[at]);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const LinalgRow *row = input->op->detail;
    const Linalg *q = input->params;
    const Format *format = dtype_format((DType)q->dtype);
    for (int i = row->inputs; row->tensors[i]; i++) {
        ref_allocate_bounded(&refs[i], type_of(row, q, i), &input->tensors[i], arena);
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
        } else if (computed && values_with_nan(&p)) {
            demand_nan(&p);
        } else if (!computed) {
            compute_part(&p);
            spread_nan(&p);
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
            .dtypes = DTYPES_BLAS,
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
