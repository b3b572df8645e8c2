/* Orders of Schur forms by their values. */
#include "reorder.h"

#include <math.h>

#include "dense.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "spectrum.h"

int64_t schur_block_first(const Matrix *t, bool real, int64_t i)
{
    return real && i > 0 && i < t->rows && matrix_at(t, i, i - 1)->re != 0 ? i - 1 : i;
}

int64_t schur_block_last(const Matrix *t, bool real, int64_t i)
{
    return real && i + 1 < t->rows && matrix_at(t, i + 1, i)->re != 0 ? i + 1 : i;
}

SchurChoice schur_choice(const Matrix *t, const Tensor *select, bool real, Arena *arena)
{
    int64_t n = t->rows;
    SchurChoice to = {.labels = arena_take_zeroed(arena, (size_t)n + 1, sizeof *to.labels),
                      .at = arena_take_zeroed(arena, (size_t)n + 1, sizeof *to.at)};
    for (int64_t i = 0; i < n; i++) {
        int64_t last = schur_block_last(t, real, i);
        bool chosen = tensor_value(select, i) != 0 || tensor_value(select, last) != 0;
        to.has_pairs = to.has_pairs || last > i;
        to.labels[i] = to.labels[last] = chosen;
        to.count += chosen ? last - i + 1 : 0;
        i = last;
    }
    for (int64_t i = 0; i < to.count; i++)
        to.at[i] = 1;
    return to;
}

/* Both values of the block in rows i and i + 1. */
static void put_block_values(const Matrix *t, int64_t i, Scalar *to)
{
    long double a = matrix_at(t, i, i)->re, b = matrix_at(t, i, i + 1)->re;
    long double c = matrix_at(t, i + 1, i)->re, d = matrix_at(t, i + 1, i + 1)->re;
    long double half = (a - d) / 2, square = half * half + b * c, mean = (a + d) / 2;
    double root = (double)sqrtl(fabsl(square));
    to[0] = square < 0 ? (Scalar){(double)mean, root} : (Scalar){(double)(mean + root), 0};
    to[1] = square < 0 ? (Scalar){(double)mean, -root} : (Scalar){(double)(mean - root), 0};
}

static Scalar *values_of(const Matrix *t, bool real, Arena *arena)
{
    Scalar *to = arena_take(arena, (size_t)t->rows + 1, sizeof *to);
    for (int64_t i = 0; i < t->rows; i++) {
        to[i] = *matrix_at(t, i, i);
        if (schur_block_last(t, real, i) == i)
            continue;
        put_block_values(t, i, to + i);
        i++;
    }
    return to;
}

static double distance(Scalar x, Scalar y)
{
    return hypot(x.re - y.re, x.im - y.im);
}

SchurValues schur_values(const Matrix *t, bool real, Arena *arena)
{
    int64_t n = t->rows;
    SchurValues to = {.n = n,
                      .values = values_of(t, real, arena),
                      .gap = INFINITY,
                      .right = matrix_zeros(n, n, arena),
                      .left = matrix_zeros(n, n, arena)};
    double squares = 0;
    for (int64_t j = 0; j < n; j++) {
        LongComplex inner = 0;
        eigen_put_vector(t, to.values[j], false, &to.right, j, arena);
        eigen_put_vector(t, to.values[j], true, &to.left, j, arena);
        for (int64_t i = 0; i < n; i++) {
            Scalar x = *matrix_at(&to.right, i, j), y = *matrix_at(&to.left, i, j);
            inner += dense_product(y.re - y.im * (LongComplex)_Complex_I,
                                   x.re + x.im * (LongComplex)_Complex_I);
        }
        squares += 1 / (double)(cabsl(inner) * cabsl(inner));
        for (int64_t i = 0; i < j; i++)
            to.gap = fmin(to.gap, distance(to.values[i], to.values[j]));
    }
    /* Vectors are off by some roundings over the gap, which twice the number has room for. */
    to.condition = 2 * sqrt((double)n * squares);
    return to;
}

