/* Singular values of a matrix with no more columns than rows by rotations of its columns, A =
 * U S V^H, descending: scale sva, where stat has scale in front; and as `jobu` says U in place of
 * A, of values other than 0, as `jobv` says V, or a matrix that is given times V.  A may be
 * anything where U is not wanted.
 *
 * Judged as other singular value decompositions are (ops_singular.c), and where columns are of
 * norms that differ but not near to dependent otherwise, each value by an error of itself: see the
 * theorem of singular.h, which the routine promises ("as guaranteed by the theory of Demmel and
 * Veselic", dgesvj.f).  Iterations stop where the cosines of columns are below m eps, so that what
 * is left of C is within n m eps of the identity, and values within as much of the norms of columns
 * (theorem 3.3.16 of Horn and Johnson), for which p(m) u has room.
 *
 * U and V are judged by A V - U S and their like; one alone as vectors of A A^H, or A^H A.  X V of
 * a given X by (X V) (X V)^H = X X^H, over the norms of X's rows, whose bound is p(n) u as for V
 * V^H - I.
 *
 * stat(2) is how many values are not 0, stat(3) how many are above the least normal number
 * (dgesvj.f); the rest of it, which tells how the iterations went, may be anything.  info = 0, a
 * convention, as for other spectra; where norms are not finite it is -6, and nothing is said
 * (dgesvj.f: "If INFinite entries in A are detected, the procedure returns with INFO=-6"). */
#include <limits.h>
#include <math.h>

#include "lapack.h"
#include "reference/function.h"
#include "singular.h"
#include "solve.h"

static const char *const lefts[] = {"nothing", "found", NULL};
static const char *const rights[] = {"nothing", "vectors", "applied", NULL};
enum { RIGHT_NOTHING, RIGHT_FOUND, RIGHT_APPLIED };
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE_AS("jobu", Lapack, jobvl, lefts, "U is found or not"),
    P_CHOICE_AS("jobv", Lapack, jobvr, rights, "V is found, or what is given is multiplied by it"),
    LAPACK_M("rows of A"),
    LAPACK_N("columns of A"),
    P_DIM_AS("mv", Lapack, k, 0, 1024, "rows of what V is applied to"),
    P_ROW("room", PARAM_DIM, Lapack, kl, int64_t, "numbers that stat has room for", .minimum = -1,
          .maximum = 1 << 16, .simplest = 6, .terse = true),
    LAPACK_LDA,
    LAPACK_LDV,
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a", "sva", "v", "stat", "info", NULL};
enum { A, SVA, V, STAT, INFO };
enum { STAT_SCALE, STAT_NONZERO, STAT_NORMAL, STAT_SHORTEST = 6 };

static void normalise(void *of)
{
    Lapack *q = of;
    q->n = q->n < q->m ? q->n : q->m;
    q->kl = q->m + q->n > STAT_SHORTEST ? q->m + q->n : STAT_SHORTEST;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    TensorSpec *spec = shapes->tensor;
    int64_t rows = q->jobvr == RIGHT_APPLIED ? q->k : q->jobvr == RIGHT_FOUND ? q->n : 0;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->m};
    spec[A] = lapack_matrix(q, q->m, q->n, q->lda, ROLE_INOUT);
    spec[A].arrangement = lapack_arrangement(q);
    spec[SVA] = lapack_real_vector(q, q->n);
    spec[V] = lapack_matrix(q, rows, q->jobvr ? q->n : 0, q->ldv,
                            q->jobvr == RIGHT_APPLIED ? ROLE_INOUT : ROLE_OUT);
    spec[STAT] = lapack_real_vector(q, q->kl);
    spec[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    double extent = (double)(q->m + q->n + q->k);
    return 12 * lapack_parts(q) * extent * extent * (extent + 8);
}

static double number(const Tensor *of, int64_t i)
{
    return dtype_load(of->dtype, of->origin, i);
}

/* Demands a number that is a count between two. */
static void put_count(Ref *stat, int64_t i, double got, int64_t low, int64_t high)
{
    double right = got == rint(got) ? fmin(fmax(got, (double)low), (double)high) : (double)low;
    ref_set_exact(stat, (size_t)i, right, MATCH_VALUE);
}

/* A value may be 0 that was none before it was multiplied by scale, or a rounding away from the
 * least normal number. */
static void judge_counts(Ref *stat, const Tensor *told, const double *s, int64_t n)
{
    const Format *format = dtype_format(stat->dtype);
    int64_t nonzero = 0, normal = 0, nearly = 0;
    for (int64_t i = 0; i < n; i++) {
        nonzero += s[i] != 0;
        normal += s[i] > format->smallest_normal * (1 + 16 * format->unit);
        nearly += s[i] >= format->smallest_normal * (1 - 16 * format->unit);
    }
    put_count(stat, STAT_NONZERO, number(told, STAT_NONZERO), nonzero, n);
    put_count(stat, STAT_NORMAL, number(told, STAT_NORMAL), normal, nearly);
}

