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
#include <math.h>

#include "lapack.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reference/wide_complex.h"

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

/* What is put was computed with 64 bits in fewer than eight operations. */
static void put(Ref *ref, int64_t i, long double value, double count)
{
    const Format *format = dtype_format(ref->dtype);
    double size = (double)fabsl(value);
    double bound = equation_gamma(format, count) * size + format->smallest_subnormal;
    ref_put_bounded(ref, (size_t)i, value, 0x1p-60L * fabsl(value), bound);
}

/* 1 / x, of a factor within the range that the routine keeps. */
static long double reciprocal(const Format *format, long double x)
{
    long double least = format->smallest_normal;
    return 1 / fminl(fmaxl(x, least), 1 / least);
}

static long double size_of(Scalar x)
{
    return fabsl((long double)x.re) + fabsl((long double)x.im);
}

/* The least and the largest of some sizes, kept within the range, and their ratio. */
static long double ratio_of(const Format *format, const long double *sizes, int64_t count)
{
    long double low = INFINITY, high = 0, least = format->smallest_normal;
    for (int64_t i = 0; i < count; i++) {
        low = fminl(low, sizes[i]);
        high = fmaxl(high, sizes[i]);
    }
    return fmaxl(low, least) / fminl(high, 1 / least);
}

static int64_t first_zero(const long double *sizes, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!(sizes[i] > 0))
            return i + 1;
    return 0;
}

static void refer_general(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { ROWCND = C + 1, COLCND, AMAX, INFO };
    const Lapack *q = input->params;
    const Format *format = dtype_format((DType)q->dtype);
    Matrix a = matrix_read(&input->tensors[A], arena);
    long double *r = arena_take_zeroed(arena, (size_t)q->m + 1, sizeof *r);
    long double *c = arena_take_zeroed(arena, (size_t)q->n + 1, sizeof *c), largest = 0;
    for (int64_t at = 0; at < q->m * q->n; at++) {
        long double size = size_of(a.values[at]);
        r[at / q->n] = fmaxl(r[at / q->n], size);
        largest = fmaxl(largest, size);
    }
    if (!matrix_is_finite(&a) || !(largest < format->largest / 2)) {
        ref_set_classes(&refs[INFO], 0, CLASS_ANY);
        return;
    }
    if (q->m == 0 || q->n == 0) {
        for (int i = ROWCND; i <= AMAX; i++)
            put(&refs[i], 0, i == AMAX ? 0 : 1, 1);
        return;
    }
    put(&refs[AMAX], 0, largest, 2);
    int64_t zero = first_zero(r, q->m);
    lapack_put_integer(&refs[INFO], 0, zero, zero, zero);
    if (zero)
        return;
    put(&refs[ROWCND], 0, ratio_of(format, r, q->m), 8);
    for (int64_t i = 0; i < q->m; i++)
        put(&refs[R], i, reciprocal(format, r[i]), 3);
    bool small = false;
    for (int64_t at = 0; at < q->m * q->n; at++) {
        long double size = size_of(a.values[at]) * reciprocal(format, r[at / q->n]);
        c[at % q->n] = fmaxl(c[at % q->n], size);
    }
    for (int64_t j = 0; j < q->n; j++)
        small = small || (c[j] > 0 && c[j] < 2 * format->smallest_normal);
    zero = small ? 0 : first_zero(c, q->n);
    if (small)
        ref_set_classes(&refs[INFO], 0, CLASS_ANY);
    else
        lapack_put_integer(&refs[INFO], 0, q->m + zero, zero ? 1 : 0, zero ? q->m + zero : 0);
    if (zero || small)
        return;
    put(&refs[COLCND], 0, ratio_of(format, c, q->n), 16);
    for (int64_t j = 0; j < q->n; j++)
        put(&refs[C], j, reciprocal(format, c[j]), 6);
}

static void refer_definite(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { SCOND = S + 1, AMAX, INFO };
    const Lapack *q = input->params;
    Matrix a = matrix_read(&input->tensors[A], arena);
    long double *d = arena_take_zeroed(arena, (size_t)q->n + 1, sizeof *d);
    long double low = INFINITY, high = 0;
    bool finite = true;
    for (int64_t i = 0; i < q->n; i++) {
        d[i] = matrix_at(&a, i, i)->re;
        finite = finite && isfinite(d[i]);
        low = fminl(low, d[i]);
        high = i == 0 ? d[i] : fmaxl(high, d[i]);
    }
    if (!finite) {
        ref_set_classes(&refs[INFO], 0, CLASS_ANY);
        return;
    }
    put(&refs[AMAX], 0, high, 1);
    int64_t zero = first_zero(d, q->n);
    lapack_put_integer(&refs[INFO], 0, zero, zero, zero);
    if (zero)
        return;
    put(&refs[SCOND], 0, q->n == 0 ? 1 : sqrtl(low) / sqrtl(high), 8);
    for (int64_t i = 0; i < q->n; i++)
        put(&refs[S], i, 1 / sqrtl(d[i]), 3);
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
