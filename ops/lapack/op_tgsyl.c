/* Sylvester's equations of two pencils, A R - L B = s C and D R - L E = s F, or where `trans` says
 * so A^H R + D^H L = s C and R B^H + L E^H = -s F, R and L in place of C and F.  A and D, and B and
 * E, are pairs in generalized Schur form: A and B as of Schur forms, D and E upper triangles.  s,
 * at most 1, is the scale that keeps both within the range; info is above 0 where pencils have
 * values that are close to each other (dtgsyl.f).
 *
 * Theorem (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorems 8.5 and 9.4;
 * Kagstrom and Poromaa, LAPACK Working Note 75).  Each equation is off by at most gamma_(m+n+8)
 * times the sum of the magnitudes of its products, and by what a system of d = 2, 4 or 8 equations
 * of a pair of blocks adds that is solved with complete pivoting: gamma_(3 d) |L| |U|, of which
 * elements are at most d r_d times the largest coefficient, r_d = 2, 4.7 and 13.2 how much these
 * grow (Wilkinson; Higham, (9.14)): 24, 226 and 2535 u times that and the sum of the block's
 * unknowns.  Where s is not 1 and of complex types as of trsyl (op_trsyl.c).  A pivot below smin =
 * max(2 u times the largest coefficient, safmin / (2 u)) is taken for smin (dgetc2.f), which info
 * then says, and adds 2 smin times the sum of these unknowns.
 *
 * info is 0 where no pair of blocks has two rows and all pivots are above 4 smin, and is not where
 * some pair has no coefficient above smin / 4.
 *
 * dif, as `ijob` asks for it, estimates the least singular value of the whole system Z.  With 1 and
 * 3 it is |b| / |x| of some x with Z x = b, so neither below 1 / |Z^-1|_F, which is known where m n
 * is at most 36, nor above |A| + |B| + |D| + |E|, but for 1/2 and 2 times these for the errors of x
 * where p(2 m n) u |Z| |Z^-1| is below 1/4; with 2 and 4 it is not negative.  With 3 and 4 nothing
 * is said of R and L.  Where numbers are not finite, or may leave the range though s is chosen,
 * nothing is said. */
#include <math.h>

#include "lapack.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "spectrum.h"
#include "sylvester.h"

#define PAD_OF(name, field, text)                                                                  \
    P_ROW(name, PARAM_PAD, Lapack, field, int64_t, text, .maximum = 1 << 16)
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    LAPACK_TRANS,
    P_INTEGER(Lapack, ijob, 0, 4, 0, "0: R and L alone; how dif is found"),
    LAPACK_M("rows of R"),
    LAPACK_N("columns of R"),
    LAPACK_LDA,
    LAPACK_LDB,
    P_PAD(Lapack, ldc, 1 << 16, "leading dimension of C beyond its minimum"),
    PAD_OF("ldd", ldu, "leading dimension of D beyond its minimum"),
    PAD_OF("lde", ldv, "leading dimension of E beyond its minimum"),
    PAD_OF("ldf", ldt, "leading dimension of F beyond its minimum"),
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"a", "b", "c", "d", "e", "f", "scale", "dif", "info", NULL};
enum { A, B, C, D, E, F, SCALE, DIF, INFO };

/* Real routines know no conjugate, complex ones no transpose; dif is found of what is not
 * transposed. */
static void normalise(void *of)
{
    Lapack *q = of;
    if (q->trans != TRANSPOSE_NONE)
        q->trans = lapack_is_real(q) ? TRANSPOSE_PLAIN : TRANSPOSE_CONJUGATE;
    if (q->trans != TRANSPOSE_NONE)
        q->ijob = 0;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    const int64_t pads[] = {q->lda, q->ldb, q->ldc, q->ldu, q->ldv, q->ldt};
    *shapes = (Shapes){.count = INFO + 1, .depth = q->m + q->n};
    for (int i = A; i <= F; i++) {
        bool left = i == A || i == D, right = i == B || i == E;
        shapes->tensor[i] = lapack_matrix(q, right ? q->n : q->m, left ? q->m : q->n, pads[i],
                                          left || right ? ROLE_IN : ROLE_INOUT);
        if (i == A || i == B)
            shapes->tensor[i].arrangement = ARRANGED_SCHUR;
        if (i == D || i == E)
            shapes->tensor[i].block = (DiagonalBlock){.first = 0, .end = 1};
    }
    shapes->tensor[SCALE] = blas_number(dtype_component((DType)q->dtype), ROLE_OUT);
    shapes->tensor[DIF] = lapack_real_vector(q, q->ijob > 0);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    double count = (double)(q->m * q->n + 8), solves = q->ijob > 0 && count < 45 ? 2 * count : 2;
    return 12 * lapack_parts(q) * solves * count * (double)(q->m + q->n + 8);
}

