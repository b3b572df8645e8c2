/* Eigenvalues of a hermitian matrix, ascending, and where `job` says so its eigenvectors.  One
 * triangle is stored, in a square, by columns without gaps, or as a band; or the diagonal d and
 * what is beside it, e, of a real tridiagonal matrix.  Vectors take the place of a square, and are
 * in z else; the matrix is destroyed.
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

typedef enum SpectralMatrix {
    MATRIX_SQUARE,
    MATRIX_PACKED,
    MATRIX_BAND,
    MATRIX_TRIDIAGONAL
} SpectralMatrix;

typedef struct SpectralRow {
    LapackRow op;
    SpectralMatrix matrix;
} SpectralRow;

#define A_OF_N LAPACK_N("rows and columns of A")
#define LAPACK_LDZ                                                                                 \
    P_ROW("ldz", PARAM_PAD, Lapack, ldu, int64_t, "leading dimension of Z beyond its minimum",     \
          .maximum = 1 << 16)

static const char *const tridiagonal_jobs[] = {"nothing", "identity", NULL};
static const Param square_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB,          LAPACK_UPLO,  A_OF_N,
    LAPACK_LDA,         LAPACK_EIGEN_MATRIX, LAPACK_LWORK, P_END,
};
static const Param relative_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB,          LAPACK_UPLO,  A_OF_N, LAPACK_LDA,
    LAPACK_LDZ,         LAPACK_EIGEN_MATRIX, LAPACK_LWORK, P_END,
};
static const Param packed_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB, LAPACK_UPLO, A_OF_N, LAPACK_LDZ, LAPACK_EIGEN_MATRIX, P_END,
};
static const Param band_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB, LAPACK_UPLO,         A_OF_N, LAPACK_K,
    LAPACK_LDA,         LAPACK_LDZ, LAPACK_EIGEN_MATRIX, P_END,
};
static const Param tridiagonal_params[] = {LAPACK_DTYPE_ORDER, LAPACK_JOB, A_OF_N, LAPACK_LDZ,
                                           P_END};
static const Param divided_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB, A_OF_N, LAPACK_LDZ, LAPACK_LWORK, P_END,
};
static const Param values_params[] = {LAPACK_DTYPE, A_OF_N, P_END};
static const Param implicit_params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE_AS("compz", Lapack, job, tridiagonal_jobs, "no Z, or Z"),
    A_OF_N,
    LAPACK_LDZ,
    P_END,
};

#define CHOSEN_TENSORS   "vl", "vu", "il", "iu", "abstol", "m"
#define RELATIVE_TENSORS CHOSEN_TENSORS, "isuppz", "info", NULL
#define EXPERT_TENSORS   CHOSEN_TENSORS, "ifail", "info", NULL
static const char *const square_tensors[] = {"a", "w", "info", NULL};
static const char *const relative_tensors[] = {"a", "w", "z", RELATIVE_TENSORS};
static const char *const expert_tensors[] = {"a", "w", "z", EXPERT_TENSORS};
static const char *const expert_tridiagonal_tensors[] = {"d", "e", "w", "z", EXPERT_TENSORS};
static const char *const apart_tensors[] = {"a", "w", "z", "info", NULL};
static const char *const tridiagonal_tensors[] = {"d", "e", "z", "info", NULL};
static const char *const robust_tensors[] = {"d", "e", "w", "z", RELATIVE_TENSORS};
static const char *const values_tensors[] = {"d", "e", "info", NULL};
enum { A, D = A, E };
/* Of relatively robust representations and expert drivers, behind Z. */
enum { VL = 1, VU, IL, IU, ABSTOL, FOUND, SUPPORT };

