/* Factors Q R of large matrices, by products of both sides with a random vector (householder.h).
 *
 * Theorem.  Let columns be right, those of A and R as they were computed, one reflection after the
 * other: |a_j - H_1 ... H_k r_j|_2 <= beta |a_j|_2, beta = 2 (2 k gamma_(m + 8) + gamma_(20 m +
 * 60)).  With |x_j| <= 1 and w the sum of |x_j| |a_j|_2, A x and H_1 ... H_k (R x) differ by
 *     beta w + e,   e = 2 (2 k gamma'_(m + 8) + gamma'_(2 n + 8)) (1 + beta) w
 * at most in the 2-norm, gamma' of binary64, in which both are computed here.  Proof.  A reflection
 * that is applied to y, y - v (tau (v^H y)), is off by u |y| + gamma_(m + 3) |tau| |v| |v| |y| at
 * most (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., lemma 3.9 and (3.13)), and
 * |tau| |v|^2 is 2 |re tau| / |tau|, 2 at most, but for what is judged of tau.  Errors of
 * reflections add up, since these keep norms (lemma 19.3); the factor 2 is for second-order terms
 * while the bound is below 1/4.  The sum of the columns' errors is within the sum of their norms,
 * and so are A x and R x within gamma'_n of the sums of magnitudes, whose norms are w and (1 +
 * beta) w at most. QED.
 *
 * Of reflections in blocks the bound is larger (householder.h), so that a distance above this one
 * is no finding by itself: halves of the columns whose distance is larger, again and again, lead to
 * one, which is judged by itself with the bound of blocks of HOUSEHOLDER_WINDOW / 2 reflections at
 * most.  What is missed: errors below beta times the sum of n columns' norms. */
#ifndef OPS_LAPACK_LARGE_REFLECTIONS_H
#define OPS_LAPACK_LARGE_REFLECTIONS_H

#include "lapack.h"
#include "reference/factor_sums.h"

/* A = Q R as it stands in operands `a` and `tau`, of binary64. */
void lapack_check_reflections(FactorChecks *checks, const ReferenceInput *input, int a, int tau,
                              Arena *arena);

#endif
