/* Singular values of A that a caller chooses, descending, and as `jobu` and `jobvt` say left and
 * right vectors of these, V^H by rows: all, those of an interval (vl, vu], or the numbers first to
 * last, of which 1 is that of the greatest, as s has them.  ns is how many were found.  A is
 * destroyed.
 *
 * They are eigenvalues and eigenvectors of a tridiagonal matrix of twice the order, of which the
 * opposites are left out, found by bisection and inverse iteration (dgesvdx.f, dbdsvdx.f): values
 * and vectors are judged as those of other singular value decompositions are (ops_singular.c), and
 * how many an interval has by counts for ends that are moved by what a value may be off by
 * (chosen.h).  Where vectors of one side alone are found, they are judged as those of A A^H, or A^H
 * A (singular.h).
 *
 * What lies behind the values and vectors that were found may be anything.  That iterations
 * converge, so that info is 0, is a convention, as for other spectra.  Where numbers are not
 * finite, or so large that their norm may overflow, nothing is said but that a NaN is seen. */
#include <math.h>

#include "chosen.h"
#include "reference/function.h"
#include "singular.h"
#include "solve.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE_AS("jobu", Lapack, jobvl, lapack_jobs, "values alone, or left vectors as well"),
    P_CHOICE_AS("jobvt", Lapack, jobvr, lapack_jobs, "values alone, or right vectors as well"),
    LAPACK_M("rows of A"),
    LAPACK_N("columns of A"),
    LAPACK_CHOSEN,
    LAPACK_LDA,
    LAPACK_LDU,
    LAPACK_LDV,
    LAPACK_MATRIX,
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a", "vl", "vu", "il",   "iu", "ns",
                                      "s", "u",  "v",  "info", NULL};
enum { A, VL, VU, IL, IU, NS, S, U, V, INFO };

static int64_t smaller(const Lapack *q)
{
    return q->m < q->n ? q->m : q->n;
}

/* How many values are asked for at most. */
static int64_t most_of(const Lapack *q)
{
    return q->compz == RANGE_INDICES ? q->ihi - q->ilo + 1 : smaller(q);
}

static void normalise(void *of)
{
    Lapack *q = of;
    chosen_normalise(q, smaller(q));
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    TensorSpec *spec = shapes->tensor;
    int64_t left = q->jobvl ? most_of(q) : 0, right = q->jobvr ? most_of(q) : 0;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->m};
    spec[A] = lapack_matrix(q, q->m, q->n, q->lda, ROLE_INOUT);
    spec[A].arrangement = lapack_arrangement(q);
    for (int i = VL; i <= IU; i++) {
        spec[i] =
            i < IL ? blas_number(dtype_component((DType)q->dtype), ROLE_IN) : lapack_pivots(1);
        spec[i].derived = q->compz == (i < IL ? RANGE_INTERVAL : RANGE_INDICES);
        spec[i].ignored = !spec[i].derived;
    }
    spec[NS] = spec[INFO] = lapack_integers(1);
    spec[S] = lapack_real_vector(q, smaller(q));
    spec[U] = lapack_matrix(q, q->jobvl ? q->m : 0, left, q->ldu, ROLE_OUT);
    spec[V] = lapack_matrix(q, right, q->jobvr ? q->n : 0, q->ldv, ROLE_OUT);
}

static double work(const void *of)
{
    const Lapack *q = of;
    double extent = (double)(q->m + q->n);
    return 8 * lapack_parts(q) * extent * extent * (extent + 8);
}

/* The singular values alone, ascending. */
static Spectrum ascending(const Lapack *q, const Spectrum *doubled)
{
    Spectrum s = *doubled;
    s.values += q->m + q->n - smaller(q);
    s.lows += q->m + q->n - smaller(q);
    return s;
}

