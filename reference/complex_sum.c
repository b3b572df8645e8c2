/* Both parts of sums of complex products, with the bounds of complex_sum.h. */
#include "complex_sum.h"

#include <math.h>

#include "mag.h"

ComplexSum complex_sum_begin(void)
{
    return (ComplexSum){.part = {sum_begin(), sum_begin()}};
}

static void note(ComplexSum *sum, Scalar z)
{
    for (int part = 0; part < 2; part++) {
        double size = fabs(part ? z.im : z.re);
        sum->greatest = isfinite(size) ? fmax(sum->greatest, size) : sum->greatest;
    }
}

static bool is_special(Scalar z)
{
    return !isfinite(z.re) || !isfinite(z.im);
}

static bool has_infinity(Scalar z)
{
    return isinf(z.re) || isinf(z.im);
}

void complex_sum_add_product(ComplexSum *sum, Scalar x, Scalar w)
{
    sum_add_product(&sum->part[0], x.re, w.re);
    sum_add_product(&sum->part[0], -x.im, w.im);
    sum_add_product(&sum->part[1], x.re, w.im);
    sum_add_product(&sum->part[1], x.im, w.re);
    sum->products += !scalar_is_zero(x) && !scalar_is_zero(w);
    sum->has_special = sum->has_special || is_special(x) || is_special(w);
    sum->has_infinity = sum->has_infinity || has_infinity(x) || has_infinity(w);
    note(sum, x);
    note(sum, w);
}

void complex_sum_add(ComplexSum *sum, Scalar bias)
{
    sum_add(&sum->part[0], bias.re);
    sum_add(&sum->part[1], bias.im);
    note(sum, bias);
}

/* What a part is where a factor or the bias is not finite; the empty set where
 * all are. */
static unsigned classes_of(const ComplexSum *sum, int part)
{
    unsigned own = sum->part[part].classes, other = sum->part[1 - part].classes;
    if (!own && !other)
        return 0;
    unsigned found = own ? sum_class(own) : CLASS_FINITE;
    if (sum->has_special && !sum->has_infinity)
        return CLASS_NAN;
    return found == CLASS_NAN && sum->has_infinity ? CLASS_INFINITE | CLASS_NAN : found | CLASS_NAN;
}

/* (P + O) times so many roundings, at least. */
static double by_three(double roundings, double own, double other, double unit)
{
    double steps = mul_up(roundings, unit), slack = sub_down(1, 2 * steps);
    double size = add_up(own, mul_up(2, other));
    return slack > 0.5 ? div_up(mul_up(steps, size), slack) : INFINITY;
}

double complex_sum_by_three(double products, double own, double other, double unit)
{
    return by_three(products + 5, own, other, unit);
}

double complex_sum_scaled_by_three(double products, double own, double other, double unit)
{
    return by_three(products + 12, own, other, unit);
}

/* A sum of t terms in any order, each rounded once. */
static double by_four(double terms, double size, double unit)
{
    double steps = mul_up(terms, unit), slack = sub_down(1, steps);
    return slack > 0.5 ? div_up(mul_up(steps, size), slack) : INFINITY;
}

void ref_admit_three_products(Ref *ref, double depth)
{
    double unit = dtype_format(ref->accumulator)->unit;
    REQUIRE(ref->rule == RULE_REDUCTION && dtype_components(ref->dtype) == 2);
    for (size_t i = 0; i < ref->count; i += 2) {
        double size[2], lost = 2 * add_up(ref->underflow[i], ref->underflow[i + 1]);
        double products = fmin(depth, (double)ref->terms[i] + ref->terms[i + 1]);
        for (size_t k = 0; k < 2; k++)
            size[k] = add_up(ref->magnitude[i + k], ref->addend[i + k]);
        for (size_t k = 0; k < 2; k++) {
            double four = by_four(ref->terms[i + k], size[k], unit);
            double three = complex_sum_by_three(products, size[k], size[1 - k], unit);
            ref->magnitude[i + k] = fmax(four, three) / unit;
            ref->underflow[i + k] = lost;
            ref->match[i + k] = MATCH_BOUND;
        }
    }
    ref->rule = RULE_RELATIVE;
    ref->factor_bits = 0;
}

/* With four products or with three, underflow apart. */
static double rounding_of(const ComplexSum *sum, int part, double unit)
{
    const Sum *own = &sum->part[part], *other = &sum->part[1 - part];
    double terms = (double)own->terms;
    double value = add_up(fabs(own->value.high), fabs(own->value.low));
    double nodes = reduction_error(terms, own->size, value, unit);
    double four =
        mul_up(add_up(nodes, mul_up(unit, own->size)), add_up(1, mul_up(2 * terms, unit)));
    return fmax(four, complex_sum_by_three((double)sum->products, own->size, other->size, unit));
}

/* A part in which no term is without a number. */
static void put_finite(Ref *ref, size_t i, const ComplexSum *sum, int part, int lattice)
{
    const Format *format = dtype_format(ref->accumulator);
    double size = mul_up(2, add_up(sum->part[0].size, sum->part[1].size));
    bool is_exact = lattice > format->minimum_exponent - format->precision &&
                    size <= ldexp(1, lattice + format->precision);
    double lost = mul_up(2 * (double)sum->products, format->smallest_subnormal);
    double bound = add_up(rounding_of(sum, part, format->unit), lost);
    Sum finite = sum->part[part];
    finite.classes = 0;
    ref_put_sum(ref, i, &finite, 1, is_exact ? 0 : bound);
}

/* False where a sum on the way may leave the range. */
static bool is_in_range(const ComplexSum *sum, const Format *format)
{
    double size = mul_up(2, add_up(sum->part[0].size, sum->part[1].size));
    double growth = add_up(1, mul_up(8 * (double)(sum->products + 8), format->unit));
    return mul_up(size, growth) < format->largest && sum->greatest < format->largest / 4;
}

void ref_put_complex_sum(Ref *ref, size_t i, const ComplexSum *sum, int lattice)
{
    bool in_range = is_in_range(sum, dtype_format(ref->accumulator));
    for (int part = 0; part < 2; part++) {
        size_t element = i + (size_t)part;
        unsigned classes = classes_of(sum, part), beyond = CLASS_INFINITE | CLASS_NAN;
        ref->underflow[element] = 4;
        ref->factors[element] = mul_up(3, add_up(sum->part[0].factors, sum->part[1].factors));
        if (classes && !(classes & CLASS_FINITE)) {
            ref_set_classes(ref, element, in_range ? classes : classes | beyond);
        } else if (!in_range) {
            ref_set_classes(ref, element, CLASS_ANY);
        } else {
            put_finite(ref, element, sum, part, lattice);
            ref_set_classes(ref, element, ref->classes[element] | classes);
        }
    }
}
