/* x = alpha x, to the bit for real types.  An increment below 1 leaves x alone (reference
 * implementation of xSCAL).  alpha = 0 multiplies, so that NaN stays; libraries that store zeros
 * follow the policy zero-skip. */
#include "blas_scal.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_DTYPE, BLAS_LENGTH, BLAS_ALPHA_IN_PLACE, BLAS_INCX_ZERO, P_END};
static const char *const tensors[] = {"x", NULL};

const OpDesc op_scal = {
    .name = "scal",
    .summary = "multiple of a vector in place",
    BLAS_OP_TABLES,
    .shape = blas_scal_shape,
    .work = blas_work_vector,
    .reference = blas_scal_reference,
    .zeros = BLAS_ZEROS_SCALED,
};
