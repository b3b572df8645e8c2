/* Generalized Schur forms by their parts. */
#include "pencil_schur.h"

#include <math.h>

#include "dense.h"
#include "eigenvalues.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "singular.h"
#include "spectrum.h"

PencilValue *pencil_values_read(const Tensor computed[3], int64_t n, Arena *arena)
{
    PencilValue *values = arena_take(arena, (size_t)n + 1, sizeof *values);
    Scalar *alpha = eigenvalues_read(computed, n, arena);
    Matrix beta = matrix_read(&computed[2], arena);
    for (int64_t j = 0; j < n; j++)
        values[j] = (PencilValue){alpha[j], beta.values[j]};
    return values;
}

void pencil_demand_pairs(Ref *alphai, const PencilValue *values, int64_t n)
{
    for (int64_t j = 0; j < n; j++) {
        double im = values[j].alpha.im;
        bool pair = im > 0 && j + 1 < n;
        if (pair && !(values[j + 1].alpha.im < 0))
            ref_set_exact(alphai, (size_t)j + 1, -im, MATCH_VALUE);
        else if (!pair && im != 0)
            ref_set_exact(alphai, (size_t)j, 0, MATCH_VALUE);
        j += pair;
    }
}

static void put_exact(Ref *ref, size_t at, Scalar x)
{
    ref_set_exact(ref, at, x.re, MATCH_VALUE);
    if (dtype_components(ref->dtype) == 2)
        ref_set_exact(ref, at + 1, x.im, MATCH_VALUE);
}

static bool begins_block(const Matrix *s, bool real, int64_t j)
{
    return real && j + 1 < s->rows && !scalar_is_zero(*matrix_at(s, j + 1, j));
}

/* Zeros, and a diagonal of T that is not negative. */
static void judge_form(const PencilForm *f, const Matrix *s, const Matrix *t, bool real,
                       bool has_signs)
{
    for (int64_t j = 0; j < s->rows; j++) {
        Ref *of_t = f->refs[PENCIL_B];
        size_t at = matrix_element(of_t, j, j);
        Scalar on = *matrix_at(t, j, j);
        if (!real && j + 1 < s->rows)
            put_exact(f->refs[PENCIL_A], matrix_element(f->refs[PENCIL_A], j + 1, j),
                      (Scalar){0, 0});
        if (begins_block(s, real, j) && j > 0 && begins_block(s, real, j - 1))
            put_exact(f->refs[PENCIL_A], matrix_element(f->refs[PENCIL_A], j + 1, j),
                      (Scalar){0, 0});
        if (begins_block(s, real, j))
            put_exact(of_t, matrix_element(of_t, j, j + 1), (Scalar){0, 0});
        bool in_block = begins_block(s, real, j) || (j > 0 && begins_block(s, real, j - 1));
        if ((on.re < 0 && (has_signs || !in_block)) || on.im != 0)
            put_exact(of_t, at, (Scalar){fabs(on.re), 0});
    }
}

static void put_alpha(Ref refs[2], int64_t j, Scalar got, double off, double bound)
{
    if (dtype_components(refs[0].dtype) == 2) {
        spectrum_put_defect(&refs[0], 2 * (size_t)j, got, (Scalar){off, 0}, bound);
        return;
    }
    spectrum_put_defect(&refs[0], (size_t)j, (Scalar){got.re, 0}, (Scalar){off, 0}, bound);
    spectrum_put_defect(&refs[1], (size_t)j, (Scalar){got.im, 0}, (Scalar){0, 0}, bound);
}

static void judge_distance(Ref refs[2], const Pencil *p, PencilValue value, Scalar got, int64_t j,
                           Arena *arena)
{
    enum { MOST = 1 << 20 };
    double bound = p->factor * p->a_norm + 4 * dtype_format(p->dtype)->smallest_subnormal;
    double ratio = pencil_value_ratio(p, value, arena);
    put_alpha(refs, j, got, ratio <= 1 ? 0 : fmin(2 * ratio, MOST) * bound, bound);
}