static const SpectralRow rows[] = {
    {{"sbev", "eigenvalues and vectors of a hermitian band by QL iterations", band_params,
      apart_tensors, DTYPES_BLAS},
     MATRIX_BAND},
    {{"spev", "eigenvalues and vectors of a packed hermitian matrix by QL iterations",
      packed_params, apart_tensors, DTYPES_BLAS},
     MATRIX_PACKED},
    {{"spevx", "eigenvalues and vectors of a packed hermitian matrix by an expert driver",
      packed_params, expert_tensors, DTYPES_BLAS},
     MATRIX_PACKED},
    {{"steqr", "eigenvalues and vectors of a tridiagonal matrix by implicit QL iterations",
      implicit_params, tridiagonal_tensors, DTYPES_BLAS},
     MATRIX_TRIDIAGONAL},
    {{"sterf", "eigenvalues of a tridiagonal matrix without square roots", values_params,
      values_tensors, DTYPES_REAL},
     MATRIX_TRIDIAGONAL},
    {{"stev", "eigenvalues and vectors of a tridiagonal matrix by QL iterations",
      tridiagonal_params, tridiagonal_tensors, DTYPES_REAL},
     MATRIX_TRIDIAGONAL},
    {{"stevd", "eigenvalues and vectors of a tridiagonal matrix by division", divided_params,
      tridiagonal_tensors, DTYPES_REAL},
     MATRIX_TRIDIAGONAL},
    {{"stevr",
      "eigenvalues and vectors of a tridiagonal matrix by relatively robust representations",
      divided_params, robust_tensors, DTYPES_REAL},
     MATRIX_TRIDIAGONAL},
    {{"stevx", "eigenvalues and vectors of a tridiagonal matrix by an expert driver",
      tridiagonal_params, expert_tridiagonal_tensors, DTYPES_REAL},
     MATRIX_TRIDIAGONAL},
    {{"syev", "eigenvalues and vectors of a hermitian matrix by QL iterations", square_params,
      square_tensors, DTYPES_BLAS},
     MATRIX_SQUARE},
    {{"syevd", "eigenvalues and vectors of a hermitian matrix by division", square_params,
      square_tensors, DTYPES_BLAS},
     MATRIX_SQUARE},
    {{"syevr", "eigenvalues and vectors of a hermitian matrix by relatively robust representations",
      relative_params, relative_tensors, DTYPES_BLAS},
     MATRIX_SQUARE},
    {{"syevx", "eigenvalues and vectors of a hermitian matrix by an expert driver", relative_params,
      expert_tensors, DTYPES_BLAS},
     MATRIX_SQUARE},
};

/* Which operands hold the results; -1 where the routine has none. */
typedef struct SpectralPlaces {
    int values, vectors, info;
    bool chosen, is_expert; /* with what chooses eigenvalues, behind the vectors; with ifail */
} SpectralPlaces;

static SpectralPlaces places_of(const OpDesc *op)
{
    const SpectralRow *row = op->detail;
    int w = op_operand(op, "w"), z = op_operand(op, "z");
    return (SpectralPlaces){.values = w < 0 ? D : w,
                            .vectors = z < 0 && row->matrix == MATRIX_SQUARE ? A : z,
                            .info = op_operand(op, "info"),
                            .chosen = op_operand(op, "abstol") >= 0,
                            .is_expert = op_operand(op, "ifail") >= 0};
}

/* Of all eigenvalues, whose number is given, nothing is read that says which; abstol is 0. */
static void shape_chosen(const Lapack *q, bool is_expert, TensorSpec *z)
{
    DType real = dtype_component((DType)q->dtype);
    for (int i = VL; i <= IU; i++) {
        z[i] = i < IL ? blas_number(real, ROLE_IN) : lapack_pivots(1);
        z[i].ignored = true;
    }
    z[ABSTOL] = blas_number(real, ROLE_IN);
    z[ABSTOL].arrangement = ARRANGED_SINGULAR;
    z[FOUND] = lapack_integers(1);
    z[SUPPORT] = lapack_integers(q->job == 0 ? 0 : is_expert ? q->n : 2 * q->n);
}

