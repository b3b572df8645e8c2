/* y = x, to the bit. */
#include "blas_shapes.h"
#include "blas_vectors.h"
#include "reference/elementwise.h"

static const Param params[] = {BLAS_DTYPE, BLAS_LENGTH, BLAS_INCX_ZERO, BLAS_INCY, P_END};
static const char *const tensors[] = {"x", "y", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    blas_shape_xy(params_of_case, shapes, ROLE_IN, ROLE_OUT);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    copy_reference(&refs[1], &input->tensors[0], arena);
}

const OpDesc op_copy = {
    .name = "copy",
    .summary = "copy of a vector",
    BLAS_OP_TABLES,
    .in_place = true,
    .shape = shape,
    .work = blas_work_vector,
    .reference = reference,
    .zeros = ZERO_SIGN("all", ZEROS_COPIED),
};