/* Values that are told by a factor and the rest. */
static void judge_scaled(Ref *ref, const Matrix *a, const Spectrum *d, DType dtype, double scale,
                         const double *s)
{
    double distance = singular_distance(dtype, a, d) + d->error;
    for (int64_t i = 0; i < a->columns; i++) {
        double right = d->values[a->rows + a->columns - 1 - i];
        if (!(fabs(s[i] - right) <= distance))
            ref_put_bounded(ref, (size_t)i, right / scale, d->error / scale, distance / scale);
    }
}

/* Values that have a small error of their own. */
static void judge_relative(Ref *ref, const Lapack *q, const Matrix *a, const double *s,
                           double distance, Arena *arena)
{
    double least = 8 * dtype_format((DType)q->dtype)->smallest_subnormal;
    RelativeValues right = singular_relative(a, (DType)q->dtype, arena);
    for (int64_t i = 0; i < q->n && right.known; i++) {
        double bound = right.bound * (double)right.values[i] + least;
        if (bound < distance && s[i] >= 0 && (i == 0 || s[i] <= s[i - 1]))
            ref_put_bounded(ref, (size_t)i, right.values[i], right.error * (double)right.values[i],
                            bound);
    }
}

/* The first columns of a matrix. */
static Matrix columns_of(const Tensor *of, int64_t count, Arena *arena)
{
    Matrix x = matrix_read(of, arena), to = matrix_zeros(x.rows, count, arena);
    for (int64_t i = 0; i < x.rows; i++)
        for (int64_t j = 0; j < count; j++)
            *matrix_at(&to, i, j) = *matrix_at(&x, i, j);
    return to;
}

/* Row i of (X V) (X V)^H - X X^H by what is off most, over the norms of the rows. */
static double product_defect(const Matrix *x, const Matrix *y, int64_t i)
{
    double most = 0;
    for (int64_t k = 0; k < x->rows; k++) {
        long double re = 0, im = 0, row = 0, other = 0;
        for (int64_t j = 0; j < x->columns; j++)
            for (int which = 0; which < 2; which++) {
                const Matrix *of = which ? x : y;
                Scalar p = *matrix_at(of, i, j), c = *matrix_at(of, k, j);
                int sign = which ? -1 : 1;
                re += sign * ((long double)p.re * c.re + (long double)p.im * c.im);
                im += sign * ((long double)p.im * c.re - (long double)p.re * c.im);
                row += which ? (long double)p.re * p.re + (long double)p.im * p.im : 0;
                other += which ? (long double)c.re * c.re + (long double)c.im * c.im : 0;
            }
        long double size = sqrtl(row) * sqrtl(other);
        if (size > 0)
            most = fmax(most, (double)(hypotl(re, im) / size));
    }
    return most;
}

static void judge_applied(Ref *ref, const Lapack *q, const Tensor *given, const Tensor *computed,
                          Arena *arena)
{
    const Format *format = dtype_format((DType)q->dtype);
    Matrix x = matrix_read(given, arena), y = matrix_read(computed, arena);
    double size = 0, least = INFINITY, bound = 2 * spectrum_factor((DType)q->dtype, q->m);
    for (int64_t i = 0; i < x.rows * x.columns; i++) {
        double own = hypot(x.values[i].re, x.values[i].im);
        size = fmax(size, own);
        least = own > 0 ? fmin(least, own) : least;
    }
    /* Rows far from the ends of the range, whose squares are numbers here as well. */
    if (!(size < format->largest / 16 / (double)(q->n + 1)) ||
        !(least > format->smallest_normal / format->unit))
        return;
    for (int64_t i = 0; i < x.rows; i++) {
        double off = product_defect(&x, &y, i);
        for (int64_t j = 0; j < x.columns; j++)
            spectrum_put_defect(ref, matrix_element(ref, i, j), *matrix_at(&y, i, j),
                                (Scalar){j == 0 && off > bound ? off : 0, 0}, bound);
    }
}

