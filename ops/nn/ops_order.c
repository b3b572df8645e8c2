/* The elements along an axis in order, or the k greatest or least of them, and their places; of
 * equal ones the first comes first, as ONNX has it.  Rows with NaN are not judged.  In
 * the gradient equal ones may change places. */
#include <math.h>
#include <stdlib.h>

#include "nn.h"
#include "reference/ball.h"

typedef struct Order {
    int64_t dtype;
    Shape shape;
    int64_t axis, k, ascending;
} Order;

/* The greatest first is the simplest. */
static const char *const largest[] = {"yes", "no", NULL};
static const char *const former_words[] = {"greatest", "least", NULL};
#define ORDER_SHAPE P_SHAPE(Order, shape, 1, 4, "extents of the input")
#define ORDER_CHOICE(name, text)                                                                   \
    P_CHOICE_AS(name, Order, ascending, largest, text, .formerly = "mode",                         \
                .former_names = former_words)

static const Param params[] = {NN_DTYPE(Order),
                               ORDER_SHAPE,
                               NN_AXIS(Order),
                               P_DIM(Order, k, 0, 512, "elements that are taken"),
                               ORDER_CHOICE("largest", "the greatest are taken, else the least"),
                               P_END};
static const Param sort_params[] = {NN_DTYPE(Order), ORDER_SHAPE, NN_AXIS(Order),
                                    ORDER_CHOICE("descending", "the greatest come first"), P_END};
static const char *const tensors[] = {"x", "values", "places", NULL};
static const char *const backward_tensors[] = {"dy", "x", "dx", NULL};
enum { DY, X, DX };

static void normalise(void *params_of_case)
{
    Order *q = params_of_case;
    nn_need_axis(&q->shape);
    q->axis %= q->shape.rank;
    q->k = q->k < q->shape.extent[q->axis] ? q->k : q->shape.extent[q->axis];
}

