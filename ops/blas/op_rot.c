/* x = c x + s y and y = c y - s x with real c and s, element by element: one of three outcomes
 * (reference/elementwise.h). */
#include "blas_shapes.h"
#include "blas_vectors.h"
#include "reference/elementwise.h"

static const Param params[] = {
    BLAS_DTYPE,
    BLAS_LENGTH,
    BLAS_INCX,
    BLAS_INCY,
    P_REAL(Blas, c, 1, "cosine"),
    P_REAL(Blas, s, 0, "sine"),
    P_END,
};
static const char *const tensors[] = {"x", "y", NULL};

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Blas *q = input->params;
    const Tensor *x = &input->tensors[0], *y = &input->tensors[1];
    combination_reference(&refs[0], &(CombinationInput){*x, *y, q->c.re, q->s.re}, arena);
    combination_reference(&refs[1], &(CombinationInput){*y, *x, q->c.re, -q->s.re}, arena);
}

const OpDesc op_rot = {
    .name = "rot",
    .summary = "plane rotation of two vectors",
    BLAS_OP_TABLES,
    .shape = blas_shape_of_rot,
    .work = blas_work_vector,
    .reference = reference,
};
