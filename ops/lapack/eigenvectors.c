/* Eigenvectors by their residuals. */
#include "eigenvectors.h"

#include <math.h>
#include <string.h>

#include "reference/function.h"
#include "reference/wide_complex.h"
#include "spectrum.h"

void eigenvectors_shape(const Lapack *q, Shapes *shapes, int info)
{
    int64_t left = q->jobvl ? q->n : 0, right = q->jobvr ? q->n : 0;
    *shapes = (Shapes){.count = info + 1, .depth = q->n};
    const TensorSpec first[] = {
        lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT),
        blas_role(blas_vector(&(Blas){.dtype = q->dtype}, q->n, 1), ROLE_OUT),
        lapack_real_vector(q, lapack_is_real(q) ? q->n : 0),
        lapack_matrix(q, left, left, q->ldu, ROLE_OUT),
        lapack_matrix(q, right, right, q->ldv, ROLE_OUT),
    };
    memcpy(shapes->tensor, first, sizeof first);
    shapes->tensor[0].arrangement = lapack_arrangement(q);
    shapes->tensor[info] = lapack_integers(1);
}

double eigenvectors_work(const void *of)
{
    const Lapack *q = of;
    return 8 * (double)(q->n * q->n) * (double)(q->n + 8) * (double)(q->jobvr ? 64 : q->n + 8);
}

void eigenvectors_read(const Matrix *z, int64_t j, bool pair, Scalar *v)
{
    for (int64_t i = 0; i < z->rows; i++) {
        v[i] = *matrix_at(z, i, j);
        if (pair)
            v[i].im = matrix_at(z, i, j + 1)->re;
    }
}

long double eigenvectors_cosine(const Scalar *y, const Scalar *x, int64_t n)
{
    long double re = 0, im = 0, of_x = 0, of_y = 0;
    for (int64_t i = 0; i < n; i++) {
        re += (long double)y[i].re * x[i].re + (long double)y[i].im * x[i].im;
        im += (long double)y[i].re * x[i].im - (long double)y[i].im * x[i].re;
        of_x += (long double)x[i].re * x[i].re + (long double)x[i].im * x[i].im;
        of_y += (long double)y[i].re * y[i].re + (long double)y[i].im * y[i].im;
    }
    return hypotl(re, im) / (sqrtl(of_x) * sqrtl(of_y));
}

void eigenvectors_put_element(Ref *ref, int64_t i, int64_t j, bool pair, Scalar got, Scalar defect,
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
        eigenvectors_read(z, j, pair, v);
        for (int64_t i = 0; i < n; i++) {
            Scalar value = left ? scalar_conjugate(w[j]) : w[j];
            EigenDefect defect = eigen_judge_element(p, v, value, i, pair || !real);
            eigenvectors_put_element(ref, i, j, pair, v[i], defect.off, defect.bound);
        }
        if (!real || pair)
            demand_real_element(ref, v, n, j, pair, unit);
        j += pair;
    }
}

void eigenvectors_judge(const EigenvectorRefs *refs, const Lapack *q, EigenProblem p,
                        const Tensor w_wi[2], const Tensor *vl, const Tensor *vr, Arena *arena)
{
    const Matrix *a = p.a;
    Scalar *w = eigenvalues_read(w_wi, q->n, arena);
    eigenvalues_judge(refs->w_wi, &p, w, q->jobvr, arena);
    if (q->jobvr) {
        Matrix right = matrix_read(vr, arena);
        judge_vectors(refs->vr, &p, &right, w, false, arena);
    }
    if (!q->jobvl)
        return;
    /* u^H A = w u^H is A^H u = conj(w) u; D^-1 takes the place of D. */
    Matrix turned = matrix_zeros(q->n, q->n, arena);
    Matrix left = matrix_read(vl, arena);
    for (int64_t i = 0; i < q->n; i++)
        for (int64_t k = 0; k < q->n; k++)
            *matrix_at(&turned, i, k) = scalar_conjugate(*matrix_at(a, k, i));
    p.a = &turned;
    for (int b = 0; b < EIGEN_BALANCES; b++) {
        int *exponents = arena_take(arena, (size_t)q->n + 1, sizeof *exponents);
        for (int64_t i = 0; i < q->n; i++)
            exponents[i] = -p.balance[b].exponents[i];
        p.balance[b].exponents = exponents;
    }
    judge_vectors(refs->vl, &p, &left, w, true, arena);
}

void eigenvectors_put(const EigenvectorRefs *refs, const Lapack *q, const Matrix *a, Arena *arena)
{
    bool real = lapack_is_real(q);
    Eigen e = eigen_of(a, real, arena);
    for (int64_t j = 0; j < q->n; j++)
        eigenvalues_put_rounded(refs->w_wi, j, e.values[j]);
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
            matrix_put_rounded(z, left ? refs->vl : refs->vr);
    }
}
