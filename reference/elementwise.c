/* References without sums: each element has a set of admitted values, computed with the operations
 * of the element type itself. */
#include "elementwise.h"

#include <math.h>

typedef struct CopyContext {
    Ref *ref;
} CopyContext;

static void copy_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    Ref *ref = ((CopyContext *)context)->ref;
    int64_t components = dtype_components(ref->dtype);
    for (int64_t i = 0; i < count; i++)
        for (int64_t part = 0; part < components; part++) {
            double value = dtype_load(ref->dtype, at, i * stride * components + part);
            ref_set_exact(ref, (size_t)((first + i) * components + part), value, MATCH_BITS);
        }
}

void copy_reference(Ref *ref, const Tensor *from, Arena *arena)
{
    REQUIRE(from->rank == 2);
    ref_allocate(ref, from->dtype, (size_t)from->extent[0], (size_t)from->extent[1], arena);
    tensor_visit_runs(from, copy_run, &(CopyContext){ref});
    ref_limit(ref, from);
}

/* a b + c rounded once in the component format. */
static double fused(DType dtype, double a, double b, double c)
{
    if (dtype_component_size(dtype) == 4)
        return fmaf((float)a, (float)b, (float)c);
    return fma(a, b, c);
}

static double component_at(const Tensor *t, size_t i, size_t j, int part)
{
    int64_t at = tensor_offset(t, (int64_t)i, (int64_t)j) * dtype_components(t->dtype);
    return dtype_load(t->dtype, t->origin, at + part);
}

/* Sums of two component values in double are exact enough to be rounded once more: 53 bits are more
 * than twice 24 and two. */
static void put_candidates(Ref *ref, size_t element, const CombinationInput *in, double x, double y)
{
    DType dtype = ref->dtype;
    double px = dtype_round(dtype, in->p * x), qy = dtype_round(dtype, in->q * y);
    double *set = ref->candidates + element * REF_CANDIDATES;
    set[0] = dtype_round(dtype, px + qy);
    set[1] = fused(dtype, in->p, x, qy);
    set[2] = fused(dtype, in->q, y, px);
    if (in->p == 0)
        set[1] = qy;
    if (in->q == 0)
        set[2] = px;
    unsigned strict = value_class(set[0]), skipping = strict;
    for (int k = 1; k < REF_CANDIDATES; k++) {
        bool skipped = k == 1 ? in->p == 0 : in->q == 0;
        *(skipped ? &skipping : &strict) |= value_class(set[k]);
    }
    ref_set_classes(ref, element, strict);
    ref->classes_skipping[element] = (uint8_t)(strict | skipping);
    ref->match[element] = MATCH_SET;
    for (int k = REF_CANDIDATES - 1; k >= 0; k--)
        if (isfinite(set[k]))
            ref->high[element] = set[k];
}

void combination_reference(Ref *ref, const CombinationInput *in, Arena *arena)
{
    REQUIRE(in->x.dtype == in->y.dtype && in->x.rank == 2 && in->y.rank == 2);
    REQUIRE(in->x.extent[0] == in->y.extent[0] && in->x.extent[1] == in->y.extent[1]);
    const Tensor *x = &in->x;
    int components = dtype_components(x->dtype);
    ref_allocate(ref, x->dtype, (size_t)x->extent[0], (size_t)x->extent[1], arena);
    ref->candidates = arena_take_zeroed(arena, ref->count * REF_CANDIDATES + 1, sizeof(double));
    for (size_t i = 0; i < ref->rows; i++)
        for (size_t j = 0; j < ref->columns; j++)
            for (int part = 0; part < components; part++)
                put_candidates(ref, (i * ref->columns + j) * (size_t)components + (size_t)part, in,
                               component_at(x, i, j, part), component_at(&in->y, i, j, part));
    for (size_t element = 0; components == 2 && element < ref->count; element += 2)
        ref_spread_special(ref, element);
}
