/* Eigenvalues of a symmetric tridiagonal matrix by bisection, all or those that are chosen
 * (chosen.h), and the blocks that it splits into: w(i) is one of block iblock(i), of which the rows
 * end in isplit.  As `sorted` says values ascend, or those of each block do, one block after the
 * other.  abstol is 0.
 *
 * Theorem (Kahan, Accurate eigenvalues of a symmetric tridiagonal matrix, report CS41, Stanford
 * University, 1966; Demmel, Dhillon and Ren, On the correctness of some bisection-like parallel
 * eigenvalue algorithms in floating point arithmetic, ETNA 3, 1995).  The number of negative pivots
 * that are computed for T - x I is that of a matrix whose elements are off by a few roundings of
 * themselves.  Intervals are halved until they are a few roundings of |T| wide (dstebz.f, ABSTOL),
 * and elements beside the diagonal of at most 2 u sqrt |d_i d_(i+1)| + sqrt safmin are taken for 0,
 * all of which p(n) u |T| has room for where |T| is at least sqrt safmin / (25 u): w is within that
 * of the exact values (Weyl), and counts are those of ends that are moved by as much.
 *
 * "At each row/column j where E(j) is zero or small, the matrix T is considered to split": where it
 * is 0 it must, and where it is above p(n) u |T| it must not, a convention.  w(i) is within the
 * same of a value of its block.
 *
 * Matrices whose largest element is above overflow^(1/2) underflow^(1/4), or is smaller than above,
 * are to be scaled (dstebz.f): nothing is said of these, nor of numbers that are not finite. */
#include <limits.h>
#include <math.h>

#include "chosen.h"
#include "reference/function.h"

static const char *const orders[] = {"entire", "blocks", NULL};
static const Param params[] = {
    LAPACK_DTYPE,
    P_CHOICE_AS("sorted", Lapack, job, orders, "values ascend, or those of each block do"),
    LAPACK_N("rows and columns of T"),
    LAPACK_CHOSEN,
    P_END,
};
static const char *const tensors[] = {"d", "e",      "vl", "vu",     "il",     "iu",   "abstol",
                                      "m", "nsplit", "w",  "iblock", "isplit", "info", NULL};
enum { D, E, VL, VU, IL, IU, ABSTOL, M, NSPLIT, W, IBLOCK, ISPLIT, INFO };

static void normalise(void *of)
{
    chosen_normalise(of, ((Lapack *)of)->n);
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    TensorSpec *spec = shapes->tensor;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    spec[D] = lapack_real_vector(q, q->n);
    spec[E] = lapack_real_vector(q, q->n > 1 ? q->n - 1 : 0);
    spec[D].role = spec[E].role = ROLE_IN;
    for (int i = VL; i <= IU; i++) {
        spec[i] = i < IL ? blas_number((DType)q->dtype, ROLE_IN) : lapack_pivots(1);
        spec[i].derived = q->compz == (i < IL ? RANGE_INTERVAL : RANGE_INDICES);
        spec[i].ignored = !spec[i].derived;
    }
    spec[ABSTOL] = blas_number((DType)q->dtype, ROLE_IN);
    spec[ABSTOL].arrangement = ARRANGED_SINGULAR;
    spec[M] = spec[NSPLIT] = spec[INFO] = lapack_integers(1);
    spec[W] = lapack_real_vector(q, q->n);
    spec[IBLOCK] = spec[ISPLIT] = lapack_integers(q->n);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 120 * (double)(q->n * q->n) * (double)(q->n + 8);
}

/* T and its spectrum. */
typedef struct Tridiagonal {
    Matrix d, e;
    Spectrum s;
    double off; /* how far a value may be */
    bool known;
} Tridiagonal;

static Tridiagonal read_problem(const Lapack *q, const Tensor *given, Arena *arena)
{
    Tridiagonal t = {.d = matrix_read(&given[D], arena), .e = matrix_read(&given[E], arena)};
    Matrix lower = chosen_tridiagonal(&t.d, &t.e, 0, q->n, arena);
    t.s = spectrum_of(&lower, arena);
    t.off = chosen_distance(&t.s, q);
    t.known = chosen_is_scaled(&t.s, (DType)q->dtype);
    return t;
}

static void derive(const OpDesc *op, const void *of, const Tensor *views, Arena *arena)
{
    const Lapack *q = of;
    (void)op;
    if (q->compz == RANGE_INDICES) {
        chosen_put_numbers(&views[IL], &views[IU], q);
    } else if (q->compz == RANGE_INTERVAL) {
        Tridiagonal t = read_problem(q, views, arena);
        chosen_put_ends(&views[VL], &views[VU], &t.s, q->n, q, false);
    }
}

