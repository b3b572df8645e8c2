/* Products are exact, short of underflow; quotients are corrected until nothing is left of them. */
#include "wide_complex.h"

void wide_complex_add_product(WideComplex *sum, double sign, Scalar x, Scalar y)
{
    sum->re = wide_add(sum->re, wide_two_product(sign * x.re, y.re));
    if (x.im == 0 && y.im == 0)
        return;
    sum->re = wide_add(sum->re, wide_two_product(-sign * x.im, y.im));
    sum->im = wide_add(sum->im, wide_two_product(sign * x.re, y.im));
    sum->im = wide_add(sum->im, wide_two_product(sign * x.im, y.re));
}

WideComplex wide_complex_divide(WideComplex sum, Scalar t)
{
    WideComplex quotient = {{0, 0}, {0, 0}};
    double size = fmax(fabs(t.re), fabs(t.im));
    int exponent = ilogb(size);
    Scalar d = {ldexp(t.re, -exponent), ldexp(t.im, -exponent)};
    double norm = d.re * d.re + d.im * d.im;
    for (int step = 0; step < 3; step++) {
        double re = sum.re.high + sum.re.low, im = sum.im.high + sum.im.low;
        Scalar part = {(re * d.re + im * d.im) / norm, (im * d.re - re * d.im) / norm};
        quotient.re = wide_add(quotient.re, (Wide){part.re, 0});
        quotient.im = wide_add(quotient.im, (Wide){part.im, 0});
        wide_complex_add_product(&sum, -1, part, d);
    }
    return (WideComplex){wide_ldexp(quotient.re, -exponent), wide_ldexp(quotient.im, -exponent)};
}

void wide_complex_add_scaled(WideComplex *sum, double sign, Scalar x, const WideComplex *y)
{
    Scalar scaled = {sign * x.re, sign * x.im};
    sum->re = wide_add(sum->re, wide_scale(y->re, scaled.re));
    sum->im = wide_add(sum->im, wide_scale(y->im, scaled.re));
    if (x.im == 0)
        return;
    sum->re = wide_add(sum->re, wide_scale(y->im, -scaled.im));
    sum->im = wide_add(sum->im, wide_scale(y->re, scaled.im));
}
