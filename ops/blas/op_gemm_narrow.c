/* D = alpha op(A) op(B) + beta C with D, A and B of eight bits, C of bfloat16, and sums of binary32
 * (an extension).  B of e5m2 is of e4m3.  Bound: the reduction lemma (oracle/bound.h) and the
 * rounding to D.  No text says what a result beyond the ends of its type becomes: an end, an
 * infinity or NaN; and near them nothing is said. */
#include <math.h>

#include "blas_matrices.h"
#include "blas_shapes.h"

enum { A, B, C, D };

static const Param params[] = {BLAS_PARAMS_GEMM, P_END};
static const char *const tensors[] = {"a", "b", "c", "d", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    blas_shape_of_gemm(params_of_case, shapes);
    DType dtype = blas_dtype(params_of_case);
    shapes->tensor[D] = shapes->tensor[C];
    shapes->tensor[D].role = ROLE_OUT;
    shapes->tensor[D].part = PART_LEFT;
    shapes->tensor[C].role = ROLE_IN;
    shapes->tensor[C].layout.dtype = DT_BF16;
    shapes->count = D + 1;
    if (dtype == DT_E5M2)
        shapes->tensor[B].layout.dtype = DT_E4M3;
}

static void admit_ends(Ref *ref, size_t element)
{
    double largest = dtype_format(ref->dtype)->largest;
    double value = fabs(ldexp(ref->high[element] + ref->low[element], ref->exponent));
    double reach = ldexp(ref->magnitude[element] + ref->addend[element], ref->exponent);
    /* 2^-10 of the magnitudes is above the error of a sum of 2^12 terms in binary32. */
    bool inside = value + 0x1p-10 * reach < 0.9 * largest;
    if (ref->classes[element] != CLASS_NAN && !(ref->classes[element] == CLASS_FINITE && inside))
        ref_admit_anything(ref, element);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    const Tensor *t = input->tensors;
    Ref *ref = &refs[D];
    AffineInput affine = {.a = t[A],
                          .b = t[B],
                          .c = tensor_converted(&t[C], DT_F32, arena),
                          .alpha = q->alpha,
                          .beta = q->beta};
    affine_reference(ref, &affine, arena);
    ref_narrow(ref, blas_dtype(q));
    for (size_t element = 0; element < ref->count; element++)
        admit_ends(ref, element);
}

const OpDesc op_gemm_narrow = {
    .name = "gemm_narrow",
    .summary = "product of matrices of eight bits, rounded to eight bits (extension)",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_F8,
    .shape = shape,
    .work = blas_work_mnk,
    .reference = reference,
};
