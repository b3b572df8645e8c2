/* Eigenvalues of a hermitian matrix, ascending, and where `job` says so its eigenvectors.  One
 * triangle is stored, in a square, by columns without gaps, or as a band; or the diagonal d and
 * what is beside it, e, of a real tridiagonal matrix.  Vectors take the place of a square, and are
 * in z else; the matrix is destroyed.
 *
 * Judged as spectrum.h says: eigenvalues by the exact ones, vectors by their residuals and by what
 * they lack of being orthonormal, whichever of the two is larger in an element.  QL iterations with
 * Wilkinson's shifts converge (Parlett, The Symmetric Eigenvalue Problem, section 8.10), so that
 * info is 0 for a matrix of numbers, and only then are results what they are said to be, but for
 * eigenvalues of expert drivers, whose info counts vectors.  Where numbers are not finite, or so
 * large that their norm may overflow, nothing is said but that a NaN is seen (lapack.h).
 *
 * Expert drivers find all values, those of some numbers, or those of an interval vl < w <= vu,
 * whose ends are made midway between exact ones, or beyond the last.  By numbers their count is
 * given. Of an interval, values that lie within their bound of an end may be in it or not: the
 * count, and the number of the first one, are any that this admits, and of the numbers that one is
 * taken whose exact values are nearest to those that were computed. */
#include <limits.h>
#include <math.h>

#include "chosen.h"
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
#define CHOSEN LAPACK_CHOSEN
static const Param relative_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB,          LAPACK_UPLO,  A_OF_N, LAPACK_LDA,
    LAPACK_LDZ,         LAPACK_EIGEN_MATRIX, LAPACK_LWORK, CHOSEN, P_END,
};
static const Param packed_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB, LAPACK_UPLO, A_OF_N, LAPACK_LDZ, LAPACK_EIGEN_MATRIX, P_END,
};
static const Param packed_expert_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB,          LAPACK_UPLO, A_OF_N,
    LAPACK_LDZ,         LAPACK_EIGEN_MATRIX, CHOSEN,      P_END,
};
static const Param band_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB, LAPACK_UPLO,         A_OF_N, LAPACK_K,
    LAPACK_LDA,         LAPACK_LDZ, LAPACK_EIGEN_MATRIX, P_END,
};
static const Param tridiagonal_params[] = {LAPACK_DTYPE_ORDER, LAPACK_JOB, A_OF_N, LAPACK_LDZ,
                                           P_END};
static const Param expert_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB, A_OF_N, LAPACK_LDZ, CHOSEN, P_END,
};
static const Param divided_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB, A_OF_N, LAPACK_LDZ, LAPACK_LWORK, P_END,
};
static const Param robust_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_JOB, A_OF_N, LAPACK_LDZ, LAPACK_LWORK, CHOSEN, P_END,
};
static const Param values_params[] = {LAPACK_DTYPE, A_OF_N, P_END};
static const Param implicit_params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE_AS("compz", Lapack, job, tridiagonal_jobs, "no Z, or Z"),
    A_OF_N,
    LAPACK_LDZ,
    P_END,
};

#define RANGE_TENSORS    "vl", "vu", "il", "iu"
#define CHOSEN_TENSORS   RANGE_TENSORS, "abstol", "m"
#define RELATIVE_TENSORS CHOSEN_TENSORS, "isuppz", "info", NULL
#define EXPERT_TENSORS   CHOSEN_TENSORS, "ifail", "info", NULL
static const char *const square_tensors[] = {"a", "w", "info", NULL};
static const char *const relative_tensors[] = {"a", "w", "z", RELATIVE_TENSORS};
static const char *const expert_tensors[] = {"a", "w", "z", EXPERT_TENSORS};
static const char *const expert_tridiagonal_tensors[] = {"d", "e", "w", "z", EXPERT_TENSORS};
static const char *const apart_tensors[] = {"a", "w", "z", "info", NULL};
static const char *const tridiagonal_tensors[] = {"d", "e", "z", "info", NULL};
static const char *const robust_tensors[] = {"d", "e", "w", "z", RELATIVE_TENSORS};
static const char *const represented_tensors[] = {"d",      "e", "w",      "z",    RANGE_TENSORS,
                                                  "tryrac", "m", "isuppz", "info", NULL};
