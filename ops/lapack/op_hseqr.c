/* Eigenvalues of an upper Hessenberg matrix H, and as `job` says its Schur form T in place of it, H
 * = Z T Z^H; Z, or as `compz` says Q Z for a given Q, in z.  Of a real matrix w has the real parts
 * and wi the imaginary ones, pairs stand together, the positive imaginary part first, and T has a
 * block of two for each, with an equal diagonal and others of different sign.
 *
 * T and Z are judged together: with what Z was before, Q, which is the identity where none is
 * given, and outside rows and columns ilo to ihi otherwise (dhseqr.f: assumed),
 *     |Z T Z^H - Q H Q^H|_F <= p(n) u |Q|^2 |H|_F,  |Z Z^H - Q Q^H| <= p(n) u |Q|^2,
 * as steps are reflections of T and of Z, each with an error of a few roundings (Higham, Accuracy
 * and Stability of Numerical Algorithms, 2nd ed., lemma 19.3).  How many there are no theorem says:
 * p(n) is that of spectrum.h, a convention, and so is it that the iterations converge, so that info
 * is 0.  T's diagonal is w and below its blocks it is 0 (dhseqr.f); wi is the root of the product
 * of the others of a block within 8 u.
 *
 * Values without both T and Z are judged each by itself, by the distance of H - w I to singularity
 * and all by the trace (eigen.h; nothing is balanced), T without Z by its norm as well, Z without T
 * by its products alone, and nothing is said of H where T is not wanted.  Where numbers are not
 * finite, or a norm may leave the range, nothing is said.
 *
 * Reference LAPACK takes an element below the diagonal, or of a spike, for 0 where it is at most
 * s = n safmin / ulp (dlahqr.f and dlaqr3.f: SMLNUM), however small H is.  That is another reading,
 * absolute-deflation: each of at most 2 n such elements adds s to the error, sqrt(2 n) s together
 * in Frobenius' norm. */
#include <math.h>

#include "eigenvalues.h"
#include "lapack.h"
#include "long_matrix.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "spectrum.h"

static const char *const jobs[] = {"eigenvalues", "schur", NULL};
static const char *const vectors[] = {"nothing", "identity", "given", NULL};
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, job, jobs, "values alone, or T as well"),
    P_CHOICE(Lapack, compz, vectors, "no Z, or Z, or its product with what z has"),
    LAPACK_N("rows and columns of H"),
    LAPACK_BLOCK,
    P_ROW("ldh", PARAM_PAD, Lapack, lda, int64_t, "leading dimension of H beyond its minimum",
          .maximum = 1 << 16),
    P_ROW("ldz", PARAM_PAD, Lapack, ldb, int64_t, "leading dimension of Z beyond its minimum",
          .maximum = 1 << 16),
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"h", "w", "wi", "z", "info", NULL};
enum { H, W, WI, Z, INFO };
enum { JOB_VALUES, JOB_SCHUR };
enum { COMPZ_NOTHING, COMPZ_IDENTITY, COMPZ_GIVEN };

static void normalise(void *of)
{
    Lapack *q = of;
    lapack_normalise_block(q, q->n);
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    int64_t order = q->compz == COMPZ_NOTHING ? 0 : q->n;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    shapes->tensor[H] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[H].arrangement = lapack_arrangement(q);
    shapes->tensor[H].block = lapack_block(q);
    shapes->tensor[H].block.narrow = true;
    shapes->tensor[W] = blas_role(blas_vector(&(Blas){.dtype = q->dtype}, q->n, 1), ROLE_OUT);
    shapes->tensor[WI] = lapack_real_vector(q, lapack_is_real(q) ? q->n : 0);
    shapes->tensor[Z] =
        lapack_matrix(q, order, order, q->ldb, q->compz == COMPZ_GIVEN ? ROLE_INOUT : ROLE_OUT);
    if (q->compz == COMPZ_GIVEN) {
        shapes->tensor[Z].block = lapack_block(q);
        shapes->tensor[Z].block.unit = true;
    }
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    bool is_whole = q->job == JOB_SCHUR && q->compz != COMPZ_NOTHING;
    return 8 * (double)(q->n * q->n) * (double)(q->n + 8) * (double)(is_whole ? 64 : q->n + 8);
}

static void put_exact(Ref *ref, size_t at, Scalar x)
{
    ref_set_exact(ref, at, x.re, MATCH_VALUE);
    if (dtype_components(ref->dtype) == 2)
        ref_set_exact(ref, at + 1, x.im, MATCH_VALUE);
}

/* Whether a pair begins in column j of T. */
static bool begins_pair(const Matrix *t, bool real, int64_t j)
{
    return real && j + 1 < t->rows && matrix_at(t, j + 1, j)->re != 0;
}

