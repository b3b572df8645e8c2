/* Functions of half precision of which each step is rounded to the type, as a compiler has them
 * that makes formulas of them: how far these are off.
 *
 * Model.  u is the unit of the type; additions, products, quotients and roots are rounded to it,
 * and so are exp, log, tanh and atan2, once.  Relative errors add up as sums of their u, k of them
 * to k u / (1 - k u) at most (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition,
 * lemma 3.1); each step that is subnormal adds half of the smallest number.  log1p is within 2 ulp,
 * as the OpenCL C extension cl_khr_fp16 asks for in "Relative Error as ULPs", full profile: XLA's
 * is a quotient of polynomials in steps of the type.
 *
 * Formulas, s = sqrt((1 - x) (1 + x)), whose radicand has three roundings, so that s is off by
 * 2.5 u:
 *     acos  = atan2(s, x), which 2.5 u s moves by 2.5 u s |x|, since s^2 + x^2 = 1
 *     asin  = 2 atan2(x, c), c = 1 + s off by 2.5 u s + u c, which moves it by |x| / c as much,
 *             since x^2 + c^2 = 2 c
 *     acosh = log1p(p), p = sqrt(x - 1) (sqrt(x + 1) + sqrt(x - 1)) off by 5 u p, or
 *             log(x) + log(2) from half of the largest number on
 *     asinh = log1p(p), p = a + q, q = a^2 / (1 + sqrt(a^2 + 1)) off by 5 u q + u p, or
 *             log(a) + log(2) where a^2 leaves the range
 *     atanh = (log1p(x) - log1p(-x)) / 2
 *     expm1 = tanh(x / 2) (exp(x) + 1) for |x| <= 1/2, else exp(x) - 1 */
#ifndef REFERENCE_FUNCTION_NARROW_H
#define REFERENCE_FUNCTION_NARROW_H

#include "base.h"
#include "dtype.h"

/* The policy of these formulas. */
#define FUNCTION_NARROW "narrow-functions"

/* True where there is a formula of the function with this name. */
bool function_narrow_has(const char *name);

/* How far it is off at a number x where the function is y. */
double function_narrow_error(const char *name, const Format *format, double x, double y);

#endif
