/* Estimates of reciprocal condition numbers of matrices by their norms and their factors, LU,
 * Cholesky's or by diagonal pivoting, and of triangles (condition.h).  The factors are any numbers.
 * info is 0. */
#include <limits.h>
#include <math.h>

#include "indefinite_factors.h"
#include "kernel.h"
#include "lu.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "solve.h"

static const char *const condition_norms[] = {"one", "infinity", NULL};
#define CONDITION_NORM P_CHOICE(Lapack, norm, condition_norms, "which norm")
#define A_OF_N         LAPACK_N("rows and columns of A"), LAPACK_LDA, LAPACK_HERMITIAN_MATRIX, P_END

#define UPLO_ORDER LAPACK_DTYPE_ORDER, LAPACK_UPLO
#define TRIANGLE   LAPACK_DTYPE_ORDER, CONDITION_NORM, LAPACK_UPLO, LAPACK_DIAG
#define OF_N       LAPACK_N("rows and columns of A")
#define DATA       LAPACK_HERMITIAN_MATRIX, P_END

static const Param general_params[] = {LAPACK_DTYPE_ORDER, CONDITION_NORM, A_OF_N};
static const Param band_params[] = {LAPACK_DTYPE_ORDER, CONDITION_NORM, OF_N, LAPACK_KL,
                                    LAPACK_KU,          LAPACK_LDA,     DATA};
static const Param definite_params[] = {UPLO_ORDER, A_OF_N};
static const Param definite_band_params[] = {UPLO_ORDER, OF_N, LAPACK_K, LAPACK_LDA, DATA};
static const Param definite_packed_params[] = {UPLO_ORDER, OF_N, DATA};
static const Param triangle_params[] = {TRIANGLE, A_OF_N};
static const Param triangle_band_params[] = {TRIANGLE, OF_N, LAPACK_K, LAPACK_LDA, DATA};
static const Param triangle_packed_params[] = {TRIANGLE, OF_N, DATA};
static const char *const factor_tensors[] = {"a", "anorm", "rcond", "info", NULL};
static const char *const pivoted_tensors[] = {"a", "ipiv", "anorm", "rcond", "info", NULL};
static const char *const triangle_tensors[] = {"a", "rcond", "info", NULL};
enum { A, IPIV };

typedef enum ConditionTask {
    TASK_GENERAL,
    TASK_BAND,
    TASK_DEFINITE,
    TASK_SYMMETRIC,
    TASK_HERMITIAN,
    TASK_TRIANGLE
} ConditionTask;

typedef struct ConditionRow {
    LapackRow op;
    ConditionTask task;
    LapackStorage storage;
} ConditionRow;

static const ConditionRow rows[] = {
    {{"gbcon", "estimate of a condition number by LU factors of a band", band_params,
      pivoted_tensors, DTYPES_BLAS},
     TASK_BAND,
     STORAGE_BAND},
    {{"gecon", "estimate of a condition number by LU factors", general_params, factor_tensors,
      DTYPES_BLAS},
     TASK_GENERAL,
     STORAGE_FULL},
    {{"hecon", "estimate of a condition number by the factors of a hermitian matrix",
      definite_params, pivoted_tensors, DTYPES_COMPLEX},
     TASK_HERMITIAN,
     STORAGE_FULL},
    {{"pbcon", "estimate of a condition number by the Cholesky factor of a band",
      definite_band_params, factor_tensors, DTYPES_BLAS},
     TASK_DEFINITE,
     STORAGE_BAND},
    {{"pocon", "estimate of a condition number by a Cholesky factor", definite_params,
      factor_tensors, DTYPES_BLAS},
     TASK_DEFINITE,
     STORAGE_FULL},
    {{"ppcon", "estimate of a condition number by a packed Cholesky factor", definite_packed_params,
      factor_tensors, DTYPES_BLAS},
     TASK_DEFINITE,
     STORAGE_PACKED},
    {{"sycon", "estimate of a condition number by the factors of a symmetric matrix",
      definite_params, pivoted_tensors, DTYPES_BLAS},
     TASK_SYMMETRIC,
     STORAGE_FULL},
    {{"tbcon", "estimate of a band triangle's condition number", triangle_band_params,
      triangle_tensors, DTYPES_BLAS},
     TASK_TRIANGLE,
     STORAGE_BAND},
    {{"tpcon", "estimate of a packed triangle's condition number", triangle_packed_params,
      triangle_tensors, DTYPES_BLAS},
     TASK_TRIANGLE,
     STORAGE_PACKED},
    {{"trcon", "estimate of a triangle's condition number", triangle_params, triangle_tensors,
      DTYPES_BLAS},
     TASK_TRIANGLE,
     STORAGE_FULL},
};

static bool is_pivoted(const ConditionRow *row)
{
    return row->op.tensors == pivoted_tensors;
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const ConditionRow *row = op->detail;
    const Lapack *q = of;
    DType real = dtype_component((DType)q->dtype);
    int at = A;
    *shapes = (Shapes){.depth = q->n};
    shapes->tensor[at] = row->task == TASK_GENERAL ? lapack_matrix(q, q->n, q->n, q->lda, ROLE_IN)
                         : row->task == TASK_BAND
                             ? lapack_band(q, q->n, q->n, q->kl, q->kl + q->ku, ROLE_IN)
                             : lapack_stored_triangle(q, row->storage, ROLE_IN);
    shapes->tensor[at++].arrangement = lapack_hermitian_arrangement(q);
    if (is_pivoted(row)) {
        shapes->tensor[at] = lapack_pivots(q->n);
        shapes->tensor[at++].arrangement = row->task == TASK_BAND  ? ARRANGED_NEAR_PIVOTS
                                           : q->uplo == UPLO_LOWER ? ARRANGED_LOWER_BLOCKS
                                                                   : ARRANGED_UPPER_BLOCKS;
    }
    if (row->task != TASK_TRIANGLE) {
        shapes->tensor[at] = blas_number(real, ROLE_IN);
        shapes->tensor[at++].arrangement = ARRANGED_MAGNITUDES;
    }
    shapes->tensor[at++] = blas_number(real, ROLE_OUT);
    shapes->tensor[at++] = lapack_integers(1);
    shapes->count = at;
}