static const char *const values_tensors[] = {"d", "e", "info", NULL};
enum { A, D = A, E };
/* Of relatively robust representations and expert drivers, behind Z. */
enum { VL = 1, VU, IL, IU, ABSTOL, TRYRAC = ABSTOL, FOUND, SUPPORT };

/* What stemr may say of errors within: 10 and the info of xLARRE, or 20 and that of xLARRV
 * (dstemr.f, INFO). */
enum { STEMR_FAILS = 29 };

static const SpectralRow rows[] = {
    {{"sbev", "eigenvalues and vectors of a hermitian band by QL iterations", band_params,
      apart_tensors, DTYPES_BLAS},
     MATRIX_BAND},
    {{"spev", "eigenvalues and vectors of a packed hermitian matrix by QL iterations",
      packed_params, apart_tensors, DTYPES_BLAS},
     MATRIX_PACKED},
    {{"spevx", "eigenvalues and vectors of a packed hermitian matrix by an expert driver",
      packed_expert_params, expert_tensors, DTYPES_BLAS},
     MATRIX_PACKED},
    {{"stemr", "eigenvalues and vectors of a tridiagonal matrix by multiple representations of it",
      robust_params, represented_tensors, DTYPES_BLAS},
     MATRIX_TRIDIAGONAL},
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
      robust_params, robust_tensors, DTYPES_REAL},
     MATRIX_TRIDIAGONAL},
    {{"stevx", "eigenvalues and vectors of a tridiagonal matrix by an expert driver", expert_params,
      expert_tridiagonal_tensors, DTYPES_REAL},
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
    bool tries;             /* with tryrac, and an e of n elements */
} SpectralPlaces;

static SpectralPlaces places_of(const OpDesc *op)
{
    const SpectralRow *row = op->detail;
    int w = op_operand(op, "w"), z = op_operand(op, "z");
    return (SpectralPlaces){.values = w < 0 ? D : w,
                            .vectors = z < 0 && row->matrix == MATRIX_SQUARE ? A : z,
                            .info = op_operand(op, "info"),
                            .chosen = op_operand(op, "il") >= 0,
                            .is_expert = op_operand(op, "ifail") >= 0,
                            .tries = op_operand(op, "tryrac") >= 0};
}

static void normalise(const OpDesc *op, void *of)
{
    Lapack *q = of;
    if (op_operand(op, "il") < 0)
        return;
    chosen_normalise(q, q->n);
}

/* How many values are asked for at most. */
static int64_t most_of(const OpDesc *op, const Lapack *q)
{
    bool by_numbers = op_operand(op, "il") >= 0 && q->compz == RANGE_INDICES;
    return by_numbers ? q->ihi - q->ilo + 1 : q->n;
}

/* What says which eigenvalues is read where they are not all; abstol is 0, and tryrac true. */
static void shape_chosen(const Lapack *q, int64_t most, SpectralPlaces at, TensorSpec *z)
{
    DType real = dtype_component((DType)q->dtype);
    for (int i = VL; i <= IU; i++) {
        z[i] = i < IL ? blas_number(real, ROLE_IN) : lapack_pivots(1);
        z[i].derived = q->compz == (i < IL ? RANGE_INTERVAL : RANGE_INDICES);
        z[i].ignored = !z[i].derived;
    }
    z[ABSTOL] = blas_number(real, ROLE_IN);
    z[ABSTOL].arrangement = ARRANGED_SINGULAR;
    if (at.tries) {
        z[TRYRAC] = lapack_integers(1);
        z[TRYRAC].role = ROLE_INOUT;
        z[TRYRAC].has_head = true;
        z[TRYRAC].head = 1;
    }
    z[FOUND] = lapack_integers(1);
    z[SUPPORT] = lapack_integers(q->job == 0 ? 0 : at.is_expert ? q->n : 2 * most);
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
    int64_t vectors = q->job ? q->n : 0, most = most_of(op, q);
    int64_t columns = at.tries ? q->n : most; /* LAPACKE asks for all of them */
    *shapes = (Shapes){.count = at.info + 1, .depth = q->n};
    shape_matrix(op->detail, q, shapes->tensor);
    if (at.tries && q->n > 0)
        shapes->tensor[E] = shapes->tensor[D];
    if (at.values != D)
        shapes->tensor[at.values] = lapack_real_vector(q, q->n);
    if (at.vectors > A)
        shapes->tensor[at.vectors] =
            lapack_matrix(q, vectors, q->job ? columns : 0, q->ldu, ROLE_OUT);
    if (at.chosen)
        shape_chosen(q, most, at, &shapes->tensor[at.vectors]);
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
    Matrix e = matrix_read(&given[E], arena);
    return chosen_tridiagonal(&a, &e, 0, q->n, arena);
}

