/* Windows that move over up to three spatial axes: the greatest, the mean or a norm of what each
 * covers.  Adaptive window i of n over s elements goes from floor(i s / n) to ceil((i + 1) s / n).
 * Padding is not part of the greatest, and of a mean only where count_pads says so; a
 * window that reaches beyond the padding counts what is inside.  Bounds: reference/reduce.h. */
#ifndef REFERENCE_POOL_H
#define REFERENCE_POOL_H

#include "reduce.h"

enum { POOL_AXES_MAX = 3 };

/* x is N, C, size...; y is N, C, output.... */
typedef struct PoolInput {
    Tensor x, y;
    Reduction reduction;
    bool count_pads;
    bool adaptive; /* windows follow from the extents of x and y; the rest is left out */
    int64_t kernel[POOL_AXES_MAX], stride[POOL_AXES_MAX], dilation[POOL_AXES_MAX];
    int64_t before[POOL_AXES_MAX], after[POOL_AXES_MAX];
} PoolInput;

void pool_reference(Ref *ref, const PoolInput *input, Arena *arena);

/* The gradient of x, where y holds that of the result: of each window the mean's share, or all of
 * it for the greatest element; of several greatest ones each gets anything between 0 and all.
 * Shares are divided by the count or multiplied by its reciprocal, and summed in any order, in
 * balls. */
void pool_gradient_reference(Ref *ref, const PoolInput *input, Arena *arena);

#endif