/* Demands the form of T: zeros, and standard blocks of two. */
static void judge_form(Ref *ref, const Matrix *t, bool real)
{
    for (int64_t j = 0; j < t->rows; j++) {
        bool pair = begins_pair(t, real, j), second = j > 0 && begins_pair(t, real, j - 1);
        for (int64_t i = j + 1; i < t->rows; i++)
            if (i > j + 1 || !pair || second)
                put_exact(ref, matrix_element(ref, i, j), (Scalar){0, 0});
        if (!pair || second)
            continue;
        put_exact(ref, matrix_element(ref, j + 1, j + 1), *matrix_at(t, j, j));
        double above = matrix_at(t, j, j + 1)->re, below = matrix_at(t, j + 1, j)->re;
        if (!((above > 0 && below < 0) || (above < 0 && below > 0)))
            put_exact(ref, matrix_element(ref, j, j + 1), (Scalar){-above, 0});
    }
}

/* Demands that the values are those of T's diagonal. */
static void judge_diagonal(Ref *refs, const Matrix *t, bool real)
{
    double unit = dtype_format(refs[W].dtype)->unit,
           tiny = dtype_format(refs[W].dtype)->smallest_subnormal;
    for (int64_t j = 0; j < t->rows; j++) {
        bool pair = begins_pair(t, real, j), second = j > 0 && begins_pair(t, real, j - 1);
        Scalar on = *matrix_at(t, j, j);
        if (!scalar_is_finite(on))
            continue;
        put_exact(&refs[W], (size_t)(real ? j : 2 * j), on);
        if (!real)
            continue;
        if (!pair && !second) {
            ref_set_exact(&refs[WI], (size_t)j, 0, MATCH_VALUE);
            continue;
        }
        int64_t first = second ? j - 1 : j;
        long double above = matrix_at(t, first, first + 1)->re,
                    below = matrix_at(t, first + 1, first)->re;
        long double root = sqrtl(fabsl(above)) * sqrtl(fabsl(below));
        ref_put_bounded(&refs[WI], (size_t)j, second ? -root : root, (double)root * 0x1p-60,
                        (double)root * 8 * unit + 4 * tiny);
    }
}

/* Z T Z^H - Q H Q^H, or Z Z^H - Q Q^H where T and H are NULL. */
static LongMatrix defect_of(const Matrix *z, const Matrix *t, const Matrix *q, const Matrix *h,
                            Arena *arena)
{
    LongMatrix left = long_matrix_of(z, arena), right = long_matrix_of(q, arena);
    LongMatrix zt = left, qh = right;
    if (t) {
        LongMatrix middle = long_matrix_of(t, arena), given = long_matrix_of(h, arena);
        zt = long_matrix_product(&left, &middle, false, arena);
        qh = long_matrix_product(&right, &given, false, arena);
    }
    LongMatrix got = long_matrix_product(&zt, &left, true, arena);
    LongMatrix expected = long_matrix_product(&qh, &right, true, arena);
    for (int64_t i = 0; i < got.n * got.n; i++)
        got.values[i] -= expected.values[i];
    return got;
}

/* The square of the norm of Q, or more: the product of the largest sums of rows and columns. */
static double squared_norm(const Matrix *q)
{
    double row = 0, column = 0;
    for (int64_t i = 0; i < q->rows; i++) {
        double across = 0, down = 0;
        for (int64_t j = 0; j < q->rows; j++) {
            Scalar x = *matrix_at(q, i, j), y = *matrix_at(q, j, i);
            across += hypot(x.re, x.im);
            down += hypot(y.re, y.im);
        }
        row = fmax(row, across);
        column = fmax(column, down);
    }
    return row * column;
}

/* An element of Z, by whichever defect is larger beside what is admitted. */
static void judge_vectors(Ref *ref, const EigenProblem *p, const Matrix *z, const Matrix *t,
                          const Matrix *q, Arena *arena)
{
    const Format *format = dtype_format(p->dtype);
    int64_t n = z->rows;
    double size = squared_norm(q), norm = p->norm;
    if (!(size * norm < format->largest / 16) || !(size < format->largest / 16) ||
        !(size > format->smallest_normal / format->unit))
        return;
    LongMatrix product = defect_of(z, NULL, q, NULL, arena), similar = product;
    if (t)
        similar = defect_of(z, t, q, p->a, arena);
    double tiny = 8 * (double)n * format->smallest_subnormal;
    double bound = p->factor * (1 + 0x1p-8) + tiny / size + tiny / (size * norm);
    double part = bound / (bound + p->slack / norm);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            Scalar off = long_matrix_element(&product, i, j, size);
            Scalar other = long_matrix_element(&similar, i, j, size * norm);
            other = (Scalar){other.re * part, other.im * part};
            if (t && !(hypot(other.re, other.im) <= hypot(off.re, off.im)))
                off = other;
            spectrum_put_defect(ref, matrix_element(ref, i, j), *matrix_at(z, i, j), off, bound);
        }
}

static long double frobenius(const Matrix *a)
{
    long double sum = 0;
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        sum += (long double)a->values[i].re * a->values[i].re +
               (long double)a->values[i].im * a->values[i].im;
    return sqrtl(sum);
}

