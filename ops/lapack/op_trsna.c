/* Condition numbers of eigenvalues w of a Schur form T, all or those that `select` chooses, one
 * after the other: as `job` says s of each value, and of its vector sep(w, T_22) of T with w in
 * front.  m is how many they are; of a pair both have the same numbers, and either or both may be
 * chosen.
 *
 * s is |y^H x| over the norms of both vectors, which are given, any numbers, as columns of vl and
 * vr (dtrsna.f), within gamma_(8 n + 64) as in op_geevx.c; nothing is said where a norm may leave
 * the range.  sep is an estimate, which reorder.h has the bounds of; a matrix of one row has its
 * modulus. */
#include <math.h>

#include "dense.h"
#include "eigenvectors.h"
#include "lapack.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reorder.h"

static const char *const whichs[] = {"all", "some", NULL};
static const char *const jobs[] = {"eigenvalues", "vectors", "both", NULL};
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, job, jobs, "what condition numbers are found of"),
    P_CHOICE_AS("howmny", Lapack, sense, whichs, "of all eigenvalues, or of chosen ones"),
    P_DIM(Lapack, n, 1, 4096, "rows and columns of T"),
    P_PAD(Lapack, ldt, 1 << 16, "leading dimension of T beyond its minimum"),
    EIGENVECTORS_LEADING,
    P_END,
};
static const char *const tensors[] = {"select", "t", "vl", "vr", "s", "sep", "m", "info", NULL};
enum { SELECT, T, VL, VR, S, SEP, FOUND, INFO };
enum { JOB_VALUES, JOB_VECTORS };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    int64_t order = q->job == JOB_VECTORS ? 0 : q->n;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    shapes->tensor[SELECT] = lapack_selection(q->n);
    shapes->tensor[SELECT].ignored = q->sense == 0;
    shapes->tensor[T] = lapack_matrix(q, q->n, q->n, q->ldt, ROLE_IN);
    shapes->tensor[T].arrangement = ARRANGED_SCHUR;
    shapes->tensor[VL] = lapack_matrix(q, order, order, q->ldu, ROLE_IN);
    shapes->tensor[VR] = lapack_matrix(q, order, order, q->ldv, ROLE_IN);
    shapes->tensor[S] = lapack_real_vector(q, order);
    shapes->tensor[SEP] = lapack_real_vector(q, q->job == JOB_VALUES ? 0 : q->n);
    shapes->tensor[FOUND] = shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 100 * (double)(q->n * q->n) * (double)(q->n + 8);
}

/* Whether products of two vectors stay within the range, and above its lower end. */
static bool is_moderate(const Scalar *x, int64_t n, const Format *format)
{
    double largest = 0, most = ldexp(1, format->maximum_exponent / 4);
    for (int64_t i = 0; i < n; i++)
        largest = isfinite(x[i].re) && isfinite(x[i].im) ? fmax(largest, hypot(x[i].re, x[i].im))
                                                         : INFINITY;
    return largest < most && largest > 1 / most;
}

static void put_cosine(Ref *ref, int64_t at, const Matrix vectors[2], bool pair, DType dtype,
                       Arena *arena)
{
    const Format *format = dtype_format(dtype);
    int64_t n = vectors[0].rows;
    Scalar *x[2];
    for (int i = 0; i < 2; i++) {
        x[i] = arena_take(arena, (size_t)n + 1, sizeof *x[i]);
        eigenvectors_read(&vectors[i], at, pair, x[i]);
        if (!is_moderate(x[i], n, format))
            return;
    }
    long double s = eigenvectors_cosine(x[0], x[1], n);
    for (int k = 0; k < (pair ? 2 : 1); k++)
        ref_put_bounded(ref, (size_t)(at + k), s, 0x1p-61 * (double)(n + 8),
                        equation_gamma(format, 8 * (double)n + 64));
}

static void put(Ref *refs, const ReferenceInput *input, const Matrix *t, Arena *arena)
{
    const Lapack *q = input->params;
    DType dtype = (DType)q->dtype;
    bool real = lapack_is_real(q), known = eigen_problem(t, dtype, arena).known;
    Matrix vectors[] = {matrix_read(&input->tensors[VL], arena),
                        matrix_read(&input->tensors[VR], arena)};
    double norm = dense_norm(t, 0, q->n);
    SchurValues values = {0};
    if (known && q->job != JOB_VALUES)
        values = schur_values(t, real, arena);
    int64_t at = 0;
    for (int64_t i = 0; i < q->n; i++) {
        int64_t last = schur_block_last(t, real, i);
        bool chosen = q->sense == 0 || lapack_integer(&input->tensors[SELECT], i) ||
                      lapack_integer(&input->tensors[SELECT], last);
        if (chosen && q->job != JOB_VECTORS)
            put_cosine(&refs[S], at, vectors, last > i, dtype, arena);
        for (int64_t k = i; k <= last && chosen; k++, at++)
            if (q->n > 1 && q->job != JOB_VALUES && known)
                reorder_judge_separation(&refs[SEP], (size_t)at, &values, norm, dtype, i);
        i = last;
    }
    for (int i = S; i <= SEP; i++)
        for (size_t k = (size_t)at; k < refs[i].count; k++)
            ref_leave(&refs[i], k, arena);
    lapack_put_integer(&refs[FOUND], 0, at, at, at);
    if (q->n == 1 && q->job != JOB_VALUES && known && at > 0)
        ref_put_bounded(&refs[SEP], 0, norm, 0x1p-50 * norm, 4 * dtype_format(dtype)->unit * norm);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    Matrix t = matrix_read(&input->tensors[T], arena);
    for (int i = S; i <= SEP; i++)
        lapack_admit_all(&refs[i], &input->tensors[i], arena);
    for (int i = FOUND; i <= INFO; i++) {
        ref_allocate_exact(&refs[i], &input->tensors[i], arena);
        lapack_put_integer(&refs[i], 0, 0, 0, 0);
    }
    put(refs, input, &t, arena);
}

const OpDesc op_trsna = {
    .name = "trsna",
    .summary = "condition numbers of eigenvalues and vectors of a Schur form",
    LAPACK_OP_DIRECT,
    .shape = shape,
    .work = work,
    .reference = reference,
};
