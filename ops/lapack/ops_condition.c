/* Estimates of reciprocal condition numbers of matrices by their LU or Cholesky factors and norms,
 * and of triangles (condition.h).  The factors are any numbers.  info is 0. */
#include <limits.h>

#include "condition.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "solve.h"

static const char *const condition_norms[] = {"one", "infinity", NULL};
#define CONDITION_NORM P_CHOICE(Lapack, norm, condition_norms, "which norm")
#define A_OF_N         LAPACK_N("rows and columns of A"), LAPACK_LDA, LAPACK_HERMITIAN_MATRIX, P_END

static const Param general_params[] = {LAPACK_DTYPE_ORDER, CONDITION_NORM, A_OF_N};
static const Param definite_params[] = {LAPACK_DTYPE_ORDER, LAPACK_UPLO, A_OF_N};
static const Param triangle_params[] = {LAPACK_DTYPE_ORDER, CONDITION_NORM, LAPACK_UPLO,
                                        LAPACK_DIAG, A_OF_N};
static const char *const factor_tensors[] = {"a", "anorm", "rcond", "info", NULL};
static const char *const triangle_tensors[] = {"a", "rcond", "info", NULL};
enum { A, ANORM };

typedef enum ConditionTask { TASK_GENERAL, TASK_DEFINITE, TASK_TRIANGLE } ConditionTask;

typedef struct ConditionRow {
    LapackRow op;
    ConditionTask task;
} ConditionRow;

static const ConditionRow rows[] = {
    {{"gecon", "estimate of a condition number by LU factors", general_params, factor_tensors,
      DTYPES_BLAS},
     TASK_GENERAL},
    {{"pocon", "estimate of a condition number by a Cholesky factor", definite_params,
      factor_tensors, DTYPES_BLAS},
     TASK_DEFINITE},
    {{"trcon", "estimate of a triangle's condition number", triangle_params, triangle_tensors,
      DTYPES_BLAS},
     TASK_TRIANGLE},
};

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const ConditionRow *row = op->detail;
    const Lapack *q = of;
    DType real = dtype_component((DType)q->dtype);
    int at = ANORM;
    *shapes = (Shapes){.depth = q->n};
    shapes->tensor[A] = row->task == TASK_GENERAL
                            ? lapack_matrix(q, q->n, q->n, q->lda, ROLE_IN)
                            : lapack_stored_triangle(q, STORAGE_FULL, ROLE_IN);
    shapes->tensor[A].arrangement = lapack_hermitian_arrangement(q);
    if (row->task != TASK_TRIANGLE) {
        shapes->tensor[at] = blas_number(real, ROLE_IN);
        shapes->tensor[at++].arrangement = ARRANGED_MAGNITUDES;
    }
    shapes->tensor[at++] = blas_number(real, ROLE_OUT);
    shapes->tensor[at++] = lapack_integers(1);
    shapes->count = at;
}

static Condition condition_of(const ConditionRow *row, const Lapack *q, const Tensor *given,
                              Matrix factors[2], Arena *arena)
{
    Matrix stored = matrix_read(&given[A], arena);
    Condition c = {.dtype = (DType)q->dtype,
                   .f = &factors[0],
                   .g = &factors[1],
                   .by_rows = q->norm == 1 && row->task != TASK_DEFINITE};
    bool lower = q->uplo == UPLO_LOWER, unit = q->diag == DIAGONAL_UNIT;
    if (row->task == TASK_GENERAL) {
        factors[0] = lapack_factor(&stored, true, true, arena);
        factors[1] = lapack_factor(&stored, false, false, arena);
    } else {
        Matrix triangle = lapack_factor(&stored, lower, unit, arena);
        Matrix other = row->task == TASK_DEFINITE ? lapack_transposed(&triangle, true, arena)
                                                  : matrix_identity(q->n, arena);
        factors[0] = lower ? triangle : other;
        factors[1] = lower ? other : triangle;
    }
    if (row->task != TASK_TRIANGLE) {
        c.norm = dtype_load(given[ANORM].dtype, given[ANORM].origin, 0);
        return c;
    }
    const Matrix *triangle = lower ? c.f : c.g;
    Matrix turned = lapack_transposed(triangle, true, arena);
    c.norm = condition_norm(c.by_rows ? &turned : triangle);
    c.norm_error = equation_gamma(dtype_format(c.dtype), (double)q->n + 16);
    return c;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const ConditionRow *row = input->op->detail;
    const Lapack *q = input->params;
    int rcond = row->task == TASK_TRIANGLE ? ANORM : ANORM + 1, info = rcond + 1;
    Matrix factors[2];
    Condition c = condition_of(row, q, input->tensors, factors, arena);
    condition_put(&refs[rcond], &c, arena);
    ref_allocate_exact(&refs[info], &input->tensors[info], arena);
    lapack_put_integer(&refs[info], 0, 0, 0, 0);
    if (refs[rcond].classes[0] == CLASS_ANY)
        ref_set_classes(&refs[info], 0, CLASS_ANY);
}

static const OpDesc shared = {LAPACK_OP_COMMON, .shape_of_row = shape, .work = lapack_inverse_work,
                              .reference = reference};

OP_TABLE(ops_condition)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
