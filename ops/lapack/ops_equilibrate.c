/* Factors that bring the rows and columns of a matrix to the same size: r_i = 1 / max_j |a_ij|, c_j
 * = 1 / max_i r_i |a_ij|, of a complex type with |re| + |im| for moduli; or s_i = 1 / sqrt a_ii for
 * a definite matrix, of which the diagonal is read.  rowcnd, colcnd and scond are the ratios of the
 * least factor to the largest one, amax is the largest |a_ij|; info is the number of the first row
 * that is 0, or m more than that of the first column, or of the first a_ii that is not positive,
 * after which nothing is said but of amax (dgeequ.f, dpoequ.f).
 *
 * Factors are kept within the range of normal numbers, 2^e to 2^-e.  A sum of two magnitudes, a
 * product and a quotient are rounded once each, so that r_i is within gamma_3 of what is exact,
 * c_j within gamma_6, s_i within gamma_3, and ratios are within gamma_8 (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd ed., lemma 3.1).  Nothing is said of numbers that are not
 * finite, or whose magnitudes add up beyond the range, nor of columns whose products underflow. */
#include "equilibrate.h"
#include "reference/function.h"

static const Param general_params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_M("rows of A"), LAPACK_N("columns of A"),
    LAPACK_LDA,         LAPACK_MATRIX,         P_END,
};
static const Param definite_params[] = {
    LAPACK_DTYPE_ORDER,
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    LAPACK_HERMITIAN_MATRIX,
    P_END,
};
static const char *const general_tensors[] = {"a",      "r",    "c",    "rowcnd",
                                              "colcnd", "amax", "info", NULL};
static const char *const definite_tensors[] = {"a", "s", "scond", "amax", "info", NULL};
enum { A, R, C, S = R };

typedef struct EquilibrateRow {
    LapackRow op;
    bool definite;
} EquilibrateRow;

static const EquilibrateRow rows[] = {
    {{"geequ", "factors that scale rows and columns to the same size", general_params,
      general_tensors, DTYPES_BLAS},
     false},
    {{"poequ", "factors that make the diagonal of a definite matrix 1", definite_params,
      definite_tensors, DTYPES_BLAS},
     true},
};

static void normalise(const OpDesc *op, void *of)
{
    const EquilibrateRow *row = op->detail;
    Lapack *q = of;
    if (row->definite)
        q->m = q->n;
}

static void shape(const OpDesc *op, const void *of, Shapes *shapes)
{
    const EquilibrateRow *row = op->detail;
    const Lapack *q = of;
    DType real = dtype_component((DType)q->dtype);
    int at = R;
    *shapes = (Shapes){.depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->m, q->n, q->lda, ROLE_IN);
    shapes->tensor[A].arrangement =
        row->definite ? lapack_hermitian_arrangement(q) : lapack_arrangement(q);
    shapes->tensor[at++] = lapack_real_vector(q, q->m);
    if (!row->definite)
        shapes->tensor[at++] = lapack_real_vector(q, q->n);
    for (int i = row->definite ? 1 : 0; i < 3; i++)
        shapes->tensor[at++] = blas_number(real, ROLE_OUT);
    shapes->tensor[at++] = lapack_integers(1);
    shapes->count = at;
}

static double work(const OpDesc *op, const void *of)
{
    const Lapack *q = of;
    (void)op;
    return 4 * lapack_parts(q) * (double)(q->m + 1) * (double)(q->n + 1);
}

static void refer_general(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { ROWCND = C + 1, COLCND, AMAX, INFO };
    const Lapack *q = input->params;
    Matrix a = matrix_read(&input->tensors[A], arena);
    Equilibration e = equilibrate(&a, (DType)q->dtype, arena);
    if (!e.finite) {
        ref_set_classes(&refs[INFO], 0, CLASS_ANY);
        return;
    }
    bool empty = q->m == 0 || q->n == 0, told = empty || e.zero == 0 || e.zero > q->m;
    equilibrate_put(&refs[AMAX], 0, e.largest, 2);
    if (told)
        equilibrate_put(&refs[ROWCND], 0, e.row_ratio, EQUILIBRATE_ROW_RATIO);
    for (int64_t i = 0; i < q->m && told && !empty; i++)
        equilibrate_put(&refs[R], i, e.r[i], EQUILIBRATE_ROW);
    if (e.known)
        lapack_put_integer(&refs[INFO], 0, e.zero, e.zero, e.zero);
    else
        ref_set_classes(&refs[INFO], 0, CLASS_ANY);
    if (e.zero || !e.known)
        return;
    equilibrate_put(&refs[COLCND], 0, e.column_ratio, EQUILIBRATE_COLUMN_RATIO);
    for (int64_t j = 0; j < q->n && !empty; j++)
        equilibrate_put(&refs[C], j, e.c[j], EQUILIBRATE_COLUMN);
}

static void refer_definite(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { SCOND = S + 1, AMAX, INFO };
    const Lapack *q = input->params;
    Matrix a = matrix_read(&input->tensors[A], arena);
    Equilibration e = equilibrate_definite(&a, (DType)q->dtype, arena);
    if (!e.finite) {
        ref_set_classes(&refs[INFO], 0, CLASS_ANY);
        return;
    }
    equilibrate_put(&refs[AMAX], 0, e.largest, 1);
    lapack_put_integer(&refs[INFO], 0, e.zero, e.zero, e.zero);
    if (e.zero)
        return;
    equilibrate_put(&refs[SCOND], 0, e.row_ratio, EQUILIBRATE_ROW_RATIO);
    for (int64_t i = 0; i < q->n; i++)
        equilibrate_put(&refs[S], i, e.r[i], EQUILIBRATE_ROW);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const EquilibrateRow *row = input->op->detail;
    int info = op_operand(input->op, "info");
    for (int i = R; i < info; i++)
        lapack_admit_all(&refs[i], &input->tensors[i], arena);
    ref_allocate_exact(&refs[info], &input->tensors[info], arena);
    lapack_put_integer(&refs[info], 0, 0, 0, 0);
    if (row->definite)
        refer_definite(refs, input, arena);
    else
        refer_general(refs, input, arena);
}

static const OpDesc shared = {LAPACK_OP_COMMON, .normalise_of_row = normalise,
                              .shape_of_row = shape, .work_of_row = work, .reference = reference};

OP_TABLE(ops_equilibrate)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    lapack_describe(table, &shared, LAPACK_ROWS(rows));
    return table;
}
