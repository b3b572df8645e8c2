/* Mean and variance normalisation: y = (x - mean) / sqrt(variance), with the mean and the variance
 * over some axes (ONNX operator MeanVarianceNormalization).  Its text has this formula, its
 * function adds 1e-9 to the root: either is right.
 *
 * Balls through each operation: the mean by its sum, the variance as the mean of (x - mean)^2.  The
 * function of ONNX has mean(x^2) - mean^2 instead, which cancels: the alternative
 * "one-pass-variance", of which nothing is known where the difference may be negative. */
#include <math.h>

#include "nn_reduce.h"
#include "reference/ball.h"

enum { X, Y };

static const Param params[] = {
    NN_DTYPE(Reduce), P_SHAPE(Reduce, shape, 1, 4, "extents of x"),
    P_INTEGER(Reduce, axes, 0, 15, 0, "axes of the means, as bits, the innermost first"), P_END};
static const char *const tensors[] = {"x", "y", NULL};

static void normalise(void *params_of_case)
{
    Reduce *q = params_of_case;
    nn_fit_axes(q);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Reduce *q = params_of_case;
    nn_shape_same(nn_dtype(q), &q->shape, shapes);
    shapes->depth = shape_count(&q->shape);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Reduce *)params_of_case)->shape, 512);
}

/* The elements of x that one mean is of: their numbers, and balls for sums of as many terms. */
typedef struct Group {
    const Format *format;
    const Tensor *x;
    int64_t *number;
    Ball *terms;
    size_t count;
} Group;

static Ball element(const Group *g, size_t k)
{
    return ball_exact(tensor_value(g->x, g->number[k]));
}

static Ball mean_of_terms(const Group *g)
{
    return ball_mean(g->format, ball_sum(g->format, g->terms, g->count), (double)g->count);
}

static Ball mean_of_squares(const Group *g, Ball from)
{
    for (size_t k = 0; k < g->count; k++) {
        Ball distance = ball_subtract(g->format, element(g, k), from);
        g->terms[k] = ball_multiply(g->format, distance, distance);
    }
    return mean_of_terms(g);
}

static Ball variance_of(const Group *g, Ball mean, bool one_pass)
{
    if (!one_pass)
        return mean_of_squares(g, mean);
    return ball_subtract(g->format, mean_of_squares(g, ball_exact(0)),
                         ball_multiply(g->format, mean, mean));
}

/* One number is its own mean, whatever its arithmetic: 0 over 0, or over 1e-9. */
static bool put_one(Ref *ref, const Group *g)
{
    bool alone = g->count == 1 && ball_is_known(element(g, 0));
    if (alone)
        ref_put_ball(ref, (size_t)g->number[0], ball_or(ball_exact(0), CLASS_NAN));
    return alone;
}

static void put_group(Ref *ref, const Group *g, bool one_pass)
{
    const double added = 1e-9;
    const Format *f = g->format;
    if (put_one(ref, g))
        return;
    for (size_t k = 0; k < g->count; k++)
        g->terms[k] = element(g, k);
    Ball mean = mean_of_terms(g), root = ball_sqrt(f, variance_of(g, mean, one_pass));
    Ball more = ball_add(f, root, (Ball){added, added * f->unit, 0});
    for (size_t k = 0; k < g->count; k++) {
        Ball distance = ball_subtract(f, element(g, k), mean);
        ref_put_ball(ref, (size_t)g->number[k],
                     ball_either(ball_divide(f, distance, root), ball_divide(f, distance, more)));
    }
}

static void put_groups(Ref *ref, const ReferenceInput *input, bool one_pass, Arena *arena)
{
    const Reduce *q = input->params;
    const Tensor *x = &input->tensors[X];
    int reduced;
    Tensor view = nn_reduced_last(x, q->axes, &reduced);
    Group g = {.x = x, .count = 1};
    for (int axis = view.rank - reduced; axis < view.rank; axis++)
        g.count *= (size_t)view.extent[axis];
    ref_allocate_bounded(ref, x->dtype, &input->tensors[Y], arena);
    g.format = dtype_format(ref->accumulator);
    g.number = arena_take(arena, g.count, sizeof *g.number);
    g.terms = arena_take(arena, g.count, sizeof *g.terms);
    for (size_t first = 0; first < ref->count; first += g.count) {
        for (size_t k = 0; k < g.count; k++)
            g.number[k] = tensor_offset_of(&view, (int64_t)(first + k));
        put_group(ref, &g, one_pass);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    Ref other;
    put_groups(&refs[Y], input, false, arena);
    put_groups(&other, input, true, arena);
    ref_add_alternative(&refs[Y], &other, "one-pass-variance", arena);
}

const OpDesc op_mean_variance_norm = {
    NN_OP(Reduce, 1),
    .name = "mean_variance_norm",
    .summary = "less its mean, over its deviation",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_FLOAT,
    .fills = nn_moderate_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .policy = "one-pass-variance",
};
