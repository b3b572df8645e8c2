/* A dense tensor as the elements outside, along and inside one axis. */
#ifndef OPS_NN_NN_SPLIT_H
#define OPS_NN_NN_SPLIT_H

#include "nn.h"

typedef struct Split {
    int64_t outer, extent, inner;
} Split;

static inline Split nn_split(const Tensor *t, int64_t axis)
{
    Split s = {1, t->extent[axis], 1};
    for (int i = 0; i < t->rank; i++)
        if (i != axis)
            *(i < axis ? &s.outer : &s.inner) *= t->extent[i];
    return s;
}

/* Where element `number` of a tensor with `along` elements along the axis lies in the split one,
 * when its index there is `at`. */
static inline int64_t nn_split_place(const Split *s, int64_t number, int64_t along, int64_t at)
{
    return (number / s->inner / along * s->extent + at) * s->inner + number % s->inner;
}

#endif
