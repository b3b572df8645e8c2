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
    double *w = arena_take(arena, (size_t)q->n + 1, sizeof *w);
    for (int64_t i = 0; i < q->n; i++)
        w[i] = dtype_load(computed[W].dtype, computed[W].origin, i);
    spectrum_put_values(&refs[W], 0, s, refs[A].dtype, w, q->n);
    if (q->job == 0 || !(s->norm > 0))
        return;
    Matrix z = matrix_read(&computed[A], arena);
    spectrum_put_vectors(&refs[A], 0, lower, &z, w, s->norm);
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
