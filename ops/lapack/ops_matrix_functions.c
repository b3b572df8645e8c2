/* Powers, pseudoinverses, ranks and condition numbers of matrices as the linear algebra of
 * frameworks has them: of the last two axes, the others are a batch.
 *
 * Powers: a product of q matrices of n rows in whatever order has
 *   |fl(A^q) - A^q| <= ((1 + gamma_n)^(q - 1) - 1) |A|^q
 * element by element, since one product of X and Y adds gamma_n |X| |Y| (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd ed., (3.13) and lemma 3.8).  Each part of a complex one is
 * a sum of 2 n products, whose magnitudes add up to |X| |Y| at most, so that both parts together
 * are within sqrt(2) gamma_2n <= gamma_4n of it.  A negative power is that of the inverse
 * (torch.linalg.matrix_power, numpy.linalg.matrix_power), whose error is at most d g with g =
 * |A^-1|, d = c / (1 - c) and c = p u |A| g, where its residual is within p u |A| |X| (Higham,
 * section 14.1); so the power is off by ((1 + gamma_n)^(q - 1) (1 + d)^q - 1) g^q at most.
 *
 * The others come of singular values, which are off by E = p u |A| (singular.h).  A rank is the
 * number of those above a threshold (array API standard, matrix_rank), so at least that of those
 * above it by what both are off, and at most that of those not below it by as much.  A condition
 * number, or its reciprocal, is between the quotients of what the two values may be.
 *
 * Pseudoinverses are judged where the rank is full, with s the least value and c = p u |A| / s:
 *   |Y - A^+| <= 4 c / s
 * is more than sqrt(2) E / (s (s - E)) (Wedin; Bjoerck, Numerical Methods for Least Squares
 * Problems, theorem 1.4.6) and what vectors that are orthogonal to p u, and their product, add for
 * c < 1/8.  No library's usual threshold reaches E.
 *
 * p = 100 max(m, n), and norms are Frobenius'.  Where numbers are not finite, or may leave the
 * range, nothing is said. */
#include <math.h>

#include "dense.h"
#include "lapack.h"
#include "reference/function.h"
#include "singular.h"
#include "solve.h"

typedef struct MatrixFunction {
    int64_t dtype;
    Shape batch_shape;
    int64_t m, n, exponent, cutoff, quotient, matrix;
} MatrixFunction;

enum { A, Y };
enum { DOMINANT = 3 }; /* its place among the kinds of matrices */

static const char *const matrices[] = {"free", "graded", "singular", "dominant", NULL};
static const char *const quotients[] = {"largest", "least", NULL};

#define BATCH                                                                                      \
    P_DTYPE(MatrixFunction, dtype, "element type"),                                                \
        P_SHAPE(MatrixFunction, batch_shape, 0, 2, "axes of the batch")
#define ROWS    P_DIM(MatrixFunction, m, 1, 48, "rows of a")
#define COLUMNS P_DIM(MatrixFunction, n, 1, 48, "columns of a")
#define MATRIX  P_CHOICE(MatrixFunction, matrix, matrices, "what the data of a are made into")

static const Param power_params[] = {
    BATCH, COLUMNS,
    P_INTEGER(MatrixFunction, exponent, -8, 20, 2,
              "the power; negative ones are those of dominant matrices"),
    MATRIX, P_END};
static const Param inverse_params[] = {BATCH, ROWS, COLUMNS, MATRIX, P_END};
static const Param rank_params[] = {
    BATCH,
    ROWS,
    COLUMNS,
    P_INTEGER(MatrixFunction, cutoff, 0, 16, 0,
              "a value counts above 2^-cutoff of the largest; 0: above what the library takes"),
    MATRIX,
    P_END};
static const Param condition_params[] = {
    BATCH,
    ROWS,
    COLUMNS,
    P_CHOICE(MatrixFunction, quotient, quotients, "which singular value is divided by the other"),
    MATRIX,
    P_END};

/* A matrix of a case, with the result for it. */
typedef struct Part {
    const MatrixFunction *q;
    const Format *format;
    Matrix a;
    double norm, error; /* of a; p u |A| */
    Ref *ref;
    size_t first; /* the result's first element */
    double got;   /* it, where any of a range is right; NaN where none was computed */
    Arena *arena;
} Part;

typedef struct FunctionRow {
    const char *name, *summary;
    const Param *params;
    bool square, is_matrix; /* a; the result */
    bool counts, has_range; /* the result is an integer; any number of a range is right */
    double work;            /* for each n^3 */
    void (*put)(const Part *);
} FunctionRow;

