/* y = x between two numbers, to the bit but for the sign of zero.  NaN stays, or becomes a number
 * under the policy nan-by-comparison. */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"

typedef struct Clamp {
    int64_t dtype;
    Shape shape;
    Scalar min, max;
} Clamp;

static const Param params[] = {NN_DTYPE(Clamp), NN_INPUT_SHAPE(Clamp),
                               P_REAL(Clamp, min, 0, "lower end", .formerly = "alpha"),
                               P_REAL(Clamp, max, 1, "upper end", .formerly = "beta"), P_END};
static const char *const tensors[] = {"x", "y", NULL};
static const char *const backward_tensors[] = {"dy", "x", "dx", NULL};

/* Ends are numbers, the lower one first. */
static void normalise(void *params_of_case)
{
    Clamp *q = params_of_case;
    double low = isnan(q->min.re) ? 0 : q->min.re, high = isnan(q->max.re) ? 1 : q->max.re;
    q->min.re = low > high ? high : low;
    q->max.re = low > high ? low : high;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Clamp *q = params_of_case;
    nn_shape_same(nn_dtype(q), &q->shape, shapes);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Clamp *)params_of_case)->shape, 32);
}

static void put_all(Ref *ref, const Clamp *q, const Tensor *x, const Tensor *y, bool compares,
                    Arena *arena)
{
    ref_allocate_exact(ref, y, arena);
    for (size_t i = 0; i < ref->count; i++) {
        double value = tensor_value(x, (int64_t)i);
        double inside = value < q->min.re ? q->min.re : value > q->max.re ? q->max.re : value;
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

static void backward_shape(const void *params_of_case, Shapes *shapes)
{
    shape(params_of_case, shapes);
    shapes->count = 3;
    shapes->tensor[2] = shapes->tensor[1];
    shapes->tensor[1] = shapes->tensor[0];
}

/* dy inside, 0 outside, either at the ends. */
static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { DY, X, DX };
    const Clamp *q = input->params;
    ref_allocate_bounded(&refs[DX], input->tensors[DX].dtype, &input->tensors[DX], arena);
    for (size_t i = 0; i < refs[DX].count; i++) {
        Ball dy = ball_exact(tensor_value(&input->tensors[DY], (int64_t)i));
        double x = tensor_value(&input->tensors[X], (int64_t)i);
        bool inside = x > q->min.re && x < q->max.re;
        bool at_end = x == q->min.re || x == q->max.re || isnan(x);
        Ball none = ball_masked(dy), share = inside ? dy : none;
        if (at_end)
            share = ball_either(dy, none);
        ref_put_ball(&refs[DX], i, isnan(x) ? ball_or(share, CLASS_NAN) : share);
    }
}

#define CLAMP_OP                                                                                   \
    NN_OP(Clamp, 2), .params = params, .dtypes = DTYPES_FLOAT, .normalise = normalise, .work = work

static const OpDesc table[] = {
    {CLAMP_OP, .name = "clamp", .summary = "x between two numbers", .tensors = tensors,
     .fills = nn_function_fills, .in_place = true, .shape = shape, .reference = reference,
     .policy = "nan-by-comparison", .nan = NAN_OF_GREATEST},
    {CLAMP_OP, .name = "clamp_backward", .summary = "gradient of clamp",
     .tensors = backward_tensors, .fills = nn_moderate_fills, .shape = backward_shape,
     .reference = backward_reference},
    {.name = NULL},
};

OP_TABLE(ops_clamp)
{
    return table;
}