static void judge_vectors(Ref *refs, const ReferenceInput *input, const Matrix *a, const double *s,
                          double norm, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    int64_t rank = 0;
    while (rank < q->n && s[rank] > dtype_format((DType)q->dtype)->smallest_normal)
        rank++;
    Matrix turned = lapack_transposed(a, true, arena), u = {0}, v = {0};
    if (q->jobvl)
        u = columns_of(&computed[A], rank, arena);
    if (q->jobvr == RIGHT_FOUND)
        v = columns_of(&computed[V], q->n, arena);
    if (q->jobvl && q->jobvr == RIGHT_FOUND) {
        singular_put_vectors(&refs[A], 0, a, &u, &v, s, rank, norm, false);
        singular_put_vectors(&refs[V], 0, &turned, &v, &u, s, rank, norm, false);
    } else if (q->jobvl)
        singular_put_alone(&refs[A], 0, a, &u, s, norm, false, arena);
    else if (q->jobvr == RIGHT_FOUND)
        singular_put_alone(&refs[V], 0, &turned, &v, s, norm, false, arena);
    if (q->jobvr == RIGHT_APPLIED)
        judge_applied(&refs[V], q, &input->tensors[V], &computed[V], arena);
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *a, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    const Format *format = dtype_format((DType)q->dtype);
    Spectrum d = singular_spectrum(a, arena);
    bool known = d.known && d.norm < format->largest / 16;
    int64_t info = lapack_integer(&computed[INFO], 0);
    lapack_put_known(&refs[INFO], &computed[INFO], known, 0);
    if (!known || info != 0)
        return;
    double scale = q->n > 0 ? number(&computed[STAT], STAT_SCALE) : 1;
    if (!(scale > 0 && isfinite(scale))) {
        ref_set_exact(&refs[STAT], STAT_SCALE, 1, MATCH_VALUE);
        return;
    }
    double *s = arena_take(arena, (size_t)q->n + 1, sizeof *s);
    for (int64_t i = 0; i < q->n; i++)
        s[i] = scale * number(&computed[SVA], i);
    if (q->n > 0)
        judge_counts(&refs[STAT], &computed[STAT], s, q->n);
    if (scale != 1)
        judge_scaled(&refs[SVA], a, &d, (DType)q->dtype, scale, s);
    else {
        singular_put_values(&refs[SVA], 0, (DType)q->dtype, a, &d, s);
        judge_relative(&refs[SVA], q, a, s, singular_distance((DType)q->dtype, a, &d), arena);
    }
    judge_vectors(refs, input, a, s, d.norm > 0 ? d.norm : 1, arena);
}

static void put_plain(Ref *refs, const ReferenceInput *input, const Matrix *a, Arena *arena)
{
    const Lapack *q = input->params;
    Spectrum d = singular_spectrum(a, arena);
    RelativeValues relative = singular_relative(a, (DType)q->dtype, arena);
    Matrix u = singular_vectors(&d, a, 0, q->m, q->n, arena);
    Matrix v = singular_vectors(&d, a, q->m, q->n, q->n, arena);
    int64_t nonzero = 0, normal = 0;
    for (int64_t i = 0; i < q->n; i++) {
        double exact = relative.known ? (double)relative.values[i] : d.values[q->m + q->n - 1 - i];
        double value = dtype_round(refs[SVA].dtype, exact < 0 ? 0 : exact);
        ref_set_exact(&refs[SVA], (size_t)i, value, MATCH_VALUE);
        nonzero += value != 0;
        normal += value > dtype_format(refs[SVA].dtype)->smallest_normal;
    }
    if (q->n > 0) {
        put_count(&refs[STAT], STAT_SCALE, 1, 1, 1);
        put_count(&refs[STAT], STAT_NONZERO, 0, nonzero, q->n);
        put_count(&refs[STAT], STAT_NORMAL, 0, normal, q->n);
    }
    if (q->jobvl)
        matrix_put_rounded(&u, &refs[A]);
    if (q->jobvr == RIGHT_FOUND)
        matrix_put_rounded(&v, &refs[V]);
    if (q->jobvr != RIGHT_APPLIED)
        return;
    Matrix x = matrix_read(&input->tensors[V], arena);
    Matrix product = matrix_zeros(x.rows, x.columns, arena);
    for (int64_t i = 0; i < x.rows; i++)
        for (int64_t j = 0; j < x.columns; j++) {
            long double re = 0, im = 0;
            for (int64_t k = 0; k < x.columns; k++) {
                Scalar p = *matrix_at(&x, i, k), r = *matrix_at(&v, k, j);
                re += (long double)p.re * r.re - (long double)p.im * r.im;
                im += (long double)p.re * r.im + (long double)p.im * r.re;
            }
            *matrix_at(&product, i, j) = (Scalar){(double)re, (double)im};
        }
    matrix_put_rounded(&product, &refs[V]);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *given = input->tensors;
    const Lapack *q = input->params;
    Matrix a = matrix_read(&given[A], arena);
    for (int i = A; i < INFO; i++)
        lapack_admit_all(&refs[i], &given[i], arena);
    for (size_t i = q->n > 0 ? STAT_SHORTEST : 0; i < refs[STAT].count; i++)
        ref_leave(&refs[STAT], i, arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    if (input->computed)
        judge(refs, input, &a, arena);
    else
        put_plain(refs, input, &a, arena);
}

const OpDesc op_gesvj = {
    .name = "gesvj",
    .summary = "singular values and vectors by rotations of columns",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