/* The last row of the block that begins in row `first`, by zeros alone. */
static int64_t end_by_zeros(const Tridiagonal *t, int64_t first)
{
    int64_t end = first;
    while (end < t->e.rows && t->e.values[end].re != 0)
        end++;
    return end + 1;
}

/* Judges where blocks end; their ends, which stop at n, and how many there are. */
static int64_t judge_blocks(Ref *refs, const Tensor *computed, const Tridiagonal *t, int64_t *ends,
                            Arena *arena)
{
    int64_t n = t->d.rows, count = 0, first = 0;
    int64_t told = lapack_integer(&computed[NSPLIT], 0);
    for (; first < n; count++) {
        int64_t at_most = end_by_zeros(t, first);
        int64_t end = count < n ? lapack_integer(&computed[ISPLIT], count) : n;
        bool legal = end > first && end <= at_most;
        legal = legal && (end == n || fabs(t->e.values[end - 1].re) <= t->off);
        ends[count] = legal ? end : at_most;
        lapack_put_integer(&refs[ISPLIT], count, ends[count], ends[count], ends[count]);
        first = ends[count];
    }
    lapack_put_integer(&refs[NSPLIT], 0, told, count, count);
    if (n == 0)
        ref_leave(&refs[NSPLIT], 0, arena);
    return count;
}

/* How far a value is from those of a block. */
static double distance_to(const Spectrum *block, int64_t n, double w)
{
    double least = INFINITY;
    for (int64_t i = 0; i < n; i++)
        least = fmin(least, fabs(block->values[i] - w));
    return least;
}

static void judge_places(Ref *refs, const ReferenceInput *input, const Tridiagonal *t,
                         const double *w, int64_t found, Arena *arena)
{
    const Lapack *q = input->params;
    int64_t n = q->n;
    int64_t *ends = arena_take(arena, (size_t)n + 1, sizeof *ends);
    int64_t count = judge_blocks(refs, input->computed, t, ends, arena);
    Spectrum *blocks = arena_take(arena, (size_t)count + 1, sizeof *blocks);
    for (int64_t b = 0; b < count; b++) {
        Matrix lower = chosen_tridiagonal(&t->d, &t->e, b > 0 ? ends[b - 1] : 0, ends[b], arena);
        blocks[b] = spectrum_of(&lower, arena);
    }
    for (int64_t i = 0; i < found; i++) {
        int64_t told = lapack_integer(&input->computed[IBLOCK], i), nearest = 0;
        double least = INFINITY;
        for (int64_t b = 0; b < count; b++) {
            int64_t size = ends[b] - (b > 0 ? ends[b - 1] : 0);
            double distance = distance_to(&blocks[b], size, w[i]);
            nearest = distance < least ? b + 1 : nearest;
            least = fmin(least, distance);
            if (told == b + 1 && distance <= t->off)
                nearest = told, least = -1;
        }
        int64_t before = i > 0 ? lapack_integer(&input->computed[IBLOCK], i - 1) : 1;
        if (q->job && nearest < before && before <= count)
            nearest = before;
        lapack_put_integer(&refs[IBLOCK], i, nearest, nearest, nearest);
    }
    for (size_t i = (size_t)found; i < refs[IBLOCK].count; i++)
        ref_leave(&refs[IBLOCK], i, arena);
    for (size_t i = (size_t)count; i < refs[ISPLIT].count; i++)
        ref_leave(&refs[ISPLIT], i, arena);
}

/* Numbers of w so that values ascend. */
static int64_t *ascending(const double *w, int64_t count, Arena *arena)
{
    int64_t *at = arena_take(arena, (size_t)count + 1, sizeof *at);
    for (int64_t i = 0; i < count; i++) {
        int64_t k = i;
        for (; k > 0 && w[at[k - 1]] > w[i]; k--)
            at[k] = at[k - 1];
        at[k] = i;
    }
    return at;
}

static void judge_values(Ref *refs, const ReferenceInput *input, const Tridiagonal *t,
                         const double *w, int64_t found, Arena *arena)
{
    const Lapack *q = input->params;
    int64_t *at = ascending(w, found, arena);
    double *sorted = arena_take(arena, (size_t)found + 1, sizeof *sorted);
    for (int64_t k = 0; k < found; k++)
        sorted[k] = w[at[k]];
    Chosen chosen;
    if (q->compz == RANGE_INTERVAL)
        chosen = chosen_of_interval(&refs[M], &t->s, q->n, t->off, &input->tensors[VL],
                                    &input->tensors[VU], sorted, found);
    else {
        int64_t count = q->compz == RANGE_ALL ? q->n : q->ihi - q->ilo + 1;
        lapack_put_integer(&refs[M], 0, found, count, count);
        chosen = (Chosen){.first = q->ilo - 1, .count = count, .known = found == count};
    }
    if (!chosen.known)
        return;
    for (int64_t k = 0; k < found; k++)
        ref_put_bounded(&refs[W], (size_t)at[k], t->s.values[chosen.first + k], t->s.error, t->off);
    for (int64_t i = 1; i < found; i++) {
        bool together = !q->job || lapack_integer(&input->computed[IBLOCK], i) ==
                                       lapack_integer(&input->computed[IBLOCK], i - 1);
        if (together && w[i] < w[i - 1])
            ref_set_exact(&refs[W], (size_t)i, w[i - 1], MATCH_VALUE);
    }
    for (size_t i = (size_t)found; i < refs[W].count; i++)
        ref_leave(&refs[W], i, arena);
}

