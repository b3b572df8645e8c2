/* Solutions of systems that were solved by factors, refined, and their error bounds: A X = B with A
 * and its factors, LU, Cholesky's, of band and packed ones, and triangles, whose solutions are not
 * refined.
 *
 * The factors are those of a recipe, and A is their product rounded to the element type, so that it
 * has these factors but for a small error.  X before the call is any; what is left of it after a
 * step and more is bounded, and berr and ferr are those of the X that the kernel gave (refine.h).
 * info is 0. */
#include <math.h>

#include "kernel.h"
#include "lu.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "refine.h"
#include "solve.h"

#define SIDES    LAPACK_NRHS, LAPACK_LDB, LAPACK_LDX, LAPACK_HERMITIAN_MATRIX, P_END
#define OF_N     LAPACK_N("rows and columns of A")
#define DEFINITE LAPACK_DTYPE_ORDER, LAPACK_UPLO, OF_N
#define TRIANGLE LAPACK_DTYPE_ORDER, LAPACK_UPLO, LAPACK_TRANS, LAPACK_DIAG, OF_N

static const Param general_params[] = {LAPACK_DTYPE_ORDER, LAPACK_TRANS, OF_N,
                                       LAPACK_LDA,         LAPACK_LDAF,  SIDES};
static const Param definite_params[] = {DEFINITE, LAPACK_LDA, LAPACK_LDAF, SIDES};
static const Param definite_band_params[] = {DEFINITE, LAPACK_K, LAPACK_LDA, LAPACK_LDAF, SIDES};
static const Param definite_packed_params[] = {DEFINITE, SIDES};
static const Param triangle_params[] = {TRIANGLE, LAPACK_LDA, SIDES};
static const Param triangle_band_params[] = {TRIANGLE, LAPACK_K, LAPACK_LDA, SIDES};
static const Param triangle_packed_params[] = {TRIANGLE, SIDES};
static const char *const pivoted_tensors[] = {"a",    "af",   "ipiv", "b", "x",
                                              "ferr", "berr", "info", NULL};
static const char *const factor_tensors[] = {"a", "af", "b", "x", "ferr", "berr", "info", NULL};
static const char *const triangle_tensors[] = {"a", "b", "x", "ferr", "berr", "info", NULL};

typedef enum RefineTask { TASK_GENERAL, TASK_DEFINITE, TASK_TRIANGLE } RefineTask;

typedef struct RefineRow {
    LapackRow op;
    RefineTask task;
    LapackStorage storage;
} RefineRow;

static const RefineRow rows[] = {
    {{"gerfs", "refined solutions and their bounds by LU factors", general_params, pivoted_tensors,
      DTYPES_BLAS},
     TASK_GENERAL,
     STORAGE_FULL},
    {{"pbrfs", "refined solutions and their bounds by the Cholesky factor of a band",
      definite_band_params, factor_tensors, DTYPES_BLAS},
     TASK_DEFINITE,
     STORAGE_BAND},
    {{"porfs", "refined solutions and their bounds by a Cholesky factor", definite_params,
      factor_tensors, DTYPES_BLAS},
     TASK_DEFINITE,
     STORAGE_FULL},
    {{"pprfs", "refined solutions and their bounds by a packed Cholesky factor",
      definite_packed_params, factor_tensors, DTYPES_BLAS},
     TASK_DEFINITE,
     STORAGE_PACKED},
    {{"tbrfs", "bounds of solutions of a band triangle", triangle_band_params, triangle_tensors,
      DTYPES_BLAS},
     TASK_TRIANGLE,
     STORAGE_BAND},
    {{"tprfs", "bounds of solutions of a packed triangle", triangle_packed_params, triangle_tensors,
      DTYPES_BLAS},
     TASK_TRIANGLE,
     STORAGE_PACKED},
    {{"trrfs", "bounds of solutions of a triangle", triangle_params, triangle_tensors, DTYPES_BLAS},
     TASK_TRIANGLE,
     STORAGE_FULL},
};

/* The places of the operands. */
typedef struct Places {
    int factors, pivots, b, x, ferr, berr, info; /* pivots: -1 where there are none */
} Places;

static Places places_of(const RefineRow *row)
{
    int first = row->task == TASK_TRIANGLE ? 1 : row->task == TASK_GENERAL ? 3 : 2;
    return (Places){.factors = row->task == TASK_TRIANGLE ? 0 : 1,
                    .pivots = row->task == TASK_GENERAL ? 2 : -1,
                    .b = first,
                    .x = first + 1,
                    .ferr = first + 2,
                    .berr = first + 3,
                    .info = first + 4};
}

