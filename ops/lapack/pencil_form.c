/* Pencils and their forms by unitary factors. */
#include "pencil_form.h"

#include <math.h>

#include "dense.h"
#include "long_matrix.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "schur_judge.h"
#include "spectrum.h"

/* A factor that is known: what it was, and its norms: at least the 2-norm, and Frobenius'. */
typedef struct Side {
    bool known;
    LongMatrix before, after;
    double norm, ratio;
} Side;

/* Both matrices over their norms. */
typedef struct Problem {
    LongMatrix before[2], after[2];
    double norm[2], factor;
    Side side[2];
} Problem;

static double ratio_of(const Matrix *a, double norm)
{
    return norm > 0 ? matrix_norm(a) / norm : 0;
}

static bool is_within(double norm, const Format *format)
{
    return norm < format->largest / 16 && norm > format->smallest_normal / format->unit;
}

/* False where it is not finite, or a norm may leave the range. */
static bool read_side(Side *to, const Tensor *given, const Tensor *computed, PencilFactor job,
                      const Format *format, Arena *arena)
{
    Matrix after = matrix_read(computed, arena);
    Matrix before =
        job == PENCIL_GIVEN ? matrix_read(given, arena) : matrix_identity(after.rows, arena);
    *to = (Side){.known = job != PENCIL_NOTHING, .norm = 1, .ratio = 0};
    if (!to->known)
        return true;
    to->before = long_matrix_of(&before, arena);
    to->after = long_matrix_of(&after, arena);
    to->norm = sqrt(schur_squared_norm(&before));
    to->ratio = ratio_of(&before, to->norm);
    return matrix_is_finite(&before) && is_within(to->norm * to->norm, format);
}

static LongMatrix turned(const LongMatrix *a, Arena *arena)
{
    Matrix one = matrix_identity(a->n, arena);
    LongMatrix unit = long_matrix_of(&one, arena);
    return long_matrix_product(&unit, a, true, arena);
}

/* L X R^H, or (L X) (L Y)^H where there is no R; of the adjoint ones where there is no L. */
static LongMatrix product_of(const Problem *p, bool after, int x, int y, Arena *arena)
{
    const LongMatrix *pair = after ? p->after : p->before;
    const LongMatrix *factor[2];
    LongMatrix sides[2];
    for (int i = 0; i < 2; i++)
        factor[i] = after ? &p->side[i].after : &p->side[i].before;
    if (p->side[0].known && p->side[1].known) {
        sides[0] = long_matrix_product(factor[0], &pair[x], false, arena);
        return long_matrix_product(&sides[0], factor[1], true, arena);
    }
    for (int i = 0; i < 2; i++) {
        LongMatrix of = pair[i ? y : x];
        if (p->side[1].known)
            of = turned(&of, arena);
        sides[i] = long_matrix_product(factor[p->side[1].known], &of, false, arena);
    }
    return long_matrix_product(&sides[0], &sides[1], true, arena);
}

/* What is off over its scale at each element, the larger one of two. */
static void judge_product(Ref *ref, const Problem *p, const Matrix *got, int x, Arena *arena)
{
    bool both = p->side[0].known && p->side[1].known;
    const Side *one = &p->side[p->side[1].known];
    double relative = both ? 1 + p->side[0].ratio + p->side[1].ratio : 2 * (1 + one->ratio);
    double scale = both ? p->side[0].norm * p->side[1].norm : one->norm * one->norm;
    double bound = relative * p->factor;
    LongMatrix off[2];
    for (int y = 0; y < 2; y++) {
        LongMatrix before = product_of(p, false, x, both ? x : y, arena);
        off[y] = product_of(p, true, x, both ? x : y, arena);
        for (int64_t i = 0; i < before.n * before.n; i++)
            off[y].values[i] -= before.values[i];
    }
    for (int64_t i = 0; i < got->rows; i++)
        for (int64_t j = 0; j < got->rows; j++) {
            Scalar defect = long_matrix_element(&off[0], i, j, scale);
            Scalar other = long_matrix_element(&off[1], i, j, scale);
            if (!(hypot(other.re, other.im) <= hypot(defect.re, defect.im)))
                defect = other;
            bool is_zero = j + (x == PENCIL_A) < i && !scalar_is_zero(*matrix_at(got, i, j));
            defect = (Scalar){defect.re * p->norm[x], defect.im * p->norm[x]};
            if (!is_zero)
                spectrum_put_defect(ref, matrix_element(ref, i, j), *matrix_at(got, i, j), defect,
                                    bound * p->norm[x]);
        }
}