/* The numbers, or the ends of the interval that has the values of these numbers, ascending. */
static void derive(const OpDesc *op, const void *of, const Tensor *views, Arena *arena)
{
    const Lapack *q = of;
    (void)op;
    if (q->compz == RANGE_INDICES) {
        chosen_put_numbers(&views[IL], &views[IU], q);
    } else if (q->compz == RANGE_INTERVAL) {
        Matrix a = matrix_read(&views[A], arena);
        Spectrum doubled = singular_spectrum(&a, arena), s = ascending(q, &doubled);
        chosen_put_ends(&views[VL], &views[VU], &s, smaller(q), q, true);
    }
}

/* Which of the values, ascending, were found. */
static Chosen choose(Ref *refs, const ReferenceInput *input, const Matrix *a,
                     const Spectrum *doubled, const double *got, Arena *arena)
{
    const Lapack *q = input->params;
    int64_t found = lapack_integer(&input->computed[NS], 0), count = most_of(q), n = smaller(q);
    if (q->compz != RANGE_INTERVAL) {
        lapack_put_integer(&refs[NS], 0, found, count, count);
        int64_t first = q->compz == RANGE_INDICES ? n - q->ihi : 0;
        return (Chosen){.first = first, .count = count, .known = found == count};
    }
    double *w = arena_take(arena, (size_t)n + 1, sizeof *w);
    Spectrum s = ascending(q, doubled);
    for (int64_t i = 0; i < found && i < n; i++)
        w[i] = got[(found < n ? found : n) - 1 - i];
    return chosen_of_interval(&refs[NS], &s, n,
                              singular_distance((DType)q->dtype, a, doubled) + doubled->error,
                              &input->tensors[VL], &input->tensors[VU], w, found);
}

/* The first columns of a matrix. */
static Matrix first_columns(const Matrix *x, int64_t count, Arena *arena)
{
    Matrix to = matrix_zeros(x->rows, count, arena);
    for (int64_t i = 0; i < x->rows; i++)
        for (int64_t j = 0; j < count; j++)
            *matrix_at(&to, i, j) = *matrix_at(x, i, j);
    return to;
}

static void judge_vectors(Ref *refs, const ReferenceInput *input, const Matrix *a, const double *s,
                          int64_t count, double norm, Arena *arena)
{
    const Lapack *q = input->params;
    Matrix left = matrix_read(&input->computed[U], arena);
    Matrix stored = matrix_read(&input->computed[V], arena);
    Matrix turned_a = lapack_transposed(a, true, arena), u = {0}, v = {0};
    if (q->jobvl)
        u = first_columns(&left, count, arena);
    if (q->jobvr) {
        Matrix right = lapack_transposed(&stored, true, arena);
        v = first_columns(&right, count, arena);
    }
    if (q->jobvl && q->jobvr) {
        singular_put_vectors(&refs[U], 0, a, &u, &v, s, count, norm, false);
        singular_put_vectors(&refs[V], 0, &turned_a, &v, &u, s, count, norm, true);
    } else if (q->jobvl)
        singular_put_alone(&refs[U], 0, a, &u, s, norm, false, arena);
    else if (q->jobvr)
        singular_put_alone(&refs[V], 0, &turned_a, &v, s, norm, true, arena);
}

/* What lies behind the values and vectors that were found is no result. */
static void leave_rest(Ref *refs, int64_t found, Arena *arena)
{
    for (size_t i = (size_t)found; i < refs[S].count; i++)
        ref_leave(&refs[S], i, arena);
    matrix_leave(&refs[U], 0, found, arena);
    matrix_leave(&refs[V], found, 0, arena);
}

/* Where all or some numbers are asked for, fewer tell of a NaN. */
static void demand_nan(Ref *refs, const ReferenceInput *input, int64_t found, Arena *arena)
{
    const Lapack *q = input->params;
    if (lapack_integer(&input->computed[INFO], 0) == 0 &&
        (q->compz == RANGE_INTERVAL || found == most_of(q)))
        lapack_demand_nan(&refs[S], &input->computed[S], found, arena);
}

