/* Reference of the construction of plane rotations; the formulas are in ops/blas/op_rotg.c. */
#ifndef REFERENCE_ROTATION_H
#define REFERENCE_ROTATION_H

#include "ref.h"

/* a and b are 1 x 1.  refs[0] gets r, refs[1] z (real types only), refs[2] c, refs[3] s.  Where a
 * value underflows, overflows or is not finite, anything is admitted. */
void rotation_reference(Ref refs[4], const Tensor *a, const Tensor *b, Arena *arena);

#endif
