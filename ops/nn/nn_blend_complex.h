/* The formulas of ops_blend.c over complex numbers, in complex balls (reference/complex_ball.h): a
 * bound holds for the whole number, and nothing is said of lines with numbers that are not finite,
 * whose products and quotients texts leave to the implementation (array API standard, multiply).
 *
 * Covariances are products with the conjugate of the second row's distances (NumPy, cov; PyTorch,
 * cov), correlations are those over the roots of real variances, each part between -1 and 1; norms
 * are those of moduli.  A part that is brought back between -1 and 1 is no further from the value,
 * whose parts lie there. */
#ifndef OPS_NN_NN_BLEND_COMPLEX_H
#define OPS_NN_NN_BLEND_COMPLEX_H

#include "nn_exact.h"

bool nn_is_complex(const Tensor *t);

void nn_complex_addcmul(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);
void nn_complex_addcdiv(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);
void nn_complex_lerp(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);
void nn_complex_trapezoid(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);
void nn_complex_cumulative(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);
void nn_complex_gradient(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);
void nn_complex_normalize(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);
void nn_complex_pairwise(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);
void nn_complex_cross(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);
void nn_complex_cov(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);
void nn_complex_corrcoef(const Exact *q, const Tensor *t, Ref *refs, Arena *arena);

#endif
