/* Scaling in place. */
#include "blas_scal.h"

#include <math.h>

#include "blas_vectors.h"
#include "reference/elementwise.h"

void blas_scal_shape(const void *params, Shapes *shapes)
{
    blas_shape_x(params, shapes, ROLE_INOUT);
}

/* Component by component: alpha x, rounded once.  The sign of a zero is free where alpha is 0 or a
 * zero imaginary part may take part; under zero-skip, NaN and infinity times 0 need not be formed.
 */
static void put_scaled(Ref *ref, size_t element, double alpha, double x)
{
    double scaled = dtype_round(ref->dtype, alpha * x);
    bool any_zero = alpha == 0 || dtype_components(ref->dtype) == 2;
    ref_set_exact(ref, element, scaled, any_zero ? MATCH_ROUNDED : MATCH_BITS);
    if (alpha == 0 && isnan(scaled))
        ref->classes_skipping[element] |= CLASS_FINITE;
}

static void scale_components(Ref *ref, const Tensor *x, double alpha, Arena *arena)
{
    int64_t components = dtype_components(x->dtype);
    ref_allocate(ref, x->dtype, (size_t)x->extent[0], 1, arena);
    for (int64_t i = 0; i < x->extent[0]; i++)
        for (int64_t part = 0; part < components; part++) {
            int64_t at = i * x->stride[0] * components + part;
            put_scaled(ref, (size_t)(i * components + part), alpha,
                       dtype_load(x->dtype, x->origin, at));
        }
    for (size_t element = 0; components == 2 && element < ref->count; element += 2)
        ref_spread_special(ref, element);
}

/* An increment below 1 leaves x alone; it may be run through like any other, where an element is
 * not met twice. */
static void leave_backwards(Ref *ref, const Blas *q, const Tensor *x, Arena *arena)
{
    Ref scaled = *ref;
    if (q->incx > 0)
        return;
    copy_reference(ref, x, arena);
    if (q->incx < 0 || q->n == 1)
        ref_add_alternative(ref, &scaled, "backwards-counts", arena);
}

void blas_rscal_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    scale_components(&refs[0], &input->tensors[0], q->alpha.re, arena);
    leave_backwards(&refs[0], q, &input->tensors[0], arena);
}

/* alpha = 1 leaves x as it is (reference BLAS since 3.11.0, cscal.f: RETURN where ZA.EQ.ONE), or
 * multiplies by its imaginary part, which makes NaN of a component beside NaN or infinity. */
static void leave_alone(Ref *ref, const Tensor *x, Arena *arena)
{
    Ref product = *ref;
    copy_reference(ref, x, arena);
    for (size_t i = 0; i < ref->count; i++) {
        ref->match[i] = MATCH_ROUNDED;
        ref_set_classes(ref, i, ref->classes[i] | product.classes[i]);
    }
}

void blas_scal_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    const Tensor *x = &input->tensors[0];
    AffineInput affine = {
        .a = *x,
        .b = blas_scalar_tensor(blas_dtype(q), q->alpha, arena),
        .c = blas_shape_only(blas_dtype(q), q->n, 1),
        .alpha = {1, 0},
    };
    if (dtype_components(blas_dtype(q)) == 1)
        scale_components(&refs[0], x, q->alpha.re, arena);
    else
        affine_reference(&refs[0], &affine, arena);
    if (dtype_components(blas_dtype(q)) == 2 && q->alpha.re == 1 && q->alpha.im == 0)
        leave_alone(&refs[0], x, arena);
    leave_backwards(&refs[0], q, x, arena);
}
