/* The inverse of A from its factors, A = P L U as getrf leaves them, in place of them.  The factors
 * are any numbers, and ipiv(k) is any row from k on.
 *
 * Theorem (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 14.3.1 and
 * 14.3.2).  X from P A X = I by two substitutions has |L U X - P| <= (2 gamma + gamma^2) |L| |U|
 * |X|, and from X L = U^-1 with U^-1 by rows the same with X on the left: each method has a small
 * residual on one side.  Whichever is smaller is judged (solve.h), and of large matrices sums of
 * either (factors.h). info is the number of the first
 * element of U's diagonal that is exactly 0: then nothing is said of A. */
#include "factors.h"
#include "lu.h"
#include "reference/function.h"
#include "solve.h"

static const Param params[] = {
    LAPACK_DTYPE_ORDER, LAPACK_N("rows and columns of A"),
    LAPACK_LDA,         LAPACK_HERMITIAN_MATRIX,
    LAPACK_LWORK,       P_END,
};
static const char *const tensors[] = {"a", "ipiv", "info", NULL};
enum { A, IPIV, INFO };

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 3, .depth = q->n};
    shapes->tensor[A] = lapack_matrix(q, q->n, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_hermitian_arrangement(q);
    shapes->tensor[IPIV] = lapack_pivots(q->n);
    shapes->tensor[IPIV].arrangement = ARRANGED_PIVOTS;
    shapes->tensor[INFO] = lapack_integers(1);
}

/* A view of the transpose. */
static Tensor transposed(const Tensor *a)
{
    return tensor_matrix(a->dtype, a->extent[1], a->extent[0], a->stride[1], a->stride[0],
                         a->origin);
}

/* X L U = P^T, as U^T L^T X^T = P, into a reference of X^T. */
static void refer_left(Ref *ref, const Matrix *lu, const Tensor *a, const Tensor *computed,
                       const int64_t *pivots, Arena *arena)
{
    Matrix identity = matrix_identity(lu->rows, arena);
    Matrix lower = lapack_factor(lu, true, true, arena);
    Matrix upper = lapack_factor(lu, false, false, arena);
    Matrix f = lapack_transposed(&upper, false, arena), g = lapack_transposed(&lower, false, arena);
    Tensor turned = transposed(a), found = transposed(computed);
    lapack_solve_reference(&(LapackSolve){.b_ref = ref,
                                          .f = &f,
                                          .g = &g,
                                          .right = &identity,
                                          .b = &turned,
                                          .computed = &found,
                                          .pivots = pivots,
                                          .exchanges = EXCHANGE_SOLUTIONS},
                           arena);
}

static void refer_right(Ref *ref, const Matrix *lu, const Tensor *a, const Tensor *computed,
                        const int64_t *pivots, Arena *arena)
{
    Matrix identity = matrix_identity(lu->rows, arena);
    Matrix f = lapack_factor(lu, true, true, arena), g = lapack_factor(lu, false, false, arena);
    lapack_solve_reference(&(LapackSolve){.b_ref = ref,
                                          .f = &f,
                                          .g = &g,
                                          .right = &identity,
                                          .b = a,
                                          .computed = computed,
                                          .pivots = pivots,
                                          .exchanges = EXCHANGE_RIGHT_SIDES},
                           arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Lapack *q = input->params;
    const Tensor *given = input->tensors;
    Matrix lu = matrix_read(&given[A], arena);
    int64_t *pivots = lapack_read_pivots(&given[IPIV], arena);
    int64_t zero = lapack_first_zero(&lu);
    ref_allocate_exact(&refs[INFO], &given[INFO], arena);
    lapack_put_integer(&refs[INFO], 0, zero, zero, zero);
    if (zero) {
        lapack_admit_all(&refs[A], &given[A], arena);
        return;
    }
    const Tensor *computed = input->computed ? &input->computed[A] : NULL;
    refer_right(&refs[A], &lu, &given[A], computed, pivots, arena);
    if (!computed || q->n == 0)
        return;
    Ref left = {0};
    refer_left(&left, &lu, &given[A], computed, pivots, arena);
    Matrix x = matrix_read(computed, arena), turned = lapack_transposed(&x, false, arena);
    if (matrix_ratio(&turned, &left) >= matrix_ratio(&x, &refs[A]))
        return;
    Tensor order = tensor_matrix(given[A].dtype, q->n, q->n, 1, q->n, NULL);
    ref_gather(&refs[A], &left, &order, arena);
}

/* Of a diagonal with zeros nothing is known. */
static void check_factors(FactorChecks *checks, const ReferenceInput *input, Arena *arena)
{
    const Tensor *a = &input->tensors[A];
    const int64_t n = a->extent[0], *pivots = lapack_read_pivots(&input->tensors[IPIV], arena);
    const int64_t *order = lapack_row_order(pivots, n, n, true, arena);
    const StoredMatrix lu = {.view = *a};
    for (int64_t k = 0; k < n; k++) {
        Scalar d = stored_element(&lu, k, k);
        if ((d.re == 0 && d.im == 0) || !order)
            return;
    }
    ref_allocate_exact(&checks->refs[INFO], &input->tensors[INFO], arena);
    lapack_put_integer(&checks->refs[INFO], 0, 0, 0, 0);
    checks->judged |= 1u << INFO;
    lapack_check_inverse(checks, input, A, order);
}

const OpDesc op_getri = {
    .name = "getri",
    .summary = "inverse of a matrix by its LU factors",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = lapack_inverse_work,
    .reference = reference,
    .factors = check_factors,
    .is_product = lapack_is_plain_matrix,
    .well_posed = lapack_make_plain,
};
