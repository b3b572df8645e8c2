/* C = alpha op(A) op(B) + beta C for complex types with three real products instead of four (an
 * extension).  Bound: only of norm type, since the imaginary part is a difference of sums that may
 * be much larger (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 23.2.4):
 * the theorem of reference/complex_sum.h for factors alpha and beta, for each part. */
#include <math.h>

#include "blas_matrices.h"
#include "blas_shapes.h"
#include "reference/complex_sum.h"
#include "reference/mag.h"

static const Param params[] = {BLAS_PARAMS_GEMM, P_END};
static const char *const tensors[] = {"a", "b", "c", NULL};

typedef struct LargestPart {
    DType dtype;
    double value;
} LargestPart;

static void note_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    LargestPart *largest = context;
    (void)first;
    for (int64_t i = 0; i < count; i++)
        for (int64_t part = 0; part < 2; part++) {
            double value = fabs(dtype_load(largest->dtype, at, 2 * i * stride + part));
            largest->value = value > largest->value && isfinite(value) ? value : largest->value;
        }
}

/* True when the sums of two parts that are multiplied cannot overflow. */
static bool sums_in_range(const ReferenceInput *input)
{
    const Blas *q = input->params;
    LargestPart largest = {blas_dtype(q), 0};
    for (int i = 0; !scalar_is_zero(q->alpha) && i < 2; i++)
        tensor_visit_runs(&input->tensors[i], note_run, &largest);
    return largest.value < dtype_format(blas_dtype(q))->largest / 4;
}

/* The bounds of both parts, in units: a unit is a power of two. */
static void put_bounds(Ref *ref, size_t i, double depth)
{
    double unit = dtype_format(ref->accumulator)->unit, size[2];
    for (size_t part = 0; part < 2; part++)
        size[part] = add_up(ref->magnitude[i + part], ref->addend[i + part]);
    for (size_t part = 0; part < 2; part++)
        ref->magnitude[i + part] =
            complex_sum_scaled_by_three(depth, size[part], size[1 - part], unit) / unit;
}

/* Sums of products of magnitudes are at most the sum of what both parts have. */
static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    Ref *ref = &refs[2];
    ReferenceInput plain = *input;
    plain.exchangeable = plain.signs_drawn = false;
    bool in_range = sums_in_range(input);
    blas_gemm(refs, &plain, arena);
    ref->rule = RULE_RELATIVE;
    for (size_t i = 0; i < ref->count; i += 2) {
        double product = ref->magnitude[i] + ref->magnitude[i + 1];
        double addend = ref->addend[i] + ref->addend[i + 1];
        bool finite = ref->classes[i] == CLASS_FINITE && ref->classes[i + 1] == CLASS_FINITE;
        double limit = ldexp(dtype_format(ref->dtype)->largest, -ref->exponent) / 8;
        put_bounds(ref, i, (double)q->k);
        for (size_t part = i; part < i + 2; part++) {
            /* What is no number in the other part came from C alone where this one is finite. */
            double rest = finite ? addend + ref->middle[i] + ref->middle[i + 1]
                                 : ref->addend[part] + ref->middle[part];
            bool safe = in_range && product + rest < limit;
            ref->underflow[part] *= 4;
            ref->match[part] = MATCH_BOUND;
            /* The sum of both parts that is multiplied may bring infinities of either together. */
            if (!safe && ref->classes[part] & CLASS_FINITE)
                ref_set_classes(ref, part, CLASS_ANY);
            else if (!finite && ref->classes[part] != CLASS_ANY)
                ref_set_classes(ref, part, ref->classes[part] | CLASS_NAN);
        }
    }
}

const OpDesc op_gemm3m = {
    .name = "gemm3m",
    .summary = "complex matrix product by three real ones (extension)",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_COMPLEX,
    .shape = blas_shape_of_gemm,
    .work = blas_work_mnk,
    .reference = reference,
};
