/* The factors one after the other, with 64 bits, and how far products of some of them may go. */
#include "complex_product.h"

#include <complex.h>
#include <math.h>

#include "mag.h"

/* The product so far: above and below are how far sums of the logarithms of moduli, to the base 2,
 * go up and down; size is the product of |re| + |im| in units of the factors' lattices. */
typedef struct ComplexProduct {
    long double complex value;
    double above, below, size;
    int lattice;
    bool has_infinity, has_nan, is_zero;
    int64_t count;
} ComplexProduct;

static const ComplexProduct one = {.value = 1, .size = 1};

static void note_size(ComplexProduct *p, double re, double im)
{
    long double modulus = hypotl(isnan(re) ? 0 : re, isnan(im) ? 0 : im);
    if (modulus == 0 || isinf(modulus))
        return;
    *(modulus > 1 ? &p->above : &p->below) += fabs((double)log2l(modulus));
    Sum parts = sum_begin();
    sum_add(&parts, re);
    sum_add(&parts, im);
    p->lattice += parts.lattice;
    p->size = mul_up(p->size, ldexp(parts.size, -parts.lattice));
}

static void multiply(ComplexProduct *p, double re, double im)
{
    p->has_infinity = p->has_infinity || isinf(re) || isinf(im);
    p->has_nan = p->has_nan || isnan(re) || isnan(im);
    p->is_zero = p->is_zero || (re == 0 && im == 0);
    note_size(p, re, im);
    long double a = creall(p->value), b = cimagl(p->value), c = re, d = im;
    p->value =
        p->count++ > 0 ? __builtin_complex(a * c - b * d, a * d + b * c) : __builtin_complex(c, d);
}

static bool is_exact(const ComplexProduct *p, const Format *format)
{
    return p->size <= ldexp(1, format->precision) &&
           p->lattice > format->minimum_exponent - format->precision &&
           p->lattice + format->precision < format->maximum_exponent;
}

/* Relative to the modulus: see the head of complex_product.h. */
static double error_of(double roundings, double unit)
{
    double e = mul_up(2.5 * roundings, unit);
    return e < 0.5 ? div_up(e, sub_down(1, e)) : INFINITY;
}

/* How large a product is, whatever the order of its factors. */
typedef struct ComplexRange {
    bool rises, falls, beyond; /* beyond: what is left of it is no number in either part */
    double error, bound;
    long double reach; /* of both, which may be beyond binary64 */
} ComplexRange;

static ComplexRange range_of(const ComplexProduct *p, const Format *format)
{
    double roundings = (double)p->count - 1, own = error_of(roundings, 0x1p-64);
    double size = double_up(cabsl(p->value)), relative = error_of(roundings, format->unit);
    ComplexRange r = {
        .rises = p->above > format->maximum_exponent - 2,
        .falls = !p->is_zero && p->below > -format->minimum_exponent - format->precision - 6,
    };
    r.beyond = r.rises && !r.falls && relative < 0.5 &&
               p->above - p->below > 2.0 * dtype_format(DT_F64)->maximum_exponent + 3;
    /* Here as well what is small is rounded to what there is. */
    r.error = add_up(mul_up(own, size), r.falls ? double_up(0x1p-16000L) : 0);
    r.bound = mul_up(relative, add_up(size, r.error));
    r.reach = cabsl(p->value) * add_up(relative, 2 * own) * (1 + 0x1p-50L);
    return r;
}

/* One factor, which kernels may have multiplied by 1 + 0 j: a part that is not finite may make NaN
 * of the other one, which makes NaN of the first one where that is done again. */
static void put_single(Ref *ref, size_t element, const ComplexProduct *p)
{
    const double parts[2] = {(double)creall(p->value), (double)cimagl(p->value)};
    unsigned lost = isfinite(parts[0]) && isfinite(parts[1]) ? 0 : CLASS_NAN;
    for (int part = 0; part < 2; part++) {
        size_t i = 2 * element + (size_t)part;
        if (isfinite(parts[part]))
            ref_set_exact(ref, i, parts[part], MATCH_VALUE);
        ref_set_classes(ref, i, value_class(parts[part]) | lost);
    }
}