/* The same value with numbers about as large as the norms: only the quotient is said of a pair. */
static PencilValue standard(const Pencil *p, PencilValue value)
{
    double size = hypot(hypot(value.alpha.re, value.alpha.im) / p->a_norm,
                        hypot(value.beta.re, value.beta.im) / p->b_norm);
    if (!(size > 0) || !isfinite(size))
        return value;
    return (PencilValue){{value.alpha.re / size, value.alpha.im / size},
                         {value.beta.re / size, value.beta.im / size}};
}

static Matrix block_of(const Matrix *a, int64_t j, Arena *arena)
{
    Matrix to = matrix_zeros(2, 2, arena);
    for (int64_t i = 0; i < 4; i++)
        to.values[i] = *matrix_at(a, j + i / 2, j + i % 2);
    return to;
}

void pencil_schur_judge(const PencilForm *f, const PencilValues *v, const Pencil *whole,
                        bool has_signs, Arena *arena)
{
    Matrix s = matrix_read(f->computed[PENCIL_A], arena),
           t = matrix_read(f->computed[PENCIL_B], arena);
    bool real = dtype_components(f->dtype) == 1, alone = !f->factor[0] && !f->factor[1];
    int64_t n = s.rows;
    if (!matrix_is_finite(&s) || !matrix_is_finite(&t))
        return;
    PencilValue *values = pencil_values_read(v->computed, n, arena);
    judge_form(f, &s, &t, real, has_signs);
    for (size_t i = 0; i < v->refs[2].count; i++)
        matrix_admit_finite(&v->refs[2], i);
    for (int64_t j = 0; j < n; j++) {
        bool block = begins_block(&s, real, j);
        Matrix of_s = {0}, of_t = {0};
        Pencil part = *whole;
        if (block) {
            of_s = block_of(&s, j, arena);
            of_t = block_of(&t, j, arena);
            part.a = &of_s;
            part.b = &of_t;
        }
        for (int64_t k = j; k <= j + block; k++) {
            if (block || alone)
                judge_distance(v->refs, &part, block ? standard(whole, values[k]) : values[k],
                               values[k].alpha, k, arena);
            if (block)
                continue;
            put_exact(&v->refs[0], (size_t)k * (real ? 1 : 2), *matrix_at(&s, k, k));
            put_exact(&v->refs[2], (size_t)k * (real ? 1 : 2), *matrix_at(&t, k, k));
            if (real)
                ref_set_exact(&v->refs[1], (size_t)k, 0, MATCH_VALUE);
        }
        j += block;
    }
    if (real)
        pencil_demand_pairs(&v->refs[1], values, n);
}

/* X^H Y or X Y on lines `first` to the end of both. */
static Matrix product(const Matrix *x, bool turned, const Matrix *y, Arena *arena)
{
    int64_t rows = turned ? x->columns : x->rows, inner = turned ? x->rows : x->columns;
    Matrix to = matrix_zeros(rows, y->columns, arena);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < y->columns; j++) {
            LongComplex sum = 0;
            for (int64_t k = 0; k < inner; k++) {
                Scalar a = turned ? scalar_conjugate(*matrix_at(x, k, i)) : *matrix_at(x, i, k);
                Scalar b = *matrix_at(y, k, j);
                sum += dense_product(a.re + a.im * (LongComplex)_Complex_I,
                                     b.re + b.im * (LongComplex)_Complex_I);
            }
            *matrix_at(&to, i, j) = (Scalar){(double)creall(sum), (double)cimagl(sum)};
        }
    return to;
}

/* W on the lines behind `from` of an identity. */
static Matrix placed(const Matrix *w, int64_t n, int64_t from, Arena *arena)
{
    Matrix to = matrix_identity(n, arena);
    for (int64_t i = 0; i < w->rows; i++)
        for (int64_t j = 0; j < w->columns; j++)
            *matrix_at(&to, from + i, from + j) = *matrix_at(w, i, j);
    return to;
}

