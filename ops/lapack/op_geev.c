/* Eigenvalues of a square matrix, and where `jobvl` and `jobvr` say so left and right eigenvectors;
 * the matrix is destroyed.  Of a real matrix w has the real parts and wi the imaginary ones, pairs
 * stand together, the positive imaginary part first, and two columns have the parts of a pair's
 * first vector; of a complex one w has the values, and wi nothing.
 *
 * Judged as eigen.h says: each vector by its residual, each value without right vectors by the
 * distance of A - w I to singularity, all values by the trace.  Pairs are conjugate bit by bit.
 * Vectors have Euclid's norm 1, within 8 n u, and their largest element is real (dgeev.f, zgeev.f:
 * VL and VR); which one is, where several are as large within 8 n u, is open.  That the iterations
 * converge, so that info is 0, is a convention, as for other spectra.  Where numbers are not
 * finite, or so large or small that a norm may leave the range, nothing is said. */
#include <math.h>

#include "eigenvalues.h"
#include "lapack.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "spectrum.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, jobvl, lapack_jobs, "values alone, or left vectors as well"),
    P_CHOICE(Lapack, jobvr, lapack_jobs, "values alone, or right vectors as well"),
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    P_ROW("ldvl", PARAM_PAD, Lapack, ldu, int64_t, "leading dimension of VL beyond its minimum",
          .maximum = 1 << 16),
    P_ROW("ldvr", PARAM_PAD, Lapack, ldv, int64_t, "leading dimension of VR beyond its minimum",
          .maximum = 1 << 16),
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a", "w", "wi", "vl", "vr", "info", NULL};
enum { A, W, WI, VL, VR, INFO };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    int64_t left = q->jobvl ? q->n : 0, right = q->jobvr ? q->n : 0;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[W] = blas_role(blas_vector(&(Blas){.dtype = q->dtype}, q->n, 1), ROLE_OUT);
    shapes->tensor[WI] = lapack_real_vector(q, lapack_is_real(q) ? q->n : 0);
    shapes->tensor[VL] = lapack_matrix(q, left, left, q->ldu, ROLE_OUT);
    shapes->tensor[VR] = lapack_matrix(q, right, right, q->ldv, ROLE_OUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 8 * (double)(q->n * q->n) * (double)(q->n + 8) * (double)(q->jobvr ? 64 : q->n + 8);
}

/* Column j of vectors, both columns of a pair. */
static void read_vector(const Matrix *z, int64_t j, bool pair, Scalar *v)
{
    for (int64_t i = 0; i < z->rows; i++) {
        v[i] = *matrix_at(z, i, j);
        if (pair)
            v[i].im = matrix_at(z, i, j + 1)->re;
    }
}

/* What is demanded of element (i, j): what was computed less its defect, by parts. */
static void put_element(Ref *ref, int64_t i, int64_t j, bool pair, Scalar got, Scalar defect,
                        double bound)
{
    if (!pair) {
        spectrum_put_defect(ref, matrix_element(ref, i, j), got, defect, bound);
        return;
    }
    spectrum_put_defect(ref, matrix_element(ref, i, j), (Scalar){got.re, 0}, (Scalar){defect.re, 0},
                        bound);
    spectrum_put_defect(ref, matrix_element(ref, i, j + 1), (Scalar){got.im, 0},
                        (Scalar){defect.im, 0}, bound);
}

/* One of the elements that are largest is real: where none is, the largest is wrong. */
static void demand_real_element(Ref *ref, const Scalar *v, int64_t n, int64_t j, bool pair,
                                double unit)
{
    int64_t largest = 0;
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        if (hypot(v[i].re, v[i].im) > most) {
            most = hypot(v[i].re, v[i].im);
            largest = i;
        }
    for (int64_t i = 0; i < n; i++)
        if (v[i].im == 0 && fabs(v[i].re) >= most * (1 - 8 * (double)n * unit))
            return;
    size_t at = pair ? matrix_element(ref, largest, j + 1) : matrix_element(ref, largest, j) + 1;
    ref_set_exact(ref, at, 0, MATCH_VALUE);
}

static void judge_vectors(Ref *ref, const EigenProblem *p, const Matrix *z, const Scalar *w,
                          bool left, Arena *arena)
{
    int64_t n = z->rows;
    bool real = dtype_components(p->dtype) == 1;
    double unit = dtype_format(p->dtype)->unit;
    Scalar *v = arena_take(arena, (size_t)n + 1, sizeof *v);
    for (int64_t j = 0; j < n; j++) {
        bool pair = real && eigenvalues_begin_pair(w, j, n);
        read_vector(z, j, pair, v);
        for (int64_t i = 0; i < n; i++) {
            Scalar value = left ? scalar_conjugate(w[j]) : w[j];
            EigenDefect defect = eigen_judge_element(p, v, value, i, pair || !real);
            put_element(ref, i, j, pair, v[i], defect.off, defect.bound);
        }
        if (!real || pair)
            demand_real_element(ref, v, n, j, pair, unit);
        j += pair;
    }
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *a, Arena *arena)
{
    const Lapack *q = input->params;
    EigenProblem p = eigen_problem(a, (DType)q->dtype, arena);
    lapack_put_known(&refs[INFO], &input->computed[INFO], p.known, 0);
    if (!p.known)
        return;
    Scalar *w = eigenvalues_read(&input->computed[W], q->n, arena);
    eigenvalues_judge(&refs[W], &p, w, q->jobvr, arena);
    if (q->jobvr) {
        Matrix right = matrix_read(&input->computed[VR], arena);
        judge_vectors(&refs[VR], &p, &right, w, false, arena);
    }
    if (!q->jobvl)
        return;
    /* u^H A = w u^H is A^H u = conj(w) u; D^-1 takes the place of D. */
    Matrix turned = matrix_zeros(q->n, q->n, arena);
    Matrix left = matrix_read(&input->computed[VL], arena);
    for (int64_t i = 0; i < q->n; i++)
        for (int64_t k = 0; k < q->n; k++)
            *matrix_at(&turned, i, k) = scalar_conjugate(*matrix_at(a, k, i));
    p.a = &turned;
    for (int b = 0; b < EIGEN_BALANCES; b++)
        for (int64_t i = 0; i < q->n; i++)
            p.balance[b].exponents[i] *= -1;
    judge_vectors(&refs[VL], &p, &left, w, true, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix a = matrix_read(&given[A], arena);
    for (int i = A; i < INFO; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    if (input->computed) {
        judge(refs, input, &a, arena);
        return;
    }
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    if (!matrix_is_finite(&a))
        return;
    bool real = lapack_is_real(q);
    Eigen e = eigen_of(&a, real, arena);
    for (int64_t j = 0; j < q->n; j++)
        eigenvalues_put_rounded(&refs[W], j, e.values[j]);
    for (int left = 0; left < 2; left++) {
        Matrix *z = left ? &e.left : &e.right;
        /* The columns of a pair are the parts of its first vector. */
        for (int64_t j = 0; j + 1 < q->n && real; j++)
            if (e.values[j].im > 0) {
                for (int64_t i = 0; i < q->n; i++)
                    matrix_at(z, i, j + 1)->re = matrix_at(z, i, j)->im;
                j++;
            }
        if (left ? q->jobvl : q->jobvr)
            matrix_put_rounded(z, &refs[left ? VL : VR]);
    }
}

const OpDesc op_geev = {
    .name = "geev",
    .summary = "eigenvalues and vectors of a square matrix",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