static void judge(Ref *refs, const ReferenceInput *input, const Matrix *a, const Spectrum *d,
                  Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    bool moderate = d->known && d->norm < dtype_format((DType)q->dtype)->largest / 16;
    int64_t n = smaller(q), found = lapack_integer(&computed[NS], 0);
    found = found < 0 ? 0 : found < n ? found : n;
    leave_rest(refs, found, arena);
    lapack_put_known(&refs[INFO], &computed[INFO], moderate, 0);
    if (!moderate || lapack_integer(&computed[INFO], 0) != 0) {
        lapack_put_known(&refs[NS], &computed[NS], false, 0);
        if (matrix_has_nan(a))
            demand_nan(refs, input, found, arena);
        return;
    }
    double *s = arena_take(arena, (size_t)n + 1, sizeof *s);
    for (int64_t i = 0; i < n; i++)
        s[i] = dtype_load(computed[S].dtype, computed[S].origin, i);
    Chosen chosen = choose(refs, input, a, d, s, arena);
    if (!chosen.known)
        return;
    singular_put_some(&refs[S], 0, (DType)q->dtype, a, d, s, n - chosen.first - chosen.count,
                      chosen.count);
    judge_vectors(refs, input, a, s, chosen.count, d->norm > 0 ? d->norm : 1, arena);
}

/* Those that were asked for, of exact values, ascending. */
static Chosen ask(const ReferenceInput *input, const Spectrum *s)
{
    const Lapack *q = input->params;
    int64_t n = smaller(q);
    Chosen to = {.first = q->compz == RANGE_INDICES ? n - q->ihi : 0, .count = most_of(q)};
    if (q->compz == RANGE_INTERVAL && s->known) {
        const Tensor *vl = &input->tensors[VL], *vu = &input->tensors[VU];
        to.first = chosen_up_to(s, n, dtype_load(vl->dtype, vl->origin, 0));
        to.count = chosen_up_to(s, n, dtype_load(vu->dtype, vu->origin, 0)) - to.first;
    }
    return to;
}

/* One right result. */
static void put_plain(Ref *refs, const ReferenceInput *input, const Matrix *a, const Spectrum *d,
                      Arena *arena)
{
    const Lapack *q = input->params;
    int64_t n = smaller(q);
    Spectrum s = ascending(q, d);
    Chosen chosen = ask(input, &s);
    int64_t from = n - chosen.first - chosen.count;
    Matrix u = singular_vectors(d, a, 0, q->m, n, arena);
    Matrix v = singular_vectors(d, a, q->m, q->n, n, arena);
    Matrix left = matrix_zeros(q->m, input->tensors[U].extent[1], arena);
    Matrix right = matrix_zeros(input->tensors[V].extent[0], q->n, arena);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    lapack_put_integer(&refs[NS], 0, chosen.count, 0, n);
    for (int64_t k = 0; k < chosen.count; k++) {
        double exact = s.values[chosen.first + chosen.count - 1 - k], value = exact < 0 ? 0 : exact;
        ref_set_exact(&refs[S], (size_t)k, dtype_round(refs[S].dtype, value), MATCH_VALUE);
        for (int64_t i = 0; i < q->m && q->jobvl; i++)
            *matrix_at(&left, i, k) = *matrix_at(&u, i, from + k);
        for (int64_t i = 0; i < q->n && q->jobvr; i++)
            *matrix_at(&right, k, i) = scalar_conjugate(*matrix_at(&v, i, from + k));
    }
    if (q->jobvl)
        matrix_put_rounded(&left, &refs[U]);
    if (q->jobvr)
        matrix_put_rounded(&right, &refs[V]);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *given = input->tensors;
    Matrix a = matrix_read(&given[A], arena);
    for (int i = A; i <= V; i++)
        if (i == A || i >= S)
            lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[NS], &given[NS], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    Spectrum d = singular_spectrum(&a, arena);
    if (input->computed)
        judge(refs, input, &a, &d, arena);
    else
        put_plain(refs, input, &a, &d, arena);
}

const OpDesc op_gesvdx = {
    .name = "gesvdx",
    .summary = "chosen singular values and vectors by bisection",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .derive = derive,
    .policy = "nan-lost",
};
