/* Products of many complex numbers, of all or running along an axis.
 *
 * A product of two by the formula (ac - bd) + (ad + bc) j is off by sqrt(5) u of its modulus
 * (Brent, Percival and Zimmermann, Error bounds on complex floating-point multiplication, Math.
 * Comp. 76, 2007), fused or not.  n - 1 of them in any order are off by e / (1 - e) of the modulus
 * of the result, e = (n - 1) c u, c = 5/2, where no product of some of the factors is so small that
 * underflow of its four terms, 4 lambda with the smallest normal number lambda, exceeds u / 4 of
 * it: from 16 lambda / u on.  0 makes 0.
 *
 * Where the product of those factors whose modulus is below 1 may be smaller, with A the product of
 * max(1, |z_i|), t what one operation loses by underflow and T = 17/4 t,
 *     (2 n - 1) T A / (1 - e - (2 n - 1) T)
 * more.  Proof.  A part of a product has two products and a sum, which lose 3 t at most, and the
 * rounding of the sum of what the products lost: 3 sqrt 2 t (1 + u) <= T in the modulus.  A factor
 * loses sqrt 2 t <= T.  Moduli multiply as magnitudes do: the rest is the proof of reduce.h with
 * c u for u and T for t.  QED.
 *
 * A part that is not finite makes both parts of a product ones that are not, by the formula (0
 * times an infinity is NaN, and no sum with one of the two is a number), with three products for
 * four, and by Annex G of C23 (G.5.2), which puts infinities, or an infinity times 0, in the place
 * of NaN.  So:
 *
 * - Where a factor has an infinity, no part is a number; which of both parts is an infinity of
 *   which sign, or NaN, the array API standard leaves to the implementation.
 * - Where one is NaN and none an infinity, both parts are NaN; Annex G makes infinities of them
 *   only where a term overflows.
 * - Where the product of the moduli above 1 may overflow, a part is what it is without, an infinity
 *   or NaN.  If nothing can underflow, it is no number where all within the bound is beyond the
 *   range; and beyond 4 times the square of the largest number of binary64, in which kernels may
 *   multiply narrower ones, no part is one, since a product of two factors with finite parts is at
 *   most twice that square: an operand of the last multiplication is not finite.
 * - Where some orders overflow and others underflow nothing is said.
 *
 * Numbers on lattices are multiplied exactly in every order while the product of |re| + |im| of all
 * is within the significand.  One factor alone is the result, or is multiplied by 1 + 0 j, once or
 * several times. */
#ifndef REFERENCE_COMPLEX_PRODUCT_H
#define REFERENCE_COMPLEX_PRODUCT_H

#include "reduce.h"

/* The product over the last axes of a complex x, and running products along its last one, as
 * reduce_reference and running_reference have those of real numbers. */
void complex_product_reference(Ref *ref, const ReduceInput *input, Arena *arena);
void complex_running_products(Ref *ref, const RunningInput *input, Arena *arena);

#endif
