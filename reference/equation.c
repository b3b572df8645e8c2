/* The theorem of equation.h, in magnitudes that round upward. */
#include "equation.h"

#include "function.h"
#include "mag.h"

Equation equation_of(Scalar right, EquationEnd end)
{
    Equation equation = {.right = scalar_size(right), .end = end, .finite = true, .given = right};
    if (scalar_is_finite(right))
        equation.rest = (WideComplex){{right.re, 0}, {right.im, 0}};
    return equation;
}

void equation_subtract(Equation *equation, Scalar x, Scalar y)
{
    bool finite = scalar_is_finite(x) && scalar_is_finite(y);
    equation->finite = equation->finite && finite;
    if (!finite || scalar_is_zero(x) || scalar_is_zero(y))
        return;
    wide_complex_add_product(&equation->rest, -1, x, y);
    equation->products = add_up(equation->products, mul_up(scalar_size(x), scalar_size(y)));
    equation->terms++;
}

double equation_gamma(const Format *format, double count)
{
    double relative = mul_up(count, format->unit), left = sub_down(1, relative);
    return left > 0 ? div_up(relative, left) : INFINITY;
}

static bool is_one(Scalar x)
{
    return x.re == 1 && x.im == 0;
}

/* What the theorem says of one component, in units of the right side. */
static double residual_bound(const Equation *e, const Ref *ref, Scalar divisor, double own)
{
    const Format *format = dtype_format(ref->dtype);
    bool complex = dtype_components(ref->dtype) == 2;
    double d = scalar_size(divisor), step = format->smallest_subnormal;
    double roundings = e->end == END_QUOTIENT_BY_ROOT ? 4 : 2;
    double gamma =
        equation_gamma(format, complex ? 2.0 * e->terms + 10 + roundings : e->terms + roundings);
    double bound = mul_up(gamma, add_up(e->products, mul_up(d, own)));
    /* One real quotient has no product that could underflow. */
    double products = !complex && e->terms == 0 && e->end == END_QUOTIENT ? 0 : 2.0 * e->terms + 2;
    double underflow = mul_up(step, add_up(products, mul_up(d, add_up(4, own))));
    if (complex && d > 0 && !is_one(divisor))
        underflow = add_up(underflow, mul_up(4, div_up(mul_up(step, add_up(1, own)), d)));
    return mul_up(complex ? 2 : 1, add_up(bound, mul_up(2, underflow)));
}

/* Of the rest in double-double. */
static double own_error(const Equation *e)
{
    double relative = (4.0 * e->terms + 4) * WIDE_UNIT;
    return add_up(mul_up(relative, add_up(e->products, e->right)), (e->terms + 2.0) * 0x1p-1072);
}

/* False where a sum or a quotient may overflow, or nothing follows. */
static bool is_regular(const Equation *e, const Ref *ref, Scalar divisor, double quotient)
{
    double limit = ldexp(1, dtype_format(ref->dtype)->maximum_exponent - 4);
    double d = scalar_size(divisor), top = e->products + e->right;
    return e->finite && scalar_is_finite(e->given) && scalar_is_finite(divisor) && d > 0 &&
           d < limit && top < limit && quotient < limit;
}

/* NaN of the right side stays NaN in real arithmetic, whatever else there is. */
static unsigned irregular_classes(const Equation *e, const Ref *ref)
{
    return dtype_components(ref->dtype) == 1 && isnan(e->given.re) ? CLASS_NAN : CLASS_ANY;
}

void equation_put(const Equation *e, Ref *ref, size_t at, Scalar divisor, Scalar got)
{
    int components = dtype_components(ref->dtype);
    WideComplex value = {{0, 0}, {0, 0}};
    double d = scalar_size(divisor), quotient = INFINITY;
    if (scalar_is_finite(divisor) && d > 0 && e->finite && scalar_is_finite(e->given)) {
        value = is_one(divisor) ? e->rest : wide_complex_divide(e->rest, divisor);
        quotient = fabs(value.re.high) + fabs(value.im.high);
    }
    bool regular = is_regular(e, ref, divisor, quotient);
    double own = fmax(quotient, scalar_is_finite(got) ? scalar_size(got) : 0);
    double bound = residual_bound(e, ref, divisor, own), error = own_error(e);
    for (int part = 0; part < components; part++) {
        Wide v = part == 0 ? value.re : value.im;
        size_t i = at + (size_t)part;
        if (!regular)
            ref_set_classes(ref, i, irregular_classes(e, ref));
        else if (e->terms == 0 && e->end == END_QUOTIENT && is_one(divisor))
            ref_set_exact(ref, i, v.high, MATCH_VALUE);
        else
            ref_put_bounded(ref, i, (long double)v.high + v.low,
                            (long double)div_up(error, d) + 0x1p-62L * fabsl((long double)v.high),
                            div_up(bound, d));
    }
}

void equation_put_rest(const Equation *e, Ref *ref, size_t at, Scalar got)
{
    static const Scalar none = {0, 0}, one = {1, 0};
    double bound = residual_bound(e, ref, none, 0), error = own_error(e);
    bool judged = is_regular(e, ref, one, 0) && scalar_is_finite(got);
    for (int part = 0; part < dtype_components(ref->dtype); part++) {
        Wide rest = part == 0 ? e->rest.re : e->rest.im;
        double value = part == 0 ? got.re : got.im;
        if (judged && fabs(rest.high) > bound)
            ref_put_bounded(ref, at + (size_t)part, (long double)value - rest.high, error, bound);
        else
            ref_set_classes(ref, at + (size_t)part,
                            judged || scalar_is_finite(got) ? CLASS_ANY
                                                            : irregular_classes(e, ref));
    }
}