static void judge(Ref *refs, const ReferenceInput *input, const Tridiagonal *t, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    int64_t found = lapack_integer(&computed[M], 0);
    lapack_put_known(&refs[INFO], &computed[INFO], t->known, 0);
    if (!t->known || lapack_integer(&computed[INFO], 0) != 0) {
        lapack_put_known(&refs[M], &computed[M], false, 0);
        lapack_put_known(&refs[NSPLIT], &computed[NSPLIT], false, 0);
        return;
    }
    found = found < 0 ? 0 : found > q->n ? q->n : found;
    double *w = arena_take(arena, (size_t)q->n + 1, sizeof *w);
    for (int64_t i = 0; i < found; i++)
        w[i] = dtype_load(computed[W].dtype, computed[W].origin, i);
    judge_values(refs, input, t, w, found, arena);
    judge_places(refs, input, t, w, found, arena);
}

/* One right result, of blocks by zeros. */
static void compute(Ref *refs, const ReferenceInput *input, const Tridiagonal *t, Arena *arena)
{
    const Lapack *q = input->params;
    int64_t n = q->n, count = 0, first = 0, all = 0, low = q->ilo - 1, high = q->ihi;
    double *w = arena_take(arena, (size_t)n + 1, sizeof *w);
    int64_t *block = arena_take(arena, (size_t)n + 1, sizeof *block);
    for (; first < n; count++) {
        int64_t end = end_by_zeros(t, first);
        Matrix lower = chosen_tridiagonal(&t->d, &t->e, first, end, arena);
        Spectrum s = spectrum_of(&lower, arena);
        for (int64_t i = 0; i < end - first; i++, all++) {
            w[all] = s.values[i];
            block[all] = count + 1;
        }
        lapack_put_integer(&refs[ISPLIT], count, end, end, end);
        first = end;
    }
    int64_t *at = ascending(w, n, arena);
    bool *wanted = arena_take_zeroed(arena, (size_t)n + 1, sizeof *wanted);
    if (q->compz == RANGE_ALL)
        high = n;
    if (q->compz == RANGE_INTERVAL) {
        low = chosen_up_to(&t->s, n, dtype_load(refs[W].dtype, input->tensors[VL].origin, 0));
        high = chosen_up_to(&t->s, n, dtype_load(refs[W].dtype, input->tensors[VU].origin, 0));
    }
    for (int64_t k = low; k < high; k++)
        wanted[at[k]] = true;
    int64_t found = 0;
    for (int64_t k = 0; k < n; k++) {
        int64_t i = q->job ? k : at[k];
        if (!wanted[i])
            continue;
        ref_set_exact(&refs[W], (size_t)found, dtype_round(refs[W].dtype, w[i]), MATCH_VALUE);
        lapack_put_integer(&refs[IBLOCK], found++, block[i], 1, n);
    }
    lapack_put_integer(&refs[M], 0, found, found, found);
    lapack_put_integer(&refs[NSPLIT], 0, count, count, count);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *given = input->tensors;
    lapack_admit_all(&refs[W], &given[W], arena);
    for (int i = M; i <= INFO; i++) {
        if (i == W)
            continue;
        ref_allocate_exact(&refs[i], &given[i], arena);
        for (size_t k = 0; k < refs[i].count; k++) {
            lapack_put_integer(&refs[i], (int64_t)k, 0, 0, 0);
            if (i == IBLOCK || i == ISPLIT)
                ref_set_classes(&refs[i], k, CLASS_ANY);
        }
    }
    Tridiagonal t = read_problem(input->params, given, arena);
    if (input->computed)
        judge(refs, input, &t, arena);
    else if (t.s.known)
        compute(refs, input, &t, arena);
}

const OpDesc op_stebz = {
    .name = "stebz",
    .summary = "eigenvalues of a tridiagonal matrix by bisection",
    LAPACK_OP_TABLES,
    .dtypes = DTYPES_REAL,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .derive = derive,
};
