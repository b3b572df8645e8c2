/* Eigenvalues of a hermitian matrix, of which one triangle is stored, ascending, and where `job`
 * says so its eigenvectors in place of it; the matrix is destroyed else.
 *
 * Judged as spectrum.h says: eigenvalues by the exact ones, vectors by their residuals and by what
 * they lack of being orthonormal, whichever of the two is larger in an element.  QL iterations with
 * Wilkinson's shifts converge (Parlett, The Symmetric Eigenvalue Problem, section 8.10), so that
 * info is 0 for a matrix of numbers.  Where numbers are not finite, or so large that their norm
 * may overflow, nothing is said. */
#include <limits.h>
#include <math.h>

#include "lapack.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "spectrum.h"

static const struct {
    const char *name, *summary;
} rows[] = {
    {"syev", "eigenvalues and vectors of a hermitian matrix by QL iterations"},
    {"syevd", "eigenvalues and vectors of a hermitian matrix by division"},
};

static const Param params[] = {
    LAPACK_DTYPE, LAPACK_JOB,          LAPACK_UPLO,  LAPACK_N("rows and columns of A"),
    LAPACK_LDA,   LAPACK_EIGEN_MATRIX, LAPACK_LWORK, P_END,
};
static const char *const tensors[] = {"a", "w", "info", NULL};
enum { A, W, INFO };

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    (void)op;
    *shapes = (Shapes){.count = 3, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_eigen_arrangement(q);
    shapes->tensor[W] = lapack_real_vector(q, q->n);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    (void)op;
    return 60 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
}

/* Element (i, j) of the whole matrix. */
static Scalar element_of(const Matrix *lower, int64_t i, int64_t j)
{
    if (i == j)
        return (Scalar){matrix_at(lower, i, i)->re, 0};
    return i > j ? *matrix_at(lower, i, j) : scalar_conjugate(*matrix_at(lower, j, i));
}

/* The element of A Z - Z diag(w) over the norm, or of Z^H Z - I, whichever is larger. */
static Scalar defect_of(const Matrix *lower, const Matrix *z, const double *w, double norm,
                        int64_t i, int64_t j)
{
    WideComplex rest = {{0, 0}, {0, 0}}, product = {{i == j ? -1 : 0, 0}, {0, 0}};
    for (int64_t k = 0; k < z->rows; k++) {
        wide_complex_add_product(&rest, 1, element_of(lower, i, k), *matrix_at(z, k, j));
        wide_complex_add_product(&product, 1, scalar_conjugate(*matrix_at(z, k, i)),
                                 *matrix_at(z, k, j));
    }
    wide_complex_add_product(&rest, -1, (Scalar){w[j], 0}, *matrix_at(z, i, j));
    Scalar residual = {rest.re.high / norm, rest.im.high / norm};
    Scalar orthogonal = {product.re.high, product.im.high};
    return scalar_size(residual) > scalar_size(orthogonal) ? residual : orthogonal;
}

static void put_vectors(Ref *ref, const Matrix *lower, const Matrix *z, const double *w,
                        double norm)
{
    const Format *format = dtype_format(ref->dtype);
    double bound = spectrum_factor(ref->dtype, z->rows) + 8 * format->smallest_subnormal / norm;
    for (int64_t i = 0; i < z->rows; i++)
        for (int64_t j = 0; j < z->rows; j++)
            spectrum_put_defect(ref, matrix_element(ref, i, j), *matrix_at(z, i, j),
                                defect_of(lower, z, w, norm, i, j), bound);
}

/* Each eigenvalue within its bound, and none below the one before it. */
static void put_values(Ref *ref, const Spectrum *s, DType dtype, const Tensor *computed)
{
    const Format *format = dtype_format(ref->dtype);
    double bound = spectrum_factor(dtype, (int64_t)ref->rows) * s->norm * (1 + 0x1p-40) +
                   8 * format->smallest_subnormal;
    double before = -INFINITY;
    for (size_t i = 0; i < ref->rows; i++) {
        double got = dtype_load(computed->dtype, computed->origin, (int64_t)i);
        ref_put_bounded(ref, i, (long double)s->values[i] + s->lows[i], s->error, bound);
        if (got < before)
            ref_set_exact(ref, i, before, MATCH_VALUE);
        before = got;
    }
}

static void judge(Ref *refs, const ReferenceInput *input, const Spectrum *s, const Matrix *lower,
                  Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    bool moderate = s->known && s->norm < dtype_format(refs[A].dtype)->largest / 16;
    lapack_put_integer(&refs[INFO], 0, lapack_integer(&computed[INFO], 0), 0,
                       moderate ? 0 : INT_MAX);
    if (!moderate)
        return;
    put_values(&refs[W], s, refs[A].dtype, &computed[W]);
    if (q->job == 0 || !(s->norm > 0))
        return;
    Matrix z = matrix_read(&computed[A], arena);
    double *w = arena_take(arena, (size_t)q->n + 1, sizeof *w);
    for (int64_t i = 0; i < q->n; i++)
        w[i] = dtype_load(computed[W].dtype, computed[W].origin, i);
    put_vectors(&refs[A], lower, &z, w, s->norm);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix a = matrix_read(&given[A], arena);
    Matrix lower = lapack_lower_triangle(&a, q->uplo == UPLO_LOWER, arena);
    lapack_admit_all(&refs[A], &given[A], arena);
    lapack_admit_all(&refs[W], &given[W], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    Spectrum s = spectrum_of(&lower, arena);
    if (input->computed) {
        judge(refs, input, &s, &lower, arena);
        return;
    }
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    for (int64_t i = 0; i < q->n; i++)
        ref_set_exact(&refs[W], (size_t)i, dtype_round(given[W].dtype, s.values[i]), MATCH_VALUE);
    matrix_put_rounded(&s.vectors, &refs[A]);
}

OP_TABLE(ops_spectral)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            .name = rows[i].name,
            .summary = rows[i].summary,
            LAPACK_OP_TABLES,
            .shape_of_row = shape,
            .work_of_row = work,
            .reference = reference,
        };
    return table;
}