/* A, or its factors. */
static TensorSpec matrix_of(const RefineRow *row, const Lapack *of, bool factors)
{
    Lapack q = *of;
    q.lda = factors && row->task != TASK_TRIANGLE ? q.ldaf : q.lda;
    if (row->task != TASK_GENERAL)
        return lapack_stored_triangle(&q, row->storage, ROLE_IN);
    return lapack_matrix(&q, q.n, q.n, q.lda, ROLE_IN);
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const RefineRow *row = op->detail;
    const Lapack *q = of;
    Places at = places_of(row);
    *shapes = (Shapes){.count = at.info + 1, .depth = q->n};
    if (row->task != TASK_TRIANGLE) {
        shapes->tensor[0] = matrix_of(row, q, false);
        shapes->tensor[0].derived = true;
    }
    shapes->tensor[at.factors] = matrix_of(row, q, true);
    shapes->tensor[at.factors].arrangement = lapack_hermitian_arrangement(q);
    if (at.pivots > 0)
        shapes->tensor[at.pivots] = lapack_pivots(q->n);
    shapes->tensor[at.b] = lapack_matrix(q, q->n, q->nrhs, q->ldb, ROLE_IN);
    shapes->tensor[at.x] =
        lapack_matrix(q, q->n, q->nrhs, q->ldx, row->task == TASK_TRIANGLE ? ROLE_IN : ROLE_INOUT);
    shapes->tensor[at.ferr] = lapack_real_vector(q, q->nrhs);
    shapes->tensor[at.berr] = lapack_real_vector(q, q->nrhs);
    shapes->tensor[at.info] = lapack_integers(1);
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    (void)op;
    return 6 * lapack_parts(q) * (double)((q->n + 2) * (q->n + 2)) * (double)(q->n + 8) *
           (double)(q->nrhs + 2);
}

/* The factors F and G, of rows as they are in A, and the inverse of their product in binary64. */
typedef struct Factored {
    Matrix f, g, inverse;
} Factored;

static void read_pivoted(Factored *to, const Matrix *stored, const int64_t *pivots, Arena *arena)
{
    to->f = lapack_factor(stored, true, true, arena);
    to->g = lapack_factor(stored, false, false, arena);
    to->inverse = matrix_identity(stored->rows, arena);
    lapack_exchange(&to->inverse, pivots, false);
}

static void read_triangles(Factored *to, const RefineRow *row, const Lapack *q,
                           const Matrix *stored, Arena *arena)
{
    bool lower = q->uplo == UPLO_LOWER, unit = q->diag == DIAGONAL_UNIT;
    Matrix triangle = lapack_factor(stored, lower, unit && row->task == TASK_TRIANGLE, arena);
    if (row->task == TASK_DEFINITE)
        for (int64_t i = 0; i < q->n; i++)
            matrix_at(&triangle, i, i)->im = 0;
    Matrix other = row->task == TASK_DEFINITE ? lapack_transposed(&triangle, true, arena)
                                              : matrix_identity(q->n, arena);
    to->f = lower ? triangle : other;
    to->g = lower ? other : triangle;
    to->inverse = matrix_identity(q->n, arena);
}

static Factored factors_of(const RefineRow *row, const Lapack *q, const Tensor *given, Arena *arena)
{
    Places at = places_of(row);
    Factored to;
    Matrix stored = matrix_read(&given[at.factors], arena);
    const int64_t *pivots = at.pivots > 0 ? lapack_read_pivots(&given[at.pivots], arena) : NULL;
    if (pivots)
        read_pivoted(&to, &stored, pivots, arena);
    else
        read_triangles(&to, row, q, &stored, arena);
    const Kernel kernel = {.dtype = lapack_is_real(q) ? DT_F64 : DT_C128, .style = KERNEL_WIDE};
    kernel_trsm(&kernel, &to.f, true, &to.inverse);
    kernel_trsm(&kernel, &to.g, false, &to.inverse);
    if (pivots)
        lapack_exchange(&to.f, pivots, true);
    return to;
}