bool schur_values_are_apart(const SchurValues *values, double error)
{
    return values->condition < 0x1p20 && values->gap > 8 * values->condition * error;
}

/* The row of T whose value is nearest to w, of those with a label, or of all where it is -1. */
static int64_t nearest_row(const SchurValues *v, const int64_t *labels, const bool *used, Scalar w,
                           int64_t label)
{
    int64_t found = -1;
    for (int64_t i = 0; i < v->n; i++)
        if ((label < 0 || (labels[i] == label && !used[i])) &&
            (found < 0 || distance(v->values[i], w) < distance(v->values[found], w)))
            found = i;
    return found;
}

static void put_off(Ref *ref, const Matrix *after, int64_t j, double off, double bound)
{
    spectrum_put_defect(ref, matrix_element(ref, j, j), *matrix_at(after, j, j), (Scalar){off, 0},
                        bound);
}

void reorder_judge_values(Ref *ref, const Matrix *shown, const SchurValues *before,
                          const Matrix *after, double error, const int64_t *labels,
                          const int64_t *at, Arena *arena)
{
    int64_t n = after->rows;
    Scalar *got = values_of(after, dtype_components(ref->dtype) == 1, arena);
    if (!schur_values_are_apart(before, error))
        return;
    bool *used = arena_take_zeroed(arena, (size_t)n + 1, sizeof *used);
    double bound = before->condition * error;
    for (int64_t j = 0; j < n; j++) {
        int64_t row = nearest_row(before, labels, used, got[j], at[j]);
        double off = row < 0 ? INFINITY : distance(before->values[row], got[j]);
        if (!(off <= bound))
            put_off(ref, shown, j, fmin(off, 0x1p20 * before->gap), bound);
        else
            used[row] = true;
    }
}

void reorder_judge(Ref *ref, const Reordering *r, const Matrix *after, Arena *arena)
{
    const EigenProblem *p = r->problem;
    bool real = dtype_components(p->dtype) == 1;
    int64_t n = after->rows;
    if (!matrix_is_finite(after))
        return;
    Scalar *got = values_of(after, real, arena);
    for (int64_t j = 0; j < n && !r->has_vectors; j++) {
        double ratio = eigen_value_ratio(p, got[j], arena), most = p->factor * p->norm + p->slack;
        if (!(ratio <= 1))
            put_off(ref, after, j, fmin(2 * ratio, 0x1p20) * most, most);
    }
    double error = (p->factor * p->norm + p->slack) * (1 + 0x1p-6);
    SchurValues before = schur_values(p->a, real, arena);
    reorder_judge_values(ref, after, &before, after, error, r->labels, r->at, arena);
}

/* Exchanges values k and k + 1 of a complex form by a rotation. */
static void exchange_complex(SchurForm *form, int64_t k)
{
    int64_t n = form->t.rows;
    Scalar first = *matrix_at(&form->t, k, k), second = *matrix_at(&form->t, k + 1, k + 1);
    Scalar above = *matrix_at(&form->t, k, k + 1);
    LongComplex x = above.re + above.im * (LongComplex)_Complex_I;
    LongComplex y = (second.re - first.re) + (second.im - first.im) * (LongComplex)_Complex_I;
    long double size = hypotl(cabsl(x), cabsl(y));
    if (!(size > 0))
        return;
    /* (x, y) over its size is the first column of the turn. */
    LongComplex c = x / size, s = y / size;
    Matrix *both[] = {&form->t, &form->z};
    for (int m = 0; m < 2; m++)
        for (int64_t i = 0; i < n; i++) {
            Scalar *at = matrix_at(both[m], i, k);
            LongComplex p = at[0].re + at[0].im * (LongComplex)_Complex_I;
            LongComplex q = at[1].re + at[1].im * (LongComplex)_Complex_I;
            LongComplex one = dense_product(p, c) + dense_product(q, s);
            LongComplex other = dense_product(q, conjl(c)) - dense_product(p, conjl(s));
            at[0] = (Scalar){(double)creall(one), (double)cimagl(one)};
            at[1] = (Scalar){(double)creall(other), (double)cimagl(other)};
        }
    for (int64_t j = 0; j < n; j++) {
        Scalar *at = matrix_at(&form->t, k, j), *below = matrix_at(&form->t, k + 1, j);
        LongComplex p = at->re + at->im * (LongComplex)_Complex_I;
        LongComplex q = below->re + below->im * (LongComplex)_Complex_I;
        LongComplex one = dense_product(conjl(c), p) + dense_product(conjl(s), q);
        LongComplex other = dense_product(c, q) - dense_product(s, p);
        *at = (Scalar){(double)creall(one), (double)cimagl(one)};
        *below = (Scalar){(double)creall(other), (double)cimagl(other)};
    }
    *matrix_at(&form->t, k, k) = second;
    *matrix_at(&form->t, k + 1, k + 1) = first;
    *matrix_at(&form->t, k + 1, k) = (Scalar){0, 0};
}

