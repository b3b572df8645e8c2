/* Shape and reference of the routines that scale a vector in place. */
#ifndef OPS_BLAS_BLAS_SCAL_H
#define OPS_BLAS_BLAS_SCAL_H

#include "blas.h"

void blas_scal_shape(const void *params, Shapes *shapes);
void blas_scal_reference(Ref *refs, const ReferenceInput *input, Arena *arena);
/* With a real alpha that multiplies both components. */
void blas_rscal_reference(Ref *refs, const ReferenceInput *input, Arena *arena);

#endif