/* A product that is not known to be a number, by what complex_product.h says of classes; false
 * where it is. */
static bool put_special(Ref *ref, size_t i, const ComplexProduct *p, const ComplexRange *range,
                        long double value)
{
    bool overflows =
        range->rises && !range->falls &&
        fabsl(value) > range->reach + 2 * (long double)dtype_format(ref->accumulator)->largest;
    if (p->has_infinity)
        ref_set_classes(ref, i, CLASS_INFINITE | CLASS_NAN);
    else if (p->has_nan)
        ref_set_classes(ref, i, range->rises ? CLASS_INFINITE | CLASS_NAN : CLASS_NAN);
    else if (p->is_zero) {
        ref_set_exact(ref, i, 0, MATCH_VALUE);
        ref_set_classes(ref, i, CLASS_FINITE | (range->rises ? CLASS_NAN : 0u));
    } else if (range->beyond || overflows)
        ref_set_classes(ref, i, CLASS_INFINITE | CLASS_NAN);
    else
        return false;
    return true;
}

static void put_part(Ref *ref, size_t i, const ComplexProduct *p, const ComplexRange *range,
                     long double value)
{
    const double losses = 4.25; /* 3 sqrt 2, and roundings */
    const Format *format = dtype_format(ref->accumulator);
    if (put_special(ref, i, p, range, value))
        return;
    if (range->rises && range->falls) {
        ref_set_classes(ref, i, CLASS_ANY);
        return;
    }
    if (!range->rises && !range->falls && is_exact(p, format)) {
        ref_set_exact(ref, i, (double)value, MATCH_VALUE);
        return;
    }
    ref_put_bounded(ref, i, value, range->error, range->bound);
    if (range->falls) {
        double relative = mul_up(2.5 * ((double)p->count - 1), format->unit);
        ref->underflow[i] = product_underflow(p->count, p->above, losses, relative, format);
    }
    if (range->rises)
        ref_set_classes(ref, i, ref->classes[i] | CLASS_INFINITE | CLASS_NAN);
}

static void put(Ref *ref, size_t element, const ComplexProduct *p)
{
    if (p->count <= 1) {
        put_single(ref, element, p);
        return;
    }
    ComplexRange range = range_of(p, dtype_format(ref->accumulator));
    put_part(ref, 2 * element, p, &range, creall(p->value));
    put_part(ref, 2 * element + 1, p, &range, cimagl(p->value));
}

/* Element number `number` of x in the order of its view. */
static void take(ComplexProduct *p, const Tensor *x, int64_t number)
{
    int64_t at = 2 * tensor_offset_of(x, number);
    multiply(p, dtype_load(x->dtype, x->origin, at), dtype_load(x->dtype, x->origin, at + 1));
}

void complex_product_reference(Ref *ref, const ReduceInput *in, Arena *arena)
{
    REQUIRE(in->reduced >= 0 && in->reduced <= in->x.rank && dtype_components(in->x.dtype) == 2);
    int64_t count = 1;
    for (int axis = in->x.rank - in->reduced; axis < in->x.rank; axis++)
        count *= in->x.extent[axis];
    ref_allocate_bounded(ref, in->y.dtype, &in->y, arena);
    for (size_t i = 0; i < ref->count / 2; i++) {
        ComplexProduct product = one;
        for (int64_t k = 0; k < count; k++)
            take(&product, &in->x, (int64_t)i * count + k);
        put(ref, i, &product);
    }
}

void complex_running_products(Ref *ref, const RunningInput *in, Arena *arena)
{
    REQUIRE(in->multiplies && dtype_components(in->x.dtype) == 2);
    ref_allocate_bounded(ref, in->x.dtype, &in->x, arena);
    for (size_t row = 0; row < ref->rows; row++) {
        ComplexProduct product = one;
        for (size_t k = 0; k < ref->columns; k++) {
            size_t i = row * ref->columns + (in->backwards ? ref->columns - 1 - k : k);
            if (!in->exclusive)
                take(&product, &in->x, (int64_t)i);
            put(ref, i, &product);
            if (in->exclusive)
                take(&product, &in->x, (int64_t)i);
        }
    }
}