/* Both equations: left[e] and right[e] are op(A) and op(B), op(D) and op(E). */
typedef struct Pair {
    const Format *format;
    int64_t m, n;
    bool turned;
    SchurFactor left[2], right[2];
    LongComplex *c[2]; /* right sides */
} Pair;

/* The factor of number k of unknown u, R or L, in equation e of element (i, j): of R the numbers
 * are those of column j, of L of row i, and the other way round where the system is turned. */
static LongComplex factor_at(const Pair *s, int e, int u, int64_t i, int64_t j, int64_t k)
{
    const SchurFactor *left = &s->left[s->turned ? u : e], *right = &s->right[s->turned ? u : e];
    bool of_left = s->turned ? e == 0 : u == 0;
    LongComplex value = of_left ? left->values[i * s->m + k] : right->values[k * s->n + j];
    return !s->turned && u == 1 ? -value : value;
}

static int64_t place_at(const Pair *s, int e, int u, int64_t i, int64_t j, int64_t k)
{
    bool of_left = s->turned ? e == 0 : u == 0;
    return of_left ? k * s->n + j : i * s->n + k;
}

static int64_t terms_of(const Pair *s, int e, int u)
{
    return (s->turned ? e == 0 : u == 0) ? s->m : s->n;
}

/* What equation e of element (i, j) lacks, and the sum of the magnitudes of its products. */
static LongComplex rest_of(const Pair *s, LongComplex *const x[2], double scale, int e, int64_t i,
                           int64_t j, long double *size)
{
    LongComplex rest = s->c[e][i * s->n + j] * (long double)scale;
    *size = 0;
    for (int u = 0; u < 2; u++)
        for (int64_t k = 0; k < terms_of(s, e, u); k++) {
            LongComplex factor = factor_at(s, e, u, i, j, k);
            LongComplex unknown = x[u][place_at(s, e, u, i, j, k)];
            rest -= dense_product(factor, unknown);
            *size += sylvester_size(factor) * sylvester_size(unknown);
        }
    return rest;
}

/* The pair of blocks that element (i, j) lies in. */
typedef struct Block {
    int64_t row, column;
    int height, width;
} Block;

static Block block_at(const Pair *s, int64_t i, int64_t j)
{
    Block b = {.row = s->left[0].second[i] ? i - 1 : i,
               .column = s->right[0].second[j] ? j - 1 : j};
    b.height = (int)(sylvester_block_end(&s->left[0], b.row) - b.row);
    b.width = (int)(sylvester_block_end(&s->right[0], b.column) - b.column);
    return b;
}

/* The equations of a block: those of number one first; the largest coefficient. */
static double coefficients(const Pair *s, Block b, LongComplex k[SYLVESTER_MAX][SYLVESTER_MAX + 1])
{
    int count = b.height * b.width;
    double largest = 0;
    for (int row = 0; row < 2 * count; row++)
        for (int column = 0; column < 2 * count; column++) {
            int e = row / count, u = column / count;
            int64_t i = b.row + row % count / b.width, j = b.column + row % count % b.width;
            int64_t p = b.row + column % count / b.width, q = b.column + column % count % b.width;
            bool of_left = s->turned ? e == 0 : u == 0;
            bool meets = of_left ? j == q : i == p;
            k[row][column] = meets ? factor_at(s, e, u, i, j, of_left ? p : q) : 0;
            largest = fmax(largest, (double)sylvester_size(k[row][column]));
        }
    return largest;
}

