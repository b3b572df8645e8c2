/* A pencil of A and an upper triangle B becomes H and T, H upper Hessenberg and T an upper
 * triangle, A = Q H Z^H and B = Q T Z^H with unitary Q and Z, by rotations of rows and columns ilo
 * to ihi.  q and z have nothing, Q and Z, or the products Q1 Q and Z1 Z of what they had before, as
 * `compq` and `compz` say.
 *
 * Theorem (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 19.9).  Rotations
 * of r groups, each of disjoint ones, give the result of exact rotations of a matrix that is off by
 * r sqrt 2 gamma_6 |A|_F at most.  Those of rows and those of columns make up some 3 n groups each
 * whatever their order, and are the same for A, B, Q and Z.  So with e = p(n) u, p(n) that of
 * spectrum.h, which has room for these and is a convention where types are complex or steps are
 * reflections, and with |Q1| at most its 2-norm's bound by sums of rows and columns,
 *     |Q H Z^H - Q1 A Z1^H|_F <= e |Q1| |Z1| |A|_F (1 + |Q1|_F / |Q1| + |Z1|_F / |Z1|),
 *     |Q Q^H - Q1 Q1^H|_F <= 2 e |Q1|_F |Q1|,
 * the same of T and B, and of Z.  Where Q alone is known, products without Z are judged, (Q H) (Q
 * H)^H and (Q H) (Q T)^H, each with twice that; where Z alone is, the same of the adjoint ones; and
 * where neither is, the norms of H and T and their inner product, which both keep.
 *
 * H is 0 below its subdiagonal and T below its diagonal (dgghrd.f: set to zero).  Where numbers are
 * not finite, or norms may leave the range, nothing else is said. */
#include <math.h>

#include "dense.h"
#include "lapack.h"
#include "long_matrix.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "schur_judge.h"
#include "spectrum.h"

static const char *const vectors[] = {"nothing", "identity", "given", NULL};
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE_AS("compq", Lapack, jobvl, vectors, "no Q, or Q, or its product with what q has"),
    P_CHOICE(Lapack, compz, vectors, "no Z, or Z, or its product with what z has"),
    LAPACK_N("rows and columns of A"),
    LAPACK_BLOCK,
    LAPACK_LDA,
    LAPACK_LDB,
    P_ROW("ldq", PARAM_PAD, Lapack, ldu, int64_t, "leading dimension of Q beyond its minimum",
          .maximum = 1 << 16),
    P_ROW("ldz", PARAM_PAD, Lapack, ldv, int64_t, "leading dimension of Z beyond its minimum",
          .maximum = 1 << 16),
    LAPACK_MATRIX,
    P_END,
};
static const char *const tensors[] = {"a", "b", "q", "z", "info", NULL};
enum { A, B, Q, Z, INFO };
enum { COMP_NOTHING, COMP_IDENTITY, COMP_GIVEN };

