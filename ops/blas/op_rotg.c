/* The plane rotation that takes (a, b) to (r, 0): c^2 + |s|^2 = 1, r = c a + s b.
 *
 * Real types: r = sign sqrt(a^2 + b^2), where sign is that of the larger of a and b in magnitude
 * (of b when they are equal), c = a / r, s = b / r, and b becomes z = s if |a| > |b|, else 1 / c,
 * else 1 (Lawson and others, ACM TOMS 5, 1979; reference implementation).  Complex types: c = |a| /
 * r', s = (a / |a|) conj(b) / r', r = (a / |a|) r' with r' = sqrt(|a|^2 + |b|^2); b stays.
 *
 * Bound: a scaled or wide square root of a sum of two squares has a relative error of at most 4 u,
 * a quotient adds 1; published analyses of careful codes give less (Bindel and others, ACM TOMS 28,
 * 2002): 8 u for r, 12 u for c, s and z; twice that for complex parts, relative to the modulus. */
#include "blas_vectors.h"
#include "reference/rotation.h"

static const Param params[] = {BLAS_DTYPE, P_END};
static const char *const tensors[] = {"a", "b", "c", "s", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    bool complex = dtype_components(blas_dtype(q)) == 2;
    *shapes = (Shapes){.count = 4, .depth = 1};
    shapes->tensor[0] = blas_number(blas_dtype(q), ROLE_INOUT);
    shapes->tensor[1] = blas_number(blas_dtype(q), complex ? ROLE_IN : ROLE_INOUT);
    shapes->tensor[2] = blas_number(blas_real_dtype(q), ROLE_OUT);
    shapes->tensor[3] = blas_number(blas_dtype(q), ROLE_OUT);
}

static double work(const void *params_of_case)
{
    (void)params_of_case;
    return 16;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    rotation_reference(refs, &input->tensors[0], &input->tensors[1], arena);
}

const OpDesc op_rotg = {
    .name = "rotg",
    .summary = "construction of a plane rotation",
    BLAS_OP_TABLES,
    .shape = shape,
    .work = work,
    .reference = reference,
    .policy = "old-rotation-of-zero",
};
