/* Running sums and products along one axis, forwards or backwards, with or without the element
 * itself: every result has the bound of the reduction of its prefix (reference/reduce.h). */
#include <math.h>

#include "nn.h"
#include "reference/ball.h"
#include "reference/complex_product.h"
#include "reference/mag.h"
#include "reference/reduce.h"

typedef struct Running {
    int64_t dtype;
    Shape shape;
    int64_t axis, reverse, exclusive;
} Running;

static const Param params[] = {
    NN_DTYPE(Running),
    NN_INPUT_SHAPE(Running),
    NN_AXIS(Running),
    P_CHOICE(Running, reverse, nn_yes_no, "from the last to the first", .formerly = "backwards"),
    P_CHOICE(Running, exclusive, nn_yes_no, "without the element itself"),
    P_END};
static const char *const tensors[] = {"x", "y", NULL};
static const char *const backward_tensors[] = {"dy", "dx", NULL};
static const char *const product_tensors[] = {"dy", "x", "dx", NULL};

static void normalise(void *params_of_case)
{
    Running *q = params_of_case;
    nn_fit_axis(&q->shape, &q->axis);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Running *q = params_of_case;
    nn_shape_same(nn_dtype(q), &q->shape, shapes);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Running *)params_of_case)->shape, 16);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Running *q = input->params;
    RunningInput in = {nn_axis_last(&input->tensors[0], (int)q->axis),
                       *(const Reduction *)input->op->detail == REDUCE_PRODUCT, q->reverse,
                       q->exclusive};
    Ref moved = {0};
    if (dtype_components(in.x.dtype) == 2)
        complex_running_products(&moved, &in, arena);
    else
        running_reference(&moved, &in, arena);
    nn_axis_back(&refs[1], &moved, &input->tensors[1], (int)q->axis, arena);
}

/* Every element went into the sums of those behind it, or in front of it. */
static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    Running turned = *(const Running *)input->params;
    ReferenceInput other = *input;
    turned.reverse = !turned.reverse;
    other.params = &turned;
    reference(refs, &other, arena);
}

static void product_shape(const void *params_of_case, Shapes *shapes)
{
    shape(params_of_case, shapes);
    shapes->count = 3;
    shapes->tensor[2] = shapes->tensor[1];
    shapes->tensor[1] = shapes->tensor[0];
}

/* One row with its gradient, from the first to the last. */
typedef struct Products {
    const Format *format;
    Ball *x, *dy, *dx, *terms;
    int64_t count;
    bool exclusive;
} Products;

/* dx[i] = sum of dy[j] times the product of all elements that went into y[j] but x[i], or the sum
 * of dy[j] y[j] over x[i]. */
static void put_row(const Products *p)
{
    const Format *f = p->format;
    Ball before = ball_exact(1);
    bool known = true, leaves = ball_products_leave(f, p->x, (size_t)p->count);
    double lost = 0;
    for (int64_t i = 0; i < p->count; i++) {
        known = known && ball_is_known(p->x[i]);
        lost = add_up(lost, ball_lost_early(f, p->dy[i], p->x, (size_t)p->count));
    }
    for (int64_t i = 0; i < p->count; i++) {
        Ball others = before, whole = ball_multiply(f, before, p->x[i]);
        size_t terms = 0, quotients = (size_t)p->count;
        before = whole;
        for (int64_t j = i; j < p->count; j++) {
            if (j > i && !p->exclusive) {
                others = ball_multiply(f, others, p->x[j]);
                whole = ball_multiply(f, whole, p->x[j]);
            }
            if (j == i && p->exclusive)
                continue;
            p->terms[terms++] = ball_multiply(f, p->dy[j], others);
            p->terms[quotients++] = ball_multiply(f, p->dy[j], whole);
            if (p->exclusive) {
                others = ball_multiply(f, others, p->x[j]);
                whole = ball_multiply(f, whole, p->x[j]);
            }
        }
        p->dx[i] = ball_sum(f, p->terms, terms);
        p->dx[i].radius = add_up(p->dx[i].radius, lost);
        if (p->x[i].value != 0)
            p->dx[i] = ball_either(
                p->dx[i], ball_divide(f, ball_sum(f, p->terms + p->count, terms), p->x[i]));
        /* The form with a quotient spreads an infinity or NaN over the whole row. */
        if (!known)
            p->dx[i] = ball_or(p->dx[i], CLASS_NAN);
        if (leaves)
            p->dx[i] = ball_unknown();
    }
}

static double product_work(const void *params_of_case)
{
    const Running *q = params_of_case;
    return nn_work_elements(&q->shape, 256) * (double)(q->shape.extent[q->axis] + 1);
}

static void product_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Running *q = input->params;
    Tensor dy = nn_axis_last(&input->tensors[0], (int)q->axis);
    Tensor x = nn_axis_last(&input->tensors[1], (int)q->axis);
    int64_t count = x.extent[x.rank - 1];
    Ref moved;
    ref_allocate_bounded(&moved, x.dtype, &x, arena);
    Ball *balls = arena_take(arena, 5 * (size_t)count + 1, sizeof *balls);
    Products p = {dtype_format(moved.accumulator),
                  balls,
                  balls + count,
                  balls + 2 * count,
                  balls + 3 * count,
                  count,
                  q->exclusive};
    for (int64_t row = 0; row < tensor_count(&x); row += count) {
        for (int64_t k = 0; k < count; k++) {
            int64_t at = row + (q->reverse ? count - 1 - k : k);
            p.x[k] = ball_exact(tensor_value(&x, at));
            p.dy[k] = ball_exact(tensor_value(&dy, at));
        }
        put_row(&p);
        for (int64_t k = 0; k < count; k++)
            ref_put_ball(&moved, (size_t)(row + (q->reverse ? count - 1 - k : k)), p.dx[k]);
    }
    nn_axis_back(&refs[2], &moved, &input->tensors[2], (int)q->axis, arena);
}

static const Reduction sum = REDUCE_SUM, product = REDUCE_PRODUCT;

#define RUNNING_PLAIN NN_OP(Running, 2), .params = params, .normalise = normalise
#define RUNNING_OP    RUNNING_PLAIN, .shape = shape, .work = work

static const OpDesc table[] = {
    {RUNNING_OP, .name = "cumsum", .summary = "running sums along an axis", .tensors = tensors,
     .dtypes = DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_COMPLEX, .by_parts = true,
     .reference = reference, .detail = &sum, .illegal = nn_illegal_axis},
    {RUNNING_OP, .name = "cumprod", .summary = "running products along an axis", .tensors = tensors,
     .dtypes = DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_COMPLEX, .fills = nn_product_fills,
     .reference = reference, .detail = &product, .illegal = nn_illegal_axis},
    {RUNNING_OP, .name = "cumsum_backward", .summary = "gradient of cumsum",
     .tensors = backward_tensors, .dtypes = DTYPES_FLOAT, .reference = backward_reference,
     .detail = &sum},
    {RUNNING_PLAIN, .name = "cumprod_backward", .summary = "gradient of cumprod",
     .tensors = product_tensors, .dtypes = DTYPES_REAL, .fills = nn_product_fills,
     .shape = product_shape, .work = product_work, .reference = product_reference},
    {.name = NULL},
};

OP_TABLE(ops_running)
{
    return table;
}
