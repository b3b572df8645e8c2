/* Vector-Jacobian products of functions of complex numbers.
 *
 * Of a real L the gradient by z = x + i y is dL/dx + i dL/dy, twice the derivative by the conjugate
 * of z in Wirtinger's calculus: for a holomorphic f that is dz = dy conj(f'(z)) (PyTorch, Autograd
 * mechanics, "Autograd for Complex Numbers": "the gradient computed is the Conjugate Wirtinger
 * derivative"; TensorFlow's registered gradients multiply by the conjugate as well, math_grad.py;
 * PaddlePaddle's as those).  jax.vjp leaves out both conjugates: what it gives of conj(dy) is the
 * conjugate of this (JAX, The Autodiff Cookbook, "Complex numbers and differentiation").
 *
 * Slopes are formed in complex balls by every formula that is usual.  What texts say of numbers
 * that are none, and where they say nothing:
 *
 * - Where a divisor is exactly 0 the quotient of a number is an infinity (C23, G.5.2: one of whose
 *   parts is infinite, and the other any), or by (ac + bd) / 0 NaN (array API standard, divide: no
 *   such rule): neither part is a number.  Poles of asinh at i and -i and of acosh at -1 are left
 *   out: TensorFlow divides by the hyperbolic cosine or sine of the result (math_grad.py), which is
 *   a small number and not 0, since pi is none of the format.
 * - A gradient of 0 makes 0 of a slope that is finite, else NaN (IEEE 754-2019, 7.2) or 0, as
 *   where kernels take it for none (TensorFlow, SqrtGrad).
 * - A NaN in z and no infinity in z or dy, or one in dy times a slope that is finite and known,
 *   is NaN in both parts, where dy is not 0: NaN is a part of the slope (C23, G.6: of the functions
 *   that slopes are made of, those that give numbers for NaN do so beside an infinity), and every
 *   product with it (IEEE 754-2019, 6.2).  Where a number beside the NaN overflows, as the square
 *   of a large one does, there is such an infinity (G.5.1), and nothing is said.
 * - An infinity in dy leaves no number in a product or a quotient (complex_product.h).
 * - On a branch cut no text says from which side the slope is taken: 1 - z z has lost the sign of
 *   the zero that tells, where 1 is a complex number.  The slope of a function with a square root
 * in it may have either sign there.
 * - At 0 no text gives abs, sign and angle a slope.  Of abs it is at most 1 in size, as all numbers
 *   between those beside it are, or NaN by 0 / 0; of the others nothing is said: 0 by a mask, or
 * any infinity or NaN by a quotient.
 * - Where z is infinite, or formulas leave the range, nothing is said: products and quotients with
 *   infinities are left to the implementation (array API standard, multiply and divide). */
#ifndef REFERENCE_COMPLEX_GRADIENT_H
#define REFERENCE_COMPLEX_GRADIENT_H

#include "complex_ball.h"

typedef struct ComplexGradient {
    const char *function;
    /* f'(z) of a holomorphic function. */
    ComplexBall (*slope)(const Format *format, ComplexValue z);
    /* The gradient itself, of functions that are none or are rounded nowhere. */
    ComplexBall (*gradient)(const Format *format, ComplexValue dy, ComplexValue z);
    /* Where the slope is 1 / 0, by every usual formula. */
    int poles;
    ComplexValue pole[2];
    bool bounded;   /* slopes at 0 are at most 1 in size */
    bool by_parts;  /* exact, where dy is finite or not */
    bool from_real; /* the function is real, and so is dy */
} ComplexGradient;

/* That of a function; NULL where there is none. */
const ComplexGradient *complex_gradient_named(const char *function);

/* dx of dy, which is real where the function is, and x, element by element. */
void complex_gradient_reference(Ref *ref, const ComplexGradient *gradient, const Tensor *dy,
                                const Tensor *x, Arena *arena);

#endif
