/* Elementwise functions of complex numbers: values, and how far a correct kernel may be off.
 *
 * Values come from the C library's functions of long double complex, whose parts are off by a few
 * units in the last place of a 64-bit significand (glibc manual, "Known Maximum Errors in Math
 * Functions"); test/t_complex.c holds them against formulas in MPFR.
 *
 * No text promises the parts of a complex function each an accuracy of its own, and none says how
 * many units functions may be off.  By convention the bound is normwise, u the unit of the type and
 * eta its smallest subnormal number,
 *     |computed - exact| <= units u |exact| + 4 eta,
 * with 32 u, the 16 ulp that the OpenCL C specification 3.0 (7.4) asks of its least accurate
 * functions, and each part is held to it.  Some have bounds of their own:
 *
 * - products, a theorem: sqrt(5) u |x y| (Brent, Percival and Zimmermann, Error bounds on complex
 *   floating-point multiplication, Math. Comp. 76, 2007), by the formula that the array API
 *   standard has, (ac - bd) + (ad + bc) j: where one of its terms leaves the range, the result is
 *   not judged;
 * - quotients: 10 u |x / y|, which covers Smith's formula (Baudin and Smith, A robust complex
 *   division in Scilab, 2012), and the textbook's: a product, a sum of squares of 2 u and a
 *   quotient or a reciprocal;
 * - moduli: the 4 ulp that OpenCL has for hypot;
 * - powers exp(y log x) are off by 8 u |y log x| more, since their exponent is rounded.
 *
 * Branch cuts follow the signs of zeros, and results of infinities and NaN are those of Annex G of
 * C23 (G.6), whose tables the array API standard has as special cases; where it says that a sign is
 * unspecified, and of all zeros there, either sign is admitted.  Functions that it does not have,
 * products, quotients and powers are not judged where an operand is not finite: the array API
 * standard leaves them to the implementation.  Nor is the part beside one that overflows: all that
 * is asked for there is an infinity.
 *
 * - functions made of others are off by what their parts bring: the argument of 2^z = exp(z log 2)
 *   is off by 2 u |z log 2|, and is given 8; of 1 / (1 + e^-z) the exponential by 32 u, which the
 *   quotient brings by |e^-z| / |1 + e^-z|^2 (34 with its sum), of z / (1 + e^-z) |z| times that;
 *   of z - tanh z the tangent by 32 u; of sin(pi z) / (pi z) the argument by 2 u |pi z|, which
 * brings |cos(pi z)| (8 are given); beyond 2^13, and where that sine leaves the range, it is not
 * judged.
 *
 * - z / (1 + e^-z) may be z times 1 / (1 + e^-z), either part of which may be flushed, as that of
 *   a real number (function.h): by lambda each, so by sqrt(2) lambda together, which z brings to
 *   either part of the product; 2 |z| lambda are given, lambda the smallest normal number.
 *
 * Of z / (1 + |z|) nothing is said where the modulus leaves the range.
 *
 * Numbers are equal where both parts are, so that NaN in either is equal to nothing (C23, 6.5.10),
 * and true where either part is not 0 (6.3.1.2, 6.8.5).  They are infinite where either part is,
 * finite where both are (C23, annex G.3), and NaN where either is, as libraries have it (array API
 * standard, isnan: "either the real component is NaN or the imaginary component is").
 *
 * Three readings are alternatives, each of them with those before it:
 *   absolute-accuracy    the argument may be off by 16 units too, as with log near 1 by way of the
 *                        modulus, or arcsines by way of a logarithm; a part that is 0 stays on the
 *                        side of its sign;
 *   complex-by-formula   textbook formulas, whose squares or exponentials leave the range where the
 *                        result does not: there it is not judged;
 *   complex-special      arguments that are not finite are not judged. */
#ifndef REFERENCE_COMPLEX_FUNCTION_H
#define REFERENCE_COMPLEX_FUNCTION_H

#include <complex.h>

#include "ref.h"

typedef long double complex ComplexValue;

/* What textbook formulas compute on the way: their range is that of the type. */
typedef enum ComplexPath {
    PATH_NONE,
    PATH_SQUARES,  /* squares of the parts, and the modulus by them */
    PATH_EXP_REAL, /* exp |Re z| */
    PATH_EXP_IMAGINARY
} ComplexPath;

typedef struct ComplexFunction {
    const char *name;
    ComplexValue (*value)(ComplexValue z);
    /* Of two variables. */
    ComplexValue (*pair)(ComplexValue a, ComplexValue b);
    bool (*holds)(ComplexValue a, ComplexValue b); /* exact; gives booleans */
    bool (*test)(ComplexValue z);                  /* the same of one variable */
    /* What is rounded before the last step, in units: how far the value is off beside the bound. */
    long double (*slack)(ComplexValue z);
    /* What multiplies numbers on the way that may be flushed, in the smallest normal number. */
    long double (*underflow)(ComplexValue z);
    double units;
    ComplexPath path;
    bool is_real;      /* the result is a real number */
    bool has_specials; /* Annex G says what infinities and NaN give */
    bool by_parts;     /* the function of real numbers, of each part */
} ComplexFunction;

/* The function of complex numbers with the name of one of reference/function.h, NULL where there
 * is none. */
const ComplexFunction *complex_function_named(const char *name);

/* Those that are functions of complex numbers only, ended by a NULL name. */
extern const ComplexFunction complex_only_functions[];

/* y = f(x) element by element, or f(a, b) where b is not NULL, whose extents are those of a. */
void complex_function_reference(Ref *ref, const ComplexFunction *function, const Tensor *a,
                                const Tensor *b, Arena *arena);

/* How far a kernel may be off at a finite z by the weakest of the readings; infinite where that
 * says nothing. */
double complex_function_slack(const ComplexFunction *function, const Format *format,
                              ComplexValue z);

/* One value, for tests, with the error of the reference relative to its modulus and the slack. */
ComplexValue complex_value(const ComplexFunction *function, ComplexValue a, ComplexValue b);
extern const double complex_reference_error;

#endif
