/* x' = h11 x + h12 y and y' = h21 x + h22 y, element by element; param holds a flag and h11, h21,
 * h12, h22.  The flag says which of them are not stored: -1 none, 0 the diagonal is 1, 1 the other
 * diagonal is 1 and -1, -2 the identity.  One of three outcomes per element
 * (reference/elementwise.h). */
#include "blas_vectors.h"
#include "reference/elementwise.h"

static const Param params[] = {
    BLAS_DTYPE,
    BLAS_LENGTH,
    BLAS_INCX,
    BLAS_INCY,
    P_INTEGER(Blas, flag, -2, 1, -1, "which coefficients are stored"),
    P_END,
};
static const char *const tensors[] = {"x", "y", "param", NULL};

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Blas *q = params_of_case;
    blas_shape_xy(q, shapes, ROLE_INOUT, ROLE_INOUT);
    shapes->count = 3;
    shapes->tensor[2] = blas_vector(q, 5, 1);
    shapes->tensor[2].has_head = true;
    shapes->tensor[2].head = (double)q->flag;
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    const Tensor *x = &input->tensors[0], *y = &input->tensors[1];
    double h[5];
    if (q->flag == -2) {
        copy_reference(&refs[0], x, arena);
        copy_reference(&refs[1], y, arena);
        return;
    }
    for (int i = 0; i < 5; i++)
        h[i] = dtype_load(blas_dtype(q), input->tensors[2].origin, i);
    if (q->flag == 0)
        h[1] = h[4] = 1;
    if (q->flag == 1) {
        h[2] = -1;
        h[3] = 1;
    }
    combination_reference(&refs[0], &(CombinationInput){*x, *y, h[1], h[3]}, arena);
    combination_reference(&refs[1], &(CombinationInput){*x, *y, h[2], h[4]}, arena);
}

const OpDesc op_rotm = {
    .name = "rotm",
    .summary = "modified plane rotation of two vectors",
    BLAS_OP_TABLES,
    .dtypes = DTYPES_REAL,
    .shape = shape,
    .work = blas_work_vector,
    .reference = reference,
    .zeros = ZERO_SIGN("all, where the flag is -2",
                       "reference BLAS, drotm.f: GO TO 140 where DFLAG + TWO is 0"),
};
