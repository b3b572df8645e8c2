/* References of operations without sums: copies, and p x + q y with real factors. */
#ifndef REFERENCE_ELEMENTWISE_H
#define REFERENCE_ELEMENTWISE_H

#include "ref.h"

/* The elements as they are, to the bit. */
void copy_reference(Ref *ref, const Tensor *from, Arena *arena);

/* p x + q y, component by component; x and y have the same extents and element type. */
typedef struct CombinationInput {
    Tensor x, y;
    double p, q;
} CombinationInput;

/* A kernel rounds both products and the sum, or fuses one product into the sum: the candidates are
 * RN(RN(px) + RN(qy)), fma(p, x, RN(qy)) and fma(q, y, RN(px)).  A product with a factor p or q of
 * zero may be left out. */
void combination_reference(Ref *ref, const CombinationInput *input, Arena *arena);

#endif