static double least_pivot(const Pair *s, double largest)
{
    double eps = 2 * s->format->unit;
    return fmax(eps * largest, s->format->smallest_normal / eps);
}

static bool solve_block(const Pair *s, LongComplex *const x[2], Block b)
{
    LongComplex k[SYLVESTER_MAX][SYLVESTER_MAX + 1] = {{0}};
    int count = b.height * b.width;
    long double size;
    double largest = coefficients(s, b, k);
    for (int row = 0; row < 2 * count; row++)
        k[row][2 * count] = rest_of(s, x, 1, row / count, b.row + row % count / b.width,
                                    b.column + row % count % b.width, &size);
    bool changed = sylvester_solve_small(k, 2 * count, least_pivot(s, largest));
    for (int row = 0; row < 2 * count; row++)
        x[row / count][(b.row + row % count / b.width) * s->n + b.column + row % count % b.width] =
            k[row][2 * count];
    return changed;
}

/* R and L, which are 0 before, by substitution; whether a pivot was changed. */
static bool solve(const Pair *s, LongComplex *const x[2])
{
    const SchurFactor *left = &s->left[0], *right = &s->right[0];
    bool changed = false;
    for (int64_t step = 0; step < s->n;) {
        int64_t column = sylvester_block_start(right, step, right->upper);
        for (int64_t other = 0; other < s->m;) {
            int64_t row = sylvester_block_start(left, other, !left->upper);
            changed = solve_block(s, x, block_at(s, row, column)) || changed;
            other += sylvester_block_end(left, row) - row;
        }
        step += sylvester_block_end(right, column) - column;
    }
    return changed;
}

static void take_unknowns(const Pair *s, LongComplex *x[2], Arena *arena)
{
    for (int u = 0; u < 2; u++)
        x[u] = arena_take_zeroed(arena, (size_t)(s->m * s->n) + 1, sizeof *x[u]);
}

/* |Z^-1|_F, column by column; infinite where it is not known. */
static double inverse_norm(const Pair *given, Arena *arena)
{
    enum { MOST = 36 };
    Pair s = *given;
    int64_t count = s.m * s.n;
    long double sum = 0;
    LongComplex *x[2];
    if (count > MOST)
        return INFINITY;
    take_unknowns(&s, s.c, arena);
    take_unknowns(&s, x, arena);
    for (int64_t at = 0; at < 2 * count; at++) {
        for (int64_t i = 0; i < 2 * count; i++) {
            s.c[i / count][i % count] = i == at;
            x[i / count][i % count] = 0;
        }
        if (solve(&s, x))
            return INFINITY;
        for (int64_t i = 0; i < 2 * count; i++) {
            long double size = cabsl(x[i / count][i % count]);
            sum += size * size;
        }
    }
    return (double)sqrtl(sum);
}

/* Demands info where it is known. */
static void judge_info(Ref *ref, const Pair *s, int64_t got)
{
    LongComplex k[SYLVESTER_MAX][SYLVESTER_MAX + 1] = {{0}};
    bool none = true, some = false;
    double tiny = s->format->smallest_normal / s->format->unit / 8;
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = 0; j < s->n; j++) {
            Block b = block_at(s, i, j);
            double largest = coefficients(s, b, k);
            some = some || largest < tiny;
            if (b.height * b.width > 1) {
                none = false;
                continue;
            }
            LongComplex det = dense_product(k[0][0], k[1][1]) - dense_product(k[0][1], k[1][0]);
            double second = largest > 0 ? (double)cabsl(det) / largest : 0;
            none = none && fmin(second, largest / 2) > 4 * least_pivot(s, largest);
        }
    lapack_put_integer(ref, 0, got, some ? 1 : 0, none ? 0 : SYLVESTER_MAX);
}

/* What an equation may be off by for the block that it is one of. */
static double block_bound(const Pair *s, LongComplex *const x[2], Block b, double times,
                          bool changed)
{
    LongComplex k[SYLVESTER_MAX][SYLVESTER_MAX + 1];
    int count = b.height * b.width;
    double largest = coefficients(s, b, k);
    const double pivoting = count == 1 ? 24.5 : count == 2 ? 227 : 2540;
    long double sum = 0;
    for (int e = 0; e < 2 * count; e++)
        sum += sylvester_size(
            x[e / count][(b.row + e % count / b.width) * s->n + b.column + e % count % b.width]);
    double factor = times * pivoting * s->format->unit * largest;
    return (double)(sum * (factor + (changed ? 4 * least_pivot(s, largest) : 0)));
}

