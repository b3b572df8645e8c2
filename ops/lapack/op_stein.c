/* Eigenvectors of a symmetric tridiagonal matrix by inverse iteration, of values that are given
 * with the blocks that it splits into, as stebz gives them: w has those of each block in ascending
 * order, one block after the other.  Blocks end where stebz says so, at an element beside the
 * diagonal whose square is below (2 u)^2 |d_i d_(i+1)| + safmin (dstebz.f), and w has values that
 * are exact but for a rounding.
 *
 * Vectors have norm 1 and a residual of p(n) u |T| (spectrum.h; Jessup and Ipsen, Improving the
 * accuracy of inverse iteration, SIAM J. Sci. Stat. Comput. 13, 1992), of which elements that are
 * taken for 0 between blocks are part.  Those of one block whose values are nearer than 10^-3 |T|
 * are made orthogonal (dstein.f: ORTOL); of others the residuals bound inner products by 10^3 of
 * these. Outside of the block a vector is 0.
 *
 * "Any vector which fails to converge is set to its current iterate": nothing is said of those that
 * ifail has, which may be where values of a block are nearer than 10^-3 |T|; else info is 0.
 * Nothing is said of matrices that stebz wants to be scaled (op_stebz.c), nor of numbers that are
 * not finite.
 */
#include <limits.h>
#include <math.h>

#include "chosen.h"
#include "reference/function.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    LAPACK_N("rows and columns of T"),
    LAPACK_M("vectors"),
    P_ROW("ldz", PARAM_PAD, Lapack, ldu, int64_t, "leading dimension of Z beyond its minimum",
          .maximum = 1 << 16),
    P_END,
};
static const char *const tensors[] = {"d", "e",     "w",    "iblock", "isplit",
                                      "z", "ifail", "info", NULL};
enum { D, E, W, IBLOCK, ISPLIT, Z, IFAIL, INFO };

