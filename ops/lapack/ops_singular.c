/* A = U S V^H: singular values, descending, and where `job` says so vectors, as many as there are
 * values or all of them; V^H is stored.  A is destroyed.
 *
 * Judged as eigenvalues are (spectrum.h), with 2 p(max(m, n)): the values by the eigenvalues of
 * ((0, A), (A^H, 0)), which are the singular values, their opposites and zeros (Golub and Van Loan,
 * Matrix Computations, 4th ed., section 8.6.1); vectors by A v - s u and A^H u - s v, and by what
 * they lack of being orthonormal, whichever is larger in an element.  The iterations converge, so
 * that info is 0 for a matrix of numbers; gesdd gives -4 where there is a NaN.  Where numbers are
 * not finite, or so large that their norm may overflow, nothing is said. */
#include <limits.h>
#include <math.h>

#include "lapack.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "solve.h"
#include "spectrum.h"

static const struct {
    const char *name, *summary;
} rows[] = {
    {"gesdd", "singular values and vectors by division"},
    {"gesvd", "singular values and vectors by QR iterations"},
};

static const Param params[] = {
    LAPACK_DTYPE,
    LAPACK_SINGULAR_JOB,
    LAPACK_M("rows of A"),
    LAPACK_N("columns of A"),
    LAPACK_LDA,
    LAPACK_LDU,
    LAPACK_LDV,
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a", "s", "u", "v", "info", NULL};
enum { A, S, U, V, INFO };
enum { JOB_VALUES, JOB_SOME };

static int64_t smaller(const Lapack *q)
{
    return q->m < q->n ? q->m : q->n;
}

/* Vectors of `extent` elements. */
static int64_t count_of(const Lapack *q, int64_t extent)
{
    return q->job == JOB_VALUES ? 0 : q->job == JOB_SOME ? smaller(q) : extent;
}

/* Nothing is written for an empty matrix. */
static void normalise(void *of)
{
    Lapack *q = of;
    if (smaller(q) == 0 && q->job > JOB_SOME)
        q->job = JOB_SOME;
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    (void)op;
    *shapes = (Shapes){.count = 5, .depth = q->m};
    shapes->tensor[A] = lapack_matrix(q, q->m, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[S] = lapack_real_vector(q, smaller(q));
    shapes->tensor[U] =
        lapack_matrix(q, q->job == JOB_VALUES ? 0 : q->m, count_of(q, q->m), q->ldu, ROLE_OUT);
    shapes->tensor[V] = lapack_matrix(q, count_of(q, q->n), q->n, q->ldv, ROLE_OUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    double extent = (double)(q->m + q->n);
    (void)op;
    return 60 * lapack_parts(q) * extent * extent * (extent + 8);
}

/* Of ((0, A), (A^H, 0)). */
static Spectrum doubled_spectrum(const Matrix *a, Arena *arena)
{
    Matrix whole = matrix_zeros(a->rows + a->columns, a->rows + a->columns, arena);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->columns; j++)
            *matrix_at(&whole, a->rows + j, i) = scalar_conjugate(*matrix_at(a, i, j));
    return spectrum_of(&whole, arena);
}

/* The element of A Y - X diag(s) over the norm, or of X^H X - I, whichever is larger; the first is
 * of columns that have a value alone. */
static Scalar defect_of(const Matrix *a, const Matrix *x, const Matrix *y, const double *s,
                        int64_t values, double norm, int64_t i, int64_t j)
{
    WideComplex rest = {{0, 0}, {0, 0}}, product = {{i == j ? -1 : 0, 0}, {0, 0}};
    for (int64_t k = 0; k < a->columns && j < values; k++)
        wide_complex_add_product(&rest, 1, *matrix_at(a, i, k), *matrix_at(y, k, j));
    if (j < values)
        wide_complex_add_product(&rest, -1, (Scalar){s[j], 0}, *matrix_at(x, i, j));
    for (int64_t k = 0; k < x->rows && i < x->columns; k++)
        wide_complex_add_product(&product, 1, scalar_conjugate(*matrix_at(x, k, i)),
                                 *matrix_at(x, k, j));
    Scalar residual = {rest.re.high / norm, rest.im.high / norm};
    Scalar orthogonal = {product.re.high, product.im.high};
    bool larger = i >= x->columns || scalar_size(residual) > scalar_size(orthogonal);
    return larger ? residual : orthogonal;
}

/* The columns of X, which are those of `ref`, or conjugate its rows. */
static void put_vectors(Ref *ref, const Matrix *a, const Matrix *x, const Matrix *y,
                        const double *s, int64_t values, double norm, bool turned)
{
    int64_t extent = a->rows > a->columns ? a->rows : a->columns;
    double bound = 2 * spectrum_factor(ref->dtype, extent) +
                   8 * dtype_format(ref->dtype)->smallest_subnormal / norm;
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < x->columns; j++) {
            Scalar got = *matrix_at(x, i, j), off = defect_of(a, x, y, s, values, norm, i, j);
            size_t at = turned ? matrix_element(ref, j, i) : matrix_element(ref, i, j);
            spectrum_put_defect(ref, at, turned ? scalar_conjugate(got) : got,
                                turned ? scalar_conjugate(off) : off, bound);
        }
}

/* Values within their bound, none above the one before it, none negative. */
static void put_values(Ref *ref, const Lapack *q, const Spectrum *d, const double *got)
{
    int64_t extent = q->m > q->n ? q->m : q->n, last = q->m + q->n - 1;
    double step = dtype_format(ref->dtype)->smallest_subnormal, before = INFINITY;
    double bound =
        2 * spectrum_factor((DType)q->dtype, extent) * d->norm * (1 + 0x1p-40) + 8 * step;
    for (int64_t i = 0; i < smaller(q); i++) {
        ref_put_bounded(ref, (size_t)i, (long double)d->values[last - i] + d->lows[last - i],
                        d->error, bound);
        if (got[i] > before || got[i] < 0)
            ref_set_exact(ref, (size_t)i, got[i] < 0 ? 0 : before, MATCH_VALUE);
        before = got[i];
    }
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *a, const Spectrum *d,
                  Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    bool moderate = d->known && d->norm < dtype_format((DType)q->dtype)->largest / 16;
    lapack_put_integer(&refs[INFO], 0, lapack_integer(&computed[INFO], 0), moderate ? 0 : INT_MIN,
                       moderate ? 0 : INT_MAX);
    if (!moderate)
        return;
    double *s = arena_take(arena, (size_t)smaller(q) + 1, sizeof *s);
    double norm = d->norm > 0 ? d->norm : 1;
    for (int64_t i = 0; i < smaller(q); i++)
        s[i] = dtype_load(computed[S].dtype, computed[S].origin, i);
    put_values(&refs[S], q, d, s);
    if (q->job == JOB_VALUES)
        return;
    Matrix u = matrix_read(&computed[U], arena), stored = matrix_read(&computed[V], arena);
    Matrix v = lapack_transposed(&stored, true, arena), turned = lapack_transposed(a, true, arena);
    put_vectors(&refs[U], a, &u, &v, s, smaller(q), norm, false);
    put_vectors(&refs[V], &turned, &v, &u, s, smaller(q), norm, true);
}

/* Makes column j of X orthogonal to those before it and of norm 1; its norm before. */
static double orthonormalise(Matrix *x, int64_t j)
{
    double norm = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t l = 0; l < j; l++) {
            Scalar inner = {0, 0};
            for (int64_t i = 0; i < x->rows; i++) {
                Scalar p = *matrix_at(x, i, l), y = *matrix_at(x, i, j);
                inner.re += p.re * y.re + p.im * y.im;
                inner.im += p.re * y.im - p.im * y.re;
            }
            for (int64_t i = 0; i < x->rows; i++) {
                Scalar p = *matrix_at(x, i, l);
                matrix_at(x, i, j)->re -= p.re * inner.re - p.im * inner.im;
                matrix_at(x, i, j)->im -= p.re * inner.im + p.im * inner.re;
            }
        }
    for (int64_t i = 0; i < x->rows; i++)
        norm = hypot(norm, hypot(matrix_at(x, i, j)->re, matrix_at(x, i, j)->im));
    for (int64_t i = 0; i < x->rows && norm > 0; i++) {
        matrix_at(x, i, j)->re /= norm;
        matrix_at(x, i, j)->im /= norm;
    }
    return norm;
}

