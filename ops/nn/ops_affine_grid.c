/* Grids of coordinates under an affine map, as images are sampled at them, and their gradients:
 *
 *     y[n, p] = theta[n] (c(p), 1),    dtheta[n] = sum over p of dy[n, p] (c(p), 1)
 *
 * with the coordinates c of the places p of an image between -1 and 1, the innermost axis first:
 * (2 i + 1) / extent - 1, or with corners aligned 2 i / (extent - 1) - 1 (ONNX, AffineGrid;
 * PyTorch, affine_grid).
 *
 * A coordinate is off by at most 8 u: by its formula it takes a division and a sum, 3 u; by steps,
 * start + i step, an error of 2 u for each of the step, its multiple, the start and the sum, which
 * are at most 2 in size, 7 u in all; between -1 and 1 in equal steps and then times
 * (extent - 1) / extent, 5 u and two more roundings.  The products and sums are those of balls.
 * With corners aligned the coordinate of the only place along an axis is a quotient of zeros: it
 * may be anything. */
#include "nn_spatial.h"
#include "reference/ball.h"

/* Of a row of a map: three axes and the shift. */
enum { AXES_MAX = 4 };

typedef struct AffineGrid {
    int64_t dtype, batch;
    Shape output_size;
    int64_t align_corners;
} AffineGrid;

static const Param params[] = {
    NN_DTYPE(AffineGrid), NN_BATCH(AffineGrid),
    P_SHAPE(AffineGrid, output_size, 2, 3, "spatial extents of the grid",
            .full = "PyTorch, affine_grid: \"non-zero, positive output size\""),
    P_CHOICE(AffineGrid, align_corners, nn_yes_no, "-1 and 1 are the centres of the corners"),
    P_END};
static const char *const tensors[] = {"theta", "y", NULL};
static const char *const gradient_tensors[] = {"dy", "theta", "dtheta", NULL};

static Shape matrices_of(const AffineGrid *q)
{
    int64_t axes = q->output_size.rank;
    return (Shape){3, {q->batch, axes, axes + 1}};
}

static Shape grid_of(const AffineGrid *q)
{
    Shape grid = {1, {q->batch}};
    for (int axis = 0; axis < q->output_size.rank; axis++)
        grid.extent[grid.rank++] = q->output_size.extent[axis];
    grid.extent[grid.rank++] = q->output_size.rank;
    return grid;
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const AffineGrid *q = params_of_case;
    Shape theta = matrices_of(q), grid = grid_of(q);
    *shapes = (Shapes){.depth = q->output_size.rank + 1};
    nn_add_operand(shapes, nn_dtype(q), &theta, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &grid, ROLE_OUT);
}

static void gradient_shape(const void *params_of_case, Shapes *shapes)
{
    const AffineGrid *q = params_of_case;
    Shape theta = matrices_of(q), grid = grid_of(q);
    *shapes = (Shapes){.depth = shape_count(&q->output_size)};
    nn_add_operand(shapes, nn_dtype(q), &grid, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &theta, ROLE_IN);
    nn_add_operand(shapes, nn_dtype(q), &theta, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const AffineGrid *q = params_of_case;
    return 256.0 * (double)q->batch * (double)shape_count(&q->output_size);
}

/* The coordinates of a place, and 1 behind them. */
static void put_coordinates(const AffineGrid *q, const Format *f, int64_t place, Ball *c)
{
    int axes = (int)q->output_size.rank;
    for (int axis = axes - 1; axis >= 0; axis--) {
        int64_t extent = q->output_size.extent[axis];
        long double i = (long double)tensor_take_index(&place, extent);
        bool alone = q->align_corners && extent == 1;
        long double value = q->align_corners ? (alone ? 0 : 2 * i / (long double)(extent - 1) - 1)
                                             : (2 * i + 1) / (long double)extent - 1;
        c[axes - 1 - axis] = alone ? ball_unknown() : (Ball){value, 8 * f->unit, CLASS_FINITE};
    }
    c[axes] = ball_exact(1);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const AffineGrid *q = input->params;
    const Tensor *theta = &input->tensors[0];
    int64_t axes = q->output_size.rank, places = shape_count(&q->output_size);
    Ball c[AXES_MAX], terms[AXES_MAX];
    ref_allocate_bounded(&refs[1], theta->dtype, &input->tensors[1], arena);
    const Format *f = dtype_format(refs[1].accumulator);
    for (int64_t point = 0; point < q->batch * places; point++) {
        put_coordinates(q, f, point % places, c);
        for (int64_t row = 0; row < axes; row++) {
            int64_t first = (point / places * axes + row) * (axes + 1);
            for (int64_t k = 0; k <= axes; k++)
                terms[k] = ball_multiply(f, ball_exact(tensor_value(theta, first + k)), c[k]);
            ref_put_ball(&refs[1], (size_t)(point * axes + row),
                         ball_sum(f, terms, (size_t)axes + 1));
        }
    }
}

static void gradient_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const AffineGrid *q = input->params;
    const Tensor *dy = &input->tensors[0];
    int64_t axes = q->output_size.rank, places = shape_count(&q->output_size);
    ref_allocate_bounded(&refs[2], dy->dtype, &input->tensors[2], arena);
    const Format *f = dtype_format(refs[2].accumulator);
    Ball c[AXES_MAX], *terms = arena_take(arena, (size_t)places + 1, sizeof *terms);
    for (int64_t i = 0; i < (int64_t)refs[2].count; i++) {
        int64_t k = i % (axes + 1), row = i / (axes + 1) % axes, sample = i / (axes + 1) / axes;
        for (int64_t place = 0; place < places; place++) {
            put_coordinates(q, f, place, c);
            double slope = tensor_value(dy, (sample * places + place) * axes + row);
            terms[place] = ball_multiply(f, ball_exact(slope), c[k]);
        }
        ref_put_ball(&refs[2], (size_t)i, ball_sum(f, terms, (size_t)places));
    }
}

#define GRID_OP                                                                                    \
    NN_OP(AffineGrid, 1), .params = params, .dtypes = DTYPES_REAL, .fills = nn_moderate_fills,     \
                          .work = work

static const OpDesc grids[] = {
    {GRID_OP, .name = "affine_grid", .summary = "coordinates of an image under an affine map",
     .tensors = tensors, .shape = shape, .reference = reference},
    {GRID_OP, .name = "affine_grid_backward", .summary = "gradients of affine_grid",
     .tensors = gradient_tensors, .shape = gradient_shape, .reference = gradient_reference},
    {.name = NULL},
};

OP_TABLE(ops_affine_grid)
{
    return grids;
}
