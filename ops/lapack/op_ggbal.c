/* Balancing of a square pencil before its eigenvalues are found, as `job` says: L P A Q R and
 * L P B Q R in place of A and B, P and Q interchanges that make rows and columns before ilo and
 * behind ihi those of upper triangles, L and R diagonals within ilo to ihi.  lscale(j) is the row,
 * and rscale(j) the column, that was exchanged with j where j is outside, of the exchanges from n
 * to ihi + 1 and then from 1 to ilo - 1, and an element of L, or R, within (dggbal.f).
 *
 * Given ilo, ihi, lscale and rscale as they were computed, an element a becomes l a r, rounded
 * twice: l and r need not be powers of two.  In the first product, of either factor, an underflow
 * is up to half the least subnormal number, which the other factor multiplies (Higham, Accuracy
 * and Stability of Numerical Algorithms, 2nd ed., section 2.1).  Where a product may leave the
 * range on the way nothing is said of it.
 *
 * Conventions, which no text demands:
 * - All rows with at most one element other than 0 in either matrix are found, and so are columns.
 *   Lemma.  The rest is the same whatever the order, unless a line without elements comes up.
 *   Proof.  Taking away row i and column j, of which the one has its only element in the other,
 *   leaves another such row i' as it is, unless its element is in column j as well; then that row
 *   has none afterwards, in any order.  So two steps exchange, and orders end alike.  QED.  Where
 *   such a line comes up, what is left depends on which column is taken, and nothing is said of it.
 * - Ward's method (Balancing the generalized eigenvalue problem, SIAM Journal on Scientific and
 *   Statistical Computing 2, 1981) makes S, the sum of the squares of log10 |l a r| over the
 *   elements within, least, by conjugate gradients, which never makes it more; exponents of ten
 *   are rounded, which moves a logarithm by 1 at most, and so sqrt S by sqrt N, N the number of
 *   elements.  Where no element is 0 the first step gives the least S, that of means of rows and of
 *   columns, and it stops at steps below 1/2: twice sqrt N is admitted beside it.  Both as far as
 *   elements are far from the ends of the range.
 *
 * "If JOB = 'N', A is not referenced": then A and B are no outputs, and ilo = 1, ihi = n and
 * factors are 1, whatever they hold.  A block of one line is left as it is by all, and where moduli
 * are not within the range nothing is said. */
#include <math.h>

#include "balance.h"
#include "reference/function.h"
#include "reference/wide_complex.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, job, lapack_balances, "what is done"),
    LAPACK_N("rows and columns of A and B"),
    LAPACK_LDA,
    LAPACK_LDB,
    LAPACK_MATRIX,
    P_END,
};
static const char *const tensors[] = {"a", "b", "ilo", "ihi", "lscale", "rscale", "info", NULL};
enum { A, B, ILO, IHI, LSCALE, RSCALE, INFO };

static bool permutes(const Lapack *q)
{
    return q->job & 1;
}

static bool scales(const Lapack *q)
{
    return q->job & 2;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    TensorSpec *spec = shapes->tensor;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    for (int i = A; i <= B; i++) {
        spec[i] =
            lapack_matrix(q, q->n, q->n, i == A ? q->lda : q->ldb, q->job ? ROLE_INOUT : ROLE_IN);
        spec[i].ignored = !q->job;
        if (q->job)
            spec[i].arrangement = lapack_arrangement(q);
    }
    spec[ILO] = spec[IHI] = spec[INFO] = lapack_integers(1);
    spec[LSCALE] = spec[RSCALE] = lapack_real_vector(q, q->n);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 120 * lapack_parts(q) * (double)(q->n * q->n + 8);
}

/* Both matrices; exchanges and factors of rows and of columns. */
typedef struct Balanced {
    Matrix m[2];
    Balancing rows, columns;
} Balanced;

static void exchange_columns(Matrix *a, int64_t j, int64_t with)
{
    for (int64_t i = 0; i < a->rows; i++) {
        Scalar kept = *matrix_at(a, i, j);
        *matrix_at(a, i, j) = *matrix_at(a, i, with);
        *matrix_at(a, i, with) = kept;
    }
}

