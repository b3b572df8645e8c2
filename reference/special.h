/* Special functions in the 64 bits of long double, each with a bound of its own error: some hundred
 * units of 2^-63, times what a rounded argument is multiplied by on the usual way.  Where nothing
 * else is said, formulas are those of NIST's Digital Library of Mathematical Functions (DLMF), by
 * section.  test/t_function.c holds them against MPFR where that has them, and against their
 * definitions in more digits where not. */
#ifndef REFERENCE_SPECIAL_H
#define REFERENCE_SPECIAL_H

#include "function_values.h"

/* Logarithm of |Gamma(x)|, by the C library; its derivatives psi and psi'. */
FunctionSpecial special_lgamma;
FunctionSpecial special_digamma;
extern const FunctionLimit special_digamma_limits[];

/* Hurwitz's zeta function: the sum of (q + k)^-s, for s above 1. */
FunctionEvaluatePair special_zeta;
/* The upper incomplete gamma function of a at x, over gamma(a). */
FunctionEvaluatePair special_igammac;
/* Gamma(a, x) exp(x) x^-a from x = a + 1 on, by the fraction of DLMF 8.9.2 in its even form, by
 * Lentz's way from the front, until a factor is within `tolerance` of 1; with a = 0 exp(x) E1(x)
 * (DLMF 6.9.1). */
long double special_gamma_fraction(long double a, long double x, long double tolerance);

/* Exponential integrals, the dilogarithm of 1 - x, and Dawson's integral. */
FunctionSpecial special_exp1, special_expi, special_spence, special_dawsn;

/* Of the normal distribution: exp(x^2) erfc(x), the distribution, its logarithm, its inverse; the
 * inverse of erf. */
FunctionSpecial special_erfcx;
FunctionSpecial special_ndtr;
FunctionSpecial special_log_ndtr;
FunctionSpecial special_ndtri;
FunctionSpecial special_erfinv;
/* -x log(x), 0 at 0, and minus infinity below. */
FunctionSpecial special_entr;

/* Modified Bessel functions of order 0 and 1; with e: exp(-|x|) I(x), exp(x) K(x). */
FunctionSpecial special_i0, special_i0e, special_i1, special_i1e;
FunctionSpecial special_k0, special_k0e, special_k1, special_k1e;
/* Bessel functions of order 0 and 1, by the C library. */
FunctionSpecial special_j0, special_j1, special_y0, special_y1;
/* sin(x) / x; Airy's function Ai for |x| up to 2^7. */
FunctionSpecial special_spherical_j0;
FunctionSpecial special_airy_ai;

#endif