/* Multiplies by unitary matrices of lines behind `from`. */
static void turn(PencilSchur *to, const Matrix *left, const Matrix *right, int64_t from,
                 Arena *arena)
{
    int64_t n = to->s.rows;
    Matrix l = placed(left, n, from, arena), r = placed(right, n, from, arena);
    Matrix *both[] = {&to->s, &to->t};
    for (int i = 0; i < 2; i++) {
        Matrix half = product(both[i], false, &r, arena);
        *both[i] = product(&l, true, &half, arena);
    }
    to->q = product(&to->q, false, &l, arena);
    to->z = product(&to->z, false, &r, arena);
}

/* Column j of a matrix whose columns before it are orthonormal becomes that of X, or of the
 * identity, without them; its norm before. */
static double put_column(Matrix *to, int64_t j, const Matrix *x, int64_t k)
{
    for (int64_t i = 0; i < to->rows; i++)
        *matrix_at(to, i, j) = x ? *matrix_at(x, i, k) : (Scalar){i == k, 0};
    return singular_orthonormalise(to, j);
}

/* A unitary matrix whose first `count` columns span those of X, of which the largest that is left
 * comes first. */
static Matrix completed(const Matrix *x, int64_t count, Arena *arena)
{
    int64_t n = x->rows, done = 0;
    Matrix to = matrix_zeros(n, n, arena);
    for (; done < count; done++) {
        int64_t best = 0;
        double most = 0;
        for (int64_t k = 0; k < x->columns; k++) {
            double norm = put_column(&to, done, x, k);
            best = norm > most ? k : best;
            most = fmax(norm, most);
        }
        if (!(most > 0x1p-40))
            break;
        (void)put_column(&to, done, x, best);
    }
    /* Of the unit vectors one has a part of 1 / sqrt(n) left, or more. */
    for (int64_t k = 0; done < n; k = (k + 1) % n)
        done += !(put_column(&to, done, NULL, k) < 0.5 / sqrt((double)n));
    return to;
}

static Matrix corner(const Matrix *a, int64_t from, Arena *arena)
{
    int64_t n = a->rows - from;
    Matrix to = matrix_zeros(n, n, arena);
    for (int64_t i = 0; i < n * n; i++)
        to.values[i] = *matrix_at(a, from + i / n, from + i % n);
    return to;
}

/* Columns of A V and B V over the norms. */
static Matrix images(const Pencil *p, const Matrix *v, Arena *arena)
{
    Matrix of_a = product(p->a, false, v, arena), of_b = product(p->b, false, v, arena);
    Matrix to = matrix_zeros(v->rows, 2 * v->columns, arena);
    for (int64_t i = 0; i < v->rows; i++)
        for (int64_t j = 0; j < v->columns; j++) {
            Scalar x = *matrix_at(&of_a, i, j), y = *matrix_at(&of_b, i, j);
            *matrix_at(&to, i, j) = (Scalar){x.re / p->a_norm, x.im / p->a_norm};
            *matrix_at(&to, i, v->columns + j) = (Scalar){y.re / p->b_norm, y.im / p->b_norm};
        }
    return to;
}

/* Rotations that make the block of T in rows k and k + 1 diagonal, by those of its columns. */
static void straighten(PencilSchur *to, int64_t k, Arena *arena)
{
    Matrix block = block_of(&to->t, k, arena), right = matrix_zeros(2, 2, arena);
    double largest = 0;
    for (int64_t i = 0; i < 4; i++)
        largest = fmax(largest, fabs(block.values[i].re));
    for (int64_t i = 0; i < 4 && largest > 0; i++)
        block.values[i].re /= largest;
    double a = block.values[0].re, b = block.values[1].re, c = block.values[2].re,
           d = block.values[3].re;
    double angle = 0.5 * atan2(2 * (a * b + c * d), (a * a + c * c) - (b * b + d * d));
    right.values[0] = right.values[3] = (Scalar){cos(angle), 0};
    right.values[1] = (Scalar){-sin(angle), 0};
    right.values[2] = (Scalar){sin(angle), 0};
    Matrix left = product(&block, false, &right, arena);
    if (!(singular_orthonormalise(&left, 0) > 0))
        left = matrix_identity(2, arena);
    else if (!(singular_orthonormalise(&left, 1) > 0)) {
        left.values[1] = (Scalar){-left.values[2].re, 0};
        left.values[3] = left.values[0];
    }
    turn(to, &left, &right, k, arena);
    *matrix_at(&to->t, k, k + 1) = *matrix_at(&to->t, k + 1, k) = (Scalar){0, 0};
    for (int64_t i = k; i < k + 2; i++)
        matrix_at(&to->t, i, i)->re = fabs(matrix_at(&to->t, i, i)->re);
}

