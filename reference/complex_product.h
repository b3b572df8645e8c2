/* Products of many complex numbers, of all or running along an axis.
 *
 * A product of two by the formula (ac - bd) + (ad + bc) j is off by sqrt(5) u of its modulus
 * (Brent, Percival and Zimmermann, Error bounds on complex floating-point multiplication, Math.
 * Comp. 76, 2007), fused or not.  n - 1 of them in any order are off by (n - 1) c u / (1 - (n - 1)
 * c u)  of the modulus of the result, c = 5/2, where no product of some of the factors is so small
 * that underflow of its four terms, 4 lambda with the smallest normal number lambda, exceeds u / 4
 * of it: from 16 lambda / u on.  Elsewhere nothing is said, nor where such a product may leave the
 * range; 0 makes 0.
 *
 * Numbers on lattices are multiplied exactly in every order while the product of |re| + |im| of all
 * is within the significand.
 *
 * A part that is NaN reaches both parts of every product, by that formula and by Annex G of C23
 * (G.5.1), which makes infinities of NaN only where an operand is infinite or a term overflows.
 * Where one of the factors is infinite, nothing is said: the array API standard leaves it to the
 * implementation. */
#ifndef REFERENCE_COMPLEX_PRODUCT_H
#define REFERENCE_COMPLEX_PRODUCT_H

#include "reduce.h"

/* The product over the last axes of a complex x, and running products along its last one, as
 * reduce_reference and running_reference have those of real numbers. */
void complex_product_reference(Ref *ref, const ReduceInput *input, Arena *arena);
void complex_running_products(Ref *ref, const RunningInput *input, Arena *arena);

#endif
