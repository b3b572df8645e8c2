/* Eigenvalues of a square pencil A - w B as quotients w = alpha / beta, and where `jobvl` and
 * `jobvr` say so left and right eigenvectors; both matrices are destroyed.  Of real matrices alpha
 * has the real parts and alphai the imaginary ones, pairs stand together, the positive imaginary
 * part first, and two columns have the parts of a pair's first vector; of complex ones alpha has
 * the values, and alphai nothing.
 *
 * Judged as pencil.h says: each value by the distance of beta A - alpha B to singularity, all by
 * their product, each vector by its residual.  The largest |re| + |im| of a vector is 1 (dggev.f:
 * VL and VR), within 8 u.  That the iterations converge, so that info is 0, is a convention, as for
 * other spectra, and kept where no element but 0 is below u of its matrix's norm; QZ iterations on
 * wider ranges may fail, which info = 1 to n says (dggev.f), and then nothing is said.  Where
 * numbers are not finite, or so large or small that a norm may leave the range, nothing is said. */
#include <limits.h>
#include <math.h>

#include "eigenvectors.h"
#include "pencil_schur.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "spectrum.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, jobvl, lapack_jobs, "values alone, or left vectors as well"),
    P_CHOICE(Lapack, jobvr, lapack_jobs, "values alone, or right vectors as well"),
    LAPACK_N("rows and columns of A and B"),
    LAPACK_LDA,
    LAPACK_LDB,
    EIGENVECTORS_LEADING,
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a",  "b",  "alpha", "alphai", "beta",
                                      "vl", "vr", "info",  NULL};
enum { A, B, ALPHA, ALPHAI, BETA, VL, VR, INFO };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    int64_t left = q->jobvl ? q->n : 0, right = q->jobvr ? q->n : 0;
    TensorSpec numbers = blas_role(blas_vector(&(Blas){.dtype = q->dtype}, q->n, 1), ROLE_OUT);
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[B] = lapack_matrix(q, q->n, q->n, q->ldb, ROLE_INOUT);
    for (int i = A; i <= B; i++)
        shapes->tensor[i].arrangement = lapack_arrangement(q);
    shapes->tensor[ALPHA] = shapes->tensor[BETA] = numbers;
    shapes->tensor[ALPHAI] = lapack_real_vector(q, lapack_is_real(q) ? q->n : 0);
    shapes->tensor[VL] = lapack_matrix(q, left, left, q->ldu, ROLE_OUT);
    shapes->tensor[VR] = lapack_matrix(q, right, right, q->ldv, ROLE_OUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 16 * (double)(q->n * q->n) * (double)(q->n + 8) * (double)(q->n + 8);
}

static void put_alpha(Ref *refs, int64_t j, Scalar got, double off, double bound)
{
    if (dtype_components(refs[ALPHA].dtype) == 2) {
        spectrum_put_defect(&refs[ALPHA], 2 * (size_t)j, got, (Scalar){off, 0}, bound);
        return;
    }
    spectrum_put_defect(&refs[ALPHA], (size_t)j, (Scalar){got.re, 0}, (Scalar){off, 0}, bound);
    spectrum_put_defect(&refs[ALPHAI], (size_t)j, (Scalar){got.im, 0}, (Scalar){0, 0}, bound);
}

static void judge_values(Ref *refs, const Pencil *p, const PencilValue *values, Arena *arena)
{
    enum { MOST = 1 << 20 };
    int64_t n = p->a->rows;
    double bound = p->factor * p->a_norm + 4 * dtype_format(p->dtype)->smallest_subnormal;
    bool right = true;
    for (int64_t j = 0; j < n; j++) {
        double ratio = pencil_value_ratio(p, values[j], arena);
        right = right && ratio <= 1;
        put_alpha(refs, j, values[j].alpha, ratio <= 1 ? 0 : fmin(2 * ratio, MOST) * bound, bound);
    }
    double off, most;
    if (n > 0 && right && pencil_judge_product(p, values, &off, &most, arena) && fabs(off) > most) {
        double size = hypot(values[n - 1].alpha.re, values[n - 1].alpha.im);
        put_alpha(refs, n - 1, values[n - 1].alpha, size * expm1(fmin(fabs(off), 64)),
                  size * expm1(most));
    }
    if (dtype_components(p->dtype) == 1)
        pencil_demand_pairs(&refs[ALPHAI], values, n);
}