/* Vectors of `extent` elements from place `first` of those of the doubled matrix, and where the
 * value is 0 any that complete them. */
static Matrix vectors_of(const Lapack *q, const Spectrum *d, int64_t first, int64_t extent,
                         Arena *arena)
{
    Matrix x = matrix_zeros(extent, count_of(q, extent), arena);
    int64_t last = q->m + q->n - 1;
    for (int64_t j = 0; j < x.columns; j++) {
        bool given = j < smaller(q) && d->values[last - j] > 0x1p-48 * d->norm;
        double norm = 0;
        for (int64_t i = 0; i < extent && given; i++)
            *matrix_at(&x, i, j) = *matrix_at(&d->vectors, first + i, last - j);
        if (given)
            (void)orthonormalise(&x, j);
        for (int64_t k = 0; k < extent && !given && norm < 0.5 / (double)extent; k++) {
            for (int64_t i = 0; i < extent; i++)
                *matrix_at(&x, i, j) = (Scalar){i == k, 0};
            norm = orthonormalise(&x, j);
        }
    }
    return x;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix a = matrix_read(&given[A], arena);
    for (int i = A; i < INFO; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    Spectrum d = doubled_spectrum(&a, arena);
    if (input->computed) {
        judge(refs, input, &a, &d, arena);
        return;
    }
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    for (int64_t i = 0; i < smaller(q); i++)
        ref_set_exact(&refs[S], (size_t)i,
                      dtype_round(refs[S].dtype, fmax(d.values[q->m + q->n - 1 - i], 0)),
                      MATCH_VALUE);
    if (q->job == JOB_VALUES)
        return;
    Matrix u = vectors_of(q, &d, 0, q->m, arena), v = vectors_of(q, &d, q->m, q->n, arena);
    Matrix turned = lapack_transposed(&v, true, arena);
    matrix_put_rounded(&u, &refs[U]);
    matrix_put_rounded(&turned, &refs[V]);
}

OP_TABLE(ops_singular)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            .name = rows[i].name,
            .summary = rows[i].summary,
            LAPACK_OP_TABLES,
            .normalise = normalise,
            .shape_of_row = shape,
            .work_of_row = work,
            .reference = reference,
        };
    return table;
}