/* No more vectors than there are values. */
static void normalise(void *of)
{
    Lapack *q = of;
    if (q->m > q->n)
        q->m = q->n;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    TensorSpec *spec = shapes->tensor;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    spec[D] = spec[W] = lapack_real_vector(q, q->n);
    spec[E] = lapack_real_vector(q, q->n > 1 ? q->n - 1 : 0);
    spec[D].role = spec[E].role = spec[W].role = ROLE_IN;
    spec[IBLOCK] = spec[ISPLIT] = lapack_pivots(q->n);
    spec[W].derived = spec[IBLOCK].derived = spec[ISPLIT].derived = true;
    spec[Z] = lapack_matrix(q, q->n, q->m, q->ldu, ROLE_OUT);
    spec[IFAIL] = lapack_integers(q->m);
    spec[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 120 * (double)(q->n * q->n) * (double)(q->n + 8);
}

static bool splits_after(const Matrix *d, const Matrix *e, DType dtype, int64_t i)
{
    const Format *format = dtype_format(dtype);
    long double ulp = 2 * format->unit, x = e->values[i].re;
    long double product = (long double)d->values[i].re * d->values[i + 1].re;
    return x * x < ulp * ulp * fabsl(product) + format->smallest_normal;
}

static void derive(const OpDesc *op, const void *of, const Tensor *views, Arena *arena)
{
    const Lapack *q = of;
    int64_t n = q->n, block = 0;
    Matrix d = matrix_read(&views[D], arena), e = matrix_read(&views[E], arena);
    (void)op;
    for (int64_t first = 0; first < n; block++) {
        int64_t end = first + 1;
        while (end < n && !splits_after(&d, &e, (DType)q->dtype, end - 1))
            end++;
        Matrix lower = chosen_tridiagonal(&d, &e, first, end, arena);
        Spectrum s = spectrum_of(&lower, arena);
        for (int64_t i = first; i < end; i++) {
            dtype_store(views[W].dtype, views[W].origin, i, s.known ? s.values[i - first] : 0);
            dtype_store(views[IBLOCK].dtype, views[IBLOCK].origin, i, (double)block + 1);
        }
        dtype_store(views[ISPLIT].dtype, views[ISPLIT].origin, block, (double)end);
        first = end;
    }
    for (; block < n; block++)
        dtype_store(views[ISPLIT].dtype, views[ISPLIT].origin, block, (double)n);
}

/* Whether two values of one block are that near, of those whose vectors are asked for. */
static bool has_clusters(const ReferenceInput *input, const Spectrum *s)
{
    const Lapack *q = input->params;
    const Tensor *w = &input->tensors[W], *block = &input->tensors[IBLOCK];
    for (int64_t i = 1; i < q->m; i++)
        if (lapack_integer(block, i) == lapack_integer(block, i - 1) &&
            !(dtype_load(w->dtype, w->origin, i) - dtype_load(w->dtype, w->origin, i - 1) >
              0x1p-9 * s->norm))
            return true;
    return false;
}

static bool is_outside(const ReferenceInput *input, int64_t i, int64_t j)
{
    int64_t block = lapack_integer(&input->tensors[IBLOCK], j);
    int64_t first = block > 1 ? lapack_integer(&input->tensors[ISPLIT], block - 2) : 0;
    return i < first || i >= lapack_integer(&input->tensors[ISPLIT], block - 1);
}

static void judge(Ref *refs, const ReferenceInput *input, const Spectrum *s, const Matrix *lower,
                  Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    int64_t info = lapack_integer(&computed[INFO], 0);
    bool known = chosen_is_scaled(s, (DType)q->dtype);
    bool may_fail = !known || has_clusters(input, s);
    lapack_put_integer(&refs[INFO], 0, info, 0, may_fail ? q->m : 0);
    for (int64_t i = 0; i < q->m && !(info > 0 && may_fail); i++)
        lapack_put_integer(&refs[IFAIL], i, 0, 0, 0);
    if (!known || (info > 0 && may_fail))
        return;
    double *w = arena_take(arena, (size_t)q->n + 1, sizeof *w);
    for (int64_t i = 0; i < q->n; i++)
        w[i] = dtype_load(input->tensors[W].dtype, input->tensors[W].origin, i);
    Matrix z = matrix_read(&computed[Z], arena);
    spectrum_put_vectors(&refs[Z], 0, lower, &z, w, q->m, s->norm, SPECTRUM_ROBUST);
    for (int64_t i = 0; i < q->n; i++)
        for (int64_t j = 0; j < q->m; j++)
            for (int part = 0; part < dtype_components(refs[Z].dtype); part++) {
                Scalar x = *matrix_at(&z, i, j);
                bool off = is_outside(input, i, j) && (part ? x.im : x.re) != 0;
                if (off || (part && x.im != 0))
                    ref_set_exact(&refs[Z], matrix_element(&refs[Z], i, j) + (size_t)part, 0,
                                  MATCH_VALUE);
            }
}

/* One right result: vectors of each block. */
static void compute(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *split = &input->tensors[ISPLIT];
    Matrix d = matrix_read(&input->tensors[D], arena), e = matrix_read(&input->tensors[E], arena);
    Matrix z = matrix_zeros(q->n, q->m, arena);
    for (int64_t first = 0, block = 0; first < q->m; block++) {
        int64_t end = lapack_integer(split, block);
        Matrix lower = chosen_tridiagonal(&d, &e, first, end, arena);
        Spectrum s = spectrum_of(&lower, arena);
        for (int64_t i = first; i < end; i++)
            for (int64_t j = first; j < end && j < q->m && s.known; j++)
                *matrix_at(&z, i, j) = *matrix_at(&s.vectors, i - first, j - first);
        first = end;
    }
    matrix_put_rounded(&z, &refs[Z]);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    for (int64_t i = 0; i < q->m; i++)
        lapack_put_integer(&refs[IFAIL], i, 0, 0, 0);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    lapack_admit_all(&refs[Z], &given[Z], arena);
    ref_allocate_exact(&refs[IFAIL], &given[IFAIL], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    for (int64_t i = 0; i < q->m; i++)
        ref_set_classes(&refs[IFAIL], (size_t)i, CLASS_ANY);
    if (!input->computed) {
        compute(refs, input, arena);
        return;
    }
    Matrix d = matrix_read(&given[D], arena), e = matrix_read(&given[E], arena);
    Matrix lower = chosen_tridiagonal(&d, &e, 0, q->n, arena);
    Spectrum s = spectrum_of(&lower, arena);
    judge(refs, input, &s, &lower, arena);
}

const OpDesc op_stein = {
    .name = "stein",
    .summary = "eigenvectors of a tridiagonal matrix by inverse iteration",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .derive = derive,
};