static bool exchange(SchurForm *form, bool real, int64_t k, Arena *arena)
{
    if (real)
        return schur_real_exchange(form, k, arena);
    exchange_complex(form, k);
    return true;
}

bool reorder_move(SchurForm *form, bool real, int64_t from, int64_t to, Arena *arena)
{
    const Matrix *t = &form->t;
    while (from > to) {
        int64_t before = schur_block_first(t, real, from - 1),
                height = schur_block_last(t, real, from) - from + 1;
        if (!exchange(form, real, before, arena))
            return false;
        /* A pair that has become two values is taken along. */
        if (height == 2 && schur_block_last(t, real, before) == before)
            return false;
        from = before;
    }
    while (schur_block_last(t, real, from) < to) {
        int64_t height = schur_block_last(t, real, from) - from + 1, next = from + height;
        int64_t by = schur_block_last(t, real, next) - next + 1;
        if (!exchange(form, real, from, arena))
            return false;
        from += by;
        if (height == 2 && schur_block_last(t, real, from) == from)
            return false;
    }
    return true;
}

/* |R| of the projector on the vectors of the first m values, which is (I, -R; 0, 0). */
static double projector_size(const SchurValues *v, int64_t m, Arena *arena)
{
    int64_t n = v->n;
    LongComplex *p = arena_take_zeroed(arena, (size_t)(n * n) + 1, sizeof *p);
    long double sum = 0;
    for (int64_t k = 0; k < m; k++) {
        LongComplex inner = 0;
        for (int64_t i = 0; i < n; i++) {
            Scalar x = *matrix_at(&v->right, i, k), y = *matrix_at(&v->left, i, k);
            inner += dense_product(y.re - y.im * (LongComplex)_Complex_I,
                                   x.re + x.im * (LongComplex)_Complex_I);
        }
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = m; j < n; j++) {
                Scalar x = *matrix_at(&v->right, i, k), y = *matrix_at(&v->left, j, k);
                p[i * n + j] += dense_product(x.re + x.im * (LongComplex)_Complex_I,
                                              y.re - y.im * (LongComplex)_Complex_I) /
                                inner;
            }
    }
    for (int64_t i = 0; i < n * n; i++)
        sum += creall(p[i]) * creall(p[i]) + cimagl(p[i]) * cimagl(p[i]);
    return (double)sqrtl(sum);
}

/* The least distance of a value of rows first to end - 1 from the others. */
static double gap_of(const SchurValues *v, int64_t first, int64_t end)
{
    double gap = INFINITY;
    for (int64_t i = first; i < end; i++)
        for (int64_t j = 0; j < v->n; j++)
            if (j < first || j >= end)
                gap = fmin(gap, distance(v->values[i], v->values[j]));
    return gap;
}

/* d of the theorem for values that are so far from the others; infinite where two values are so
 * close that their vectors, found one by one, need not be independent. */
static double substitution_error(const SchurValues *v, const Format *format, double norm,
                                 double gap, bool pair)
{
    double count = (double)v->n + 8;
    double gamma = pair ? 2 * equation_gamma(format, 2 * count) : equation_gamma(format, count);
    double relative = 2 * gamma + 192 * format->unit;
    if (!schur_values_are_apart(v, relative * norm))
        return INFINITY;
    return relative * norm * v->condition * v->condition / gap;
}