static void exchange(Balanced *p, int64_t j)
{
    int64_t n = p->m[0].rows;
    for (int which = 0; which < 2; which++) {
        matrix_exchange_rows(&p->m[which], j, balance_partner(&p->rows, n, j));
        exchange_columns(&p->m[which], j, balance_partner(&p->columns, n, j));
    }
}

static void permute(Balanced *p)
{
    for (int64_t j = p->m[0].rows - 1; j >= p->rows.end; j--)
        exchange(p, j);
    for (int64_t j = 0; j < p->rows.first; j++)
        exchange(p, j);
}

static double factor_of(const Balancing *b, int64_t i)
{
    return i >= b->first && i < b->end ? b->scale[i] : 1;
}

/* Whether either matrix has an element there. */
static bool has_element(const Balanced *p, int64_t i, int64_t j)
{
    return !scalar_is_zero(*matrix_at(&p->m[0], i, j)) ||
           !scalar_is_zero(*matrix_at(&p->m[1], i, j));
}

/* How many elements a row, or a column, has between first and end, and where the last one is. */
static int64_t elements_of(const Balanced *p, bool column, int64_t i, int64_t *where)
{
    int64_t count = 0;
    for (int64_t k = p->rows.first; k < p->rows.end; k++)
        if (column ? has_element(p, k, i) : has_element(p, i, k)) {
            count++;
            *where = k;
        }
    return count;
}

/* Moves a row with at most one element to the end, or such a column to the front; false where there
 * is none.  is_regular becomes false where it has none. */
static bool isolate_line(Balanced *p, bool column, bool *is_regular)
{
    for (int64_t i = p->rows.first; i < p->rows.end; i++) {
        int64_t with = p->rows.end - 1, count = elements_of(p, column, i, &with);
        if (count > 1)
            continue;
        int64_t to = column ? p->rows.first : p->rows.end - 1;
        p->rows.scale[to] = (double)(column ? with : i) + 1;
        p->columns.scale[to] = (double)(column ? i : with) + 1;
        *is_regular = *is_regular && count == 1;
        exchange(p, to);
        p->rows.first += column;
        p->rows.end -= !column;
        p->columns.first = p->rows.first;
        p->columns.end = p->rows.end;
        return true;
    }
    return false;
}

/* Takes lines away until one is left at most; false where a line without elements came up. */
static bool isolate(Balanced *p)
{
    bool is_regular = true;
    for (int side = 0; side < 2; side++)
        while (p->rows.end - p->rows.first > 1 && isolate_line(p, side == 1, &is_regular))
            continue;
    return is_regular;
}

static Balanced start(const Matrix given[2], Arena *arena)
{
    int64_t n = given[0].rows;
    Balanced p = {.m = {matrix_copy(&given[0], arena), matrix_copy(&given[1], arena)}};
    p.rows = (Balancing){0, n, arena_take(arena, (size_t)n + 1, sizeof(double))};
    p.columns = (Balancing){0, n, arena_take(arena, (size_t)n + 1, sizeof(double))};
    for (int64_t j = 0; j < n; j++)
        p.rows.scale[j] = p.columns.scale[j] = 1;
    return p;
}

/* log10 of an element within, and of its factors. */
static double logarithm(const Balanced *p, int which, int64_t i, int64_t j)
{
    Scalar x = *matrix_at(&p->m[which], i, j);
    return (double)log10l(hypotl(x.re, x.im));
}

/* Sums over the elements within; rows and columns: of each line, in place of their factors. */
typedef struct Sums {
    double count, before, after, all, rows, columns; /* squares; of all, and of lines, plain sums */
    bool full, moderate;
} Sums;

