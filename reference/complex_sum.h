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
 * With factors, alpha of the products and beta of the bias (gemm3m), let R and I be the sums of the
 * magnitudes of all real products that alpha x w and beta b expand to, in the real part and in the
 * imaginary one: R has |re alpha re x re w|, |re alpha im x im w|, |im alpha re x im w| and
 * |im alpha im x re w|.  A kernel multiplies x, w or the sums by alpha, and forms the three sums of
 * the contraction as a whole, or of blocks of it that have at least 4 products but for the last;
 * each sum in any order, and what comes of the blocks is added to the bias, in any order.  Each
 * part is off by at most (n + 12) u (P + O) / (1 - 2 (n + 12) u).
 *
 * Proof.  All is a tree of products and sums: each term that the result expands to has a factor
 * 1 + d, |d| <= u, of each operation between it and the result, N of them at most; so the result is
 * off by at most N u / (1 - N u) of the sum of the magnitudes of these terms (Higham, lemma 3.1).
 * A part gets at most 3 sums of each of q blocks, which is 3 q additions.  A block has at most
 * n - 4 (q - 2) - 1 products where q > 1, so that a product meets at most n + 4 additions in its
 * block and behind it (n + 2 of one block).  Where alpha multiplies a factor, w' = alpha w, before
 * that are the sum of the parts of x (1), that of the parts of w', of 4 products (4), and their
 * product (1): N = n + 10.  Where it multiplies sums, 3 are before, and 2 behind (a product and a
 * sum): N = n + 9.  A term of the bias meets 2 and 3 q additions, which is n + 7 at most.  Of the
 * terms: |re w'| is at most |re alpha re w| + |im alpha im w|, and |im w'| alike, so that A and B
 * of the first form have R, C has P, and the parts R and P + R.  In the second form the real part
 * has R and twice |im x re w'|, which is part of I, and the imaginary one I and twice |re x re w'|,
 * which is part of R; with x for w too.  Where alpha multiplies sums, let R' and I' be those
 * without it; a part is at most |re alpha| (own' + 2 other') + |im alpha| (other' + 2 own'), which
 * is own + 2 other.  QED.
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

/* The same with factors alpha and beta, of so many products, and the bias times beta in both. */
double complex_sum_scaled_by_three(double products, double own, double other, double unit);

/* Admits both ways for sums of complex products, at most `depth` for each element, and an addend by
 * a factor of 0 or 1, none of them above the range / 8: a reference under RULE_REDUCTION with a
 * bound for four is one under RULE_RELATIVE with a bound for either. */
void ref_admit_three_products(Ref *ref, double depth);

#endif
