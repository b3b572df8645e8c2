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
#include "spectrum.h"

typedef struct SpectralRow {
    const char *name, *summary;
    bool relative;
} SpectralRow;

static const SpectralRow rows[] = {
    {"syev", "eigenvalues and vectors of a hermitian matrix by QL iterations", false},
    {"syevd", "eigenvalues and vectors of a hermitian matrix by division", false},
    {"syevr", "eigenvalues and vectors of a hermitian matrix by relatively robust representations",
     true},
};

static const Param params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB,          LAPACK_UPLO,  LAPACK_N("rows and columns of A"),
    LAPACK_LDA,         LAPACK_EIGEN_MATRIX, LAPACK_LWORK, P_END,
};
static const Param relative_params[] = {
    LAPACK_DTYPE_ORDER,
    LAPACK_JOB,
    LAPACK_UPLO,
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    P_ROW("ldz", PARAM_PAD, Lapack, ldu, int64_t, "leading dimension of Z beyond its minimum",
          .maximum = 1 << 16),
    LAPACK_EIGEN_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a", "w", "info", NULL};
static const char *const relative_tensors[] = {"a",  "w",      "z", "vl",     "vu",   "il",
                                               "iu", "abstol", "m", "isuppz", "info", NULL};
enum { A, W, INFO };
enum { Z = W + 1, VL, VU, IL, IU, ABSTOL, FOUND, ISUPPZ };

static int info_of(const OpDesc *op)
{
    const SpectralRow *row = op->detail;
    return row->relative ? ISUPPZ + 1 : INFO;
}

/* Of all eigenvalues, whose number is given, nothing is read that says which; abstol is 0. */
static void shape_relative(const Lapack *q, Shapes *shapes)
{
    DType real = dtype_component((DType)q->dtype);
    int64_t vectors = q->job ? q->n : 0;
    shapes->tensor[Z] = lapack_matrix(q, vectors, vectors, q->ldu, ROLE_OUT);
    for (int i = VL; i <= IU; i++) {
        shapes->tensor[i] = i < IL ? blas_number(real, ROLE_IN) : lapack_pivots(1);
        shapes->tensor[i].ignored = true;
    }
    shapes->tensor[ABSTOL] = blas_number(real, ROLE_IN);
    shapes->tensor[ABSTOL].arrangement = ARRANGED_SINGULAR;
    shapes->tensor[FOUND] = lapack_integers(1);
    shapes->tensor[ISUPPZ] = lapack_integers(q->job ? 2 * q->n : 0);
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = info_of(op) + 1, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_eigen_arrangement(q);
    shapes->tensor[W] = lapack_real_vector(q, q->n);
    if (info_of(op) != INFO)
        shape_relative(q, shapes);
    shapes->tensor[info_of(op)] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    (void)op;
    return 60 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
}

static void judge(Ref *refs, const ReferenceInput *input, const Spectrum *s, const Matrix *lower,
                  Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    int info = info_of(input->op), vectors = info == INFO ? A : Z;
    bool moderate = s->known && s->norm < dtype_format(refs[A].dtype)->largest / 16;
    lapack_put_integer(&refs[info], 0, lapack_integer(&computed[info], 0), 0,
                       moderate ? 0 : INT_MAX);
    if (info != INFO)
        lapack_put_known(&refs[FOUND], &computed[FOUND], moderate, q->n);
    if (!moderate)
        return;
    double *w = arena_take(arena, (size_t)q->n + 1, sizeof *w);
    for (int64_t i = 0; i < q->n; i++)
        w[i] = dtype_load(computed[W].dtype, computed[W].origin, i);
    spectrum_put_values(&refs[W], 0, s, refs[A].dtype, w, q->n);
    if (q->job == 0 || !(s->norm > 0))
        return;
    Matrix z = matrix_read(&computed[vectors], arena);
    spectrum_put_vectors(&refs[vectors], 0, lower, &z, w, s->norm);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix a = matrix_read(&given[A], arena);
    Matrix lower = lapack_lower_triangle(&a, q->uplo == UPLO_LOWER, arena);
    int info = info_of(input->op), vectors = info == INFO ? A : Z;
    lapack_admit_all(&refs[A], &given[A], arena);
    lapack_admit_all(&refs[W], &given[W], arena);
    ref_allocate_exact(&refs[info], &given[info], arena);
    if (info != INFO) {
        lapack_admit_all(&refs[Z], &given[Z], arena);
        ref_allocate_exact(&refs[FOUND], &given[FOUND], arena);
        lapack_put_integer(&refs[FOUND], 0, q->n, q->n, q->n);
        ref_allocate_exact(&refs[ISUPPZ], &given[ISUPPZ], arena);
        for (size_t i = 0; i < refs[ISUPPZ].count; i++)
            ref_set_classes(&refs[ISUPPZ], i, CLASS_ANY);
    }
    Spectrum s = spectrum_of(&lower, arena);
    if (input->computed) {
        judge(refs, input, &s, &lower, arena);
        return;
    }
    lapack_put_integer(&refs[info], 0, 0, 0, 0);
    for (int64_t i = 0; i < q->n; i++)
        ref_set_exact(&refs[W], (size_t)i, dtype_round(given[W].dtype, s.values[i]), MATCH_VALUE);
    if (vectors == A || q->job)
        matrix_put_rounded(&s.vectors, &refs[vectors]);
}

OP_TABLE(ops_spectral)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            .name = rows[i].name,
            .summary = rows[i].summary,
            LAPACK_OP_RESIDUAL,
            .params = rows[i].relative ? relative_params : params,
            .tensors = rows[i].relative ? relative_tensors : tensors,
            .detail = &rows[i],
            .shape_of_row = shape,
            .work_of_row = work,
            .reference = reference,
        };
    return table;
}
