/* A = Q H Q^H with H upper Hessenberg and Q a product of reflections, which lie below H's
 * subdiagonal; A is an upper triangle but for rows and columns ilo to ihi.
 *
 * Theorem.  What was computed satisfies |A - Q H Q^H|_F <= 2 e |A|_F, e = 2 gamma_(2 (m + 2 k + 8))
 * sqrt k eta + gamma_(20 m + 60), for the m = k = ihi - ilo rows that are reflected and eta of
 * householder.h.  Proof.  Reflections from the left are those of householder.h, in blocks or one by
 * one.  From the right A becomes A - Y V^H with Y = A V T, whose columns come by the substitution
 * that T comes from, with products with A in place of those with a block: each element takes part
 * in at most twice the roundings.  Both sides keep the norm, so that their errors add up (Higham,
 * Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 19.3 and theorem 19.4, which hold
 * for columns and, transposed, for rows).  QED.  tau is judged as there, and is 0 before ilo and
 * from ihi on (dgehrd.f).  Where numbers are not finite nothing is said. */
#include <math.h>

#include "householder.h"
#include "lapack.h"
#include "reference/equation.h"
#include "reference/function.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    LAPACK_N("rows and columns of A"),
    LAPACK_BLOCK,
    LAPACK_LDA,
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a", "tau", "info", NULL};
enum { A, TAU, INFO };

static void normalise(void *of)
{
    Lapack *q = of;
    lapack_normalise_block(q, q->n);
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 3, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[A].block = lapack_block(q);
    shapes->tensor[TAU] =
        blas_role(blas_vector(&(Blas){.dtype = q->dtype}, q->n > 1 ? q->n - 1 : 0, 1), ROLE_OUT);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 32 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
}

/* The rows and columns of A that hold the reflections: v_k starts in row k of column k. */
static Householder reflections_of(const Lapack *q, const Matrix *after, const Scalar *tau,
                                  Arena *arena)
{
    int64_t first = q->ilo - 1, m = q->ihi > q->ilo ? q->ihi - q->ilo : 0;
    Householder h = {.dtype = (DType)q->dtype,
                     .before = matrix_zeros(m, m, arena),
                     .after = matrix_zeros(m, m, arena),
                     .tau = arena_take_zeroed(arena, (size_t)m + 1, sizeof(Scalar)),
                     .steps = m};
    for (int64_t k = 0; k < m; k++) {
        h.tau[k] = tau[first + k];
        for (int64_t i = 0; i < m; i++)
            *matrix_at(&h.after, i, k) = *matrix_at(after, first + 1 + i, first + k);
    }
    return h;
}

/* Q H Q^H, by columns and then by conjugate rows. */
static WideComplex *product_of(const Lapack *q, const Householder *h, const Matrix *after,
                               Arena *arena)
{
    int64_t n = q->n, first = q->ilo - 1;
    WideComplex *product = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *product);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            bool is_vector = j >= first && i < q->ihi && i > j + 1;
            Scalar x = is_vector ? (Scalar){0, 0} : *matrix_at(after, i, j);
            product[i * n + j] = (WideComplex){{x.re, 0}, {x.im, 0}};
        }
    householder_apply_left(h, product, n, first + 1);
    householder_apply_right(h, product, n, n, first + 1);
    return product;
}

static double rest_of(double a, Wide product)
{
    return wide_add((Wide){a, 0}, (Wide){-product.high, -product.low}).high;
}

/* The residual over the norm, at the element of A after the call.  False where a norm may leave the
 * range, or the bound is above what the theorem holds for: then nothing is said. */
static bool judge_elements(Ref *ref, const Lapack *q, const Householder *h, const Matrix *before,
                           const Matrix *after, Arena *arena)
{
    const Format *format = dtype_format(h->dtype);
    double n = (double)q->n, steps = (double)h->steps + 1, norm = matrix_norm(before);
    double scale = norm > 0 ? norm : 1;
    double relative = 2 * householder_factor_error(h, 2, arena);
    if (!(relative <= 0.25) || !(norm * (8 * n) < format->largest))
        return false;
    double bound = relative * norm + 64 * (n + 4) * steps * format->smallest_subnormal;
    double error = 256 * (n + 4) * steps * WIDE_UNIT * (norm + matrix_norm(after)) + 0x1p-1040;
    WideComplex *product = product_of(q, h, after, arena);
    for (int64_t i = 0; i < q->n; i++)
        for (int64_t j = 0; j < q->n; j++) {
            Scalar a = *matrix_at(before, i, j);
            const WideComplex *x = &product[i * q->n + j];
            Scalar rest = {rest_of(a.re, x->re) / scale, rest_of(a.im, x->im) / scale};
            matrix_put_residual(ref, matrix_element(ref, i, j), *matrix_at(after, i, j), rest,
                                error / scale, bound * (1 + 0x1p-30) / scale);
        }
    return true;
}

static void judge_taus(Ref *ref, const Lapack *q, const Householder *h, Arena *arena)
{
    int64_t first = q->ilo - 1, m = h->steps;
    double *defects = arena_take(arena, (size_t)m + 1, sizeof *defects);
    double *bounds = arena_take(arena, (size_t)m + 1, sizeof *bounds);
    householder_judge_taus(h, defects, bounds);
    for (int64_t k = 0; k < q->n - 1; k++) {
        bool reflects = k >= first && k < first + m;
        size_t at = matrix_element(ref, k, 0);
        if (reflects)
            matrix_put_residual(ref, at, h->tau[k - first], (Scalar){-defects[k - first], 0},
                                0x1p-56 * fabs(defects[k - first]), bounds[k - first]);
        for (int part = 0; part < dtype_components(ref->dtype) && !reflects; part++)
            ref_set_exact(ref, at + (size_t)part, 0, MATCH_VALUE);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors, *computed = input->computed;
    Matrix before = matrix_read(&given[A], arena);
    lapack_admit_all(&refs[A], &given[A], arena);
    lapack_admit_all(&refs[TAU], &given[TAU], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    if (!computed) {
        Matrix tau = matrix_zeros(given[TAU].extent[0], 1, arena);
        householder_reduce(&before, q->ilo - 1, q->ihi, tau.values, false, arena);
        matrix_put_rounded(&before, &refs[A]);
        matrix_put_rounded(&tau, &refs[TAU]);
        return;
    }
    if (!matrix_is_finite(&before))
        return;
    Matrix after = matrix_read(&computed[A], arena), tau = matrix_read(&computed[TAU], arena);
    Householder h = reflections_of(q, &after, tau.values, arena);
    if (judge_elements(&refs[A], q, &h, &before, &after, arena))
        judge_taus(&refs[TAU], q, &h, arena);
}

const OpDesc op_gehrd = {
    .name = "gehrd",
    .summary = "Hessenberg form of a square matrix by reflections",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