/* Makes T's element on the diagonal real and not negative by a factor of the row. */
static void make_positive(PencilSchur *to, int64_t k, Arena *arena)
{
    Scalar x = *matrix_at(&to->t, k, k);
    double size = hypot(x.re, x.im);
    Matrix left = matrix_zeros(1, 1, arena), right = matrix_identity(1, arena);
    left.values[0] = size > 0 ? (Scalar){x.re / size, x.im / size} : (Scalar){1, 0};
    turn(to, &left, &right, k, arena);
    *matrix_at(&to->t, k, k) = (Scalar){size, 0};
}

/* Of a singular pencil no values are found, and any is right. */
static bool is_unknown(PencilValue value)
{
    return !(hypot(hypot(value.alpha.re, value.alpha.im), value.beta.re) > 0);
}

/* The greatest element below the first rows of columns from k on. */
static double greatest_below(const Matrix *a, int64_t k, int64_t width)
{
    double greatest = 0;
    for (int64_t i = k + width; i < a->rows; i++)
        for (int64_t l = k; l < k + width; l++)
            greatest = fmax(greatest, hypot(matrix_at(a, i, l)->re, matrix_at(a, i, l)->im));
    return greatest;
}

/* Deflates by a value over the norms, or a pair of which it is the first; false where what is left
 * below is no rounding, as of a pair with two vectors that are nearly one. */
static bool deflate(PencilSchur *to, const Pencil *whole, int64_t k, PencilValue value, bool pair,
                    double rounding, Arena *arena)
{
    Matrix a = corner(&to->s, k, arena), b = corner(&to->t, k, arena);
    int64_t n = a.rows, width = pair ? 2 : 1;
    Pencil p = *whole;
    p.a = &a;
    p.b = &b;
    PencilEigen e = {&value, matrix_zeros(n, n, arena), matrix_zeros(n, n, arena)};
    pencil_polish(&p, &e, 0, dtype_components(p.dtype) == 1 && !pair, arena);
    Matrix v = matrix_zeros(n, width, arena);
    for (int64_t i = 0; i < n; i++) {
        Scalar x = *matrix_at(&e.right, i, 0);
        *matrix_at(&v, i, 0) = pair ? (Scalar){x.re, 0} : x;
        if (pair)
            *matrix_at(&v, i, 1) = (Scalar){x.im, 0};
    }
    Matrix right = completed(&v, width, arena);
    Matrix reached = images(&p, &v, arena), left = completed(&reached, width, arena);
    turn(to, &left, &right, k, arena);
    if (greatest_below(&to->s, k, width) > rounding * whole->a_norm ||
        greatest_below(&to->t, k, width) > rounding * whole->b_norm)
        return false;
    for (int64_t i = k + width; i < to->s.rows; i++)
        for (int64_t l = k; l < k + width; l++)
            *matrix_at(&to->s, i, l) = *matrix_at(&to->t, i, l) = (Scalar){0, 0};
    if (pair)
        straighten(to, k, arena);
    else
        make_positive(to, k, arena);
    return true;
}

static PencilSchur copy_of(const PencilSchur *schur, Arena *arena)
{
    return (PencilSchur){matrix_copy(&schur->s, arena), matrix_copy(&schur->t, arena),
                         matrix_copy(&schur->q, arena), matrix_copy(&schur->z, arena),
                         schur->values};
}

/* Deflates by one of the values of what is left, the first that will do from number j on: those of
 * a pair that are nearly equal have no two vectors, and count as one that is real.  How many rows
 * that took, 0 where none leaves only roundings. */
