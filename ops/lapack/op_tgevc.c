/* Eigenvectors of a pencil in generalized Schur form, S of Schur form and P an upper triangle,
 * whose diagonal is real, not negative, and beside which P has 0 where S has a block of two: of
 * values alpha / beta of the diagonals, or of a block the one with the positive imaginary part,
 * whose vector is two columns, beta S v = alpha P v in vr, u^H beta S = alpha u^H P in vl. `howmny`
 * says whether all are found or those that `select` chooses, one after the other; m is how many
 * columns they have.  The largest |re| + |im| of an element of each is 1 (dtgevc.f), within 8 u.
 * info is the first row of a block whose values are real.
 *
 * Theorem (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., theorem 8.5).  A vector
 * is found by substitution with C = beta S - alpha P, so that |C v| <= gamma_c (|beta| |S| +
 * |alpha| |P|) |v|, element by element, c = 2 n + 40 with the roundings of alpha, beta and C, and
 * by what an element of C's diagonal is taken for at least, 2 smin |v|, smin = max(2 u |beta|
 * |S|_1, 2 u |alpha| |P|_1).  Equations of blocks of two add 48 u times the largest coefficient and
 * the sum of the unknowns, and of complex numbers gamma is that of twice the count, twice
 * (op_trevc.c).
 *
 * The value of a block of its own is a root of a quadratic: w = a + i b of P_ii^-1 S_ii, whose sum
 * of magnitudes is N, is found from a and b^2 within 64 u N and 64 u N^2 (dlag2.f: sums of few
 * products, without divisions by differences), so w within 64 u (N + N^2 / b), and C v is off by so
 * much of |P| |v| more.  The vector begins with 1 and a quotient that satisfies one of both
 * equations of the block, the one with the larger divisor unless the diagonal is larger than the
 * element below; the other one is off by the determinant, 128 u N^2 |P_ii|^2 over that divisor.
 * Where b^2 is less than 64 u N^2 the values may be taken for real ones.
 *
 * A left vector of S and P is a right one of S^H and P^H in reverse.  What stands behind a block in
 * v, or before it in u, is 0; a pair of numbers that are both least normal numbers or less is any
 * value, and nothing is said of that.  Where numbers are not finite, or near the ends of the range,
 * nothing is said. */
#include <math.h>

#include "dense.h"
#include "eigenvectors.h"
#include "lapack.h"
#include "reference/equation.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "spectrum.h"
#include "sylvester.h"

static const char *const sides[] = {"right", "left", "both", NULL};
static const char *const whichs[] = {"all", "some", NULL};
static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, side, sides, "which vectors"),
    P_CHOICE_AS("howmny", Lapack, sense, whichs, "of all eigenvalues, or of chosen ones"),
    LAPACK_N("rows and columns of S"),
    P_ROW("lds", PARAM_PAD, Lapack, lda, int64_t, "leading dimension of S beyond its minimum",
          .maximum = 1 << 16),
    P_ROW("ldp", PARAM_PAD, Lapack, ldb, int64_t, "leading dimension of P beyond its minimum",
          .maximum = 1 << 16),
    EIGENVECTORS_LEADING,
    P_END,
};
static const char *const tensors[] = {"select", "s", "p", "vl", "vr", "m", "info", NULL};
enum { SELECT, S, P, VL, VR, FOUND, INFO };
enum { SIDE_RIGHT_VECTORS, SIDE_LEFT_VECTORS, SIDE_BOTH_VECTORS };

static bool has_vectors(const Lapack *q, int operand)
{
    return q->side == SIDE_BOTH_VECTORS || (q->side == SIDE_LEFT_VECTORS) == (operand == VL);
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    shapes->tensor[SELECT] = lapack_selection(q->n);
    shapes->tensor[SELECT].ignored = q->sense == 0;
    for (int i = S; i <= P; i++) {
        shapes->tensor[i] = lapack_matrix(q, q->n, q->n, i == S ? q->lda : q->ldb, ROLE_IN);
        shapes->tensor[i].arrangement = i == S ? ARRANGED_SCHUR : ARRANGED_SCHUR_PARTNER;
    }
    for (int i = VL; i <= VR; i++) {
        int64_t n = has_vectors(q, i) ? q->n : 0;
        shapes->tensor[i] = lapack_matrix(q, n, n, i == VL ? q->ldu : q->ldv, ROLE_OUT);
    }
    shapes->tensor[FOUND] = shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 48 * lapack_parts(q) * (double)(q->n * q->n + 8) * (double)(q->n + 8);
}