/* T without Z: its norm is H's.  What is off is said of its last element of the first row. */
static void judge_norm(Ref *ref, const EigenProblem *p, const Matrix *t)
{
    if (t->rows < 3 || !matrix_is_finite(t))
        return;
    double off = (double)(frobenius(t) - frobenius(p->a));
    double bound = p->factor * p->norm + p->slack;
    spectrum_put_defect(ref, matrix_element(ref, 0, t->rows - 1), *matrix_at(t, 0, t->rows - 1),
                        (Scalar){fabs(off) > bound ? off : 0, 0}, bound);
}

static void judge_results(Ref *refs, const ReferenceInput *input, const EigenProblem *p,
                          Arena *arena)
{
    const Lapack *q = input->params;
    bool real = lapack_is_real(q), has_t = q->job == JOB_SCHUR, has_z = q->compz != COMPZ_NOTHING;
    Matrix t = matrix_read(&input->computed[H], arena);
    if (has_z) {
        Matrix z = matrix_read(&input->computed[Z], arena);
        Matrix given = q->compz == COMPZ_GIVEN ? matrix_read(&input->tensors[Z], arena)
                                               : matrix_identity(q->n, arena);
        if (matrix_is_finite(&given))
            judge_vectors(&refs[Z], p, &z, has_t ? &t : NULL, &given, arena);
    }
    if (!has_t || !has_z)
        eigenvalues_judge(&refs[W], p, eigenvalues_read(&input->computed[W], q->n, arena), false,
                          arena);
    if (!has_t)
        return;
    if (!has_z)
        judge_norm(&refs[H], p, &t);
    judge_form(&refs[H], &t, real);
    judge_diagonal(refs, &t, real);
    for (int64_t i = 0; i < q->n * q->n; i++)
        if (!scalar_is_finite(t.values[i]))
            matrix_admit_finite(&refs[H], (size_t)i * (size_t)dtype_components(refs[H].dtype));
}

static void allocate(Ref *refs, const Tensor *given, Arena *arena)
{
    for (int i = H; i < INFO; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
}

/* What the elements that are taken for 0 however small H is are together. */
static double absolute_deflation(int64_t n, DType dtype)
{
    const Format *format = dtype_format(dtype);
    double least = (double)n * format->smallest_normal / (2 * format->unit);
    return sqrt(2 * (double)n) * least;
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *h, Arena *arena)
{
    const Lapack *q = input->params;
    EigenProblem p = eigen_problem(h, (DType)q->dtype, arena);
    lapack_put_known(&refs[INFO], &input->computed[INFO], p.known, 0);
    if (!p.known)
        return;
    for (int b = 1; b < EIGEN_BALANCES; b++)
        p.balance[b] = p.balance[0];
    judge_results(refs, input, &p, arena);
    p.slack = absolute_deflation(q->n, (DType)q->dtype);
    if (p.slack < 0x1p-20 * p.factor * p.norm)
        return;
    Ref other[INFO + 1];
    allocate(other, input->tensors, arena);
    judge_results(other, input, &p, arena);
    for (int i = H; i < INFO; i++)
        ref_add_alternative(&refs[i], &other[i], input->op->policy, arena);
}

/* One right result. */
static void compute(Ref *refs, const ReferenceInput *input, const Matrix *h, Arena *arena)
{
    const Lapack *q = input->params;
    bool real = lapack_is_real(q);
    SchurForm form = real ? schur_real_form_of(h, arena) : schur_form_of(h, arena);
    matrix_put_rounded(&form.t, &refs[H]);
    for (int64_t j = 0; j < q->n; j++) {
        Scalar w = *matrix_at(&form.t, j, j);
        bool pair = begins_pair(&form.t, real, j),
             second = j > 0 && begins_pair(&form.t, real, j - 1);
        if (pair || second) {
            int64_t first = second ? j - 1 : j;
            w.im = sqrt(fabs(matrix_at(&form.t, first, first + 1)->re)) *
                   sqrt(fabs(matrix_at(&form.t, first + 1, first)->re)) * (second ? -1 : 1);
        }
        eigenvalues_put_rounded(&refs[W], j, w);
    }
    if (q->compz == COMPZ_NOTHING)
        return;
    if (q->compz == COMPZ_GIVEN) {
        Matrix given = matrix_read(&input->tensors[Z], arena);
        LongMatrix left = long_matrix_of(&given, arena), right = long_matrix_of(&form.z, arena);
        LongMatrix product = long_matrix_product(&left, &right, false, arena);
        for (int64_t i = 0; i < q->n; i++)
            for (int64_t j = 0; j < q->n; j++)
                *matrix_at(&form.z, i, j) = long_matrix_element(&product, i, j, 1);
    }
    matrix_put_rounded(&form.z, &refs[Z]);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *given = input->tensors;
    Matrix h = matrix_read(&given[H], arena);
    allocate(refs, given, arena);
    if (input->computed) {
        judge(refs, input, &h, arena);
        return;
    }
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    if (matrix_is_finite(&h))
        compute(refs, input, &h, arena);
}

const OpDesc op_hseqr = {
    .name = "hseqr",
    .summary = "eigenvalues and Schur form of a Hessenberg matrix",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .policy = "absolute-deflation",
};
