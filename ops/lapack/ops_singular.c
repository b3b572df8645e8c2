/* A = U S V^H: singular values, descending, and where `job` says so vectors, as many as there are
 * values or all of them; V^H is stored.  A is destroyed.
 *
 * Judged as eigenvalues are (spectrum.h), with 2 p(max(m, n)): the values by the eigenvalues of
 * ((0, A), (A^H, 0)), which are the singular values, their opposites and zeros (Golub and Van Loan,
 * Matrix Computations, 4th ed., section 8.6.1); vectors by A v - s u and A^H u - s v, and by what
 * they lack of being orthonormal, whichever is larger in an element.  The iterations converge, so
 * that info is 0 for a matrix of numbers; gesdd gives -4 where there is a NaN.  Where numbers are
 * not finite, or so large that their norm may overflow, nothing is said but that a NaN is seen. */
#include <math.h>

#include "lapack.h"
#include "reference/function.h"
#include "singular.h"
#include "solve.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
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

static const LapackRow rows[] = {
    {"gesdd", "singular values and vectors by division", params, tensors, DTYPES_BLAS},
    {"gesvd", "singular values and vectors by QR iterations", params, tensors, DTYPES_BLAS},
};

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
    shapes->tensor[V] =
        lapack_matrix(q, count_of(q, q->n), q->job == JOB_VALUES ? 0 : q->n, q->ldv, ROLE_OUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    double extent = (double)(q->m + q->n);
    (void)op;
    return 6 * lapack_parts(q) * extent * extent * (extent + 8);
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *a, const Spectrum *d,
                  Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    bool moderate = d->known && d->norm < dtype_format((DType)q->dtype)->largest / 16;
    lapack_put_known(&refs[INFO], &computed[INFO], moderate, 0);
    if (!moderate) {
        if (matrix_has_nan(a) && lapack_integer(&computed[INFO], 0) == 0)
            lapack_demand_nan(&refs[S], &computed[S], smaller(q), arena);
        return;
    }
    double *s = arena_take(arena, (size_t)smaller(q) + 1, sizeof *s);
    double norm = d->norm > 0 ? d->norm : 1;
    for (int64_t i = 0; i < smaller(q); i++)
        s[i] = dtype_load(computed[S].dtype, computed[S].origin, i);
    singular_put_values(&refs[S], 0, (DType)q->dtype, a, d, s);
    if (q->job == JOB_VALUES)
        return;
    Matrix u = matrix_read(&computed[U], arena), stored = matrix_read(&computed[V], arena);
    Matrix v = lapack_transposed(&stored, true, arena), turned = lapack_transposed(a, true, arena);
    singular_put_vectors(&refs[U], 0, a, &u, &v, s, smaller(q), norm, false);
    singular_put_vectors(&refs[V], 0, &turned, &v, &u, s, smaller(q), norm, true);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix a = matrix_read(&given[A], arena);
    for (int i = A; i < INFO; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    Spectrum d = singular_spectrum(&a, arena);
    if (input->computed) {
        judge(refs, input, &a, &d, arena);
        return;
    }
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    for (int64_t i = 0; i < smaller(q); i++)
        ref_set_exact(&refs[S], (size_t)i,
                      dtype_round(refs[S].dtype, d.values[q->m + q->n - 1 - i] < 0
                                                     ? 0
                                                     : d.values[q->m + q->n - 1 - i]),
                      MATCH_VALUE);
    if (q->job == JOB_VALUES)
        return;
    Matrix u = singular_vectors(&d, &a, 0, q->m, count_of(q, q->m), arena);
    Matrix v = singular_vectors(&d, &a, q->m, q->n, count_of(q, q->n), arena);
    Matrix turned = lapack_transposed(&v, true, arena);
    matrix_put_rounded(&u, &refs[U]);
    matrix_put_rounded(&turned, &refs[V]);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL,    .policy = "nan-lost", .normalise = normalise,
                              .shape_of_row = shape, .work_of_row = work,  .reference = reference};

OP_TABLE(ops_singular)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