/* S and P, or in reverse S^H and P^H, so that what is looked for are right vectors. */
typedef struct Problem {
    const Format *format;
    int64_t n;
    LongComplex *x[2];
    bool real, reversed, *second; /* the row is the second one of a block */
    double norm[2], largest[2];   /* by columns of S and P; of an element */
} Problem;

static double column_norm(const Matrix *a)
{
    double norm = 0;
    for (int64_t j = 0; j < a->columns; j++) {
        double sum = 0;
        for (int64_t i = 0; i < a->rows; i++)
            sum += scalar_size(*matrix_at(a, i, j));
        norm = fmax(norm, sum);
    }
    return norm;
}

static Problem problem_of(const Matrix given[2], DType dtype, bool left, Arena *arena)
{
    int64_t n = given[0].rows;
    Problem p = {.format = dtype_format(dtype),
                 .n = n,
                 .real = dtype_components(dtype) == 1,
                 .reversed = left,
                 .second = arena_take_zeroed(arena, (size_t)n + 1, sizeof *p.second)};
    for (int k = 0; k < 2; k++) {
        p.x[k] = arena_take(arena, (size_t)(n * n) + 1, sizeof *p.x[k]);
        p.norm[k] = column_norm(&given[k]);
        for (int64_t at = 0; at < n * n; at++) {
            int64_t i = at / n, j = at % n;
            Scalar x = left ? scalar_conjugate(*matrix_at(&given[k], n - 1 - j, n - 1 - i))
                            : *matrix_at(&given[k], i, j);
            p.x[k][at] = x.re + x.im * (LongComplex)_Complex_I;
            p.largest[k] = fmax(p.largest[k], hypot(x.re, x.im));
            p.second[i] = p.second[i] || (k == 0 && p.real && i == j + 1 && x.re != 0);
        }
    }
    return p;
}

static LongComplex at(const Problem *p, int k, int64_t i, int64_t j)
{
    return p->x[k][i * p->n + j];
}

static bool begins_block(const Problem *p, int64_t i)
{
    return i + 1 < p->n && p->second[i + 1];
}

/* A block by itself: the square of b, that of N, and what the value may be off by. */
typedef struct BlockValue {
    LongComplex w;
    long double square, size;
} BlockValue;

static BlockValue block_value(const Problem *p, int64_t i)
{
    long double p1 = creall(at(p, 1, i, i)), p2 = creall(at(p, 1, i + 1, i + 1));
    long double a = creall(at(p, 0, i, i)) / p1, b = creall(at(p, 0, i, i + 1)) / p1;
    long double c = creall(at(p, 0, i + 1, i)) / p2, d = creall(at(p, 0, i + 1, i + 1)) / p2;
    long double half = (a - d) / 2, square = -(half * half + b * c);
    LongComplex root = sqrtl(fmaxl(square, 0)) * (LongComplex)_Complex_I;
    return (BlockValue){(a + d) / 2 + (p->reversed ? -root : root), square,
                        fabsl(a) + fabsl(b) + fabsl(c) + fabsl(d)};
}

static double roundings_of_block(const Problem *p)
{
    return 64 * p->format->unit;
}

/* The quotients are far from the ends of the range. */
static bool is_in_range(const Problem *p, const BlockValue *b)
{
    long double most = ldexpl(1, p->format->maximum_exponent / 2);
    return b->size < most && b->size > 1 / most;
}

static bool is_pair(const Problem *p, const BlockValue *b)
{
    return b->square > roundings_of_block(p) * b->size * b->size && is_in_range(p, b);
}

/* alpha and beta of a row; how far the quotient may be off. */
typedef struct Value {
    LongComplex alpha, beta;
    long double off;
} Value;

static Value value_of(const Problem *p, int64_t from)
{
    if (!begins_block(p, from))
        return (Value){at(p, 0, from, from), at(p, 1, from, from), 0};
    BlockValue b = block_value(p, from);
    return (Value){b.w, 1, roundings_of_block(p) * (b.size + b.size * b.size / sqrtl(b.square))};
}

/* What a number on the diagonal of C is taken for at least. */
static double least_of(const Problem *p, const Value *w)
{
    double eps = 2 * p->format->unit;
    return eps * fmax((double)dense_size(w->beta) * p->norm[0],
                      (double)dense_size(w->alpha) * p->norm[1]);
}

