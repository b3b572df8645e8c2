/* A dense tensor as the elements outside, along and inside one axis, and as the lines along it. */
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

/* The lines of a dense tensor along an axis, numbered like what is left without the axis; of that
 * which was found last, the place of its first element in the tensor. */
typedef struct Lines {
    int64_t count, extent, step, first;
} Lines;

static inline Lines nn_lines(const Tensor *t, int64_t axis)
{
    Split s = nn_split(t, axis);
    return (Lines){s.outer * s.inner, s.extent, s.inner, 0};
}

static inline void nn_find_line(Lines *lines, int64_t number)
{
    const Split split = {1, lines->extent, lines->step};
    lines->first = nn_split_place(&split, number, 1, 0);
}

static inline int64_t nn_line_place(const Lines *lines, int64_t k)
{
    return lines->first + k * lines->step;
}

#endif