static Sums sums_of(const Balanced *p, double most)
{
    Sums s = {.full = true, .moderate = true};
    for (int64_t i = p->rows.first; i < p->rows.end; i++) {
        double row = 0, column = 0;
        for (int64_t k = p->rows.first; k < p->rows.end; k++)
            for (int which = 0; which < 2; which++) {
                double size = logarithm(p, which, i, k), other = logarithm(p, which, k, i);
                s.full = s.full && isfinite(size);
                if (!isfinite(size))
                    continue;
                double scaled = size + log10(p->rows.scale[i]) + log10(p->columns.scale[k]);
                s.moderate = s.moderate && fabs(size) < most;
                s.count++;
                s.before += size * size;
                s.after += scaled * scaled;
                row += size;
                column += other;
            }
        s.all += row;
        s.rows += row * row;
        s.columns += column * column;
    }
    return s;
}

/* Whether S is no more than admitted. */
static bool is_balanced(const Balanced *p, DType dtype)
{
    double most = dtype_format(dtype)->maximum_exponent * 0.3 / 8,
           n = (double)p->rows.end - (double)p->rows.first;
    Sums s = sums_of(p, most);
    if (!s.moderate || n < 2 || s.count == 0)
        return true;
    double step = sqrt(s.count) * (1 + 0x1p-20) + 0x1p-20;
    if (!(sqrt(s.after) <= sqrt(s.before) + step))
        return false;
    /* What means of rows and columns leave of the sum of squares. */
    double least = s.before - (s.rows + s.columns) / (2 * n) + s.all * s.all / s.count;
    return !s.full || sqrt(s.after) <= sqrt(fmax(least, 0)) + 2 * step;
}

static void put_element(Ref *ref, const Balanced *p, int which, int64_t i, int64_t j)
{
    const Format *format = dtype_format(ref->dtype);
    double l = factor_of(&p->rows, i), r = factor_of(&p->columns, j), most = fmax(1, fmax(l, r));
    bool is_zero = i > j && (j < p->rows.first || i >= p->rows.end);
    Scalar x = *matrix_at(&p->m[which], i, j);
    for (int part = 0; part < dtype_components(ref->dtype); part++) {
        size_t at = matrix_element(ref, i, j) + (size_t)part;
        long double size = part ? x.im : x.re, value = size * l * r;
        if (is_zero)
            ref_set_exact(ref, at, 0, MATCH_VALUE);
        else if (l == 1 && r == 1)
            ref_set_exact(ref, at, (double)size, MATCH_VALUE);
        else if (!(fabsl(size) * most < format->largest / 4 && fabsl(value) < format->largest / 4))
            ref_set_classes(ref, at, CLASS_ANY);
        else
            ref_put_bounded(ref, at, value, (double)fabsl(value) * 0x1p-62,
                            (double)fabsl(value) * 2 * format->unit * (1 + 0x1p-8) +
                                format->smallest_subnormal * (1 + most));
    }
}

static void put_scale(Ref *ref, const Lapack *q, const Balancing *b, bool balanced)
{
    for (int64_t j = 0; j < q->n; j++) {
        bool inside = j >= b->first && j < b->end;
        bool legal = isfinite(b->scale[j]) && b->scale[j] > 0;
        double right = !inside                ? (double)balance_partner(b, q->n, j) + 1
                       : !scales(q) || !legal ? 1
                       : balanced             ? b->scale[j]
                                              : 1024 * b->scale[j];
        ref_set_exact(ref, (size_t)j, right, MATCH_VALUE);
    }
}

