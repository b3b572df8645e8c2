/* The modified plane rotation that takes (sqrt(d1) x1, sqrt(d2) y1) to (sqrt(d1') x1', 0); d1, d2
 * and x1 become the new ones, param gets the flag and the coefficients of rotm, those that the flag
 * implies are left alone.  d1 and d2 are kept within [2^-24, 2^24) by factors of 2^24, x1 and the
 * coefficients accordingly (Lawson and others, ACM TOMS 5, 1979; reference implementation).
 *
 * Bound: a quotient of products of data has a relative error of at most 4 u, u = 1 +- such products
 * at most (8 / |u| + 2) u, the rest is products and quotients by it. */
#include "blas_vectors.h"
#include "reference/modified_rotation.h"

static const Param params[] = {BLAS_DTYPE, P_REAL(Blas, y1, 1, "second component"), P_END};
static const char *const tensors[] = {"d1", "d2", "x1", "param", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    *shapes = (Shapes){.count = 4, .depth = 1};
    for (int i = 0; i < 3; i++)
        shapes->tensor[i] = blas_number(blas_dtype(q), ROLE_INOUT);
    shapes->tensor[3] = blas_role(blas_vector(q, 5, 1), ROLE_INOUT);
}

static double work(const void *params_of_case)
{
    (void)params_of_case;
    return 32;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    modified_rotation_reference(refs, input->tensors, q->y1.re, arena);
}

const OpDesc op_rotmg = {
    .name = "rotmg",
    .summary = "construction of a modified plane rotation",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_REAL,
    /* Not near the ends of the range: products of d and x would leave it, which leaves all open. */
    .fills = 1 << FILL_INT | 1 << FILL_WIDE | 1 << FILL_NORMAL | 1 << FILL_POSITIVE |
             1 << FILL_EXPONENTS | 1 << FILL_CANCEL | 1 << FILL_SPARSE | 1 << FILL_ONES,
    .shape = shape,
    .work = work,
    .reference = reference,
    .zeros =
        ZERO_SIGNS("coefficients that the flag leaves out, and numbers of a rotation that is none",
                   "reference BLAS, drotmg.f: they are not stored", "the flag", NULL),
};
