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

static void put(Ref *ref, size_t element, const ComplexProduct *p)
{
    const Format *format = dtype_format(ref->accumulator);
    bool several = p->count > 1;
    bool rises = several && p->above > format->maximum_exponent - 2;
    bool falls =
        several && !p->is_zero && p->below > -format->minimum_exponent - format->precision - 6;
    double roundings = several ? (double)p->count - 1 : 0;
    long double size = cabsl(p->value);
    double own = error_of(roundings, 0x1p-64), error = double_up(own * size);
    double bound = mul_up(error_of(roundings, format->unit), double_up(size + error));
    for (int part = 0; part < 2; part++) {
        size_t i = 2 * element + (size_t)part;
        long double value = part ? cimagl(p->value) : creall(p->value);
        bool nan_is_lost = p->has_nan && !isnan(value);
        if (p->has_infinity || rises || nan_is_lost || (falls && !p->has_nan))
            ref_set_classes(ref, i, CLASS_ANY);
        else if (p->has_nan)
            ref_set_classes(ref, i, CLASS_NAN);
        else if (is_exact(p, format) || !several)
            ref_set_exact(ref, i, (double)value, MATCH_VALUE);
        else
            ref_put_bounded(ref, i, value, error, bound);
    }
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
