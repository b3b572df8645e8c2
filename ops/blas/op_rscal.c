/* x = alpha x for complex x and real alpha (xSSCAL, xDSCAL); rules as for scal. */
#include "blas_scal.h"
#include "blas_vectors.h"

static const Param params[] = {BLAS_DTYPE, BLAS_LENGTH, BLAS_ALPHA_IN_PLACE_REAL, BLAS_INCX_ZERO,
                               P_END};
static const char *const tensors[] = {"x", NULL};

const OpDesc op_rscal = {
    .name = "rscal",
    .summary = "real multiple of a complex vector in place",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_COMPLEX,
    .shape = blas_scal_shape,
    .work = blas_work_vector,
    .reference = blas_rscal_reference,
    .zeros = BLAS_ZEROS_SCALED,
};
