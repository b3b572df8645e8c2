/* References of the reductions over one vector: norms, sums of magnitudes, position of the largest.
 *
 * x is a view of rank 2 with one column; results are 1 x 1. */
#ifndef REFERENCE_NORM_H
#define REFERENCE_NORM_H

#include "ref.h"

/* sqrt(sum |x_i|^2) in the component type.  Bound: (m/2 + 4) u y for m non-zero components, for any
 * algorithm that squares, sums and scales by powers of two or in a wider type (Blue 1978);
 * rescaling by the running maximum, as implementations before LAPACK 3.10 do, rounds two quotients
 * and a product more per step: (5m/2 + 4) u y, which is what is asked.  No overflow or underflow on
 * the way may show. */
void euclidean_norm_reference(Ref *ref, const Tensor *x, Arena *arena);

/* sum (|re x_i| + |im x_i|), by the reduction lemma. */
void magnitude_sum_reference(Ref *ref, const Tensor *x, Arena *arena);

/* Zero-based index of the first element with the largest (or smallest) |re| + |im|, as a binary64
 * number; 0 when there is none.  Where rounding of |re| + |im| decides, every index that can win is
 * a candidate, up to REF_CANDIDATES of them, and any is admitted beyond that. */
typedef enum Extreme { EXTREME_LARGEST, EXTREME_SMALLEST } Extreme;
void extreme_index_reference(Ref *ref, const Tensor *x, Extreme extreme, Arena *arena);

/* The result 0. */
void zero_reference(Ref *ref, DType dtype, Arena *arena);

#endif