/* The numbers, or the ends of the interval. */
static void derive(const OpDesc *op, const void *of, const Tensor *views, Arena *arena)
{
    const Lapack *q = of;
    SpectralPlaces at = places_of(op);
    const Tensor *z = &views[at.vectors];
    if (!at.chosen || q->compz == RANGE_ALL)
        return;
    if (q->compz == RANGE_INDICES) {
        chosen_put_numbers(&z[IL], &z[IU], q);
        return;
    }
    Matrix lower = lower_triangle(op->detail, q, views, arena);
    Spectrum s = spectrum_of(&lower, arena);
    chosen_put_ends(&z[VL], &z[VU], &s, q->n, q, false);
}

/* Judges how many were found. */
static Chosen choose(Ref *refs, const ReferenceInput *input, const Spectrum *s, const double *w)
{
    const Lapack *q = input->params;
    SpectralPlaces at = places_of(input->op);
    int64_t count = most_of(input->op, q);
    if (!at.chosen)
        return (Chosen){.count = count, .known = true};
    Ref *ref = &refs[at.vectors + FOUND];
    int64_t found = lapack_integer(&input->computed[at.vectors + FOUND], 0);
    if (q->compz == RANGE_INTERVAL)
        return chosen_of_interval(ref, s, q->n, chosen_distance(s, q),
                                  &input->tensors[at.vectors + VL],
                                  &input->tensors[at.vectors + VU], w, found);
    lapack_put_integer(ref, 0, found, count, count);
    return (Chosen){.first = q->ilo - 1, .count = count, .known = found == count};
}

/* A matrix with a NaN has no finite eigenvalues without a word. */
static void demand_nan(Ref *refs, const ReferenceInput *input, const Matrix *lower, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    SpectralPlaces at = places_of(input->op);
    int64_t found =
        at.chosen ? lapack_integer(&computed[at.vectors + FOUND], 0) : most_of(input->op, q);
    bool has_nan = false;
    for (int64_t i = 0; i < q->n; i++)
        for (int64_t j = 0; j <= i; j++) {
            Scalar x = *matrix_at(lower, i, j);
            has_nan = has_nan || isnan(x.re) || (i != j && isnan(x.im));
        }
    bool fewer = q->compz != RANGE_INTERVAL && found < most_of(input->op, q);
    if (!has_nan || fewer || found > q->n || lapack_integer(&computed[at.info], 0) != 0)
        return;
    lapack_demand_nan(&refs[at.values], &computed[at.values], found, arena);
}

/* What lies behind the values that were found is no result. */
static void leave_rest(Ref *refs, const ReferenceInput *input, int64_t found, Arena *arena)
{
    const Lapack *q = input->params;
    SpectralPlaces at = places_of(input->op);
    Ref *values = &refs[at.values], *vectors = &refs[at.vectors];
    Ref *support = &refs[at.vectors + SUPPORT];
    for (size_t i = (size_t)found; i < values->count; i++)
        ref_leave(values, i, arena);
    for (size_t i = (size_t)found * (at.is_expert ? 1 : 2); i < support->count; i++)
        ref_leave(support, i, arena);
    if (q->job)
        matrix_leave(vectors, 0, found, arena);
}