static void put_defects(Ref refs[], const Tensor computed[], const Pair *s, double scale,
                        bool changed, Arena *arena)
{
    bool is_complex = dtype_components(computed[C].dtype) == 2;
    double mn = (double)(s->m * s->n), divisor = 0, halves = scale == 1 ? 0 : mn;
    double count = (double)(s->m + s->n + 8) + (scale == 1 ? 0 : 2 * mn);
    double gamma =
        is_complex ? 2 * equation_gamma(s->format, 2 * count) : equation_gamma(s->format, count);
    Matrix got[2] = {matrix_read(&computed[C], arena), matrix_read(&computed[F], arena)};
    LongComplex *x[2] = {dense_widened(&got[0], arena), dense_widened(&got[1], arena)};
    for (int e = 0; e < 2; e++)
        divisor = fmax(divisor, s->left[e].largest + s->right[e].largest);
    double tiny = 16 * (double)(s->m + s->n + 4) * (1 + divisor);
    divisor = divisor > 0 ? divisor : 1;
    for (int e = 0; e < 2; e++)
        for (int64_t i = 0; i < s->m; i++)
            for (int64_t j = 0; j < s->n; j++) {
                long double size;
                LongComplex rest = rest_of(s, x, scale, e, i, j, &size) / (long double)divisor;
                Ref *ref = &refs[e ? F : C];
                double given = (double)sylvester_size(s->c[e][i * s->n + j]);
                double bound = (double)(gamma * size) * (1 + 0x1p-20) +
                               block_bound(s, x, block_at(s, i, j), is_complex ? 4 : 1, changed) +
                               (tiny + halves * given) * s->format->smallest_subnormal;
                Scalar off = {-(double)creall(rest), -(double)cimagl(rest)};
                spectrum_put_defect(ref, matrix_element(ref, i, j), *matrix_at(&got[e], i, j), off,
                                    bound / divisor);
            }
}

/* dif, where s is 1 and no pivot was changed. */
static void judge_dif(Ref *ref, const Pair *s, int64_t ijob, Arena *arena)
{
    long double most = 0;
    for (int e = 0; e < 2; e++)
        for (int side = 0; side < 2; side++) {
            const SchurFactor *f = side ? &s->right[e] : &s->left[e];
            long double sum = 0;
            for (int64_t i = 0; i < f->n * f->n; i++)
                sum += cabsl(f->values[i]) * cabsl(f->values[i]);
            most += sqrtl(sum);
        }
    double inverse = inverse_norm(s, arena), norm = (double)most;
    double units = spectrum_factor(ref->dtype, 2 * s->m * s->n);
    bool is_known = ijob % 2 == 1 && units * norm * inverse < 0.25;
    if (is_known)
        ref_put_bounded(ref, 0, 0.25 / inverse + norm, 0, norm - 0.25 / inverse);
    else if (norm < s->format->largest / 16)
        ref_put_bounded(ref, 0, s->format->largest / 2, 0, s->format->largest / 2);
}

static bool are_finite(const Tensor *computed, Arena *arena)
{
    Matrix r = matrix_read(&computed[C], arena), l = matrix_read(&computed[F], arena);
    return matrix_is_finite(&r) && matrix_is_finite(&l);
}

