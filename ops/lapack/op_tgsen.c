/* Moves eigenvalues of a generalized Schur form (A, B) that `select` chooses to its front, A = U A'
 * W^H and B = U B' W^H, and multiplies q by U and z by W where these are given; of a pair either or
 * both may be chosen.  m is how many they are; alpha and beta are the values of A' and B'.  As
 * `ijob` says, pl and pr are 1 over the norms of projectors on their left and right subspaces, and
 * dif has estimates of the separations Difu and Difl from the other ones.
 *
 * The forms are judged as pencil_form.h and pencil_schur.h say, but for the signs in blocks of B',
 * of which no text says any.
 *
 * Which value stands where: theorem.  Let K = c A / |A| + s B / |B| with c^2 + s^2 = 1 and L = c B
 * / |B| - s A / |A|, and let E and F be the errors of K and L, each at most e = 3/2 p(n) u.  With t
 * = |K^-1| e < 1/4, (K + E)^-1 (L + F) - K^-1 L = (K + E)^-1 (F - E K^-1 L) is at most e |K^-1| (1
 * + |K^-1 L|) / (1 - t), and its eigenvalues are those of (A', B') under the same map of alpha and
 * beta.  So Bauer and Fike's theorem says of K^-1 L what it says of a matrix in reorder.h.
 *
 * pl and pr are within 0 and 1, and 1 where none or all are chosen; dif is not negative, and at
 * most 2 |(A, B)|, as |A_11 R - L A_22|_F^2 + |B_11 R - L B_22|_F^2 is at most that squared of (R,
 * L) of norm 1; then it is that norm where none or all are chosen (dtgsen.f).  info is 1 where two
 * neighbours were too close to be exchanged, and pl, pr and dif are 0 then.  Where numbers are not
 * finite, or norms may leave the range, nothing is said. */
#include <limits.h>
#include <math.h>

#include "dense.h"
#include "lapack.h"
#include "pencil_schur.h"
#include "reference/function.h"
#include "reference/wide_complex.h"
#include "reorder.h"
#include "spectrum.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_INTEGER(Lapack, ijob, 0, 5, 0, "0: no condition numbers; which ones, and how dif is found"),
    P_INTEGER_AS("wantq", Lapack, jobvl, 0, 1, 0, "1: q is given and multiplied"),
    P_INTEGER_AS("wantz", Lapack, jobvr, 0, 1, 0, "1: z is given and multiplied"),
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    LAPACK_LDB,
    P_ROW("ldq", PARAM_PAD, Lapack, ldu, int64_t, "leading dimension of Q beyond its minimum",
          .maximum = 1 << 16),
    P_ROW("ldz", PARAM_PAD, Lapack, ldv, int64_t, "leading dimension of Z beyond its minimum",
          .maximum = 1 << 16),
    LAPACK_LWORK,
    P_END,
};
static const char *const tensors[] = {"select", "a", "b",  "alpha", "alphai", "beta", "q",
                                      "z",      "m", "pl", "pr",    "dif",    "info", NULL};
enum { SELECT, A, B, ALPHA, ALPHAI, BETA, Q, Z, FOUND, PL, PR, DIF, INFO };

static bool has_projectors(const Lapack *q)
{
    return q->ijob == 1 || q->ijob >= 4;
}

static bool has_separations(const Lapack *q)
{
    return q->ijob >= 2;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    TensorSpec numbers = blas_role(blas_vector(&(Blas){.dtype = q->dtype}, q->n, 1), ROLE_OUT);
    *shapes = (Shapes){.count = INFO + 1, .depth = q->n};
    shapes->tensor[SELECT] = lapack_selection(q->n);
    for (int i = A; i <= B; i++) {
        shapes->tensor[i] = lapack_matrix(q, q->n, q->n, i == A ? q->lda : q->ldb, ROLE_INOUT);
        shapes->tensor[i].arrangement = i == A ? ARRANGED_SCHUR : ARRANGED_SCHUR_PARTNER;
    }
    for (int i = Q; i <= Z; i++) {
        int64_t order = (i == Q ? q->jobvl : q->jobvr) ? q->n : 0;
        shapes->tensor[i] = lapack_matrix(q, order, order, i == Q ? q->ldu : q->ldv, ROLE_INOUT);
    }
    shapes->tensor[ALPHA] = shapes->tensor[BETA] = numbers;
    shapes->tensor[ALPHAI] = lapack_real_vector(q, lapack_is_real(q) ? q->n : 0);
    shapes->tensor[FOUND] = shapes->tensor[INFO] = lapack_integers(1);
    shapes->tensor[PL] = shapes->tensor[PR] = lapack_real_vector(q, has_projectors(q) ? 1 : 0);
    shapes->tensor[DIF] = lapack_real_vector(q, has_separations(q) ? 2 : 0);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 40 * (double)(q->n * q->n) * (double)(q->n + 8) * (double)(q->n + 8);
}