static LongComplex coefficient(const Problem *p, const Value *w, int64_t i, int64_t j)
{
    return dense_product(w->beta, at(p, 0, i, j)) - dense_product(w->alpha, at(p, 1, i, j));
}

/* Row i of C v. */
static LongComplex rest_of(const Problem *p, const LongComplex *v, const Value *w, int64_t i)
{
    LongComplex rest = 0;
    for (int64_t k = i > 0 ? i - 1 : 0; k < p->n; k++)
        rest += dense_product(coefficient(p, w, i, k), v[k]);
    return rest;
}

static LongComplex at_least(LongComplex x, double least)
{
    return dense_size(x) > least ? x : (LongComplex)(least > 0 ? least : 1);
}

/* The right vector that begins with line `from`, by substitution; its largest element is 1. */
static void solve(const Problem *p, int64_t from, LongComplex *v)
{
    Value w = value_of(p, from);
    double least = least_of(p, &w);
    for (int64_t i = 0; i < p->n; i++)
        v[i] = i == from;
    if (begins_block(p, from))
        v[from + 1] = -coefficient(p, &w, from, from) / coefficient(p, &w, from, from + 1);
    for (int64_t i = from - 1; i >= 0; i--) {
        if (!p->second[i]) {
            v[i] = -rest_of(p, v, &w, i) / at_least(coefficient(p, &w, i, i), least);
            continue;
        }
        LongComplex k[SYLVESTER_MAX][SYLVESTER_MAX + 1] = {{0}};
        for (int row = 0; row < 2; row++) {
            for (int column = 0; column < 2; column++)
                k[row][column] = coefficient(p, &w, i - 1 + row, i - 1 + column);
            k[row][2] = -rest_of(p, v, &w, i - 1 + row);
        }
        (void)sylvester_solve_small(k, 2, least > 0 ? least : 1);
        v[i - 1] = k[0][2];
        v[i] = k[1][2];
        i--;
    }
    long double largest = 0;
    for (int64_t i = 0; i < p->n; i++)
        largest = fmaxl(largest, dense_size(v[i]));
    for (int64_t i = 0; i < p->n; i++)
        v[i] /= largest;
}

/* The rows and columns of vectors as they are stored, of chosen ones one after the other. */
typedef struct Chosen {
    int64_t count, *column; /* of the first row of a block or of a row; -1: not chosen */
} Chosen;

static Chosen chosen_of(const Lapack *q, const Matrix *s, const Tensor *select, Arena *arena)
{
    Chosen to = {0, arena_take(arena, (size_t)q->n + 1, sizeof *to.column)};
    for (int64_t i = 0; i < q->n; i++) {
        int64_t last = lapack_is_real(q) && i + 1 < q->n && matrix_at(s, i + 1, i)->re != 0;
        bool chosen =
            q->sense == 0 || lapack_integer(select, i) || lapack_integer(select, i + last);
        to.column[i] = to.column[i + last] = chosen ? to.count : -1;
        to.count += chosen ? 1 + last : 0;
        i += last;
    }
    return to;
}

static int64_t place_of(const Problem *p, int64_t i)
{
    return p->reversed ? p->n - 1 - i : i;
}

/* Element i of a vector, of a block in two columns; NULL where it is not chosen. */
static Scalar *stored_at(const Problem *p, const Chosen *chosen, const Matrix *x, int64_t from,
                         int64_t i, bool second)
{
    int64_t column = chosen->column[place_of(p, from)];
    return column < 0 ? NULL : matrix_at(x, place_of(p, i), column + second);
}

static void compute(const Problem *p, const Chosen *chosen, Ref *ref, Arena *arena)
{
    Matrix x = matrix_zeros(p->n, p->n, arena);
    LongComplex *v = arena_take(arena, (size_t)p->n + 1, sizeof *v);
    for (int64_t from = 0; from < p->n; from++) {
        bool block = begins_block(p, from);
        solve(p, from, v);
        for (int64_t i = 0; i < p->n && stored_at(p, chosen, &x, from, i, false); i++) {
            *stored_at(p, chosen, &x, from, i, false) =
                (Scalar){(double)creall(v[i]), p->real ? 0 : (double)cimagl(v[i])};
            if (block)
                *stored_at(p, chosen, &x, from, i, true) = (Scalar){(double)cimagl(v[i]), 0};
        }
        from += block;
    }
    matrix_put_rounded(&x, ref);
}