/* Without a diagonal below the main one there is nothing to exchange. */
static void normalise(const OpDesc *op, void *of)
{
    const ConditionRow *row = op->detail;
    Lapack *q = of;
    if (row->task == TASK_BAND && q->kl == 0)
        q->kl = 1;
}

/* Two triangles, of a definite matrix and of a triangle beside the identity. */
static void read_triangles(const ConditionRow *row, const Lapack *q, const Matrix *stored,
                           Condition *c, Matrix factors[3], Arena *arena)
{
    bool lower = q->uplo == UPLO_LOWER, unit = q->diag == DIAGONAL_UNIT;
    Matrix triangle = lapack_factor(stored, lower, unit, arena);
    Matrix other = row->task == TASK_DEFINITE ? lapack_transposed(&triangle, true, arena)
                                              : matrix_identity(q->n, arena);
    factors[0] = lower ? triangle : other;
    factors[1] = lower ? other : triangle;
    if (row->task != TASK_TRIANGLE)
        return;
    Matrix turned = lapack_transposed(&triangle, true, arena);
    c->norm = condition_norm(c->by_rows ? &turned : &triangle);
    c->norm_error = equation_gamma(dtype_format(c->dtype), (double)q->n + 16);
}

/* P^T L and U of a band, and U^-1 L^-1 P. */
static void read_band(const Matrix *stored, const Tensor *ipiv, Condition *c, Matrix factors[3],
                      Arena *arena)
{
    bool pair = dtype_components(c->dtype) == 2;
    const Kernel kernel = {.dtype = pair ? DT_C128 : DT_F64, .style = KERNEL_WIDE};
    const int64_t *pivots = lapack_read_pivots(ipiv, arena);
    Matrix lu = matrix_copy(stored, arena);
    lapack_exchange_multipliers(&lu, pivots, arena);
    factors[0] = lapack_factor(&lu, true, true, arena);
    factors[1] = lapack_factor(&lu, false, false, arena);
    factors[2] = matrix_identity(lu.rows, arena);
    lapack_exchange(&factors[2], pivots, false);
    kernel_trsm(&kernel, &factors[0], true, &factors[2]);
    kernel_trsm(&kernel, &factors[1], false, &factors[2]);
    lapack_exchange(&factors[0], pivots, true);
    c->singular = lapack_first_zero(&factors[1]) > 0;
    c->inverse = &factors[2];
}

static Condition condition_of(const ConditionRow *row, const Lapack *q, const Tensor *given,
                              Matrix factors[3], Arena *arena)
{
    Matrix stored = matrix_read(&given[A], arena);
    bool both = row->task == TASK_GENERAL || row->task == TASK_BAND || row->task == TASK_TRIANGLE;
    const Tensor *anorm = &given[is_pivoted(row) ? IPIV + 1 : A + 1];
    Condition c = {.dtype = (DType)q->dtype,
                   .f = &factors[0],
                   .g = &factors[1],
                   .by_rows = q->norm == 1 && both,
                   .adds_columns = row->storage != STORAGE_FULL};
    if (row->task != TASK_TRIANGLE)
        c.norm = dtype_load(anorm->dtype, anorm->origin, 0);
    if (row->task == TASK_GENERAL) {
        factors[0] = lapack_factor(&stored, true, true, arena);
        factors[1] = lapack_factor(&stored, false, false, arena);
    } else if (row->task == TASK_BAND) {
        read_band(&stored, &given[IPIV], &c, factors, arena);
    } else if (is_pivoted(row)) {
        bool lower = q->uplo == UPLO_LOWER;
        Indefinite f = indefinite_read(&stored, &given[IPIV], lower, row->task == TASK_HERMITIAN,
                                       c.dtype, arena);
        indefinite_condition(&f, lower, &c, factors, arena);
    } else {
        read_triangles(row, q, &stored, &c, factors, arena);
    }
    return c;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ConditionRow *row = input->op->detail;
    const Lapack *q = input->params;
    int rcond = op_operand(input->op, "rcond"), info = op_operand(input->op, "info");
    Matrix factors[3];
    Condition c = condition_of(row, q, input->tensors, factors, arena);
    condition_put(&refs[rcond], &c, arena);
    ref_allocate_exact(&refs[info], &input->tensors[info], arena);
    lapack_put_integer(&refs[info], 0, 0, 0, 0);
    /* Later versions say by info that rcond is no number within the range (dgecon.f of 3.12). */
    if (refs[rcond].classes[0] & (CLASS_NAN | CLASS_POSITIVE_INFINITY))
        ref_set_classes(&refs[info], 0, CLASS_ANY);
}

static const OpDesc shared = {LAPACK_OP_COMMON, .normalise_of_row = normalise,
                              .shape_of_row = shape, .work = lapack_inverse_work,
                              .reference = reference};

OP_TABLE(ops_condition)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
