/* Formulas of ops_blend.c of integers: exact, and what two's complement leaves of them. */
#ifndef OPS_NN_NN_BLEND_WHOLE_H
#define OPS_NN_NN_BLEND_WHOLE_H

#include "nn_exact.h"

bool nn_is_whole(const Tensor *t);

void nn_whole_addcmul(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);
void nn_whole_cross(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);

#endif