/* F G, rounded. */
static Matrix product_of(const Factored *factored, DType dtype, Arena *arena)
{
    int64_t n = factored->f.rows;
    Matrix to = matrix_zeros(n, n, arena);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            WideComplex sum = {{0, 0}, {0, 0}};
            for (int64_t k = 0; k < n; k++)
                wide_complex_add_product(&sum, 1, *matrix_at(&factored->f, i, k),
                                         *matrix_at(&factored->g, k, j));
            *matrix_at(&to, i, j) = (Scalar){dtype_round(dtype_component(dtype), sum.re.high),
                                             dtype_round(dtype_component(dtype), sum.im.high)};
        }
    return to;
}

/* A becomes the product of its factors. */
static void derive(const OpDesc *op, const void *of, const Tensor *views, Arena *arena)
{
    const RefineRow *row = op->detail;
    const Lapack *q = of;
    if (row->task == TASK_TRIANGLE)
        return;
    Factored factored = factors_of(row, q, views, arena);
    Matrix a = product_of(&factored, (DType)q->dtype, arena);
    matrix_write(&a, &views[0]);
}

/* The whole of A. */
static Matrix whole_of(const RefineRow *row, const Lapack *q, const Tensor *given, Arena *arena)
{
    Matrix stored = matrix_read(&given[0], arena);
    bool lower = q->uplo == UPLO_LOWER;
    if (row->task == TASK_GENERAL)
        return stored;
    if (row->task == TASK_TRIANGLE)
        return lapack_factor(&stored, lower, q->diag == DIAGONAL_UNIT, arena);
    Matrix to = lapack_lower_triangle(&stored, lower, arena);
    for (int64_t i = 0; i < q->n; i++) {
        matrix_at(&to, i, i)->im = 0;
        for (int64_t j = 0; j < i; j++)
            *matrix_at(&to, j, i) = scalar_conjugate(*matrix_at(&to, i, j));
    }
    return to;
}

/* nz of rows of a whole matrix or a band; that of triangles is not held to n + 1 (dtbrfs.f). */
static void count_nonzeros(Refinement *r, const RefineRow *row, const Lapack *q)
{
    int64_t whole = q->n + 1, band = (row->task == TASK_DEFINITE ? 2 : 1) * q->k + 2;
    bool is_band = row->storage == STORAGE_BAND;
    r->nonzeros = (double)(is_band && band < whole ? band : whole);
    r->most_nonzeros = (double)(is_band && band > whole ? band : r->nonzeros);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const RefineRow *row = input->op->detail;
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Places at = places_of(row);
    Factored factored = factors_of(row, q, given, arena);
    Matrix whole = whole_of(row, q, given, arena), a = refine_transposed(&whole, q->trans, arena);
    Refinement r = {.dtype = (DType)q->dtype,
                    .a = &a,
                    .factors = {.dtype = (DType)q->dtype,
                                .f = &factored.f,
                                .g = &factored.g,
                                .by_rows = q->trans == TRANSPOSE_NONE,
                                .inverse = &factored.inverse,
                                .singular = lapack_first_zero(&factored.g) > 0 ||
                                            (at.pivots < 0 && lapack_first_zero(&factored.f))}};
    count_nonzeros(&r, row, q);
    Matrix b = matrix_read(&given[at.b], arena), before = matrix_read(&given[at.x], arena);
    Matrix x = before;
    if (row->task != TASK_TRIANGLE) {
        ref_allocate_bounded(&refs[at.x], given[at.x].dtype, &given[at.x], arena);
        x = input->computed ? matrix_read(&input->computed[at.x], arena)
                            : refine_solve(&r, &b, q->trans, arena);
        if (input->computed)
            refine_put_solution(&refs[at.x], &r, &b, &before, &x, arena);
        else
            matrix_put(&x, &refs[at.x]);
    }
    for (int place = at.ferr; place <= at.berr; place++)
        ref_allocate_bounded(&refs[place], given[place].dtype, &given[place], arena);
    refine_put_bounds(&refs[at.ferr], &refs[at.berr], &r, &b, &x, arena);
    ref_allocate_exact(&refs[at.info], &given[at.info], arena);
    lapack_put_integer(&refs[at.info], 0, 0, 0, 0);
}

static const OpDesc shared = {LAPACK_OP_COMMON, .shape_of_row = shape, .work_of_row = work,
                              .derive = derive, .reference = reference};

OP_TABLE(ops_refine)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i].judged_by_residual = table[i].only_by_residual = rows[i].task != TASK_TRIANGLE;
    return table;
}
