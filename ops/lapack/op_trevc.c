/* Eigenvectors of a matrix T in Schur form, upper triangular, of real types with blocks of two on
 * the diagonal: T v = w v in vr, u^H T = w u^H in vl, for w on the diagonal, or of a block the one
 * with the positive imaginary part, whose vector is two columns, its real and its imaginary part.
 * The largest |re| + |im| of an element of each is 1 (dtrevc.f), within 8 u.  T is as it was.
 *
 * Theorem (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 8.5).  A vector
 * is found from T_11 x = w x - t_12 by substitution, so that |T v - w v| <= gamma_c (|T| |v| + |w|
 * |v|) + 2 smin |v|, element by element, c = 2 n + 32, smin = max(2 u |w|, n safmin / (2 u)) what
 * an element of the diagonal of T_11 - w I is at least taken for.  Equations of blocks of two are
 * solved with complete pivoting, whose multipliers are at most 1 and whose elements grow by 2 at
 * most: what that adds is 48 u (|T_ii| + |w|) times the sum of the unknowns, with the largest
 * element of the block (theorem 9.3).  Of complex numbers gamma is 2 gamma of twice the count.  A
 * left vector of T is a right one of T^H in reverse.  What stands behind w in v, or before it in u,
 * is 0.  Where numbers are not finite, or near the ends of the range, nothing is said. */
#include <complex.h>
#include <math.h>

#include "lapack.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "spectrum.h"

typedef long double _Complex Number;

static const char *const sides[] = {"right", "left", "both", NULL};
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, side, sides, "which vectors"),
    LAPACK_N("rows and columns of T"),
    P_PAD(Lapack, ldt, 1 << 16, "leading dimension of T beyond its minimum"),
    P_ROW("ldvl", PARAM_PAD, Lapack, ldu, int64_t, "leading dimension of VL beyond its minimum",
          .maximum = 1 << 16),
    P_ROW("ldvr", PARAM_PAD, Lapack, ldv, int64_t, "leading dimension of VR beyond its minimum",
          .maximum = 1 << 16),
    P_END,
};
static const char *const tensors[] = {"t", "vl", "vr", "m", "info", NULL};
enum { T, VL, VR, FOUND, INFO };
enum { SIDE_RIGHT_VECTORS, SIDE_LEFT_VECTORS, SIDE_BOTH_VECTORS };

static bool has_vectors(const Lapack *q, int operand)
{
    return q->side == SIDE_BOTH_VECTORS || (q->side == SIDE_LEFT_VECTORS) == (operand == VL);
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 5, .depth = q->n};
    shapes->tensor[T] = lapack_matrix(q, q->n, q->n, q->ldt, ROLE_INOUT);
    shapes->tensor[T].arrangement = ARRANGED_SCHUR;
    for (int i = VL; i <= VR; i++) {
        int64_t n = has_vectors(q, i) ? q->n : 0;
        shapes->tensor[i] = lapack_matrix(q, n, n, i == VL ? q->ldu : q->ldv, ROLE_OUT);
    }
    shapes->tensor[FOUND] = lapack_integers(1);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 24 * lapack_parts(q) * (double)(q->n * q->n + 8) * (double)(q->n + 8);
}

/* T, or in reverse T^H, so that what is looked for are right vectors. */
typedef struct Problem {
    const Format *format;
    int64_t n;
    Number *t;
    bool real, reversed, *second; /* the row is the second one of a block */
    double largest;
} Problem;

static Problem problem_of(const Matrix *t, DType dtype, bool left, Arena *arena)
{
    int64_t n = t->rows;
    Problem p = {.format = dtype_format(dtype),
                 .n = n,
                 .t = arena_take(arena, (size_t)(n * n) + 1, sizeof *p.t),
                 .real = dtype_components(dtype) == 1,
                 .reversed = left,
                 .second = arena_take_zeroed(arena, (size_t)n + 1, sizeof *p.second)};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            Scalar x =
                left ? scalar_conjugate(*matrix_at(t, n - 1 - j, n - 1 - i)) : *matrix_at(t, i, j);
            p.t[i * n + j] = x.re + x.im * (Number)_Complex_I;
            p.largest = fmax(p.largest, hypot(x.re, x.im));
            p.second[i] = p.second[i] || (p.real && i == j + 1 && x.re != 0);
        }
    return p;
}

