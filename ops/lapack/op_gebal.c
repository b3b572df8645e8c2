/* Balancing of a square matrix before its eigenvalues are found, as `job` says: B = D^-1 P^T A P D
 * in place of A, P interchanges that make rows and columns before ilo and behind ihi those of an
 * upper triangle, D a diagonal of powers of two within ilo to ihi.  scale(j) is the row that was
 * exchanged with j where j is outside, of the exchanges from n to ihi + 1 and then from 1 to ilo -
 * 1, and D's element within (dgebal.f).
 *
 * Given ilo, ihi and scale as they were computed, B is exact but for numbers that leave the normal
 * range on the way: products with powers of two are exact (IEEE 754-2019, 4.3 and 7.5).  Scaling
 * is done by rows and by columns, in several steps, so that an element may be as small or as large
 * on the way as the exponents of d_i, d_j and of the largest element of D move it, taken twice:
 * where that leaves the range nothing is said of it.
 *
 * Conventions, which no text demands: that all rows and columns are found that interchanges make
 * those of a triangle, of which there is one largest set (a row or column once alone stays so
 * whatever is taken away); and that each row's norm is within 16 of its column's, by sums of
 * magnitudes without the diagonal or by Euclid's, as far as both and D are far from the ends of
 * the range (a step by 8 at a time, as in LAPACK until 3.1, is the coarsest in use).  Where numbers
 * are not finite nothing is said.
 *
 * "If JOB = 'N', A is not referenced" (dgebal.f): then it is no output, must not be read, which
 * LAPACKE does not to look for NaN either, and ilo = 1, ihi = n and scale(i) = 1 whatever it
 * holds. */
#include "balance.h"
#include "reference/function.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER,
    P_CHOICE(Lapack, job, lapack_balances, "what is done"),
    LAPACK_N("rows and columns of A"),
    LAPACK_LDA,
    LAPACK_MATRIX,
    P_END,
};
static const char *const tensors[] = {"a", "ilo", "ihi", "scale", "info", NULL};
enum { A, ILO, IHI, SCALE, INFO };

static bool balances(const Lapack *q)
{
    return q->job > 0;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 5, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, balances(q) ? ROLE_INOUT : ROLE_IN);
    shapes->tensor[A].ignored = !balances(q);
    if (balances(q))
        shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[ILO] = lapack_integers(1);
    shapes->tensor[IHI] = lapack_integers(1);
    shapes->tensor[SCALE] = lapack_real_vector(q, q->n);
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 60 * lapack_parts(q) * (double)(q->n * q->n + 8);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix a = balances(q) ? matrix_read(&given[A], arena) : matrix_zeros(q->n, q->n, arena);
    if (balances(q))
        lapack_admit_all(&refs[A], &given[A], arena);
    lapack_admit_all(&refs[SCALE], &given[SCALE], arena);
    for (int i = ILO; i <= INFO; i++)
        if (i != SCALE)
            ref_allocate_exact(&refs[i], &given[i], arena);
    bool finite = matrix_is_finite(&a);
    const BalanceRefs balance = {balances(q) ? &refs[A] : NULL, &refs[ILO], &refs[IHI],
                                 &refs[SCALE]};
    if (!input->computed) {
        lapack_put_integer(&refs[INFO], 0, 0, 0, 0);
        balance_compute(&balance, q, &a, arena);
        return;
    }
    for (int i = ILO; i <= INFO; i++)
        if (i != SCALE)
            lapack_put_known(&refs[i], &input->computed[i], finite, 0);
    if (finite)
        balance_judge(&balance, q, &a, &input->computed[ILO], arena);
}

const OpDesc op_gebal = {
    .name = "gebal",
    .summary = "balancing of a square matrix by interchanges and powers of two",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