static PencilForm form_of(Ref *refs, const ReferenceInput *input)
{
    static const int operands[] = {A, B, Q, Z};
    const Lapack *q = input->params;
    return pencil_form_of(refs, input, operands, q->jobvl ? PENCIL_GIVEN : PENCIL_NOTHING,
                          q->jobvr ? PENCIL_GIVEN : PENCIL_NOTHING);
}

/* K^-1 L of a pencil, and |K^-1|. */
static Matrix quotient_of(const Matrix *a, const Matrix *b, const Pencil *p, double angle,
                          double *size, Arena *arena)
{
    int64_t n = a->rows;
    long double c = cosl(angle), s = sinl(angle), sum = 0;
    LongComplex *k = dense_widened(a, arena), *y = dense_widened(b, arena);
    LongComplex *x = arena_take_zeroed(arena, (size_t)(2 * n * n) + 1, sizeof *x);
    for (int64_t i = 0; i < n * n; i++) {
        LongComplex of_a = k[i] / (long double)p->a_norm, of_b = y[i] / (long double)p->b_norm;
        k[i] = c * of_a + s * of_b;
        x[i / n * 2 * n + i % n] = c * of_b - s * of_a;
    }
    for (int64_t i = 0; i < n; i++)
        x[i * 2 * n + n + i] = 1;
    (void)dense_eliminate(k, x, n, 2 * n);
    Matrix to = matrix_zeros(n, n, arena);
    for (int64_t i = 0; i < n * n; i++) {
        LongComplex q = x[i / n * 2 * n + i % n], inverse = x[i / n * 2 * n + n + i % n];
        to.values[i] = (Scalar){(double)creall(q), (double)cimagl(q)};
        sum += creall(inverse) * creall(inverse) + cimagl(inverse) * cimagl(inverse);
    }
    *size = matrix_is_finite(&to) ? (double)sqrtl(sum) : INFINITY;
    return to;
}

static void judge_order(Ref *refs, const ReferenceInput *input, const Pencil *p,
                        const SchurChoice *choice, Arena *arena)
{
    static const double angles[] = {0.7, 2.3, 1.5};
    bool real = dtype_components(p->dtype) == 1;
    double best = INFINITY, angle = 0, size;
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        (void)quotient_of(p->a, p->b, p, angles[i], &size, arena);
        angle = size < best ? angles[i] : angle;
        best = fmin(size, best);
    }
    double e = 1.5 * p->factor * (1 + 0x1p-6), t = best * e;
    Matrix s = matrix_read(&input->computed[A], arena), b = matrix_read(&input->computed[B], arena);
    if (!(t < 0.25) || !matrix_is_finite(&s) || !matrix_is_finite(&b))
        return;
    Matrix before = quotient_of(p->a, p->b, p, angle, &size, arena);
    Matrix after = quotient_of(&s, &b, p, angle, &size, arena);
    if (!isfinite(size))
        return;
    SchurValues values = schur_values(&before, real, arena);
    double error = e * best * (1 + matrix_norm(&before)) / (1 - t);
    reorder_judge_values(&refs[A], &s, &values, &after, error, choice->labels, choice->at, arena);
}

static void judge_conditions(Ref *refs, const Lapack *q, const Pencil *p, int64_t m, bool failed)
{
    double unit = dtype_format(p->dtype)->unit, n = (double)q->n;
    double a = matrix_norm(p->a), b = matrix_norm(p->b), norm = hypot(a, b);
    bool trivial = m == 0 || m == q->n;
    double order = 2 * (double)m * (double)(q->n - m),
           least = dtype_format(p->dtype)->smallest_normal;
    double most = norm * (q->ijob % 2 && q->ijob > 1 ? sqrt(order) : 1) + order * least / unit;
    for (int i = PL; i <= PR && has_projectors(q); i++)
        if (failed || trivial)
            ref_set_exact(&refs[i], 0, failed ? 0 : 1, MATCH_VALUE);
        else
            ref_put_bounded(&refs[i], 0, 0.5, 0, 0.5 * (1 + 32 * unit));
    for (size_t i = 0; i < refs[DIF].count; i++)
        if (failed)
            ref_set_exact(&refs[DIF], i, 0, MATCH_VALUE);
        else if (trivial)
            ref_put_bounded(&refs[DIF], i, norm, 0x1p-40 * norm, (4 * n * n + 32) * unit * norm);
        else
            ref_put_bounded(&refs[DIF], i, most, 0, most * (1 + 0x1p-10));
}

