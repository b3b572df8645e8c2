/* Equations that single numbers of a factorization or a solution satisfy, given the other numbers
 * as a kernel computed them:
 *
 *     right = x_1 y_1 + ... + x_k y_k + d v
 *
 * is solved for v.  Results that are not unique as a whole, such as the factors of A = P L U, are
 * judged so, element by element, without a bound on how far errors grow.
 *
 * Theorem.  Let v' be computed with unit u from the others by any order of evaluation, fused or
 * not, followed by a division by d or a multiplication by its rounded reciprocal.  Then
 *     |right - sum x_i y_i - d v'| <= gamma_c (sum |x_i| |y_i| + |d| |v'|),  gamma_c = c u / (1 - c
 * u), c = k + 2 (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 8.4, with
 * one rounding more for the reciprocal; elementwise it is theorem 9.3 for A = L U, 10.3 for
 * Cholesky factors, where v' is a square root and d = v', and 8.5 for triangular systems).
 * Where v is a square root, d = v' and nothing is divided: the same c.  Where d is the rounded
 * square root of some p, kernels may multiply by a reciprocal root of p itself, as MKL does: with
 * one that is right within a unit in the last place, 2 u, and the roundings of d and of the
 * product, c = k + 4. Of complex numbers each part is a real sum of 2 k products, whose magnitudes
 * are together at most those of |re| + |im|, and a division or a product with a rounded reciprocal
 * errs by less than gamma_10 of the modulus in each part (lemma 3.5): c = 2 k + 12, and both sides
 * are doubled. Each product, the quotient and the reciprocal may underflow, by half a smallest
 * subnormal each; of complex quotients also what is divided by |d|^2, where they are formed so, and
 * that itself.
 *
 * Values are double-double, whose error is part of what is put. */
#ifndef REFERENCE_EQUATION_H
#define REFERENCE_EQUATION_H

#include "ref.h"
#include "wide_complex.h"

/* How v follows from the rest. */
typedef enum EquationEnd {
    END_QUOTIENT,
    END_ROOT,            /* d = v' */
    END_QUOTIENT_BY_ROOT /* d is a square root */
} EquationEnd;

typedef struct Equation {
    WideComplex rest;       /* the right side minus the products so far */
    double right, products; /* sums of sizes |re| + |im| */
    uint32_t terms;
    EquationEnd end;
    bool finite; /* of the products */
    Scalar given;
} Equation;

Equation equation_of(Scalar right, EquationEnd end);
/* Takes a product to the right side. */
void equation_subtract(Equation *equation, Scalar x, Scalar y);

/* Puts element number `at` (of its first component) of a reference from ref_allocate_bounded: what
 * v follows from the equation, with the bound of the theorem, for a kernel that computed `got`.
 * Where there is nothing to compute, v is the right side itself.  Anything is admitted where
 * another number of the equation is not finite, where d is 0, or where products or the quotient may
 * overflow; NaN is demanded where the right side is a NaN and everything is real. */
void equation_put(const Equation *equation, Ref *ref, size_t at, Scalar divisor, Scalar got);

/* The same where v does not depend on the equation, as d is 0: admits any finite value where the
 * rest is within the bound, and none elsewhere; what is put then differs from got by the rest. */
void equation_put_rest(const Equation *equation, Ref *ref, size_t at, Scalar got);

/* gamma_c for the arithmetic of a format, rounded up; infinite where c u is not below 1. */
double equation_gamma(const Format *format, double count);

#endif
