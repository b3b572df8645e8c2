/* x and y exchanged, to the bit. */
#include "blas_shapes.h"
#include "blas_vectors.h"
#include "reference/elementwise.h"

static const Param params[] = {BLAS_DTYPE, BLAS_LENGTH, BLAS_INCX, BLAS_INCY, P_END};
static const char *const tensors[] = {"x", "y", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    copy_reference(&refs[0], &input->tensors[1], arena);
    copy_reference(&refs[1], &input->tensors[0], arena);
}

const OpDesc op_swap = {
    .name = "swap",
    .summary = "exchange of two vectors",
    BLAS_OP_TABLES,
    .shape = blas_shape_of_rot,
    .work = blas_work_vector,
    .reference = reference,
    .zeros = ZERO_SIGN("all", ZEROS_COPIED),
};
