/* min(max(x, lower end), upper end), to the bit but for the sign of zero.  So the upper end is the
 * result everywhere where the ends are the wrong way round (ONNX, Clip; PyTorch, clamp; NumPy,
 * clip), which is open to libraries that document ends in order (the condition ordered-ends).
 *
 * NaN, in x or as an end, is NaN of the result.  Under the policy nan-by-comparison any of the
 * three may be: comparisons choose among them, and make no number that is none of them. */
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
    nn_allocate_candidates(ref, arena);
    for (size_t i = 0; i < ref->count; i++) {
        const double any[] = {tensor_value(x, (int64_t)i), q->min.re, q->max.re};
        bool has_nan = isnan(any[0]) || isnan(any[1]) || isnan(any[2]);
        double above = any[0] < q->min.re ? q->min.re : any[0];
        if (has_nan && compares)
            ref_put_one_of(ref, i, any, COUNT_OF(any));
        else
            ref_set_exact(ref, i,
                          has_nan             ? NAN
                          : above > q->max.re ? q->max.re
                                              : above,
                          MATCH_VALUE);
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

/* dy inside, 0 outside, either at the ends, and either where NaN is compared. */
static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { DY, X, DX };
    const Clamp *q = input->params;
    ref_allocate_bounded(&refs[DX], input->tensors[DX].dtype, &input->tensors[DX], arena);
    for (size_t i = 0; i < refs[DX].count; i++) {
        Ball dy = ball_exact(tensor_value(&input->tensors[DY], (int64_t)i));
        double x = tensor_value(&input->tensors[X], (int64_t)i);
        bool has_nan = isnan(x) || isnan(q->min.re) || isnan(q->max.re);
        bool inside = x > q->min.re && x < q->max.re;
        bool at_end = (x == q->min.re || x == q->max.re) && q->min.re <= q->max.re;
        Ball none = ball_masked(dy), share = inside ? dy : none;
        if (at_end || has_nan)
            share = ball_either(dy, none);
        ref_put_ball(&refs[DX], i, has_nan ? ball_or(share, CLASS_NAN) : share);
    }
}

/* The ends of integers are integers. */
static void normalise(void *params_of_case)
{
    Clamp *q = params_of_case;
    q->min.re = nn_whole_number(nn_dtype(q), q->min.re);
    q->max.re = nn_whole_number(nn_dtype(q), q->max.re);
}

#define CLAMP_OP NN_OP(Clamp, 2), .params = params, .work = work

static const OpDesc table[] = {
    {CLAMP_OP, .name = "clamp", .summary = "x between two numbers", .tensors = tensors,
     .dtypes = DTYPES_FLOAT | DTYPES_WHOLE, .normalise = normalise, .fills = nn_function_fills,
     .in_place = true, .shape = shape, .reference = reference, .policy = "nan-by-comparison",
     .nan = NAN_OF_GREATEST},
    {CLAMP_OP, .name = "clamp_backward", .summary = "gradient of clamp", .dtypes = DTYPES_FLOAT,
     .tensors = backward_tensors, .fills = nn_moderate_fills, .shape = backward_shape,
     .reference = backward_reference},
    {.name = NULL},
};

OP_TABLE(ops_clamp)
{
    return table;
}