static void normalise_sort(void *params_of_case)
{
    Order *q = params_of_case;
    normalise(params_of_case);
    q->k = q->shape.extent[q->axis];
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Order *q = params_of_case;
    Shape some = q->shape;
    some.extent[q->axis] = q->k;
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[0] = nn_tensor(nn_dtype(q), &q->shape, ROLE_IN);
    shapes->tensor[1] = nn_tensor(nn_dtype(q), &some, ROLE_OUT);
    shapes->tensor[2] = nn_tensor(DT_I64, &some, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    return nn_work_elements(&((const Order *)params_of_case)->shape, 128);
}

/* sign is 1 for the greatest first, -1 for the least. */
typedef struct Entry {
    double value, sign;
    int64_t place;
} Entry;

static int compare(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    if (x->value != y->value)
        return (x->value < y->value) == (x->sign > 0) ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

/* The elements of row r in order, NaN behind the numbers; how many are NaN is returned. */
static int64_t read_row(Entry *row, const Tensor *x, int64_t r, double sign)
{
    int64_t extent = x->extent[x->rank - 1], numbers = 0, nans = 0;
    for (int64_t k = 0; k < extent; k++) {
        double value = tensor_value(x, r * extent + k);
        if (!isnan(value))
            row[numbers++] = (Entry){value, sign, k};
    }
    for (int64_t k = 0; k < extent; k++)
        if (isnan(tensor_value(x, r * extent + k)))
            row[numbers + nans++] = (Entry){NAN, sign, k};
    qsort(row, (size_t)numbers, sizeof *row, compare);
    return nans;
}

/* Whether NaN comes behind the numbers or before them no text says. */
static void put_row(Ref *values, Ref *places, const Entry *row, size_t first, int64_t count,
                    int64_t extent, int64_t nans)
{
    for (int64_t k = 0; k < count; k++) {
        const Entry *behind = &row[k], *before = &row[(k + extent - nans) % extent];
        const double either[] = {behind->value, before->value};
        const double place[] = {(double)behind->place, (double)before->place};
        ref_put_one_of(values, first + (size_t)k, either, 2);
        ref_put_one_of(places, first + (size_t)k, place, 2);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Order *q = input->params;
    Tensor x = nn_axis_last(&input->tensors[0], (int)q->axis), y = x;
    Ref values, places;
    int64_t extent = x.extent[x.rank - 1];
    y.extent[y.rank - 1] = q->k;
    ref_allocate_exact(&values, &y, arena);
    ref_allocate_bounded(&places, DT_I64, &y, arena);
    nn_allocate_candidates(&values, arena);
    nn_allocate_candidates(&places, arena);
    Entry *row = arena_take(arena, (size_t)extent + 1, sizeof *row);
    for (size_t r = 0; r < values.rows; r++) {
        int64_t nans = read_row(row, &x, (int64_t)r, q->ascending ? -1 : 1);
        put_row(&values, &places, row, r * (size_t)q->k, q->k, extent, nans);
    }
    nn_axis_back(&refs[1], &values, &input->tensors[1], (int)q->axis, arena);
    nn_axis_back(&refs[2], &places, &input->tensors[2], (int)q->axis, arena);
}

static void backward_shape(const void *params_of_case, Shapes *shapes)
{
    Shapes forward;
    shape(params_of_case, &forward);
    *shapes = (Shapes){.count = 3, .depth = 1};
    shapes->tensor[DY] = forward.tensor[1];
    shapes->tensor[DY].role = ROLE_IN;
    shapes->tensor[X] = forward.tensor[0];
    shapes->tensor[DX] = forward.tensor[0];
    shapes->tensor[DX].role = ROLE_OUT;
}

/* The gradient of any of the places first..end - 1 of row r, of which the first are taken. */
static Ball gradient_of(const Tensor *dy, int64_t r, int64_t first, int64_t end)
{
    int64_t taken = dy->extent[dy->rank - 1];
    Ball share = first < taken ? ball_exact(tensor_value(dy, r * taken + first)) : ball_exact(0);
    for (int64_t k = first + 1; k < end; k++)
        share = ball_either(share, k < taken ? ball_exact(tensor_value(dy, r * taken + k))
                                             : ball_exact(0));
    return share;
}

/* Each element gets the gradient of its place; of equal ones each may have that of any.  NaN lies
 * behind the numbers or before them. */
static void put_gradients(Ref *dx, const Tensor *dy, const Entry *row, int64_t r, int64_t extent,
                          int64_t nans)
{
    int64_t numbers = extent - nans;
    for (int64_t first = 0, end; first < extent; first = end) {
        end = first + 1;
        while (end < extent && (first >= numbers || row[end].value == row[first].value))
            end++;
        int64_t shift = first >= numbers ? -numbers : nans;
        Ball share = ball_either(gradient_of(dy, r, first, end),
                                 gradient_of(dy, r, first + shift, end + shift));
        for (int64_t k = first; k < end; k++)
            ref_put_ball(dx, (size_t)(r * extent + row[k].place), share);
    }
}

static void backward_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Order *q = input->params;
    Tensor x = nn_axis_last(&input->tensors[X], (int)q->axis);
    Tensor dy = nn_axis_last(&input->tensors[DY], (int)q->axis);
    int64_t extent = x.extent[x.rank - 1];
    Ref moved;
    ref_allocate_bounded(&moved, x.dtype, &x, arena);
    Entry *row = arena_take(arena, (size_t)extent + 1, sizeof *row);
    for (int64_t r = 0; extent > 0 && r < tensor_count(&x) / extent; r++) {
        int64_t nans = read_row(row, &x, r, q->ascending ? -1 : 1);
        put_gradients(&moved, &dy, row, r, extent, nans);
    }
    nn_axis_back(&refs[DX], &moved, &input->tensors[DX], (int)q->axis, arena);
}

static const IllegalRule illegal_count[] = {
    {ILLEGAL_INTEGER, "k", -1}, {ILLEGAL_BEYOND, "k", 0}, {0}};

#define ORDER_OP                                                                                   \
    NN_OP(Order, 2), .tensors = tensors, .fills = nn_function_fills, .shape = shape, .work = work, \
                     .reference = reference

#define ORDER_BACKWARD_OP                                                                          \
    NN_OP(Order, 2), .tensors = backward_tensors, .dtypes = DTYPES_REAL,                           \
                     .fills = nn_moderate_fills, .shape = backward_shape, .work = work,            \
                     .reference = backward_reference

static const OpDesc table[] = {
    {ORDER_OP, .dtypes = DTYPES_FLOAT | DTYPES_WHOLE, .name = "topk",
     .summary = "greatest or least elements and their places", .params = params,
     .normalise = normalise, .illegal = illegal_count},
    {ORDER_OP, .dtypes = DTYPES_FLOAT | DTYPES_WHOLE | DTYPES_BOOLEAN, .name = "sort",
     .summary = "elements in order and their places", .params = sort_params,
     .normalise = normalise_sort, .illegal = nn_illegal_axis},
    {ORDER_BACKWARD_OP, .name = "topk_backward", .summary = "gradient of topk by its values",
     .params = params, .normalise = normalise},
    {ORDER_BACKWARD_OP, .name = "sort_backward", .summary = "gradient of sort by its values",
     .params = sort_params, .normalise = normalise_sort},
    {.name = NULL},
};

OP_TABLE(ops_order)
{
    return table;
}