static int64_t deflate_by_any(PencilSchur *to, const Pencil *whole, int64_t k, const PencilEigen *e,
                              int64_t j, double rounding, Arena *arena)
{
    bool real = dtype_components(whole->dtype) == 1;
    int64_t rows = e->right.rows;
    for (int64_t tried = 0; tried < rows; tried++, j = (j + 1) % rows) {
        PencilValue value = e->values[j];
        if (is_unknown(value))
            value = (PencilValue){{0.6 * whole->a_norm, 0}, {0.8 * whole->b_norm, 0}};
        value.alpha = (Scalar){value.alpha.re / whole->a_norm, value.alpha.im / whole->a_norm};
        value.beta.re /= whole->b_norm;
        for (int pair = real && j + 1 < rows && value.alpha.im > 0; pair >= 0; pair--) {
            PencilSchur before = copy_of(to, arena);
            if (real && !pair)
                value.alpha.im = 0;
            if (deflate(to, whole, k, value, pair, rounding, arena))
                return 1 + pair;
            *to = before;
        }
    }
    return 0;
}

/* The first of the values that `first` says, or of all where it says none. */
static int64_t next_of(const PencilEigen *e, bool (*first)(const void *, PencilValue),
                       const void *context)
{
    int64_t found = 0;
    for (int64_t i = e->right.rows - 1; first && i >= 0; i--)
        if (first(context, e->values[i]))
            found = i;
    return found;
}

static void put_value(PencilSchur *to, const Pencil *whole, int64_t k, bool pair, Arena *arena)
{
    to->values[k] = (PencilValue){*matrix_at(&to->s, k, k), *matrix_at(&to->t, k, k)};
    if (!pair)
        return;
    Matrix a = block_of(&to->s, k, arena), b = block_of(&to->t, k, arena);
    Pencil part = *whole;
    part.a = &a;
    part.b = &b;
    PencilEigen e = pencil_eigen(&part, arena);
    to->values[k] = e.values[0];
    to->values[k + 1] = e.values[1];
}

static PencilEigen eigen_of_corner(const Pencil *whole, const PencilSchur *of, int64_t k,
                                   Arena *arena)
{
    Matrix a = corner(&of->s, k, arena), b = corner(&of->t, k, arena);
    Pencil p = *whole;
    p.a = &a;
    p.b = &b;
    return pencil_eigen(&p, arena);
}

PencilSchur pencil_schur_form(const Pencil *p,
                              bool (*first)(const void *context, PencilValue value),
                              const void *context, Arena *arena)
{
    int64_t n = p->a->rows;
    PencilSchur to = {matrix_copy(p->a, arena), matrix_copy(p->b, arena), matrix_identity(n, arena),
                      matrix_identity(n, arena),
                      arena_take_zeroed(arena, (size_t)n + 1, sizeof *to.values)};
    /* Values of what is left: those of the whole are no values of it where several are equal. */
    for (int64_t k = 0; k < n;) {
        PencilEigen e = eigen_of_corner(p, &to, k, arena);
        int64_t j = next_of(&e, first, context);
        int64_t rows = deflate_by_any(&to, p, k, &e, j, 0x1p-44, arena);
        if (rows == 0)
            rows = deflate_by_any(&to, p, k, &e, j, HUGE_VAL, arena);
        put_value(&to, p, k, rows == 2, arena);
        k += rows;
    }
    return to;
}

void pencil_schur_put(const PencilForm *f, Ref values[3], const PencilSchur *schur, Arena *arena)
{
    int64_t n = schur->s.rows;
    Matrix beta = matrix_zeros(n, 1, arena);
    matrix_put_rounded(&schur->s, f->refs[PENCIL_A]);
    matrix_put_rounded(&schur->t, f->refs[PENCIL_B]);
    for (int64_t j = 0; j < n; j++) {
        eigenvalues_put_rounded(values, j, schur->values[j].alpha);
        beta.values[j] = schur->values[j].beta;
    }
    matrix_put_rounded(&beta, &values[2]);
    for (int i = 0; i < 2; i++) {
        Matrix turned = i ? schur->z : schur->q;
        if (f->factor[i] == PENCIL_GIVEN) {
            Matrix before = matrix_read(f->given[PENCIL_Q + i], arena);
            turned = product(&before, false, &turned, arena);
        }
        if (f->factor[i])
            matrix_put_rounded(&turned, f->refs[PENCIL_Q + i]);
    }
}
