/* Gradients of rms_norm over the last axis, in balls: with r = 1 / sqrt(mean of x^2 + epsilon) and
 * g = dy scale, dx = r g - x r^3 (sum of g x) / n, or r (g - h (sum of g h) / n) with h = x r, and
 * dscale = sum of dy h over all rows. */
#include "nn_norm.h"

enum { DY, X, SCALE, DX, D_SCALE };

static const Param params[] = {NN_DTYPE(LayerNorm), NN_NORM_SHAPE,
                               NN_EPSILON_TO(LayerNorm, "the mean square"), P_END};
static const char *const tensors[] = {"dy", "x", "scale", "dx", "dscale", NULL};

static void normalise(void *params_of_case)
{
    LayerNorm *q = params_of_case;
    nn_need_axis(&q->shape);
    nn_normalise_epsilon(&q->epsilon);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const LayerNorm *q = params_of_case;
    Shape scale = {1, {q->shape.extent[q->shape.rank - 1]}};
    const Shape *const extents[] = {&q->shape, &q->shape, &scale, &q->shape, &scale};
    *shapes = (Shapes){.count = D_SCALE + 1, .depth = scale.extent[0]};
    for (int i = DY; i <= D_SCALE; i++)
        shapes->tensor[i] = nn_tensor(nn_dtype(q), extents[i], i >= DX ? ROLE_OUT : ROLE_IN);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const LayerNorm *)params_of_case)->shape, 512);
}

typedef struct Row {
    const Tensor *t;
    const Format *format;
    double epsilon;
    size_t count;
    Ball *x, *g, *terms;
    Ball *to_scale; /* terms of dscale: row after row */
} Row;

static void put_row(Ref *dx, const Row *w, int64_t first)
{
    const Format *f = w->format;
    for (size_t k = 0; k < w->count; k++) {
        int64_t at = first + (int64_t)k;
        w->x[k] = ball_exact(tensor_value(&w->t[X], at));
        w->terms[k] = ball_multiply(f, w->x[k], w->x[k]);
        w->g[k] = ball_multiply(f, ball_exact(tensor_value(&w->t[DY], at)),
                                ball_exact(tensor_value(&w->t[SCALE], (int64_t)k)));
    }
    Ball mean = ball_mean(f, ball_sum(f, w->terms, w->count), (double)w->count);
    Ball inside = ball_add(f, mean, ball_exact(w->epsilon));
    Ball r = nn_reciprocal_root(f, inside);
    for (size_t k = 0; k < w->count; k++) {
        Ball h = ball_multiply(f, w->x[k], r);
        w->to_scale[first + (int64_t)k] =
            ball_multiply(f, ball_exact(tensor_value(&w->t[DY], first + (int64_t)k)), h);
        w->terms[k] = ball_multiply(f, w->g[k], w->x[k]);
    }
    Ball along = ball_sum(f, w->terms, w->count);
    Ball cube = ball_multiply(f, ball_multiply(f, r, r), r);
    Ball share = ball_mean(f, ball_multiply(f, cube, along), (double)w->count);
    Ball inner = ball_mean(f, ball_multiply(f, along, r), (double)w->count);
    for (size_t k = 0; k < w->count; k++) {
        Ball apart =
            ball_subtract(f, ball_multiply(f, r, w->g[k]), ball_multiply(f, w->x[k], share));
        Ball h = ball_multiply(f, w->x[k], r);
        Ball whole = ball_multiply(f, r, ball_subtract(f, w->g[k], ball_multiply(f, h, inner)));
        ref_put_ball(dx, (size_t)first + k, ball_either(apart, whole));
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const LayerNorm *q = input->params;
    const Tensor *t = input->tensors;
    size_t all = (size_t)tensor_count(&t[X]), count = (size_t)t[SCALE].extent[0];
    ref_allocate_bounded(&refs[DX], t[DX].dtype, &t[DX], arena);
    ref_allocate_bounded(&refs[D_SCALE], t[D_SCALE].dtype, &t[D_SCALE], arena);
    Ball *balls = arena_take(arena, 3 * count + 2 * all, sizeof *balls);
    Row row = {.t = t,
               .format = dtype_format(refs[DX].accumulator),
               .epsilon = q->epsilon.re,
               .count = count,
               .x = balls,
               .g = balls + count,
               .terms = balls + 2 * count,
               .to_scale = balls + 3 * count};
    Ball *column = row.to_scale + all;
    for (size_t first = 0; first < all; first += count)
        put_row(&refs[DX], &row, (int64_t)first);
    for (size_t k = 0; k < count; k++) {
        size_t rows = 0;
        for (size_t at = k; at < all; at += count)
            column[rows++] = row.to_scale[at];
        ref_put_ball(&refs[D_SCALE], k, ball_sum(row.format, column, rows));
    }
}

const OpDesc op_rms_norm_backward = {
    NN_OP(LayerNorm, 1),
    .name = "rms_norm_backward",
    .summary = "gradients of rms_norm over the last axis",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL,
    .fills = nn_moderate_fills,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
};