static void normalise(void *of)
{
    Lapack *q = of;
    lapack_normalise_block(q, q->n);
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    for (int i = A; i <= B; i++) {
        shapes->tensor[i] = lapack_matrix(q, q->n, q->n, i == A ? q->lda : q->ldb, ROLE_INOUT);
        shapes->tensor[i].arrangement = lapack_arrangement(q);
        shapes->tensor[i].block = i == A ? lapack_block(q) : (DiagonalBlock){.first = 0, .end = 1};
    }
    for (int i = Q; i <= Z; i++) {
        int64_t job = i == Q ? q->jobvl : q->compz, order = job == COMP_NOTHING ? 0 : q->n;
        shapes->tensor[i] = lapack_matrix(q, order, order, i == Q ? q->ldu : q->ldv,
                                          job == COMP_GIVEN ? ROLE_INOUT : ROLE_OUT);
    }
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 60 * lapack_parts(q) * (double)(q->n * q->n) * (double)(q->n + 8);
}

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
static bool read_side(Side *to, const Tensor *given, const Tensor *computed, int64_t job,
                      const Format *format, Arena *arena)
{
    Matrix after = matrix_read(computed, arena);
    Matrix before =
        job == COMP_GIVEN ? matrix_read(given, arena) : matrix_identity(after.rows, arena);
    *to = (Side){.known = job != COMP_NOTHING, .norm = 1, .ratio = 0};
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
            bool is_zero = j + (x == A) < i && !scalar_is_zero(*matrix_at(got, i, j));
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

static void judge(Ref *refs, const ReferenceInput *input, const Matrix given[2], Arena *arena)
{
    const Lapack *q = input->params;
    const Format *format = dtype_format((DType)q->dtype);
    Problem p = {.factor = spectrum_factor((DType)q->dtype, q->n) * (1 + 0x1p-8)};
    Matrix got[2];
    bool known = true;
    for (int i = A; i <= B; i++) {
        double norm = matrix_norm(&given[i]);
        got[i] = matrix_read(&input->computed[i], arena);
        known = known && matrix_is_finite(&given[i]) && (norm == 0 || is_within(norm, format));
        p.norm[i] = norm > 0 ? norm : 1;
        p.before[i] = over_norm(&given[i], p.norm[i], arena);
        p.after[i] = over_norm(&got[i], p.norm[i], arena);
    }
    for (int i = 0; i < 2; i++)
        known = read_side(&p.side[i], &input->tensors[Q + i], &input->computed[Q + i],
                          i ? q->compz : q->jobvl, format, arena) &&
                known;
    for (int i = A; i <= B && known; i++) {
        judge_form(&refs[i], &got[i], i == A);
        if (!p.side[0].known && !p.side[1].known)
            judge_norm(&refs[i], &p, &got[i], i);
        else
            judge_product(&refs[i], &p, &got[i], i, arena);
    }
    for (int i = 0; i < 2 && known; i++) {
        Matrix side = matrix_read(&input->computed[Q + i], arena);
        if (p.side[i].known)
            judge_side(&refs[Q + i], &p.side[i], &side, p.factor, arena);
    }
}

/* c and s of the rotation that makes (f, g) (r, 0). */
typedef struct Rotation {
    long double c;
    LongComplex s;
} Rotation;

static Rotation rotation_of(LongComplex f, LongComplex g)
{
    long double size = cabsl(f), r = hypotl(size, cabsl(g));
    if (r == 0 || cabsl(g) == 0)
        return (Rotation){1, 0};
    LongComplex phase = size > 0 ? f / size : 1;
    return (Rotation){size / r, phase * conjl(g) / r};
}

/* x and y become c x + s y and c y - conj(s) x, of n numbers with a step. */
static void rotate(Rotation by, LongComplex *x, LongComplex *y, int64_t n, int64_t step)
{
    for (int64_t k = 0; k < n; k++) {
        LongComplex u = x[k * step], v = y[k * step];
        x[k * step] = by.c * u + by.s * v;
        y[k * step] = by.c * v - conjl(by.s) * u;
    }
}

static void put_values(Ref *ref, const LongComplex *values, int64_t n, Arena *arena)
{
    Matrix to = matrix_zeros(n, n, arena);
    for (int64_t i = 0; i < n * n; i++)
        to.values[i] = (Scalar){(double)creall(values[i]), (double)cimagl(values[i])};
    matrix_put_rounded(&to, ref);
}

/* One right result, by rotations one by one in 64 bits. */
static void compute(Ref *refs, const ReferenceInput *input, const Matrix given[2], Arena *arena)
{
    const Lapack *q = input->params;
    int64_t n = q->n;
    LongComplex *x[4];
    for (int i = A; i <= Z; i++) {
        Matrix factor = matrix_identity(n, arena);
        if (i >= Q && (i == Q ? q->jobvl : q->compz) == COMP_GIVEN)
            factor = matrix_read(&input->tensors[i], arena);
        x[i] = dense_widened(i <= B ? &given[i] : &factor, arena);
    }
    for (int64_t j = q->ilo - 1; j + 2 < q->ihi; j++)
        for (int64_t i = q->ihi - 1; i > j + 1; i--) {
            Rotation left = rotation_of(x[A][(i - 1) * n + j], x[A][i * n + j]);
            for (int k = A; k <= B; k++)
                rotate(left, x[k] + (i - 1) * n, x[k] + i * n, n, 1);
            x[A][i * n + j] = 0;
            left.s = conjl(left.s);
            rotate(left, x[Q] + i - 1, x[Q] + i, n, n);
            Rotation right = rotation_of(x[B][i * n + i], x[B][i * n + i - 1]);
            for (int k = A; k <= Z; k++)
                if (k != Q)
                    rotate(right, x[k] + i, x[k] + i - 1, n, n);
            x[B][i * n + i - 1] = 0;
        }
    for (int i = A; i <= Z; i++)
        if (i <= B || (i == Q ? q->jobvl : q->compz) != COMP_NOTHING)
            put_values(&refs[i], x[i], n, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *tensor = input->tensors;
    const Matrix given[2] = {matrix_read(&tensor[A], arena), matrix_read(&tensor[B], arena)};
    for (int i = A; i < INFO; i++)
        lapack_admit_all(&refs[i], &tensor[i], arena);
    ref_allocate_exact(&refs[INFO], &tensor[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    if (input->computed)
        judge(refs, input, given, arena);
    else
        compute(refs, input, given, arena);
}

const OpDesc op_gghrd = {
    .name = "gghrd",
    .summary = "Hessenberg and triangular form of a pencil by rotations",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
