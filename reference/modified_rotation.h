/* Reference of the construction of modified plane rotations; see ops/blas/op_rotmg.c. */
#ifndef REFERENCE_MODIFIED_ROTATION_H
#define REFERENCE_MODIFIED_ROTATION_H

#include "ref.h"

/* d1, d2 and x1 are 1 x 1, param is 5 x 1 with its values before the call.  refs[0..2] get the new
 * d1, d2 and x1, refs[3] the flag and the coefficients that it says are stored.  Where a branch, a
 * rescaling or the range is decided by less than the rounding errors, anything is admitted. */
void modified_rotation_reference(Ref refs[4], const Tensor views[4], double y1, Arena *arena);

#endif