static void shape_matrix(const SpectralRow *row, const Lapack *q, TensorSpec *spec)
{
    switch (row->matrix) {
    case MATRIX_TRIDIAGONAL:
        spec[D] = lapack_real_vector(q, q->n);
        spec[E] = lapack_real_vector(q, q->n > 1 ? q->n - 1 : 0);
        spec[D].role = spec[E].role = ROLE_INOUT;
        return;
    case MATRIX_SQUARE:
        spec[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
        break;
    default:
        spec[A] = lapack_stored_triangle(
            q, row->matrix == MATRIX_PACKED ? STORAGE_PACKED : STORAGE_BAND, ROLE_INOUT);
    }
    spec[A].arrangement = lapack_eigen_arrangement(q);
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    SpectralPlaces at = places_of(op);
    int64_t vectors = q->job ? q->n : 0;
    *shapes = (Shapes){.count = at.info + 1, .depth = q->n};
    shape_matrix(op->detail, q, shapes->tensor);
    if (at.values != D)
        shapes->tensor[at.values] = lapack_real_vector(q, q->n);
    if (at.vectors > A)
        shapes->tensor[at.vectors] = lapack_matrix(q, vectors, vectors, q->ldu, ROLE_OUT);
    if (at.chosen)
        shape_chosen(q, at.is_expert, &shapes->tensor[at.vectors]);
    shapes->tensor[at.info] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    (void)op;
    return 60 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
}

static Matrix lower_triangle(const SpectralRow *row, const Lapack *q, const Tensor *given,
                             Arena *arena)
{
    Matrix a = matrix_read(&given[A], arena);
    if (row->matrix != MATRIX_TRIDIAGONAL)
        return lapack_lower_triangle(&a, q->uplo == UPLO_LOWER, arena);
    Matrix lower = matrix_zeros(q->n, q->n, arena), e = matrix_read(&given[E], arena);
    for (int64_t i = 0; i < q->n; i++)
        *matrix_at(&lower, i, i) = *matrix_at(&a, i, 0);
    for (int64_t i = 0; i + 1 < q->n; i++)
        *matrix_at(&lower, i + 1, i) = *matrix_at(&e, i, 0);
    return lower;
}

static void judge(Ref *refs, const ReferenceInput *input, const Spectrum *s, const Matrix *lower,
                  Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    SpectralPlaces at = places_of(input->op);
    bool moderate = s->known && s->norm < dtype_format((DType)q->dtype)->largest / 16;
    lapack_put_integer(&refs[at.info], 0, lapack_integer(&computed[at.info], 0), 0,
                       moderate ? 0 : INT_MAX);
    if (at.chosen)
        lapack_put_known(&refs[at.vectors + FOUND], &computed[at.vectors + FOUND], moderate, q->n);
    for (int64_t i = 0; at.is_expert && i < (int64_t)refs[at.vectors + SUPPORT].count; i++)
        if (moderate)
            lapack_put_integer(&refs[at.vectors + SUPPORT], i, 0, 0, 0);
    if (!moderate)
        return;
    const Tensor *values = &computed[at.values];
    double *w = arena_take(arena, (size_t)q->n + 1, sizeof *w);
    for (int64_t i = 0; i < q->n; i++)
        w[i] = dtype_load(values->dtype, values->origin, i);
    spectrum_put_values(&refs[at.values], 0, s, (DType)q->dtype, w, q->n);
    if (q->job == 0 || !(s->norm > 0))
        return;
    Matrix z = matrix_read(&computed[at.vectors], arena);
    double most_apart = at.chosen && !at.is_expert ? SPECTRUM_ROBUST : 1;
    spectrum_put_vectors(&refs[at.vectors], 0, lower, &z, w, s->norm, most_apart);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const SpectralRow *row = input->op->detail;
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    SpectralPlaces at = places_of(input->op);
    Matrix lower = lower_triangle(row, q, given, arena);
    int last = at.vectors > at.values ? at.vectors : at.values;
    if (last < E && row->matrix == MATRIX_TRIDIAGONAL)
        last = E;
    for (int i = A; i <= last; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[at.info], &given[at.info], arena);
    if (at.chosen) {
        Ref *found = &refs[at.vectors + FOUND], *support = &refs[at.vectors + SUPPORT];
        ref_allocate_exact(found, &given[at.vectors + FOUND], arena);
        lapack_put_integer(found, 0, q->n, q->n, q->n);
        ref_allocate_exact(support, &given[at.vectors + SUPPORT], arena);
        for (size_t i = 0; i < support->count; i++) {
            lapack_put_integer(support, (int64_t)i, 0, 0, 0);
            if (!at.is_expert || input->computed)
                ref_set_classes(support, i, CLASS_ANY);
        }
    }
    Spectrum s = spectrum_of(&lower, arena);
    if (input->computed) {
        judge(refs, input, &s, &lower, arena);
        return;
    }
    lapack_put_integer(&refs[at.info], 0, 0, 0, 0);
    for (int64_t i = 0; i < q->n; i++)
        ref_set_exact(&refs[at.values], (size_t)i, dtype_round(given[at.values].dtype, s.values[i]),
                      MATCH_VALUE);
    if (at.vectors == A || (at.vectors > A && q->job))
        matrix_put_rounded(&s.vectors, &refs[at.vectors]);
}

static const OpDesc shared = {LAPACK_OP_RESIDUAL, .shape_of_row = shape, .work_of_row = work,
                              .reference = reference};

OP_TABLE(ops_spectral)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
