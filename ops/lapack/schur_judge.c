/* Schur forms by their parts. */
#include "schur_judge.h"

#include <math.h>

#include "eigenvalues.h"
#include "long_matrix.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "spectrum.h"

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

void schur_judge_form(Ref *ref, const Matrix *t, bool real)
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
    for (int64_t i = 0; i < t->rows * t->rows; i++)
        if (!scalar_is_finite(t->values[i]))
            matrix_admit_finite(ref, (size_t)i * (size_t)dtype_components(ref->dtype));
}

void schur_judge_diagonal(Ref w_wi[2], const Matrix *t, bool real)
{
    double unit = dtype_format(w_wi[0].dtype)->unit,
           tiny = dtype_format(w_wi[0].dtype)->smallest_subnormal;
    for (int64_t j = 0; j < t->rows; j++) {
        bool pair = begins_pair(t, real, j), second = j > 0 && begins_pair(t, real, j - 1);
        Scalar on = *matrix_at(t, j, j);
        if (!scalar_is_finite(on))
            continue;
        put_exact(&w_wi[0], (size_t)(real ? j : 2 * j), on);
        if (!real)
            continue;
        if (!pair && !second) {
            ref_set_exact(&w_wi[1], (size_t)j, 0, MATCH_VALUE);
            continue;
        }
        int64_t first = second ? j - 1 : j;
        long double above = matrix_at(t, first, first + 1)->re,
                    below = matrix_at(t, first + 1, first)->re;
        long double root = sqrtl(fabsl(above)) * sqrtl(fabsl(below));
        ref_put_bounded(&w_wi[1], (size_t)j, second ? -root : root, (double)root * 0x1p-60,
                        (double)root * 8 * unit + 4 * tiny);
    }
}

void schur_put_values(Ref w_wi[2], const Matrix *t, bool real)
{
    for (int64_t j = 0; j < t->rows; j++) {
        Scalar w = *matrix_at(t, j, j);
        bool pair = begins_pair(t, real, j), second = j > 0 && begins_pair(t, real, j - 1);
        if (pair || second) {
            int64_t first = second ? j - 1 : j;
            double above = dtype_round(w_wi[0].dtype, matrix_at(t, first, first + 1)->re);
            double below = dtype_round(w_wi[0].dtype, matrix_at(t, first + 1, first)->re);
            w.im = sqrt(fabs(above)) * sqrt(fabs(below)) * (second ? -1 : 1);
        }
        eigenvalues_put_rounded(w_wi, j, w);
    }
}

void schur_put_product(Ref *ref, const Tensor *given, const Matrix *z, Arena *arena)
{
    Matrix q = matrix_read(given, arena), to = matrix_zeros(z->rows, z->rows, arena);
    LongMatrix left = long_matrix_of(&q, arena), right = long_matrix_of(z, arena);
    LongMatrix product = long_matrix_product(&left, &right, false, arena);
    for (int64_t i = 0; i < z->rows; i++)
        for (int64_t j = 0; j < z->rows; j++)
            *matrix_at(&to, i, j) = long_matrix_element(&product, i, j, 1);
    matrix_put_rounded(&to, ref);
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

double schur_squared_norm(const Matrix *q)
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

void schur_judge_vectors(Ref *ref, const EigenProblem *p, const Matrix *z, const Matrix *t,
                         const Matrix *q, Arena *arena)
{
    const Format *format = dtype_format(p->dtype);
    int64_t n = z->rows;
    double size = schur_squared_norm(q), norm = p->norm;
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

void schur_judge_norm(Ref *ref, const EigenProblem *p, const Matrix *t)
{
    if (t->rows < 3 || !matrix_is_finite(t))
        return;
    double off = (double)(frobenius(t) - frobenius(p->a));
    double bound = p->factor * p->norm + p->slack;
    spectrum_put_defect(ref, matrix_element(ref, 0, t->rows - 1), *matrix_at(t, 0, t->rows - 1),
                        (Scalar){fabs(off) > bound ? off : 0, 0}, bound);
}

Matrix schur_judge_whole(Ref refs[4], const Tensor computed[4], const EigenProblem *p, bool has_z,
                         Arena *arena)
{
    enum { T, W, Z = 3 };
    Matrix t = matrix_read(&computed[T], arena);
    bool real = dtype_components(p->dtype) == 1;
    if (has_z) {
        Matrix z = matrix_read(&computed[Z], arena), identity = matrix_identity(t.rows, arena);
        schur_judge_vectors(&refs[Z], p, &z, &t, &identity, arena);
    } else {
        eigenvalues_judge(&refs[W], p, eigenvalues_read(&computed[W], t.rows, arena), false, arena);
        schur_judge_norm(&refs[T], p, &t);
    }
    schur_judge_form(&refs[T], &t, real);
    schur_judge_diagonal(&refs[W], &t, real);
    return t;
}

/* What the elements that are taken for 0 however small A is are together. */
static double absolute_deflation(int64_t n, DType dtype)
{
    const Format *format = dtype_format(dtype);
    double least = (double)n * format->smallest_normal / (2 * format->unit);
    return sqrt(2 * (double)n) * least;
}

void schur_judge(Ref *refs, const ReferenceInput *input, EigenProblem *p,
                 const SchurRoutine *routine, Arena *arena)
{
    Ref other[OP_TENSORS_MAX] = {0};
    for (int b = 1; b < EIGEN_BALANCES; b++)
        p->balance[b] = p->balance[0];
    routine->judge(refs, input, p, arena);
    p->slack = absolute_deflation(p->a->rows, p->dtype);
    if (p->slack < 0x1p-20 * p->factor * p->norm)
        return;
    routine->admit(other, input->tensors, arena);
    routine->judge(other, input, p, arena);
    for (int i = 0; i < routine->end; i++)
        ref_add_alternative(&refs[i], &other[i], input->op->policy, arena);
}