/* Q Q^H - Q1 Q1^H. */
static void judge_side(Ref *ref, const Side *side, const Matrix *got, double factor, Arena *arena)
{
    LongMatrix after = long_matrix_product(&side->after, &side->after, true, arena);
    LongMatrix before = long_matrix_product(&side->before, &side->before, true, arena);
    for (int64_t i = 0; i < after.n * after.n; i++)
        after.values[i] -= before.values[i];
    for (int64_t i = 0; i < got->rows; i++)
        for (int64_t j = 0; j < got->rows; j++) {
            Scalar off = long_matrix_element(&after, i, j, side->norm);
            spectrum_put_defect(ref, matrix_element(ref, i, j), *matrix_at(got, i, j), off,
                                2 * factor * side->ratio * side->norm);
        }
}

/* The real part of the inner product of two matrices, whose sizes are about 1. */
static double inner(const LongMatrix *x, const LongMatrix *y)
{
    long double sum = 0;
    for (int64_t i = 0; i < x->n * x->n; i++)
        sum += creall(x->values[i]) * creall(y->values[i]) +
               cimagl(x->values[i]) * cimagl(y->values[i]);
    return (double)sum;
}

/* The norm of a matrix, and the inner product of both, at the last element of its first row. */
static void judge_norm(Ref *ref, const Problem *p, const Matrix *got, int x)
{
    double off = 0;
    for (int y = 0; y < 2; y++) {
        double by =
            (inner(&p->after[x], &p->after[y]) - inner(&p->before[x], &p->before[y])) * p->norm[x];
        off = fabs(by) > off || isnan(by) ? fabs(by) : off;
    }
    double bound = 2 * p->factor * p->norm[x] * (1 + 0x1p-8);
    int64_t last = got->rows - 1;
    if (got->rows > 0 && !(off <= bound))
        spectrum_put_defect(ref, matrix_element(ref, 0, last), *matrix_at(got, 0, last),
                            (Scalar){off, 0}, bound);
}

/* Zeros below, and finite numbers. */
static void judge_form(Ref *ref, const Matrix *got, int64_t beside)
{
    int parts = dtype_components(ref->dtype);
    for (int64_t i = 0; i < got->rows; i++)
        for (int64_t j = 0; j < got->rows; j++)
            for (int part = 0; part < parts; part++) {
                size_t at = matrix_element(ref, i, j) + (size_t)part;
                if (j + beside < i)
                    ref_set_exact(ref, at, 0, MATCH_VALUE);
                else
                    matrix_admit_finite(ref, at);
            }
}

static LongMatrix over_norm(const Matrix *a, double norm, Arena *arena)
{
    LongMatrix to = long_matrix_of(a, arena);
    for (int64_t i = 0; i < to.n * to.n; i++)
        to.values[i] /= norm;
    return to;
}

PencilForm pencil_form_of(Ref *refs, const ReferenceInput *input, const int operands[PENCIL_PARTS],
                          PencilFactor left, PencilFactor right)
{
    PencilForm form = {.factor = {left, right}, .dtype = input->tensors[operands[PENCIL_A]].dtype};
    for (int i = PENCIL_A; i < PENCIL_PARTS; i++) {
        form.refs[i] = &refs[operands[i]];
        form.given[i] = &input->tensors[operands[i]];
        form.computed[i] = input->computed ? &input->computed[operands[i]] : NULL;
    }
    return form;
}

bool pencil_form_judge(const PencilForm *f, Arena *arena)
{
    const Format *format = dtype_format(f->dtype);
    int64_t n = f->given[PENCIL_A]->extent[0];
    Problem p = {.factor = spectrum_factor(f->dtype, n) * (1 + 0x1p-8)};
    Matrix got[2];
    bool known = true;
    for (int i = PENCIL_A; i <= PENCIL_B; i++) {
        Matrix given = matrix_read(f->given[i], arena);
        double norm = matrix_norm(&given);
        got[i] = matrix_read(f->computed[i], arena);
        known = known && matrix_is_finite(&given) && (norm == 0 || is_within(norm, format));
        p.norm[i] = norm > 0 ? norm : 1;
        p.before[i] = over_norm(&given, p.norm[i], arena);
        p.after[i] = over_norm(&got[i], p.norm[i], arena);
    }
    for (int i = 0; i < 2; i++)
        known = read_side(&p.side[i], f->given[PENCIL_Q + i], f->computed[PENCIL_Q + i],
                          f->factor[i], format, arena) &&
                known;
    for (int i = PENCIL_A; i <= PENCIL_B && known; i++) {
        judge_form(f->refs[i], &got[i], i == PENCIL_A);
        if (!p.side[0].known && !p.side[1].known)
            judge_norm(f->refs[i], &p, &got[i], i);
        else
            judge_product(f->refs[i], &p, &got[i], i, arena);
    }
    for (int i = 0; i < 2 && known; i++) {
        Matrix side = matrix_read(f->computed[PENCIL_Q + i], arena);
        if (p.side[i].known)
            judge_side(f->refs[PENCIL_Q + i], &p.side[i], &side, p.factor, arena);
    }
    return known;
}
