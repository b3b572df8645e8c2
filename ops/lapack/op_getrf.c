/* P A = L U with rows exchanged so that no element of L exceeds 1 (partial pivoting); A is
 * overwritten by L, without its diagonal of ones, and U.  Judged as lu.h says. */
#include "lu.h"

static const Param params[] = {
    LAPACK_DTYPE, LAPACK_M("rows of A"), LAPACK_N("columns of A"), LAPACK_LDA, LAPACK_MATRIX, P_END,
};
static const char *const tensors[] = {"a", "ipiv", "info", NULL};
enum { A, IPIV, INFO };

static int64_t steps_of(const Lapack *q)
{
    return q->m < q->n ? q->m : q->n;
}

static void shape(const void *of, Shapes *shapes)
{
    const Lapack *q = of;
    *shapes = (Shapes){.count = 3, .depth = steps_of(q)};
    shapes->tensor[A] = lapack_matrix(q, q->m, q->n, q->lda, ROLE_INOUT);
    shapes->tensor[A].arrangement = lapack_arrangement(q);
    shapes->tensor[IPIV] = lapack_integers(steps_of(q));
    shapes->tensor[INFO] = lapack_integers(1);
}

static double work(const void *of)
{
    const Lapack *q = of;
    return 2 * lapack_parts(q) * (double)(q->m * q->n) * (double)(steps_of(q) + 8);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *before = input->tensors, *after = input->computed;
    lapack_lu_reference(&(LapackLu){.a_ref = &refs[A],
                                    .ipiv_ref = &refs[IPIV],
                                    .info_ref = &refs[INFO],
                                    .a = &before[A],
                                    .ipiv = &before[IPIV],
                                    .info = &before[INFO],
                                    .computed_a = after ? &after[A] : NULL,
                                    .computed_ipiv = after ? &after[IPIV] : NULL,
                                    .computed_info = after ? &after[INFO] : NULL},
                        NULL, arena);
}

const OpDesc op_getrf = {
    .name = "getrf",
    .summary = "LU factorization with partial pivoting",
    LAPACK_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
};