static bool begins_block(const Problem *p, int64_t i)
{
    return i + 1 < p->n && p->second[i + 1];
}

static long double size_of(Number x)
{
    return fabsl(creall(x)) + fabsl(cimagl(x));
}

/* The eigenvalue of the line, of a block with an imaginary part above 0 in T. */
static Number value_of(const Problem *p, int64_t i)
{
    int64_t first = p->second[i] ? i - 1 : i, n = p->n;
    if (!begins_block(p, first))
        return p->t[first * n + first];
    long double above = fabsl(creall(p->t[first * n + first + 1])),
                below = fabsl(creall(p->t[(first + 1) * n + first]));
    Number root = sqrtl(above) * sqrtl(below) * (Number)_Complex_I;
    return p->t[first * n + first] + (p->reversed ? -root : root);
}

static double least_of(const Problem *p, Number w)
{
    double eps = 2 * p->format->unit;
    return fmax(eps * (double)size_of(w), p->format->smallest_normal * (double)p->n / eps);
}

/* Row i of T v - w v, without the elements of v that are 0 still. */
static Number rest_of(const Problem *p, const Number *v, Number w, int64_t i)
{
    Number rest = -w * v[i];
    for (int64_t k = i > 0 ? i - 1 : 0; k < p->n; k++)
        rest += p->t[i * p->n + k] * v[k];
    return rest;
}

static Number at_least(Number x, double least)
{
    return size_of(x) > least ? x : (Number)least;
}

/* The right vector that begins with line `from`, by substitution; its largest element is 1. */
static void solve(const Problem *p, int64_t from, Number *v)
{
    int64_t n = p->n;
    Number w = value_of(p, from);
    double least = least_of(p, w);
    for (int64_t i = 0; i < n; i++)
        v[i] = 0;
    v[from] = 1;
    if (begins_block(p, from))
        v[from + 1] = (w - p->t[from * n + from]) / p->t[from * n + from + 1];
    for (int64_t i = from - 1; i >= 0; i--) {
        if (!p->second[i]) {
            v[i] = -rest_of(p, v, w, i) / at_least(p->t[i * n + i] - w, least);
            continue;
        }
        const Number *row = &p->t[(i - 1) * n + i - 1], *next = row + n;
        Number a = row[0] - w, b = row[1], c = next[0], d = next[1] - w;
        Number first = -rest_of(p, v, w, i - 1), second = -rest_of(p, v, w, i);
        Number det = at_least(a * d - b * c, least * least);
        v[i - 1] = (d * first - b * second) / det;
        v[i] = (a * second - c * first) / det;
        i--;
    }
    long double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmaxl(largest, size_of(v[i]));
    for (int64_t i = 0; i < n; i++)
        v[i] /= largest;
}

/* The column of vector `from` in the result, and its row i. */
static int64_t place_of(const Problem *p, int64_t i)
{
    return p->reversed ? p->n - 1 - i : i;
}

/* Element i of a vector as it is stored: of a block in two columns. */
static Scalar *stored_at(const Problem *p, const Matrix *x, int64_t from, int64_t i, bool second)
{
    int64_t column = place_of(p, from);
    if (begins_block(p, from) && p->reversed)
        column--;
    return matrix_at(x, place_of(p, i), column + second);
}

static void compute(const Problem *p, Ref *ref, Arena *arena)
{
    Matrix x = matrix_zeros(p->n, p->n, arena);
    Number *v = arena_take(arena, (size_t)p->n + 1, sizeof *v);
    for (int64_t from = 0; from < p->n; from++) {
        bool block = begins_block(p, from);
        solve(p, from, v);
        for (int64_t i = 0; i < p->n; i++) {
            *stored_at(p, &x, from, i, false) =
                (Scalar){(double)creall(v[i]), p->real ? 0 : (double)cimagl(v[i])};
            if (block)
                *stored_at(p, &x, from, i, true) = (Scalar){(double)cimagl(v[i]), 0};
        }
        from += block;
    }
    matrix_put_rounded(&x, ref);
}

