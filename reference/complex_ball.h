/* Balls of complex numbers: a value, and a radius about it within which a correct kernel's number
 * lies, as reference/ball.h has them for real ones.
 *
 * With the unit u, a number z that is the result of one operation is off by at most, normwise,
 *     u |z|          of a sum, whose parts are rounded each;
 *     5/2 u |z|      of a product by its formula (reference/complex_product.h);
 *     10 u |z|       of a quotient, and what reference/complex_function.h says of functions,
 * and by 8 lambda where it may be flushed, lambda the smallest normal number.  What the radii of
 * the operands amount to is added: |x| s + |y| r + r s for a product, (r + |x / y| s) / (|y| - s)
 * for a quotient, and 3/4 |root| r / |x| for a square root where r <= |x| / 2, off the cut.
 *
 * Of an argument within whose radius the cut of the square root lies, the root is one of two
 * numbers that add up to 0, each with this radius: p = x (1 + e), |e| <= r / |x|, has the root w
 * sqrt(1 + e) or its negative, w the root of x.  A product or quotient of such a number is one of
 * two as well; a sum is only known to be within both.
 *
 * Of what is not finite, and of numbers so large or small that textbook formulas leave the range,
 * nothing is known: the radius is infinite. */
#ifndef REFERENCE_COMPLEX_BALL_H
#define REFERENCE_COMPLEX_BALL_H

#include "complex_function.h"

typedef struct ComplexBall {
    ComplexValue value;
    double radius;
    bool turned; /* or the negative of the value, within the same radius */
} ComplexBall;

ComplexBall complex_ball_exact(ComplexValue value);
ComplexBall complex_ball_unknown(void);
bool complex_ball_is_known(ComplexBall x);
ComplexBall complex_ball_conjugate(ComplexBall x);
ComplexBall complex_ball_negate(ComplexBall x);

ComplexBall complex_ball_add(const Format *format, ComplexBall x, ComplexBall y);
ComplexBall complex_ball_subtract(const Format *format, ComplexBall x, ComplexBall y);
ComplexBall complex_ball_multiply(const Format *format, ComplexBall x, ComplexBall y);
ComplexBall complex_ball_divide(const Format *format, ComplexBall x, ComplexBall y);
ComplexBall complex_ball_sqrt(const Format *format, ComplexBall x);
/* Either of two results. */
ComplexBall complex_ball_either(ComplexBall x, ComplexBall y);
/* The result once more off by so many units of its modulus. */
ComplexBall complex_ball_round(const Format *format, ComplexBall x, double units);
/* The sum in any order. */
ComplexBall complex_ball_sum(const Format *format, const ComplexBall *terms, size_t count);
/* A function of complex_function.h of an exact number, by the weakest of its readings. */
ComplexBall complex_ball_function(const Format *format, const char *name, ComplexValue x);

/* Puts a ball into both parts of an element of a reference that ref_allocate_bounded made. */
void ref_put_complex_ball(Ref *ref, size_t element, ComplexBall ball);

#endif
