/* Derivatives of functions of one variable, each by its usual formula in balls (reference/ball.h),
 * and their products with a gradient.  Where two formulas are usual, either is right; at a kink
 * anything between the one-sided values. */
#ifndef REFERENCE_DERIVATIVE_H
#define REFERENCE_DERIVATIVE_H

#include "ball.h"

/* The arithmetic in which a derivative is evaluated, the parameters of the function, whether the
 * functions in its formula have their weaker bounds (loose), and whether roots and reciprocals in
 * it are within 1 ulp only (faithful). */
typedef struct DerivativeContext {
    const Format *format;
    double alpha, beta;
    bool loose, faithful;
} DerivativeContext;

typedef struct Derivative {
    const char *function; /* that it belongs to */
    Ball (*evaluate)(const DerivativeContext *context, Ball x);
    bool divides;        /* its formula has a root or a reciprocal */
    double constant;     /* above 1, which may multiply the gradient first or divide last; or 0 */
    bool has_argument;   /* the argument is such a factor too, of a part of the derivative */
    bool has_parameters; /* and alpha, beta, their product and 1 / alpha */
    bool special;        /* a special function, of which nothing is said in half precision */
} Derivative;

extern const Derivative derivatives[]; /* ended by a NULL function */
/* That of a function; NULL where the table has none. */
const Derivative *derivative_named(const char *function);

/* dx = dy f'(x) element by element for tensors of one shape, with two weaker alternatives:
 * "absolute-accuracy" and "faithful-rounding". */
void derivative_reference(Ref *ref, const Derivative *derivative, const FunctionParams *params,
                          const Tensor *dy, const Tensor *x, Arena *arena);

#endif
