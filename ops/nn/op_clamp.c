/* y = x between two numbers, to the bit but for the sign of zero.  NaN stays, or becomes a number
 * under the policy nan-by-comparison. */
#include <math.h>

#include "nn.h"

static const Param params[] = {NN_DTYPE, NN_INPUT_SHAPE, P_REAL(Nn, alpha, 0, "lower end"),
                               P_REAL(Nn, beta, 1, "upper end"), P_END};
static const char *const tensors[] = {"x", "y", NULL};

/* Ends are numbers, the lower one first. */
static void normalise(void *params_of_case)
{
    Nn *q = params_of_case;
    double low = isnan(q->alpha.re) ? 0 : q->alpha.re, high = isnan(q->beta.re) ? 1 : q->beta.re;
    q->alpha.re = low > high ? high : low;
    q->beta.re = low > high ? low : high;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    nn_shape_same(params_of_case, shapes);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(params_of_case, 32);
}

static void put_all(Ref *ref, const Nn *q, const Tensor *x, const Tensor *y, bool compares,
                    Arena *arena)
{
    ref_allocate_exact(ref, y, arena);
    for (size_t i = 0; i < ref->count; i++) {
        double value = tensor_value(x, (int64_t)i);
        double inside = value < q->alpha.re ? q->alpha.re : value > q->beta.re ? q->beta.re : value;
        ref_set_exact(ref, i, inside, MATCH_VALUE);
        if (isnan(value) && compares)
            ref_set_classes(ref, i, CLASS_ANY);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Tensor *x = &input->tensors[0], *y = &input->tensors[1];
    Ref other;
    put_all(&refs[1], input->params, x, y, false, arena);
    put_all(&other, input->params, x, y, true, arena);
    ref_add_alternative(&refs[1], &other, "nan-by-comparison", arena);
}

const OpDesc op_clamp = {
    NN_OP_TABLES,
    .name = "clamp",
    .summary = "x between two numbers",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_FLOAT,
    .fills = nn_function_fills,
    .in_place = true,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .policy = "nan-by-comparison",
};