static void put_separation(Ref *sep, size_t at, const SchurValues *v, const Format *format,
                           double norm, double gap, double d, double order)
{
    double least = order * format->smallest_normal / format->unit;
    double high = 4 * (norm + least) * sqrt((double)v->n), low = 0;
    if (d < 0.25 && gap > 16 * least)
        low = gap / (v->condition * v->condition * sqrt(order)) * (1 - 2 * d);
    ref_put_bounded(sep, at, (low + high) / 2, 0, (high - low) / 2 * (1 + 0x1p-20));
}

void reorder_judge_conditions(Ref *s, Ref *sep, const Matrix *t, DType dtype, int64_t m,
                              Arena *arena)
{
    const Format *format = dtype_format(dtype);
    bool real = dtype_components(dtype) == 1;
    int64_t n = t->rows;
    double norm = dense_norm(t, 0, n), sum = 0, unit = format->unit;
    if (!matrix_is_finite(t))
        return;
    if (m == 0 || m == n) {
        for (int64_t j = 0; j < n; j++)
            sum = fmax(sum, matrix_column_norm(t, 0, n, j) * sqrt((double)n));
        if (s)
            ref_set_exact(s, 0, 1, MATCH_VALUE);
        if (sep)
            ref_put_bounded(sep, 0, sum / 2, 0, sum / 2 * (1 + (double)(n + 8) * 4 * unit));
        return;
    }
    SchurValues v = schur_values(t, real, arena);
    double gap = gap_of(&v, 0, m), d = substitution_error(&v, format, norm, gap, !real);
    if (s)
        ref_put_bounded(s, 0, 0.5, 0, 0.5 * (1 + 16 * unit));
    if (s && d < 0.25 && v.condition < 0x1p20) {
        double size = projector_size(&v, m, arena), exact = 1 / hypot(1, size);
        ref_put_bounded(s, 0, exact, 0x1p-40 * exact,
                        exact * (2 * d + ((double)(m * (n - m)) + 32) * 4 * unit));
    }
    if (sep)
        put_separation(sep, 0, &v, format, norm, gap, d, (double)(m * (n - m)));
}

void reorder_judge_separation(Ref *sep, size_t at, const SchurValues *v, double norm, DType dtype,
                              int64_t j)
{
    double gap = gap_of(v, j, j + 1);
    const Format *format = dtype_format(dtype);
    double d = substitution_error(v, format, norm, gap,
                                  dtype_components(dtype) == 2 || v->values[j].im != 0);
    put_separation(sep, at, v, format, norm, gap, d, (double)v->n);
}

void reorder_put_conditions(Ref *s, Ref *sep, const Matrix *t, DType dtype, int64_t m, Arena *arena)
{
    bool real = dtype_components(dtype) == 1;
    int64_t n = t->rows;
    double norm = dense_norm(t, 0, n);
    Scalar both[] = {{1, 0}, {norm, 0}};
    if (m > 0 && m < n) {
        SchurValues v = schur_values(t, real, arena);
        both[0].re = 1 / hypot(1, projector_size(&v, m, arena));
        both[1].re = fmin(gap_of(&v, 0, m), norm);
    }
    if (s)
        matrix_put_number(s, 0, both[0]);
    if (sep)
        matrix_put_number(sep, 0, both[1]);
}

Matrix reorder_judge_factors(Ref *of_t, Ref *of_q, const Tensor *t, const Tensor *q,
                             const Tensor *given, const EigenProblem *p, Arena *arena)
{
    Matrix after = matrix_read(t, arena);
    if (of_q) {
        Matrix z = matrix_read(q, arena), before = matrix_read(given, arena);
        if (matrix_is_finite(&before))
            schur_judge_vectors(of_q, p, &z, &after, &before, arena);
    } else {
        schur_judge_norm(of_t, p, &after);
    }
    schur_judge_form(of_t, &after, dtype_components(p->dtype) == 1);
    return after;
}