/* The least divisor that the quotient of a vector's first two elements may have had. */
static long double divisor_of(const Problem *p, const Value *w, int64_t from)
{
    long double above = dense_size(coefficient(p, w, from, from + 1));
    long double below = dense_size(coefficient(p, w, from + 1, from));
    int64_t last = p->reversed ? from : from + 1, first = p->reversed ? from + 1 : from;
    long double diagonal = fmaxl(dense_size(coefficient(p, w, last, last)),
                                 dense_size(coefficient(p, w, first, first)));
    if (below > 2 * diagonal)
        return p->reversed ? fminl(above, below) : below;
    return fminl(above, below);
}

/* What row i of C v may be. */
static double bound_of(const Problem *p, const LongComplex *v, const Value *w, int64_t from,
                       int64_t i)
{
    double count = 2 * (double)p->n + 40, unit = p->format->unit;
    bool own_block = begins_block(p, from), is_complex = own_block || !p->real;
    double gamma =
        is_complex ? 2 * equation_gamma(p->format, 2 * count) : equation_gamma(p->format, count);
    int64_t row = p->second[i] ? i - 1 : i;
    long double size = 0, unknowns = 0, block = 0;
    for (int64_t k = i > 0 ? i - 1 : 0; k < p->n; k++) {
        long double of_p = dense_size(at(p, 1, i, k)) * dense_size(v[k]);
        size += dense_size(w->beta) * dense_size(at(p, 0, i, k)) * dense_size(v[k]);
        size += (dense_size(w->alpha) + w->off / gamma) * of_p;
    }
    for (int64_t k = row; k <= row + begins_block(p, row); k++) {
        unknowns += dense_size(v[k]);
        for (int64_t j = row; j <= row + begins_block(p, row); j++)
            block = fmaxl(block, dense_size(coefficient(p, w, k, j)));
    }
    long double extra = begins_block(p, row) || is_complex ? 96 * unit * block * unknowns : 0;
    if (own_block && row == from) {
        BlockValue own = block_value(p, from);
        long double of_p =
            fmaxl(creall(at(p, 1, from, from)), creall(at(p, 1, from + 1, from + 1)));
        extra += 2 * roundings_of_block(p) * own.size * own.size * of_p * of_p /
                 divisor_of(p, w, from) * unknowns;
    }
    double scale =
        (double)fmaxl(dense_size(w->alpha) * p->norm[1], dense_size(w->beta) * p->norm[0]);
    double tiny = 16 * (double)(p->n + 4) * p->format->smallest_normal / unit * (1 + scale);
    return (double)(gamma * size + extra + 4 * least_of(p, w) * unknowns) + tiny;
}

/* One vector: zeros behind it, its residual, and its largest element. */
static void judge_vector(const Problem *p, const Chosen *chosen, Ref *ref, const Matrix *got,
                         int64_t from, LongComplex *v)
{
    bool block = begins_block(p, from);
    Value w = value_of(p, from);
    long double largest = 0;
    int64_t where = 0;
    for (int64_t i = 0; i < p->n; i++) {
        Scalar x = *stored_at(p, chosen, got, from, i, false);
        double im = block ? stored_at(p, chosen, got, from, i, true)->re : x.im;
        v[i] = x.re + im * (LongComplex)_Complex_I;
        where = dense_size(v[i]) > largest ? i : where;
        largest = fmaxl(largest, dense_size(v[i]));
    }
    double norm =
        (double)(dense_size(w.beta) * p->largest[0] + dense_size(w.alpha) * p->largest[1]);
    double unit = p->format->unit;
    bool is_any = fmaxl(dense_size(w.alpha), dense_size(w.beta)) <= p->format->smallest_normal;
    norm = norm > 0 ? norm : 1;
    for (int64_t i = 0; i < p->n; i++)
        for (int part = 0; part < (block ? 2 : 1); part++) {
            const Scalar *stored = stored_at(p, chosen, got, from, i, part);
            size_t element = (size_t)(stored - got->values) * (size_t)dtype_components(ref->dtype);
            LongComplex rest = rest_of(p, v, &w, i) / (long double)norm;
            Scalar off = {(double)creall(rest), (double)cimagl(rest)};
            double bound = bound_of(p, v, &w, from, i) / norm;
            if (block)
                off = (Scalar){part ? off.im : off.re, 0};
            if (i > from + block && is_any) {
                matrix_admit_finite(ref, element);
                if (!p->real)
                    matrix_admit_finite(ref, element + 1);
                continue;
            }
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
            spectrum_put_defect(ref, element, *stored, off, bound);
        }
}

