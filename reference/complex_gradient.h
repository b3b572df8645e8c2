/* Vector-Jacobian products of functions of complex numbers.
 *
 * Of a real L the gradient by z = x + i y is dL/dx + i dL/dy, twice the derivative by the conjugate
 * of z in Wirtinger's calculus: for a holomorphic f that is dz = dy conj(f'(z)) (PyTorch, Autograd
 * mechanics, "Autograd for Complex Numbers": "the gradient computed is the Conjugate Wirtinger
 * derivative"; TensorFlow's registered gradients multiply by the conjugate as well, math_grad.py;
 * PaddlePaddle's as those).  jax.vjp leaves out both conjugates: what it gives of conj(dy) is the
 * conjugate of this (JAX, The Autodiff Cookbook, "Complex numbers and differentiation").
 *
 * Slopes are formed in complex balls by every formula that is usual.  Where a divisor is exactly 0
 * the quotient of a number is an infinity (C23, G.5.2: one of whose parts is infinite, and the
 * other any), or by (ac + bd) / 0 NaN (array API standard, divide: no such rule): neither part is a
 * number.  Where else a slope or gradient is not finite, or formulas leave the range, nothing is
 * said but that a NaN of dy, times a slope that is finite and known, is NaN in both parts. */
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
    bool by_parts;  /* exact, where dy is finite or not */
    bool from_real; /* the function is real, and so is dy */
} ComplexGradient;

/* That of a function; NULL where there is none. */
const ComplexGradient *complex_gradient_named(const char *function);

/* dx of dy, which is real where the function is, and x, element by element. */
void complex_gradient_reference(Ref *ref, const ComplexGradient *gradient, const Tensor *dy,
                                const Tensor *x, Arena *arena);

#endif