static void judge(Ref *refs, const Lapack *q, const Matrix given[2], const Tensor *computed,
                  Arena *arena)
{
    const Tensor left[3] = {computed[ILO], computed[IHI], computed[LSCALE]};
    const Tensor right[3] = {computed[ILO], computed[IHI], computed[RSCALE]};
    int64_t n = q->n, ilo = lapack_integer(&computed[ILO], 0);
    int64_t ihi = lapack_integer(&computed[IHI], 0);
    Balanced p = start(given, arena);
    bool known = !permutes(q) || isolate(&p);
    int64_t rest = p.rows.end - p.rows.first;
    if (known) {
        lapack_put_integer(&refs[ILO], 0, ilo, 1, n > 0 ? n - rest + 1 : 1);
        lapack_put_integer(&refs[IHI], 0, ihi, ilo + rest - 1, ilo + rest - 1);
    } else {
        lapack_put_integer(&refs[ILO], 0, ilo, 1, n);
        lapack_put_integer(&refs[IHI], 0, ihi, ilo, n);
    }
    p = start(given, arena);
    if (!balance_read(&p.rows, n, left, arena) || !balance_read(&p.columns, n, right, arena))
        return;
    permute(&p);
    bool balanced = !scales(q) || is_balanced(&p, (DType)q->dtype);
    put_scale(&refs[LSCALE], q, &p.rows, balanced);
    put_scale(&refs[RSCALE], q, &p.columns, true);
    for (int which = 0; which < 2 && q->job; which++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                put_element(&refs[A + which], &p, which, i, j);
}

/* The mean of the logarithms of a line within, by powers of two, with the factors of the other
 * side. */
static double line_mean(const Balanced *p, bool column, int64_t i)
{
    const Balancing *other = column ? &p->rows : &p->columns;
    double sum = 0, count = 0;
    for (int64_t k = p->rows.first; k < p->rows.end; k++)
        for (int which = 0; which < 2; which++) {
            double size = column ? logarithm(p, which, k, i) : logarithm(p, which, i, k);
            sum += isfinite(size) ? size / log10(2) + log2(other->scale[k]) : 0;
            count += isfinite(size);
        }
    return count > 0 ? sum / count : 0;
}

/* One right result: means of lines are made 0 by turns. */
static void compute(Ref *refs, const Lapack *q, const Matrix given[2], Arena *arena)
{
    enum { SWEEPS = 12 };
    Balanced p = start(given, arena);
    double most = dtype_format((DType)q->dtype)->maximum_exponent / 4.0;
    if (permutes(q))
        (void)isolate(&p);
    for (int sweep = 0; sweep < SWEEPS && scales(q); sweep++) {
        Balancing *own = sweep % 2 ? &p.columns : &p.rows;
        for (int64_t i = own->first; i < own->end; i++)
            own->scale[i] = exp2(rint(fmax(-most, fmin(-line_mean(&p, sweep % 2, i), most))));
    }
    lapack_put_integer(&refs[ILO], 0, p.rows.first + 1, p.rows.first + 1, p.rows.first + 1);
    lapack_put_integer(&refs[IHI], 0, p.rows.end, p.rows.end, p.rows.end);
    for (int64_t j = 0; j < q->n; j++) {
        ref_set_exact(&refs[LSCALE], (size_t)j, p.rows.scale[j], MATCH_VALUE);
        ref_set_exact(&refs[RSCALE], (size_t)j, p.columns.scale[j], MATCH_VALUE);
    }
    for (int which = 0; which < 2 && q->job; which++) {
        Matrix *m = &p.m[which];
        for (int64_t i = 0; i < q->n * q->n; i++) {
            double by = factor_of(&p.rows, i / q->n) * factor_of(&p.columns, i % q->n);
            m->values[i] = (Scalar){m->values[i].re * by, m->values[i].im * by};
        }
        matrix_put_rounded(m, &refs[A + which]);
    }
}

/* Moduli within the range. */
static bool is_moderate(const Matrix *a, DType dtype)
{
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        if (!(hypot(a->values[i].re, a->values[i].im) <= dtype_format(dtype)->largest))
            return false;
    return true;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix m[2];
    bool finite = true;
    for (int which = 0; which < 2; which++) {
        m[which] = q->job ? matrix_read(&given[A + which], arena) : matrix_zeros(q->n, q->n, arena);
        finite = finite && is_moderate(&m[which], (DType)q->dtype);
        if (q->job)
            lapack_admit_all(&refs[A + which], &given[A + which], arena);
        lapack_admit_all(&refs[LSCALE + which], &given[LSCALE + which], arena);
        ref_allocate_exact(&refs[ILO + which], &given[ILO + which], arena);
    }
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    if (!input->computed) {
        compute(refs, q, m, arena);
        return;
    }
    for (int i = ILO; i <= IHI; i++)
        lapack_put_known(&refs[i], &input->computed[i], false, 0);
    if (finite)
        judge(refs, q, m, input->computed, arena);
}

const OpDesc op_ggbal = {
    .name = "ggbal",
    .summary = "balancing of a square pencil by interchanges and diagonals",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