static void judge(const Problem *p, const Chosen *chosen, Ref *ref, const Matrix *got, Arena *arena)
{
    LongComplex *v = arena_take(arena, (size_t)p->n + 1, sizeof *v);
    for (int64_t from = 0; from < p->n; from++) {
        if (stored_at(p, chosen, got, from, 0, false))
            judge_vector(p, chosen, ref, got, from, v);
        from += begins_block(p, from);
    }
}

/* info: 0 where all blocks that are chosen have no real values, else the row of one that has. */
static void put_info(Ref *ref, const Problem *p, const Chosen *chosen, const Tensor *computed)
{
    int64_t got = computed ? lapack_integer(computed, 0) : 0, real = 0;
    bool open = false;
    for (int64_t i = 0; i < p->n; i++) {
        if (!begins_block(p, i) || chosen->column[i] < 0)
            continue;
        BlockValue b = block_value(p, i);
        long double least = roundings_of_block(p) * b.size * b.size;
        bool far = !is_in_range(p, &b);
        bool is_real = b.square < -least && !far, may_be = b.square <= least || far;
        if (is_real && (real == 0 || got == i + 1))
            real = i + 1;
        open = open || (may_be && got == i + 1);
        if (may_be && !is_real && !computed)
            real = i + 1;
    }
    lapack_put_integer(ref, 0, got, open ? got : real, open ? got : real);
}

/* All blocks that are chosen have no real values. */
static bool has_vectors_of_all(const Problem *p, const Chosen *chosen)
{
    for (int64_t i = 0; i < p->n; i++) {
        BlockValue b = {.square = 1, .size = 1};
        if (begins_block(p, i) && chosen->column[i] >= 0)
            b = block_value(p, i);
        if (!is_pair(p, &b))
            return false;
    }
    return true;
}

static bool is_moderate(const Matrix *a, DType dtype)
{
    double most = ldexp(1, dtype_format(dtype)->maximum_exponent / 4), largest = 0;
    for (int64_t i = 0; i < a->rows * a->columns; i++)
        largest = fmax(largest, hypot(a->values[i].re, a->values[i].im));
    return largest == 0 || (largest < most && largest > 1 / most);
}

static void put_vectors(Ref *refs, const ReferenceInput *input, const Matrix given[2],
                        const Chosen *chosen, Arena *arena)
{
    const Lapack *q = input->params;
    DType dtype = (DType)q->dtype;
    for (int i = VL; i <= VR; i++) {
        if (!has_vectors(q, i))
            continue;
        Problem p = problem_of(given, dtype, i == VL, arena);
        if (!input->computed) {
            compute(&p, chosen, &refs[i], arena);
            continue;
        }
        Matrix got = matrix_read(&input->computed[i], arena);
        if (is_moderate(&given[0], dtype) && is_moderate(&given[1], dtype))
            judge(&p, chosen, &refs[i], &got, arena);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *tensor = input->tensors;
    const Matrix given[] = {matrix_read(&tensor[S], arena), matrix_read(&tensor[P], arena)};
    Chosen chosen = chosen_of(q, &given[0], &tensor[SELECT], arena);
    for (int i = VL; i <= VR; i++) {
        lapack_admit_all(&refs[i], &tensor[i], arena);
        for (int64_t row = 0; row < tensor[i].extent[0]; row++)
            for (int64_t j = chosen.count; j < tensor[i].extent[1]; j++)
                for (int part = 0; part < dtype_components(refs[i].dtype); part++)
                    ref_leave(&refs[i], matrix_element(&refs[i], row, j) + (size_t)part, arena);
    }
    for (int i = FOUND; i <= INFO; i++)
        ref_allocate_exact(&refs[i], &tensor[i], arena);
    lapack_put_integer(&refs[FOUND], 0, chosen.count, chosen.count, chosen.count);
    ref_set_classes(&refs[INFO], 0, CLASS_ANY);
    if (!matrix_is_finite(&given[0]) || !matrix_is_finite(&given[1]))
        return;
    Problem p = problem_of(given, (DType)q->dtype, false, arena);
    bool known = is_moderate(&given[0], (DType)q->dtype) && is_moderate(&given[1], (DType)q->dtype);
    if (known || !input->computed)
        put_info(&refs[INFO], &p, &chosen, input->computed ? &input->computed[INFO] : NULL);
    if (has_vectors_of_all(&p, &chosen))
        put_vectors(refs, input, given, &chosen, arena);
}

const OpDesc op_tgevc = {
    .name = "tgevc",
    .summary = "eigenvectors of a pencil in generalized Schur form",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