static void judge(Ref *refs, const ReferenceInput *input, const Pair *s, LongComplex *const own[2],
                  bool changed, Arena *arena)
{
    const Lapack *q = input->params;
    int64_t count = q->m * q->n, info = lapack_integer(&input->computed[INFO], 0);
    double root = ldexp(1, s->format->maximum_exponent / 4), most = 0;
    double scale = dtype_load(refs[SCALE].dtype, input->computed[SCALE].origin, 0);
    for (int e = 0; e < 2; e++) {
        most = fmax(most, fmax(s->left[e].largest, s->right[e].largest));
        most =
            fmax(most, fmax(sylvester_largest(own[e], count), sylvester_largest(s->c[e], count)));
    }
    bool is_moderate = most < root, solves = q->ijob <= 2;
    judge_info(&refs[INFO], s, info);
    if (solves && is_moderate && info == 0)
        ref_set_exact(&refs[SCALE], 0, 1, MATCH_VALUE);
    else if (isfinite(scale) || is_moderate)
        ref_put_bounded(&refs[SCALE], 0, 0.5, 0, 0.5);
    if (solves && (is_moderate || (isfinite(scale) && are_finite(input->computed, arena))))
        put_defects(refs, input->computed, s, scale, info != 0, arena);
    if (q->ijob > 0 && is_moderate && info == 0 && !changed && count > 0)
        judge_dif(&refs[DIF], s, q->ijob, arena);
}

/* op of an upper triangle, below which nothing is read. */
static SchurFactor triangle_of(const Tensor *given, int64_t trans, Arena *arena)
{
    SchurFactor f = sylvester_factor(given, trans, false, arena);
    for (int64_t i = 0; i < f.n; i++)
        for (int64_t j = 0; j < f.n; j++)
            if (f.upper ? j < i : j > i)
                f.values[i * f.n + j] = 0;
    return f;
}

static Pair pair_of(const Lapack *q, const Tensor *given, Arena *arena)
{
    bool real = lapack_is_real(q);
    Matrix c = matrix_read(&given[C], arena), f = matrix_read(&given[F], arena);
    Pair s = {.format = dtype_format((DType)q->dtype),
              .m = q->m,
              .n = q->n,
              .turned = q->trans != TRANSPOSE_NONE,
              .left = {sylvester_factor(&given[A], q->trans, real, arena),
                       triangle_of(&given[D], q->trans, arena)},
              .right = {sylvester_factor(&given[B], q->trans, real, arena),
                        triangle_of(&given[E], q->trans, arena)},
              .c = {dense_widened(&c, arena), dense_widened(&f, arena)}};
    for (int64_t i = 0; i < q->m * q->n && s.turned; i++)
        s.c[1][i] = -s.c[1][i];
    return s;
}

/* Whether all numbers are finite, and far enough from the end of the range. */
static bool is_known(const Tensor *given, const Format *format, Arena *arena)
{
    for (int i = A; i <= F; i++) {
        Matrix x = matrix_read(&given[i], arena);
        if (!matrix_is_finite(&x) ||
            (i != C && i != F && !(matrix_norm(&x) < format->largest / 16)))
            return false;
    }
    return true;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    LongComplex *x[2];
    for (int i = C; i <= DIF; i++)
        if (i != D && i != E)
            lapack_admit_all(&refs[i], &given[i], arena);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    ref_set_classes(&refs[INFO], 0, CLASS_ANY);
    if (!is_known(given, dtype_format((DType)q->dtype), arena))
        return;
    Pair s = pair_of(q, given, arena);
    take_unknowns(&s, x, arena);
    bool changed = solve(&s, x);
    if (input->computed) {
        judge(refs, input, &s, x, changed, arena);
        return;
    }
    for (int e = 0; e < 2; e++) {
        Matrix to = matrix_zeros(q->m, q->n, arena);
        for (int64_t i = 0; i < q->m * q->n; i++)
            to.values[i] = (Scalar){(double)creall(x[e][i]), (double)cimagl(x[e][i])};
        matrix_put_rounded(&to, &refs[e ? F : C]);
    }
    ref_set_exact(&refs[SCALE], 0, 1, MATCH_VALUE);
    if (q->ijob > 0) {
        double inverse = inverse_norm(&s, arena);
        ref_set_exact(&refs[DIF], 0,
                      dtype_round(refs[DIF].dtype, isfinite(inverse) ? 1 / inverse : 0),
                      MATCH_VALUE);
    }
    lapack_put_integer(&refs[INFO], 0, changed, changed, changed);
}

const OpDesc op_tgsyl = {
    .name = "tgsyl",
    .summary = "Sylvester's equations of two pencils in Schur form",
    LAPACK_OP_TABLES,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