/* What row i of T v - w v may be. */
static double bound_of(const Problem *p, const Number *v, Number w, int64_t i, bool pair)
{
    double count = 2 * (double)p->n + 32;
    double gamma =
        pair ? 2 * equation_gamma(p->format, 2 * count) : equation_gamma(p->format, count);
    int64_t row = p->second[i] ? i - 1 : i;
    long double size = size_of(w) * size_of(v[i]), unknowns = 0, block = size_of(w);
    for (int64_t k = i > 0 ? i - 1 : 0; k < p->n; k++)
        size += size_of(p->t[i * p->n + k]) * size_of(v[k]);
    for (int64_t k = row; k <= row + begins_block(p, row); k++) {
        unknowns += size_of(v[k]);
        for (int64_t j = row; j <= row + begins_block(p, row); j++)
            block = fmaxl(block, size_of(p->t[k * p->n + j]));
    }
    long double extra = begins_block(p, row) || pair ? 96 * p->format->unit * block * unknowns : 0;
    double tiny =
        16 * (double)(p->n + 4) * p->format->smallest_normal / p->format->unit * (1 + p->largest);
    return (double)(gamma * size + extra + 4 * least_of(p, w) * unknowns) + tiny;
}

/* One vector: zeros behind it, its residual, and its largest element. */
static void judge_vector(const Problem *p, Ref *ref, const Matrix *got, int64_t from, Number *v)
{
    bool block = begins_block(p, from), pair = block || !p->real;
    Number w = value_of(p, from);
    long double largest = 0;
    int64_t where = 0;
    for (int64_t i = 0; i < p->n; i++) {
        Scalar x = *stored_at(p, got, from, i, false);
        double im = block ? stored_at(p, got, from, i, true)->re : x.im;
        v[i] = x.re + im * (Number)_Complex_I;
        where = size_of(v[i]) > largest ? i : where;
        largest = fmaxl(largest, size_of(v[i]));
    }
    double norm = p->largest > 0 ? p->largest : 1, unit = p->format->unit;
    for (int64_t i = 0; i < p->n; i++)
        for (int part = 0; part < (block ? 2 : 1); part++) {
            const Scalar *at = stored_at(p, got, from, i, part);
            size_t element = (size_t)(at - got->values) * (size_t)dtype_components(ref->dtype);
            Number rest = rest_of(p, v, w, i) / (long double)norm;
            Scalar off = {(double)creall(rest), (double)cimagl(rest)};
            double bound = bound_of(p, v, w, i, pair) / norm;
            if (block)
                off = (Scalar){part ? off.im : off.re, 0};
            if (i > from + block) {
                ref_set_exact(ref, element, 0, MATCH_VALUE);
                if (!p->real)
                    ref_set_exact(ref, element + 1, 0, MATCH_VALUE);
                continue;
            }
            if (i == where && !(fabsl(largest - 1) <= 8 * unit)) {
                off = (Scalar){(double)(largest - 1), (double)(largest - 1)};
                bound = 8 * unit;
            }
            spectrum_put_defect(ref, element, *at, off, bound);
        }
}

static void judge(const Problem *p, Ref *ref, const Matrix *got, Arena *arena)
{
    Number *v = arena_take(arena, (size_t)p->n + 1, sizeof *v);
    for (int64_t from = 0; from < p->n; from++) {
        judge_vector(p, ref, got, from, v);
        from += begins_block(p, from);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    DType dtype = (DType)q->dtype;
    Matrix t = matrix_read(&given[T], arena);
    double most = ldexp(1, dtype_format(dtype)->maximum_exponent / 2);
    bool known = matrix_is_finite(&t);
    ref_allocate_bounded(&refs[T], dtype, &given[T], arena);
    matrix_put(&t, &refs[T]);
    for (int i = FOUND; i <= INFO; i++) {
        ref_allocate_exact(&refs[i], &given[i], arena);
        lapack_put_integer(&refs[i], 0, i == FOUND ? q->n : 0, i == FOUND ? q->n : 0,
                           i == FOUND ? q->n : 0);
    }
    for (int i = VL; i <= VR; i++) {
        lapack_admit_all(&refs[i], &given[i], arena);
        if (!has_vectors(q, i) || !known)
            continue;
        Problem p = problem_of(&t, dtype, i == VL, arena);
        if (!input->computed) {
            compute(&p, &refs[i], arena);
            continue;
        }
        Matrix got = matrix_read(&input->computed[i], arena);
        if (p.largest < most && (p.largest > 1 / most || p.largest == 0))
            judge(&p, &refs[i], &got, arena);
    }
}

const OpDesc op_trevc = {
    .name = "trevc",
    .summary = "eigenvectors of a matrix in Schur form",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
