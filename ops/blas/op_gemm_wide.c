/* C = alpha op(A) op(B) + beta C with C and all sums in a wider type than A and B: binary32 for
 * those of 16 and 8 bits, 32-bit integers for integers (an extension).  Products are exact in it.
 * B of e5m2 is of e4m3: gradients, which are of the former, meet weights, which are of the latter.
 * Bound and rules otherwise as for gemm; integers are exact, and beyond the ends of their type
 * either stay there or wrap. */
#include <math.h>

#include "blas_matrices.h"
#include "blas_shapes.h"

static const Param params[] = {BLAS_PARAMS_GEMM, P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

static DType sum_dtype(const Blas *q)
{
    return blas_dtype(q) == DT_I8 ? DT_I32 : DT_F32;
}

/* The factor of integers is a small one. */
static double limit_factor(double factor)
{
    return isfinite(factor) ? fmin(fmax(nearbyint(factor), -8), 8) + 0.0 : 1;
}

static void normalise(void *params_of_case)
{
    Blas *q = params_of_case;
    if (blas_dtype(q) != DT_I8)
        return;
    q->alpha.re = limit_factor(q->alpha.re);
    q->beta.re = limit_factor(q->beta.re);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    blas_shape_of_gemm(params_of_case, shapes);
    shapes->tensor[2].layout.dtype = sum_dtype(params_of_case);
    if (blas_dtype(params_of_case) == DT_E5M2)
        shapes->tensor[1].layout.dtype = DT_E4M3;
}

/* |alpha| 2^14 k + |beta| 2^31 < 2^53: every step is exact in binary64. */
static void put_integer(Ref *ref, size_t element, double value)
{
    double low = dtype_lowest(DT_I32), high = dtype_format(DT_I32)->largest;
    ref_set_exact(ref, element, value, MATCH_VALUE);
    if (value >= low && value <= high)
        return;
    double wrapped = value - 0x1p32 * floor((value - low) * 0x1p-32);
    double *candidates = ref->candidates + element * REF_CANDIDATES;
    ref->match[element] = MATCH_SET;
    candidates[0] = ref->high[element] = value < low ? low : high;
    candidates[1] = candidates[2] = wrapped;
}

static void multiply_integers(Ref *ref, const Blas *q, const Tensor *tensors_of_case, Arena *arena)
{
    const Tensor *a = &tensors_of_case[0], *b = &tensors_of_case[1], *c = &tensors_of_case[2];
    Tensor left = tensor_converted(a, DT_F64, arena), right = tensor_converted(b, DT_F64, arena);
    const double *x = (const void *)left.origin, *y = (const void *)right.origin;
    ref_allocate(ref, DT_I32, (size_t)q->m, (size_t)q->n, arena);
    ref->candidates = arena_take_zeroed(arena, ref->count * REF_CANDIDATES + 1, sizeof(double));
    for (int64_t i = 0; i < q->m; i++)
        for (int64_t j = 0; j < q->n; j++) {
            double sum = 0, value = 0;
            for (int64_t k = 0; k < q->k && q->alpha.re != 0; k++)
                sum += x[i * q->k + k] * y[k * q->n + j];
            if (q->beta.re != 0)
                value = q->beta.re * tensor_value(c, i * q->n + j);
            put_integer(ref, (size_t)(i * q->n + j), q->alpha.re * sum + value);
        }
    ref_limit(ref, c);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    if (blas_dtype(input->params) == DT_I8)
        multiply_integers(&refs[2], input->params, input->tensors, arena);
    else
        blas_gemm(refs, input, arena);
}

const OpDesc op_gemm_wide = {
    .name = "gemm_wide",
    .summary = "product of narrow matrices in single precision or 32-bit integers (extension)",
    BLAS_OP_TABLES,
    .dtypes = 1u << DT_F16 | 1u << DT_BF16 | DTYPES_F8 | 1u << DT_I8,
    .normalise = normalise,
    .shape = shape,
    .work = blas_work_mnk,
    .reference = reference,
};
