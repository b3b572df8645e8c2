/* Reference for  out = alpha A B + beta C,  the shape of every matrix product. */
#ifndef REFERENCE_AFFINE_H
#define REFERENCE_AFFINE_H

#include "base.h"
#include "ref.h"
#include "tensor.h"

/* a is m x k, b is k x n, c is m x n, as the formula reads them: transposition is a matter of
 * strides.  What a limited view leaves out is zero.  c is not read when beta = 0; a and b are not
 * read when alpha = 0 or k = 0. */
typedef struct AffineInput {
    Tensor a, b, c;
    bool conjugate_a, conjugate_b, conjugate_c;
    Scalar alpha, beta;
    bool want_square; /* fill Ref.square: the data are exchangeable random draws */
    bool signs_drawn; /* the contraction index of a carries independent random signs */
    bool may_draft;   /* the reference may be a draft (draft.h) */
} AffineInput;

/* Fills ref with arrays from the arena.  f32 and c64 are computed in binary64, f64 and c128 in
 * double-double; classes come from counting the terms, never from arithmetic on them. */
void affine_reference(Ref *ref, const AffineInput *input, Arena *arena);

#endif