/* C v in row i, or C^H v. */
static Scalar residual(const Matrix *c, const Scalar *v, bool left, int64_t i)
{
    long double re = 0, im = 0;
    for (int64_t k = 0; k < c->rows; k++) {
        Scalar x = left ? scalar_conjugate(*matrix_at(c, k, i)) : *matrix_at(c, i, k);
        re += (long double)x.re * v[k].re - (long double)x.im * v[k].im;
        im += (long double)x.re * v[k].im + (long double)x.im * v[k].re;
    }
    return (Scalar){(double)re, (double)im};
}

static void judge_vector(Ref *ref, const Pencil *p, const Matrix *c, const Matrix *z, bool left,
                         int64_t j, bool pair, Arena *arena)
{
    int64_t n = z->rows, where = 0;
    double unit = dtype_format(p->dtype)->unit, norm = 0, largest = 0;
    Scalar *v = arena_take(arena, (size_t)n + 1, sizeof *v);
    eigenvectors_read(z, j, pair, v);
    for (int64_t i = 0; i < n; i++) {
        norm = hypot(norm, hypot(v[i].re, v[i].im));
        where = scalar_size(v[i]) > largest ? i : where;
        largest = fmax(largest, scalar_size(v[i]));
    }
    for (int64_t i = 0; i < n; i++) {
        Scalar off = residual(c, v, left, i);
        double bound = p->factor * norm + 8 * dtype_format(p->dtype)->smallest_subnormal;
        if (i == where && !(fabs(largest - 1) <= 8 * unit)) {
            off = (Scalar){largest - 1, pair || dtype_components(p->dtype) == 2 ? largest - 1 : 0};
            bound = 8 * unit;
        }
        eigenvectors_put_element(ref, i, j, pair, v[i], off, bound);
    }
}

static void judge_vectors(Ref *ref, const Pencil *p, const Tensor *computed, bool left,
                          const PencilValue *values, Arena *arena)
{
    Matrix z = matrix_read(computed, arena);
    for (int64_t j = 0; j < z.rows; j++) {
        bool pair = dtype_components(p->dtype) == 1 && values[j].alpha.im > 0 && j + 1 < z.rows;
        Matrix c = pencil_combine(p, values[j], arena);
        if (!pencil_is_degenerate(p, values[j]) && matrix_is_finite(&c))
            judge_vector(ref, p, &c, &z, left, j, pair, arena);
        j += pair;
    }
}

static void judge(Ref *refs, const ReferenceInput *input, const Pencil *p, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    int64_t info = lapack_integer(&computed[INFO], 0);
    bool near = pencil_is_even(p);
    lapack_put_integer(&refs[INFO], 0, info, p->known ? 0 : INT_MIN,
                       p->known ? (near ? 0 : q->n) : INT_MAX);
    if (!p->known || info != 0)
        return;
    PencilValue *values = pencil_values_read(&computed[ALPHA], q->n, arena);
    for (size_t i = 0; i < refs[BETA].count; i++)
        matrix_admit_finite(&refs[BETA], i);
    judge_values(refs, p, values, arena);
    if (q->jobvl)
        judge_vectors(&refs[VL], p, &computed[VL], true, values, arena);
    if (q->jobvr)
        judge_vectors(&refs[VR], p, &computed[VR], false, values, arena);
}

static void put(Ref *refs, const Lapack *q, const Pencil *p, Arena *arena)
{
    PencilEigen e = pencil_eigen(p, arena);
    Matrix beta = matrix_zeros(q->n, 1, arena);
    bool real = lapack_is_real(q);
    for (int64_t j = 0; j < q->n; j++) {
        eigenvalues_put_rounded(&refs[ALPHA], j, e.values[j].alpha);
        beta.values[j] = e.values[j].beta;
    }
    matrix_put_rounded(&beta, &refs[BETA]);
    for (int64_t j = 0; j + 1 < q->n && real; j++)
        if (e.values[j].alpha.im > 0) {
            for (int64_t i = 0; i < q->n; i++) {
                matrix_at(&e.right, i, j + 1)->re = matrix_at(&e.right, i, j)->im;
                matrix_at(&e.left, i, j + 1)->re = matrix_at(&e.left, i, j)->im;
            }
            j++;
        }
    if (q->jobvl)
        matrix_put_rounded(&e.left, &refs[VL]);
    if (q->jobvr)
        matrix_put_rounded(&e.right, &refs[VR]);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix a = matrix_read(&given[A], arena), b = matrix_read(&given[B], arena);
    Pencil p = pencil_problem(&a, &b, (DType)q->dtype, arena);
    for (int i = A; i < INFO; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    if (input->computed) {
        judge(refs, input, &p, arena);
        return;
    }
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    if (p.known)
        put(refs, q, &p, arena);
}

const OpDesc op_ggev = {
    .name = "ggev",
    .summary = "eigenvalues and vectors of a square pencil",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