static void judge(Ref *refs, const ReferenceInput *input, const Pencil *p,
                  const SchurChoice *choice, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *computed = input->computed;
    int64_t info = lapack_integer(&computed[INFO], 0), m = lapack_integer(&computed[FOUND], 0);
    lapack_put_integer(&refs[INFO], 0, info, 0, 1);
    lapack_put_integer(&refs[FOUND], 0, m, choice->count, choice->count);
    PencilForm form = form_of(refs, input);
    const PencilValues values = {&refs[ALPHA], &computed[ALPHA]};
    if (!p->known || !pencil_form_judge(&form, arena))
        return;
    pencil_schur_judge(&form, &values, p, false, arena);
    if (info == 0)
        judge_order(refs, input, p, choice, arena);
    judge_conditions(refs, q, p, choice->count, info != 0);
}

/* The values of a form before, and which are chosen. */
typedef struct Wanted {
    const Pencil *pencil;
    const SchurChoice *choice;
    PencilValue *values;
} Wanted;

static Wanted wanted_of(const Pencil *p, const SchurChoice *choice, Arena *arena)
{
    int64_t n = p->a->rows;
    bool real = dtype_components(p->dtype) == 1;
    Wanted to = {p, choice, arena_take(arena, (size_t)n + 1, sizeof *to.values)};
    for (int64_t i = 0; i < n; i++) {
        int64_t last = schur_block_last(p->a, real, i);
        to.values[i] = (PencilValue){*matrix_at(p->a, i, i), *matrix_at(p->b, i, i)};
        if (last == i)
            continue;
        double one = matrix_at(p->b, i, i)->re, other = matrix_at(p->b, last, last)->re;
        double root = sqrt(fabs(matrix_at(p->a, i, last)->re / one)) *
                      sqrt(fabs(matrix_at(p->a, last, i)->re / other));
        double re =
            matrix_at(p->a, i, i)->re / one / 2 + matrix_at(p->a, last, last)->re / other / 2;
        to.values[i] = to.values[last] = (PencilValue){{re, root}, {1, 0}};
        i = last;
    }
    return to;
}

/* Whether the nearest value of the form before is chosen, of pairs by the one above the axis. */
static bool is_wanted(const void *context, PencilValue value)
{
    const Wanted *w = context;
    const Pencil *p = w->pencil;
    bool wanted = false, real = dtype_components(p->dtype) == 1;
    double least = INFINITY;
    Scalar alpha = {value.alpha.re, real ? fabs(value.alpha.im) : value.alpha.im};
    for (int64_t i = 0; i < p->a->rows; i++) {
        Scalar a = w->values[i].alpha, b = w->values[i].beta;
        double off =
            hypot(a.re * value.beta.re - b.re * alpha.re, a.im * value.beta.re - b.re * alpha.im) /
            hypot(hypot(a.re, a.im) * p->b_norm, b.re * p->a_norm);
        if (off < least) {
            least = off;
            wanted = w->choice->labels[i] != 0;
        }
    }
    return wanted;
}

static void compute(Ref *refs, const ReferenceInput *input, const Pencil *p,
                    const SchurChoice *choice, Arena *arena)
{
    const Lapack *q = input->params;
    PencilForm form = form_of(refs, input);
    const Wanted wanted = wanted_of(p, choice, arena);
    PencilSchur schur = pencil_schur_form(p, is_wanted, &wanted, arena);
    pencil_schur_put(&form, &refs[ALPHA], &schur, arena);
    double norm = hypot(matrix_norm(p->a), matrix_norm(p->b));
    for (int i = PL; i <= PR && has_projectors(q); i++)
        ref_set_exact(&refs[i], 0, 1, MATCH_VALUE);
    for (size_t i = 0; i < refs[DIF].count; i++)
        ref_set_exact(&refs[DIF], i, dtype_round(refs[DIF].dtype, norm), MATCH_VALUE);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *given = input->tensors;
    const Lapack *q = input->params;
    Matrix a = matrix_read(&given[A], arena), b = matrix_read(&given[B], arena);
    Pencil p = pencil_problem(&a, &b, (DType)q->dtype, arena);
    SchurChoice choice = schur_choice(&a, &given[SELECT], lapack_is_real(q), arena);
    for (int i = A; i < INFO; i++)
        if (i != FOUND)
            lapack_admit_all(&refs[i], &given[i], arena);
    for (int i = FOUND; i <= INFO; i += INFO - FOUND)
        ref_allocate_exact(&refs[i], &given[i], arena);
    lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
    lapack_put_integer(&refs[FOUND], 0, choice.count, choice.count, choice.count);
    if (input->computed)
        judge(refs, input, &p, &choice, arena);
    else if (p.known)
        compute(refs, input, &p, &choice, arena);
}

const OpDesc op_tgsen = {
    .name = "tgsen",
    .summary =
        "generalized Schur form with chosen eigenvalues in front, and their condition numbers",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
