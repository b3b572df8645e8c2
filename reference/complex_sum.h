/* Sums of products of complex numbers and a bias, with four real products for each or with three.
 *
 * Of n products of x and w that are not 0, and a bias b, let R be the sum of |re x re w|,
 * |im x im w| and |re b|, and I that of |re x im w|, |im x re w| and |im b|, P = R + I, O = I for
 * the real part and R for the imaginary one, and u the unit.  With four products each part is a sum
 * in any order, and the lemma of oracle/bound.h has its bound.  With three (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd ed., section 23.2.4), product by product or in three real
 * convolutions, there are two forms.  In the first A sums re x re w, B im x im w, and C the
 * products of re x + im x and re w + im w, with the bias in A and C; the result is A - B + (C - A -
 * B) j.  In the second A sums (re x + im x) re w, B im x (re w + im w), and C re x (im w - re w);
 * the result is A - B + (A + C) j, to which the bias is added.  Each part is off by at most (n + 5)
 * u (P + O) / (1 - 2 (n + 5) u).
 *
 * Proof, of the terms in u; those beyond make the quotient.  A sum of m terms that are off by e is
 * off by e + (m - 1) u of the sum of their magnitudes.  In the first form C is off by (n + 3) u P,
 * and A and B by (n + 1) u R; C - A is the result and B, at most P, and rounds by u P; the result
 * rounds by u I: together at most (n + 4) u P + (n + 1) u R + u I.  A - B is off by (n + 2) u R. In
 * the second form terms are off by 2 u: A and B by (n + 1) u of sums of magnitudes that are R + 2 I
 * at most together, A and C of those that are I + 2 R; the difference and the bias round by 2 u.
 * QED.
 *
 * With numbers on lattices none of this rounds while 2 P is within the significand.
 *
 * A product of which a factor has an infinity makes no part a number, in any of these forms and by
 * Annex G of C23 (G.5.2), which puts infinities in the place of NaN: a part is what the four
 * products make it, or NaN; where they make NaN, an infinity.  One with NaN and no infinity makes
 * both parts NaN.  A bias that is not finite makes its part what it is, or NaN, and may make the
 * other one NaN. */
#ifndef REFERENCE_COMPLEX_SUM_H
#define REFERENCE_COMPLEX_SUM_H

#include "reduce.h"

typedef struct ComplexSum {
    Sum part[2];
    int64_t products;  /* of numbers that are not 0 */
    double greatest;   /* magnitude of a part of a factor or of the bias that is finite */
    bool has_special;  /* a factor is not finite */
    bool has_infinity; /* a factor has an infinity */
} ComplexSum;

ComplexSum complex_sum_begin(void);
void complex_sum_add_product(ComplexSum *sum, Scalar x, Scalar w);
/* The bias, at most one. */
void complex_sum_add(ComplexSum *sum, Scalar bias);
/* Puts both parts, the first of which is element i; every part of a term is a multiple of
 * 2^lattice. */
void ref_put_complex_sum(Ref *ref, size_t i, const ComplexSum *sum, int lattice);

/* Upper bound of the error of a part with three products, where it is R or I (own), the other part
 * the other of both, and so many products are not 0; underflow apart. */
double complex_sum_by_three(double products, double own, double other, double unit);

/* Admits both ways for sums of complex products, at most `depth` for each element, and an addend by
 * a factor of 0 or 1, none of them above the range / 8: a reference under RULE_REDUCTION with a
 * bound for four is one under RULE_RELATIVE with a bound for either. */
void ref_admit_three_products(Ref *ref, double depth);

#endif