static void judge(Ref *refs, const ReferenceInput *input, const Spectrum *s, const Matrix *lower,
                  Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed, *values;
    SpectralPlaces at = places_of(input->op);
    bool moderate = s->known && s->norm < dtype_format((DType)q->dtype)->largest / 16;
    int64_t info = lapack_integer(&computed[at.info], 0);
    bool may_fail = op_operand(input->op, "tryrac") >= 0;
    lapack_put_integer(&refs[at.info], 0, info, 0,
                       !moderate  ? INT_MAX
                       : may_fail ? STEMR_FAILS
                                  : 0);
    if (!moderate || (info != 0 && !at.is_expert)) {
        if (at.chosen)
            lapack_put_known(&refs[at.vectors + FOUND], &computed[at.vectors + FOUND], false, 0);
        demand_nan(refs, input, lower, arena);
        return;
    }
    values = &computed[at.values];
    double *w = arena_take(arena, (size_t)q->n + 1, sizeof *w);
    for (int64_t i = 0; i < q->n; i++)
        w[i] = dtype_load(values->dtype, values->origin, i);
    Chosen chosen = choose(refs, input, s, w);
    if (at.chosen && chosen.known)
        leave_rest(refs, input, chosen.count, arena);
    if (!chosen.known)
        return;
    for (int64_t i = 0; at.is_expert && q->job && i < chosen.count; i++)
        lapack_put_integer(&refs[at.vectors + SUPPORT], i, 0, 0, 0);
    spectrum_put_values(&refs[at.values], 0, s, (DType)q->dtype, w, chosen.first, chosen.count);
    if (q->job == 0 || !(s->norm > 0))
        return;
    Matrix z = matrix_read(&computed[at.vectors], arena);
    double most_apart = at.chosen && !at.is_expert ? SPECTRUM_ROBUST : 1;
    spectrum_put_vectors(&refs[at.vectors], 0, lower, &z, w, chosen.count, s->norm, most_apart);
}

/* Those that were asked for, of exact values. */
static Chosen ask(const ReferenceInput *input, const Spectrum *s)
{
    const Lapack *q = input->params;
    SpectralPlaces at = places_of(input->op);
    const Tensor *z = &input->tensors[at.vectors];
    Chosen to = {.count = most_of(input->op, q), .known = true};
    if (!at.chosen || q->compz == RANGE_ALL)
        return to;
    to.first = q->ilo - 1;
    if (q->compz == RANGE_INDICES)
        return to;
    to.first = chosen_up_to(s, q->n, dtype_load(z[VL].dtype, z[VL].origin, 0));
    to.count = chosen_up_to(s, q->n, dtype_load(z[VU].dtype, z[VU].origin, 0)) - to.first;
    return to;
}

/* One right result. */
static void put_plain(Ref *refs, const ReferenceInput *input, const Spectrum *s, Arena *arena)
{
    const Lapack *q = input->params;
    SpectralPlaces at = places_of(input->op);
    Chosen chosen = ask(input, s);
    lapack_put_integer(&refs[at.info], 0, 0, 0, 0);
    if (at.chosen)
        lapack_put_integer(&refs[at.vectors + FOUND], 0, chosen.count, 0, q->n);
    for (int64_t i = 0; i < chosen.count; i++)
        ref_set_exact(&refs[at.values], (size_t)i,
                      dtype_round(refs[at.values].dtype, s->values[chosen.first + i]), MATCH_VALUE);
    if (at.vectors != A && (at.vectors < A || !q->job))
        return;
    Matrix z = matrix_zeros(q->n, input->tensors[at.vectors].extent[1], arena);
    for (int64_t i = 0; i < z.rows; i++)
        for (int64_t j = 0; j < z.columns && j < chosen.count; j++)
            *matrix_at(&z, i, j) = *matrix_at(&s->vectors, i, chosen.first + j);
    matrix_put_rounded(&z, &refs[at.vectors]);
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
        Ref *support = &refs[at.vectors + SUPPORT];
        ref_allocate_exact(&refs[at.vectors + FOUND], &given[at.vectors + FOUND], arena);
        ref_allocate_exact(support, &given[at.vectors + SUPPORT], arena);
        for (size_t i = 0; i < support->count; i++) {
            lapack_put_integer(support, (int64_t)i, 0, 0, 0);
            if (!at.is_expert || input->computed)
                ref_set_classes(support, i, CLASS_ANY);
        }
    }
    if (at.tries) {
        Ref *tried = &refs[at.vectors + TRYRAC];
        const Tensor *after = input->computed ? &input->computed[at.vectors + TRYRAC] : NULL;
        ref_allocate_exact(tried, &given[at.vectors + TRYRAC], arena);
        lapack_put_integer(tried, 0, after ? lapack_integer(after, 0) : 1, 0, 1);
    }
    Spectrum s = spectrum_of(&lower, arena);
    if (input->computed)
        judge(refs, input, &s, &lower, arena);
    else
        put_plain(refs, input, &s, arena);
}

static const OpDesc shared = {
    LAPACK_OP_RESIDUAL,  .policy = "nan-lost", .normalise_of_row = normalise, .shape_of_row = shape,
    .work_of_row = work, .derive = derive,     .reference = reference};

OP_TABLE(ops_spectral)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