/* C = A B; n by n. */
static void multiply(LongComplex *c, const LongComplex *a, const LongComplex *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            LongComplex sum = 0;
            for (int64_t k = 0; k < n; k++)
                sum += dense_product(a[i * n + k], b[k * n + j]);
            c[i * n + j] = sum;
        }
}

static void multiply_sizes(long double *c, const long double *a, const long double *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            long double sum = 0;
            for (int64_t k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
}

/* Terms of the sums that products of n rows are, for the error of an element. */
static int64_t terms_of(const Part *p, int64_t n)
{
    return dtype_components((DType)p->q->dtype) == 2 ? 4 * n : n;
}

/* (1 + gamma_n)^q - 1 for a unit. */
static long double growth(int64_t n, int64_t q, long double unit)
{
    long double gamma = (long double)n * unit / (1 - (long double)n * unit);
    return expm1l((long double)q * log1pl(gamma)) * (1 + 0x1p-40L);
}

/* A^q for q > 0, and |A|^q, in 64 bits. */
typedef struct Power {
    LongComplex *values;
    long double *sizes;
} Power;

static Power raise_to(const Matrix *a, int64_t q, Arena *arena)
{
    int64_t n = a->rows;
    size_t count = (size_t)(n * n) + 1;
    LongComplex *first = dense_widened(a, arena), *next = arena_take(arena, count, sizeof *next);
    long double *size = arena_take(arena, count, sizeof *size);
    long double *next_size = arena_take(arena, count, sizeof *size);
    Power p = {dense_widened(a, arena), arena_take(arena, count, sizeof *size)};
    for (int64_t i = 0; i < n * n; i++)
        size[i] = p.sizes[i] = hypotl(creall(first[i]), cimagl(first[i]));
    for (int64_t step = 1; step < q; step++) {
        Power last = p;
        multiply(next, last.values, first, n);
        multiply_sizes(next_size, last.sizes, size, n);
        p = (Power){next, next_size};
        next = last.values;
        next_size = last.sizes;
    }
    return p;
}

/* Puts element number i of the result, of a matrix. */
static void put_element(const Part *p, int64_t i, LongComplex value, long double error,
                        double bound)
{
    int parts = dtype_components(p->ref->dtype);
    for (int part = 0; part < parts; part++)
        ref_put_bounded(p->ref, (p->first + (size_t)i) * (size_t)parts + (size_t)part,
                        part ? cimagl(value) : creall(value), error, bound);
}

/* A power of numbers of a norm, and all that lead to it, stay within the range. */
static bool is_within_range(const Part *p, double norm, int64_t q)
{
    return powl(fmaxl(norm, 1), (long double)q) < p->format->largest * 0x1p-8L;
}

static void put_power(const Part *p)
{
    int64_t n = p->q->n, q = p->q->exponent;
    const Matrix *a = &p->a;
    double unit = p->format->unit;
    for (int64_t i = 0; i < n * n && q >= 0 && q <= 1; i++)
        matrix_put_number(p->ref, p->first + (size_t)i,
                          q ? a->values[i] : (Scalar){i / n == i % n, 0});
    if (q < 2 || !is_within_range(p, p->norm, q))
        return;
    Power power = raise_to(a, q, p->arena);
    int64_t terms = terms_of(p, n);
    /* Each product may lose the factors and terms that are subnormal. */
    long double lost = (long double)(q * (2 * terms + 2)) * p->format->smallest_normal *
                       powl(fmaxl(p->norm, 1), (long double)(q - 1));
    for (int64_t i = 0; i < n * n; i++)
        put_element(p, i, power.values[i],
                    growth(terms, q - 1, 0x1p-63L) * power.sizes[i] + lost * 0x1p-30L,
                    (double)(growth(terms, q - 1, unit) * power.sizes[i] + lost) * (1 + 0x1p-40));
}

static void put_inverse_power(const Part *p)
{
    int64_t n = p->q->n, q = -p->q->exponent;
    Matrix inverse = dense_solve(&p->a, NULL, p->arena);
    double norm = dense_norm(&inverse, 0, n), off = p->error * norm;
    /* That of the inverse in 64 bits, which is rounded to binary64. */
    double own = (100 * (double)n * 0x1p-63 * p->norm * norm + 0x1p-52);
    if (!matrix_is_finite(&inverse) || !(off < 0.125) || !is_within_range(p, norm, q))
        return;
    Power power = raise_to(&inverse, q, p->arena);
    int64_t terms = terms_of(p, n);
    long double all = powl(norm, (long double)q);
    long double lost = (long double)(q * (2 * terms + 2)) * p->format->smallest_normal *
                       powl(fmaxl(norm, 1), (long double)(q - 1));
    long double grown = log1pl(growth(terms, q - 1, p->format->unit));
    double bound = (double)(all * expm1l(grown + (long double)q * log1pl(off / (1 - off))) + lost);
    long double error = all * expm1l((long double)q * log1pl(2 * own)) + lost * 0x1p-30L;
    for (int64_t i = 0; i < n * n; i++)
        put_element(p, i, power.values[i], error + all * growth(terms, q, 0x1p-63L),
                    bound * (1 + 0x1p-40));
}

static void put_any_power(const Part *p)
{
    if (p->q->exponent < 0)
        put_inverse_power(p);
    else
        put_power(p);
}

/* The singular values, largest first, of which there are `count`. */
static double *values_of(const Part *p, int64_t *count, double *error)
{
    const Matrix *a = &p->a;
    Spectrum d = singular_spectrum(a, p->arena);
    *count = a->rows < a->columns ? a->rows : a->columns;
    double *s = arena_take(p->arena, (size_t)*count + 1, sizeof *s);
    for (int64_t i = 0; i < *count; i++)
        s[i] = fmax(d.values[a->rows + a->columns - 1 - i], 0);
    *error = d.error;
    return s;
}

/* Puts what was computed where it is within a range, else the end of it that is nearest. */
static void put_nearest(const Part *p, double least, double most)
{
    double got = p->got <= most ? p->got : most;
    ref_set_exact(p->ref, p->first, p->got >= least ? got : least, MATCH_VALUE);
}

static void put_rank(const Part *p)
{
    int64_t count, least = 0, most = 0;
    double error, *s = values_of(p, &count, &error), unit = p->format->unit;
    int64_t longer = p->a.rows > p->a.columns ? p->a.rows : p->a.columns;
    double cutoff = p->q->cutoff ? ldexp(1, -(int)p->q->cutoff) : 2 * (double)longer * unit;
    double threshold = cutoff * s[0];
    double off = p->norm > 0 ? (p->error + error) * (1 + cutoff) + 2 * unit * threshold : 0;
    for (int64_t i = 0; i < count; i++) {
        least += s[i] - off > threshold;
        most += s[i] + off > threshold;
    }
    put_nearest(p, (double)least, (double)most);
}

/* Puts a quotient of what two values may be, and what is rounded. */
static void put_quotient(const Part *p, double above, double below, double off)
{
    double unit = p->format->unit, largest = p->format->largest;
    double least = fmin(fmax(above - off, 0) / (below + off) * (1 - 4 * unit), largest);
    double most = below > off ? (above + off) / (below - off) * (1 + 4 * unit) : INFINITY;
    bool endless = !(most < largest);
    /* No bound about the middle of a range without an end tells its least number. */
    if (p->got >= least || (endless && p->got > -INFINITY)) {
        put_nearest(p, least, endless ? INFINITY : most);
        return;
    }
    long double end = fmin(most, largest), middle = (least + end) / 2;
    ref_put_bounded(p->ref, p->first, middle, 0, (double)(end - middle) * (1 + 0x1p-40));
    if (endless)
        ref_set_classes(p->ref, p->first, CLASS_FINITE | CLASS_POSITIVE_INFINITY);
}

static void put_condition(const Part *p)
{
    int64_t count;
    double error, *s = values_of(p, &count, &error), off = p->error + error;
    if (p->norm == 0)
        return;
    bool least = p->q->quotient == 1;
    put_quotient(p, s[least ? count - 1 : 0], s[least ? 0 : count - 1], off);
}

static void put_pseudoinverse(const Part *p)
{
    int64_t count;
    bool wide = p->a.rows < p->a.columns;
    double error, *s = values_of(p, &count, &error), least = s[count - 1] - error;
    double ratio = p->error / least;
    if (!(least > 0) || !(ratio < 0.125) || !is_within_range(p, 1 / least, 2))
        return;
    Matrix tall = wide ? lapack_transposed(&p->a, true, p->arena) : p->a;
    Matrix identity = matrix_identity(tall.rows, p->arena);
    Matrix inverse = dense_solve(&tall, &identity, p->arena);
    /* Equations of normal form have the square of the condition. */
    double kappa = p->norm / least;
    double own = (100 * (double)tall.rows * 0x1p-63 * kappa * kappa + 0x1p-52) / least;
    if (!matrix_is_finite(&inverse))
        return;
    Matrix result = wide ? lapack_transposed(&inverse, true, p->arena) : inverse;
    LongComplex *values = dense_widened(&result, p->arena);
    for (int64_t i = 0; i < result.rows * result.columns; i++)
        put_element(p, i, values[i], own, 4 * ratio / least);
}

static const FunctionRow rows[] = {
    {.name = "cond",
     .summary = "condition numbers of matrices by singular values",
     .params = condition_params,
     .has_range = true,
     .work = 6,
     .put = put_condition},
    {.name = "matrix_power",
     .summary = "powers of square matrices",
     .params = power_params,
     .square = true,
     .is_matrix = true,
     .work = 24,
     .put = put_any_power},
    {.name = "matrix_rank",
     .summary = "ranks of matrices by singular values",
     .params = rank_params,
     .counts = true,
     .has_range = true,
     .work = 6,
     .put = put_rank},
    {.name = "pinv",
     .summary = "pseudoinverses of matrices of full rank",
     .params = inverse_params,
     .is_matrix = true,
     .work = 12,
     .put = put_pseudoinverse},
};
static const char *const tensors[] = {"a", "y", NULL};

static void normalise(const OpDesc *op, void *of)
{
    const FunctionRow *row = op->detail;
    MatrixFunction *q = of;
    if (row->square)
        q->m = q->n;
    if (q->exponent < 0)
        q->matrix = DOMINANT;
}

static DType type_of_result(const FunctionRow *row, const MatrixFunction *q)
{
    DType dtype = (DType)q->dtype;
    return row->counts ? DT_I64 : row->is_matrix ? dtype : dtype_component(dtype);
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    static const Arrangement arranged[] = {ARRANGED_FREELY, ARRANGED_GRADED, ARRANGED_SINGULAR,
                                           ARRANGED_DOMINANT};
    const FunctionRow *row = op->detail;
    const MatrixFunction *q = of;
    Shape given = q->batch_shape, result = q->batch_shape;
    given.extent[given.rank++] = q->m;
    given.extent[given.rank++] = q->n;
    if (row->is_matrix) {
        result.extent[result.rank++] = q->n;
        result.extent[result.rank++] = q->m;
    }
    *shapes = (Shapes){.count = Y + 1, .depth = q->m > q->n ? q->m : q->n};
    shapes->tensor[A] = lapack_dense((DType)q->dtype, &given, ROLE_IN);
    shapes->tensor[A].arrangement = arranged[q->matrix];
    shapes->tensor[Y] = lapack_dense(type_of_result(row, q), &result, ROLE_OUT);
}

static double work(const OpDesc *op, const void *of)
{
    const FunctionRow *row = op->detail;
    const MatrixFunction *q = of;
    double extent = (double)(q->m + q->n);
    return (double)shape_count(&q->batch_shape) * row->work * extent * extent * (extent + 8) *
           (dtype_components((DType)q->dtype) == 2 ? 4 : 1);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const FunctionRow *row = input->op->detail;
    const MatrixFunction *q = input->params;
    const Format *format = dtype_format((DType)q->dtype);
    const Tensor *a = &input->tensors[A], *y = &input->tensors[Y];
    double low = 256 * sqrt(format->smallest_normal), high = sqrt(format->largest) / 256;
    ref_allocate_bounded(&refs[Y], y->dtype, y, arena);
    for (size_t at = 0; at < refs[Y].count; at++)
        ref_set_classes(&refs[Y], at, CLASS_ANY);
    for (int64_t b = 0; b < shape_count(&q->batch_shape); b++) {
        Part p = {.q = q,
                  .format = format,
                  .a = lapack_part(a, 2, b, arena),
                  .ref = &refs[Y],
                  .first = (size_t)(b * (row->is_matrix ? q->m * q->n : 1)),
                  .got = NAN,
                  .arena = arena};
        if (row->has_range && input->computed)
            p.got = lapack_part(&input->computed[Y], 0, b, arena).values[0].re;
        p.norm = dense_norm(&p.a, 0, q->n);
        p.error = spectrum_factor((DType)q->dtype, q->m > q->n ? q->m : q->n) * p.norm;
        if (p.norm == 0 || (p.norm > low && p.norm < high))
            row->put(&p);
    }
}

OP_TABLE(ops_matrix_functions)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            .name = rows[i].name,
            .family = "linalg",
            .version = 1,
            .summary = rows[i].summary,
            .size = sizeof(MatrixFunction),
            .params = rows[i].params,
            .tensors = tensors,
            .dtypes = DTYPES_BLAS,
            .fills = lapack_moderate_fills,
            .any_layout = true,
            .judged_by_residual = rows[i].has_range,
            .normalise_of_row = normalise,
            .shape_of_row = shape,
            .work_of_row = work,
            .reference = reference,
            .detail = &rows[i],
        };
    return table;
}
