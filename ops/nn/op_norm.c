/* The norm of order p, of complex numbers that of their moduli, the root of order p of the sum of
 * the powers of the magnitudes, over some axes.  A power is within 16 ulp (OpenCL C 3.0, 7.4), and
 * the order of the root is rounded.  That of order 0 is the number of elements that are not 0, NaN
 * among them; those of infinity and -infinity are the greatest and the least magnitude (array API
 * standard, vector_norm; PyTorch, torch.linalg.vector_norm; NumPy, numpy.linalg.norm). */
#include <math.h>

#include "nn_reduce.h"

static const char *const tensors[] = {"x", "y", NULL};

static void normalise(void *params_of_case)
{
    Reduce *q = params_of_case;
    nn_fit_axes(q);
    nn_normalise_ord(q);
    nn_fill_axes_for_ord(q);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    nn_shape_reduced(params_of_case, shapes);
    shapes->tensor[1].layout.dtype = dtype_component(nn_dtype(params_of_case));
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Reduce *)params_of_case)->shape, 256);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Reduce *q = input->params;
    nn_norm_reference(&refs[1], input, q->axes, q->ord.re, arena);
}

const OpDesc op_norm = {
    NN_OP(Reduce, 2),
    .name = "norm",
    .summary = "norm of any order",
    .params = nn_norm_params,
    .tensors = tensors,
    .dtypes = DTYPES_BLAS,
    .fills = nn_moderate_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
