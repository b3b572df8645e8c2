/* The reference of alpha A B + beta C: affine_factors.c reads the operands, product.c multiplies
 * them, draft.c leaves it at that where it may, and affine_elements.c puts the elements. */
#include "affine.h"

#include <math.h>

#include "affine_parts.h"
#include "power.h"

/* Parts below 1, or below 2^HIGH where the lesser part would lose bits by that. */
static ScaledScalar scalar_scale(Scalar s)
{
    enum { HIGH = 600 };
    ScaledScalar scaled = {0};
    if (!scalar_is_finite(s) || scalar_is_zero(s))
        return scaled;
    scaled.top = scaled.exponent = ilogb(fmax(fabs(s.re), fabs(s.im))) + 1;
    double least = fmin(fabs(s.re), fabs(s.im));
    if (times_power_of_two(times_power_of_two(least, -scaled.exponent), scaled.exponent) != least)
        scaled.exponent = scaled.top > HIGH ? scaled.top - HIGH : 0;
    scaled.re = times_power_of_two(s.re, -scaled.exponent);
    scaled.im = times_power_of_two(s.im, -scaled.exponent);
    return scaled;
}

static void prepare_ref(Ref *ref, const Affine *w, Arena *arena)
{
    const AffineInput *in = w->in;
    ref_allocate_sums(ref, in->c.dtype, (size_t)in->c.extent[0], (size_t)in->c.extent[1], arena);
    if (in->want_square)
        ref->square = arena_take(arena, ref->count, sizeof(double));
    ref->signs_drawn = in->signs_drawn;
    ref->depth = in->a.extent[1];
    ref->factor_bits = ref_factor_bits(&in->a, &in->b);
    ref->addend_roundings =
        is_power_of_two_or_zero(in->beta.re) && is_power_of_two_or_zero(in->beta.im) ? 0 : 1;
    if (in->alpha.im != 0)
        ref->scale_roundings = 2;
    else
        ref->scale_roundings = is_power_of_two_or_zero(in->alpha.re) ? 0 : 1;
}

static void read_factors(Affine *w, Arena *arena)
{
    const AffineInput *in = w->in;
    bool wide = dtype_format(in->c.dtype)->precision > 24;
    operand_read(&w->a, &in->a, in->conjugate_a, wide, arena);
    operand_read(&w->b, &in->b, in->conjugate_b, wide, arena);
    factors_build(&w->factors, &w->a, &w->b, w->components, arena);
    w->multiplied = (ProductInput){
        .rows = w->factors.rows,
        .depth = w->factors.depth,
        .stride = w->factors.stride,
        .left = w->factors.left,
        .right = w->factors.right,
        .precision = wide ? PRODUCT_WIDE : PRODUCT_DOUBLE,
        .want_square = in->want_square,
        .want_terms = w->a.has_zero || w->b.has_zero || w->a.has_nonfinite || w->b.has_nonfinite,
    };
}

void affine_reference(Ref *ref, const AffineInput *in, Arena *arena)
{
    REQUIRE(in->a.rank == 2 && in->b.rank == 2 && in->c.rank == 2);
    REQUIRE(in->a.extent[0] == in->c.extent[0] && in->a.extent[1] == in->b.extent[0] &&
            in->b.extent[1] == in->c.extent[1]);
    Affine w = {
        .in = in,
        .components = dtype_components(in->c.dtype),
        .product_read = !scalar_is_zero(in->alpha) && in->a.extent[1] > 0,
        .c_read = !scalar_is_zero(in->beta),
        .alpha = scalar_scale(in->alpha),
        .beta = scalar_scale(in->beta),
    };
    prepare_ref(ref, &w, arena);
    if (ref->count == 0)
        return;
    if (w.product_read)
        read_factors(&w, arena);
    if (w.c_read)
        operand_read(&w.c, &in->c, in->conjugate_c, dtype_format(in->c.dtype)->precision > 24,
                     arena);
    if (in->may_draft && affine_draft(ref, &w, arena))
        return;
    if (w.product_read)
        product_compute(&w.product, &w.multiplied, arena);
    affine_put_all(&w, ref, arena);
}
